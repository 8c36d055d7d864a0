//! Changes of several at once, made durable together.

use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kitfox_core::{Change, Outcome};
use kitfox_journal::{Journal, JournalError};

/// A journal that many write to. Whoever comes while changes are being made durable waits, and those
/// who waited go together.
pub(crate) struct Group {
    waiting: Mutex<Vec<Waiting>>,
    journal: Mutex<Journal>,
}

struct Waiting {
    changes: Vec<Change>,
    answer: Sender<Result<Vec<Outcome>, String>>,
}

impl Group {
    pub fn of(journal: Journal) -> Group {
        Group { waiting: Mutex::default(), journal: Mutex::new(journal) }
    }

    /// Makes changes, and those of others who wait.
    ///
    /// # Errors
    /// Why they could not be made durable.
    pub fn write(&self, changes: Vec<Change>) -> Result<Vec<Outcome>, String> {
        let (answer, answered) = channel();
        lock(&self.waiting).push(Waiting { changes, answer });
        {
            let mut journal = lock(&self.journal);
            // Empty where whoever had the journal before took these along.
            let together = std::mem::take(&mut *lock(&self.waiting));
            make(&mut journal, together);
        }
        answered.recv().unwrap_or_else(|_| Err("writing stopped on an internal error".to_owned()))
    }

    /// Puts another journal in the place of this one; without `force` only where that is empty.
    ///
    /// # Errors
    /// Why it could not.
    pub fn replace(&self, prepared: &Path, force: bool) -> Result<(), String> {
        let mut journal = lock(&self.journal);
        if !force && !journal.is_empty() {
            return Err(
                "there are records already; `--force` puts those of the backup in their place"
                    .to_owned(),
            );
        }
        journal.replace(prepared).map_err(|error| error.to_string())
    }

    /// Writes a shorter journal where that is worth it.
    ///
    /// # Errors
    /// Those of [`Journal::compact`].
    pub fn compact(&self) -> Result<bool, JournalError> {
        lock(&self.journal).compact()
    }
}

fn make(journal: &mut Journal, together: Vec<Waiting>) {
    let mut changes: Vec<Change> = Vec::new();
    let mut counts = Vec::with_capacity(together.len());
    let mut answers = Vec::with_capacity(together.len());
    for Waiting { changes: more, answer } in together {
        counts.push(more.len());
        answers.push(answer);
        changes.extend(more);
    }
    if answers.is_empty() {
        return;
    }
    let done = journal.write(&changes).map_err(|error| error.to_string());
    let mut outcomes = done.as_deref().unwrap_or_default();
    for (answer, count) in answers.into_iter().zip(counts) {
        let (own, rest) = outcomes.split_at(count.min(outcomes.len()));
        outcomes = rest;
        // Whoever waited may have gone away.
        let _ = answer.send(done.as_ref().map(|_| own.to_vec()).map_err(Clone::clone));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
