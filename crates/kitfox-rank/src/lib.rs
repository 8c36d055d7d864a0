//! Ranking as pure functions: fusing the scores of two legs, spreading results over files, and
//! cutting snippets.
//!
//! Nothing here reads an index. Candidates come in, positions and scores go out, so that every rule
//! of ranking is tested without storage.

mod code;
mod constants;
mod diversity;
mod feedback;
mod files;
mod fusion;
mod pages;
mod reasons;
mod snippet;
mod terms;

pub use code::{CodeQuery, QueryKind, is_test_file, rank_code};
pub use constants::code::FURTHER_PASSAGE as FURTHER_PASSAGE_OF_CODE;
pub use constants::feedback::RECORDS as FEEDBACK_RECORDS;
pub use constants::{FURTHER_PASSAGE, HYBRID_DEPTH, MEANING_WEIGHT, TURN};
pub use diversity::{Ranked, diversify, take_turns};
pub use feedback::moved_towards;
pub use files::CandidateFile;
pub use fusion::{Legs, fuse, order};
pub use pages::{PageQuery, rank_pages};
pub use reasons::Reasons;
pub use snippet::{SNIPPET_WORDS, snippet};
