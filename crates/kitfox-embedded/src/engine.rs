//! Opening an index and handing out snapshots and the writer.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use fs4::FileExt;
use kitfox_core::{Damage, Engine, Error, Result, Snapshot, Writer};
use tantivy::directory::error::{LockError, OpenReadError, OpenWriteError};
use tantivy::tokenizer::TextAnalyzer;
use tantivy::{Index, IndexReader, ReloadPolicy, TantivyError};

use crate::analysis::LinesTokenizer;
use crate::check;
use crate::ledger::{Ledger, Log, Mark};
use crate::schema::{self, Fields};
use crate::snapshot::View;
use crate::vectors::VectorPlugin;
use crate::writer::EmbeddedWriter;

/// The version of everything this engine writes. Two versions never share a folder: whoever names
/// the folder puts this into its name.
pub const FORMAT: u32 = 2;

/// An index in a folder of its own. Several processes may have it open.
pub struct EmbeddedEngine {
    directory: PathBuf,
    dimension: usize,
    index: Index,
    fields: Fields,
    reader: IndexReader,
    current: Mutex<Option<(Stamp, View)>>,
}

/// What tells one version of `meta.json` from another without reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    inode: u64,
}

impl EmbeddedEngine {
    /// Opens the index in `directory`, creating folder and index where there is none. Vectors have
    /// `dimension` elements.
    ///
    /// # Errors
    /// [`Error::Damaged`] where the folder holds an index that cannot be opened or was made for
    /// another dimension; [`Error::Io`] where it cannot be created or locked.
    pub fn open(directory: &Path, dimension: usize) -> Result<EmbeddedEngine> {
        let io = |action: &str, source| Error::Io { action: action.to_owned(), source };
        std::fs::create_dir_all(directory).map_err(|e| io("creating the index folder", e))?;
        // Two processes that create the same index at once would each write an empty one.
        let lock =
            File::create(directory.join("open.lock")).map_err(|e| io("creating a lock", e))?;
        FileExt::lock(&lock).map_err(|e| io("locking the index folder", e))?;
        let (schema, fields) = schema::schema(dimension);
        let index = Index::builder().schema(schema).register_plugin(Arc::new(VectorPlugin));
        let mapped = tantivy::directory::MmapDirectory::open(directory)
            .map_err(|error| storage("opening the index", error.into()))?;
        let index = index.open_or_create(mapped).map_err(opening)?;
        let tokenizer = TextAnalyzer::from(LinesTokenizer::default());
        index.tokenizers().register(LinesTokenizer::NAME, tokenizer);
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()
            .map_err(opening)?;
        let directory = directory.to_owned();
        Ok(EmbeddedEngine {
            directory,
            dimension,
            index,
            fields,
            reader,
            current: Mutex::default(),
        })
    }

    fn state(&self) -> Result<View> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, state)) = current.as_ref()
            && *known == self.stamp()?
        {
            return Ok(state.clone());
        }
        let (stamp, state) = self.load()?;
        *current = Some((stamp, state.clone()));
        Ok(state)
    }

    /// Loads the last commit. Its parts are read one after the other, so another process's commit,
    /// or the end of a merge that removes files, may come between them: then once more.
    fn load(&self) -> Result<(Stamp, View)> {
        loop {
            let stamp = self.stamp()?;
            let loaded = self.load_once();
            match self.stamp()? == stamp {
                true => return Ok((stamp, loaded?)),
                false => continue,
            }
        }
    }

    fn load_once(&self) -> Result<View> {
        let (_, mark) = self.commit()?;
        let log = Log::open(&self.directory, &mark)?;
        self.reader.reload().map_err(opening)?;
        let (searcher, fields) = (self.reader.searcher(), self.fields.clone());
        View::open(searcher, fields, log, mark.length, self.dimension)
    }

    /// Opstamp and mark of the last commit.
    fn commit(&self) -> Result<(u64, Mark)> {
        let metas = self.index.load_metas().map_err(opening)?;
        Ok((metas.opstamp, mark_of(metas.payload.as_deref())?))
    }

    fn stamp(&self) -> Result<Stamp> {
        let metadata = std::fs::metadata(self.directory.join("meta.json"))
            .map_err(|error| Error::Damaged { detail: format!("meta.json: {error}") })?;
        Ok(Stamp {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            inode: inode(&metadata),
        })
    }
}

#[cfg(unix)]
fn inode(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn inode(_metadata: &Metadata) -> u64 {
    0
}

fn mark_of(payload: Option<&str>) -> Result<Mark> {
    payload.map_or(Ok(Mark::default()), |payload| {
        serde_json::from_str(payload)
            .map_err(|error| Error::Damaged { detail: format!("the commit's payload: {error}") })
    })
}

impl Engine for EmbeddedEngine {
    fn snapshot(&self) -> Result<Box<dyn Snapshot>> {
        Ok(Box::new(self.state()?))
    }

    fn writer(&self) -> Result<Box<dyn Writer>> {
        let writer = EmbeddedWriter::open(&self.index, &self.fields, self.dimension, || {
            let (_, mark) = self.commit()?;
            Ledger::open(&self.directory, mark)
        })?;
        Ok(Box::new(writer))
    }

    fn check(&self) -> Result<Vec<Damage>> {
        check::check(&self.index, &self.directory, || self.state())
    }
}

/// An error met while opening or reloading: what is there is not what it should be.
fn opening(error: TantivyError) -> Error {
    match storage("opening the index", error) {
        Error::Storage { source, .. } => Error::Damaged { detail: source.to_string() },
        other => other,
    }
}

/// An error of the storage library during `action`. Paths of this machine stay out of it.
pub(crate) fn storage(action: &'static str, error: TantivyError) -> Error {
    match error {
        TantivyError::LockFailure(LockError::LockBusy, _) => Error::Busy,
        TantivyError::LockFailure(LockError::IoError(source), _) => io_error(action, &source),
        TantivyError::IoError(source) => io_error(action, &source),
        TantivyError::OpenReadError(OpenReadError::FileDoesNotExist(path)) => {
            Error::Damaged { detail: format!("{} is missing", file_name(&path)) }
        }
        TantivyError::OpenReadError(OpenReadError::IoError { io_error: source, filepath }) => {
            Error::Io { action: format!("reading {}", file_name(&filepath)), source: copy(&source) }
        }
        TantivyError::OpenWriteError(OpenWriteError::IoError { io_error: source, filepath }) => {
            Error::Io { action: format!("writing {}", file_name(&filepath)), source: copy(&source) }
        }
        TantivyError::DataCorruption(corruption) => {
            Error::Damaged { detail: format!("{action}: {corruption:?}") }
        }
        error => Error::Storage { action, source: Box::new(error) },
    }
}

fn io_error(action: &str, source: &io::Error) -> Error {
    Error::Io { action: action.to_owned(), source: copy(source) }
}

/// tantivy shares its errors between threads; ours own theirs.
fn copy(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
