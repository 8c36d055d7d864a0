//! Code: one parse and one query for the units give both the passages and the outline.
//!
//! What differs between languages is data: a row of the table in [`languages`] and a query file
//! that names the units. A file whose parse takes too long falls back to windows of lines; one that
//! parses with errors is walked all the same, since what lies beside an error is usually sound.

mod bodies;
mod captures;
mod docs;
mod kinds;
mod languages;
mod lexemes;
mod listing;
mod macros;
mod matching;
mod names;
mod nodes;
mod patterns;
mod roles;
mod tokens;
mod units;
mod walk;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tree_sitter::{ParseOptions, Parser, Tree};

use crate::lines::Source;
use crate::outline::OutlineItem;
use crate::piece::Piece;
use crate::{Sizes, windows};

pub use kinds::KINDS;

#[cfg(test)]
pub(crate) use languages::formats;
use languages::{Language, language};
use units::Units;

/// Parsing and the search for units stop after this long: deeply nested input takes quadratic time.
const LONGEST_PARSE: Duration = Duration::from_secs(2);

/// What one parse of a source file gives.
pub(crate) struct Code {
    pub pieces: Vec<Piece>,
    pub outline: Vec<OutlineItem>,
}

/// Cuts and outlines a source file; without an outline and by windows where its syntax is not
/// known or parsing takes too long.
pub(crate) fn read(
    source: &Source<'_>,
    format: &str,
    sizes: Sizes,
    problems: &mut Vec<String>,
) -> Code {
    let by_windows = || Code { pieces: windows::cut(source, sizes), outline: Vec::new() };
    let Some(language) = language(format) else { return by_windows() };
    let read = |tree: &Tree, units: &Units<'_>| Code {
        pieces: if units.list.iter().all(|unit| unit.member) {
            windows::cut(source, sizes)
        } else {
            walk::cut(source, tree, units, sizes)
        },
        outline: listing::list(source, units),
    };
    with_units(source, language, read).unwrap_or_else(|| {
        problems.push("parsing took too long: cut by lines".to_owned());
        by_windows()
    })
}

/// Outlines a source file; none where its syntax is not known or parsing takes too long.
pub(crate) fn outline(source: &Source<'_>, format: &str) -> Option<Vec<OutlineItem>> {
    with_units(source, language(format)?, |_, units| listing::list(source, units))
}

/// Parses a file and hands its units on; none if that takes too long.
fn with_units<T>(
    source: &Source<'_>,
    language: &'static Language,
    then: impl FnOnce(&Tree, &Units<'_>) -> T,
) -> Option<T> {
    let query = language.query()?;
    let deadline = Deadline::after(LONGEST_PARSE);
    let parsed = language.parsed(source.text);
    let parse = |text: &str| parse(text, &query.grammar, deadline);
    let tree = parse(&parsed.text)?;
    let tree = if language.bodies { mended(tree, &parsed.text, parse) } else { tree };
    let mut captures = captures::capture(&tree, source.text, query, deadline)?;
    captures.add_macros(parsed.macros);
    Some(then(&tree, &Units::new(source, captures, language)))
}

/// A better tree of a text of which much is broken, if there is one.
fn mended(tree: Tree, text: &str, parse: impl Fn(&str) -> Option<Tree>) -> Tree {
    let broken = broken(&tree);
    if broken * MUCH <= text.len() {
        return tree;
    }
    let is_readable = |body: &str| parse(body).is_none_or(|tree| !tree.root_node().has_error());
    let mended = bodies::without_unreadable(text, is_readable).and_then(|text| parse(&text));
    mended.filter(|mended| self::broken(mended) < broken).unwrap_or(tree)
}

/// One in so many bytes that could not be parsed is much.
const MUCH: usize = 10;

/// How many bytes could not be parsed.
fn broken(tree: &Tree) -> usize {
    let mut broken = 0;
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() {
            broken += node.byte_range().len();
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return broken;
            }
        }
    }
}

/// When parsing and the search for units stop.
#[derive(Clone, Copy)]
struct Deadline(Instant);

impl Deadline {
    fn after(duration: Duration) -> Deadline {
        Deadline(Instant::now() + duration)
    }

    fn check(self) -> ControlFlow<()> {
        if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_over(self) -> bool {
        Instant::now() > self.0
    }
}

fn parse(text: &str, grammar: &tree_sitter::Language, deadline: Deadline) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(grammar).ok()?;
    let mut check = |_: &_| deadline.check();
    let options = ParseOptions::new().progress_callback(&mut check);
    parser.parse_with_options(&mut |at, _| &text.as_bytes()[at..], None, Some(options))
}
