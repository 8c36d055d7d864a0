//! What an indexing run did.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What an indexing run did and what it found wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Files indexed for the first time.
    pub added: usize,
    /// Files indexed again.
    pub changed: usize,
    /// Files that are gone, or no longer belong to the source.
    pub removed: usize,
    /// Files whose content is as it was indexed.
    pub unchanged: usize,
    /// Passages written in this run.
    pub passages: usize,
    /// Bytes read in this run.
    pub bytes: u64,
    /// What is wrong with files now, those not read in this run included; by path.
    pub problems: Vec<Problem>,
    /// Files and folders that are not indexed, counted by reason.
    pub skipped: BTreeMap<String, usize>,
    /// How long the run took.
    pub elapsed: Duration,
}

/// Something wrong with one file or folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Problem {
    /// The path relative to the source; empty for its root.
    pub path: String,
    /// What is wrong, without a path of this machine.
    pub reason: String,
}

impl Report {
    /// Notes a problem.
    pub(crate) fn problem(&mut self, path: &str, reason: impl Into<String>) {
        self.problems.push(Problem { path: path.to_owned(), reason: reason.into() });
    }

    /// Counts a file or a folder that is not indexed.
    pub(crate) fn skip(&mut self, reason: impl Into<String>) {
        *self.skipped.entry(reason.into()).or_default() += 1;
    }

    /// Adds what another part of the run did.
    pub(crate) fn merge(&mut self, other: Report) {
        self.added += other.added;
        self.changed += other.changed;
        self.removed += other.removed;
        self.unchanged += other.unchanged;
        self.passages += other.passages;
        self.bytes += other.bytes;
        self.problems.extend(other.problems);
        for (reason, count) in other.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
    }
}
