//! Files of a journal that come into being whole.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::entry::header;
use crate::{Entry, JournalError};

/// Begins an empty journal.
pub(crate) fn begin(path: &Path) -> Result<(), JournalError> {
    replace(path, std::iter::empty())
}

/// Puts a journal of these entries, in this order, in the place of whatever is there: as of another
/// generation.
pub(crate) fn replace(
    path: &Path,
    entries: impl Iterator<Item = Result<Entry, JournalError>>,
) -> Result<(), JournalError> {
    let beside = beside(path, ".new");
    prepare(&beside, entries)?;
    put_in_place(&beside, path)
}

/// Writes a journal of these entries, in this order, to a file.
///
/// # Errors
/// Where an entry is an error, or the file cannot be written.
pub fn prepare<E: From<JournalError>>(
    file: &Path,
    entries: impl Iterator<Item = Result<Entry, E>>,
) -> Result<(), E> {
    let created = File::create(file).map_err(JournalError::writing)?;
    let mut out = BufWriter::new(created);
    let generation = format!("{:016x}", fastrand::Rng::new().u64(..));
    out.write_all(&header(&generation)).map_err(JournalError::writing)?;
    for (entry, number) in entries.zip(1..) {
        let line = Entry { number, ..entry? }.line(&generation);
        out.write_all(&line).map_err(JournalError::writing)?;
    }
    let synced = out.into_inner().map_err(io::Error::from).and_then(|file| file.sync_all());
    Ok(synced.map_err(JournalError::writing)?)
}

pub(crate) fn put_in_place(prepared: &Path, path: &Path) -> Result<(), JournalError> {
    fs::rename(prepared, path).and_then(|()| sync_folder(path)).map_err(JournalError::writing)
}

/// Keeps the torn end of a journal, which is cut off then, in a file of its own.
pub(crate) fn put_aside(path: &Path, torn: &mut impl Read) -> Result<(), JournalError> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let aside = beside(path, &format!(".torn-{}", now.as_nanos()));
    let mut put = || -> io::Result<()> {
        let mut file = File::create(&aside)?;
        io::copy(torn, &mut file)?;
        file.sync_all()
    };
    put().map_err(JournalError::writing)
}

fn sync_folder(file: &Path) -> io::Result<()> {
    match file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => File::open(folder)?.sync_all(),
        None => File::open(".")?.sync_all(),
    }
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut beside = OsString::from(path);
    beside.push(suffix);
    beside.into()
}
