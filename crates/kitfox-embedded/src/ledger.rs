//! The groups and their states: an append-only log beside the index.
//!
//! tantivy's commit payload names the log and its committed length ([`Mark`]), so the log has no
//! commit point of its own: bytes beyond that length never happened. A log that is mostly dead
//! entries is rewritten under the next number, and the old one removed after the commit that names
//! the new one.
//!
//! ```text
//! log   := entry*
//! entry := length: u32 le, checksum: first 8 bytes of BLAKE3(body), body: length bytes
//! body  := kind: u8 (0 removed, 1 put), name_length: u32 le, name: UTF-8,
//!          documents: u32 le, state: the rest
//! ```

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use kitfox_core::{Error, Result};
use serde::{Deserialize, Serialize};

/// A rewritten log must be at least this many entries shorter, so that small ones stay as they are.
const SLACK: usize = 1000;

/// Which log, and how much of it, a commit includes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    /// Number of the log file.
    pub log: u64,
    /// Committed bytes.
    pub length: u64,
}

/// One group as committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub documents: u32,
    pub state: Vec<u8>,
}

/// The groups of one commit, by name.
pub(crate) type Table = BTreeMap<String, Entry>;

/// A committed log, held open: it stays readable after a later commit has removed its name.
pub(crate) struct Log {
    name: String,
    file: Option<File>,
    length: u64,
}

impl Log {
    /// Opens the log a mark names.
    ///
    /// # Errors
    /// [`Error::Damaged`] where it is missing.
    pub fn open(directory: &Path, mark: &Mark) -> Result<Log> {
        let name = file_name(mark.log);
        let damaged = |error| Error::Damaged { detail: format!("{name}: {error}") };
        // Nothing was ever committed: there need not be a file.
        let file = match mark.length {
            0 => None,
            _ => Some(File::open(directory.join(&name)).map_err(damaged)?),
        };
        Ok(Log { file, length: mark.length, name })
    }

    /// Reads the groups.
    ///
    /// # Errors
    /// [`Error::Damaged`] where the log is short or fails its checksums.
    pub fn read(&self) -> Result<Table> {
        Ok(self.replay()?.0)
    }

    /// The groups, and how many entries it took to say so.
    fn replay(&self) -> Result<(Table, usize)> {
        let damaged = |detail: &str| Error::Damaged { detail: format!("{}: {detail}", self.name) };
        let bytes = self.bytes().map_err(|error| damaged(&error.to_string()))?;
        if bytes.len() as u64 != self.length {
            return Err(damaged("shorter than its last commit"));
        }
        let (mut rest, mut table, mut entries) = (bytes.as_slice(), Table::new(), 0);
        while !rest.is_empty() {
            let body =
                next_body(&mut rest).ok_or_else(|| damaged("an entry fails its checksum"))?;
            apply(body, &mut table).ok_or_else(|| damaged("an entry cannot be read"))?;
            entries += 1;
        }
        Ok((table, entries))
    }

    fn bytes(&self) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if let Some(mut file) = self.file.as_ref() {
            file.seek(SeekFrom::Start(0))?;
            file.take(self.length).read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    }
}

fn next_body<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, after) = rest.split_first_chunk::<4>()?;
    let (checksum, after) = after.split_first_chunk::<8>()?;
    let (body, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    *rest = after;
    (checksum_of(body) == *checksum).then_some(body)
}

