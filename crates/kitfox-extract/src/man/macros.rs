//! Macros of man(7) and mdoc(7).

use std::ops::Range;

use super::conditions::Conditions;
use super::escapes::plain;
use super::words::{arguments, words};
use crate::converted::{Converted, Writer};
use crate::lines::Source;

/// Reads a page.
pub(super) fn convert(source: &Source<'_>) -> Converted {
    let mut page = Page {
        writer: Writer::default(),
        paragraph: Paragraph::default(),
        code: None,
        tagged: false,
        next_heading: None,
        lists: Vec::new(),
        named: String::new(),
        title: None,
        ignored: None,
        tables: false,
        conditions: Conditions::default(),
    };
    for line in 0..source.len() {
        page.line(source.line(line).trim_end(), line);
    }
    page.flush();
    page.end_code(source.len());
    let mut converted = page.writer.finish();
    converted.title = page.title;
    converted
}

struct Page {
    writer: Writer,
    paragraph: Paragraph,
    /// Lines to be shown as they are, and the first of them.
    code: Option<(String, usize)>,
    /// Whether the next line of text is the tag of a paragraph (`.TP`).
    tagged: bool,
    /// The level of the heading that the next line of text is.
    next_heading: Option<usize>,
    /// The markers of the lists of mdoc(7) that are open; none for those with tags.
    lists: Vec<Option<&'static str>>,
    /// What `.Nm` stands for.
    named: String,
    title: Option<String>,
    /// What ends lines that are not shown: the definition of a macro.
    ignored: Option<String>,
    /// Whether rows of a table are read.
    tables: bool,
    conditions: Conditions,
}

#[derive(Default)]
struct Paragraph {
    text: String,
    lines: Option<Range<usize>>,
}

impl Paragraph {
    fn push(&mut self, text: &str, line: usize) {
        if text.is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(text);
        self.lines.get_or_insert(line..line + 1).end = line + 1;
    }
}

impl Page {
    fn line(&mut self, line: &str, at: usize) {
        if let Some(end) = &self.ignored {
            if line.strip_prefix('.').is_some_and(|rest| rest.trim() == end) {
                self.ignored = None;
            }
            return;
        }
        let Some(line) = self.conditions.shown(line) else { return };
        match line.strip_prefix('.').or_else(|| line.strip_prefix('\'')) {
            Some(call) => {
                let call = call.trim_start();
                let (name, rest) = call.split_once([' ', '\t']).unwrap_or((call, ""));
                self.call(name, rest.trim(), at);
            }
            None if self.tables => self.row(line, at),
            None => self.text(&plain(line), at),
        }
    }

    /// A line of text, or what a macro makes of its arguments.
    fn text(&mut self, text: &str, at: usize) {
        if let Some(level) = self.next_heading.take() {
            return self.heading(level, text, at);
        }
        if let Some((code, _)) = &mut self.code {
            code.push_str(text.trim_end());
            code.push('\n');
            return;
        }
        if text.trim().is_empty() {
            return self.flush();
        }
        self.paragraph.push(text.trim(), at);
        if std::mem::take(&mut self.tagged) {
            self.flush();
            self.writer.set_tight(true);
        }
    }

    fn call(&mut self, name: &str, rest: &str, at: usize) {
        if name.starts_with("\\\"") || name.starts_with('"') || name.is_empty() {
            return;
        }
        match name {
            "TH" | "Dt" => self.set_title(rest),
            "SH" | "Sh" => self.start_heading(1, rest, at),
            "SS" | "Ss" => self.start_heading(2, rest, at),
            "PP" | "LP" | "P" | "Pp" | "sp" | "HP" | "RS" | "RE" | "br" => self.paragraph_ends(at),
            "TP" | "TQ" => {
                self.flush();
                self.tagged = true;
            }
            "IP" => self.indented(rest, at),
            "nf" | "EX" | "Bd" => self.start_code(name, rest, at),
            "fi" | "EE" | "Ed" => self.end_code(at),
            "TS" => {
                self.flush();
                self.tables = true;
            }
            "TE" => self.tables = false,
            "Bl" => self.start_list(rest),
            "El" => {
                self.flush();
                self.lists.pop();
            }
            "It" => self.item(rest, at),
            "Nm" | "Nd" => self.name(name, rest, at),
            "de" | "de1" | "am" | "ig" => {
                let end = rest.split_whitespace().nth(usize::from(name != "ig"));
                self.ignored = Some(end.unwrap_or(".").to_owned());
            }
            _ if is_silent(name) => {}
            _ => self.text(&words(name, rest), at),
        }
    }

    fn set_title(&mut self, rest: &str) {
        let arguments = arguments(rest);
        let mut parts = arguments.iter().map(|part| plain(part));
        if let (None, Some(name)) = (&self.title, parts.next().filter(|name| !name.is_empty())) {
            let section = parts.next().filter(|section| !section.is_empty());
            let section = section.map_or(String::new(), |section| format!("({section})"));
            self.title = Some(name + &section);
        }
    }

