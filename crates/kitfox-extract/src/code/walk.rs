//! The walk over a syntax tree that cuts it into pieces.
//!
//! The children of a node become *atoms*: lines that belong together, a unit with the comments and
//! attributes before it. Atoms up to the maximal size stay whole; larger ones are cut the same way,
//! down to a limited depth, below which they are cut by windows. Small neighbours are merged.

use std::ops::Range;
use std::rc::Rc;

use tree_sitter::{Node, Tree};

use super::units::Units;
use super::{docs, kinds};
use crate::Sizes;
use crate::lines::Source;
use crate::piece::{Label, Piece};
use crate::windows::{self, windows};

/// How far the walk goes down before it cuts by windows: nested input must not exhaust the stack.
const DEEPEST: usize = 64;
/// The weight of a unit's header: its label outweighs those of the unit's members.
const HEADER: usize = usize::MAX;

/// Cuts a parsed file.
pub(super) fn cut<'tree>(
    source: &Source<'_>,
    tree: &'tree Tree,
    units: &Units<'tree>,
    sizes: Sizes,
) -> Vec<Piece> {
    let walk = Walk { source, units, sizes };
    let label = Rc::new(Label { kind: windows::KIND, ..Label::default() });
    let file = Scope { label, header: None };
    walk.split(tree.root_node(), 0..source.len(), &file, 0)
}

struct Walk<'w, 'tree> {
    source: &'w Source<'w>,
    units: &'w Units<'tree>,
    sizes: Sizes,
}

/// What surrounds a piece: the file, or a unit that was too large to stay whole.
struct Scope {
    label: Rc<Label>,
    /// The first line of the unit, whose piece carries the unit's signature.
    header: Option<usize>,
}

/// Lines that belong together and the node whose children they may be cut by.
struct Atom<'tree> {
    lines: Range<usize>,
    node: Option<Node<'tree>>,
}

impl<'tree> Walk<'_, 'tree> {
    /// Cuts the lines of a node by its children.
    fn split(
        &self,
        node: Node<'tree>,
        lines: Range<usize>,
        scope: &Scope,
        depth: usize,
    ) -> Vec<Piece> {
        let broken = node.is_error() && depth > 0 && !self.holds_units(node);
        if depth == DEEPEST || (lines.len() <= 1 && depth > 0) || broken {
            return self.windows(lines, scope);
        }
        let mut pieces = Vec::new();
        let mut open = false;
        for atom in self.atoms(node, lines) {
            if self.source.characters(&atom.lines) > self.sizes.max {
                pieces.extend(self.split_atom(&atom, scope, depth + 1));
                open = false;
                continue;
            }
            let piece = self.whole(&atom, scope);
            match pieces.last_mut() {
                Some(last) if open && self.fits(last, &piece, self.sizes.target) => {
                    last.absorb(piece);
                }
                _ => pieces.push(piece),
            }
            open = pieces.last().is_some_and(|last| !last.sealed);
        }
        self.join_tiny(pieces)
    }

    fn split_atom(&self, atom: &Atom<'tree>, scope: &Scope, depth: usize) -> Vec<Piece> {
        let Some(node) = atom.node else { return self.windows(atom.lines.clone(), scope) };
        match self.units.of(node) {
            Some(unit) => {
                let label = Rc::clone(&unit.label);
                let scope = Scope { label, header: Some(atom.lines.start) };
                self.split(unit.body.unwrap_or(unit.node), atom.lines.clone(), &scope, depth)
            }
            None => self.split(node, atom.lines.clone(), scope, depth),
        }
    }

    fn whole(&self, atom: &Atom<'tree>, scope: &Scope) -> Piece {
        let mut piece = Piece::plain(atom.lines.clone(), &scope.label);
        let size = self.source.characters(&atom.lines);
        if let Some(unit) = atom.node.and_then(|node| self.units.of(node)) {
            piece.label = Rc::clone(&unit.label);
            piece.weight = size.max(2);
        } else if scope.header == Some(atom.lines.start) {
            piece.weight = if kinds::is_reopened(scope.label.kind) { 1 } else { HEADER };
            piece.sealed = kinds::is_container(scope.label.kind) && size >= self.tiny();
        }
        piece
    }

    fn windows(&self, lines: Range<usize>, scope: &Scope) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = windows(self.source, lines, self.sizes)
            .into_iter()
            .map(|lines| Piece::plain(lines, &scope.label))
            .collect();
        if let Some(first) = pieces.first_mut().filter(|p| scope.header == Some(p.lines.start)) {
            first.weight = HEADER;
        }
        pieces
    }

    fn fits(&self, first: &Piece, next: &Piece, limit: usize) -> bool {
        self.source.characters(&(first.lines.start..next.lines.end)) <= limit
    }

    /// Below this many characters a piece says little by itself.
    fn tiny(&self) -> usize {
        self.sizes.target / 5
    }

    /// Joins tiny pieces that define nothing with the piece after them, else with the one before;
    /// and a tiny header with the statements after it.
    fn join_tiny(&self, pieces: Vec<Piece>) -> Vec<Piece> {
        let is_short = |piece: &Piece| self.source.characters(&piece.lines) < self.tiny();
        let is_tiny = |piece: &Piece| piece.weight <= 1 && is_short(piece);
        let is_tiny_header = |piece: &Piece| piece.weight == HEADER && is_short(piece);
        let mut joined: Vec<Piece> = Vec::with_capacity(pieces.len());
        for piece in pieces {
            if let Some(last) = joined.last_mut()
                && (is_tiny(last) || is_tiny_header(last) && piece.weight == 0)
                && self.fits(last, &piece, self.sizes.max)
            {
                last.absorb(piece);
                continue;
            }
            joined.push(piece);
        }
        let tail = joined.pop_if(|last| is_tiny(last));
        match (joined.last_mut(), tail) {
            (Some(last), Some(tail)) if self.fits(last, &tail, self.sizes.max) => last.absorb(tail),
            (_, tail) => joined.extend(tail),
        }
        joined
    }

    fn holds_units(&self, node: Node<'tree>) -> bool {
        node.named_children(&mut node.walk()).any(|child| self.units.of(child).is_some())
    }

    /// The children of a node as atoms that cover all of `lines`.
    fn atoms(&self, node: Node<'tree>, lines: Range<usize>) -> Vec<Atom<'tree>> {
        let mut atoms = Atoms::default();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let span = self.lines_of(child);
            let span = span.start.max(lines.start)..span.end.min(lines.end);
            if !span.is_empty() {
                let unit = self.units.of(child);
                let from = unit.map_or(span.start, |unit| unit.lines.start.max(lines.start));
                let reach = if unit.is_some() { None } else { self.reach(child) };
                atoms.push(child, span, from, reach);
            }
        }
        self.join_clauses(atoms.covering(lines))
    }

    /// Joins the clauses of one definition where they fit into one piece.
    fn join_clauses(&self, atoms: Vec<Atom<'tree>>) -> Vec<Atom<'tree>> {
        let mut joined: Vec<Atom<'tree>> = Vec::with_capacity(atoms.len());
        for atom in atoms {
            let unit = atom.node.and_then(|node| self.units.of(node));
            let clause = unit.filter(|unit| unit.continues);
            if let (Some(clause), Some(last)) = (clause, joined.last_mut())
                && let Some(first) = last.node.and_then(|node| self.units.of(node))
                && Rc::ptr_eq(&first.label, &clause.label)
                && self.source.characters(&(last.lines.start..atom.lines.end)) <= self.sizes.max
            {
                last.lines.end = atom.lines.end;
                continue;
            }
            joined.push(atom);
        }
        joined
    }

    /// How far a node that is no unit leads what follows it; none where it does not.
    fn reach(&self, node: Node<'tree>) -> Option<usize> {
        self.units.leads(node).then(|| docs::reach(&self.source.text[node.byte_range()]))
    }

    fn lines_of(&self, node: Node<'tree>) -> Range<usize> {
        let bytes = node.byte_range();
        if bytes.is_empty() {
            return 0..0;
        }
        self.source.line_of(bytes.start)..self.source.line_of(bytes.end - 1) + 1
    }
}

