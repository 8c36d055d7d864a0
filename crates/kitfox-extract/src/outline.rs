//! Outlines: what a file defines, with lines, from the same parse that cuts it.

use crate::lines::Source;
use crate::sections;

/// A definition in code, or a heading of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutlineItem {
    /// Symbol path (`Router::route`) or breadcrumb of headings (`Install > Linux`).
    pub symbol: String,
    /// Its last part: the name as written.
    pub name: String,
    /// One of [`crate::KINDS`].
    pub kind: &'static str,
    /// The text up to the body, white space collapsed, at most 200 characters; empty for headings.
    pub signature: String,
    /// The first line of its documentation; may be empty.
    pub doc: String,
    /// First line, 1-based: that of the comments and attributes before it.
    pub start_line: u32,
    /// Last line, 1-based and inclusive.
    pub end_line: u32,
    /// The line its name is on, 1-based.
    pub line: u32,
    /// How many items it is in; a namespace does not count.
    pub depth: usize,
}

/// The headings of a document.
pub(crate) fn headings(source: &Source<'_>, outline: &sections::Outline) -> Vec<OutlineItem> {
    let mut above: Vec<&sections::Heading> = Vec::new();
    let mut items = Vec::with_capacity(outline.headings.len());
    for (number, heading) in outline.headings.iter().enumerate() {
        above.retain(|parent| parent.level < heading.level);
        above.push(heading);
        let names: Vec<&str> = above.iter().map(|heading| heading.name.as_str()).collect();
        let mut after = outline.headings[number + 1..].iter();
        let end = after.find(|next| next.level <= heading.level).map_or(source.len(), |h| h.line);
        let lines = source.trim(heading.line..end);
        items.push(OutlineItem {
            symbol: names.join(" > "),
            name: heading.name.clone(),
            kind: "section",
            start_line: lines.start as u32 + 1,
            end_line: lines.end as u32,
            line: heading.line as u32 + 1,
            depth: above.len() - 1,
            ..OutlineItem::default()
        });
    }
    items
}
