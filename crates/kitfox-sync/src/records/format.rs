//! The formats of files of records. Each cuts a file into rows; what a row means is seen later, by
//! many threads at once.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use encoding_rs_io::DecodeReaderBytesBuilder;
use serde::{Serialize, Serializer};

use super::At;
use super::array::Elements;
use super::cells::Cells;
use super::lines::Lines;

/// A row of more bytes than this is refused: it is more likely a file of another format.
pub(super) const MAX_ROW_BYTES: usize = 16 << 20;

/// A format of files of records.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Its name in a config file.
    pub name: &'static str,
    /// The extensions of such files.
    pub extensions: &'static [&'static str],
    open: Open,
}

/// Begins to cut a file into rows.
type Open = fn(Box<dyn BufRead + Send>) -> Result<Box<dyn Rows>, Unread>;

/// Every format there is.
pub const FORMATS: &[Format] = &[
    Format {
        name: "jsonl",
        extensions: &["jsonl", "ndjson"],
        open: |file| Ok(Box::new(Lines::new(file))),
    },
    Format { name: "json", extensions: &["json"], open: |file| Ok(Box::new(Elements::new(file)?)) },
    Format {
        name: "csv",
        extensions: &["csv"],
        open: |file| Ok(Box::new(Cells::new(file, b',')?)),
    },
    Format {
        name: "tsv",
        extensions: &["tsv", "tab"],
        open: |file| Ok(Box::new(Cells::new(file, b'\t')?)),
    },
];

impl Format {
    /// The format of this name.
    pub fn named(name: &str) -> Option<Format> {
        FORMATS.iter().find(|format| format.name == name).copied()
    }

    /// The format of a file by its extension, case aside.
    pub fn of(file: &Path) -> Option<Format> {
        let extension = file.extension()?.to_str()?.to_ascii_lowercase();
        FORMATS.iter().find(|format| format.extensions.contains(&extension.as_str())).copied()
    }

    /// Begins to read a file: UTF-8, or UTF-16 that says so in its first two bytes.
    pub(super) fn rows(self, file: impl Read + Send + 'static) -> Result<Box<dyn Rows>, Unread> {
        let decoded =
            DecodeReaderBytesBuilder::new().bom_override(true).strip_bom(true).build(file);
        (self.open)(Box::new(BufReader::with_capacity(1 << 18, decoded)))
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Format) -> bool {
        self.name == other.name
    }
}

impl Serialize for Format {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

/// The rows of a file, in order.
pub(super) trait Rows: Send {
    /// The next row; none at the end of the file.
    fn next(&mut self) -> Result<Option<Row>, Unread>;

    /// The names of the columns, where rows have cells.
    fn header(&self) -> &[String] {
        &[]
    }

    /// What the number of a row is.
    fn place(&self) -> fn(u64) -> At;
}

/// One row as it stands in its file.
#[derive(Debug)]
pub(super) struct Row {
    /// The line it begins at, or which of the records it is; from 1.
    pub number: u64,
    pub content: Content,
}

/// What is in a row.
#[derive(Debug)]
pub(super) enum Content {
    Json(Vec<u8>),
    Cells(csv::ByteRecord),
    /// Longer than [`MAX_ROW_BYTES`]; nothing is kept of it.
    TooLong,
}

impl Row {
    /// Whether something in it is no UTF-8.
    pub fn is_lossy(&self) -> bool {
        match &self.content {
            Content::Json(bytes) => std::str::from_utf8(bytes).is_err(),
            Content::Cells(cells) => std::str::from_utf8(cells.as_slice()).is_err(),
            Content::TooLong => false,
        }
    }

    /// The line of an export it may be, as JSON.
    pub fn export(&self) -> Option<serde_json::Value> {
        let Content::Json(bytes) = &self.content else { return None };
        let text = std::str::from_utf8(bytes).ok()?;
        // Reading JSON twice takes time; most rows are of no export.
        text.contains("\"_sys\"").then(|| serde_json::from_str(text).ok()).flatten()
    }

    /// Bytes, about.
    pub fn size(&self) -> usize {
        match &self.content {
            Content::Json(bytes) => bytes.len(),
            Content::Cells(cells) => cells.as_slice().len() + 8 * cells.len(),
            Content::TooLong => 0,
        }
    }
}

/// Why a file is not read to its end.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unread {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("{0}")]
    Malformed(String),
}
