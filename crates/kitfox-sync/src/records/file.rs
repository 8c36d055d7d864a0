//! The file of a collection, read in batches of rows.

use std::fs::File;
use std::path::{Path, PathBuf};

use rayon::ThreadPool;

use super::At;
use super::format::{Format, Row, Rows, Unread};
use crate::{Source, SyncError};

/// What is in memory at once: one batch is worked on while the next is read.
const BATCH_ROWS: usize = 20_000;
const BATCH_BYTES: usize = 16 << 20;

/// A file of records.
pub(super) struct RecordFile<'s> {
    source: &'s Source,
    path: PathBuf,
    format: Format,
}

/// Rows that are worked on together.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub rows: Vec<Row>,
}

/// A file that is being read.
pub(super) struct Opened<'f> {
    file: &'f RecordFile<'f>,
    rows: Box<dyn Rows>,
}

impl<'s> RecordFile<'s> {
    /// The file at the root of a source, whose links are resolved.
    pub fn new(source: &'s Source, path: PathBuf) -> Result<RecordFile<'s>, SyncError> {
        let unread = |reason: &str| SyncError::Unread {
            name: source.name.clone(),
            reason: reason.to_owned(),
        };
        if path.is_dir() {
            return Err(unread("it is a folder"));
        }
        let format = source.collection.format.or_else(|| Format::of(&source.root));
        let format = format.or_else(|| Format::of(&path));
        let format = format.ok_or_else(|| unread("its extension tells no format; name one"))?;
        Ok(RecordFile { source, path, format })
    }

    /// Begins to read it.
    pub fn open(&self) -> Result<Opened<'_>, SyncError> {
        let file = File::open(&self.path).map_err(Unread::Io);
        let rows = file.and_then(|file| self.format.rows(file));
        Ok(Opened { file: self, rows: rows.map_err(|error| self.unread(&error))? })
    }

    /// Its name, for problems.
    pub fn name(&self) -> String {
        name(&self.source.root)
    }

    fn unread(&self, error: &Unread) -> SyncError {
        SyncError::Unread { name: self.source.name.clone(), reason: error.to_string() }
    }
}

impl Opened<'_> {
    /// The names of the columns, where rows have cells.
    pub fn header(&self) -> &[String] {
        self.rows.header()
    }

    /// Where a row stands.
    pub fn place(&self) -> fn(u64) -> At {
        self.rows.place()
    }

    /// Hands on all rows in order, batch by batch; the next is read while one is worked on.
    pub fn each_batch(
        mut self,
        pool: &ThreadPool,
        mut work: impl FnMut(&Batch) -> Result<(), SyncError> + Send,
    ) -> Result<(), SyncError> {
        let mut batch = self.next()?;
        while !batch.rows.is_empty() {
            let (next, worked) = pool.install(|| rayon::join(|| self.next(), || work(&batch)));
            worked?;
            batch = next?;
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Batch, SyncError> {
        let (mut batch, mut bytes) = (Batch::default(), 0);
        while bytes < BATCH_BYTES && batch.rows.len() < BATCH_ROWS {
            let row = self.rows.next().map_err(|error| self.file.unread(&error))?;
            let Some(row) = row else { break };
            bytes += row.size();
            batch.rows.push(row);
        }
        Ok(batch)
    }
}

fn name(path: &Path) -> String {
    path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned())
}
