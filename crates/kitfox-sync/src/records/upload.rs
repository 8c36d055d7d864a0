//! A file of records as changes of a writable collection.

use std::path::Path;

use kitfox_core::{Action, Change, Flaw, WriteError, field_keys};
use rayon::prelude::*;
use serde_json::{Map, Value as Json};

use super::RecordRules;
use super::file::RecordFile;
use super::format::Row;
use super::key::{key_of, key_of_content};
use super::record::{Reader, Refusal};
use super::rules::Checks;
use crate::{Effort, Problem, Source, SyncError};

/// Bytes of changes that are made durable together.
const GROUP_BYTES: usize = 4 << 20;

/// Why a file could not be taken over to its end.
#[derive(Debug, thiserror::Error)]
pub enum UploadError {
    /// It cannot be read.
    #[error(transparent)]
    Sync(#[from] SyncError),
    /// Its records cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// A row as it is to be written, with its size.
type Read = Result<(Change, usize), Flaw>;

/// Reads a file of records, in the format its extension names, in order: `write` is given changes that
/// put its records, a few megabytes at a time, and `refused` each row that is none. A line of an export
/// (`{id, data, _sys}`) is the record in it.
///
/// # Errors
/// Where the file cannot be read to its end, or `write` fails; what was written by then stays.
pub fn upload(
    source: &Source,
    file: &Path,
    mut write: impl FnMut(Vec<Change>) -> Result<(), WriteError> + Send,
    mut refused: impl FnMut(Problem) + Send,
) -> Result<(), UploadError> {
    let rules = RecordRules::of(&source.collection);
    let checks = &rules.read()?;
    let opened = RecordFile::new(source, file.to_owned())?;
    let rows = opened.open()?;
    let place = rows.place();
    let reader = &Reader::new(&source.collection, None, rows.header());
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut failed = None;
    let pool = Effort::Full.pool().map_err(SyncError::from)?;
    rows.each_batch(&pool, |batch| {
        if failed.is_some() {
            return Ok(());
        }
        let read: Vec<Read> =
            batch.rows.par_iter().map(|row| change(checks, reader, row)).collect();
        let mut group = (Vec::new(), 0);
        for (row, read) in batch.rows.iter().zip(read) {
            match read {
                Ok((change, bytes)) => {
                    group.0.push(change);
                    group.1 += bytes;
                }
                Err(Flaw { field, reason }) => {
                    let at = Some(place(row.number));
                    refused(Problem { path: name.clone(), at, field, reason });
                }
            }
            if group.1 >= GROUP_BYTES && failed.is_none() {
                failed = write(std::mem::take(&mut group).0).err();
            }
        }
        if failed.is_none() && !group.0.is_empty() {
            failed = write(group.0).err();
        }
        Ok(())
    })?;
    failed.map_or(Ok(()), |error| Err(error.into()))
}

fn change(checks: &Checks<'_>, reader: &Reader<'_>, row: &Row) -> Read {
    let refused = |Refusal { field, reason }| Flaw { field, reason };
    let (key, data) = match exported(row) {
        Some((key, data)) => (Some(key), data),
        None => match reader.whole(row).map_err(refused)? {
            Json::Object(data) => (None, data),
            _ => return Err(Flaw { field: None, reason: "it is not an object".to_owned() }),
        },
    };
    if let Some(flaw) = checks.flaws(&data).into_iter().next() {
        return Err(flaw);
    }
    let bytes = serde_json::to_vec(&data).unwrap_or_default();
    let own = checks.config.key.as_deref().and_then(|path| key_at(&data, path));
    let key = own.or(key).unwrap_or_else(|| key_of_content(&bytes));
    let id = format!("{:016x}{:016x}", fastrand::u64(..), fastrand::u64(..));
    Ok((Change { id, key, action: Action::Put(data), revision: None }, bytes.len()))
}

/// The key and the data of a line of an export.
fn exported(row: &Row) -> Option<(String, Map<String, Json>)> {
    let Json::Object(mut line) = row.export()? else { return None };
    let is_exported = line.len() == 3 && line.contains_key(kitfox_core::sys::OBJECT);
    let key = line.get("id").filter(|_| is_exported)?;
    let key = key_of(key).ok()?;
    match line.remove("data") {
        Some(Json::Object(data)) => Some((key, data)),
        _ => None,
    }
}

fn key_at(data: &Map<String, Json>, path: &str) -> Option<String> {
    let keys = field_keys(path);
    let (first, rest) = keys.split_first()?;
    let value = rest.iter().try_fold(data.get(first)?, |value, key| value.get(key))?;
    key_of(value).ok()
}
