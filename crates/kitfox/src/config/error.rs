//! What can be wrong with a config file, each with where it stands and what is allowed.

use std::fmt;
use std::path::PathBuf;

use kitfox_sync::RootRefusal;

/// An error in the configuration. Its text is for the user's own terminal: it names paths.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file could not be read.
    #[error("cannot read the config file {}: {source}", file.display())]
    Read {
        /// The config file.
        file: PathBuf,
        /// Why not.
        #[source]
        source: std::io::Error,
    },
    /// The file is not TOML.
    #[error("{at}: {message}")]
    Syntax {
        /// Where.
        at: At,
        /// What the parser says.
        message: String,
    },
    /// A key that does not exist.
    #[error("{at}: unknown key `{key}`; {hint}")]
    UnknownKey {
        /// Where.
        at: At,
        /// The key as typed.
        key: String,
        /// The nearest right key, or all of them.
        hint: String,
    },
    /// A value of the wrong type or out of range.
    #[error("{at}: `{key}` must be {expected}, not {found}")]
    Value {
        /// Where.
        at: At,
        /// The key.
        key: &'static str,
        /// What is allowed.
        expected: String,
        /// What was typed.
        found: String,
    },
    /// A source without one of its keys.
    #[error("{at}: this [[{kind}]] has no `{key}`")]
    Missing {
        /// Where the table begins.
        at: At,
        /// `code`, `docs` or `records`.
        kind: &'static str,
        /// The key.
        key: &'static str,
    },
    /// A collection that is written and read from a source.
    #[error(
        "{at}: `{name}` is `writable` and has a `source`; a collection is either read from a source \
         or written through kitfox"
    )]
    WritableSource {
        /// Where the table begins.
        at: At,
        /// Of the collection.
        name: String,
    },
    /// Two sources of one kind with one name.
    #[error("{at}: there is already a [[{kind}]] named `{name}`; names are unique, case aside")]
    Duplicate {
        /// Where the second is named.
        at: At,
        /// `code` or `docs`.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// A config that was only found, not named, reaches outside its folder.
    #[error(
        "{at}: `{path}` lies outside the folder of this config; a config file found in the current \
         folder may only use paths inside it. If you trust the file, name it: --config {}",
        at.file.display()
    )]
    Outside {
        /// Where.
        at: At,
        /// The path as typed.
        path: String,
    },
    /// A collection refers to one there is not.
    #[error("{at}: there is no [[records]] named `{name}`{hint}")]
    UnknownCollection {
        /// Where it is referred to.
        at: At,
        /// The name.
        name: String,
        /// The nearest name, or nothing.
        hint: String,
    },
    /// A collection that belongs to itself.
    #[error("{at}: `{name}` would belong to itself")]
    Circle {
        /// Where its parent is named.
        at: At,
        /// The collection.
        name: String,
    },
    /// A localized field in a collection without locales.
    #[error("{at}: `{field}` is localized, and this [[records]] has no `locales`")]
    NoLocales {
        /// Where the table begins.
        at: At,
        /// The path of the field.
        field: String,
    },
    /// No source at all.
    #[error(
        "{}: no source is configured; add a [[code]] or [[docs]] table with `name` and `path`, or \
         [[records]] with `name` and `source`",
        file.display()
    )]
    NoSource {
        /// The config file.
        file: PathBuf,
    },
    /// The folder to serve cannot be opened.
    #[error("cannot open the folder {}: {source}", folder.display())]
    Folder {
        /// The folder as typed.
        folder: PathBuf,
        /// Why not.
        #[source]
        source: std::io::Error,
    },
    /// The folder is not one a person would want indexed as a whole.
    #[error("{}: {refusal}", folder.display())]
    Refused {
        /// The folder.
        folder: PathBuf,
        /// Why not.
        refusal: RootRefusal,
    },
    /// The user has no cache directory.
    #[error("no cache directory is known for this user; set `data_dir` in a config file")]
    NoCacheDirectory,
}

/// A line of a config file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// The config file.
    pub file: PathBuf,
    /// 1-based.
    pub line: usize,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}
