//! Vectors within the life of a segment: collected while documents are added, written with the
//! segment, carried along when segments merge.
//!
//! tantivy does not tell plugins how it reorders documents, so an index with vectors must keep the
//! order in which documents were added; one that is sorted by a field gets an error, never vectors
//! at the wrong documents.

use std::any::Any;

use tantivy::directory::TerminatingWrite;
use tantivy::index::SegmentComponent;
use tantivy::indexer::DocIdMapping;
use tantivy::indexer::doc_id_mapping::MappingType;
use tantivy::schema::document::ErasedDocument;
use tantivy::schema::{Field, FieldType, Schema, Value};
use tantivy::{
    DocId, PluginMergeContext, PluginWriter, PluginWriterContext, Segment, SegmentPlugin,
    SegmentReader, TantivyDocument, TantivyError,
};

use super::SegmentVectors;
use super::file;
use super::kernel::MAX_DIMENSION;

/// The extension of vector files.
const EXTENSION: &str = "vec";
/// The type of vector fields within a schema.
const FIELD_TYPE: &str = "int8_vector";
/// The name under which a vector field keeps its dimension.
const DIMENSION: &str = "dimension";

/// The vector component of an index whose schema has a field
/// `add_custom_field(_, "int8_vector", json!({ "dimension": 256 }))`.
///
/// Values are bytes as [`quantise`](super::quantise) makes them, one for each dimension; a document
/// has one value or none. A value of another length fails the writer.
#[derive(Clone, Copy, Debug, Default)]
pub struct VectorPlugin;

impl SegmentPlugin for VectorPlugin {
    fn extensions(&self) -> &[&str] {
        &[EXTENSION]
    }

    fn create_writer(
        &self,
        context: &PluginWriterContext,
    ) -> tantivy::Result<Box<dyn PluginWriter>> {
        let (field, dimension) = vector_field(&context.segment.schema())?;
        let (documents, rows) = (Vec::new(), Vec::new());
        Ok(Box::new(VectorWriter { field, dimension, total: 0, documents, rows }))
    }

    fn merge(&self, context: PluginMergeContext) -> tantivy::Result<()> {
        if matches!(context.doc_id_mapping.mapping_type(), MappingType::Shuffled) {
            return Err(reordered());
        }
        let (_, dimension) = vector_field(context.schema)?;
        let open = |reader| SegmentVectors::open(reader, dimension);
        let sources = context.readers.iter().map(open).collect::<tantivy::Result<Vec<_>>>()?;

        let mut documents = Vec::new();
        let mut rows = Vec::new();
        let mut total: DocId = 0;
        for (source, reader) in sources.iter().zip(context.readers) {
            for document in reader.doc_ids_alive() {
                if let Some(row) = source.bytes(document) {
                    documents.push(total);
                    rows.push(row);
                }
                total += 1;
            }
        }
        write(context.target_segment, dimension, total, &documents, rows.into_iter())
    }
}

/// Collects the vectors of a segment that is being made.
struct VectorWriter {
    field: Field,
    dimension: usize,
    /// Documents seen, with a vector or without.
    total: u32,
    /// Those with a vector, ascending.
    documents: Vec<DocId>,
    /// Their vectors, each of `dimension` bytes.
    rows: Vec<u8>,
}

impl PluginWriter for VectorWriter {
    fn add_document(
        &mut self,
        id: DocId,
        document: &dyn ErasedDocument,
        _schema: &Schema,
    ) -> tantivy::Result<()> {
        self.total = id + 1;
        let Some(document) = document.as_any().downcast_ref::<TantivyDocument>() else {
            return Err(invalid("vectors are read from tantivy's own documents only"));
        };
        let mut values = document.get_all(self.field);
        let Some(value) = values.next() else { return Ok(()) };
        let row = value.as_custom().unwrap_or_default();
        if row.len() != self.dimension || values.next().is_some() {
            return Err(invalid(format!(
                "a document has one vector of {} bytes or none, not one of {}, nor several",
                self.dimension,
                row.len()
            )));
        }
        self.documents.push(id);
        self.rows.extend_from_slice(row);
        Ok(())
    }

    fn serialize(
        self: Box<Self>,
        segment: &Segment,
        order: Option<&DocIdMapping>,
    ) -> tantivy::Result<()> {
        if order.is_some() {
            return Err(reordered());
        }
        let rows = self.rows.chunks_exact(self.dimension);
        write(segment, self.dimension, self.total, &self.documents, rows)
    }

    fn mem_usage(&self) -> usize {
        self.rows.capacity() + self.documents.capacity() * size_of::<DocId>()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// Opens a segment's vector file.
pub(super) fn open_file(reader: &SegmentReader) -> tantivy::Result<tantivy::directory::FileSlice> {
    Ok(reader.open_read(component())?)
}

fn write<'a>(
    segment: &Segment,
    dimension: usize,
    total: u32,
    documents: &[DocId],
    rows: impl Iterator<Item = &'a [u8]>,
) -> tantivy::Result<()> {
    let mut out = segment.open_write(component())?;
    file::write(&mut out, dimension, total, documents, rows)?;
    Ok(out.terminate()?)
}

fn component() -> SegmentComponent {
    SegmentComponent::Custom(EXTENSION.to_owned())
}

/// The vector field of a schema and its dimension.
fn vector_field(schema: &Schema) -> tantivy::Result<(Field, usize)> {
    let found = schema.fields().find_map(|(field, entry)| match entry.field_type() {
        FieldType::Custom(options) if options.type_name() == FIELD_TYPE => Some((field, options)),
        _ => None,
    });
    let Some((field, options)) = found else {
        return Err(TantivyError::SchemaError(format!("there is no field of type {FIELD_TYPE}")));
    };
    let dimension = options.params()[DIMENSION].as_u64().unwrap_or(0) as usize;
    if dimension == 0 || dimension > MAX_DIMENSION {
        return Err(TantivyError::SchemaError(format!(
            "a vector field has 1 to {MAX_DIMENSION} dimensions, not {dimension}"
        )));
    }
    Ok((field, dimension))
}

fn reordered() -> TantivyError {
    invalid("an index with vectors keeps its documents in the order they were added")
}

fn invalid(reason: impl Into<String>) -> TantivyError {
    TantivyError::InvalidArgument(reason.into())
}
