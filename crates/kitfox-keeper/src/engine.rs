//! An engine that is opened when it is first asked, and again where that failed.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use kitfox_core::{Damage, Engine, Result, Snapshot, Writer};
use kitfox_embedded::EmbeddedEngine;

/// The index in a folder, whatever its state: one that cannot be opened answers with the reason,
/// until it can.
pub struct LazyEngine {
    folder: PathBuf,
    dimension: usize,
    opened: Mutex<Option<Arc<EmbeddedEngine>>>,
}

impl LazyEngine {
    /// Nothing is opened yet.
    pub(crate) fn new(folder: PathBuf, dimension: usize) -> LazyEngine {
        LazyEngine { folder, dimension, opened: Mutex::default() }
    }

    /// Opens the index, or creates an empty one where there is none.
    ///
    /// # Errors
    /// Those of [`EmbeddedEngine::open`].
    pub fn open(&self) -> Result<Arc<EmbeddedEngine>> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = opened.as_ref() {
            return Ok(Arc::clone(engine));
        }
        let engine = Arc::new(EmbeddedEngine::open(&self.folder, self.dimension)?);
        *opened = Some(Arc::clone(&engine));
        Ok(engine)
    }

    /// Forgets what is opened: the folder holds another index now.
    pub(crate) fn reopen(&self) {
        *self.opened.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Engine for LazyEngine {
    fn snapshot(&self) -> Result<Box<dyn Snapshot>> {
        self.open()?.snapshot()
    }

    fn writer(&self) -> Result<Box<dyn Writer>> {
        self.open()?.writer()
    }

    fn check(&self) -> Result<Vec<Damage>> {
        self.open()?.check()
    }
}
