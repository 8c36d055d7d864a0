//! One JSON value as a value of a type.

use serde_json::{Map, Value as Json};

use super::{FieldType, instant};
use crate::{Number, Point, Value};

/// The members that make an object a point.
pub(crate) const LATITUDE: &str = "lat";
pub(crate) const LONGITUDE: &str = "lon";

impl FieldType {
    /// The value JSON stands for in a field of this type; none if it does not fit.
    pub fn read(self, json: &Json) -> Option<Value> {
        match (self, json) {
            (FieldType::Boolean, Json::Bool(value)) => Some(Value::Bool(*value)),
            (FieldType::Number, Json::Number(value)) => number(value).map(Value::Number),
            (FieldType::String, Json::String(text)) => Some(Value::Text(text.clone())),
            (FieldType::Date | FieldType::DateTime, Json::String(text)) => {
                instant::date_time(text).map(Value::Time)
            }
            (FieldType::Time, Json::String(text)) => instant::time_of_day(text).map(Value::Time),
            (FieldType::Point, Json::Object(members)) => point(members).map(Value::Point),
            _ => None,
        }
    }
}

/// The value of a scalar by its kind in JSON; none for arrays and objects.
pub(super) fn by_kind(json: &Json) -> Option<Value> {
    match json {
        Json::Null => Some(Value::Null),
        Json::Bool(value) => Some(Value::Bool(*value)),
        // A number beyond binary64 exists only where digits of any length are kept.
        Json::Number(value) => {
            Some(number(value).map_or_else(|| Value::Text(value.to_string()), Value::Number))
        }
        Json::String(text) => Some(Value::Text(text.clone())),
        Json::Array(_) | Json::Object(_) => None,
    }
}

/// The place an object stands for, whatever else is in it.
pub(super) fn point(members: &Map<String, Json>) -> Option<Point> {
    let degrees = |name| members.get(name).and_then(Json::as_f64);
    Point::new(degrees(LATITUDE)?, degrees(LONGITUDE)?)
}

fn number(json: &serde_json::Number) -> Option<Number> {
    let signed = json.as_i64().map(Number::from);
    let unsigned = || json.as_u64().map(Number::from);
    signed.or_else(unsigned).or_else(|| json.as_f64().and_then(Number::from_f64))
}
