//! What one writer does to a disk, from the moment it has the writer's lock.
//!
//! tantivy's writer leaves threads behind that go on merging after it is dropped or has failed, and
//! one of them may be about to replace `meta.json`. Every change therefore passes a gate. It closes
//! when the writer is dropped, and by itself when a commit could not be made durable: from then on
//! tantivy's memory says "committed" of what may not be, and a merge that ends would publish it.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kitfox_core::Error;
use tantivy::Directory;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, DirectoryLock, FileHandle, INDEX_WRITER_LOCK, Lock, META_LOCK, TerminatingWrite,
    WatchCallback, WatchHandle, WritePtr,
};

use super::{Disk, MANAGED, META, failed, is_segment_file, is_temporary, seal};

/// A disk as its one writer may change it.
#[derive(Clone, Debug)]
pub(crate) struct WritingDirectory {
    disk: Arc<dyn Disk>,
    gate: Arc<Gate>,
}

#[derive(Debug, Default)]
struct Gate {
    is_closed: AtomicBool,
    /// Held during every change of names, so that none is under way once the gate is closed.
    failure: Mutex<Option<Failure>>,
}

/// The first thing that went wrong. tantivy's own errors do not always say.
#[derive(Debug)]
struct Failure {
    action: String,
    error: io::Error,
}

impl Gate {
    fn failure(&self) -> MutexGuard<'_, Option<Failure>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }

    fn check(&self) -> io::Result<()> {
        if self.is_closed() {
            return Err(io::Error::new(io::ErrorKind::BrokenPipe, "this writer is closed"));
        }
        Ok(())
    }

    /// Keeps the gate open, and others out, until the guard is dropped.
    fn enter(&self) -> io::Result<MutexGuard<'_, Option<Failure>>> {
        let guard = self.failure();
        self.check()?;
        Ok(guard)
    }

    fn close(&self) {
        let _guard = self.failure();
        self.is_closed.store(true, Ordering::Release);
    }
}

fn note(failure: &mut Option<Failure>, action: &str, path: &Path, error: &io::Error) {
    failure.get_or_insert_with(|| Failure {
        action: format!("{action} {}", path.display()),
        error: io::Error::new(error.kind(), error.to_string()),
    });
}

impl WritingDirectory {
    /// Changes to a disk whose writer's lock the caller holds.
    pub fn new(disk: Arc<dyn Disk>) -> WritingDirectory {
        WritingDirectory { disk, gate: Arc::default() }
    }

    /// Refuses every further change. None is under way when this returns.
    pub fn close(&self) {
        self.gate.close();
    }

    /// The first error of the disk, if there was one.
    pub fn failure(&self) -> Option<Error> {
        self.gate.failure().as_ref().map(|failure| failed(&failure.action, &failure.error))
    }

    /// Writes the last commit once more. It may be visible and yet not durable: its writer was
    /// killed before it synced, or could not. A sync that failed may have lost what it should have
    /// written and the next one say nothing, so only another write helps, before anything is removed.
    pub fn settle(&self, meta: &[u8]) -> kitfox_core::Result<()> {
        self.atomic_write(Path::new(META), meta)
            .map_err(|error| failed("writing meta.json", &error))
    }

    /// Removes the files for which `is_litter`. What cannot be removed is left to the next writer.
    pub fn sweep(&self, is_litter: impl Fn(&str) -> bool) -> kitfox_core::Result<()> {
        // Who opens an earlier commit has this lock; from now on nobody begins to.
        drop(self.disk.acquire_lock(&META_LOCK).map_err(|error| match error {
            LockError::IoError(error) => failed("locking meta.json", &error),
            LockError::LockBusy => Error::Busy,
        })?);
        let files = self.disk.files().map_err(|error| failed("listing files", &error))?;
        for name in files.keys().filter(|name| is_litter(name)) {
            let _ = self.delete(Path::new(name));
        }
        Ok(())
    }

    /// Every file with its length in bytes.
    pub fn files(&self) -> kitfox_core::Result<BTreeMap<String, u64>> {
        self.disk.files().map_err(|error| failed("listing files", &error))
    }
}

