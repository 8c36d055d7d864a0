//! Opening an index and handing out snapshots and the writer.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use kitfox_core::{Damage, Engine, Result, Snapshot, Writer};
use tantivy::directory::error::LockError;
use tantivy::directory::{DirectoryLock, INDEX_WRITER_LOCK, Lock, META_LOCK};
use tantivy::tokenizer::TextAnalyzer;
use tantivy::{Directory, Index, IndexReader, ReloadPolicy, TantivyError};

use crate::analysis::LinesTokenizer;
use crate::check;
use crate::damage::reading;
use crate::disk::{
    Disk, FolderDisk, META, ReadingDirectory, Stamp, WritingDirectory, damaged, failed,
    is_segment_file, read_meta, unreadable,
};
use crate::guarded::Guarded;
use crate::ledger::{Mark, Table, is_part};
use crate::schema::{self, Fields};
use crate::snapshot::View;
use crate::vectors::VectorPlugin;
use crate::writer::{EmbeddedWriter, Opened};

pub(crate) use crate::damage::storage;

/// The version of everything this engine writes. Two versions never share a folder: whoever names
/// the folder puts this into its name.
pub const FORMAT: u32 = 6;

/// An index in a folder of its own. Several processes may have it open.
pub struct EmbeddedEngine {
    disk: Arc<dyn Disk>,
    dimension: usize,
    fields: Fields,
    directory: ReadingDirectory,
    index: Index,
    reader: IndexReader,
    current: Mutex<Current>,
}

/// The last commit that was looked at.
struct Current {
    stamp: Stamp,
    meta: Vec<u8>,
    view: View,
}

impl EmbeddedEngine {
    /// Opens the index in `directory`, creating folder and index where there is none. Vectors have
    /// `dimension` elements.
    ///
    /// # Errors
    /// [`kitfox_core::Error::Damaged`] where the folder holds an index that cannot be opened or was
    /// made for another dimension; [`kitfox_core::Error::Io`] where it cannot be created or locked.
    pub fn open(directory: &Path, dimension: usize) -> Result<EmbeddedEngine> {
        EmbeddedEngine::open_on(Arc::new(FolderDisk::open(directory)?), dimension)
    }

    /// Opens or creates an index on any disk.
    pub(crate) fn open_on(disk: Arc<dyn Disk>, dimension: usize) -> Result<EmbeddedEngine> {
        create_where_missing(&disk, dimension)?;
        let _lock = lock(disk.as_ref(), &META_LOCK)?;
        let stamp = stamp(disk.as_ref())?;
        let meta = read_meta(disk.as_ref())?;
        let directory = ReadingDirectory::new(disk.clone(), meta.clone());
        let index = open_index(directory.clone(), dimension)?;
        let (_, fields) = schema::schema(dimension);
        let (reader, view) = reading("opening the index", &index, || {
            let reader: IndexReader = index
                .reader_builder()
                .reload_policy(ReloadPolicy::Manual)
                .try_into()
                .map_err(|error| storage("opening the index", error))?;
            let table = Table::open(disk.as_ref(), &mark_of(&index)?, &Table::default())?;
            let view =
                View::open(disk.clone(), reader.searcher(), fields.clone(), table, dimension)?;
            Ok((reader, view))
        })?;
        let current = Mutex::new(Current { stamp, meta, view });
        Ok(EmbeddedEngine { disk, dimension, fields, directory, index, reader, current })
    }

