//! Typed values: what documents are filtered, ordered and counted by.

use std::cmp::Ordering;
use std::fmt;

/// One value of a document at one path. Values are ordered by kind, in the order of this list, then
/// within their kind; texts by code point.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// JSON's null.
    Null,
    /// An array or object with nothing in it.
    Empty,
    /// An array or object with something in it.
    Filled,
    /// False before true.
    Bool(bool),
    /// A number.
    Number(Number),
    /// Nanoseconds since 1970 UTC for dates and datetimes, since midnight for times of day.
    Time(i128),
    /// A place on earth, ordered by latitude.
    Point(Point),
    /// A text, compared by code point, case included. Engines keep the first
    /// [`Value::MAX_TEXT_BYTES`] of it.
    Text(String),
}

impl Value {
    /// How much of a text is kept, up to a whole character: storage libraries count in 16 bits.
    pub const MAX_TEXT_BYTES: usize = 60_000;

    /// A text as engines keep it.
    pub fn kept(text: &str) -> &str {
        &text[..text.floor_char_boundary(Value::MAX_TEXT_BYTES)]
    }

    /// Whether this is a value of its own rather than a mark of what stands at the path.
    pub fn is_scalar(&self) -> bool {
        !matches!(self, Value::Null | Value::Empty | Value::Filled)
    }

    /// Whether this shows that its path is neither absent, null nor empty.
    pub fn is_something(&self) -> bool {
        match self {
            Value::Null | Value::Empty => false,
            Value::Text(text) => !text.is_empty(),
            _ => true,
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(Value::kept(text).to_owned())
    }
}

/// A finite number, compared exactly whether it was written as an integer or as a fraction.
///
/// It is the nearest binary64 and, for integers that have none, how far they are from it: 64-bit
/// integers lie within 1024 of a binary64.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    nearest: f64,
    rest: i16,
}

impl Number {
    /// A fraction; none unless it is finite.
    pub fn from_f64(value: f64) -> Option<Number> {
        // Adding zero turns -0 into 0.
        value.is_finite().then_some(Number { nearest: value + 0.0, rest: 0 })
    }

    /// The nearest binary64.
    pub fn nearest(self) -> f64 {
        self.nearest
    }

    /// What must be added to [`Number::nearest`], within ±1024.
    pub fn rest(self) -> i16 {
        self.rest
    }

    /// Puts both parts together again; none unless they are those of a number.
    pub fn from_parts(nearest: f64, rest: i16) -> Option<Number> {
        let number = Number { rest, ..Number::from_f64(nearest)? };
        (rest == 0 || number.integer().and_then(Number::from_integer) == Some(number))
            .then_some(number)
    }

    /// The integer it is, if it is one of at most 64 bits, signed or not.
    pub fn integer(self) -> Option<i128> {
        let fits = self.nearest.fract() == 0.0 && self.nearest.abs() <= 2f64.powi(64);
        fits.then_some(self.nearest as i128 + i128::from(self.rest))
    }

    fn from_integer(value: i128) -> Option<Number> {
        let nearest = value as f64;
        let rest = i16::try_from(value - nearest as i128).ok()?;
        Some(Number { nearest, rest })
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        let nearest = value as f64;
        // Within half of the largest distance between neighbours below 2^63, which is 1024.
        let rest = (i128::from(value) - nearest as i128) as i16;
        Number { nearest, rest }
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Number {
        let nearest = value as f64;
        // Within half of the largest distance between neighbours below 2^64, which is 2048.
        let rest = (i128::from(value) - nearest as i128) as i16;
        Number { nearest, rest }
    }
}

impl Eq for Number {}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        self.nearest.total_cmp(&other.nearest).then(self.rest.cmp(&other.rest))
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.integer() {
            Some(integer) => write!(formatter, "{integer}"),
            None => write!(formatter, "{}", self.nearest),
        }
    }
}

/// A place on earth in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    latitude: f64,
    longitude: f64,
}

/// The mean radius of the earth in kilometres (IUGG).
const EARTH_RADIUS_KM: f64 = 6371.0088;

impl Point {
    /// A place; none unless the latitude is within ±90 and the longitude within ±180 degrees.
    pub fn new(latitude: f64, longitude: f64) -> Option<Point> {
        let is_valid = (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude);
        is_valid.then_some(Point { latitude: latitude + 0.0, longitude: longitude + 0.0 })
    }

    /// Degrees north.
    pub fn latitude(self) -> f64 {
        self.latitude
    }

    /// Degrees east.
    pub fn longitude(self) -> f64 {
        self.longitude
    }

    /// The great-circle distance in kilometres on a sphere, by the haversine formula.
    pub fn distance_km(self, other: Point) -> f64 {
        let half = |degrees: f64| (degrees.to_radians() / 2.0).sin().powi(2);
        let haversine = half(other.latitude - self.latitude)
            + self.latitude.to_radians().cos()
                * other.latitude.to_radians().cos()
                * half(other.longitude - self.longitude);
        2.0 * EARTH_RADIUS_KM * haversine.sqrt().min(1.0).asin()
    }
}

impl Eq for Point {}

impl Ord for Point {
    fn cmp(&self, other: &Point) -> Ordering {
        let latitude = self.latitude.total_cmp(&other.latitude);
        latitude.then(self.longitude.total_cmp(&other.longitude))
    }
}

impl PartialOrd for Point {
    fn partial_cmp(&self, other: &Point) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_exactly() {
        let ascending = [
            Number::from(i64::MIN),
            Number::from(i64::MIN + 1),
            Number::from(-1i64),
            Number::from_f64(-0.5).unwrap(),
            Number::from(0i64),
            Number::from_f64(0.5).unwrap(),
            Number::from(9_007_199_254_740_992i64),
            Number::from(9_007_199_254_740_993i64),
            Number::from(i64::MAX - 1),
            Number::from(i64::MAX),
            Number::from(u64::MAX - 1),
            Number::from(u64::MAX),
        ];
        assert!(ascending.is_sorted_by(|a, b| a < b));
        for number in ascending {
            assert_eq!(Number::from_parts(number.nearest(), number.rest()), Some(number));
        }
        assert_eq!(Number::from_f64(-0.0), Some(Number::from(0i64)));
        assert_eq!(Number::from(7u64), Number::from_f64(7.0).unwrap());
        assert_eq!(Number::from_f64(f64::NAN), None);
        assert_eq!(Number::from_parts(0.5, 3), None);
        assert_eq!(Number::from(u64::MAX).to_string(), "18446744073709551615");
    }

    #[test]
    fn distances() {
        let place = |latitude, longitude| Point::new(latitude, longitude).unwrap();
        let (paris, london) = (place(48.8566, 2.3522), place(51.5074, -0.1278));
        assert!((paris.distance_km(london) - 343.6).abs() < 0.5);
        assert!((place(0.0, 179.5).distance_km(place(0.0, -179.5)) - 111.2).abs() < 0.1);
        assert_eq!(Point::new(91.0, 0.0), None);
    }
}
