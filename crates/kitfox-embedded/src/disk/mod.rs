//! Where an index lies, and the two ways to it: one that reads, one that writes.
//!
//! tantivy reads and writes through its `Directory`, and so does everything else of an index: a disk
//! that fails in a test fails every byte the engine writes. [`Disk`] is the place itself,
//! [`ReadingDirectory`] shows one commit of it, [`WritingDirectory`] is what a writer may do to it.

mod folder;
mod reading;
mod seal;
mod writing;

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use kitfox_core::{Error, Result};
use tantivy::Directory;
use tantivy::directory::error::OpenReadError;

pub(crate) use folder::FolderDisk;
pub(crate) use reading::ReadingDirectory;
pub(crate) use writing::{WritingDirectory, is_litter_unless_named};

/// The file that is the commit.
pub(crate) const META: &str = "meta.json";

/// tantivy's list of the files it wrote.
const MANAGED: &str = ".managed.json";

/// A place for one index.
pub(crate) trait Disk: Directory {
    /// What tells this `meta.json` from an earlier or later one without reading it.
    fn stamp(&self) -> io::Result<Stamp>;

    /// Every file with its length in bytes.
    fn files(&self) -> io::Result<BTreeMap<String, u64>>;

    /// The same place, with nothing remembered of what was read: a writer that failed and its
    /// successor may write different files of one name.
    fn reopened(&self) -> Result<Arc<dyn Disk>>;
}

/// Identifies one version of a file.
#[derive(Clone, Debug)]
pub(crate) struct Stamp {
    pub length: u64,
    pub modified: Option<SystemTime>,
    /// Device and inode, or 0.
    pub identity: (u64, u64),
    /// While it is open no other file can get its inode.
    #[expect(dead_code, reason = "it is held")]
    pub held: Option<Arc<File>>,
}

impl PartialEq for Stamp {
    fn eq(&self, other: &Stamp) -> bool {
        let key = |stamp: &Stamp| (stamp.length, stamp.modified, stamp.identity);
        key(self) == key(other)
    }
}

/// What the last commit says, its checksum verified.
pub(crate) fn read_meta(disk: &dyn Disk) -> Result<Vec<u8>> {
    let sealed = disk.atomic_read(Path::new(META)).map_err(|error| unreadable(META, error))?;
    seal::unseal(sealed).ok_or_else(|| damaged(META, "fails its checksum"))
}

/// Damage of a file.
pub(crate) fn damaged(file: &str, problem: &str) -> Error {
    Error::Damaged { detail: format!("{file}: {problem}") }
}

/// A file that could not be opened: damage, unless it is the disk that failed.
pub(crate) fn unreadable(file: &str, error: OpenReadError) -> Error {
    match error {
        OpenReadError::FileDoesNotExist(_) => damaged(file, "is missing"),
        OpenReadError::IncompatibleIndex(_) => damaged(file, "is of another version"),
        OpenReadError::IoError { io_error, .. } => failed(&format!("reading {file}"), &io_error),
    }
}

/// An error of the disk, which tantivy shares and so cannot be moved.
pub(crate) fn failed(action: &str, error: &io::Error) -> Error {
    let source = io::Error::new(error.kind(), error.to_string());
    Error::Io { action: action.to_owned(), source }
}

/// A file tantivy wrote for a segment: a UUID and an extension.
pub(crate) fn is_segment_file(name: &str) -> bool {
    name.split_once('.').is_some_and(|(stem, _)| {
        stem.len() == 32 && stem.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// What an atomic write that was killed leaves behind.
fn is_temporary(name: &str) -> bool {
    name.starts_with(".tmp")
}
