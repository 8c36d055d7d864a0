//! Collections: files of records, and how their index is kept like them.
//!
//! A [`Format`] cuts a file into rows; a row becomes a record or is refused with a reason; the fields
//! of all records together make the [`kitfox_core::Collection`]; a record is indexed as one document.
//! Of a writable collection the journal is read in place of a file.

mod array;
mod cells;
mod compare;
mod config;
mod fields;
mod file;
mod format;
mod import;
mod imported;
mod indexing;
mod infer;
mod key;
mod lines;
mod record;
mod replay;
mod rules;
mod schema;
mod upload;

#[cfg(test)]
mod histories;
#[cfg(test)]
mod tests;

pub use config::{CollectionConfig, FieldConfig};
pub use format::{FORMATS, Format};
pub use imported::Imported;
pub use rules::RecordRules;
pub use upload::{UploadError, upload};

pub(crate) use import::import;
pub(crate) use replay::replay;

use crate::report::At;
