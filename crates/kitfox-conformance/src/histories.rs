//! Random histories, lived through by an engine and by the one in memory.

use kitfox_core::{Engine, Writer};

use crate::compare::{Pair, Scores};
use crate::random::Random;
use crate::{MemoryEngine, Subject};

/// Steps of a history, and questions after each commit.
const STEPS: usize = 12;
const QUESTIONS: usize = 6;

/// How much was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Histories lived through.
    pub histories: usize,
    /// Answers compared.
    pub comparisons: usize,
}

/// Compares an engine with the one in memory over `histories` random histories of batches,
/// removals, forgotten writes, reopenings and compactions, told apart by `seed`.
///
/// # Panics
/// Where they differ: with the seed of the history, the question and both answers.
pub fn compare_histories(subject: &dyn Subject, seed: u64, histories: usize) -> Compared {
    let mut compared = Compared::default();
    for number in 0..histories as u64 {
        let seed = seed.wrapping_mul(1_000_003).wrapping_add(number);
        let told = Told(seed);
        History::new(subject, seed, &mut compared.comparisons).live();
        std::mem::forget(told);
        compared.histories += 1;
    }
    compared
}

/// Says which history failed, when it is dropped by a panic.
struct Told(u64);

impl Drop for Told {
    fn drop(&mut self) {
        eprintln!("this was the history with seed {}", self.0);
    }
}

struct History<'a> {
    subject: &'a dyn Subject,
    folder: tempfile::TempDir,
    engine: Box<dyn Engine>,
    oracle: MemoryEngine,
    random: Random,
    comparisons: &'a mut usize,
}

impl<'a> History<'a> {
    fn new(subject: &'a dyn Subject, seed: u64, comparisons: &'a mut usize) -> History<'a> {
        let folder = tempfile::tempdir().unwrap();
        let engine = subject.open(folder.path());
        let oracle = MemoryEngine::default();
        History { subject, folder, engine, oracle, random: Random::new(seed), comparisons }
    }

    fn live(mut self) {
        for _ in 0..STEPS {
            let before = (self.engine.snapshot().unwrap(), self.oracle.snapshot().unwrap());
            let scores = self.step();
            self.compare(scores);
            let mut pair = Pair {
                subject: &*before.0,
                oracle: &*before.1,
                comparisons: &mut *self.comparisons,
            };
            // A snapshot never changes.
            pair.content();
        }
    }

    fn step(&mut self) -> Scores {
        if self.random.one_in(6) {
            self.engine = self.subject.open(self.folder.path());
        }
        let mut writers = [self.engine.writer().unwrap(), self.oracle.writer().unwrap()];
        for _ in 0..self.random.below(2) + 1 {
            for _ in 0..self.random.below(8) {
                self.change(&writers);
            }
            if self.random.one_in(4) {
                writers.iter_mut().for_each(|writer| writer.compact().unwrap());
                return Scores::Compared;
            }
            if !self.random.one_in(6) {
                writers.iter_mut().for_each(|writer| writer.commit().unwrap());
            }
        }
        Scores::Ignored
    }

    fn change(&mut self, writers: &[Box<dyn Writer>]) {
        let (group, kind) = (self.random.group(), self.random.below(8));
        let state = vec![self.random.below(256) as u8; self.random.below(20)];
        let documents = self.random.documents();
        for writer in writers {
            match kind {
                0 => writer.remove(group),
                1 => writer.touch(group, state.clone()),
                _ => writer.put(group, state.clone(), documents.clone()),
            }
            .unwrap();
        }
    }

    fn compare(&mut self, scores: Scores) {
        let (subject, oracle) = (self.engine.snapshot().unwrap(), self.oracle.snapshot().unwrap());
        let comparisons = &mut *self.comparisons;
        let mut pair = Pair { subject: &*subject, oracle: &*oracle, comparisons };
        pair.content();
        for _ in 0..QUESTIONS {
            pair.questions(&mut self.random, scores);
        }
        assert_eq!(self.engine.check().unwrap(), [], "nothing is damaged");
    }
}
