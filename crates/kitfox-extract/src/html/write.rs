//! Nodes to Markdown.

use std::ops::Range;

use super::content::is_dropped;
use super::tree::{Element, Node, Page, Tag};
use crate::converted::{Converted, Writer};
use crate::lines::Source;

/// In so many nodes of a header its heading is looked for.
const NEAR: usize = 100;

/// Writes a node and all in it.
pub(super) fn write(page: &Page, main: usize, source: &Source<'_>) -> Converted {
    let mut walk = Walk {
        page,
        last_line: source.len().saturating_sub(1),
        writer: Writer::default(),
        open: Vec::new(),
        line: Inline::default(),
        code: None,
        lists: Vec::new(),
        rows: Vec::new(),
    };
    walk.walk(main);
    walk.writer.finish()
}

struct Walk<'p> {
    page: &'p Page,
    last_line: usize,
    writer: Writer,
    /// The elements being read, the outermost first.
    open: Vec<usize>,
    /// The paragraph, the heading or the cell being read.
    line: Inline,
    /// The block of code being read.
    code: Option<Code>,
    /// For each list being read, the number of its next item if it has numbers.
    lists: Vec<Option<u64>>,
    /// For each table being read, its rows so far and the cells of the row being read.
    rows: Vec<Rows>,
}

struct Code {
    text: String,
    /// The line of its tag.
    line: usize,
    language: String,
}

#[derive(Default)]
struct Rows {
    /// Lines written.
    count: usize,
    cells: Vec<String>,
    lines: Option<Range<usize>>,
    /// Whether all cells of the row are those of a header.
    is_header: bool,
}

/// Text in which white space is one space, with the lines it came from.
#[derive(Default)]
struct Inline {
    text: String,
    lines: Option<Range<usize>>,
    space: bool,
}

impl Inline {
    fn push(&mut self, text: &str, line: usize) {
        let last = line + text.trim_end().matches('\n').count();
        for (at, part) in text.split(char::is_whitespace).enumerate() {
            self.space |= at > 0;
            if !part.is_empty() {
                self.mark(part);
            }
        }
        if !text.trim().is_empty() {
            let blank = text.len() - text.trim_start().len();
            let first = line + text[..blank].matches('\n').count();
            let lines = self.lines.get_or_insert(first..first + 1);
            lines.end = lines.end.max(last + 1);
        }
    }

    /// Writes without looking at white space.
    fn mark(&mut self, text: &str) {
        if std::mem::take(&mut self.space) && !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(text);
    }

    fn take(&mut self) -> (String, Option<Range<usize>>) {
        let taken = std::mem::take(self);
        (taken.text, taken.lines)
    }
}

