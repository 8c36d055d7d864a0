//! HTML pages of documentation: the main content as Markdown, without what surrounds it.
//!
//! A page is a flat list of nodes ([`tree`]), of which one is the main content ([`content`]); that
//! is written in one pass ([`write`]). Nothing here calls itself: pages nest as deep as they like.

mod content;
mod tree;
mod write;

use crate::converted::Converted;
use crate::lines::Source;
use tree::{Page, Tag};

/// The main content of a page.
pub(crate) fn convert(source: &Source<'_>) -> Converted {
    let page = Page::parse(source);
    let main = content::main(&page);
    let mut converted = write::write(&page, main, source);
    converted.title = title(&page, main);
    converted
}

/// The title of a page, without the name of the whole that follows where a heading says so.
fn title(page: &Page, main: usize) -> Option<String> {
    let named = page.first(0, Tag::Title).map(|title| page.text(title));
    let heading = page.first(main, Tag::Heading(1)).map(|heading| page.text(heading));
    let filled = |text: Option<String>| text.filter(|text| !text.is_empty());
    match (filled(named), filled(heading)) {
        (Some(named), Some(heading)) if named.starts_with(&heading) => Some(heading),
        (named, heading) => named.or(heading),
    }
}

#[cfg(test)]
mod tests;
