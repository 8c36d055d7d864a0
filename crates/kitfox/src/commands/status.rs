//! `kitfox status`: what is indexed, where from, and what is wrong with it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use kitfox_core::{Engine, Snapshot, Stats};
use kitfox_keeper::{Index, TurnError, kind_name};
use kitfox_sync::{FileState, Imported, Problem, SourceKind};
use serde_json::{Value, json};

use super::index::{problem_values, problems, skipped};
use crate::output::{Exit, print, print_json};
use crate::workspace::Workspace;

/// Runs the command.
pub fn status(workspace: &Workspace, json: bool) -> anyhow::Result<Exit> {
    let model = workspace.embedder.fingerprint();
    workspace.open()?;
    let statuses = workspace
        .indexes
        .iter()
        .map(|index| Status::of(index))
        .collect::<kitfox_core::Result<Vec<_>>>()?;
    if json {
        let sources: Vec<Value> = statuses.iter().map(Status::value).collect();
        print_json(&json!({ "model": model, "sources": sources }))?;
    } else {
        let mut text = format!("model: {model} (reads English and code)\n");
        statuses.iter().for_each(|status| status.text(&mut text));
        print(&text)?;
    }
    Ok(Exit::Done)
}

/// The state of one source.
struct Status<'a> {
    index: &'a Index,
    stats: Stats,
    files: usize,
    /// What is not indexed, by reason.
    skipped: BTreeMap<String, usize>,
    problems: Vec<Problem>,
    /// How many more problems there are.
    unlisted: usize,
    /// Rows that are no records.
    refused: usize,
    root_is_there: bool,
    writer: Option<String>,
}

impl Status<'_> {
    fn of(index: &Index) -> kitfox_core::Result<Status<'_>> {
        let snapshot = index.engine.snapshot()?;
        let mut status = Status {
            index,
            stats: snapshot.stats()?,
            files: 0,
            skipped: BTreeMap::new(),
            problems: Vec::new(),
            unlisted: 0,
            refused: 0,
            root_is_there: index.source.root.exists(),
            writer: writer(index),
        };
        match index.source.kind {
            SourceKind::Records => status.add_import(&*snapshot)?,
            SourceKind::Code | SourceKind::Docs => status.add_files(&*snapshot)?,
        }
        Ok(status)
    }

    fn add_import(&mut self, snapshot: &dyn Snapshot) -> kitfox_core::Result<()> {
        if let Some(imported) = Imported::of(snapshot)? {
            self.files = 1;
            self.problems = imported.problems;
            self.unlisted = imported.unlisted;
            self.refused = imported.refused;
        }
        Ok(())
    }

    fn add_files(&mut self, snapshot: &dyn Snapshot) -> kitfox_core::Result<()> {
        // Where the source is not there, its index tells what it can.
        self.skipped = kitfox_sync::skipped(&self.index.source).unwrap_or_default();
        for group in snapshot.groups()? {
            let state = FileState::decode(&group.state).unwrap_or_default();
            match (state.refused(), state.problem) {
                (true, Some(reason)) => *self.skipped.entry(reason).or_default() += 1,
                (_, problem) => {
                    self.files += 1;
                    self.problems.extend(problem.map(|reason| Problem::of(group.name, reason)));
                }
            }
        }
        Ok(())
    }

    /// What is indexed, in words.
    fn content(&self) -> String {
        let documents = self.stats.documents;
        match self.index.source.kind {
            SourceKind::Records if self.refused > 0 => {
                format!("{documents} records ({} rows refused)", self.refused)
            }
            SourceKind::Records => format!("{documents} records"),
            SourceKind::Code | SourceKind::Docs => {
                format!("{} files, {documents} passages", self.files)
            }
        }
    }

    fn embedded_share(&self) -> Option<f64> {
        let Stats { documents, embedded, .. } = self.stats;
        (documents > 0).then(|| embedded as f64 / documents as f64)
    }

    fn text(&self, text: &mut String) {
        let (source, stats) = (&self.index.source, &self.stats);
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(text, "\n{} ({})", source.name, kind_name(source.kind));
        let missing = if self.root_is_there { "" } else { " (missing)" };
        let _ = writeln!(text, "  root: {}{missing}", source.root.display());
        match self.embedded_share() {
            None if self.files == 0 => text.push_str("  nothing is indexed: run `kitfox index`\n"),
            share => {
                let share = share.map_or(String::new(), |share| {
                    format!(", {:.0} % with a vector", share * 100.0)
                });
                let _ = writeln!(text, "  {}{share}", self.content());
            }
        }
        skipped(text, &self.skipped);
        let _ = writeln!(text, "  {:.1} MB on disk", stats.bytes as f64 / 1e6);
        if let Some(writer) = &self.writer {
            let _ = writeln!(text, "  kept by {writer}");
        }
        problems(text, &self.problems, self.unlisted);
    }

    fn value(&self) -> Value {
        let source = &self.index.source;
        json!({
            "source": source.name,
            "kind": kind_name(source.kind),
            "root": source.root,
            "root_is_there": self.root_is_there,
            "files": self.files,
            "skipped": self.skipped,
            "passages": self.stats.documents,
            "refused": self.refused,
            "embedded_share": self.embedded_share(),
            "disk_bytes": self.stats.bytes,
            "writer": self.writer,
            "problems": problem_values(&self.problems),
        })
    }
}

/// Who is writing the index at the moment.
fn writer(index: &Index) -> Option<String> {
    match index.turn(Duration::ZERO) {
        Err(TurnError::Busy { holder }) => Some(holder),
        _ => None,
    }
}
