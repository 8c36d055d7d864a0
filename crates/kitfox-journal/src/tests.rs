//! Histories of changes on a storage that fails and crashes, beside a map that does neither.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use fastrand::Rng;
use kitfox_core::{Action, Change, Conflict, Outcome};
use serde_json::{Map, Value as Json};

use crate::compact;
use crate::storage::Storage;
use crate::{Entries, Journal, JournalError, Living};

/// A file whose writes may fail, and whose end a crash may tear.
#[derive(Clone, Default)]
struct Faulty(Arc<Mutex<Bytes>>);

#[derive(Default)]
struct Bytes {
    now: Vec<u8>,
    durable: usize,
    /// Of ten calls that write, this many fail.
    failing: u8,
    random: Rng,
}

impl Bytes {
    fn fails(&mut self) -> io::Result<bool> {
        Ok(self.random.u8(..10) < self.failing)
    }
}

fn failure() -> io::Error {
    io::Error::other("no space left")
}

impl Storage for Faulty {
    fn read_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
        let state = self.0.lock().unwrap();
        let rest = state.now.get(offset as usize..).unwrap_or_default();
        let length = rest.len().min(bytes.len());
        bytes[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.0.lock().unwrap().now.len() as u64)
    }

    fn append(&mut self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let mut state = self.0.lock().unwrap();
        let fails = state.fails()?;
        let length = if fails { state.random.usize(..bytes.len()) } else { bytes.len() };
        let end = (offset as usize + length).max(state.now.len());
        state.now.resize(end, 0);
        state.now[offset as usize..offset as usize + length].copy_from_slice(&bytes[..length]);
        if fails { Err(failure()) } else { Ok(()) }
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut state = self.0.lock().unwrap();
        if state.fails()? {
            return Err(failure());
        }
        state.durable = state.now.len();
        Ok(())
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        let mut state = self.0.lock().unwrap();
        state.now.truncate(length as usize);
        state.durable = state.durable.min(length as usize);
        Ok(())
    }
}

impl Faulty {
    /// What is left after the power was cut: all that was made durable, and of the rest a part, or
    /// zeros in its place.
    fn crash(&self) {
        let mut state = self.0.lock().unwrap();
        let Bytes { now, durable, random, .. } = &mut *state;
        let kept = random.usize(*durable..=now.len());
        now.truncate(kept);
        if kept > *durable && random.bool() {
            let zeroed = random.usize(*durable..kept);
            now[zeroed..].fill(0);
        }
    }

    fn set_failing(&self, failing: u8) {
        self.0.lock().unwrap().failing = failing;
    }
}

/// What the journal must say, kept in memory: revisions and data by key.
#[derive(Default)]
struct Model(BTreeMap<String, (u64, Option<Map<String, Json>>)>);

impl Model {
    fn expect(&mut self, change: &Change) -> Result<u64, Conflict> {
        let (revision, data) = self.0.get(&change.key).cloned().unwrap_or_default();
        let is_there = data.is_some();
        let new = match &change.action {
            Action::Create(_) if is_there => return Err(Conflict::Exists(revision)),
            Action::Replace(_) | Action::Delete if !is_there => return Err(Conflict::Missing),
            Action::Create(new) | Action::Replace(new) | Action::Put(new) => Some(new.clone()),
            Action::Delete => None,
        };
        match change.revision {
            Some(_) if !is_there => return Err(Conflict::Missing),
            Some(wanted) if wanted != revision => return Err(Conflict::Revision(revision)),
            _ => {}
        }
        let revision = if is_there && new == data { revision } else { revision + 1 };
        self.0.insert(change.key.clone(), (revision, new));
        Ok(revision)
    }
}

fn change(random: &mut Rng, number: usize) -> Change {
    let data = Map::from_iter([("n".to_owned(), Json::from(random.u8(..3)))]);
    let action = match random.u8(..4) {
        0 => Action::Create(data),
        1 => Action::Replace(data),
        2 => Action::Put(data),
        _ => Action::Delete,
    };
    let revision = (random.u8(..4) == 0).then(|| random.u64(1..5));
    Change { id: format!("c{number}"), key: format!("k{}", random.u8(..4)), action, revision }
}

fn told(outcomes: Vec<Outcome>) -> Vec<Result<u64, Conflict>> {
    outcomes.into_iter().map(|outcome| outcome.map(|written| written.revision)).collect()
}

/// Changes that fail are asked for again, with the same ids, after a crash as well: each is done once.
fn run_history(seed: u64) {
    let mut random = Rng::with_seed(seed);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    compact::begin(&path).unwrap();
    let storage = Faulty::default();
    {
        let mut state = storage.0.lock().unwrap();
        state.now = std::fs::read(&path).unwrap();
        state.durable = state.now.len();
        state.random = Rng::with_seed(seed + 1);
    }
    let mut model = Model::default();
    let mut journal = Journal::of(storage.clone(), None).unwrap();
    for number in (0..120).step_by(3) {
        // Of different keys, as of clients that do not wait for one another.
        let mut changes: Vec<Change> = Vec::new();
        while changes.len() < 3 {
            let next = change(&mut random, number + changes.len());
            if changes.iter().all(|change| change.key != next.key) {
                changes.push(next);
            }
        }
        let expected: Vec<_> = changes.iter().map(|change| model.expect(change)).collect();
        storage.set_failing(if random.u8(..3) == 0 { 6 } else { 0 });
        let outcomes = loop {
            match journal.write(&changes) {
                Ok(outcomes) => break outcomes,
                Err(error) => assert!(matches!(error, JournalError::Io { .. }), "{error}"),
            }
            if random.u8(..3) == 0 {
                storage.set_failing(0);
                storage.crash();
                journal = Journal::of(storage.clone(), None).unwrap();
            }
        };
        assert_eq!(told(outcomes), expected, "seed {seed}, from change {number} on");
        if random.u8(..5) == 0 {
            storage.set_failing(0);
            storage.crash();
            journal = Journal::of(storage.clone(), None).unwrap();
        }
    }
    std::fs::write(&path, &storage.0.lock().unwrap().now).unwrap();
    assert_eq!(read(&path).0, model.0, "seed {seed}");
}

