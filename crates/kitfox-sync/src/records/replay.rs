//! Bringing an engine up to date with the journal of a writable collection.
//!
//! What was not read yet is read twice: to see what the fields are and which entry of each record is
//! the last, and to index these. Where that makes other fields of the collection, or the journal is
//! another than before, all of it is read.

use std::time::SystemTime;

use kitfox_core::{Collection, RecordState, Snapshot, Writer};
use kitfox_journal::{Entries, Entry, JournalError, Position};
use rayon::ThreadPool;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde_json::Value as Json;

use super::fields;
use super::import::{indexed, schema, version};
use super::imported::{Imported, Replayed};
use super::indexing::Indexing;
use super::infer::Seen;
use super::key::hash;
use super::record::{Places, Reader};
use super::schema::RecordSchema;
use crate::guard::is_alarming;
use crate::refresh::{Commits, Run};
use crate::stamp::nanoseconds;
use crate::{Problem, Report, SyncError};

/// Entries in memory at once.
const BATCH: usize = 5_000;

/// Brings the engine of a run up to date with the journal at the root of its source.
///
/// # Errors
/// Those of [`crate::refresh`]; [`SyncError::Unread`] where the journal is damaged.
pub(crate) fn replay(run: &Run<'_>) -> Result<Report, SyncError> {
    let schema = schema(run)?;
    let pool = run.options.effort.pool()?;
    let version = version(run, schema.as_ref());
    let replay = Replay { run, schema: schema.as_ref(), pool: &pool, version };
    let snapshot = run.engine.snapshot()?;
    let before = Imported::of(&*snapshot)?.filter(|before| replay.knows(before));
    if let Some(before) = before
        && let Some(report) = replay.go_on(&*snapshot, before)?
    {
        return Ok(report);
    }
    replay.begin_anew(&*snapshot)
}

struct Replay<'r> {
    run: &'r Run<'r>,
    schema: Option<&'r RecordSchema>,
    pool: &'r ThreadPool,
    version: String,
}

/// What a part of a journal comes to.
struct Look {
    start: Position,
    end: Position,
    seen: Seen,
    /// Of each key, the number of its last entry.
    last: FxHashMap<u128, u64>,
}

