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

/// The numbers of the feedback of records: how a query is moved towards what it finds.
///
/// NDCG@10 on four public collections of prose (cranfield, cisi, npl, nfcorpus), the mean over them:
/// **.389** with feedback, .383 without, .364 by words alone; on cosqa (questions and functions) .473,
/// .467 and .385.
pub mod feedback {
    /// The best records a query is moved towards. 5 do about as well, 10 worse.
    pub const RECORDS: usize = 3;
    /// How far, against the query itself. With .3 .388.
    pub const WEIGHT: f32 = 0.8;
}

/// The numbers of the ranking of code.
///
/// What each is worth was measured on 497 labelled queries about 25 repositories, as NDCG@10 over
/// passages, the mean over repositories: **.895** with all of it, .758 with the legs alone (at .7)
/// and [`FURTHER_PASSAGE`](super::FURTHER_PASSAGE). They were chosen by hand with all of them
/// in sight; two halves of the repositories gain .133 and .141.
pub mod code {
    /// Share of the meaning leg for plain language. With .7 for every kind of query .889, with .5
    /// .880.
    pub const MEANING: f32 = 0.75;
    /// Share of the meaning leg for plain language with names in it. With .75 .893.
    pub const MEANING_OF_MIXED: f32 = 0.8;
    /// Share of the meaning leg where the query is a name. Anything up to .3 does as well.
    pub const MEANING_OF_SYMBOL: f32 = 0.1;
    /// Share of the meaning leg for messages of failure. On 280 texts that stand in one file each,
    /// three in four of them announced as errors: .912, with .75 .878.
    pub const MEANING_OF_ERROR: f32 = 0.2;
    /// Added where the query says the whole name of the file. Without .845; .15 gives .887, .25
    /// .892.
    pub const FILE_NAME: f32 = 0.2;
    /// Added where the query gives the path of the file. No labelled query does.
    pub const FILE_PATH: f32 = 0.5;
    /// Added where the passage defines a name in the query. Without .883 (queries that are names:
    /// .946, with it .989).
    pub const DEFINES: f32 = 0.25;
    /// Added besides where what it defines is a type. Without .894.
    pub const DEFINES_TYPE: f32 = 0.05;
    /// Factor of what is rarely meant: tests, examples, documents, configuration, declarations.
    /// Without .885; .4 and .6 do as well.
    pub const ASIDE: f32 = 0.5;
    /// What the best passage of a file gains by the rest of the file, at most. Without .871; .1
    /// gives .891, .2 .893.
    pub const COHERENCE: f32 = 0.15;
    /// Factor of each further passage of a file. Without .871; .5 gives .894.
    pub const FURTHER_PASSAGE: f32 = 0.75;
}

/// The numbers of the ranking of documentation.
///
/// What each is worth was measured on 65 questions about the manuals of FastAPI and Python
/// (`bench/questions`), as NDCG@10 over pages: **.943** with all of it, .879 with the legs alone. On
/// 24 labelled questions about two other manuals, which had no part in the choice: .782 and .715.
pub mod pages {
    /// Share of the meaning leg. .7 gives .941, .8 .933.
    pub const MEANING: f32 = 0.75;
    /// Added where the query says the whole name of the page, and in proportion. Without .937; .1
    /// gives .942.
    pub const NAME: f32 = 0.05;
    /// What a page gains by each point of its further chunks above [`COHERENT_FROM`]. Without .910.
    pub const COHERENCE: f32 = 0.3;
    /// Scores up to this tell nothing about a page: most chunks of any page have them. .7 gives
    /// .932, .8 .946.
    pub const COHERENT_FROM: f32 = 0.75;
    /// How many further chunks count: long pages must not win by length. 2 and 4 give .940 and .936.
    pub const COHERENT_CHUNKS: usize = 3;
    /// Factor of what was new once (blogs, release notes), unless it is asked for. Without .935.
    pub const NEWS: f32 = 0.9;
}
