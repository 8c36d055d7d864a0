//! Formats that are read as the Markdown they amount to: each line remembers where it came from.

use std::ops::Range;

use crate::decode::RawLines;
use crate::lines::Source;

/// Deeper nesting is not shown, so that the text stays in proportion to the file.
const DEEPEST: usize = 6;

/// A file as Markdown.
#[derive(Default)]
pub(crate) struct Converted {
    pub text: String,
    /// What the file calls itself, apart from its headings.
    pub title: Option<String>,
    /// The lines of the file, counted from 0, behind each line of the text.
    origins: Vec<Range<usize>>,
}

impl Converted {
    /// The places of the lines of the text, for a [`Source`] of it.
    pub fn raw(&self, file: &Source<'_>) -> RawLines {
        let origin = |lines: &Range<usize>| {
            let start = lines.start.min(file.len().saturating_sub(1));
            let lines = start..lines.end.clamp(start + 1, file.len());
            let bytes = file.raw(&lines, &file.bytes(lines.clone()));
            (lines, bytes)
        };
        RawLines::Converted(self.origins.iter().map(origin).collect())
    }

    fn push(&mut self, line: &str, origin: Range<usize>) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
        self.origins.push(origin);
    }
}

/// Writes Markdown block by block.
#[derive(Default)]
pub(crate) struct Writer {
    written: Converted,
    /// What stands before each line, one part for each open list item or quote.
    margins: Vec<Margin>,
    /// Whether the next block follows the one before without a blank line.
    tight: bool,
}

struct Margin {
    first: String,
    rest: String,
}

impl Writer {
    /// The whole.
    pub fn finish(self) -> Converted {
        self.written
    }

    /// Whether nothing was written yet.
    pub fn is_empty(&self) -> bool {
        self.written.text.is_empty()
    }

    /// Opens a list item with a marker such as `- `.
    pub fn open_item(&mut self, marker: &str) {
        self.margins.push(Margin { first: marker.to_owned(), rest: " ".repeat(marker.len()) });
    }

    /// Opens a quote.
    pub fn open_quote(&mut self) {
        self.margins.push(Margin { first: "> ".to_owned(), rest: "> ".to_owned() });
    }

    /// Closes the last item or quote.
    pub fn close(&mut self) {
        self.margins.pop();
    }

    /// Says whether the next block follows without a blank line.
    pub fn set_tight(&mut self, tight: bool) {
        self.tight = tight;
    }

    /// A line of prose, a heading or a row of a table.
    pub fn line(&mut self, text: &str, origin: Range<usize>) {
        self.separate(&origin);
        let margin = self.margin();
        self.written.push(&(margin + text), origin);
    }

    /// A paragraph: what would be read as another block at its beginning is escaped.
    pub fn paragraph(&mut self, text: &str, origin: Range<usize>) {
        let misread = text.starts_with(['#', '<', '>', '='])
            || ["```", "~~~", "---", "+++"].iter().any(|mark| text.starts_with(mark));
        if misread {
            return self.line(&format!("\\{text}"), origin);
        }
        self.line(text, origin);
    }

    /// A heading: never in a list or a quote.
    pub fn heading(&mut self, level: usize, text: &str, origin: Range<usize>) {
        self.tight = false;
        self.separate(&origin);
        let marks = "#".repeat(level.clamp(1, 6));
        self.written.push(&format!("{marks} {text}"), origin);
    }

    /// A block of code, the first of its lines at line `first` of the file and none after `last`.
    pub fn code(&mut self, language: &str, code: &str, first: usize, last: usize) {
        let code = code.trim_end();
        let longest = code.lines().map(|line| run_of_ticks(line.trim_start())).max().unwrap_or(0);
        let fence = "`".repeat((longest + 1).max(3));
        let at = |line: usize| line.min(last)..line.min(last) + 1;
        self.line(&format!("{fence}{language}"), at(first));
        let mut next = first;
        for line in code.lines() {
            let margin = self.margin();
            self.written.push(&(margin + line), at(next));
            next += 1;
        }
        let margin = self.margin();
        self.written.push(&(margin + &fence), at(next.saturating_sub(1)));
    }

    fn separate(&mut self, origin: &Range<usize>) {
        if !std::mem::take(&mut self.tight) && !self.is_empty() {
            self.written.push("", origin.start..origin.start + 1);
        }
    }

    /// What stands before the next line; of an item, its marker but once.
    fn margin(&mut self) -> String {
        let mut margin = String::new();
        for part in self.margins.iter_mut().take(DEEPEST) {
            margin += &std::mem::replace(&mut part.first, part.rest.clone());
        }
        margin
    }
}

fn run_of_ticks(text: &str) -> usize {
    text.len() - text.trim_start_matches('`').len()
}
