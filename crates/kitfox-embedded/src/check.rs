//! Reads everything and compares it with its checksums.

use std::collections::BTreeMap;
use std::path::Path;

use kitfox_core::{Damage, Error, Result, Snapshot};
use tantivy::Index;

use crate::engine::storage;
use crate::snapshot::View;

/// Checks files first, then whether they agree with each other.
pub(crate) fn check(
    index: &Index,
    directory: &Path,
    state: impl FnOnce() -> Result<View>,
) -> Result<Vec<Damage>> {
    let damage = damaged_files(index, directory)?;
    if !damage.is_empty() {
        return Ok(damage);
    }
    let one = |error: Error| vec![Damage { file: "meta.json".into(), problem: error.to_string() }];
    match state() {
        Ok(state) => disagreements(&state).or_else(|error| Ok(one(error))),
        Err(error) => Ok(one(error)),
    }
}

fn damaged_files(index: &Index, directory: &Path) -> Result<Vec<Damage>> {
    let metas = index.load_metas().map_err(|error| storage("reading meta.json", error))?;
    let missing = metas
        .list_segment_files()
        .into_iter()
        .filter(|file| !is_optional(file) && !directory.join(file).exists())
        .map(|file| (file, "is missing"));
    let mut damage: BTreeMap<_, _> = missing.collect();
    if damage.is_empty() {
        let files =
            index.validate_checksum().map_err(|error| storage("verifying checksums", error))?;
        damage.extend(files.into_iter().map(|file| (file, "fails its checksum")));
    }
    let damage = damage.into_iter().map(|(file, problem)| Damage {
        file: file.display().to_string(),
        problem: problem.to_owned(),
    });
    Ok(damage.collect())
}

/// tantivy lists files a segment may have; these two it has only at times.
fn is_optional(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "temp" || extension == "del")
}

/// Every group must have exactly the documents its entry counts, numbered densely.
fn disagreements(state: &View) -> Result<Vec<Damage>> {
    let mut damage = Vec::new();
    let mut counted = 0;
    for group in state.groups()? {
        let documents = state.group(&group.name)?;
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
    let stored = state.stats()?.documents;
    if counted != stored && damage.is_empty() {
        let problem = format!("{stored} passages are stored, {counted} belong to a file");
        damage.push(Damage { file: "groups".into(), problem });
    }
    Ok(damage)
}
