//! Code: one parse, one query for the units, one walk that cuts.
//!
//! What differs between languages is data: a row of the table in [`languages`] and a query file
//! that names the units. A file whose parse takes too long falls back to windows of lines; one that
//! parses with errors is walked all the same, since what lies beside an error is usually sound.

mod languages;
mod units;
mod walk;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tree_sitter::{ParseOptions, Parser, Tree};

use crate::lines::Source;
use crate::piece::Piece;
use crate::{Sizes, windows};

pub(crate) use languages::{Language, language};

/// Parsing and the search for units stop after this long: deeply nested input takes quadratic time.
const LONGEST_PARSE: Duration = Duration::from_secs(2);

/// Cuts a source file into pieces.
pub(crate) fn cut(
    source: &Source<'_>,
    language: &'static Language,
    sizes: Sizes,
    problems: &mut Vec<String>,
) -> Vec<Piece> {
    let Some(query) = language.query() else { return windows::cut(source, sizes) };
    let deadline = Deadline(Instant::now() + LONGEST_PARSE);
    let overtime = |problems: &mut Vec<String>| {
        problems.push("parsing took too long: cut by lines".to_owned());
        windows::cut(source, sizes)
    };
    let Some(tree) = parse(source.text, &query.grammar, deadline) else {
        return overtime(problems);
    };
    match units::find(&tree, source.text, query, deadline) {
        Some(units) => walk::cut(source, &tree, &units, language, sizes),
        None => overtime(problems),
    }
}

/// When parsing and the search for units stop.
#[derive(Clone, Copy)]
struct Deadline(Instant);

impl Deadline {
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
