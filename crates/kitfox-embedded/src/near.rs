//! Phrases near one another, or at the beginning, in one field. (tantivy's slop counts otherwise.)

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use kitfox_core::Phrase;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::query::{Bm25Weight, EmptyScorer, EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{
    DocId, DocSet, InvertedIndexReader, Score, SegmentReader, TERMINATED, TantivyError, Term,
};

/// Finds the documents in whose field all phrases are near one another, as [`kitfox_core::Near`]
/// says. The words of the phrases, of which none is empty, are folded.
#[derive(Clone, Debug)]
pub(crate) struct NearQuery {
    field: Field,
    phrases: Vec<Phrase>,
    within: u32,
}

impl NearQuery {
    pub fn new(field: Field, phrases: Vec<Phrase>, within: u32) -> NearQuery {
        NearQuery { field, phrases, within }
    }
}

impl Query for NearQuery {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        let terms = self.phrases.iter().flat_map(|phrase| &phrase.terms);
        let exact: Vec<Term> = terms
            .filter(|term| !term.is_prefix)
            .map(|term| Term::from_field_text(self.field, &term.word))
            .collect();
        let bm25 = match scoring {
            EnableScoring::Enabled { statistics_provider, .. } if !exact.is_empty() => {
                Some(Bm25Weight::for_terms(statistics_provider, &exact)?)
            }
            _ => None,
        };
        Ok(Box::new(NearWeight { query: self.clone(), bm25 }))
    }
}

struct NearWeight {
    query: NearQuery,
    /// None where nothing is scored, or nothing but prefixes is looked for.
    bm25: Option<Bm25Weight>,
}

impl NearWeight {
    fn near_scorer(&self, reader: &SegmentReader) -> tantivy::Result<Option<NearScorer>> {
        let NearQuery { field, phrases, within } = &self.query;
        let inverted = reader.inverted_index(*field)?;
        let open = |phrase| PhrasePostings::open(phrase, *field, &inverted);
        let phrases = phrases.iter().map(open).collect::<tantivy::Result<Option<Vec<_>>>>()?;
        let Some(phrases) = phrases else { return Ok(None) };
        let norms = reader.fieldnorms_readers().get_field(*field)?;
        let norms = norms.unwrap_or_else(|| FieldNormReader::constant(reader.max_doc(), 1));
        let (bm25, within) = (self.bm25.clone(), *within);
        let mut scorer = NearScorer { phrases, within, bm25, norms, document: 0, found: 0 };
        scorer.find(0);
        Ok(Some(scorer))
    }
}

impl Weight for NearWeight {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let Some(mut scorer) = self.near_scorer(reader)? else { return Ok(Box::new(EmptyScorer)) };
        scorer.bm25 = scorer.bm25.map(|bm25| bm25.boost_by(boost));
        Ok(Box::new(scorer))
    }

    fn explain(&self, reader: &SegmentReader, document: DocId) -> tantivy::Result<Explanation> {
        let mut scorer = self.scorer(reader, 1.0)?;
        if scorer.doc() > document || scorer.seek(document) != document {
            let message = format!("{document} does not match");
            return Err(TantivyError::InvalidArgument(message));
        }
        Ok(Explanation::new("phrases near one another", scorer.score()))
    }
}

struct NearScorer {
    phrases: Vec<PhrasePostings>,
    within: u32,
    bm25: Option<Bm25Weight>,
    norms: FieldNormReader,
    document: DocId,
    /// How often the phrases stand near one another in the document.
    found: u32,
}

impl NearScorer {
    /// Goes to the first document from `target` on that matches.
    fn find(&mut self, mut target: DocId) -> DocId {
        loop {
            self.document = self.with_all_words(target);
            if self.document == TERMINATED {
                return TERMINATED;
            }
            self.found = self.found_here();
            if self.found > 0 {
                return self.document;
            }
            target = self.document + 1;
        }
    }

    /// The first document from `target` on that has every word.
    fn with_all_words(&mut self, mut target: DocId) -> DocId {
        loop {
            let mut furthest = target;
            for word in self.phrases.iter_mut().flat_map(|phrase| &mut phrase.words) {
                furthest = word.seek(furthest);
            }
            if furthest == target {
                return target;
            }
            target = furthest;
        }
    }

    /// How many phrases in the document are the last of phrases near one another.
    fn found_here(&mut self) -> u32 {
        let mut lasts = Vec::new();
        for phrase in &mut self.phrases {
            phrase.read_starts();
            lasts.extend_from_slice(&phrase.starts);
        }
        lasts.sort_unstable();
        lasts.dedup();
        let are_near =
            |&last: &u32| self.phrases.iter().all(|phrase| phrase.stands_before(last, self.within));
        lasts.iter().filter(|last| are_near(last)).count() as u32
    }
}

