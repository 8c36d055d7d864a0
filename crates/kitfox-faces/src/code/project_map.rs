//! A project at a glance: its directories, its languages and the names it speaks of most.

mod directories;
mod mentions;
mod symbols;

use kitfox_core::Group;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::scopes::{self, normalised};
use super::skeleton::check_depth;
use super::types::LanguageCount;
use crate::limits::DEFAULT_MAP_DEPTH;
use crate::search::Opened;
use crate::source::Source;
use crate::{FaceError, Faces, IndexStatus};

pub use directories::MapDirectory;
pub use symbols::MapSymbol;

/// A request for the map of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProjectMap {
    /// The project; may be left out where there is one.
    pub project: Option<String>,
    /// Only this directory, relative to the project.
    pub scope: Option<String>,
    /// How many levels of directories, 1 to 10; 3 where absent.
    pub depth: Option<usize>,
}

/// The map of a project, or of a directory of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MapAnswer {
    /// Indexed files.
    pub files: usize,
    /// Indexed passages.
    pub passages: usize,
    /// Languages by number of files, most first.
    pub languages: Vec<LanguageCount>,
    /// Directories by path.
    pub directories: Vec<MapDirectory>,
    /// What most files refer to, most first.
    pub symbols: Vec<MapSymbol>,
    /// Present exactly when no passage lies in the scope: why that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What is left out, and how to get it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<String>,
    /// How fresh the index is.
    pub index: IndexStatus,
}

impl Faces {
    /// The directories of a project with the files and languages below them, and the types and
    /// functions of it that most of its files refer to. Bounded; says what is left out.
    ///
    /// # Errors
    /// An unknown project, a wrong scope, a depth outside 1 to 10, or an index that cannot be read.
    pub fn project_map(&self, request: &ProjectMap) -> Result<MapAnswer, FaceError> {
        let project = self.project(request.project.as_deref())?;
        let depth = request.depth.unwrap_or(DEFAULT_MAP_DEPTH);
        check_depth(depth)?;
        let opened = Opened::new(project)?;
        let named = request.scope.as_deref().unwrap_or(".");
        let scope = normalised(named, "scope")?;
        let scopes = scopes::read(&[named.to_owned()], &opened)?;
        let groups = opened.ask(|snapshot| snapshot.groups_below(&scope))?;
        let groups: Vec<&Group> = groups.iter().filter(|group| is_in(group, &scope)).collect();
        let files: Vec<File<'_>> =
            groups.par_iter().map(|group| File::new(project, &group.name)).collect();

        let filter = scopes.filter();
        let (directories, symbols) = rayon::join(
            || directories::list(&files, &scope, depth),
            || symbols::list(&opened, &files, &filter),
        );
        let ((directories, more), (symbols, uncounted)) = (directories, symbols?);
        Ok(MapAnswer {
            files: files.len(),
            passages: groups.iter().map(|group| group.documents as usize).sum(),
            languages: languages(files.iter().map(|file| file.language)),
            directories,
            symbols,
            message: scopes.message,
            more: more.into_iter().chain(uncounted).collect(),
            index: IndexStatus::of(project),
        })
    }
}

/// Whether a file has passages, and is not itself what is given as a directory.
fn is_in(group: &Group, directory: &str) -> bool {
    group.documents > 0 && group.name != directory
}

/// An indexed file.
#[derive(Clone, Copy)]
struct File<'a> {
    path: &'a str,
    language: &'static str,
}

impl<'a> File<'a> {
    fn new(project: &Source, path: &'a str) -> File<'a> {
        File { path, language: (project.language_of)(path) }
    }

    /// The directory it lies in; empty where that is the root.
    fn directory(&self) -> &'a str {
        self.path.rsplit_once('/').map_or("", |(directory, _)| directory)
    }
}

/// Languages by the number of their files, most first.
pub(super) fn languages(of_files: impl Iterator<Item = &'static str>) -> Vec<LanguageCount> {
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    of_files.for_each(|language| *counts.entry(language).or_default() += 1);
    let mut languages: Vec<LanguageCount> = counts
        .into_iter()
        .map(|(name, files)| LanguageCount { name: name.to_owned(), files })
        .collect();
    languages.sort_by(|a, b| b.files.cmp(&a.files).then_with(|| a.name.cmp(&b.name)));
    languages
}
