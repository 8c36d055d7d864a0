//! Documents: what an engine stores, filters, counts and returns one by one.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{Column, Heading, Text, Value};

/// A document as it enters an engine: a chunk of a documentation file, a passage of a code file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// What stands above the passage: ranked together with the text.
    pub heading: Heading,
    /// The passage itself, exactly as it stands in its source.
    pub text: Text,
    /// How often the scoring terms of each part count.
    pub weights: TermWeights,
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

/// How often the scoring terms of the parts of a document count, in BM25's frequencies and lengths
/// alike: the weighted term frequencies of BM25F (Robertson, Zaragoza and Taylor, 2004), with whole
/// numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermWeights {
    /// Those of the heading.
    pub heading: u8,
    /// Those of parts of the text by their bytes, in order and apart; elsewhere they count once.
    pub text: Vec<(Range<usize>, u8)>,
}

impl Default for TermWeights {
    fn default() -> TermWeights {
        TermWeights { heading: 1, text: Vec::new() }
    }
}

impl TermWeights {
    /// How often what stands at a byte of the text counts.
    pub fn at(&self, byte: usize) -> u8 {
        let after = self.text.partition_point(|(range, _)| range.end <= byte);
        match self.text.get(after) {
            Some((range, weight)) if range.contains(&byte) => *weight,
            _ => 1,
        }
    }
}

impl Document {
    /// The words of a column, as written.
    pub fn words(&self, column: Column) -> impl Iterator<Item = &str> {
        let own = self.text.visible_words().filter(move |_| column == Column::Text);
        self.heading.words(column).chain(own.map(|word| self.text.word(word)))
    }
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