    /// The state of the last commit of any process.
    pub(crate) fn view(&self) -> Result<View> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let found = stamp(self.disk.as_ref())?;
            if current.stamp == found {
                return Ok(current.view.clone());
            }
            match self.load(&mut current) {
                Ok(()) => {
                    current.stamp = found;
                    return Ok(current.view.clone());
                }
                Err(error) if stamp(self.disk.as_ref())? == found => return Err(error),
                // Where locks do not keep others from removing what is being opened, they have: there
                // is another commit by now.
                Err(_) => {}
            }
        }
    }

    /// Loads the last commit, all of it from one `meta.json`.
    fn load(&self, current: &mut Current) -> Result<()> {
        let _lock = lock(self.disk.as_ref(), &META_LOCK)?;
        let meta = read_meta(self.disk.as_ref())?;
        // A writer that begins writes it again as it was.
        if meta == current.meta {
            return Ok(());
        }
        self.directory.show(meta.clone());
        current.view = reading("reading the last commit", &self.index, || {
            let mark = mark_of(&self.index)?;
            let table = Table::open(self.disk.as_ref(), &mark, current.view.table())?;
            self.reader.reload().map_err(|error| storage("reading the last commit", error))?;
            View::open(
                self.disk.clone(),
                self.reader.searcher(),
                self.fields.clone(),
                table,
                self.dimension,
            )
        })?;
        current.meta = meta;
        Ok(())
    }

    fn open_writer(&self) -> Result<EmbeddedWriter> {
        let disk = self.disk.reopened()?;
        let lock = lock(disk.as_ref(), &INDEX_WRITER_LOCK)?;
        let directory = WritingDirectory::new(disk);
        directory.settle(&read_meta(self.disk.as_ref())?)?;
        // With the lock, it is the commit to continue from.
        let view = self.view()?;
        let index = open_index(directory.clone(), self.dimension)?;
        let (fields, dimension) = (self.fields.clone(), self.dimension);
        EmbeddedWriter::open(Opened { index, view, directory, fields, dimension, lock })
    }
}

impl Engine for EmbeddedEngine {
    fn snapshot(&self) -> Result<Box<dyn Snapshot>> {
        Ok(Box::new(Guarded(self.view()?)))
    }

    fn writer(&self) -> Result<Box<dyn Writer>> {
        Ok(Box::new(self.open_writer()?))
    }

    fn check(&self) -> Result<Vec<Damage>> {
        check::check(&self.disk, self.dimension, || self.view())
    }
}

/// Creates an empty index where there is no index at all.
fn create_where_missing(disk: &Arc<dyn Disk>, dimension: usize) -> Result<()> {
    let exists = || disk.exists(Path::new(META)).map_err(|error| unreadable(META, error));
    if exists()? {
        return Ok(());
    }
    // Two processes that create the same index at once would each write an empty one.
    let opening = Lock { filepath: PathBuf::from("open.lock"), is_blocking: true };
    let _lock = lock(disk.as_ref(), &opening)?;
    if exists()? {
        return Ok(());
    }
    let files = disk.files().map_err(|error| failed("listing the index folder", &error))?;
    if files.keys().any(|name| is_segment_file(name) || is_part(name)) {
        return Err(damaged(META, "is missing"));
    }
    let directory = WritingDirectory::new(disk.clone());
    let (schema, _) = schema::schema(dimension);
    let builder = Index::builder().schema(schema).register_plugin(Arc::new(VectorPlugin));
    match builder.open_or_create(directory.clone()) {
        Ok(_) => Ok(()),
        Err(error) => {
            Err(directory.failure().unwrap_or_else(|| storage("creating the index", error)))
        }
    }
}

/// Opens an index there is, with everything it needs registered.
pub(crate) fn open_index(directory: impl Directory, dimension: usize) -> Result<Index> {
    let mut index = Index::open(directory).map_err(|error| match error {
        TantivyError::DataCorruption(_) => damaged(META, "cannot be understood"),
        error => storage("opening the index", error),
    })?;
    let (schema, _) = schema::schema(dimension);
    if index.schema() != schema {
        return Err(damaged(META, "is of an index with other fields or another dimension"));
    }
    index.register_plugin(Arc::new(VectorPlugin));
    let tokenizer = TextAnalyzer::from(LinesTokenizer::default());
    index.tokenizers().register(LinesTokenizer::NAME, tokenizer);
    Ok(index)
}

/// What the commit an index was opened at says of its groups.
pub(crate) fn mark_of(index: &Index) -> Result<Mark> {
    let metas = index.load_metas().map_err(|error| storage("reading meta.json", error))?;
    Mark::read(metas.payload.as_deref())
}

/// What tells the last commit from others without reading it.
pub(crate) fn stamp(disk: &dyn Disk) -> Result<Stamp> {
    disk.stamp().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => damaged(META, "is missing"),
        _ => failed("looking at meta.json", &error),
    })
}

pub(crate) fn lock(disk: &dyn Disk, lock: &Lock) -> Result<DirectoryLock> {
    disk.acquire_lock(lock).map_err(|error| match error {
        LockError::LockBusy => kitfox_core::Error::Busy,
        LockError::IoError(error) => failed("locking the index", &error),
    })
}
