//! The format of a journal.
//!
//! ```text
//! journal = header entry*
//! header  = sum " " {"kitfox_journal":1,"generation":TEXT} "\n"
//! entry   = sum " " {"n":NUMBER,"id":TEXT,"key":TEXT,"revision":NUMBER,
//!                    "created_at_ns":NUMBER,"updated_at_ns":NUMBER,"data":OBJECT?} "\n"
//! sum     = 16 hexadecimal digits: the first 8 bytes of BLAKE3 of the generation (empty for the
//!           header) and the JSON that follows
//! ```
//!
//! The `n` of entries goes up by one from 1. Without `data` the record is gone. A generation is the
//! time between two compactions: its name tells the lines of one file from those of any other.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// Longer lines are neither written nor read.
pub(crate) const MAX_LINE: usize = 32 << 20;

const VERSION: u32 = 1;
const SUM: usize = 16;

/// What became of one record by one change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its place among all, from 1.
    #[serde(rename = "n")]
    pub number: u64,
    /// That of the change.
    pub id: String,
    /// The key of the record.
    pub key: String,
    /// From 1 up.
    pub revision: u64,
    /// When the record was first written, in nanoseconds since 1970 UTC.
    pub created_at_ns: i64,
    /// When it was written, in nanoseconds since 1970 UTC.
    pub updated_at_ns: i64,
    /// What it is now; none where it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Map<String, Json>>,
}

/// An entry without its data.
#[derive(Debug, Deserialize)]
pub(crate) struct Head {
    #[serde(rename = "n")]
    pub number: u64,
    pub id: String,
    pub key: String,
    pub revision: u64,
    pub created_at_ns: i64,
    pub updated_at_ns: i64,
}

#[derive(Serialize, Deserialize)]
struct Header {
    kitfox_journal: u32,
    generation: String,
}

impl Entry {
    /// Its line in a journal of a generation.
    pub(crate) fn line(&self, generation: &str) -> Vec<u8> {
        // Maps have texts for keys and numbers are finite: nothing here can fail.
        line(generation, &serde_json::to_vec(self).unwrap_or_default())
    }

    /// The entry on a line; none where it is none of this generation.
    pub(crate) fn of(line: &[u8], generation: &str) -> Option<Entry> {
        serde_json::from_slice(json(line, generation)?).ok()
    }
}

impl Head {
    /// The entry on a line; none where it is none of this generation.
    pub(crate) fn of(line: &[u8], generation: &str) -> Option<Head> {
        serde_json::from_slice(json(line, generation)?).ok()
    }
}

/// The first line of a generation.
pub(crate) fn header(generation: &str) -> Vec<u8> {
    let header = Header { kitfox_journal: VERSION, generation: generation.to_owned() };
    line("", &serde_json::to_vec(&header).unwrap_or_default())
}

/// The generation a first line begins; none where it is none.
pub(crate) fn generation(line: &[u8]) -> Option<String> {
    let header: Header = serde_json::from_slice(json(line, "")?).ok()?;
    (header.kitfox_journal == VERSION).then_some(header.generation)
}

/// A line with this JSON, of a journal of a generation.
pub(crate) fn line(generation: &str, json: &[u8]) -> Vec<u8> {
    let mut line = sum(generation, json).to_vec();
    line.push(b' ');
    line.extend_from_slice(json);
    line.push(b'\n');
    line
}

/// What follows the sum on a whole line, where that is right.
pub(crate) fn json<'l>(line: &'l [u8], generation: &str) -> Option<&'l [u8]> {
    let (sum_found, rest) = line.strip_suffix(b"\n")?.split_first_chunk::<SUM>()?;
    let json = rest.strip_prefix(b" ")?;
    (*sum_found == sum(generation, json)).then_some(json)
}

fn sum(generation: &str, json: &[u8]) -> [u8; SUM] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(generation.as_bytes());
    hasher.update(json);
    let hex = hasher.finalize().to_hex();
    hex.as_bytes().first_chunk().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry() -> Entry {
        Entry {
            number: 3,
            id: "a1".to_owned(),
            key: "k\n1".to_owned(),
            revision: 2,
            created_at_ns: -5,
            updated_at_ns: 7,
            data: json!({ "text": "zwei\nZeilen", "n": 1.5 }).as_object().cloned(),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        for entry in [entry(), Entry { data: None, ..entry() }] {
            let line = entry.line("g");
            assert_eq!(Entry::of(&line, "g"), Some(entry.clone()));
            assert_eq!(Head::of(&line, "g").unwrap().key, entry.key);
            assert_eq!(line.iter().filter(|&&byte| byte == b'\n').count(), 1);
        }
        assert_eq!(generation(&header("g")), Some("g".to_owned()));
    }

    #[test]
    fn what_is_changed_is_not_read() {
        let line = entry().line("g");
        assert_eq!(Entry::of(&line, "other"), None);
        assert_eq!(generation(&line), None);
        for end in 0..line.len() {
            assert_eq!(Entry::of(&line[..end], "g"), None, "cut at {end}");
        }
        for at in 0..line.len() {
            let mut changed = line.clone();
            changed[at] ^= 1;
            assert_eq!(Entry::of(&changed, "g"), None, "byte {at}");
        }
    }
}
