//! Changes collected until the noise is over.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crate::Scope;

/// So long must nothing happen before what happened is reported,
const QUIET: Duration = Duration::from_millis(50);
/// but it is reported after this long all the same.
const LONGEST: Duration = Duration::from_millis(500);

/// Looking at everything is cheaper than at more paths than this.
const MAX_PATHS: usize = 5_000;

/// What changed since the last report.
#[derive(Debug, Default)]
pub(super) struct Changes {
    scope: Option<Scope>,
    first: Option<Instant>,
    last: Option<Instant>,
}

impl Changes {
    /// Notes a path relative to the root.
    pub fn add(&mut self, path: String) {
        match self.scope.get_or_insert_with(|| Scope::Paths(BTreeSet::new())) {
            Scope::Everything => {}
            Scope::Paths(paths) if paths.len() < MAX_PATHS || paths.contains(&path) => {
                paths.insert(path);
            }
            Scope::Paths(_) => self.scope = Some(Scope::Everything),
        }
        self.happened();
    }

    /// Notes that nobody knows what changed.
    pub fn add_everything(&mut self) {
        self.scope = Some(Scope::Everything);
        self.happened();
    }

    fn happened(&mut self) {
        let now = Instant::now();
        self.first.get_or_insert(now);
        self.last = Some(now);
    }

    /// The paths noted, if they are known.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let paths = match &self.scope {
            Some(Scope::Paths(paths)) => Some(paths),
            _ => None,
        };
        paths.into_iter().flatten().map(String::as_str)
    }

    /// How long until there is something to report; none where nothing changed.
    pub fn due(&self) -> Option<Duration> {
        let (quiet, longest) = (self.last? + QUIET, self.first? + LONGEST);
        Some(quiet.min(longest).saturating_duration_since(Instant::now()))
    }

    /// What changed; begins anew.
    pub fn take(&mut self) -> Scope {
        std::mem::take(self).scope.unwrap_or_else(|| Scope::Paths(BTreeSet::new()))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Changes, MAX_PATHS};
    use crate::Scope;

    #[test]
    fn too_many_paths_are_everything() {
        let mut changes = Changes::default();
        (0..MAX_PATHS).for_each(|number| changes.add(number.to_string()));
        changes.add("0".to_owned());
        assert_eq!(changes.paths().count(), MAX_PATHS);
        changes.add(MAX_PATHS.to_string());
        assert_eq!(changes.take(), Scope::Everything);
    }

    #[test]
    fn noise_is_reported_after_a_while_all_the_same() {
        let mut changes = Changes::default();
        assert_eq!(changes.due(), None);
        while changes.due() != Some(Duration::ZERO) {
            changes.add("a".to_owned());
            std::thread::yield_now();
        }
        assert_eq!(changes.take(), Scope::Paths(["a".to_owned()].into()));
        assert_eq!(changes.due(), None);
    }
}
