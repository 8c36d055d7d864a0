//! The indexing run: brings an engine up to date with its source.

use std::time::{Duration, Instant, SystemTime};

use kitfox_core::{Engine, Phase, Progress, Writer};
use kitfox_embed::Embedder;
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::guard::guard;
use crate::plan::{Plan, Task, plan, unchanged, version};
use crate::read::{Reader, needs_touch};
use crate::records::{import, replay};
use crate::report::Report;
use crate::source::SourceKind;
use crate::stamp::nanoseconds;
use crate::walk::{Walk, walk};
use crate::{Effort, FileState, Scope, Source, SyncError};

/// A batch is the unit between two looks at the clock, and bounds what is in memory at once.
const BATCH_FILES: usize = 256;
const BATCH_BYTES: u64 = 16 << 20;

/// A killed run loses at most about half of its work, and never more than the longest interval.
const FIRST_COMMIT: Duration = Duration::from_millis(500);
const LONGEST_INTERVAL: Duration = Duration::from_secs(30);

/// How a run is to behave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefreshOptions {
    /// Drops missing files even where more than half of a source is gone at once.
    pub prune: bool,
    /// Which part of the source is looked at. Work and report are those of this part.
    pub scope: Scope,
    /// How much of the machine the run takes.
    pub effort: Effort,
}

/// Brings `engine` up to date with `source`, or with the part of it that `options` name: what is
/// reported changed again and again, part by part, comes to the same as looking at everything.
/// Where nothing changed, no writer is opened.
///
/// A long run commits now and then: one that is killed goes on where it last did. A file that
/// cannot be read is a problem in the report and keeps what was indexed of it; so is a row of a file
/// of records that is none.
///
/// # Errors
/// [`SyncError::Gone`], [`SyncError::Unread`] and [`SyncError::MassRemoval`] leave the index as it was;
/// [`SyncError::Engine`] with [`kitfox_core::Error::Busy`] while another process writes it.
pub fn refresh(
    source: &Source,
    engine: &dyn Engine,
    embedder: &dyn Embedder,
    options: &RefreshOptions,
    progress: &Progress,
) -> Result<Report, SyncError> {
    let started = Instant::now();
    // A later run shows only once it has something to do.
    if progress.state().phase == Phase::Idle {
        progress.begin(0);
    }
    let run = Run { source, engine, embedder, options, progress };
    let work = || match source.kind {
        SourceKind::Records if source.collection.writable => replay(&run),
        SourceKind::Records => import(&run),
        SourceKind::Code | SourceKind::Docs => run.run(),
    };
    match options.effort.run(work) {
        Ok(mut report) => {
            report.problems.sort_unstable();
            report.elapsed = started.elapsed();
            progress.enter(Phase::Ready);
            Ok(report)
        }
        Err(error) => {
            progress.enter(Phase::Failed(error.public_message()));
            Err(error)
        }
    }
}

/// What a run works with.
pub(crate) struct Run<'r> {
    pub source: &'r Source,
    pub engine: &'r dyn Engine,
    pub embedder: &'r dyn Embedder,
    pub options: &'r RefreshOptions,
    pub progress: &'r Progress,
}

