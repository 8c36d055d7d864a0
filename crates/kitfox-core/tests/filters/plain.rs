//! Filters evaluated straight on the JSON of a record, by the words of their definition. Nothing here
//! uses a value, a filter or a date of the crate: it is what the crate is compared with.

mod clock;
mod compare;

use serde_json::{Map, Value as Json};

use compare::{equal, fits, kilometres, number, order};

/// What the values of a field are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Boolean,
    Number,
    String,
    Date,
    Time,
    DateTime,
    Point,
    Object,
}

/// The filter is not one.
#[derive(Debug, PartialEq)]
pub struct Refused;

type Outcome = Result<bool, Refused>;

/// Whether a record passes a list of filters on these fields.
pub fn passes(fields: &[(&str, Kind)], filters: &Json, record: &Json) -> Outcome {
    let mut question = Question { fields, record, conditions: 0 };
    let outcomes = question.list(filters, 0)?;
    match question.conditions <= 256 {
        true => Ok(!outcomes.contains(&false)),
        false => Err(Refused),
    }
}

/// The elements that stand at a path.
pub fn elements<'a>(record: &'a Json, path: &str) -> Vec<&'a Json> {
    let (mut standing, mut elements) = (Vec::new(), Vec::new());
    find(record, &keys(path), &mut standing);
    standing.into_iter().for_each(|json| unpack(json, &mut elements));
    elements
}

struct Question<'a> {
    fields: &'a [(&'a str, Kind)],
    record: &'a Json,
    conditions: usize,
}

impl Question<'_> {
    fn list(&mut self, filters: &Json, depth: usize) -> Result<Vec<bool>, Refused> {
        let filters = filters.as_array().ok_or(Refused)?;
        filters.iter().map(|filter| self.one(filter, depth)).collect()
    }

    fn one(&mut self, filter: &Json, depth: usize) -> Outcome {
        let members = filter.as_object().ok_or(Refused)?;
        let names: Vec<&str> = members.keys().map(String::as_str).collect();
        let group = |name: &str| match (names.as_slice() == [name], depth < 8) {
            (true, true) => Ok(&members[name]),
            _ => Err(Refused),
        };
        if names.contains(&"any_of") {
            let outcomes = self.list(group("any_of")?, depth + 1)?;
            return (!outcomes.is_empty()).then(|| outcomes.contains(&true)).ok_or(Refused);
        }
        if names.contains(&"all_of") {
            let outcomes = self.list(group("all_of")?, depth + 1)?;
            return (!outcomes.is_empty()).then(|| !outcomes.contains(&false)).ok_or(Refused);
        }
        if names.contains(&"not") {
            return Ok(!self.one(group("not")?, depth + 1)?);
        }
        if names.iter().any(|name| !["field", "op", "value"].contains(name)) {
            return Err(Refused);
        }
        self.conditions += 1;
        self.condition(members)
    }

    fn condition(&self, members: &Map<String, Json>) -> Outcome {
        let field = members.get("field").and_then(Json::as_str).ok_or(Refused)?;
        let operator = members.get("op").map_or(Some("eq"), Json::as_str).ok_or(Refused)?;
        let operand = members.get("value").ok_or(Refused)?;
        let known = self.fields.iter().find(|(path, _)| *path == field);
        let (path, kind) = *known.ok_or(Refused)?;
        if !applies(operator, kind) {
            return Err(Refused);
        }
        let mut standing = Vec::new();
        find(self.record, &keys(path), &mut standing);
        Field { kind, standing }.holds(operator, operand)
    }
}

fn applies(operator: &str, kind: Kind) -> bool {
    match operator {
        "exists" | "is_empty" => true,
        "eq" | "ne" | "in" | "not_in" | "includes" | "not_includes" | "includes_any"
        | "includes_all" => kind != Kind::Object,
        "gt" | "gte" | "lt" | "lte" | "between" => {
            !matches!(kind, Kind::Boolean | Kind::Point | Kind::Object)
        }
        "ieq" | "iin" | "contains" | "icontains" | "startswith" | "istartswith" | "endswith"
        | "iendswith" => kind == Kind::String,
        "within_radius" | "within_box" => kind == Kind::Point,
        _ => false,
    }
}

