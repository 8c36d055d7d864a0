//! Searching for definitions.

use std::collections::BTreeMap;

use kitfox_core::paths::KIND;
use kitfox_core::{Analyser, Filter, Rules};
use kitfox_extract::{KINDS, OutlineItem};
use kitfox_rank::is_test_file;
use serde::Serialize;

use super::drift;
use super::restrict::{self, Restriction, Within};
use crate::limits::DEFAULT_DEFINITIONS;
use crate::search::{Found, Opened, Query, Ranking, page_size, search};
use crate::{FaceError, Faces, IndexStatus};

/// Files whose outlines are looked at for one answer.
const FILES: usize = 30;

/// A search for definitions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchSkeletons {
    /// The project; may be left out where there is one.
    pub project: Option<String>,
    /// A name, or what the definition is for.
    pub query: String,
    /// Only definitions of this kind.
    pub kind: Option<String>,
    /// Project-relative directories, at most 20. Empty: everywhere.
    pub scopes: Vec<String>,
    /// Whether tests count.
    pub tests: Tests,
    /// How many, 1 to 50; 10 where absent.
    pub limit: Option<usize>,
}

/// Whether definitions of tests are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tests {
    /// They are left out.
    #[default]
    Excluded,
    /// Like any other.
    Included,
}

/// The definitions found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DefinitionsAnswer {
    /// Names that match first, then what is nearest in meaning and words.
    pub definitions: Vec<Definition>,
    /// Present exactly when no passage lies in the scopes: why that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What else the reader should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// How fresh the index is.
    pub index: IndexStatus,
}

/// A definition without its body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Definition {
    /// Symbol path.
    pub symbol: String,
    /// `function`, `class` and so on.
    pub kind: String,
    /// The definition up to its body.
    pub signature: String,
    /// The first line of its documentation; may be empty.
    pub doc: String,
    /// The file, relative to the project.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
}

impl Faces {
    /// Definitions by name and by what they are for: signatures, not bodies.
    ///
    /// # Errors
    /// An unknown project or kind, an empty query, a limit outside 1 to 50, wrong scopes, or an
    /// index that cannot be read.
    pub fn search_skeletons(
        &self,
        request: &SearchSkeletons,
    ) -> Result<DefinitionsAnswer, FaceError> {
        let project = self.project(request.project.as_deref())?;
        let limit = page_size(request.limit, DEFAULT_DEFINITIONS)?;
        if request.query.trim().is_empty() {
            return Err(FaceError::empty_query("query"));
        }
        let wanted = Wanted::new(request)?;
        let opened = Opened::new(project)?;
        let within = Within { scopes: &request.scopes, ..Within::default() };
        let Restriction { filter, message, warnings } = restrict::restrict(&opened, &within)?;
        let mut definitions = Vec::new();
        if message.is_none() {
            let code = Filter::one_of(KIND, definition_kinds());
            let filter = Filter::And(vec![filter, code]);
            let query = Query::plain(&request.query, self.embed(&request.query), filter);
            definitions = wanted.of(&opened, &search([(&opened, query)], Ranking::Legs)?)?;
            definitions.truncate(limit);
        }
        let index = IndexStatus::of(project);
        Ok(DefinitionsAnswer { definitions, message, warnings, index })
    }
}

/// The kinds of definitions in code.
fn definition_kinds() -> impl Iterator<Item = &'static str> + Clone {
    KINDS.iter().copied().filter(|kind| *kind != "section")
}

/// Which definitions a request asks for.
struct Wanted<'r> {
    request: &'r SearchSkeletons,
    terms: Vec<String>,
    kind: Option<&'static str>,
}

/// How well a definition answers: greater is better.
type Merit = (u8, f32);

