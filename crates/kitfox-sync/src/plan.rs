//! Compares what a walk found with what was indexed.

use kitfox_core::Group;
use kitfox_embed::Embedder;
use kitfox_extract::Sizes;
use rustc_hash::FxHashMap;

use crate::FileState;
use crate::report::Report;
use crate::state::StateView;
use crate::walk::{Found, Walk};

/// What a run has to do.
#[derive(Debug, Default)]
pub(crate) struct Plan<'w> {
    /// Files to read, by path.
    pub tasks: Vec<Task<'w>>,
    /// Indexed files the walk looked for and did not find.
    pub removed: Vec<(String, Option<FileState>)>,
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

/// Compares the files found with the groups of the same area, by stamp and version.
pub(crate) fn plan<'w>(walk: &'w Walk, groups: &[Group], version: u32) -> Plan<'w> {
    let mut plan = Plan::default();
    let mut missing: FxHashMap<&str, &Group> =
        groups.iter().map(|group| (group.name.as_str(), group)).collect();
    for file in &walk.files {
        let group = missing.remove(file.path.as_str());
        let state = group.and_then(|group| StateView::decode(&group.state));
        match state {
            Some(state)
                if state.is_current(file.stamp, version) && !walk.area.distrusts(&file.path) =>
            {
                unchanged(&mut plan.report, &file.path, &state);
            }
            _ => {
                let before = state.map(FileState::from);
                plan.tasks.push(Task { file, indexed: group.is_some(), before });
            }
        }
    }
    plan.tasks.sort_unstable_by_key(|task| &task.file.path);
    plan.removed = missing
        .into_values()
        .filter(|group| !unseen(walk, &group.name))
        .map(|group| (group.name.clone(), FileState::decode(&group.state)))
        .collect();
    plan.removed.sort_unstable_by(|(left, _), (right, _)| left.cmp(right));
    plan
}

/// Counts a file whose content is as it was indexed.
pub(crate) fn unchanged(report: &mut Report, path: &str, state: &StateView<'_>) {
    match (state.problem, state.refused()) {
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
        let plan = plan(&walk, &["a/x.txt", "a/y.txt", "ab.txt"].map(group), 1);
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
