//! Documentation of definitions: which comments and attributes belong to one, and the first line
//! of what they say.

use std::ops::Range;

use super::captures::Leading;
use super::names::without_tags;
use crate::lines::Source;

/// Characters of a line of documentation.
const LONGEST_DOC: usize = 200;

/// How many blank lines may lie between a leading node and what it belongs to. A JSDoc block
/// documents what follows it even over a blank line.
pub(super) fn reach(text: &str) -> usize {
    usize::from(text.starts_with("/**"))
}

/// The leading nodes that belong to a definition that begins at byte `at`: a range of `leading`,
/// which is in the order of the text.
pub(super) fn before(source: &Source<'_>, leading: &[Leading], at: usize) -> Range<usize> {
    let last = leading.partition_point(|node| node.bytes.start < at);
    let (mut first, mut at) = (last, at);
    while let Some(node) = first.checked_sub(1).map(|before| &leading[before]) {
        if !belongs(source, &node.bytes, at) {
            break;
        }
        first -= 1;
        at = node.bytes.start;
    }
    first..last
}

/// Whether a leading node stands right before a place, on lines of its own.
fn belongs(source: &Source<'_>, node: &Range<usize>, at: usize) -> bool {
    let Some(gap) = source.text.get(node.end..at) else { return false };
    if node.is_empty() || !gap.trim().is_empty() {
        return false;
    }
    let (line, next) = (source.line_of(node.end - 1), source.line_of(at));
    let blank_lines = next.saturating_sub(line).saturating_sub(1);
    let own_line = source.bytes(source.line_of(node.start)..source.line_of(node.start) + 1);
    let alone = source.text[own_line.start..node.start].trim().is_empty();
    alone && blank_lines <= reach(&source.text[node.clone()])
}

/// The first line that says something in a comment or a documentation string.
pub(super) fn first_line(text: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let line = without_marks(line);
        let line = if line.starts_with('<') { without_tags(line) } else { line.to_owned() };
        let line = line.trim();
        let says = line.chars().any(char::is_alphanumeric)
            && !NOISE.iter().any(|start| line.starts_with(start));
        says.then(|| line.chars().take(LONGEST_DOC).collect::<String>().trim_end().to_owned())
    })
}

/// What begins a line for tools, not for readers.
const NOISE: &[&str] = &[
    "@",
    "eslint",
    "tslint:",
    "prettier-ignore",
    "noqa",
    "NOLINT",
    "go:",
    "rubocop:",
    "pylint:",
    "istanbul ",
    "shellcheck ",
    "frozen_string_literal",
];

fn without_marks(line: &str) -> &str {
    let line = line.trim().trim_start_matches("<!");
    let line = line.trim_start_matches(['/', '*', '#', '-', ';', '!', '%', '|', '{', '=']);
    let line = line.trim_end_matches("*/").trim_end_matches("-}").trim_end_matches("-->");
    let line = line.trim_start().trim_start_matches("| ").trim_start_matches("^ ");
    let quoted = line.trim_start_matches(['r', 'u', 'b', 'f', 'R', 'U']);
    let line = if quoted.starts_with(['"', '\'']) { quoted } else { line };
    line.trim().trim_matches(['"', '\'']).trim()
}
