//! From a record to the document it is indexed as.

use std::ops::Range;

use kitfox_core::{
    Collection, Document, Field, Heading, Lexicon, Part, Parts, Place, RecordState, Schema, Text,
    Value, Weight,
};
use kitfox_core::{push_key, sys};
use kitfox_embed::Embedder;
use kitfox_journal::Entry;
use rustc_hash::FxHashMap;
use serde_json::Value as Json;

use super::fields::localized;
use super::record::Record;

/// Stands for how a record becomes a document; raised where that changes.
pub(super) const VERSION: u8 = 2;

/// How many bytes of a hash are those of the content; the rest tells how it is indexed.
const CONTENT_BYTES: usize = 12;

/// How the records of one collection are indexed.
pub(super) struct Indexing<'c> {
    collection: &'c Collection,
    schema: Schema,
    /// What the texts at each path are for.
    uses: FxHashMap<&'c str, Use>,
    /// The localized field that each path is one locale of.
    bases: FxHashMap<&'c str, &'c str>,
    rules: [u8; 4],
}

/// What a text is for.
struct Use {
    is_title: bool,
    is_searchable: bool,
    is_vectorized: bool,
    part: Part,
}

/// The texts of a record.
#[derive(Default)]
struct Texts<'i> {
    /// What it is called, in each locale.
    titles: Vec<(String, &'i Use)>,
    searched: String,
    parts: Vec<(Range<usize>, Part)>,
    meant: String,
}

impl<'c> Indexing<'c> {
    pub fn of(collection: &'c Collection) -> Indexing<'c> {
        let (mut uses, mut bases) = (FxHashMap::default(), FxHashMap::default());
        let common = collection.common_lexicon();
        let searched = collection.fields.values().filter(|field| field.searchable);
        let least = searched.map(|field| times(field.weight)).min().unwrap_or(1);
        for (path, field) in &collection.fields {
            let base = localized(path, &collection.fields);
            bases.extend(base.map(|base| (path.as_str(), base)));
            let title = collection.title.as_deref();
            let is_title = title.is_some() && (title == Some(path) || title == base);
            let locale = base.and_then(|base| path.strip_prefix(base)?.strip_prefix('.'));
            let locale = locale.filter(|locale| collection.locales.iter().any(|it| it == locale));
            let lexicon = locale.map_or_else(|| common.clone(), Lexicon::of);
            let part = Part { weight: times(field.weight) / least, lexicon };
            let Field { searchable, vectorized, .. } = *field;
            uses.insert(
                path.as_str(),
                Use { is_title, is_searchable: searchable, is_vectorized: vectorized, part },
            );
        }
        Indexing { collection, schema: collection.schema(), uses, bases, rules: rules(collection) }
    }

    /// The collection.
    pub fn collection(&self) -> &'c Collection {
        self.collection
    }

