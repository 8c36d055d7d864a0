//! The search for patterns in a tree.
//!
//! It goes down no deeper than the patterns do, and takes time in proportion to the tree: what a
//! pattern is not about stands where it first can, and only neighbours are tried at each place.

use tree_sitter::Node;

use super::Deadline;
use super::nodes::{Entry, nodes};
use super::patterns::{Capture, Child, Count, Form, Kind, Pattern, Patterns, Run};

/// How many nodes are looked at between two looks at the clock.
const BETWEEN_CHECKS: usize = 1024;
/// The kind of a node that holds what could not be parsed.
const ERROR: u16 = u16::MAX;

/// A node and what it is captured as.
pub(super) type Captured<'tree> = (Capture, Node<'tree>);

/// Hands on each match of each pattern, by the number of the pattern, with what it captures. None
/// if that takes too long.
pub(super) fn search<'tree>(
    tree: &'tree tree_sitter::Tree,
    text: &str,
    patterns: &Patterns,
    deadline: Deadline,
    mut then: impl FnMut(usize, &[Captured<'tree>]),
) -> Option<()> {
    let nodes = nodes(tree, deadline)?;
    let mut search = Search { nodes: &nodes, text: text.as_bytes(), captured: Vec::new() };
    for (place, node) in nodes.iter().enumerate() {
        if place.is_multiple_of(BETWEEN_CHECKS) && deadline.is_over() {
            return None;
        }
        for &number in patterns.rooted_at(node.kind) {
            search.each(&patterns.list[number], place, &mut |captured| then(number, captured));
        }
    }
    Some(())
}

struct Search<'s, 'tree> {
    nodes: &'s [Entry<'tree>],
    text: &'s [u8],
    /// What is captured so far.
    captured: Vec<Captured<'tree>>,
}

/// What takes the captures of a match.
type Then<'t, 'tree> = &'t mut dyn FnMut(&[Captured<'tree>]);

