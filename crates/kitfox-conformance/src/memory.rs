//! The engine others are compared with: everything in memory, everything looked at, nothing clever.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kitfox_core::{Damage, Document, Engine, Error, Result, Snapshot, Writer};

use crate::snapshot::MemorySnapshot;

/// The groups of a state by name, each with its state and documents.
pub type Groups = BTreeMap<String, (Vec<u8>, Vec<Document>)>;

/// An engine in memory. Clones share their content.
#[derive(Clone, Default)]
pub struct MemoryEngine(Arc<Shared>);

#[derive(Default)]
struct Shared {
    committed: Mutex<Arc<Groups>>,
    writing: Mutex<bool>,
    writers: AtomicUsize,
}

impl MemoryEngine {
    /// An engine that holds these groups.
    pub fn of(groups: Groups) -> MemoryEngine {
        let engine = MemoryEngine::default();
        *lock(&engine.0.committed) = Arc::new(groups);
        engine
    }

    /// What is committed.
    pub fn groups(&self) -> Arc<Groups> {
        lock(&self.0.committed).clone()
    }

    /// How many writers were opened so far.
    pub fn writers(&self) -> usize {
        self.0.writers.load(Ordering::Relaxed)
    }

    /// Changes what is committed, as damage would.
    pub fn tamper(&self, change: impl FnOnce(&mut Groups)) {
        change(Arc::make_mut(&mut lock(&self.0.committed)));
    }
}

impl Engine for MemoryEngine {
    fn snapshot(&self) -> Result<Box<dyn Snapshot>> {
        Ok(Box::new(MemorySnapshot::new(self.groups())))
    }

    fn writer(&self) -> Result<Box<dyn Writer>> {
        let mut writing = lock(&self.0.writing);
        if *writing {
            return Err(Error::Busy);
        }
        *writing = true;
        self.0.writers.fetch_add(1, Ordering::Relaxed);
        let pending = Mutex::new(self.groups().as_ref().clone());
        Ok(Box::new(MemoryWriter { shared: Arc::clone(&self.0), pending }))
    }

    fn check(&self) -> Result<Vec<Damage>> {
        Ok(Vec::new())
    }
}

struct MemoryWriter {
    shared: Arc<Shared>,
    pending: Mutex<Groups>,
}

impl Drop for MemoryWriter {
    fn drop(&mut self) {
        *lock(&self.shared.writing) = false;
    }
}

impl Writer for MemoryWriter {
    fn put(&self, group: &str, state: Vec<u8>, documents: Vec<Document>) -> Result<()> {
        lock(&self.pending).insert(group.to_owned(), (state, documents));
        Ok(())
    }

    fn touch(&self, group: &str, state: Vec<u8>) -> Result<()> {
        if let Some(known) = lock(&self.pending).get_mut(group) {
            known.0 = state;
        }
        Ok(())
    }

    fn remove(&self, group: &str) -> Result<()> {
        lock(&self.pending).remove(group);
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        *lock(&self.shared.committed) = Arc::new(lock(&self.pending).clone());
        Ok(())
    }

    fn compact(&mut self) -> Result<()> {
        self.commit()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
