//! Documents: what an engine stores, filters, counts and returns one by one.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{Analyser, Column, Heading, Language, Lexicon, Text, Value, Word, exact_word};

/// A document as it enters an engine: a chunk of a documentation file, a passage of a code file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// What stands above the passage: ranked together with the text.
    pub heading: Heading,
    /// The passage itself, exactly as it stands in its source.
    pub text: Text,
    /// What holds for the words of its parts.
    pub parts: Parts,
    /// What it is filtered, ordered and counted by: values with the path each stands at, in any
    /// order. A path may have several.
    pub values: Vec<(String, Value)>,
    /// Where the passage stands in its source.
    pub place: Place,
    /// A unit vector of the engine's dimension, or none where the embedder could not read the text.
    pub vector: Option<Vec<f32>>,
    /// Given back as it is; the engine does not look into it. The record itself, where the text is
    /// only what is found of it; empty elsewhere.
    pub payload: Vec<u8>,
}

/// What holds for the words of a part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// How often its scoring terms count, in BM25's frequencies and lengths alike: the weighted term
    /// frequencies of BM25F (Robertson, Zaragoza and Taylor, 2004), with whole numbers.
    pub weight: u8,
    /// Whose words they are.
    pub lexicon: Lexicon,
}

impl Default for Part {
    fn default() -> Part {
        Part { weight: 1, lexicon: Lexicon::default() }
    }
}

/// The parts of a document: its heading, and those of its text.
///
/// No phrase goes from one part of the text to the next: their words are [`Parts::APART`] words apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// What holds for the heading.
    pub heading: Part,
    /// The parts of the text by their bytes, in order and apart; none of their ends cuts a word. What
    /// is in none of them is of parts between them, as [`Part::default`] says.
    pub text: Vec<(Range<usize>, Part)>,
}

impl Parts {
    /// How many words there are, as it were, between two parts of a text.
    pub const APART: usize = 1_000;

    /// The words of the parts of a text, in order.
    pub fn of<'d>(&'d self, text: &'d Text) -> impl Iterator<Item = (&'d [Word], &'d Part)> {
        static BETWEEN: Part = Part {
            weight: 1,
            lexicon: Lexicon { language: Language::ENGLISH, locale: String::new() },
        };
        let mut start = 0;
        let listed = self.text.iter().flat_map(move |(bytes, part)| {
            let before = std::mem::replace(&mut start, bytes.end)..bytes.start;
            [(before, &BETWEEN), (bytes.clone(), part)]
        });
        let end = self.text.last().map_or(0, |(bytes, _)| bytes.end);
        let rest = std::iter::once((end..text.as_str().len(), &BETWEEN));
        let words = |(bytes, part)| (text.words_in(bytes), part);
        listed.chain(rest).map(words).filter(|(words, _)| !words.is_empty())
    }
}

impl Document {
    /// The exact terms of a column with the positions they stand at.
    pub fn exact_terms(&self, column: Column) -> Vec<(usize, String)> {
        let heading = Analyser::of(&self.parts.heading.lexicon);
        let above = self.heading.words(column).map(|word| exact_term(&heading, word));
        let mut terms: Vec<(usize, String)> = (0..).zip(above).collect();
        if column != Column::Text {
            return terms;
        }
        let mut next = terms.len();
        for (words, part) in self.parts.of(&self.text) {
            let analyser = Analyser::of(&part.lexicon);
            let visible = words.iter().filter(|word| !self.text.is_hidden(word));
            let own = visible.map(|word| exact_term(&analyser, self.text.word(word)));
            terms.extend((next..).zip(own));
            next = terms.last().map_or(0, |(at, _)| at + Parts::APART);
        }
        terms
    }
}

fn exact_term(analyser: &Analyser, word: &str) -> String {
    analyser.exact(&exact_word(word)).into_owned()
}

/// Paths of the values the passages of a file have.
pub mod paths {
    /// The path of the file, `/`-separated and relative to its source.
    pub const PATH: &str = "path";
    /// The language or format of the file, as `kitfox-extract` names it.
    pub const LANGUAGE: &str = "language";
    /// The kind of the passage: `function`, `class`, `section` and so on.
    pub const KIND: &str = "kind";
    /// The names of the types whose definitions begin in the passage.
    pub const TYPE: &str = "type";
    /// The names of the modules, and of the functions and macros outside of types, whose
    /// definitions begin in the passage.
    pub const FUNCTION: &str = "function";
    /// The names of the functions of types whose definitions begin in the passage.
    pub const METHOD: &str = "method";
}

/// Where a passage stands in its source and what it is called there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, 1-based and inclusive.
    pub end_line: u32,
    /// First byte in the file, 0-based.
    pub start_byte: u64,
    /// One past the last byte.
    pub end_byte: u64,
    /// Breadcrumb of headings (`Install > Linux`) or symbol path (`Router::route`); may be empty.
    pub section: String,
    /// The nearest heading or symbol name as written; may be empty.
    pub name: String,
    /// `function`, `class`, `section`, `window` and so on.
    pub kind: String,
    /// The signature line of a definition; empty elsewhere.
    pub signature: String,
    /// The header of the table that the passage goes on with, as written there; empty elsewhere. It
    /// is matched and embedded with the passage, and no part of its text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub header: String,
    /// Byte ranges of the text that its reader does not see, in order: the targets of links. See
    /// [`Text::hiding`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<Range<u32>>,
}
