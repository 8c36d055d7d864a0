//! A text and its lines: every cut is made between lines, counted from 0 here.

use std::ops::Range;

use crate::decode::RawLines;

/// A text with the places of its lines, in the text and in the raw file.
pub(crate) struct Source<'a> {
    pub text: &'a str,
    raw: &'a RawLines,
    /// Byte offset of each line, and the length of the text.
    starts: Vec<u32>,
    /// Characters before each line, and those of the whole text.
    characters: Vec<u32>,
}

impl<'a> Source<'a> {
    /// Finds the lines of `text`, which sizes limit to well below 4 GiB.
    pub fn new(text: &'a str, raw: &'a RawLines) -> Source<'a> {
        let (mut starts, mut characters) = (vec![0], vec![0]);
        let (mut at, mut count) = (0, 0);
        for line in text.split_inclusive('\n') {
            at += line.len() as u32;
            count += line.chars().count() as u32;
            starts.push(at);
            characters.push(count);
        }
        Source { text, raw, starts, characters }
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// A line without its end.
    pub fn line(&self, line: usize) -> &'a str {
        self.slice(line..line + 1)
    }

    /// Lines from the beginning of the first up to the end of the last, its line break left out.
    pub fn slice(&self, lines: Range<usize>) -> &'a str {
        &self.text[self.bytes(lines)]
    }

    /// The bytes of [`Source::slice`].
    pub fn bytes(&self, lines: Range<usize>) -> Range<usize> {
        if lines.is_empty() {
            return 0..0;
        }
        let (start, end) = (self.starts[lines.start] as usize, self.starts[lines.end] as usize);
        let text = &self.text[start..end];
        let text = text.strip_suffix('\n').unwrap_or(text);
        start..start + text.strip_suffix('\r').unwrap_or(text).len()
    }

    /// Characters of some lines, line breaks included.
    pub fn characters(&self, lines: &Range<usize>) -> usize {
        if lines.is_empty() {
            return 0;
        }
        (self.characters[lines.end] - self.characters[lines.start]) as usize
    }

    /// The line a byte is in; the last one for the end of the text.
    pub fn line_of(&self, byte: usize) -> usize {
        let after = self.starts.partition_point(|&start| start as usize <= byte);
        after.saturating_sub(1).min(self.len().saturating_sub(1))
    }

    /// Whether a line holds nothing but white space.
    pub fn is_blank(&self, line: usize) -> bool {
        self.line(line).trim().is_empty()
    }

    /// The lines without blank ones at either end.
    pub fn trim(&self, mut lines: Range<usize>) -> Range<usize> {
        while !lines.is_empty() && self.is_blank(lines.start) {
            lines.start += 1;
        }
        while !lines.is_empty() && self.is_blank(lines.end - 1) {
            lines.end -= 1;
        }
        lines
    }

    /// The lines of the raw file behind some lines of the text, of which there is at least one.
    pub fn raw_lines(&self, lines: &Range<usize>) -> Range<usize> {
        match self.raw {
            RawLines::Converted(origins) => {
                let (first, last) = (&origins[lines.start].0, &origins[lines.end - 1].0);
                first.start..last.end.max(first.end)
            }
            _ => lines.clone(),
        }
    }

    /// The bytes of the raw file behind some bytes of the text that lie in these lines. Where the
    /// file is not plain UTF-8, the whole lines.
    pub fn raw(&self, lines: &Range<usize>, bytes: &Range<usize>) -> Range<u64> {
        match self.raw {
            RawLines::Shifted(shift) => (bytes.start + shift) as u64..(bytes.end + shift) as u64,
            RawLines::Starts { starts, width } => {
                let at = |line: usize| starts[line.min(starts.len() - 1)];
                let full = self.starts[lines.end] as usize;
                let line_break = full - self.bytes(lines.clone()).end;
                at(lines.start) as u64..(at(lines.end) - line_break * width) as u64
            }
            RawLines::Converted(origins) => {
                let (first, last) = (&origins[lines.start].1, &origins[lines.end - 1].1);
                first.start..last.end.max(first.end)
            }
        }
    }
}
