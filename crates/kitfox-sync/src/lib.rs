//! Sources: folders and files a person named, and how their index is kept like them.
//!
//! [`refresh`] walks a source, compares what it finds with what was indexed, and brings the
//! engine up to date, or imports the records of its file; [`SourceFiles`] looks at single files as
//! they are now; [`refuse_root`] says where not to begin without being asked. This crate knows no
//! protocol and no ranking, and reads formats of files other than of records only through
//! `kitfox-extract`.

mod defined;
mod document;
mod effort;
mod error;
mod guard;
mod live;
mod plan;
mod read;
mod records;
mod refresh;
mod report;
mod root;
mod scope;
mod source;
mod stamp;
mod state;
mod vendored;
mod walk;
mod watch;

#[cfg(test)]
mod histories;
#[cfg(test)]
mod life;
#[cfg(test)]
mod testing;

pub use effort::Effort;
pub use error::SyncError;
pub use live::SourceFiles;
pub use records::{
    CollectionConfig, FORMATS, FieldConfig, Format, Imported, RecordRules, UploadError, upload,
};
pub use refresh::{RefreshOptions, refresh};
pub use report::{At, Problem, Report};
pub use root::{RootRefusal, refuse_root};
pub use scope::Scope;
pub use source::{Selection, Source, SourceKind};
pub use stamp::Stamp;
pub use state::FileState;
pub use walk::skipped;
pub use watch::{Watch, WatchMode};
