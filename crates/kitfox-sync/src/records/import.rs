//! The import: brings an engine up to date with a file of records.
//!
//! The file is read up to three times, and never kept in memory: to see what its fields are, to
//! compare its records with those indexed, and, where any differ, to write these.

use std::collections::BTreeSet;
use std::time::SystemTime;

use kitfox_core::{Collection, RecordState, Snapshot, Writer};
use rayon::ThreadPool;
use rayon::prelude::*;

use super::compare::{Compared, Comparing, Flaw};
use super::fields;
use super::file::{Batch, RecordFile};
use super::format::Row;
use super::imported::{Imported, ReadFile};
use super::indexing::{Indexing, VERSION};
use super::infer::Seen;
use super::record::{Places, Reader};
use super::schema::RecordSchema;
use crate::guard::is_alarming;
use crate::refresh::{Commits, Run};
use crate::stamp::nanoseconds;
use crate::walk::found_root;
use crate::{Problem, Report, Scope, Stamp, SyncError};

/// Brings the engine of a run up to date with the file of its source.
///
/// # Errors
/// Those of [`crate::refresh`]; [`SyncError::Unread`] where the file cannot be read to its end.
pub(crate) fn import(run: &Run<'_>) -> Result<Report, SyncError> {
    let (path, metadata) = found_root(run.source)?;
    let file = RecordFile::new(run.source, path)?;
    let schema = schema(run)?;
    let now = ReadFile::now(Stamp::of(&metadata), version(run, schema.as_ref()));
    let snapshot = run.engine.snapshot()?;
    let before = Imported::of(&*snapshot)?;
    if let Some(before) = &before
        && run.options.scope == Scope::Everything
        && before.read.as_ref().is_some_and(|read| read.is_current(&now))
    {
        return Ok(Report { unchanged: indexed(&*snapshot)?, ..before.report() });
    }
    let pool = run.options.effort.pool()?;
    let import = Import { run, file: &file, schema: schema.as_ref(), pool: &pool, now };
    import.bring_up_to_date(&*snapshot, before)
}

/// How many records are indexed.
pub(super) fn indexed(snapshot: &dyn Snapshot) -> Result<usize, SyncError> {
    let collection = snapshot.state(Collection::GROUP)?;
    Ok(snapshot.stats()?.groups.saturating_sub(usize::from(collection.is_some())))
}

/// The schema the records are held to.
pub(super) fn schema(run: &Run<'_>) -> Result<Option<RecordSchema>, SyncError> {
    let path = run.source.collection.schema.as_deref();
    let read = path.map(RecordSchema::read).transpose();
    read.map_err(|reason| SyncError::Schema { name: run.source.name.clone(), reason })
}

/// Stands for what is configured, and for what rows are read and embedded with.
pub(super) fn version(run: &Run<'_>, schema: Option<&RecordSchema>) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[VERSION]);
    hasher.update(run.embedder.fingerprint().as_bytes());
    // Maps have texts for keys: nothing here can fail.
    hasher.update(&serde_json::to_vec(&*run.source.collection).unwrap_or_default());
    let schema = schema.map(|schema| schema.document.to_string());
    hasher.update(schema.unwrap_or_default().as_bytes());
    hasher.finalize().to_hex()[..16].to_owned()
}

struct Import<'i> {
    run: &'i Run<'i>,
    file: &'i RecordFile<'i>,
    schema: Option<&'i RecordSchema>,
    pool: &'i ThreadPool,
    now: ReadFile,
}

