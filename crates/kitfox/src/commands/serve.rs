//! `kitfox serve`: answers an agent over MCP, while the indexes are kept fresh and the config file is
//! followed.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime};

use kitfox_faces::Faces;
use kitfox_keeper::Keeper;
use tokio::sync::watch;

use crate::config::Settings;
use crate::output::{Exit, note};
use crate::workspace::Workspace;

/// How often the config file is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// Runs the command until the client closes stdin. `settle` reads the configuration again.
pub fn serve(
    first: Workspace,
    settle: impl Fn() -> anyhow::Result<Settings> + Send + 'static,
) -> anyhow::Result<Exit> {
    let (faces, served) = watch::channel(Arc::new(first.faces()));
    // Both end with the process: a run cut short leaves the last commit.
    let mut keeper = Keeper::start(first.indexes.clone());
    let mut followed = Followed::new(&first.settings);
    thread::Builder::new().name("config".to_owned()).spawn(move || {
        loop {
            thread::sleep(LOOK);
            if followed.has_changed()
                && let Some(workspace) = followed.settle(&settle)
            {
                keeper = replace(&workspace, keeper, &faces);
            }
        }
    })?;
    // One client, and answers that take less time than to wake up another thread.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let outcome = runtime.block_on(kitfox_mcp::serve_stdio(served));
    runtime.shutdown_background();
    outcome?;
    Ok(Exit::Done)
}

/// Answers and keeps what is configured now.
fn replace(workspace: &Workspace, before: Keeper, faces: &watch::Sender<Arc<Faces>>) -> Keeper {
    drop(before);
    faces.send_replace(Arc::new(workspace.faces()));
    Keeper::start(workspace.indexes.clone())
}

/// The config file, which may come and go.
struct Followed {
    file: Option<PathBuf>,
    stamp: Stamp,
}

type Stamp = Option<(SystemTime, u64)>;

impl Followed {
    fn new(settings: &Settings) -> Followed {
        let file = settings.file.clone();
        Followed { stamp: stamp(file.as_ref()), file }
    }

    fn has_changed(&mut self) -> bool {
        let before = std::mem::replace(&mut self.stamp, stamp(self.file.as_ref()));
        before != self.stamp
    }

    /// What is configured now; with an error, what was before goes on.
    fn settle(&self, settle: impl Fn() -> anyhow::Result<Settings>) -> Option<Workspace> {
        let settled = settle().and_then(|settings| {
            settings.refuse_unlikely_folder()?;
            Ok(Workspace::new(settings, "kitfox serve")?)
        });
        settled.map_err(|error| note(&format!("{error}; the settings before stay in force"))).ok()
    }
}

fn stamp(file: Option<&PathBuf>) -> Stamp {
    let metadata = std::fs::metadata(file?).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
