//! The fields of an index.

use kitfox_core::Field as FilterField;
use serde_json::json;
use tantivy::schema::{Field, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions};

use crate::analysis::LinesTokenizer;

/// Handles of the fields, in the order they are declared.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    /// The group, exactly: the unit of deletion, and a column for ordering.
    pub group: Field,
    /// The number within the group, a column.
    pub number: Field,
    /// Exact words of the passage, with positions.
    pub text: Field,
    /// Exact words of the heading, with positions.
    pub heading: Field,
    /// Stems and identifier parts of heading and passage together: only for any-word ranking.
    pub terms: Field,
    /// The filter fields, one each of [`FilterField::ALL`].
    pub filters: Vec<Field>,
    /// The passage as it stands.
    pub body: Field,
    /// The heading as it stands.
    pub title: Field,
    /// The place, as JSON.
    pub place: Field,
    /// The vector, kept by the vector component.
    pub vector: Field,
}

/// Declares the fields of an index whose vectors have `dimension` elements.
pub(crate) fn schema(dimension: usize) -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let positions = indexed(IndexRecordOption::WithFreqsAndPositions, true);
    let frequencies = indexed(IndexRecordOption::WithFreqs, true);
    let exactly = indexed(IndexRecordOption::Basic, false);
    let fields = Fields {
        group: builder.add_text_field("group", exactly.clone().set_fast("raw")),
        number: builder.add_u64_field("number", tantivy::schema::FAST),
        text: builder.add_text_field("text", positions.clone()),
        heading: builder.add_text_field("heading", positions),
        terms: builder.add_text_field("terms", frequencies),
        filters: FilterField::ALL
            .iter()
            .map(|field| builder.add_text_field(field.name(), exactly.clone()))
            .collect(),
        body: builder.add_text_field("body", STORED),
        title: builder.add_text_field("title", STORED),
        place: builder.add_bytes_field("place", STORED),
        vector: builder.add_custom_field(
            "vector",
            "int8_vector",
            json!({ "dimension": dimension }),
        ),
    };
    (builder.build(), fields)
}

impl Fields {
    /// The tantivy field behind a filter field.
    pub fn filter(&self, field: FilterField) -> Field {
        self.filters[field as usize]
    }
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
