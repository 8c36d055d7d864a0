//! The languages whose syntax is known: one row each.
//!
//! A query file captures the node of each unit under its kind (`@function`, `@class` …), with its
//! `@name`; `@scope` where the path of the symbol is not told by what surrounds it, `@body` where
//! the body is not the field of that name, `@rest` where the signature ends at neither. The last
//! pattern that matches a node wins, so patterns go from the general to the special.
//!
//! - `@member.<kind>` is listed in outlines but is no passage of its own; `@section.<level>` is a
//!   heading.
//! - `@comment` and `@attribute` belong to the unit right after them. `@doc` is a string that
//!   documents: in a leading node the unit after it, elsewhere the unit it is in.
//! - `@wrapper` and its `@wrapped` node are one unit (an export, decorators); a `@group` of
//!   `@grouped` units is called by the first.
//! - Captures that begin with `_` only serve predicates.

use std::num::NonZeroU16;
use std::sync::OnceLock;

use super::macros::Parsed;
use super::patterns::{PatternError, Patterns};

/// A language: how to parse it and what its units are.
pub(crate) struct Language {
    /// The format it belongs to; see [`crate::Format::name`].
    format: &'static str,
    grammar: fn() -> tree_sitter::Language,
    units: &'static str,
    /// Between the parts of a symbol path.
    pub separator: &'static str,
    /// Whether one definition may be several neighbours of one name: equations, clauses.
    pub clauses: bool,
    /// Whether macros may stand anywhere.
    macros: bool,
    /// Whether bodies are in braces, and told by [`super::bodies`].
    pub bodies: bool,
    compiled: OnceLock<Option<UnitQuery>>,
}

/// What to look for in the trees of a language.
pub(crate) struct UnitQuery {
    pub grammar: tree_sitter::Language,
    pub patterns: Patterns,
    /// The field of a unit's body, if it has one at all.
    pub body: Option<NonZeroU16>,
}

/// The language of a format, or none where its syntax is not known.
pub(crate) fn language(format: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.format == format)
}

impl Language {
    /// The query, read at first use; none if it does not fit the grammar.
    pub fn query(&'static self) -> Option<&'static UnitQuery> {
        self.compiled.get_or_init(|| self.read().ok()).as_ref()
    }

    fn read(&self) -> Result<UnitQuery, PatternError> {
        let grammar = (self.grammar)();
        let patterns = Patterns::read(self.units, &grammar)?;
        let body = grammar.field_id_for_name("body");
        Ok(UnitQuery { grammar, patterns, body })
    }

    /// What a parse should see of a text.
    pub fn parsed<'t>(&self, text: &'t str) -> Parsed<'t> {
        if self.macros { Parsed::without_macros(text) } else { Parsed::whole(text) }
    }

    const fn with_macros(mut self) -> Language {
        self.macros = true;
        self.with_bodies()
    }

    const fn with_bodies(mut self) -> Language {
        self.bodies = true;
        self
    }

    const fn with_clauses(mut self) -> Language {
        self.clauses = true;
        self
    }
}

const fn language_of(
    format: &'static str,
    grammar: fn() -> tree_sitter::Language,
    separator: &'static str,
    units: &'static str,
) -> Language {
    let compiled = OnceLock::new();
    let (clauses, macros, bodies) = (false, false, false);
    Language { format, grammar, units, separator, clauses, macros, bodies, compiled }
}

/// The query files of a language, one after the other.
macro_rules! units {
    ($($name:literal),+) => { concat!($(include_str!(concat!("languages/", $name, "/units.scm"))),+) };
}

