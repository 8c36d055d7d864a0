//! The one search function: embed the query, ask the engine, fuse, order.

use kitfox_core::{Candidate, Filter, Search, Snapshot, Stored, Text, WordQuery};
use kitfox_embed::Embedder;
use kitfox_rank::{HYBRID_DEPTH, MEANING_WEIGHT};

use crate::source::Source;
use crate::{FaceError, Faces};

/// A search of one source.
pub(crate) struct Query {
    /// Which documents may be found.
    pub filter: Filter,
    /// The word leg, if any.
    pub words: Option<WordQuery>,
    /// The meaning leg, if any.
    pub vector: Option<Vec<f32>>,
    /// How many of the best of each leg are candidates.
    pub depth: usize,
}

impl Query {
    /// Plain language, by words and, where there is a vector, by meaning.
    pub(crate) fn plain(text: &str, vector: Option<Vec<f32>>, filter: Filter) -> Query {
        let words = Some(WordQuery::Any(text.to_owned()));
        Query { filter, words, vector, depth: HYBRID_DEPTH }
    }
}

/// What a search found in one source.
pub(crate) struct Found {
    /// By group, then number.
    pub candidates: Vec<Candidate>,
    /// The fused score of each candidate.
    pub scores: Vec<f32>,
    /// Positions of the candidates, best first.
    pub order: Vec<usize>,
    /// Documents the word leg matched, found or not.
    pub matched: usize,
    /// Documents that passed the filter.
    pub filtered: usize,
}

/// A source and the state of its index that one answer is made from.
pub(crate) struct Opened<'a> {
    pub source: &'a Source,
    snapshot: Box<dyn Snapshot>,
}

impl<'a> Opened<'a> {
    /// Takes the last committed state.
    pub(crate) fn new(source: &'a Source) -> Result<Opened<'a>, FaceError> {
        let snapshot = source.engine.snapshot();
        Ok(Opened { source, snapshot: snapshot.map_err(|e| FaceError::engine(&source.name, &e))? })
    }

    /// Asks the snapshot something.
    pub(crate) fn ask<T>(
        &self,
        question: impl FnOnce(&dyn Snapshot) -> kitfox_core::Result<T>,
    ) -> Result<T, FaceError> {
        question(self.snapshot.as_ref()).map_err(|e| FaceError::engine(&self.source.name, &e))
    }

    /// The search every face uses.
    pub(crate) fn search(&self, query: Query) -> Result<Found, FaceError> {
        let Query { filter, words, vector, depth } = query;
        let search = Search { filter, words, vector, depth };
        let found = self.ask(|snapshot| snapshot.search(&search))?;
        let scores = kitfox_rank::fuse(&found.candidates, MEANING_WEIGHT);
        let order = kitfox_rank::order(&scores);
        let kitfox_core::Candidates { candidates, matched, filtered } = found;
        Ok(Found { order, scores, matched, filtered, candidates })
    }

    /// The stored documents of candidates, in this order.
    pub(crate) fn fetch<'c>(
        &self,
        candidates: impl IntoIterator<Item = &'c Candidate>,
    ) -> Result<Vec<Stored>, FaceError> {
        let addresses: Vec<_> = candidates.into_iter().map(|c| c.address).collect();
        self.ask(|snapshot| snapshot.fetch(&addresses))
    }
}

impl Faces {
    /// The vector of a query in plain language; none where the embedder cannot read it.
    pub(crate) fn embed(&self, query: &str) -> Option<Vec<f32>> {
        let embedder: &dyn Embedder = self.embedder.as_ref();
        embedder.embed(&[&Text::new(query)])
    }
}

/// A page size within its bounds.
pub(crate) fn page_size(limit: Option<usize>, default: usize) -> Result<usize, FaceError> {
    const MOST: usize = 50;
    match limit {
        None => Ok(default.clamp(1, MOST)),
        Some(limit) if (1..=MOST).contains(&limit) => Ok(limit),
        Some(limit) => Err(FaceError::limit(limit, MOST)),
    }
}
