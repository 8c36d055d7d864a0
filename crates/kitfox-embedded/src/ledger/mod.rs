//! The groups and their states: immutable parts beside the index.
//!
//! Every commit that changes groups adds one part with what changed, and its payload names the parts
//! it consists of ([`Mark`]), so parts need no commit point of their own: one that no commit names
//! never happened. Parts are merged as they are added, so that each is more than twice as large as
//! the next: a commit writes little, whatever the size of the table, and few parts are read.

mod part;
mod table;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use kitfox_core::Result;

use crate::disk::WritingDirectory;

pub(crate) use part::is_part;
pub(crate) use table::{Mark, Table};

use part::{Entry, Part, Present};
use table::Merged;

/// The writer's side of the groups.
pub(crate) struct Ledger {
    directory: WritingDirectory,
    table: Table,
    /// The number of the next part: no other has had it.
    next: u64,
    pending: BTreeMap<String, Option<Pending>>,
}

/// A group as it will be committed.
struct Pending {
    documents: u32,
    state: Vec<u8>,
}

impl Ledger {
    /// Continues from the groups of the last commit.
    pub fn open(directory: WritingDirectory, table: Table) -> Result<Ledger> {
        let files = directory.files()?;
        let numbers = files.keys().filter_map(|name| Some(part::parse(name)?.0));
        let next = numbers.max().map_or(0, |last| last + 1);
        Ok(Ledger { directory, table, next, pending: BTreeMap::new() })
    }

    /// Notes that a group now has these documents and this state.
    pub fn put(&mut self, name: &str, documents: u32, state: Vec<u8>) {
        self.pending.insert(name.to_owned(), Some(Pending { documents, state }));
    }

    /// Notes that a group is gone.
    pub fn remove(&mut self, name: &str) {
        self.pending.insert(name.to_owned(), None);
    }

    /// How many documents a group has, by what is pending or in the last commit.
    pub fn documents(&self, name: &str) -> Result<Option<u32>> {
        match self.pending.get(name) {
            Some(pending) => Ok(pending.as_ref().map(|pending| pending.documents)),
            None => self.committed(name),
        }
    }

    /// How many documents a group has in the last commit.
    pub fn committed(&self, name: &str) -> Result<Option<u32>> {
        Ok(self.table.get(name)?.map(|present| present.documents))
    }

    /// Whether anything is pending.
    pub fn is_changed(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Writes what is pending and returns what the commit must say. The parts are durable when the
    /// directory is synced, which a commit begins with.
    pub fn flush(&mut self) -> Result<Mark> {
        if !self.pending.is_empty() {
            let pending = std::mem::take(&mut self.pending);
            self.table.groups = self.count_with(&pending)?;
            self.add(Part::of(self.next, pending.iter().map(|pending| Ok(entry(pending))))?)?;
        }
        Ok(self.table.mark())
    }

    /// Writes all parts as one, and returns what the commit must say.
    pub fn rewrite(&mut self) -> Result<Mark> {
        if self.table.parts.len() > 1 {
            let nothing = Part::of(self.next, std::iter::empty())?;
            self.merge(nothing, 0)?;
        }
        Ok(self.table.mark())
    }

    /// Removes parts the last commit does not name. What fails to go is removed by the next writer.
    pub fn remove_old(&self) -> Result<()> {
        self.directory.sweep(|name| is_part(name) && !self.table.names(name))
    }

    fn count_with(&self, pending: &BTreeMap<String, Option<Pending>>) -> Result<u64> {
        let mut groups = self.table.groups;
        for (name, pending) in pending {
            match (self.table.get(name)?.is_some(), pending.is_some()) {
                (false, true) => groups += 1,
                (true, false) => groups = groups.saturating_sub(1),
                _ => {}
            }
        }
        Ok(groups)
    }

    /// Merges a new part with those at the end that are not more than twice as large.
    fn add(&mut self, new: Part) -> Result<()> {
        let mut size = new.mark.length;
        let mut kept = self.table.parts.len();
        while let Some(last) = kept.checked_sub(1).and_then(|last| self.table.parts.get(last))
            && size * 2 >= last.mark.length
        {
            size += last.mark.length;
            kept -= 1;
        }
        self.merge(new, kept)
    }

    /// Puts one part in the place of all but the first `kept` and a new one.
    fn merge(&mut self, new: Part, kept: usize) -> Result<()> {
        let older = self.table.parts.split_off(kept);
        let newest_first =
            std::iter::once(&new).chain(older.iter().rev().map(|part| part.as_ref()));
        // In the first part there is nothing a removal could hide.
        let merged = Merged::all(newest_first)?.filter(|entry| {
            kept > 0 || entry.as_ref().map_or(true, |entry| entry.present.is_some())
        });
        let merged = Part::of(self.next, merged)?;
        if merged.len()? > 0 {
            merged.write(&self.directory)?;
            self.next += 1;
            self.table.parts.push(Arc::new(merged));
        }
        Ok(())
    }
}

fn entry<'p>((name, pending): (&'p String, &'p Option<Pending>)) -> Entry<'p> {
    let present = pending
        .as_ref()
        .map(|pending| Present { documents: pending.documents, state: &pending.state });
    Entry { name, present }
}
