//! Cursors: where a page ended, as a text that only the same request can use.
//!
//! A cursor is a JSON text with a digest over it and the request, in URL-safe base64. It is no
//! secret; the digest tells that it was altered, and the digest of the request that it belongs to
//! another.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use kitfox_core::{Number, Point, Position, Value};
use serde::{Deserialize, Serialize};

use crate::FaceError;

/// Bytes of a digest: enough to notice any change nobody makes on purpose.
const DIGEST: usize = 8;

/// Where to go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Cursor {
    /// After a position of an exact order.
    After(Kept),
    /// Before a position of an exact order.
    Before(Kept),
    /// Within a list that was ranked once.
    Ranked {
        /// Which list.
        list: u64,
        /// How many of its records come before the page.
        offset: usize,
    },
}

/// A position as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Kept {
    values: Vec<Option<KeptValue>>,
    key: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum KeptValue {
    Bool(bool),
    Number(f64, i16),
    /// In decimal: JSON's readers differ over integers this large.
    Time(String),
    Point(f64, f64),
    Text(String),
}

/// Stands for a request: all that decides which records are listed in which order.
pub(super) struct RequestDigest([u8; DIGEST]);

impl RequestDigest {
    /// Of a request's parts.
    pub fn of(parts: &impl Serialize) -> RequestDigest {
        RequestDigest(digest(&[&serde_json::to_vec(parts).unwrap_or_default()]))
    }
}

impl Cursor {
    /// The text to hand out.
    pub fn encode(&self, request: &RequestDigest) -> String {
        let json = serde_json::to_vec(self).unwrap_or_default();
        let digest = digest(&[&request.0, &json]);
        URL_SAFE_NO_PAD.encode([digest.as_slice(), &request.0, &json].concat())
    }

    /// Reads a text that was handed out for the same request.
    ///
    /// # Errors
    /// A text that no answer gave, or gave for another request.
    pub fn decode(text: &str, request: &RequestDigest) -> Result<Cursor, FaceError> {
        let bytes = URL_SAFE_NO_PAD.decode(text.trim()).map_err(|_| invalid())?;
        let (found, rest) = bytes.split_first_chunk::<DIGEST>().ok_or_else(invalid)?;
        let (of, json) = rest.split_first_chunk::<DIGEST>().ok_or_else(invalid)?;
        if *found != digest(&[of, json]) {
            return Err(invalid());
        }
        if *of != request.0 {
            return Err(foreign());
        }
        serde_json::from_slice(json).map_err(|_| invalid())
    }
}

fn digest(parts: &[&[u8]]) -> [u8; DIGEST] {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let mut digest = [0; DIGEST];
    digest.copy_from_slice(&hasher.finalize().as_bytes()[..DIGEST]);
    digest
}

fn invalid() -> FaceError {
    FaceError::new("invalid_cursor", "`cursor` is not one that an answer gave")
        .at("cursor")
        .hint("Pass `page.next_cursor` or `page.previous_cursor` unchanged, or leave it out.")
}

fn foreign() -> FaceError {
    FaceError::new("foreign_cursor", "`cursor` belongs to another request").at("cursor").hint(
        "Repeat the request it came from, with the same resource, query, filters, sort, \
             locales and parents; only `limit`, `populate` and `facets` may differ.",
    )
}

/// The error for a list that is no longer kept.
pub(super) fn expired() -> FaceError {
    FaceError::new("cursor_expired", "the ranked list of `cursor` is no longer kept")
        .at("cursor")
        .hint("Repeat the search without `cursor`.")
}

impl Kept {
    /// Keeps a position.
    pub fn new(position: &Position) -> Kept {
        let values = position.values.iter().map(|value| value.as_ref().and_then(kept)).collect();
        Kept { values, key: position.group.clone() }
    }

    /// The position again, for an order of so many paths; none where it has another number of them.
    pub fn position(&self, paths: usize) -> Option<Position> {
        let values = self.values.iter().map(|value| match value {
            Some(value) => value.value().map(Some),
            None => Some(None),
        });
        let values = values.collect::<Option<Vec<_>>>()?;
        let position = Position { values, group: self.key.clone(), number: 0 };
        (position.values.len() == paths).then_some(position)
    }
}

/// A scalar, as records are ordered by no other values.
fn kept(value: &Value) -> Option<KeptValue> {
    match value {
        Value::Bool(value) => Some(KeptValue::Bool(*value)),
        Value::Number(number) => Some(KeptValue::Number(number.nearest(), number.rest())),
        Value::Time(nanoseconds) => Some(KeptValue::Time(nanoseconds.to_string())),
        Value::Point(point) => Some(KeptValue::Point(point.latitude(), point.longitude())),
        Value::Text(text) => Some(KeptValue::Text(text.clone())),
        Value::Null | Value::Empty | Value::Filled => None,
    }
}

impl KeptValue {
    fn value(&self) -> Option<Value> {
        Some(match self {
            KeptValue::Bool(value) => Value::Bool(*value),
            KeptValue::Number(nearest, rest) => Value::Number(Number::from_parts(*nearest, *rest)?),
            KeptValue::Time(nanoseconds) => Value::Time(nanoseconds.parse().ok()?),
            KeptValue::Point(latitude, longitude) => {
                Value::Point(Point::new(*latitude, *longitude)?)
            }
            KeptValue::Text(text) => Value::Text(text.clone()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(name: &str) -> RequestDigest {
        RequestDigest::of(&name)
    }

    #[test]
    fn what_is_handed_out_comes_back() {
        let values = [
            Some(Value::Bool(true)),
            Some(Value::Number(Number::from(u64::MAX))),
            Some(Value::Number(Number::from_f64(0.1).unwrap())),
            Some(Value::Time(-1_234_567_890_123_456_789_012)),
            Some(Value::Point(Point::new(1.5, -2.25).unwrap())),
            Some(Value::Text("é\"".into())),
            None,
        ];
        let position = Position { values: values.into(), group: "a/b".into(), number: 0 };
        let cursor = Cursor::After(Kept::new(&position));
        let read = Cursor::decode(&cursor.encode(&request("a")), &request("a")).unwrap();
        let Cursor::After(kept) = &read else { panic!("{read:?}") };
        assert_eq!(kept.position(7), Some(position));
        assert_eq!(kept.position(6), None);
    }

    #[test]
    fn altered_and_foreign_cursors_are_told_apart() {
        let text = Cursor::Ranked { list: 7, offset: 20 }.encode(&request("a"));
        let code = |text: &str, of: &str| Cursor::decode(text, &request(of)).map_err(|e| e.code);
        assert_eq!(code(&text, "b"), Err("foreign_cursor"));
        for altered in ["", "x", "https://example.com/next?page=2", &text[1..], &text[..9]] {
            assert_eq!(code(altered, "a"), Err("invalid_cursor"), "{altered}");
        }
        for at in 0..text.len() {
            let mut altered = text.clone().into_bytes();
            altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
            let altered = String::from_utf8(altered).unwrap();
            // The last character may hold bits that stand for nothing.
            let read = code(&altered, "a");
            let expected = Cursor::Ranked { list: 7, offset: 20 };
            assert!(read == Err("invalid_cursor") || read == Ok(expected), "{altered}");
        }
    }
}
