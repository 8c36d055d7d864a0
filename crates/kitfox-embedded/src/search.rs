//! The two legs of a search, and what becomes of them in each segment.

use fixedbitset::FixedBitSet;
use kitfox_core::{Address, Candidate, Candidates, Filter, Search, Selection, WordQuery};
use rayon::prelude::*;
use tantivy::query::{EnableScoring, Weight};
use tantivy::{DocId, Score, Searcher};

use crate::schema::Fields;
use crate::segment::Segment;
use crate::vectors;
use crate::{filter, query};

/// Documents of an index from which on its segments are searched at the same time. Waking up a thread
/// takes about as long as searching a thousand documents.
const MANY_DOCUMENTS: u64 = 100_000;

/// What a search looks through: one commit.
#[derive(Clone, Copy)]
pub(crate) struct Corpus<'a> {
    pub searcher: &'a Searcher,
    pub fields: &'a Fields,
    pub segments: &'a [Segment],
}

impl Corpus<'_> {
    /// What passes the filter of a search and what of it the words match, for each segment.
    pub fn matching(self, search: &Search) -> tantivy::Result<Vec<Matching>> {
        let scoring = EnableScoring::enabled_from_searcher(self.searcher);
        let words = search.words.as_ref().map(|words| self.weight(words, scoring)).transpose()?;
        self.each(|_, segment| Matching::of(segment, &search.filter, words.as_deref()))
    }

    /// The best `depth` of what matches by its words and of what is nearest to the vector.
    pub fn candidates(
        self,
        search: &Search,
        matching: &[Matching],
        vector: Option<&vectors::Query>,
        depth: usize,
    ) -> tantivy::Result<Candidates> {
        let near = self.each(|ordinal, segment| {
            Ok(vector
                .map_or_else(Vec::new, |vector| matching[ordinal].near(segment, vector, depth)))
        })?;
        let near: Vec<&[(DocId, Score)]> = near.iter().map(Vec::as_slice).collect();
        let words: Vec<&[(DocId, Score)]> = matching.iter().map(|it| &*it.words).collect();
        let mut best: Vec<Vec<DocId>> = vec![Vec::new(); self.segments.len()];
        for (ordinal, document) in
            self.best(&words, depth)?.into_iter().chain(self.best(&near, depth)?)
        {
            best[ordinal].push(document);
        }
        let found = self.each(|ordinal, segment| {
            let found = Found { ordinal, segment, matching: &matching[ordinal] };
            found.candidates(best[ordinal].clone(), search, vector)
        })?;
        let mut candidates: Vec<Candidate> = found.into_iter().flatten().collect();
        // Those of a segment are in order: a stable sort only merges them.
        candidates.sort_by(|a, b| (&a.group, a.number).cmp(&(&b.group, b.number)));
        let limit = |words| query::limit(words, self.fields, self.searcher);
        Ok(Candidates {
            bm25_limit: search.words.as_ref().map_or(Ok(0.0), limit)?,
            candidates,
            matched: matching.iter().map(|matching| matching.words.len()).sum(),
            filtered: matching.iter().map(|matching| matching.accepted.count_ones(..)).sum(),
        })
    }

    /// Does something with each segment, at the same time where that is worth waking up others for.
    fn each<T: Send>(
        self,
        work: impl Fn(usize, &Segment) -> tantivy::Result<T> + Sync,
    ) -> tantivy::Result<Vec<T>> {
        if self.searcher.num_docs() < MANY_DOCUMENTS {
            return self.segments.iter().enumerate().map(|(at, it)| work(at, it)).collect();
        }
        self.segments.par_iter().enumerate().map(|(at, it)| work(at, it)).collect()
    }

    /// For each segment, the documents of a selection.
    pub fn select(self, selection: &Selection) -> tantivy::Result<Vec<FixedBitSet>> {
        let scoring = EnableScoring::disabled_from_searcher(self.searcher);
        let words =
            selection.words.as_ref().map(|words| self.weight(words, scoring)).transpose()?;
        self.each(|_, segment| {
            let mut found = filter::accepted(&selection.filter, segment)?;
            if let Some(weight) = &words {
                let mut matching = FixedBitSet::with_capacity(found.len());
                weight.for_each_no_score(&segment.reader, &mut |documents| {
                    documents.iter().for_each(|&document| matching.insert(document as usize));
                })?;
                found.intersect_with(&matching);
            }
            Ok(found)
        })
    }

    /// A word query for all segments, with the statistics of the whole index where it scores.
    fn weight(
        self,
        words: &WordQuery,
        scoring: EnableScoring<'_>,
    ) -> tantivy::Result<Box<dyn Weight>> {
        query::translate(words, self.fields, self.searcher)?.weight(scoring)
    }

    /// The best `depth` of what one leg found in each segment, as (segment, document); of equals at
    /// the edge, those whose group and number come first.
    fn best(
        self,
        found: &[&[(DocId, Score)]],
        depth: usize,
    ) -> tantivy::Result<Vec<(usize, DocId)>> {
        let mut all: Vec<(Score, usize, DocId)> = Vec::new();
        for (ordinal, found) in found.iter().enumerate() {
            all.extend(found.iter().map(|&(document, score)| (score, ordinal, document)));
        }
        if all.len() > depth {
            self.keep_best(&mut all, depth)?;
        }
        Ok(all.into_iter().map(|(_, ordinal, document)| (ordinal, document)).collect())
    }

    fn keep_best(self, all: &mut Vec<(Score, usize, DocId)>, depth: usize) -> tantivy::Result<()> {
        let Some(last) = depth.checked_sub(1) else {
            all.clear();
            return Ok(());
        };
        let (_, &mut (edge, ..), _) = all.select_nth_unstable_by(last, |a, b| b.0.total_cmp(&a.0));
        let equals = all.iter().filter(|found| found.0 == edge).count();
        let better = all.iter().filter(|found| found.0 > edge).count();
        if better + equals == depth {
            all.truncate(depth);
            return Ok(());
        }
        let mut tied = Vec::with_capacity(equals);
        for &(_, ordinal, document) in all.iter().filter(|found| found.0 == edge) {
            let segment = &self.segments[ordinal];
            tied.push((segment.group(document)?, segment.number(document), ordinal, document));
        }
        tied.sort_unstable();
        all.retain(|found| found.0 > edge);
        let first = tied.into_iter().take(depth - better);
        all.extend(first.map(|(_, _, ordinal, document)| (edge, ordinal, document)));
        Ok(())
    }
}

