//! Asks two snapshots the same and compares what they say.

use std::collections::BTreeMap;

use kitfox_core::{Candidates, Position, Row, Scan, Search, Snapshot, Start, WordPattern};

use crate::random::{PATHS, Random};

/// BM25 may differ by the order in which it is added up.
const TOLERANCE: f32 = 1e-4;

/// Whether scores of words are compared too, or only what matches: an engine may still count what
/// was removed until it was compacted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scores {
    Compared,
    Ignored,
}

/// Two snapshots that must agree; counts the comparisons.
pub(crate) struct Pair<'a> {
    pub subject: &'a dyn Snapshot,
    pub oracle: &'a dyn Snapshot,
    pub comparisons: &'a mut usize,
}

impl Pair<'_> {
    /// Groups, their states and documents.
    pub fn content(&mut self) {
        let groups = self.oracle.groups().unwrap();
        self.same(self.subject.groups().unwrap(), groups.clone(), &"groups");
        for group in &groups {
            let name = group.name.as_str();
            self.same(self.subject.state(name).unwrap(), Some(group.state.clone()), &name);
            self.same(self.subject.group(name).unwrap(), self.oracle.group(name).unwrap(), &name);
        }
        for path in ["", "a", "a/b", "b", "nowhere"] {
            let below = self.oracle.groups_below(path).unwrap();
            self.same(self.subject.groups_below(path).unwrap(), below, &path);
        }
        let (mut stats, expected) = (self.subject.stats().unwrap(), self.oracle.stats().unwrap());
        stats.bytes = 0;
        self.same(stats, expected, &"stats");
    }

    /// One random question of each kind.
    pub fn questions(&mut self, random: &mut Random, scores: Scores) {
        let selection = random.selection();
        let count = self.oracle.count(&selection).unwrap();
        self.same(self.subject.count(&selection).unwrap(), count, &selection);
        let facets = self.oracle.facets(&selection, PATHS, 3).unwrap();
        self.same(self.subject.facets(&selection, PATHS, 3).unwrap(), facets, &selection);
        self.pages(&random.scan());
        let word = random.misspelling();
        let lexicon = random.lexicon();
        let near = self.oracle.spellings(&word, &lexicon).unwrap();
        let found = self.subject.spellings(&word, &lexicon).unwrap();
        let has_all = near.iter().all(|near| found.contains(near));
        self.same(has_all && (scores == Scores::Ignored || found == near), true, &word);
        self.search(&random.search(), scores);
    }

    /// Page after page, from the first to the last and back, and from where nothing is.
    fn pages(&mut self, scan: &Scan) {
        let mut last = None;
        let mut start = Start::First;
        while let Some(page) = self.page(scan, start) {
            start = Start::After(page[page.len() - 1].clone());
            last = page.into_iter().next_back();
        }
        let Some(mut position) = last else { return };
        let mut start = Start::Before(position.clone());
        while let Some(page) = self.page(scan, start) {
            start = Start::Before(page[0].clone());
        }
        position.group.push('!');
        self.page(scan, Start::After(position.clone()));
        self.page(scan, Start::Before(position));
    }

    /// The positions of a page; none where it is empty.
    fn page(&mut self, scan: &Scan, start: Start) -> Option<Vec<Position>> {
        let scan = Scan { start, ..scan.clone() };
        let expected = self.oracle.scan(&scan).unwrap();
        let page = positions(&expected);
        let found = self.subject.scan(&scan).unwrap();
        self.same(positions(&found), page.clone(), &scan);
        self.fetched(&found, &expected);
        (!page.is_empty()).then_some(page)
    }

    fn fetched(&mut self, rows: &[Row], expected: &[Row]) {
        let addresses: Vec<_> = rows.iter().map(|row| row.address).collect();
        let fetched = self.subject.fetch(&addresses).unwrap();
        for (row, stored) in rows.iter().zip(fetched) {
            let is_it =
                (&stored.group, stored.number) == (&row.position.group, row.position.number);
            self.same(is_it, true, row);
        }
        let expected: Vec<_> = expected.iter().map(|row| row.address).collect();
        let expected = self.oracle.vectors(&expected).unwrap();
        let found = self.subject.vectors(&addresses).unwrap();
        for ((row, found), expected) in rows.iter().zip(found).zip(expected) {
            let is_near = |(a, b): (&f32, &f32)| (a - b).abs() < TOLERANCE;
            let is_same = match (&found, &expected) {
                (Some(found), Some(expected)) => found.iter().zip(expected).all(is_near),
                _ => found == expected,
            };
            self.same(is_same, true, row);
        }
    }

    fn search(&mut self, search: &Search, scores: Scores) {
        // All matches first; what comes first among them depends on scores.
        let all = Search { depth: 1000, ..search.clone() };
        let expected = self.oracle.search(&all).unwrap();
        self.candidates(&self.subject.search(&all).unwrap(), &expected, &all, scores);
        if search.words.is_none() {
            let expected = self.oracle.search(search).unwrap();
            self.candidates(&self.subject.search(search).unwrap(), &expected, search, scores);
        }
        self.second_look(search);
    }

    /// A search that looks twice is two searches.
    fn second_look(&mut self, search: &Search) {
        let first = Search { depth: 2, ..search.clone() };
        let first = self.subject.search(&first).unwrap();
        let moved = first.candidates.last().and_then(|candidate| {
            self.subject.vectors(&[candidate.address]).unwrap().into_iter().flatten().next()
        });
        let vector = moved.clone().or_else(|| search.vector.clone());
        let expected = self.subject.search(&Search { vector, ..search.clone() }).unwrap();
        let mut seen = Vec::new();
        let mut moving = |candidates: &[kitfox_core::Candidate]| {
            seen = candidates.to_vec();
            Ok(moved.clone())
        };
        let found = self.subject.search_twice(search, 2, &mut moving).unwrap();
        self.same(found, expected, search);
        self.same(seen, first.candidates, search);
    }

    fn candidates(
        &mut self,
        found: &Candidates,
        expected: &Candidates,
        search: &Search,
        scores: Scores,
    ) {
        let counts = |found: &Candidates| (found.matched, found.filtered);
        self.same(counts(found), counts(expected), search);
        type Scored = BTreeMap<(String, u32), (bool, Option<u32>, Vec<bool>)>;
        let scored = |found: &Candidates| -> Scored {
            let key = |c: &kitfox_core::Candidate| (c.group.clone(), c.number);
            let value = |c: &kitfox_core::Candidate| {
                (c.bm25 > 0.0, c.cosine.map(f32::to_bits), c.marks.clone())
            };
            found.candidates.iter().map(|c| (key(c), value(c))).collect()
        };
        self.same(scored(found), scored(expected), search);
        let within = |found: &Candidates| {
            found.candidates.iter().all(|c| c.bm25 <= found.bm25_limit * (1.0 + TOLERANCE))
        };
        self.same(within(found), true, search);
        let pattern = search.words.as_ref().map(|words| &words.pattern);
        let is_ranked = matches!(pattern, Some(WordPattern::Any(_)));
        if scores == Scores::Ignored || !is_ranked {
            return;
        }
        for (found, expected) in found.candidates.iter().zip(&expected.candidates) {
            let near = (found.bm25 - expected.bm25).abs() <= TOLERANCE * expected.bm25.max(1.0);
            assert!(near, "{} is not {} for {search:?}", found.bm25, expected.bm25);
            *self.comparisons += 1;
        }
    }

    #[track_caller]
    fn same<T: PartialEq + std::fmt::Debug>(
        &mut self,
        found: T,
        expected: T,
        question: &dyn std::fmt::Debug,
    ) {
        assert_eq!(found, expected, "found and expected differ for {question:?}");
        *self.comparisons += 1;
    }
}

fn positions(rows: &[Row]) -> Vec<Position> {
    rows.iter().map(|row| row.position.clone()).collect()
}