impl<'tree> Search<'_, 'tree> {
    /// Hands on each match of a pattern at a node, and tells whether there is any.
    fn each(&mut self, pattern: &Pattern, place: usize, then: Then<'_, 'tree>) -> bool {
        let before = self.captured.len();
        let mut any = false;
        if !pattern.leads_on {
            any = self.fits(pattern, place);
            if any {
                then(&self.captured);
            }
        } else if self.passes(pattern, place) {
            self.capture(pattern, place);
            match &pattern.form {
                Form::Choice(choices) => {
                    for choice in choices {
                        any |= self.each(choice, place, then);
                    }
                }
                Form::Node { runs, .. } => any = self.each_below(runs, place, then),
            }
        }
        self.captured.truncate(before);
        any
    }

    /// Hands on each place of the last child of some runs.
    fn each_below(&mut self, runs: &[Run], place: usize, then: Then<'_, 'tree>) -> bool {
        let end = self.end(place);
        let Some((last, before)) = runs.split_last() else { return false };
        let Some(from) = self.runs(before, place + 1, end) else { return false };
        let Some((sought, neighbours)) = last.children.split_last() else { return false };
        if last.first {
            let from = self.neighbours(neighbours, from, end);
            return from.is_some_and(|from| self.each_next(sought, from, end, then));
        }
        let mut any = false;
        let mut at = from;
        while at < end {
            let before = self.captured.len();
            any |= match neighbours.split_first() {
                None => self.may_be(sought, at, end) && self.each(&sought.pattern, at, then),
                Some((first, others)) if self.child_fits(first, at, end) => {
                    let from = self.neighbours(others, self.end(at), end);
                    from.is_some_and(|from| self.each_next(sought, from, end, then))
                }
                Some(_) => false,
            };
            self.captured.truncate(before);
            at = self.end(at);
        }
        any
    }

    /// Hands on the matches of a child that comes next.
    fn each_next(&mut self, child: &Child, from: usize, end: usize, then: Then<'_, 'tree>) -> bool {
        let mut at = from;
        while at < end {
            if self.may_be(child, at, end) && self.each(&child.pattern, at, then) {
                return true;
            }
            if self.nodes[at].is_named {
                return false;
            }
            at = self.end(at);
        }
        false
    }

    /// Whether a pattern matches a node, whose captures are then kept.
    fn fits(&mut self, pattern: &Pattern, place: usize) -> bool {
        if !self.passes(pattern, place) {
            return false;
        }
        let before = self.captured.len();
        self.capture(pattern, place);
        let fits = match &pattern.form {
            Form::Choice(choices) => choices.iter().any(|choice| self.fits(choice, place)),
            Form::Node { runs, .. } => self.runs(runs, place + 1, self.end(place)).is_some(),
        };
        if !fits {
            self.captured.truncate(before);
        }
        fits
    }

    /// Whether a node is what a pattern tells, its children aside.
    fn passes(&self, pattern: &Pattern, place: usize) -> bool {
        let entry = &self.nodes[place];
        let is_kind = match &pattern.form {
            Form::Choice(_) => true,
            Form::Node { kind: Kind::Any, .. } => entry.kind != ERROR,
            Form::Node { kind: Kind::Named, .. } => entry.is_named && entry.kind != ERROR,
            Form::Node { kind: Kind::Id(kind), .. } => entry.kind == *kind,
        };
        is_kind && self.lacks_fields(pattern, place) && {
            let text = || self.text.get(entry.node.byte_range()).unwrap_or_default();
            pattern.tests.iter().all(|test| test.passes(text()))
        }
    }

    fn lacks_fields(&self, pattern: &Pattern, place: usize) -> bool {
        let Form::Node { without, .. } = &pattern.form else { return true };
        let mut at = place + 1;
        while !without.is_empty() && at < self.end(place) {
            if self.nodes[at].field.is_some_and(|field| without.contains(&field)) {
                return false;
            }
            at = self.end(at);
        }
        true
    }

    /// Where the siblings go on after runs of them, each taken at its first place; none if one of
    /// them is missing.
    fn runs(&mut self, runs: &[Run], from: usize, end: usize) -> Option<usize> {
        runs.iter().try_fold(from, |from, run| self.run(run, from, end))
    }

    fn run(&mut self, run: &Run, from: usize, end: usize) -> Option<usize> {
        if run.first {
            return self.neighbours(&run.children, from, end);
        }
        let (first, others) = run.children.split_first()?;
        let mut at = from;
        while at < end {
            let before = self.captured.len();
            let next = self.end(at);
            if self.child_fits(first, at, end)
                && let Some(next) = self.neighbours(others, next, end)
            {
                return Some(next);
            }
            self.captured.truncate(before);
            at = next;
        }
        (first.count != Count::One).then_some(from)
    }

    /// Where the siblings go on after children that come one after the other.
    fn neighbours(&mut self, children: &[Child], from: usize, end: usize) -> Option<usize> {
        children.iter().try_fold(from, |from, child| match child.count {
            Count::One => self.next(child, from, end),
            Count::AtMostOne => self.next(child, from, end).or(Some(from)),
            Count::Any => {
                let mut from = from;
                while let Some(next) = self.next(child, from, end) {
                    from = next;
                }
                Some(from)
            }
        })
    }

    /// Where the siblings go on after a child that comes next.
    fn next(&mut self, child: &Child, from: usize, end: usize) -> Option<usize> {
        let mut at = from;
        while at < end {
            let next = self.end(at);
            if self.child_fits(child, at, end) {
                return Some(next);
            }
            if self.nodes[at].is_named {
                return None;
            }
            at = next;
        }
        None
    }

    fn child_fits(&mut self, child: &Child, at: usize, end: usize) -> bool {
        self.may_be(child, at, end) && self.fits(&child.pattern, at)
    }

    /// Whether a node has the field of a child and its place at the end.
    fn may_be(&self, child: &Child, at: usize, end: usize) -> bool {
        let has_field = child.field.is_none() || child.field == self.nodes[at].field;
        has_field && (!child.last || !self.is_named_after(at, end))
    }

    /// Whether any sibling after a node is named.
    fn is_named_after(&self, at: usize, end: usize) -> bool {
        let mut after = self.end(at);
        while after < end && !self.nodes[after].is_named {
            after = self.end(after);
        }
        after < end
    }

    fn capture(&mut self, pattern: &Pattern, place: usize) {
        let node = self.nodes[place].node;
        self.captured.extend(pattern.captures.iter().map(|capture| (*capture, node)));
    }

    /// The place of the next sibling, or the end of the siblings.
    fn end(&self, place: usize) -> usize {
        self.nodes[place].end as usize
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::parse;
    use super::*;

    /// Each match of patterns in JavaScript, as the texts of what it captures.
    #[track_caller]
    fn check(patterns: &'static str, text: &str, expected: &[&str]) {
        let grammar = tree_sitter_javascript::LANGUAGE.into();
        let patterns = Patterns::read(patterns, &grammar).expect("the patterns fit the grammar");
        let deadline = Deadline::after(Duration::from_secs(60));
        let tree = parse(text, &grammar, deadline).expect("it parses");
        let mut matches = Vec::new();
        search(&tree, text, &patterns, deadline, |_, captured| {
            let texts = captured.iter().map(|(_, node)| &text[node.byte_range()]);
            matches.push(texts.collect::<Vec<_>>().join(" "));
        });
        assert_eq!(matches, expected);
    }

    #[test]
    fn each_node_sought_is_found() {
        check("(identifier) @function", "f(a, [b])", &["f", "a", "b"]);
        check("(arguments (identifier) @function)", "f(a, [b], c)", &["a", "c"]);
        check("(array (array (_) @function))", "[[a], [1, b], c]", &["a", "1", "b"]);
    }

    #[test]
    fn of_everything_else_the_first_is_taken() {
        check(
            "(arguments (identifier) @name (number) @name) @function",
            "f(a, b, 1, 2)",
            &["(a, b, 1, 2) a 1"],
        );
        check("(array (identifier) @name (number) @function)", "[a, 1, b, 2]", &["a 1", "a 2"]);
        check("(array [(number) (identifier)] @name) @function", "[[], a, 1]", &["[[], a, 1] a"]);
    }

    #[test]
    fn anchors_tie_children_to_their_neighbours() {
        check("(array . (number) @function)", "[1, 2]; [a, 3]", &["1"]);
        check("(array (number) @function .)", "[1, 2]; [3, a]", &["2"]);
        check("(array . (number) @function .)", "[1, 2]; [3]", &["3"]);
        check("(array (identifier) . (number) @function)", "[a, 1, 2, b, 3]", &["1", "3"]);
        check("(array \"[\" . (number) @function)", "[1, 2]", &["1"]);
    }

    #[test]
    fn children_may_be_missing_or_repeated() {
        check(
            "(array . (number)? @name . (identifier) @function)",
            "[1, a]; [b]; [1, 2, c]",
            &["1 a", "b"],
        );
        check(
            "(array . (number)* . (identifier) @function)",
            "[1, 2, a]; [b]; [c, d]",
            &["a", "b", "c"],
        );
        check("(array (number)? @name) @function", "[a, 1]; [b]", &["[a, 1] 1", "[b]"]);
    }

    #[test]
    fn fields_are_told_apart() {
        check("(pair key: (_) @name value: (number)) @function", "({a: 1, b: c})", &["a: 1 a"]);
        check("(variable_declarator !value) @function", "let a, b = 1;", &["a"]);
        check("(call_expression function: (identifier) @function)", "f(g)(h)", &["f"]);
    }

    #[test]
    fn texts_are_tested() {
        check("((identifier) @function (#eq? @function \"a\"))", "[a, b]", &["a"]);
        check("((identifier) @function (#not-eq? @function \"a\"))", "[a, b]", &["b"]);
        check(
            "((identifier) @function (#any-of? @function \"a\" \"c\"))",
            "[a, b, c]",
            &["a", "c"],
        );
        check("((identifier) @function (#match? @function \"^a.$\"))", "[a, ab, ba]", &["ab"]);
        check(
            "((array . (_) @_first . (_) @function) (#eq? @_first \"a\"))",
            "[a, b]; [b, c]",
            &["a b"],
        );
    }

    #[test]
    fn what_could_not_be_parsed_is_no_node() {
        check("(program (_) @function)", "f(); )", &["f();"]);
    }
}
