//! The second stage: settings that hold, whichever way they came about.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use etcetera::BaseStrategy as _;
use kitfox_extract::Sizes;
use kitfox_keeper::kind_name;
use kitfox_sync::{Selection, Source, SourceKind};

use super::FILE_NAME;
use super::error::ConfigError;
use super::raw::{RawConfig, RawSource, Typed};
use super::records::RawCollection;

/// Everything a command needs to know. All paths are absolute.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder that holds the indexes.
    pub data_dir: PathBuf,
    /// The limits of answers.
    pub limits: kitfox_faces::Settings,
    /// The sources: code first, then documentation. A root may be missing: that is an error of
    /// its own when it is indexed. Names are unique within a kind.
    pub sources: Vec<Source>,
    /// The config file, or where it would be.
    pub file: Option<PathBuf>,
    /// The folder served because there is no config file.
    pub served_folder: Option<PathBuf>,
}

/// The sizes of documentation chunks of at most this many characters.
fn docs_sizes(chunk_size: usize) -> Sizes {
    Sizes { target: chunk_size, max: chunk_size }
}

impl Settings {
    /// The settings of a config file the user named: its paths may reach anywhere.
    pub fn read(file: &Path) -> Result<Settings, ConfigError> {
        read(file, Trust::Everywhere)
    }

    /// The settings of the config file found in `folder`: its paths may not leave that folder.
    pub fn found_in(folder: &Path) -> Result<Settings, ConfigError> {
        read(&folder.join(FILE_NAME), Trust::OwnFolder)
    }

    /// A folder without a config: its code as a project, its documents as a library.
    pub fn of_folder(folder: &Path) -> Result<Settings, ConfigError> {
        let root = canonical_folder(folder)?;
        let name = name_of(&root);
        let source = |kind, selection, sizes| Source {
            name: name.clone(),
            kind,
            root: root.clone(),
            selection,
            sizes,
            collection: Arc::default(),
        };
        Ok(Settings {
            data_dir: default_data_dir(&root)?,
            limits: kitfox_faces::Settings::default(),
            sources: vec![
                source(SourceKind::Code, Selection::NotDocuments, Sizes::CODE),
                source(SourceKind::Docs, Selection::Documents, Sizes::DOCS),
            ],
            file: Some(root.join(FILE_NAME)),
            served_folder: Some(root),
        })
    }

    /// Refuses to serve a home directory, a whole disk and the like only because kitfox was started
    /// there.
    pub fn refuse_unlikely_folder(&self) -> Result<(), ConfigError> {
        let Some(folder) = &self.served_folder else { return Ok(()) };
        match kitfox_sync::refuse_root(folder) {
            Some(refusal) => Err(ConfigError::Refused { folder: folder.clone(), refusal }),
            None => Ok(()),
        }
    }
}

fn read(file: &Path, trust: Trust) -> Result<Settings, ConfigError> {
    let unreadable = |source| ConfigError::Read { file: file.to_owned(), source };
    let text = std::fs::read_to_string(file).map_err(unreadable)?;
    let raw = RawConfig::parse(file, &text)?;
    let canonical = file.canonicalize().map_err(unreadable)?;
    let folder = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = canonical_folder(folder.unwrap_or(Path::new(".")))?;
    Base { file, canonical, folder, trust }.settle(raw)
}

/// Whether a folder holds a config file. A link that leads nowhere is a config that cannot be read,
/// not the absence of one.
pub fn is_in(folder: &Path) -> bool {
    folder.join(FILE_NAME).symlink_metadata().is_ok()
}

/// How far the paths of a config file may reach.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// The file was found: a checkout of somebody else's must not read the rest of the disk.
    OwnFolder,
    /// The user named the file.
    Everywhere,
}

/// Where a config file stands.
struct Base<'a> {
    file: &'a Path,
    canonical: PathBuf,
    folder: PathBuf,
    trust: Trust,
}

