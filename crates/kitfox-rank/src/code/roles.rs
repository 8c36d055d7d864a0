//! What files are for, as their paths tell.

use kitfox_core::Text;

/// What a file can be besides the thing itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Tests the rest.
    Test,
    /// Shows how the rest is used.
    Example,
    /// Is used no more.
    Past,
    /// Tells of the rest.
    Document,
    /// Sets something up.
    Configuration,
    /// Repeats the types of the rest.
    Declaration,
}

/// How a role is told, and asked for.
struct Row {
    role: Role,
    folders: &'static [&'static str],
    endings: &'static [&'static str],
    words: &'static [&'static str],
}

const ROWS: [Row; 6] = [
    Row {
        role: Role::Test,
        folders: &["test", "tests", "__tests__", "spec", "specs", "testdata", "fixtures"],
        endings: &[],
        words: &["test", "tests", "testing", "spec", "specs", "fixture", "fixtures", "mock"],
    },
    Row {
        role: Role::Example,
        folders: &["example", "examples", "_examples", "demo", "demos", "sample", "samples"],
        endings: &[],
        words: &["example", "examples", "demo", "sample"],
    },
    Row { role: Role::Past, folders: &["legacy", "v1"], endings: &[], words: &["legacy", "v1"] },
    Row {
        role: Role::Document,
        folders: &["docs", "doc"],
        endings: &[".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt", ".html", ".htm"],
        words: &["docs", "documentation", "readme", "guide", "tutorial", "changelog", "license"],
    },
    Row {
        role: Role::Configuration,
        folders: &[],
        endings: &[".json", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".xml", ".properties"],
        words: &["json", "yaml", "yml", "toml", "ini", "cfg", "xml", "ci", "workflow"],
    },
    Row {
        role: Role::Declaration,
        folders: &[],
        endings: &[".d.ts", ".d.mts", ".d.cts", ".pyi"],
        words: &["declaration", "declarations", "typings", "stub", "stubs"],
    },
];

/// A set of roles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Roles(u8);

impl Roles {
    /// The roles a query asks for.
    pub fn asked(query: &str) -> Roles {
        let text = Text::new(query.to_lowercase());
        let said = |word: &&str| text.words().iter().any(|said| text.word(said) == *word);
        Roles::of_rows(|row| row.words.iter().any(&said))
    }

    /// The roles of a file.
    pub fn of(path: &str) -> Roles {
        let lower = path.to_lowercase();
        let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
        let has_folder = |row: &Row| folders.split('/').any(|part| row.folders.contains(&part));
        let has_ending = |row: &Row| row.endings.iter().any(|ending| name.ends_with(ending));
        let told = Roles::of_rows(|row| has_folder(row) || has_ending(row));
        if is_test_name(path) { told.with(Role::Test) } else { told }
    }

    fn of_rows(holds: impl Fn(&Row) -> bool) -> Roles {
        let held = ROWS.iter().filter(|row| holds(row));
        held.fold(Roles::default(), |roles, row| roles.with(row.role))
    }

    pub fn with(self, role: Role) -> Roles {
        Roles(self.0 | 1 << role as u8)
    }

    pub fn has(self, role: Role) -> bool {
        self.0 & 1 << role as u8 != 0
    }

    /// Whether all of these are among others.
    pub fn within(self, others: Roles) -> bool {
        self.0 & !others.0 == 0
    }
}

/// Whether a path is that of a test.
pub fn is_test_file(path: &str) -> bool {
    Roles::of(path).has(Role::Test)
}

/// Whether the name of a file says that it is a test.
fn is_test_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let written = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let stem = written.to_lowercase();
    // `test_` is a prefix of tests in Python, C or Lua; in a shell script it is a verb.
    let is_prefixed = stem.starts_with("test_") && !name.ends_with("sh");
    is_prefixed
        || matches!(stem.as_str(), "test" | "tests" | "conftest")
        || ["_test", "_tests", "_spec", ".test", ".spec", "-test"]
            .iter()
            .any(|end| stem.ends_with(end))
        || ["Test", "Tests", "Spec"].iter().any(|end| written.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, roles: &[Role]) {
        let expected = roles.iter().fold(Roles::default(), |all, role| all.with(*role));
        assert_eq!(Roles::of(path), expected, "{path}");
    }

    #[test]
    fn roles_are_told_by_paths() {
        for path in ["tests/a.rs", "a/__tests__/b.js", "test_a.py", "a_test.go", "b.spec.ts"] {
            check(path, &[Role::Test]);
        }
        for path in ["FooTests.swift", "a/FooTest.java", "x/Spec.hs", "conftest.py"] {
            check(path, &[Role::Test]);
        }
        for path in ["src/a.rs", "testing.rs", "latest/a.py", "contest.go", "test_functions.bash"] {
            check(path, &[]);
        }
        check("Examples/a.py", &[Role::Example]);
        check("pkg/v1/a.py", &[Role::Past]);
        check("docs/index.md", &[Role::Document]);
        check("package.json", &[Role::Configuration]);
        check("types/index.d.ts", &[Role::Declaration]);
        check("tests/data.json", &[Role::Test, Role::Configuration]);
    }

    #[test]
    fn roles_are_asked_for_by_words() {
        let tests = Roles::default().with(Role::Test);
        assert_eq!(Roles::asked("How are Tests run"), tests);
        assert_eq!(Roles::asked("the latest attestation"), Roles::default());
        assert!(tests.within(tests.with(Role::Past)) && !tests.within(Roles::default()));
    }
}
