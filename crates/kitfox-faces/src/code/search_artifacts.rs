//! Searching the text of live files, literally or by a regular expression.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use grep_matcher::{LineTerminator, Matcher};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{Searcher, SearcherBuilder, sinks};
use kitfox_core::Rules;
use rayon::prelude::*;
use serde::Serialize;

use super::live::LiveTree;
use super::restrict::Globs;
use super::{live, scopes};
use crate::error::quote;
use crate::limits::{DEFAULT_MATCHES, READ_BYTES};
use crate::search::page_size;
use crate::source::Source;
use crate::{FaceError, Faces};

/// Lines shown before and after a match.
const CONTEXT: usize = 2;
/// Most bytes shown of one line.
const LINE: usize = 400;
/// Most bytes of a compiled regular expression, and of its cache.
const COMPILED: usize = 4 << 20;
/// Files searched side by side: few at first, since most pages are full soon.
const FIRST_BATCH: usize = 32;
const LARGEST_BATCH: usize = 1024;
/// A page ends after this long, with whatever it has.
const LONGEST: Duration = Duration::from_secs(10);

/// A text search over the files of a project as they are now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchArtifacts {
    /// The project; may be left out where there is one.
    pub project: Option<String>,
    /// What a line contains. Without a capital letter, case does not matter.
    pub pattern: String,
    /// How the pattern is read.
    pub syntax: Syntax,
    /// Project-relative directories, at most 20. Empty: everywhere.
    pub scopes: Vec<String>,
    /// Globs as in a semantic search. Empty: every file.
    pub globs: Vec<String>,
    /// How many lines, 1 to 50; 20 where absent.
    pub limit: Option<usize>,
    /// Where the page before ended.
    pub cursor: Option<String>,
}

/// How a pattern is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// As it stands.
    #[default]
    Literal,
    /// As a regular expression.
    Regex,
}

/// The matching lines, by path and line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MatchesAnswer {
    /// One for each matching line.
    pub matches: Vec<Match>,
    /// Present exactly when no file lies in the scopes: why that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What else the reader should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Present where there may be more: the cursor of the next page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// A matching line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Match {
    /// The file, relative to the project.
    pub path: String,
    /// The line, 1-based.
    pub line: usize,
    /// Where the first match of the line begins, in bytes, 1-based.
    pub column: usize,
    /// The line, cut around the match where it is very long.
    pub text: String,
    /// Lines before it.
    pub before: Vec<String>,
    /// Lines after it.
    pub after: Vec<String>,
}

impl Faces {
    /// The lines of a project's files, as they are now, that contain a pattern.
    ///
    /// # Errors
    /// An unknown project, an empty pattern or one that is no regular expression or too large, a
    /// limit outside 1 to 50, wrong scopes or globs, a cursor that is none.
    pub fn search_artifacts(&self, request: &SearchArtifacts) -> Result<MatchesAnswer, FaceError> {
        let project = self.project(request.project.as_deref())?;
        let limit = page_size(request.limit, DEFAULT_MATCHES)?;
        let matcher = matcher(&request.pattern, request.syntax)?;
        let after = request.cursor.as_deref().map(Cursor::read).transpose()?.unwrap_or_default();
        let mut globs = Globs::new(&request.globs)?;
        let scopes = scopes::read(&request.scopes, &LiveTree(project))?;
        let (message, warnings) = (scopes.message, scopes.warnings);
        let answer = MatchesAnswer { message, warnings, ..MatchesAnswer::default() };
        if answer.message.is_some() {
            return Ok(answer);
        }
        let search = Search { project, matcher, limit, after };
        let mut page = Page { search, bytes: 0, began: Instant::now(), answer };
        let is_full = page.fill(&scopes.directories.unwrap_or_default(), &mut globs)?;
        // What the rest of the files and those of earlier pages match, is not known.
        if !is_full && request.cursor.is_none() {
            page.answer.warnings.extend(globs.unmatched());
        }
        Ok(page.answer)
    }
}

fn matcher(pattern: &str, syntax: Syntax) -> Result<RegexMatcher, FaceError> {
    if pattern.is_empty() {
        return Err(FaceError::empty_query("pattern"));
    }
    if pattern.contains(['\n', '\r']) {
        let message = "`pattern` has a line break, and is looked for line by line";
        return Err(FaceError::new("invalid_pattern", message).at("pattern"));
    }
    RegexMatcherBuilder::new()
        .fixed_strings(syntax == Syntax::Literal)
        .case_smart(true)
        .line_terminator(Some(b'\n'))
        .crlf(true)
        .size_limit(COMPILED)
        .dfa_size_limit(COMPILED)
        .build(pattern)
        .map_err(|error| {
            let why: String = error.to_string().chars().take(400).collect();
            let message = format!("{} cannot be used as a pattern: {why}", quote(pattern));
            let error = FaceError::new("invalid_pattern", message).at("pattern");
            error.hint("To find the text as it stands, leave `regex` out.")
        })
}

/// After which line of which file a page begins, written `path:line`.
#[derive(Default)]
struct Cursor {
    path: String,
    line: u64,
}

impl Cursor {
    fn read(cursor: &str) -> Result<Cursor, FaceError> {
        let parts = cursor.rsplit_once(':');
        let read = parts.and_then(|(path, line)| Some((path.to_owned(), line.parse().ok()?)));
        let (path, line) = read.ok_or_else(|| {
            FaceError::new("invalid_cursor", format!("{} is no cursor", quote(cursor)))
                .at("cursor")
                .hint("Pass `next_cursor` of the answer before, or leave it out.")
        })?;
        Ok(Cursor { path, line })
    }
}

