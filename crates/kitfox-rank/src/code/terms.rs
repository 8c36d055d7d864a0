//! The words of a query, and what is like them in paths and symbols.

use std::collections::HashMap;

use kitfox_core::{Analyser, Text, exact_word, is_stop_word};

/// Words of a query that count.
const MOST: usize = 64;
/// Two words are alike where one begins with all of the other, if that is this long…
const BEGINNING: usize = 4;
/// …and no more bytes than these are left: `config` and `configuration`, by their stems.
const ENDING: usize = 5;

/// The words of a query that say something, as stems.
pub(super) struct Terms {
    stems: Vec<String>,
    analyser: Analyser,
}

impl Terms {
    pub fn new(query: &str) -> Terms {
        let text = Text::new(query);
        let analyser = Analyser::default();
        let mut stems: Vec<String> = Vec::new();
        for part in parts(&text).filter(|part| !is_stop_word(part)) {
            let stem = analyser.stem(&part).into_owned();
            if !stems.contains(&stem) && stems.len() < MOST {
                stems.push(stem);
            }
        }
        Terms { stems, analyser }
    }

    /// The terms that a part of a name is like.
    fn like(&self, part: &str) -> Found {
        let stem = self.analyser.stem(part);
        let alike = |term: &String| is_alike(term, &stem) || is_alike(term, part);
        let bits = self.stems.iter().enumerate().filter(|(_, term)| alike(term));
        Found(bits.fold(0, |bits, (at, _)| bits | 1 << at))
    }
}

fn is_alike(term: &str, part: &str) -> bool {
    let (short, long) = if term.len() <= part.len() { (term, part) } else { (part, term) };
    let rest = long.len() - short.len();
    rest == 0 && short == long
        || (short.len() >= BEGINNING && rest <= ENDING && long.starts_with(short))
}

/// The parts of all words of a text, folded.
fn parts(text: &Text) -> impl Iterator<Item = String> {
    text.words().iter().flat_map(|word| text.parts(word)).map(exact_word)
}

/// Which terms were found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Found(u64);

/// Looks for the terms of a query in names. The same parts stand in many paths: each is looked at
/// once.
pub(super) struct Finder<'q> {
    terms: &'q Terms,
    known: HashMap<String, Found>,
}

impl<'q> Finder<'q> {
    pub fn new(terms: &'q Terms) -> Finder<'q> {
        Finder { terms, known: HashMap::new() }
    }

    /// Whether every part of a name is like a term.
    pub fn says_all_of(&mut self, name: &str) -> bool {
        let found = self.find(name);
        !found.is_empty() && found.iter().all(|found| found.0 != 0)
    }

    /// The share of the terms that a name has.
    pub fn share_in(&mut self, name: &str) -> f32 {
        let found = self.find(name).into_iter().fold(0, |bits, found| bits | found.0);
        match self.terms.stems.len() {
            0 => 0.0,
            all => found.count_ones() as f32 / all as f32,
        }
    }

    fn find(&mut self, name: &str) -> Vec<Found> {
        let text = Text::new(name);
        parts(&text)
            .map(|part| match self.known.get(&part) {
                Some(found) => *found,
                None => {
                    let found = self.terms.like(&part);
                    self.known.insert(part, found);
                    found
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(query: &str, name: &str, all: bool, share: f32) {
        let terms = Terms::new(query);
        let mut finder = Finder::new(&terms);
        let found = (finder.says_all_of(name), finder.share_in(name));
        assert_eq!(found, (all, share), "{name:?} for {query:?}");
    }

    #[test]
    fn names_are_compared_by_their_parts() {
        check("how are routes registered", "RouteRegistry", true, 1.0);
        check("how are routes registered", "route_table", false, 0.5);
        check("user configuration", "config", true, 0.5);
        check("the dependencies", "dependency", true, 1.0);
        check("a log", "logging", true, 1.0);
        check("a log", "logistics", false, 0.0);
        check("!", "a", false, 0.0);
        check("a", "", false, 0.0);
    }
}
