//! The units of a parsed file: its definitions and tests, each knowing what it is called, what it
//! is in and which comments and attributes belong to it.

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

use super::captures::{Captures, Found, Leading};
use super::languages::Language;
use super::{docs, kinds, names};
use crate::lines::Source;
use crate::piece::Label;

/// Characters of a signature.
const LONGEST_SIGNATURE: usize = 200;
/// A wrapper may itself be wrapped, this many times.
const MOST_WRAPPERS: usize = 4;

/// A definition or a test.
pub(super) struct Unit<'tree> {
    pub label: Rc<Label>,
    /// Whether it is listed in outlines only.
    pub member: bool,
    pub node: Node<'tree>,
    pub body: Option<Node<'tree>>,
    /// Its lines with the comments and attributes before it.
    pub lines: Range<usize>,
    /// The line its name is on.
    pub line: usize,
    /// How many named units it is in, namespaces aside.
    pub depth: usize,
    /// Whether it is a further clause of the unit before it.
    pub continues: bool,
    level: Option<u8>,
    parent: Option<usize>,
    /// The comments and attributes before it.
    leading: Range<usize>,
    /// The documentation string in it.
    doc: Option<Range<usize>>,
}

/// All units of a file.
pub(super) struct Units<'tree> {
    /// In the order of the file, the outer before the inner.
    pub list: Vec<Unit<'tree>>,
    /// Units by the ids of the nodes that are or wrap them, or begin with them.
    places: FxHashMap<usize, usize>,
    leading: Vec<Leading>,
    leading_ids: FxHashSet<usize>,
    docs: Vec<Range<usize>>,
}

impl<'tree> Units<'tree> {
    /// Makes units of what the query found.
    pub fn new(source: &Source<'_>, captures: Captures<'tree>, language: &Language) -> Self {
        let Captures { found, leading, docs, wrappers, groups } = captures;
        let leading_ids = leading.iter().map(|node| node.id).collect();
        let units = Units {
            list: Vec::with_capacity(found.len()),
            places: FxHashMap::default(),
            leading,
            leading_ids,
            docs,
        };
        let builder = Builder { source, language, wrappers, groups, open: Vec::new(), units };
        builder.build(found)
    }

