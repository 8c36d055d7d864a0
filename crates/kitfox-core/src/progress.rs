//! How far an indexing run is: written by the run, read by whoever answers or draws a bar.

use std::sync::Mutex;

/// Shared progress of one source.
#[derive(Debug, Default)]
pub struct Progress(Mutex<IndexState>);

/// The state of a source's index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexState {
    /// What is going on.
    pub phase: Phase,
    /// Files finished in this run.
    pub done: u64,
    /// Files this run has to look into; 0 until the walk is over.
    pub total: u64,
}

/// What a source's index is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// No run has begun in this process: answers come from the last one.
    #[default]
    Idle,
    /// A run is going on: answers come from what is committed so far.
    Indexing,
    /// The last run finished.
    Ready,
    /// The last run failed, with the reason.
    Failed(String),
}

impl Progress {
    /// The state now.
    pub fn state(&self) -> IndexState {
        self.lock().clone()
    }

    /// Begins a phase; counts are kept.
    pub fn enter(&self, phase: Phase) {
        self.lock().phase = phase;
    }

    /// Sets how many files there are and starts counting from 0.
    pub fn begin(&self, total: u64) {
        *self.lock() = IndexState { phase: Phase::Indexing, done: 0, total };
    }

    /// Takes over the state of a run elsewhere.
    pub fn replace(&self, state: IndexState) {
        *self.lock() = state;
    }

    /// Counts finished files.
    pub fn advance(&self, files: u64) {
        self.lock().done += files;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, IndexState> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
