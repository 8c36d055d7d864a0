//! The journal of a writable collection: writing it, from whichever process, and seeing what was
//! written.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use kitfox_core::{
    Change, Damage, Engine, Flaw, Outcome, RecordWriter, Result, Snapshot, WriteError, Writer,
};
use kitfox_journal::{Entries, Journal, Living};
use kitfox_sync::{Imported, RecordRules, Source};
use serde_json::{Map, Value as Json};

use crate::IndexError;
use crate::ask::{self, Ask, AskError, Reply};
use crate::group::Group;
use crate::index::Index;
use crate::listen::Listener;
use crate::place::{beside, socket};
use crate::turn::{Turn, TurnError};

/// How long a change is tried to be made.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long an answer waits for the index to have all that was written before it was asked for.
const CATCHING_UP: Duration = Duration::from_secs(5);

/// Between two tries.
const PAUSE: Duration = Duration::from_millis(20);

/// How often whoever holds a journal looks whether that is over, and whoever does not whether somebody
/// still does.
const LOOK: Duration = Duration::from_millis(250);

/// The journal of a writable collection. Of all processes that have it one at a time writes it; the
/// others have that one do so, and each sees what was written by any.
pub struct Journaled {
    rules: RecordRules,
    file: PathBuf,
    lock: PathBuf,
    socket: Option<PathBuf>,
    signature: String,
    notice: fn(&str),
    name: String,
    /// What is written through while this process is the one.
    held: Mutex<Option<Arc<Group>>>,
}

impl Journaled {
    /// The journal of a source; none where that is not a writable collection.
    ///
    /// # Errors
    /// [`IndexError::Folder`] where its folder cannot be made.
    pub(crate) fn of(
        source: &Source,
        data_dir: &Path,
        signature: &str,
        notice: fn(&str),
    ) -> std::result::Result<Option<Journaled>, IndexError> {
        if !source.collection.writable {
            return Ok(None);
        }
        let file = source.root.clone();
        if let Some(folder) = file.parent() {
            let failed = |source| IndexError::Folder { folder: folder.to_owned(), source };
            fs::create_dir_all(folder).map_err(failed)?;
        }
        Ok(Some(Journaled {
            rules: RecordRules::of(&source.collection),
            lock: beside(&file, ".lock"),
            socket: socket(data_dir, &file),
            file,
            signature: signature.to_owned(),
            notice,
            name: source.name.clone(),
            held: Mutex::default(),
        }))
    }

    /// Writes for all others, as soon and as long as nobody else does, until it is over.
    pub(crate) fn hold(&self, over: &AtomicBool) {
        let mut said = None;
        while !over.load(Ordering::Relaxed) {
            match self.begin() {
                Ok(held) => self.serve(&held, over),
                Err(None) => {}
                Err(reason) if reason != said => {
                    (self.notice)(&format!("{}: {}", self.name, reason.as_deref().unwrap_or("")));
                    said = reason;
                }
                Err(_) => {}
            }
            thread::sleep(LOOK);
        }
    }

    /// Becomes the one that writes, if nobody is.
    fn begin(&self) -> std::result::Result<Held, Option<String>> {
        let turn = match Turn::take(&self.lock, &self.signature, Duration::ZERO) {
            Err(TurnError::Busy { .. }) => return Err(None),
            taken => taken.map_err(|error| Some(error.to_string()))?,
        };
        let journal = Journal::open(&self.file).map_err(|error| Some(error.to_string()))?;
        Ok(Held { _turn: turn, group: Arc::new(Group::of(journal)) })
    }

    fn serve(&self, held: &Held, over: &AtomicBool) {
        let group = Arc::clone(&held.group);
        let prepared = self.prepared();
        let answer = move |stream: &_, ask: Ask| {
            let done = do_it(&group, &prepared, ask);
            ask::reply(stream, &done.map_or_else(Reply::Refused, Reply::Outcomes))
        };
        // Without a socket others cannot write until this process ends.
        let _listener = self.socket.as_deref().map(|socket| Listener::start(socket, answer));
        *lock(&self.held) = Some(Arc::clone(&held.group));
        while !over.load(Ordering::Relaxed) {
            if let Err(error) = held.group.compact() {
                (self.notice)(&format!("{}: {error}", self.name));
            }
            thread::sleep(LOOK);
        }
        *lock(&self.held) = None;
    }

    /// What is asked for, done by whoever may; tried until it is, or nobody answers for too long.
    fn ask(&self, ask: &Ask) -> std::result::Result<Vec<Outcome>, WriteError> {
        let begun = Instant::now();
        loop {
            if let Some(outcomes) = self.try_to_ask(ask)? {
                return Ok(outcomes);
            }
            if begun.elapsed() > PATIENCE {
                return Err(WriteError::NoAnswer);
            }
            thread::sleep(PAUSE);
        }
    }

