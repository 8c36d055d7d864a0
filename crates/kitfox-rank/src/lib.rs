//! Ranking as pure functions: fusing the scores of two legs, spreading results over files, and
//! cutting snippets.
//!
//! Nothing here reads an index. Candidates come in, positions and scores go out, so that every rule
//! of ranking is tested without storage.

mod constants;
mod diversity;
mod fusion;
mod snippet;

pub use constants::{FURTHER_PASSAGE, HYBRID_DEPTH, MEANING_WEIGHT, TURN};
pub use diversity::{Ranked, diversify, take_turns};
pub use fusion::{fuse, order};
pub use snippet::{SNIPPET_WORDS, snippet};
