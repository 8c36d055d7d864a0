//! The ranking of documentation: what the whole page tells about its chunks, on top of words and
//! meaning.

use kitfox_core::{Candidate, Text, fold};

use crate::constants::pages as constants;
use crate::terms::Terms;
use crate::{CandidateFile, Reasons, fuse};

/// A query about documentation, taken apart once for all candidates.
pub struct PageQuery {
    terms: Terms,
    /// Whether it asks for what was new once.
    asks_for_news: bool,
}

impl PageQuery {
    /// Takes a query apart.
    pub fn new(text: &str) -> PageQuery {
        let words = Text::new(text);
        let mut said = words.words().iter().map(|word| fold(words.word(word)));
        let asks_for_news = said.any(|word| is_news(&word) || NEWS_WORDS.contains(&word.as_str()));
        PageQuery { terms: Terms::new(text), asks_for_news }
    }
}

/// Scores candidates. Every candidate belongs to one of the files.
pub fn rank_pages(
    query: &PageQuery,
    candidates: &[Candidate],
    files: &[CandidateFile],
) -> Vec<Reasons> {
    let legs = fuse(candidates, constants::MEANING);
    let mut reasons: Vec<Reasons> = legs.into_iter().map(Reasons::from).collect();
    for file in files.iter().filter(|file| !file.candidates.is_empty()) {
        let path = &candidates[file.candidates.start].group;
        let chunks = &mut reasons[file.candidates.clone()];
        let file_name = constants::NAME * query.terms.share_of(page_name(path));
        let is_aside = !query.asks_for_news && path_of_news(path);
        let aside = if is_aside { constants::NEWS } else { 1.0 };
        chunks.iter_mut().for_each(|chunk| chunk.file_name = file_name);
        let coherence = coherence(chunks);
        chunks.iter_mut().for_each(|chunk| (chunk.aside, chunk.coherence) = (aside, coherence));
    }
    reasons
}

/// What a page is called: an index has the name of its folder.
fn page_name(path: &str) -> &str {
    let (path, _) = path.rsplit_once('.').unwrap_or((path, ""));
    match path.rsplit_once('/') {
        Some((folder, "index" | "_index" | "README" | "readme")) => last(folder),
        _ => last(path),
    }
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// What a page gains by its good chunks besides the best.
fn coherence(chunks: &[Reasons]) -> f32 {
    let mut scores: Vec<f32> = chunks.iter().map(Reasons::score).collect();
    scores.sort_unstable_by(|a, b| b.total_cmp(a));
    let further = scores.iter().skip(1).take(constants::COHERENT_CHUNKS);
    let above: f32 = further.map(|score| (score - constants::COHERENT_FROM).max(0.0)).sum();
    1.0 + constants::COHERENCE * above
}

/// Folders and pages of what was new once, by the letters of their names.
const NEWS: [&str; 7] =
    ["blog", "news", "changelog", "history", "whatsnew", "releasenotes", "announcements"];

/// Words that ask for such pages.
const NEWS_WORDS: [&str; 6] = ["new", "changed", "changes", "release", "released", "releases"];

fn path_of_news(path: &str) -> bool {
    let (path, _) = path.rsplit_once('.').unwrap_or((path, ""));
    path.split('/').any(is_news)
}

fn is_news(name: &str) -> bool {
    let letters: String = name.chars().filter(char::is_ascii_alphabetic).collect();
    NEWS.contains(&letters.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use kitfox_core::Address;

    use super::*;

    /// Ranks chunks, given by page and BM25; the chunks of a page follow one another.
    #[track_caller]
    fn check(query: &str, chunks: &[(&str, f32)], expected: &[&str]) {
        let candidate = |&(path, bm25): &(&str, f32)| Candidate {
            address: Address { segment: 0, document: 0 },
            group: path.to_owned(),
            number: 0,
            bm25,
            cosine: None,
            marks: Vec::new(),
        };
        let candidates: Vec<Candidate> = chunks.iter().map(candidate).collect();
        let mut end = 0;
        let files = candidates.chunk_by(|a, b| a.group == b.group).map(|page| {
            end += page.len();
            CandidateFile { candidates: end - page.len()..end, is_code: false }
        });
        let files: Vec<CandidateFile> = files.collect();
        let reasons = rank_pages(&PageQuery::new(query), &candidates, &files);
        let scores: Vec<f32> = reasons.iter().map(Reasons::score).collect();
        let order = crate::order(&scores);
        let paths: Vec<&str> = order.iter().map(|&at| candidates[at].group.as_str()).collect();
        assert_eq!(paths, expected, "{query}: {reasons:#?}");
    }

    #[test]
    fn pages_are_found_by_their_names() {
        let pages = [("guide/a.md", 5.0), ("guide/headers.md", 4.9)];
        check("read a header", &pages, &["guide/headers.md", "guide/a.md"]);
        let pages = [("guide/a.md", 5.0), ("headers/index.md", 4.9)];
        check("read a header", &pages, &["headers/index.md", "guide/a.md"]);
    }

    #[test]
    fn pages_that_say_more_of_it_come_first() {
        let chunks = [("a.md", 5.0), ("b.md", 4.9), ("b.md", 4.8), ("b.md", 1.0)];
        check("anything", &chunks, &["b.md", "b.md", "a.md", "b.md"]);
    }

    #[test]
    fn news_comes_first_only_where_it_is_asked_for() {
        let pages = [("blog/2.0.md", 5.0), ("guide/a.md", 4.8), ("Release-Notes.md", 4.7)];
        check("colours", &pages, &["guide/a.md", "blog/2.0.md", "Release-Notes.md"]);
        check("what is new", &pages, &["blog/2.0.md", "guide/a.md", "Release-Notes.md"]);
    }

    #[test]
    fn nothing_is_ranked_where_nothing_was_found() {
        check("anything", &[], &[]);
    }
}
