//! The documents of all docs sources, and finding them by category and name.

use std::collections::BTreeSet;

use kitfox_core::Filter;
use kitfox_core::paths::PATH;

use crate::error::{nearest, quote};
use crate::search::Opened;
use crate::{FaceError, Faces, IndexStatus, Kind};

/// Every docs source as one answer sees it.
pub(super) struct Library<'a> {
    pub shelves: Vec<Opened<'a>>,
    /// Ordered by folders, then name.
    pub documents: Vec<Document>,
    pub index: IndexStatus,
}

/// A document with at least one chunk.
#[derive(Debug)]
pub(super) struct Document {
    /// Which source, by position.
    pub shelf: usize,
    /// Relative to its source.
    pub path: String,
    /// Category, then subcategories.
    pub folders: Vec<String>,
    pub chunks: u32,
}

/// What a request restricts itself to, names trimmed of white space and slashes.
pub(super) struct Wanted {
    folders: Folders,
    file_name: Option<String>,
}

/// Folders asked for.
enum Folders {
    All,
    /// This category, or this folder of it.
    Below(Vec<String>),
    /// This subcategory of any category.
    Anywhere(Vec<String>),
}

impl Document {
    pub(super) fn new(shelf: usize, source: &str, path: String, chunks: u32) -> Document {
        let mut folders: Vec<String> = path.split('/').map(str::to_owned).collect();
        folders.pop();
        if folders.is_empty() {
            folders.push(source.to_owned());
        }
        Document { shelf, path, folders, chunks }
    }

    pub(super) fn category(&self) -> &str {
        &self.folders[0]
    }

    pub(super) fn subcategory(&self) -> Option<String> {
        (self.folders.len() > 1).then(|| self.folders[1..].join("/"))
    }

    /// The name with its extension.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The name without its extension.
    pub(super) fn stem(&self) -> &str {
        without_extension(self.name())
    }

    /// Folders first, so that each folder's documents stand together, and namesakes in it too.
    fn order(&self) -> (&[String], &str, &str) {
        (&self.folders, self.stem(), self.name())
    }

    /// How a name fits: 0 is best, none is not at all.
    fn fits(&self, name: &str) -> Option<usize> {
        let fits = [
            self.path == name,
            without_extension(&self.path) == name,
            self.name() == name,
            self.stem() == name,
        ];
        fits.iter().position(|fits| *fits)
    }
}

/// A path or name without its extension; a leading dot begins no extension.
pub(super) fn without_extension(path: &str) -> &str {
    match path.rsplit_once('.') {
        Some((stem, extension))
            if !stem.is_empty() && !stem.ends_with('/') && !extension.contains('/') =>
        {
            stem
        }
        _ => path,
    }
}

impl Wanted {
    pub(super) fn new(
        category: Option<&str>,
        subcategory: Option<&str>,
        file_name: Option<&str>,
    ) -> Wanted {
        let parts = |name: Option<&str>| -> Vec<String> {
            let parts = name.unwrap_or("").split('/').map(str::trim);
            parts.filter(|part| !part.is_empty() && *part != ".").map(str::to_owned).collect()
        };
        let (mut below, nested) = (parts(category), parts(subcategory));
        let folders = match (below.is_empty(), nested.is_empty()) {
            (true, true) => Folders::All,
            (true, false) => Folders::Anywhere(nested),
            _ => {
                below.extend(nested);
                Folders::Below(below)
            }
        };
        let file_name = parts(file_name).join("/");
        Wanted { folders, file_name: Some(file_name).filter(|name| !name.is_empty()) }
    }

    /// Whether nothing is asked for by name.
    pub(super) fn is_everything(&self) -> bool {
        matches!(self.folders, Folders::All) && !self.names_file()
    }

    /// Whether one document is asked for by name.
    pub(super) fn names_file(&self) -> bool {
        self.file_name.is_some()
    }
}

impl Folders {
    fn hold(&self, document: &Document) -> bool {
        match self {
            Folders::All => true,
            Folders::Below(folders) => document.folders.starts_with(folders),
            Folders::Anywhere(folders) => document.folders[1..].starts_with(folders),
        }
    }

