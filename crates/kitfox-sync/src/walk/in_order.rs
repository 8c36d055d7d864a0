//! Walks a source file by file, for whoever needs the first of them only.

use std::cmp::Ordering;
use std::ops::ControlFlow;
use std::path::PathBuf;

use ignore::DirEntry;
use kitfox_extract::refuse_name;

use super::{admits, found_root, left_out, lossy, relative, single, walker};
use crate::scope::Area;
use crate::source::SourceKind;
use crate::{Scope, Source, SyncError};

/// Hands on the files below some directories (all, where none are given), from one path on, ordered
/// by the parts of their paths, until `visit` breaks. Their sizes are not looked at.
///
/// # Errors
/// [`SyncError::Gone`] if the root is not there or cannot be read.
pub(crate) fn in_order(
    source: &Source,
    directories: &[String],
    from: &str,
    visit: &mut dyn FnMut(String) -> ControlFlow<()>,
) -> Result<(), SyncError> {
    let is_wanted = |path: &String| is_below(path, directories) && !is_before(path, from);
    let scope = match directories {
        [] => Scope::Everything,
        some => Scope::Paths(some.iter().cloned().collect()),
    };
    let (root, metadata) = found_root(source)?;
    if !metadata.is_dir() {
        let file = single(source, &scope, root, &metadata).files.pop().map(|file| file.path);
        let _ = file.filter(is_wanted).map(visit);
        return Ok(());
    }
    let area = Area::new(&scope, &root);
    let way = Way { kind: source.kind, root: root.clone(), area, from: from.to_owned() };
    let mut walker = walker(&root);
    walker.sort_by_file_name(Ord::cmp).filter_entry(move |entry| way.goes_on(entry));
    for entry in walker.build().flatten() {
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        let path = relative(&root, entry.path()).filter(|_| is_file);
        let is_ours = |path: &String| source.takes(path) && refuse_name(path).is_none();
        let path = path.filter(|path| is_wanted(path) && is_ours(path));
        if path.is_some_and(|path| visit(path).is_break()) {
            break;
        }
    }
    Ok(())
}

/// Where a walk has something to look for.
struct Way {
    kind: SourceKind,
    root: PathBuf,
    area: Area,
    from: String,
}

impl Way {
    fn goes_on(&self, entry: &DirEntry) -> bool {
        if !entry.file_type().is_some_and(|kind| kind.is_dir()) {
            return true;
        }
        let path = lossy(&self.root, entry.path());
        // A walk in order cannot be told to skip a folder once it has it.
        let is_skipped = || {
            let is_named = relative(&self.root, entry.path()).is_some();
            !is_named || left_out(self.kind, entry.path()).is_some()
        };
        let leads_on = || !is_before(&path, &self.from) || is_in(&self.from, &path);
        let is_admitted = || self.area.is_everything() || admits(&self.area, &self.root, entry);
        path.is_empty() || (leads_on() && is_admitted() && !is_skipped())
    }
}

fn is_before(path: &str, other: &str) -> bool {
    path.split('/').cmp(other.split('/')) == Ordering::Less
}

fn is_in(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
}

fn is_below(path: &str, directories: &[String]) -> bool {
    let holds = |directory: &String| directory.is_empty() || is_in(path, directory);
    directories.is_empty() || directories.iter().any(holds)
}
