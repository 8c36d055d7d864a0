//! The fields of an index.

use kitfox_core::Column;
use serde_json::json;
use tantivy::schema::{
    Field, IndexRecordOption, JsonObjectOptions, STORED, Schema, TextFieldIndexing, TextOptions,
};

use crate::analysis::LinesTokenizer;

/// The name of [`Fields::values`].
pub(crate) const VALUES: &str = "values";

/// Handles of the fields, in the order they are declared.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    /// The group, exactly: the unit of deletion, and a column for ordering.
    pub group: Field,
    /// The number within the group, a column.
    pub number: Field,
    /// Exact words of each column, with positions, in the order of [`Column::ALL`].
    pub columns: [Field; Column::ALL.len()],
    /// Stems and identifier parts of heading and passage together: only for any-word ranking.
    pub terms: Field,
    /// The values, a column for each path (see [`crate::values`]).
    pub values: Field,
    /// The passage as it stands.
    pub body: Field,
    /// The heading as it stands.
    pub heading: Field,
    /// The place, as JSON.
    pub place: Field,
    /// What is given back as it is; absent where it is empty.
    pub payload: Field,
    /// The vector, kept by the vector component.
    pub vector: Field,
}

impl Fields {
    /// The exact words of a column.
    pub fn column(&self, column: Column) -> Field {
        self.columns[column as usize]
    }
}

/// Declares the fields of an index whose vectors have `dimension` elements.
pub(crate) fn schema(dimension: usize) -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let positions = indexed(IndexRecordOption::WithFreqsAndPositions, true);
    let frequencies = indexed(IndexRecordOption::WithFreqs, true);
    let exactly = indexed(IndexRecordOption::Basic, false);
    let fields = Fields {
        group: builder.add_text_field("group", exactly.set_fast("raw")),
        number: builder.add_u64_field("number", tantivy::schema::FAST),
        columns: Column::ALL.map(|column| builder.add_text_field(column.name(), positions.clone())),
        terms: builder.add_text_field("terms", frequencies),
        values: builder.add_json_field(VALUES, JsonObjectOptions::default().set_fast("raw")),
        body: builder.add_text_field("body", STORED),
        heading: builder.add_text_field("heading", STORED),
        place: builder.add_bytes_field("place", STORED),
        payload: builder.add_bytes_field("payload", STORED),
        vector: builder.add_custom_field(
            "vector",
            "int8_vector",
            json!({ "dimension": dimension }),
        ),
    };
    (builder.build(), fields)
}

/// Words are counted for BM25 where they come as such; values matched whole are not.
fn indexed(option: IndexRecordOption, words: bool) -> TextOptions {
    let tokenizer = if words { LinesTokenizer::NAME } else { "raw" };
    TextOptions::default().set_indexing_options(
        TextFieldIndexing::default()
            .set_tokenizer(tokenizer)
            .set_index_option(option)
            .set_fieldnorms(words),
    )
}