    /// Stands for the content of a record and for how it is indexed.
    pub fn hash(&self, record: &Record) -> [u8; 16] {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&record.content);
        for instant in [record.created_at, record.updated_at] {
            hasher.update(&instant.unwrap_or(i64::MIN).to_le_bytes());
        }
        hasher.update(record.parent.as_deref().unwrap_or_default().as_bytes());
        let mut hash = [0; 16];
        hash[..CONTENT_BYTES].copy_from_slice(&hasher.finalize().as_bytes()[..CONTENT_BYTES]);
        hash[CONTENT_BYTES..].copy_from_slice(&self.rules);
        hash
    }

    /// What is remembered of a record that is written now.
    pub fn state(&self, record: &Record, before: Option<&RecordState>, now_ns: i64) -> RecordState {
        let hash = self.hash(record);
        let content = |state: &RecordState| state.hash[..CONTENT_BYTES] == hash[..CONTENT_BYTES];
        let same = before.filter(|before| content(before));
        let written = same.map_or(now_ns, |before| before.updated_at_ns);
        let first = before.map_or(now_ns, |before| before.created_at_ns);
        RecordState {
            revision: before.map_or(0, |before| before.revision) + u64::from(same.is_none()),
            created_at_ns: record.created_at.unwrap_or(first),
            updated_at_ns: record.updated_at.unwrap_or(written),
            hash,
        }
    }

    /// What is remembered of a record that its journal tells the rest of.
    pub fn written(&self, record: &Record, entry: &Entry) -> RecordState {
        RecordState {
            revision: entry.revision,
            created_at_ns: record.created_at.unwrap_or(entry.created_at_ns),
            updated_at_ns: record.updated_at.unwrap_or(entry.updated_at_ns),
            hash: self.hash(record),
        }
    }

    /// The document of a record.
    pub fn document(
        &self,
        record: Record,
        state: &RecordState,
        embedder: &dyn Embedder,
    ) -> Document {
        let (title, texts) = self.texts(&record.data);
        let (title, title_use) = title.unzip();
        let title = title.unwrap_or_default();
        let heading = Heading::new(&title, "", "");
        let values = self.values(&record, state);
        let text = Text::new(texts.searched);
        let meant = match texts.meant == text.as_str() {
            true => None,
            false => Some(Text::new(texts.meant)),
        };
        let meant = meant.as_ref().unwrap_or(&text);
        let vector = match title_use.is_some_and(|title| title.is_vectorized) {
            true => embedder.embed(&[heading.text(), meant]),
            false if meant.words().is_empty() => None,
            false => embedder.embed(&[meant]),
        };
        let heading_part = title_use.map_or_else(Part::default, |title| title.part.clone());
        let parts = Parts { heading: heading_part, text: texts.parts };
        let payload = record.content;
        // What people at a terminal see of it.
        let place = Place { section: title, ..Place::default() };
        Document { heading, text, parts, values, place, vector, payload }
    }

    fn values(&self, record: &Record, state: &RecordState) -> Vec<(String, Value)> {
        let mut values = self.schema.values(&record.data);
        values.retain(|(path, value)| self.is_kept(path, value));
        let of_bases: Vec<(String, Value)> = values
            .iter()
            .filter_map(|(path, value)| {
                Some((self.bases.get(path.as_str())?.to_string(), value.clone()))
            })
            .collect();
        values.extend(of_bases);
        if let (Some(key), Some(parent)) = (&record.parent, &self.collection.parent) {
            values.push((parent.field.clone(), key.as_str().into()));
        }
        let time = |nanoseconds: i64| Value::Time(i128::from(nanoseconds));
        values.push((sys::KEY.to_owned(), record.key.as_str().into()));
        values.push((sys::CREATED_AT.to_owned(), time(state.created_at_ns)));
        values.push((sys::UPDATED_AT.to_owned(), time(state.updated_at_ns)));
        values
    }

    /// Whether anybody can ask for a value; that a localized field is an object says nothing.
    fn is_kept(&self, path: &str, value: &Value) -> bool {
        let is_localized = || self.collection.fields.get(path).is_some_and(|field| field.localized);
        self.schema.field_type(path).is_some() && !(*value == Value::Filled && is_localized())
    }

    /// What a record is called, in the default locale where it is, and its other texts.
    fn texts(&self, data: &Json) -> (Option<(String, &Use)>, Texts<'_>) {
        let mut texts = Texts::default();
        self.collect(data, &mut String::new(), 0, &mut texts);
        let mut titles = std::mem::take(&mut texts.titles);
        let default = self.collection.locales.first();
        let is_default = |(_, used): &(String, &Use)| Some(&used.part.lexicon.locale) == default;
        let first = titles.iter().position(is_default).unwrap_or(0);
        let title = (first < titles.len()).then(|| titles.remove(first));
        titles.into_iter().for_each(|(title, used)| texts.add(&title, used));
        (title, texts)
    }

    fn collect<'i>(&'i self, value: &Json, path: &mut String, depth: usize, texts: &mut Texts<'i>) {
        match value {
            Json::Object(members) => {
                for (key, member) in members {
                    let length = path.len();
                    if depth > 0 {
                        path.push('.');
                    }
                    push_key(path, key);
                    self.collect(member, path, depth + 1, texts);
                    path.truncate(length);
                }
            }
            Json::Array(elements) => {
                elements.iter().for_each(|element| self.collect(element, path, depth, texts));
            }
            Json::String(text) => self.add(text, path, texts),
            Json::Number(number) => self.add(&number.to_string(), path, texts),
            Json::Bool(_) | Json::Null => {}
        }
    }

    fn add<'i>(&'i self, text: &str, path: &str, texts: &mut Texts<'i>) {
        match self.uses.get(path) {
            Some(used) if used.is_title && used.is_searchable && !text.is_empty() => {
                texts.titles.push((text.to_owned(), used));
            }
            Some(used) => texts.add(text, used),
            None => {}
        }
    }
}

impl Texts<'_> {
    fn add(&mut self, text: &str, used: &Use) {
        if used.is_searchable && !text.is_empty() {
            let start = push(&mut self.searched, text);
            self.parts.push((start..self.searched.len(), used.part.clone()));
        }
        if used.is_vectorized {
            push(&mut self.meant, text);
        }
    }
}

/// How often words of this weight count; divided by the least a collection has, so that those of one
/// where all have the same count once.
fn times(weight: Weight) -> u8 {
    match weight {
        Weight::Low => 1,
        Weight::Normal => 2,
        Weight::High => 4,
    }
}

/// Adds a text on lines of its own; where it begins.
fn push(texts: &mut String, text: &str) -> usize {
    if !texts.is_empty() && !text.is_empty() {
        texts.push('\n');
    }
    texts.push_str(text);
    texts.len() - text.len()
}

/// Stands for all but the content that decides how a record is indexed: examples and descriptions
/// do not.
fn rules(collection: &Collection) -> [u8; 4] {
    let mut hasher = blake3::Hasher::new();
    let mut add = |part: &[u8]| {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    };
    add(&[VERSION]);
    add(collection.model.as_bytes());
    add(collection.title.as_deref().unwrap_or_default().as_bytes());
    add(collection.parent.as_ref().map_or("", |parent| &parent.field).as_bytes());
    collection.locales.iter().for_each(|locale| add(locale.as_bytes()));
    for (path, field) in &collection.fields {
        let Field { of_type, filterable, sortable, searchable, vectorized, localized, .. } = field;
        add(path.as_bytes());
        add(of_type.name().as_bytes());
        let flags = [filterable | sortable, *searchable, *vectorized, *localized];
        add(&flags.map(u8::from));
        add(&[times(field.weight)]);
    }
    let [a, b, c, d, ..] = *hasher.finalize().as_bytes();
    [a, b, c, d]
}
