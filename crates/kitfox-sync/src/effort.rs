//! How much of the machine a run takes.

use std::panic::resume_unwind;
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// Readers descend into nested syntax.
const STACK_BYTES: usize = 16 << 20;

/// How much of the machine a run takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// As many threads as there are cores, at most eight.
    #[default]
    Full,
    /// Half as many, and where the platform can (Linux) they give way to other work.
    Background,
}

impl Effort {
    /// How many threads walk and read.
    pub(crate) fn threads(self) -> usize {
        let all = thread::available_parallelism().map_or(1, usize::from).min(8);
        match self {
            Effort::Full => all,
            Effort::Background => (all / 2).max(1),
        }
    }

    /// The threads that read.
    pub(crate) fn pool(self) -> Result<ThreadPool, ThreadPoolBuildError> {
        ThreadPoolBuilder::new()
            .num_threads(self.threads())
            .stack_size(STACK_BYTES)
            .thread_name(|number| format!("read-{number}"))
            .build()
    }

    /// Does the work of a run.
    pub(crate) fn run<T: Send>(self, work: impl FnOnce() -> T + Send) -> T {
        if self == Effort::Full {
            return work();
        }
        // The caller's thread must not be slow for good: raising a priority takes a privilege.
        // Threads the work starts, those of the engine too, inherit the lower one.
        let low = || {
            lower_priority();
            work()
        };
        thread::scope(|scope| scope.spawn(low).join()).unwrap_or_else(|panic| resume_unwind(panic))
    }
}

/// Best effort: work that cannot be made to give way is done all the same.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(10);
}

#[cfg(test)]
mod tests {
    use super::Effort;

    #[cfg(target_os = "linux")]
    #[test]
    fn background_work_gives_way_and_nothing_else_does() {
        let niceness = || rustix::process::getpriority_process(None).unwrap();
        let before = niceness();
        let inherited = || std::thread::spawn(niceness).join().unwrap();
        assert_eq!(Effort::Full.run(niceness), before);
        assert!(Effort::Background.run(niceness) > before);
        assert!(Effort::Background.run(inherited) > before);
        assert_eq!(niceness(), before);
    }

    #[test]
    fn some_thread_is_left() {
        assert!((1..=Effort::Full.threads()).contains(&Effort::Background.threads()));
    }
}
