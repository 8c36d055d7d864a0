//! Scalars of JSON compared as what a field says they are.

use std::cmp::Ordering;

use serde_json::Value as Json;

use super::Kind;
use super::clock::{date_time, time_of_day};

/// Whether JSON is a value of this kind.
pub fn fits(kind: Kind, json: &Json) -> bool {
    match kind {
        Kind::Boolean => json.is_boolean(),
        Kind::Number => json.is_number(),
        Kind::String => json.is_string(),
        Kind::Date | Kind::DateTime => json.as_str().and_then(date_time).is_some(),
        Kind::Time => json.as_str().and_then(time_of_day).is_some(),
        Kind::Point => {
            let within = |name: &str, most| json[name].as_f64().is_some_and(|n| n.abs() <= most);
            within("lat", 90.0) && within("lon", 180.0)
        }
        Kind::Object => false,
    }
}

/// Whether two values of a kind are the same.
pub fn equal(kind: Kind, one: &Json, other: &Json) -> bool {
    match kind {
        Kind::Boolean => one == other,
        Kind::Point => ["lat", "lon"].iter().all(|name| number(&one[name]) == number(&other[name])),
        kind => order(kind, one, other).is_eq(),
    }
}

/// How two values of an ordered kind are ordered.
pub fn order(kind: Kind, one: &Json, other: &Json) -> Ordering {
    let text = |json: &Json| json.as_str().unwrap().to_owned();
    match kind {
        Kind::Number => exact_order(one, other),
        Kind::String => text(one).chars().cmp(text(other).chars()),
        Kind::Date | Kind::DateTime => date_time(&text(one)).cmp(&date_time(&text(other))),
        Kind::Time => time_of_day(&text(one)).cmp(&time_of_day(&text(other))),
        Kind::Boolean | Kind::Point | Kind::Object => panic!("a {kind:?} has no order"),
    }
}

fn exact_order(one: &Json, other: &Json) -> Ordering {
    match (integer(one), integer(other)) {
        (Some(one), Some(other)) => one.cmp(&other),
        (None, None) => number(one).partial_cmp(&number(other)).unwrap(),
        (Some(one), None) => integer_to_fraction(one, number(other)),
        (None, Some(other)) => integer_to_fraction(other, number(one)).reverse(),
    }
}

fn integer(json: &Json) -> Option<i128> {
    json.as_i64().map(i128::from).or_else(|| json.as_u64().map(i128::from))
}

fn integer_to_fraction(integer: i128, fraction: f64) -> Ordering {
    let floor = fraction.floor();
    let has_more = if fraction > floor { Ordering::Less } else { Ordering::Equal };
    integer.cmp(&(floor as i128)).then(has_more)
}

pub fn number(json: &Json) -> f64 {
    json.as_f64().unwrap()
}

/// The distance between two places, by the angle between their vectors.
pub fn kilometres(one: (f64, f64), other: (f64, f64)) -> f64 {
    let vector = |(latitude, longitude): (f64, f64)| {
        let (latitude, longitude) = (latitude.to_radians(), longitude.to_radians());
        [latitude.cos() * longitude.cos(), latitude.cos() * longitude.sin(), latitude.sin()]
    };
    let ([a, b, c], [x, y, z]) = (vector(one), vector(other));
    let cross = [b * z - c * y, c * x - a * z, a * y - b * x];
    let sine = cross.iter().map(|side| side * side).sum::<f64>().sqrt();
    6371.0088 * sine.atan2(a * x + b * y + c * z)
}
