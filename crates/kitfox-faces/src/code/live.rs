//! The live files of a project, as the tools that name them read them.

use std::ops::ControlFlow;

use kitfox_core::{Rules, Unread};

use super::scopes::Tree;
use crate::FaceError;
use crate::code::normalised;
use crate::error::quote;
use crate::search::Opened;
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

/// The files of a project as scopes see them.
pub(super) struct LiveTree<'a>(pub &'a Source);

impl Tree for LiveTree<'_> {
    fn holds(&self, directory: &str) -> Result<bool, FaceError> {
        let mut holds = false;
        walk(self.0, &[directory.to_owned()], "", &mut |_| {
            holds = true;
            ControlFlow::Break(())
        })?;
        Ok(holds)
    }

    // Walking would take longer than any answer, and near names need not be of this moment.
    fn files(&self) -> Result<Vec<String>, FaceError> {
        Opened::new(self.0)?.files()
    }
}

/// Walks the files of a project; see [`LiveFiles::walk`](kitfox_core::LiveFiles::walk).
pub(super) fn walk(
    project: &Source,
    directories: &[String],
    from: &str,
    visit: &mut dyn FnMut(String) -> ControlFlow<()>,
) -> Result<(), FaceError> {
    project.files.walk(directories, from, visit).map_err(|unread| {
        let reason = if let Unread::Refused(reason) = unread { reason } else { String::new() };
        let message = format!("the files of `{}` cannot be listed: {reason}", project.name);
        FaceError::new("unreadable_project", message)
    })
}

fn gone(project: &Source, path: &str) -> FaceError {
    let known = LiveTree(project).files().unwrap_or_default();
    FaceError::new("unknown_path", format!("there is no file {}", quote(path)))
        .at("path")
        .nearest_to(path, known.iter().map(String::as_str).filter(|known| *known != path))
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
