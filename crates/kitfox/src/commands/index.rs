//! `kitfox index`: brings every source up to date and reports what was done.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kitfox_sync::{Problem, Report, SourceKind};
use serde_json::{Value, json};

use crate::output::{Exit, note, print, print_json, printable};
use crate::progress::with_bar;
use crate::workspace::Workspace;
use kitfox_keeper::{Index, IndexError, PATIENCE, Run, kind_name};

/// Problems named in text output.
const MAX_PROBLEMS: usize = 10;

/// Runs the command. A source that fails does not keep the others from being indexed.
pub fn index(workspace: &Workspace, run: &Run, json: bool) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    let mut values = Vec::new();
    for index in &workspace.indexes {
        let done = with_bar(&index.source.name, &index.progress, || index.refresh(run, PATIENCE));
        match &done {
            Ok(report) if !json => print(&text(index, report))?,
            Ok(_) => {}
            Err(error) => {
                note(&format!("{}: {error}", title(index)));
                exit = Exit::Source;
            }
        }
        values.push(value(index, &done));
    }
    if json {
        print_json(&json!({ "sources": values }))?;
    }
    Ok(exit)
}

fn title(index: &Index) -> String {
    format!("{} ({})", index.source.name, kind_name(index.source.kind))
}

fn text(index: &Index, report: &Report) -> String {
    let Report { added, changed, removed, unchanged, refused, passages, .. } = report;
    let written = match index.source.kind {
        SourceKind::Records => format!("{refused} refused"),
        SourceKind::Code | SourceKind::Docs => format!("{passages} passages written"),
    };
    let mut text = format!(
        "{}: {added} added, {changed} changed, {removed} removed, {unchanged} unchanged; \
         {written} in {:.1} s\n",
        title(index),
        report.elapsed.as_secs_f64(),
    );
    skipped(&mut text, &report.skipped);
    problems(&mut text, &report.problems, report.unlisted);
    text
}

/// How many files are not indexed, by reason.
pub fn skipped(text: &mut String, skipped: &BTreeMap<String, usize>) {
    for (reason, count) in skipped {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(text, "  {count} skipped: {reason}");
    }
}

/// The first problems, and how many more there are.
pub fn problems(text: &mut String, problems: &[Problem], unlisted: usize) {
    for Problem { path, at, field, reason } in problems.iter().take(MAX_PROBLEMS) {
        let path = if path.is_empty() { "." } else { path };
        let at = at.map_or(String::new(), |at| format!(", {at}"));
        let field =
            field.as_ref().map_or(String::new(), |field| format!(" `{}`:", printable(field)));
        let _ = writeln!(text, "  problem: {}{at}:{field} {}", printable(path), printable(reason));
    }
    let more = problems.len().saturating_sub(MAX_PROBLEMS) + unlisted;
    if more > 0 {
        let _ = writeln!(text, "  and {more} more problems");
    }
}

fn value(index: &Index, done: &Result<Report, IndexError>) -> Value {
    let mut value = json!({ "source": index.source.name, "kind": kind_name(index.source.kind) });
    let more = match done {
        Err(error) => json!({ "error": error.to_string() }),
        Ok(report) => json!({
            "added": report.added,
            "changed": report.changed,
            "removed": report.removed,
            "unchanged": report.unchanged,
            "refused": report.refused,
            "passages": report.passages,
            "bytes": report.bytes,
            "seconds": report.elapsed.as_secs_f64(),
            "skipped": report.skipped,
            "problems": problem_values(&report.problems),
        }),
    };
    if let (Value::Object(value), Value::Object(more)) = (&mut value, more) {
        value.extend(more);
    }
    value
}

/// Problems as JSON.
pub fn problem_values(problems: &[Problem]) -> Vec<Value> {
    problems.iter().map(|problem| json!(problem)).collect()
}
