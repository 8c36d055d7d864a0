//! Journals of several collections in one file.
//!
//! ```text
//! backup     = header collection* end       ; lines as those of a journal whose generation is "backup"
//! header     = {"kitfox_backup":1}
//! collection = {"collection":NAME} entry*   ; the last of each key, those of records that are gone too
//! end        = {"lines":NUMBER}             ; how many come before
//! ```

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::entry::{json, line};
use crate::read::Lines;
use crate::{Entry, JournalError, Living};

const GENERATION: &str = "backup";
const VERSION: u32 = 1;

/// Why a backup cannot be made or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BackupError {
    /// A journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The file is none, or none of this version.
    #[error("it is no backup, or one of another version of kitfox")]
    Foreign,
    /// It is not as it was written.
    #[error("it is damaged at line {line}; nothing of it was restored")]
    Damaged {
        /// Which, from 1.
        line: u64,
    },
    /// It has no records of a collection.
    #[error("it has nothing of `{name}`, but of {}", known.join(", "))]
    Unknown {
        /// The collection.
        name: String,
        /// Those it has.
        known: Vec<String>,
    },
}

/// A line of a backup.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Item {
    Header { kitfox_backup: u32 },
    Collection { collection: String },
    End { lines: u64 },
    Entry(Entry),
}

/// Writes what journals say, each as it is at one moment, to a file that comes into being whole. How
/// many records of each.
///
/// # Errors
/// Where a journal is damaged, or the file cannot be written.
pub fn back_up(
    file: &Path,
    journals: &[(String, PathBuf)],
) -> Result<Vec<(String, usize)>, BackupError> {
    let beside = file.with_added_extension("new");
    let mut out = Out {
        out: BufWriter::new(File::create(&beside).map_err(JournalError::writing)?),
        lines: 0,
    };
    out.write(&Item::Header { kitfox_backup: VERSION })?;
    let mut counts = Vec::new();
    for (name, journal) in journals {
        out.write(&Item::Collection { collection: name.clone() })?;
        let mut count = 0;
        if let Some(mut living) = Living::open(journal)? {
            while let Some(entry) = living.next_entry()? {
                count += usize::from(entry.data.is_some());
                out.write(&Item::Entry(entry))?;
            }
        }
        counts.push((name.clone(), count));
    }
    out.write(&Item::End { lines: out.lines })?;
    let synced = out.out.into_inner().map_err(std::io::Error::from);
    let done = synced.and_then(|file| file.sync_all()).and_then(|()| fs::rename(&beside, file));
    done.map_err(JournalError::writing)?;
    Ok(counts)
}

struct Out {
    out: BufWriter<File>,
    lines: u64,
}

impl Out {
    fn write(&mut self, item: &Item) -> Result<(), JournalError> {
        // Maps have texts for keys and numbers are finite: nothing here can fail.
        let json = serde_json::to_vec(item).unwrap_or_default();
        self.lines += 1;
        self.out.write_all(&line(GENERATION, &json)).map_err(JournalError::writing)
    }
}

/// A backup that was read from beginning to end, and is whole.
pub struct Backup {
    file: PathBuf,
    /// The collections in it, with how many records each has.
    pub collections: Vec<(String, usize)>,
}

impl Backup {
    /// Reads a backup.
    ///
    /// # Errors
    /// Where it is none, or damaged anywhere.
    pub fn open(file: &Path) -> Result<Backup, BackupError> {
        let mut items = Items::open(file)?;
        let mut collections: Vec<(String, usize)> = Vec::new();
        let mut is_ended = false;
        while let Some(item) = items.next_item()? {
            match item {
                _ if is_ended => return Err(items.damaged()),
                Item::End { lines } if lines + 1 == items.number => is_ended = true,
                Item::Collection { collection } => collections.push((collection, 0)),
                Item::Entry(entry) => match collections.last_mut() {
                    Some((_, count)) => *count += usize::from(entry.data.is_some()),
                    None => return Err(items.damaged()),
                },
                Item::End { .. } | Item::Header { .. } => return Err(items.damaged()),
            }
        }
        items.number += 1;
        if is_ended {
            Ok(Backup { file: file.to_owned(), collections })
        } else {
            Err(items.damaged())
        }
    }

