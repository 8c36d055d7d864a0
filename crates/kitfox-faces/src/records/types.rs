//! Requests and answers of the records face.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::IndexStatus;

/// How a query is matched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecordSearch {
    /// Any of the words or the meaning, fused.
    #[default]
    Hybrid,
    /// Every word.
    Text,
    /// The meaning alone.
    Semantic,
    /// Every word, with the nearest few by meaning first.
    VectorBoosted,
}

impl RecordSearch {
    /// Every type with its name.
    pub const ALL: [(&str, RecordSearch); 4] = [
        ("hybrid", RecordSearch::Hybrid),
        ("text", RecordSearch::Text),
        ("semantic", RecordSearch::Semantic),
        ("vector_boosted", RecordSearch::VectorBoosted),
    ];

    /// What requests and answers call it.
    pub fn name(self) -> &'static str {
        RecordSearch::ALL.iter().find(|(_, each)| *each == self).map_or("", |(name, _)| name)
    }
}

/// What every list of records can be asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordsRequest {
    /// The collection, as `discover_resources` names it.
    pub resource_id: String,
    /// A list of conditions, all of which hold; none where it is null.
    pub filters: Json,
    /// Locales to keep in localized fields; all where there are none.
    pub locales: Vec<String>,
    /// Keys of the records above, by placeholder of the resource.
    pub parents: BTreeMap<String, String>,
    /// References to follow.
    pub populate: Vec<String>,
    /// Size of the page, 1 to 100; 5 where absent.
    pub limit: Option<usize>,
    /// Where a page before said to go on.
    pub cursor: Option<String>,
    /// Paths to count the values of.
    pub facets: Vec<String>,
}

/// A search of records.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchRecords {
    /// What to find.
    pub query: String,
    /// How it is matched.
    pub search_type: RecordSearch,
    /// Which records, and what of them.
    pub records: RecordsRequest,
}

/// Records by exact conditions, in an exact order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueryRecords {
    /// Paths to order by, most important first; `-` before one turns it round.
    pub sort: Vec<String>,
    /// Which records, and what of them.
    pub records: RecordsRequest,
}

/// One record, or several, in full.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GetRecord {
    /// The collection, as `discover_resources` names it.
    pub resource_id: String,
    /// The keys.
    pub record_ids: Vec<String>,
    /// Keys of the records above, by placeholder of the resource.
    pub parents: BTreeMap<String, String>,
    /// Locales to keep in localized fields; all where there are none.
    pub locales: Vec<String>,
    /// References to follow.
    pub populate: Vec<String>,
    /// Only these fields; all where there are none.
    pub fields: Vec<String>,
}

/// A record to write or to remove.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WriteRecord {
    /// The collection, as `discover_resources` names it.
    pub resource_id: String,
    /// The key; that in the data, or a new one, where there is none.
    pub record_id: Option<String>,
    /// All of the record; nothing of one to remove.
    pub data: Map<String, Json>,
    /// The revision the record must have.
    pub revision: Option<String>,
    /// Keys of the records above, by placeholder of the resource.
    pub parents: BTreeMap<String, String>,
}

/// What came of writing a record.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WriteAnswer {
    /// Its key.
    pub id: String,
    /// Whether anything is other than before.
    pub changed: bool,
    /// Whether it is gone.
    pub deleted: bool,
    /// What the system says of it now.
    #[serde(rename = "_sys")]
    pub sys: RecordSys,
}

/// A page of records.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordsAnswer {
    /// At most `limit`.
    pub items: Vec<Record>,
    /// How to go on.
    pub page: Page,
    /// The text limit in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncation: Option<Truncation>,
    /// Present where facets were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facets: Option<BTreeMap<String, FacetAnswer>>,
    /// What ran.
    pub execution_info: ExecutionInfo,
}

/// Records in full.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordAnswer {
    /// In the order they were asked for.
    pub items: Vec<Record>,
    /// Keys no record of the collection has.
    pub missing: Vec<String>,
    /// What ran.
    pub execution_info: ExecutionInfo,
}

/// One record.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    /// Its key.
    pub id: String,
    /// What it says, shaped by the schema of its collection.
    pub data: Map<String, Json>,
    /// What the system says of it.
    #[serde(rename = "_sys")]
    pub sys: RecordSys,
}

/// What the system says of a record.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RecordSys {
    /// Its key.
    pub key: String,
    /// The collection it belongs to.
    pub folder: String,
    /// From "1" up, at each changed write.
    pub revision: String,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// RFC 3339, UTC.
    pub updated_at: String,
    /// How well it matches, 0 to 1; none where nothing was ranked.
    pub relevance: Option<f64>,
    /// One entry per text that was cut.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub truncated: Vec<Truncated>,
    /// The best passages around what matched.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub highlights: Vec<Highlight>,
    /// Keys of the records above, by placeholder.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parents: BTreeMap<String, String>,
}

