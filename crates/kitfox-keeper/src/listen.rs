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
    /// Begins to listen; `wished` is called with every run that is asked for. Only whoever holds the
    /// turn may: the socket of a keeper before is taken for dead and replaced.
    pub fn start(
        socket: &Path,
        progress: &Arc<Progress>,
        wished: impl Fn(Wish) + Send + Sync + 'static,
    ) -> io::Result<Listener> {
        match fs::remove_file(socket) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(socket)?;
        fs::set_permissions(socket, Permissions::from_mode(0o600))?;
        let over = Arc::new(AtomicBool::new(false));
        let listening = Listening {
            progress: Arc::clone(progress),
            wished: Arc::new(wished),
            over: over.clone(),
        };
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

struct Listening {
    progress: Arc<Progress>,
    wished: Arc<dyn Fn(Wish) + Send + Sync>,
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
            let (progress, wished) = (Arc::clone(&self.progress), Arc::clone(&self.wished));
            // Whoever is not served connects again.
            let _ = thread::Builder::new()
                .name("answer".to_owned())
                .spawn(move || answer(&stream, &progress, wished.as_ref()));
        }
    }
}

/// Answers one connection; a client that goes away or talks nonsense is let go.
fn answer(stream: &UnixStream, progress: &Progress, wished: &dyn Fn(Wish)) {
    let limited = stream
        .set_read_timeout(Some(PATIENCE))
        .and_then(|()| stream.set_write_timeout(Some(PATIENCE)));
    let Some(ask) = limited.ok().and_then(|()| ask::read(stream)) else { return };
    let state = || Reply::State(progress.state().into());
    let _ = match ask {
        Ask::State => ask::reply(stream, &state()),
        Ask::Refresh { prune, repair } => {
            let (outcome, outcomes) = channel();
            wished(Wish { run: Run { prune, repair, ..Run::default() }, outcome });
            tell(stream, &outcomes, state)
        }
    };
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
