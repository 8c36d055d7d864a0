//! The journal as the one process has it that writes it.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use kitfox_core::{Change, Outcome, Written};
use rustc_hash::FxHashMap;

use crate::changes::decide;
use crate::compact;
use crate::entry::{Entry, Head, MAX_LINE};
use crate::read::Lines;
use crate::storage::{From, Storage};
use crate::{JournalError, Position};

/// Changes that are recognised when they come again.
const REMEMBERED: usize = 10_000;

/// A journal is compacted once this many bytes of it, and more than half, say what no longer holds.
const DEAD_BYTES: u64 = 4 << 20;

const BUFFER: usize = 1 << 20;

/// An open journal. Dropping it loses nothing.
pub struct Journal<S = File> {
    storage: S,
    /// Where its file is; none where it has no name.
    path: Option<PathBuf>,
    end: Position,
    latest: FxHashMap<u128, Latest>,
    remembered: Remembered,
    living_bytes: u64,
    /// Changes that were to become durable when something failed. They may be in the storage, and
    /// others may have read them there: so they are neither told of nor taken back, but come first as
    /// soon as that works again.
    unsure: Option<Group>,
}

/// The last entry of a key.
#[derive(Clone, Copy)]
pub(crate) struct Latest {
    offset: u64,
    length: u32,
    number: u64,
}

impl Journal<File> {
    /// Opens the journal in a file, or begins one. Nobody else may have it open like this.
    ///
    /// The end of a line that was not written to its end, which nobody was told of, is put aside in a
    /// file beside it.
    ///
    /// # Errors
    /// [`JournalError::Damaged`] where a line within it is not as it was written.
    pub fn open(path: &Path) -> Result<Journal, JournalError> {
        if !path.exists() {
            compact::begin(path)?;
        }
        let file = File::options().read(true).write(true).open(path);
        let file = file.map_err(JournalError::reading)?;
        let mut journal = Journal::of(file, Some(path))?;
        journal.path = Some(path.to_owned());
        Ok(journal)
    }

    /// Puts a journal that was [prepared](crate::prepare) in the place of this one.
    ///
    /// # Errors
    /// Where that one is none, or cannot be put in place: this one stays.
    pub fn replace(&mut self, prepared: &Path) -> Result<(), JournalError> {
        let Some(path) = self.path.clone() else { return Err(JournalError::Foreign) };
        // Looked through first: what is damaged is not put in place.
        drop(Journal::open(prepared)?);
        compact::put_in_place(prepared, &path)?;
        *self = Journal::open(&path)?;
        Ok(())
    }

    /// Whether no key was ever written.
    pub fn is_empty(&self) -> bool {
        self.latest.is_empty()
    }

    /// Writes a shorter journal in the place of one of which most no longer holds: of each record the
    /// last entry only, with all it says. Whether it was worth it.
    ///
    /// # Errors
    /// Where the other file cannot be written: the one there is stays.
    pub fn compact(&mut self) -> Result<bool, JournalError> {
        let Some(path) = self.path.clone() else { return Ok(false) };
        let dead = self.end.offset.saturating_sub(self.living_bytes);
        if dead < DEAD_BYTES || dead < self.living_bytes {
            return Ok(false);
        }
        let mut latest: Vec<Latest> = self.latest.values().copied().collect();
        latest.sort_unstable_by_key(|latest| latest.offset);
        compact::replace(&path, latest.into_iter().map(|latest| self.entry_at(latest)))?;
        let remembered = std::mem::take(&mut self.remembered);
        *self = Journal { remembered, ..Journal::open(&path)? };
        Ok(true)
    }
}

impl<S: Storage> Journal<S> {
    /// Reads what is in a storage: the entries, to know what of each record was last.
    pub(crate) fn of(storage: S, aside: Option<&Path>) -> Result<Journal<S>, JournalError> {
        let source = BufReader::with_capacity(BUFFER, From { storage: &storage, offset: 0 });
        let scanned = Scanned::read(&mut Lines::of(source))?;
        let mut journal = Journal {
            storage,
            path: None,
            end: scanned.end,
            latest: scanned.latest,
            remembered: scanned.remembered,
            living_bytes: scanned.living_bytes,
            unsure: None,
        };
        journal.settle(aside)?;
        Ok(journal)
    }

