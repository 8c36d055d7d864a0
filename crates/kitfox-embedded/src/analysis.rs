//! How words reach tantivy: one a line, cut and folded by `kitfox-core`.

use kitfox_core::{Analyser, Column, Document, Part, Parts, Text, Word, exact_word};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Stands between the parts of a text; no word has it.
const APART: &str = "\u{1d}";

/// A text as it is indexed: words one a line, as [`LinesTokenizer`] reads them.
#[derive(Default)]
pub(crate) struct Analysed {
    /// The exact words that are visible, whose line is their position.
    pub exact: String,
    /// Stems and identifier parts.
    pub terms: String,
}

/// Analyses a document but for the columns of its heading that are not also of its text.
pub(crate) fn analyse(document: &Document) -> Analysed {
    let (heading, parts) = (&document.heading, &document.parts);
    let mut analysed = Analysed { exact: exact(document, Column::Text), terms: String::new() };
    let above = Reader::of(heading.text(), &parts.heading);
    above.read(heading.text().words(), &mut analysed.terms, |_| ());
    for (at, (words, part)) in parts.of(&document.text).enumerate() {
        // What nothing stands before begins where the text does.
        let mut is_apart = at == 0 || analysed.exact.is_empty();
        let Analysed { exact, terms } = &mut analysed;
        Reader::of(&document.text, part).read(words, terms, |word| {
            if !std::mem::replace(&mut is_apart, true) {
                push_line(exact, APART);
            }
            push_line(exact, word);
        });
    }
    analysed
}

/// Reads words of one part.
struct Reader<'d> {
    text: &'d Text,
    weight: u8,
    analyser: Analyser,
}

impl Reader<'_> {
    fn of<'d>(text: &'d Text, part: &Part) -> Reader<'d> {
        Reader { text, weight: part.weight, analyser: Analyser::of(&part.lexicon) }
    }

    /// Adds the scoring terms of words, and calls `exact` with the exact terms of those that are
    /// visible; each word is folded once for both.
    fn read(&self, words: &[Word], terms: &mut String, mut exact: impl FnMut(&str)) {
        for word in words {
            let folded = exact_word(self.text.word(word));
            if !self.text.is_hidden(word) {
                exact(&self.analyser.exact(&folded));
            }
            self.analyser.terms(self.text, word, &folded, |term| {
                (0..self.weight).for_each(|_| push_line(terms, term));
            });
        }
    }
}

/// The exact words of a column of the heading.
pub(crate) fn exact(document: &Document, column: Column) -> String {
    let analyser = Analyser::of(&document.parts.heading.lexicon);
    let mut lines = String::new();
    for word in document.heading.words(column) {
        push_line(&mut lines, &analyser.exact(&exact_word(word)));
    }
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
        for word in self.rest.by_ref() {
            if word == APART {
                self.token.position = self.token.position.wrapping_add(Parts::APART - 1);
                continue;
            }
            self.token.text.clear();
            self.token.text.push_str(word);
            self.token.position = self.token.position.wrapping_add(1);
            return true;
        }
        false
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}
