//! The one writer.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kitfox_core::{Column, Document, Error, Result, Value, Writer};
use tantivy::directory::DirectoryLock;
use tantivy::index::SegmentId;
use tantivy::indexer::{
    IndexWriterOptions, LogMergePolicy, MergePolicy, NoMergePolicy, UserOperation,
};
use tantivy::schema::OwnedValue;
use tantivy::{Index, IndexWriter, TantivyDocument, Term};

use crate::damage::{problem_of, reading, segment_files, storage};
use crate::disk::{WritingDirectory, damaged, is_litter_unless_named};
use crate::ledger::{Ledger, Mark};
use crate::schema::Fields;
use crate::snapshot::View;
use crate::{analysis, values, vectors};

/// Memory each indexing thread fills before it writes a segment, in bytes.
const MEMORY_PER_THREAD: usize = 48_000_000;

/// Indexing threads: the embedding and parsing before them take the other cores.
const THREADS: usize = 1;

/// A segment is merged, and so freed of its dead documents, once this share of it is dead.
/// tantivy's default never does.
const DEAD_RATIO: f32 = 0.2;

pub(crate) struct EmbeddedWriter {
    /// None only while it is replaced or dropped.
    writer: Option<IndexWriter>,
    ledger: Mutex<Ledger>,
    opened: Opened,
    /// Set by the first error that leaves tantivy's writer in doubt.
    has_failed: AtomicBool,
}

/// What a writer works on.
pub(crate) struct Opened {
    pub index: Index,
    /// The commit it continues from.
    pub view: View,
    pub directory: WritingDirectory,
    pub fields: Fields,
    pub dimension: usize,
    /// The writer's lock. Declared last, so that it is released last.
    #[expect(dead_code, reason = "it is held")]
    pub lock: DirectoryLock,
}

impl EmbeddedWriter {
    /// Begins to write, and removes what no commit needs.
    pub fn open(opened: Opened) -> Result<EmbeddedWriter> {
        let files = segment_files(&opened.index)?;
        // tantivy reads these on a thread where a panic would end the process.
        for file in files.iter().filter(|file| file.ends_with(".del")) {
            if let Some(problem) = problem_of(&opened.index, file) {
                return Err(damaged(file, problem));
            }
        }
        let table = opened.view.table();
        opened.directory.sweep(|name| {
            is_litter_unless_named(name)
                && !table.names(name)
                && files.binary_search_by(|file| file.as_str().cmp(name)).is_err()
        })?;
        let ledger = Mutex::new(Ledger::open(opened.directory.clone(), table.clone())?);
        let writer = start(&opened)?;
        let has_failed = AtomicBool::new(false);
        Ok(EmbeddedWriter { writer: Some(writer), ledger, opened, has_failed })
    }

    fn usable(&self) -> Result<&IndexWriter> {
        let usable = self.writer.as_ref().filter(|_| !self.has_failed.load(Ordering::Acquire));
        usable.ok_or_else(|| Error::Storage {
            action: "writing",
            source: "an earlier change failed; open another writer".into(),
        })
    }

    /// Ends the use of this writer over an error: of what tantivy keeps in memory nothing is certain.
    fn fail(&self, error: Error) -> Error {
        self.has_failed.store(true, Ordering::Release);
        self.opened.directory.close();
        self.opened.directory.failure().unwrap_or(error)
    }

    fn document(&self, group: &str, number: u32, document: &Document) -> Result<TantivyDocument> {
        let Opened { fields, dimension, .. } = &self.opened;
        let mut out = TantivyDocument::new();
        out.add_text(fields.group, group);
        out.add_u64(fields.number, u64::from(number));
        let analysed = analysis::analyse(document);
        for column in Column::ALL {
            let words = match column {
                Column::Text => Cow::Borrowed(analysed.exact.as_str()),
                _ => Cow::Owned(analysis::exact(document, column)),
            };
            if !words.is_empty() {
                out.add_text(fields.column(column), words);
            }
        }
        out.add_text(fields.terms, analysed.terms);
        if !document.values.is_empty() {
            out.add_object(fields.values, columns(&document.values));
        }
        out.add_text(fields.body, document.text.as_str());
        out.add_text(fields.heading, document.heading.text().as_str());
        let place = serde_json::to_vec(&document.place).map_err(|error| Error::Storage {
            action: "encoding a place",
            source: Box::new(error),
        })?;
        out.add_bytes(fields.place, &place);
        if !document.payload.is_empty() {
            out.add_bytes(fields.payload, &document.payload);
        }
        if let Some(vector) = &document.vector {
            self.check_dimension(vector)?;
            let mut bytes = Vec::with_capacity(*dimension);
            vectors::quantise(vector, &mut bytes);
            out.add_custom(fields.vector, &bytes);
        }
        Ok(out)
    }

