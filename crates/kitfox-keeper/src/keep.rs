//! Keeping the indexes of a process fresh, each as long as nobody else does.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use kitfox_core::Phase;
use kitfox_sync::{Effort, Report, Scope, Watch, WatchMode};

use crate::ask::Reply;
use crate::index::{Index, Run};
use crate::listen::{Listener, Wish, answer_for_index};
use crate::turn::{Turn, TurnError};
use crate::{IndexError, clean};

/// How often a process that does not keep an index looks whether somebody still does.
const LOOK: Duration = Duration::from_millis(500);

/// Between a run that failed and the next.
const RETRY: Duration = Duration::from_secs(5);

/// Keeps indexes until it is dropped.
pub struct Keeper {
    over: Arc<AtomicBool>,
}

impl Keeper {
    /// Begins to keep these indexes, each on a thread of its own; one run at a time.
    pub fn start(indexes: Vec<Arc<Index>>) -> Keeper {
        let over = Arc::new(AtomicBool::new(false));
        let runs = Arc::new(Mutex::new(()));
        for index in indexes {
            index.hold_journal(&over);
            let (runs, over) = (Arc::clone(&runs), Arc::clone(&over));
            let keep = Keep { index, runs, over, said: Mutex::default() };
            // A thread that cannot be started leaves the index to other processes.
            let _ = thread::Builder::new().name("keep".to_owned()).spawn(move || keep.run());
        }
        Keeper { over }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

/// The keeping of one index.
struct Keep {
    index: Arc<Index>,
    runs: Arc<Mutex<()>>,
    over: Arc<AtomicBool>,
    /// The failure said last, which is said again only after a success or another.
    said: Mutex<Option<String>>,
}

/// What a keeper wakes up for.
enum Wake {
    Changed(Scope),
    Wished(Wish),
    Damaged,
}

/// What has to be done, collected while something else was.
#[derive(Default)]
struct Work {
    scope: Option<Scope>,
    repair: bool,
    wishes: Vec<Wish>,
}

impl Keep {
    fn run(&self) {
        while !self.is_over() {
            match self.index.turn(Duration::ZERO) {
                Ok(turn) => self.keep(turn),
                Err(TurnError::Busy { .. }) => self.follow(),
                Err(error) => self.failed(&error.into()),
            }
            thread::sleep(LOOK);
        }
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Another process keeps the index: how far it is, is how far this one is.
    fn follow(&self) {
        if let Some(state) = self.index.keeper_state() {
            self.index.progress.replace(state);
        }
    }

    fn failed(&self, error: &IndexError) {
        self.index.progress.enter(Phase::Failed(error.public_message()));
        let failure = format!("{}: {error}", self.index.source.name);
        let mut said = lock(&self.said);
        if said.as_ref() != Some(&failure) {
            (self.index.notice)(&failure);
            *said = Some(failure);
        }
    }

    /// Keeps the index, as long as this process lives or wants to.
    fn keep(&self, mut turn: Turn) {
        let (wake, wakes) = channel();
        let _listener = self.listen(&wake);
        let changed = wake.clone();
        let watch = Watch::start(&self.index.source, move |scope| {
            // Nobody receives where the keeper has ended.
            let _ = changed.send(Wake::Changed(scope));
        });
        clean::unused_generations(&self.index.place);
        let (mut work, mut shown, mut unchecked) = (Work::default(), None, Some(wake));
        while !self.is_over() {
            let mode = watch.mode();
            if shown.as_ref() != Some(&mode) {
                show(&mut turn, &mode);
                shown = Some(mode);
            }
            work.collect(&wakes, if work.scope.is_some() { RETRY } else { LOOK });
            if self.work(&turn, &mut work)
                && let Some(wake) = unchecked.take()
            {
                self.check(wake);
            }
        }
    }

    /// Looks in the background for damage that no search has met, once the index can be used.
    fn check(&self, wake: Sender<Wake>) {
        let index = Arc::clone(&self.index);
        let check = move || {
            if index.damage().is_ok_and(|damage| !damage.is_empty()) {
                let _ = wake.send(Wake::Damaged);
            }
        };
        // Without the thread, damage is found when it is met.
        let _ = thread::Builder::new().name("check".to_owned()).spawn(check);
    }

    fn listen(&self, wake: &Sender<Wake>) -> Option<Listener> {
        let Index { place, progress, .. } = self.index.as_ref();
        let wake = Mutex::new(wake.clone());
        let wished = move |wish| {
            let _ = lock(&wake).send(Wake::Wished(wish));
        };
        let progress = Arc::clone(progress);
        // Without a socket others wait for their turn, and are told who has it.
        let answer = move |stream: &_, ask| answer_for_index(stream, ask, &progress, &wished);
        Listener::start(place.socket.as_deref()?, answer).ok()
    }

    /// Does what there is to do; what fails stays to be done. Whether the files were looked at.
    fn work(&self, turn: &Turn, work: &mut Work) -> bool {
        let mut looked = false;
        for Wish { run, outcome } in std::mem::take(&mut work.wishes) {
            let reply = match self.refresh(turn, &run) {
                Ok(report) => {
                    // Everything was looked at.
                    (work.scope, looked) = (None, true);
                    Reply::Report(report)
                }
                Err(error) => Reply::Refused(error.to_string()),
            };
            // Whoever asked may have gone away.
            let _ = outcome.send(reply);
        }
        if let Some(scope) = work.scope.take() {
            let effort = effort(&scope);
            let run = Run { scope: scope.clone(), effort, repair: work.repair, ..Run::default() };
            match self.refresh(turn, &run) {
                Ok(_) => {
                    *lock(&self.said) = None;
                    (work.repair, looked) = (false, true);
                }
                Err(error) => {
                    self.failed(&error);
                    work.scope = Some(scope);
                }
            }
        }
        looked
    }

    fn refresh(&self, turn: &Turn, run: &Run) -> Result<Report, IndexError> {
        // Whoever wrote a record waits for it to be found; a run over a journal takes little.
        let _one_at_a_time = self.index.journal().is_none().then(|| lock(&self.runs));
        let refreshed = AssertUnwindSafe(|| self.index.refresh_in(turn, run));
        catch_unwind(refreshed).unwrap_or_else(|_| {
            Err(IndexError::Keeper("indexing stopped on an internal error".to_owned()))
        })
    }
}

/// Shows people at other processes how changes are followed.
fn show(turn: &mut Turn, mode: &WatchMode) {
    let how = match mode {
        WatchMode::Events => ", by file events".to_owned(),
        WatchMode::Polling { reason } => format!(", looking again and again: {reason}"),
    };
    // Only a help: the lock counts.
    let _ = turn.sign(&how);
}

/// A look at everything gives way to other work; somebody waits for what was just edited.
fn effort(scope: &Scope) -> Effort {
    match scope {
        Scope::Everything => Effort::Background,
        Scope::Paths(_) => Effort::Full,
    }
}

impl Work {
    /// Waits up to `pause` for something to do, and takes all there is by then.
    fn collect(&mut self, wakes: &Receiver<Wake>, pause: Duration) {
        match wakes.recv_timeout(pause) {
            Ok(wake) => self.add(wake),
            Err(RecvTimeoutError::Timeout) => {}
            // Neither a watch nor a listener is left: not to be reached, and no reason to spin.
            Err(RecvTimeoutError::Disconnected) => thread::sleep(pause),
        }
        wakes.try_iter().for_each(|wake| self.add(wake));
    }

    fn add(&mut self, wake: Wake) {
        match wake {
            Wake::Wished(wish) => self.wishes.push(wish),
            Wake::Damaged => (self.scope, self.repair) = (Some(Scope::Everything), true),
            Wake::Changed(scope) => {
                self.scope = Some(match (self.scope.take(), scope) {
                    (Some(Scope::Paths(paths)), Scope::Paths(more)) => {
                        Scope::Paths(paths.into_iter().chain(more).collect::<BTreeSet<_>>())
                    }
                    (None, scope) => scope,
                    _ => Scope::Everything,
                });
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
