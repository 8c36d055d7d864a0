//! What is remembered of an indexed file, stored by the engine beside its passages.
//!
//! The encoding is one version byte, the fixed fields in little-endian order, then the texts, each
//! with its length in front:
//!
//! ```text
//! version=1 u8 | size u64 | mtime_ns i64 | indexed_at_ns i64 | hash [u8; 32] | version u32
//! | format text | title text | has_problem u8 | problem text, if any
//! text = length u32, UTF-8 bytes
//! ```

const ENCODING: u8 = 1;

/// Files changed less than this before they were read may change again within the same tick of a
/// coarse file system clock.
const RACY_NS: i64 = 2_000_000_000;

/// What is remembered of an indexed file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileState {
    /// Bytes.
    pub size: u64,
    /// Modification time, nanoseconds since 1970.
    pub mtime_ns: i64,
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
        bytes.extend(self.size.to_le_bytes());
        bytes.extend(self.mtime_ns.to_le_bytes());
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
        let mut rest = bytes.strip_prefix(&[ENCODING])?;
        let state = FileState {
            size: u64::from_le_bytes(take(&mut rest)?),
            mtime_ns: i64::from_le_bytes(take(&mut rest)?),
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

    /// Whether the file was refused for what is in it.
    pub fn refused(&self) -> bool {
        self.format.is_empty()
    }

    /// Whether size and modification time are those indexed.
    pub(crate) fn same_stamp(&self, size: u64, mtime_ns: i64) -> bool {
        self.size == size && self.mtime_ns == mtime_ns
    }

    /// Whether the file may have changed after it was read without a new modification time.
    pub(crate) fn racy(&self) -> bool {
        self.indexed_at_ns.saturating_sub(self.mtime_ns) < RACY_NS
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

fn take_text(rest: &mut &[u8]) -> Option<String> {
    let length = u32::from_le_bytes(take(rest)?) as usize;
    let (head, tail) = rest.split_at_checked(length)?;
    *rest = tail;
    String::from_utf8(head.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::FileState;

    fn sample() -> FileState {
        FileState {
            size: 12,
            mtime_ns: -5,
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
        assert_eq!(FileState::decode(b"\x02garbage"), None);
        assert_eq!(FileState::decode(&[&[1], [255; 90].as_slice()].concat()), None);
    }
}
