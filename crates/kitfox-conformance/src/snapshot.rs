//! The contract's questions, answered by looking at every document.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use kitfox_core::{
    Address, Candidate, Candidates, Direction, Document, Error, Facet, Group, Lexicon, Order,
    Position, Result, Row, Scan, Search, Selection, Snapshot, Start, Stats, Stored, Value,
};

use crate::memory::Groups;
use crate::vectors;
use crate::words::{self, Corpus};

/// One committed state. A document's address is its place among all, by group name and number.
pub(crate) struct MemorySnapshot(Arc<Groups>);

/// A document with where it belongs.
#[derive(Clone, Copy)]
struct Placed<'a> {
    address: Address,
    group: &'a str,
    number: u32,
    document: &'a Document,
}

impl MemorySnapshot {
    pub fn new(groups: Arc<Groups>) -> MemorySnapshot {
        MemorySnapshot(groups)
    }

    fn documents(&self) -> Vec<Placed<'_>> {
        let all = self.0.iter().flat_map(|(group, (_, documents))| {
            documents.iter().enumerate().map(move |(number, document)| (group, number, document))
        });
        all.enumerate()
            .map(|(at, (group, number, document))| Placed {
                address: Address { segment: 0, document: at as u32 },
                group,
                number: number as u32,
                document,
            })
            .collect()
    }

    fn selected(&self, selection: &Selection) -> Vec<Placed<'_>> {
        let all = self.documents();
        let corpus = Corpus::new(all.iter().map(|placed| placed.document));
        let is_selected = |placed: &Placed<'_>| {
            let words = selection.words.as_ref();
            selection.filter.passes(&placed.document.values)
                && words.is_none_or(|words| corpus.score(words, placed.document) > 0.0)
        };
        all.iter().copied().filter(is_selected).collect()
    }
}

impl Snapshot for MemorySnapshot {
    fn search(&self, search: &Search) -> Result<Candidates> {
        let all = self.documents();
        let corpus = Corpus::new(all.iter().map(|placed| placed.document));
        let mut passing = Vec::new();
        for placed in all.iter().filter(|p| search.filter.passes(&p.document.values)) {
            let words = search.words.as_ref();
            passing.push(Candidate {
                address: placed.address,
                group: placed.group.to_owned(),
                number: placed.number,
                bm25: words.map_or(0.0, |words| corpus.score(words, placed.document)),
                cosine: cosine(search.vector.as_deref(), placed.document)?,
                marks: search.marks.iter().map(|m| m.passes(&placed.document.values)).collect(),
            });
        }
        let filtered = passing.len();
        let matched = passing.iter().filter(|candidate| candidate.bm25 > 0.0).count();
        let mut kept = best(&passing, search.depth, |c| (c.bm25 > 0.0).then_some(c.bm25));
        kept.extend(best(&passing, search.depth, |c| c.cosine));
        kept.sort_unstable();
        kept.dedup();
        let candidates = kept.into_iter().map(|at| passing[at].clone()).collect();
        let limit = |words| corpus.limit(words);
        let bm25_limit = search.words.as_ref().map_or(0.0, limit);
        Ok(Candidates { candidates, matched, filtered, bm25_limit })
    }

    fn scan(&self, scan: &Scan) -> Result<Vec<Row>> {
        let mut rows: Vec<Row> = self
            .selected(&scan.selection)
            .into_iter()
            .map(|placed| Row { address: placed.address, position: position(placed, &scan.order) })
            .collect();
        rows.sort_by(|a, b| compare(&a.position, &b.position, &scan.order));
        let compared = |row: &Row, position| compare(&row.position, position, &scan.order);
        match &scan.start {
            Start::First => {}
            Start::After(position) => rows.retain(|row| compared(row, position).is_gt()),
            Start::Before(position) => {
                rows.retain(|row| compared(row, position).is_lt());
                rows.drain(..rows.len().saturating_sub(scan.limit));
            }
        }
        rows.truncate(scan.limit);
        Ok(rows)
    }

    fn count(&self, selection: &Selection) -> Result<usize> {
        Ok(self.selected(selection).len())
    }

    fn facets(&self, selection: &Selection, paths: &[&str], top: usize) -> Result<Vec<Facet>> {
        let selected = self.selected(selection);
        Ok(paths.iter().map(|path| facet(&selected, path, top)).collect())
    }

    fn spellings(&self, word: &str, lexicon: &Lexicon) -> Result<Vec<(u8, String)>> {
        let documents = self.documents();
        let documents = documents.iter().map(|placed| placed.document);
        Ok(words::spellings(documents, word, lexicon))
    }

    fn fetch(&self, addresses: &[Address]) -> Result<Vec<Stored>> {
        let all = self.documents();
        let stored = |address: &Address| {
            let unknown = || Error::Damaged { detail: "an address of another snapshot".to_owned() };
            all.get(address.document as usize).map(|placed| stored(*placed)).ok_or_else(unknown)
        };
        addresses.iter().map(stored).collect()
    }

