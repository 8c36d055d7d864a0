//! The outline of plain text: paragraphs, and headings where they are marked as in
//! reStructuredText (underlined) or AsciiDoc (`== Title`).

use crate::lines::Source;
use crate::sections::{Heading, Outline};

/// A longer line is no heading.
const LONGEST_HEADING: usize = 200;

/// Finds headings and the places to cut at.
pub(crate) fn outline(source: &Source<'_>) -> Outline {
    let mut outline = Outline::flat(source.len());
    outline.allow_between_paragraphs(source);
    let mut marks = Vec::new();
    for line in 0..source.len() {
        let found = asciidoc(source, line)
            .map(|(level, name)| (line, line + 1, level, name))
            .or_else(|| underlined(source, line, &mut marks));
        if let Some((first, end, level, name)) = found {
            outline.headings.push(Heading { line: first, level, name: name.to_owned() });
            outline.keep_with_next(source, first, end);
        }
    }
    outline
}

/// `== Title`: one `=` is the document's title.
pub(crate) fn asciidoc<'s>(source: &Source<'s>, line: usize) -> Option<(u8, &'s str)> {
    let text = source.line(line);
    let name = text.trim_start_matches('=');
    let level = text.len() - name.len();
    let named = name.starts_with(' ') && !name.trim().is_empty() && name.len() <= LONGEST_HEADING;
    ((1..=6).contains(&level) && named).then(|| (level as u8, name.trim()))
}

/// A title over a row of one mark at least as long, with or without the same row above it; levels
/// count in the order in which marks come up. Tells its first line, the one after its last, its level
/// and its name.
pub(crate) fn underlined<'s>(
    source: &Source<'s>,
    line: usize,
    marks: &mut Vec<(char, bool)>,
) -> Option<(usize, usize, u8, &'s str)> {
    if line + 1 >= source.len() || source.is_blank(line) {
        return None;
    }
    let mark = row_of(source.line(line + 1))?;
    let title = source.line(line).trim();
    let fits = title.len() <= LONGEST_HEADING
        && source.line(line + 1).trim_end().len() >= title.chars().count();
    if !fits || row_of(title).is_some() {
        return None;
    }
    let over = line > 0 && row_of(source.line(line - 1)) == Some(mark);
    if !over && (line > 0 && !source.is_blank(line - 1) || source.line(line).starts_with(' ')) {
        return None;
    }
    let level = marks.iter().position(|&known| known == (mark, over)).unwrap_or_else(|| {
        marks.push((mark, over));
        marks.len() - 1
    });
    let first = if over { line - 1 } else { line };
    Some((first, line + 2, (level + 1).min(6) as u8, title))
}

/// The mark of a line that is nothing but a row of it.
pub(crate) fn row_of(line: &str) -> Option<char> {
    let line = line.trim_end();
    let mark = line.chars().next().filter(|mark| "=-~^\"'`#*+.:_".contains(*mark))?;
    (line.len() >= 3 && line.chars().all(|c| c == mark)).then_some(mark)
}
