//! Listings: the tree of categories, with or without the documents.

use super::library::{Document, Library, Wanted};
use super::types::{CategoriesAnswer, Category, DocFile};
use crate::{FaceError, Faces};

/// Documents or folders of one listing at most.
const MOST: usize = 1000;

impl Faces {
    /// The categories and subcategories, without their documents.
    ///
    /// # Errors
    /// An index that cannot be read.
    pub fn list_categories(&self) -> Result<CategoriesAnswer, FaceError> {
        let library = Library::open(self)?;
        let mut folders: Vec<&[String]> =
            library.documents.iter().map(|document| document.folders.as_slice()).collect();
        folders.dedup();
        let mut tree = Category::default();
        for folders in folders.iter().take(MOST) {
            descend(&mut tree, folders);
        }
        let truncated = (folders.len() > MOST).then(|| {
            let total = folders.len();
            format!(
                "{MOST} of {total} folders are listed; `list_doc` with a `category` shows all of it"
            )
        });
        Ok(answer(tree, truncated, library))
    }

    /// The documents of a category (or of `category/subcategory`), or of all, with their sizes.
    ///
    /// # Errors
    /// An unknown category, or an index that cannot be read.
    pub fn list_doc(&self, category: Option<&str>) -> Result<CategoriesAnswer, FaceError> {
        let library = Library::open(self)?;
        let found = library.find(&Wanted::new(category, None, None))?;
        let mut tree = Category::default();
        for (at, document) in found.iter().enumerate().take(MOST) {
            let neighbours = [at.checked_sub(1), Some(at + 1)];
            let neighbours = neighbours.into_iter().flatten().filter_map(|at| found.get(at));
            let file = DocFile {
                name: name_among(document, neighbours.copied()),
                chunks_num: document.chunks,
            };
            descend(&mut tree, &document.folders).files.push(file);
        }
        let truncated = (found.len() > MOST).then(|| {
            format!(
                "{MOST} of {} documents are listed; list one folder at a time, as \
                 `list_doc(category=\"{}\")`; `list_categories` names the folders",
                found.len(),
                found[MOST].folders.join("/")
            )
        });
        Ok(answer(tree, truncated, library))
    }
}

fn answer(tree: Category, truncated: Option<String>, library: Library<'_>) -> CategoriesAnswer {
    CategoriesAnswer { categories: tree.subcategories, truncated, index: library.index }
}

/// The folder at the end of `folders`, made where it is not there. Folders come sorted, so the one
/// looked for is the last or not there.
fn descend<'t>(tree: &'t mut Category, folders: &[String]) -> &'t mut Category {
    folders.iter().fold(tree, |tree, name| {
        let below = &mut tree.subcategories;
        if below.last().is_none_or(|last| last.name != *name) {
            below.push(Category { name: name.clone(), ..Category::default() });
        }
        let last = below.len() - 1;
        &mut below[last]
    })
}

/// The stem, or the full name where a neighbour has the same stem.
fn name_among<'d>(
    document: &Document,
    neighbours: impl IntoIterator<Item = &'d Document>,
) -> String {
    let twin =
        |other: &Document| other.folders == document.folders && other.stem() == document.stem();
    match neighbours.into_iter().any(twin) {
        true => document.name().to_owned(),
        false => document.stem().to_owned(),
    }
}
