//! What can be asked of an engine.

use crate::Field;

/// A condition on field values. It restricts both legs of a search and never changes an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filter {
    /// Every document.
    All,
    /// The value equals one of these; an empty list matches nothing.
    In(Field, Vec<String>),
    /// The value begins with this text.
    Prefix(Field, String),
    /// The value is this path or lies below it: `auth` matches `auth/x.rs`, never `auth2/x.rs`.
    /// The empty path is the root and matches everything.
    Below(Field, String),
    /// All hold; an empty list matches everything.
    And(Vec<Filter>),
    /// At least one holds; an empty list matches nothing.
    Or(Vec<Filter>),
    /// The inner condition does not hold.
    Not(Box<Filter>),
}

/// A search by words, by meaning, or by both.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// Restricts the candidates before either leg runs.
    pub filter: Filter,
    /// The word leg, if any.
    pub words: Option<WordQuery>,
    /// The meaning leg, if any: a unit vector of the engine's dimension.
    pub vector: Option<Vec<f32>>,
    /// How many of the best of each leg become candidates.
    pub depth: usize,
}

/// How words are matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordQuery {
    /// Any word of a plain-language text, ranked by BM25 over words, stems and identifier parts.
    Any(String),
    /// A boolean expression over exact (folded) words in text and heading, ranked by BM25.
    Match(Expression),
}

/// A boolean expression over exact words. Words are given as written; the engine folds them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// These words one after the other in one field; a single word is a phrase of one. With
    /// `prefix`, the last word only needs to begin like this. No words match nothing.
    Phrase {
        /// The words as [`crate::Text`] cuts them.
        words: Vec<String>,
        /// Whether the last word is a prefix.
        prefix: bool,
    },
    /// Both sides match.
    And(Box<Expression>, Box<Expression>),
    /// At least one side matches.
    Or(Box<Expression>, Box<Expression>),
    /// The left side matches and the right does not.
    Not(Box<Expression>, Box<Expression>),
}
