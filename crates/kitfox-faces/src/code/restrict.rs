//! What a request restricts a search to: scopes, globs and languages.

use std::collections::BTreeSet;

use globset::{GlobBuilder, GlobMatcher};
use kitfox_core::paths::{LANGUAGE, PATH};
use kitfox_core::{Filter, Selection, Value};

use super::scopes::{self, Scopes, Tree};
use crate::FaceError;
use crate::error::quote;
use crate::limits::GLOBS;
use crate::search::Opened;

/// What a request restricts itself to; what is empty restricts nothing.
#[derive(Default)]
pub(super) struct Within<'r> {
    pub scopes: &'r [String],
    pub globs: &'r [String],
    pub languages: &'r [String],
}

/// A restriction and what the reader should know of it.
pub(super) struct Restriction {
    pub filter: Filter,
    /// Why nothing can be found, where no passage lies in any scope.
    pub message: Option<String>,
    pub warnings: Vec<String>,
}

/// Reads the restrictions of a request against the indexed files.
pub(super) fn restrict(opened: &Opened<'_>, within: &Within<'_>) -> Result<Restriction, FaceError> {
    let scopes = scopes::read(within.scopes, opened)?;
    let filter = scopes.filter();
    let Scopes { message, mut warnings, .. } = scopes;
    let more = !within.globs.is_empty() || !within.languages.is_empty();
    if more && !opened.holds("")? {
        warnings.push("nothing of this project is indexed yet".to_owned());
        return Ok(Restriction { filter: Filter::Or(Vec::new()), message, warnings });
    }
    let filters = vec![
        filter,
        by_globs(opened, within.globs, &mut warnings)?,
        by_languages(opened, within.languages)?,
    ];
    let mut filters: Vec<Filter> = filters.into_iter().filter(|f| *f != Filter::All).collect();
    let filter = match filters.len() {
        0 => Filter::All,
        1 => filters.remove(0),
        _ => Filter::And(filters),
    };
    Ok(Restriction { filter, message, warnings })
}

impl Tree for Opened<'_> {
    fn holds(&self, directory: &str) -> Result<bool, FaceError> {
        let below = match directory {
            "" => Filter::All,
            _ => Filter::starts_with(PATH, &format!("{directory}/")),
        };
        Ok(self.ask(|snapshot| snapshot.count(&Selection::of(below)))? > 0)
    }

    fn files(&self) -> Result<Vec<String>, FaceError> {
        let groups = self.ask(|snapshot| snapshot.groups())?;
        Ok(groups.into_iter().map(|group| group.name).collect())
    }
}

fn by_globs(
    opened: &Opened<'_>,
    globs: &[String],
    warnings: &mut Vec<String>,
) -> Result<Filter, FaceError> {
    if globs.is_empty() {
        return Ok(Filter::All);
    }
    let mut globs = Globs::new(globs)?;
    // Reading all file names is the dearest part of a small search, and most need none.
    let mut files = opened.files()?;
    files.retain(|path| globs.match_path(path));
    warnings.extend(globs.unmatched());
    Ok(Filter::one_of(PATH, files.iter().map(String::as_str)))
}

/// The globs of a request.
pub(super) struct Globs<'r> {
    /// Each with whether any path matched it.
    globs: Vec<(&'r str, GlobMatcher, bool)>,
}

impl<'r> Globs<'r> {
    /// Reads globs.
    ///
    /// # Errors
    /// Too many of them, or one that is none.
    pub(super) fn new(globs: &'r [String]) -> Result<Globs<'r>, FaceError> {
        if globs.len() > GLOBS {
            let message = format!("{} globs are given, and {GLOBS} may be", globs.len());
            return Err(FaceError::new("too_many_globs", message).at("globs"));
        }
        let read = |glob: &'r String| Ok((glob.as_str(), matcher(glob)?, false));
        Ok(Globs { globs: globs.iter().map(read).collect::<Result<_, _>>()? })
    }

    /// Whether a path matches any of them; where there are none, each does.
    pub(super) fn match_path(&mut self, path: &str) -> bool {
        let mut matches = self.globs.is_empty();
        for (_, matcher, matched) in &mut self.globs {
            if !(matches && *matched) && matcher.is_match(path) {
                (matches, *matched) = (true, true);
            }
        }
        matches
    }

    /// Says which matched none of the paths.
    pub(super) fn unmatched(&self) -> impl Iterator<Item = String> {
        let unmatched = self.globs.iter().filter(|(.., matched)| !matched);
        unmatched.map(|(glob, ..)| format!("the glob {} matches no indexed file", quote(glob)))
    }
}

/// A glob as ignore files read it: without a `/` it matches file names at any depth, `*` stays
/// within one directory, and a trailing `/` means everything below.
fn matcher(glob: &str) -> Result<GlobMatcher, FaceError> {
    let mut pattern = glob.trim_start_matches("./").to_owned();
    if pattern.ends_with('/') {
        pattern.push_str("**");
    }
    if !pattern.contains('/') {
        pattern.insert_str(0, "**/");
    }
    let built = GlobBuilder::new(&pattern).literal_separator(true).build();
    built.map(|built| built.compile_matcher()).map_err(|error| {
        let message = format!("{} is no glob: {}", quote(glob), error.kind());
        FaceError::new("invalid_glob", message)
            .at("globs")
            .hint("For example `src/**/*.rs` or `*.{ts,tsx}`.")
    })
}

fn by_languages(opened: &Opened<'_>, languages: &[String]) -> Result<Filter, FaceError> {
    if languages.is_empty() {
        return Ok(Filter::All);
    }
    let all = Selection::of(Filter::All);
    let facets = opened.ask(|snapshot| snapshot.facets(&all, &[LANGUAGE], usize::MAX))?;
    let values = facets.iter().flat_map(|facet| &facet.top).map(|(value, _)| value);
    let known: BTreeSet<&str> = values.filter_map(text).collect();
    let find = |language: &String| {
        let found = known.iter().find(|known| known.eq_ignore_ascii_case(language.trim()));
        found.copied().ok_or_else(|| {
            let known = known.iter().copied();
            let what = "indexed language";
            FaceError::unknown("unknown_language", "languages", what, language, known)
        })
    };
    let languages = languages.iter().map(find).collect::<Result<Vec<_>, _>>()?;
    Ok(Filter::one_of(LANGUAGE, languages))
}

fn text(value: &Value) -> Option<&str> {
    if let Value::Text(text) = value { Some(text) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(glob: &str, matches: &[&str], misses: &[&str]) {
        let matcher = matcher(glob).unwrap();
        for path in matches {
            assert!(matcher.is_match(path), "{glob} should match {path}");
        }
        for path in misses {
            assert!(!matcher.is_match(path), "{glob} should not match {path}");
        }
    }

    #[test]
    fn globs_are_those_of_ignore_files() {
        check("*.rs", &["a.rs", "src/b.rs"], &["a.py"]);
        check("src/*.rs", &["src/a.rs"], &["src/x/a.rs", "a.rs"]);
        check("src/**/*.rs", &["src/a.rs", "src/x/a.rs"], &["a.rs"]);
        check("./src/", &["src/x/a.rs"], &["a.rs"]);
        check("src/a.rs", &["src/a.rs"], &["x/src/a.rs"]);
        assert_eq!(matcher("a[").unwrap_err().code, "invalid_glob");
    }
}
