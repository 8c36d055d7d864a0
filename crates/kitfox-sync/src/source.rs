//! What a person named in the config, or what was taken without one.

use std::path::PathBuf;
use std::sync::Arc;

use kitfox_extract::{Purpose, Sizes, format_of};

use crate::records::CollectionConfig;

/// A folder or a single file to index.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name in answers and errors.
    pub name: String,
    /// Which face serves it.
    pub kind: SourceKind,
    /// The directory, or a single file, as configured.
    pub root: PathBuf,
    /// Which of the files its kind takes are wanted.
    pub selection: Selection,
    /// How long its passages are.
    pub sizes: Sizes,
    /// What is configured of a collection; nothing elsewhere.
    pub collection: Arc<CollectionConfig>,
}

/// Which face a source belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// A code project: every file that is not refused.
    Code,
    /// A documentation library: document formats only, HTML pages among them.
    Docs,
    /// A collection of records, in one file.
    Records,
}

/// Narrows a source, so that a folder served both as code and as documentation has each file once:
/// what is a document in either is documentation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// Whatever the kind takes.
    #[default]
    Everything,
    /// Document formats only.
    Documents,
    /// Everything but document formats.
    NotDocuments,
}

impl SourceKind {
    /// What the files of such a source are read for.
    pub(crate) fn purpose(self) -> Purpose {
        match self {
            SourceKind::Code => Purpose::Code,
            SourceKind::Docs | SourceKind::Records => Purpose::Docs,
        }
    }
}

impl Source {
    /// Whether a file of this name belongs to the source; ignore rules and refusals aside.
    pub(crate) fn takes(&self, path: &str) -> bool {
        if self.kind == SourceKind::Records {
            return false;
        }
        if self.kind == SourceKind::Code && self.selection == Selection::Everything {
            return true;
        }
        let is_document = |purpose| format_of(path).is_some_and(|it| it.is_document(purpose));
        let document = is_document(Purpose::Code);
        let kind = self.kind == SourceKind::Code || is_document(Purpose::Docs);
        kind && match self.selection {
            Selection::Everything => true,
            Selection::Documents => document,
            Selection::NotDocuments => !document,
        }
    }
}
