//! The query of a `text` search, as the expression it means.

use std::collections::{BTreeMap, BTreeSet};

use kitfox_core::{
    Analyser, Columns, Expression, Lexicon, Near, Phrase, Text, exact_word, fold, is_stop_word,
};

/// Words between those of a query that count as near.
const NEAR: u32 = 10;
/// Words of a query whose nearness is looked at; the dearest part of a search.
const NEAR_WORDS: usize = 8;

/// What a query asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    required: Vec<Part>,
    excluded: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// A word or another form of it.
    Word(String),
    /// These words, one after the other.
    Phrase(String),
}

/// For a word, those it is read as.
pub(super) type Corrections = BTreeMap<String, Vec<String>>;

impl Words {
    /// Reads a query: words, `"phrases"`, `-excluded` words and phrases. What is joined by
    /// punctuation and has a digit in it (`SKU-12`, `v1.2`) is a phrase. Words that tell nothing
    /// (`the`) are asked for only where there is nothing else.
    pub fn read(query: &str) -> Words {
        let mut words = Words::default();
        let mut rest = query.trim_start();
        while let Some(first) = rest.chars().next() {
            let is_excluded = first == '-' && rest[1..].starts_with(|c: char| !c.is_whitespace());
            rest = if is_excluded { &rest[1..] } else { rest };
            let into = if is_excluded { &mut words.excluded } else { &mut words.required };
            rest = match rest.strip_prefix('"') {
                Some(quoted) => {
                    let (phrase, after) = quoted.split_once('"').unwrap_or((quoted, ""));
                    into.extend(phrase_of(phrase));
                    after
                }
                None => {
                    let end = rest.find(|c: char| c.is_whitespace() || c == '"');
                    let (token, after) = rest.split_at(end.unwrap_or(rest.len()));
                    into.extend(parts(token));
                    after
                }
            }
            .trim_start();
        }
        let tells = |part: &Part| !matches!(part, Part::Word(word) if is_stop_word(&fold(word)));
        if words.required.iter().any(tells) {
            words.required.retain(tells);
        }
        words
    }

    /// Whether there is nothing to find.
    pub fn is_empty(&self) -> bool {
        self.required.is_empty()
    }

    /// The words that may be corrected.
    pub fn correctable(&self) -> impl Iterator<Item = &str> {
        self.required.iter().filter_map(|part| match part {
            Part::Word(word) => Some(word.as_str()),
            Part::Phrase(_) => None,
        })
    }

    /// Everything required and nothing excluded. Where words stand near one another, that counts,
    /// and changes nothing about what matches. None where nothing is required.
    pub fn expression(&self, corrections: &Corrections) -> Option<Expression> {
        let required = self.required.iter().map(|part| part.expression(corrections));
        let all = required.reduce(both(Expression::And))?;
        let wanted = match self.near(corrections) {
            Some(near) => Expression::Or(Box::new(all), Box::new(near)),
            None => all,
        };
        let excluded = self.excluded.iter().map(|part| part.expression(&Corrections::new()));
        Some(match excluded.reduce(both(Expression::Or)) {
            Some(excluded) => Expression::Not(Box::new(wanted), Box::new(excluded)),
            None => wanted,
        })
    }

    /// All of the words near one another, which only a record that has all of them can meet.
    fn near(&self, corrections: &Corrections) -> Option<Expression> {
        let is_word =
            |part: &Part| matches!(part, Part::Word(word) if !corrections.contains_key(word));
        let count = self.required.len();
        if !(2..=NEAR_WORDS).contains(&count) || !self.required.iter().all(is_word) {
            return None;
        }
        let phrases = self.correctable().map(|word| Phrase::of(word, false)).collect();
        Some(Expression::Near(Near { phrases, within: NEAR, columns: Columns::ALL }))
    }

    /// What of a record's text is a hit.
    pub fn hits(&self, corrections: &Corrections, lexicons: &[Lexicon]) -> Hits {
        let mut hits = Hits::among(lexicons);
        for part in &self.required {
            match part {
                Part::Word(word) => match corrections.get(word) {
                    Some(instead) => instead.iter().for_each(|word| hits.add(word)),
                    None => hits.add(word),
                },
                Part::Phrase(phrase) => hits.add(phrase),
            }
        }
        hits
    }
}

