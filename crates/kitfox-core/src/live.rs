//! Files as they are now, behind a trait so that whoever answers need not know file systems.

use crate::Place;

/// The live files of one source.
pub trait LiveFiles: Send + Sync {
    /// Compares a file with what was indexed. `state` is the group state stored when the file was
    /// indexed; `path` is relative to the source.
    fn look(&self, path: &str, state: &[u8]) -> Live;
}

/// A file now, beside what was indexed.
#[derive(Clone, Debug, PartialEq)]
pub enum Live {
    /// Size and modification time are those indexed: the stored text stands.
    Unchanged,
    /// The file changed: its passages as they are cut now.
    Changed(Vec<Passage>),
    /// There is no such file any more.
    Gone,
    /// It is there and cannot be read; the reason carries no host path.
    Unreadable(String),
}

/// A piece of a file: what is embedded, matched and returned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passage {
    /// The text exactly as it stands in the file.
    pub text: String,
    /// Where it stands and what it is called.
    pub place: Place,
}
