//! What is remembered of an import, stored as the state of [`Collection::GROUP`].

use std::time::SystemTime;

use kitfox_core::{Collection, Result, Snapshot};
use kitfox_journal::Position;
use serde::{Deserialize, Serialize};

use super::infer::Seen;
use crate::stamp::{is_racy, nanoseconds};
use crate::{Problem, Report, Stamp};

/// The most problems with rows that are remembered one by one.
const MAX_PROBLEMS: usize = 1_000;

/// A collection as it was imported last. Encoded as the [`Collection`] is, with more members.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Imported {
    /// What the records are.
    #[serde(flatten)]
    pub collection: Collection,
    /// What is wrong with rows and with what is configured; the first of them.
    pub problems: Vec<Problem>,
    /// How many more problems there are.
    pub unlisted: usize,
    /// How many rows were refused.
    pub refused: usize,
    /// The file that was read to its end; none while a run goes on, or where one was cut short.
    pub(super) read: Option<ReadFile>,
    /// How far the journal of a writable collection was read; none where there is none, and where it
    /// has to be read from its beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) replayed: Option<Replayed>,
}

/// How far a journal was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Replayed {
    /// After the last entry that was.
    pub position: Position,
    /// What was seen in all entries before.
    pub seen: Seen,
    /// Stands for what was configured, and for what records were embedded with.
    pub version: String,
}

/// A file that was read to its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ReadFile {
    /// Its stamp before it was read.
    pub stamp: Stamp,
    /// When it began to be read, in nanoseconds since 1970.
    pub read_at_ns: i64,
    /// Stands for what was configured, and for what rows were read and embedded with.
    pub version: String,
}

impl ReadFile {
    /// A file that begins to be read now.
    pub fn now(stamp: Stamp, version: String) -> ReadFile {
        ReadFile { stamp, read_at_ns: nanoseconds(SystemTime::now()), version }
    }

    /// Whether the file may have changed after it was read without another stamp.
    pub fn is_racy(&self) -> bool {
        is_racy(self.read_at_ns, self.stamp)
    }

    /// Whether there is nothing to learn from reading the file again.
    pub fn is_current(&self, now: &ReadFile) -> bool {
        (&self.stamp, &self.version) == (&now.stamp, &now.version) && !self.is_racy()
    }

    /// Whether it is worth remembering that the file was read again and found the same.
    pub fn is_superseded(&self, now: &ReadFile) -> bool {
        (&self.stamp, &self.version) != (&now.stamp, &now.version)
            || (self.is_racy() && !now.is_racy())
    }
}

impl Imported {
    /// What a snapshot remembers; none before the first import, or where it is damaged.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn of(snapshot: &dyn Snapshot) -> Result<Option<Imported>> {
        let state = snapshot.state(Collection::GROUP)?;
        Ok(state.and_then(|state| serde_json::from_slice(&state).ok()))
    }

    /// How far the journal of a writable collection is indexed; none where it has to be read from its
    /// beginning.
    pub fn position(&self) -> Option<&Position> {
        self.replayed.as_ref().map(|replayed| &replayed.position)
    }

    /// The bytes to store.
    pub(super) fn encode(&self) -> Vec<u8> {
        // Maps have texts for keys and numbers are finite: nothing here can fail.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Notes a problem.
    pub(super) fn problem(&mut self, problem: Problem) {
        match self.problems.len() < MAX_PROBLEMS {
            true => self.problems.push(problem),
            false => self.unlisted += 1,
        }
    }

    /// What is wrong, as part of a report.
    pub(super) fn report(&self) -> Report {
        Report {
            problems: self.problems.clone(),
            unlisted: self.unlisted,
            refused: self.refused,
            ..Report::default()
        }
    }
}
