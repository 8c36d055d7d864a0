//! The one writer.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use kitfox_core::{Document, Error, Result, Value, Writer};
use tantivy::index::SegmentId;
use tantivy::indexer::{
    IndexWriterOptions, LogMergePolicy, MergePolicy, NoMergePolicy, UserOperation,
};
use tantivy::schema::OwnedValue;
use tantivy::{Index, IndexWriter, TantivyDocument, TantivyError, Term};

use crate::engine::storage;
use crate::ledger::{Entry, Ledger};
use crate::schema::Fields;
use crate::{analysis, values, vectors};

/// Memory each indexing thread fills before it writes a segment, in bytes.
const MEMORY_PER_THREAD: usize = 48_000_000;

/// Indexing threads: the embedding and parsing before them take the other cores.
const THREADS: usize = 1;

/// A segment is merged, and so freed of its dead documents, once this share of it is dead.
/// tantivy's default never does.
const DEAD_RATIO: f32 = 0.2;

/// How long a compaction waits for merges that were begun before it.
const MERGE_PAUSE: Duration = Duration::from_millis(5);

pub(crate) struct EmbeddedWriter {
    writer: IndexWriter,
    ledger: Mutex<Ledger>,
    fields: Fields,
    dimension: usize,
}

impl EmbeddedWriter {
    /// Takes the writer's lock, then reads the ledger: before, another writer might still append.
    pub fn open(
        index: &Index,
        fields: &Fields,
        dimension: usize,
        ledger: impl FnOnce() -> Result<Ledger>,
    ) -> Result<EmbeddedWriter> {
        let options = IndexWriterOptions::builder()
            .num_worker_threads(THREADS)
            .memory_budget_per_thread(MEMORY_PER_THREAD)
            .num_merge_threads(1)
            .build();
        let writer: IndexWriter = index
            .writer_with_options(options)
            .map_err(|error| storage("opening the writer", error))?;
        writer.set_merge_policy(merge_policy());
        // tantivy gives the first operation the number of the last commit. A merge takes a deletion
        // of that number for done in segments that have been written anew by that commit, and what
        // was deleted comes back: so that number goes to no operation.
        writer.run([]).map_err(|error| storage("opening the writer", error))?;
        let ledger = Mutex::new(ledger()?);
        Ok(EmbeddedWriter { writer, ledger, fields: fields.clone(), dimension })
    }

    fn document(&self, group: &str, number: u32, document: &Document) -> Result<TantivyDocument> {
        let fields = &self.fields;
        let mut out = TantivyDocument::new();
        out.add_text(fields.group, group);
        out.add_u64(fields.number, u64::from(number));
        let heading = analysis::analyse(&document.heading);
        let text = analysis::analyse(&document.text);
        out.add_text(fields.heading, &heading.exact);
        out.add_text(fields.text, &text.exact);
        out.add_text(fields.terms, heading.terms + &text.terms);
        if !document.values.is_empty() {
            out.add_object(fields.values, columns(&document.values));
        }
        out.add_text(fields.body, document.text.as_str());
        out.add_text(fields.title, document.heading.as_str());
        let place = serde_json::to_vec(&document.place).map_err(|error| Error::Storage {
            action: "encoding a place",
            source: Box::new(error),
        })?;
        out.add_bytes(fields.place, &place);
        if let Some(vector) = &document.vector {
            self.check_dimension(vector)?;
            let mut bytes = Vec::with_capacity(self.dimension);
            vectors::quantise(vector, &mut bytes);
            out.add_custom(fields.vector, &bytes);
        }
        Ok(out)
    }

    fn check_dimension(&self, vector: &[f32]) -> Result<()> {
        let (expected, found) = (self.dimension, vector.len());
        if expected == found { Ok(()) } else { Err(Error::Dimension { expected, found }) }
    }

