//! What the rows of a file are to what is indexed: which records there are, and whether any differ.

use kitfox_core::{RecordState, Snapshot};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::file::Batch;
use super::indexing::Indexing;
use super::key::hash;
use super::record::{Places, Reader, Refusal};
use crate::SyncError;

/// The records of a file.
#[derive(Debug, Default)]
pub(super) struct Compared {
    /// The keys, each as a hash: all keys must fit into memory.
    keys: FxHashSet<u128>,
    /// Of keys that several rows have, the number of the last.
    repeated: FxHashMap<u128, u64>,
    /// How many of the keys are indexed.
    pub known: usize,
    /// Whether some record is not as it is indexed.
    pub differs: bool,
}

/// What is wrong with a row.
pub(super) enum Flaw {
    Refused(Refusal),
    /// It is left out for another, or another for it.
    Repeated,
    /// Something in it is no UTF-8.
    Lossy,
}

/// What a single row is.
struct Looked {
    key: u128,
    is_known: bool,
    differs: bool,
    is_lossy: bool,
}

/// How rows are compared.
pub(super) struct Comparing<'c> {
    pub reader: &'c Reader<'c>,
    pub places: &'c Places,
    pub indexing: &'c Indexing<'c>,
    pub snapshot: &'c dyn Snapshot,
}

impl Comparing<'_> {
    /// Adds the rows of a batch; `flawed` is told of those with flaws, in order.
    pub fn add(
        &self,
        batch: &Batch,
        compared: &mut Compared,
        mut flawed: impl FnMut(u64, Flaw),
    ) -> Result<(), SyncError> {
        let looked: Vec<_> =
            batch.rows.par_iter().map(|row| self.look(row)).collect::<Result<_, SyncError>>()?;
        for (row, looked) in batch.rows.iter().zip(looked) {
            match looked {
                Err(refusal) => flawed(row.number, Flaw::Refused(refusal)),
                Ok(looked) => {
                    if looked.is_lossy {
                        flawed(row.number, Flaw::Lossy);
                    }
                    if compared.is_repeated(row.number, &looked) {
                        flawed(row.number, Flaw::Repeated);
                    }
                }
            }
        }
        Ok(())
    }

    fn look(&self, row: &super::format::Row) -> Result<Result<Looked, Refusal>, SyncError> {
        let record = match self.reader.record(row, self.places) {
            Ok(record) => record,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let state = self.snapshot.state(&record.key)?;
        let before = state.as_deref().and_then(RecordState::decode);
        Ok(Ok(Looked {
            key: hash(&record.key),
            is_known: state.is_some(),
            differs: before.is_none_or(|before| before.hash != self.indexing.hash(&record)),
            is_lossy: record.is_lossy,
        }))
    }
}

impl Compared {
    /// How many records there are.
    pub fn records(&self) -> usize {
        self.keys.len()
    }

    /// Whether a record of this key is among them.
    pub fn has(&self, key: &str) -> bool {
        self.keys.contains(&hash(key))
    }

    /// Whether this row is the one that counts of those with its key.
    pub fn counts(&self, key: &str, number: u64) -> bool {
        self.repeated.is_empty() || self.repeated.get(&hash(key)).is_none_or(|&last| last == number)
    }

    /// Adds a row, and tells whether another of its key came before.
    fn is_repeated(&mut self, number: u64, looked: &Looked) -> bool {
        self.differs |= looked.differs;
        let is_new = self.keys.insert(looked.key);
        match is_new {
            true => self.known += usize::from(looked.is_known),
            false => drop(self.repeated.insert(looked.key, number)),
        }
        !is_new
    }
}
