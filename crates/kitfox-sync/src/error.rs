//! Why an indexing run fails as a whole. A bad file never does that: see [`crate::Problem`].

use std::path::PathBuf;

/// The error of an indexing run. Nothing was removed from the index.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SyncError {
    /// The root of the source is not there or cannot be read.
    #[error(
        "cannot read `{}`, the root of `{name}`: {source}; what was indexed before is kept", path.display()
    )]
    Gone {
        /// The source.
        name: String,
        /// Its root as configured.
        path: PathBuf,
        /// Why it cannot be read.
        #[source]
        source: std::io::Error,
    },
    /// So many files are gone that an unmounted disk is more likely than a wish to forget them.
    #[error(
        "{removed} of the {total} indexed {things} of `{name}` are gone at once; nothing was \
         changed. Check that its source is complete (mounted, checked out, written to the end), or \
         index it with `--prune` to drop them"
    )]
    MassRemoval {
        /// The source.
        name: String,
        /// `files` or `records`.
        things: &'static str,
        /// How many of those indexed are gone.
        removed: usize,
        /// How many are indexed.
        total: usize,
    },
    /// A file of records cannot be read to its end.
    #[error("cannot read the records of `{name}`: {reason}; what was indexed before is kept")]
    Unread {
        /// The source.
        name: String,
        /// Why not, without a path of this machine.
        reason: String,
    },
    /// What the records of a collection are to be held to is no JSON Schema.
    #[error("cannot use the schema of `{name}`: {reason}; what was indexed before is kept")]
    Schema {
        /// The source.
        name: String,
        /// Why not, without a path of this machine.
        reason: String,
    },
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] kitfox_core::Error),
    /// No threads could be started for reading files.
    #[error("cannot start threads for reading files: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl SyncError {
    /// The error in words that carry no path of this machine, for answers that leave it.
    pub fn public_message(&self) -> String {
        match self {
            SyncError::Gone { name, source, .. } => {
                format!("cannot read the root of `{name}`: {source}")
            }
            SyncError::Engine(kitfox_core::Error::Io { source, .. }) => {
                format!("reading or writing the index failed: {source}")
            }
            other => other.to_string(),
        }
    }
}