impl Replay<'_> {
    /// Whether what is indexed was made as it would be now.
    fn knows(&self, before: &Imported) -> bool {
        before.replayed.as_ref().is_some_and(|replayed| replayed.version == self.version)
    }

    /// Indexes what came after the entries that are indexed; none where all have to be read again.
    fn go_on(
        &self,
        snapshot: &dyn Snapshot,
        before: Imported,
    ) -> Result<Option<Report>, SyncError> {
        let Some(replayed) = before.replayed.clone() else { return Ok(None) };
        let Some(look) = self.look(Some(&replayed.position))? else { return Ok(None) };
        if look.start != replayed.position {
            return Ok(None);
        }
        let mut report = Report { unchanged: indexed(snapshot)?, ..before.report() };
        if look.end == look.start {
            return Ok(Some(report));
        }
        let seen = replayed.seen.merge(look.seen.clone());
        let after = self.imported(seen, look.end.clone());
        if !is_indexed_alike(&before.collection, &after.collection) {
            return Ok(None);
        }
        let done = self.write(&look, after)?;
        report.unchanged = report.unchanged.saturating_sub(done.changed + done.removed);
        Ok(Some(report.with(done)))
    }

    fn begin_anew(&self, snapshot: &dyn Snapshot) -> Result<Report, SyncError> {
        let nothing = || Look {
            start: Position::default(),
            end: Position::default(),
            seen: Seen::default(),
            last: FxHashMap::default(),
        };
        let look = self.look(None)?.unwrap_or_else(nothing);
        let after = self.imported(look.seen.clone(), look.end.clone());
        let problems = after.report();
        let before = indexed(snapshot)?;
        let done = self.write(&look, after)?;
        let unchanged = before.saturating_sub(done.changed + done.removed);
        Ok(Report { unchanged, ..problems }.with(done))
    }

    /// The collection with what is remembered of its journal.
    fn imported(&self, seen: Seen, position: Position) -> Imported {
        let config = &self.run.source.collection;
        let model = self.run.embedder.fingerprint();
        let (mut collection, problems) =
            fields::collection(config, self.schema, seen.clone(), model);
        collection.imported_at_ns = nanoseconds(SystemTime::now());
        // Keys are apart from the data where nothing is said of them.
        collection.key.clone_from(&config.key);
        let replayed = Some(Replayed { position, seen, version: self.version.clone() });
        let mut imported = Imported { collection, replayed, ..Imported::default() };
        problems.into_iter().for_each(|problem| imported.problem(problem));
        imported
    }

    /// Reads entries from a position on, or all where it is not of this journal; none where there is
    /// no journal.
    fn look(&self, from: Option<&Position>) -> Result<Option<Look>, SyncError> {
        let Some(mut entries) = self.entries(from)? else { return Ok(None) };
        let reader = Reader::new(&self.run.source.collection, self.schema, &[]);
        let start = entries.position().clone();
        let (mut seen, mut last) = (Seen::default(), FxHashMap::default());
        while let Some(entry) = entries.next_entry().map_err(|error| self.unread(&error))? {
            last.insert(hash(&entry.key), entry.number);
            if let Some(data) = entry.data {
                seen.see(&reader.look_at_written(Json::Object(data)));
            }
        }
        // Nothing may be indexed that a power failure takes from the journal.
        entries.sync().map_err(|error| self.unread(&error))?;
        Ok(Some(Look { start, end: entries.position().clone(), seen, last }))
    }

    fn entries(&self, from: Option<&Position>) -> Result<Option<Entries>, SyncError> {
        let opened =
            Entries::open(&self.run.source.root).and_then(|entries| match (entries, from) {
                (Some(entries), Some(from)) => entries.resume(from).map(Some),
                (entries, _) => Ok(entries),
            });
        opened.map_err(|error| self.unread(&error))
    }

    fn unread(&self, error: &JournalError) -> SyncError {
        SyncError::Unread { name: self.run.source.name.clone(), reason: error.to_string() }
    }

    fn write(&self, look: &Look, after: Imported) -> Result<Report, SyncError> {
        let mut writer = self.run.engine.writer()?;
        let snapshot = self.run.engine.snapshot()?;
        let is_whole = look.start.number == 0;
        let mut report = Report::default();
        if is_whole {
            // Until all is indexed, whoever goes on begins anew.
            let cut = Imported { replayed: None, ..after.clone() };
            writer.put(Collection::GROUP, cut.encode(), Vec::new())?;
            report.removed += self.remove_unknown(&mut *writer, &*snapshot, look)?;
        }
        if look.end != look.start {
            report.merge(self.write_entries(&mut *writer, &*snapshot, look, &after.collection)?);
        }
        writer.put(Collection::GROUP, after.encode(), Vec::new())?;
        writer.commit()?;
        Ok(report)
    }

    /// Removes records that the journal knows nothing of.
    fn remove_unknown(
        &self,
        writer: &mut dyn Writer,
        snapshot: &dyn Snapshot,
        look: &Look,
    ) -> Result<usize, SyncError> {
        let names = snapshot.groups()?.into_iter().map(|group| group.name);
        let is_unknown =
            |name: &String| name != Collection::GROUP && !look.last.contains_key(&hash(name));
        let unknown: Vec<String> = names.filter(is_unknown).collect();
        let (removed, total) = (unknown.len(), indexed(snapshot)?);
        if !self.run.options.prune && is_alarming(removed, total, look.last.is_empty()) {
            let name = self.run.source.name.clone();
            return Err(SyncError::MassRemoval { name, things: "records", removed, total });
        }
        unknown.iter().try_for_each(|name| writer.remove(name))?;
        Ok(removed)
    }

    fn write_entries(
        &self,
        writer: &mut dyn Writer,
        snapshot: &dyn Snapshot,
        look: &Look,
        collection: &Collection,
    ) -> Result<Report, SyncError> {
        let indexing = &Indexing::of(collection);
        let reader = &Reader::new(&self.run.source.collection, self.schema, &[]);
        let places = &reader.places(collection);
        let mut report = Report::default();
        let mut commits = Commits::begin();
        self.run.progress.begin(look.last.len() as u64);
        let from = (look.start.number > 0).then_some(&look.start);
        let Some(mut entries) = self.entries(from)? else { return Ok(report) };
        while entries.position().number < look.end.number {
            let batch = self.batch(&mut entries, look)?;
            let writing = Writing { replay: self, reader, places, indexing, snapshot, writer };
            report.merge(self.pool.install(|| writing.write(batch))?);
            if look.start.number == 0 {
                commits.commit_when_due(writer)?;
            }
        }
        Ok(report)
    }

    /// The next entries that are the last of their key.
    fn batch(&self, entries: &mut Entries, look: &Look) -> Result<Vec<Entry>, SyncError> {
        let mut batch = Vec::new();
        while batch.len() < BATCH && entries.position().number < look.end.number {
            let entry = entries.next_entry().map_err(|error| self.unread(&error))?;
            let entry = entry.ok_or_else(|| SyncError::Unread {
                name: self.run.source.name.clone(),
                reason: "the journal has become shorter".to_owned(),
            })?;
            if look.last.get(&hash(&entry.key)) == Some(&entry.number) {
                batch.push(entry);
            }
        }
        Ok(batch)
    }
}

