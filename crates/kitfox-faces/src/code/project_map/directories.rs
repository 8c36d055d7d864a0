//! The directories of a map.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;

use kitfox_core::Group;
use serde::Serialize;

use crate::source::Source;

/// Directories of one map.
const MOST: usize = 60;
/// Languages named of a directory.
const LANGUAGES: usize = 3;

/// A directory of a map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MapDirectory {
    /// Its path, relative to the project.
    pub path: String,
    /// Indexed files in it and below it.
    pub files: usize,
    /// Its most frequent languages, most first.
    pub languages: Vec<String>,
}

/// The directories below `scope` down to a depth, by path; of too many, the largest of the upper
/// levels first.
///
/// A directory that holds nothing but one other is no level of its own: that one stands for both.
pub(super) fn list(
    project: &Source,
    files: &[&Group],
    scope: &str,
    depth: usize,
    more: &mut Vec<String>,
) -> Vec<MapDirectory> {
    let levels = levels(count(project, files, scope));
    let deepest = levels.iter().map(|directory| directory.level).max().unwrap_or_default();
    let mut shown: Vec<Directory<'_>> =
        levels.into_iter().filter(|directory| directory.level <= depth).collect();
    if shown.len() > MOST {
        let left = shown.len() - MOST;
        more.push(format!("{left} smaller directories are left out: name one above as `scope`"));
        shown.sort_by_key(|directory| (directory.level, Reverse(directory.files)));
        shown.truncate(MOST);
        shown.sort_by(|a, b| by_parts(a.path, b.path));
    } else if deepest > depth {
        more.push(format!("there are deeper directories: `depth` {deepest} shows all levels"));
    }
    shown.into_iter().map(Directory::describe).collect()
}

/// What lies below a directory.
struct Directory<'a> {
    path: &'a str,
    /// From 1; 0 where it is not known yet, or where the directory is no level of its own.
    level: usize,
    files: usize,
    languages: Vec<(&'static str, usize)>,
}

/// The directories below a scope, each before those in it.
fn count<'a>(project: &Source, files: &[&'a Group], scope: &str) -> Vec<Directory<'a>> {
    let above = if scope.is_empty() { 0 } else { scope.len() + 1 };
    let mut found: HashMap<&str, Directory<'_>> = HashMap::new();
    for group in files {
        let language = (project.language_of)(&group.name);
        for (end, _) in group.name.match_indices('/').filter(|(end, _)| *end > above) {
            let path = &group.name[..end];
            let new = || Directory { path, level: 0, files: 0, languages: Vec::new() };
            found.entry(path).or_insert_with(new).add(language);
        }
    }
    let mut found: Vec<Directory<'_>> = found.into_values().collect();
    found.sort_by(|a, b| by_parts(a.path, b.path));
    found
}

/// Gives directories their levels, and leaves out those that are none.
fn levels(mut directories: Vec<Directory<'_>>) -> Vec<Directory<'_>> {
    // The directories around the current one with the levels above them.
    let mut around: Vec<(&str, usize)> = Vec::new();
    for at in 0..directories.len() {
        let (path, files) = (directories[at].path, directories[at].files);
        while around.last().is_some_and(|(outer, _)| !is_in(path, outer)) {
            around.pop();
        }
        let above = around.last().map_or(0, |(_, level)| *level);
        let next = directories.get(at + 1);
        let is_level = !next.is_some_and(|next| is_in(next.path, path) && next.files == files);
        directories[at].level = if is_level { above + 1 } else { 0 };
        around.push((path, above + usize::from(is_level)));
    }
    directories.retain(|directory| directory.level > 0);
    directories
}

/// Orders paths so that a directory is followed by what is in it.
fn by_parts(left: &str, right: &str) -> Ordering {
    left.split('/').cmp(right.split('/'))
}

fn is_in(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
}

impl Directory<'_> {
    fn add(&mut self, language: &'static str) {
        self.files += 1;
        match self.languages.iter_mut().find(|(name, _)| *name == language) {
            Some((_, files)) => *files += 1,
            None => self.languages.push((language, 1)),
        }
    }

    fn describe(mut self) -> MapDirectory {
        self.languages.sort_by_key(|&(name, files)| (Reverse(files), name));
        let languages = self.languages.into_iter().take(LANGUAGES);
        MapDirectory {
            path: self.path.to_owned(),
            files: self.files,
            languages: languages.map(|(name, _)| name.to_owned()).collect(),
        }
    }
}
