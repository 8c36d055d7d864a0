//! Writing records: what may be asked of whoever keeps a collection, and what comes of it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// A change to one record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Tells the change from all others: one that comes twice, because its answer was lost, is done
    /// once.
    pub id: String,
    /// The key of the record.
    pub key: String,
    /// What is to become of it.
    pub action: Action,
    /// The revision it must have; else nothing is changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u64>,
}

/// What is to become of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// It is new.
    Create(Map<String, Json>),
    /// It is another from now on; it must be there.
    Replace(Map<String, Json>),
    /// It is this from now on, whether it is there or not.
    Put(Map<String, Json>),
    /// It is gone; it must be there.
    Delete,
}

/// A change that was made, and is durable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// The revision of the record now; of one that is gone, that of its end. The revisions of a key
    /// go up by one, also over its end, so that none is used twice.
    pub revision: u64,
    /// When the record was first written, in nanoseconds since 1970 UTC.
    pub created_at_ns: i64,
    /// When it was last changed, in nanoseconds since 1970 UTC.
    pub updated_at_ns: i64,
    /// Whether anything is other than before.
    pub is_changed: bool,
}

/// Why a change was not made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Conflict {
    /// There is a record of this key, with this revision.
    Exists(u64),
    /// There is none.
    Missing,
    /// It has another revision: this.
    Revision(u64),
}

/// What came of a change.
pub type Outcome = std::result::Result<Written, Conflict>;

/// Where and how data breaks the rules of its collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The path of the field; none where it is about the whole record.
    pub field: Option<String>,
    /// What is wrong.
    pub reason: String,
}

/// Why no change of several could be made or answered for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// Whoever keeps the records did not answer in time. The changes may have been made or not; to
    /// send them again, with the same ids, is safe.
    #[error(
        "whoever keeps the records did not answer in time; the change may have been made or not"
    )]
    NoAnswer,
    /// They were not made, for a reason without a path of this machine.
    #[error("{0}")]
    Refused(String),
}

/// Whoever records of a collection can be written through.
pub trait RecordWriter: Send + Sync {
    /// The path of the field with the key of a record; none where keys are apart from the data.
    fn key_field(&self) -> Option<&str>;

    /// All that is wrong with data as that of a record; empty where nothing is.
    ///
    /// # Errors
    /// Where the rules cannot be read.
    fn flaws(&self, data: &Map<String, Json>) -> std::result::Result<Vec<Flaw>, WriteError>;

    /// Makes changes, each or not, in their order. When this returns they are durable, and whoever
    /// asks from then on sees them.
    ///
    /// # Errors
    /// Where nothing can be said of any of them.
    fn write(&self, changes: Vec<Change>) -> std::result::Result<Vec<Outcome>, WriteError>;
}
