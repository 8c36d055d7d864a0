//! What a request may ask for at most, and what it gets where it does not say.

/// Hits or results of one answer.
pub const RESULTS: usize = 50;
/// Hits of `semantic_search` where a request names no limit.
pub const DEFAULT_HITS: usize = 5;
/// Chunks one `read_doc` may be configured to return.
pub const CHUNKS: usize = 50;
/// Files one `read_project_artifacts` may read.
pub const READS: usize = 20;
/// Bytes of text of one answer of the tools that read live files.
pub const READ_BYTES: usize = 60_000;
/// Lines `search_project_artifacts` finds where a request names no limit.
pub const DEFAULT_MATCHES: usize = 20;
/// Definitions `search_code_skeletons` returns where a request names no limit.
pub const DEFAULT_DEFINITIONS: usize = 10;
/// Levels of `get_file_skeleton` where a request names none.
pub const DEFAULT_DEPTH: usize = 2;
/// Levels of directories of `get_project_map` where a request names none.
pub const DEFAULT_MAP_DEPTH: usize = 3;
/// Levels of `get_file_skeleton` and `get_project_map` at most.
pub const DEPTH: usize = 10;
/// Records of a page.
pub const RECORDS: usize = 100;
/// Records of a page where a request does not say.
pub const DEFAULT_RECORDS: usize = 5;
/// Records one `get_record` reads.
pub const RECORDS_IN_FULL: usize = 20;
/// Fields one request counts the values of.
pub const FACETS: usize = 10;
/// Scopes of one request.
pub const SCOPES: usize = 20;
/// Globs of one request.
pub const GLOBS: usize = 20;
