//! Patterns of syntax: what the query files hold, in a subset of tree-sitter's query language.
//!
//! tree-sitter's own `Query` proves at its making which patterns a grammar admits, which takes up
//! to a quarter of a second a language. Finding units needs no such proof, and a language is met
//! anew by every process.
//!
//! - `(kind …)` is a node with children, `(_ …)` any named one, `_` any at all, `"text"` an unnamed
//!   one, `[x y]` a choice. Children are met in their order, others may lie between them.
//! - `field: x` has that field, `!field` lacks it.
//! - `x?` may be missing. `x*` may be repeated, in children that begin with an anchor.
//! - `. x` is the first child and `x .` the last, `x . y` are neighbours; unnamed nodes do not count.
//! - `#eq?`, `#any-of?` and `#match?`, `#not-…` as well, restrict the text of a capture.
//!
//! A pattern is about the node captured as a unit, a comment, what is wrapped and the like: it
//! finds each of those in its place. Of everything else it takes what comes first.

use std::num::NonZeroU16;

use regex::bytes::Regex;

use super::roles::{Role, role};
use super::tokens::{Token, Tokens};

/// The patterns of a language.
pub(super) struct Patterns {
    pub list: Vec<Pattern>,
    /// The numbers of the patterns that a node of each kind may match.
    rooted: Vec<Vec<usize>>,
}

/// What a node may be.
pub(super) struct Pattern {
    pub form: Form,
    /// What it is captured as.
    pub captures: Vec<Capture>,
    /// What its text must be like.
    pub tests: Vec<Test>,
    /// Whether what the pattern is about lies below this node.
    pub leads_on: bool,
}

