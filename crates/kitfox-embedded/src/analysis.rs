//! How words reach tantivy: one a line, cut and folded by `kitfox-core`.

use kitfox_core::{Analyser, Text, exact_word};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// A text as it is indexed: words one a line, as [`LinesTokenizer`] reads them.
#[derive(Default)]
pub(crate) struct Analysed {
    /// The exact words that are visible, whose line is their position.
    pub exact: String,
    /// Stems and identifier parts.
    pub terms: String,
}

/// Analyses a text; each word is folded once for both. The terms of a word count as often as `weight`
/// says for the byte it begins at.
pub(crate) fn analyse(text: &Text, weight: impl Fn(usize) -> u8) -> Analysed {
    let analyser = Analyser::default();
    let mut analysed = Analysed::default();
    for word in text.words() {
        let exact = exact_word(text.word(word));
        if !text.is_hidden(word) {
            push_line(&mut analysed.exact, &exact);
        }
        let weight = weight(text.span(word).start);
        analyser.terms(text, word, &exact, |term| {
            (0..weight).for_each(|_| push_line(&mut analysed.terms, term));
        });
    }
    analysed
}

/// The exact forms of words.
pub(crate) fn exact<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let mut lines = String::new();
    words.for_each(|word| push_line(&mut lines, &exact_word(word)));
    lines
}

fn push_line(lines: &mut String, word: &str) {
    lines.push_str(word);
    lines.push('\n');
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
