//! Conditions on the values of a document.

use std::ops::Bound;

use crate::{Point, Value};

/// A condition on a document's values. It restricts both legs of a search and never changes an
/// order.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Filter {
    /// Every document.
    #[default]
    All,
    /// Some value at this path passes the test. A document without values there never passes.
    Any(String, Test),
    /// All hold; an empty list matches everything.
    And(Vec<Filter>),
    /// At least one holds; an empty list matches nothing.
    Or(Vec<Filter>),
    /// The inner condition does not hold.
    Not(Box<Filter>),
}

/// What one value is tested for.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// It is not null.
    Present,
    /// It is neither null nor empty (see [`Value::is_something`]).
    Something,
    /// It equals one of these; an empty list matches nothing.
    In(Vec<Value>),
    /// It lies between these bounds and is of their kind. Without any bound, or with bounds of two
    /// kinds, nothing passes.
    Between(Bound<Value>, Bound<Value>),
    /// It is a text that matches.
    Like(Pattern),
    /// It is this path or lies below it: `auth` matches `auth/x.rs`, never `auth2/x.rs`. The empty
    /// path is the root and matches every text.
    Below(String),
    /// It is a place at most so far away.
    Within {
        /// The middle.
        center: Point,
        /// Great-circle distance in kilometres.
        kilometres: f64,
    },
    /// It is a place in this box, edges included. A box whose western edge lies east of its eastern
    /// one crosses the 180th meridian.
    Inside {
        /// The south-western corner.
        south_west: Point,
        /// The north-eastern corner.
        north_east: Point,
    },
}

/// What a text must look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Where `text` must stand.
    pub at: At,
    /// What must stand there.
    pub text: String,
    /// Whether case counts.
    pub case: Case,
}

/// Where in a text another stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// It is the whole text.
    Whole,
    /// At its start.
    Start,
    /// At its end.
    End,
    /// Anywhere.
    Anywhere,
}

/// Whether case counts when texts are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// It does.
    Sensitive,
    /// Texts are compared after full Unicode case folding.
    Folded,
}

impl Filter {
    /// Some value at the path is this text.
    pub fn is(path: &str, text: &str) -> Filter {
        Filter::one_of(path, [text])
    }

    /// Some value at the path is one of these texts.
    pub fn one_of<'a>(path: &str, texts: impl IntoIterator<Item = &'a str>) -> Filter {
        Filter::Any(path.to_owned(), Test::In(texts.into_iter().map(Value::from).collect()))
    }

    /// Some value at the path is this path or lies below it, see [`Test::Below`].
    pub fn below(path: &str, folder: &str) -> Filter {
        Filter::Any(path.to_owned(), Test::Below(folder.to_owned()))
    }

    /// Some value at the path begins with this text.
    pub fn starts_with(path: &str, text: &str) -> Filter {
        let pattern = Pattern { at: At::Start, text: text.to_owned(), case: Case::Sensitive };
        Filter::Any(path.to_owned(), Test::Like(pattern))
    }

    /// Whether a document with these values, each with its path, passes: the definition every engine
    /// must agree with.
    pub fn passes(&self, values: &[(String, Value)]) -> bool {
        match self {
            Filter::All => true,
            Filter::Any(path, test) => {
                values.iter().any(|(at, value)| at == path && test.passes(value))
            }
            Filter::And(filters) => filters.iter().all(|filter| filter.passes(values)),
            Filter::Or(filters) => filters.iter().any(|filter| filter.passes(values)),
            Filter::Not(inner) => !inner.passes(values),
        }
    }
}

impl Test {
    /// Whether a value passes.
    pub fn passes(&self, value: &Value) -> bool {
        match (self, value) {
            (Test::Present, value) => *value != Value::Null,
            (Test::Something, value) => value.is_something(),
            (Test::In(values), value) => values.contains(value),
            (Test::Between(low, high), value) => is_between(low, high, value),
            (Test::Like(pattern), Value::Text(text)) => pattern.matches(text),
            (Test::Below(folder), Value::Text(text)) => is_below(folder, text),
            (Test::Within { center, kilometres }, Value::Point(point)) => {
                center.distance_km(*point) <= *kilometres
            }
            (Test::Inside { south_west, north_east }, Value::Point(point)) => {
                is_inside(*south_west, *north_east, *point)
            }
            _ => false,
        }
    }
}

fn is_between(low: &Bound<Value>, high: &Bound<Value>, value: &Value) -> bool {
    let kind = |bound: &Bound<Value>| match bound {
        Bound::Included(bound) | Bound::Excluded(bound) => {
            Some(std::mem::discriminant(bound) == std::mem::discriminant(value))
        }
        Bound::Unbounded => None,
    };
    let of_its_kind = match (kind(low), kind(high)) {
        (None, None) => false,
        (low, high) => low.unwrap_or(true) && high.unwrap_or(true),
    };
    let above = match low {
        Bound::Included(low) => value >= low,
        Bound::Excluded(low) => value > low,
        Bound::Unbounded => true,
    };
    let below = match high {
        Bound::Included(high) => value <= high,
        Bound::Excluded(high) => value < high,
        Bound::Unbounded => true,
    };
    of_its_kind && above && below
}

fn is_below(folder: &str, path: &str) -> bool {
    folder.is_empty()
        || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn is_inside(south_west: Point, north_east: Point, point: Point) -> bool {
    let (west, east) = (south_west.longitude(), north_east.longitude());
    let longitude = point.longitude();
    let between = match west <= east {
        true => west <= longitude && longitude <= east,
        false => west <= longitude || longitude <= east,
    };
    between && (south_west.latitude()..=north_east.latitude()).contains(&point.latitude())
}

impl Pattern {
    /// Whether a text matches.
    pub fn matches(&self, text: &str) -> bool {
        match self.case {
            Case::Sensitive => self.at.holds(text, &self.text),
            Case::Folded => self.at.holds(&fold_case(text), &fold_case(&self.text)),
        }
    }
}

impl At {
    fn holds(self, text: &str, wanted: &str) -> bool {
        match self {
            At::Whole => text == wanted,
            At::Start => text.starts_with(wanted),
            At::End => text.ends_with(wanted),
            At::Anywhere => text.contains(wanted),
        }
    }
}

/// Full Unicode case folding.
fn fold_case(text: &str) -> String {
    unicase::UniCase::unicode(text).to_folded_case()
}
