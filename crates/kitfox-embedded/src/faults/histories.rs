//! Random histories of an index on a disk that fails: what was committed is there, whatever happens.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use kitfox_core::{Engine, Error, Result};

use super::disk::{Fault, Image, SimulatedDisk};
use super::model::{DIMENSION, Model};
use super::random::Random;
use crate::EmbeddedEngine;

/// Histories in an ordinary run of the tests; `KITFOX_FAULT_CASES` asks for more.
const CASES: usize = 100;

/// Faults strike within so many operations of a disk; a commit takes some dozen.
const HORIZON: usize = 250;

/// One index, its disk, and what it may hold.
struct History {
    random: Random,
    disk: SimulatedDisk,
    /// None where opening failed.
    engine: Option<EmbeddedEngine>,
    /// What is visible.
    current: Model,
    /// What a crash may leave: the last commit that was acknowledged, and those begun since.
    possible: Vec<Model>,
}

/// What a history came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// The fault was still to come when the history ended.
    NotMet,
    /// Nobody noticed: what failed was put off, or is done by the next writer.
    Unnoticed,
    LastCommit,
    CommitInFlight,
}

impl History {
    fn begin(seed: u64) -> History {
        let disk = SimulatedDisk::new(Image::new(), seed);
        let engine = Some(open(&disk).unwrap());
        let (current, possible) = (Model::default(), vec![Model::default()]);
        History { random: Random(seed), disk, engine, current, possible }
    }

    /// Opens the index again, as another process would.
    fn reopen(&mut self) -> Result<()> {
        self.engine = None;
        self.engine = Some(open(&self.disk)?);
        Ok(())
    }

    fn engine(&self) -> &EmbeddedEngine {
        self.engine.as_ref().unwrap()
    }

    /// The life of one writer.
    fn session(&mut self) -> Result<()> {
        if self.engine.is_none() || self.random.one_in(3) {
            self.reopen()?;
        }
        let engine = self.engine.take().unwrap();
        let done = self.write(&engine);
        self.engine = Some(engine);
        done
    }

    fn write(&mut self, engine: &EmbeddedEngine) -> Result<()> {
        let mut writer = engine.writer()?;
        for _ in 0..=self.random.below(5) {
            let mut next = self.current.clone();
            for _ in 0..self.random.below(6) {
                next.change(writer.as_ref(), &mut self.random)?;
            }
            if self.random.one_in(12) {
                break;
            }
            let is_compacted = self.random.one_in(12);
            let done = if is_compacted { writer.compact() } else { writer.commit() };
            match done {
                Ok(()) => {
                    self.possible = vec![next.clone()];
                    self.current = next;
                }
                Err(error) => {
                    self.possible.push(next);
                    return Err(error);
                }
            }
            if self.random.one_in(4) {
                self.expect_current(engine)?;
            }
        }
        Ok(())
    }

    fn expect_current(&self, engine: &EmbeddedEngine) -> Result<()> {
        self.current.compare(engine)?.unwrap_or_else(|problem| panic!("{problem}"));
        Ok(())
    }

    /// Goes on until the fault has struck, or for long enough.
    fn until_struck(&mut self) -> Result<()> {
        for _ in 0..20 {
            self.session()?;
            if self.disk.has_struck() {
                break;
            }
        }
        Ok(())
    }

    /// Finds out which of the possible commits the index holds.
    fn recognise(&mut self) -> Outcome {
        let found = |model: &Model| model.compare(self.engine()).unwrap();
        let position = self.possible.iter().position(|model| found(model).is_ok());
        let Some(position) = position else {
            let problems: Vec<String> =
                self.possible.iter().filter_map(|model| found(model).err()).collect();
            panic!("neither the last commit nor the one in flight: {problems:?}");
        };
        self.current = self.possible[position].clone();
        assert_eq!(self.engine().check().unwrap(), []);
        if position == 0 { Outcome::LastCommit } else { Outcome::CommitInFlight }
    }

    /// Puts up with the fault, and says what came of it.
    fn meet(&mut self, fault: Fault) -> Outcome {
        let operations = self.random.below(HORIZON);
        self.disk.arm(fault, operations);
        let done = self.until_struck();
        if fault.is_crash() {
            let left = self.disk.crash(fault);
            let has_struck = self.disk.has_struck();
            self.restart(left);
            let outcome = self.recognise();
            self.possible = vec![self.current.clone()];
            return if has_struck { outcome } else { Outcome::NotMet };
        }
        let has_struck = self.disk.repair();
        if let Err(error) = &done {
            let is_told = matches!(error, Error::Io { .. } | Error::Storage { .. });
            assert!(has_struck && is_told, "{error}");
            assert!(error.to_string().contains("injected"), "the cause is not told: {error}");
        }
        if self.engine.is_none() {
            self.reopen().unwrap();
        }
        let outcome = self.recognise();
        match (has_struck, done) {
            (false, _) => Outcome::NotMet,
            (true, Ok(())) => Outcome::Unnoticed,
            (true, Err(_)) => outcome,
        }
    }

    /// Goes on with what a crash has left.
    fn restart(&mut self, left: Image) {
        self.engine = None;
        self.disk = SimulatedDisk::new(left, self.random.next());
        self.reopen().unwrap();
    }

    /// Everything goes on as if nothing had been, and what is acknowledged survives the next power
    /// failure.
    fn go_on(&mut self) {
        for _ in 0..2 {
            self.session().unwrap();
            self.expect_current(self.engine()).unwrap();
        }
        assert_eq!(self.engine().check().unwrap(), []);
        let left = self.disk.crash(Fault::PowerFailure);
        self.restart(left);
        self.recognise();
    }
}

fn open(disk: &SimulatedDisk) -> Result<EmbeddedEngine> {
    EmbeddedEngine::open_on(Arc::new(disk.clone()), DIMENSION)
}

fn run(seed: u64, fault: Fault) -> Outcome {
    let mut history = History::begin(seed);
    let told = catch_unwind(AssertUnwindSafe(|| {
        for _ in 0..history.random.below(4) {
            history.session().unwrap();
        }
        let outcome = history.meet(fault);
        history.go_on();
        outcome
    }));
    told.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map_or("a panic", String::as_str);
        panic!("{fault:?}, seed {seed}: {text}\n{}", history.disk.log())
    })
}

#[test]
fn a_crash_or_a_fault_leaves_the_last_commit_or_the_one_in_flight() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse().ok());
    let cases = number("KITFOX_FAULT_CASES").unwrap_or(CASES);
    let first = number("KITFOX_FAULT_SEED").unwrap_or(0);
    let next = AtomicUsize::new(0);
    let table: Mutex<BTreeMap<(Fault, Outcome), usize>> = Mutex::default();
    let work = || {
        loop {
            let case = next.fetch_add(1, Ordering::Relaxed);
            if case >= cases {
                break;
            }
            let fault = Fault::ALL[case % Fault::ALL.len()];
            let outcome = run((first + case) as u64, fault);
            *table.lock().unwrap().entry((fault, outcome)).or_default() += 1;
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let table = table.into_inner().unwrap();
    for fault in Fault::ALL {
        use Outcome::*;
        let count = |outcome| table.get(&(fault, outcome)).copied().unwrap_or_default();
        println!(
            "{fault:?}: last commit {}, commit in flight {}, unnoticed {}, not met {}",
            count(LastCommit),
            count(CommitInFlight),
            count(Unnoticed),
            count(NotMet)
        );
    }
    assert_eq!(table.values().sum::<usize>(), cases);
}
