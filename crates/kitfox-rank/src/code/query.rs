//! What a query asks of code.

use kitfox_core::Filter;
use kitfox_core::paths::{FUNCTION, METHOD, TYPE};

use super::roles::Roles;
use crate::constants::code as constants;
use crate::terms::Terms;

/// A query about code, taken apart once for all candidates.
pub struct CodeQuery {
    /// What kind of query it is.
    pub kind: QueryKind,
    terms: Terms,
    /// Names of definitions it holds.
    names: Vec<String>,
    /// Paths of files it holds, in lower case.
    paths: Vec<String>,
    /// What it asks for that is lowered otherwise.
    pub(super) asked: Roles,
}

/// What a query looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryKind {
    /// One name: `Rack::Builder`, `getUserName`, `flask/app.py`.
    Symbol,
    /// What a program said when it failed: `TypeError: x is not a function`.
    Error,
    /// Plain language with such names in it.
    Mixed,
    /// Plain language.
    Plain,
}

impl CodeQuery {
    /// Takes a query apart.
    pub fn new(text: &str) -> CodeQuery {
        let tokens = || text.split_whitespace().map(trimmed).filter(|token| !token.is_empty());
        let is_symbol = tokens().nth(1).is_none();
        let names: Vec<String> = match is_symbol {
            true => identifiers(text).last().into_iter().map(str::to_owned).collect(),
            false => identifiers(text).filter(|name| is_name(name)).map(str::to_owned).collect(),
        };
        let kind = match is_symbol {
            true => QueryKind::Symbol,
            false if text.split_whitespace().any(announces_failure) => QueryKind::Error,
            false if names.is_empty() => QueryKind::Plain,
            false => QueryKind::Mixed,
        };
        let paths = tokens().filter(|token| is_path(token)).map(str::to_lowercase).collect();
        CodeQuery { kind, terms: Terms::new(text), names, paths, asked: Roles::asked(text) }
    }

    /// What candidates are marked with: that they define a type of a name in the query, and that
    /// they define anything of such a name.
    pub fn marks(&self) -> Vec<Filter> {
        if self.names.is_empty() {
            return Vec::new();
        }
        let defines = |path| Filter::one_of(path, self.names.iter().map(String::as_str));
        vec![defines(TYPE), Filter::Or([TYPE, FUNCTION, METHOD].map(defines).into())]
    }

    /// Share of the meaning leg.
    pub(super) fn meaning_weight(&self) -> f32 {
        match self.kind {
            QueryKind::Symbol => constants::MEANING_OF_SYMBOL,
            QueryKind::Error => constants::MEANING_OF_ERROR,
            QueryKind::Mixed => constants::MEANING_OF_MIXED,
            QueryKind::Plain => constants::MEANING,
        }
    }

    /// Whether it says all of a name.
    pub(super) fn says(&self, name: &str) -> bool {
        self.terms.say(name)
    }

    /// Whether it gives the path of a file, or its end.
    pub(super) fn gives(&self, path: &str) -> bool {
        let is_end = |given: &String| {
            let rest = path.len().checked_sub(given.len());
            rest.is_some_and(|at| {
                path.is_char_boundary(at)
                    && path[at..].to_lowercase() == *given
                    && (at == 0 || path.as_bytes()[at - 1] == b'/')
            })
        };
        self.paths.iter().any(is_end)
    }
}

/// A word without the punctuation around it.
fn trimmed(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '/'))
}

/// The runs of letters, digits and `_`.
fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty())
}

/// Whether a word is written as only names are: `snake_case`, `camelCase`, `HTTPServer`.
fn is_name(word: &str) -> bool {
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

/// Whether a word begins a message of failure: `error[E0382]:`, `java.lang.NullPointerException:`.
fn announces_failure(word: &str) -> bool {
    let Some(name) = word.strip_suffix(':') else { return false };
    let name = name.split_once('[').map_or(name, |(name, _)| name).to_lowercase();
    ["error", "exception", "failure", "fatal", "panic", "warning"]
        .iter()
        .any(|end| name.ends_with(end))
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
    fn check(query: &str, kind: QueryKind, names: &[&str], paths: &[&str]) {
        let CodeQuery { kind: found, names: found_names, paths: found_paths, .. } =
            CodeQuery::new(query);
        assert_eq!(found, kind, "{query:?}");
        assert_eq!((found_names, found_paths), (strings(names), strings(paths)), "{query:?}");
    }

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn one_word_is_a_symbol_and_its_last_part_the_name() {
        check("Rack::Builder", QueryKind::Symbol, &["Builder"], &[]);
        check("get_user_name", QueryKind::Symbol, &["get_user_name"], &[]);
        check("`route()`", QueryKind::Symbol, &["route"], &[]);
        check("#", QueryKind::Symbol, &[], &[]);
    }

    #[test]
    fn names_in_plain_language_are_told_by_how_they_are_written() {
        check(
            "how does getUser use an HTTPServer",
            QueryKind::Mixed,
            &["getUser", "HTTPServer"],
            &[],
        );
        check("Where is the API of _private_ parts", QueryKind::Plain, &[], &[]);
    }

    #[test]
    fn messages_of_failure_are_told_by_how_they_begin() {
        check("TypeError: x is not a function", QueryKind::Error, &["TypeError"], &[]);
        check("error[E0382]: use of moved value", QueryKind::Error, &[], &[]);
        check("how is an error: handled", QueryKind::Error, &[], &[]);
        check("how are errors handled", QueryKind::Plain, &[], &[]);
    }

    #[test]
    fn paths_are_told_by_slashes_and_extensions() {
        check("src/flask/App.py", QueryKind::Symbol, &["py"], &["src/flask/app.py"]);
        check("what does app.py do.", QueryKind::Plain, &[], &["app.py"]);
        check("see http://a.b/c, please", QueryKind::Plain, &[], &[]);
    }
}