/// The keys of a path.
fn keys(path: &str) -> Vec<String> {
    let mut keys = vec![String::new()];
    let mut characters = path.chars();
    while let Some(c) = characters.next() {
        match c {
            '.' => keys.push(String::new()),
            '\\' => keys.last_mut().unwrap().extend(characters.next()),
            c => keys.last_mut().unwrap().push(c),
        }
    }
    keys
}

/// Everything that stands where these keys lead.
fn find<'a>(json: &'a Json, keys: &[String], standing: &mut Vec<&'a Json>) {
    match (json, keys) {
        (json, []) => standing.push(json),
        (Json::Array(elements), keys) => {
            elements.iter().for_each(|element| find(element, keys, standing));
        }
        (Json::Object(members), [key, keys @ ..]) => {
            members.get(key).into_iter().for_each(|member| find(member, keys, standing));
        }
        _ => {}
    }
}

/// A field and all that stands there in a record.
struct Field<'a> {
    kind: Kind,
    standing: Vec<&'a Json>,
}

impl Field<'_> {
    fn holds(&self, operator: &str, operand: &Json) -> Outcome {
        match operator {
            "eq" if operand.is_null() => Ok(!self.exists()),
            "ne" if operand.is_null() => Ok(self.exists()),
            "eq" | "includes" => self.equals(operand),
            "ne" | "not_includes" => Ok(!self.equals(operand)?),
            "in" => self.is_one_of(operand),
            "not_in" => Ok(!self.is_one_of(operand)?),
            "gt" => self.compares(operand, |order| order.is_gt()),
            "gte" => self.compares(operand, |order| order.is_ge()),
            "lt" => self.compares(operand, |order| order.is_lt()),
            "lte" => self.compares(operand, |order| order.is_le()),
            "between" => self.is_between(operand),
            "ieq" => self.is_text(operand, |text, wanted| fold(text) == fold(wanted)),
            "contains" => self.is_text(operand, |text, wanted| text.contains(wanted)),
            "icontains" => self.is_text(operand, |text, wanted| fold(text).contains(&fold(wanted))),
            "startswith" => self.is_text(operand, |text, wanted| text.starts_with(wanted)),
            "istartswith" => {
                self.is_text(operand, |text, wanted| fold(text).starts_with(&fold(wanted)))
            }
            "endswith" => self.is_text(operand, |text, wanted| text.ends_with(wanted)),
            "iendswith" => {
                self.is_text(operand, |text, wanted| fold(text).ends_with(&fold(wanted)))
            }
            "iin" => {
                let one = |wanted| self.holds("ieq", wanted);
                Ok(list(operand)?.iter().map(one).collect::<Result<Vec<_>, _>>()?.contains(&true))
            }
            "includes_any" => {
                let one = |wanted| self.equals(wanted);
                Ok(list(operand)?.iter().map(one).collect::<Result<Vec<_>, _>>()?.contains(&true))
            }
            "includes_all" => {
                let one = |wanted| self.equals(wanted);
                Ok(!list(operand)?.iter().map(one).collect::<Result<Vec<_>, _>>()?.contains(&false))
            }
            "exists" => Ok(self.exists() == operand.as_bool().ok_or(Refused)?),
            "is_empty" => Ok(self.is_empty() == operand.as_bool().ok_or(Refused)?),
            "within_radius" => self.is_within_radius(operand),
            "within_box" => self.is_within_box(operand),
            _ => Err(Refused),
        }
    }

    /// Present and not null.
    fn exists(&self) -> bool {
        self.standing.iter().any(|json| !json.is_null())
    }

    /// Absent, null, "", [] or {}.
    fn is_empty(&self) -> bool {
        self.standing.iter().all(|json| match json {
            Json::Null => true,
            Json::String(text) => text.is_empty(),
            Json::Array(elements) => elements.is_empty(),
            Json::Object(members) => members.is_empty(),
            _ => false,
        })
    }

    /// Whether some element is of the field's kind and passes.
    fn some(&self, passes: impl Fn(&Json) -> bool) -> bool {
        let mut elements = Vec::new();
        self.standing.iter().copied().for_each(|json| unpack(json, &mut elements));
        elements.into_iter().any(|element| fits(self.kind, element) && passes(element))
    }

    fn equals(&self, wanted: &Json) -> Outcome {
        self.check(wanted)?;
        Ok(self.some(|element| equal(self.kind, element, wanted)))
    }

    fn is_one_of(&self, wanted: &Json) -> Outcome {
        let one = |wanted| self.holds("eq", wanted);
        Ok(list(wanted)?.iter().map(one).collect::<Result<Vec<_>, _>>()?.contains(&true))
    }

    fn compares(&self, wanted: &Json, holds: fn(std::cmp::Ordering) -> bool) -> Outcome {
        self.check(wanted)?;
        Ok(self.some(|element| holds(order(self.kind, element, wanted))))
    }

    fn is_between(&self, wanted: &Json) -> Outcome {
        let [low, high] = wanted.as_array().ok_or(Refused)?.as_slice() else {
            return Err(Refused);
        };
        self.check(low)?;
        self.check(high)?;
        if order(self.kind, low, high).is_gt() {
            return Err(Refused);
        }
        Ok(self.some(|element| {
            order(self.kind, element, low).is_ge() && order(self.kind, element, high).is_le()
        }))
    }

    fn is_text(&self, wanted: &Json, holds: fn(&str, &str) -> bool) -> Outcome {
        let wanted = wanted.as_str().ok_or(Refused)?;
        Ok(self.some(|element| element.as_str().is_some_and(|text| holds(text, wanted))))
    }

    fn is_within_radius(&self, circle: &Json) -> Outcome {
        let [lat, lon, km] = numbers(circle, ["lat", "lon", "km"])?;
        if lat.abs() > 90.0 || lon.abs() > 180.0 || km <= 0.0 {
            return Err(Refused);
        }
        Ok(self.some(|place| {
            kilometres((lat, lon), (number(&place["lat"]), number(&place["lon"]))) <= km
        }))
    }

    fn is_within_box(&self, corners: &Json) -> Outcome {
        let [south, west, north, east] = numbers(corners, ["south", "west", "north", "east"])?;
        let is_wrong =
            |latitude: f64, longitude: f64| latitude.abs() > 90.0 || longitude.abs() > 180.0;
        if is_wrong(south, west) || is_wrong(north, east) || south > north {
            return Err(Refused);
        }
        Ok(self.some(|place| {
            let (latitude, longitude) = (number(&place["lat"]), number(&place["lon"]));
            let (is_east_of_west, is_west_of_east) = (longitude >= west, longitude <= east);
            let crosses = west > east;
            south <= latitude
                && latitude <= north
                && (is_east_of_west && is_west_of_east
                    || crosses && (is_east_of_west || is_west_of_east))
        }))
    }

    /// Whether the field can be compared with this.
    fn check(&self, wanted: &Json) -> Result<(), Refused> {
        let is_exact = self.kind != Kind::Point || numbers(wanted, ["lat", "lon"]).is_ok();
        (is_exact && fits(self.kind, wanted)).then_some(()).ok_or(Refused)
    }
}

/// The elements of arrays and of arrays in them.
fn unpack<'a>(json: &'a Json, elements: &mut Vec<&'a Json>) {
    match json {
        Json::Array(inner) => inner.iter().for_each(|json| unpack(json, elements)),
        json => elements.push(json),
    }
}

fn list(operand: &Json) -> Result<&Vec<Json>, Refused> {
    let list = operand.as_array().ok_or(Refused)?;
    (1..=1000).contains(&list.len()).then_some(list).ok_or(Refused)
}

/// The numbers of an object that has these members and no others.
fn numbers<const COUNT: usize>(json: &Json, names: [&str; COUNT]) -> Result<[f64; COUNT], Refused> {
    let members = json.as_object().filter(|members| members.len() == COUNT).ok_or(Refused)?;
    let number = |name| members.get(name).and_then(Json::as_f64).ok_or(Refused);
    let numbers: Vec<f64> = names.into_iter().map(number).collect::<Result<_, _>>()?;
    numbers.try_into().map_err(|_| Refused)
}

fn fold(text: &str) -> String {
    unicase::UniCase::unicode(text).to_folded_case()
}
