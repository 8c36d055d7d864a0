//! Words to index terms. The same functions serve documents and queries, which is what makes
//! every query readable to the index.

use frostem::{Algorithm, Stemmer};
use kitfox_core::{Text, Word, fold, is_stop_word};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Longer words are noise (encoded data) and tantivy drops terms of 64 KiB; a word is cut here.
const MAX_WORD_BYTES: usize = 255;

/// A text as it is indexed: words one a line, as [`LinesTokenizer`] reads them.
#[derive(Default)]
pub(crate) struct Analysed {
    /// The exact words, whose line is their position.
    pub exact: String,
    /// Stems and identifier parts.
    pub terms: String,
}

/// Analyses a text; each word is folded once for both.
pub(crate) fn analyse(text: &Text) -> Analysed {
    let stemmer = Stemmer::new(Algorithm::English);
    let mut analysed = Analysed::default();
    for word in text.words() {
        let exact = exact_word(text.word(word));
        push_line(&mut analysed.exact, &exact);
        each_term(&stemmer, text, word, &exact, |term| push_line(&mut analysed.terms, term));
    }
    analysed
}

fn push_line(lines: &mut String, word: &str) {
    lines.push_str(word);
    lines.push('\n');
}

/// The form in which a single exact word is indexed.
pub(crate) fn exact_word(word: &str) -> String {
    let mut word = fold(word);
    word.truncate(word.floor_char_boundary(MAX_WORD_BYTES));
    word
}

/// The distinct terms an any-word query looks for. Stop words count only where there is nothing
/// else; they stay in the index, since phrases need them.
pub(crate) fn query_terms(query: &str) -> Vec<String> {
    let stemmer = Stemmer::new(Algorithm::English);
    let text = Text::new(query);
    let (mut meaningful, mut stop) = (Vec::new(), Vec::new());
    for word in text.words() {
        let exact = exact_word(text.word(word));
        let into = if is_stop_word(&exact) { &mut stop } else { &mut meaningful };
        each_term(&stemmer, &text, word, &exact, |term| into.push(term.to_owned()));
    }
    let mut terms = if meaningful.is_empty() { stop } else { meaningful };
    terms.sort();
    terms.dedup();
    terms
}

/// The stem of the word as a whole and, where an identifier has several parts, of each part.
fn each_term(stemmer: &Stemmer, text: &Text, word: &Word, exact: &str, mut each: impl FnMut(&str)) {
    each(&stemmer.stem(exact));
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
