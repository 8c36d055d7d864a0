//! Where the bytes of a journal are.

use std::fs::File;
use std::io::{self, Read};

/// A file that is added to at its end.
pub trait Storage: Send {
    /// Its bytes from `offset` on, as many as there are at once; 0 at the end.
    fn read_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<usize>;

    /// How many bytes it has.
    fn length(&self) -> io::Result<u64>;

    /// Adds bytes at `offset`, its end. After an error any part of them may be there.
    fn append(&mut self, bytes: &[u8], offset: u64) -> io::Result<()>;

    /// Makes what was added durable. After an error nothing is known of it.
    fn sync(&mut self) -> io::Result<()>;

    /// Cuts it to a length.
    fn truncate(&mut self, length: u64) -> io::Result<()>;
}

impl Storage for File {
    fn read_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self, bytes, offset)
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn append(&mut self, bytes: &[u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(self, bytes, offset)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

/// Reads a storage from an offset on.
pub(crate) struct From<'s, S: ?Sized> {
    pub storage: &'s S,
    pub offset: u64,
}

impl<S: Storage + ?Sized> Read for From<'_, S> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.storage.read_at(bytes, self.offset)?;
        self.offset += read as u64;
        Ok(read)
    }
}
