//! The vocabulary every other crate speaks: text cut into words, documents, schemas, filters,
//! queries, errors, and the [`Engine`] contract.
//!
//! This crate knows no file system, no index format and no protocol. Plain types in, plain types
//! out; whatever is specific to tantivy, MCP or the command line lives further up.

mod collection;
mod column;
mod document;
mod engine;
mod error;
mod filter;
mod heading;
mod lexicon;
mod live;
mod near;
mod operator;
mod progress;
mod query;
mod schema;
mod terms;
mod text;
mod value;
mod write;

pub use collection::{Collection, Field, Parent, RecordState, Weight, sys};
pub use column::{Column, Columns};
pub use document::{Document, Part, Parts, Place, paths};
pub use engine::{
    Address, Candidate, Candidates, Damage, Engine, Group, Moving, Snapshot, Stats, Stored, Writer,
};
pub use error::{Error, Result};
pub use filter::{At, Case, Filter, Pattern, Test};
pub use heading::Heading;
pub use lexicon::{Language, Lexicon};
pub use live::{Live, LiveFiles, Passage, Rules, Unread};
pub use near::nearest;
pub use operator::{
    FilterError, FilterFault, MAX_FILTER_CONDITIONS, MAX_FILTER_DEPTH, MAX_FILTER_VALUES,
    OPERATORS, Operator, Takes, read_filter,
};
pub use progress::{IndexState, Phase, Progress};
pub use query::{
    Direction, Expression, Facet, Near, Order, Phrase, Position, Row, Scan, Search, Selection,
    Start, Term, WordPattern, WordQuery,
};
pub use schema::{FieldType, Schema, field_keys, field_path, push_key};
pub use terms::{Analyser, exact_word, misspelled_letters};
pub use text::{Text, Word, fold, is_stop_word};
pub use value::{Number, Point, Value};
pub use write::{Action, Change, Conflict, Flaw, Outcome, RecordWriter, WriteError, Written};
