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
    let mut out = BufWriter::new(File::create(&beside).map_err(JournalError::writing)?);
    let generation = format!("{:016x}", fastrand::Rng::new().u64(..));
    let mut write = |line: &[u8]| out.write_all(line).map_err(JournalError::writing);
    write(&header(&generation))?;
    for (entry, number) in entries.zip(1..) {
        write(&Entry { number, ..entry? }.line(&generation))?;
    }
    let in_place = || -> io::Result<()> {
        out.into_inner()?.sync_all()?;
        fs::rename(&beside, path)?;
        sync_folder(path)
    };
    in_place().map_err(JournalError::writing)
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
