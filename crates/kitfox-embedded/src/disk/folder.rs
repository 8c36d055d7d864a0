//! A folder, its files mapped into memory.

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kitfox_core::Error;
use tantivy::Directory;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
};

use super::{Disk, META, Stamp};
use crate::damage::storage;

#[derive(Clone, Debug)]
pub(crate) struct FolderDisk {
    folder: PathBuf,
    mapped: MmapDirectory,
}

impl FolderDisk {
    /// Opens a folder, creating it where there is none.
    pub fn open(folder: &Path) -> kitfox_core::Result<FolderDisk> {
        create_durably(folder).map_err(|source| Error::Io {
            action: "creating the index folder".to_owned(),
            source,
        })?;
        let mapped = MmapDirectory::open(folder)
            .map_err(|error| storage("opening the index folder", error.into()))?;
        Ok(FolderDisk { folder: folder.to_owned(), mapped })
    }
}

/// Creates a folder and those above it so that they outlive a power failure, as what will be
/// committed in it shall.
fn create_durably(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    if let Some(parent) = parent {
        create_durably(parent)?;
    }
    match fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        created => created?,
    }
    sync(parent.unwrap_or(Path::new(".")))
}

#[cfg(unix)]
fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync(_folder: &Path) -> io::Result<()> {
    Ok(())
}

impl Disk for FolderDisk {
    fn stamp(&self) -> io::Result<Stamp> {
        let file = File::open(self.folder.join(META))?;
        let metadata = file.metadata()?;
        Ok(Stamp {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            identity: identity(&metadata),
            held: held(file),
        })
    }

    fn files(&self) -> io::Result<BTreeMap<String, u64>> {
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let length = match entry.metadata() {
                // Removed since it was listed.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                metadata => metadata?.len(),
            };
            // No file of an index has a name that is no text.
            if let Ok(name) = entry.file_name().into_string() {
                files.insert(name, length);
            }
        }
        Ok(files)
    }

    fn reopened(&self) -> kitfox_core::Result<Arc<dyn Disk>> {
        Ok(Arc::new(FolderDisk::open(&self.folder)?))
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn identity(_metadata: &Metadata) -> (u64, u64) {
    (0, 0)
}

#[cfg(unix)]
fn held(file: File) -> Option<Arc<File>> {
    Some(Arc::new(file))
}

/// An open file could not be replaced.
#[cfg(not(unix))]
fn held(_file: File) -> Option<Arc<File>> {
    None
}

impl Directory for FolderDisk {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.mapped.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.mapped.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.mapped.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.mapped.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.mapped.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.mapped.atomic_write(path, data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.mapped.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.mapped.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.mapped.watch(callback)
    }
}
