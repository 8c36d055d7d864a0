//! Bytes to text, remembering where the lines of the raw file begin.

use std::borrow::Cow;
use std::ops::Range;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

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

/// Decodes UTF-8, UTF-16 where a byte order mark says so, else what the text declares or looks like;
/// what is invalid is replaced. Whatever is not Unicode is reported.
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
    let ends = text.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
    let starts = line_starts(mark, ends.map(|(at, _)| mark + at + 1), bytes.len());
    // A line break is the same byte in all encodings that are detected.
    let raw = RawLines::Starts { starts, width: 1 };
    let (text, problem) = other(text);
    Decoded { text, raw, problems: vec![problem] }
}

/// Decodes what is not valid UTF-8, and says as what.
fn other(bytes: &[u8]) -> (Cow<'_, str>, String) {
    let invalid: usize = bytes.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
    if is_mostly_utf_8(bytes, invalid) {
        let problem = format!("{invalid} bytes that are not valid UTF-8 were replaced");
        return (String::from_utf8_lossy(bytes), problem);
    }
    let encoding = declared(bytes).unwrap_or_else(|| detected(bytes));
    let (text, malformed) = encoding.decode_without_bom_handling(bytes);
    let replaced = if malformed { ", and parts were replaced" } else { "" };
    (text, format!("not UTF-8: read as {}{replaced}", encoding.name()))
}

/// Whether there are more characters beyond ASCII that are valid than bytes that are not.
fn is_mostly_utf_8(bytes: &[u8], invalid: usize) -> bool {
    let beyond = |text: &str| text.chars().filter(|c| !c.is_ascii()).count();
    bytes.utf8_chunks().map(|chunk| beyond(chunk.valid())).sum::<usize>() > invalid
}

/// The encoding that the head of a page (`<meta charset=…>`) or of an XML file declares.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]).to_ascii_lowercase();
    if !head.contains("<meta") && !head.starts_with("<?xml") {
        return None;
    }
    let at = head.find("charset=").map(|at| at + 8).or(head.find("encoding=").map(|at| at + 9))?;
    let value = head[at..].trim_start_matches(['"', '\'']);
    let label = value.split(['"', '\'', ';', '>', ' ', '/']).next()?;
    // Such a text cannot be UTF-16, and UTF-8 it is not.
    Encoding::for_label(label.as_bytes())
        .filter(|encoding| encoding.is_ascii_compatible() && *encoding != UTF_8)
}

/// The encoding that the bytes look like.
fn detected(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&bytes[..bytes.len().min(PROBE)], true);
    detector.guess(None, Utf8Detection::Deny)
}

/// Within so many bytes a page declares its encoding.
const HEAD: usize = 1 << 10;
/// So many bytes tell an encoding.
const PROBE: usize = 1 << 20;

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
