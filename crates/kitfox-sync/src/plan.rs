//! Compares what a walk found with what was indexed.

use std::collections::HashMap;

use kitfox_core::Group;
use kitfox_embed::Embedder;
use kitfox_extract::Sizes;

use crate::FileState;
use crate::report::Report;
use crate::walk::{Found, Walk};

/// What a run has to do.
#[derive(Debug, Default)]
pub(crate) struct Plan<'w> {
    /// Files to read, by path.
    pub tasks: Vec<Task<'w>>,
    /// Indexed files the walk did not find.
    pub removed: Vec<(String, Option<FileState>)>,
    /// Indexed files.
    pub indexed: usize,
    /// What is known of the files that need not be read.
    pub report: Report,
}

/// A file to read.
#[derive(Debug)]
pub(crate) struct Task<'w> {
    /// The file.
    pub file: &'w Found,
    /// Whether the index has it.
    pub indexed: bool,
    /// What was remembered of it, if that can be read.
    pub before: Option<FileState>,
}

impl Plan<'_> {
    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty() && self.removed.is_empty()
    }
}

/// Compares by size, modification time and version.
pub(crate) fn plan(walk: &Walk, groups: Vec<Group>, version: u32) -> Plan<'_> {
    let mut plan = Plan { indexed: groups.len(), ..Plan::default() };
    let mut groups: HashMap<String, Vec<u8>> =
        groups.into_iter().map(|group| (group.name, group.state)).collect();
    for file in &walk.files {
        let state = groups.remove(&file.path);
        plan.file(file, state, version);
    }
    plan.tasks.sort_unstable_by_key(|task| &task.file.path);
    plan.removed = groups
        .into_iter()
        .filter(|(name, _)| !unseen(walk, name))
        .map(|(name, state)| (name, FileState::decode(&state)))
        .collect();
    plan.removed.sort_unstable_by(|(left, _), (right, _)| left.cmp(right));
    plan
}

impl<'w> Plan<'w> {
    fn file(&mut self, file: &'w Found, state: Option<Vec<u8>>, version: u32) {
        let before = state.as_deref().and_then(FileState::decode);
        match &before {
            Some(before) if !before.racy() && is_current(before, file, version) => {
                unchanged(&mut self.report, &file.path, before);
            }
            _ => self.tasks.push(Task { file, indexed: state.is_some(), before }),
        }
    }
}

fn is_current(state: &FileState, file: &Found, version: u32) -> bool {
    state.same_stamp(file.size, file.mtime_ns) && state.version == version
}

/// Counts a file whose content is as it was indexed.
pub(crate) fn unchanged(report: &mut Report, path: &str, state: &FileState) {
    match (&state.problem, state.refused()) {
        (Some(reason), true) => report.skip(reason),
        (Some(reason), false) => {
            report.problem(path, reason);
            report.unchanged += 1;
        }
        (None, _) => report.unchanged += 1,
    }
}

/// Whether the walk could not look where this file was.
fn unseen(walk: &Walk, name: &str) -> bool {
    walk.unseen.iter().any(|path| {
        path.is_empty()
            || name.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// Stands for all that decides how a file is cut and embedded.
pub(crate) fn version(sizes: Sizes, embedder: &dyn Embedder) -> u32 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&kitfox_extract::VERSION.to_le_bytes());
    hasher.update(&(sizes.target as u64).to_le_bytes());
    hasher.update(&(sizes.max as u64).to_le_bytes());
    hasher.update(embedder.fingerprint().as_bytes());
    let [a, b, c, d, ..] = *hasher.finalize().as_bytes();
    u32::from_le_bytes([a, b, c, d])
}

#[cfg(test)]
mod tests {
    use kitfox_core::Group;

    use super::plan;
    use crate::walk::Walk;

    #[track_caller]
    fn check(unseen: &str, removed: &[&str]) {
        let walk = Walk { unseen: vec![unseen.to_owned()], ..Walk::default() };
        let group = |name: &str| Group { name: name.to_owned(), documents: 1, state: vec![] };
        let plan = plan(&walk, ["a/x.txt", "a/y.txt", "ab.txt"].map(group).into(), 1);
        let found: Vec<&str> = plan.removed.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(found, removed, "nothing is known of {unseen:?}");
    }

    #[test]
    fn what_could_not_be_looked_at_is_kept() {
        check("", &[]);
        check("a", &["ab.txt"]);
        check("a/x.txt", &["a/y.txt", "ab.txt"]);
    }
}
