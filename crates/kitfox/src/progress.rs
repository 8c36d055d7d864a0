//! A progress bar on stderr while a source is indexed.

use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use kitfox_core::{IndexState, Phase, Progress};

const TICK: Duration = Duration::from_millis(100);

/// Runs `work`, showing how far `progress` is where stderr is a terminal.
pub fn with_bar<T>(name: &str, progress: &Progress, work: impl FnOnce() -> T) -> T {
    if !stderr().is_terminal() {
        return work();
    }
    let (done, is_done) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(|| draw(name, progress, is_done));
        let result = work();
        drop(done);
        result
    })
}

/// Draws until the sender of `is_done` is dropped. Runs that take less than a tick draw nothing.
fn draw(name: &str, progress: &Progress, is_done: Receiver<()>) {
    let bar = ProgressBar::new_spinner();
    bar.set_prefix(name.to_owned());
    while is_done.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
        show(&bar, &progress.state());
        bar.tick();
    }
    bar.finish_and_clear();
}

fn show(bar: &ProgressBar, state: &IndexState) {
    if state.total > 0 && state.phase == Phase::Indexing {
        bar.set_style(style("{prefix} [{bar:30}] {pos}/{len} files {elapsed}"));
        bar.set_length(state.total);
        bar.set_position(state.done);
    } else {
        bar.set_style(style("{prefix} {spinner} looking for changes {elapsed}"));
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