/// The writing of one batch.
struct Writing<'w> {
    replay: &'w Replay<'w>,
    reader: &'w Reader<'w>,
    places: &'w Places,
    indexing: &'w Indexing<'w>,
    snapshot: &'w dyn Snapshot,
    writer: &'w dyn Writer,
}

impl Writing<'_> {
    fn write(&self, batch: Vec<Entry>) -> Result<Report, SyncError> {
        let written = batch.into_par_iter().map(|entry| self.write_entry(entry));
        written.try_reduce(Report::default, |left, right| Ok(left.with(right)))
    }

    fn write_entry(&self, mut entry: Entry) -> Result<Report, SyncError> {
        self.replay.run.progress.advance(1);
        let mut report = Report::default();
        let before = self.snapshot.state(&entry.key)?;
        let Some(data) = entry.data.take() else {
            if before.is_some() {
                self.writer.remove(&entry.key)?;
                report.removed = 1;
            }
            return Ok(report);
        };
        let record = match self.reader.written(&entry.key, Json::Object(data), self.places) {
            Ok(record) => record,
            Err(refusal) => {
                report.problems.push(Problem::of(&*entry.key, refusal.reason));
                return Ok(report);
            }
        };
        let state = self.indexing.written(&record, &entry);
        if before.as_deref().and_then(RecordState::decode) == Some(state) {
            return Ok(report);
        }
        let document = self.indexing.document(record, &state, self.replay.run.embedder);
        self.writer.put(&entry.key, state.encode(), vec![document])?;
        *(if before.is_some() { &mut report.changed } else { &mut report.added }) = 1;
        report.passages = 1;
        Ok(report)
    }
}

/// Whether records are indexed the same by both: examples do not matter, nor how many lack a field.
fn is_indexed_alike(before: &Collection, after: &Collection) -> bool {
    let alike = |collection: &Collection| {
        let mut collection = collection.clone();
        collection.imported_at_ns = 0;
        for field in collection.fields.values_mut() {
            (field.example, field.is_optional) = (None, false);
        }
        collection
    };
    alike(before) == alike(after)
}

#[cfg(test)]
mod tests;
