//! What a person says of a collection; all else is inferred from its records.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kitfox_core::{FieldType, Parent, Weight};
use serde::Serialize;

use super::Format;

/// What is configured of a collection.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CollectionConfig {
    /// What it holds; may be empty.
    pub description: String,
    /// Whether its records are written by whoever asks for them, and kept in a journal, which then is
    /// the root of the source.
    pub writable: bool,
    /// The path of the field whose value is the key of a record.
    pub key: Option<String>,
    /// The file with the JSON Schema that records are held to. What is in it counts, not where it is.
    #[serde(skip)]
    pub schema: Option<PathBuf>,
    /// What is said of fields, by path.
    pub fields: BTreeMap<String, FieldConfig>,
    /// The collection its records belong to.
    pub parent: Option<Parent>,
    /// The locales of localized fields, the default first.
    pub locales: Vec<String>,
    /// How many characters of a text lists of records show.
    pub max_text_chars: usize,
    /// The path of the field that tells when a record was made.
    pub created_at: Option<String>,
    /// The path of the field that tells when a record was last changed.
    pub updated_at: Option<String>,
    /// How the file is read; by its extension where nothing is said.
    pub format: Option<Format>,
}

/// What is configured of a field; the rest has the defaults of its type.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FieldConfig {
    /// What its values are.
    pub of_type: Option<FieldType>,
    /// Whether filters and facets know it.
    pub filterable: Option<bool>,
    /// Whether records can be ordered by it.
    pub sortable: Option<bool>,
    /// Whether its words are found.
    pub searchable: Option<bool>,
    /// Whether its meaning is found.
    pub vectorized: Option<bool>,
    /// Whether it is an object with a value for each locale.
    pub localized: bool,
    /// Whether nobody is to see it: it is dropped before anything is made of a record.
    pub private: bool,
    /// How much its words count.
    pub weight: Weight,
    /// The collection whose keys it holds.
    pub reference: Option<String>,
    /// What it means; may be empty.
    pub description: String,
}

impl CollectionConfig {
    /// The characters of a text that lists of records show where nothing is said.
    pub const MAX_TEXT_CHARS: usize = 2_000;

    /// Whether nobody is to see any field.
    pub(super) fn has_private(&self) -> bool {
        self.fields.values().any(|field| field.private)
    }

    /// Whether nobody is to see what is at a path: a private field or something in it.
    pub(super) fn is_private(&self, path: &str) -> bool {
        let private = self.fields.iter().filter(|(_, field)| field.private);
        private
            .map(|(private, _)| path.strip_prefix(private.as_str()))
            .any(|rest| rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
    }
}

impl Default for CollectionConfig {
    fn default() -> CollectionConfig {
        CollectionConfig {
            description: String::new(),
            writable: false,
            key: None,
            schema: None,
            fields: BTreeMap::new(),
            parent: None,
            locales: Vec::new(),
            max_text_chars: CollectionConfig::MAX_TEXT_CHARS,
            created_at: None,
            updated_at: None,
            format: None,
        }
    }
}
