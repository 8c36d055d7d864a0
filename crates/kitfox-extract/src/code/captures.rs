//! What the query of a language finds in a tree.

use std::ops::Range;

use rustc_hash::FxHashMap;
use tree_sitter::{Node, Tree};

use super::Deadline;
use super::languages::UnitQuery;
use super::matching::{Captured, search};
use super::patterns::Capture;
use super::roles::Role;

/// Everything a query captured; nodes are known by their ids.
#[derive(Default)]
pub(super) struct Captures<'tree> {
    /// Definitions and tests by position, the outer before the inner.
    pub found: Vec<Found<'tree>>,
    /// Comments, attributes and macros by position.
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

/// A comment, an attribute or a macro like one.
pub(super) struct Leading {
    /// The id of the node; 0 if it is none.
    pub id: usize,
    pub bytes: Range<usize>,
    pub is_comment: bool,
}

/// Runs the query over a tree, or stops if that takes too long. Of several matches of one node the
/// last pattern's first match stands.
pub(super) fn capture<'tree>(
    tree: &'tree Tree,
    text: &str,
    query: &UnitQuery,
    deadline: Deadline,
) -> Option<Captures<'tree>> {
    let mut captures = Captures::default();
    let mut places = FxHashMap::default();
    search(tree, text, &query.patterns, deadline, |pattern, captured| {
        let Some(unit) = captures.read(pattern, captured, query) else { return };
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
    })?;
    captures.leading.retain(|node| !places.contains_key(&node.id));
    captures.sort();
    Some(captures)
}

impl<'tree> Captures<'tree> {
    /// Takes in macros that stand before units as attributes do.
    pub fn add_macros(&mut self, macros: Vec<Range<usize>>) {
        let leading = macros.into_iter().map(|bytes| Leading { id: 0, bytes, is_comment: false });
        self.leading.extend(leading);
        self.sort();
    }

    /// Takes in a match and returns the unit in it.
    fn read(
        &mut self,
        pattern: usize,
        captured: &[Captured<'tree>],
        query: &UnitQuery,
    ) -> Option<Found<'tree>> {
        let (mut name, mut scope, mut body, mut rest) = (None, None, None, None);
        let (mut unit, mut outer, mut inner) = (None, None, None);
        for &(Capture { role, .. }, node) in captured {
            match role {
                Role::Unit { kind, member, level } => unit = Some((kind, member, level, node)),
                Role::Name => name = name.or(Some(node)),
                Role::Scope => scope = Some(node),
                Role::Body => body = Some(node),
                Role::Rest => rest = rest.or(Some(node)),
                Role::Comment | Role::Attribute => self.leading.push(Leading {
                    id: node.id(),
                    bytes: node.byte_range(),
                    is_comment: role == Role::Comment,
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
        let field = || node.child_by_field_id(query.body?.get());
        let body = body.or_else(field);
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
