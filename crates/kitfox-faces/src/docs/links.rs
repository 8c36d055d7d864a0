//! Links of a text to other documents of its source.

use std::collections::HashMap;

use super::library::{Document, Library, without_extension};
use super::types::{Chunk, Link};

/// Links of one answer at most.
const MOST: usize = 50;

/// The links in these chunks of `document` whose targets are documents of the same source.
pub(super) fn links(library: &Library<'_>, document: &Document, chunks: &[Chunk]) -> Vec<Link> {
    let written: Vec<(&str, &str)> = chunks.iter().flat_map(|chunk| written(&chunk.text)).collect();
    if written.is_empty() {
        return Vec::new();
    }
    let mut known: HashMap<&str, &str> = HashMap::new();
    for other in library.documents.iter().filter(|other| other.shelf == document.shelf) {
        known.entry(without_extension(&other.path)).or_insert(&other.path);
    }
    for other in library.documents.iter().filter(|other| other.shelf == document.shelf) {
        known.insert(&other.path, &other.path);
    }
    let mut links: Vec<Link> = Vec::new();
    for (text, target) in written {
        let resolved = resolve(&document.path, target);
        let Some(path) = resolved.and_then(|path| known.get(path.as_str()).copied()) else {
            continue;
        };
        if links.len() < MOST && links.iter().all(|link| link.target != target) {
            let (text, target) = (text.to_owned(), target.to_owned());
            links.push(Link { text, target, file_name: path.to_owned() });
        }
    }
    links
}

/// The `[text](target)` of a text, images left out.
fn written(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(middle) = text[from..].find("](").map(|at| from + at) {
        let after = middle + 2;
        let line = text[after..].lines().next().unwrap_or("");
        let begin = text[from..middle].rfind('[').map(|at| from + at);
        if let (Some(begin), Some(end)) = (begin, target_end(line))
            && !text[..begin].ends_with('!')
        {
            let target = line[..end].trim();
            let target = target.split_whitespace().next().unwrap_or("");
            found.push((&text[begin + 1..middle], target.trim_matches(['<', '>'])));
        }
        from = after;
    }
    found
}

/// Where the parenthesis that a target stands in closes.
fn target_end(line: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in line.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The path a relative target means from a document; none for anchors, other schemes and what
/// leaves the source.
fn resolve(from: &str, target: &str) -> Option<String> {
    let path = target.split(['#', '?']).next().unwrap_or("");
    let path = path.replace("%20", " ");
    let scheme = path.split('/').next().is_some_and(|first| first.contains(':'));
    if path.is_empty() || scheme || path.starts_with("//") {
        return None;
    }
    let folder = match path.starts_with('/') {
        true => "",
        false => from.rsplit_once('/').map_or("", |(folder, _)| folder),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_as_written() {
        let text =
            "See [the guide](../a.md#x \"Guide\"), ![pic](p.png), [b](<b.md>), [c](x(1).md) [d](";
        let expected = [("the guide", "../a.md#x"), ("b", "b.md"), ("c", "x(1).md")];
        assert_eq!(written(text), expected);
    }

    #[track_caller]
    fn check(from: &str, target: &str, expected: Option<&str>) {
        assert_eq!(resolve(from, target).as_deref(), expected, "{target:?} from {from:?}");
    }

    #[test]
    fn targets_resolve_within_the_source() {
        check("guide/x.md", "../a.md#top", Some("a.md"));
        check("guide/x.md", "b%20c.md?x=1", Some("guide/b c.md"));
        check("guide/x.md", "/intro.md", Some("intro.md"));
        check("x.md", "../a.md", None);
        check("x.md", "#top", None);
        check("x.md", "https://a.b/c.md", None);
        check("x.md", "mailto:a@b.c", None);
    }
}
