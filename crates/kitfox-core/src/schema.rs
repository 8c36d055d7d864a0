//! What the fields of a record are, and the values a record is filtered, ordered and counted by.

mod flatten;
mod instant;
mod path;
mod typed;

use std::collections::BTreeMap;
use std::fmt;

pub use path::{field_keys, field_path, push_key};
pub(crate) use typed::{LATITUDE, LONGITUDE};

use crate::Value;

/// The fields records of one kind can be filtered by: paths and their types.
///
/// A path is the keys on the way to a value, joined by dots (see [`field_path`]). Arrays are
/// transparent: their elements, and those of arrays in them, stand at the path of the array, the
/// members of objects in them below it. A record may have values at paths its schema does not know;
/// they cannot be asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    fields: BTreeMap<String, FieldType>,
}

/// What the values of a field are. Records are not held to it: a value of another kind is kept as
/// what it is in JSON.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum FieldType {
    /// True or false.
    Boolean,
    /// A number of any size, with or without a fraction.
    Number,
    /// A text.
    String,
    /// A day, `2024-06-01`: its midnight in UTC. A datetime is kept as its own instant.
    Date,
    /// A time of day, `HH:MM[:SS[.fraction]][offset]`. With an offset it is the same time in UTC, the
    /// next or previous day's included (`23:30-01:00` is `00:30`); without one it is as written.
    Time,
    /// An RFC 3339 date-time, to the nanosecond. Without an offset it is read as UTC, without seconds
    /// as the full minute; a bare date is its midnight in UTC.
    DateTime,
    /// A place on earth, an object with the numbers `lat` and `lon`, in degrees. Both belong to the
    /// point and are no paths of their own; other members of the object are.
    Point,
    /// An object, or an array of objects, whose members have paths of their own.
    Object,
}

impl Schema {
    /// The type of the field at a path; none where there is no such field.
    pub fn field_type(&self, path: &str) -> Option<FieldType> {
        self.fields.get(path).copied()
    }

    /// Every path with its type, ordered by path.
    pub fn fields(&self) -> impl Iterator<Item = (&str, FieldType)> {
        self.fields.iter().map(|(path, of_type)| (path.as_str(), *of_type))
    }

    /// The values of a record, each with its path, once each, in order.
    ///
    /// A value has the type of its field if it fits, else the one it has in JSON. Every array or
    /// object is seen: [`Value::Empty`] with nothing in it, [`Value::Filled`] for an object with
    /// members and for an array whose elements do not show that they are there (`[""]`). What is
    /// nested more than 128 deep is not looked into. Only an object has values.
    pub fn values(&self, data: &serde_json::Value) -> Vec<(String, Value)> {
        flatten::flatten(self, data)
    }
}

impl<Path: Into<String>> FromIterator<(Path, FieldType)> for Schema {
    fn from_iter<Fields: IntoIterator<Item = (Path, FieldType)>>(fields: Fields) -> Schema {
        let fields = fields.into_iter().map(|(path, of_type)| (path.into(), of_type));
        Schema { fields: fields.collect() }
    }
}

impl FieldType {
    /// Every type.
    pub const ALL: &[FieldType] = &[
        FieldType::Boolean,
        FieldType::Number,
        FieldType::String,
        FieldType::Date,
        FieldType::Time,
        FieldType::DateTime,
        FieldType::Point,
        FieldType::Object,
    ];

    /// Its name: `boolean`, `number`, `string`, `date`, `time`, `datetime`, `point`, `object`.
    pub fn name(self) -> &'static str {
        match self {
            FieldType::Boolean => "boolean",
            FieldType::Number => "number",
            FieldType::String => "string",
            FieldType::Date => "date",
            FieldType::Time => "time",
            FieldType::DateTime => "datetime",
            FieldType::Point => "point",
            FieldType::Object => "object",
        }
    }
}

impl fmt::Display for FieldType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