/// A segment with what matches in it.
struct Found<'a> {
    ordinal: usize,
    segment: &'a Segment,
    matching: &'a Matching,
}

impl Found<'_> {
    /// Documents of the segment as candidates, each once, by group and number.
    fn candidates(
        &self,
        mut documents: Vec<DocId>,
        search: &Search,
        vector: Option<&vectors::Query>,
    ) -> tantivy::Result<Vec<Candidate>> {
        let Found { ordinal, segment, matching } = *self;
        documents.sort_by_cached_key(|&document| segment.rank(document));
        documents.dedup();
        let groups = segment.groups_of(&documents)?;
        let marks = search.marks.iter().map(|mark| filter::passing(mark, segment));
        let marks = marks.collect::<tantivy::Result<Vec<FixedBitSet>>>()?;
        let candidate = |(&document, group)| Candidate {
            address: Address { segment: ordinal as u32, document },
            group,
            number: segment.number(document),
            bm25: matching.bm25(document),
            cosine: vector.and_then(|vector| segment.vectors.cosine(document, vector)),
            marks: marks.iter().map(|mark| mark.contains(document as usize)).collect(),
        };
        Ok(documents.iter().zip(groups).map(candidate).collect())
    }
}

/// What a search may find in one segment, whatever its vector.
pub(crate) struct Matching {
    /// The documents that pass the filter.
    accepted: FixedBitSet,
    /// Those of them that the words match, each with its score, in document order.
    words: Vec<(DocId, Score)>,
}

impl Matching {
    fn of(
        segment: &Segment,
        filter: &Filter,
        words: Option<&dyn Weight>,
    ) -> tantivy::Result<Matching> {
        let accepted = filter::accepted(filter, segment)?;
        let mut found = Vec::new();
        if let Some(weight) = words {
            weight.for_each(&segment.reader, &mut |document, score| {
                if accepted.contains(document as usize) {
                    found.push((document, score));
                }
            })?;
        }
        Ok(Matching { accepted, words: found })
    }

    /// The nearest accepted documents with their cosines.
    fn near(
        &self,
        segment: &Segment,
        vector: &vectors::Query,
        depth: usize,
    ) -> Vec<(DocId, Score)> {
        segment.vectors.scan(vector, depth, &self.accepted, |document| segment.rank(document))
    }

    /// The score of the words; 0 where they do not match.
    fn bm25(&self, document: DocId) -> Score {
        let found = self.words.binary_search_by_key(&document, |(document, _)| *document);
        found.map_or(0.0, |at| self.words[at].1)
    }
}
