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

use std::sync::OnceLock;

use tree_sitter::Query;

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
    compiled: OnceLock<Option<UnitQuery>>,
}

/// A compiled query for the units of a language.
pub(crate) struct UnitQuery {
    pub grammar: tree_sitter::Language,
    pub query: Query,
    /// What each capture is for.
    pub roles: Vec<Role>,
}

/// What a capture is for; see the description of this module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Unit { kind: &'static str, member: bool, level: Option<u8> },
    Name,
    Scope,
    Body,
    Rest,
    Comment,
    Attribute,
    Doc,
    Wrapper,
    Wrapped,
    Group,
    Grouped,
    Predicate,
}

/// The language of a format, or none where its syntax is not known.
pub(crate) fn language(format: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.format == format)
}

impl Language {
    /// The query, compiled at first use since that takes up to half a second; none if the query
    /// does not fit the grammar.
    pub fn query(&'static self) -> Option<&'static UnitQuery> {
        let compile = || {
            let grammar = (self.grammar)();
            let query = Query::new(&grammar, self.units).ok()?;
            let roles =
                query.capture_names().iter().map(|name| role(name)).collect::<Option<_>>()?;
            Some(UnitQuery { grammar, query, roles })
        };
        self.compiled.get_or_init(compile).as_ref()
    }

    const fn with_clauses(mut self) -> Language {
        self.clauses = true;
        self
    }
}

/// What a capture of this name is for; none if its kind is not known.
fn role(capture: &str) -> Option<Role> {
    let known = |kind: &str| super::kinds::KINDS.iter().find(|known| **known == kind).copied();
    let unit = |kind, member, level| Some(Role::Unit { kind: known(kind)?, member, level });
    match capture {
        "name" => Some(Role::Name),
        "scope" => Some(Role::Scope),
        "body" => Some(Role::Body),
        "rest" => Some(Role::Rest),
        "comment" => Some(Role::Comment),
        "attribute" => Some(Role::Attribute),
        "doc" => Some(Role::Doc),
        "wrapper" => Some(Role::Wrapper),
        "wrapped" => Some(Role::Wrapped),
        "group" => Some(Role::Group),
        "grouped" => Some(Role::Grouped),
        _ if capture.starts_with('_') => Some(Role::Predicate),
        _ => match capture.split_once('.') {
            Some(("member", kind)) => unit(kind, true, None),
            Some((kind, level)) => unit(kind, false, Some(level.parse().ok()?)),
            None => unit(capture, false, None),
        },
    }
}

const fn language_of(
    format: &'static str,
    grammar: fn() -> tree_sitter::Language,
    separator: &'static str,
    units: &'static str,
) -> Language {
    Language { format, grammar, units, separator, clauses: false, compiled: OnceLock::new() }
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
    language_of("kotlin", || tree_sitter_kotlin_ng::LANGUAGE.into(), ".", units!("kotlin")),
    language_of("scala", || tree_sitter_scala::LANGUAGE.into(), ".", units!("scala")),
    language_of("c", || tree_sitter_c::LANGUAGE.into(), "::", units!("c_family", "c")),
    language_of("cpp", || tree_sitter_cpp::LANGUAGE.into(), "::", units!("c_family", "cpp")),
    language_of("csharp", || tree_sitter_c_sharp::LANGUAGE.into(), ".", units!("csharp")),
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
    use super::*;

    #[test]
    fn every_query_fits_its_grammar() {
        for language in &LANGUAGES {
            let query = Query::new(&(language.grammar)(), language.units);
            let problem = query.as_ref().err();
            assert!(problem.is_none(), "{}: {}", language.format, problem.unwrap());
            for capture in query.unwrap().capture_names() {
                assert!(role(capture).is_some(), "{}: @{capture}", language.format);
            }
        }
    }
}
