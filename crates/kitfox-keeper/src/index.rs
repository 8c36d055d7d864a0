//! The index of one source: where it lies, opening it, and bringing it up to date.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use kitfox_core::{Engine, Error, Progress};
use kitfox_embed::Embedder;
use kitfox_embedded::EmbeddedEngine;
use kitfox_sync::{RefreshOptions, Report, Selection, Source, SourceKind, SyncError};

use crate::turn::{Turn, TurnError};

/// How long a command waits for another process to finish writing.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// The opened index of one source.
pub struct Index {
    /// What is indexed.
    pub source: Source,
    /// Where it is kept.
    pub engine: Arc<EmbeddedEngine>,
    /// How far a run is.
    pub progress: Arc<Progress>,
    embedder: Arc<dyn Embedder>,
    folder: PathBuf,
    signature: String,
    notice: fn(&str),
}

/// Why an index could not be opened or brought up to date.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// Another process is writing it.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// The run failed.
    #[error(transparent)]
    Sync(#[from] SyncError),
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] Error),
    /// The folders around the index cannot be written.
    #[error("preparing {}: {source}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
}

impl IndexError {
    /// Whether another process is writing: try again later.
    pub fn is_busy(&self) -> bool {
        matches!(
            self,
            IndexError::Turn(TurnError::Busy { .. })
                | IndexError::Sync(SyncError::Engine(Error::Busy))
                | IndexError::Engine(Error::Busy)
        )
    }

    /// The error in words that carry no path of this machine, for answers that leave it.
    pub fn public_message(&self) -> String {
        match self {
            IndexError::Sync(error) => error.public_message(),
            IndexError::Engine(Error::Io { source, .. }) | IndexError::Folder { source, .. } => {
                format!("reading or writing the index failed: {source}")
            }
            other => other.to_string(),
        }
    }
}

/// What a run is asked to do beyond looking for changes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Run {
    /// Also drop files where more than half of the source is gone.
    pub prune: bool,
    /// Compare everything with its checksums first, and rebuild what is damaged.
    pub verify: bool,
    /// How long to wait while another process writes.
    pub patience: Duration,
}

impl Index {
    /// Opens the index of a source below `data_dir`, creating an empty one where there is none.
    /// `signature` tells other processes who is writing; `notice` is told of damage.
    pub fn open(
        source: &Source,
        data_dir: &Path,
        embedder: &Arc<dyn Embedder>,
        signature: &str,
        notice: fn(&str),
    ) -> Result<Index, IndexError> {
        let (folder, dimension) = place(source, data_dir, embedder.as_ref())?;
        let engine = Arc::new(EmbeddedEngine::open(&folder, dimension)?);
        Ok(Index {
            source: source.clone(),
            engine,
            progress: Arc::default(),
            embedder: embedder.clone(),
            folder,
            signature: signature.to_owned(),
            notice,
        })
    }

    /// Like [`Index::open`]; an index too damaged to be opened is replaced by an empty one.
    pub fn open_or_replace(
        source: &Source,
        data_dir: &Path,
        embedder: &Arc<dyn Embedder>,
        signature: &str,
        notice: fn(&str),
    ) -> Result<Index, IndexError> {
        let open = || Index::open(source, data_dir, embedder, signature, notice);
        match open() {
            Err(IndexError::Engine(Error::Damaged { .. })) => {}
            opened => return opened,
        }
        let (folder, dimension) = place(source, data_dir, embedder.as_ref())?;
        let _turn = Turn::take(&beside(&folder, ".lock"), signature, PATIENCE)?;
        // Another process may have replaced it while this one waited.
        match open() {
            Err(IndexError::Engine(Error::Damaged { detail })) => {
                notice(&damaged(&source.name, &detail));
                replace(&folder, dimension)?;
                open()
            }
            opened => opened,
        }
    }

    /// Brings the index up to date; a damaged one is rebuilt.
    pub fn refresh(&self, run: Run) -> Result<Report, IndexError> {
        let _turn = self.turn(run.patience)?;
        if run.verify {
            self.replace_if_damaged()?;
        }
        match self.sync(run) {
            Err(SyncError::Engine(Error::Damaged { detail })) => {
                self.replace(&detail)?;
                Ok(self.sync(run)?)
            }
            done => Ok(done?),
        }
    }

