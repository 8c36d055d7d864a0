//! A disk in memory that loses what was not synced when its power fails, and fails on demand.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use tantivy::Directory;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, DirectoryLock, FileHandle, Lock, OwnedBytes, TerminatingWrite, WatchCallback,
    WatchHandle, WritePtr,
};

use super::random::Random;
use crate::disk::{Disk, META, Stamp};

/// Unsynced data survives a power failure page by page. Files of a test are small, and so are these.
const PAGE: usize = 64;

/// What a disk does wrong, once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The power fails: of what was not synced, anything may be lost.
    PowerFailure,
    /// The process is killed: everything it wrote is there, synced or not.
    Kill,
    /// There is no space for one write.
    NoSpace,
    /// There is no space from then on, until [`SimulatedDisk::repair`].
    DiskFull,
    /// Half of a write is written.
    ShortWrite,
    /// A file is not synced, and no later sync of it writes what this one did not.
    FailedSync,
    /// Names are not synced, and no later sync writes what this one did not.
    FailedFolderSync,
    FailedRename,
    FailedRemoval,
    FailedRead,
}

impl Fault {
    pub const ALL: [Fault; 10] = [
        Fault::PowerFailure,
        Fault::Kill,
        Fault::NoSpace,
        Fault::DiskFull,
        Fault::ShortWrite,
        Fault::FailedSync,
        Fault::FailedFolderSync,
        Fault::FailedRename,
        Fault::FailedRemoval,
        Fault::FailedRead,
    ];

    pub fn is_crash(self) -> bool {
        matches!(self, Fault::PowerFailure | Fault::Kill)
    }

    fn strikes(self, operation: Operation) -> bool {
        use Operation::*;
        match self {
            Fault::PowerFailure | Fault::Kill => operation != Read,
            Fault::NoSpace | Fault::DiskFull => matches!(operation, Create | Write),
            Fault::ShortWrite => operation == Write,
            Fault::FailedSync => operation == Sync,
            Fault::FailedFolderSync => operation == SyncFolder,
            Fault::FailedRename => operation == Rename,
            Fault::FailedRemoval => operation == Remove,
            Fault::FailedRead => operation == Read,
        }
    }

    fn error(self) -> io::Error {
        let kind = match self {
            Fault::NoSpace | Fault::DiskFull => ErrorKind::StorageFull,
            Fault::FailedRename | Fault::FailedRemoval => ErrorKind::PermissionDenied,
            Fault::ShortWrite => ErrorKind::WriteZero,
            _ => ErrorKind::Other,
        };
        io::Error::new(kind, format!("injected: {self:?}"))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Create,
    Write,
    Sync,
    Rename,
    Remove,
    SyncFolder,
    Read,
}

/// The files that are left after a crash.
pub type Image = BTreeMap<String, Vec<u8>>;

#[derive(Clone, Debug)]
pub struct SimulatedDisk(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    machine: Mutex<Machine>,
    unlocked: Condvar,
}

#[derive(Debug)]
struct Machine {
    files: BTreeMap<u64, File>,
    next_file: u64,
    /// What programs see.
    names: BTreeMap<String, u64>,
    /// What a power failure leaves at least.
    synced: BTreeMap<String, u64>,
    /// What was changed since, in this order.
    unsynced: Vec<Change>,
    locks: BTreeSet<PathBuf>,
    /// Operations so far.
    count: u64,
    plan: Option<(Fault, u64)>,
    has_struck: bool,
    /// What a crash has left; nothing works any more.
    left: Option<Image>,
    random: Random,
    log: Vec<String>,
}

#[derive(Debug, Default)]
struct File {
    content: Vec<u8>,
    synced: Vec<u8>,
    /// A sync failed; later ones do nothing.
    is_lost: bool,
}

#[derive(Clone, Debug)]
enum Change {
    Link(String, u64),
    Unlink(String),
    Rename(String, String, u64),
}

fn apply(change: &Change, names: &mut BTreeMap<String, u64>) {
    match change {
        Change::Link(name, file) => drop(names.insert(name.clone(), *file)),
        Change::Unlink(name) => drop(names.remove(name)),
        Change::Rename(from, to, file) => {
            names.remove(from);
            names.insert(to.clone(), *file);
        }
    }
}

impl SimulatedDisk {
    /// A disk with these files, all of them synced. What chance decides, `seed` does.
    pub fn new(image: Image, seed: u64) -> SimulatedDisk {
        let mut machine = Machine {
            files: BTreeMap::new(),
            next_file: 0,
            names: BTreeMap::new(),
            synced: BTreeMap::new(),
            unsynced: Vec::new(),
            locks: BTreeSet::new(),
            count: 0,
            plan: None,
            has_struck: false,
            left: None,
            random: Random(seed),
            log: Vec::new(),
        };
        for (name, content) in image {
            let file = machine.add_file();
            machine.names.insert(name, file);
            machine.files.insert(file, File { synced: content.clone(), content, is_lost: false });
        }
        machine.synced = machine.names.clone();
        SimulatedDisk(Arc::new(Shared { machine: Mutex::new(machine), unlocked: Condvar::new() }))
    }