static LANGUAGES: [Language; 24] = [
    language_of("rust", || tree_sitter_rust::LANGUAGE.into(), "::", units!("rust")),
    language_of("python", || tree_sitter_python::LANGUAGE.into(), ".", units!("python")),
    language_of(
        "javascript",
        || tree_sitter_javascript::LANGUAGE.into(),
        ".",
        units!("ecmascript", "javascript"),
    ),
    language_of(
        "typescript",
        || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        ".",
        units!("ecmascript", "typescript"),
    ),
    // It differs from TypeScript in what `<` means, not in its units.
    language_of(
        "tsx",
        || tree_sitter_typescript::LANGUAGE_TSX.into(),
        ".",
        units!("ecmascript", "typescript"),
    ),
    language_of("go", || tree_sitter_go::LANGUAGE.into(), ".", units!("go")),
    language_of("java", || tree_sitter_java::LANGUAGE.into(), ".", units!("java")),
    language_of("kotlin", || tree_sitter_kotlin_ng::LANGUAGE.into(), ".", units!("kotlin"))
        .with_bodies(),
    language_of("scala", || tree_sitter_scala::LANGUAGE.into(), ".", units!("scala")),
    language_of("c", || tree_sitter_c::LANGUAGE.into(), "::", units!("c_family", "c"))
        .with_macros(),
    language_of("cpp", || tree_sitter_cpp::LANGUAGE.into(), "::", units!("c_family", "cpp"))
        .with_macros(),
    language_of("csharp", || tree_sitter_c_sharp::LANGUAGE.into(), ".", units!("csharp"))
        .with_bodies(),
    language_of("swift", || tree_sitter_swift::LANGUAGE.into(), ".", units!("swift")),
    language_of("ruby", || tree_sitter_ruby::LANGUAGE.into(), "::", units!("ruby")),
    language_of("php", || tree_sitter_php::LANGUAGE_PHP.into(), "::", units!("php")),
    language_of("elixir", || tree_sitter_elixir::LANGUAGE.into(), ".", units!("elixir"))
        .with_clauses(),
    language_of("haskell", || tree_sitter_haskell::LANGUAGE.into(), ".", units!("haskell"))
        .with_clauses(),
    language_of("lua", || tree_sitter_lua::LANGUAGE.into(), ".", units!("lua")),
    language_of("zig", || tree_sitter_zig::LANGUAGE.into(), ".", units!("zig")),
    language_of("bash", || tree_sitter_bash::LANGUAGE.into(), "::", units!("bash")),
    language_of("sql", || tree_sitter_sequel::LANGUAGE.into(), ".", units!("sql")),
    language_of("html", || tree_sitter_html::LANGUAGE.into(), " > ", units!("html")),
    language_of("css", || tree_sitter_css::LANGUAGE.into(), " > ", units!("css")),
    // No grammar of its own, but nearly that of CSS.
    language_of("scss", || tree_sitter_css::LANGUAGE.into(), " > ", units!("css")),
];

/// The formats whose syntax is known.
#[cfg(test)]
pub(crate) fn formats() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().map(|language| language.format)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use tree_sitter::{Query, QueryCursor, StreamingIterator, Tree};

    use super::super::roles::role;
    use super::super::{Deadline, matching, parse};
    use super::*;
    use crate::samples::samples;

    #[test]
    fn every_query_fits_its_grammar() {
        for language in &LANGUAGES {
            let problem = language.read().err();
            assert!(problem.is_none(), "{}: {}", language.format, problem.unwrap());
        }
    }

    /// What a pattern is about, wherever it was found: the pattern, the role and the bytes.
    type Sought = BTreeSet<(usize, String, usize, usize)>;

    #[test]
    fn every_query_finds_what_tree_sitter_finds_with_it() {
        for (path, text) in samples() {
            let name = path.to_string_lossy();
            let format = crate::format_of(&name).expect("samples are of known formats").name;
            let language = language(format).expect("its syntax is known");
            let query = language.query().expect("the query fits");
            let tree = parse(&text, &query.grammar, deadline()).expect("it parses");
            let theirs = by_tree_sitter(&tree, &text, language.units, &query.grammar);
            assert_eq!(by_us(&tree, &text, query), theirs, "{name}");
            assert!(!theirs.is_empty(), "{name}");
        }
    }

    fn deadline() -> Deadline {
        Deadline::after(Duration::from_secs(60))
    }

    fn by_us(tree: &Tree, text: &str, query: &UnitQuery) -> Sought {
        let mut found = Sought::new();
        let then = |pattern, captured: &[matching::Captured<'_>]| {
            for (capture, node) in captured.iter().filter(|(capture, _)| capture.role.is_sought()) {
                let role = format!("{:?}", capture.role);
                found.insert((pattern, role, node.start_byte(), node.end_byte()));
            }
        };
        matching::search(tree, text, &query.patterns, deadline(), then).expect("it ends");
        found
    }

    fn by_tree_sitter(
        tree: &Tree,
        text: &str,
        units: &str,
        grammar: &tree_sitter::Language,
    ) -> Sought {
        let query = Query::new(grammar, units).expect("it is a query of tree-sitter too");
        let mut cursor = QueryCursor::new();
        let mut matches = cursor.matches(&query, tree.root_node(), text.as_bytes());
        let mut found = Sought::new();
        while let Some(one) = matches.next() {
            for capture in one.captures() {
                let name = query.capture_names()[capture.index as usize];
                let role = role(name).filter(|role| role.is_sought());
                let (pattern, node) = (one.pattern_index, capture.node);
                found.extend(role.map(|role| {
                    (pattern, format!("{role:?}"), node.start_byte(), node.end_byte())
                }));
            }
        }
        found
    }
}