    fn check_dimension(&self, vector: &[f32]) -> Result<()> {
        let (expected, found) = (self.opened.dimension, vector.len());
        if expected == found { Ok(()) } else { Err(Error::Dimension { expected, found }) }
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces a group's documents as one operation, so that they lie side by side in a segment, and
    /// notes it. Under one lock: tantivy applies removals by the order in which it is told.
    fn replace(
        &self,
        group: &str,
        documents: Vec<TantivyDocument>,
        note: impl FnOnce(&mut Ledger),
    ) -> Result<()> {
        let committed = self.opened.view.table().get(group)?;
        if committed.is_some_and(|present| present.documents > 0) {
            let view = &self.opened.view;
            reading("looking up a group", view.index(), || view.rehearse_removal(group))?;
        }
        let mut ledger = self.ledger();
        let writer = self.usable()?;
        let is_known = ledger.documents(group)?.is_some_and(|documents| documents > 0);
        let delete = Term::from_field_text(self.opened.fields.group, group);
        let delete = is_known.then_some(UserOperation::Delete(delete));
        let operations: Vec<UserOperation> =
            delete.into_iter().chain(documents.into_iter().map(UserOperation::Add)).collect();
        writer.run(operations).map_err(|error| self.fail(storage("adding documents", error)))?;
        note(&mut ledger);
        Ok(())
    }

    fn try_commit(&mut self, flush: impl FnOnce(&mut Ledger) -> Result<Mark>) -> Result<()> {
        self.usable()?;
        let Some(writer) = &mut self.writer else { return Ok(()) };
        let ledger = self.ledger.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut commit =
            writer.prepare_commit().map_err(|error| storage("preparing a commit", error))?;
        let payload = serde_json::to_string(&flush(ledger)?);
        let payload = payload.map_err(|error| Error::Storage {
            action: "encoding the commit's payload",
            source: Box::new(error),
        })?;
        commit.set_payload(&payload);
        commit.commit().map_err(|error| storage("committing", error))?;
        // The commit stands whether they go now or with the next writer.
        let _ = ledger.remove_old();
        Ok(())
    }

    fn try_compact(&mut self) -> Result<()> {
        // A segment that is being merged cannot be merged with others: wait, which ends tantivy's
        // writer, and go on with another that merges nothing by itself meanwhile.
        if let Some(writer) = self.writer.take() {
            writer.wait_merging_threads().map_err(|error| storage("merging", error))?;
        }
        let writer = self.writer.insert(start(&self.opened)?);
        writer.set_merge_policy(Box::new(NoMergePolicy));
        merge_all(writer).map_err(|error| storage("compacting", error))?;
        writer.set_merge_policy(policy());
        self.try_commit(Ledger::rewrite)
    }
}

/// Merges all segments into one that has nothing dead.
fn merge_all(writer: &mut IndexWriter) -> tantivy::Result<()> {
    let segments = writer.index().searchable_segment_metas()?;
    if segments.len() > 1 || segments.iter().any(|segment| segment.has_deletes()) {
        let ids: Vec<SegmentId> = segments.iter().map(|segment| segment.id()).collect();
        // What is held of the old segments keeps their files from being removed.
        drop(segments);
        writer.merge(&ids).wait()?;
    }
    writer.garbage_collect_files().wait()?;
    Ok(())
}

/// Starts tantivy's writer.
fn start(opened: &Opened) -> Result<IndexWriter> {
    let options = IndexWriterOptions::builder()
        .num_worker_threads(THREADS)
        .memory_budget_per_thread(MEMORY_PER_THREAD)
        .num_merge_threads(1)
        .build();
    let start = || {
        let writer: IndexWriter = opened.index.writer_with_options(options)?;
        writer.set_merge_policy(policy());
        // The first operation gets the number of the last commit, and a merge of committed segments
        // applies removals up to that number: it would publish this one before it is committed. An
        // empty operation takes the number.
        writer.run(std::iter::empty::<UserOperation>().collect::<Vec<_>>())?;
        Ok(writer)
    };
    start().map_err(|error| {
        opened.directory.failure().unwrap_or_else(|| storage("opening the writer", error))
    })
}

fn policy() -> Box<dyn MergePolicy> {
    let mut policy = LogMergePolicy::default();
    policy.set_del_docs_ratio_before_merge(DEAD_RATIO);
    Box::new(policy)
}

impl Drop for EmbeddedWriter {
    fn drop(&mut self) {
        // The merges of the last commit: if every short run gave them up, segments would add up.
        let is_committed = !self.ledger().is_changed() && !self.has_failed.load(Ordering::Acquire);
        if let Some(writer) = self.writer.take().filter(|_| is_committed) {
            // What did not succeed is merged by a later writer.
            let _ = writer.wait_merging_threads();
        }
        self.opened.directory.close();
    }
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
        let count = documents.len() as u32;
        let documents = documents.iter().zip(0..);
        let documents = documents.map(|(document, number)| self.document(group, number, document));
        let documents = documents.collect::<Result<_>>()?;
        self.replace(group, documents, |ledger| ledger.put(group, count, state))
    }

    fn touch(&self, group: &str, state: Vec<u8>) -> Result<()> {
        self.usable()?;
        let mut ledger = self.ledger();
        if let Some(documents) = ledger.documents(group)? {
            ledger.put(group, documents, state);
        }
        Ok(())
    }

    fn remove(&self, group: &str) -> Result<()> {
        if self.ledger().documents(group)?.is_none() {
            return Ok(());
        }
        self.replace(group, Vec::new(), |ledger| ledger.remove(group))
    }

    fn commit(&mut self) -> Result<()> {
        self.usable()?;
        if !self.ledger().is_changed() {
            return Ok(());
        }
        self.try_commit(Ledger::flush).map_err(|error| self.fail(error))
    }

    fn compact(&mut self) -> Result<()> {
        self.commit()?;
        self.try_compact().map_err(|error| self.fail(error))
    }
}
