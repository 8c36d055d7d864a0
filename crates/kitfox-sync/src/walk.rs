//! Finds the files of a source.

mod in_order;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, FileType, Metadata};
use std::io;
use std::path::{MAIN_SEPARATOR_STR, Path, PathBuf};
use std::sync::{Arc, Mutex};

use ignore::{DirEntry, ParallelVisitor, ParallelVisitorBuilder, WalkBuilder, WalkState};
use kitfox_extract::{Refusal, refuse_name, refuse_size};

use crate::report::Report;
use crate::scope::Area;
use crate::source::SourceKind;
use crate::stamp::Stamp;
use crate::vendored::is_vendored;
use crate::{Effort, Scope, Source, SyncError};

pub(crate) use in_order::in_order;

/// Bytes of a `.git` that only names the folder of its repository.
const LONGEST_POINTER: u64 = 1 << 16;

/// What a walk found.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// The root without symbolic links.
    pub root: PathBuf,
    /// Whether the root is one file.
    pub single: bool,
    /// What was looked at.
    pub area: Arc<Area>,
    /// The files that belong to the source, in no order.
    pub files: Vec<Found>,
    /// Paths that could not be looked into: nothing is known of them and of what is below them.
    pub unseen: Vec<String>,
    /// What was skipped and what went wrong.
    pub report: Report,
}

/// A file that belongs to the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Relative to the root, `/`-separated.
    pub path: String,
    pub stamp: Stamp,
}

impl Walk {
    /// Where a file of this walk lies.
    pub fn absolute(&self, path: &str) -> PathBuf {
        if self.single { self.root.clone() } else { self.root.join(path) }
    }
}

/// Finds the files of a part of a source: hidden ones, those ignored by `.gitignore` or
/// `.kitfoxignore`, and symbolic links aside.
///
/// # Errors
/// [`SyncError::Gone`] if the root is not there or cannot be read.
pub(crate) fn walk(source: &Source, scope: &Scope, effort: Effort) -> Result<Walk, SyncError> {
    let (root, metadata) = found_root(source)?;
    if !metadata.is_dir() {
        return Ok(single(source, scope, root, &metadata));
    }
    let area = Arc::new(Area::new(scope, &root));
    let collected =
        Mutex::new(Walk { root: root.clone(), area: Arc::clone(&area), ..Walk::default() });
    let mut builder = Builder { source, root: &root, collected: &collected };
    let mut walker = walker(&root);
    if !area.is_everything() {
        let root = root.clone();
        walker.filter_entry(move |entry| admits(&area, &root, entry));
    }
    walker.threads(effort.threads()).build_parallel().visit(&mut builder);
    Ok(collected.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
}

/// Files and folders that a run over all of a source leaves out for their names, sizes and places,
/// counted by reason. Nothing is read: what is refused for its content is in the states of the index.
///
/// # Errors
/// [`SyncError::Gone`] if the root is not there or cannot be read.
pub fn skipped(source: &Source) -> Result<BTreeMap<String, usize>, SyncError> {
    walk(source, &Scope::Everything, Effort::Full).map(|walk| walk.report.skipped)
}

/// The root of a source without symbolic links, where it is there and can be read.
pub(crate) fn found_root(source: &Source) -> Result<(PathBuf, Metadata), SyncError> {
    let gone = |error| SyncError::Gone {
        name: source.name.clone(),
        path: source.root.clone(),
        source: error,
    };
    let root = fs::canonicalize(&source.root).map_err(gone)?;
    let metadata = fs::metadata(&root).map_err(gone)?;
    if metadata.is_dir() {
        fs::read_dir(&root).map_err(gone)?;
    }
    Ok((root, metadata))
}

/// The walk all parts of kitfox share.
pub(crate) fn walker(root: &Path) -> WalkBuilder {
    let mut builder = WalkBuilder::new(root);
    builder
        .ignore(false)
        .require_git(false)
        .parents(inside_work_tree(root))
        .add_custom_ignore_filename(".kitfoxignore")
        .follow_links(false)
        .threads(Effort::Full.threads());
    builder
}

/// Whether the way to an area, or what is in it, goes on here.
pub(crate) fn admits(area: &Area, root: &Path, entry: &DirEntry) -> bool {
    let path = lossy(root, entry.path());
    let is_folder = || entry.file_type().is_some_and(|kind| kind.is_dir());
    area.covers(&path) || (area.leads(&path) && is_folder())
}

/// Whether ignore files above the root belong to the same git work tree.
pub(crate) fn inside_work_tree(root: &Path) -> bool {
    !root.join(".git").exists() && root.ancestors().any(|above| above.join(".git").exists())
}

fn single(source: &Source, scope: &Scope, root: PathBuf, metadata: &Metadata) -> Walk {
    let area = Arc::new(Area::of_file(scope));
    let mut walk = Walk { single: true, area, ..Walk::default() };
    match root.file_name().and_then(|name| name.to_str()) {
        Some(name) => accept(&mut walk, source, name.to_owned(), metadata),
        None => walk.report.problem("", "the file name is not UTF-8"),
    }
    walk.root = root;
    walk
}

struct Builder<'s> {
    source: &'s Source,
    root: &'s Path,
    collected: &'s Mutex<Walk>,
}