impl<'r> Wanted<'r> {
    fn new(request: &'r SearchSkeletons) -> Result<Wanted<'r>, FaceError> {
        let known = |kind: &String| {
            let found = definition_kinds().find(|known| known.eq_ignore_ascii_case(kind.trim()));
            found.ok_or_else(|| {
                FaceError::unknown("unknown_kind", "kind", "kind", kind, definition_kinds())
            })
        };
        let kind = request.kind.as_ref().map(known).transpose()?;
        Ok(Wanted { request, terms: Analyser::default().query_terms(&request.query), kind })
    }

    /// The definitions in the best files of a search, best first.
    fn of(&self, opened: &Opened<'_>, found: &Found<'_>) -> Result<Vec<Definition>, FaceError> {
        let mut ranked: Vec<(Merit, Definition)> = Vec::new();
        for (path, passages) in files(opened, found)? {
            if self.request.tests == Tests::Excluded && is_test_file(path) {
                continue;
            }
            // The index may be behind: a file that is gone or refused now defines nothing.
            let Ok(text) = opened.source.files.read(path, Rules::Indexed) else { continue };
            let outline = kitfox_extract::outline(path, text.as_bytes()).unwrap_or_default();
            let wanted = outline.into_iter().filter(|item| self.takes(item));
            ranked.extend(wanted.filter_map(|item| {
                let merit = self.merit(&item, score(&item, &passages));
                (merit > (0, 0.0)).then(|| (merit, definition(path, item)))
            }));
        }
        ranked.sort_by(|(left, a), (right, b)| {
            let best = right.0.cmp(&left.0).then(right.1.total_cmp(&left.1));
            best.then_with(|| (&a.path, a.start_line).cmp(&(&b.path, b.start_line)))
        });
        Ok(ranked.into_iter().map(|(_, definition)| definition).collect())
    }

    fn takes(&self, item: &OutlineItem) -> bool {
        let is_test = || item.kind == "test" || is_test_symbol(&item.symbol);
        self.kind.is_none_or(|kind| kind == item.kind)
            && item.kind != "section"
            && (self.request.tests == Tests::Included || !is_test())
    }

    fn merit(&self, item: &OutlineItem, score: f32) -> Merit {
        let query = self.request.query.trim();
        if item.symbol == query || item.name.eq_ignore_ascii_case(query) {
            return (3, score);
        }
        let symbol = Analyser::default().query_terms(&item.symbol);
        let matched = self.terms.iter().filter(|term| symbol.contains(term)).count();
        let name = match matched {
            0 => 0,
            all if all == self.terms.len() => 2,
            most if most * 2 >= self.terms.len() => 1,
            _ => 0,
        };
        (name, score)
    }
}

/// A passage of a file: its first and last line now, and its score.
type Passage = (u32, u32, f32);

/// The passages found in each of the best files.
fn files<'f>(
    opened: &Opened<'_>,
    found: &'f Found<'_>,
) -> Result<BTreeMap<&'f str, Vec<Passage>>, FaceError> {
    let mut files: BTreeMap<&str, Vec<Passage>> = BTreeMap::new();
    let mut chosen = Vec::new();
    for &index in &found.order {
        let (_, path) = found.file(index);
        if files.contains_key(path) || files.len() < FILES {
            files.entry(path).or_default();
            chosen.push(index);
        }
    }
    let addresses: Vec<_> = chosen.iter().map(|&index| found.candidates[index].address).collect();
    let mut live = drift::Files::new(opened);
    for (index, stored) in
        chosen.into_iter().zip(opened.ask(|snapshot| snapshot.fetch(&addresses))?)
    {
        if let Some(now) = live.place(&stored)? {
            let passage = (now.start_line, now.end_line, found.scores[index]);
            files.entry(found.file(index).1).or_default().push(passage);
        }
    }
    Ok(files)
}

/// The score of the best passage a definition begins in or holds the beginning of.
fn score(item: &OutlineItem, passages: &[Passage]) -> f32 {
    let meets = |&&(start, end, _): &&Passage| {
        (start..=end).contains(&item.line) || (item.start_line..=item.line).contains(&start)
    };
    passages.iter().filter(meets).map(|passage| passage.2).fold(0.0, f32::max)
}

fn definition(path: &str, item: OutlineItem) -> Definition {
    let OutlineItem { symbol, kind, signature, doc, start_line, end_line, .. } = item;
    let (path, kind) = (path.to_owned(), kind.to_owned());
    Definition { symbol, kind, signature, doc, path, start_line, end_line }
}

/// Whether a symbol lies in a module of tests.
pub(super) fn is_test_symbol(symbol: &str) -> bool {
    symbol.split(['.', ':']).any(|part| part == "tests" || part == "test")
}