impl Base<'_> {
    fn settle(&self, raw: RawConfig) -> Result<Settings, ConfigError> {
        let data_dir = match &raw.data_dir {
            Some(typed) => self.path(typed)?,
            None => default_data_dir(&self.canonical)?,
        };
        let default = kitfox_faces::Settings::default();
        let limits = kitfox_faces::Settings {
            max_search_results: raw.max_search_results.unwrap_or(default.max_search_results),
            max_chunks_per_read: raw.max_chunks_per_read.unwrap_or(default.max_chunks_per_read),
        };
        let docs = raw.chunk_size.map_or(Sizes::DOCS, docs_sizes);
        let kept_dir = match &raw.data_dir {
            Some(_) => data_dir.clone(),
            None => default_kept_dir(&self.canonical)?,
        };
        let sources = self.sources(raw.sources, docs, &kept_dir)?;
        let file = Some(self.file.to_owned());
        Ok(Settings { data_dir, limits, sources, file, served_folder: None })
    }

    fn sources(
        &self,
        raw: Vec<RawSource>,
        docs: Sizes,
        kept_dir: &Path,
    ) -> Result<Vec<Source>, ConfigError> {
        check_collections(&raw)?;
        let mut sources: Vec<Source> = Vec::new();
        for typed in raw {
            let at = typed.at.clone();
            let source = self.source(typed, docs, kept_dir)?;
            let same = |other: &Source| {
                other.kind == source.kind && other.name.eq_ignore_ascii_case(&source.name)
            };
            if sources.iter().any(same) {
                let kind = kind_name(source.kind);
                return Err(ConfigError::Duplicate { at, kind, name: source.name });
            }
            sources.push(source);
        }
        match sources.is_empty() {
            true => Err(ConfigError::NoSource { file: self.file.to_owned() }),
            false => Ok(sources),
        }
    }

    fn source(&self, raw: RawSource, docs: Sizes, kept_dir: &Path) -> Result<Source, ConfigError> {
        let kind = raw.kind;
        let missing = |key| ConfigError::Missing { at: raw.at.clone(), kind: kind_name(kind), key };
        let path = if kind == SourceKind::Records { "source" } else { "path" };
        let name = checked_name(raw.name.ok_or_else(|| missing("name"))?)?;
        let writable = raw.collection.config.writable;
        let root = match (&raw.path, writable) {
            (Some(_), true) => {
                return Err(ConfigError::WritableSource { at: raw.at.clone(), name });
            }
            (None, true) => journal(kept_dir, &name),
            (path_typed, false) => self.path(path_typed.as_ref().ok_or_else(|| missing(path))?)?,
        };
        if writable && raw.collection.schema.is_none() {
            return Err(missing("schema"));
        }
        let sizes = if kind == SourceKind::Code { Sizes::CODE } else { docs };
        let mut collection = raw.collection.config;
        collection.schema = raw.collection.schema.map(|typed| self.path(&typed)).transpose()?;
        let collection = Arc::new(collection);
        let selection = Selection::Everything;
        Ok(Source { name, kind, root, selection, sizes, collection })
    }

    /// A path as typed, made absolute and checked for how far it reaches.
    fn path(&self, typed: &Typed<String>) -> Result<PathBuf, ConfigError> {
        let path = resolved(&self.folder.join(&typed.value));
        if self.trust == Trust::OwnFolder && !path.starts_with(&self.folder) {
            return Err(ConfigError::Outside { at: typed.at.clone(), path: typed.value.clone() });
        }
        Ok(path)
    }
}

/// Checks that collections belong and refer to collections there are.
fn check_collections(sources: &[RawSource]) -> Result<(), ConfigError> {
    let is_records = |source: &&RawSource| source.kind == SourceKind::Records;
    let collections: Vec<(&str, &RawCollection)> = sources
        .iter()
        .filter(is_records)
        .filter_map(|source| Some((source.name.as_ref()?.value.as_str(), &source.collection)))
        .collect();
    let named = |name: &str| collections.iter().find(|(each, _)| *each == name);
    for (name, collection) in &collections {
        let referred = collection.references.iter().chain(&collection.parent);
        if let Some(unknown) = referred.into_iter().find(|typed| named(&typed.value).is_none()) {
            return Err(unknown_collection(unknown, collections.iter().map(|(name, _)| *name)));
        }
        let mut above = collection.parent.as_ref();
        for _ in 0..collections.len() {
            let Some(parent) = above else { break };
            if parent.value == *name {
                return Err(ConfigError::Circle {
                    at: parent.at.clone(),
                    name: parent.value.clone(),
                });
            }
            above = named(&parent.value).and_then(|(_, collection)| collection.parent.as_ref());
        }
    }
    Ok(())
}

fn unknown_collection<'a>(
    typed: &Typed<String>,
    known: impl Iterator<Item = &'a str>,
) -> ConfigError {
    let near = kitfox_core::nearest(&typed.value, known, 1);
    let hint = near.first().map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    ConfigError::UnknownCollection { at: typed.at.clone(), name: typed.value.clone(), hint }
}

fn checked_name(typed: Typed<String>) -> Result<String, ConfigError> {
    let name = typed.value;
    let plain = name.chars().all(is_name_character) && name.chars().any(|c| c != '.');
    if plain {
        return Ok(name);
    }
    Err(ConfigError::Value {
        at: typed.at,
        key: "name",
        expected: "made of letters, digits, `.`, `_` and `-`".to_owned(),
        found: format!("`{name}`"),
    })
}

fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')
}

/// The name of a source that is a whole folder: the folder's, with what a name cannot hold
/// replaced.
fn name_of(folder: &Path) -> String {
    let name = folder.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
    let name: String = name.chars().map(|c| if is_name_character(c) { c } else { '-' }).collect();
    match name.chars().any(|c| c != '.' && c != '-') {
        true => name,
        false => "folder".to_owned(),
    }
}

/// A folder of its own in the cache directory for each config file or served folder.
fn default_data_dir(root: &Path) -> Result<PathBuf, ConfigError> {
    let cache =
        etcetera::choose_base_strategy().map_err(|_| ConfigError::NoCacheDirectory)?.cache_dir();
    let hash = blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex();
    Ok(cache.join("kitfox").join(&hash[..16]))
}

