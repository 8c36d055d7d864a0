//! Removing indexes that nothing uses any more.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use kitfox_embed::Embedder;
use kitfox_sync::Source;

use crate::index::remove_if_there;
use crate::place::{INDEXES, Place, beside, generation, source_folder};
use crate::turn::Turn;

/// A generation nobody kept for so long is removed.
const UNUSED: Duration = Duration::from_secs(14 * 24 * 3600);

/// What was removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cleaned {
    /// The removed indexes, relative to the data directory.
    pub removed: Vec<String>,
    /// The space they took.
    pub bytes: u64,
}

/// Removes below `data_dir` every index that is not one of these sources' and was not kept for two
/// weeks, or, with `however_young`, however young it is. One that a process is writing stays.
///
/// # Errors
/// Where the data directory cannot be listed.
pub fn clean(
    data_dir: &Path,
    sources: &[Source],
    embedder: &dyn Embedder,
    however_young: bool,
) -> io::Result<Cleaned> {
    let indexes = data_dir.join(INDEXES);
    let current: BTreeSet<PathBuf> = sources
        .iter()
        .map(|source| indexes.join(source_folder(source)).join(generation(source, embedder)))
        .collect();
    let unused = if however_young { Duration::ZERO } else { UNUSED };
    let mut cleaned = Cleaned::default();
    for source in folders(&indexes)? {
        for folder in folders(&source)? {
            if !current.contains(&folder) && is_unused(&folder, unused) {
                remove(&folder, data_dir, &mut cleaned);
            }
        }
        // Only where nothing is left in it.
        let _ = fs::remove_dir(&source);
    }
    Ok(cleaned)
}

/// Removes the old generations of one source; what cannot be removed stays.
pub(crate) fn unused_generations(place: &Place) {
    let Some(source) = place.folder.parent() else { return };
    for folder in folders(source).unwrap_or_default() {
        if folder != place.folder && is_unused(&folder, UNUSED) {
            remove(&folder, source, &mut Cleaned::default());
        }
    }
}

fn folders(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    Ok(paths.filter(|path| path.is_dir()).collect())
}

/// Whether an index was last written or kept longer ago than this: whoever begins to signs its lock.
fn is_unused(folder: &Path, unused: Duration) -> bool {
    let signed = fs::metadata(beside(folder, ".lock")).or_else(|_| fs::metadata(folder));
    let signed = signed.and_then(|metadata| metadata.modified());
    signed.is_ok_and(|signed| {
        SystemTime::now().duration_since(signed).is_ok_and(|since| since >= unused)
    })
}

fn remove(folder: &Path, data_dir: &Path, cleaned: &mut Cleaned) {
    let lock = beside(folder, ".lock");
    let Ok(_turn) = Turn::take(&lock, "kitfox clean", Duration::ZERO) else { return };
    let bytes = size(folder);
    if remove_if_there(folder).is_ok() {
        let name = folder.strip_prefix(data_dir).unwrap_or(folder);
        cleaned.removed.push(name.display().to_string());
        cleaned.bytes += bytes;
        let _ = fs::remove_file(&lock);
    }
}

fn size(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let sizes = entries.filter_map(|entry| Some(entry.ok()?.metadata().ok()?.len()));
    sizes.sum()
}