impl Import<'_> {
    fn bring_up_to_date(
        &self,
        snapshot: &dyn Snapshot,
        before: Option<Imported>,
    ) -> Result<Report, SyncError> {
        let mut imported = self.infer()?;
        let collection = imported.collection.clone();
        let indexing = Indexing::of(&collection);
        let compared = self.compare(&indexing, snapshot, &mut imported)?;
        let is_same = !compared.differs && compared.known == indexed(snapshot)?;
        if is_same && before.is_some_and(|before| !self.is_news(&imported, &before)) {
            return Ok(Report { unchanged: compared.records(), ..self.report(&imported) });
        }
        let report = self.write(&indexing, &compared, &mut imported)?;
        Ok(Report { problems: Vec::new(), ..report }.with(self.report(&imported)))
    }

    fn report(&self, imported: &Imported) -> Report {
        Report { bytes: self.now.stamp.size, ..imported.report() }
    }

    /// Sees what the fields are.
    fn infer(&self) -> Result<Imported, SyncError> {
        let config = &self.run.source.collection;
        let opened = self.file.open()?;
        let reader = Reader::new(config, self.schema, opened.header());
        let mut seen = Seen::default();
        opened.each_batch(self.pool, |batch| {
            let look = |mut seen: Seen, row: &Row| {
                // What is refused is told when it is compared.
                reader.look(row).into_iter().for_each(|data| seen.see(&data));
                seen
            };
            let more = batch.rows.par_iter().fold(Seen::default, look);
            seen = std::mem::take(&mut seen).merge(more.reduce(Seen::default, Seen::merge));
            Ok(())
        })?;
        let model = self.run.embedder.fingerprint();
        let (collection, problems) = fields::collection(config, self.schema, seen, model);
        let mut imported = Imported { collection, ..Imported::default() };
        problems.into_iter().for_each(|problem| imported.problem(problem));
        Ok(imported)
    }

    /// Compares the records with those indexed, and notes what is wrong with rows.
    fn compare(
        &self,
        indexing: &Indexing<'_>,
        snapshot: &dyn Snapshot,
        imported: &mut Imported,
    ) -> Result<Compared, SyncError> {
        let opened = self.file.open()?;
        let reader = Reader::new(&self.run.source.collection, self.schema, opened.header());
        let places = &reader.places(indexing.collection());
        let comparing = Comparing { reader: &reader, places, indexing, snapshot };
        let (name, place) = (self.file.name(), opened.place());
        let key = indexing.collection().key.clone();
        let mut compared = Compared::default();
        opened.each_batch(self.pool, |batch| {
            comparing.add(batch, &mut compared, |number, flaw| {
                imported.refused += usize::from(matches!(flaw, Flaw::Refused(_)));
                let (field, reason) = said(flaw, key.as_ref());
                let at = Some(place(number));
                imported.problem(Problem { path: name.clone(), at, field, reason });
            })
        })?;
        Ok(compared)
    }

    /// Whether something beside records differs from what is remembered.
    fn is_news(&self, imported: &Imported, before: &Imported) -> bool {
        let known = Imported {
            collection: Collection {
                imported_at_ns: before.collection.imported_at_ns,
                ..imported.collection.clone()
            },
            read: before.read.clone(),
            ..imported.clone()
        };
        known != *before || before.read.as_ref().is_none_or(|read| read.is_superseded(&self.now))
    }

    fn write(
        &self,
        indexing: &Indexing<'_>,
        compared: &Compared,
        imported: &mut Imported,
    ) -> Result<Report, SyncError> {
        let mut writer = self.run.engine.writer()?;
        // Another process may have written before this one became the writer.
        let snapshot = self.run.engine.snapshot()?;
        let before = Imported::of(&*snapshot)?;
        let removed = removed(&*snapshot, compared)?;
        self.guard(&*snapshot, before.as_ref(), imported, compared, removed.len())?;
        self.run.progress.begin(compared.records() as u64);
        imported.collection.imported_at_ns =
            before.as_ref().map_or(0, |before| before.collection.imported_at_ns);
        writer.put(Collection::GROUP, imported.encode(), Vec::new())?;
        let mut report = self.write_records(&mut *writer, &*snapshot, indexing, compared)?;
        // The file was read to its end: what it does not have is gone.
        for name in &removed {
            writer.remove(name)?;
        }
        report.removed += removed.len();
        imported.read = Some(self.now.clone());
        imported.collection.imported_at_ns = self.now.read_at_ns;
        writer.put(Collection::GROUP, imported.encode(), Vec::new())?;
        writer.commit()?;
        Ok(report)
    }

    fn write_records(
        &self,
        writer: &mut dyn Writer,
        snapshot: &dyn Snapshot,
        indexing: &Indexing<'_>,
        compared: &Compared,
    ) -> Result<Report, SyncError> {
        let mut report = Report::default();
        if !compared.differs {
            report.unchanged = compared.records();
            return Ok(report);
        }
        let opened = self.file.open()?;
        let reader = &Reader::new(&self.run.source.collection, self.schema, opened.header());
        let places = &reader.places(indexing.collection());
        let mut commits = Commits::begin();
        opened.each_batch(self.pool, |batch| {
            let writing = Writing {
                import: self,
                reader,
                places,
                indexing,
                compared,
                snapshot,
                writer: &*writer,
            };
            report.merge(writing.write(batch)?);
            commits.commit_when_due(writer)
        })?;
        Ok(report)
    }

    /// Refuses to lose most records at once.
    fn guard(
        &self,
        snapshot: &dyn Snapshot,
        before: Option<&Imported>,
        imported: &Imported,
        compared: &Compared,
        removed: usize,
    ) -> Result<(), SyncError> {
        let key = &imported.collection.key;
        // Other keys make other records; no records have none.
        let is_rekeyed =
            compared.records() > 0 && before.is_some_and(|before| before.collection.key != *key);
        if self.run.options.prune || is_rekeyed {
            return Ok(());
        }
        let added = compared.records() - compared.known;
        // A record whose key is made from its content changes by being another.
        let lost = if key.is_some() { removed } else { removed.saturating_sub(added) };
        let total = indexed(snapshot)?;
        match is_alarming(lost, total, compared.records() == 0) {
            true => Err(SyncError::MassRemoval {
                name: self.run.source.name.clone(),
                things: "records",
                removed: lost,
                total,
            }),
            false => Ok(()),
        }
    }
}