/// A folder of its own, for what cannot be made again, in the directory for data.
fn default_kept_dir(root: &Path) -> Result<PathBuf, ConfigError> {
    let data =
        etcetera::choose_base_strategy().map_err(|_| ConfigError::NoCacheDirectory)?.data_dir();
    let hash = blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex();
    Ok(data.join("kitfox").join(&hash[..16]))
}

/// Where the records of a writable collection are kept.
fn journal(kept_dir: &Path, name: &str) -> PathBuf {
    kept_dir.join("records").join(name).join("journal")
}

fn canonical_folder(folder: &Path) -> Result<PathBuf, ConfigError> {
    let error = |source| ConfigError::Folder { folder: folder.to_owned(), source };
    let canonical = folder.canonicalize().map_err(error)?;
    match canonical.is_dir() {
        true => Ok(canonical),
        false => Err(error(std::io::ErrorKind::NotADirectory.into())),
    }
}

/// Resolves links as far as the path exists, and `.` and `..` in the rest.
fn resolved(path: &Path) -> PathBuf {
    let existing = path.ancestors().find_map(|ancestor| {
        let canonical = ancestor.canonicalize().ok()?;
        Some((canonical, path.strip_prefix(ancestor).ok()?))
    });
    let (mut resolved, rest) = existing.unwrap_or((PathBuf::new(), path));
    for component in rest.components() {
        match component {
            Component::ParentDir => {
                resolved.pop();
            }
            Component::CurDir => {}
            other => resolved.push(other),
        }
    }
    resolved
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settle(text: &str, named: bool) -> Result<Settings, ConfigError> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(FILE_NAME);
        std::fs::write(&file, text).unwrap();
        match named {
            true => Settings::read(&file),
            false => Settings::found_in(folder.path()),
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let error = settle(text, false).expect_err("an error").to_string();
        let (_, message) = error.split_once("kitfox.toml:").expect("the file is named");
        assert!(message.starts_with(expected), "error of {text:?}: {message}");
    }

    #[test]
    fn a_source_needs_a_plain_unique_name_and_a_path() {
        check("[[code]]\nname = 'a'", "1: this [[code]] has no `path`");
        check("[[code]]\npath = 'a'", "1: this [[code]] has no `name`");
        check("[[code]]\nname = 'a b'\npath = '.'", "2: `name` must be made of letters");
        check("[[code]]\nname = '..'\npath = '.'", "2: `name` must be made of letters");
        check(
            "[[docs]]\nname = 'a'\npath = '.'\n[[docs]]\nname = 'A'\npath = '.'",
            "4: there is already a [[docs]] named `A`",
        );
        check("chunk_size = 300", " no source is configured");
    }

    #[test]
    fn collections_refer_to_collections() {
        let two = "[[records]]\nname = 'books'\nsource = 'b.csv'\n[[records]]\nname = 'loans'\nsource = 'l.csv'\n";
        check(
            &format!("{two}fields.book.reference = 'boks'"),
            "7: there is no [[records]] named `boks`; did you mean `books`?",
        );
        check(&format!("{two}parent = 'loans'"), "7: `loans` would belong to itself");
        check(&format!("{two}fields.x.localized = true"), "4: `x` is localized, and this");
        check("[[records]]\nname = 'books'", "1: this [[records]] has no `source`");
        let settings = settle(&format!("{two}parent = 'books'"), false).unwrap();
        let parent = settings.sources[1].collection.parent.clone().unwrap();
        assert_eq!((parent.collection.as_str(), parent.field.as_str()), ("books", "books_id"));
    }

    #[test]
    fn a_config_that_was_only_found_stays_in_its_folder() {
        check("[[code]]\nname = 'a'\npath = '..'", "3: `..` lies outside");
        check(
            "[[code]]\nname = 'a'\npath = 'missing/../../b'",
            "3: `missing/../../b` lies outside",
        );
        check("data_dir = '/somewhere'\n[[code]]\nname = 'a'\npath = '.'", "1: `/somewhere` lies");
        assert!(settle("[[code]]\nname = 'a'\npath = '..'", true).is_ok());
    }

    #[test]
    fn one_name_may_serve_both_kinds() {
        let text =
            "chunk_size = 300\n[[code]]\nname = 'a'\npath = '.'\n[[docs]]\nname = 'a'\npath = 'd'";
        let settings = settle(text, false).unwrap();
        assert_eq!(settings.sources[1].sizes, docs_sizes(300));
        assert_eq!(settings.sources.len(), 2);
        assert!(settings.sources[1].root.ends_with("d"));
    }

    #[test]
    fn a_folder_without_a_config_is_served_as_both_kinds() {
        let folder = tempfile::Builder::new().prefix("my project").tempdir().unwrap();
        let settings = Settings::of_folder(folder.path()).unwrap();
        let selections: Vec<_> = settings.sources.iter().map(|source| source.selection).collect();
        assert_eq!(selections, [Selection::NotDocuments, Selection::Documents]);
        assert!(settings.sources[0].name.starts_with("my-project"));
    }

    #[test]
    fn missing_folders_are_settled_without_an_error() {
        assert!(settle("[[code]]\nname = 'a'\npath = 'missing/deeper'", false).is_ok());
    }
}
