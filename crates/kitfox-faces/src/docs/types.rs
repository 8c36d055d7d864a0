//! Requests and answers of the documentation face.

use serde::Serialize;

use crate::IndexStatus;

/// How a pattern is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchType {
    /// As a boolean query over exact words.
    #[default]
    Text,
    /// As plain language, by words and by meaning.
    Hybrid,
    /// As plain language, by meaning alone.
    Semantic,
}

/// A search of the documentation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchDoc {
    /// A boolean query (`text`) or plain language (`hybrid`, `semantic`).
    pub pattern: String,
    /// Only this category.
    pub category: Option<String>,
    /// Only this subcategory and those below it.
    pub subcategory: Option<String>,
    /// Only this document: stem, full name or relative path.
    pub file_name: Option<String>,
    /// How many of the best matches to skip.
    pub offset: usize,
    /// Size of the page, 1 to 50; `max_search_results` where absent.
    pub limit: Option<usize>,
    /// How the pattern is read.
    pub search_type: SearchType,
}

/// A page of matching chunks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DocsAnswer {
    /// Best first, with at most 3 chunks of one document before others get their turn.
    pub results: Vec<DocHit>,
    /// The `offset` of the next page, or none at the end.
    pub next_offset: Option<usize>,
    /// How many chunks can be paged through; for `text`, how many match.
    pub total: usize,
    /// How the pattern was read, where that is not what it says literally.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interpreted_as: Option<String>,
    /// How fresh the index is.
    pub index: IndexStatus,
}

/// One matching chunk.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DocHit {
    /// First folder; the source's name for a file in the root.
    pub category: String,
    /// The remaining folders joined with `/`, if any.
    pub subcategory: Option<String>,
    /// Name of the document without its extension.
    pub file_name: String,
    /// For `read_doc`.
    pub chunk_number: u32,
    /// First page, in paged formats.
    pub page_start: Option<u32>,
    /// Last page, in paged formats.
    pub page_end: Option<u32>,
    /// Breadcrumb of headings; may be empty.
    pub section: String,
    /// Larger is better; comparable within one answer only.
    pub score: f64,
    /// The best window of the chunk, hits marked `**…**`, cuts marked `…`.
    pub snippet: String,
    /// Path of the document, relative to its source.
    pub path: String,
    /// Lines of the chunk in the document, `12-40`; none where the format has no lines.
    pub lines: Option<String>,
}

/// The tree of categories, whole or in part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CategoriesAnswer {
    /// Sorted by name.
    pub categories: Vec<Category>,
    /// Present where documents were left out: how to list them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncated: Option<String>,
    /// How fresh the index is.
    pub index: IndexStatus,
}

/// A category or subcategory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Category {
    /// Name of the folder.
    pub name: String,
    /// Documents directly in it, sorted by name; empty in `list_categories`.
    pub files: Vec<DocFile>,
    /// Folders below it, sorted by name.
    pub subcategories: Vec<Category>,
}

/// A document in a listing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocFile {
    /// Its name as `file_name` takes it: the stem, or the full name where the stem is ambiguous in
    /// its folder.
    pub name: String,
    /// How many chunks it has.
    pub chunks_num: u32,
}

/// Chunks to read of one document. With none of `chunk_numbers`, `range`, `around` and `section`,
/// its first chunks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadDoc {
    /// The document: stem, full name or relative path.
    pub file_name: String,
    /// Its category, where the name alone is ambiguous.
    pub category: Option<String>,
    /// Its subcategory, where the name alone is ambiguous.
    pub subcategory: Option<String>,
    /// Chunks by number.
    pub chunk_numbers: Vec<u32>,
    /// Chunks `first-last`, both inclusive.
    pub range: Option<String>,
    /// A chunk with its neighbours, as many as one call may read.
    pub around: Option<u32>,
    /// Chunks of a section: a heading or a breadcrumb, as results show it.
    pub section: Option<String>,
}

/// Chunks of one document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadAnswer {
    /// Path of the document, relative to its source.
    pub path: String,
    /// By number.
    pub chunks: Vec<Chunk>,
    /// How many chunks the document has.
    pub total_chunks: u32,
    /// Numbers asked for that the document does not have.
    pub missing: Vec<u32>,
    /// Documents the returned text links to.
    pub links: Vec<Link>,
    /// Present where a section has more chunks than one call may read: how to go on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<String>,
    /// How fresh the index is.
    pub index: IndexStatus,
}

/// One chunk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Chunk {
    /// Its number in the document, from 0.
    pub chunk_number: u32,
    /// First page, in paged formats.
    pub page_start: Option<u32>,
    /// Last page, in paged formats.
    pub page_end: Option<u32>,
    /// Breadcrumb of headings; may be empty.
    pub section: String,
    /// The header of the table that the text goes on with, if it does: it stands in a chunk before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// The chunk, as in the document.
    pub text: String,
}

/// A link of a chunk to another document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Link {
    /// The text of the link.
    pub text: String,
    /// The target as written.
    pub target: String,
    /// The document, as `file_name` takes it: its relative path.
    pub file_name: String,
}
