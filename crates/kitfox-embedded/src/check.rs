//! Reads everything and compares it with its checksums.

use std::sync::Arc;

use kitfox_core::{Damage, Error, Result, Snapshot};

use crate::damage::{problem_of, reading, segment_files};
use crate::disk::{Disk, META, ReadingDirectory, read_meta};
use crate::engine::{mark_of, open_index, stamp};
use crate::ledger::Table;
use crate::snapshot::View;

/// Checks files first, then whether they agree with each other.
pub(crate) fn check(
    disk: &Arc<dyn Disk>,
    dimension: usize,
    view: impl Fn() -> Result<View>,
) -> Result<Vec<Damage>> {
    loop {
        let Ok(before) = stamp(disk.as_ref()) else {
            return Ok(vec![Damage { file: META.to_owned(), problem: "is missing".to_owned() }]);
        };
        let found = match damaged_files(disk, dimension) {
            Ok(damage) if damage.is_empty() => reading_all(&view),
            found => found,
        };
        // What another process's commit removed meanwhile is not missing.
        let is_settled = || stamp(disk.as_ref()).is_ok_and(|after| after == before);
        if matches!(&found, Ok(damage) if damage.is_empty()) || is_settled() {
            return found.or_else(|error| match error {
                Error::Damaged { detail } => Ok(vec![parse(&detail)]),
                error => Err(error),
            });
        }
    }
}

/// The damage an error tells of: a file and its problem, if a file is to blame.
fn parse(detail: &str) -> Damage {
    let (file, problem) = detail.split_once(": ").unwrap_or(("the index", detail));
    Damage { file: file.to_owned(), problem: problem.to_owned() }
}

fn damaged_files(disk: &Arc<dyn Disk>, dimension: usize) -> Result<Vec<Damage>> {
    let directory = ReadingDirectory::new(disk.clone(), read_meta(disk.as_ref())?);
    let index = open_index(directory, dimension)?;
    let mut damage = Vec::new();
    for file in segment_files(&index)? {
        if let Some(problem) = problem_of(&index, &file) {
            damage.push(Damage { file, problem: problem.to_owned() });
        }
    }
    let table = Table::open(disk.as_ref(), &mark_of(&index)?, &Table::default());
    match table.and_then(|table| table.verify()) {
        Ok(()) => {}
        Err(Error::Damaged { detail }) => damage.push(parse(&detail)),
        Err(error) => return Err(error),
    }
    Ok(damage)
}

fn reading_all(view: &impl Fn() -> Result<View>) -> Result<Vec<Damage>> {
    let view = view()?;
    reading("checking", view.index(), || disagreements(&view))
}

/// Every group must have exactly the documents its entry counts, numbered densely.
fn disagreements(view: &View) -> Result<Vec<Damage>> {
    let mut damage = Vec::new();
    let mut counted = 0;
    for group in view.groups()? {
        let documents = view.group(&group.name)?;
        let dense = documents.iter().zip(0..).all(|(document, number)| document.number == number);
        if documents.len() != group.documents as usize || !dense {
            let problem = format!(
                "`{}` has {} passages where {} were recorded",
                group.name,
                documents.len(),
                group.documents
            );
            damage.push(Damage { file: "groups".into(), problem });
        }
        counted += documents.len();
    }
    let stored = view.stats()?.documents;
    if counted != stored && damage.is_empty() {
        let problem = format!("{stored} passages are stored, {counted} belong to a file");
        damage.push(Damage { file: "groups".into(), problem });
    }
    Ok(damage)
}
