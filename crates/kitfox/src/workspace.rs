//! Every source with its index, and the faces that answer from them.

use std::sync::Arc;

use anyhow::Context as _;
use kitfox_core::{Engine, RecordWriter};
use kitfox_embed::Embedder;
use kitfox_faces::Faces;
use kitfox_keeper::{CurrentEngine, Index, IndexError};
use kitfox_sync::{Source, SourceFiles, SourceKind};

use crate::config::Settings;
use crate::output::note;

/// Everything a command works on.
pub struct Workspace {
    /// The indexes, in the order of the settings.
    pub indexes: Vec<Arc<Index>>,
    /// What turns text into vectors.
    pub embedder: Arc<dyn Embedder>,
    /// What it was made from.
    pub settings: Settings,
}

impl Workspace {
    /// The index of every source. `signature` tells other processes who is writing. Nothing is opened
    /// yet, so the state of an index is no matter here.
    pub fn new(settings: Settings, signature: &str) -> Result<Workspace, IndexError> {
        let embedder = kitfox_embed::built_in();
        let index = |source: &Source| {
            Index::new(source, &settings.data_dir, &embedder, signature, note).map(Arc::new)
        };
        let indexes = settings.sources.iter().map(index).collect::<Result<_, _>>()?;
        Ok(Workspace { indexes, embedder, settings })
    }

    /// Opens every index.
    ///
    /// # Errors
    /// A damaged index: for a command that only reads, an empty answer would not be true.
    pub fn open(&self) -> anyhow::Result<()> {
        for index in &self.indexes {
            let opened = index.engine.open().map_err(IndexError::Engine);
            opened.with_context(|| format!("`{}` cannot be opened", index.source.name))?;
        }
        Ok(())
    }

    /// The faces over all sources.
    pub fn faces(&self) -> Faces {
        self.faces_of(&self.indexes.iter().collect::<Vec<_>>())
    }

    /// The faces over some sources.
    pub fn faces_of(&self, indexes: &[&Arc<Index>]) -> Faces {
        let sources = indexes.iter().map(|index| face_source(index)).collect();
        Faces::new(sources, self.embedder.clone(), self.settings.limits)
    }
}

fn face_source(index: &Arc<Index>) -> kitfox_faces::Source {
    let engine: Arc<dyn Engine> = match CurrentEngine::of(index) {
        Some(current) => Arc::new(current),
        None => index.engine.clone(),
    };
    kitfox_faces::Source {
        name: index.source.name.clone(),
        kind: face_kind(index.source.kind),
        engine,
        files: Arc::new(SourceFiles::new(&index.source)),
        writer: index.journal().map(|journal| Arc::clone(journal) as Arc<dyn RecordWriter>),
        progress: index.progress.clone(),
        language_of: |path| kitfox_extract::format_of(path).map_or("text", |format| format.name),
    }
}

/// The face that serves a kind of source.
pub fn face_kind(kind: SourceKind) -> kitfox_faces::Kind {
    match kind {
        SourceKind::Code => kitfox_faces::Kind::Code,
        SourceKind::Docs => kitfox_faces::Kind::Docs,
        SourceKind::Records => kitfox_faces::Kind::Records,
    }
}
