//! Words to index terms. The same functions serve documents and queries, which is what makes
//! every query readable to the index.

use frostem::{Algorithm, Stemmer};
use kitfox_core::{Text, Word, fold};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

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

/// The exact words of a text, one a line: what [`LinesTokenizer`] reads.
pub(crate) fn exact(text: &Text) -> String {
    let mut lines = String::with_capacity(text.as_str().len());
    text.words().iter().for_each(|word| push_line(&mut lines, &exact_word(text.word(word))));
    lines
}

/// The form in which a single exact word is indexed.
pub(crate) fn exact_word(word: &str) -> String {
    let mut word = fold(word);
    word.truncate(word.floor_char_boundary(MAX_WORD_BYTES));
    word
}

/// Stems and identifier parts of several texts, one a line.
pub(crate) fn terms(texts: &[&Text]) -> String {
    let stemmer = Stemmer::new(Algorithm::English);
    let mut lines = String::new();
    for text in texts {
        for word in text.words() {
            each_term(&stemmer, text, word, |term| push_line(&mut lines, term));
        }
    }
    lines
}

fn push_line(lines: &mut String, word: &str) {
    lines.push_str(word);
    lines.push('\n');
}

/// The distinct terms an any-word query looks for.
pub(crate) fn query_terms(query: &str) -> Vec<String> {
    let stemmer = Stemmer::new(Algorithm::English);
    let text = Text::new(query);
    let (mut meaningful, mut stop) = (Vec::new(), Vec::new());
    for word in text.words() {
        let is_stop = STOP_WORDS.contains(&fold(text.word(word)).as_str());
        let into = if is_stop { &mut stop } else { &mut meaningful };
        each_term(&stemmer, &text, word, |term| into.push(term.to_owned()));
    }
    let mut terms = if meaningful.is_empty() { stop } else { meaningful };
    terms.sort();
    terms.dedup();
    terms
}

/// The stem of the word as a whole and, where an identifier has several parts, of each part.
fn each_term(stemmer: &Stemmer, text: &Text, word: &Word, mut each: impl FnMut(&str)) {
    let whole = exact_word(text.word(word));
    each(&stemmer.stem(&whole));
    if text.parts(word).nth(1).is_some() {
        text.parts(word).for_each(|part| each(&stemmer.stem(&exact_word(part))));
    }
}

/// Splits at line ends: documents reach tantivy already cut into words, one a line. (tantivy's own
/// pre-tokenized text takes a way through JSON that costs more than cutting the words.)
#[derive(Clone, Default)]
pub(crate) struct LinesTokenizer {
    token: Token,
}

impl LinesTokenizer {
    /// Its name in a schema.
    pub const NAME: &'static str = "lines";
}

impl Tokenizer for LinesTokenizer {
    type TokenStream<'a> = Lines<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Lines<'a> {
        self.token = Token::default();
        Lines { rest: text.split_terminator('\n'), token: &mut self.token }
    }
}

pub(crate) struct Lines<'a> {
    rest: std::str::SplitTerminator<'a, char>,
    token: &'a mut Token,
}

impl TokenStream for Lines<'_> {
    fn advance(&mut self) -> bool {
        let Some(word) = self.rest.next() else { return false };
        self.token.text.clear();
        self.token.text.push_str(word);
        self.token.position = self.token.position.wrapping_add(1);
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
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
