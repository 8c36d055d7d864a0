//! A record as values at paths.

use serde_json::{Map, Value as Json};

use super::path::push_key;
use super::typed::{LATITUDE, LONGITUDE, by_kind, point};
use super::{FieldType, Schema};
use crate::Value;

/// JSON's parsers stop here too.
const MAX_DEPTH: usize = 128;

pub(super) fn flatten(schema: &Schema, data: &Json) -> Vec<(String, Value)> {
    let mut record = Flattener { schema, path: String::new(), depth: 0, values: Vec::new() };
    if let Json::Object(members) = data {
        record.members(members);
    }
    // A thousand objects in an array all say that it is filled.
    record.values.sort_unstable();
    record.values.dedup();
    record.values
}

struct Flattener<'a> {
    schema: &'a Schema,
    /// Where in the record we are.
    path: String,
    /// In how many objects and arrays.
    depth: usize,
    values: Vec<(String, Value)>,
}

/// Whether what was pushed at a path shows that there is something.
#[derive(PartialEq)]
enum Shows {
    Something,
    Nothing,
}

impl Flattener<'_> {
    fn members<'m>(&mut self, members: impl IntoIterator<Item = (&'m String, &'m Json)>) {
        for (key, member) in members {
            let length = self.path.len();
            if self.depth > 0 {
                self.path.push('.');
            }
            push_key(&mut self.path, key);
            let of_type = self.schema.field_type(&self.path);
            self.depth += 1;
            self.value(member, of_type);
            self.depth -= 1;
            self.path.truncate(length);
        }
    }

    fn value(&mut self, json: &Json, of_type: Option<FieldType>) -> Shows {
        match json {
            Json::Array(elements) => self.array(elements, of_type),
            Json::Object(members) => self.object(members, of_type),
            scalar => match of_type.and_then(|of_type| of_type.read(scalar)).or(by_kind(scalar)) {
                Some(value) => self.push(value),
                None => Shows::Nothing,
            },
        }
    }

    fn array(&mut self, elements: &[Json], of_type: Option<FieldType>) -> Shows {
        if elements.is_empty() {
            return self.push(Value::Empty);
        }
        let mut shown = Shows::Nothing;
        if self.depth < MAX_DEPTH {
            self.depth += 1;
            for element in elements {
                if self.value(element, of_type) == Shows::Something {
                    shown = Shows::Something;
                }
            }
            self.depth -= 1;
        }
        match shown {
            Shows::Something => Shows::Something,
            Shows::Nothing => self.push(Value::Filled),
        }
    }

    fn object(&mut self, members: &Map<String, Json>, of_type: Option<FieldType>) -> Shows {
        if members.is_empty() {
            return self.push(Value::Empty);
        }
        let place = of_type.filter(|of_type| *of_type == FieldType::Point).and(point(members));
        if self.depth < MAX_DEPTH {
            let is_own = |key: &str| place.is_none() || !matches!(key, LATITUDE | LONGITUDE);
            self.members(members.iter().filter(|(key, _)| is_own(key)));
        }
        self.push(place.map_or(Value::Filled, Value::Point))
    }

    fn push(&mut self, value: Value) -> Shows {
        let shows = if value.is_something() { Shows::Something } else { Shows::Nothing };
        self.values.push((self.path.clone(), value));
        shows
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Number, Point};

    fn schema() -> Schema {
        Schema::from_iter([
            ("count", FieldType::Number),
            ("day", FieldType::Date),
            ("place", FieldType::Point),
            ("tags", FieldType::String),
        ])
    }

    #[track_caller]
    fn check(data: Json, expected: &[(&str, Value)]) {
        let expected: Vec<_> =
            expected.iter().map(|(path, v)| (path.to_string(), v.clone())).collect();
        assert_eq!(schema().values(&data), expected, "values of {data}");
    }

    fn number(value: i64) -> Value {
        Value::Number(Number::from(value))
    }

    #[test]
    fn values_have_the_type_of_their_field_or_their_own() {
        check(json!({"count": 5, "other": 5}), &[("count", number(5)), ("other", number(5))]);
        check(json!({"count": "5"}), &[("count", "5".into())]);
        check(json!({"day": "1970-01-01"}), &[("day", Value::Time(0))]);
        check(
            json!({"day": "soon", "other": "1970-01-01"}),
            &[("day", "soon".into()), ("other", "1970-01-01".into())],
        );
        check(json!({"tags": null}), &[("tags", Value::Null)]);
        check(json!([1]), &[]);
        check(json!({}), &[]);
    }

    #[test]
    fn arrays_are_transparent() {
        check(json!({"tags": ["b", ["a", "b"]]}), &[("tags", "a".into()), ("tags", "b".into())]);
        check(
            json!({"a": [{"b": 1}, {"b": [2]}, 3]}),
            &[("a", Value::Filled), ("a", number(3)), ("a.b", number(1)), ("a.b", number(2))],
        );
    }

    #[test]
    fn marks_show_what_elements_do_not() {
        check(json!({"tags": []}), &[("tags", Value::Empty)]);
        check(json!({"tags": {}}), &[("tags", Value::Empty)]);
        check(json!({"tags": [[]]}), &[("tags", Value::Empty), ("tags", Value::Filled)]);
        check(json!({"tags": [{}]}), &[("tags", Value::Empty), ("tags", Value::Filled)]);
        check(json!({"tags": [null]}), &[("tags", Value::Null), ("tags", Value::Filled)]);
        check(json!({"tags": [""]}), &[("tags", Value::Filled), ("tags", "".into())]);
        check(json!({"tags": ["", "a"]}), &[("tags", "".into()), ("tags", "a".into())]);
        check(
            json!({"tags": [{"": {"x.y": 0}}]}),
            &[("tags", Value::Filled), ("tags.", Value::Filled), (r"tags..x\.y", number(0))],
        );
    }

    #[test]
    fn points_are_values_of_their_object() {
        let place = Value::Point(Point::new(1.0, 2.0).unwrap());
        check(json!({"place": {"lat": 1, "lon": 2}}), &[("place", place.clone())]);
        check(
            json!({"place": [{"lat": 1, "lon": 2, "of": "x"}]}),
            &[("place", place), ("place.of", "x".into())],
        );
        check(
            json!({"place": {"lat": 91, "lon": 2}}),
            &[("place", Value::Filled), ("place.lat", number(91)), ("place.lon", number(2))],
        );
        check(json!({"else": {"lat": 1}}), &[("else", Value::Filled), ("else.lat", number(1))]);
    }

    #[test]
    fn depth_is_bounded() {
        let mut arrays = json!(1);
        let mut objects = json!(1);
        for _ in 0..1_000 {
            arrays = Json::Array(vec![arrays]);
            objects = Json::Object([("a".to_owned(), objects)].into_iter().collect());
        }
        check(json!({"deep": arrays}), &[("deep", Value::Filled)]);
        assert_eq!(schema().values(&objects).len(), MAX_DEPTH);
    }
}
