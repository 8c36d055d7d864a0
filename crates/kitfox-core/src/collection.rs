//! Collections: records of one kind, what their fields are, and what the index remembers of each.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::{FieldType, Language, Lexicon, Schema};

/// What is known of a collection when its records are indexed, kept in its index, so that whoever
/// answers from the index knows it too.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Collection {
    /// What a person says it holds; may be empty.
    pub description: String,
    /// The fields by path, objects and the members in them; private ones are not among them.
    pub fields: BTreeMap<String, Field>,
    /// The JSON Schema that records are held to, as a person gave it; none where there is none, or
    /// where it tells of private fields.
    pub schema: Option<Json>,
    /// The path of the field whose value is the key of a record; none where keys are made from the
    /// content.
    pub key: Option<String>,
    /// The path of the field that names a record: what it is called, rather than what it says.
    pub title: Option<String>,
    /// The collection its records belong to, one record each.
    pub parent: Option<Parent>,
    /// The locales of localized fields, the default first.
    pub locales: Vec<String>,
    /// How many characters of a text lists of records show.
    pub max_text_chars: usize,
    /// The fingerprint of the model whose vectors the records have.
    pub model: String,
    /// When its source was last read to the end, in nanoseconds since 1970; 0 where it never was.
    pub imported_at_ns: i64,
}

/// The collection that the records of another belong to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parent {
    /// Its name.
    pub collection: String,
    /// The path of the field with the key of the record in it.
    pub field: String,
}

/// One field of a collection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// What its values are.
    #[serde(rename = "type")]
    pub of_type: FieldType,
    /// Whether a record may have several values there.
    pub is_array: bool,
    /// Whether a record may lack it, or have null there.
    pub is_optional: bool,
    /// Whether filters and facets know it.
    pub filterable: bool,
    /// Whether records can be ordered by it.
    pub sortable: bool,
    /// Whether its words are found.
    pub searchable: bool,
    /// Whether its meaning is found.
    pub vectorized: bool,
    /// Whether it is an object with a value for each locale.
    pub localized: bool,
    /// How much its words count.
    pub weight: Weight,
    /// The collection whose keys it holds.
    pub reference: Option<String>,
    /// What a person says of it; may be empty.
    pub description: String,
    /// The only values it may have, where a schema says so.
    pub allowed: Vec<Json>,
    /// A value some record has.
    pub example: Option<Json>,
}

/// How much the words of a field count against those of others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// Half as much as usual.
    Low,
    /// As usual.
    #[default]
    Normal,
    /// Twice as much as usual.
    High,
}

impl Weight {
    /// All of them, with their names.
    pub const ALL: [(&str, Weight); 3] =
        [("low", Weight::Low), ("normal", Weight::Normal), ("high", Weight::High)];
}

impl Field {
    /// A field of a type, with nothing that holds for it.
    pub fn of(of_type: FieldType) -> Field {
        Field {
            of_type,
            is_array: false,
            is_optional: false,
            filterable: false,
            sortable: false,
            searchable: false,
            vectorized: false,
            localized: false,
            weight: Weight::Normal,
            reference: None,
            description: String::new(),
            allowed: Vec::new(),
            example: None,
        }
    }
}

/// Paths of what the system knows of a record, beside its own fields.
pub mod sys {
    /// The object all of them are in; no record may have a field of this name.
    pub const OBJECT: &str = "_sys";
    /// The key of the record.
    pub const KEY: &str = "_sys.key";
    /// When it was first written.
    pub const CREATED_AT: &str = "_sys.created_at";
    /// When it was last written with another content.
    pub const UPDATED_AT: &str = "_sys.updated_at";
}

impl Collection {
    /// The group of the index whose state is the collection itself; no record has an empty key.
    pub const GROUP: &str = "";

    /// What records are filtered and ordered by: the fields that may be, and what the system knows.
    pub fn schema(&self) -> Schema {
        let used = |field: &Field| field.filterable || field.sortable;
        let own = self.fields.iter().filter(|(_, field)| used(field));
        let own = own.map(|(path, field)| (path.as_str(), field.of_type));
        let of_system = [
            (sys::KEY, FieldType::String),
            (sys::CREATED_AT, FieldType::DateTime),
            (sys::UPDATED_AT, FieldType::DateTime),
        ];
        own.chain(of_system).collect()
    }

