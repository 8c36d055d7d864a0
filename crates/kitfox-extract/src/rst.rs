//! The outline of reStructuredText: titles, literal blocks, tables, directives.

use std::ops::Range;

use crate::lines::Source;
use crate::sections::{Heading, Outline};
use crate::text::{row_of, underlined};

/// Directives of which the body is shown as it is.
const LITERAL: &[&str] = &[
    "code",
    "code-block",
    "sourcecode",
    "parsed-literal",
    "literalinclude",
    "raw",
    "math",
    "doctest",
];

/// Finds headings and the places to cut at.
pub(crate) fn outline(source: &Source<'_>) -> Outline {
    let mut outline = Outline::flat(source.len());
    outline.allow_between_paragraphs(source);
    let mut marks = Vec::new();
    let mut line = 0;
    while line < source.len() {
        if let Some(block) = literal(source, line) {
            line = block.end.max(line + 1);
            outline.keep_whole(block);
        } else if let Some(table) = table(source, line) {
            line = table.end;
            let header = header(source, &table);
            outline.keep_rows(table.clone(), header, |line| begins_row(source, &table, line));
        } else if let Some((first, end, level, name)) = underlined_from(source, line, &mut marks) {
            let first = with_labels(source, first);
            outline.headings.push(Heading { line: first, level, name: name.to_owned() });
            outline.keep_with_next(source, first, end);
            line = end;
        } else {
            hide_targets(source, line, &mut outline.hidden);
            line += 1;
        }
    }
    outline
}

/// Hides the targets of `text <target>`_ and `.. _name: target`.
fn hide_targets(source: &Source<'_>, line: usize, hidden: &mut Vec<Range<usize>>) {
    let (text, start) = (source.line(line), source.bytes(line..line + 1).start);
    if let Some((name, target)) = text.split_once(": ")
        && name.trim_start().starts_with(".. _")
    {
        hidden.push(start + text.len() - target.len()..start + text.len());
        return;
    }
    let mut from = 0;
    for (end, _) in text.match_indices(">`") {
        let quoted = text[from..end].rfind('`').map_or(end, |at| from + at);
        if let Some(target) = text[quoted..end].rfind('<').filter(|at| *at > 1) {
            hidden.push(start + quoted + target..start + end + ">".len());
        }
        from = end + ">`".len();
    }
}

/// A title of which the first line is this one, be it the row above it.
fn underlined_from<'s>(
    source: &Source<'s>,
    line: usize,
    marks: &mut Vec<(char, bool)>,
) -> Option<(usize, usize, u8, &'s str)> {
    let is_over = row_of(source.line(line)).is_some()
        && line + 2 < source.len()
        && source.line(line + 2).trim_end() == source.line(line).trim_end();
    underlined(source, if is_over { line + 1 } else { line }, marks)
}

/// The labels (`.. _name:`) above a title are part of it.
fn with_labels(source: &Source<'_>, title: usize) -> usize {
    let mut first = title;
    for line in (0..title).rev() {
        if source.line(line).starts_with(".. _") {
            first = line;
        } else if !source.is_blank(line) {
            break;
        }
    }
    first
}

/// The block behind `::`, or that of a directive for code with the line of that.
fn literal(source: &Source<'_>, line: usize) -> Option<Range<usize>> {
    let text = source.line(line).trim_end();
    let directive = directive(text);
    let is_literal = match directive {
        Some(name) => LITERAL.contains(&name),
        None => text.ends_with("::") && !text.trim_start().starts_with(".. "),
    };
    if !is_literal {
        return None;
    }
    // What follows at once is the rest of a paragraph unless a directive announces it.
    if directive.is_none() && line + 1 < source.len() && !source.is_blank(line + 1) {
        return None;
    }
    let (mut end, depth) = (line + 1, indent(text));
    for next in line + 1..source.len() {
        if source.is_blank(next) {
            continue;
        }
        if indent(source.line(next)) <= depth {
            break;
        }
        end = next + 1;
    }
    let first = if directive.is_some() { line } else { line + 1 };
    (end > line + 1).then(|| source.trim(first..end))
}

/// The name of a directive: `note` of `.. note:: text`.
fn directive(text: &str) -> Option<&str> {
    let (name, _) = text.trim_start().strip_prefix(".. ")?.split_once("::")?;
    (!name.contains(' ')).then_some(name)
}

/// A grid table or a simple table.
fn table(source: &Source<'_>, line: usize) -> Option<Range<usize>> {
    let text = source.line(line).trim();
    if is_grid(text) && text.starts_with("+-") {
        let inside = |line: &usize| source.line(*line).trim_start().starts_with(['+', '|']);
        let rows = (line..source.len()).take_while(inside).count();
        return (rows > 2).then_some(line..line + rows);
    }
    if !is_simple(text) {
        return None;
    }
    let is_last = |line: &usize| {
        is_simple(source.line(*line).trim())
            && (line + 1 == source.len() || source.is_blank(line + 1))
    };
    (line + 1..source.len()).take(LONGEST_TABLE).find(is_last).map(|last| line..last + 1)
}

/// The end of a simple table is looked for in so many lines.
const LONGEST_TABLE: usize = 2000;

/// What stands above the rows: the lines up to the row of `=` below the first.
fn header(source: &Source<'_>, table: &Range<usize>) -> Range<usize> {
    let mut inside = table.start + 1..table.end - 1;
    let last = inside.find(|&line| {
        let text = source.line(line).trim();
        is_simple(text) || is_grid(text) && text.starts_with("+=")
    });
    table.start..last.map_or(table.start, |last| last + 1)
}

fn begins_row(source: &Source<'_>, table: &Range<usize>, line: usize) -> bool {
    let (first, text) = (source.line(table.start), source.line(line));
    if is_grid(first.trim()) {
        return line > table.start && is_grid(source.line(line - 1).trim());
    }
    // What goes on with a row leaves its first column blank.
    !is_simple(text.trim()) && !text.trim().is_empty() && indent(text) == indent(first)
}

fn is_grid(text: &str) -> bool {
    text.len() > 2
        && text.starts_with('+')
        && text.ends_with('+')
        && text.chars().all(|c| "+-=".contains(c))
}

fn is_simple(text: &str) -> bool {
    text.contains("= ") && text.starts_with('=') && text.chars().all(|c| c == '=' || c == ' ')
}

fn indent(text: &str) -> usize {
    text.len() - text.trim_start().len()
}
