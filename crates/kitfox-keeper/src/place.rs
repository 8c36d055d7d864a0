//! Where the index of a source lies below the data directory.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use kitfox_embed::Embedder;
use kitfox_sync::{Selection, Source, SourceKind};

use crate::IndexError;

/// The folder below the data directory that holds a folder for each source.
pub(crate) const INDEXES: &str = "indexes";

/// Longer paths cannot name a socket, whatever the platform.
const MAX_SOCKET_PATH: usize = 100;

/// The places that belong to one index.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The folder of the index itself: one generation of its source.
    pub folder: PathBuf,
    /// The file whose lock makes its holder the one that writes.
    pub lock: PathBuf,
    /// The socket of whoever keeps it; none where its path would be too long.
    pub socket: Option<PathBuf>,
}

/// The name a source of this kind has in config files and folders.
pub fn kind_name(kind: SourceKind) -> &'static str {
    match kind {
        SourceKind::Code => "code",
        SourceKind::Docs => "docs",
        SourceKind::Records => "records",
    }
}

impl Place {
    /// Where the index of a source lies; the folders above it are created.
    pub fn of(
        source: &Source,
        data_dir: &Path,
        embedder: &dyn Embedder,
    ) -> Result<Place, IndexError> {
        let indexes = data_dir.join(INDEXES);
        let parent = indexes.join(source_folder(source));
        // A data directory inside a source must not be indexed itself.
        let ignore = indexes.join(".gitignore");
        let prepared = fs::create_dir_all(&parent).and_then(|()| match ignore.exists() {
            true => Ok(()),
            false => fs::write(&ignore, "*\n"),
        });
        prepared.map_err(|source| IndexError::Folder { folder: parent.clone(), source })?;
        let folder = parent.join(generation(source, embedder));
        let lock = beside(&folder, ".lock");
        let socket = socket(data_dir, &folder);
        Ok(Place { folder, lock, socket })
    }

    /// Where a damaged index is moved before it is removed.
    pub fn aside(&self) -> PathBuf {
        beside(&self.folder, ".damaged")
    }
}

/// The socket of whoever keeps what lies at a path; none where its own path would be too long.
pub(crate) fn socket(data_dir: &Path, kept: &Path) -> Option<PathBuf> {
    let hash = blake3::hash(kept.as_os_str().as_encoded_bytes()).to_hex();
    let socket = data_dir.join(format!("{}.sock", &hash[..8]));
    (socket.as_os_str().len() <= MAX_SOCKET_PATH).then_some(socket)
}

/// The name of the folder that holds all generations of a source.
pub(crate) fn source_folder(source: &Source) -> String {
    format!("{}-{}", source.name, kind_name(source.kind))
}

/// Names everything an index depends on beside the files: where any of it changes, another index is
/// begun, so that two versions of kitfox never rebuild each other's.
pub(crate) fn generation(source: &Source, embedder: &dyn Embedder) -> String {
    let selection = match source.selection {
        Selection::Everything => 0u8,
        Selection::Documents => 1,
        Selection::NotDocuments => 2,
    };
    let mut hasher = blake3::Hasher::new();
    for size in [source.sizes.target, source.sizes.max] {
        hasher.update(&(size as u64).to_le_bytes());
    }
    hasher.update(&[selection]);
    for part in [embedder.fingerprint().as_bytes(), source.root.as_os_str().as_encoded_bytes()] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let hash = hasher.finalize().to_hex();
    format!("{}-{}-{}", kitfox_embedded::FORMAT, kitfox_extract::VERSION, &hash[..12])
}

/// The path with something appended to its last part.
pub(crate) fn beside(folder: &Path, suffix: &str) -> PathBuf {
    let mut path = OsString::from(folder);
    path.push(suffix);
    path.into()
}
