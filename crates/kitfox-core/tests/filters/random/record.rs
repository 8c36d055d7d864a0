//! Random records.

use fastrand::Rng;
use serde_json::{Map, Value as Json, json};

use super::{any_scalar, chance, scalar};
use crate::plain::Kind;

/// A record with some of the fields.
pub fn record(rng: &mut Rng) -> Json {
    let mut record = Map::new();
    let author = |rng: &mut Rng| {
        let mut author = Map::new();
        insert(rng, &mut author, "born", Kind::Date);
        insert(rng, &mut author, "name", Kind::String);
        Json::Object(author)
    };
    let item = |rng: &mut Rng| {
        let mut item = Map::new();
        insert(rng, &mut item, r"back\slash", Kind::Number);
        insert(rng, &mut item, "opens", Kind::Time);
        insert(rng, &mut item, "price", Kind::Number);
        insert(rng, &mut item, "tags", Kind::String);
        Json::Object(item)
    };
    let system = |rng: &mut Rng| {
        let mut system = Map::new();
        insert(rng, &mut system, "created_at", Kind::DateTime);
        Json::Object(system)
    };
    let dotted = |rng: &mut Rng| {
        let mut dotted = Map::new();
        insert(rng, &mut dotted, "", Kind::Number);
        Json::Object(dotted)
    };
    insert_objects(rng, &mut record, "_sys", system);
    insert_objects(rng, &mut record, "author", author);
    insert_objects(rng, &mut record, "items", item);
    insert_objects(rng, &mut record, "", dotted);
    for (key, kind) in [
        ("a.b", Kind::String),
        ("count", Kind::Number),
        ("day", Kind::Date),
        ("flag", Kind::Boolean),
        ("name", Kind::String),
        ("opens", Kind::Time),
        ("places", Kind::Point),
        ("tags", Kind::String),
        ("when", Kind::DateTime),
    ] {
        insert(rng, &mut record, key, kind);
    }
    Json::Object(record)
}

fn insert(rng: &mut Rng, members: &mut Map<String, Json>, key: &str, kind: Kind) {
    if chance(rng, 80) {
        let value = value(rng, kind, 0);
        members.insert(key.to_owned(), value);
    }
}

/// Objects, alone, in an array, in arrays of arrays, or something else in their place.
fn insert_objects(
    rng: &mut Rng,
    members: &mut Map<String, Json>,
    key: &str,
    object: impl Fn(&mut Rng) -> Json,
) {
    let value = match rng.u32(..10) {
        0 => return,
        1 => value(rng, Kind::Object, 0),
        2..=4 => object(rng),
        5 => json!([[object(rng)], [], object(rng)]),
        _ => (0..rng.usize(..4)).map(|_| object(rng)).collect(),
    };
    members.insert(key.to_owned(), value);
}

/// What stands in a field: mostly of its kind, sometimes of another, sometimes arrays.
pub(super) fn value(rng: &mut Rng, kind: Kind, depth: usize) -> Json {
    match rng.u32(..20) {
        0 => Json::Null,
        1 => json!([]),
        2 => json!({}),
        3 => json!(""),
        4 => any_scalar(rng),
        5 => json!({"x": any_scalar(rng)}),
        6..=9 if depth < 3 => (0..rng.usize(1..4)).map(|_| value(rng, kind, depth + 1)).collect(),
        _ => scalar(rng, kind),
    }
}
