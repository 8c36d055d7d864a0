//! The sources the faces answer from.

use std::sync::Arc;

use kitfox_core::{Engine, IndexState, LiveFiles, Phase, Progress, RecordWriter};
use kitfox_embed::Embedder;
use serde::Serialize;

use crate::records::Frozen;

/// What a source holds, and so which tools answer from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A code project.
    Code,
    /// A documentation library.
    Docs,
    /// A collection of records.
    Records,
}

/// One configured source with everything needed to answer from it.
pub struct Source {
    /// The name a person gave it.
    pub name: String,
    /// Which face it belongs to.
    pub kind: Kind,
    /// Its index.
    pub engine: Arc<dyn Engine>,
    /// Its files as they are now.
    pub files: Arc<dyn LiveFiles>,
    /// Whoever its records are written through; none where they are only read.
    pub writer: Option<Arc<dyn RecordWriter>>,
    /// How far its indexing is.
    pub progress: Arc<Progress>,
    /// The language or format of a path, by the same rule that indexed it.
    pub language_of: fn(&str) -> &'static str,
}

/// Limits of the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Results of a page where the request names no limit.
    pub max_search_results: usize,
    /// Chunks one `read_doc` may return.
    pub max_chunks_per_read: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { max_search_results: 5, max_chunks_per_read: 5 }
    }
}

/// Answers every request of every face.
pub struct Faces {
    pub(crate) sources: Vec<Source>,
    pub(crate) embedder: Arc<dyn Embedder>,
    pub(crate) settings: Settings,
    pub(crate) frozen: Frozen,
}

impl Faces {
    /// Answers from these sources. Names are expected to be unique within a kind.
    pub fn new(sources: Vec<Source>, embedder: Arc<dyn Embedder>, settings: Settings) -> Faces {
        Faces { sources, embedder, settings, frozen: Frozen::default() }
    }

    /// Whether any source is of this kind: the tools of a kind are offered only then.
    pub fn has(&self, kind: Kind) -> bool {
        self.of(kind).next().is_some()
    }

    /// The names of the sources of a kind, as they were given.
    pub fn names(&self, kind: Kind) -> impl Iterator<Item = &str> {
        self.of(kind).map(|source| source.name.as_str())
    }

    /// The limits in force.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    pub(crate) fn of(&self, kind: Kind) -> impl Iterator<Item = &Source> {
        self.sources.iter().filter(move |source| source.kind == kind)
    }
}

/// How fresh the index behind an answer is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct IndexStatus {
    /// `idle` (nothing ran yet in this process), `indexing`, `ready` or `failed`.
    pub state: &'static str,
    /// Files finished in the current run.
    pub done: u64,
    /// Files the current run looks into; 0 until they are counted.
    pub total: u64,
}

impl IndexStatus {
    /// The status of one source.
    pub(crate) fn of(source: &Source) -> IndexStatus {
        IndexStatus::merged([source.progress.state()])
    }

    /// One status for several sources: the least finished phase, and the sums of the counts.
    pub(crate) fn merged(states: impl IntoIterator<Item = IndexState>) -> IndexStatus {
        let mut merged = IndexStatus::default();
        let mut least = 0;
        for IndexState { phase, done, total } in states {
            let (rank, state) = match phase {
                Phase::Failed(_) => (4, "failed"),
                Phase::Indexing => (3, "indexing"),
                Phase::Idle => (2, "idle"),
                Phase::Ready => (1, "ready"),
            };
            if rank > least {
                (least, merged.state) = (rank, state);
            }
            merged.done += done;
            merged.total += total;
        }
        merged
    }
}