    fn start_heading(&mut self, level: usize, rest: &str, at: usize) {
        self.flush();
        self.end_code(at);
        self.tagged = false;
        let text = arguments(rest).join(" ");
        if text.is_empty() {
            self.next_heading = Some(level);
        } else {
            self.heading(level, &plain(&text), at);
        }
    }

    fn heading(&mut self, level: usize, text: &str, at: usize) {
        if !text.trim().is_empty() {
            self.writer.heading(level, text.trim(), at..at + 1);
        }
    }

    fn paragraph_ends(&mut self, at: usize) {
        match &self.code {
            Some(_) => self.text("", at),
            None => self.flush(),
        }
    }

    /// `.IP tag`: a bullet, a number or the first line of a paragraph.
    fn indented(&mut self, rest: &str, at: usize) {
        self.flush();
        let tag = arguments(rest).first().map(|tag| plain(tag)).unwrap_or_default();
        match tag.trim() {
            "" => {}
            "•" | "-" | "*" | "o" | "·" => self.paragraph.text = "-".to_owned(),
            tag if tag.trim_end_matches(['.', ')']).chars().all(|c| c.is_ascii_digit()) => {
                self.paragraph.text = format!("{}.", tag.trim_end_matches(['.', ')']));
            }
            tag => {
                self.paragraph.push(tag, at);
                self.flush();
                self.writer.set_tight(true);
            }
        }
    }

    fn start_code(&mut self, name: &str, rest: &str, at: usize) {
        self.flush();
        let filled = ["-filled", "-ragged", "-centered"].iter().any(|it| rest.contains(it));
        if self.code.is_none() && !(name == "Bd" && filled) {
            self.code = Some((String::new(), at + 1));
        }
    }

    /// Ends a block of code before line `at`.
    fn end_code(&mut self, at: usize) {
        self.flush();
        let Some((code, first)) = self.code.take() else { return };
        let shown = code.trim_start_matches('\n');
        if !shown.trim().is_empty() {
            let skipped = code.len() - shown.len();
            self.writer.code("", shown, first + skipped, at.saturating_sub(1));
        }
    }

    /// A row of a table of tbl(1); what tells its form is not shown.
    fn row(&mut self, line: &str, at: usize) {
        let is_rule = line.chars().all(|c| "_=-".contains(c));
        let is_form = line.ends_with(['.', ';']) && !line.contains('\t');
        if !is_rule && !is_form && !["T{", "T}"].contains(&line) {
            let cells: Vec<String> = line.split('\t').map(plain).collect();
            self.paragraph.push(cells.join(" | ").trim(), at);
        }
        self.flush();
    }

    fn start_list(&mut self, rest: &str) {
        self.flush();
        let kind = rest.split_whitespace().next().unwrap_or_default();
        self.lists.push(match kind {
            "-bullet" | "-dash" | "-hyphen" | "-item" => Some("-"),
            "-enum" => Some("1."),
            _ => None,
        });
    }

    fn item(&mut self, rest: &str, at: usize) {
        self.flush();
        match self.lists.last() {
            Some(Some(marker)) => (*marker).clone_into(&mut self.paragraph.text),
            _ => {
                self.paragraph.push(&words("It", rest), at);
                self.flush();
                self.writer.set_tight(true);
            }
        }
    }

    /// `.Nm` is the name of the page again where it is not told; `.Nd` says what it is.
    fn name(&mut self, name: &str, rest: &str, at: usize) {
        if name == "Nd" {
            return self.text(&format!("— {}", words(name, rest)), at);
        }
        let told = words(name, rest);
        if self.named.is_empty() {
            self.named = told.split(' ').next().unwrap_or_default().to_owned();
        }
        let is_named = told.starts_with(|c: char| c.is_alphanumeric());
        match is_named {
            true => self.text(&told, at),
            false => self.text(format!("{} {told}", self.named).trim(), at),
        }
    }

    fn flush(&mut self) {
        if let Paragraph { text, lines: Some(lines) } = std::mem::take(&mut self.paragraph) {
            self.writer.paragraph(&text, lines);
        }
    }
}

/// Requests and macros that show nothing.
fn is_silent(name: &str) -> bool {
    const SILENT: &[&str] = &[
        "Dd", "Os", "Bk", "Ek", "UE", "ME", "YS", "PD", "DT", "AT", "UC", "ad", "na", "hy", "nh",
        "ds", "nr", "rm", "rn", "so", "ie", "el", "if", "while", "tr", "ft", "ps", "vs", "ne",
        "in", "ti", "ll", "ta", "ce", "bp", "fam", "mso", "ss", "cs", "ns", "rs", "as", "als",
        "warn", "do", "nop", "shift", "char", "fchar", "hla", "eo", "ec", "cc", "Ns", "Xc", "Xo",
        "Sm", "Db", "\\}", "..", ".",
    ];
    SILENT.contains(&name) || name.starts_with('\\') || name.starts_with("..")
}
