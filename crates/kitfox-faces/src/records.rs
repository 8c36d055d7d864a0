//! The records face: collections, searching and reading records.

mod cursor;
mod discover;
mod facets;
mod filter;
mod frozen;
mod get;
mod list;
mod populate;
mod query;
mod render;
mod resource;
mod search;
mod types;
mod words;
mod write;

pub(crate) use frozen::Frozen;
pub use render::rfc3339;
pub use types::{
    Embedding, ExecutionInfo, FacetAnswer, FacetValue, FieldInfo, GetRecord, Highlight, Page,
    Placeholder, QueryRecords, Record, RecordAnswer, RecordSearch, RecordSys, RecordsAnswer,
    RecordsRequest, ResourceAnswer, ResourceInfo, ResourcesAnswer, SearchRecords, Total, Truncated,
    Truncation, WriteAnswer, WriteRecord,
};
