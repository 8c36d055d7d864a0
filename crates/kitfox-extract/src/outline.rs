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

/// A definition that others speak of by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named<'o> {
    /// The last part of the name: `Conn` where `Plug.Conn` is written.
    pub name: &'o str,
    /// What the name stands for.
    pub sort: Sort,
    /// The definition.
    pub item: &'o OutlineItem,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A class, struct, trait and so on.
    Type,
    /// A function or macro that belongs to no type, or a module.
    Function,
    /// A function that belongs to a type; a constructor called like its type is none.
    Method,
}

/// The named types, functions and methods of an outline, in its order; what is local to a function
/// aside.
pub fn named(outline: &[OutlineItem]) -> Vec<Named<'_>> {
    let mut around: Vec<&OutlineItem> = Vec::new();
    let mut found = Vec::new();
    for item in outline {
        around.retain(|outer| outer.depth < item.depth);
        let name = item.name.rsplit(['.', ':']).next().unwrap_or_default();
        found.extend(sort(item, &around).map(|sort| Named { name, sort, item }));
        around.push(item);
    }
    found
}

fn sort(item: &OutlineItem, around: &[&OutlineItem]) -> Option<Sort> {
    let is_in = |kinds: &[&str]| around.iter().any(|outer| kinds.contains(&outer.kind));
    if is_in(&["function", "method", "test"]) {
        return None;
    }
    match item.kind {
        "class" | "enum" | "interface" | "struct" | "table" | "trait" => Some(Sort::Type),
        // In a module that languages without types have, one is only a shape of values.
        "type" => (!is_in(&["module"])).then_some(Sort::Type),
        "module" => Some(Sort::Function),
        "function" | "macro" if around.iter().all(|outer| is_space(outer.kind)) => {
            Some(Sort::Function)
        }
        "function" | "macro" | "method" => {
            let is_constructor = around.last().is_some_and(|outer| outer.name == item.name);
            (!is_constructor).then_some(Sort::Method)
        }
        _ => None,
    }
}

fn is_space(kind: &str) -> bool {
    matches!(kind, "module" | "namespace")
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
        let lines = source.raw_lines(&source.trim(heading.line..end));
        items.push(OutlineItem {
            symbol: names.join(" > "),
            name: heading.name.clone(),
            kind: "section",
            start_line: lines.start as u32 + 1,
            end_line: lines.end as u32,
            line: source.raw_lines(&(heading.line..heading.line + 1)).start as u32 + 1,
            depth: above.len() - 1,
            ..OutlineItem::default()
        });
    }
    items
}
