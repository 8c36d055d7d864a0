//! One part of the groups: an immutable file of entries sorted by name. Numbers are little-endian.
//!
//! ```text
//! part    := "KFGROUPS" entry{count} offset{count} count
//! entry   := kind: u8 (0 removed, 1 present), documents: u32, length: u32,
//!            name: UTF-8{length}, state: the rest, up to the next entry or the offsets
//! offset  := u64                ; where an entry begins, from the start of the file
//! count   := u64
//! ```
//!
//! A part is named `groups-<number>-<checksum>`, the checksum being the first 8 bytes of the file's
//! BLAKE3 in hexadecimal: parts of one name are the same wherever they come from.

use std::cmp::Ordering;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::OnceLock;

use kitfox_core::{Error, Group, Result};
use serde::{Deserialize, Serialize};
use tantivy::Directory;
use tantivy::directory::error::OpenWriteError;
use tantivy::directory::{OwnedBytes, TerminatingWrite};

use crate::disk::{damaged, failed, unreadable};

const MAGIC: [u8; 8] = *b"KFGROUPS";
const COUNT: usize = size_of::<u64>();
const OFFSET: usize = size_of::<u64>();

/// A part as a commit names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PartMark {
    pub name: String,
    /// In bytes.
    pub length: u64,
}

/// What a part says of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry<'p> {
    pub name: &'p str,
    /// None where the group was removed.
    pub present: Option<Present<'p>>,
}

/// A group there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Present<'p> {
    pub documents: u32,
    pub state: &'p [u8],
}

impl Entry<'_> {
    /// The group, if the entry is one.
    pub fn group(&self) -> Option<Group> {
        self.present.map(|present| Group {
            name: self.name.to_owned(),
            documents: present.documents,
            state: present.state.to_vec(),
        })
    }
}

/// An opened part, read where it lies.
pub(crate) struct Part {
    pub mark: PartMark,
    bytes: OwnedBytes,
    /// Whether the checksum is right; looked at when an entry is first asked for.
    is_whole: OnceLock<bool>,
}

impl Part {
    /// Opens a part.
    ///
    /// # Errors
    /// [`Error::Damaged`] where it is missing or has another length.
    pub fn open(disk: &dyn Directory, mark: &PartMark) -> Result<Part> {
        let name = &mark.name;
        let file = disk.open_read(Path::new(name)).map_err(|error| unreadable(name, error))?;
        let bytes =
            file.read_bytes().map_err(|error| failed(&format!("reading {name}"), &error))?;
        if bytes.len() as u64 != mark.length {
            return Err(damaged(name, "has another length than when it was committed"));
        }
        Ok(Part { mark: mark.clone(), bytes, is_whole: OnceLock::new() })
    }

