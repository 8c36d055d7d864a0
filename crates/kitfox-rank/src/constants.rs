//! Every number of the ranking, in one place.

/// Share of the meaning leg in a fused score; the rest is the word leg's. Of the weights tried, .7
/// was above BM25 alone on most public test collections and below it on none.
pub const MEANING_WEIGHT: f32 = 0.7;

/// Candidates each leg contributes to a search by words and meaning.
pub const HYBRID_DEPTH: usize = 200;

/// What each further passage of a file is multiplied by: the second by this, the third by its
/// square, so that ten results name many files.
pub const FURTHER_PASSAGE: f32 = 0.5;

/// Chunks of one document before other documents get their turn.
pub const TURN: usize = 3;