/// A file nothing needs unless a commit names it.
pub(crate) fn is_litter_unless_named(name: &str) -> bool {
    is_segment_file(name) || crate::ledger::is_part(name) || is_temporary(name) || name == MANAGED
}

impl Directory for WritingDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let wrap = |error| OpenReadError::wrap_io_error(error, path.to_owned());
        self.gate.check().map_err(wrap)?;
        self.disk.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        let wrap =
            |error| DeleteError::IoError { io_error: Arc::new(error), filepath: path.to_owned() };
        let _gate = self.gate.enter().map_err(wrap)?;
        self.disk.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.disk.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let wrap = |error| OpenWriteError::wrap_io_error(error, path.to_owned());
        let mut failure = self.gate.enter().map_err(wrap)?;
        let opened = self.disk.open_write(path).inspect_err(|error| {
            if let OpenWriteError::IoError { io_error, .. } = error {
                note(&mut failure, "creating", path, io_error);
            }
        })?;
        let inner = opened.into_inner().map_err(|error| wrap(error.into_error()))?;
        let (gate, path) = (self.gate.clone(), path.to_owned());
        Ok(BufWriter::new(Box::new(GatedFile { inner, gate, path })))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        match path.to_str() {
            Some(META) => {
                let sealed = self.disk.atomic_read(path)?;
                seal::unseal(sealed).ok_or_else(|| {
                    let error = io::Error::new(io::ErrorKind::InvalidData, "it is damaged");
                    OpenReadError::wrap_io_error(error, path.to_owned())
                })
            }
            Some(MANAGED) => self.managed(path),
            _ => self.disk.atomic_read(path),
        }
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        // The folder knows its files better than a list that costs a sync a file and can be lost.
        if path == Path::new(MANAGED) {
            return Ok(());
        }
        let mut failure = self.gate.enter()?;
        // tantivy removes what the new commit no longer needs as soon as this returns: until the
        // directory is synced, the old commit may be the one that is left.
        let written = self
            .disk
            .atomic_write(path, &seal::seal(data))
            .and_then(|()| self.disk.sync_directory());
        written.inspect_err(|error| {
            note(&mut failure, "writing", path, error);
            self.gate.is_closed.store(true, Ordering::Release);
        })
    }

    fn sync_directory(&self) -> io::Result<()> {
        let mut failure = self.gate.enter()?;
        self.disk.sync_directory().inspect_err(|error| {
            note(&mut failure, "syncing the folder of", Path::new(META), error);
            self.gate.is_closed.store(true, Ordering::Release);
        })
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        // It is held for as long as this directory is used.
        if lock.filepath == INDEX_WRITER_LOCK.filepath {
            return Ok(DirectoryLock::from(Box::new(())));
        }
        self.disk.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.disk.watch(callback)
    }
}

impl WritingDirectory {
    /// The list of files tantivy collects garbage from, as it would have written it.
    fn managed(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let wrap = |error| OpenReadError::wrap_io_error(error, path.to_owned());
        let files = self.disk.files().map_err(wrap)?;
        let managed: Vec<&String> = files.keys().filter(|name| is_segment_file(name)).collect();
        serde_json::to_vec(&managed).map_err(|error| wrap(error.into()))
    }
}

/// A file being written, until the gate is closed.
struct GatedFile {
    inner: Box<dyn TerminatingWrite + Send + Sync>,
    gate: Arc<Gate>,
    path: PathBuf,
}

impl GatedFile {
    fn watched<T>(&mut self, action: &str, result: io::Result<T>) -> io::Result<T> {
        result.inspect_err(|error| {
            if error.kind() != io::ErrorKind::Interrupted {
                note(&mut self.gate.failure(), action, &self.path, error);
            }
        })
    }
}

impl Write for GatedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.gate.check()?;
        let written = self.inner.write(bytes);
        self.watched("writing", written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl TerminatingWrite for GatedFile {
    fn terminate_ref(&mut self, token: AntiCallToken) -> io::Result<()> {
        self.gate.check()?;
        let synced = self.inner.terminate_ref(token);
        self.watched("syncing", synced)
    }
}
