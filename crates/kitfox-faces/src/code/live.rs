//! The live files of a project, as the tools that name them read them.

use kitfox_core::{Rules, Unread};

use crate::FaceError;
use crate::code::normalised;
use crate::error::quote;
use crate::source::Source;

/// The text of a file somebody named, with its path as results show it.
///
/// # Errors
/// A path that leaves the project, or a file that is not there, is a folder, or must not be read.
pub(super) fn text(project: &Source, path: &str) -> Result<(String, String), FaceError> {
    let path = normalised(path, "path")?;
    if path.is_empty() {
        return Err(folder("."));
    }
    match project.files.read(&path, Rules::Named) {
        Ok(text) => Ok((path, text)),
        Err(Unread::Gone) => Err(gone(project, &path)),
        Err(Unread::Folder) => Err(folder(&path)),
        Err(Unread::Refused(reason)) => Err(refused(&path, &reason)),
    }
}

/// Every file of a project.
pub(super) fn list(project: &Source) -> Result<Vec<String>, FaceError> {
    project.files.list().map_err(|unread| {
        let reason = if let Unread::Refused(reason) = unread { reason } else { String::new() };
        let message = format!("the files of `{}` cannot be listed: {reason}", project.name);
        FaceError::new("unreadable_project", message)
    })
}

fn gone(project: &Source, path: &str) -> FaceError {
    let known = project.files.list().unwrap_or_default();
    FaceError::new("unknown_path", format!("there is no file {}", quote(path)))
        .at("path")
        .nearest_to(path, known.iter().map(String::as_str))
}

fn folder(path: &str) -> FaceError {
    FaceError::new("not_a_file", format!("{} is a directory", quote(path)))
        .at("path")
        .hint("Name a file below it.")
}

fn refused(path: &str, reason: &str) -> FaceError {
    FaceError::new("unreadable_file", format!("{} cannot be read: {reason}", quote(path)))
        .at("path")
}
