//! Search results as a person reads them.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use kitfox_faces::AnyHit;

use crate::commands::Query;
use crate::highlight::Highlighter;
use crate::output::printable;

const PATH: Style = AnsiColor::Magenta.on_default();
const LINE: Style = AnsiColor::Green.on_default();
const SECTION: Style = AnsiColor::Cyan.on_default();
const QUIET: Style = Style::new().dimmed();

/// Lines shown of a passage.
const MAX_LINES: usize = 12;
/// Characters shown of a line.
const MAX_COLUMNS: usize = 200;

/// The hits, best first, with the words of the query marked.
pub fn hits(query: &Query, hits: &[AnyHit]) -> String {
    let highlighter = Highlighter::new(&query.text);
    let mut text = String::new();
    for (index, hit) in hits.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        header(&mut text, hit);
        if query.explain {
            let _ = writeln!(text, "  {QUIET}{}{QUIET:#}", hit.reasons);
        }
        passage(&mut text, hit, &highlighter);
    }
    text
}

fn header(text: &mut String, hit: &AnyHit) {
    // Writing to a string cannot fail, here and below.
    let _ = write!(text, "{PATH}{}{PATH:#}", printable(&hit.path));
    // Records have no lines.
    if hit.start_line > 0 {
        let _ = write!(text, ":{LINE}{}{LINE:#}", hit.start_line);
    }
    if !hit.section.is_empty() {
        let _ = write!(text, "  {SECTION}{}{SECTION:#}", printable(&hit.section));
    }
    let _ = writeln!(text, "  {QUIET}({})  {:.3}{QUIET:#}", hit.source, hit.score);
}

fn passage(text: &mut String, hit: &AnyHit, highlighter: &Highlighter) {
    let total = hit.content.lines().count();
    for (number, line) in (hit.start_line.max(1)..).zip(hit.content.lines().take(MAX_LINES)) {
        let line = highlighter.mark(&shortened(&printable(line)));
        let _ = writeln!(text, "  {QUIET}{number:>5}{QUIET:#}  {line}");
    }
    if total > MAX_LINES {
        let rest = total - MAX_LINES;
        let _ = writeln!(text, "  {QUIET}    …  {rest} more lines{QUIET:#}");
    }
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(MAX_COLUMNS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use kitfox_faces::{Legs, Reasons};

    use super::*;

    #[test]
    fn a_hit_shows_place_source_and_numbered_lines() {
        let hit = AnyHit {
            source: "server".into(),
            path: "src/a.rs".into(),
            start_line: 9,
            end_line: 22,
            section: "Router::route".into(),
            content: format!("fn route() {{\u{1b}[2J\n{}}}", "    step();\n".repeat(12)),
            score: 0.5,
            reasons: Reasons::from(Legs { words: 0.1, meaning: 0.4 }),
        };
        let mut query =
            Query { text: "route".into(), limit: 1, path: None, explain: false, refresh: false };
        let shown = |query: &Query| {
            anstream::adapter::strip_str(&hits(query, std::slice::from_ref(&hit))).to_string()
        };
        let plain = shown(&query);
        let lines: Vec<&str> = plain.lines().collect();
        assert_eq!(lines[0], "src/a.rs:9  Router::route  (server)  0.500");
        assert_eq!(lines[1], "      9  fn route() {\u{FFFD}[2J");
        assert_eq!(lines[12], "     20      step();");
        assert_eq!(lines[13], "      …  2 more lines");
        query.explain = true;
        assert_eq!(shown(&query).lines().nth(1), Some("  (words 0.100 + meaning 0.400)"));
    }
}
