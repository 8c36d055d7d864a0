//! Every source with its opened index, and the faces that answer from them.

use std::sync::Arc;

use anyhow::Context as _;
use kitfox_embed::Embedder;
use kitfox_faces::Faces;
use kitfox_keeper::Index;
use kitfox_sync::{Source, SourceFiles, SourceKind};

use crate::config::Settings;
use crate::output::note;

/// Everything a command works on.
pub struct Workspace {
    /// The opened indexes, in the order of the settings.
    pub indexes: Vec<Index>,
    /// What turns text into vectors.
    pub embedder: Arc<dyn Embedder>,
    settings: Settings,
}

/// What to do with an index too damaged to be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damaged {
    /// Put an empty one in its place, for a command that fills it.
    Replace,
    /// Fail, for a command that only reads: an empty answer would not be true.
    Refuse,
}

impl Workspace {
    /// Opens every source. `signature` tells other processes who is writing.
    pub fn open(
        settings: Settings,
        signature: &str,
        damaged: Damaged,
    ) -> anyhow::Result<Workspace> {
        let embedder = kitfox_embed::built_in();
        let open = match damaged {
            Damaged::Replace => Index::open_or_replace,
            Damaged::Refuse => Index::open,
        };
        let open = |source: &Source| {
            open(source, &settings.data_dir, &embedder, signature, note)
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
        Faces::new(sources, self.embedder.clone(), self.settings.limits)
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