    fn vectors(&self, addresses: &[Address]) -> Result<Vec<Option<Vec<f32>>>> {
        let all = self.documents();
        let vector = |address: &Address| {
            all.get(address.document as usize)?.document.vector.as_deref().map(vectors::kept)
        };
        Ok(addresses.iter().map(vector).collect())
    }

    fn group(&self, name: &str) -> Result<Vec<Stored>> {
        let all = self.documents();
        Ok(all.into_iter().filter(|placed| placed.group == name).map(stored).collect())
    }

    fn state(&self, name: &str) -> Result<Option<Vec<u8>>> {
        Ok(self.0.get(name).map(|(state, _)| state.clone()))
    }

    fn groups(&self) -> Result<Vec<Group>> {
        self.groups_below("")
    }

    fn groups_below(&self, path: &str) -> Result<Vec<Group>> {
        let is_below =
            |name: &str| path.is_empty() || name == path || name.starts_with(&format!("{path}/"));
        let group = |(name, (state, documents)): (&String, &(Vec<u8>, Vec<Document>))| Group {
            name: name.clone(),
            documents: documents.len() as u32,
            state: state.clone(),
        };
        Ok(self.0.iter().filter(|(name, _)| is_below(name)).map(group).collect())
    }

    fn stats(&self) -> Result<Stats> {
        let documents = self.documents();
        Ok(Stats {
            groups: self.0.len(),
            documents: documents.len(),
            embedded: documents.iter().filter(|p| p.document.vector.is_some()).count(),
            bytes: 0,
        })
    }
}

fn cosine(query: Option<&[f32]>, document: &Document) -> Result<Option<f32>> {
    let (Some(query), Some(vector)) = (query, document.vector.as_deref()) else { return Ok(None) };
    if query.len() != vector.len() {
        return Err(Error::Dimension { expected: vector.len(), found: query.len() });
    }
    Ok(Some(vectors::cosine(query, vector)))
}

/// Positions of the best `depth` that have a score; of equals, those that come first.
fn best(
    candidates: &[Candidate],
    depth: usize,
    score: impl Fn(&Candidate) -> Option<f32>,
) -> Vec<usize> {
    let mut scored: Vec<(f32, usize)> = candidates
        .iter()
        .enumerate()
        .filter_map(|(at, candidate)| Some((score(candidate)?, at)))
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.into_iter().take(depth).map(|(_, at)| at).collect()
}

fn position(placed: Placed<'_>, order: &[Order]) -> Position {
    let value = |order: &Order| {
        let scalars = scalars(placed.document, &order.path);
        match order.direction {
            Direction::Ascending => scalars.min().cloned(),
            Direction::Descending => scalars.max().cloned(),
        }
    };
    let values = order.iter().map(value).collect();
    Position { values, group: placed.group.to_owned(), number: placed.number }
}

fn scalars<'a>(document: &'a Document, path: &str) -> impl Iterator<Item = &'a Value> {
    let at_path = document.values.iter().filter(move |(at, _)| at == path);
    at_path.map(|(_, value)| value).filter(|value| value.is_scalar())
}

fn compare(left: &Position, right: &Position, order: &[Order]) -> Ordering {
    for (at, order) in order.iter().enumerate() {
        let ordering = match (&left.values[at], &right.values[at]) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(left), Some(right)) if order.direction == Direction::Ascending => left.cmp(right),
            (Some(left), Some(right)) => right.cmp(left),
        };
        if ordering.is_ne() {
            return ordering;
        }
    }
    left.group.cmp(&right.group).then(left.number.cmp(&right.number))
}

fn facet(documents: &[Placed<'_>], path: &str, top: usize) -> Facet {
    let mut counts: BTreeMap<&Value, usize> = BTreeMap::new();
    for placed in documents {
        let mut values: Vec<&Value> = scalars(placed.document, path).collect();
        values.sort();
        values.dedup();
        values.into_iter().for_each(|value| *counts.entry(value).or_default() += 1);
    }
    let least = counts.keys().next().map(|value| (*value).clone());
    let greatest = counts.keys().last().map(|value| (*value).clone());
    let distinct = counts.len();
    let mut counts: Vec<(Value, usize)> =
        counts.into_iter().map(|(value, count)| (value.clone(), count)).collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    counts.truncate(top);
    Facet { top: counts, distinct, least, greatest }
}

fn stored(placed: Placed<'_>) -> Stored {
    Stored {
        group: placed.group.to_owned(),
        number: placed.number,
        heading: placed.document.heading.text().as_str().to_owned(),
        text: placed.document.text.as_str().to_owned(),
        place: placed.document.place.clone(),
        payload: placed.document.payload.clone(),
    }
}
