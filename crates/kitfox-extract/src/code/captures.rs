//! What the query of a language finds in a tree.

use std::ops::Range;

use rustc_hash::FxHashMap;
use tree_sitter::{Node, QueryCursor, QueryCursorOptions, QueryMatch, StreamingIterator, Tree};

use super::Deadline;
use super::languages::{Role, UnitQuery};

/// Units below this depth are not looked for: the walk would hardly get there.
const DEEPEST: u32 = 128;

/// Everything a query captured; nodes are known by their ids.
#[derive(Default)]
pub(super) struct Captures<'tree> {
    /// Definitions and tests by position, the outer before the inner.
    pub found: Vec<Found<'tree>>,
    /// Comments and attributes by position.
    pub leading: Vec<Leading>,
    /// Strings that document what is around or after them, by position.
    pub docs: Vec<Range<usize>>,
    /// The wrapper of each wrapped node.
    pub wrappers: FxHashMap<usize, Node<'tree>>,
    /// The group of each grouped node.
    pub groups: FxHashMap<usize, usize>,
}

/// A definition or a test.
pub(super) struct Found<'tree> {
    pub kind: &'static str,
    /// Whether it is listed in outlines only.
    pub member: bool,
    /// The level of a heading.
    pub level: Option<u8>,
    pub node: Node<'tree>,
    pub name: Option<Node<'tree>>,
    pub scope: Option<Node<'tree>>,
    pub body: Option<Node<'tree>>,
    /// Where the signature ends, if not at the body.
    pub rest: Option<Node<'tree>>,
    pattern: usize,
}

/// A comment or an attribute.
pub(super) struct Leading {
    pub id: usize,
    pub bytes: Range<usize>,
    pub is_comment: bool,
}

/// Runs the query over a tree, or stops if that takes too long. Of several matches of one node the
/// last pattern's first match stands.
pub(super) fn capture<'tree>(
    tree: &'tree Tree,
    text: &str,
    query: &'static UnitQuery,
    deadline: Deadline,
) -> Option<Captures<'tree>> {
    let mut captures = Captures::default();
    let mut places = FxHashMap::default();
    let mut cursor = QueryCursor::new();
    cursor.set_max_start_depth(Some(DEEPEST));
    let mut check = |_: &_| deadline.check();
    let options = QueryCursorOptions::new().progress_callback(&mut check);
    let (root, bytes) = (tree.root_node(), text.as_bytes());
    let mut matches = cursor.matches_with_options(&query.query, root, bytes, options);
    while let Some(found) = matches.next() {
        let Some(unit) = captures.read(found, query) else { continue };
        match places.get(&unit.node.id()) {
            None => {
                places.insert(unit.node.id(), captures.found.len());
                captures.found.push(unit);
            }
            Some(&place) if captures.found[place].pattern < unit.pattern => {
                captures.found[place] = unit;
            }
            Some(_) => {}
        }
    }
    if deadline.is_over() {
        return None;
    }
    captures.leading.retain(|node| !places.contains_key(&node.id));
    captures.sort();
    Some(captures)
}

impl<'tree> Captures<'tree> {
    /// Takes in a match and returns the unit in it.
    fn read(
        &mut self,
        found: &QueryMatch<'_, 'tree>,
        query: &'static UnitQuery,
    ) -> Option<Found<'tree>> {
        let (mut name, mut scope, mut body, mut rest) = (None, None, None, None);
        let (mut unit, mut outer, mut inner) = (None, None, None);
        for capture in found.captures() {
            let node = capture.node;
            match query.roles[capture.index as usize] {
                Role::Unit { kind, member, level } => unit = Some((kind, member, level, node)),
                Role::Name => name = name.or(Some(node)),
                Role::Scope => scope = Some(node),
                Role::Body => body = Some(node),
                Role::Rest => rest = rest.or(Some(node)),
                Role::Comment | Role::Attribute => self.leading.push(Leading {
                    id: node.id(),
                    bytes: node.byte_range(),
                    is_comment: query.roles[capture.index as usize] == Role::Comment,
                }),
                Role::Doc => self.docs.push(node.byte_range()),
                Role::Wrapper | Role::Group => outer = Some(node),
                Role::Wrapped => inner = Some((node, true)),
                Role::Grouped => inner = Some((node, false)),
                Role::Predicate => {}
            }
        }
        match (outer, inner) {
            (Some(outer), Some((inner, true))) => {
                self.wrappers.insert(inner.id(), outer);
            }
            (Some(outer), Some((inner, false))) => {
                self.groups.insert(inner.id(), outer.id());
            }
            _ => {}
        }
        let (kind, member, level, node) = unit?;
        let body = body.or_else(|| node.child_by_field_name("body"));
        let pattern = found.pattern_index;
        Some(Found { kind, member, level, node, name, scope, body, rest, pattern })
    }

    fn sort(&mut self) {
        self.found.sort_by_key(|unit| {
            (unit.node.start_byte(), std::cmp::Reverse(unit.node.end_byte()), unit.pattern)
        });
        self.leading.sort_by_key(|leading| leading.bytes.start);
        self.docs.sort_by_key(|doc| doc.start);
    }
}
