//! Why a journal cannot be read or written.

use std::io;

/// Why a journal cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// Reading or writing its file failed. Nothing that was acknowledged is lost.
    #[error("{action} the journal: {source}")]
    Io {
        /// What was being done: `reading`, `writing`.
        action: &'static str,
        /// Why it failed.
        #[source]
        source: io::Error,
    },
    /// A line within it is not as it was written.
    #[error(
        "the journal is damaged at line {line}; nothing is written to it until that is repaired. \
         Put the file back as it was, or restore a backup"
    )]
    Damaged {
        /// Which line, from 1.
        line: u64,
    },
    /// It is of a later version of kitfox, or no journal.
    #[error("the file of the journal is none, or one of another version of kitfox")]
    Foreign,
    /// A record is too long for one line.
    #[error("a record of {bytes} bytes is too long: it may have {}", crate::entry::MAX_LINE)]
    TooLong {
        /// Of its line.
        bytes: usize,
    },
}

impl JournalError {
    pub(crate) fn reading(source: io::Error) -> JournalError {
        JournalError::Io { action: "reading", source }
    }

    pub(crate) fn writing(source: io::Error) -> JournalError {
        JournalError::Io { action: "writing", source }
    }
}
