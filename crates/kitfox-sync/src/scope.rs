//! Which part of a source is looked at.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use kitfox_core::{Group, Result, Snapshot};

/// A part of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// All of it.
    #[default]
    Everything,
    /// These files and folders, relative to the root and `/`-separated, with all that is below
    /// them. They need not be there any more. Their content decides, even where size and time are
    /// those indexed. A file of ignore rules stands for its folder; the empty path for the root.
    Paths(BTreeSet<String>),
}

/// Paths that decide what belongs to the source below the folder they are in: ignore files, and
/// what tells a repository from a linked work tree.
const RULES: &[&str] = &[".gitignore", ".kitfoxignore", ".git", ".git/info", ".git/info/exclude"];

/// The folder whose files are other ones when this path changes, if any.
pub(crate) fn ruled_folder(path: &str) -> Option<&str> {
    let folder = RULES.iter().find_map(|rule| {
        path.strip_suffix(rule).filter(|folder| folder.is_empty() || folder.ends_with('/'))
    })?;
    Some(folder.trim_end_matches('/'))
}

/// A scope made ready for a walk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Area {
    /// What is looked at with all that is below it, no path below another; all where there is none.
    roots: Option<BTreeSet<String>>,
    /// The folders on the way to the roots.
    leads: BTreeSet<String>,
    /// Files and folders that were named, whose stamps are not trusted.
    named: BTreeSet<String>,
}

impl Area {
    /// What a scope means in the folder `root` as it is now.
    pub fn new(scope: &Scope, root: &Path) -> Area {
        let Scope::Paths(paths) = scope else { return Area::default() };
        let (mut wanted, mut area) = (BTreeSet::new(), Area::default());
        for path in paths.iter().filter_map(|path| clean(path)) {
            wanted.insert(area.widen(ruled_folder(&path).unwrap_or(&path), root));
            area.named.insert(path);
        }
        area.named.remove("");
        if wanted.contains("") {
            return Area { named: area.named, ..Area::default() };
        }
        let inside = |path: &String| upwards(path).skip(1).any(|folder| wanted.contains(folder));
        let roots: BTreeSet<String> = wanted.iter().filter(|path| !inside(path)).cloned().collect();
        area.leads =
            roots.iter().flat_map(|path| upwards(path).skip(1)).map(str::to_owned).collect();
        Area { roots: Some(roots), ..area }
    }

    /// What a scope means where the root is one file.
    pub fn of_file(scope: &Scope) -> Area {
        let named = match scope {
            Scope::Everything => BTreeSet::new(),
            Scope::Paths(paths) => paths.clone(),
        };
        Area { named, ..Area::default() }
    }

    /// Whether the whole source is looked at.
    pub fn is_everything(&self) -> bool {
        self.roots.is_none()
    }

    /// Whether a path is looked at.
    pub fn covers(&self, path: &str) -> bool {
        self.roots.as_ref().is_none_or(|roots| upwards(path).any(|folder| roots.contains(folder)))
    }

    /// Whether a folder only leads to what is looked at.
    pub fn leads(&self, folder: &str) -> bool {
        self.leads.contains(folder)
    }

    /// Whether a file must be read even if its stamp is the one indexed.
    pub fn distrusts(&self, file: &str) -> bool {
        !self.named.is_empty() && upwards(file).any(|path| self.named.contains(path))
    }

    /// What is indexed of it, in no order.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn groups(&self, snapshot: &dyn Snapshot) -> Result<Vec<Group>> {
        let Some(roots) = &self.roots else { return snapshot.groups() };
        let mut groups = Vec::new();
        for root in roots {
            groups.extend(snapshot.groups_below(root)?);
        }
        // A file that has become a folder.
        for name in &self.leads {
            if let Some(state) = snapshot.state(name)? {
                groups.push(Group { name: name.clone(), documents: 0, state });
            }
        }
        Ok(groups)
    }

    /// A path, or the folder above it that is gone or no folder any more: what else was in there
    /// is gone too, named or not.
    fn widen(&mut self, path: &str, root: &Path) -> String {
        let mut folders: Vec<&str> = upwards(path).skip(1).collect();
        folders.reverse();
        for folder in folders {
            if self.leads.contains(folder) {
                continue;
            }
            if !may_be_folder(&root.join(folder)) {
                self.named.insert(folder.to_owned());
                return folder.to_owned();
            }
            self.leads.insert(folder.to_owned());
        }
        path.to_owned()
    }
}

/// Whether something is a folder, or cannot be looked at.
fn may_be_folder(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(metadata) => metadata.is_dir(),
        Err(error) => {
            !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
        }
    }
}

/// A path without empty parts and `.`; none if it leaves the source.
fn clean(path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    (!parts.contains(&"..")).then(|| parts.join("/"))
}

/// A path and the folders it is in, the root aside, innermost first.
fn upwards(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| Some(path.rsplit_once('/')?.0))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Area, Scope, ruled_folder};

    #[track_caller]
    fn check(named: &[&str], roots: Option<&[&str]>, leads: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/b")).unwrap();
        fs::write(folder.path().join("a/b/c.txt"), "c").unwrap();
        let named = named.iter().map(|path| (*path).to_owned()).collect();
        let area = Area::new(&Scope::Paths(named), folder.path());
        let owned = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
        assert_eq!(area.roots, roots.map(owned));
        assert_eq!(area.leads, owned(leads));
    }

    #[test]
    fn paths_are_looked_at_with_the_folders_that_lead_there() {
        check(&["a/b/c.txt"], Some(&["a/b/c.txt"]), &["a", "a/b"]);
        check(&["a/b/gone.txt", "./a//b/"], Some(&["a/b"]), &["a"]);
        check(&["a", "a/b/c.txt", "x"], Some(&["a", "x"]), &[]);
    }

    #[test]
    fn folders_that_are_gone_are_looked_at_as_a_whole() {
        check(&["a/gone/x/y.txt"], Some(&["a/gone"]), &["a"]);
        check(&["gone/x/.gitignore"], Some(&["gone"]), &[]);
        check(&["a/b/c.txt/x/y.txt"], Some(&["a/b/c.txt"]), &["a", "a/b"]);
    }

    #[test]
    fn the_root_is_everything_and_beyond_it_is_nothing() {
        check(&["a/b", ""], None, &[]);
        check(&["a/b", "/"], None, &[]);
        check(&["../a", "a/../../b"], Some(&[]), &[]);
    }

    #[test]
    fn rules_stand_for_their_folder() {
        check(&["a/.gitignore"], Some(&["a"]), &[]);
        check(&["a/b/.git/info/exclude", "a/b/.kitfoxignore"], Some(&["a/b"]), &["a"]);
        check(&[".kitfoxignore"], None, &[]);
        for (path, expected) in [
            (".git", Some("")),
            ("a/.git", Some("a")),
            ("a/.git/index", None),
            ("a/x.gitignore", None),
            ("a/.gitignore/b", None),
        ] {
            assert_eq!(ruled_folder(path), expected, "{path}");
        }
    }
}