fn apply(body: &[u8], table: &mut Table) -> Option<()> {
    let (kind, rest) = body.split_first()?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let (name, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let name = std::str::from_utf8(name).ok()?.to_owned();
    let (documents, state) = rest.split_first_chunk::<4>()?;
    match kind {
        0 => drop(table.remove(&name)),
        1 => {
            let documents = u32::from_le_bytes(*documents);
            table.insert(name, Entry { documents, state: state.to_vec() });
        }
        _ => return None,
    }
    Some(())
}

fn encode(name: &str, entry: Option<&Entry>, out: &mut Vec<u8>) {
    let (documents, state) = entry.map_or((0, &[][..]), |entry| (entry.documents, &entry.state));
    let mut body = vec![u8::from(entry.is_some())];
    body.extend((name.len() as u32).to_le_bytes());
    body.extend(name.as_bytes());
    body.extend(documents.to_le_bytes());
    body.extend(state);
    out.extend((body.len() as u32).to_le_bytes());
    out.extend(checksum_of(&body));
    out.extend(body);
}

fn checksum_of(body: &[u8]) -> [u8; 8] {
    let mut checksum = [0; 8];
    checksum.copy_from_slice(&blake3::hash(body).as_bytes()[..8]);
    checksum
}

/// The writer's side of the log.
pub(crate) struct Ledger {
    directory: PathBuf,
    mark: Mark,
    entries: usize,
    table: Table,
    pending: BTreeMap<String, Option<Entry>>,
}

impl Ledger {
    /// Continues from a committed mark; what lies beyond it in the file is forgotten.
    pub fn open(directory: &Path, mark: Mark) -> Result<Ledger> {
        let (table, entries) = Log::open(directory, &mark)?.replay()?;
        let directory = directory.to_owned();
        Ok(Ledger { directory, mark, entries, table, pending: BTreeMap::new() })
    }

    /// Notes that a group is now so, or gone.
    pub fn set(&mut self, name: &str, entry: Option<Entry>) {
        self.pending.insert(name.to_owned(), entry);
    }

    /// How many documents a group has, in the last commit or by what is pending.
    pub fn documents(&self, name: &str) -> Option<u32> {
        match self.pending.get(name) {
            Some(pending) => pending.as_ref().map(|entry| entry.documents),
            None => self.table.get(name).map(|entry| entry.documents),
        }
    }

    /// Writes what is pending durably and returns the mark the commit must carry.
    pub fn flush(&mut self) -> Result<Mark> {
        let pending = std::mem::take(&mut self.pending);
        let mut bytes = Vec::new();
        for (name, entry) in &pending {
            encode(name, entry.as_ref(), &mut bytes);
        }
        self.entries += pending.len();
        for (name, entry) in pending {
            match entry {
                Some(entry) => drop(self.table.insert(name, entry)),
                None => drop(self.table.remove(&name)),
            }
        }
        if self.entries > 2 * self.table.len() + SLACK {
            self.rewrite()
        } else {
            self.append(&bytes)
        }
    }

    fn append(&mut self, bytes: &[u8]) -> Result<Mark> {
        let path = self.directory.join(file_name(self.mark.log));
        write_at(&path, self.mark.length, bytes).map_err(|source| Error::Io {
            action: format!("writing {}", name_of(&path)),
            source,
        })?;
        self.mark.length += bytes.len() as u64;
        Ok(self.mark.clone())
    }

    fn rewrite(&mut self) -> Result<Mark> {
        let mut bytes = Vec::new();
        for (name, entry) in &self.table {
            encode(name, Some(entry), &mut bytes);
        }
        self.entries = self.table.len();
        self.mark = Mark { log: self.mark.log + 1, length: 0 };
        self.append(&bytes)
    }

    /// Removes logs no commit names any more. Failing to is harmless: the next commit tries again.
    pub fn remove_old_logs(&self) {
        let Ok(files) = std::fs::read_dir(&self.directory) else { return };
        for file in files.flatten() {
            let number = file.file_name().to_str().and_then(log_number);
            if number.is_some_and(|number| number < self.mark.log) {
                let _ = std::fs::remove_file(file.path());
            }
        }
    }
}

/// Writes `bytes` at `offset`, drops what followed, and makes file and directory entry durable.
fn write_at(path: &Path, offset: u64, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    file.set_len(offset)?;
    file.seek(SeekFrom::Start(offset))?;
    file.write_all(bytes)?;
    file.sync_data()?;
    if offset == 0
        && let Some(directory) = path.parent()
    {
        File::open(directory)?.sync_all()?;
    }
    Ok(())
}

fn file_name(log: u64) -> String {
    format!("groups-{log}.log")
}

fn log_number(name: &str) -> Option<u64> {
    name.strip_prefix("groups-")?.strip_suffix(".log")?.parse().ok()
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(directory: &Path, mark: &Mark) -> Result<Table> {
        Log::open(directory, mark)?.read()
    }

    fn entry(documents: u32) -> Option<Entry> {
        Some(Entry { documents, state: vec![7; 3] })
    }

    #[test]
    fn what_was_flushed_is_read_back_and_what_was_not_is_forgotten() {
        let directory = tempfile::tempdir().unwrap();
        let mut ledger = Ledger::open(directory.path(), Mark::default()).unwrap();
        ledger.set("a", entry(1));
        ledger.set("b", entry(2));
        let first = ledger.flush().unwrap();
        ledger.set("a", None);
        let second = ledger.flush().unwrap();
        let names = |mark| read(directory.path(), mark).unwrap().into_keys().collect::<Vec<_>>();
        assert_eq!(names(&first), ["a", "b"]);
        assert_eq!(names(&second), ["b"]);

        let mut ledger = Ledger::open(directory.path(), first.clone()).unwrap();
        ledger.set("c", entry(3));
        let third = ledger.flush().unwrap();
        assert_eq!(names(&third), ["a", "b", "c"]);
    }

    #[test]
    fn a_log_of_dead_entries_is_rewritten() {
        let directory = tempfile::tempdir().unwrap();
        let mut ledger = Ledger::open(directory.path(), Mark::default()).unwrap();
        for documents in [1, 2] {
            for number in 0..=SLACK {
                ledger.set(&number.to_string(), (documents == 1).then(|| entry(1)).flatten());
            }
            ledger.set("a", entry(documents));
            ledger.flush().unwrap();
        }
        ledger.set("b", entry(3));
        let mark = ledger.flush().unwrap();
        ledger.remove_old_logs();
        assert!(mark.log > 0);
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
        let table = read(directory.path(), &mark).unwrap();
        assert_eq!(
            table,
            Table::from([("a".into(), entry(2).unwrap()), ("b".into(), entry(3).unwrap())])
        );
    }

    #[test]
    fn a_flipped_bit_is_found() {
        let directory = tempfile::tempdir().unwrap();
        let mut ledger = Ledger::open(directory.path(), Mark::default()).unwrap();
        ledger.set("a", entry(1));
        let mark = ledger.flush().unwrap();
        let path = directory.path().join("groups-0.log");
        let mut bytes = std::fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(&path, bytes).unwrap();
        assert!(matches!(read(directory.path(), &mark), Err(Error::Damaged { .. })));
    }
}
