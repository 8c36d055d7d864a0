//! What a request may ask for at most, and what it gets where it does not say.

/// Hits or results of one answer.
pub const RESULTS: usize = 50;
/// Hits of `semantic_search` where a request names no limit.
pub const DEFAULT_HITS: usize = 5;
/// Chunks one `read_doc` may be configured to return.
pub const CHUNKS: usize = 50;
/// Scopes of one request.
pub const SCOPES: usize = 20;
/// Globs of one request.
pub const GLOBS: usize = 20;
