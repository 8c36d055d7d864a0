//! Notices that a source may have changed: by file events where there are any, by looking again
//! where there are none.

mod armed;
mod changes;
mod folders;
mod look;
mod network;

#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use armed::Armed;
use changes::Changes;
use look::Look;

use crate::{Scope, Source};

/// How long a watch waits.
#[derive(Clone, Copy, Debug)]
struct Pauses {
    /// Between two looks whether the root is the same.
    root: Duration,
    /// At least between two looks at a source that has no events, and between two beginnings where
    /// events are lost.
    look: Duration,
}

const PAUSES: Pauses = Pauses { root: Duration::from_secs(2), look: Duration::from_secs(2) };

/// A source without events is looked at during at most one part in so many of the time.
const PAUSE_PER_LOOK: u32 = 20;

/// However well events work, everything is looked at this often, and events are tried again.
const FULL_LOOK: Duration = Duration::from_secs(600);

/// How a source is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WatchMode {
    /// The file system tells of changes.
    Events,
    /// It does not, or not now: everything is looked at again and again, at least two seconds and
    /// twenty times the length of a look apart.
    Polling {
        /// Why, without a path of this machine.
        reason: String,
    },
}

/// Watches a source until it is dropped.
#[derive(Debug)]
pub struct Watch {
    messages: Sender<Message>,
    mode: Arc<Mutex<WatchMode>>,
}

/// What the thread of a watch is told.
#[derive(Debug)]
enum Message {
    Event(notify::Result<notify::Event>),
    Stop,
}

impl Watch {
    /// Begins to watch. `changed` is told, on a thread of its own, what may have changed: everything
    /// at first, as soon as no later change can be missed. A watch never fails: a root that is gone is
    /// waited for, and where there are no events it polls.
    pub fn start(source: &Source, changed: impl Fn(Scope) + Send + 'static) -> Watch {
        Watch::start_with(source, Arming::IfPossible, PAUSES, changed)
    }

    fn start_with(
        source: &Source,
        arming: Arming,
        pauses: Pauses,
        changed: impl Fn(Scope) + Send + 'static,
    ) -> Watch {
        let (messages, received) = channel();
        let reason = "the watch has only begun".to_owned();
        let mode = Arc::new(Mutex::new(WatchMode::Polling { reason }));
        let watcher = Watcher {
            source: source.clone(),
            arming,
            pauses,
            changed: Box::new(changed),
            messages: messages.clone(),
            received,
            mode: Arc::clone(&mode),
        };
        thread::spawn(move || watcher.run());
        Watch { messages, mode }
    }

    /// How the source is watched at the moment.
    pub fn mode(&self) -> WatchMode {
        lock(&self.mode).clone()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // A thread that is gone needs not be told.
        let _ = self.messages.send(Message::Stop);
    }
}

/// Whether events are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arming {
    IfPossible,
    #[cfg(test)]
    Never,
}

/// The thread of a watch.
struct Watcher {
    source: Source,
    arming: Arming,
    pauses: Pauses,
    changed: Box<dyn Fn(Scope) + Send>,
    messages: Sender<Message>,
    received: Receiver<Message>,
    mode: Arc<Mutex<WatchMode>>,
}

/// Why a way of watching came to its end.
#[derive(Debug, PartialEq, Eq)]
enum Ended {
    /// Nobody wants to know any more.
    Stopped,
    /// The root is gone, or another than before; or it is time to begin anew.
    Again,
}

impl Watcher {
    fn run(self) {
        loop {
            let ended = match self.arm() {
                Ok(armed) => {
                    *lock(&self.mode) = WatchMode::Events;
                    (self.changed)(Scope::Everything);
                    self.follow(armed)
                }
                Err(reason) => {
                    *lock(&self.mode) = WatchMode::Polling { reason };
                    self.poll()
                }
            };
            if ended == Ended::Stopped {
                return;
            }
        }
    }

    fn arm(&self) -> Result<Armed, String> {
        match self.arming {
            Arming::IfPossible => Armed::new(&self.source.root, self.messages.clone()),
            #[cfg(test)]
            Arming::Never => Err("a test wants it so".to_owned()),
        }
    }

    /// Reports what events tell, until some are lost or the root is no longer what it was.
    fn follow(&self, mut armed: Armed) -> Ended {
        let mut changes = Changes::default();
        let begun = Instant::now();
        loop {
            let wait = changes.due().unwrap_or(self.pauses.root);
            match self.received.recv_timeout(wait) {
                Ok(Message::Event(event)) => armed.note(event, &mut changes),
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return Ended::Stopped,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if changes.due() == Some(Duration::ZERO) {
                armed.extend(&mut changes);
                match changes.take() {
                    // Folders may have come unseen. Beginning anew reports everything too.
                    Scope::Everything => {
                        return self.sleep(self.pauses.look.saturating_sub(begun.elapsed()));
                    }
                    scope => (self.changed)(scope),
                }
            } else if changes.due().is_none()
                && (!armed.is_same_root() || begun.elapsed() > FULL_LOOK)
            {
                return Ended::Again;
            }
        }
    }

    /// Reports everything whenever it looks otherwise, until it is time to try events again.
    fn poll(&self) -> Ended {
        let begun = Instant::now();
        let mut last = None;
        while begun.elapsed() < FULL_LOOK {
            let looking = Instant::now();
            let look = Look::at(&self.source);
            let pause = self.pauses.look.max(looking.elapsed() * PAUSE_PER_LOOK);
            match &last {
                Some(Some(last)) if look.as_ref().is_some_and(|look| look.is_as(last)) => {}
                // The root is still gone.
                Some(None) if look.is_none() => {}
                // It is back: there may be events.
                Some(None) => return Ended::Again,
                _ => (self.changed)(Scope::Everything),
            }
            last = Some(look);
            if self.sleep(pause) == Ended::Stopped {
                return Ended::Stopped;
            }
        }
        Ended::Again
    }

    fn sleep(&self, pause: Duration) -> Ended {
        let end = Instant::now() + pause;
        loop {
            match self.received.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(Message::Event(_)) => {}
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return Ended::Stopped,
                Err(RecvTimeoutError::Timeout) => return Ended::Again,
            }
        }
    }
}

/// What tells a folder or file from another that takes its place.
fn identity(path: &Path) -> Option<(u64, u64)> {
    let metadata = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Some((metadata.dev(), metadata.ino()))
    }
    #[cfg(not(unix))]
    {
        let created = metadata.created().map_or(0, crate::stamp::nanoseconds);
        Some((u64::from(metadata.is_dir()), created.cast_unsigned()))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
