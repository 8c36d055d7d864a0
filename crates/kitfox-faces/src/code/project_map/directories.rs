//! The directories of a map.

use std::cmp::{Ordering, Reverse};

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::File;

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
/// levels first. And what is left out, if anything.
///
/// A directory that holds nothing but one other is no level of its own: that one stands for both.
pub(super) fn list(
    files: &[File<'_>],
    scope: &str,
    depth: usize,
) -> (Vec<MapDirectory>, Option<String>) {
    let levels = levels(count(files, scope));
    let deepest = levels.iter().map(|directory| directory.level).max().unwrap_or_default();
    let mut shown: Vec<Directory<'_>> =
        levels.into_iter().filter(|directory| directory.level <= depth).collect();
    let mut more = None;
    if shown.len() > MOST {
        let left = shown.len() - MOST;
        more = Some(format!("{left} smaller directories are left out: name one above as `scope`"));
        shown.sort_by_key(|directory| (directory.level, Reverse(directory.files)));
        shown.truncate(MOST);
        shown.sort_by(|a, b| by_parts(a.path, b.path));
    } else if deepest > depth {
        more = Some(format!("there are deeper directories: `depth` {deepest} shows all levels"));
    }
    (shown.into_iter().map(Directory::describe).collect(), more)
}

/// What lies below a directory.
#[derive(Default)]
struct Directory<'a> {
    path: &'a str,
    /// From 1; 0 where it is not known yet, or where the directory is no level of its own.
    level: usize,
    files: usize,
    languages: Vec<(&'static str, usize)>,
}

/// The directories below a scope, each before those in it.
fn count<'a>(files: &[File<'a>], scope: &str) -> Vec<Directory<'a>> {
    let above = if scope.is_empty() { 0 } else { scope.len() + 1 };
    let mut found: FxHashMap<&str, Directory<'_>> = FxHashMap::default();
    for files in files.chunk_by(|a, b| a.directory() == b.directory()) {
        let path = files[0].path;
        for (end, _) in path.match_indices('/').filter(|(end, _)| *end > above) {
            let new = || Directory { path: &path[..end], ..Directory::default() };
            found.entry(&path[..end]).or_insert_with(new).add(files);
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
    // What stands between the parts comes before all else.
    let place = |byte| if byte == b'/' { 0 } else { byte };
    left.bytes().map(place).cmp(right.bytes().map(place))
}

fn is_in(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
}

impl Directory<'_> {
    fn add(&mut self, files: &[File<'_>]) {
        self.files += files.len();
        for file in files {
            match self.languages.iter_mut().find(|(name, _)| *name == file.language) {
                Some((_, files)) => *files += 1,
                None => self.languages.push((file.language, 1)),
            }
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
