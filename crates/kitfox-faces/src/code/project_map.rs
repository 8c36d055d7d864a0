//! A project at a glance: its directories, its languages and the names it speaks of most.

mod directories;
mod mentions;
mod symbols;

use std::collections::HashMap;

use kitfox_core::Group;
use serde::Serialize;

use super::scopes::{self, Scopes, normalised};
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
        let groups = opened.ask(|snapshot| snapshot.groups())?;
        let indexed = groups.iter().map(|group| (group.name.as_str(), group.documents as usize));
        let named = request.scope.as_deref().unwrap_or(".");
        let scope = normalised(named, "scope")?;
        let Scopes { filter, message, .. } = scopes::read(&[named.to_owned()], indexed)?;
        let files: Vec<&Group> = groups.iter().filter(|group| is_below(group, &scope)).collect();

        let mut answer = MapAnswer {
            files: files.len(),
            passages: files.iter().map(|group| group.documents as usize).sum(),
            languages: languages(project, files.iter().map(|group| group.name.as_str())),
            directories: Vec::new(),
            symbols: Vec::new(),
            message,
            more: Vec::new(),
            index: IndexStatus::of(project),
        };
        answer.directories = directories::list(project, &files, &scope, depth, &mut answer.more);
        answer.symbols = symbols::list(&opened, &files, &filter, &mut answer.more)?;
        Ok(answer)
    }
}

/// Whether a file has passages and lies below a directory.
fn is_below(group: &Group, directory: &str) -> bool {
    let rest = group.name.strip_prefix(directory);
    group.documents > 0 && rest.is_some_and(|rest| directory.is_empty() || rest.starts_with('/'))
}

/// The languages of some files by number of files, most first.
pub(super) fn languages<'p>(
    project: &Source,
    paths: impl Iterator<Item = &'p str>,
) -> Vec<LanguageCount> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for path in paths {
        *counts.entry((project.language_of)(path)).or_default() += 1;
    }
    let mut languages: Vec<LanguageCount> = counts
        .into_iter()
        .map(|(name, files)| LanguageCount { name: name.to_owned(), files })
        .collect();
    languages.sort_by(|a, b| b.files.cmp(&a.files).then_with(|| a.name.cmp(&b.name)));
    languages
}
