//! One commit as tantivy reads it.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use tantivy::Directory;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    DirectoryLock, FileHandle, Lock, META_LOCK, WatchCallback, WatchHandle, WritePtr,
};

use super::{Disk, MANAGED, META};

/// A disk whose `meta.json` is what was read last: segments, groups and everything else are opened
/// from one commit, however many others are made meanwhile. Nothing is written through it.
#[derive(Clone, Debug)]
pub(crate) struct ReadingDirectory {
    disk: Arc<dyn Disk>,
    meta: Arc<Mutex<Vec<u8>>>,
}

impl ReadingDirectory {
    pub fn new(disk: Arc<dyn Disk>, meta: Vec<u8>) -> ReadingDirectory {
        ReadingDirectory { disk, meta: Arc::new(Mutex::new(meta)) }
    }

    /// Shows another commit from now on.
    pub fn show(&self, meta: Vec<u8>) {
        *self.meta.lock().unwrap_or_else(PoisonError::into_inner) = meta;
    }

    /// The commit it shows.
    pub fn shown(&self) -> Vec<u8> {
        self.meta.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn read_only() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, "this is opened for reading")
}

impl Directory for ReadingDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.disk.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        Err(DeleteError::IoError { io_error: Arc::new(read_only()), filepath: path.to_owned() })
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.disk.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::wrap_io_error(read_only(), path.to_owned()))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        match path.to_str() {
            Some(META) => Ok(self.shown()),
            // A list of what might be collected, which a reader never does.
            Some(MANAGED) => Err(OpenReadError::FileDoesNotExist(path.to_owned())),
            _ => self.disk.atomic_read(path),
        }
    }

    fn atomic_write(&self, _path: &Path, _data: &[u8]) -> io::Result<()> {
        Err(read_only())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Err(read_only())
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        // Whoever loads a commit holds it already, for longer than tantivy would.
        if lock.filepath == META_LOCK.filepath {
            return Ok(DirectoryLock::from(Box::new(())));
        }
        self.disk.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.disk.watch(callback)
    }
}
