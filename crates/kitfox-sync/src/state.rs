//! What is remembered of an indexed file, stored by the engine beside its passages.
//!
//! The encoding is one version byte, the fixed fields in little-endian order, then the texts, each
//! with its length in front:
//!
//! ```text
//! version=2 u8 | size u64 | mtime_ns i64 | ctime_ns i64 | indexed_at_ns i64 | hash [u8; 32] | version u32
//! | format text | title text | has_problem u8 | problem text, if any
//! text = length u32, UTF-8 bytes
//! ```

use crate::Stamp;
use crate::stamp::is_racy;

const ENCODING: u8 = 2;

/// What is remembered of an indexed file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileState {
    /// Its size and times.
    pub stamp: Stamp,
    /// When its content was read, nanoseconds since 1970.
    pub indexed_at_ns: i64,
    /// BLAKE3 of its content.
    pub hash: [u8; 32],
    /// Stands for how it was cut and embedded; a file with another value is indexed again.
    pub version: u32,
    /// The format as `kitfox-extract` names it; empty where the file is refused, with the reason
    /// in `problem`.
    pub format: String,
    /// The title found in it; may be empty.
    pub title: String,
    /// What is wrong with it, if anything.
    pub problem: Option<String>,
}

impl FileState {
    /// The bytes to store.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![ENCODING];
        bytes.extend(self.stamp.size.to_le_bytes());
        bytes.extend(self.stamp.mtime_ns.to_le_bytes());
        bytes.extend(self.stamp.ctime_ns.to_le_bytes());
        bytes.extend(self.indexed_at_ns.to_le_bytes());
        bytes.extend(self.hash);
        bytes.extend(self.version.to_le_bytes());
        put_text(&mut bytes, &self.format);
        put_text(&mut bytes, &self.title);
        bytes.push(u8::from(self.problem.is_some()));
        if let Some(problem) = &self.problem {
            put_text(&mut bytes, problem);
        }
        bytes
    }

    /// Reads stored bytes; none if they are of another version or damaged.
    pub fn decode(bytes: &[u8]) -> Option<FileState> {
        StateView::decode(bytes).map(FileState::from)
    }

    /// Whether the file was refused for what is in it.
    pub fn refused(&self) -> bool {
        self.format.is_empty()
    }

    /// The same, borrowed.
    pub(crate) fn view(&self) -> StateView<'_> {
        StateView {
            stamp: self.stamp,
            indexed_at_ns: self.indexed_at_ns,
            hash: self.hash,
            version: self.version,
            format: &self.format,
            title: &self.title,
            problem: self.problem.as_deref(),
        }
    }

    /// Whether the file may have changed after it was read without a new modification time.
    pub(crate) fn racy(&self) -> bool {
        is_racy(self.indexed_at_ns, self.stamp)
    }
}

/// A [`FileState`] read where it lies: comparing a whole source must not copy its texts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StateView<'s> {
    stamp: Stamp,
    indexed_at_ns: i64,
    hash: [u8; 32],
    version: u32,
    format: &'s str,
    title: &'s str,
    /// What is wrong with the file, if anything.
    pub problem: Option<&'s str>,
}

impl<'s> StateView<'s> {
    /// Reads stored bytes; none if they are of another version or damaged.
    pub fn decode(bytes: &'s [u8]) -> Option<StateView<'s>> {
        let mut rest = bytes.strip_prefix(&[ENCODING])?;
        let state = StateView {
            stamp: Stamp {
                size: u64::from_le_bytes(take(&mut rest)?),
                mtime_ns: i64::from_le_bytes(take(&mut rest)?),
                ctime_ns: i64::from_le_bytes(take(&mut rest)?),
            },
            indexed_at_ns: i64::from_le_bytes(take(&mut rest)?),
            hash: take(&mut rest)?,
            version: u32::from_le_bytes(take(&mut rest)?),
            format: take_text(&mut rest)?,
            title: take_text(&mut rest)?,
            problem: match take(&mut rest)? {
                [0] => None,
                [1] => Some(take_text(&mut rest)?),
                _ => return None,
            },
        };
        rest.is_empty().then_some(state)
    }

    /// Whether a file of this stamp, cut by this version, certainly has the content that was
    /// indexed.
    pub fn is_current(&self, stamp: Stamp, version: u32) -> bool {
        (self.stamp, self.version) == (stamp, version) && !is_racy(self.indexed_at_ns, self.stamp)
    }

    /// Whether the file was refused for what is in it.
    pub fn refused(&self) -> bool {
        self.format.is_empty()
    }
}

impl From<StateView<'_>> for FileState {
    fn from(view: StateView<'_>) -> FileState {
        FileState {
            stamp: view.stamp,
            indexed_at_ns: view.indexed_at_ns,
            hash: view.hash,
            version: view.version,
            format: view.format.to_owned(),
            title: view.title.to_owned(),
            problem: view.problem.map(str::to_owned),
        }
    }
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    // Titles and problems are short; what is longer than the length can say is cut.
    let text = &text[..text.floor_char_boundary(u32::MAX as usize)];
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (head, tail) = rest.split_first_chunk::<N>()?;
    *rest = tail;
    Some(*head)
}

fn take_text<'s>(rest: &mut &'s [u8]) -> Option<&'s str> {
    let length = u32::from_le_bytes(take(rest)?) as usize;
    let (head, tail) = rest.split_at_checked(length)?;
    *rest = tail;
    std::str::from_utf8(head).ok()
}

#[cfg(test)]
mod tests {
    use super::{FileState, Stamp};

    fn sample() -> FileState {
        FileState {
            stamp: Stamp { size: 12, mtime_ns: -5, ctime_ns: 6 },
            indexed_at_ns: 7,
            hash: [3; 32],
            version: 9,
            format: "rust".into(),
            title: "Überblick".into(),
            problem: Some("bad bytes".into()),
        }
    }

    #[test]
    fn what_is_encoded_is_decoded() {
        for state in [sample(), FileState::default(), FileState { problem: None, ..sample() }] {
            assert_eq!(FileState::decode(&state.encode()), Some(state));
        }
    }

    #[test]
    fn damaged_states_are_none() {
        let bytes = sample().encode();
        for end in 0..bytes.len() {
            assert_eq!(FileState::decode(&bytes[..end]), None, "cut at {end}");
        }
        assert_eq!(FileState::decode(&[bytes.as_slice(), &[0]].concat()), None);
        assert_eq!(FileState::decode(b"\x03garbage"), None);
        assert_eq!(FileState::decode(&[&[2], [255; 98].as_slice()].concat()), None);
    }
}
