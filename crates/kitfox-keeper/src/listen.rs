//! Listening to what other processes ask of the keeper of an index.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use kitfox_core::Progress;

use crate::ask::{self, Ask, Reply};
use crate::index::Run;

/// Whoever connects must ask within this time, and take what is answered.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often somebody who waits for a run is told how far it is.
const TELL: Duration = Duration::from_millis(200);

/// A run another process wants, and where its outcome goes.
pub(crate) struct Wish {
    pub run: Run,
    pub outcome: Sender<Reply>,
}

/// Listens on a socket until it is dropped.
pub(crate) struct Listener {
    socket: PathBuf,
    over: Arc<AtomicBool>,
}

impl Listener {
    /// Begins to listen; `answer` is given everybody who asks something, on a thread of its own. Only
    /// whoever holds the turn may: the socket of a keeper before is taken for dead and replaced.
    pub fn start(
        socket: &Path,
        answer: impl Fn(&UnixStream, Ask) -> io::Result<()> + Send + Sync + 'static,
    ) -> io::Result<Listener> {
        match fs::remove_file(socket) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(socket)?;
        fs::set_permissions(socket, Permissions::from_mode(0o600))?;
        let over = Arc::new(AtomicBool::new(false));
        let listening = Listening { answer: Arc::new(answer), over: over.clone() };
        thread::Builder::new().name("listen".to_owned()).spawn(move || listening.run(&listener))?;
        Ok(Listener { socket: socket.to_owned(), over })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        // Wakes the thread, which then sees that it is over.
        let _ = UnixStream::connect(&self.socket);
        let _ = fs::remove_file(&self.socket);
    }
}

/// Answers somebody who asks something.
type Answer = dyn Fn(&UnixStream, Ask) -> io::Result<()> + Send + Sync;

struct Listening {
    answer: Arc<Answer>,
    over: Arc<AtomicBool>,
}

impl Listening {
    fn run(&self, listener: &UnixListener) {
        for stream in listener.incoming() {
            if self.over.load(Ordering::Relaxed) {
                return;
            }
            let Ok(stream) = stream else {
                // Out of files, for example: not forever.
                thread::sleep(TELL);
                continue;
            };
            let answer = Arc::clone(&self.answer);
            // Whoever is not served connects again, and a client that goes away is let go.
            let _ = thread::Builder::new().name("answer".to_owned()).spawn(move || {
                if let Some(ask) = asked(&stream) {
                    let _ = answer(&stream, ask);
                }
            });
        }
    }
}

/// What a connection is for; none where that is nonsense, or not said in time.
fn asked(stream: &UnixStream) -> Option<Ask> {
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    stream.set_write_timeout(Some(PATIENCE)).ok()?;
    ask::read(stream)
}

/// Answers for an index; `wished` is called with every run that is asked for.
pub(crate) fn answer_for_index(
    stream: &UnixStream,
    ask: Ask,
    progress: &Progress,
    wished: &dyn Fn(Wish),
) -> io::Result<()> {
    let state = || Reply::State(progress.state().into());
    match ask {
        Ask::State => ask::reply(stream, &state()),
        Ask::Refresh { prune, repair } => {
            let (outcome, outcomes) = channel();
            wished(Wish { run: Run { prune, repair, ..Run::default() }, outcome });
            tell(stream, &outcomes, state)
        }
        Ask::Write(_) | Ask::Restore { .. } => Ok(()),
    }
}

/// Tells how far a run is until there is an outcome.
fn tell(
    stream: &UnixStream,
    outcomes: &Receiver<Reply>,
    state: impl Fn() -> Reply,
) -> io::Result<()> {
    loop {
        match outcomes.recv_timeout(TELL) {
            Ok(outcome) => return ask::reply(stream, &outcome),
            Err(RecvTimeoutError::Timeout) => ask::reply(stream, &state())?,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
}
