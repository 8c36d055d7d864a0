//! The walk over a syntax tree that cuts it into pieces.
//!
//! The children of a node become *atoms*: lines that belong together, a unit with the comments and
//! attributes before it. Atoms up to the maximal size stay whole; larger ones are cut the same way,
//! down to a limited depth, below which they are cut by windows. Small neighbours are merged.

use std::ops::Range;
use std::rc::Rc;

use tree_sitter::{Node, Tree};

use super::languages::Language;
use super::units::{Unit, Units};
use crate::Sizes;
use crate::lines::Source;
use crate::piece::{Label, Piece};
use crate::windows::{self, windows};

/// How far the walk goes down before it cuts by windows: nested input must not exhaust the stack.
const DEEPEST: usize = 64;
/// The weight of a unit's header: its label outweighs those of the unit's members.
const HEADER: usize = usize::MAX;
/// Characters of a signature.
const LONGEST_SIGNATURE: usize = 200;
/// A wrapper may itself be wrapped, this many times.
const MOST_WRAPPERS: usize = 3;

/// Cuts a parsed file.
pub(super) fn cut<'tree>(
    source: &Source<'_>,
    tree: &'tree Tree,
    units: &Units<'tree>,
    language: &Language,
    sizes: Sizes,
) -> Vec<Piece> {
    let walk = Walk { source, units, language, sizes };
    let label = Rc::new(Label { kind: windows::KIND, ..Label::default() });
    let file = Scope { label, header: None };
    walk.split(tree.root_node(), 0..source.len(), &file, 0)
}

struct Walk<'w, 'tree> {
    source: &'w Source<'w>,
    units: &'w Units<'tree>,
    language: &'w Language,
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
        let broken = node.is_error() && depth > 0;
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
        match self.unit_of(node) {
            Some(unit) => {
                let label = self.label(unit, &scope.label);
                let scope = Scope { label, header: Some(atom.lines.start) };
                self.split(unit.body.unwrap_or(unit.node), atom.lines.clone(), &scope, depth)
            }
            None => self.split(node, atom.lines.clone(), scope, depth),
        }
    }

    fn whole(&self, atom: &Atom<'tree>, scope: &Scope) -> Piece {
        let mut piece = Piece::plain(atom.lines.clone(), &scope.label);
        let size = self.source.characters(&atom.lines);
        if let Some(unit) = atom.node.and_then(|node| self.unit_of(node)) {
            piece.label = self.label(unit, &scope.label);
            piece.weight = size.max(2);
        } else if scope.header == Some(atom.lines.start) {
            // An `impl` only repeats a name: where its header is merged, a member tells more.
            piece.weight = if scope.label.kind == "impl" { 1 } else { HEADER };
            piece.sealed = is_container(scope.label.kind) && size >= self.tiny();
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

    /// The children of a node as atoms that cover all of `lines`.
    fn atoms(&self, node: Node<'tree>, lines: Range<usize>) -> Vec<Atom<'tree>> {
        let mut atoms = Atoms::default();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let span = self.lines_of(child);
            let span = span.start.max(lines.start)..span.end.min(lines.end);
            if !span.is_empty() {
                atoms.push(child, span, self.reach(child));
            }
        }
        atoms.covering(lines)
    }

    /// How many blank lines may lie between a leading node and what it belongs to; none where the
    /// node leads nothing. A JSDoc block documents what follows it even over a blank line.
    fn reach(&self, node: Node<'tree>) -> Option<usize> {
        let leads = self.language.leading.contains(&node.kind());
        let is_doc_block = || self.source.text[node.start_byte()..].starts_with("/**");
        leads.then(|| usize::from(is_doc_block()))
    }

    fn lines_of(&self, node: Node<'tree>) -> Range<usize> {
        let bytes = node.byte_range();
        if bytes.is_empty() {
            return 0..0;
        }
        self.source.line_of(bytes.start)..self.source.line_of(bytes.end - 1) + 1
    }

    /// The unit a node is or wraps.
    fn unit_of(&self, mut node: Node<'tree>) -> Option<&Unit<'tree>> {
        for _ in 0..MOST_WRAPPERS {
            if let Some(unit) = self.units.get(&node.id()) {
                return Some(unit);
            }
            if !self.language.wrappers.contains(&node.kind()) {
                return None;
            }
            // What is wrapped comes last: `export default …`, decorators first.
            let last = node.named_child_count().checked_sub(1)?;
            node = node.named_child(last as u32)?;
        }
        self.units.get(&node.id())
    }

    fn label(&self, unit: &Unit<'tree>, parent: &Label) -> Rc<Label> {
        let separator = if unit.kind == "test" { " > " } else { self.language.separator };
        let mut section = parent.section.clone();
        let own = unit.scope.as_deref().into_iter().map(|scope| (separator, scope));
        for (separator, part) in own.chain([(separator, unit.name.as_str())]) {
            if !section.is_empty() && !part.is_empty() {
                section.push_str(separator);
            }
            section.push_str(part);
        }
        let method =
            unit.kind == "function" && is_container(parent.kind) && parent.kind != "module";
        Rc::new(Label {
            section,
            name: unit.name.clone(),
            kind: if method { "method" } else { unit.kind },
            signature: self.signature(unit),
        })
    }

    /// The unit's text up to its body, white space collapsed.
    fn signature(&self, unit: &Unit<'tree>) -> String {
        let start = unit.node.start_byte();
        let end = unit.body.map_or(unit.node.end_byte(), |body| body.start_byte());
        let mut signature = String::new();
        let mut room = LONGEST_SIGNATURE;
        for word in self.source.text.get(start..end).unwrap_or_default().split_whitespace() {
            if !signature.is_empty() {
                signature.push(' ');
                room = room.saturating_sub(1);
            }
            let before = signature.len();
            signature.extend(word.chars().take(room));
            room = room.saturating_sub(signature[before..].chars().count());
            if room == 0 {
                break;
            }
        }
        let kept = signature.trim_end_matches([' ', ':', ';', '{']).len();
        signature.truncate(kept);
        signature
    }
}

/// Whether a kind of unit holds members, so that its header can stand alone.
fn is_container(kind: &str) -> bool {
    matches!(kind, "impl" | "class" | "trait" | "interface" | "module" | "enum" | "struct")
}

/// Builds atoms from children in order.
#[derive(Default)]
struct Atoms<'tree> {
    atoms: Vec<Atom<'tree>>,
    /// Comments and attributes that wait for what they belong to, and how far they reach.
    leading: Option<(Range<usize>, usize)>,
}

impl<'tree> Atoms<'tree> {
    fn push(&mut self, node: Node<'tree>, span: Range<usize>, reach: Option<usize>) {
        if let Some(last) = self.atoms.last_mut().filter(|last| span.start < last.lines.end) {
            last.share(node, span, reach.is_some());
            return;
        }
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
