//! What a query asks of code.

use std::collections::HashSet;

use super::roles::Roles;
use super::terms::Terms;

/// A query about code, taken apart once for all candidates.
pub struct CodeQuery {
    /// What kind of query it is.
    pub kind: QueryKind,
    /// Its words without stop words.
    pub(super) terms: Terms,
    /// Names it holds, in lower case.
    pub(super) identifiers: HashSet<String>,
    /// Paths it holds, in lower case.
    pub(super) paths: Vec<String>,
    /// What it asks for that is lowered otherwise.
    pub(super) asked: Roles,
}

/// What a query looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryKind {
    /// One name: `Rack::Builder`, `getUserName`, `flask/app.py`.
    Symbol,
    /// Plain language, perhaps with names in it.
    Plain,
}

impl CodeQuery {
    /// Takes a query apart.
    pub fn new(text: &str) -> CodeQuery {
        let tokens = || text.split_whitespace().map(trimmed).filter(|token| !token.is_empty());
        let kind = match tokens().nth(1) {
            None => QueryKind::Symbol,
            Some(_) => QueryKind::Plain,
        };
        let identifiers = match kind {
            QueryKind::Symbol => names(text).last().into_iter().collect::<Vec<_>>(),
            QueryKind::Plain => names(text).filter(|name| is_identifier(name)).collect(),
        };
        CodeQuery {
            kind,
            terms: Terms::new(text),
            identifiers: identifiers.into_iter().map(str::to_lowercase).collect(),
            paths: tokens().filter(|token| is_path(token)).map(str::to_lowercase).collect(),
            asked: Roles::asked(text),
        }
    }
}

/// A word without the punctuation around it.
fn trimmed(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '/'))
}

/// The runs of letters, digits and `_`.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty())
}

/// Whether a word is written as only names are: `snake_case`, `camelCase`, `HTTPServer`.
fn is_identifier(word: &str) -> bool {
    let inner = word.trim_matches('_');
    let has_hump = || {
        let letters: Vec<char> = inner.chars().collect();
        letters.windows(2).any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase())
            || letters.windows(3).any(|three| {
                three[0].is_uppercase() && three[1].is_uppercase() && three[2].is_lowercase()
            })
    };
    inner.contains('_') || has_hump()
}

/// Whether a word names a file: `src/app.py`, `app.py`.
fn is_path(word: &str) -> bool {
    let extension = || {
        word.rsplit_once('.').is_some_and(|(stem, extension)| {
            !stem.is_empty()
                && extension.len() <= 5
                && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
    };
    (word.contains('/') && !word.contains("//")) || extension()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(query: &str, kind: QueryKind, identifiers: &[&str], paths: &[&str]) {
        let found = CodeQuery::new(query);
        let mut names: Vec<&str> = found.identifiers.iter().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!((found.kind, names.as_slice()), (kind, identifiers), "{query:?}");
        assert_eq!(found.paths, paths, "{query:?}");
    }

    #[test]
    fn one_word_is_a_symbol_and_its_last_part_the_name() {
        check("Rack::Builder", QueryKind::Symbol, &["builder"], &[]);
        check("get_user_name", QueryKind::Symbol, &["get_user_name"], &[]);
        check("`route()`", QueryKind::Symbol, &["route"], &[]);
        check("#", QueryKind::Symbol, &[], &[]);
    }

    #[test]
    fn names_in_plain_language_are_told_by_how_they_are_written() {
        check(
            "how does getUser use an HTTPServer",
            QueryKind::Plain,
            &["getuser", "httpserver"],
            &[],
        );
        check("Where is the API of _private_ parts", QueryKind::Plain, &[], &[]);
    }

    #[test]
    fn paths_are_told_by_slashes_and_extensions() {
        check("src/flask/App.py", QueryKind::Symbol, &["py"], &["src/flask/app.py"]);
        check("what does app.py do.", QueryKind::Plain, &[], &["app.py"]);
        check("see http://a.b/c, please", QueryKind::Plain, &[], &[]);
    }
}
