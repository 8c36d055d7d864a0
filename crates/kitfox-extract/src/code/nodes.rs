//! The nodes of a tree in a row: a node, then all that is below it, then its next sibling.

use std::num::NonZeroU16;

use tree_sitter::{Node, Tree};

use super::Deadline;

/// Nodes below this depth are left out: hardly anything is defined there, and nested input must
/// not take memory without bounds.
const DEEPEST: usize = 136;
/// How many nodes are read between two looks at the clock.
const BETWEEN_CHECKS: usize = 4096;

/// A node and its place among the others.
pub(super) struct Entry<'tree> {
    pub node: Node<'tree>,
    pub kind: u16,
    /// The field of its parent that it is.
    pub field: Option<NonZeroU16>,
    pub is_named: bool,
    /// The place after all that is below it: that of its next sibling if it has one.
    pub end: u32,
}

/// The nodes of a tree, each before its children; none if listing them takes too long.
pub(super) fn nodes(tree: &Tree, deadline: Deadline) -> Option<Vec<Entry<'_>>> {
    let mut nodes: Vec<Entry<'_>> = Vec::new();
    let mut open = Vec::new();
    let mut cursor = tree.walk();
    loop {
        if nodes.len().is_multiple_of(BETWEEN_CHECKS) && deadline.is_over() {
            return None;
        }
        let (node, place) = (cursor.node(), nodes.len());
        nodes.push(Entry {
            node,
            kind: node.kind_id(),
            field: cursor.field_id(),
            is_named: node.is_named(),
            end: place as u32 + 1,
        });
        if open.len() < DEEPEST && cursor.goto_first_child() {
            open.push(place);
            continue;
        }
        while !cursor.goto_next_sibling() {
            let Some(parent) = open.pop() else { return Some(nodes) };
            nodes[parent].end = nodes.len() as u32;
            cursor.goto_parent();
        }
    }
}