    /// The words of texts that are of no locale: they are read as those of the default one.
    pub fn common_lexicon(&self) -> Lexicon {
        let language = self.locales.first().map(|locale| Language::of(locale));
        Lexicon { language: language.unwrap_or_default(), locale: String::new() }
    }

    /// The lexicons of all words that are found in some locales.
    pub fn lexicons(&self, locales: &[String]) -> Vec<Lexicon> {
        let is_localized = self.fields.values().any(|field| field.localized);
        let localized = locales.iter().filter(|_| is_localized).map(|locale| Lexicon::of(locale));
        std::iter::once(self.common_lexicon()).chain(localized).collect()
    }

    /// The bytes to store.
    pub fn encode(&self) -> Vec<u8> {
        // Maps have texts for keys and numbers are finite: nothing here can fail.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Reads stored bytes; none if they are not of this version, or damaged.
    pub fn decode(bytes: &[u8]) -> Option<Collection> {
        serde_json::from_slice(bytes).ok()
    }
}

/// What is remembered of a record, stored as the state of its group.
///
/// ```text
/// version=1 u8 | revision u64 | created_at_ns i64 | updated_at_ns i64 | hash [u8; 16]    ; little-endian
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordState {
    /// How often it was written with another content, from 1.
    pub revision: u64,
    /// When it was first written, in nanoseconds since 1970 UTC.
    pub created_at_ns: i64,
    /// When it was last written with another content, in nanoseconds since 1970 UTC.
    pub updated_at_ns: i64,
    /// Stands for its content and all that decides how it is indexed.
    pub hash: [u8; 16],
}

impl RecordState {
    const VERSION: u8 = 1;

    /// The bytes to store.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![RecordState::VERSION];
        bytes.extend(self.revision.to_le_bytes());
        bytes.extend(self.created_at_ns.to_le_bytes());
        bytes.extend(self.updated_at_ns.to_le_bytes());
        bytes.extend(self.hash);
        bytes
    }

    /// Reads stored bytes; none if they are of another version or damaged.
    pub fn decode(bytes: &[u8]) -> Option<RecordState> {
        let rest = bytes.strip_prefix(&[RecordState::VERSION])?;
        let (revision, rest) = rest.split_first_chunk()?;
        let (created_at, rest) = rest.split_first_chunk()?;
        let (updated_at, rest) = rest.split_first_chunk()?;
        Some(RecordState {
            revision: u64::from_le_bytes(*revision),
            created_at_ns: i64::from_le_bytes(*created_at),
            updated_at_ns: i64::from_le_bytes(*updated_at),
            hash: rest.try_into().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        let state = RecordState { revision: 7, created_at_ns: -1, updated_at_ns: 2, hash: [3; 16] };
        let bytes = state.encode();
        assert_eq!(RecordState::decode(&bytes), Some(state));
        for end in 0..bytes.len() {
            assert_eq!(RecordState::decode(&bytes[..end]), None, "cut at {end}");
        }
        assert_eq!(RecordState::decode(&[bytes.as_slice(), &[0]].concat()), None);

        let title = Field { weight: Weight::High, ..Field::of(FieldType::String) };
        let fields = BTreeMap::from([("title".to_owned(), title)]);
        let collection = Collection { fields, max_text_chars: 2_000, ..Collection::default() };
        assert_eq!(Collection::decode(&collection.encode()), Some(collection));
        assert_eq!(Collection::decode(b"garbage"), None);
    }

    #[test]
    fn filters_know_the_fields_that_may_be_asked_for() {
        let field = |filterable| Field { filterable, ..Field::of(FieldType::Number) };
        let fields = [("price", true), ("cost", false)]
            .map(|(path, filterable)| (path.to_owned(), field(filterable)));
        let collection = Collection { fields: fields.into(), ..Collection::default() };
        let schema = collection.schema();
        assert_eq!(schema.field_type("price"), Some(FieldType::Number));
        assert_eq!(schema.field_type("cost"), None);
        assert_eq!(schema.field_type(sys::CREATED_AT), Some(FieldType::DateTime));
    }
}