impl<'s> ParallelVisitorBuilder<'s> for Builder<'s> {
    fn build(&mut self) -> Box<dyn ParallelVisitor + 's> {
        Box::new(Visitor {
            source: self.source,
            root: self.root,
            collected: self.collected,
            walk: Walk::default(),
        })
    }
}

/// Collects what one thread finds and hands it over when the thread is done.
struct Visitor<'s> {
    source: &'s Source,
    root: &'s Path,
    collected: &'s Mutex<Walk>,
    walk: Walk,
}

impl Drop for Visitor<'_> {
    fn drop(&mut self) {
        let walk = std::mem::take(&mut self.walk);
        let mut collected =
            self.collected.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        collected.files.extend(walk.files);
        collected.unseen.extend(walk.unseen);
        collected.report.merge(walk.report);
    }
}

impl ParallelVisitor for Visitor<'_> {
    fn visit(&mut self, entry: Result<DirEntry, ignore::Error>) -> WalkState {
        match entry {
            Ok(entry) => self.entry(&entry),
            Err(error) => {
                self.failed(&error);
                WalkState::Continue
            }
        }
    }
}

impl Visitor<'_> {
    fn entry(&mut self, entry: &DirEntry) -> WalkState {
        let Some(path) = relative(self.root, entry.path()) else {
            let path = lossy(self.root, entry.path());
            self.walk.report.problem(&path, "the name is not UTF-8");
            return WalkState::Skip;
        };
        if let Some(error) = entry.error() {
            self.walk.report.problem(&path, format!("an ignore file: {}", reason(error)));
        }
        match entry.file_type() {
            Some(kind) if kind.is_dir() => self.directory(&path, entry),
            Some(kind) => {
                self.file(path, kind, entry);
                WalkState::Continue
            }
            None => WalkState::Continue,
        }
    }

    fn directory(&mut self, path: &str, entry: &DirEntry) -> WalkState {
        if path.is_empty() {
            return WalkState::Continue;
        }
        let Some(reason) = left_out(self.source.kind, entry.path()) else {
            return WalkState::Continue;
        };
        self.walk.report.skip(reason);
        WalkState::Skip
    }

    fn file(&mut self, path: String, kind: FileType, entry: &DirEntry) {
        if !self.source.takes(&path) {
            return;
        }
        if !kind.is_file() {
            let reason = if kind.is_symlink() { "symbolic link" } else { "not a regular file" };
            return self.walk.report.skip(reason);
        }
        match entry.metadata() {
            Ok(metadata) => accept(&mut self.walk, self.source, path, &metadata),
            Err(error) => self.failed(&error),
        }
    }

    fn failed(&mut self, error: &ignore::Error) {
        if error.io_error().is_some_and(|error| error.kind() == io::ErrorKind::NotFound) {
            return; // It vanished during the walk.
        }
        let path =
            location(error).map_or(String::new(), |path| lossy(self.root, path).into_owned());
        self.walk.report.problem(&path, reason(error));
        self.walk.unseen.push(path);
    }
}

