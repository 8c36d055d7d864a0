//! Why a filter was refused, and how to say it right.

use serde_json::Value as Json;

use crate::FieldType;

/// A filter that was refused. Its text says where and why in a sentence; the fields say the same to a
/// program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {fault}")]
#[non_exhaustive]
pub struct FilterError {
    /// Where in what was given: `filters[2].any_of[0].value[1]`, or `value[1]` where a single
    /// condition was given.
    pub at: String,
    /// What is wrong there.
    pub fault: Box<FilterFault>,
}

/// What is wrong with a filter. Names from the input are cut where they are very long.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FilterFault {
    /// The schema has no such field.
    #[error("there is no field `{field}`{}", did_you_mean(near))]
    UnknownField {
        /// As given.
        field: String,
        /// The nearest fields there are, best first.
        near: Vec<String>,
    },
    /// The field is there, and no filter may name it.
    #[error("`{field}` cannot be filtered by: {reason}")]
    Unfilterable {
        /// As given.
        field: String,
        /// Why not, and what to do instead.
        reason: String,
    },
    /// There is no such operator.
    #[error("there is no operator `{operator}`{}", did_you_mean_or_has(near, *of_type, field, allowed))]
    UnknownOperator {
        /// As given.
        operator: String,
        /// The nearest operators of the field, best first.
        near: Vec<String>,
        /// The field it was to be applied to.
        field: String,
        /// The type of the field.
        of_type: FieldType,
        /// The operators of that type.
        allowed: Vec<&'static str>,
    },
    /// Fields of this type do not have this operator.
    #[error("the {of_type} field `{field}` has no operator `{operator}`; it has {}", list(allowed))]
    Inapplicable {
        /// The operator.
        operator: &'static str,
        /// The field.
        field: String,
        /// The type of the field.
        of_type: FieldType,
        /// The operators of that type.
        allowed: Vec<&'static str>,
    },
    /// The value is not one the operator takes.
    #[error("`{operator}` on the {of_type} field `{field}` takes {expected}, not {found}")]
    Operand {
        /// The operator.
        operator: &'static str,
        /// The field.
        field: String,
        /// The type of the field.
        of_type: FieldType,
        /// What it takes here.
        expected: String,
        /// What was given.
        found: String,
    },
    /// A list of values is empty or too long.
    #[error("`{operator}` takes a list of 1 to {most} values, not of {found}")]
    ListLength {
        /// The operator.
        operator: &'static str,
        /// How many values were given.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// A range ends before it begins.
    #[error("`{operator}` on `{field}` takes the lower value first: {low} lies above {high}")]
    Reversed {
        /// The operator.
        operator: &'static str,
        /// The field.
        field: String,
        /// What was given as the lower value.
        low: String,
        /// What was given as the higher value.
        high: String,
    },
    /// An object has a member that means nothing.
    #[error("there is no `{member}` here{}", did_you_mean_or_members(near, allowed))]
    UnknownMember {
        /// As given.
        member: String,
        /// The nearest members there are, best first.
        near: Vec<String>,
        /// The members there may be.
        allowed: &'static [&'static str],
    },
    /// An object lacks a member.
    #[error("`{member}` is missing")]
    MissingMember {
        /// Which.
        member: &'static str,
    },
    /// Something else stands where a condition, a list of them or a name is expected.
    #[error("this must be {expected}, not {found}")]
    Shape {
        /// What is expected.
        expected: &'static str,
        /// What was given.
        found: String,
    },
    /// A condition is several things at once.
    #[error(
        "a condition has either `field`, `op` and `value` or one of `any_of`, `all_of` and `not`, \
        not {} together",
        list(found)
    )]
    Ambiguous {
        /// The members that do not go together.
        found: Vec<&'static str>,
    },
    /// A group without a condition.
    #[error("`{group}` needs at least one condition")]
    EmptyGroup {
        /// Which group.
        group: &'static str,
    },
    /// Groups within groups within groups.
    #[error("groups are nested at most {most} deep")]
    TooDeep {
        /// How deep they may be.
        most: usize,
    },
    /// Too many conditions.
    #[error("there may be at most {most} conditions, those in groups included")]
    TooMany {
        /// How many there may be.
        most: usize,
    },
}

/// Near names an error offers at most.
const NEAR: usize = 3;
/// Characters of a name from the input an error repeats at most.
const REPEATED: usize = 200;
/// Characters of a value from the input an error repeats at most.
const SHOWN: usize = 60;

impl FilterError {
    /// A fault in a part of a condition: `field`, `op` or `value`.
    pub fn new(at: impl Into<String>, fault: FilterFault) -> FilterError {
        FilterError { at: at.into(), fault: Box::new(fault) }
    }

    /// The same error, where all that was given is itself a part of something.
    pub(super) fn within(mut self, place: &str) -> FilterError {
        let separator = if self.at.is_empty() || self.at.starts_with('[') { "" } else { "." };
        self.at = format!("{place}{separator}{}", self.at);
        self
    }
}

/// The known names nearest to one, best first.
pub(super) fn near<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let (name, _) = cut(name, REPEATED);
    crate::nearest(name, known, NEAR).into_iter().map(str::to_owned).collect()
}

/// A name from the input, cut where it is very long.
pub(super) fn short(name: &str) -> String {
    let (start, ellipsis) = cut(name, REPEATED);
    format!("{start}{ellipsis}")
}

/// A value from the input as an error shows it.
pub(super) fn shown(json: &Json) -> String {
    match json {
        Json::Array(elements) => format!("a list of {}", elements.len()),
        Json::Object(_) => "an object".to_owned(),
        Json::String(text) => {
            let (start, ellipsis) = cut(text, SHOWN);
            format!("{}{ellipsis}", Json::from(start))
        }
        scalar => scalar.to_string(),
    }
}

fn cut(text: &str, most: usize) -> (&str, &'static str) {
    match text.char_indices().nth(most) {
        Some((end, _)) => (&text[..end], "…"),
        None => (text, ""),
    }
}

fn did_you_mean(near: &[String]) -> String {
    match near {
        [] => String::new(),
        near => format!("; did you mean {}?", quoted(near).join(" or ")),
    }
}

fn did_you_mean_or_has(
    near: &[String],
    of_type: FieldType,
    field: &str,
    allowed: &[&str],
) -> String {
    match near {
        [] => format!("; the {of_type} field `{field}` has {}", list(allowed)),
        near => did_you_mean(near),
    }
}

fn did_you_mean_or_members(near: &[String], allowed: &[&str]) -> String {
    match near {
        [] => format!("; there may be {}", list(allowed)),
        near => did_you_mean(near),
    }
}

fn list(names: &[&str]) -> String {
    match quoted(names).as_slice() {
        [] => String::new(),
        [name] => name.clone(),
        [names @ .., last] => format!("{} and {last}", names.join(", ")),
    }
}

fn quoted<Name: AsRef<str>>(names: &[Name]) -> Vec<String> {
    names.iter().map(|name| format!("`{}`", name.as_ref())).collect()
}
