//! The one search function: embed the query, ask the engine, fuse, order.

use kitfox_core::{Candidate, Candidates, Filter, Search, Snapshot, Stored, Text, WordQuery};
use kitfox_embed::Embedder;
use kitfox_rank::{
    CandidateFile, CodeQuery, HYBRID_DEPTH, MEANING_WEIGHT, PageQuery, Ranked, Reasons,
};

use crate::limits;
use crate::source::Source;
use crate::{FaceError, Faces, Kind};

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
        let words = Some(WordQuery::any(text.to_owned()));
        Query { filter, words, vector, depth: HYBRID_DEPTH }
    }
}

/// How the candidates of a search are put in order.
#[derive(Clone, Copy)]
pub(crate) enum Ranking<'q> {
    /// By the scores of the legs alone.
    Legs,
    /// As passages of code, and of what lies beside it.
    Code(&'q CodeQuery),
    /// As chunks of pages.
    Pages(&'q PageQuery),
}

impl Ranking<'_> {
    fn marks(self) -> Vec<Filter> {
        match self {
            Ranking::Legs | Ranking::Pages(_) => Vec::new(),
            Ranking::Code(query) => query.marks(),
        }
    }
}

/// What a search found in all the sources it was put to.
#[derive(Default)]
pub(crate) struct Found<'a> {
    /// The source of each candidate.
    pub owners: Vec<&'a Opened<'a>>,
    /// By source, then group, then number.
    pub candidates: Vec<Candidate>,
    /// The score of each candidate.
    pub scores: Vec<f32>,
    /// How each got its score.
    pub reasons: Vec<Reasons>,
    /// Positions of the candidates, best first.
    pub order: Vec<usize>,
    /// Documents the word leg matched, found or not.
    pub matched: usize,
    /// Documents that passed the filter.
    pub filtered: usize,
    /// What no BM25 of the words can reach.
    pub bm25_limit: f32,
    /// Factor of each further passage of a file.
    further: f32,
}

/// The search of every face and of the command line. The candidates of all sources are fused
/// together: scores scaled source by source would make the best of each source equal, however far
/// it is from the query.
pub(crate) fn search<'a>(
    asked: impl IntoIterator<Item = (&'a Opened<'a>, Query)>,
    ranking: Ranking<'_>,
) -> Result<Found<'a>, FaceError> {
    let mut found = Found::default();
    for (source, Query { filter, words, vector, depth }) in asked {
        let search = Search { filter, words, vector, depth, marks: ranking.marks() };
        let Candidates { candidates, matched, filtered, bm25_limit } =
            source.ask(|snapshot| snapshot.search(&search))?;
        found.owners.extend(std::iter::repeat_n(source, candidates.len()));
        found.candidates.extend(candidates);
        found.matched += matched;
        found.filtered += filtered;
        found.bm25_limit = found.bm25_limit.max(bm25_limit);
    }
    found.rank(ranking);
    Ok(found)
}

impl Found<'_> {
    fn rank(&mut self, ranking: Ranking<'_>) {
        match ranking {
            Ranking::Legs => {
                let legs = kitfox_rank::fuse(&self.candidates, MEANING_WEIGHT);
                self.reasons = legs.into_iter().map(Reasons::from).collect();
                self.further = kitfox_rank::FURTHER_PASSAGE;
            }
            Ranking::Pages(query) => {
                let files = self.files();
                self.reasons = kitfox_rank::rank_pages(query, &self.candidates, &files);
                self.further = kitfox_rank::FURTHER_PASSAGE;
            }
            Ranking::Code(query) => {
                let files = self.files();
                self.reasons = kitfox_rank::rank_code(query, &self.candidates, &files);
                self.further = kitfox_rank::FURTHER_PASSAGE_OF_CODE;
            }
        }
        self.scores = self.reasons.iter().map(Reasons::score).collect();
        self.order = kitfox_rank::order(&self.scores);
    }

    /// The files of the candidates.
    fn files(&self) -> Vec<CandidateFile> {
        let mut files: Vec<CandidateFile> = Vec::new();
        for at in 0..self.candidates.len() {
            match files.last_mut() {
                Some(last) if self.file(at) == self.file(last.candidates.start) => {
                    last.candidates.end = at + 1;
                }
                _ => files.push(CandidateFile {
                    candidates: at..at + 1,
                    is_code: self.owners[at].source.kind == Kind::Code,
                }),
            }
        }
        files
    }

    /// What tells the file of a candidate from all others.
    pub(crate) fn file(&self, index: usize) -> (&str, &str) {
        (&self.owners[index].source.name, &self.candidates[index].group)
    }

    /// The best `limit`, spread over files.
    pub(crate) fn spread(&self, limit: usize) -> Vec<Ranked> {
        let file = |index: usize| self.file(index);
        let mut best = kitfox_rank::diversify(&self.order, &self.scores, file, self.further);
        best.truncate(limit);
        best
    }

    /// The stored document of a candidate.
    pub(crate) fn fetch(&self, index: usize) -> Result<Stored, FaceError> {
        let (owner, address) = (self.owners[index], self.candidates[index].address);
        let stored = owner.ask(|snapshot| snapshot.fetch(&[address]))?;
        stored.into_iter().next().ok_or_else(|| {
            let message = format!("the index of `{}` lost a hit", owner.source.name);
            FaceError::new("index_damaged", message)
        })
    }
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
    match limit {
        None => Ok(default.clamp(1, limits::RESULTS)),
        Some(limit) if (1..=limits::RESULTS).contains(&limit) => Ok(limit),
        Some(limit) => Err(FaceError::limit(limit, limits::RESULTS)),
    }
}
