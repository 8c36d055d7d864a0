//! The languages whose syntax is known: one row each.
//!
//! A query file captures the node of each unit under its kind (`@function`, `@class` …), with its
//! `@name`; `@scope` where the path of the symbol is not told by what surrounds it, `@body` where
//! the body is not the field of that name. The last pattern that matches a node wins, so patterns go
//! from the general to the special. Captures that begin with `_` only serve predicates.

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
    /// Nodes that belong to the unit after them: comments, attributes.
    pub leading: &'static [&'static str],
    /// Nodes that only wrap a unit: an export, decorators.
    pub wrappers: &'static [&'static str],
    compiled: OnceLock<Option<UnitQuery>>,
}

/// A compiled query for the units of a language.
pub(crate) struct UnitQuery {
    pub grammar: tree_sitter::Language,
    pub query: Query,
}

/// The language of a format, or none where its syntax is not known.
pub(crate) fn language(format: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.format == format)
}

impl Language {
    /// The query, compiled at first use since that takes up to 70 ms; none if the query does not
    /// fit the grammar.
    pub fn query(&'static self) -> Option<&'static UnitQuery> {
        let compile = || {
            let grammar = (self.grammar)();
            let query = Query::new(&grammar, self.units).ok()?;
            Some(UnitQuery { grammar, query })
        };
        self.compiled.get_or_init(compile).as_ref()
    }
}

static LANGUAGES: [Language; 6] = [
    Language {
        format: "rust",
        grammar: || tree_sitter_rust::LANGUAGE.into(),
        units: include_str!("languages/rust/units.scm"),
        separator: "::",
        leading: &["line_comment", "block_comment", "attribute_item"],
        wrappers: &[],
        compiled: OnceLock::new(),
    },
    Language {
        format: "python",
        grammar: || tree_sitter_python::LANGUAGE.into(),
        units: include_str!("languages/python/units.scm"),
        separator: ".",
        leading: &["comment"],
        wrappers: &["decorated_definition"],
        compiled: OnceLock::new(),
    },
    Language {
        format: "javascript",
        grammar: || tree_sitter_javascript::LANGUAGE.into(),
        units: concat!(
            include_str!("languages/ecmascript/units.scm"),
            include_str!("languages/javascript/units.scm"),
        ),
        separator: ".",
        leading: &["comment", "decorator"],
        wrappers: &["export_statement"],
        compiled: OnceLock::new(),
    },
    typescript("typescript", || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()),
    typescript("tsx", || tree_sitter_typescript::LANGUAGE_TSX.into()),
    Language {
        format: "go",
        grammar: || tree_sitter_go::LANGUAGE.into(),
        units: include_str!("languages/go/units.scm"),
        separator: ".",
        leading: &["comment"],
        wrappers: &[],
        compiled: OnceLock::new(),
    },
];

/// TypeScript's two grammars differ in what `<` means, not in their units.
const fn typescript(format: &'static str, grammar: fn() -> tree_sitter::Language) -> Language {
    Language {
        format,
        grammar,
        units: concat!(
            include_str!("languages/ecmascript/units.scm"),
            include_str!("languages/typescript/units.scm"),
        ),
        separator: ".",
        leading: &["comment", "decorator"],
        wrappers: &["export_statement", "ambient_declaration", "expression_statement"],
        compiled: OnceLock::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_query_fits_its_grammar() {
        for language in &LANGUAGES {
            let problem = Query::new(&(language.grammar)(), language.units).err();
            assert!(problem.is_none(), "{}: {}", language.format, problem.unwrap());
        }
    }
}
