//! Durations and what tells of many of them.

use std::time::{Duration, Instant};

/// How long something took, with what it gave.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let started = Instant::now();
    let done = work();
    (done, started.elapsed())
}

/// How long each of several runs of the same kind took.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<Duration>);

impl Times {
    /// Adds a run.
    pub fn push(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// The shortest time that `percent` of a hundred runs do not exceed; zero without runs.
    pub fn percentile(&self, percent: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let rank = (sorted.len() * percent).div_ceil(100).max(1);
        sorted.get(rank - 1).copied().unwrap_or_default()
    }
}

/// A duration in milliseconds, for a table.
pub fn milliseconds(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1e3)
}

/// How many times the one is the other, for a table.
pub fn ratio(time: Duration, other: Duration) -> String {
    format!("{:.1}×", time.as_secs_f64() / other.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(runs: &[u64], percent: usize, expected: u64) {
        let times = Times(runs.iter().copied().map(Duration::from_secs).collect());
        assert_eq!(times.percentile(percent), Duration::from_secs(expected), "{runs:?} {percent}");
    }

    #[test]
    fn percentiles_are_by_nearest_rank() {
        check(&[3, 1, 2], 50, 2);
        check(&[3, 1, 2], 99, 3);
        check(&[4, 1, 2, 3], 50, 2);
        check(&[5], 1, 5);
        check(&[], 50, 0);
    }
}
