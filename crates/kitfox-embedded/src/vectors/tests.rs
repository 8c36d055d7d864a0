//! Vectors on a real index: through adding, deleting, merging and reopening.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use tantivy::indexer::NoMergePolicy;
use tantivy::schema::{FAST, INDEXED, Schema};
use tantivy::{
    Index, IndexSettings, IndexSortByField, IndexWriter, Order, TantivyDocument, TantivyError, Term,
};

use super::*;

const DIMENSION: usize = 48;

/// A small deterministic generator (splitmix64).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A unit vector.
    pub(super) fn vector(&mut self, dimension: usize) -> Vec<f32> {
        let values: Vec<f32> =
            (0..dimension).map(|_| (self.next() as i32) as f32 / i32::MAX as f32).collect();
        let norm = values.iter().map(|value| value * value).sum::<f32>().sqrt();
        values.into_iter().map(|value| value / norm).collect()
    }
}

fn schema() -> Schema {
    let mut schema = Schema::builder();
    schema.add_u64_field("id", INDEXED | FAST);
    schema.add_custom_field("vector", "int8_vector", serde_json::json!({ "dimension": DIMENSION }));
    schema.build()
}

/// Documents by number, every third without a vector if `gaps`.
fn documents(count: u64, gaps: bool) -> BTreeMap<u64, Option<Vec<u8>>> {
    let mut random = Random::new(count);
    let mut vector = |id: u64| {
        let mut bytes = Vec::new();
        quantise(&random.vector(DIMENSION), &mut bytes);
        (!gaps || id % 3 != 1).then_some(bytes)
    };
    (0..count).map(|id| (id, vector(id))).collect()
}

fn document(schema: &Schema, id: u64, vector: Option<&[u8]>) -> TantivyDocument {
    let mut document = TantivyDocument::new();
    document.add_u64(schema.get_field("id").unwrap(), id);
    if let Some(vector) = vector {
        document.add_custom(schema.get_field("vector").unwrap(), vector);
    }
    document
}

fn writer(index: &Index) -> IndexWriter {
    let writer: IndexWriter = index.writer_with_num_threads(1, 15_000_000).unwrap();
    writer.set_merge_policy(Box::new(NoMergePolicy));
    writer
}

/// Adds documents in commits of `batch`.
fn add(writer: &mut IndexWriter, documents: &BTreeMap<u64, Option<Vec<u8>>>, batch: usize) {
    let schema = writer.index().schema();
    for (at, (&id, vector)) in documents.iter().enumerate() {
        writer.add_document(document(&schema, id, vector.as_deref())).unwrap();
        if (at + 1) % batch == 0 {
            writer.commit().unwrap();
        }
    }
    writer.commit().unwrap();
}

fn open(directory: &Path) -> Index {
    let mut index = Index::open_in_dir(directory).unwrap();
    index.register_plugin(Arc::new(VectorPlugin));
    index
}

/// What the last commit holds, and in how many segments.
fn stored(index: &Index) -> (usize, BTreeMap<u64, Option<Vec<u8>>>) {
    let searcher = index.reader().unwrap().searcher();
    let mut stored = BTreeMap::new();
    for reader in searcher.segment_readers() {
        let vectors = SegmentVectors::open(reader, DIMENSION).unwrap();
        let ids = reader.fast_fields().u64("id").unwrap();
        for document in reader.doc_ids_alive() {
            let row = vectors.row(document).map(|row| row.iter().map(|&value| value as u8));
            let before = stored.insert(ids.first(document).unwrap(), row.map(Iterator::collect));
            assert!(before.is_none());
        }
    }
    (searcher.segment_readers().len(), stored)
}

#[track_caller]
fn check_life(count: u64, batch: usize, gaps: bool) {
    let directory = tempfile::tempdir().unwrap();
    let mut expected = documents(count, gaps);
    let builder = Index::builder().schema(schema()).register_plugin(Arc::new(VectorPlugin));
    let index = builder.create_in_dir(directory.path()).unwrap();
    add(&mut writer(&index), &expected, batch);
    assert_eq!(stored(&index), ((count as usize).div_ceil(batch), expected.clone()));
    drop(index);

    let index = open(directory.path());
    let mut writer = writer(&index);
    for id in (0..count).filter(|id| id % 5 == 2 || (20..30).contains(id)) {
        writer.delete_term(Term::from_field_u64(index.schema().get_field("id").unwrap(), id));
        expected.remove(&id);
    }
    writer.commit().unwrap();
    assert_eq!(stored(&index).1, expected, "deleted");
    writer.merge(&index.searchable_segment_ids().unwrap()).wait().unwrap();
    writer.garbage_collect_files().wait().unwrap();
    assert_eq!(stored(&index), (1, expected.clone()), "merged");
    drop(writer);

    let index = open(directory.path());
    assert_eq!(stored(&index), (1, expected), "reopened");
    assert!(index.validate_checksum().unwrap().is_empty());
    let files = std::fs::read_dir(directory.path()).unwrap();
    let is_vectors = |path: &Path| path.extension().is_some_and(|extension| extension == "vec");
    let left = files.filter(|file| is_vectors(&file.as_ref().unwrap().path())).count();
    assert_eq!(left, 1, "merged files are collected");
}

#[test]
fn every_document_keeps_its_vector_for_life() {
    check_life(100, 10, false);
    check_life(100, 10, true);
    check_life(101, 60, true);
    check_life(31, 31, true);
}

