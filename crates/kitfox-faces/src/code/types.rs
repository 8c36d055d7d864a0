//! Requests and answers of the code face.

use serde::Serialize;

use crate::IndexStatus;

/// A search of one code project by meaning and words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SemanticSearch {
    /// The project; may be left out where there is one.
    pub project: Option<String>,
    /// What to find, in plain language or as identifiers.
    pub query: String,
    /// How many hits, 1 to 50; 5 where absent.
    pub limit: Option<usize>,
    /// Project-relative directories, at most 20; a hit lies below one of them. Empty: everywhere.
    pub scopes: Vec<String>,
    /// Project-relative glob patterns; a hit's path matches one of them. Empty: every path.
    pub globs: Vec<String>,
    /// Languages as `list_projects` names them; a hit is in one of them. Empty: every language.
    pub languages: Vec<String>,
}

/// What a search of a code project found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CodeAnswer {
    /// Best first.
    pub hits: Vec<CodeHit>,
    /// Present exactly when no passage lies in the scopes: why that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What else the reader should know: scopes, globs or languages without passages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// How fresh the index is.
    pub index: IndexStatus,
}

/// One passage of a code project.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CodeHit {
    /// Path of the file, relative to the project.
    pub path: String,
    /// Symbol path or heading breadcrumb; may be empty.
    pub section: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Cosine distance of meaning to the query, 0 to 2, 4 decimals; none without a vector. Hits are
    /// ordered by `score`, not by this.
    pub distance: Option<f64>,
    /// The passage as it is now; none where the file cannot be read.
    pub content: Option<String>,
    /// What is amiss with this hit: changed, gone or unreadable since it was indexed.
    pub warning: Option<String>,
    /// Name of the symbol or heading, if it has one.
    pub symbol: Option<String>,
    /// `function`, `class`, `section`, `window` and so on.
    pub kind: String,
    /// Fused score, larger is better; comparable within one answer only.
    pub score: f64,
}

/// The projects there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProjectsAnswer {
    /// In the order of the configuration.
    pub projects: Vec<Project>,
}

/// One code project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Project {
    /// Its name, as `project` takes it.
    pub name: String,
    /// Indexed files.
    pub files: usize,
    /// Indexed passages.
    pub passages: usize,
    /// Languages by number of files, most first.
    pub languages: Vec<LanguageCount>,
    /// How fresh the index is.
    pub index: IndexStatus,
}

/// A language and how many files are written in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LanguageCount {
    /// Its name, as `languages` takes it.
    pub name: String,
    /// Indexed files.
    pub files: usize,
}