impl Part {
    fn expression(&self, corrections: &Corrections) -> Expression {
        match self {
            Part::Phrase(phrase) => Expression::Near(Near {
                phrases: vec![Phrase::of(phrase, false)],
                within: 0,
                columns: Columns::ALL,
            }),
            Part::Word(word) => {
                let instead = corrections.get(word).into_iter().flatten().cloned();
                let read = instead.map(Expression::Stem).reduce(both(Expression::Or));
                read.unwrap_or_else(|| Expression::Stem(word.clone()))
            }
        }
    }
}

type Join = fn(Box<Expression>, Box<Expression>) -> Expression;

fn both(join: Join) -> impl Fn(Expression, Expression) -> Expression {
    move |left, right| join(Box::new(left), Box::new(right))
}

fn phrase_of(text: &str) -> Option<Part> {
    match Text::new(text).words().len() {
        0 => None,
        _ => Some(Part::Phrase(text.to_owned())),
    }
}

/// What a run without white space asks for.
fn parts(token: &str) -> Vec<Part> {
    let text = Text::new(token);
    let overlap =
        || text.words().windows(2).any(|pair| text.span(&pair[1]).start < text.span(&pair[0]).end);
    let is_code = token.contains(|c: char| c.is_ascii_digit());
    if text.words().len() > 1 && (is_code || overlap()) {
        return phrase_of(token).into_iter().collect();
    }
    text.words().iter().map(|word| Part::Word(text.word(word).to_owned())).collect()
}

/// The words of a query as they are found in texts, whatever their form.
#[derive(Clone, Debug, Default)]
pub(super) struct Hits {
    lexicons: Vec<Lexicon>,
    stems: BTreeSet<String>,
}

impl Hits {
    fn among(lexicons: &[Lexicon]) -> Hits {
        Hits { lexicons: lexicons.to_vec(), stems: BTreeSet::new() }
    }

    /// The words of a text that tell something.
    pub fn of(text: &str, lexicons: &[Lexicon]) -> Hits {
        let mut hits = Hits::among(lexicons);
        hits.add(text);
        hits
    }

    fn add(&mut self, text: &str) {
        let text = Text::new(text);
        let folded: Vec<String> =
            text.words().iter().map(|word| exact_word(text.word(word))).collect();
        let only_stop_words = folded.iter().all(|word| is_stop_word(word));
        let counts = |word: &&String| only_stop_words || !is_stop_word(word);
        for analyser in self.lexicons.iter().map(Analyser::of) {
            let stems = folded.iter().filter(counts).filter_map(|word| analyser.stem_of(word));
            self.stems.extend(stems);
        }
    }

    /// Whether a folded word is one of them in a text of some locale.
    pub fn contains(&self, word: &str) -> bool {
        let mut analysers = self.lexicons.iter().map(Analyser::of);
        analysers.any(|analyser| self.stems.contains(&*analyser.stem(word)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(of: &[&str]) -> Vec<Part> {
        let part = |text: &&str| match text.strip_prefix('"') {
            Some(phrase) => Part::Phrase(phrase.to_owned()),
            None => Part::Word((*text).to_owned()),
        };
        of.iter().map(part).collect()
    }

    #[track_caller]
    fn check(query: &str, required: &[&str], excluded: &[&str]) {
        let expected = Words { required: words(required), excluded: words(excluded) };
        assert_eq!(Words::read(query), expected, "{query:?}");
    }

    #[test]
    fn queries_are_words_phrases_and_exclusions() {
        check("red shoes", &["red", "shoes"], &[]);
        check("\"red shoes\" -blue", &["\"red shoes"], &["blue"]);
        check("-\"old stock\" shoe", &["shoe"], &["\"old stock"]);
        check("the shoes", &["shoes"], &[]);
        check("to be", &["to", "be"], &[]);
        check("\"unclosed quote", &["\"unclosed quote"], &[]);
        check("SKU-12 full-text a - b", &["\"SKU-12", "full", "text", "b"], &[]);
        check("検索する", &["\"検索する"], &[]);
        check("don't \"\" - -- !", &["don", "t"], &[]);
    }

    #[test]
    fn hits_are_found_in_every_form() {
        let hits = Words::read("running shoes").hits(&Corrections::new(), &[Lexicon::default()]);
        assert!(hits.contains("run") && hits.contains("shoe") && !hits.contains("red"));
    }
}
