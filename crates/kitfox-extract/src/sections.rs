//! Documents: cut by headings first, then between blocks, then between lines, then sentences.
//!
//! A passage never crosses a heading of the two top levels and never cuts a fenced block or the row
//! of a table. A table that is too long is cut between rows; the passages that go on with it carry
//! its header beside their texts, which stay verbatim.

use std::ops::Range;
use std::rc::Rc;

use kitfox_core::Passage;

use crate::Sizes;
use crate::lines::Source;
use crate::piece::{self, Label, Piece};

/// Headings down to this level are never inside a passage.
const TOP_LEVELS: u8 = 2;
/// A fenced block beyond this many times the maximal size is cut after all: most likely its end is
/// missing.
const LONGEST_SOLID: usize = 32;
/// The header of a table that is longer than this part of a passage is not carried along.
const LONGEST_HEADER: usize = 4;

/// How good it is to cut before a line; never is the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Break {
    Never,
    Line,
    Part,
    Block,
}

/// The structure of a document.
pub(crate) struct Outline {
    /// Headings in order.
    pub headings: Vec<Heading>,
    /// How good it is to cut before each line.
    pub breaks: Vec<Break>,
    /// Whether a line must not be cut within, for each line.
    pub solid: Vec<bool>,
    /// Tables with a header, in order.
    pub tables: Vec<Table>,
    /// Bytes that the reader of the document does not see, in order and apart.
    pub hidden: Vec<Range<usize>>,
    /// The title in the front matter.
    pub front_title: Option<String>,
}

/// A heading.
pub(crate) struct Heading {
    /// Its first line, counted from 0.
    pub line: usize,
    /// From 1.
    pub level: u8,
    pub name: String,
}

/// A table that may be cut between its rows.
pub(crate) struct Table {
    /// The lines of its header, counted from 0.
    pub header: Range<usize>,
    /// The line after its last.
    pub end: usize,
}

impl Outline {
    /// An outline without any structure.
    pub fn flat(lines: usize) -> Outline {
        Outline {
            headings: Vec::new(),
            breaks: vec![Break::Line; lines],
            solid: vec![false; lines],
            tables: Vec::new(),
            hidden: Vec::new(),
            front_title: None,
        }
    }

    /// The title in the front matter, else the first heading of level 1.
    pub fn title(&self) -> Option<String> {
        let first = self.headings.iter().find(|heading| heading.level == 1);
        self.front_title.clone().or_else(|| first.map(|heading| heading.name.clone()))
    }

    /// Allows a cut before each paragraph.
    pub fn allow_between_paragraphs(&mut self, source: &Source<'_>) {
        for line in 0..source.len() {
            let begins = line == 0 || source.is_blank(line - 1);
            if begins && !source.is_blank(line) && self.breaks[line] != Break::Never {
                self.breaks[line] = Break::Block;
            }
        }
    }

    /// Forbids a cut within some lines.
    pub fn keep_whole(&mut self, lines: Range<usize>) {
        self.solid[lines.clone()].fill(true);
        self.breaks[lines].iter_mut().skip(1).for_each(|before| *before = Break::Never);
    }

    /// Forbids a cut within the header of a table, after it, and within the rows: what `begins_row`
    /// does not tell of a line.
    pub fn keep_rows(
        &mut self,
        lines: Range<usize>,
        header: Range<usize>,
        begins_row: impl Fn(usize) -> bool,
    ) {
        let first_row = (header.end..lines.end).find(|&line| begins_row(line));
        let first_row = first_row.unwrap_or(header.end);
        self.solid[lines.clone()].fill(true);
        for line in lines.clone().skip(1) {
            if line <= first_row || !begins_row(line) {
                self.breaks[line] = Break::Never;
            }
        }
        self.tables.push(Table { header, end: lines.end });
    }

    /// The header of the table that goes on at a line.
    fn header<'s>(&self, source: &Source<'s>, line: usize, sizes: Sizes) -> &'s str {
        let after = self.tables.partition_point(|table| table.header.end < line);
        let before = self.tables[..after].last().filter(|table| line < table.end);
        let lines = before
            .map(|table| table.header.clone())
            .filter(|header| source.characters(header).saturating_mul(LONGEST_HEADER) <= sizes.max);
        let header = lines.map_or("", |lines| source.slice(lines));
        if header.contains(char::is_alphanumeric) { header } else { "" }
    }

    /// What is hidden of some bytes, counted from their first.
    fn hidden_in(&self, bytes: Range<usize>) -> Vec<Range<u32>> {
        let first = self.hidden.partition_point(|hidden| hidden.end <= bytes.start);
        let inside = self.hidden[first..].iter().take_while(|hidden| hidden.start < bytes.end);
        let at = |byte: usize| (byte.clamp(bytes.start, bytes.end) - bytes.start) as u32;
        inside.map(|hidden| at(hidden.start)..at(hidden.end)).collect()
    }

    /// Forbids a cut between a heading that ends before line `end` and what it stands over.
    pub fn keep_with_next(&mut self, source: &Source<'_>, heading: usize, end: usize) {
        let next = (end..source.len()).find(|&line| !source.is_blank(line));
        let last = next.unwrap_or(source.len().saturating_sub(1));
        for line in heading + 1..=last {
            self.breaks[line] = Break::Never;
        }
    }
}

