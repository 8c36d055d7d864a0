//! Scopes: project-relative directories that restrict a search.

use std::collections::HashSet;

use kitfox_core::Filter;
use kitfox_core::paths::PATH;

use crate::FaceError;
use crate::error::{nearest, quote};
use crate::limits::SCOPES;

/// What scopes restrict a search to.
#[derive(Debug)]
pub(super) struct Scopes {
    /// The scopes that hold something, normalised; none where everything is searched.
    pub directories: Option<Vec<String>>,
    /// Why nothing can be found, where no scope holds anything.
    pub message: Option<String>,
    /// Scopes that hold nothing, where others do.
    pub warnings: Vec<String>,
}

impl Scopes {
    /// The documents below the scopes.
    pub(super) fn filter(&self) -> Filter {
        let below = |path: &String| Filter::below(PATH, path);
        let directories = self.directories.as_ref();
        directories.map_or(Filter::All, |some| Filter::Or(some.iter().map(below).collect()))
    }
}

/// What scopes are read against.
pub(super) trait Tree {
    /// Whether there is something below a directory; the root is empty.
    fn holds(&self, directory: &str) -> Result<bool, FaceError>;

    /// All files, by path.
    fn files(&self) -> Result<Vec<String>, FaceError>;
}

/// Reads scopes against the files there are.
pub(super) fn read(scopes: &[String], tree: &dyn Tree) -> Result<Scopes, FaceError> {
    if scopes.len() > SCOPES {
        let message = format!("{} scopes are given, from {}", scopes.len(), quote(&scopes[0]));
        return Err(FaceError::new("too_many_scopes", message)
            .at("scopes")
            .hint(format!("At most {SCOPES} may be given; name a directory above them.")));
    }
    let (mut directories, mut empty) = (Vec::new(), Vec::new());
    for scope in scopes {
        let path = normalised(scope, "scopes")?;
        match tree.holds(&path)? {
            true => directories.push(path),
            false => empty.push((path, scope)),
        }
    }
    let is_everything = scopes.is_empty() || directories.iter().any(String::is_empty);
    let problems = why_empty(&empty, tree)?;
    let (message, warnings) = match directories.is_empty() && !scopes.is_empty() {
        true => (Some(format!("nothing matched the scopes: {}", problems.join("; "))), Vec::new()),
        false => (None, problems),
    };
    let directories = (!is_everything).then_some(directories);
    Ok(Scopes { directories, message, warnings })
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

/// Why scopes hold nothing: each normalised, and as it was given.
fn why_empty(empty: &[(String, &String)], tree: &dyn Tree) -> Result<Vec<String>, FaceError> {
    if empty.is_empty() {
        return Ok(Vec::new());
    }
    let files = tree.files()?;
    let directories = directories(&files);
    let why = |(path, scope): &(String, &String)| {
        let scope = quote(scope);
        if files.contains(path) {
            return format!(
                "{scope} is a file and scopes are directories (give a file as one of `globs`)"
            );
        }
        if path.is_empty() || directories.contains(path.as_str()) {
            return format!("{scope} has no indexed passages");
        }
        let near = nearest(path, directories.iter().copied());
        let near: Vec<String> = near.iter().map(|name| quote(name)).collect();
        match near.is_empty() {
            true => format!("{scope} is no indexed directory"),
            false => format!("{scope} is no indexed directory (near it: {})", near.join(", ")),
        }
    };
    Ok(empty.iter().map(why).collect())
}

/// The directories some files lie in.
fn directories(files: &[String]) -> HashSet<&str> {
    let folder = |path| str::rsplit_once(path, '/').map(|(folder, _)| folder);
    let mut directories = HashSet::new();
    for path in files {
        let mut around = folder(path.as_str());
        // Those around one that is known are known.
        while let Some(directory) = around.filter(|directory| directories.insert(*directory)) {
            around = folder(directory);
        }
    }
    directories
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

    /// Three files.
    struct Three;

    impl Tree for Three {
        fn holds(&self, directory: &str) -> Result<bool, FaceError> {
            Ok(["", "auth", "auth2"].contains(&directory))
        }

        fn files(&self) -> Result<Vec<String>, FaceError> {
            Ok(["auth/a.rs", "auth2/b.rs", "main.rs"].map(str::to_owned).into())
        }
    }

    #[test]
    fn empty_scopes_are_named() {
        let read = |scopes: &[&str]| {
            let scopes: Vec<String> = scopes.iter().map(|scope| scope.to_string()).collect();
            read(&scopes, &Three)
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
        assert_eq!(found.filter(), Filter::Or(vec![Filter::below(PATH, "auth")]));
        assert_eq!(read(&["x"; 21]).unwrap_err().code, "too_many_scopes");
        assert_eq!(read(&[]).unwrap().filter(), Filter::All);
        assert_eq!(read(&["auth", "./"]).unwrap().filter(), Filter::All);
        assert_eq!(read(&["auht"]).unwrap().filter(), Filter::Or(Vec::new()));
    }
}
