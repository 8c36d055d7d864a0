//! The words of a query, and what is like them in the names of files.

use kitfox_core::{Analyser, Text, exact_word, is_stop_word};

/// Two words are alike where one begins with all of the other, if that is this long…
const BEGINNING: usize = 4;
/// …and no more bytes than these are left: `config` and `configuration`, by their stems.
const ENDING: usize = 5;

/// The words of a query that say something, as stems.
pub(crate) struct Terms {
    stems: Vec<String>,
    analyser: Analyser,
}

impl Terms {
    pub fn new(query: &str) -> Terms {
        let text = Text::new(query);
        let analyser = Analyser::default();
        let mut stems: Vec<String> = parts(&text)
            .filter(|part| !is_stop_word(part))
            .map(|part| analyser.stem(&part).into_owned())
            .collect();
        stems.sort_unstable();
        stems.dedup();
        Terms { stems, analyser }
    }

    /// Whether every part of a name is like a term.
    pub fn say(&self, name: &str) -> bool {
        let text = Text::new(name);
        !text.words().is_empty() && parts(&text).all(|part| self.has(&part))
    }

    /// The share of a name's parts that are like a term.
    pub fn share_of(&self, name: &str) -> f32 {
        let text = Text::new(name);
        let said = parts(&text).filter(|part| self.has(part)).count();
        said as f32 / parts(&text).count().max(1) as f32
    }

    fn has(&self, part: &str) -> bool {
        let stem = self.analyser.stem(part);
        self.stems.iter().any(|term| is_alike(term, &stem) || is_alike(term, part))
    }
}

fn is_alike(term: &str, part: &str) -> bool {
    let (short, long) = if term.len() <= part.len() { (term, part) } else { (part, term) };
    let rest = long.len() - short.len();
    long.starts_with(short) && (rest == 0 || (short.len() >= BEGINNING && rest <= ENDING))
}

/// The parts of all words of a text, folded.
fn parts(text: &Text) -> impl Iterator<Item = String> {
    text.words().iter().flat_map(|word| text.parts(word)).map(exact_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(query: &str, name: &str, expected: bool) {
        assert_eq!(Terms::new(query).say(name), expected, "{name:?} for {query:?}");
    }

    #[test]
    fn names_are_compared_by_their_parts() {
        check("how are routes registered", "RouteRegistry", true);
        check("how are routes registered", "route_table", false);
        check("user configuration", "config", true);
        check("the dependencies", "dependency", true);
        check("a log", "logging", true);
        check("a log", "logistics", false);
        check("!", "a", false);
        check("a", "", false);
    }
}
