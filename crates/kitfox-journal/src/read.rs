//! Reading a journal, line by line, by whoever does not write it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::JournalError;
use crate::entry::{self, Entry, MAX_LINE};

/// Bytes read at once.
const BUFFER: usize = 1 << 20;

/// A place between two entries of a journal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// Names the file: another one has another.
    pub generation: String,
    /// Bytes before it.
    pub offset: u64,
    /// Entries before it.
    pub number: u64,
}

/// The entries of a journal, in order.
pub struct Entries {
    lines: Lines<BufReader<File>>,
    position: Position,
}

impl Entries {
    /// Reads from the first entry on; none where there is no journal.
    ///
    /// # Errors
    /// Where the file cannot be read, or is no journal.
    pub fn open(path: &Path) -> Result<Option<Entries>, JournalError> {
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(JournalError::reading)?,
        };
        let mut lines = Lines::of(BufReader::with_capacity(BUFFER, file));
        let (generation, offset) = lines.header()?;
        Ok(Some(Entries { lines, position: Position { generation, offset, number: 0 } }))
    }

    /// Goes on from a position, where that is one of this journal, else from the first entry.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub fn resume(self, position: &Position) -> Result<Entries, JournalError> {
        if position.generation != self.position.generation {
            return Ok(self);
        }
        let Entries { lines: Lines { mut source, line }, position: first } = self;
        let end = source.seek(SeekFrom::End(0)).map_err(JournalError::reading)?;
        let at = if position.offset <= end { position.clone() } else { first };
        source.seek(SeekFrom::Start(at.offset)).map_err(JournalError::reading)?;
        Ok(Entries { lines: Lines { source, line }, position: at })
    }

    /// The entry after all that were read; none at the end, which is also where the last line is not
    /// written to its end.
    ///
    /// # Errors
    /// [`JournalError::Damaged`] where a line is none of this journal, or does not follow the one
    /// before.
    pub fn next_entry(&mut self) -> Result<Option<Entry>, JournalError> {
        let Some(line) = self.lines.next_line()? else { return Ok(None) };
        let entry = Entry::of(line, &self.position.generation);
        let follows = |entry: &Entry| entry.number == self.position.number + 1;
        let damaged = JournalError::Damaged { line: self.position.number + 2 };
        let entry = entry.filter(follows).ok_or(damaged)?;
        self.position.offset += line.len() as u64;
        self.position.number = entry.number;
        Ok(Some(entry))
    }

    /// Makes all durable that was read, so that nothing made of it can outlive it.
    ///
    /// # Errors
    /// Where that fails.
    pub fn sync(&self) -> Result<(), JournalError> {
        self.lines.source.get_ref().sync_data().map_err(JournalError::writing)
    }

    /// Right after the entry that was read last.
    pub fn position(&self) -> &Position {
        &self.position
    }
}

/// The lines of a journal.
pub(crate) struct Lines<R> {
    source: R,
    line: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub fn of(source: R) -> Lines<R> {
        Lines { source, line: Vec::new() }
    }

    /// The generation the first line names, and how many bytes that line has.
    pub fn header(&mut self) -> Result<(String, u64), JournalError> {
        let line = self.next_line()?.ok_or(JournalError::Foreign)?;
        let generation = entry::generation(line).ok_or(JournalError::Foreign)?;
        Ok((generation, line.len() as u64))
    }

    /// The next line with its end, whatever it says; none at the end, and before a last line without
    /// one.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, JournalError> {
        self.line.clear();
        let mut line = (&mut self.source).take(MAX_LINE as u64 + 1);
        line.read_until(b'\n', &mut self.line).map_err(JournalError::reading)?;
        Ok(self.line.ends_with(b"\n").then_some(&self.line))
    }
}
