//! The groups of one commit: its parts, of which the newest that has a name speaks for it.

use std::cmp::Ordering;
use std::sync::Arc;

use kitfox_core::{Error, Group, Result};
use serde::{Deserialize, Serialize};
use tantivy::Directory;

use super::part::{Entry, Part, PartMark, Present, is_part};

/// What a commit says of its groups; the payload of a commit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mark {
    /// How many groups there are.
    pub groups: u64,
    /// Oldest first.
    pub parts: Vec<PartMark>,
}

impl Mark {
    /// Reads a commit's payload; an index without any commit has none.
    pub fn read(payload: Option<&str>) -> Result<Mark> {
        let Some(payload) = payload else { return Ok(Mark::default()) };
        let unreadable = |problem: &str| Error::Damaged {
            detail: format!("meta.json: the list of groups cannot be read: {problem}"),
        };
        let mark: Mark =
            serde_json::from_str(payload).map_err(|error| unreadable(&error.to_string()))?;
        match mark.parts.iter().find(|part| !is_part(&part.name)) {
            Some(part) => Err(unreadable(&format!("`{}` is no part", part.name))),
            None => Ok(mark),
        }
    }
}

/// The groups of one commit, opened. They stay readable after a later commit has removed them.
#[derive(Clone, Default)]
pub(crate) struct Table {
    /// Oldest first.
    pub(super) parts: Vec<Arc<Part>>,
    pub(super) groups: u64,
}

impl Table {
    /// Opens what a commit names, but for the parts of it that are `known` already.
    ///
    /// # Errors
    /// [`Error::Damaged`] where a part is missing or has another length. What is in it is looked at
    /// when first asked for.
    pub fn open(disk: &dyn Directory, mark: &Mark, known: &Table) -> Result<Table> {
        let open = |mark: &PartMark| match known.parts.iter().find(|part| part.mark == *mark) {
            Some(part) => Ok(Arc::clone(part)),
            None => Ok(Arc::new(Part::open(disk, mark)?)),
        };
        let parts = mark.parts.iter().map(open).collect::<Result<_>>()?;
        Ok(Table { parts, groups: mark.groups })
    }

    /// What a commit of this table must say.
    pub fn mark(&self) -> Mark {
        let parts = self.parts.iter().map(|part| part.mark.clone()).collect();
        Mark { groups: self.groups, parts }
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.groups as usize
    }

    /// Whether a part belongs to it.
    pub fn names(&self, part: &str) -> bool {
        self.parts.iter().any(|other| other.mark.name == part)
    }

    /// A group.
    pub fn get(&self, name: &str) -> Result<Option<Present<'_>>> {
        for part in self.parts.iter().rev() {
            if let Some(entry) = part.find(name)? {
                return Ok(entry.present);
            }
        }
        Ok(None)
    }

    /// All groups by name.
    pub fn groups(&self) -> Result<Vec<Group>> {
        collect(Merged::all(self.parts.iter().rev().map(|part| part.as_ref()))?)
    }

    /// The groups named `path` or below `path/`, by name; the empty path is all.
    pub fn below(&self, path: &str) -> Result<Vec<Group>> {
        if path.is_empty() {
            return self.groups();
        }
        // `0` is the character after `/`.
        let (start, end) = (format!("{path}/"), format!("{path}0"));
        let parts = self.parts.iter().rev().map(|part| part.as_ref());
        let mut groups: Vec<Group> = Vec::new();
        groups.extend(
            self.get(path)?
                .and_then(|present| Entry { name: path, present: Some(present) }.group()),
        );
        groups.extend(collect(Merged::between(parts, &start, &end)?)?);
        Ok(groups)
    }

    /// Compares every part with its checksum, and their entries with the number of groups.
    pub fn verify(&self) -> Result<()> {
        for part in &self.parts {
            part.verify()?;
        }
        let found = self.groups()?.len();
        if found != self.len() {
            let detail = format!("groups: there are {found} where {} were recorded", self.len());
            return Err(Error::Damaged { detail });
        }
        Ok(())
    }
}

fn collect(merged: Merged<'_>) -> Result<Vec<Group>> {
    merged.filter_map(|entry| entry.map(|entry| entry.group()).transpose()).collect()
}

/// The entries of several parts by name, of each name the newest, removals included.
pub(super) struct Merged<'p> {
    /// Newest first.
    runs: Vec<Run<'p>>,
}

/// Entries of one part.
struct Run<'p> {
    part: &'p Part,
    /// The entry at `next - 1`; none at the end.
    head: Option<Entry<'p>>,
    next: usize,
    end: usize,
}

impl<'p> Run<'p> {
    fn advance(&mut self) -> Result<()> {
        self.head = None;
        if self.next < self.end {
            self.head = Some(self.part.entry(self.next)?);
            self.next += 1;
        }
        Ok(())
    }
}

impl<'p> Merged<'p> {
    /// Everything in parts, the newest first.
    pub fn all(parts: impl Iterator<Item = &'p Part>) -> Result<Merged<'p>> {
        Merged::of(parts, |part| Ok((0, part.len()?)))
    }

    /// The names from `start` up to but not including `end`.
    fn between(
        parts: impl Iterator<Item = &'p Part>,
        start: &str,
        end: &str,
    ) -> Result<Merged<'p>> {
        Merged::of(parts, |part| Ok((part.position(start)?, part.position(end)?)))
    }

    fn of(
        parts: impl Iterator<Item = &'p Part>,
        bounds: impl Fn(&Part) -> Result<(usize, usize)>,
    ) -> Result<Merged<'p>> {
        let runs = parts.map(|part| {
            let (next, end) = bounds(part)?;
            let mut run = Run { part, head: None, next, end };
            run.advance()?;
            Ok(run)
        });
        Ok(Merged { runs: runs.collect::<Result<_>>()? })
    }

    fn step(&mut self) -> Result<Option<Entry<'p>>> {
        let mut least: Option<Entry<'p>> = None;
        for run in &self.runs {
            let Some(head) = run.head else { continue };
            let is_less = |least: Entry<'_>| head.name.cmp(least.name) == Ordering::Less;
            if least.is_none_or(is_less) {
                least = Some(head);
            }
        }
        let Some(least) = least else { return Ok(None) };
        for run in &mut self.runs {
            if run.head.is_some_and(|head| head.name == least.name) {
                run.advance()?;
            }
        }
        Ok(Some(least))
    }
}

impl<'p> Iterator for Merged<'p> {
    type Item = Result<Entry<'p>>;

    fn next(&mut self) -> Option<Result<Entry<'p>>> {
        let next = self.step().transpose();
        if matches!(next, Some(Err(_))) {
            self.runs.clear();
        }
        next
    }
}
