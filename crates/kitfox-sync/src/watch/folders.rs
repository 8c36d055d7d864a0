//! The folders of a source: those a walk looks into.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ignore::WalkState;

use crate::scope::Area;
use crate::walk::{admits, inside_work_tree, is_linked_worktree, walker};

/// The folder of a repository's own ignore rules.
const GIT_INFO: &str = ".git/info";

/// The folders at and below an area of `root`, those that lead there, and those of their ignore
/// rules. Ignored and hidden ones are not among them.
pub(super) fn folders(root: &Path, area: Area) -> Vec<PathBuf> {
    let found = Mutex::new(Vec::new());
    let mut walker = walker(root);
    if !area.is_everything() {
        let root = root.to_owned();
        walker.filter_entry(move |entry| admits(&area, &root, entry));
    }
    walker.build_parallel().run(|| {
        Box::new(|entry| {
            let Ok(entry) = entry else { return WalkState::Continue };
            if !entry.file_type().is_some_and(|kind| kind.is_dir()) {
                return WalkState::Continue;
            }
            if entry.depth() > 0 && is_linked_worktree(entry.path()) {
                return WalkState::Skip;
            }
            let info = Some(entry.path().join(GIT_INFO)).filter(|info| info.is_dir());
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.extend(info);
            found.push(entry.into_path());
            WalkState::Continue
        })
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The files of ignore rules above a root within a work tree, whether or not they are there.
pub(super) fn rules_above(root: &Path) -> Vec<PathBuf> {
    if !inside_work_tree(root) {
        return Vec::new();
    }
    let mut rules = Vec::new();
    for folder in root.ancestors().skip(1) {
        rules.extend([".gitignore", ".kitfoxignore"].map(|name| folder.join(name)));
        if folder.join(".git").exists() {
            rules.push(folder.join(GIT_INFO).join("exclude"));
            break;
        }
    }
    rules
}