    /// Whether a document stands in exactly this folder.
    fn are(&self, document: &Document) -> bool {
        match self {
            Folders::All => false,
            Folders::Below(folders) => document.folders == *folders,
            Folders::Anywhere(folders) => document.folders[1..] == **folders,
        }
    }
}

impl<'a> Library<'a> {
    /// The shelves with all their documents.
    pub(super) fn open(faces: &'a Faces) -> Result<Library<'a>, FaceError> {
        let mut library = Library::unlisted(faces)?;
        let mut documents = Vec::new();
        for (shelf, opened) in library.shelves.iter().enumerate() {
            for group in opened.ask(|snapshot| snapshot.groups())? {
                if group.documents > 0 {
                    let source = &opened.source.name;
                    documents.push(Document::new(shelf, source, group.name, group.documents));
                }
            }
        }
        documents.sort_by(|a, b| a.order().cmp(&b.order()));
        library.documents = documents;
        Ok(library)
    }

    /// The shelves alone, for a request that restricts itself to no document.
    pub(super) fn unlisted(faces: &'a Faces) -> Result<Library<'a>, FaceError> {
        let shelves: Vec<Opened<'a>> =
            faces.of(Kind::Docs).map(Opened::new).collect::<Result<_, _>>()?;
        let states = shelves.iter().map(|opened| opened.source.progress.state());
        let index = IndexStatus::merged(states);
        Ok(Library { shelves, documents: Vec::new(), index })
    }

    /// The documents a request is about: never none, unless nothing is asked for by name.
    pub(super) fn find(&self, wanted: &Wanted) -> Result<Vec<&Document>, FaceError> {
        let held: Vec<&Document> =
            self.documents.iter().filter(|document| wanted.folders.hold(document)).collect();
        if held.is_empty() && !matches!(wanted.folders, Folders::All) {
            return Err(self.unknown_folders(&wanted.folders));
        }
        let Some(name) = wanted.file_name.as_deref() else { return Ok(held) };
        let best = held.iter().filter_map(|document| document.fits(name)).min();
        match best {
            Some(best) => {
                Ok(held.into_iter().filter(|document| document.fits(name) == Some(best)).collect())
            }
            None => Err(self.unknown_file(name, &held)),
        }
    }

    /// The one document a request is about.
    pub(super) fn find_one(&self, wanted: &Wanted) -> Result<&Document, FaceError> {
        let Some(name) = wanted.file_name.as_deref() else {
            return Err(FaceError::new("missing_file_name", "`file_name` is empty")
                .at("file_name")
                .hint("`list_doc` names the documents."));
        };
        let found = self.find(wanted)?;
        let exact: Vec<&Document> =
            found.iter().copied().filter(|document| wanted.folders.are(document)).collect();
        match (found.as_slice(), exact.as_slice()) {
            ([document], _) | (_, [document]) => Ok(document),
            _ => Err(FaceError::new(
                "ambiguous_file",
                format!("{} names {} documents", quote(name), found.len()),
            )
            .at("file_name")
            .allow(found.iter().map(|document| document.path.as_str()))
            .hint(format!(
                "Give its category and subcategory, or its path: {}.",
                listed(found.iter().map(|document| document.path.as_str()))
            ))),
        }
    }

    /// The filter of one shelf that leaves exactly what a request is about. `found` are the
    /// documents [`Library::find`] gave for it.
    pub(super) fn filter(&self, shelf: usize, wanted: &Wanted, found: &[&Document]) -> Filter {
        if wanted.is_everything() {
            return Filter::All;
        }
        let here = found.iter().filter(|document| document.shelf == shelf);
        let (folder, category_only) = match &wanted.folders {
            Folders::Below(folders) => (folders.join("/"), folders.len() == 1),
            _ => (String::new(), false),
        };
        let by_folder = !folder.is_empty() && !wanted.names_file();
        // A file in the root belongs to the category named like its source, not to a folder.
        let listed = here.filter(|d| !by_folder || category_only && !d.path.contains('/'));
        let listed = Filter::one_of(PATH, listed.map(|d| d.path.as_str()));
        match by_folder {
            true => Filter::Or(vec![Filter::below(PATH, &folder), listed]),
            false => listed,
        }
    }

    /// The error for folders that no document is in.
    fn unknown_folders(&self, folders: &Folders) -> FaceError {
        match folders {
            Folders::All => FaceError::new("empty_library", "no document is indexed yet"),
            Folders::Anywhere(folders) => self.unknown_subcategory(None, folders),
            Folders::Below(folders) if folders.len() > 1 && self.has_category(&folders[0]) => {
                self.unknown_subcategory(Some(&folders[0]), &folders[1..])
            }
            Folders::Below(folders) => self.unknown_category(&folders[0]),
        }
    }

    fn unknown_category(&self, name: &str) -> FaceError {
        let known: BTreeSet<&str> = self.documents.iter().map(Document::category).collect();
        let (code, parameter) = ("unknown_category", "category");
        let mut error = FaceError::unknown(code, parameter, "category", name, known);
        if error.near.is_empty() {
            error.near = self.near_folders(name);
            error.hint = error.hint.filter(|_| error.near.is_empty());
        }
        self.maybe_later(error)
    }

    /// Folders like a name that is no category: `cisco-aci` for `net/cisco/aci`.
    fn near_folders(&self, name: &str) -> Vec<String> {
        let folders: BTreeSet<&[String]> =
            self.documents.iter().flat_map(|document| prefixes(&document.folders)).collect();
        let tails = folders.iter().flat_map(|folders| {
            (0..folders.len()).map(move |from| (folders[from..].join("/"), folders.join("/")))
        });
        let tails: Vec<(String, String)> = tails.collect();
        let near = nearest(name, tails.iter().map(|(tail, _)| tail.as_str()));
        let whole = |tail: &String| {
            tails.iter().find(|(known, _)| known == tail).map(|(_, whole)| whole.clone())
        };
        let mut near: Vec<String> = near.iter().filter_map(whole).collect();
        near.dedup();
        near
    }

    fn unknown_subcategory(&self, category: Option<&str>, folders: &[String]) -> FaceError {
        let documents = self.documents.iter();
        let known: BTreeSet<String> = documents
            .filter(|document| category.is_none_or(|category| document.category() == category))
            .flat_map(|document| prefixes(&document.folders[1..]))
            .map(|folders| folders.join("/"))
            .collect();
        let (code, parameter, name) = ("unknown_subcategory", "subcategory", folders.join("/"));
        let known = known.iter().map(String::as_str);
        self.maybe_later(FaceError::unknown(code, parameter, parameter, &name, known))
    }

    fn has_category(&self, name: &str) -> bool {
        self.documents.iter().any(|document| document.category() == name)
    }

    fn unknown_file(&self, name: &str, held: &[&Document]) -> FaceError {
        let stems = held.iter().map(|document| document.stem());
        let mut error = FaceError::unknown("unknown_file", "file_name", "document", name, stems);
        if error.near.is_empty() {
            let paths = held.iter().map(|document| document.path.as_str());
            error.near = nearest(name, paths);
        }
        self.maybe_later(error)
    }

    /// Says that indexing goes on, where that may be why something is not there.
    fn maybe_later(&self, error: FaceError) -> FaceError {
        match self.index.state {
            "indexing" if error.hint.is_none() => error.hint(format!(
                "Indexing is going on ({} of {} files): it may be there later.",
                self.index.done, self.index.total
            )),
            _ => error,
        }
    }
}

/// A folder and those above it, outermost first.
fn prefixes(folders: &[String]) -> impl Iterator<Item = &[String]> {
    (1..=folders.len()).map(|end| &folders[..end])
}

/// A few names for a sentence.
fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    const MOST: usize = 10;
    let mut names: Vec<String> = names.map(quote).collect();
    let left = names.len().saturating_sub(MOST);
    names.truncate(MOST);
    match left {
        0 => names.join(", "),
        _ => format!("{} and {left} more", names.join(", ")),
    }
}
