//! Random records and random filters on them. Both draw from the same small pools, so that filters
//! often hit.

mod filter;
mod record;

use fastrand::Rng;
pub use filter::filters;
pub use record::record;
use serde_json::{Value as Json, json};

use crate::plain::Kind;

/// The fields of every random record.
pub const FIELDS: &[(&str, Kind)] = &[
    ("_sys.created_at", Kind::DateTime),
    (r"a\.b", Kind::String),
    ("author", Kind::Object),
    ("author.born", Kind::Date),
    ("author.name", Kind::String),
    ("count", Kind::Number),
    ("day", Kind::Date),
    ("flag", Kind::Boolean),
    ("items", Kind::Object),
    (r"items.back\\slash", Kind::Number),
    ("items.opens", Kind::Time),
    ("items.price", Kind::Number),
    ("items.tags", Kind::String),
    ("name", Kind::String),
    ("opens", Kind::Time),
    ("places", Kind::Point),
    ("places.of", Kind::String),
    ("tags", Kind::String),
    ("when", Kind::DateTime),
    (".", Kind::Number),
];

pub const OPERATORS: &[&str] = &[
    "eq",
    "ne",
    "ieq",
    "gt",
    "gte",
    "lt",
    "lte",
    "between",
    "in",
    "not_in",
    "iin",
    "contains",
    "icontains",
    "startswith",
    "istartswith",
    "endswith",
    "iendswith",
    "includes",
    "not_includes",
    "includes_any",
    "includes_all",
    "exists",
    "is_empty",
    "within_radius",
    "within_box",
];

const TEXTS: &[&str] = &[
    "",
    "a",
    "A",
    "b",
    "ab",
    "AB",
    "ba",
    "aba",
    "ß",
    "SS",
    "ss",
    "ẞ",
    "é",
    "É",
    "e\u{301}",
    "ſ",
    "s",
    "\u{212a}",
    "k",
    "ﬁ",
    "fi",
    "İ",
    "i\u{307}",
    "ı",
    "Σ",
    "ς",
    "字",
    "\u{ffff}",
    "😀",
    "null",
    "5",
    "2024-06-01",
];

const INSTANTS: &[&str] = &[
    "2024-06-01",
    "2024-06-01T00:00:00Z",
    "2024-06-01 00:00",
    "2024-06-01T02:00:00+02:00",
    "2024-06-01T02:00+02:00",
    "2024-05-31T23:59:59.999999999Z",
    "2024-06-01T00:00:00.000000001Z",
    "2024-06-01t00:00:00.0000000019z",
    "2024-02-29",
    "1969-12-31T23:59:59.5Z",
    "1970-01-01",
    "0000-01-01T00:00:00+23:59",
    "9999-12-31T23:59:59-23:59",
    "2016-12-31T23:59:60Z",
    "2016-12-31T23:59:59.999999999Z",
    "2017-01-01T00:59:60+01:00",
    "2017-01-01",
];

const TIMES: &[&str] = &[
    "00:00",
    "00:00:00",
    "00:00Z",
    "01:00+01:00",
    "23:30-00:30",
    "09:30",
    "09:30:00.5",
    "09:30:00.50Z",
    "23:59:59.999999999",
    "23:59:60",
    "23:59",
    "12:00:00-23:59",
];

/// Nearly dates or times.
const NEARLY: &[&str] = &[
    "2024-02-30",
    "2024-06-31",
    "2023-02-29",
    "2024-6-1",
    "2024-06-01T",
    "2024-06-01T24:00:00Z",
    "2024-06-01T00:00:60Z",
    "2024-06-01T00:00:00+0200",
    "2024-06-01T00:00.5",
    "24:00",
    "09:30:",
    "9:30",
    "09:30:60",
    "09:30+24:00",
    "2024-06-01é",
    "09:3é",
];

const COORDINATES: &[(f64, f64)] = &[
    (0.0, 0.0),
    (48.8566, 2.3522),
    (51.5074, -0.1278),
    (-33.9, 151.2),
    (0.0, 179.5),
    (0.0, -179.5),
    (90.0, 0.0),
    (-90.0, 10.0),
    (65.0, -170.0),
    (10.0, 180.0),
];

fn pick<'a, Item>(rng: &mut Rng, items: &'a [Item]) -> &'a Item {
    &items[rng.usize(..items.len())]
}

/// Whether something happens that does so in so many of a hundred cases.
fn chance(rng: &mut Rng, percent: u32) -> bool {
    rng.u32(..100) < percent
}

fn any_scalar(rng: &mut Rng) -> Json {
    let kinds = [
        Kind::Boolean,
        Kind::Number,
        Kind::String,
        Kind::Date,
        Kind::Time,
        Kind::DateTime,
        Kind::Point,
        Kind::Object,
    ];
    let kind = *pick(rng, &kinds);
    scalar(rng, kind)
}

fn scalar(rng: &mut Rng, kind: Kind) -> Json {
    match kind {
        Kind::Boolean => rng.bool().into(),
        Kind::Number => number(rng),
        Kind::String if chance(rng, 80) => (*pick(rng, TEXTS)).into(),
        Kind::String => format!("{}{}", pick(rng, TEXTS), pick(rng, TEXTS)).into(),
        Kind::Date | Kind::DateTime => instant(rng),
        Kind::Time if chance(rng, 5) => (*pick(rng, NEARLY)).into(),
        Kind::Time => (*pick(rng, TIMES)).into(),
        Kind::Point => point(rng),
        Kind::Object => json!({"x": number(rng)}),
    }
}

fn number(rng: &mut Rng) -> Json {
    match rng.u32(..12) {
        0 => json!(u64::MAX - rng.u64(..2)),
        1 => json!(i64::MIN + rng.i64(..2)),
        2 => json!(9_007_199_254_740_992i64 + rng.i64(-1..3)),
        3 => json!(9_007_199_254_740_992.0),
        4 => json!(18_446_744_073_709_551_616.0),
        5 => json!([-0.0, 0.5, 1e308, -1e308, 5e-324][rng.usize(..5)]),
        6 => json!(f64::from(rng.i32(-3..4))),
        7 => json!(rng.f64() * 10.0),
        _ => json!(rng.i32(-3..4)),
    }
}

fn instant(rng: &mut Rng) -> Json {
    match rng.u32(..10) {
        0 => (*pick(rng, NEARLY)).into(),
        1..=2 => {
            let (year, month, day) = (rng.u32(..10_000), rng.u32(1..14), rng.u32(1..33));
            let (hour, minute, second) = (rng.u32(..25), rng.u32(..61), rng.u32(..62));
            let sign = if rng.bool() { '+' } else { '-' };
            let offset = rng.u32(..25);
            let date = format!("{year:04}-{month:02}-{day:02}");
            format!("{date}T{hour:02}:{minute:02}:{second:02}{sign}{offset:02}:30").into()
        }
        _ => (*pick(rng, INSTANTS)).into(),
    }
}

fn point(rng: &mut Rng) -> Json {
    let (lat, lon) = *pick(rng, COORDINATES);
    match rng.u32(..20) {
        0 => json!({"lat": 90.5, "lon": lon}),
        1 => json!({"lat": lat, "lon": "0"}),
        2 => json!({"lat": lat}),
        3..=5 => json!({"lat": lat, "lon": lon, "of": *pick(rng, TEXTS)}),
        6 => json!({"lat": rng.i32(-90..91), "lon": rng.i32(-180..181)}),
        _ => json!({"lat": lat, "lon": lon}),
    }
}
