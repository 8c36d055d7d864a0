//! An engine in memory and a source in a temporary folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use kitfox_core::{
    Address, Candidates, Damage, Document, Engine, Group, Progress, Result, Search, Snapshot,
    Stats, Stored, Text, Writer,
};
use kitfox_embed::Embedder;
use kitfox_extract::Sizes;
use tempfile::TempDir;

use crate::{RefreshOptions, Report, Selection, Source, SourceKind, SyncError, refresh};

type Groups = BTreeMap<String, (Vec<u8>, Vec<Document>)>;

/// Groups in memory; counts how often a writer was opened.
#[derive(Default)]
pub struct MemoryEngine {
    groups: Arc<Mutex<Groups>>,
    pub writers: AtomicUsize,
}

impl MemoryEngine {
    pub fn names(&self) -> Vec<String> {
        self.groups.lock().unwrap().keys().cloned().collect()
    }

    pub fn state(&self, name: &str) -> Vec<u8> {
        self.groups.lock().unwrap()[name].0.clone()
    }

    pub fn damage(&self, name: &str) {
        self.groups.lock().unwrap().get_mut(name).unwrap().0.truncate(5);
    }

    pub fn documents(&self, name: &str) -> Vec<Document> {
        self.groups.lock().unwrap()[name].1.clone()
    }
}

impl Engine for MemoryEngine {
    fn snapshot(&self) -> Result<Box<dyn Snapshot>> {
        Ok(Box::new(MemorySnapshot(self.groups.lock().unwrap().clone())))
    }

    fn writer(&self) -> Result<Box<dyn Writer>> {
        self.writers.fetch_add(1, Ordering::Relaxed);
        let pending = Mutex::new(self.groups.lock().unwrap().clone());
        Ok(Box::new(MemoryWriter { groups: self.groups.clone(), pending }))
    }

    fn check(&self) -> Result<Vec<Damage>> {
        Ok(Vec::new())
    }
}

struct MemoryWriter {
    groups: Arc<Mutex<Groups>>,
    pending: Mutex<Groups>,
}

impl Writer for MemoryWriter {
    fn put(&self, group: &str, state: Vec<u8>, documents: Vec<Document>) -> Result<()> {
        self.pending.lock().unwrap().insert(group.to_owned(), (state, documents));
        Ok(())
    }

    fn touch(&self, group: &str, state: Vec<u8>) -> Result<()> {
        self.pending.lock().unwrap().get_mut(group).expect("touched groups exist").0 = state;
        Ok(())
    }

    fn remove(&self, group: &str) -> Result<()> {
        self.pending.lock().unwrap().remove(group);
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        *self.groups.lock().unwrap() = self.pending.lock().unwrap().clone();
        Ok(())
    }
}

/// Answers only what a run asks.
struct MemorySnapshot(Groups);

impl Snapshot for MemorySnapshot {
    fn search(&self, _: &Search) -> Result<Candidates> {
        Ok(Candidates::default())
    }

    fn fetch(&self, _: &[Address]) -> Result<Vec<Stored>> {
        Ok(Vec::new())
    }

    fn group(&self, _: &str) -> Result<Vec<Stored>> {
        Ok(Vec::new())
    }

    fn state(&self, name: &str) -> Result<Option<Vec<u8>>> {
        Ok(self.0.get(name).map(|(state, _)| state.clone()))
    }

    fn groups(&self) -> Result<Vec<Group>> {
        let group = |(name, (state, documents)): (&String, &(Vec<u8>, Vec<Document>))| Group {
            name: name.clone(),
            documents: documents.len() as u32,
            state: state.clone(),
        };
        Ok(self.0.iter().map(group).collect())
    }

    fn stats(&self) -> Result<Stats> {
        Ok(Stats::default())
    }
}

/// Gives every text the same vector.
pub struct OneVector;

impl Embedder for OneVector {
    fn dimension(&self) -> usize {
        1
    }

    fn fingerprint(&self) -> &str {
        "one"
    }

    fn embed(&self, _: &[&Text]) -> Option<Vec<f32>> {
        Some(vec![1.0])
    }
}

/// A code source in a temporary folder, and its engine.
pub struct Fixture {
    folder: TempDir,
    pub source: Source,
    pub engine: MemoryEngine,
}

impl Fixture {
    pub fn new(files: &[(&str, &str)]) -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let source = Source {
            name: "project".into(),
            kind: SourceKind::Code,
            root: folder.path().to_owned(),
            selection: Selection::Everything,
            sizes: Sizes::CODE,
        };
        let fixture = Fixture { folder, source, engine: MemoryEngine::default() };
        files.iter().for_each(|(path, content)| fixture.write(path, content));
        fixture
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Writes a file as if an hour ago.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let file = self.path(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, content).unwrap();
        self.age(path, Duration::from_secs(3600));
    }

    /// Sets a file's modification time to this long ago.
    pub fn age(&self, path: &str, age: Duration) {
        let file = fs::File::options().append(true).open(self.path(path)).unwrap();
        file.set_modified(SystemTime::now() - age).unwrap();
    }

    pub fn refresh(&self) -> std::result::Result<Report, SyncError> {
        self.refresh_with(&RefreshOptions::default())
    }

    pub fn refresh_with(&self, options: &RefreshOptions) -> std::result::Result<Report, SyncError> {
        refresh(&self.source, &self.engine, &OneVector, options, &Progress::default())
    }

    /// How many writers were opened so far.
    pub fn writers(&self) -> usize {
        self.engine.writers.load(Ordering::Relaxed)
    }
}
