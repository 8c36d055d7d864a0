//! Random filters.

use fastrand::Rng;
use serde_json::{Map, Value as Json, json};

use super::record::value;
use super::{COORDINATES, FIELDS, OPERATORS, any_scalar, chance, pick, scalar};
use crate::plain::{Kind, elements};

/// A list of filters for a record, most of them one condition.
pub fn filters(rng: &mut Rng, record: &Json) -> Json {
    let mut filters = Filters { rng, record };
    match filters.rng.u32(..100) {
        0 => any_scalar(filters.rng),
        1 => json!([]),
        2..=24 => (0..filters.rng.usize(1..4)).map(|_| filters.one(0)).collect(),
        _ => json!([filters.condition()]),
    }
}

struct Filters<'a> {
    rng: &'a mut Rng,
    record: &'a Json,
}

impl Filters<'_> {
    /// A condition or a group.
    fn one(&mut self, depth: usize) -> Json {
        match self.rng.u32(..12) {
            0..=1 if depth < 4 => json!({"any_of": self.some(depth + 1)}),
            2..=3 if depth < 4 => json!({"all_of": self.some(depth + 1)}),
            4..=5 if depth < 4 => json!({"not": self.one(depth + 1)}),
            6 if depth == 0 && chance(self.rng, 20) => self.nested(),
            7 if chance(self.rng, 5) => {
                json!({"not": self.condition(), "any_of": [self.condition()]})
            }
            8 if chance(self.rng, 5) => any_scalar(self.rng),
            _ => self.condition(),
        }
    }

    fn some(&mut self, depth: usize) -> Json {
        let least = if chance(self.rng, 98) { 1 } else { 0 };
        (0..self.rng.usize(least..4)).map(|_| self.one(depth)).collect()
    }

    fn nested(&mut self) -> Json {
        let depth = self.rng.usize(6..11);
        (0..depth).fold(self.condition(), |inner, _| json!({"not": inner}))
    }

    fn condition(&mut self) -> Json {
        let operator = *pick(self.rng, OPERATORS);
        let (path, kind) = self.field(operator);
        let value = match chance(self.rng, 95) {
            true => self.operand(operator, path, kind),
            false => value(self.rng, kind, 0),
        };
        let mut condition = Map::new();
        condition.insert("field".to_owned(), json!(path));
        condition.insert("op".to_owned(), json!(operator));
        condition.insert("value".to_owned(), value);
        self.distort(operator, &mut condition);
        Json::Object(condition)
    }

    /// Mostly a field that has the operator.
    fn field(&mut self, operator: &str) -> (&'static str, Kind) {
        let fits = |kind: Kind| match operator {
            "within_radius" | "within_box" => kind == Kind::Point,
            "exists" | "is_empty" => true,
            "gt" | "gte" | "lt" | "lte" | "between" => {
                !matches!(kind, Kind::Boolean | Kind::Point | Kind::Object)
            }
            "eq" | "ne" | "in" | "not_in" | "includes" | "not_includes" | "includes_any"
            | "includes_all" => kind != Kind::Object,
            _ => kind == Kind::String,
        };
        let fitting: Vec<_> = FIELDS.iter().filter(|(_, kind)| fits(*kind)).collect();
        match chance(self.rng, 95) {
            true => **pick(self.rng, &fitting),
            false => *pick(self.rng, FIELDS),
        }
    }

    fn operand(&mut self, operator: &str, path: &str, kind: Kind) -> Json {
        match operator {
            "exists" | "is_empty" => self.rng.bool().into(),
            "between" => self.pair(path, kind),
            "within_radius" => self.circle(),
            "within_box" => self.corners(),
            "in" | "not_in" | "iin" | "includes_any" => self.list(operator, path, kind, 6),
            "includes_all" => self.list(operator, path, kind, 3),
            "eq" | "ne" if chance(self.rng, 10) => Json::Null,
            _ => self.scalar(path, kind),
        }
    }

    /// Something that may stand in a field, often something that does.
    fn scalar(&mut self, path: &str, kind: Kind) -> Json {
        if chance(self.rng, 50) {
            return scalar(self.rng, kind);
        }
        let standing = elements(self.record, path);
        match self.rng.choice(standing) {
            Some(Json::String(text)) if kind == Kind::String => self.similar(text).into(),
            Some(json) => json.clone(),
            None => scalar(self.rng, kind),
        }
    }

    /// A text or a part of it, perhaps in another case.
    fn similar(&mut self, text: &str) -> String {
        let characters: Vec<char> = text.chars().collect();
        let start = if self.rng.bool() { 0 } else { self.rng.usize(..=characters.len()) };
        let end = if self.rng.bool() {
            characters.len()
        } else {
            self.rng.usize(start..=characters.len())
        };
        let part: String = characters[start..end].iter().collect();
        match self.rng.u32(..4) {
            0 => part.to_uppercase(),
            1 => part.to_lowercase(),
            _ => part,
        }
    }

    fn pair(&mut self, path: &str, kind: Kind) -> Json {
        let (low, high) = (self.scalar(path, kind), self.scalar(path, kind));
        let is_reversed = low.as_f64() > high.as_f64() || low.as_str() > high.as_str();
        match is_reversed && chance(self.rng, 90) {
            true => json!([high, low]),
            false => json!([low, high]),
        }
    }

    fn list(&mut self, operator: &str, path: &str, kind: Kind, most: usize) -> Json {
        let length = match chance(self.rng, 98) {
            true => self.rng.usize(1..most),
            false => *pick(self.rng, &[0, 0, 0, 0, 0, 0, 0, 0, 1000, 1001]),
        };
        let nulls = if operator.ends_with("in") { 6 } else { 1 };
        let mut element = || match chance(self.rng, nulls) {
            true => Json::Null,
            false => self.scalar(path, kind),
        };
        (0..length).map(|_| element()).collect()
    }

    fn circle(&mut self) -> Json {
        let (lat, lon) = *pick(self.rng, COORDINATES);
        let km = pick(self.rng, &[0.5, 120.0, 500.0, 9_000.0, 20_100.0, 0.0]);
        json!({"lat": lat, "lon": lon, "km": km})
    }

    fn corners(&mut self) -> Json {
        let ((south, west), (north, east)) =
            (*pick(self.rng, COORDINATES), *pick(self.rng, COORDINATES));
        match chance(self.rng, 90) {
            true => {
                let (south, north) = (south.min(north), south.max(north));
                json!({"south": south, "west": west, "north": north, "east": east})
            }
            false => json!({"south": south, "west": west, "north": north, "east": east}),
        }
    }

    /// Now and then a condition lacks what it needs or has what it should not have.
    fn distort(&mut self, operator: &str, members: &mut Map<String, Json>) {
        if operator == "eq" && chance(self.rng, 30) {
            members.remove("op");
        }
        let mut set = |name: &str, json| drop(members.insert(name.to_owned(), json));
        match self.rng.u32(..400) {
            0 => set("field", json!("nothing")),
            1 => set("op", json!("like")),
            2 => set("op", Json::Null),
            3 => set("values", json!([])),
            4 => set("any_of", Json::Null),
            5 => drop(members.remove("value")),
            6 => drop(members.remove("field")),
            _ => {}
        }
    }
}
