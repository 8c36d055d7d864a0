//! Values as texts that sort as the values do.
//!
//! ```text
//! key    := kind: one digit, payload
//! null   := "0"            empty := "1"            filled := "2"
//! bool   := "3" ("0" | "1")
//! number := "4" digits(nearest: 64 bits, rest: 16 bits)
//! time   := "5" digits(nanoseconds: 80 bits)
//! point  := "6" digits(latitude: 64 bits, longitude: 64 bits)
//! text   := "7" the text itself
//! digits := the bits, the highest first, seven to an ASCII character
//! ```
//!
//! Integers have their sign bit flipped; so have positive floats, and negative floats all of their
//! bits: unsigned order is then numeric order.

use kitfox_core::{Number, Point, Value};

/// The kinds in the order of their values.
pub(super) mod kind {
    pub const NULL: u8 = b'0';
    pub const EMPTY: u8 = b'1';
    pub const FILLED: u8 = b'2';
    pub const BOOL: u8 = b'3';
    pub const NUMBER: u8 = b'4';
    pub const TIME: u8 = b'5';
    pub const POINT: u8 = b'6';
    pub const TEXT: u8 = b'7';
}

const NUMBER_BITS: u32 = 80;
const TIME_BITS: u32 = 80;
const POINT_BITS: u32 = 128;

/// The key of a value. Times more than nineteen million years away are taken for the last that is
/// not.
pub(crate) fn encode(value: &Value) -> String {
    let mut key = String::from(char::from(kind_of(value)));
    match value {
        Value::Null | Value::Empty | Value::Filled => {}
        Value::Bool(value) => key.push(if *value { '1' } else { '0' }),
        Value::Number(number) => {
            let rest = flip(number.rest().cast_unsigned().into(), 16);
            push_bits(&mut key, u128::from(ordered(number.nearest())) << 16 | rest, NUMBER_BITS);
        }
        Value::Time(time) => {
            let limit = 1i128 << (TIME_BITS - 1);
            let time = (time.clamp(&-limit, &(limit - 1)) + limit).cast_unsigned();
            push_bits(&mut key, time, TIME_BITS);
        }
        Value::Point(point) => {
            let latitude = u128::from(ordered(point.latitude()));
            let longitude = u128::from(ordered(point.longitude()));
            push_bits(&mut key, latitude << 64 | longitude, POINT_BITS);
        }
        Value::Text(text) => key.push_str(Value::kept(text)),
    }
    key
}

/// The value of a key; none if it is no key.
pub(super) fn decode(key: &str) -> Option<Value> {
    let (kind, payload) = (key.as_bytes().first()?, key.get(1..)?);
    Some(match *kind {
        kind::NULL => Value::Null,
        kind::EMPTY => Value::Empty,
        kind::FILLED => Value::Filled,
        kind::BOOL => Value::Bool(payload == "1"),
        kind::NUMBER => {
            let bits = bits(payload, NUMBER_BITS)?;
            let rest = flip(bits & 0xFFFF, 16) as u16;
            Value::Number(Number::from_parts(unordered((bits >> 16) as u64), rest.cast_signed())?)
        }
        kind::TIME => {
            let limit = 1i128 << (TIME_BITS - 1);
            Value::Time(bits(payload, TIME_BITS)?.cast_signed() - limit)
        }
        kind::POINT => {
            let bits = bits(payload, POINT_BITS)?;
            let (latitude, longitude) = ((bits >> 64) as u64, bits as u64);
            Value::Point(Point::new(unordered(latitude), unordered(longitude))?)
        }
        kind::TEXT => Value::Text(payload.to_owned()),
        _ => return None,
    })
}

/// The first character of a value's key.
pub(super) fn kind_of(value: &Value) -> u8 {
    match value {
        Value::Null => kind::NULL,
        Value::Empty => kind::EMPTY,
        Value::Filled => kind::FILLED,
        Value::Bool(_) => kind::BOOL,
        Value::Number(_) => kind::NUMBER,
        Value::Time(_) => kind::TIME,
        Value::Point(_) => kind::POINT,
        Value::Text(_) => kind::TEXT,
    }
}

/// The name of a path's column. tantivy splits names at dots and marks the parts by control
/// characters, so neither may stand in it.
pub(crate) fn column_path(path: &str) -> String {
    let mut name = String::with_capacity(path.len() + 1);
    // The empty path needs a name too.
    name.push('$');
    for character in path.chars() {
        match character {
            '\0' => name.push_str("\u{2}0"),
            '\u{1}' => name.push_str("\u{2}1"),
            '\u{2}' => name.push_str("\u{2}2"),
            '.' => name.push_str("\u{2}d"),
            '\\' => name.push_str("\u{2}b"),
            other => name.push(other),
        }
    }
    name
}

fn ordered(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

fn unordered(bits: u64) -> f64 {
    f64::from_bits(if bits >> 63 == 1 { bits & !(1 << 63) } else { !bits })
}

/// Flips the sign bit of an integer of so many bits.
fn flip(value: u128, bits: u32) -> u128 {
    value ^ 1 << (bits - 1)
}

fn push_bits(key: &mut String, value: u128, bits: u32) {
    for digit in (0..bits.div_ceil(7)).rev() {
        key.push(char::from((value >> (digit * 7)) as u8 & 0x7F));
    }
}

fn bits(payload: &str, bits: u32) -> Option<u128> {
    let is_whole = payload.len() == bits.div_ceil(7) as usize && payload.is_ascii();
    is_whole.then(|| payload.bytes().fold(0, |value, digit| value << 7 | u128::from(digit)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value() -> impl Strategy<Value = Value> {
        let number = prop_oneof![
            any::<i64>().prop_map(Number::from),
            any::<u64>().prop_map(Number::from),
            (-3i64..3).prop_map(Number::from),
            any::<f64>().prop_filter_map("not finite", Number::from_f64),
        ];
        prop_oneof![
            Just(Value::Null),
            Just(Value::Empty),
            Just(Value::Filled),
            any::<bool>().prop_map(Value::Bool),
            number.prop_map(Value::Number),
            any::<i64>().prop_map(|time| Value::Time(i128::from(time) * 1000)),
            (-90.0..=90.0, -180.0..=180.0)
                .prop_filter_map("no place", |(latitude, longitude)| Point::new(
                    latitude, longitude
                ))
                .prop_map(Value::Point),
            ".*".prop_map(Value::Text),
        ]
    }

    proptest! {
        #[test]
        fn keys_sort_as_values_do(left in value(), right in value()) {
            prop_assert_eq!(encode(&left).cmp(&encode(&right)), left.cmp(&right));
        }

        #[test]
        fn keys_are_read_back(value in value()) {
            prop_assert_eq!(decode(&encode(&value)), Some(value));
        }

        #[test]
        fn names_of_columns_differ(left in "[a.\\\\\u{0}\u{1}\u{2}d]*", right in "[a.\\\\\u{0}\u{1}\u{2}d]*") {
            prop_assert_eq!(column_path(&left) == column_path(&right), left == right);
        }
    }

    #[test]
    fn what_is_no_key_is_no_value() {
        for key in ["", "9", "4", "4short", "5\u{e9}00000000000", "é"] {
            assert_eq!(decode(key), None, "{key:?}");
        }
    }
}
