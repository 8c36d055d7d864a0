//! What a source looks like, for noticing changes where nothing tells of them.

use std::hash::BuildHasher;
use std::time::SystemTime;

use rustc_hash::FxBuildHasher;

use crate::stamp::nanoseconds;
use crate::walk::walk;
use crate::{Effort, Scope, Source};

/// A file changed less than this before a look may change again without looking otherwise.
const UNSETTLED_NS: i64 = 2_000_000_000;

/// The names, sizes and times of all files of a source, at one moment.
#[derive(Debug)]
pub(super) struct Look {
    files: u64,
    settled: bool,
}

impl Look {
    /// Looks at a source; none if its root is gone.
    pub fn at(source: &Source) -> Option<Look> {
        let now = nanoseconds(SystemTime::now());
        let walk = walk(source, &Scope::Everything, Effort::Background).ok()?;
        let files = walk.files.iter().map(|file| FxBuildHasher.hash_one((&file.path, file.stamp)));
        let unseen = walk.unseen.iter().map(|path| FxBuildHasher.hash_one(path));
        Some(Look {
            // The order of a walk is none.
            files: files.chain(unseen).fold(0, u64::wrapping_add),
            settled: walk
                .files
                .iter()
                .all(|file| now.saturating_sub(file.stamp.mtime_ns) > UNSETTLED_NS),
        })
    }

    /// Whether nothing can have changed since an earlier look.
    pub fn is_as(&self, earlier: &Look) -> bool {
        earlier.settled && self.files == earlier.files
    }
}

#[cfg(test)]
mod tests {
    use super::Look;
    use crate::testing::Fixture;

    #[test]
    fn changes_are_seen_and_other_walks_look_the_same() {
        let fixture = Fixture::new(&[("a.txt", "a"), ("b/c.txt", "c"), ("ignored.log", "x")]);
        let mut last = Look::at(&fixture.source).unwrap();
        let mut check = |what: &str, same: bool| {
            let look = Look::at(&fixture.source).unwrap();
            assert_eq!(look.is_as(&last), same, "{what}");
            last = look;
        };
        check("nothing", true);
        fixture.write("a.txt", "longer");
        check("another size", false);
        fixture.write(".gitignore", "*.log\n");
        check("a file is ignored", false);
        fixture.write("ignored.log", "another");
        check("an ignored file", true);
        fixture.age("b/c.txt", std::time::Duration::ZERO);
        check("another time", false);
        check("just written", false);
    }

    #[test]
    fn a_root_that_is_gone_looks_like_nothing() {
        let mut fixture = Fixture::new(&[]);
        fixture.source.root = fixture.path("nowhere");
        assert!(Look::at(&fixture.source).is_none());
    }
}