/// What is looked for, and where.
struct Search<'a> {
    project: &'a Source,
    matcher: RegexMatcher,
    limit: usize,
    after: Cursor,
}

impl Search<'_> {
    /// The matches of a file, as many as a page has room for and one more at most.
    fn file(&self, searcher: &mut Searcher, path: &str) -> Result<Vec<Match>, FaceError> {
        // What is not read is what indexing leaves out too, or vanished since it was listed.
        let Ok(text) = self.project.files.read(path, Rules::Walked) else { return Ok(Vec::new()) };
        let after = if self.after.path == path { self.after.line } else { 0 };
        let numbers = self.lines(searcher, &text, after)?;
        if numbers.is_empty() {
            return Ok(Vec::new());
        }
        let lines: Vec<&str> = text.lines().collect();
        Ok(numbers.into_iter().map(|number| self.show(path, &lines, number)).collect())
    }

    /// The numbers of the matching lines beyond a line.
    fn lines(
        &self,
        searcher: &mut Searcher,
        text: &str,
        after: u64,
    ) -> Result<Vec<usize>, FaceError> {
        let mut found = Vec::new();
        let sink = sinks::Lossy(|number, _| {
            if number > after {
                found.push(number as usize);
            }
            Ok(found.len() <= self.limit)
        });
        let searched = searcher.search_slice(&self.matcher, text.as_bytes(), sink);
        searched.map_err(|error| {
            FaceError::new("search_failed", format!("the search stopped: {error}")).at("pattern")
        })?;
        Ok(found)
    }

    fn show(&self, path: &str, lines: &[&str], number: usize) -> Match {
        let line = lines.get(number - 1).copied().unwrap_or_default();
        let found = self.matcher.find(line.as_bytes()).ok().flatten();
        let start = found.map_or(0, |found| found.start());
        let shown = |lines: &[&str]| lines.iter().map(|line| around(line, 0)).collect();
        Match {
            path: path.to_owned(),
            line: number,
            column: start + 1,
            text: around(line, start),
            before: shown(&lines[(number - 1).saturating_sub(CONTEXT)..number - 1]),
            after: shown(&lines[number.min(lines.len())..(number + CONTEXT).min(lines.len())]),
        }
    }
}

/// What looks for lines; its buffers are worth keeping from file to file.
fn searcher() -> Searcher {
    let mut builder = SearcherBuilder::new();
    // That of the matcher: with another, the searcher refuses it.
    builder.line_terminator(LineTerminator::crlf()).line_number(true).build()
}

/// A page being filled.
struct Page<'a> {
    search: Search<'a>,
    /// Of what is shown so far.
    bytes: usize,
    began: Instant,
    answer: MatchesAnswer,
}

impl Page<'_> {
    /// Searches the files of some directories that match the globs, as far as there is room; whether
    /// there may be more.
    fn fill(&mut self, directories: &[String], globs: &mut Globs<'_>) -> Result<bool, FaceError> {
        let (mut batch, mut size) = (Vec::new(), FIRST_BATCH);
        let mut is_full = Ok(false);
        let from = self.search.after.path.clone();
        live::walk(self.search.project, directories, &from, &mut |path| {
            if globs.match_path(&path) {
                batch.push(path);
            }
            if batch.len() == size {
                is_full = self.add(&std::mem::take(&mut batch));
                size = (2 * size).min(LARGEST_BATCH);
            }
            match is_full {
                Ok(false) => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        })?;
        Ok(is_full? || self.add(&batch)?)
    }

    /// Searches some files side by side and adds what they hold in their order; whether the page is
    /// full then, or took too long.
    fn add(&mut self, paths: &[String]) -> Result<bool, FaceError> {
        let search = &self.search;
        let found =
            paths.par_iter().map_init(searcher, |searcher, path| search.file(searcher, path));
        let found: Vec<Vec<Match>> = found.collect::<Result<_, _>>()?;
        for found in found.into_iter().flatten() {
            if self.answer.matches.len() == self.search.limit || self.bytes > READ_BYTES {
                let last = self.answer.matches.last();
                self.answer.next_cursor = last.map(|last| format!("{}:{}", last.path, last.line));
                return Ok(true);
            }
            let shown = found.before.iter().chain(&found.after).map(String::len).sum::<usize>();
            self.bytes += shown + found.text.len() + found.path.len();
            self.answer.matches.push(found);
        }
        match paths.last() {
            Some(path) if self.began.elapsed() > LONGEST => {
                self.answer.next_cursor = Some(format!("{path}:{}", u32::MAX));
                let warning = format!("searched for 10 seconds, up to {}", quote(path));
                self.answer.warnings.push(warning);
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

/// A line, or the part of it around a byte where it is very long.
fn around(line: &str, at: usize) -> String {
    if line.len() <= LINE {
        return line.to_owned();
    }
    let start = line.floor_char_boundary(at.saturating_sub(LINE / 4));
    let end = line.floor_char_boundary(start + LINE);
    let mark = |cut: bool| if cut { "…" } else { "" };
    format!("{}{}{}", mark(start > 0), &line[start..end], mark(end < line.len()))
}
