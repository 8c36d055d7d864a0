//! The outline of a Markdown document: CommonMark with tables and front matter. Headings inside
//! lists and quotes are part of what surrounds them.

mod links;

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::lines::Source;
use crate::sections::{Break, Heading, Outline};
use links::Links;

/// Finds headings and the places to cut at.
pub(crate) fn outline(source: &Source<'_>) -> Outline {
    let mut reader = Reader {
        source,
        outline: Outline::flat(source.len()),
        depth: 0,
        heading: None,
        heading_ends: Vec::new(),
        links: Links::default(),
    };
    let mut events = Parser::new_ext(source.text, options()).into_offset_iter();
    for (event, bytes) in &mut events {
        reader.links.read(source.text, &event, &bytes);
        reader.read(event, bytes);
    }
    reader.outline.hidden = reader.links.targets(source.text, events.reference_definitions());
    for (start, end) in std::mem::take(&mut reader.heading_ends) {
        reader.outline.keep_with_next(source, start, end);
    }
    reader.outline
}

fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_WIKILINKS
}

struct Reader<'s> {
    source: &'s Source<'s>,
    outline: Outline,
    /// Open blocks and inlines.
    depth: usize,
    /// The heading being read.
    heading: Option<Heading>,
    /// First line of each heading and the line after its last.
    heading_ends: Vec<(usize, usize)>,
    links: Links,
}

impl Reader<'_> {
    fn read(&mut self, event: Event<'_>, bytes: Range<usize>) {
        match event {
            Event::Start(tag) => {
                self.start(&tag, bytes);
                self.depth += 1;
            }
            Event::End(tag) => {
                self.depth = self.depth.saturating_sub(1);
                self.end(tag);
            }
            Event::Text(text) | Event::Code(text) => self.add_to_heading(&text),
            Event::InlineHtml(html) if !is_anchor(&html) => self.add_to_heading(&html),
            Event::SoftBreak | Event::HardBreak => self.add_to_heading(" "),
            Event::Rule => self.allow(&bytes, Break::Block),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, bytes: Range<usize>) {
        let kind = if self.depth == 0 { Break::Block } else { Break::Part };
        match tag {
            Tag::Heading { level, .. } if self.depth == 0 => {
                let lines = self.lines(&bytes);
                self.heading_ends.push((lines.start, lines.end));
                let name = String::new();
                self.heading = Some(Heading { line: lines.start, level: *level as u8, name });
            }
            Tag::CodeBlock(_) => {
                self.allow(&bytes, kind);
                self.keep_whole(&bytes);
            }
            Tag::Table(_) => {
                self.allow(&bytes, kind);
                self.keep_rows(&bytes);
            }
            Tag::MetadataBlock(_) => {
                self.allow(&bytes, kind);
                self.outline.front_title = front_title(&self.source.text[bytes]);
            }
            Tag::Paragraph
            | Tag::Heading { .. }
            | Tag::BlockQuote(_)
            | Tag::HtmlBlock
            | Tag::List(_)
            | Tag::Item => self.allow(&bytes, kind),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        if matches!(tag, TagEnd::Heading(_))
            && self.depth == 0
            && let Some(mut heading) = self.heading.take()
        {
            heading.name = without_comment(&heading.name).trim().to_owned();
            self.outline.headings.push(heading);
        }
    }

    fn add_to_heading(&mut self, text: &str) {
        if let Some(heading) = &mut self.heading {
            heading.name.push_str(text);
        }
    }

    /// Allows a cut before a block, unless it begins within the block before it.
    fn allow(&mut self, bytes: &Range<usize>, kind: Break) {
        let line = self.source.line_of(bytes.start);
        if let Some(before) = self.outline.breaks.get_mut(line)
            && *before < kind
            && *before != Break::Never
        {
            *before = kind;
        }
    }

    fn keep_whole(&mut self, bytes: &Range<usize>) {
        let lines = self.lines(bytes);
        self.outline.keep_whole(lines);
    }

    /// Each line but the row of marks below the header is a row.
    fn keep_rows(&mut self, bytes: &Range<usize>) {
        let lines = self.lines(bytes);
        let header = lines.start..(lines.start + 2).min(lines.end);
        self.outline.keep_rows(lines, header, |_| true);
    }

    fn lines(&self, bytes: &Range<usize>) -> Range<usize> {
        if bytes.is_empty() {
            return 0..0;
        }
        self.source.line_of(bytes.start)..self.source.line_of(bytes.end - 1) + 1
    }
}

/// Anchors and images say nothing a heading is called by; `Vec<T>` does.
fn is_anchor(html: &str) -> bool {
    let tag = html.trim_start_matches(['<', '/']).to_ascii_lowercase();
    ["a ", "a>", "img", "br", "!--", "span", "sup", "badge"].iter().any(|it| tag.starts_with(it))
}

/// A heading without the `{/* anchor */}` that MDX puts behind it.
fn without_comment(name: &str) -> &str {
    match name.find("{/*") {
        Some(at) if name.trim_end().ends_with("*/}") => &name[..at],
        _ => name,
    }
}

/// The value of `title:` (YAML) or `title =` (TOML) in front matter.
fn front_title(block: &str) -> Option<String> {
    let value = block.lines().find_map(|line| {
        let rest = line.strip_prefix("title")?.trim_start();
        rest.strip_prefix(':').or_else(|| rest.strip_prefix('='))
    })?;
    let value = value.trim().trim_matches(['"', '\'']);
    (!value.is_empty()).then(|| value.to_owned())
}
