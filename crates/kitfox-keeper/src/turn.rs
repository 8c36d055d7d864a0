//! Whose turn it is to write an index. The engine has a lock of its own; this one, beside the index,
//! also says who holds it and covers replacing the index as a whole.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

const PAUSE: Duration = Duration::from_millis(100);

/// The right to write one index, given back when dropped or when the process ends in any way.
#[derive(Debug)]
pub struct Turn {
    locked: File,
    signature: String,
}

/// Why it is not this process's turn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TurnError {
    /// Somebody else is writing.
    #[error("the index is being written by {holder}")]
    Busy {
        /// Who, as they signed.
        holder: String,
    },
    /// The file system of the index has no locks, so no process could know of another.
    #[error(
        "{} cannot be locked ({source}): its file system has no locks. Set `data_dir` to a folder on a \
         local disk",
        file.display()
    )]
    NoLocks {
        /// The lock file.
        file: PathBuf,
        /// What locking it said.
        #[source]
        source: io::Error,
    },
    /// The lock file cannot be used.
    #[error("the lock of the index: {0}")]
    Io(#[from] io::Error),
}

impl Turn {
    /// Takes the turn kept in `file`, waiting up to `patience`; `signature` tells others who has it.
    pub fn take(file: &Path, signature: &str, patience: Duration) -> Result<Turn, TurnError> {
        let begun = Instant::now();
        let mut lock =
            File::options().create(true).truncate(false).read(true).write(true).open(file)?;
        loop {
            match lock.try_lock() {
                Ok(()) => break,
                Err(TryLockError::Error(source)) => {
                    return Err(TurnError::NoLocks { file: file.to_owned(), source });
                }
                Err(TryLockError::WouldBlock) if begun.elapsed() < patience => thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => {
                    return Err(TurnError::Busy { holder: holder(&mut lock) });
                }
            }
        }
        let signature = format!("{signature}, process {}", std::process::id());
        let mut turn = Turn { locked: lock, signature };
        turn.sign("")?;
        Ok(turn)
    }

    /// Tells others more of what its holder does.
    pub fn sign(&mut self, more: &str) -> io::Result<()> {
        self.locked.set_len(0)?;
        self.locked.rewind()?;
        write!(self.locked, "{}{more}", self.signature)
    }
}

fn holder(lock: &mut File) -> String {
    let mut signature = String::new();
    // Where a locked file cannot be read, and before it is signed, the holder stays unknown.
    let read = lock.rewind().and_then(|()| lock.read_to_string(&mut signature));
    match read {
        Ok(length) if length > 0 => signature,
        _ => "another kitfox process".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_to_come_learns_who_was_first() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("lock");
        let first = Turn::take(&file, "kitfox index", Duration::ZERO).unwrap();
        let second = Turn::take(&file, "kitfox serve", Duration::ZERO).unwrap_err().to_string();
        let expected =
            format!("the index is being written by kitfox index, process {}", std::process::id());
        assert_eq!(second, expected);
        drop(first);
        Turn::take(&file, "kitfox serve", Duration::ZERO).unwrap();
    }
}
