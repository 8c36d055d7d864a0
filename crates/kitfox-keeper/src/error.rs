//! Why an index cannot be opened or brought up to date.

use std::io;
use std::path::PathBuf;

use kitfox_core::Error;
use kitfox_sync::SyncError;

use crate::turn::TurnError;

/// Why an index could not be opened or brought up to date.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// Another process is writing it.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// The run failed.
    #[error(transparent)]
    Sync(#[from] SyncError),
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] Error),
    /// The process that keeps the index was asked, and failed.
    #[error("{0}")]
    Keeper(String),
    /// The folders around the index cannot be written.
    #[error("preparing {}: {source}; set `data_dir` to a folder that can be written", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
}

impl IndexError {
    /// Whether another process is writing: try again later.
    pub fn is_busy(&self) -> bool {
        matches!(
            self,
            IndexError::Turn(TurnError::Busy { .. })
                | IndexError::Sync(SyncError::Engine(Error::Busy))
                | IndexError::Engine(Error::Busy)
        )
    }

    /// The error in words that carry no path of this machine, for answers that leave it.
    pub fn public_message(&self) -> String {
        match self {
            IndexError::Sync(error) => error.public_message(),
            IndexError::Turn(TurnError::NoLocks { .. }) => {
                "the index lies on a file system without locks".to_owned()
            }
            IndexError::Engine(Error::Io { source, .. }) | IndexError::Folder { source, .. } => {
                format!("reading or writing the index failed: {source}")
            }
            other => other.to_string(),
        }
    }
}
