//! What an operator compares with, read from JSON.

use serde_json::{Map, Value as Json};

use super::error::{near, short, shown};
use super::{FilterError, FilterFault, Operator, Takes};
use crate::schema::{LATITUDE, LONGITUDE};
use crate::{FieldType, Point, Value};

/// Values a list operand has at most.
pub const MAX_FILTER_VALUES: usize = 1_000;

const KILOMETRES: &str = "km";
const SOUTH: &str = "south";
const WEST: &str = "west";
const NORTH: &str = "north";
const EAST: &str = "east";

const POINT: &[&str] = &[LATITUDE, LONGITUDE];
const CIRCLE: &[&str] = &[LATITUDE, LONGITUDE, KILOMETRES];
const BOX: &[&str] = &[SOUTH, WEST, NORTH, EAST];

/// What an operator was given, with all an error about it must say.
pub(super) struct Operand<'a> {
    pub field: &'a str,
    pub of_type: FieldType,
    pub operator: &'static Operator,
    pub json: &'a Json,
}

type Result<T> = std::result::Result<T, FilterError>;

impl Operand<'_> {
    /// The one value or the values of the list, and how many nulls there are beside them.
    pub fn values(&self) -> Result<(Vec<Value>, usize)> {
        let takes_null = matches!(self.operator.takes, Takes::ValueOrNull | Takes::ListOrNull);
        let elements = self.elements()?;
        let given = elements.len();
        let values: Vec<Value> = elements
            .into_iter()
            .filter(|(_, json)| !(takes_null && json.is_null()))
            .map(|(number, json)| self.value(number, json))
            .collect::<Result<_>>()?;
        let nulls = given - values.len();
        Ok((values, nulls))
    }

    /// The one text or the texts of the list.
    pub fn texts(&self) -> Result<Vec<String>> {
        let text = |(number, json): (Option<usize>, &Json)| match json {
            Json::String(text) => Ok(text.clone()),
            _ => Err(self.unfit(number, json)),
        };
        self.elements()?.into_iter().map(text).collect()
    }

    /// Two values, the second not below the first.
    pub fn pair(&self) -> Result<(Value, Value)> {
        let Some([low, high]) = self.json.as_array().map(Vec::as_slice) else {
            return Err(self.unfit(None, self.json));
        };
        let pair = (self.value(Some(0), low)?, self.value(Some(1), high)?);
        match pair.0 <= pair.1 {
            true => Ok(pair),
            false => Err(self.reversed(shown(low), shown(high))),
        }
    }

    pub fn flag(&self) -> Result<bool> {
        self.json.as_bool().ok_or_else(|| self.unfit(None, self.json))
    }

    /// A place and a distance in kilometres.
    pub fn circle(&self) -> Result<(Point, f64)> {
        let members = self.members(None, self.json, CIRCLE)?;
        let latitude = self.degrees(members, LATITUDE, 90.0)?;
        let longitude = self.degrees(members, LONGITUDE, 180.0)?;
        let center = self.point(latitude, longitude)?;
        let is_distance = |km: &f64| *km > 0.0 && km.is_finite();
        let kilometres = self.measure(members, KILOMETRES, "a number above 0", is_distance)?;
        Ok((center, kilometres))
    }

    /// The south-western and north-eastern corner.
    pub fn corners(&self) -> Result<(Point, Point)> {
        let members = self.members(None, self.json, BOX)?;
        let (south, north) =
            (self.degrees(members, SOUTH, 90.0)?, self.degrees(members, NORTH, 90.0)?);
        let (west, east) =
            (self.degrees(members, WEST, 180.0)?, self.degrees(members, EAST, 180.0)?);
        if south > north {
            return Err(self.reversed(south.to_string(), north.to_string()));
        }
        Ok((self.point(south, west)?, self.point(north, east)?))
    }

    /// The values it names, each with its number where they are those of a list.
    fn elements(&self) -> Result<Vec<(Option<usize>, &Json)>> {
        if !matches!(self.operator.takes, Takes::List | Takes::ListOrNull) {
            return Ok(vec![(None, self.json)]);
        }
        let list = self.json.as_array().ok_or_else(|| self.unfit(None, self.json))?;
        if list.is_empty() || list.len() > MAX_FILTER_VALUES {
            let (operator, found) = (self.operator.name, list.len());
            let fault = FilterFault::ListLength { operator, found, most: MAX_FILTER_VALUES };
            return Err(FilterError::new("value", fault));
        }
        Ok(list.iter().enumerate().map(|(number, json)| (Some(number), json)).collect())
    }

    fn value(&self, number: Option<usize>, json: &Json) -> Result<Value> {
        if self.of_type == FieldType::Point && json.is_object() {
            self.members(number, json, POINT)?;
        }
        self.of_type.read(json).ok_or_else(|| self.unfit(number, json))
    }

    /// The members of an object that has none but these.
    fn members<'j>(
        &self,
        number: Option<usize>,
        json: &'j Json,
        allowed: &'static [&'static str],
    ) -> Result<&'j Map<String, Json>> {
        let members = json.as_object().ok_or_else(|| self.unfit(number, json))?;
        match members.keys().find(|key| !allowed.contains(&key.as_str())) {
            Some(key) => {
                let near = near(key, allowed.iter().copied());
                let fault = FilterFault::UnknownMember { member: short(key), near, allowed };
                Err(FilterError::new(place(number), fault))
            }
            None => Ok(members),
        }
    }

    fn degrees(&self, members: &Map<String, Json>, name: &'static str, most: f64) -> Result<f64> {
        let expected = format!("a number from -{most} to {most}");
        self.measure(members, name, &expected, |degrees| degrees.abs() <= most)
    }

    fn measure(
        &self,
        members: &Map<String, Json>,
        name: &'static str,
        expected: &str,
        is_right: impl Fn(&f64) -> bool,
    ) -> Result<f64> {
        let at = format!("value.{name}");
        let Some(json) = members.get(name) else {
            return Err(FilterError::new("value", FilterFault::MissingMember { member: name }));
        };
        let wrong = || FilterError::new(at, self.fault(expected.to_owned(), json));
        json.as_f64().filter(is_right).ok_or_else(wrong)
    }

    fn point(&self, latitude: f64, longitude: f64) -> Result<Point> {
        Point::new(latitude, longitude).ok_or_else(|| self.unfit(None, self.json))
    }

    fn unfit(&self, number: Option<usize>, json: &Json) -> FilterError {
        let expected = match (number, self.operator.takes) {
            (Some(_), Takes::ListOrNull) => Takes::ValueOrNull.describe(self.of_type),
            (Some(_), _) => Takes::Value.describe(self.of_type),
            (None, takes) => takes.describe(self.of_type),
        };
        FilterError::new(place(number), self.fault(expected, json))
    }

    fn fault(&self, expected: String, found: &Json) -> FilterFault {
        FilterFault::Operand {
            operator: self.operator.name,
            field: self.field.to_owned(),
            of_type: self.of_type,
            expected,
            found: shown(found),
        }
    }

    fn reversed(&self, low: String, high: String) -> FilterError {
        let (operator, field) = (self.operator.name, self.field.to_owned());
        FilterError::new("value", FilterFault::Reversed { operator, field, low, high })
    }
}

/// One value of a type, for a person.
pub(super) fn one(of_type: FieldType) -> &'static str {
    match of_type {
        FieldType::Boolean => "true or false",
        FieldType::Number => "a number",
        FieldType::String => "a string",
        FieldType::Date | FieldType::DateTime => {
            "a date like \"2024-06-01\" or datetime like \"2024-06-01T12:00:00Z\""
        }
        FieldType::Time => "a time like \"12:00\" or \"12:00:00+02:00\"",
        FieldType::Point => "an object {lat, lon}, in degrees",
        FieldType::Object => "an object",
    }
}

/// Values of a type, for a person.
pub(super) fn many(of_type: FieldType) -> &'static str {
    match of_type {
        FieldType::Boolean => "booleans",
        FieldType::Number => "numbers",
        FieldType::String => "strings",
        FieldType::Date | FieldType::DateTime => "dates or datetimes",
        FieldType::Time => "times",
        FieldType::Point => "points {lat, lon}",
        FieldType::Object => "objects",
    }
}

fn place(number: Option<usize>) -> String {
    match number {
        Some(number) => format!("value[{number}]"),
        None => "value".to_owned(),
    }
}
