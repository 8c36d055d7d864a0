//! Notices that a source may have changed.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use crate::{Scope, Source};

/// How often a source is reported where nothing tells of its changes.
const POLL: Duration = Duration::from_secs(2);

/// Watches a source until it is dropped.
#[derive(Debug)]
pub struct Watch {
    _alive: Sender<()>,
}

impl Watch {
    /// Begins to watch. `changed` is told, on a thread of its own, what may have changed.
    pub fn start(_source: &Source, changed: impl Fn(Scope) + Send + 'static) -> Watch {
        let (alive, is_alive) = channel::<()>();
        thread::spawn(move || {
            while is_alive.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
                changed(Scope::Everything);
            }
        });
        Watch { _alive: alive }
    }
}