impl Walk<'_> {
    fn walk(&mut self, main: usize) {
        let page = self.page;
        let mut node = main;
        while node < page.end(main) {
            self.close_before(node);
            match &page.nodes[node] {
                Node::Element(element) if node != main && self.is_aside(element, node) => {
                    node = element.end;
                    continue;
                }
                Node::Element(element) => {
                    self.open.push(node);
                    self.start(element);
                }
                Node::Text { text, line } => self.text(text, *line),
            }
            node += 1;
        }
        self.close_before(node);
        self.flush();
    }

    /// A header of a page is beside its content unless it has the heading.
    fn is_aside(&self, element: &Element, node: usize) -> bool {
        let mut near = (node..element.end).take(NEAR);
        let tag = |node| self.page.element(node).map(|element| element.tag);
        is_dropped(element)
            || element.tag == Tag::Header && !near.any(|node| tag(node) == Some(Tag::Heading(1)))
    }

    fn close_before(&mut self, node: usize) {
        while let Some(&last) = self.open.last()
            && self.page.end(last) <= node
        {
            self.open.pop();
            if let Some(element) = self.page.element(last) {
                self.end(element);
            }
        }
    }

    fn text(&mut self, text: &str, line: usize) {
        match &mut self.code {
            Some(code) => code.text.push_str(text),
            None => self.line.push(text, line),
        }
    }

    fn in_cell(&self) -> bool {
        self.rows.last().is_some_and(|rows| rows.lines.is_some())
    }

    fn start(&mut self, element: &Element) {
        if let Some(code) = &mut self.code {
            if element.tag == Tag::Break {
                code.text.push('\n');
            }
            if code.language.is_empty() {
                code.language = language(element).unwrap_or_default().to_owned();
            }
            return;
        }
        match element.tag {
            Tag::Inline => {}
            Tag::Code => self.line.mark("`"),
            Tag::Link if is_link(element) => self.line.mark("["),
            Tag::Link => {}
            Tag::Image if !element.alt.trim().is_empty() => {
                let image = format!("![{}]({})", element.alt.trim(), element.value);
                self.line.push(&image, element.line);
            }
            Tag::Image => {}
            Tag::Break => self.line.space = true,
            Tag::Row | Tag::Cell { .. } => self.start_block(element),
            _ if self.in_cell() => self.line.space = true,
            _ => self.start_block(element),
        }
    }

    fn start_block(&mut self, element: &Element) {
        if !matches!(element.tag, Tag::Cell { .. }) {
            self.flush();
        }
        match element.tag {
            Tag::Pre => {
                let language = self.language().to_owned();
                self.code = Some(Code { text: String::new(), line: element.line, language });
            }
            Tag::List { ordered } => {
                self.writer.set_tight(!self.lists.is_empty());
                self.lists.push(ordered.then(|| element.value.trim().parse().unwrap_or(1)));
            }
            Tag::Item if !element.holds_blocks => {
                let marker = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        let marker = format!("{number}. ");
                        *number = number.saturating_add(1);
                        marker
                    }
                    _ => "- ".to_owned(),
                };
                self.writer.open_item(&marker);
            }
            Tag::Quote => self.writer.open_quote(),
            Tag::Table if !element.holds_blocks => self.rows.push(Rows::default()),
            Tag::Row => {
                if let Some(rows) = self.rows.last_mut() {
                    rows.cells.clear();
                    rows.is_header = true;
                    rows.lines = Some(element.line..element.line + 1);
                }
            }
            Tag::Cell { header } => {
                match self.rows.last_mut().filter(|rows| rows.lines.is_some()) {
                    Some(rows) => rows.is_header &= header,
                    None => self.flush(),
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, element: &Element) {
        if self.code.is_some() && element.tag != Tag::Pre {
            return;
        }
        match element.tag {
            Tag::Inline | Tag::Image | Tag::Break => {}
            Tag::Code => self.end_code(),
            Tag::Link if is_link(element) => self.end_link(element),
            Tag::Link => {}
            Tag::Row => self.end_row(),
            Tag::Cell { .. } if self.in_cell() => self.end_cell(),
            _ if self.in_cell() => self.line.space = true,
            _ => self.end_block(element),
        }
    }

    fn end_block(&mut self, element: &Element) {
        match element.tag {
            Tag::Heading(level) => self.end_heading(level),
            Tag::Pre => self.end_pre(),
            Tag::Term => {
                self.flush();
                self.writer.set_tight(true);
            }
            Tag::List { .. } => {
                self.flush();
                self.lists.pop();
                self.writer.set_tight(!self.lists.is_empty());
            }
            Tag::Item if element.holds_blocks => self.flush(),
            Tag::Item | Tag::Quote => {
                self.flush();
                self.writer.close();
                self.writer.set_tight(element.tag == Tag::Item);
            }
            Tag::Table if !element.holds_blocks => {
                self.flush();
                self.rows.pop();
            }
            _ => self.flush(),
        }
    }

    /// Writes the paragraph being read.
    fn flush(&mut self) {
        if let (text, Some(lines)) = self.line.take() {
            self.writer.paragraph(&text, lines);
        }
    }

    fn end_heading(&mut self, level: u8) {
        if let (text, Some(lines)) = self.line.take() {
            self.writer.heading(usize::from(level), &text, lines);
        }
    }

    fn end_code(&mut self) {
        self.line.space = false;
        match self.line.text.ends_with('`') && !self.line.text.ends_with("``") {
            true => drop(self.line.text.pop()),
            false => self.line.mark("`"),
        }
    }

    fn end_link(&mut self, element: &Element) {
        if self.line.text.ends_with('[') {
            self.line.text.pop();
            return;
        }
        let space = std::mem::take(&mut self.line.space);
        self.line.mark(&format!("]({})", element.value.trim()));
        self.line.space = space;
    }

    fn end_cell(&mut self) {
        let (text, lines) = self.line.take();
        let Some(rows) = self.rows.last_mut() else { return };
        rows.cells.push(text.replace('|', "\\|"));
        if let (Some(row), Some(lines)) = (&mut rows.lines, lines) {
            row.end = row.end.max(lines.end);
        }
    }

    fn end_row(&mut self) {
        let Some(rows) = self.rows.last_mut() else { return self.flush() };
        let Some(lines) = rows.lines.take() else { return };
        let cells = std::mem::take(&mut rows.cells);
        if cells.iter().all(String::is_empty) {
            return;
        }
        let row = format!("| {} |", cells.join(" | "));
        let marks = format!("|{}", "---|".repeat(cells.len()));
        let written = match (rows.count, rows.is_header) {
            (0, true) => vec![row, marks],
            // Markdown has no table without a header.
            (0, false) => vec![format!("|{}", "  |".repeat(cells.len())), marks, row],
            _ => vec![row],
        };
        for line in written {
            if rows.count > 0 {
                self.writer.set_tight(true);
            }
            rows.count += 1;
            self.writer.line(&line, lines.clone());
        }
    }

    fn end_pre(&mut self) {
        let Some(Code { text, line, language }) = self.code.take() else { return };
        let code = text.trim_start_matches(['\n', '\r']);
        let first = line + text[..text.len() - code.len()].matches('\n').count();
        if !code.trim().is_empty() {
            self.writer.code(&language, code, first, self.last_line);
        }
    }

    /// The language that the elements around a block of code tell.
    fn language(&self) -> &str {
        let around = self.open.iter().rev().take(3).filter_map(|&node| self.page.element(node));
        around.into_iter().find_map(language).unwrap_or_default()
    }
}

/// The language that the class of an element tells.
fn language(element: &Element) -> Option<&str> {
    let mut names = element.class.split_ascii_whitespace().filter_map(|class| {
        class.strip_prefix("language-").or_else(|| class.strip_prefix("highlight-"))
    });
    let is_name = |c: char| c.is_ascii_alphanumeric() || "+#-_.".contains(c);
    names.find(|name| !["default", "none"].contains(name) && name.chars().all(is_name))
}

/// Links within the page, and scripts, lead nowhere.
fn is_link(element: &Element) -> bool {
    let target = element.value.trim();
    !target.is_empty()
        && !target.starts_with('#')
        && !target.starts_with("javascript:")
        && !target.starts_with("data:")
        && !target.contains([' ', '\n', '(', ')'])
}