impl Run<'_> {
    fn run(&self) -> Result<Report, SyncError> {
        let mut walk = walk(self.source, &self.options.scope, self.options.effort)?;
        let mut report = std::mem::take(&mut walk.report);
        let version = version(self.source.sizes, self.embedder);
        let groups = walk.area.groups(&*self.engine.snapshot()?)?;
        let mut plan = plan(&walk, &groups, version);
        if plan.is_empty() {
            report.merge(plan.report);
            return Ok(report);
        }
        let pool = self.options.effort.pool()?;
        settle(&mut plan, &walk, version, &pool);
        if plan.is_empty() {
            report.merge(plan.report);
            return Ok(report);
        }
        report.merge(self.write(&walk, version, &pool)?);
        Ok(report)
    }

    fn write(&self, walk: &Walk, version: u32, pool: &ThreadPool) -> Result<Report, SyncError> {
        let mut writer = self.engine.writer()?;
        // Another process may have finished the same work before this one became the writer.
        let snapshot = self.engine.snapshot()?;
        let groups = walk.area.groups(&*snapshot)?;
        let plan = plan(walk, &groups, version);
        if !self.options.prune && !plan.removed.is_empty() {
            guard(self.source, walk, &plan, snapshot.stats()?.groups)?;
        }
        self.progress.begin(plan.tasks.len() as u64);
        let mut report = plan.report;
        for (name, _) in &plan.removed {
            writer.remove(name)?;
        }
        report.removed += plan.removed.len();
        let mut commits = Commits::begin();
        for batch in batches(&plan.tasks) {
            let reader = Reader {
                writer: &*writer,
                embedder: self.embedder,
                purpose: self.source.kind.purpose(),
                sizes: self.source.sizes,
                version,
            };
            report.merge(pool.install(|| self.read(&reader, walk, batch))?);
            commits.commit_when_due(&mut *writer)?;
        }
        writer.commit()?;
        Ok(report)
    }

    fn read(
        &self,
        reader: &Reader<'_>,
        walk: &Walk,
        batch: &[Task<'_>],
    ) -> Result<Report, SyncError> {
        let read = |task: &Task<'_>| {
            let report = reader.read(&walk.absolute(&task.file.path), task);
            self.progress.advance(1);
            Ok(report?)
        };
        batch.par_iter().map(read).try_reduce(Report::default, |mut left, right| {
            left.merge(right);
            Ok(left)
        })
    }
}

/// Takes files out of the plan that had to be read only because they were indexed right after they
/// were changed, and turn out the same: a run over these alone opens no writer.
fn settle(plan: &mut Plan<'_>, walk: &Walk, version: u32, pool: &ThreadPool) {
    let read_at_ns = nanoseconds(SystemTime::now());
    let tasks = std::mem::take(&mut plan.tasks);
    let is_settled = |task: &Task<'_>| {
        task.before.as_ref().is_some_and(|before| {
            let after = FileState {
                stamp: task.file.stamp,
                indexed_at_ns: read_at_ns,
                ..FileState::default()
            };
            before.version == version
                && !needs_touch(before, &after)
                && std::fs::read(walk.absolute(&task.file.path))
                    .is_ok_and(|bytes| blake3::hash(&bytes) == before.hash)
        })
    };
    let settled: Vec<bool> = pool.install(|| tasks.par_iter().map(is_settled).collect());
    for (task, settled) in tasks.into_iter().zip(settled) {
        match (&task.before, settled) {
            (Some(before), true) => unchanged(&mut plan.report, &task.file.path, &before.view()),
            _ => plan.tasks.push(task),
        }
    }
}

/// Cuts the tasks into batches of bounded length and size.
fn batches<'b, 'w>(mut tasks: &'b [Task<'w>]) -> impl Iterator<Item = &'b [Task<'w>]> {
    std::iter::from_fn(move || {
        let (batch, rest) = tasks.split_at(batch_length(tasks));
        tasks = rest;
        (!batch.is_empty()).then_some(batch)
    })
}

fn batch_length(tasks: &[Task<'_>]) -> usize {
    let mut bytes = 0;
    let fits = |task: &&Task<'_>| {
        let first = bytes == 0;
        bytes += task.file.stamp.size;
        first || bytes <= BATCH_BYTES
    };
    tasks.iter().take(BATCH_FILES).take_while(fits).count()
}

/// When to commit within a run: more and more seldom.
pub(crate) struct Commits {
    last: Instant,
    interval: Duration,
}

impl Commits {
    pub fn begin() -> Commits {
        Commits { last: Instant::now(), interval: FIRST_COMMIT }
    }

    pub fn commit_when_due(&mut self, writer: &mut dyn Writer) -> Result<(), SyncError> {
        if self.last.elapsed() < self.interval {
            return Ok(());
        }
        writer.commit()?;
        self.last = Instant::now();
        self.interval = (self.interval * 2).min(LONGEST_INTERVAL);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
