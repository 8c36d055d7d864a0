//! What can go wrong in an engine.

/// The result of an engine call.
pub type Result<T> = std::result::Result<T, Error>;

/// An engine's error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Another process or thread is writing.
    #[error("another kitfox process is writing this index")]
    Busy,
    /// Files are missing or unreadable as what they should be.
    #[error("the index is damaged: {detail}")]
    Damaged {
        /// What was found.
        detail: String,
    },
    /// A vector of the wrong length.
    #[error("a vector has {found} dimensions where the index has {expected}")]
    Dimension {
        /// Dimensions of the index.
        expected: usize,
        /// Dimensions given.
        found: usize,
    },
    /// Reading or writing failed.
    #[error("{action}: {source}")]
    Io {
        /// What was being done.
        action: String,
        /// Why it failed.
        #[source]
        source: std::io::Error,
    },
    /// The storage library failed.
    #[error("{action}: {source}")]
    Storage {
        /// What was being done.
        action: &'static str,
        /// Why it failed.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}