    fn machine(&self) -> MutexGuard<'_, Machine> {
        self.0.machine.lock().unwrap()
    }

    /// Lets the fault strike at the first fitting operation after `operations` more.
    pub fn arm(&self, fault: Fault, operations: usize) {
        let mut machine = self.machine();
        machine.has_struck = false;
        machine.plan = Some((fault, machine.count + operations as u64));
    }

    /// Ends the fault, and says whether it has struck.
    pub fn repair(&self) -> bool {
        let mut machine = self.machine();
        machine.plan = None;
        machine.has_struck
    }

    /// Whether the armed fault has struck.
    pub fn has_struck(&self) -> bool {
        self.machine().has_struck
    }

    /// Crashes now, unless it has already, and says what is left.
    pub fn crash(&self, fault: Fault) -> Image {
        let mut machine = self.machine();
        machine.crash(fault);
        self.0.unlocked.notify_all();
        machine.left.clone().unwrap()
    }

    /// How many operations there were.
    pub fn count(&self) -> u64 {
        self.machine().count
    }

    /// The last operations, for the message of a failed test.
    pub fn log(&self) -> String {
        let machine = self.machine();
        let start = machine.log.len().saturating_sub(60);
        machine.log[start..].join("\n")
    }
}

impl Machine {
    fn add_file(&mut self) -> u64 {
        self.next_file += 1;
        self.files.insert(self.next_file, File::default());
        self.next_file
    }

    /// Begins an operation, or fails it.
    fn begin(&mut self, operation: Operation, name: &str) -> io::Result<()> {
        if self.left.is_some() {
            return Err(io::Error::other("the machine is down"));
        }
        self.count += 1;
        self.log.push(format!("{} {operation:?} {name}", self.count));
        match self.plan {
            Some((fault, at)) if self.count >= at && fault.strikes(operation) => {
                self.has_struck = true;
                if fault != Fault::DiskFull {
                    self.plan = None;
                }
                self.log.push(format!("{} {fault:?}", self.count));
                if fault.is_crash() {
                    self.crash(fault);
                }
                Err(fault.error())
            }
            _ => Ok(()),
        }
    }

    fn crash(&mut self, fault: Fault) {
        if self.left.is_none() {
            let left = if fault == Fault::Kill { self.visible() } else { self.survivors() };
            self.left = Some(left);
        }
    }

    fn visible(&self) -> Image {
        let content = |(name, file): (&String, &u64)| {
            Some((name.clone(), self.files.get(file)?.content.clone()))
        };
        self.names.iter().filter_map(content).collect()
    }

    /// Any subset of the unsynced changes of names, and of each file's unsynced pages.
    fn survivors(&mut self) -> Image {
        let changes = self.unsynced.len();
        let style = self.random.below(4);
        let prefix = self.random.below(changes + 1);
        let mut names = self.synced.clone();
        for (position, change) in self.unsynced.iter().enumerate() {
            let survives = match style {
                0 => false,
                1 => true,
                2 => position < prefix,
                _ => self.random.one_in(2),
            };
            if survives {
                apply(change, &mut names);
            }
        }
        let Machine { files, random, .. } = self;
        let content = |(name, file): (String, u64)| Some((name, torn(files.get(&file)?, random)));
        names.into_iter().filter_map(content).collect()
    }
}

/// A file after a power failure.
fn torn(file: &File, random: &mut Random) -> Vec<u8> {
    if file.synced == file.content {
        return file.content.clone();
    }
    let cut = random.below(file.content.len() + 1);
    match random.below(4) {
        0 => file.synced.clone(),
        1 => file.content.clone(),
        2 => file.content[..cut].to_vec(),
        _ => {
            let mut content = file.synced.clone();
            content.resize(if random.one_in(2) { cut } else { file.content.len() }, 0);
            for (page, new) in content.chunks_mut(PAGE).zip(file.content.chunks(PAGE)) {
                if random.one_in(2) {
                    let length = page.len().min(new.len());
                    page[..length].copy_from_slice(&new[..length]);
                }
            }
            content
        }
    }
}

impl Disk for SimulatedDisk {
    fn stamp(&self) -> io::Result<Stamp> {
        let machine = self.machine();
        let file = machine.names.get(META).ok_or(ErrorKind::NotFound)?;
        Ok(Stamp { length: 0, modified: None, identity: (0, *file), held: None })
    }

    fn files(&self) -> io::Result<BTreeMap<String, u64>> {
        let mut machine = self.machine();
        machine.begin(Operation::Read, "the list of files")?;
        let length = |(name, file): (&String, &u64)| {
            (name.clone(), machine.files[file].content.len() as u64)
        };
        Ok(machine.names.iter().map(length).collect())
    }

