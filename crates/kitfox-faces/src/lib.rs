//! The faces: the typed requests an agent can make of code, documentation and records, and their
//! answers.
//!
//! A face turns one request into a search of the engine and the result into the answer its seed
//! tool promises. It knows no protocol, no file system and no index format: live files come through
//! [`kitfox_core::LiveFiles`], indexes through [`kitfox_core::Engine`], and whoever serves the faces
//! converts at its own edge.
//!
//! Every search, of either face and of the command line, goes through one function (`search.rs`).

#![expect(
    clippy::result_large_err,
    reason = "an error is the whole answer of a request, made once and never in a loop"
)]

mod code;
mod docs;
mod error;
mod everything;
pub mod limits;
mod records;
mod search;
mod source;

#[cfg(test)]
mod fake;
#[cfg(test)]
mod tests;

pub use code::{
    Artifact, ArtifactRead, ArtifactsAnswer, CodeAnswer, CodeHit, Definition, DefinitionsAnswer,
    FileSkeleton, FindRelated, LanguageCount, MapAnswer, MapDirectory, MapSymbol, Match,
    MatchesAnswer, Project, ProjectMap, ProjectsAnswer, ReadArtifacts, SearchArtifacts,
    SearchSkeletons, SemanticSearch, SkeletonAnswer, SkeletonItem, Syntax, Tests,
};
pub use docs::{
    CategoriesAnswer, Category, Chunk, DocFile, DocHit, DocsAnswer, Link, ReadAnswer, ReadDoc,
    SearchDoc, SearchType,
};
pub use error::FaceError;
pub use everything::AnyHit;
pub use kitfox_core::{MAX_FILTER_CONDITIONS, OPERATORS};
pub use kitfox_rank::{Legs, Reasons};
pub use records::{
    Embedding, ExecutionInfo, FacetAnswer, FacetValue, FieldInfo, GetRecord, Highlight, Page,
    Placeholder, QueryRecords, Record, RecordAnswer, RecordSearch, RecordSys, RecordsAnswer,
    RecordsRequest, ResourceAnswer, ResourceInfo, ResourcesAnswer, SearchRecords, Total, Truncated,
    Truncation, WriteAnswer, WriteRecord, rfc3339,
};
pub use source::{Faces, IndexStatus, Kind, Settings, Source};
