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
use crate::listen::{Listener, Wish};
use crate::turn::{Turn, TurnError};
use crate::{IndexError, clean};

/// How often a process that does not keep an index looks whether somebody still does.
const LOOK: Duration = Duration::from_millis(500);

/// Between a run that failed and the next.
const RETRY: Duration = Duration::from_secs(5);

/// Keeps indexes until it is dropped.
pub struct Keeper {
    over: Arc<AtomicBool>,
    kept: Vec<Arc<Mutex<Kept>>>,
}

/// How an index is kept, as far as this process is concerned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Kept {
    /// By nobody yet.
    #[default]
    NotYet,
    /// By this process, which follows changes in this way.
    Here(WatchMode),
    /// By another process.
    Elsewhere,
}

impl Keeper {
    /// Begins to keep these indexes, each on a thread of its own; one run at a time.
    pub fn start(indexes: Vec<Arc<Index>>) -> Keeper {
        let over = Arc::new(AtomicBool::new(false));
        let runs = Arc::new(Mutex::new(()));
        let mut kept = Vec::new();
        for index in indexes {
            let state = Arc::new(Mutex::new(Kept::NotYet));
            kept.push(Arc::clone(&state));
            let keep =
                Keep { index, runs: Arc::clone(&runs), over: Arc::clone(&over), kept: state };
            // A thread that cannot be started leaves the index to other processes.
            let _ = thread::Builder::new().name("keep".to_owned()).spawn(move || keep.run());
        }
        Keeper { over, kept }
    }

    /// How each index is kept, in their order.
    pub fn kept(&self) -> Vec<Kept> {
        let of = |kept: &Arc<Mutex<Kept>>| lock(kept).clone();
        self.kept.iter().map(of).collect()
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
    kept: Arc<Mutex<Kept>>,
}

/// What a keeper wakes up for.
enum Wake {
    Changed(Scope),
    Wished(Wish),
}

/// What has to be done, collected while something else was.
#[derive(Default)]
struct Work {
    scope: Option<Scope>,
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
        *lock(&self.kept) = Kept::Elsewhere;
        if let Some(state) = self.index.keeper_state() {
            self.index.progress.replace(state);
        }
    }

    fn failed(&self, error: &IndexError) {
        let reason = error.public_message();
        let failed = Phase::Failed(reason);
        if self.index.progress.state().phase != failed {
            (self.index.notice)(&format!("{}: {error}", self.index.source.name));
        }
        self.index.progress.enter(failed);
    }

    /// Keeps the index, as long as this process lives or wants to.
    fn keep(&self, mut turn: Turn) {
        let (wake, wakes) = channel();
        let _listener = self.listen(&wake);
        let watch = Watch::start(&self.index.source, move |scope| {
            // Nobody receives where the keeper has ended.
            let _ = wake.send(Wake::Changed(scope));
        });
        clean::unused_generations(&self.index.place);
        let mut work = Work::default();
        while !self.is_over() {
            self.show(&mut turn, watch.mode());
            work.collect(&wakes, if work.scope.is_some() { RETRY } else { LOOK });
            self.work(&turn, &mut work);
        }
    }

    /// Shows others and this process how changes are followed.
    fn show(&self, turn: &mut Turn, mode: WatchMode) {
        let now = Kept::Here(mode);
        let mut kept = lock(&self.kept);
        if *kept == now {
            return;
        }
        let how = match &now {
            Kept::Here(WatchMode::Polling { reason }) => {
                format!(", looking again and again: {reason}")
            }
            _ => ", by file events".to_owned(),
        };
        // Only a help for people: the lock counts.
        let _ = turn.sign(&how);
        *kept = now;
    }

    fn listen(&self, wake: &Sender<Wake>) -> Option<Listener> {
        let Index { place, progress, .. } = self.index.as_ref();
        let wake = Mutex::new(wake.clone());
        let wished = move |wish| {
            let _ = lock(&wake).send(Wake::Wished(wish));
        };
        // Without a socket others wait for their turn, and are told who has it.
        Listener::start(place.socket.as_deref()?, progress, wished).ok()
    }

    /// Does what there is to do; what fails stays to be done.
    fn work(&self, turn: &Turn, work: &mut Work) {
        for Wish { run, outcome } in std::mem::take(&mut work.wishes) {
            let reply = match self.refresh(turn, &run) {
                Ok(report) => {
                    // Everything was looked at.
                    work.scope = None;
                    Reply::Report(report)
                }
                Err(error) => Reply::Refused(error.to_string()),
            };
            // Whoever asked may have gone away.
            let _ = outcome.send(reply);
        }
        if let Some(scope) = work.scope.take() {
            let run = Run { scope: scope.clone(), effort: Effort::Background, ..Run::default() };
            if let Err(error) = self.refresh(turn, &run) {
                self.failed(&error);
                work.scope = Some(scope);
            }
        }
    }

    fn refresh(&self, turn: &Turn, run: &Run) -> Result<Report, IndexError> {
        let _one_at_a_time = lock(&self.runs);
        let refreshed = AssertUnwindSafe(|| self.index.refresh_in(turn, run));
        catch_unwind(refreshed).unwrap_or_else(|_| {
            Err(IndexError::Keeper("indexing stopped on an internal error".to_owned()))
        })
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
