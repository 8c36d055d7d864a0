//! What tells that a file is as it was, without reading it.

use std::fs::Metadata;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// Files changed less than this before they were read may change again within the same tick of a
/// coarse file system clock.
const RACY_NS: i64 = 2_000_000_000;

/// Size and times of a file. A file with the stamp it had is taken for unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stamp {
    /// Bytes.
    pub size: u64,
    /// Modification time, nanoseconds since 1970; 0 where the platform has none.
    pub mtime_ns: i64,
    /// Time of the last change of content, name or attributes, nanoseconds since 1970; 0 where the
    /// platform has none. Nobody can set it, so it tells files apart that were swapped, or replaced
    /// by one with the same modification time.
    pub ctime_ns: i64,
}

impl Stamp {
    /// The stamp of a file.
    pub(crate) fn of(metadata: &Metadata) -> Stamp {
        Stamp {
            size: metadata.len(),
            mtime_ns: metadata.modified().map_or(0, nanoseconds),
            ctime_ns: ctime_ns(metadata),
        }
    }
}

#[cfg(unix)]
fn ctime_ns(metadata: &Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt;
    metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn ctime_ns(_: &Metadata) -> i64 {
    0
}

/// Whether a file may have changed after it was read without another modification time.
pub(crate) fn is_racy(read_at_ns: i64, stamp: Stamp) -> bool {
    read_at_ns.saturating_sub(stamp.mtime_ns) < RACY_NS
}

/// Nanoseconds since 1970.
pub(crate) fn nanoseconds(time: SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |ns| -ns),
    }
}
