//! Errors and panics of the storage library, and which of them are damage.
//!
//! tantivy trusts the files it reads: damaged ones make it fail in any way, a panic included. What
//! failed is therefore blamed on the files whose checksums are wrong, and only on those.

use std::any::Any;
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use kitfox_core::{Error, Result};
use tantivy::directory::error::{LockError, OpenReadError, OpenWriteError};
use tantivy::index::SegmentComponent;
use tantivy::{Directory, Index, TantivyError};

use crate::disk::{damaged, failed, unreadable};

/// What is wrong with a file that is there and can be read.
const CHANGED: &str = "fails its checksum";

/// An error of the storage library during `action`.
pub(crate) fn storage(action: &'static str, error: TantivyError) -> Error {
    match error {
        TantivyError::LockFailure(LockError::LockBusy, _) => Error::Busy,
        TantivyError::LockFailure(LockError::IoError(error), _) => failed(action, &error),
        TantivyError::OpenReadError(error) => {
            let file = file_of(&error);
            unreadable(&file, error)
        }
        TantivyError::OpenWriteError(OpenWriteError::IoError { io_error, .. }) => {
            failed(action, &io_error)
        }
        TantivyError::IoError(error) if is_of_content(error.kind()) => {
            Error::Damaged { detail: format!("{action}: {error}") }
        }
        TantivyError::IoError(error) => failed(action, &error),
        TantivyError::DataCorruption(corruption) => {
            Error::Damaged { detail: format!("{action}: {corruption:?}") }
        }
        error => Error::Storage { action, source: Box::new(error) },
    }
}

fn file_of(error: &OpenReadError) -> String {
    match error {
        OpenReadError::FileDoesNotExist(path) | OpenReadError::IoError { filepath: path, .. } => {
            path.display().to_string()
        }
        OpenReadError::IncompatibleIndex(_) => "a segment".to_owned(),
    }
}

/// What a file says is wrong, rather than that it cannot be read.
fn is_of_content(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::InvalidData | ErrorKind::UnexpectedEof)
}

/// Reads from an index. What fails or panics is damage if a file fails its checksum.
pub(crate) fn reading<T>(
    action: &'static str,
    index: &Index,
    read: impl FnOnce() -> Result<T>,
) -> Result<T> {
    // Nothing of what `read` may leave half done outlives the answer but tantivy's caches, which
    // are behind locks that say so.
    let error = match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Err(error)) => error,
        Ok(result) => return result,
        Err(panic) => Error::Storage { action, source: panicked(panic.as_ref()).into() },
    };
    match error {
        Error::Damaged { .. } | Error::Storage { .. } | Error::Io { .. } => {
            match damaged_file(index) {
                Some((file, problem)) => Err(damaged(&file, problem)),
                None => Err(error),
            }
        }
        error => Err(error),
    }
}

fn panicked(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("a panic: {}", text.unwrap_or("without a message"))
}

fn damaged_file(index: &Index) -> Option<(String, &'static str)> {
    let files = segment_files(index).ok()?;
    // What is missing may have been removed by a later commit; where it matters, the error says so.
    let is_damaged = |file: &String| problem_of(index, file) == Some(CHANGED);
    files.into_iter().find(is_damaged).map(|file| (file, CHANGED))
}

/// The files of a commit's segments.
pub(crate) fn segment_files(index: &Index) -> Result<Vec<String>> {
    let metas = index.load_metas().map_err(|error| storage("reading meta.json", error))?;
    let removals = metas.segments.iter().filter(|segment| segment.has_deletes());
    let removals = removals.map(|segment| segment.relative_path(SegmentComponent::Delete));
    // tantivy lists also files a segment has only at times.
    let always = metas.list_segment_files().into_iter().filter(|file| {
        file.extension().is_none_or(|extension| extension != "temp" && extension != "del")
    });
    let mut files: Vec<String> =
        always.chain(removals).map(|file| file.display().to_string()).collect();
    files.sort_unstable();
    Ok(files)
}

/// Whether a file says so of itself; that part of it no checksum covers.
fn is_of_another_version(index: &Index, file: &str) -> bool {
    let opened = AssertUnwindSafe(|| index.directory().open_read(Path::new(file)));
    matches!(catch_unwind(opened), Ok(Err(OpenReadError::IncompatibleIndex(_))))
}

/// What is wrong with a file tantivy wrote.
pub(crate) fn problem_of(index: &Index, file: &str) -> Option<&'static str> {
    // A file shorter than tantivy's footer makes it panic.
    let validate = AssertUnwindSafe(|| index.directory().validate_checksum(Path::new(file)));
    match catch_unwind(validate).unwrap_or(Ok(false)) {
        Ok(true) => is_of_another_version(index, file).then_some(CHANGED),
        Err(OpenReadError::FileDoesNotExist(_)) => Some("is missing"),
        Err(OpenReadError::IoError { io_error, .. }) if !is_of_content(io_error.kind()) => {
            Some("cannot be read")
        }
        Ok(false) | Err(_) => Some(CHANGED),
    }
}