    /// None where nobody answers.
    fn try_to_ask(&self, ask: &Ask) -> std::result::Result<Option<Vec<Outcome>>, WriteError> {
        let here = |group: &Group| {
            let done = do_it(group, &self.prepared(), ask.clone());
            done.map(Some).map_err(WriteError::Refused)
        };
        let held = lock(&self.held).clone();
        if let Some(group) = held {
            return here(&group);
        }
        match self.socket.as_deref().map(|socket| ask::journal(socket, ask)) {
            Some(Ok(outcomes)) => return Ok(Some(outcomes)),
            Some(Err(AskError::Refused(reason))) => return Err(WriteError::Refused(reason)),
            Some(Err(AskError::NoAnswer)) | None => {}
        }
        match self.begin() {
            Ok(held) => here(&held.group),
            Err(None) => Ok(None),
            Err(Some(reason)) => Err(WriteError::Refused(reason)),
        }
    }

    /// The file of the journal.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// What is wrong with it, read from beginning to end; none where nothing is.
    pub fn damage(&self) -> Option<String> {
        Living::open(&self.file).err().map(|error| error.to_string())
    }

    /// Where a journal is prepared that is to be put in its place.
    pub fn prepared(&self) -> PathBuf {
        beside(&self.file, ".restored")
    }

    /// Puts the journal that was prepared in the place of this one, without anybody noticing more than
    /// other records; without `force` only where this one is empty.
    ///
    /// # Errors
    /// Where there are records, or the other one cannot be put in place.
    pub fn restore(&self, force: bool) -> std::result::Result<(), WriteError> {
        self.ask(&Ask::Restore { force }).map(drop)
    }
}

fn do_it(group: &Group, prepared: &Path, ask: Ask) -> std::result::Result<Vec<Outcome>, String> {
    match ask {
        Ask::Write(changes) => group.write(changes),
        Ask::Restore { force } => group.replace(prepared, force).map(|()| Vec::new()),
        Ask::State | Ask::Refresh { .. } => Err("this is no index".to_owned()),
    }
}

/// The right to write a journal, and the journal. The journal goes first.
struct Held {
    group: Arc<Group>,
    _turn: Turn,
}

impl RecordWriter for Journaled {
    fn key_field(&self) -> Option<&str> {
        self.rules.key_field()
    }

    fn flaws(&self, data: &Map<String, Json>) -> std::result::Result<Vec<Flaw>, WriteError> {
        self.rules.flaws(data)
    }

    fn write(&self, changes: Vec<Change>) -> std::result::Result<Vec<Outcome>, WriteError> {
        self.ask(&Ask::Write(changes))
    }
}

/// The index of a writable collection as it has to be seen: with all that was written before.
pub struct CurrentEngine {
    index: Arc<Index>,
    file: PathBuf,
    /// The journal as it was when the index was last found to have all of it.
    known: Mutex<Option<Stamp>>,
}

/// What tells a journal from a longer one, or another.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    file: u64,
    length: u64,
    changed_at: (i64, i64),
}

impl CurrentEngine {
    /// The engine of an index with a journal; none where it has none.
    pub fn of(index: &Arc<Index>) -> Option<CurrentEngine> {
        let file = index.journal()?.file.clone();
        Some(CurrentEngine { index: Arc::clone(index), file, known: Mutex::default() })
    }

    fn stamp(&self) -> Option<Stamp> {
        let metadata = fs::metadata(&self.file).ok()?;
        let changed_at = (metadata.mtime(), metadata.mtime_nsec());
        Some(Stamp { file: metadata.ino(), length: metadata.len(), changed_at })
    }

    /// Whether a snapshot has all of the journal up to a length.
    fn has(&self, snapshot: &dyn Snapshot, stamp: Stamp) -> Result<bool> {
        let Some(imported) = Imported::of(snapshot)? else { return Ok(false) };
        let generation = Entries::open(&self.file).ok().flatten();
        let generation = generation.map(|entries| entries.position().generation.clone());
        Ok(imported.position().is_some_and(|position| {
            generation.as_ref() == Some(&position.generation) && position.offset >= stamp.length
        }))
    }
}

impl Engine for CurrentEngine {
    fn snapshot(&self) -> Result<Box<dyn Snapshot>> {
        // Before the snapshot: what is written later need not be seen.
        let stamp = self.stamp();
        let snapshot = self.index.engine.snapshot()?;
        let Some(stamp) = stamp.filter(|stamp| *lock(&self.known) != Some(*stamp)) else {
            return Ok(snapshot);
        };
        if !self.has(&*snapshot, stamp)? {
            drop(snapshot);
            self.index.catch_up(CATCHING_UP);
            let snapshot = self.index.engine.snapshot()?;
            if self.has(&*snapshot, stamp)? {
                *lock(&self.known) = Some(stamp);
            }
            return Ok(snapshot);
        }
        *lock(&self.known) = Some(stamp);
        Ok(snapshot)
    }

    fn writer(&self) -> Result<Box<dyn Writer>> {
        self.index.engine.writer()
    }

    fn check(&self) -> Result<Vec<Damage>> {
        self.index.engine.check()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
