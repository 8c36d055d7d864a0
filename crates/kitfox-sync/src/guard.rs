//! Keeps an unmounted disk from wiping an index.

use std::collections::HashSet;
use std::fs;

use crate::plan::Plan;
use crate::walk::Walk;
use crate::{Source, SyncError};

/// Fewer lost files or records than this are never alarming by themselves.
const ALARMING: usize = 10;

/// Refuses a plan that would drop more than half of the files `indexed` of a source. Files that are
/// still there and no longer belong to the source, and files that moved, are not lost.
///
/// # Errors
/// [`SyncError::MassRemoval`].
pub(crate) fn guard(
    source: &Source,
    walk: &Walk,
    plan: &Plan<'_>,
    indexed: usize,
) -> Result<(), SyncError> {
    // A part of a source may well be empty.
    let whole = walk.area.is_everything() || plan.removed.len() == indexed;
    let emptied = whole && walk.files.is_empty();
    let alarming = |lost| is_alarming(lost, indexed, emptied);
    // Looking closer reads files; most runs need not.
    if !alarming(plan.removed.len()) {
        return Ok(());
    }
    let lost = lost(walk, plan);
    if !alarming(lost) {
        return Ok(());
    }
    let name = source.name.clone();
    Err(SyncError::MassRemoval { name, things: "files", removed: lost, total: indexed })
}

/// Whether so many of what is indexed are lost at once that nobody may have wanted it.
pub(crate) fn is_alarming(lost: usize, indexed: usize, emptied: bool) -> bool {
    lost * 2 > indexed && (lost >= ALARMING || (lost > 0 && emptied))
}

fn lost(walk: &Walk, plan: &Plan<'_>) -> usize {
    let moved = contents_of_new_files(walk, plan);
    plan.removed
        .iter()
        .filter(|(path, _)| fs::symlink_metadata(walk.absolute(path)).is_err())
        .filter(|(_, state)| !state.as_ref().is_some_and(|state| moved.contains(&state.hash)))
        .count()
}

/// Hashes of the new files that have the size of a missing one.
fn contents_of_new_files(walk: &Walk, plan: &Plan<'_>) -> HashSet<[u8; 32]> {
    let sizes: HashSet<u64> =
        plan.removed.iter().filter_map(|(_, state)| Some(state.as_ref()?.stamp.size)).collect();
    plan.tasks
        .iter()
        .filter(|task| !task.indexed && sizes.contains(&task.file.stamp.size))
        .filter_map(|task| fs::read(walk.absolute(&task.file.path)).ok())
        .map(|bytes| *blake3::hash(&bytes).as_bytes())
        .collect()
}