/// Builds atoms from children in order.
#[derive(Default)]
struct Atoms<'tree> {
    atoms: Vec<Atom<'tree>>,
    /// Comments and attributes that wait for what they belong to, and how far they reach.
    leading: Option<(Range<usize>, usize)>,
}

impl<'tree> Atoms<'tree> {
    /// Adds a node on the lines `span`; what belongs to it begins on line `from`.
    fn push(&mut self, node: Node<'tree>, span: Range<usize>, from: usize, reach: Option<usize>) {
        if let Some(last) = self.atoms.last_mut().filter(|last| span.start < last.lines.end) {
            last.share(node, span, reach.is_some());
            return;
        }
        let span = from.min(span.start)..span.end;
        self.give_up(span.start);
        let run = match self.leading.take() {
            Some((run, reach)) if span.start <= run.end + reach => run.start..span.end.max(run.end),
            Some((lines, _)) => {
                self.atoms.push(Atom { lines, node: None });
                span
            }
            None => span,
        };
        match reach {
            Some(reach) => self.leading = Some((run, reach)),
            None => self.atoms.push(Atom { lines: run, node: Some(node) }),
        }
    }

    /// Takes the lines from `line` on from the atoms before: a comment may lie in the node before
    /// the one it belongs to.
    fn give_up(&mut self, line: usize) {
        while self.atoms.pop_if(|last| last.lines.start >= line).is_some() {}
        if let Some(last) = self.atoms.last_mut() {
            last.lines.end = last.lines.end.min(line);
        }
    }

    /// Closes the gaps, so that the atoms cover `lines`.
    fn covering(mut self, lines: Range<usize>) -> Vec<Atom<'tree>> {
        let run = self.leading.take();
        self.atoms.extend(run.map(|(lines, _)| Atom { lines, node: None }));
        let first = self.atoms.first().map_or(lines.end, |atom| atom.lines.start);
        if first > lines.start {
            self.atoms.insert(0, Atom { lines: lines.start..first, node: None });
        }
        let mut end = lines.end;
        for atom in self.atoms.iter_mut().rev() {
            atom.lines.end = end;
            end = atom.lines.start;
        }
        self.atoms
    }
}

impl<'tree> Atom<'tree> {
    /// Takes in a node that begins on a line of this atom. The node with more bytes is the one to
    /// cut by.
    fn share(&mut self, node: Node<'tree>, span: Range<usize>, is_leading: bool) {
        self.lines.end = self.lines.end.max(span.end);
        let larger = |own: Node<'_>| node.byte_range().len() > own.byte_range().len();
        if !is_leading && self.node.is_none_or(larger) {
            self.node = Some(node);
        }
    }
}