    /// Merges all segments into one that holds the living documents only.
    fn merge_all(&mut self) -> Result<()> {
        while self.has_dead()? || self.searchable_segments()?.len() > 1 {
            let segments = self.searchable_segments()?;
            match self.writer.merge(&segments).wait() {
                // A merge begun before still holds some of them, and will end.
                Err(TantivyError::InvalidArgument(_)) => thread::sleep(MERGE_PAUSE),
                merged => {
                    merged.map_err(|error| storage("compacting", error))?;
                }
            }
        }
        Ok(())
    }

    fn searchable_segments(&self) -> Result<Vec<SegmentId>> {
        let found = self.writer.index().searchable_segment_ids();
        found.map_err(|error| storage("listing segments", error))
    }

    fn has_dead(&self) -> Result<bool> {
        let metas = self.writer.index().searchable_segment_metas();
        let metas = metas.map_err(|error| storage("listing segments", error))?;
        Ok(metas.iter().any(|segment| segment.num_deleted_docs() > 0))
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces a group's documents as one operation, so that they lie side by side in a segment.
    fn replace(&self, group: &str, documents: &[Document]) -> Result<()> {
        let known = self.ledger().documents(group).is_some_and(|documents| documents > 0);
        let delete = Term::from_field_text(self.fields.group, group);
        let mut operations: Vec<UserOperation> =
            known.then_some(UserOperation::Delete(delete)).into_iter().collect();
        for (number, document) in documents.iter().enumerate() {
            operations.push(UserOperation::Add(self.document(group, number as u32, document)?));
        }
        self.writer.run(operations).map_err(|error| storage("adding documents", error))?;
        Ok(())
    }
}

fn merge_policy() -> Box<dyn MergePolicy> {
    let mut policy = LogMergePolicy::default();
    policy.set_del_docs_ratio_before_merge(DEAD_RATIO);
    Box::new(policy)
}

/// Each path's distinct values.
fn columns(values: &[(String, Value)]) -> BTreeMap<String, OwnedValue> {
    let mut columns: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, value) in values {
        columns.entry(values::column_path(path)).or_default().push(values::encode(value));
    }
    let column = |(path, mut keys): (String, Vec<String>)| {
        keys.sort_unstable();
        // A facet counts documents, however often they say the same.
        keys.dedup();
        (path, OwnedValue::Array(keys.into_iter().map(OwnedValue::Str).collect()))
    };
    columns.into_iter().map(column).collect()
}

impl Writer for EmbeddedWriter {
    fn put(&self, group: &str, state: Vec<u8>, documents: Vec<Document>) -> Result<()> {
        self.replace(group, &documents)?;
        let documents = documents.len() as u32;
        self.ledger().set(group, Some(Entry { documents, state }));
        Ok(())
    }

    fn touch(&self, group: &str, state: Vec<u8>) -> Result<()> {
        let mut ledger = self.ledger();
        if let Some(documents) = ledger.documents(group) {
            ledger.set(group, Some(Entry { documents, state }));
        }
        Ok(())
    }

    fn remove(&self, group: &str) -> Result<()> {
        self.replace(group, &[])?;
        self.ledger().set(group, None);
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        let ledger = self.ledger.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mark = ledger.flush()?;
        let payload = serde_json::to_string(&mark).map_err(|error| Error::Storage {
            action: "encoding the commit's payload",
            source: Box::new(error),
        })?;
        let mut commit =
            self.writer.prepare_commit().map_err(|error| storage("preparing a commit", error))?;
        commit.set_payload(&payload);
        commit.commit().map_err(|error| storage("committing", error))?;
        ledger.remove_old_logs();
        Ok(())
    }

    fn compact(&mut self) -> Result<()> {
        self.writer.set_merge_policy(Box::new(NoMergePolicy));
        let merged = self.commit().and_then(|()| self.merge_all());
        self.writer.set_merge_policy(merge_policy());
        merged?;
        let collected = self.writer.garbage_collect_files().wait();
        collected.map(drop).map_err(|error| storage("removing old files", error))
    }
}
