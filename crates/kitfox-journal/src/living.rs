//! The records of a journal as they were at one moment.

use std::path::Path;

use rustc_hash::FxHashMap;

use crate::journal::hash;
use crate::{Entries, Entry, JournalError};

/// The last entry of each key, in their order, those of records that are gone included. What is written
/// after it was opened is not among them, nor does it matter whether the journal is compacted.
pub struct Living {
    entries: Entries,
    last: FxHashMap<u128, u64>,
    end: u64,
}

impl Living {
    /// Looks through a journal; none where there is none.
    ///
    /// # Errors
    /// Where it cannot be read, or is damaged.
    pub fn open(path: &Path) -> Result<Option<Living>, JournalError> {
        let Some(mut entries) = Entries::open(path)? else { return Ok(None) };
        let start = entries.position().clone();
        let mut last = FxHashMap::default();
        while let Some(entry) = entries.next_entry()? {
            last.insert(hash(&entry.key), entry.number);
        }
        let end = entries.position().number;
        Ok(Some(Living { entries: entries.resume(&start)?, last, end }))
    }

    /// How many keys there are.
    pub fn keys(&self) -> usize {
        self.last.len()
    }

    /// The next entry; none after the last.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn next_entry(&mut self) -> Result<Option<Entry>, JournalError> {
        while self.entries.position().number < self.end {
            let entry = self.entries.next_entry()?;
            let is_last = |entry: &Entry| self.last.get(&hash(&entry.key)) == Some(&entry.number);
            if let Some(entry) = entry.filter(is_last) {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }
}
