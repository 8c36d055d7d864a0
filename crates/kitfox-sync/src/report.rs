//! What an indexing run did.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What an indexing run did and what it found wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Files, or records of a collection, indexed for the first time.
    pub added: usize,
    /// Files or records indexed again.
    pub changed: usize,
    /// Files or records that are gone, or no longer belong to the source.
    pub removed: usize,
    /// Files or records whose content is as it was indexed.
    pub unchanged: usize,
    /// Rows of a collection that are no records, each with a problem.
    #[serde(default)]
    pub refused: usize,
    /// Passages written in this run.
    pub passages: usize,
    /// Bytes read in this run.
    pub bytes: u64,
    /// What is wrong with files now, those not read in this run included; by path.
    pub problems: Vec<Problem>,
    /// Problems with rows beyond those that are listed.
    #[serde(default)]
    pub unlisted: usize,
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
    /// Which row of the file, where it holds records.
    #[serde(flatten)]
    pub at: Option<At>,
    /// The path of the field, where it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What is wrong, without a path of this machine.
    pub reason: String,
}

/// Which row of a file of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum At {
    /// The line it begins at, from 1.
    Line(u64),
    /// Which of the records it is, from 1.
    Record(u64),
}

impl fmt::Display for At {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::Line(number) => write!(formatter, "line {number}"),
            At::Record(number) => write!(formatter, "record {number}"),
        }
    }
}

impl Problem {
    /// A problem with a file or a folder as a whole.
    pub fn of(path: impl Into<String>, reason: impl Into<String>) -> Problem {
        Problem { path: path.into(), at: None, field: None, reason: reason.into() }
    }
}

impl Report {
    /// Notes a problem.
    pub(crate) fn problem(&mut self, path: &str, reason: impl Into<String>) {
        self.problems.push(Problem::of(path, reason));
    }

    /// Counts a file or a folder that is not indexed.
    pub(crate) fn skip(&mut self, reason: impl Into<String>) {
        *self.skipped.entry(reason.into()).or_default() += 1;
    }

    /// What this and another part of the run did.
    pub(crate) fn with(mut self, other: Report) -> Report {
        self.merge(other);
        self
    }

    /// Adds what another part of the run did.
    pub(crate) fn merge(&mut self, other: Report) {
        self.added += other.added;
        self.changed += other.changed;
        self.removed += other.removed;
        self.unchanged += other.unchanged;
        self.refused += other.refused;
        self.passages += other.passages;
        self.bytes += other.bytes;
        self.problems.extend(other.problems);
        self.unlisted += other.unlisted;
        for (reason, count) in other.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
    }
}
