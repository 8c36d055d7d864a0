//! Reads one file and writes what is in it.

use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::SystemTime;

use kitfox_core::{Document, Result, Writer};
use kitfox_embed::Embedder;
use kitfox_extract::{Purpose, Sizes, extract};

use crate::FileState;
use crate::document::documents;
use crate::plan::{Task, unchanged};
use crate::report::Report;
use crate::stamp::nanoseconds;
use crate::walk::label;

/// What reading a file needs to know.
pub(crate) struct Reader<'r> {
    pub writer: &'r dyn Writer,
    pub embedder: &'r dyn Embedder,
    pub purpose: Purpose,
    pub sizes: Sizes,
    pub version: u32,
}

impl Reader<'_> {
    /// Brings the index up to date with one file and tells what was done.
    ///
    /// # Errors
    /// Those of the engine; a bad file is part of the report.
    pub fn read(&self, path: &Path, task: &Task<'_>) -> Result<Report> {
        let read_at = nanoseconds(SystemTime::now());
        match fs::read(path) {
            Ok(bytes) => self.index(task, &bytes, read_at),
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.vanished(task),
            // What was indexed of it before stays.
            Err(error) => {
                let mut report = Report::default();
                report.problem(&task.file.path, error.to_string());
                Ok(report)
            }
        }
    }

    fn vanished(&self, task: &Task<'_>) -> Result<Report> {
        if task.indexed {
            self.writer.remove(&task.file.path)?;
        }
        Ok(Report { removed: usize::from(task.indexed), ..Report::default() })
    }

    fn index(&self, task: &Task<'_>, bytes: &[u8], read_at: i64) -> Result<Report> {
        let hash = *blake3::hash(bytes).as_bytes();
        let after = FileState {
            stamp: task.file.stamp,
            indexed_at_ns: read_at,
            hash,
            version: self.version,
            ..FileState::default()
        };
        let mut report = match &task.before {
            Some(before) if before.hash == hash && before.version == self.version => {
                self.touch(task, before, after)?
            }
            _ => self.put(task, bytes, after)?,
        };
        report.bytes = bytes.len() as u64;
        Ok(report)
    }

    /// Remembers the new time of a file whose content is the same.
    fn touch(&self, task: &Task<'_>, before: &FileState, after: FileState) -> Result<Report> {
        let mut report = Report::default();
        unchanged(&mut report, &task.file.path, &before.view());
        if needs_touch(before, &after) {
            let state = FileState {
                format: before.format.clone(),
                title: before.title.clone(),
                problem: before.problem.clone(),
                ..after
            };
            self.writer.touch(&task.file.path, state.encode())?;
        }
        Ok(report)
    }

    fn put(&self, task: &Task<'_>, bytes: &[u8], after: FileState) -> Result<Report> {
        let path = task.file.path.as_str();
        let cut = self.cut(path, bytes);
        let mut report = Report { passages: cut.documents.len(), ..Report::default() };
        let state =
            FileState { format: cut.format, title: cut.title, problem: cut.problem, ..after };
        match (&state.problem, state.refused()) {
            (Some(reason), true) => report.skip(reason),
            (problem, _) => {
                report.added = usize::from(!task.indexed);
                report.changed = usize::from(task.indexed);
                problem.iter().for_each(|reason| report.problem(path, reason));
            }
        }
        self.writer.put(path, state.encode(), cut.documents)?;
        Ok(report)
    }

    /// Cuts a file. A reader that panics costs this file only.
    fn cut(&self, path: &str, bytes: &[u8]) -> Cut {
        let cut = || match extract(path, bytes, self.purpose, self.sizes) {
            Ok(mut extracted) => Cut {
                format: extracted.format.to_owned(),
                title: extracted.title.clone(),
                problem: joined(std::mem::take(&mut extracted.problems)),
                documents: documents(path, extracted, self.embedder),
            },
            Err(refusal) => Cut { problem: Some(label(&refusal)), ..Cut::default() },
        };
        catch_unwind(AssertUnwindSafe(cut)).unwrap_or_else(|_| Cut {
            format: "unknown".to_owned(),
            problem: Some("its reader failed; this is a defect of kitfox".to_owned()),
            ..Cut::default()
        })
    }
}

#[derive(Default)]
struct Cut {
    documents: Vec<Document>,
    format: String,
    title: String,
    problem: Option<String>,
}

fn joined(problems: Vec<String>) -> Option<String> {
    (!problems.is_empty()).then(|| problems.join("; "))
}

/// Whether the stored state must be replaced though the content is the same: its stamp is another,
/// or the content is certain only now, so that the next run need not read it again.
pub(crate) fn needs_touch(before: &FileState, after: &FileState) -> bool {
    before.stamp != after.stamp || (before.racy() && !after.racy())
}
