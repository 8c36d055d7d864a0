//! The folders of a source: those a walk looks into.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ignore::WalkState;

use crate::scope::Area;
use crate::walk::{admits, walker};

/// The folders at and below an area of `root`, and those that lead there. Ignored and hidden ones
/// are not among them.
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
            if entry.file_type().is_some_and(|kind| kind.is_dir()) {
                found.lock().unwrap_or_else(PoisonError::into_inner).push(entry.into_path());
            }
            WalkState::Continue
        })
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}