/// An index of one segment, and its reader.
fn segment(count: u64, gaps: bool) -> (tempfile::TempDir, Index) {
    let directory = tempfile::tempdir().unwrap();
    let builder = Index::builder().schema(schema()).register_plugin(Arc::new(VectorPlugin));
    let index = builder.create_in_dir(directory.path()).unwrap();
    add(&mut writer(&index), &documents(count, gaps), usize::MAX);
    (directory, index)
}

#[track_caller]
fn check_scan(count: u64, gaps: bool, depth: usize, accept: impl Fn(u32) -> bool + Copy) {
    let (_directory, index) = segment(count, gaps);
    let searcher = index.reader().unwrap().searcher();
    let vectors = SegmentVectors::open(searcher.segment_reader(0), DIMENSION).unwrap();
    let query = Query::new(&Random::new(5).vector(DIMENSION));
    let mut expected: Vec<(u32, f32)> = (0..count as u32)
        .filter(|&document| accept(document))
        .filter_map(|document| Some((document, vectors.cosine(document, &query)?)))
        .collect();
    expected.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
    expected.truncate(depth);
    let accepted = (0..count as usize).filter(|&document| accept(document as u32)).collect();
    assert_eq!(vectors.scan(&query, depth, &accepted, |document| document), expected);
}

#[test]
fn a_scan_finds_what_comparing_all_finds() {
    for gaps in [false, true] {
        check_scan(1_000, gaps, 10, |_| true);
        check_scan(1_000, gaps, 100, |document| document % 7 == 3);
        check_scan(1_000, gaps, 5_000, |document| document > 500);
        check_scan(1_000, gaps, 10, |_| false);
        check_scan(1_000, gaps, 0, |_| true);
        check_scan(3, gaps, 10, |_| true);
    }
}

#[test]
fn equal_vectors_are_ordered_by_doc_id() {
    let directory = tempfile::tempdir().unwrap();
    let builder = Index::builder().schema(schema()).register_plugin(Arc::new(VectorPlugin));
    let index = builder.create_in_dir(directory.path()).unwrap();
    let (mut near, mut far) = (Vec::new(), Vec::new());
    quantise(&[1.0; DIMENSION], &mut near);
    quantise(&[-1.0; DIMENSION], &mut far);
    let all = (0..600).map(|id| (id, Some(if id % 2 == 0 { far.clone() } else { near.clone() })));
    add(&mut writer(&index), &all.collect(), usize::MAX);
    let searcher = index.reader().unwrap().searcher();
    let vectors = SegmentVectors::open(searcher.segment_reader(0), DIMENSION).unwrap();
    let all = (0..600).collect();
    let found = vectors.scan(&Query::new(&[1.0; DIMENSION]), 3, &all, |document| document);
    assert_eq!(found.iter().map(|found| found.0).collect::<Vec<_>>(), [1, 3, 5]);
    assert!(found.iter().all(|found| (found.1 - 1.0).abs() < 1e-6), "{found:?}");
    let found = vectors.scan(&Query::new(&[0.5; DIMENSION]), 302, &all, |document| document);
    assert_eq!(found[299..].iter().map(|found| found.0).collect::<Vec<_>>(), [599, 0, 2]);
}

#[test]
fn a_query_of_another_dimension_finds_nothing() {
    let (_directory, index) = segment(10, false);
    let searcher = index.reader().unwrap().searcher();
    let reader = searcher.segment_reader(0);
    let vectors = SegmentVectors::open(reader, DIMENSION).unwrap();
    let query = Query::new(&[1.0; DIMENSION * 2]);
    assert!(vectors.scan(&query, 10, &(0..10).collect(), |document| document).is_empty());
    assert_eq!(vectors.cosine(0, &query), None);
    let error = SegmentVectors::open(reader, DIMENSION * 2).err();
    assert!(matches!(error, Some(TantivyError::DataCorruption(_))));
}

#[test]
fn a_vector_of_the_wrong_length_fails_the_writer() {
    let index = Index::builder().schema(schema()).register_plugin(Arc::new(VectorPlugin));
    let index = index.create_in_ram().unwrap();
    let mut writer = writer(&index);
    let _ = writer.add_document(document(&index.schema(), 1, Some(&[1; DIMENSION - 1])));
    assert!(writer.commit().is_err());
}

#[test]
fn an_index_that_reorders_documents_is_refused() {
    let sort_by_field = IndexSortByField { field: "id".to_owned(), order: Order::Desc };
    let settings = IndexSettings { sort_by_field: Some(sort_by_field), ..Default::default() };
    let builder = Index::builder().schema(schema()).settings(settings);
    let index = builder.register_plugin(Arc::new(VectorPlugin)).create_in_ram().unwrap();
    let mut writer = writer(&index);
    writer.add_document(document(&index.schema(), 1, None)).unwrap();
    assert!(writer.commit().is_err());
}

#[test]
fn a_damaged_file_is_an_error() {
    let (directory, index) = segment(10, true);
    let segment = index.searchable_segments().unwrap().remove(0);
    let path = directory.path().join(format!("{}.vec", segment.id().uuid_string()));
    let whole = std::fs::read(&path).unwrap();
    let mut garbled = whole.clone();
    garbled[12] ^= 0xff;
    for bytes in [&garbled[..], &whole[..whole.len() / 2], &[]] {
        std::fs::write(&path, bytes).unwrap();
        let searcher = open(directory.path()).reader().map(|reader| reader.searcher());
        let opened = searcher.and_then(|searcher| {
            SegmentVectors::open(searcher.segment_reader(0), DIMENSION).map(|_| ())
        });
        assert!(opened.is_err());
    }
}
