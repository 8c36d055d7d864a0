//! Candidates by the file they lie in.

use std::ops::Range;

/// A file with passages among the candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateFile {
    /// The positions of its candidates: they follow one another.
    pub candidates: Range<usize>,
    /// Whether it is of a code source.
    pub is_code: bool,
}
