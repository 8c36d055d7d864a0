//! Words to index terms. The same functions serve documents and queries, and every engine, which is
//! what makes every query readable to the index.

use std::borrow::Cow;

use frostem::{Algorithm, Stemmer};

use crate::{Text, Word, fold, is_stop_word};

/// Longer words are noise (encoded data), and storage libraries drop terms of 64 KiB; a word is cut
/// here.
const MAX_WORD_BYTES: usize = 255;

/// Reads the words of texts. Cheap to make, and made once for many words.
pub struct Analyser {
    stemmer: Stemmer,
}

impl Default for Analyser {
    fn default() -> Analyser {
        Analyser { stemmer: Stemmer::new(Algorithm::English) }
    }
}

impl Analyser {
    /// The stem of a word in its exact form: what words that differ by an ending have in common.
    pub fn stem<'a>(&self, exact: &'a str) -> Cow<'a, str> {
        self.stemmer.stem(exact)
    }

    /// The scoring terms of one word, whose exact form is `exact`: the stem of the word as a whole
    /// and, where it is not all one part, of each part.
    pub fn terms(&self, text: &Text, word: &Word, exact: &str, mut each: impl FnMut(&str)) {
        each(&self.stem(exact));
        if text.parts(word).next() != Some(text.word(word)) {
            text.parts(word).for_each(|part| each(&self.stem(&exact_word(part))));
        }
    }
}

/// The form in which a single exact word is indexed and looked for.
pub fn exact_word(word: &str) -> String {
    let mut word = fold(word);
    word.truncate(word.floor_char_boundary(MAX_WORD_BYTES));
    word
}

/// How many letters of a word may be wrong for it to be read as another: none of a short one, or of
/// one with a digit in it, which is no word of a language.
pub fn misspelled_letters(word: &str) -> u8 {
    match word.chars().count() {
        _ if word.contains(|c: char| c.is_ascii_digit()) => 0,
        ..5 => 0,
        5..9 => 1,
        _ => 2,
    }
}

/// The scoring term of a text that is one word: its stem.
pub fn stem_of(word: &str) -> Option<String> {
    let text = Text::new(word);
    match text.words() {
        [word] => Some(Analyser::default().stem(&exact_word(text.word(word))).into_owned()),
        _ => None,
    }
}

/// The distinct terms an any-word query looks for, in order. Stop words count only where there is
/// nothing else; they stay in the index, since phrases need them.
pub fn query_terms(query: &str) -> Vec<String> {
    let analyser = Analyser::default();
    let text = Text::new(query);
    let (mut meaningful, mut stop) = (Vec::new(), Vec::new());
    for word in text.words() {
        let exact = exact_word(text.word(word));
        let into = if is_stop_word(&exact) { &mut stop } else { &mut meaningful };
        analyser.terms(&text, word, &exact, |term| into.push(term.to_owned()));
    }
    let mut terms = if meaningful.is_empty() { stop } else { meaningful };
    terms.sort();
    terms.dedup();
    terms
}

#[cfg(test)]
mod tests {
    use super::query_terms;

    #[track_caller]
    fn check(query: &str, expected: &[&str]) {
        assert_eq!(query_terms(query), expected, "terms of {query:?}");
    }

    #[test]
    fn queries_become_stems_and_parts() {
        check("how are the routes registered", &["regist", "rout"]);
        check("getUserName", &["get", "getusernam", "name", "user"]);
        check("C++ or C#", &["c", "c#", "c++"]);
        check("to be or", &["be", "or", "to"]);
        check("!?", &[]);
    }
}
