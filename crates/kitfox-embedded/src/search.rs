//! The two legs of a search, and what became of them in each segment.

use fixedbitset::FixedBitSet;
use kitfox_core::{Address, Candidate, Candidates, Search, Selection, WordQuery};
use tantivy::query::{EnableScoring, Weight};
use tantivy::{DocId, Score, Searcher};

use crate::schema::Fields;
use crate::segment::Segment;
use crate::vectors;
use crate::{filter, query};

/// What a search looks through: one commit.
#[derive(Clone, Copy)]
pub(crate) struct Corpus<'a> {
    pub searcher: &'a Searcher,
    pub fields: &'a Fields,
    pub segments: &'a [Segment],
}

impl Corpus<'_> {
    /// Runs both legs.
    pub fn search(self, search: &Search) -> tantivy::Result<Candidates> {
        let vector = search.vector.as_deref().map(vectors::Query::new);
        let scoring = EnableScoring::enabled_from_searcher(self.searcher);
        let words = search.words.as_ref().map(|words| self.weight(words, scoring)).transpose()?;
        let legs = self
            .segments
            .iter()
            .map(|segment| Legs::run(segment, search, words.as_deref(), vector.as_ref()))
            .collect::<tantivy::Result<Vec<Legs>>>()?;
        let mut candidates = Vec::new();
        let best = self.best_of_both(&legs, search.depth)?;
        for best in best.chunk_by(|a, b| a.0 == b.0) {
            let (ordinal, _) = best[0];
            let documents: Vec<DocId> = best.iter().map(|&(_, document)| document).collect();
            let segment = Found { ordinal, segment: &self.segments[ordinal], legs: &legs[ordinal] };
            candidates.extend(segment.candidates(documents, search, vector.as_ref())?);
        }
        // Those of a segment are in order: a stable sort only merges them.
        candidates.sort_by(|a, b| (&a.group, a.number).cmp(&(&b.group, b.number)));
        let limit = |words| query::limit(words, self.fields, self.searcher);
        Ok(Candidates {
            bm25_limit: search.words.as_ref().map_or(Ok(0.0), limit)?,
            candidates,
            matched: legs.iter().map(|legs| legs.words.len()).sum(),
            filtered: legs.iter().map(|legs| legs.filtered).sum(),
        })
    }

    /// For each segment, the documents of a selection.
    pub fn select(self, selection: &Selection) -> tantivy::Result<Vec<FixedBitSet>> {
        let scoring = EnableScoring::disabled_from_searcher(self.searcher);
        let words =
            selection.words.as_ref().map(|words| self.weight(words, scoring)).transpose()?;
        let select = |segment: &Segment| {
            let mut found = filter::accepted(&selection.filter, segment)?;
            if let Some(weight) = &words {
                let mut matching = FixedBitSet::with_capacity(found.len());
                weight.for_each_no_score(&segment.reader, &mut |documents| {
                    documents.iter().for_each(|&document| matching.insert(document as usize));
                })?;
                found.intersect_with(&matching);
            }
            Ok(found)
        };
        self.segments.iter().map(select).collect()
    }

    /// A word query for all segments, with the statistics of the whole index where it scores.
    fn weight(
        self,
        words: &WordQuery,
        scoring: EnableScoring<'_>,
    ) -> tantivy::Result<Box<dyn Weight>> {
        query::translate(words, self.fields, self.searcher)?.weight(scoring)
    }

    /// The union of the best `depth` of each leg over all segments, as (segment, document).
    fn best_of_both(self, legs: &[Legs], depth: usize) -> tantivy::Result<Vec<(usize, DocId)>> {
        let mut union = self.best(legs, depth, |legs| &legs.words)?;
        union.extend(self.best(legs, depth, |legs| &legs.near)?);
        union.sort_unstable();
        union.dedup();
        Ok(union)
    }

    /// The best `depth` of one leg; of equals at the edge, those whose group and number come first.
    fn best(
        self,
        legs: &[Legs],
        depth: usize,
        leg: fn(&Legs) -> &Vec<(DocId, Score)>,
    ) -> tantivy::Result<Vec<(usize, DocId)>> {
        let mut all: Vec<(Score, usize, DocId)> = Vec::new();
        for (ordinal, legs) in legs.iter().enumerate() {
            all.extend(leg(legs).iter().map(|&(document, score)| (score, ordinal, document)));
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

/// A segment with what the legs found in it.
struct Found<'a> {
    ordinal: usize,
    segment: &'a Segment,
    legs: &'a Legs,
}

impl Found<'_> {
    /// Documents of the segment as candidates, by group and number.
    fn candidates(
        &self,
        mut documents: Vec<DocId>,
        search: &Search,
        vector: Option<&vectors::Query>,
    ) -> tantivy::Result<Vec<Candidate>> {
        let Found { ordinal, segment, legs } = *self;
        documents.sort_by_cached_key(|&document| segment.rank(document));
        let groups = segment.groups_of(&documents)?;
        let marks = search.marks.iter().map(|mark| filter::passing(mark, segment));
        let marks = marks.collect::<tantivy::Result<Vec<FixedBitSet>>>()?;
        let candidate = |(&document, group)| Candidate {
            address: Address { segment: ordinal as u32, document },
            group,
            number: segment.number(document),
            bm25: legs.bm25(document),
            cosine: vector.and_then(|vector| segment.vectors.cosine(document, vector)),
            marks: marks.iter().map(|mark| mark.contains(document as usize)).collect(),
        };
        Ok(documents.iter().zip(groups).map(candidate).collect())
    }
}

/// What both legs found in one segment.
struct Legs {
    /// Every accepted document the words match, with its score, in document order.
    words: Vec<(DocId, Score)>,
    /// The nearest accepted documents with their cosines.
    near: Vec<(DocId, Score)>,
    /// How many documents passed the filter.
    filtered: usize,
}

impl Legs {
    fn run(
        segment: &Segment,
        search: &Search,
        words: Option<&dyn Weight>,
        vector: Option<&vectors::Query>,
    ) -> tantivy::Result<Legs> {
        let accepted = filter::accepted(&search.filter, segment)?;
        let is_accepted = |document: DocId| accepted.contains(document as usize);
        let mut found = Vec::new();
        if let Some(weight) = words {
            weight.for_each(&segment.reader, &mut |document, score| {
                if is_accepted(document) {
                    found.push((document, score));
                }
            })?;
        }
        let rank = |document| segment.rank(document);
        let near =
            vector.map(|vector| segment.vectors.scan(vector, search.depth, is_accepted, rank));
        let filtered = accepted.count_ones(..);
        Ok(Legs { words: found, near: near.unwrap_or_default(), filtered })
    }

    /// The score of the words; 0 where they do not match.
    fn bm25(&self, document: DocId) -> Score {
        let found = self.words.binary_search_by_key(&document, |(document, _)| *document);
        found.map_or(0.0, |at| self.words[at].1)
    }
}
