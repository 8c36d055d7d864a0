//! Pieces: labelled lines on their way to becoming passages.

use std::ops::Range;
use std::rc::Rc;

use kitfox_core::{Passage, Place};

use crate::lines::Source;

/// Lines that belong together.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// Lines, counted from 0.
    pub lines: Range<usize>,
    pub label: Rc<Label>,
    /// Which label stays when pieces are merged: the heaviest.
    pub weight: usize,
    /// Never merged with what follows.
    pub sealed: bool,
}

/// What a piece is called; see [`Place`].
#[derive(Debug, Default)]
pub(crate) struct Label {
    pub section: String,
    pub name: String,
    pub kind: &'static str,
    pub signature: String,
}

impl Piece {
    /// A piece that gives its label to nothing else.
    pub fn plain(lines: Range<usize>, label: &Rc<Label>) -> Piece {
        Piece { lines, label: Rc::clone(label), weight: 0, sealed: false }
    }

    /// Takes in the piece that follows.
    pub fn absorb(&mut self, next: Piece) {
        self.lines.end = next.lines.end;
        self.sealed = next.sealed;
        if next.weight > self.weight {
            self.label = next.label;
            self.weight = next.weight;
        }
    }
}

/// Turns pieces into passages: blank lines at the ends fall away, blank pieces disappear, and what
/// is longer than `longest` characters is cut within its lines.
pub(crate) fn passages(source: &Source<'_>, pieces: &[Piece], longest: usize) -> Vec<Passage> {
    let cut =
        |piece| cuts(source, piece, longest).into_iter().map(|cut| passage(source, cut, piece));
    pieces.iter().flat_map(cut).collect()
}

/// The bytes of the passages that a piece becomes.
pub(crate) fn cuts(source: &Source<'_>, piece: &Piece, longest: usize) -> Vec<Range<usize>> {
    let lines = source.trim(piece.lines.clone());
    let bytes = source.bytes(lines.clone());
    if lines.is_empty() {
        Vec::new()
    } else if source.characters(&lines) <= longest {
        vec![bytes]
    } else {
        cut_long(source.text, bytes, longest)
    }
}

/// A passage of some bytes, of which there is at least one, called like a piece.
pub(crate) fn passage(source: &Source<'_>, bytes: Range<usize>, piece: &Piece) -> Passage {
    let label = &piece.label;
    let lines = source.line_of(bytes.start)..source.line_of(bytes.end - 1) + 1;
    let raw = source.raw(&lines, &bytes);
    let lines = source.raw_lines(&lines);
    Passage {
        text: source.text[bytes].to_owned(),
        place: Place {
            start_line: lines.start as u32 + 1,
            end_line: lines.end as u32,
            start_byte: raw.start,
            end_byte: raw.end,
            section: label.section.clone(),
            name: label.name.clone(),
            kind: label.kind.to_owned(),
            signature: label.signature.clone(),
            ..Place::default()
        },
    }
}

/// Cuts a long text into parts of at most `longest` characters: after a line, else after a
/// sentence, else after a word, else anywhere between characters. Parts are never blank.
fn cut_long(text: &str, bytes: Range<usize>, longest: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = bytes.start;
    while start < bytes.end {
        let rest = &text[start..bytes.end];
        let end = match rest.char_indices().nth(longest) {
            None => bytes.end,
            Some((limit, _)) => start + cut_point(&rest[..limit]),
        };
        let part = text[start..end].trim_end();
        if !part.is_empty() {
            parts.push(start..start + part.len());
        }
        start = end + (text[end..bytes.end].len() - text[end..bytes.end].trim_start().len());
    }
    parts
}

/// The best place to end in `window`, in its second half.
fn cut_point(window: &str) -> usize {
    let half = window.floor_char_boundary(window.len() / 2).max(1);
    let after = |found: Option<(usize, &str)>| found.map(|(at, mark)| at + mark.len());
    let last = |marks: &[&str]| {
        let places = marks.iter().filter_map(|mark| after(window.rmatch_indices(mark).next()));
        places.max().filter(|&at| at >= half)
    };
    last(&["\n"])
        .or_else(|| last(&[". ", "! ", "? ", "。", "！", "？"]))
        .or_else(|| last(&[" ", "\t"]))
        .unwrap_or(window.len())
}
