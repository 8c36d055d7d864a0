//! What can be asked of an engine.

use std::collections::BTreeSet;

use crate::{Address, Analyser, Columns, Filter, Lexicon, Text, Value};

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
    /// Which of the rows are wanted.
    pub start: Start,
    /// Rows of the page.
    pub limit: usize,
}

/// Where a page lies. A position need not be that of a document that still exists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// At the first row.
    #[default]
    First,
    /// Right after a position: where the page before ended.
    After(Position),
    /// Right before a position: the last rows that come before it, in the same order.
    Before(Position),
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

/// What text matches, and whose words are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordQuery {
    /// What matches.
    pub pattern: WordPattern,
    /// Each word is looked for as one of any of these; all words of a phrase, and of what stands near
    /// it, are of the same.
    pub lexicons: Vec<Lexicon>,
}

/// How words are matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordPattern {
    /// Any word of a plain-language text, ranked by BM25 over words, stems and identifier parts.
    Any(String),
    /// A boolean expression over words, ranked by BM25.
    Match(Expression),
}

/// A boolean expression over words. They are given as written; the engine folds them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// Phrases near one another in one column.
    Near(Near),
    /// A word or another form of it, anywhere: its stem is one of the scoring terms. A text of no
    /// word or of several matches nothing.
    Stem(String),
    /// Both sides match.
    And(Box<Expression>, Box<Expression>),
    /// At least one side matches.
    Or(Box<Expression>, Box<Expression>),
    /// The left side matches and the right does not.
    Not(Box<Expression>, Box<Expression>),
}

/// One or more phrases that all stand in one column, in any order and near one another: from the
/// end of each to the start of the last there are at most `within` words. They may overlap. No
/// phrases, or one without words, match nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    /// What stands near one another; a single phrase is near itself.
    pub phrases: Vec<Phrase>,
    /// Words between two of them at most.
    pub within: u32,
    /// Where they may stand.
    pub columns: Columns,
}

/// Words one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phrase {
    /// The words.
    pub terms: Vec<Term>,
    /// Whether it only counts at the beginning of a column.
    pub is_first: bool,
}

/// A word of a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The word as [`crate::Text`] cuts it.
    pub word: String,
    /// Whether a word only needs to begin like this.
    pub is_prefix: bool,
}

impl WordQuery {
    /// Any word of a plain-language text.
    pub fn any(text: impl Into<String>) -> WordQuery {
        WordQuery { pattern: WordPattern::Any(text.into()), lexicons: vec![Lexicon::default()] }
    }

    /// A boolean expression over words.
    pub fn matching(expression: Expression) -> WordQuery {
        WordQuery { pattern: WordPattern::Match(expression), lexicons: vec![Lexicon::default()] }
    }

    /// The same among other words.
    pub fn among(self, lexicons: &[Lexicon]) -> WordQuery {
        WordQuery { lexicons: lexicons.to_vec(), ..self }
    }

    /// The distinct terms an any-word query for a text looks for.
    pub fn terms_of(&self, text: &str) -> BTreeSet<String> {
        let analysers = self.lexicons.iter().map(Analyser::of);
        analysers.flat_map(|analyser| analyser.query_terms(text)).collect()
    }

    /// What a single word is looked for as: its stem in each of the lexicons.
    pub fn stems_of(&self, word: &str) -> BTreeSet<String> {
        self.lexicons.iter().filter_map(|lexicon| Analyser::of(lexicon).stem_of(word)).collect()
    }
}

impl Expression {
    /// A phrase in the columns in which bare words are looked for.
    pub fn phrase(phrase: Phrase) -> Expression {
        Expression::Near(Near { phrases: vec![phrase], within: 0, columns: Columns::BARE })
    }
}

impl Phrase {
    /// The words of a text; with `is_prefix`, the last only needs to begin like this.
    pub fn of(text: &str, is_prefix: bool) -> Phrase {
        let text = Text::new(text);
        let term = |word| Term { word: text.word(word).to_owned(), is_prefix: false };
        let mut terms: Vec<Term> = text.words().iter().map(term).collect();
        if let Some(last) = terms.last_mut() {
            last.is_prefix = is_prefix;
        }
        Phrase { terms, is_first: false }
    }
}
