//! The table of operators.

use std::ops::Bound::{Excluded, Included, Unbounded};

use super::{Meaning, Operator, Takes};
use crate::{At, Case, FieldType, Test};

const EVERY: &[FieldType] = FieldType::ALL;
const SCALARS: &[FieldType] = &[
    FieldType::Boolean,
    FieldType::Number,
    FieldType::String,
    FieldType::Date,
    FieldType::Time,
    FieldType::DateTime,
    FieldType::Point,
];
const ORDERED: &[FieldType] =
    &[FieldType::Number, FieldType::String, FieldType::Date, FieldType::Time, FieldType::DateTime];
const STRINGS: &[FieldType] = &[FieldType::String];
const POINTS: &[FieldType] = &[FieldType::Point];

/// Every operator there is. Parsing, errors and documentation follow this table.
///
/// Where a field has several values, one that satisfies an operator suffices, and a negated one holds
/// where none does. Where it has none, or null, only negated operators hold.
pub static OPERATORS: &[Operator] = &[
    Operator {
        name: "eq",
        takes: Takes::ValueOrNull,
        types: SCALARS,
        description: "Equal to the value; null means that the field is missing or null.",
        meaning: Meaning::OneOf,
        negated: false,
    },
    Operator {
        name: "ne",
        takes: Takes::ValueOrNull,
        types: SCALARS,
        description: "Not equal to the value; null means that the field is present.",
        meaning: Meaning::OneOf,
        negated: true,
    },
    Operator {
        name: "ieq",
        takes: Takes::Value,
        types: STRINGS,
        description: "Equal to the text, case aside.",
        meaning: Meaning::Like(At::Whole, Case::Folded),
        negated: false,
    },
    Operator {
        name: "gt",
        takes: Takes::Value,
        types: ORDERED,
        description: "Greater or later than the value; texts are ordered by code point.",
        meaning: Meaning::Compares(|value| Test::Between(Excluded(value), Unbounded)),
        negated: false,
    },
    Operator {
        name: "gte",
        takes: Takes::Value,
        types: ORDERED,
        description: "Greater or later than the value, or equal to it.",
        meaning: Meaning::Compares(|value| Test::Between(Included(value), Unbounded)),
        negated: false,
    },
    Operator {
        name: "lt",
        takes: Takes::Value,
        types: ORDERED,
        description: "Less or earlier than the value.",
        meaning: Meaning::Compares(|value| Test::Between(Unbounded, Excluded(value))),
        negated: false,
    },
    Operator {
        name: "lte",
        takes: Takes::Value,
        types: ORDERED,
        description: "Less or earlier than the value, or equal to it.",
        meaning: Meaning::Compares(|value| Test::Between(Unbounded, Included(value))),
        negated: false,
    },
    Operator {
        name: "between",
        takes: Takes::Pair,
        types: ORDERED,
        description: "Between both values or equal to one of them.",
        meaning: Meaning::Between,
        negated: false,
    },
    Operator {
        name: "in",
        takes: Takes::ListOrNull,
        types: SCALARS,
        description: "Equal to one of the values; null among them stands for missing or null.",
        meaning: Meaning::OneOf,
        negated: false,
    },
    Operator {
        name: "not_in",
        takes: Takes::ListOrNull,
        types: SCALARS,
        description: "Equal to none of the values; null among them stands for missing or null.",
        meaning: Meaning::OneOf,
        negated: true,
    },
    Operator {
        name: "iin",
        takes: Takes::List,
        types: STRINGS,
        description: "Equal to one of the texts, case aside.",
        meaning: Meaning::Like(At::Whole, Case::Folded),
        negated: false,
    },
    Operator {
        name: "contains",
        takes: Takes::Value,
        types: STRINGS,
        description: "A text with this text anywhere in it.",
        meaning: Meaning::Like(At::Anywhere, Case::Sensitive),
        negated: false,
    },
    Operator {
        name: "icontains",
        takes: Takes::Value,
        types: STRINGS,
        description: "A text with this text anywhere in it, case aside.",
        meaning: Meaning::Like(At::Anywhere, Case::Folded),
        negated: false,
    },
    Operator {
        name: "startswith",
        takes: Takes::Value,
        types: STRINGS,
        description: "A text that begins with this text.",
        meaning: Meaning::Like(At::Start, Case::Sensitive),
        negated: false,
    },
    Operator {
        name: "istartswith",
        takes: Takes::Value,
        types: STRINGS,
        description: "A text that begins with this text, case aside.",
        meaning: Meaning::Like(At::Start, Case::Folded),
        negated: false,
    },
    Operator {
        name: "endswith",
        takes: Takes::Value,
        types: STRINGS,
        description: "A text that ends with this text.",
        meaning: Meaning::Like(At::End, Case::Sensitive),
        negated: false,
    },
    Operator {
        name: "iendswith",
        takes: Takes::Value,
        types: STRINGS,
        description: "A text that ends with this text, case aside.",
        meaning: Meaning::Like(At::End, Case::Folded),
        negated: false,
    },
    Operator {
        name: "includes",
        takes: Takes::Value,
        types: SCALARS,
        description: "An array with this value among its elements.",
        meaning: Meaning::OneOf,
        negated: false,
    },
    Operator {
        name: "not_includes",
        takes: Takes::Value,
        types: SCALARS,
        description: "No array with this value among its elements.",
        meaning: Meaning::OneOf,
        negated: true,
    },
    Operator {
        name: "includes_any",
        takes: Takes::List,
        types: SCALARS,
        description: "An array with at least one of these values among its elements.",
        meaning: Meaning::OneOf,
        negated: false,
    },
    Operator {
        name: "includes_all",
        takes: Takes::List,
        types: SCALARS,
        description: "An array with each of these values among its elements.",
        meaning: Meaning::AllOf,
        negated: false,
    },
    Operator {
        name: "exists",
        takes: Takes::Flag,
        types: EVERY,
        description: "Present and not null ([] and \"\" exist); false asks for the opposite.",
        meaning: Meaning::Exists,
        negated: false,
    },
    Operator {
        name: "is_empty",
        takes: Takes::Flag,
        types: EVERY,
        description: "Missing, null, \"\", [] or {}; false asks for the opposite.",
        meaning: Meaning::IsEmpty,
        negated: false,
    },
    Operator {
        name: "within_radius",
        takes: Takes::Circle,
        types: POINTS,
        description: "A place at most `km` kilometres from {lat, lon}, along a great circle.",
        meaning: Meaning::Within,
        negated: false,
    },
    Operator {
        name: "within_box",
        takes: Takes::Box,
        types: POINTS,
        description: "A place in the box, edges included; a west greater than the east crosses the \
            180th meridian.",
        meaning: Meaning::Inside,
        negated: false,
    },
];
