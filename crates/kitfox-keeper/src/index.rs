//! The index of one source: opening it, and bringing it up to date.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use kitfox_core::{Damage, Engine, Error, IndexState, Phase, Progress};
use kitfox_embed::Embedder;
use kitfox_embedded::EmbeddedEngine;
use kitfox_sync::{Effort, RefreshOptions, Report, Scope, Source, SyncError};

use crate::IndexError;
use crate::ask::{self, Ask, AskError};
use crate::engine::LazyEngine;
use crate::journaled::Journaled;
use crate::place::Place;
use crate::turn::{Turn, TurnError};

/// How long a command waits for another process to finish writing.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// Between two tries to become the one that writes.
const PAUSE: Duration = Duration::from_millis(100);

/// The same where somebody waits for an answer.
const SHORT_PAUSE: Duration = Duration::from_millis(10);

/// The index of one source.
pub struct Index {
    /// What is indexed.
    pub source: Source,
    /// The index itself.
    pub engine: Arc<LazyEngine>,
    /// How far a run is.
    pub progress: Arc<Progress>,
    pub(crate) place: Place,
    embedder: Arc<dyn Embedder>,
    signature: String,
    pub(crate) notice: fn(&str),
    journal: Option<Arc<Journaled>>,
}

/// What a run is asked to do beyond looking for changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Also drop files where more than half of the source is gone.
    pub prune: bool,
    /// Compare everything with its checksums first, and rebuild what is damaged.
    pub repair: bool,
    /// Which part of the source is looked at.
    pub scope: Scope,
    /// How much of the machine it takes.
    pub effort: Effort,
}

impl Index {
    /// The index of a source below `data_dir`. Nothing is opened yet, so a damaged one is no error
    /// here. `signature` tells other processes who is writing; `notice` is told of damage.
    ///
    /// # Errors
    /// [`IndexError::Folder`] where the data directory cannot be written.
    pub fn new(
        source: &Source,
        data_dir: &Path,
        embedder: &Arc<dyn Embedder>,
        signature: &str,
        notice: fn(&str),
    ) -> Result<Index, IndexError> {
        let place = Place::of(source, data_dir, embedder.as_ref())?;
        let journal = Journaled::of(source, data_dir, signature, notice)?.map(Arc::new);
        Ok(Index {
            source: source.clone(),
            engine: Arc::new(LazyEngine::new(place.folder.clone(), embedder.dimension())),
            progress: Arc::default(),
            place,
            embedder: embedder.clone(),
            signature: signature.to_owned(),
            notice,
            journal,
        })
    }

    /// The journal its records are written through; none where they come from elsewhere.
    pub fn journal(&self) -> Option<&Arc<Journaled>> {
        self.journal.as_ref()
    }

    /// Begins to be the one that writes the journal, as soon and as long as nobody else is, until it
    /// is over.
    pub(crate) fn hold_journal(&self, over: &Arc<AtomicBool>) {
        if let Some(journal) = self.journal.clone() {
            let over = Arc::clone(over);
            // Without the thread, each change is made by whoever wants it.
            let _ = thread::Builder::new()
                .name("journal".to_owned())
                .spawn(move || journal.hold(&over));
        }
    }

    /// Brings the index up to date; a damaged one is built anew. Where another process keeps it,
    /// that one is asked, and its progress and report are taken over.
    ///
    /// # Errors
    /// [`TurnError::Busy`] where somebody writes for longer than `patience` and does not answer.
    pub fn refresh(&self, run: &Run, patience: Duration) -> Result<Report, IndexError> {
        let begun = Instant::now();
        loop {
            let busy = match self.turn(Duration::ZERO) {
                Ok(turn) => return self.refresh_in(&turn, run),
                Err(busy @ TurnError::Busy { .. }) => busy,
                Err(error) => return Err(error.into()),
            };
            match self.ask(run, |_| true) {
                Ok(report) => return Ok(report),
                Err(AskError::Refused(message)) => return Err(IndexError::Keeper(message)),
                // It only began to write, or is about to end.
                Err(AskError::NoAnswer) if begun.elapsed() < patience => thread::sleep(PAUSE),
                Err(AskError::NoAnswer) => return Err(busy.into()),
            }
        }
    }

