//! The operators of filters: what each takes, what it applies to, and the condition it makes.

mod condition;
mod error;
mod list;
mod operand;
mod table;

pub use error::{FilterError, FilterFault};
pub use list::{MAX_FILTER_CONDITIONS, MAX_FILTER_DEPTH, read_filter};
pub use operand::MAX_FILTER_VALUES;
pub use table::OPERATORS;

use crate::{At, Case, FieldType, Test, Value};

/// One operator: a row of [`OPERATORS`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Operator {
    /// What a filter calls it.
    pub name: &'static str,
    /// What it compares with.
    pub takes: Takes,
    /// The types of fields it applies to.
    pub types: &'static [FieldType],
    /// When it holds, in one sentence.
    pub description: &'static str,
    meaning: Meaning,
    /// Whether it holds exactly where its meaning does not.
    negated: bool,
}

/// What an operator compares with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Takes {
    /// One value of the field's type.
    Value,
    /// One value of the field's type, or null.
    ValueOrNull,
    /// A list of 1 to [`MAX_FILTER_VALUES`] values of the field's type.
    List,
    /// The same, with null among the values.
    ListOrNull,
    /// Two values of the field's type, the lower first.
    Pair,
    /// True or false.
    Flag,
    /// `{lat, lon, km}`: a place in degrees, and a distance above 0 in kilometres.
    Circle,
    /// `{south, west, north, east}` in degrees, edges included. A box whose west is greater than its
    /// east crosses the 180th meridian.
    Box,
}

/// What an operator asks of the values at a path.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    /// Some value is among those of the operand.
    OneOf,
    /// Each value of the operand is there.
    AllOf,
    /// Some value is a text like one of the operand's.
    Like(At, Case),
    /// Some value passes a test made of the operand's.
    Compares(fn(Value) -> Test),
    /// Some value lies between both of the operand.
    Between,
    /// What the operand says of being present is so.
    Exists,
    /// What the operand says of being empty is so.
    IsEmpty,
    /// Some value is a place within the circle.
    Within,
    /// Some value is a place within the box.
    Inside,
}

impl Operator {
    /// The operator of this name.
    pub fn named(name: &str) -> Option<&'static Operator> {
        OPERATORS.iter().find(|operator| operator.name == name)
    }

    /// Whether it holds exactly where something else does not: for every value, not for some.
    pub fn is_negated(&self) -> bool {
        self.negated
    }

    /// Whether fields of this type have it.
    pub fn applies_to(&self, of_type: FieldType) -> bool {
        self.types.contains(&of_type)
    }
}

impl FieldType {
    /// The operators fields of this type have, in the order of [`OPERATORS`].
    pub fn operators(self) -> impl Iterator<Item = &'static Operator> {
        OPERATORS.iter().filter(move |operator| operator.applies_to(self))
    }
}

impl Takes {
    /// What must be given where the field is of this type, as errors and documentation say it: `a
    /// list of two numbers, the lower first`.
    pub fn describe(self, of_type: FieldType) -> String {
        let (one, many) = (operand::one(of_type), operand::many(of_type));
        match self {
            Takes::Value => one.to_owned(),
            Takes::ValueOrNull => format!("{one}, or null"),
            Takes::List => format!("a list of 1 to {MAX_FILTER_VALUES} {many}"),
            Takes::ListOrNull => format!("a list of 1 to {MAX_FILTER_VALUES} {many} or nulls"),
            Takes::Pair => format!("a list of two {many}, the lower first"),
            Takes::Flag => "true or false".to_owned(),
            Takes::Circle => "an object {lat, lon, km}, in degrees and kilometres".to_owned(),
            Takes::Box => "an object {south, west, north, east}, in degrees".to_owned(),
        }
    }
}