/// What the entries of a journal come to. No revision of a key is used twice.
fn read(path: &Path) -> Model {
    let mut model = Model::default();
    let mut entries = Entries::open(path).unwrap().unwrap();
    while let Some(entry) = entries.next_entry().unwrap() {
        let before = model.0.insert(entry.key, (entry.revision, entry.data));
        assert!(before.is_none_or(|(revision, _)| revision < entry.revision));
    }
    model
}

#[test]
fn what_is_acknowledged_is_kept_and_done_once_whatever_fails() {
    (0..300).for_each(run_history);
}

fn put(key: &str, text: &str) -> Change {
    let data = Map::from_iter([("text".to_owned(), text.into())]);
    let id = format!("{key}{text}{}", fastrand::u64(..));
    Change { id, key: key.to_owned(), action: Action::Put(data), revision: None }
}

fn delete(key: &str) -> Change {
    Change { action: Action::Delete, ..put(key, "") }
}

#[test]
fn a_compacted_journal_says_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let mut journal = Journal::open(&path).unwrap();
    let long = "long ".repeat(200_000);
    assert!(!journal.compact().unwrap());
    for round in 0..8 {
        let text = format!("{long}{round}");
        journal.write(&[put("a", &text), put("b", "short"), put("c", "gone")]).unwrap();
        journal.write(&[delete("c")]).unwrap();
    }
    let (before, mut behind) = (read(&path), Entries::open(&path).unwrap().unwrap());
    let length = std::fs::metadata(&path).unwrap().len();
    assert!(journal.compact().unwrap());
    assert!(std::fs::metadata(&path).unwrap().len() < length / 4);
    assert_eq!(read(&path).0, before.0);
    let mut living = Living::open(&path).unwrap().unwrap();
    let mut keys = Vec::new();
    while let Some(entry) = living.next_entry().unwrap() {
        keys.push((entry.key, entry.data.is_some()));
    }
    let expected = [("a", true), ("b", true), ("c", false)].map(|(key, is)| (key.to_owned(), is));
    assert_eq!((keys.len(), keys.iter().all(|key| expected.contains(key))), (3, true));
    // Whoever reads the file before still reads all of it.
    while behind.next_entry().unwrap().is_some() {}
    let from = |position| {
        let entries = Entries::open(&path).unwrap().unwrap().resume(&position).unwrap();
        entries.position().number
    };
    assert_eq!(from(behind.position().clone()), 0, "a position of another generation");
    let outcome = journal.write(&[put("c", "again")]).unwrap().remove(0).unwrap();
    assert_eq!(outcome.revision, 17, "revisions go on over the end of a record");
    assert_eq!(from(journal.end().clone()), 4);
}

#[test]
fn damage_within_is_refused_and_a_torn_end_put_aside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let mut journal = Journal::open(&path).unwrap();
    journal.write(&[put("a", "one"), put("b", "two"), put("c", "three")]).unwrap();
    let whole = std::fs::read(&path).unwrap();
    let line = |number: usize| whole.split_inclusive(|&byte| byte == b'\n').take(number);
    let second: usize = line(2).map(<[u8]>::len).sum();

    let mut damaged = whole.clone();
    damaged[second + 20] ^= 1;
    std::fs::write(&path, &damaged).unwrap();
    let error = Journal::open(&path).err().unwrap().to_string();
    assert!(error.starts_with("the journal is damaged at line 3; nothing is written"), "{error}");
    let mut entries = Entries::open(&path).unwrap().unwrap();
    assert!(entries.next_entry().unwrap().is_some());
    assert!(matches!(entries.next_entry(), Err(JournalError::Damaged { line: 3 })));
    assert_eq!(std::fs::read(&path).unwrap(), damaged, "nothing is repaired unasked");

    std::fs::write(&path, &whole[..whole.len() - 4]).unwrap();
    let mut entries = Entries::open(&path).unwrap().unwrap();
    while entries.next_entry().unwrap().is_some() {}
    assert_eq!(entries.position().number, 2);
    assert_eq!(Journal::open(&path).unwrap().end().number, 2);
    let aside = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let aside = aside.filter(|path| path.to_string_lossy().contains(".torn-")).collect::<Vec<_>>();
    let put_aside = std::fs::read(&aside[0]).unwrap();
    assert_eq!(
        (aside.len(), put_aside.len()),
        (1, whole.len() - line(3).map(<[u8]>::len).sum::<usize>() - 4)
    );

    std::fs::write(&path, b"something else\n").unwrap();
    assert!(matches!(Journal::open(&path), Err(JournalError::Foreign)));
}