    /// Becomes the one process that writes this index.
    ///
    /// # Errors
    /// [`TurnError::Busy`] where another one does, for longer than `patience`.
    pub fn turn(&self, patience: Duration) -> Result<Turn, TurnError> {
        Turn::take(&self.place.lock, &self.signature, patience)
    }

    /// How far the run of whoever keeps the index is; none where nobody answers.
    pub fn keeper_state(&self) -> Option<IndexState> {
        ask::state(self.place.socket.as_deref()?)
    }

    /// What is damaged, read from beginning to end.
    ///
    /// # Errors
    /// Where the index cannot be read for another reason.
    pub fn damage(&self) -> Result<Vec<Damage>, Error> {
        match self.engine.check() {
            Err(Error::Damaged { detail }) => {
                Ok(vec![Damage { file: "index".to_owned(), problem: detail }])
            }
            checked => checked,
        }
    }

    /// Brings the index up to date as [`Index::refresh`] does, but where another process keeps it waits
    /// no longer than `patience` for that. What fails is told by the state of the index.
    pub(crate) fn catch_up(&self, patience: Duration) {
        let begun = Instant::now();
        while begun.elapsed() < patience {
            if let Ok(turn) = self.turn(Duration::ZERO) {
                if let Err(error) = self.refresh_in(&turn, &Run::default()) {
                    self.progress.enter(Phase::Failed(error.public_message()));
                }
                return;
            }
            match self.ask(&Run::default(), |_| begun.elapsed() < patience) {
                Err(AskError::NoAnswer) => thread::sleep(SHORT_PAUSE),
                Ok(_) | Err(AskError::Refused(_)) => return,
            }
        }
    }

    fn ask(&self, run: &Run, waits_on: impl Fn(&IndexState) -> bool) -> Result<Report, AskError> {
        let socket = self.place.socket.as_deref().ok_or(AskError::NoAnswer)?;
        let ask = Ask::Refresh { prune: run.prune, repair: run.repair };
        ask::refresh(socket, &ask, |state| {
            let waits_on = waits_on(&state);
            self.progress.replace(state);
            waits_on
        })
    }

    /// Brings the index up to date as the one that writes it.
    pub(crate) fn refresh_in(&self, _turn: &Turn, run: &Run) -> Result<Report, IndexError> {
        if run.repair
            && let Some(Damage { file, problem }) = self.damage()?.first()
        {
            self.replace(&format!("{file}: {problem}"))?;
        }
        match self.sync(run) {
            Err(SyncError::Engine(Error::Damaged { detail })) => {
                self.replace(&detail)?;
                let whole = Run { scope: Scope::Everything, ..run.clone() };
                Ok(self.sync(&whole)?)
            }
            done => Ok(done?),
        }
    }

    fn sync(&self, run: &Run) -> Result<Report, SyncError> {
        let options =
            RefreshOptions { prune: run.prune, scope: run.scope.clone(), effort: run.effort };
        let Index { source, embedder, progress, .. } = self;
        kitfox_sync::refresh(source, self.engine.as_ref(), embedder.as_ref(), &options, progress)
    }

    /// Puts an empty index in the place of a damaged one. Engines of other processes go on with it:
    /// they follow the folder's last commit, whoever made it.
    fn replace(&self, detail: &str) -> Result<(), IndexError> {
        let name = &self.source.name;
        (self.notice)(&format!("the index of `{name}` is damaged ({detail}); it is built anew"));
        let Place { folder, .. } = &self.place;
        let aside = self.place.aside();
        let moved = remove_if_there(&aside)
            .and_then(|()| fs::rename(folder, &aside))
            .and_then(|()| remove_if_there(&aside));
        moved.map_err(|source| IndexError::Folder { folder: folder.clone(), source })?;
        EmbeddedEngine::open(folder, self.embedder.dimension())?;
        self.engine.reopen();
        Ok(())
    }
}

pub(crate) fn remove_if_there(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}