    /// A part of sorted entries, not yet written.
    pub fn of<'p>(number: u64, entries: impl Iterator<Item = Result<Entry<'p>>>) -> Result<Part> {
        let bytes = encode(entries)?;
        let name = format!("groups-{number}-{:016x}", checksum(&bytes));
        let mark = PartMark { name, length: bytes.len() as u64 };
        Ok(Part { mark, bytes: OwnedBytes::new(bytes), is_whole: OnceLock::from(true) })
    }

    /// Writes the part and syncs what is in it.
    pub fn write(&self, disk: &dyn Directory) -> Result<()> {
        let name = &self.mark.name;
        let failed = |error: &io::Error| failed(&format!("writing {name}"), error);
        let mut file = disk.open_write(Path::new(name)).map_err(|error| match error {
            OpenWriteError::IoError { io_error, .. } => failed(&io_error),
            OpenWriteError::FileAlreadyExists(_) => failed(&ErrorKind::AlreadyExists.into()),
        })?;
        file.write_all(&self.bytes).map_err(|error| failed(&error))?;
        file.terminate().map_err(|error| failed(&error))
    }

    /// How many entries there are.
    pub fn len(&self) -> Result<usize> {
        self.verify()?;
        Ok(self.count().unwrap_or_default())
    }

    /// The entry at a position below [`Part::len`].
    pub fn entry(&self, position: usize) -> Result<Entry<'_>> {
        self.decode(position).ok_or_else(|| self.broken())
    }

    /// The entry of a group.
    pub fn find(&self, name: &str) -> Result<Option<Entry<'_>>> {
        let position = self.position(name)?;
        if position == self.len()? {
            return Ok(None);
        }
        Ok(Some(self.entry(position)?).filter(|entry| entry.name == name))
    }

    /// The position of the first entry whose name is not less than `name`.
    pub fn position(&self, name: &str) -> Result<usize> {
        let (mut low, mut high) = (0, self.len()?);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.entry(middle)?.name.cmp(name) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal | Ordering::Greater => high = middle,
            }
        }
        Ok(low)
    }

    /// Compares the part with its checksum, once.
    pub fn verify(&self) -> Result<()> {
        let is_whole = *self.is_whole.get_or_init(|| {
            parse(&self.mark.name).is_some_and(|(_, expected)| expected == checksum(&self.bytes))
                && self.bytes.starts_with(&MAGIC)
                && self.count().is_some()
        });
        if is_whole { Ok(()) } else { Err(self.broken()) }
    }

    fn broken(&self) -> Error {
        damaged(&self.mark.name, "fails its checksum")
    }

    fn count(&self) -> Option<usize> {
        let at = self.bytes.len().checked_sub(COUNT)?;
        let count = usize::try_from(self.number(at)?).ok()?;
        (count.checked_mul(OFFSET)? <= at).then_some(count)
    }

    fn number(&self, at: usize) -> Option<u64> {
        let (bytes, _) = self.bytes.get(at..)?.split_first_chunk()?;
        Some(u64::from_le_bytes(*bytes))
    }

    fn decode(&self, position: usize) -> Option<Entry<'_>> {
        let count = self.count()?;
        let offsets = self.bytes.len() - COUNT - count * OFFSET;
        let bound = |position: usize| match position.cmp(&count) {
            Ordering::Less => usize::try_from(self.number(offsets + position * OFFSET)?).ok(),
            Ordering::Equal => Some(offsets),
            Ordering::Greater => None,
        };
        let entry = self.bytes.get(bound(position)?..bound(position + 1)?)?;
        let (kind, rest) = entry.split_first()?;
        let (documents, rest) = rest.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let (name, state) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let documents = u32::from_le_bytes(*documents);
        Some(Entry {
            name: std::str::from_utf8(name).ok()?,
            present: (*kind == 1).then_some(Present { documents, state }),
        })
    }
}

fn encode<'p>(entries: impl Iterator<Item = Result<Entry<'p>>>) -> Result<Vec<u8>> {
    let (mut bytes, mut offsets) = (MAGIC.to_vec(), Vec::new());
    for entry in entries {
        let entry = entry?;
        let Present { documents, state } =
            entry.present.unwrap_or(Present { documents: 0, state: &[] });
        offsets.push(bytes.len() as u64);
        bytes.push(u8::from(entry.present.is_some()));
        bytes.extend(documents.to_le_bytes());
        bytes.extend((entry.name.len() as u32).to_le_bytes());
        bytes.extend(entry.name.as_bytes());
        bytes.extend(state);
    }
    bytes.extend(offsets.iter().flat_map(|offset| offset.to_le_bytes()));
    bytes.extend((offsets.len() as u64).to_le_bytes());
    Ok(bytes)
}

fn checksum(bytes: &[u8]) -> u64 {
    let hash = blake3::hash(bytes);
    hash.as_bytes().first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes))
}

/// Number and checksum in the name of a part.
pub(crate) fn parse(name: &str) -> Option<(u64, u64)> {
    let (number, checksum) = name.strip_prefix("groups-")?.split_once('-')?;
    Some((number.parse().ok()?, u64::from_str_radix(checksum, 16).ok()?))
}

/// Whether this is the name of a part.
pub(crate) fn is_part(name: &str) -> bool {
    parse(name).is_some()
}