    fn reopened(&self) -> kitfox_core::Result<Arc<dyn Disk>> {
        Ok(Arc::new(self.clone()))
    }
}

impl SimulatedDisk {
    fn read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let mut machine = self.machine();
        let name = path.display().to_string();
        machine
            .begin(Operation::Read, &name)
            .map_err(|error| OpenReadError::wrap_io_error(error, path.to_owned()))?;
        let file = machine.names.get(&name).and_then(|file| machine.files.get(file));
        let missing = || OpenReadError::FileDoesNotExist(path.to_owned());
        Ok(file.ok_or_else(missing)?.content.clone())
    }

    fn write(&self, file: u64, name: &str, bytes: &[u8]) -> io::Result<usize> {
        let mut machine = self.machine();
        let begun = machine.begin(Operation::Write, name);
        let is_short = matches!(&begun, Err(error) if error.kind() == ErrorKind::WriteZero);
        let written = if is_short { bytes.len() / 2 } else { bytes.len() };
        if begun.is_ok() || is_short {
            let file = machine.files.entry(file).or_default();
            file.content.extend_from_slice(&bytes[..written]);
        }
        begun.map(|()| written)
    }

    fn sync(&self, file: u64, name: &str) -> io::Result<()> {
        let mut machine = self.machine();
        let begun = machine.begin(Operation::Sync, name);
        let file = machine.files.entry(file).or_default();
        file.is_lost |= begun.is_err();
        begun?;
        if !file.is_lost {
            file.synced = file.content.clone();
        }
        Ok(())
    }

    fn change(&self, operation: Operation, name: &str, change: Change) -> io::Result<()> {
        let mut machine = self.machine();
        machine.begin(operation, name)?;
        apply(&change, &mut machine.names);
        machine.unsynced.push(change);
        Ok(())
    }

    fn create(&self, name: &str) -> io::Result<u64> {
        let file = self.machine().add_file();
        self.change(Operation::Create, name, Change::Link(name.to_owned(), file))?;
        Ok(file)
    }

    fn replace(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let temporary = format!(".tmp{}", self.count());
        let file = self.create(&temporary)?;
        let replaced = self.write(file, &temporary, content).and_then(|_| {
            self.sync(file, &temporary)?;
            let change = Change::Rename(temporary.clone(), name.to_owned(), file);
            self.change(Operation::Rename, name, change)
        });
        if replaced.is_err() {
            let _ = self.change(Operation::Remove, &temporary, Change::Unlink(temporary.clone()));
        }
        replaced
    }
}

impl Directory for SimulatedDisk {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        Ok(Arc::new(OwnedBytes::new(self.read(path)?)))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        let name = path.display().to_string();
        if !self.machine().names.contains_key(&name) {
            return Err(DeleteError::FileDoesNotExist(path.to_owned()));
        }
        let removed = self.change(Operation::Remove, &name, Change::Unlink(name.clone()));
        let filepath = path.to_owned();
        removed.map_err(|error| DeleteError::IoError { io_error: Arc::new(error), filepath })
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        Ok(self.machine().names.contains_key(&path.display().to_string()))
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let name = path.display().to_string();
        if self.machine().names.contains_key(&name) {
            return Err(OpenWriteError::FileAlreadyExists(path.to_owned()));
        }
        let file = self
            .create(&name)
            .map_err(|error| OpenWriteError::wrap_io_error(error, path.to_owned()))?;
        Ok(BufWriter::new(Box::new(OpenFile { disk: self.clone(), file, name })))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.replace(&path.display().to_string(), data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        let mut machine = self.machine();
        let begun = machine.begin(Operation::SyncFolder, "");
        let changes = std::mem::take(&mut machine.unsynced);
        if begun.is_ok() {
            for change in &changes {
                apply(change, &mut machine.synced);
            }
        }
        begun
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        let mut machine = self.machine();
        while machine.left.is_none() && machine.locks.contains(&lock.filepath) {
            if !lock.is_blocking {
                return Err(LockError::LockBusy);
            }
            machine = self.0.unlocked.wait(machine).unwrap();
        }
        if machine.left.is_some() {
            return Err(LockError::wrap_io_error(io::Error::other("the machine is down")));
        }
        machine.locks.insert(lock.filepath.clone());
        Ok(DirectoryLock::from(Box::new(Held(self.clone(), lock.filepath.clone()))))
    }

    fn watch(&self, _callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}

struct Held(SimulatedDisk, PathBuf);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.machine().locks.remove(&self.1);
        self.0.0.unlocked.notify_all();
    }
}

struct OpenFile {
    disk: SimulatedDisk,
    file: u64,
    name: String,
}

impl Write for OpenFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.disk.write(self.file, &self.name, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl TerminatingWrite for OpenFile {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.disk.sync(self.file, &self.name)
    }
}
