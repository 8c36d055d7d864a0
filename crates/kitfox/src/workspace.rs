//! Every source with its opened index, and the faces that answer from them.

use std::sync::Arc;

use anyhow::Context as _;
use kitfox_embed::Embedder;
use kitfox_faces::Faces;
use kitfox_sync::{Source, SourceFiles, SourceKind};

use crate::config::Settings;
use crate::index::Index;

/// Everything a command works on.
pub struct Workspace {
    /// The opened indexes, in the order of the settings.
    pub indexes: Vec<Index>,
    /// What turns text into vectors.
    pub embedder: Arc<dyn Embedder>,
    settings: Settings,
}

impl Workspace {
    /// Opens every source, replacing indexes too damaged to be opened. `signature` tells other
    /// processes who is writing.
    pub fn open(settings: Settings, signature: &str) -> anyhow::Result<Workspace> {
        let embedder = kitfox_embed::built_in();
        let open = |source: &Source| {
            Index::open_or_replace(source, &settings.data_dir, &embedder, signature)
                .with_context(|| format!("`{}` cannot be opened", source.name))
        };
        let indexes = settings.sources.iter().map(open).collect::<anyhow::Result<_>>()?;
        Ok(Workspace { indexes, embedder, settings })
    }

    /// The faces over all sources.
    pub fn faces(&self) -> Faces {
        self.faces_of(&self.indexes.iter().collect::<Vec<_>>())
    }

    /// The faces over some sources.
    pub fn faces_of(&self, indexes: &[&Index]) -> Faces {
        let sources = indexes.iter().map(|index| face_source(index)).collect();
        let docs = self.settings.docs;
        let settings = kitfox_faces::Settings {
            max_search_results: docs.max_search_results,
            max_chunks_per_read: docs.max_chunks_per_read,
        };
        Faces::new(sources, self.embedder.clone(), settings)
    }
}

fn face_source(index: &Index) -> kitfox_faces::Source {
    kitfox_faces::Source {
        name: index.source.name.clone(),
        kind: face_kind(index.source.kind),
        engine: index.engine.clone(),
        files: Arc::new(SourceFiles::new(&index.source)),
        progress: index.progress.clone(),
        language_of: |path| kitfox_extract::format_of(path).map_or("text", |format| format.name),
    }
}

/// The face that serves a kind of source.
pub fn face_kind(kind: SourceKind) -> kitfox_faces::Kind {
    match kind {
        SourceKind::Code => kitfox_faces::Kind::Code,
        SourceKind::Docs => kitfox_faces::Kind::Docs,
    }
}
