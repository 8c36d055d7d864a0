//! A source with events: which folders are watched, and what an event means.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use ignore::IncrementalIgnore;
use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::changes::Changes;
use super::folders::{folders, rules_above};
use super::network::network_file_system;
use super::{Message, identity};
use crate::Scope;
use crate::scope::{Area, ruled_folder};
use crate::walk::{lossy, walker};

/// Where the platform watches a whole tree at once; elsewhere each folder is watched by itself, so
/// that ignored ones cost nothing.
const WHOLE_TREES: bool = cfg!(any(target_os = "macos", windows));

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
    /// What is ignored, so that what a build writes is not reported.
    rules: Option<IncrementalIgnore>,
    /// The files of ignore rules above the root.
    above: Vec<PathBuf>,
    /// Set where events are no longer all there are: a folder could not be watched, or the root moved.
    failed: bool,
}

impl Armed {
    /// Watches every folder of the source at `root`, or says why that cannot be.
    pub fn new(root: &Path, messages: Sender<Message>) -> Result<Armed, String> {
        let real = fs::canonicalize(root).map_err(|error| format!("the root: {error}"))?;
        if let Some(kind) = network_file_system(&real) {
            return Err(format!("{kind} does not tell of changes made elsewhere"));
        }
        let tell = move |event: notify::Result<Event>| {
            // A search over all files opens each of them: nothing else must be done for that, or
            // events are lost.
            if event.as_ref().is_ok_and(|event| !event.need_rescan() && !is_change(event.kind)) {
                return;
            }
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
            rules: None,
            above: Vec::new(),
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
        self.rules = rules(&self.root);
        self.above = rules_above(&self.root);
        let above: BTreeSet<PathBuf> =
            self.above.iter().filter_map(|rules| Some(rules.parent()?.to_owned())).collect();
        for folder in above {
            self.watch(folder, RecursiveMode::NonRecursive)?;
        }
        if WHOLE_TREES {
            return self.watch(self.root.clone(), RecursiveMode::Recursive);
        }
        self.watch_below(&Scope::Everything)
    }

    /// Watches the folders of a scope that are not watched yet, again and again until there are no
    /// more: one that appears while its parent begins to be watched is seen the next time.
    fn watch_below(&mut self, scope: &Scope) -> Result<(), String> {
        let mut tried = HashSet::new();
        loop {
            let mut found = folders(&self.root, Area::new(scope, &self.root));
            found.retain(|folder| !self.watched.contains(folder) && tried.insert(folder.clone()));
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
            Ok(()) => drop(self.watched.insert(folder)),
            // It is gone already, or cannot be looked into: the walk says so.
            Err(error) if is_of_one_folder(&error) => {}
            Err(error) => return Err(reason(&error)),
        }
        Ok(())
    }

    /// Notes what an event tells.
    pub fn note(&mut self, event: notify::Result<Event>, changes: &mut Changes) {
        let Ok(event) = event else { return changes.add_everything() };
        if event.need_rescan() {
            return changes.add_everything();
        }
        for path in &event.paths {
            self.note_path(path, event.kind, changes);
        }
    }

    fn note_path(&mut self, path: &Path, kind: EventKind, changes: &mut Changes) {
        if self.above.iter().any(|rules| rules == path) {
            return changes.add_everything();
        }
        if is_of_names(kind) {
            self.failed |= self.file.is_none() && path == self.root;
            self.forget(path);
        } else if WHOLE_TREES && path.is_dir() {
            // It says that something in there changed, and that has an event of its own.
            return;
        }
        if let Some(path) = self.relative(path) {
            changes.add(path);
        }
    }

    /// The path relative to the root, where it may belong to the source.
    fn relative(&mut self, path: &Path) -> Option<String> {
        if self.file.is_some() {
            return (path == self.root).then(|| self.file.clone())?;
        }
        let relative = lossy(&self.root, path.strip_prefix(&self.root).ok().map(|_| path)?);
        let rules = self.rules.as_mut().filter(|_| ruled_folder(&relative).is_none());
        let is_ignored =
            rules.is_some_and(|rules| rules.matched(&*relative, path.is_dir()).is_ignore());
        (!is_ignored).then(|| relative.into_owned())
    }

    /// A folder that came, went or moved is not the one that was watched under its name, nor is what
    /// is below it.
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
        if self.file.is_some() {
            return;
        }
        let is_folder = |path: &&str| ruled_folder(path).is_some() || self.root.join(path).is_dir();
        let new: BTreeSet<String> = changes.paths().filter(is_folder).map(str::to_owned).collect();
        if new.is_empty() {
            return;
        }
        // It remembers the ignore files of each folder it has seen.
        self.rules = rules(&self.root);
        if !WHOLE_TREES && self.watch_below(&Scope::Paths(new)).is_err() {
            self.failed = true;
        }
    }
}

/// What a walk of this root ignores.
fn rules(root: &Path) -> Option<IncrementalIgnore> {
    walker(root).build_matchers().pop()
}

/// Whether an event can mean that what is indexed is no longer what is there.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) => false,
        _ => true,
    }
}

/// Whether an event is about which files and folders there are.
fn is_of_names(kind: EventKind) -> bool {
    match kind {
        EventKind::Create(_) | EventKind::Remove(_) | EventKind::Any => true,
        EventKind::Modify(kind) => matches!(kind, ModifyKind::Name(_)),
        _ => false,
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