    /// Makes changes, each or not, in their order, and those that were made durable.
    ///
    /// # Errors
    /// Where they cannot be made durable: whether they are made will be known when the same changes,
    /// with their ids, are asked for again.
    pub fn write(&mut self, changes: &[Change]) -> Result<Vec<Outcome>, JournalError> {
        if let Some(group) = self.unsure.take() {
            self.make_durable(group)?;
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now_ns = i64::try_from(now.as_nanos()).unwrap_or(i64::MAX);
        let mut group = Group { end: self.end.clone(), ..Group::default() };
        let outcomes = changes
            .iter()
            .map(|change| self.stage(change, now_ns, &mut group))
            .collect::<Result<Vec<Outcome>, JournalError>>()?;
        self.make_durable(group)?;
        Ok(outcomes)
    }

    fn make_durable(&mut self, group: Group) -> Result<(), JournalError> {
        if group.bytes.is_empty() {
            return Ok(());
        }
        let added = self.storage.append(&group.bytes, self.end.offset);
        match added.and_then(|()| self.storage.sync()) {
            Ok(()) => self.add(group),
            Err(error) => {
                self.unsure = Some(group);
                return Err(JournalError::writing(error));
            }
        }
        Ok(())
    }

    /// Right after the last entry.
    pub fn end(&self) -> &Position {
        &self.end
    }

    fn stage(
        &self,
        change: &Change,
        now_ns: i64,
        group: &mut Group,
    ) -> Result<Outcome, JournalError> {
        let done = group.remembered.get(&change.id).or_else(|| self.remembered.get(&change.id));
        if let Some(done) = done {
            return Ok(Ok(done.clone()));
        }
        let key = hash(&change.key);
        let before = match (group.staged.get(&key), self.latest.get(&key)) {
            (Some((entry, _)), _) => Some(entry.clone()),
            (None, Some(&latest)) => Some(self.entry_at(latest)?),
            (None, None) => None,
        };
        let (outcome, entry) = decide(change, before.as_ref(), group.end.number + 1, now_ns);
        if let (Ok(written), Some(entry)) = (&outcome, entry) {
            let line = entry.line(&group.end.generation);
            if line.len() > MAX_LINE {
                return Err(JournalError::TooLong { bytes: line.len() });
            }
            let latest = Latest {
                offset: group.end.offset,
                length: line.len() as u32,
                number: entry.number,
            };
            group.bytes.extend_from_slice(&line);
            group.end.offset += line.len() as u64;
            group.end.number += 1;
            group.remembered.add(entry.id.clone(), written.clone());
            group.staged.insert(key, (entry, latest));
        }
        Ok(outcome)
    }

    fn add(&mut self, group: Group) {
        self.end = group.end;
        for (key, (_, latest)) in group.staged {
            self.living_bytes += u64::from(latest.length);
            if let Some(before) = self.latest.insert(key, latest) {
                self.living_bytes -= u64::from(before.length);
            }
        }
        group.remembered.order.into_iter().for_each(|(id, done)| self.remembered.add(id, done));
    }

    fn entry_at(&self, latest: Latest) -> Result<Entry, JournalError> {
        let mut line = Vec::with_capacity(latest.length as usize);
        let source = From { storage: &self.storage, offset: latest.offset };
        BufReader::new(source).read_until(b'\n', &mut line).map_err(JournalError::reading)?;
        Entry::of(&line, &self.end.generation)
            .ok_or(JournalError::Damaged { line: latest.number + 1 })
    }

    /// Cuts off what was begun to be written after the last entry, and makes the rest durable: whoever
    /// wrote it may have ended before it was.
    fn settle(&mut self, path: Option<&Path>) -> Result<(), JournalError> {
        let length = self.storage.length().map_err(JournalError::reading)?;
        if length > self.end.offset {
            if let Some(path) = path {
                let mut torn = From { storage: &self.storage, offset: self.end.offset };
                compact::put_aside(path, &mut torn)?;
            }
            self.storage.truncate(self.end.offset).map_err(JournalError::writing)?;
        }
        self.storage.sync().map_err(JournalError::writing)
    }
}

/// Changes that are about to become durable together.
#[derive(Default)]
struct Group {
    end: Position,
    bytes: Vec<u8>,
    staged: FxHashMap<u128, (Entry, Latest)>,
    remembered: Remembered,
}

/// The last changes by their ids, with what came of them.
#[derive(Default)]
struct Remembered {
    done: FxHashMap<String, Written>,
    order: VecDeque<(String, Written)>,
}

impl Remembered {
    fn get(&self, id: &str) -> Option<&Written> {
        self.done.get(id)
    }

    fn add(&mut self, id: String, done: Written) {
        self.order.push_back((id.clone(), done.clone()));
        self.done.insert(id, done);
        if self.order.len() > REMEMBERED
            && let Some((oldest, _)) = self.order.pop_front()
        {
            self.done.remove(&oldest);
        }
    }
}

/// What a look through a whole journal tells.
struct Scanned {
    end: Position,
    latest: FxHashMap<u128, Latest>,
    remembered: Remembered,
    living_bytes: u64,
}

impl Scanned {
    fn read(lines: &mut Lines<impl BufRead>) -> Result<Scanned, JournalError> {
        let (generation, offset) = lines.header()?;
        let mut scanned = Scanned {
            end: Position { generation, offset, number: 0 },
            latest: FxHashMap::default(),
            remembered: Remembered::default(),
            living_bytes: offset,
        };
        while let Some(line) = lines.next_line()? {
            let head = Head::of(line, &scanned.end.generation);
            match head.filter(|head| head.number == scanned.end.number + 1) {
                Some(head) => scanned.add(head, line.len()),
                None => {
                    scanned.refuse_damage(lines)?;
                    break;
                }
            }
        }
        Ok(scanned)
    }

    fn add(&mut self, head: Head, length: usize) {
        let latest = Latest { offset: self.end.offset, length: length as u32, number: head.number };
        self.living_bytes += length as u64;
        if let Some(before) = self.latest.insert(hash(&head.key), latest) {
            self.living_bytes -= u64::from(before.length);
        }
        self.end.offset += length as u64;
        self.end.number = head.number;
        let Head { id, revision, created_at_ns, updated_at_ns, .. } = head;
        self.remembered
            .add(id, Written { revision, created_at_ns, updated_at_ns, is_changed: true });
    }

    /// A line that is no entry was not written to its end only if none that is one follows.
    fn refuse_damage(&self, lines: &mut Lines<impl BufRead>) -> Result<(), JournalError> {
        while let Some(line) = lines.next_line()? {
            if Head::of(line, &self.end.generation).is_some() {
                return Err(JournalError::Damaged { line: self.end.number + 2 });
            }
        }
        Ok(())
    }
}

/// Keys are known by a hash: all of them must fit into memory.
pub(crate) fn hash(key: &str) -> u128 {
    let hash = blake3::hash(key.as_bytes());
    hash.as_bytes().first_chunk().map_or(0, |half| u128::from_le_bytes(*half))
}
