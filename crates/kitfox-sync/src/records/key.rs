//! Keys of records.

use serde_json::Value as Json;

/// The most bytes of a key.
pub(super) const MAX_BYTES: usize = 512;

/// The key a value is, or why it is none.
pub(super) fn key_of(value: &Json) -> Result<String, &'static str> {
    let key = match value {
        Json::String(text) => text.clone(),
        Json::Number(number) if number.is_i64() || number.is_u64() => number.to_string(),
        Json::Null => return Err("there is no key"),
        _ => return Err("a key is a string or a whole number"),
    };
    match key.len() {
        0 => Err("the key is empty"),
        1..=MAX_BYTES => Ok(key),
        _ => Err("the key is longer than 512 bytes"),
    }
}

/// The key of a record that has none of its own: 16 hex digits of its content.
pub(super) fn key_of_content(content: &[u8]) -> String {
    blake3::hash(content).to_hex()[..16].to_owned()
}

/// Stands for a key where all keys of a collection must fit into memory.
pub(super) fn hash(key: &str) -> u128 {
    let hash = blake3::hash(key.as_bytes());
    hash.as_bytes().first_chunk().map_or(0, |half| u128::from_le_bytes(*half))
}
