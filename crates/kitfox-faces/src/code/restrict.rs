//! What a request restricts a search to: scopes, globs and languages.

use std::collections::BTreeSet;

use globset::{GlobBuilder, GlobMatcher};
use kitfox_core::paths::{LANGUAGE, PATH};
use kitfox_core::{Filter, Group};

use super::scopes::{self, Scopes};
use crate::FaceError;
use crate::error::quote;
use crate::limits::GLOBS;
use crate::search::Opened;
use crate::source::Source;

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
    // Reading all file names is the dearest part of a small search, and most need none.
    if within.scopes.is_empty() && within.globs.is_empty() && within.languages.is_empty() {
        return Ok(Restriction { filter: Filter::All, message: None, warnings: Vec::new() });
    }
    let groups = &opened.ask(|snapshot| snapshot.groups())?;
    let indexed = groups.iter().map(|group| (group.name.as_str(), group.documents as usize));
    let Scopes { filter, message, mut warnings } = scopes::read(within.scopes, indexed)?;
    if groups.is_empty() {
        warnings.push("nothing of this project is indexed yet".to_owned());
        return Ok(Restriction { filter, message, warnings });
    }
    let filters = vec![
        filter,
        by_globs(within.globs, groups, &mut warnings)?,
        by_languages(opened.source, within.languages, groups)?,
    ];
    let filter = Filter::And(filters.into_iter().filter(|f| *f != Filter::All).collect());
    Ok(Restriction { filter, message, warnings })
}

fn by_globs(
    globs: &[String],
    groups: &[Group],
    warnings: &mut Vec<String>,
) -> Result<Filter, FaceError> {
    if globs.is_empty() {
        return Ok(Filter::All);
    }
    let names = groups.iter().map(|group| group.name.as_str());
    Ok(Filter::one_of(PATH, matching(globs, names, warnings)?))
}

/// The paths that match any of the globs.
pub(super) fn matching<'p>(
    globs: &[String],
    paths: impl Iterator<Item = &'p str> + Clone,
    warnings: &mut Vec<String>,
) -> Result<BTreeSet<&'p str>, FaceError> {
    if globs.len() > GLOBS {
        let message = format!("{} globs are given, and {GLOBS} may be", globs.len());
        return Err(FaceError::new("too_many_globs", message).at("globs"));
    }
    let mut found: BTreeSet<&str> = BTreeSet::new();
    for glob in globs {
        let matcher = matcher(glob)?;
        let mut matching = paths.clone().filter(|path| matcher.is_match(path)).peekable();
        if matching.peek().is_none() {
            warnings.push(format!("the glob {} matches no indexed file", quote(glob)));
        }
        found.extend(matching);
    }
    Ok(found)
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

fn by_languages(
    project: &Source,
    languages: &[String],
    groups: &[Group],
) -> Result<Filter, FaceError> {
    if languages.is_empty() {
        return Ok(Filter::All);
    }
    let known: BTreeSet<&str> =
        groups.iter().map(|group| (project.language_of)(&group.name)).collect();
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
