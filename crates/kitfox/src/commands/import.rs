//! `kitfox import`: the records of a file into a writable collection.

use std::path::Path;

use kitfox_core::{RecordWriter, Written};
use kitfox_sync::Problem;
use serde_json::json;

use super::index::{problem_values, problems};
use super::written::collection;
use crate::output::{Exit, note, print, print_json};
use crate::progress::with_bar;
use crate::workspace::Workspace;

/// Problems kept of one file; more are counted.
const MAX_PROBLEMS: usize = 1_000;

/// Runs the command.
pub fn import(workspace: &Workspace, file: &Path, into: &str, json: bool) -> anyhow::Result<Exit> {
    let (index, journal) = collection(workspace, into)?;
    let (mut written, mut unchanged, mut refused) = (0, 0, 0);
    let mut listed: Vec<Problem> = Vec::new();
    index.progress.begin(0);
    let uploaded = with_bar(into, &index.progress, || {
        kitfox_sync::upload(
            &index.source,
            file,
            |changes| {
                let count = changes.len() as u64;
                for outcome in journal.write(changes)? {
                    let is_changed = |written: Written| written.is_changed;
                    *(if outcome.is_ok_and(is_changed) { &mut written } else { &mut unchanged }) +=
                        1;
                }
                index.progress.advance(count);
                Ok(())
            },
            |problem| {
                refused += 1;
                if listed.len() < MAX_PROBLEMS {
                    listed.push(problem);
                }
            },
        )
    });
    let unlisted = refused - listed.len();
    if json {
        let error = uploaded.as_ref().err().map(ToString::to_string);
        print_json(&json!({
            "collection": into,
            "written": written,
            "unchanged": unchanged,
            "refused": refused,
            "problems": problem_values(&listed),
            "error": error,
        }))?;
    } else {
        let mut text =
            format!("{into}: {written} written, {unchanged} unchanged, {refused} refused\n");
        problems(&mut text, &listed, unlisted);
        print(&text)?;
    }
    match uploaded {
        Ok(()) => Ok(Exit::Done),
        Err(error) => {
            note(&format!("{into}: {error}; what was written before stays"));
            Ok(Exit::Source)
        }
    }
}
