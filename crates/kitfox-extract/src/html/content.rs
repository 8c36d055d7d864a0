//! Which part of a page is its content, and what in it is not.

use super::tree::{Element, Node, Page, Tag};

/// What marks the main content, the surest first.
const MARKS: &[fn(&Element) -> bool] = &[
    |element| element.role == "main" || element.tag == Tag::Main,
    |element| element.id == "main-content" || element.id == "content",
    |element| element.tag == Tag::Article,
    |element| {
        has_class(element, &["markdown-body", "contentContainer", "contents", "body", "document"])
    },
    |element| element.tag == Tag::Body,
];

/// Classes of links that stand at a heading: to itself, to its source.
const MARGIN_LINKS: &[&str] =
    &["headerlink", "hash-link", "header-anchor", "anchor", "anchorjs-link", "anchor-link", "src"];

/// Classes of what is beside the content: navigation, line numbers.
const ASIDE: &[&str] = &[
    "sidebar",
    "sphinxsidebar",
    "related",
    "toc",
    "toctree",
    "table-of-contents",
    "breadcrumb",
    "breadcrumbs",
    "pagination",
    "pagination-nav",
    "theme-doc-breadcrumbs",
    "theme-doc-footer",
    "theme-edit-this-page",
    "md-source-file",
    "md-content__button",
    "skip-link",
    "skipLink",
    "skipNav",
    "topNav",
    "bottomNav",
    "subNav",
    "linenos",
    "linenodiv",
    "visually-hidden",
    "sr-only",
    "hideme",
];

/// The node of the main content; that of the whole page where nothing marks it.
pub(super) fn main(page: &Page) -> usize {
    let main = MARKS.iter().find_map(|mark| only(page, 0, *mark)).unwrap_or(0);
    // Beside an article there may be its neighbours and a list of its headings.
    match only(page, main, |element| element.tag == Tag::Article) {
        Some(article) if page.text(article).len() * 2 > page.text(main).len() => article,
        _ => main,
    }
}

/// The outermost element with a mark, if it is the only one and has a text.
fn only(page: &Page, within: usize, mark: fn(&Element) -> bool) -> Option<usize> {
    let mut found = None;
    let mut node = within;
    while node < page.end(within) {
        if page.element(node).is_some_and(mark) {
            if found.is_some() {
                return None;
            }
            found = Some(node);
            node = page.end(node);
        } else {
            node += 1;
        }
    }
    found.filter(|&node| has_text(page, node))
}

fn has_text(page: &Page, within: usize) -> bool {
    (within..page.end(within))
        .any(|node| matches!(&page.nodes[node], Node::Text { text, .. } if !text.trim().is_empty()))
}

/// Whether an element and all in it is not shown.
pub(super) fn is_dropped(element: &Element) -> bool {
    let beside = ["navigation", "search", "banner", "contentinfo", "complementary"];
    matches!(element.tag, Tag::Dropped | Tag::Nav | Tag::Title)
        || element.hidden
        || beside.contains(&element.role.as_str())
        || has_class(element, ASIDE)
        || element.tag == Tag::Link && has_class(element, MARGIN_LINKS)
}

fn has_class(element: &Element, classes: &[&str]) -> bool {
    element.class.split_ascii_whitespace().any(|class| classes.contains(&class))
}