/// A flaw in words: the field it is about, and what is wrong.
fn said(flaw: Flaw, key: Option<&String>) -> (Option<String>, String) {
    match flaw {
        Flaw::Refused(refusal) => (refusal.field, refusal.reason),
        Flaw::Repeated => {
            (key.cloned(), "the key is that of an earlier row, which is left out".to_owned())
        }
        Flaw::Lossy => (None, "it is not UTF-8; what could not be read is replaced".to_owned()),
    }
}

/// The indexed records the file no longer has.
fn removed(snapshot: &dyn Snapshot, compared: &Compared) -> Result<BTreeSet<String>, SyncError> {
    // Looking through all of them takes memory; most runs need not.
    if indexed(snapshot)? == compared.known {
        return Ok(BTreeSet::new());
    }
    let names = snapshot.groups()?.into_iter().map(|group| group.name);
    Ok(names.filter(|name| name != Collection::GROUP && !compared.has(name)).collect())
}

/// The writing of one batch.
struct Writing<'w> {
    import: &'w Import<'w>,
    reader: &'w Reader<'w>,
    places: &'w Places,
    indexing: &'w Indexing<'w>,
    compared: &'w Compared,
    snapshot: &'w dyn Snapshot,
    writer: &'w dyn Writer,
}

impl Writing<'_> {
    fn write(&self, batch: &Batch) -> Result<Report, SyncError> {
        let written = batch.rows.par_iter().map(|row| self.write_row(row));
        written.try_reduce(Report::default, |left, right| Ok(left.with(right)))
    }

    fn write_row(&self, row: &Row) -> Result<Report, SyncError> {
        let mut report = Report::default();
        // What is refused was told when it was compared.
        let Ok(record) = self.reader.record(row, self.places) else { return Ok(report) };
        if !self.compared.counts(&record.key, row.number) {
            return Ok(report);
        }
        self.import.run.progress.advance(1);
        let before = self.snapshot.state(&record.key)?;
        let is_known = before.is_some();
        let before = before.as_deref().and_then(RecordState::decode);
        if before.is_some_and(|before| before.hash == self.indexing.hash(&record)) {
            report.unchanged = 1;
            return Ok(report);
        }
        let state = self.indexing.state(&record, before.as_ref(), nanoseconds(SystemTime::now()));
        let key = record.key.clone();
        let document = self.indexing.document(record, &state, self.import.run.embedder);
        self.writer.put(&key, state.encode(), vec![document])?;
        *(if is_known { &mut report.changed } else { &mut report.added }) = 1;
        report.passages = 1;
        Ok(report)
    }
}