impl DocSet for NearScorer {
    fn advance(&mut self) -> DocId {
        match self.document {
            TERMINATED => TERMINATED,
            document => self.find(document + 1),
        }
    }

    fn seek(&mut self, target: DocId) -> DocId {
        if target > self.document { self.find(target) } else { self.document }
    }

    fn doc(&self) -> DocId {
        self.document
    }

    fn size_hint(&self) -> u32 {
        let words = self.phrases.iter().flat_map(|phrase| &phrase.words);
        words.map(WordPostings::size_hint).min().unwrap_or(0)
    }
}

impl Scorer for NearScorer {
    fn score(&mut self) -> Score {
        let norm = self.norms.fieldnorm_id(self.document);
        self.bm25.as_ref().map_or(1.0, |bm25| bm25.score(norm, self.found))
    }
}

/// Where the words of a phrase are.
struct PhrasePostings {
    words: Vec<WordPostings>,
    is_first: bool,
    /// Where the phrase begins in the document, ascending.
    starts: Vec<u32>,
}

impl PhrasePostings {
    /// None where one of the words is nowhere.
    fn open(
        phrase: &Phrase,
        field: Field,
        inverted: &InvertedIndexReader,
    ) -> tantivy::Result<Option<PhrasePostings>> {
        let mut words = Vec::new();
        for term in &phrase.terms {
            let postings = match term.is_prefix {
                true => beginning_with(&term.word, inverted)?,
                false => {
                    let term = Term::from_field_text(field, &term.word);
                    let option = IndexRecordOption::WithFreqsAndPositions;
                    inverted.read_postings(&term, option)?.into_iter().collect()
                }
            };
            if postings.is_empty() {
                return Ok(None);
            }
            words.push(WordPostings::new(postings));
        }
        Ok(Some(PhrasePostings { words, is_first: phrase.is_first, starts: Vec::new() }))
    }

    /// Looks where the phrase begins in the document all its words are at.
    fn read_starts(&mut self) {
        let PhrasePostings { words, is_first, starts } = self;
        let mut positions = Vec::new();
        for (word, offset) in words.iter_mut().zip(0..) {
            if offset == 0 {
                word.read_positions(starts);
                starts.retain(|&start| !*is_first || start == 0);
            } else {
                word.read_positions(&mut positions);
                starts.retain(|start| positions.binary_search(&(start + offset)).is_ok());
            }
        }
    }

    /// Whether the phrase begins at `last` or before, and ends at most `within` words before it.
    fn stands_before(&self, last: u32, within: u32) -> bool {
        let first = last.saturating_sub(within).saturating_sub(self.words.len() as u32);
        let at = self.starts.partition_point(|&start| start < first);
        self.starts.get(at).is_some_and(|&start| start <= last)
    }
}

/// The postings of all words that begin with a prefix.
fn beginning_with(
    prefix: &str,
    inverted: &InvertedIndexReader,
) -> tantivy::Result<Vec<SegmentPostings>> {
    let mut postings = Vec::new();
    let mut words = inverted.terms().range().ge(prefix.as_bytes()).into_stream()?;
    while words.advance() && words.key().starts_with(prefix.as_bytes()) {
        let option = IndexRecordOption::WithFreqsAndPositions;
        postings.push(inverted.read_postings_from_terminfo(words.value(), option)?);
    }
    Ok(postings)
}

/// Where a word is, or any of several.
struct WordPostings {
    postings: Vec<SegmentPostings>,
    /// Those that are not at their end, by document; the number is that in `postings`.
    next: BinaryHeap<Reverse<(DocId, usize)>>,
}

impl WordPostings {
    fn new(postings: Vec<SegmentPostings>) -> WordPostings {
        let next = postings.iter().enumerate().map(|(at, posting)| Reverse((posting.doc(), at)));
        WordPostings { next: next.collect(), postings }
    }

    /// Goes to the first document from `target` on; never back.
    fn seek(&mut self, target: DocId) -> DocId {
        while let Some(mut next) = self.next.peek_mut() {
            let Reverse((document, at)) = *next;
            if document >= target {
                return document;
            }
            match self.postings[at].seek(target) {
                TERMINATED => drop(PeekMut::pop(next)),
                document => next.0.0 = document,
            }
        }
        TERMINATED
    }

    /// Positions in the document it is at, ascending.
    fn read_positions(&mut self, positions: &mut Vec<u32>) {
        positions.clear();
        let Some(&Reverse((document, _))) = self.next.peek() else { return };
        let mut some = Vec::new();
        for &Reverse((at_document, at)) in &self.next {
            if at_document == document {
                self.postings[at].positions(&mut some);
                positions.extend_from_slice(&some);
            }
        }
        positions.sort_unstable();
    }

    fn size_hint(&self) -> u32 {
        self.postings.iter().map(DocSet::size_hint).fold(0, u32::saturating_add)
    }
}
