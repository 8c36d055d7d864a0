//! Bytes to text, remembering where the lines of the raw file begin.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// The text of a file.
pub(crate) struct Decoded<'a> {
    pub text: Cow<'a, str>,
    pub raw: RawLines,
    pub problems: Vec<String>,
}

/// Where the lines of the text begin in the raw file.
pub(crate) enum RawLines {
    /// The text is the file from this byte on.
    Shifted(usize),
    /// Lines begin at these bytes, the last being the end of the file; a character of ASCII takes
    /// `width` bytes.
    Starts { starts: Vec<usize>, width: usize },
    /// The text was made from the file: each line of these lines, which are these bytes.
    Converted(Vec<(Range<usize>, Range<u64>)>),
}

/// Decodes UTF-8, or UTF-16 where a byte order mark says so; what is invalid is replaced and
/// reported.
pub(crate) fn decode(bytes: &[u8]) -> Decoded<'_> {
    match bytes {
        [0xFF, 0xFE, ..] => utf_16(bytes, UTF_16LE, [b'\n', 0]),
        [0xFE, 0xFF, ..] => utf_16(bytes, UTF_16BE, [0, b'\n']),
        _ => utf_8(bytes),
    }
}

fn utf_8(bytes: &[u8]) -> Decoded<'_> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mark = bytes.len() - text.len();
    if let Ok(text) = std::str::from_utf8(text) {
        let raw = RawLines::Shifted(mark);
        return Decoded { text: Cow::Borrowed(text), raw, problems: Vec::new() };
    }
    let invalid: usize = text.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
    let ends = text.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
    let starts = line_starts(mark, ends.map(|(at, _)| mark + at + 1), bytes.len());
    Decoded {
        text: String::from_utf8_lossy(text),
        raw: RawLines::Starts { starts, width: 1 },
        problems: vec![format!("{invalid} bytes that are not valid UTF-8 were replaced")],
    }
}

fn utf_16<'a>(bytes: &'a [u8], encoding: &'static Encoding, newline: [u8; 2]) -> Decoded<'a> {
    let (text, malformed) = encoding.decode_without_bom_handling(&bytes[2..]);
    let units = bytes[2..].chunks_exact(2).enumerate();
    let ends = units.filter(|(_, unit)| *unit == newline).map(|(at, _)| 2 * at + 4);
    let starts = line_starts(2, ends, bytes.len());
    let mut problems = Vec::new();
    if malformed {
        problems.push("parts are not valid UTF-16 and were replaced".to_owned());
    }
    Decoded { text, raw: RawLines::Starts { starts, width: 2 }, problems }
}

/// The starts of lines and, last, the end of the file.
fn line_starts(first: usize, rest: impl Iterator<Item = usize>, end: usize) -> Vec<usize> {
    let mut starts: Vec<usize> = std::iter::once(first).chain(rest).collect();
    if starts.last() != Some(&end) {
        starts.push(end);
    }
    starts
}
