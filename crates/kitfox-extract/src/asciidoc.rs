//! The outline of AsciiDoc: titles, delimited blocks, tables, lines that belong to what follows.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::lines::Source;
use crate::sections::{Break, Heading, Outline};
use crate::text::asciidoc;

/// Finds headings and the places to cut at.
pub(crate) fn outline(source: &Source<'_>) -> Outline {
    let delimiters = delimiters(source);
    let mut outline = Outline::flat(source.len());
    outline.allow_between_paragraphs(source);
    let mut line = 0;
    while line < source.len() {
        if let Some((end, level, name)) = title(source, line) {
            let first = with_attributes(source, line);
            outline.headings.push(Heading { line: first, level, name: name.to_owned() });
            let end = if level == 1 { header_end(source, end) } else { end };
            outline.keep_with_next(source, first, end);
            line = end;
        } else if let Some(block) = block(source, &delimiters, line) {
            line = block.end;
            match source.line(block.start).trim_end() == TABLE {
                true => keep_rows(&mut outline, source, block),
                false => outline.keep_whole(block),
            }
        } else {
            if is_attribute(source.line(line)) && line + 1 < source.len() {
                outline.breaks[line + 1] = Break::Never;
            }
            hide_targets(source, line, &mut outline.hidden);
            line += 1;
        }
    }
    outline
}

/// What stands before the text of a link or an image.
const LINKS: &[&str] = &["link:", "xref:", "http://", "https://", "mailto:", "image:", "image::"];

/// Hides the targets of `link:target[text]` and the like, where there is a text, and of
/// `<<target,text>>`.
fn hide_targets(source: &Source<'_>, line: usize, hidden: &mut Vec<Range<usize>>) {
    let (text, start) = (source.line(line), source.bytes(line..line + 1).start);
    let mut from = 0;
    for (end, _) in text.match_indices(['[', ',']) {
        let behind = |c: char| c.is_whitespace() || "(\"'`".contains(c);
        let first = text[from..end].rfind(behind).map_or(from, |at| from + at);
        let first = text.len() - text[first..].trim_start_matches(behind).len();
        let target = &text[first.min(end)..end];
        let is_link = match text[end..].starts_with('[') {
            true => {
                LINKS.iter().any(|link| target.starts_with(link)) && !text[end..].starts_with("[]")
            }
            false => target.starts_with("<<"),
        };
        if is_link {
            let separator = usize::from(text[end..].starts_with(','));
            hidden.push(start + first..start + end + separator);
            from = end + separator;
        }
    }
}

/// `== Title`, or a title over a row of one of five marks, as long as it: the line after it, its
/// level and its name.
fn title<'s>(source: &Source<'s>, line: usize) -> Option<(usize, u8, &'s str)> {
    if let Some((level, name)) = asciidoc(source, line) {
        return Some((line + 1, level, name));
    }
    let begins = line == 0 || source.is_blank(line - 1) || is_attribute(source.line(line - 1));
    if !begins || line + 1 >= source.len() {
        return None;
    }
    let (name, row) = (source.line(line).trim_end(), source.line(line + 1).trim_end());
    let mark = row.chars().next()?;
    let level = "=-~^+".find(mark)? as u8 + 1;
    let fits = name.chars().count().abs_diff(row.len()) <= 1 && row.len() > 2;
    let is_title = name.starts_with(char::is_alphanumeric) && row.chars().all(|c| c == mark);
    (fits && is_title).then_some((line + 2, level, name))
}

/// The author and the `:attribute:` lines under the title of the document.
fn header_end(source: &Source<'_>, line: usize) -> usize {
    (line..source.len()).find(|&line| source.is_blank(line)).unwrap_or(source.len())
}

/// The anchors and attributes above a title are part of it.
fn with_attributes(source: &Source<'_>, title: usize) -> usize {
    let above = (0..title).rev().take_while(|&line| is_attribute(source.line(line)));
    above.last().unwrap_or(title)
}

/// `[[anchor]]`, `[source,java]`, `.Title of a block`: said of what follows.
fn is_attribute(line: &str) -> bool {
    let line = line.trim_end();
    line.starts_with('[') && line.ends_with(']')
        || line.strip_prefix('.').is_some_and(|rest| {
            rest.starts_with(|c: char| !c.is_whitespace() && !".0123456789".contains(c))
        })
}

/// Keeps the rows of a table whole: each begins with `|`, behind a blank line or with all its cells.
fn keep_rows(outline: &mut Outline, source: &Source<'_>, table: Range<usize>) {
    let header = header(source, &table);
    let columns = header.clone().last().map_or(usize::MAX, |last| cells(source, last));
    outline.keep_rows(table.clone(), header, |line| {
        let is_inside = table.start < line && line + 1 < table.end;
        is_inside
            && source.line(line).starts_with('|')
            && (source.is_blank(line - 1) || cells(source, line).max(2) == columns)
    });
}

/// The header of a table: its first line where an attribute or the blank line behind it says so, or
/// its first lines where each has one cell.
fn header(source: &Source<'_>, table: &Range<usize>) -> Range<usize> {
    let first = table.start + 1;
    let mut inside = first..table.end - 1;
    let is_said = table.start > 0 && {
        let above = source.line(table.start - 1);
        is_attribute(above) && above.contains("header") && !above.contains("noheader")
    };
    let end = inside.find(|&line| source.is_blank(line)).unwrap_or(first);
    match is_said || end == first + 1 {
        true if cells(source, first) == 1 => table.start..end,
        true => table.start..first + 1,
        false => table.start..table.start,
    }
}

fn cells(source: &Source<'_>, line: usize) -> usize {
    source.line(line).matches('|').count()
}

/// The lines of each delimiter of blocks that are shown as they are, and of tables.
type Delimiters<'s> = FxHashMap<&'s str, Vec<usize>>;

fn delimiters<'s>(source: &Source<'s>) -> Delimiters<'s> {
    let mut found = Delimiters::default();
    for line in 0..source.len() {
        let text = source.line(line).trim_end();
        if let Some(delimiter) = delimiter(text) {
            found.entry(delimiter).or_default().push(line);
        }
    }
    found
}

/// What begins and ends most tables.
const TABLE: &str = "|===";

/// What ends the block that a line begins.
fn delimiter(text: &str) -> Option<&str> {
    if text.starts_with("```") {
        return Some("```");
    }
    let row = |mark: char| text.len() >= 4 && text.chars().all(|c| c == mark);
    let is_row = ['-', '.', '+', '/'].into_iter().any(row);
    (is_row || [TABLE, ",===", ":===", "!==="].contains(&text)).then_some(text)
}

/// The block that begins at a line, if it ends.
fn block(source: &Source<'_>, delimiters: &Delimiters<'_>, line: usize) -> Option<Range<usize>> {
    let lines = delimiters.get(delimiter(source.line(line).trim_end())?)?;
    let next = lines.partition_point(|&other| other <= line);
    lines.get(next).map(|&last| line..last + 1)
}
