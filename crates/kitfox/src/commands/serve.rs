//! `kitfox serve`: answers an agent over MCP while a thread keeps the indexes fresh.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use kitfox_core::Phase;
use kitfox_keeper::{Index, Run};

use crate::output::{Exit, note};
use crate::workspace::Workspace;

/// Shortest pause between two looks at a source.
const MIN_PAUSE: Duration = Duration::from_secs(2);
/// Pause after a look that failed, or while another process writes.
const RETRY_PAUSE: Duration = Duration::from_secs(5);
/// A source is looked at during at most one part in so many of the time.
const PAUSE_PER_SCAN: u32 = 20;

/// Runs the command until the client closes stdin.
pub fn serve(workspace: Workspace) -> anyhow::Result<Exit> {
    let faces = Arc::new(workspace.faces());
    // Ends with the process: a run cut short leaves the last commit.
    thread::Builder::new()
        .name("refresh".to_owned())
        .spawn(move || keep_fresh(workspace.indexes))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(kitfox_mcp::serve_stdio(faces));
    runtime.shutdown_background();
    served?;
    Ok(Exit::Done)
}

fn keep_fresh(indexes: Vec<Index>) {
    let mut watches: Vec<Watch> = indexes.into_iter().map(Watch::new).collect();
    while let Some(watch) = watches.iter_mut().min_by_key(|watch| watch.due) {
        thread::sleep(watch.due.saturating_duration_since(Instant::now()));
        watch.look();
    }
}

/// A source that is looked at again and again.
struct Watch {
    index: Index,
    due: Instant,
    said: Option<String>,
}

impl Watch {
    fn new(index: Index) -> Watch {
        Watch { index, due: Instant::now(), said: None }
    }

    fn look(&mut self) {
        let begun = Instant::now();
        let pause = match self.refresh() {
            Looked::Fresh => {
                self.said = None;
                MIN_PAUSE.max(begun.elapsed() * PAUSE_PER_SCAN)
            }
            Looked::Busy => {
                self.forget_failure();
                RETRY_PAUSE
            }
            Looked::Failed { private, public } => {
                self.index.progress.enter(Phase::Failed(public));
                self.say_once(private);
                RETRY_PAUSE.max(begun.elapsed() * PAUSE_PER_SCAN)
            }
        };
        self.due = Instant::now() + pause;
    }

    /// Another process is at work: whatever failed here before is its concern now.
    fn forget_failure(&self) {
        if matches!(self.index.progress.state().phase, Phase::Failed(_)) {
            self.index.progress.enter(Phase::Idle);
        }
    }

    fn refresh(&self) -> Looked {
        let run = AssertUnwindSafe(|| self.index.refresh(Run::default()));
        match catch_unwind(run) {
            Ok(Ok(_)) => Looked::Fresh,
            Ok(Err(error)) if error.is_busy() => Looked::Busy,
            Ok(Err(error)) => {
                Looked::Failed { private: error.to_string(), public: error.public_message() }
            }
            Err(_) => {
                let fault = "indexing stopped on an internal error".to_owned();
                Looked::Failed { private: fault.clone(), public: fault }
            }
        }
    }

    /// Logs a failure, but not at every look.
    fn say_once(&mut self, failure: String) {
        if self.said.as_ref() != Some(&failure) {
            note(&format!("{}: {failure}", self.index.source.name));
            self.said = Some(failure);
        }
    }
}

/// What came of a look at a source.
enum Looked {
    /// The index is as the source.
    Fresh,
    /// Another process is writing: it does the work.
    Busy,
    /// Why not, for the log and for answers.
    Failed { private: String, public: String },
}
