//! Where not to begin without being asked.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use ignore::WalkState;

use crate::walk::walker;

/// A larger tree needs a sign that it is one project.
const LARGEST_UNMARKED: usize = 50_000;

/// Files and folders that say: here a project begins.
const MARKERS: &[&str] = &[
    ".git",
    ".hg",
    ".jj",
    ".svn",
    "kitfox.toml",
    "BUILD.bazel",
    "CMakeLists.txt",
    "Cargo.toml",
    "Gemfile",
    "MODULE.bazel",
    "Makefile",
    "Package.swift",
    "WORKSPACE",
    "build.gradle",
    "build.gradle.kts",
    "build.sbt",
    "build.zig",
    "composer.json",
    "deno.json",
    "go.mod",
    "go.work",
    "meson.build",
    "mix.exs",
    "package.json",
    "pom.xml",
    "pyproject.toml",
    "setup.py",
    "stack.yaml",
];

/// Why a folder is not indexed without a config.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RootRefusal {
    /// The root of the file system.
    FileSystem,
    /// A home directory, or a folder that contains it.
    Home,
    /// More than 50,000 files, and nothing that marks a project.
    TooManyFiles,
}

impl fmt::Display for RootRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self {
            RootRefusal::FileSystem => "this is the root of the file system",
            RootRefusal::Home => "this is a home directory, or contains one",
            RootRefusal::TooManyFiles => {
                "this folder has over 50,000 files and nothing that marks a project"
            }
        };
        write!(
            formatter,
            "{what}: nothing is indexed. Start kitfox in the folder of a project (cd there), or \
             write a kitfox.toml that names what to index"
        )
    }
}

/// Whether a folder must not be indexed unless a config names it, and why.
pub fn refuse_root(root: &Path) -> Option<RootRefusal> {
    refuse(root, std::env::home_dir().as_deref(), LARGEST_UNMARKED)
}

fn refuse(root: &Path, home: Option<&Path>, largest: usize) -> Option<RootRefusal> {
    let root = real(root);
    if root.parent().is_none() {
        return Some(RootRefusal::FileSystem);
    }
    if home.is_some_and(|home| !home.as_os_str().is_empty() && real(home).starts_with(&root)) {
        return Some(RootRefusal::Home);
    }
    let marked = MARKERS.iter().any(|marker| root.join(marker).exists());
    if marked {
        return None;
    }
    if is_some_home(&root) {
        return Some(RootRefusal::Home);
    }
    has_more_files(&root, largest).then_some(RootRefusal::TooManyFiles)
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Whether this looks like somebody's home, or holds all of them.
fn is_some_home(root: &Path) -> bool {
    ["/home", "/Users"].iter().any(|homes| {
        let homes = Path::new(homes);
        root == homes || root.parent() == Some(homes)
    })
}

/// Counts the files a walk would look at, and stops as soon as there are more than `largest`.
fn has_more_files(root: &Path, largest: usize) -> bool {
    let count = AtomicUsize::new(0);
    walker(root).build_parallel().run(|| {
        Box::new(|entry| {
            let is_file =
                entry.is_ok_and(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
            if is_file && count.fetch_add(1, Ordering::Relaxed) >= largest {
                return WalkState::Quit;
            }
            WalkState::Continue
        })
    });
    count.into_inner() > largest
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{RootRefusal, refuse};

    #[test]
    fn homes_and_the_whole_disk_are_refused() {
        let home = tempfile::tempdir().unwrap();
        let project = home.path().join("project");
        fs::create_dir(&project).unwrap();
        let check = |root: &Path, expected| {
            assert_eq!(refuse(root, Some(home.path()), 10), expected, "{root:?}");
        };
        check(Path::new("/"), Some(RootRefusal::FileSystem));
        check(home.path(), Some(RootRefusal::Home));
        check(home.path().parent().unwrap(), Some(RootRefusal::Home));
        check(&project, None);
    }

    #[test]
    fn large_trees_need_a_marker() {
        let root = tempfile::tempdir().unwrap();
        for number in 0..5 {
            fs::write(root.path().join(format!("{number}.txt")), "").unwrap();
        }
        assert_eq!(refuse(root.path(), None, 5), None);
        assert_eq!(refuse(root.path(), None, 4), Some(RootRefusal::TooManyFiles));
        fs::write(root.path().join("Makefile"), "").unwrap();
        assert_eq!(refuse(root.path(), None, 4), None);
    }
}
