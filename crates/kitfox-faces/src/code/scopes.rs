//! Scopes: project-relative directories that restrict a search.

use std::collections::BTreeMap;

use kitfox_core::Filter;
use kitfox_core::paths::PATH;

use crate::FaceError;
use crate::error::{nearest, quote};
use crate::limits::SCOPES;

/// What scopes restrict a search to.
#[derive(Debug)]
pub(super) struct Scopes {
    pub filter: Filter,
    /// Why nothing can be found, where no passage lies in any scope.
    pub message: Option<String>,
    /// Scopes without passages, where others have some.
    pub warnings: Vec<String>,
}

/// Reads scopes against the files there are: each path with the passages it has, by path.
pub(super) fn read<'a>(
    scopes: &[String],
    files: impl Iterator<Item = (&'a str, usize)>,
) -> Result<Scopes, FaceError> {
    if scopes.len() > SCOPES {
        let message = format!("{} scopes are given, from {}", scopes.len(), quote(&scopes[0]));
        return Err(FaceError::new("too_many_scopes", message)
            .at("scopes")
            .hint(format!("At most {SCOPES} may be given; name a directory above them.")));
    }
    let normalised: Vec<String> =
        scopes.iter().map(|scope| normalised(scope, "scopes")).collect::<Result<_, _>>()?;
    let tree = Tree::new(files);
    let (full, empty): (Vec<_>, Vec<_>) =
        normalised.into_iter().zip(scopes).partition(|(path, _)| tree.passages(path) > 0);
    let problems = empty.iter().map(|(path, scope)| tree.why_empty(path, scope)).collect();
    let below = full.into_iter().map(|(path, _)| Filter::below(PATH, &path));
    Ok(match (scopes.is_empty(), below.len()) {
        (true, _) => Scopes { filter: Filter::All, message: None, warnings: problems },
        (false, 0) => Scopes {
            filter: Filter::Or(Vec::new()),
            message: Some(format!("nothing matched the scopes: {}", problems.join("; "))),
            warnings: Vec::new(),
        },
        _ => Scopes { filter: Filter::Or(below.collect()), message: None, warnings: problems },
    })
}

/// A path as its parts joined with `/`: `./x`, `x/`, `x//y`, `x\y` and inner `..` are resolved; the
/// root is empty.
pub(crate) fn normalised(path: &str, parameter: &'static str) -> Result<String, FaceError> {
    let slashed = path.replace('\\', "/");
    let drive = matches!(slashed.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    if slashed.starts_with('/') || drive {
        return Err(invalid(path, parameter, "is absolute"));
    }
    let mut parts = Vec::new();
    for part in slashed.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop().ok_or_else(|| invalid(path, parameter, "leads out of the root"))?;
            }
            part => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}

fn invalid(path: &str, parameter: &'static str, problem: &str) -> FaceError {
    let code = if parameter.starts_with("scope") { "invalid_scope" } else { "invalid_path" };
    FaceError::new(code, format!("{} {problem}", quote(path)))
        .at(parameter)
        .hint("Write it relative to the root, as results show paths.")
}

/// The directories of a project with the number of passages below each.
struct Tree<'a> {
    directories: BTreeMap<&'a str, usize>,
    files: Vec<&'a str>,
}

impl<'a> Tree<'a> {
    fn new(files: impl Iterator<Item = (&'a str, usize)>) -> Tree<'a> {
        let mut directories = BTreeMap::new();
        let mut paths = Vec::new();
        for (path, passages) in files {
            *directories.entry("").or_default() += passages;
            for (end, _) in path.match_indices('/') {
                *directories.entry(&path[..end]).or_default() += passages;
            }
            paths.push(path);
        }
        Tree { directories, files: paths }
    }

    fn passages(&self, directory: &str) -> usize {
        self.directories.get(directory).copied().unwrap_or(0)
    }

    fn why_empty(&self, path: &str, scope: &str) -> String {
        let scope = quote(scope);
        if self.files.binary_search(&path).is_ok() {
            return format!(
                "{scope} is a file and scopes are directories (give a file as one of `globs`)"
            );
        }
        if path.is_empty() || self.directories.contains_key(path) {
            return format!("{scope} has no indexed passages");
        }
        let names = self.directories.keys().copied().filter(|name| !name.is_empty());
        let near: Vec<String> = nearest(path, names).iter().map(|name| quote(name)).collect();
        match near.is_empty() {
            true => format!("{scope} is no indexed directory"),
            false => format!("{scope} is no indexed directory (near it: {})", near.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(scope: &str, expected: Result<&str, &str>) {
        let found = normalised(scope, "scopes");
        match (found, expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "scope {scope:?}"),
            (Err(error), Err(problem)) => {
                assert_eq!(error.code, "invalid_scope");
                assert_eq!(error.message, format!("`{scope}` {problem}"));
            }
            (found, _) => panic!("scope {scope:?} became {found:?}"),
        }
    }

    #[test]
    fn scopes_are_normalised() {
        check("src", Ok("src"));
        check("./src/", Ok("src"));
        check("src//auth", Ok("src/auth"));
        check(r"src\auth", Ok("src/auth"));
        check("src/../auth", Ok("auth"));
        check(".", Ok(""));
        check("a%_'\"b", Ok("a%_'\"b"));
        check("/etc", Err("is absolute"));
        check("C:/x", Err("is absolute"));
        check("../x", Err("leads out of the root"));
        check("a/../../x", Err("leads out of the root"));
    }

    #[test]
    fn empty_scopes_are_named() {
        let files = ["auth/a.rs", "auth2/b.rs", "main.rs"].map(|path| (path, 1));
        let read = |scopes: &[&str]| {
            let scopes: Vec<String> = scopes.iter().map(|scope| scope.to_string()).collect();
            read(&scopes, files.into_iter())
        };
        let found = read(&["auht", "main.rs"]).unwrap();
        assert_eq!(
            found.message.as_deref(),
            Some(
                "nothing matched the scopes: `auht` is no indexed directory (near it: `auth`); \
                 `main.rs` is a file and scopes are directories (give a file as one of \
                 `globs`)"
            )
        );
        let found = read(&["auth/", "nowhere"]).unwrap();
        assert_eq!(found.message, None);
        assert_eq!(found.warnings, ["`nowhere` is no indexed directory"]);
        assert_eq!(found.filter, Filter::Or(vec![Filter::below(PATH, "auth")]));
        assert_eq!(read(&["x"; 21]).unwrap_err().code, "too_many_scopes");
        assert_eq!(read(&[]).unwrap().filter, Filter::All);
    }
}