/// Cuts a document into passages.
pub(crate) fn cut(source: &Source<'_>, outline: &Outline, sizes: Sizes) -> Vec<Passage> {
    let mut passages = Vec::new();
    for section in merge_small(source, sections(source, outline), sizes) {
        let label = Rc::new(section.label());
        for lines in split(source, outline, section.lines, sizes) {
            let solid = outline.solid[lines.clone()].contains(&true);
            let longest = if solid { sizes.max * LONGEST_SOLID } else { sizes.max };
            let header = outline.header(source, lines.start, sizes);
            let piece = Piece::plain(lines, &label);
            for bytes in piece::cuts(source, &piece, longest) {
                let mut passage = piece::passage(source, bytes.clone(), &piece);
                header.clone_into(&mut passage.place.header);
                passage.place.hidden = outline.hidden_in(bytes);
                passages.push(passage);
            }
        }
    }
    passages
}

struct Section {
    lines: Range<usize>,
    /// 0 before the first heading.
    level: u8,
    /// The names of the headings above, its own last.
    path: Rc<[String]>,
}

impl Section {
    fn label(&self) -> Label {
        Label {
            section: self.path.join(" > "),
            name: self.path.last().cloned().unwrap_or_default(),
            kind: "section",
            signature: String::new(),
        }
    }

    fn parent(&self) -> &[String] {
        self.path.split_last().map_or(&[], |(_, parent)| parent)
    }

    /// Whether `next` may join this section, sizes apart: it stands under the same parent.
    fn is_kin(&self, next: &Section) -> bool {
        next.level > TOP_LEVELS
            && self.level > 0
            && next.level >= self.level
            && next.path.starts_with(self.parent())
    }
}

fn sections(source: &Source<'_>, outline: &Outline) -> Vec<Section> {
    let first = outline.headings.first().map_or(source.len(), |heading| heading.line);
    let mut sections = vec![Section { lines: 0..first, level: 0, path: Rc::new([]) }];
    let mut above: Vec<&Heading> = Vec::new();
    for (number, heading) in outline.headings.iter().enumerate() {
        let end = outline.headings.get(number + 1).map_or(source.len(), |next| next.line);
        above.retain(|parent| parent.level < heading.level);
        above.push(heading);
        let path = above.iter().map(|heading| heading.name.clone()).collect();
        sections.push(Section { lines: heading.line..end, level: heading.level, path });
    }
    sections.retain(|section| !source.trim(section.lines.clone()).is_empty());
    sections
}

/// Merges neighbours under the same parent while all of them together stay below half the maximal
/// size; a section of a top level joins what lies under it only if it is little but its heading. The
/// first one's breadcrumb stands for all.
fn merge_small(source: &Source<'_>, sections: Vec<Section>, sizes: Sizes) -> Vec<Section> {
    let mut merged: Vec<Section> = Vec::with_capacity(sections.len());
    let joins = |last: &Section, next: &Section| {
        let bare = source.characters(&last.lines) * 10 <= sizes.max;
        last.is_kin(next)
            && (bare || last.level > TOP_LEVELS)
            && source.characters(&(last.lines.start..next.lines.end)) * 2 <= sizes.max
    };
    for section in sections {
        match merged.last_mut() {
            Some(last) if joins(last, &section) => last.lines.end = section.lines.end,
            _ => merged.push(section),
        }
    }
    merged
}

/// Cuts the lines of a section into parts of at most the maximal size where that can be done.
fn split(
    source: &Source<'_>,
    outline: &Outline,
    lines: Range<usize>,
    sizes: Sizes,
) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut rest = source.trim(lines);
    while source.characters(&rest) > sizes.max {
        let end = best_end(source, outline, &rest, sizes);
        parts.push(rest.start..end);
        rest.start = end;
    }
    parts.push(rest);
    parts
}

/// Where to end the first part of lines that are too long, so that no scrap remains: the best of the
/// breaks in the second half, the last of equals; else the last one before; else the first one after
/// the limit.
fn best_end(source: &Source<'_>, outline: &Outline, lines: &Range<usize>, sizes: Sizes) -> usize {
    let size = |end: usize| source.characters(&(lines.start..end));
    let limit = sizes.max.min(source.characters(lines).saturating_sub(sizes.max / 8));
    let breaks = |line: usize| outline.breaks[line];
    let full = (lines.start + 1..lines.end).take_while(|&end| size(end) <= limit);
    let allowed: Vec<usize> = full.filter(|&line| breaks(line) > Break::Never).collect();
    let half = allowed.iter().copied().filter(|&line| size(line) * 2 > sizes.max);
    half.max_by_key(|&line| breaks(line))
        .or_else(|| allowed.last().copied())
        .or_else(|| {
            let next = lines.start + 1..lines.end;
            next.into_iter().find(|&line| breaks(line) > Break::Never)
        })
        .unwrap_or(lines.end)
}