/// Takes a file of the source unless its name or size already says that it is refused.
fn accept(walk: &mut Walk, source: &Source, path: String, metadata: &Metadata) {
    // Records are read row by row, however many, and whatever their file is called.
    if source.kind == SourceKind::Records {
        return walk.files.push(Found { path, stamp: Stamp::of(metadata) });
    }
    let (size, purpose) = (metadata.len(), source.kind.purpose());
    if let Some(refusal) = refuse_name(&path).or_else(|| refuse_size(&path, purpose, size)) {
        // Whoever named a library wants to know which document is not in it.
        if source.kind == SourceKind::Docs && matches!(refusal, Refusal::TooLarge { .. }) {
            walk.report.problem(&path, refusal.to_string());
        }
        return walk.report.skip(label(&refusal));
    }
    walk.files.push(Found { path, stamp: Stamp::of(metadata) });
}

/// A refusal as a reason to count by.
pub(crate) fn label(refusal: &Refusal) -> String {
    match refusal {
        Refusal::TooLarge { .. } => "too large".to_owned(),
        other => other.to_string(),
    }
}

/// Why a folder is not looked into, if it is not.
fn left_out(kind: SourceKind, folder: &Path) -> Option<&'static str> {
    if is_linked_worktree(folder) {
        return Some("linked git worktree");
    }
    (kind == SourceKind::Code && is_vendored(folder)).then_some("vendored folder")
}

/// Whether a directory is a second work tree of some repository (`git worktree add`): a copy of
/// files that are indexed where their repository is. A submodule is none.
pub(crate) fn is_linked_worktree(directory: &Path) -> bool {
    let Some(repository) = pointed_to(&directory.join(".git")) else { return false };
    let repository = directory.join(repository);
    if repository.is_dir() {
        return repository.join("commondir").exists();
    }
    // Of another machine or container: only its name tells.
    repository.parent().is_some_and(|above| above.ends_with("worktrees"))
}

/// The folder that a `.git` names where it is a file.
fn pointed_to(git: &Path) -> Option<PathBuf> {
    // Neither a pipe nor a device, which would never end.
    fs::metadata(git).ok().filter(|git| git.is_file() && git.len() <= LONGEST_POINTER)?;
    let content = fs::read_to_string(git).ok()?;
    Some(PathBuf::from(content.strip_prefix("gitdir:")?.trim()))
}

/// Relative to the root and `/`-separated; none where it is not Unicode.
fn relative(root: &Path, path: &Path) -> Option<String> {
    let path = std::str::from_utf8(below(root, path)).ok()?;
    Some(if MAIN_SEPARATOR_STR == "/" {
        path.to_owned()
    } else {
        path.replace(MAIN_SEPARATOR_STR, "/")
    })
}

/// Relative to the root; what is not Unicode in it is replaced.
pub(crate) fn lossy<'p>(root: &Path, path: &'p Path) -> Cow<'p, str> {
    let path = String::from_utf8_lossy(below(root, path));
    if MAIN_SEPARATOR_STR == "/" { path } else { path.replace(MAIN_SEPARATOR_STR, "/").into() }
}

/// The bytes of a path beyond the root; none where it is not below it. Comparing paths part by
/// part takes longer than all else a walk does with a file.
fn below<'p>(root: &Path, path: &'p Path) -> &'p [u8] {
    let root = root.as_os_str().as_encoded_bytes();
    match path.as_os_str().as_encoded_bytes().strip_prefix(root) {
        Some([first, rest @ ..]) if std::path::is_separator(char::from(*first)) => rest,
        // Only the root of a file system ends with one.
        Some(rest)
            if root.last().is_some_and(|last| std::path::is_separator(char::from(*last))) =>
        {
            rest
        }
        _ => b"",
    }
}

fn location(error: &ignore::Error) -> Option<&Path> {
    use ignore::Error;
    match error {
        Error::WithPath { path, .. } => Some(path),
        Error::Loop { child, .. } => Some(child),
        Error::WithLineNumber { err, .. } | Error::WithDepth { err, .. } => location(err),
        Error::Partial(errors) => errors.iter().find_map(location),
        _ => None,
    }
}

/// An error of the walk without paths of this machine.
fn reason(error: &ignore::Error) -> String {
    use ignore::Error;
    match error {
        Error::WithPath { err, .. } | Error::WithDepth { err, .. } => reason(err),
        Error::WithLineNumber { line, err } => format!("line {line}: {}", reason(err)),
        Error::Partial(errors) => errors.iter().map(reason).collect::<Vec<_>>().join("; "),
        Error::Loop { .. } => "a loop of symbolic links".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