pub(super) enum Form {
    Node { kind: Kind, without: Vec<NonZeroU16>, runs: Vec<Run> },
    Choice(Vec<Pattern>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Any node.
    Any,
    /// Any named node.
    Named,
    /// The nodes of one kind, by its id.
    Id(u16),
}

/// Children that are neighbours.
#[derive(Default)]
pub(super) struct Run {
    /// Whether they are the first ones.
    pub first: bool,
    pub children: Vec<Child>,
}

pub(super) struct Child {
    pub field: Option<NonZeroU16>,
    pub count: Count,
    /// Whether it is the last one.
    pub last: bool,
    pub pattern: Pattern,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    One,
    AtMostOne,
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Capture {
    pub name: &'static str,
    pub role: Role,
}

/// A condition on the text of a node.
#[derive(Clone)]
pub(super) struct Test {
    negated: bool,
    condition: Condition,
}

#[derive(Clone)]
enum Condition {
    AnyOf(Vec<String>),
    Matches(Regex),
}

/// Why a query file cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub(super) struct PatternError {
    line: usize,
    #[source]
    problem: Problem,
}

#[derive(Debug, thiserror::Error)]
enum Problem {
    #[error("expected {expected} instead of {found:?}")]
    Unexpected { expected: &'static str, found: Option<Token> },
    #[error("no node of the grammar is of kind {0:?}")]
    UnknownKind(String),
    #[error("no field of the grammar is called {0}")]
    UnknownField(&'static str),
    #[error("@{0} is no capture this crate knows, or captures nothing")]
    UnknownCapture(&'static str),
    #[error("#{0} is no predicate this crate knows")]
    UnknownPredicate(&'static str),
    #[error(transparent)]
    Expression(#[from] regex::Error),
    #[error("{0}")]
    Unsupported(&'static str),
}

impl Patterns {
    /// Reads patterns for the trees of a grammar.
    pub fn read(text: &'static str, grammar: &tree_sitter::Language) -> Result<Self, PatternError> {
        let mut reader = Reader { tokens: Tokens::new(text), grammar, tests: Vec::new() };
        let mut list = Vec::new();
        while reader.tokens.peek().is_some() {
            let pattern = reader.rooted();
            list.push(
                pattern.map_err(|problem| PatternError { line: reader.tokens.line(), problem })?,
            );
        }
        let mut rooted = vec![Vec::new(); grammar.node_kind_count()];
        for (number, pattern) in list.iter().enumerate() {
            pattern.each_kind(&mut |kind| match kind {
                Kind::Id(id) => rooted[usize::from(id)].push(number),
                Kind::Any | Kind::Named => rooted.iter_mut().for_each(|list| list.push(number)),
            });
        }
        Ok(Patterns { list, rooted })
    }

    /// The numbers of the patterns that a node of this kind may match.
    pub fn rooted_at(&self, kind: u16) -> &[usize] {
        self.rooted.get(usize::from(kind)).map_or(&[], Vec::as_slice)
    }
}

impl Pattern {
    fn each_kind(&self, then: &mut impl FnMut(Kind)) {
        match &self.form {
            Form::Node { kind, .. } => then(*kind),
            Form::Choice(choices) => choices.iter().for_each(|choice| choice.each_kind(then)),
        }
    }

    /// Whether the pattern is about this node or one below it.
    fn is_sought(&self) -> bool {
        self.leads_on || self.captures.iter().any(|capture| capture.role.is_sought())
    }

    /// Gives the tests of a capture to the nodes captured, and tells whether there are any.
    fn add_test(&mut self, capture: &str, test: &Test) -> bool {
        let captured = self.captures.iter().any(|own| own.name == capture);
        if captured {
            self.tests.push(test.clone());
        }
        let below: Vec<&mut Pattern> = match &mut self.form {
            Form::Choice(choices) => choices.iter_mut().collect(),
            Form::Node { runs, .. } => {
                let children = runs.iter_mut().flat_map(|run| &mut run.children);
                children.map(|child| &mut child.pattern).collect()
            }
        };
        below.into_iter().fold(captured, |any, pattern| pattern.add_test(capture, test) || any)
    }
}

impl Test {
    pub fn passes(&self, text: &[u8]) -> bool {
        let holds = match &self.condition {
            Condition::AnyOf(texts) => texts.iter().any(|one| one.as_bytes() == text),
            Condition::Matches(expression) => expression.is_match(text),
        };
        holds != self.negated
    }
}

struct Reader<'g> {
    tokens: Tokens,
    grammar: &'g tree_sitter::Language,
    /// The tests of the current pattern, by the captures they are for.
    tests: Vec<(&'static str, Test)>,
}

impl Reader<'_> {
    /// A pattern with its predicates, in parentheses or not.
    fn rooted(&mut self) -> Result<Pattern, Problem> {
        let grouped = self.opens_group();
        let mut pattern = self.captured()?;
        if grouped {
            while !self.tokens.eat(&Token::Close) {
                self.predicate()?;
            }
        }
        for (capture, test) in std::mem::take(&mut self.tests) {
            if !pattern.add_test(capture, &test) {
                return Err(Problem::UnknownCapture(capture));
            }
        }
        Ok(pattern)
    }

    /// Takes a parenthesis around a pattern, which no kind of node follows.
    fn opens_group(&mut self) -> bool {
        let mut ahead = self.tokens.clone();
        let opens = ahead.next() == Some(Token::Open)
            && matches!(ahead.next(), Some(Token::Open | Token::OpenChoice));
        opens && self.tokens.eat(&Token::Open)
    }

    fn captured(&mut self) -> Result<Pattern, Problem> {
        let pattern = self.pattern()?;
        self.captures(pattern)
    }

    fn pattern(&mut self) -> Result<Pattern, Problem> {
        let form = match self.tokens.next() {
            Some(Token::Open) => self.node()?,
            Some(Token::OpenChoice) => self.choice()?,
            Some(Token::Word("_")) => leaf(Kind::Any),
            Some(Token::Text(text)) => leaf(self.kind(&text, false)?),
            found => return Err(Problem::Unexpected { expected: "a pattern", found }),
        };
        let leads_on = match &form {
            Form::Choice(choices) => choices.iter().any(Pattern::is_sought),
            Form::Node { runs, .. } => leads_on(runs)?,
        };
        Ok(Pattern { form, captures: Vec::new(), tests: Vec::new(), leads_on })
    }

    fn captures(&mut self, mut pattern: Pattern) -> Result<Pattern, Problem> {
        while let Some(Token::Capture(name)) = self.tokens.peek() {
            self.tokens.next();
            let role = role(name).ok_or(Problem::UnknownCapture(name))?;
            pattern.captures.push(Capture { name, role });
        }
        Ok(pattern)
    }

    fn choice(&mut self) -> Result<Form, Problem> {
        let mut choices = Vec::new();
        while !self.tokens.eat(&Token::CloseChoice) {
            choices.push(self.captured()?);
        }
        Ok(Form::Choice(choices))
    }

    /// A node whose opening parenthesis is taken.
    fn node(&mut self) -> Result<Form, Problem> {
        let kind = match self.tokens.next() {
            Some(Token::Word("_")) => Kind::Named,
            Some(Token::Word(kind)) => self.kind(kind, true)?,
            found => return Err(Problem::Unexpected { expected: "a kind of node", found }),
        };
        let mut without = Vec::new();
        let mut runs: Vec<Run> = Vec::new();
        let mut anchored = false;
        loop {
            match self.tokens.peek() {
                Some(Token::Close) => break,
                Some(Token::Anchor) => anchored = true,
                Some(Token::Without(field)) => without.push(self.field(field)?),
                Some(Token::Open) if self.opens_predicate() => {
                    self.predicate()?;
                    continue;
                }
                _ => {
                    let child = self.child()?;
                    match runs.last_mut().filter(|_| anchored) {
                        Some(run) => run.children.push(child),
                        None => runs.push(Run { first: anchored, children: vec![child] }),
                    }
                    anchored = false;
                    continue;
                }
            }
            self.tokens.next();
        }
        self.tokens.next();
        let last = runs.last_mut().and_then(|run| run.children.last_mut());
        if let Some(last) = last.filter(|_| anchored) {
            last.last = true;
        }
        check_counts(&runs)?;
        Ok(Form::Node { kind, without, runs })
    }

    fn child(&mut self) -> Result<Child, Problem> {
        let field = match self.tokens.peek() {
            Some(Token::Field(name)) => {
                self.tokens.next();
                Some(self.field(name)?)
            }
            _ => None,
        };
        let pattern = self.pattern()?;
        let count = match self.tokens.peek() {
            Some(Token::Optional) => Count::AtMostOne,
            Some(Token::Repeated) => Count::Any,
            _ => Count::One,
        };
        if count != Count::One {
            self.tokens.next();
        }
        Ok(Child { field, count, last: false, pattern: self.captures(pattern)? })
    }

    fn opens_predicate(&self) -> bool {
        let mut ahead = self.tokens.clone();
        ahead.next() == Some(Token::Open) && matches!(ahead.next(), Some(Token::Predicate(_)))
    }

    fn predicate(&mut self) -> Result<(), Problem> {
        let unexpected = |expected, found| Err(Problem::Unexpected { expected, found });
        if !self.tokens.eat(&Token::Open) {
            return unexpected("a predicate", self.tokens.next());
        }
        let name = match self.tokens.next() {
            Some(Token::Predicate(name)) => name,
            found => return unexpected("a predicate", found),
        };
        let capture = match self.tokens.next() {
            Some(Token::Capture(capture)) => capture,
            found => return unexpected("a capture", found),
        };
        let mut texts = Vec::new();
        while !self.tokens.eat(&Token::Close) {
            match self.tokens.next() {
                Some(Token::Text(text)) => texts.push(text),
                found => return unexpected("a string", found),
            }
        }
        let positive = name.strip_prefix("not-");
        let condition = match (positive.unwrap_or(name), texts.as_slice()) {
            ("eq?", [_]) | ("any-of?", [..]) => Condition::AnyOf(texts),
            ("match?", [expression]) => Condition::Matches(Regex::new(expression)?),
            _ => return Err(Problem::UnknownPredicate(name)),
        };
        self.tests.push((capture, Test { negated: positive.is_some(), condition }));
        Ok(())
    }

    fn kind(&self, kind: &str, named: bool) -> Result<Kind, Problem> {
        let id = self.grammar.id_for_node_kind(kind, named);
        // No node is of a kind that stands for several others.
        let is_known = id != 0 && !self.grammar.node_kind_is_supertype(id);
        is_known.then_some(Kind::Id(id)).ok_or_else(|| Problem::UnknownKind(kind.to_owned()))
    }

    fn field(&self, name: &'static str) -> Result<NonZeroU16, Problem> {
        self.grammar.field_id_for_name(name).ok_or(Problem::UnknownField(name))
    }
}

fn leaf(kind: Kind) -> Form {
    Form::Node { kind, without: Vec::new(), runs: Vec::new() }
}

/// Whether what a pattern is about is one of these children or below: then nothing may follow it,
/// so that a search takes each node once.
fn leads_on(runs: &[Run]) -> Result<bool, Problem> {
    let children = || runs.iter().flat_map(|run| &run.children);
    let is_sought = |child: &Child| child.pattern.is_sought();
    let Some(sought) = children().position(is_sought) else { return Ok(false) };
    if sought + 1 < children().count() {
        return Err(Problem::Unsupported("a child follows the one that is sought"));
    }
    let is_one = children().last().is_some_and(|child| child.count == Count::One);
    is_one.then_some(true).ok_or(Problem::Unsupported("what is sought is optional"))
}

/// A search must not try each number of repeated children.
fn check_counts(runs: &[Run]) -> Result<(), Problem> {
    for run in runs.iter().filter(|run| !run.first) {
        let counts = || run.children.iter().map(|child| child.count);
        let alone = counts().all(|count| count == Count::AtMostOne) && run.children.len() == 1;
        if !alone && counts().any(|count| count != Count::One) {
            return Err(Problem::Unsupported("an optional child in the middle"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(patterns: &'static str, problem: &str) {
        let read = Patterns::read(patterns, &tree_sitter_javascript::LANGUAGE.into());
        assert_eq!(read.err().map(|error| error.to_string()).unwrap_or_default(), problem);
    }

    #[test]
    fn what_is_wrong_with_patterns_is_told() {
        check("; nothing\n(identifier) @function", "");
        check("\n(variable)", "line 2: no node of the grammar is of kind \"variable\"");
        check("(expression)", "line 1: no node of the grammar is of kind \"expression\"");
        check("\"func\"", "line 1: no node of the grammar is of kind \"func\"");
        check("(pair word: (_))", "line 1: no field of the grammar is called word");
        check("(pair) @word", "line 1: @word is no capture this crate knows, or captures nothing");
        check(
            "((pair) (#eq? @name \"a\"))",
            "line 1: @name is no capture this crate knows, or captures nothing",
        );
        check("((pair) @_a (#is? @_a))", "line 1: #is? is no predicate this crate knows");
        check("(pair", "line 1: expected a pattern instead of None");
        check("(array (_)", "line 1: expected a pattern instead of None");
        check("[(pair)", "line 1: expected a pattern instead of None");
    }

    #[test]
    fn what_would_take_too_long_is_not_supported() {
        check(
            "(array (number) @function (identifier))",
            "line 1: a child follows the one that is sought",
        );
        check("(array (number)? @function)", "line 1: what is sought is optional");
        check("(array (number) . (number)*)", "line 1: an optional child in the middle");
    }
}
