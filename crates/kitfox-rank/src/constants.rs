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

/// The numbers of the ranking of code.
pub mod code {
    /// Share of the meaning leg for plain language.
    pub const MEANING: f32 = 0.75;
    /// Share of the meaning leg for plain language with names in it.
    pub const MEANING_OF_MIXED: f32 = 0.8;
    /// Share of the meaning leg where the query is a name.
    pub const MEANING_OF_SYMBOL: f32 = 0.1;
    /// Added where the query says the whole name of the file.
    pub const FILE_NAME: f32 = 0.2;
    /// Added where the query gives the path of the file.
    pub const FILE_PATH: f32 = 0.5;
    /// Added where the passage defines a name in the query.
    pub const DEFINES: f32 = 0.25;
    /// Added besides where what it defines is a type.
    pub const DEFINES_TYPE: f32 = 0.05;
    /// Factor of what is rarely meant: tests, examples, documents, configuration, declarations.
    pub const ASIDE: f32 = 0.5;
    /// What the best passage of a file gains by the rest of the file, at most.
    pub const COHERENCE: f32 = 0.15;
    /// Factor of each further passage of a file.
    pub const FURTHER_PASSAGE: f32 = 0.75;
}
