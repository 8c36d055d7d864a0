//! Documents: what an engine stores, filters, counts and returns one by one.

use serde::{Deserialize, Serialize};

use crate::Text;

/// A document as it enters an engine: a chunk of a documentation file, a passage of a code file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Title, breadcrumb or symbol, and path words: matched together with the text.
    pub heading: Text,
    /// The passage itself, exactly as it stands in its source.
    pub text: Text,
    /// Values to filter by.
    pub fields: Vec<(Field, String)>,
    /// Where the passage stands in its source.
    pub place: Place,
    /// A unit vector of the engine's dimension, or none where the embedder could not read the text.
    pub vector: Option<Vec<f32>>,
}

/// A field a filter can name. Values are compared exactly, case included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// The path of the file, `/`-separated and relative to its source.
    Path,
    /// The language or format of the file, as `kitfox-extract` names it.
    Language,
    /// The kind of the passage: `function`, `class`, `section` and so on.
    Kind,
}

impl Field {
    /// Every field, in the order of its column.
    pub const ALL: [Field; 3] = [Field::Path, Field::Language, Field::Kind];

    /// The field's name in an index and in errors.
    pub fn name(self) -> &'static str {
        match self {
            Field::Path => "path",
            Field::Language => "language",
            Field::Kind => "kind",
        }
    }
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
}
