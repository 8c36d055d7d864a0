//! Words to index terms. The same functions serve documents and queries, which is what makes
//! every query readable to the index.

use frostem::{Algorithm, Stemmer};
use kitfox_core::{Text, Word, fold};
use tantivy::tokenizer::{PreTokenizedString, Token};

/// Longer words are noise (encoded data) and tantivy drops terms of 64 KiB; a word is cut here.
const MAX_WORD_BYTES: usize = 255;

/// English words that carry no meaning of their own, left out of any-word queries that have other
/// words. They stay in the index: phrases need them.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from", "has",
    "have", "how", "i", "if", "in", "is", "it", "its", "of", "on", "or", "so", "that", "the",
    "their", "there", "these", "they", "this", "to", "was", "we", "what", "when", "where", "which",
    "who", "why", "will", "with", "you", "your",
];

/// The exact words of a text with their positions.
pub(crate) fn exact(text: &Text) -> PreTokenizedString {
    let tokens = text
        .words()
        .iter()
        .enumerate()
        .map(|(position, word)| token(position, exact_word(text.word(word))))
        .collect();
    PreTokenizedString { text: String::new(), tokens }
}

/// The form in which a single exact word is indexed.
pub(crate) fn exact_word(word: &str) -> String {
    let mut word = fold(word);
    word.truncate(word.floor_char_boundary(MAX_WORD_BYTES));
    word
}

/// Stems and identifier parts of several texts, one after the other.
pub(crate) fn terms(texts: &[&Text]) -> PreTokenizedString {
    let stemmer = Stemmer::new(Algorithm::English);
    let mut tokens = Vec::new();
    for text in texts {
        for word in text.words() {
            each_term(&stemmer, text, word, |term| tokens.push(token(tokens.len(), term)));
        }
    }
    PreTokenizedString { text: String::new(), tokens }
}

/// The distinct terms an any-word query looks for.
pub(crate) fn query_terms(query: &str) -> Vec<String> {
    let stemmer = Stemmer::new(Algorithm::English);
    let text = Text::new(query);
    let (mut meaningful, mut stop) = (Vec::new(), Vec::new());
    for word in text.words() {
        let is_stop = STOP_WORDS.contains(&fold(text.word(word)).as_str());
        let into = if is_stop { &mut stop } else { &mut meaningful };
        each_term(&stemmer, &text, word, |term| into.push(term));
    }
    let mut terms = if meaningful.is_empty() { stop } else { meaningful };
    terms.sort();
    terms.dedup();
    terms
}

/// The stem of the word as a whole and, where an identifier has several parts, of each part.
fn each_term(stemmer: &Stemmer, text: &Text, word: &Word, mut each: impl FnMut(String)) {
    let whole = exact_word(text.word(word));
    let parts = text.parts(word).count();
    each(stemmer.stem(&whole).into_owned());
    if parts > 1 {
        text.parts(word).for_each(|part| each(stemmer.stem(&exact_word(part)).into_owned()));
    }
}

fn token(position: usize, text: String) -> Token {
    Token { position, text, position_length: 1, ..Token::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(query: &str, expected: &[&str]) {
        assert_eq!(query_terms(query), expected, "terms of {query:?}");
    }

    #[test]
    fn queries_become_stems_and_parts() {
        check("how are the routes registered", &["regist", "rout"]);
        check("getUserName", &["get", "getusernam", "name", "user"]);
        check("to be or", &["be", "or", "to"]);
        check("!?", &[]);
    }
}