    /// Writes the journal of one of its collections to a file.
    ///
    /// # Errors
    /// [`BackupError::Unknown`] where there is none of that name; where the file cannot be written.
    pub fn prepare(&self, name: &str, journal: &Path) -> Result<(), BackupError> {
        if !self.collections.iter().any(|(known, _)| known == name) {
            let known = self.collections.iter().map(|(known, _)| format!("`{known}`")).collect();
            return Err(BackupError::Unknown { name: name.to_owned(), known });
        }
        let mut items = Items::open(&self.file)?;
        let mut is_within = false;
        let entries = std::iter::from_fn(|| {
            loop {
                match items.next_item() {
                    Ok(Some(Item::Entry(entry))) if is_within => return Some(Ok(entry)),
                    Ok(Some(Item::Collection { collection })) => is_within = collection == name,
                    Ok(Some(_)) => {}
                    Ok(None) => return None,
                    Err(error) => return Some(Err(error)),
                }
            }
        });
        crate::prepare(journal, entries)
    }
}

/// The lines of a backup after its first.
struct Items {
    lines: Lines<BufReader<File>>,
    number: u64,
}

impl Items {
    fn open(file: &Path) -> Result<Items, BackupError> {
        let file = File::open(file).map_err(JournalError::reading)?;
        let mut items = Items { lines: Lines::of(BufReader::new(file)), number: 0 };
        match items.next_item() {
            Ok(Some(Item::Header { kitfox_backup: VERSION })) => Ok(items),
            Ok(_) | Err(BackupError::Damaged { .. }) => Err(BackupError::Foreign),
            Err(error) => Err(error),
        }
    }

    fn next_item(&mut self) -> Result<Option<Item>, BackupError> {
        let Some(line) = self.lines.next_line()? else { return Ok(None) };
        self.number += 1;
        let item = json(line, GENERATION).and_then(|json| serde_json::from_slice(json).ok());
        item.map(Some).ok_or(BackupError::Damaged { line: self.number })
    }

    fn damaged(&self) -> BackupError {
        BackupError::Damaged { line: self.number }
    }
}

#[cfg(test)]
mod tests {
    use kitfox_core::{Action, Change};
    use serde_json::Map;

    use super::*;
    use crate::Journal;

    fn put(key: &str) -> Change {
        let action = Action::Put(Map::from_iter([("text".to_owned(), key.into())]));
        Change { id: format!("i-{key}"), key: key.to_owned(), action, revision: None }
    }

    #[test]
    fn what_is_backed_up_is_restored_and_damage_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mut journal = Journal::open(&path("a")).unwrap();
        journal.write(&[put("x"), put("y")]).unwrap();
        let gone = Change { id: "gone".to_owned(), action: Action::Delete, ..put("x") };
        journal.write(&[gone]).unwrap();
        Journal::open(&path("b")).unwrap().write(&[put("z")]).unwrap();
        let journals = ["a", "b", "c"].map(|name| (name.to_owned(), path(name)));
        let counts = back_up(&path("backup"), &journals).unwrap();
        assert_eq!(counts, [("a", 1), ("b", 1), ("c", 0)].map(|(n, c)| (n.to_owned(), c)));

        let backup = Backup::open(&path("backup")).unwrap();
        assert_eq!(backup.collections, counts);
        backup.prepare("a", &path("again")).unwrap();
        let mut again = Journal::open(&path("again")).unwrap();
        let revision = again.write(&[Change { id: "new".to_owned(), ..put("x") }]).unwrap();
        assert_eq!(revision[0].as_ref().unwrap().revision, 3, "after 1 and its end");
        let unknown = backup.prepare("d", &path("again")).unwrap_err().to_string();
        assert_eq!(unknown, "it has nothing of `d`, but of `a`, `b`, `c`");

        let whole = fs::read(path("backup")).unwrap();
        let refused = |bytes: &[u8]| {
            fs::write(path("backup"), bytes).unwrap();
            Backup::open(&path("backup")).is_err()
        };
        assert!(!refused(&whole));
        assert!((0..whole.len()).all(|end| refused(&whole[..end])), "cut anywhere");
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            assert!(refused(&bytes), "byte {at}");
        }
    }
}