    /// Becomes the one process that writes this index.
    pub fn turn(&self, patience: Duration) -> Result<Turn, TurnError> {
        Turn::take(&beside(&self.folder, ".lock"), &self.signature, patience)
    }

    fn sync(&self, run: Run) -> Result<Report, SyncError> {
        kitfox_sync::refresh(
            &self.source,
            self.engine.as_ref(),
            self.embedder.as_ref(),
            &RefreshOptions { prune: run.prune, ..RefreshOptions::default() },
            &self.progress,
        )
    }

    fn replace_if_damaged(&self) -> Result<(), IndexError> {
        let found = match self.engine.check() {
            Ok(damage) => {
                damage.first().map(|damage| format!("{}: {}", damage.file, damage.problem))
            }
            Err(Error::Damaged { detail }) => Some(detail),
            Err(error) => return Err(error.into()),
        };
        found.map_or(Ok(()), |detail| self.replace(&detail))
    }

    /// Puts an empty index in the place of a damaged one. The opened engine goes on with it: it
    /// follows the folder's last commit, whoever made it.
    fn replace(&self, detail: &str) -> Result<(), IndexError> {
        (self.notice)(&damaged(&self.source.name, detail));
        replace(&self.folder, self.embedder.dimension())
    }
}

fn damaged(name: &str, detail: &str) -> String {
    format!("the index of `{name}` is damaged ({detail}); it is built anew")
}

fn replace(folder: &Path, dimension: usize) -> Result<(), IndexError> {
    let aside = beside(folder, ".damaged");
    let moved = remove_if_there(&aside)
        .and_then(|()| fs::rename(folder, &aside))
        .and_then(|()| remove_if_there(&aside));
    moved.map_err(|source| IndexError::Folder { folder: folder.to_owned(), source })?;
    EmbeddedEngine::open(folder, dimension)?;
    Ok(())
}

fn remove_if_there(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// What a kind of source is called, in the config file and on disk.
pub fn kind_name(kind: SourceKind) -> &'static str {
    match kind {
        SourceKind::Code => "code",
        SourceKind::Docs => "docs",
    }
}

/// The folder of a source's index, its parent created, and the dimension of its vectors.
fn place(
    source: &Source,
    data_dir: &Path,
    embedder: &dyn Embedder,
) -> Result<(PathBuf, usize), IndexError> {
    let indexes = data_dir.join("indexes");
    let parent = indexes.join(format!("{}-{}", source.name, kind_name(source.kind)));
    // A data directory inside a source must not be indexed itself.
    let ignore = indexes.join(".gitignore");
    let prepared = fs::create_dir_all(&parent).and_then(|()| match ignore.exists() {
        true => Ok(()),
        false => fs::write(&ignore, "*\n"),
    });
    prepared.map_err(|source| IndexError::Folder { folder: parent.clone(), source })?;
    Ok((parent.join(generation(source, embedder)), embedder.dimension()))
}

/// Names everything an index depends on beside the files: where any of it changes, another index is
/// begun, so that two versions of kitfox never rebuild each other's.
fn generation(source: &Source, embedder: &dyn Embedder) -> String {
    let selection = match source.selection {
        Selection::Everything => 0u8,
        Selection::Documents => 1,
        Selection::NotDocuments => 2,
    };
    let mut hasher = blake3::Hasher::new();
    for size in [source.sizes.target, source.sizes.max] {
        hasher.update(&(size as u64).to_le_bytes());
    }
    hasher.update(&[selection]);
    for part in [embedder.fingerprint().as_bytes(), source.root.as_os_str().as_encoded_bytes()] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let hash = hasher.finalize().to_hex();
    format!("{}-{}-{}", kitfox_embedded::FORMAT, kitfox_extract::VERSION, &hash[..12])
}

/// The path with something appended to its last part.
fn beside(folder: &Path, suffix: &str) -> PathBuf {
    let mut path = OsString::from(folder);
    path.push(suffix);
    path.into()
}
