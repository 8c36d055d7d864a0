//! How much memory this process takes.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};

/// Between two looks: what is held for a shorter time may be missed.
const LOOK: Duration = Duration::from_millis(50);

/// The memory of this process that no file backs, in megabytes.
///
/// # Errors
/// Where the system does not tell (it is Linux that does).
pub fn anonymous_megabytes() -> Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("RssAnon:")).context("no figure")?;
    let kilobytes = line.split_whitespace().nth(1).context("no figure")?;
    Ok(kilobytes.parse::<u64>()? / 1_000)
}

/// The result of some work, with the most anonymous memory in megabytes that was seen during it.
///
/// # Errors
/// Where the system does not tell.
pub fn with_peak<T>(work: impl FnOnce() -> T) -> Result<(T, u64)> {
    let is_over = AtomicBool::new(false);
    let watch = || {
        let mut peak = 0;
        while !is_over.load(Ordering::Relaxed) {
            peak = anonymous_megabytes()?.max(peak);
            thread::sleep(LOOK);
        }
        Ok(peak)
    };
    thread::scope(|scope| {
        let watching = scope.spawn(watch);
        let done = work();
        is_over.store(true, Ordering::Relaxed);
        let peak: Result<u64> = watching.join().unwrap_or_else(|_| Ok(0));
        Ok((done, peak?))
    })
}