    /// The unit a node is, wraps or begins with, unless it is a mere member.
    pub fn of(&self, node: Node<'_>) -> Option<&Unit<'tree>> {
        self.places.get(&node.id()).map(|&place| &self.list[place])
    }

    /// Whether a node is a comment or an attribute.
    pub fn leads(&self, node: Node<'_>) -> bool {
        self.leading_ids.contains(&node.id())
    }

    /// The first line of a unit's documentation; empty where there is none.
    pub fn doc(&self, unit: &Unit<'_>, source: &Source<'_>) -> String {
        let own = unit.doc.iter().cloned();
        let before = self.leading[unit.leading.clone()].iter();
        let before = before.filter_map(|node| {
            let inside = || self.docs_in(&node.bytes).first().cloned();
            if node.is_comment { Some(node.bytes.clone()) } else { inside() }
        });
        let mut texts = own.chain(before).filter_map(|bytes| source.text.get(bytes));
        texts.find_map(docs::first_line).unwrap_or_default()
    }

    fn docs_in(&self, bytes: &Range<usize>) -> &[Range<usize>] {
        let first = self.docs.partition_point(|doc| doc.start < bytes.start);
        let end = self.docs.partition_point(|doc| doc.start < bytes.end);
        &self.docs[first..end.max(first)]
    }
}

struct Builder<'b, 'tree> {
    source: &'b Source<'b>,
    language: &'b Language,
    wrappers: FxHashMap<usize, Node<'tree>>,
    groups: FxHashMap<usize, usize>,
    /// The units around the current place.
    open: Vec<Open>,
    units: Units<'tree>,
}

/// A unit that may hold the next one.
struct Open {
    place: usize,
    end: usize,
    /// The last unit directly in it.
    last: Option<usize>,
}

impl<'tree> Builder<'_, 'tree> {
    fn build(mut self, found: Vec<Found<'tree>>) -> Units<'tree> {
        let end = self.source.text.len() + 1;
        self.open.push(Open { place: usize::MAX, end, last: None });
        for unit in found {
            self.add(unit);
        }
        self.give_docs();
        self.end_sections();
        self.units
    }

    fn add(&mut self, found: Found<'tree>) {
        let start = found.node.start_byte();
        while self.open.len() > 1 && self.open.last().is_some_and(|open| open.end <= start) {
            self.open.pop();
        }
        let parent = self.parent(&found);
        let around = parent.map(|parent| self.units.list[parent].label.kind).unwrap_or_default();
        if found.kind == "constant" && kinds::is_routine(around) {
            return;
        }
        let place = self.units.list.len();
        let end = found.node.end_byte();
        let unit = self.unit(found, parent);
        if self.repeats(&unit) {
            return;
        }
        if !unit.member {
            self.units.places.entry(unit.node.id()).or_insert(place);
        }
        if unit.level.is_none() {
            if let Some(open) = self.open.last_mut() {
                open.last = Some(place);
            }
            self.open.push(Open { place, end, last: None });
        }
        self.units.list.push(unit);
    }

    /// Whether a unit is the value of the unit around it: `f = function f() {}`.
    fn repeats(&self, unit: &Unit<'_>) -> bool {
        unit.parent.is_some_and(|parent| {
            let around = &self.units.list[parent];
            around.label.name == unit.label.name
                && around.line == unit.line
                && around.node.end_byte() <= unit.node.end_byte() + 1
        })
    }

    fn parent(&self, found: &Found<'_>) -> Option<usize> {
        let Some(level) = found.level else {
            let around = self.open.last().map(|open| open.place);
            let around = around.filter(|&place| place != usize::MAX)?;
            // A constructor's parameters may declare properties of the type it is in.
            let unit = &self.units.list[around];
            let is_parameter = found.kind == "property" && unit.label.kind == "method";
            return if is_parameter { unit.parent } else { Some(around) };
        };
        // Headings are not in one another; the level tells.
        let above = |unit: &Unit<'_>| unit.level.is_some_and(|above| above < level);
        self.units.list.iter().rposition(above)
    }

    fn unit(&mut self, found: Found<'tree>, parent: Option<usize>) -> Unit<'tree> {
        let outer = self.outer(&found);
        let leading = docs::before(self.source, &self.units.leading, outer.start_byte());
        let name = names::read(&found, self.source.text);
        let start = self.units.leading[leading.clone()].first();
        let start = start.map_or(outer.start_byte(), |first| first.bytes.start);
        let end = outer.end_byte().max(start + 1) - 1;
        let lines = self.source.line_of(start)..self.source.line_of(end) + 1;
        let at = name.at.unwrap_or(found.node.start_byte());
        let clause = self.clause_of(&found, &name.name);
        let label = match clause {
            Some(first) => Rc::clone(&self.units.list[first].label),
            None => Rc::new(self.label(&found, name, outer, parent)),
        };
        let around = parent.map(|parent| &self.units.list[parent]);
        let depth = around.map_or(0, |around| {
            let deeper = !around.label.name.is_empty() && around.label.kind != "namespace";
            around.depth + usize::from(deeper)
        });
        Unit {
            label,
            member: found.member,
            node: found.node,
            body: found.body,
            lines,
            line: self.source.line_of(at),
            depth,
            continues: clause.is_some(),
            level: found.level,
            parent,
            leading,
            doc: None,
        }
    }

    /// The outermost node that wraps a unit. Remembers all of them as the unit's.
    fn outer(&mut self, found: &Found<'tree>) -> Node<'tree> {
        let place = self.units.list.len();
        let mut node = found.node;
        for _ in 0..MOST_WRAPPERS {
            if let Some(&group) = self.groups.get(&node.id()) {
                self.units.places.entry(group).or_insert(place);
            }
            let Some(&wrapper) = self.wrappers.get(&node.id()) else { break };
            node = wrapper;
            if !found.member {
                self.units.places.entry(node.id()).or_insert(place);
            }
        }
        node
    }

    /// The first clause of the definition of which this is a further one.
    fn clause_of(&self, found: &Found<'_>, name: &str) -> Option<usize> {
        if !self.language.clauses || found.member || name.is_empty() {
            return None;
        }
        let last = self.open.last()?.last?;
        let same = |unit: &Unit<'_>| {
            unit.label.name == name && !unit.member && kinds::is_routine(unit.label.kind)
        };
        (same(&self.units.list[last]) && kinds::is_routine(found.kind)).then_some(last)
    }

    fn label(
        &self,
        found: &Found<'_>,
        name: names::Name,
        outer: Node<'_>,
        parent: Option<usize>,
    ) -> Label {
        let around = parent.map(|parent| &self.units.list[parent].label);
        let separator = match found.kind {
            "test" | "section" => " > ",
            _ => self.language.separator,
        };
        let mut section = around.map(|around| around.section.clone()).unwrap_or_default();
        for part in name.scope.iter().chain([&name.name]) {
            if !section.is_empty() && !part.is_empty() {
                section.push_str(separator);
            }
            section.push_str(part);
        }
        let in_type = name.scope.is_some() && self.language.separator == "::"
            || around.is_some_and(|around| kinds::is_type(around.kind));
        Label {
            section,
            kind: if found.kind == "function" && in_type { "method" } else { found.kind },
            name: name.name,
            signature: self.signature(found, outer),
        }
    }

    /// The unit's text up to its body, without comments and attributes before it.
    fn signature(&self, found: &Found<'_>, outer: Node<'_>) -> String {
        if found.level.is_some() {
            return String::new();
        }
        let text = self.source.text;
        let end = found.rest.or(found.body).map_or(found.node.end_byte(), |body| body.start_byte());
        let mut start = outer.start_byte();
        let mut signature = Signature::default();
        let leading = &self.units.leading;
        let first = leading.partition_point(|node| node.bytes.start < start);
        for node in leading[first..].iter().take_while(|node| node.bytes.start < end) {
            let before = text.get(start..node.bytes.start).unwrap_or_default();
            let begins = signature.is_empty() && before.trim().is_empty();
            if begins || node.is_comment {
                signature.add(before);
                start = node.bytes.end;
            }
        }
        signature.add(text.get(start..end).unwrap_or_default());
        signature.finish()
    }

    /// Gives documentation strings to the innermost units they are in, but for those that stand
    /// before a unit.
    fn give_docs(&mut self) {
        let units = &self.units;
        let before = units.list.iter().flat_map(|unit| &units.leading[unit.leading.clone()]);
        let taken: FxHashSet<usize> = before
            .flat_map(|node| units.docs_in(&node.bytes).iter().map(|doc| doc.start))
            .collect();
        for number in 0..self.units.docs.len() {
            let doc = self.units.docs[number].clone();
            let around = (!taken.contains(&doc.start)).then(|| self.around(doc.start)).flatten();
            if let Some(unit) = around.map(|place| &mut self.units.list[place]) {
                unit.doc.get_or_insert(doc);
            }
        }
    }

    /// The innermost unit around a byte.
    fn around(&self, byte: usize) -> Option<usize> {
        let list = &self.units.list;
        let before = list.partition_point(|unit| unit.node.start_byte() <= byte);
        let mut place = before.checked_sub(1)?;
        while list[place].node.end_byte() <= byte {
            place = list[place].parent?;
        }
        Some(place)
    }

    /// A section ends where the next one of its level or above begins.
    fn end_sections(&mut self) {
        let mut open: Vec<usize> = Vec::new();
        for place in 0..self.units.list.len() {
            let unit = &self.units.list[place];
            let (Some(level), start) = (unit.level, unit.lines.start) else { continue };
            while let Some(&last) = open.last()
                && self.units.list[last].level >= Some(level)
            {
                self.end_section(last, start);
                open.pop();
            }
            open.push(place);
        }
        let end = self.source.len();
        open.into_iter().for_each(|place| self.end_section(place, end));
    }

    fn end_section(&mut self, place: usize, end: usize) {
        let lines = &mut self.units.list[place].lines;
        lines.end = end.max(lines.end);
    }
}

/// A signature: white space collapsed, limited, without what only opens a body.
#[derive(Default)]
struct Signature(String);

impl Signature {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn add(&mut self, text: &str) {
        for word in text.split_whitespace() {
            if self.0.len() > LONGEST_SIGNATURE * 4 {
                return;
            }
            if !self.0.is_empty() {
                self.0.push(' ');
            }
            self.0.push_str(word);
        }
    }

    fn finish(self) -> String {
        let limit = self.0.char_indices().nth(LONGEST_SIGNATURE).map_or(self.0.len(), |(at, _)| at);
        let kept = self.0[..limit].trim_end_matches([' ', ':', ';', '{']);
        let kept = [" =", " where", " do"]
            .iter()
            .fold(kept, |kept, end| kept.strip_suffix(end).unwrap_or(kept));
        kept.to_owned()
    }
}
