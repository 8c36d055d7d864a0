//! What is kept of records that were written: getting it out, keeping it safe, putting it back.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;
use kitfox_faces::FaceError;
use kitfox_journal::{Backup, Entry, Living, back_up};
use kitfox_keeper::{Index, Journaled};
use serde_json::{Value, json};

use crate::output::{Exit, print, print_json};
use crate::workspace::Workspace;

/// A writable collection.
pub fn collection<'w>(
    workspace: &'w Workspace,
    name: &str,
) -> anyhow::Result<(&'w Arc<Index>, &'w Arc<Journaled>)> {
    let names = || writable(workspace).map(|(index, _)| index.source.name.as_str());
    let named = writable(workspace).find(|(index, _)| index.source.name == name);
    Ok(named.ok_or_else(|| {
        let message = format!("no collection `{name}` is `writable` here");
        let error = FaceError::new("unknown_collection", message);
        error.at("collection").allow(names()).nearest_to(name, names())
    })?)
}

fn writable(workspace: &Workspace) -> impl Iterator<Item = (&Arc<Index>, &Arc<Journaled>)> {
    workspace.indexes.iter().filter_map(|index| Some((index, index.journal()?)))
}

/// Runs `kitfox export`: a line of JSON for each record, all as they were at one moment.
pub fn export(workspace: &Workspace, name: &str) -> anyhow::Result<Exit> {
    let (_, journal) = collection(workspace, name)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let Some(mut living) = Living::open(journal.file())? else { return Ok(Exit::Done) };
    while let Some(entry) = living.next_entry()? {
        let Some(line) = exported(entry) else { continue };
        match writeln!(out, "{line}") {
            // Whoever reads has seen enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(Exit::Done),
            done => done?,
        }
    }
    out.flush()?;
    Ok(Exit::Done)
}

fn exported(entry: Entry) -> Option<Value> {
    let Entry { key, revision, created_at_ns, updated_at_ns, data, .. } = entry;
    let sys = json!({
        "revision": revision.to_string(),
        "created_at": kitfox_faces::rfc3339(created_at_ns.into()),
        "updated_at": kitfox_faces::rfc3339(updated_at_ns.into()),
    });
    Some(json!({ "id": key, "data": data?, "_sys": sys }))
}

/// Runs `kitfox backup`.
pub fn backup(workspace: &Workspace, file: &Path, json: bool) -> anyhow::Result<Exit> {
    let journals: Vec<(String, PathBuf)> = writable(workspace)
        .map(|(index, journal)| (index.source.name.clone(), journal.file().to_owned()))
        .collect();
    anyhow::ensure!(!journals.is_empty(), "no collection of this config is `writable`");
    let failed = |error| anyhow!("{}: {error}", file.display());
    let counts = back_up(file, &journals).map_err(failed)?;
    tell("backed up", &counts, json)
}

/// Runs `kitfox restore`.
pub fn restore(
    workspace: &Workspace,
    file: &Path,
    force: bool,
    json: bool,
) -> anyhow::Result<Exit> {
    let failed = |error| anyhow!("{}: {error}", file.display());
    let backup = Backup::open(file).map_err(failed)?;
    // All of them are known before any is touched.
    let journals = backup.collections.iter().map(|(name, _)| collection(workspace, name));
    let journals = journals.collect::<anyhow::Result<Vec<_>>>()?;
    for ((name, _), (_, journal)) in backup.collections.iter().zip(&journals) {
        backup.prepare(name, &journal.prepared())?;
        let failed = |error| anyhow!("`{name}` is not restored: {error}");
        journal.restore(force).map_err(failed)?;
    }
    tell("restored", &backup.collections, json)
}

fn tell(what: &str, counts: &[(String, usize)], json: bool) -> anyhow::Result<Exit> {
    if json {
        let collections: Vec<Value> = counts
            .iter()
            .map(|(name, count)| json!({ "collection": name, "records": count }))
            .collect();
        print_json(&json!({ "collections": collections }))?;
    } else {
        let line = |(name, count): &(String, usize)| format!("{name}: {count} records {what}\n");
        print(&counts.iter().map(line).collect::<String>())?;
    }
    Ok(Exit::Done)
}
