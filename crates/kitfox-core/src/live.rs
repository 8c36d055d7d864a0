//! Files as they are now, behind a trait so that whoever answers need not know file systems.

use std::ops::ControlFlow;

use crate::Place;

/// The live files of one source.
pub trait LiveFiles: Send + Sync {
    /// Compares a file with what was indexed. `state` is the group state stored when the file was
    /// indexed; `path` is relative to the source.
    fn look(&self, path: &str, state: &[u8]) -> Live;

    /// Hands on the files that belong to the source now and lie below some directories (all, where
    /// none are given), from one path on, ordered by the parts of their paths, until `visit` breaks.
    ///
    /// # Errors
    /// A source that is not there.
    fn walk(
        &self,
        directories: &[String],
        from: &str,
        visit: &mut dyn FnMut(String) -> ControlFlow<()>,
    ) -> Result<(), Unread>;

    /// The text of a file as it is now. A path that leaves the source, a file behind a symbolic
    /// link, a secret, a binary or an oversized file is refused.
    ///
    /// # Errors
    /// Why there is no text.
    fn read(&self, path: &str, rules: Rules) -> Result<String, Unread>;
}

/// Which files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Those that indexing takes.
    Indexed,
    /// The same, for a path that [`LiveFiles::walk`] just gave: that no link leads there is known.
    Walked,
    /// Generated and lock files too: somebody asked for the file by name.
    Named,
}

/// Why a file has no text. Nothing here carries a host path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// There is no such file.
    Gone,
    /// It is a folder.
    Folder,
    /// It must not or cannot be read, for this reason.
    Refused(String),
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
