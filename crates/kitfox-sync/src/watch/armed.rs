//! A source with events: which folders are watched, and what an event means.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::changes::Changes;
use super::folders::folders;
use super::network::network_file_system;
use super::{Message, identity};
use crate::Scope;
use crate::scope::{Area, ruled_folder};
use crate::walk::lossy;

/// Where the platform watches a whole tree at once; elsewhere each folder is watched by itself, so
/// that ignored ones cost nothing.
const WHOLE_TREES: bool = cfg!(any(target_os = "macos", windows));

/// The folder of a repository's own ignore rules.
const GIT_INFO: &str = ".git/info";

/// A source whose folders are watched.
pub(super) struct Armed {
    /// As configured, and without links.
    configured: PathBuf,
    root: PathBuf,
    identity: Option<(u64, u64)>,
    /// The name of the one file the source is, if it is one.
    file: Option<String>,
    watcher: RecommendedWatcher,
    watched: HashSet<PathBuf>,
    /// Set where a folder could not be watched: events are no longer all there are.
    failed: bool,
}

impl Armed {
    /// Watches every folder of the source at `root`, or says why that cannot be.
    pub fn new(root: &Path, messages: Sender<Message>) -> Result<Armed, String> {
        let real = fs::canonicalize(root).map_err(|error| format!("the root: {error}"))?;
        if let Some(kind) = network_file_system(&real) {
            return Err(format!("{kind} does not tell of changes made elsewhere"));
        }
        let tell = move |event| {
            // The receiver is gone where nobody wants to know any more.
            let _ = messages.send(Message::Event(event));
        };
        let watcher = notify::recommended_watcher(tell).map_err(|error| reason(&error))?;
        let file = (!real.is_dir()).then(|| lossy(real.parent().unwrap_or(&real), &real).into());
        let mut armed = Armed {
            configured: root.to_owned(),
            identity: identity(&real),
            root: real,
            file,
            watcher,
            watched: HashSet::new(),
            failed: false,
        };
        armed.watch_all()?;
        Ok(armed)
    }

    /// Whether the root is still the one that is watched, and watched in full.
    pub fn is_same_root(&self) -> bool {
        !self.failed && identity(&self.configured) == self.identity
    }

    fn watch_all(&mut self) -> Result<(), String> {
        if self.file.is_some() {
            let folder = self.root.parent().unwrap_or(&self.root).to_owned();
            return self.watch(folder, RecursiveMode::NonRecursive);
        }
        if WHOLE_TREES {
            return self.watch(self.root.clone(), RecursiveMode::Recursive);
        }
        let info = self.root.join(GIT_INFO);
        if info.is_dir() {
            self.watch(info, RecursiveMode::NonRecursive)?;
        }
        self.watch_below(&Scope::Everything)
    }

    /// Watches the folders of a scope that are not watched yet, again and again until there are no
    /// more: one that appears while its parent begins to be watched is seen the next time.
    fn watch_below(&mut self, scope: &Scope) -> Result<(), String> {
        loop {
            let mut found = folders(&self.root, Area::new(scope, &self.root));
            found.retain(|folder| !self.watched.contains(folder));
            if found.is_empty() {
                return Ok(());
            }
            for folder in found {
                self.watch(folder, RecursiveMode::NonRecursive)?;
            }
        }
    }

    fn watch(&mut self, folder: PathBuf, mode: RecursiveMode) -> Result<(), String> {
        match self.watcher.watch(&folder, mode) {
            Ok(()) => {}
            // It is gone already, or cannot be looked into: the walk says so.
            Err(error) if is_of_one_folder(&error) => {}
            Err(error) => return Err(reason(&error)),
        }
        self.watched.insert(folder);
        Ok(())
    }

    /// Notes what an event tells.
    pub fn note(&mut self, event: notify::Result<Event>, changes: &mut Changes) {
        let Ok(event) = event else { return changes.add_everything() };
        if event.need_rescan() {
            return changes.add_everything();
        }
        if !is_change(event.kind) {
            return;
        }
        let may_be_gone = matches!(
            event.kind,
            EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)) | EventKind::Any
        );
        for path in &event.paths {
            if may_be_gone {
                self.forget(path);
            }
            if let Some(path) = self.relative(path) {
                changes.add(path);
            }
        }
    }

    /// The path relative to the root, where it may belong to the source.
    fn relative(&self, path: &Path) -> Option<String> {
        if self.file.is_some() {
            return (path == self.root).then(|| self.file.clone())?;
        }
        let path = lossy(&self.root, path.strip_prefix(&self.root).ok().map(|_| path)?);
        let is_hidden = path.split('/').any(|part| part.starts_with('.'));
        (!is_hidden || ruled_folder(&path).is_some()).then(|| path.into_owned())
    }

    /// A folder that is moved or removed is watched no more, nor is what was below it: another may
    /// take its name.
    fn forget(&mut self, path: &Path) {
        if !self.watched.contains(path) {
            return;
        }
        let below: Vec<PathBuf> =
            self.watched.iter().filter(|folder| folder.starts_with(path)).cloned().collect();
        for folder in below {
            // It may be gone together with its watch.
            let _ = self.watcher.unwatch(&folder);
            self.watched.remove(&folder);
        }
    }

    /// Watches folders that are new among the changes, before they are reported: whatever is in
    /// them by then is seen by whoever looks.
    pub fn extend(&mut self, changes: &mut Changes) {
        if self.file.is_some() || WHOLE_TREES {
            return;
        }
        let is_folder = |path: &&str| ruled_folder(path).is_some() || self.root.join(path).is_dir();
        let new: BTreeSet<String> = changes.paths().filter(is_folder).map(str::to_owned).collect();
        if !new.is_empty() && self.watch_below(&Scope::Paths(new)).is_err() {
            self.failed = true;
        }
    }
}

/// Whether an event can mean that what is indexed is no longer what is there.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) => false,
        _ => true,
    }
}

fn is_of_one_folder(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::PathNotFound | ErrorKind::WatchNotFound => true,
        ErrorKind::Io(error) => matches!(
            error.kind(),
            std::io::ErrorKind::NotFound
                | std::io::ErrorKind::PermissionDenied
                | std::io::ErrorKind::NotADirectory
        ),
        _ => false,
    }
}

/// Why events cannot be had, without a path of this machine.
fn reason(error: &notify::Error) -> String {
    match &error.kind {
        ErrorKind::MaxFilesWatch => {
            "the system's limit of watched folders is reached (fs.inotify.max_user_watches)"
                .to_owned()
        }
        ErrorKind::Io(error) => error.to_string(),
        _ => "the system cannot watch this folder".to_owned(),
    }
}
