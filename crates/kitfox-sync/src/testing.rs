//! An engine in memory and a source in a temporary folder.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use kitfox_conformance::MemoryEngine;
use kitfox_core::{Document, Progress, Text};
use kitfox_embed::Embedder;
use kitfox_extract::Sizes;
use tempfile::TempDir;

use crate::{RefreshOptions, Report, Scope, Selection, Source, SourceKind, SyncError, refresh};

/// What tests ask of the engine in memory.
pub trait Content {
    fn names(&self) -> Vec<String>;
    fn state(&self, name: &str) -> Vec<u8>;
    fn documents(&self, name: &str) -> Vec<Document>;
    fn damage(&self, name: &str);
}

impl Content for MemoryEngine {
    fn names(&self) -> Vec<String> {
        self.groups().keys().cloned().collect()
    }

    fn state(&self, name: &str) -> Vec<u8> {
        self.groups()[name].0.clone()
    }

    fn documents(&self, name: &str) -> Vec<Document> {
        self.groups()[name].1.clone()
    }

    fn damage(&self, name: &str) {
        self.tamper(|groups| groups.get_mut(name).unwrap().0.truncate(5));
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

    fn floor(&self) -> f32 {
        0.0
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
            collection: Arc::default(),
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

    /// Replaces a file's content and leaves its modification time as it is.
    pub fn replace_unseen(&self, path: &str, content: impl AsRef<[u8]>) {
        let time = fs::metadata(self.path(path)).unwrap().modified().unwrap();
        fs::write(self.path(path), content).unwrap();
        let file = fs::File::options().append(true).open(self.path(path)).unwrap();
        file.set_modified(time).unwrap();
    }

    /// Sets a file's modification time to this long ago.
    pub fn age(&self, path: &str, age: Duration) {
        let file = fs::File::options().append(true).open(self.path(path)).unwrap();
        file.set_modified(SystemTime::now() - age).unwrap();
    }

    pub fn refresh(&self) -> std::result::Result<Report, SyncError> {
        self.refresh_with(&RefreshOptions::default())
    }

    pub fn refresh_paths(&self, paths: &[&str]) -> std::result::Result<Report, SyncError> {
        let scope = Scope::Paths(paths.iter().map(|path| (*path).to_owned()).collect());
        self.refresh_with(&RefreshOptions { scope, ..RefreshOptions::default() })
    }

    pub fn refresh_with(&self, options: &RefreshOptions) -> std::result::Result<Report, SyncError> {
        refresh(&self.source, &self.engine, &OneVector, options, &Progress::default())
    }

    /// How many writers were opened so far.
    pub fn writers(&self) -> usize {
        self.engine.writers()
    }
}