/// A text that was cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Truncated {
    /// Its path.
    pub field: String,
    /// Its locale, in a localized field.
    pub locale: Option<String>,
    /// Characters before it was cut.
    pub original_length: usize,
}

/// A passage that shows why a record was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Highlight {
    /// The path of the text it is of.
    pub field: String,
    /// The passage: hits as `**…**`, cuts as `…`.
    pub text: String,
}

/// Where a page lies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Page {
    /// Whether there is a page after this.
    pub has_more: bool,
    /// Records of this page.
    pub returned: usize,
    /// Records it may have.
    pub limit: usize,
    /// For the page after.
    pub next_cursor: Option<String>,
    /// For the page before.
    pub previous_cursor: Option<String>,
    /// How many records there are over all pages.
    pub total: Total,
}

/// A number of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Total {
    /// That many.
    Exactly(usize),
    /// That many or more.
    AtLeast {
        /// As far as was looked.
        at_least: usize,
    },
}

/// The text limit of lists of records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Truncation {
    /// Whether any text of this answer was cut.
    pub applied: bool,
    /// Characters a text may have.
    pub max_text_chars: usize,
    /// What to do about it.
    pub note: String,
}

/// How the records of an answer are spread over the values of a field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FacetAnswer {
    /// The most frequent values.
    pub values: Vec<FacetValue>,
    /// Values that are not listed.
    pub other_values: usize,
    /// The least value, of numbers and dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<Json>,
    /// The greatest value, of numbers and dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Json>,
}

/// A value of a field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FacetValue {
    /// The value.
    pub value: Json,
    /// Records that have it.
    pub count: usize,
}

/// What ran, and on what.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ExecutionInfo {
    /// The search type asked for; none where nothing was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_mode: Option<&'static str>,
    /// The search type that ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub applied_search_type: Option<&'static str>,
    /// What was read otherwise than it was said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// How fresh the index is.
    pub index: IndexStatus,
}

/// The collections there are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResourcesAnswer {
    /// By name.
    pub resources: Vec<ResourceInfo>,
}

/// A collection.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResourceInfo {
    /// What the other tools call it.
    pub resource_id: String,
    /// Its name.
    pub name: String,
    /// What a person says it holds.
    pub description: String,
    /// What can be done with it.
    pub capabilities: Vec<&'static str>,
    /// Its records; of all parents, for a nested one.
    pub record_count: usize,
    /// The locales of its localized fields, the default first.
    pub locales: Vec<String>,
    /// What `parents` may name, and the collection whose keys it takes.
    pub placeholders: Vec<Placeholder>,
    /// The search types that can run.
    pub search_types: Vec<&'static str>,
    /// When its source was last read; none where it never was.
    pub updated_at: Option<String>,
    /// How fresh the index is.
    pub index: IndexStatus,
}

/// A place in a resource to fill in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Placeholder {
    /// Its name, a member of `parents`.
    pub name: String,
    /// The resource whose record keys it takes.
    pub resource_id: String,
}

/// All that is known of a collection.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResourceAnswer {
    /// The same as in the list of resources.
    #[serde(flatten)]
    pub resource: ResourceInfo,
    /// The field that holds the key; none where keys are made from the content.
    pub key_field: Option<String>,
    /// The JSON Schema of `data`.
    pub schema: Json,
    /// Every field by path.
    pub fields: Vec<FieldInfo>,
    /// What the vectors are made with, and how many records have one.
    pub embedding: Embedding,
    /// Characters of a text lists of records show.
    pub max_text_chars: usize,
}

/// The vectors of a collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Embedding {
    /// The fingerprint of the model.
    pub model: String,
    /// Records with a vector.
    pub embedded: usize,
    /// Records.
    pub total: usize,
}

/// A field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FieldInfo {
    /// As filters, `sort`, `facets`, `populate` and `fields` name it.
    pub path: String,
    /// The type of its values.
    #[serde(rename = "type")]
    pub of_type: &'static str,
    /// Whether a record may have several.
    pub is_array: bool,
    /// Whether a record may lack it.
    pub is_optional: bool,
    /// What can be done with it: `filterable`, `sortable`, `searchable`, `vectorized`, `localized`.
    pub flags: Vec<&'static str>,
    /// The operators of filters on it.
    pub operators: Vec<&'static str>,
    /// The resource whose keys it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// What a person says of it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// All its values with their counts, where there are few.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<FacetValue>,
    /// The least value, of numbers and dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<Json>,
    /// The greatest value, of numbers and dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Json>,
    /// A value some record has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<Json>,
}
