//! The units of a parsed file, found by the query of its language.

use std::collections::HashMap;

use tree_sitter::{Node, QueryCursor, QueryCursorOptions, QueryMatch, StreamingIterator, Tree};

use super::Deadline;
use super::languages::UnitQuery;

/// Units below this depth are not looked for: the walk would hardly get there.
const DEEPEST: u32 = 128;
/// A longer name or scope is no name: an expression that happens to stand there.
const LONGEST_NAME: usize = 200;

/// A definition or a test.
pub(super) struct Unit<'tree> {
    /// `function`, `class` and so on: the capture's name.
    pub kind: &'static str,
    pub name: String,
    /// What its symbol path begins with where the surroundings do not tell.
    pub scope: Option<String>,
    pub node: Node<'tree>,
    pub body: Option<Node<'tree>>,
    pattern: usize,
}

/// Units by the id of their node.
pub(super) type Units<'tree> = HashMap<usize, Unit<'tree>>;

/// Finds all units, or none if that takes too long. Of several matches of one node the last
/// pattern's first match stands.
pub(super) fn find<'tree>(
    tree: &'tree Tree,
    text: &str,
    query: &'static UnitQuery,
    deadline: Deadline,
) -> Option<Units<'tree>> {
    let mut units = Units::new();
    let mut cursor = QueryCursor::new();
    cursor.set_max_start_depth(Some(DEEPEST));
    let mut check = |_: &_| deadline.check();
    let options = QueryCursorOptions::new().progress_callback(&mut check);
    let (root, bytes) = (tree.root_node(), text.as_bytes());
    let mut matches = cursor.matches_with_options(&query.query, root, bytes, options);
    while let Some(found) = matches.next() {
        let Some(unit) = unit(found, text, query) else { continue };
        let stands =
            units.get(&unit.node.id()).is_some_and(|before| before.pattern >= unit.pattern);
        if !stands {
            units.insert(unit.node.id(), unit);
        }
    }
    (!deadline.is_over()).then_some(units)
}

fn unit<'tree>(
    found: &QueryMatch<'_, 'tree>,
    text: &str,
    query: &'static UnitQuery,
) -> Option<Unit<'tree>> {
    let names = query.query.capture_names();
    let (mut name, mut scope, mut body, mut unit) = (None, None, None, None);
    for capture in found.captures() {
        match names[capture.index as usize] {
            "name" => name = name.or(Some(capture.node)),
            "scope" => scope = Some(capture.node),
            "body" => body = Some(capture.node),
            kind if !kind.starts_with('_') => unit = Some((kind, capture.node)),
            _ => {}
        }
    }
    let (kind, node) = unit?;
    Some(Unit {
        kind,
        name: name.and_then(|name| short_text(name, text)).unwrap_or_default(),
        scope: scope.and_then(|scope| short_text(scope, text)),
        node,
        body: body.or_else(|| node.child_by_field_name("body")),
        pattern: found.pattern_index,
    })
}

/// A node's text without quotes, unless it is too long or spans lines.
fn short_text(node: Node<'_>, text: &str) -> Option<String> {
    let text = text.get(node.byte_range())?.trim_matches(['"', '\'', '`']);
    let fits = !text.is_empty() && text.len() <= LONGEST_NAME && !text.contains('\n');
    fits.then(|| text.to_owned())
}
