//! The journal of a collection that is written: the one place where its records are kept, and from
//! which its index can be made anew.
//!
//! It is a file of lines that is only added to ([`Entry`] has the format), until [`Journal::compact`]
//! writes a shorter one in its place. One process at a time has it open as a [`Journal`], decides what
//! becomes of changes and makes them durable in groups; whoever holds it has to see to that. Any number
//! of others read it with [`Entries`]. This crate knows no index and no schema.

mod backup;
mod changes;
mod compact;
mod entry;
mod error;
mod journal;
mod living;
mod read;
mod storage;

#[cfg(test)]
mod tests;

pub use backup::{Backup, BackupError, back_up};
pub use compact::prepare;
pub use entry::Entry;
pub use error::JournalError;
pub use journal::Journal;
pub use living::Living;
pub use read::{Entries, Position};
pub use storage::Storage;
