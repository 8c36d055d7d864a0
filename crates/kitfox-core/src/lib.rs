//! The vocabulary every other crate speaks: text cut into words, documents, filters, queries,
//! errors, and the [`Engine`] contract.
//!
//! This crate knows no file system, no index format and no protocol. Plain types in, plain types
//! out; whatever is specific to tantivy, MCP or the command line lives further up.

mod document;
mod engine;
mod error;
mod live;
mod near;
mod progress;
mod query;
mod text;

pub use document::{Document, Field, Place};
pub use engine::{
    Address, Candidate, Candidates, Damage, Engine, Group, Snapshot, Stats, Stored, Writer,
};
pub use error::{Error, Result};
pub use live::{Live, LiveFiles, Passage};
pub use near::nearest;
pub use progress::{IndexState, Phase, Progress};
pub use query::{Expression, Filter, Search, WordQuery};
pub use text::{Text, Word, fold, is_stop_word};
