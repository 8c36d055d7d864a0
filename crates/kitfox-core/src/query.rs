//! What can be asked of an engine.

use crate::{Address, Filter, Value};

/// A search by words, by meaning, or by both.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Search {
    /// Restricts the candidates before either leg runs.
    pub filter: Filter,
    /// The word leg, if any.
    pub words: Option<WordQuery>,
    /// The meaning leg, if any: a unit vector of the engine's dimension.
    pub vector: Option<Vec<f32>>,
    /// How many of the best of each leg become candidates.
    pub depth: usize,
    /// Conditions that change nothing about what is found: each candidate tells which it meets.
    pub marks: Vec<Filter>,
}

/// Which documents: those that pass the filter and match the words, if there are any.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// A condition on values.
    pub filter: Filter,
    /// What the text must match.
    pub words: Option<WordQuery>,
}

impl Selection {
    /// Whatever passes a filter.
    pub fn of(filter: Filter) -> Selection {
        Selection { filter, words: None }
    }
}

/// A walk over documents in an exact order, page by page.
///
/// Rows are ordered by each of `order` in turn, then by group name, then by number. A document that
/// has several scalars at a path takes the place of the least of them in ascending order and of the
/// greatest in descending order; one that has none comes last either way.
#[derive(Clone, Debug, PartialEq)]
pub struct Scan {
    /// Which documents.
    pub selection: Selection,
    /// What they are ordered by, most important first.
    pub order: Vec<Order>,
    /// Where the page before ended: only what comes after is returned. The position need not be that
    /// of a document that still exists.
    pub after: Option<Position>,
    /// Rows of the page.
    pub limit: usize,
}

/// A path to order by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Whose scalars count.
    pub path: String,
    /// Which come first.
    pub direction: Direction,
}

/// Which values come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The least.
    Ascending,
    /// The greatest.
    Descending,
}

/// Where a document stands in a scan. It keeps its meaning from snapshot to snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// A value, or none, for each path of the order.
    pub values: Vec<Option<Value>>,
    /// The group.
    pub group: String,
    /// The number within the group.
    pub number: u32,
}

/// A document met by a scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// For [`crate::Snapshot::fetch`].
    pub address: Address,
    /// Where it stands: the next page begins after it.
    pub position: Position,
}

/// How the documents of a selection are spread over the scalars at one path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facet {
    /// The scalars most documents have, with how many have them; most frequent first, equals by
    /// value.
    pub top: Vec<(Value, usize)>,
    /// How many different scalars there are, those in `top` included.
    pub distinct: usize,
    /// The least scalar.
    pub least: Option<Value>,
    /// The greatest scalar.
    pub greatest: Option<Value>,
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
