//! Durable writes of records through a server's own keeper, beside bare appends and fsyncs of the same
//! bytes in the same run.
//!
//!     durable-writes [SECONDS]
//!
//! See `bench/README.md`.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use kitfox_bench::catalogue::Catalogue;
use kitfox_bench::times::{Times, milliseconds, timed};
use kitfox_core::{Action, Change, Engine as _, RecordWriter};
use kitfox_extract::Sizes;
use kitfox_keeper::{CurrentEngine, Index, Keeper};
use kitfox_sync::{CollectionConfig, Selection, Source, SourceKind};

const SEED: u64 = 7;
const CLIENTS: usize = 64;
const SINGLE_WRITES: usize = 300;

fn main() -> Result<()> {
    let seconds = std::env::args().nth(1).map_or(Ok(10), |seconds| seconds.parse())?;
    let span = Duration::from_secs(seconds);
    let folder = tempfile::tempdir()?;
    let (index, _keeper) = serve(folder.path())?;
    let journal = index.journal().expect("the collection is writable").clone();
    let mut catalogue = Catalogue::new(SEED);
    let bytes = catalogue.record(0).len() + 150;

    let current = CurrentEngine::of(&index).expect("the collection is writable");
    let single = single(&mut catalogue, &journal, &current, &folder.path().join("bare"), bytes)?;
    println!("one client, {SINGLE_WRITES} writes, milliseconds p50 / p99:");
    for (what, times) in single {
        let [median, slow] = [50, 99].map(|at| milliseconds(times.percentile(at)));
        println!("  {what}: {median} / {slow}");
    }

    // In turns, so that neither has a better time of the machine.
    let mut rates = [Vec::new(), Vec::new()];
    for _ in 0..3 {
        rates[0].push(bare(&folder.path().join("bare"), bytes, span / 3)?);
        rates[1].push(written(&journal, span / 3)?);
    }
    let [bare, ours] = rates.map(|rates| rates.iter().sum::<f64>() / rates.len() as f64);
    println!("{CLIENTS} clients: bare group fsync of {bytes} bytes a write: {bare:.0} writes/s");
    println!("{CLIENTS} clients: kitfox: {ours:.0} writes/s ({:.2}×)", ours / bare);
    Ok(())
}

fn serve(folder: &Path) -> Result<(Arc<Index>, Keeper)> {
    let config = CollectionConfig { writable: true, ..CollectionConfig::default() };
    let source = Source {
        name: "products".to_owned(),
        kind: SourceKind::Records,
        root: folder.join("records/products/journal"),
        selection: Selection::Everything,
        sizes: Sizes::DOCS,
        collection: Arc::new(config),
    };
    let embedder = kitfox_embed::built_in();
    let index = Arc::new(Index::new(&source, folder, &embedder, "durable-writes", |_| ())?);
    let keeper = Keeper::start(vec![index.clone()]);
    Ok((index, keeper))
}

fn change(catalogue: &mut Catalogue, number: usize) -> Change {
    let data = serde_json::from_str(&catalogue.record(number)).unwrap_or_default();
    let id = format!("{number:032x}");
    Change { id, key: format!("p{number}"), action: Action::Put(data), revision: None }
}

/// A write, the same seen by whoever asks right after it, and one append with fsync, in turn.
fn single(
    catalogue: &mut Catalogue,
    journal: &Arc<kitfox_keeper::Journaled>,
    current: &CurrentEngine,
    file: &Path,
    bytes: usize,
) -> Result<[(&'static str, Times); 3]> {
    let mut times = [Times::default(), Times::default(), Times::default()];
    let mut file = File::create(file)?;
    let line = vec![b'x'; bytes];
    for number in 0..SINGLE_WRITES {
        let change = change(catalogue, number);
        let key = change.key.clone();
        let (done, time) = timed(|| journal.write(vec![change]));
        done?;
        times[0].push(time);
        let (seen, time) = timed(|| current.snapshot()?.state(&key));
        anyhow::ensure!(seen?.is_some(), "what was written is seen");
        times[1].push(time);
        let (done, time) = timed(|| file.write_all(&line).and_then(|()| file.sync_data()));
        done?;
        times[2].push(time);
    }
    let [write, see, sync] = times;
    Ok([("a write", write), ("seeing it", see), ("one bare append and fsync", sync)])
}

/// Writes a second where many append, and whoever comes while an fsync runs goes with the next.
fn bare(file: &Path, bytes: usize, span: Duration) -> Result<f64> {
    let state = (Mutex::new(Vec::<u8>::new()), Mutex::new(File::create(file)?));
    let line = vec![b'x'; bytes];
    clients(span, |_, _| {
        state.0.lock().expect("no panic").extend_from_slice(&line);
        let mut file = state.1.lock().expect("no panic");
        let together = std::mem::take(&mut *state.0.lock().expect("no panic"));
        if !together.is_empty() {
            file.write_all(&together)?;
            file.sync_data()?;
        }
        Ok(())
    })
}

fn written(journal: &Arc<kitfox_keeper::Journaled>, span: Duration) -> Result<f64> {
    static MADE: AtomicUsize = AtomicUsize::new(SINGLE_WRITES);
    clients(span, |catalogue, _| {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        journal.write(vec![change(catalogue, number)])?;
        Ok(())
    })
}

/// How often a second all clients together do something.
fn clients(
    span: Duration,
    work: impl Fn(&mut Catalogue, usize) -> Result<()> + Sync,
) -> Result<f64> {
    let begun = Instant::now();
    let done: usize = thread::scope(|scope| {
        let client = |number: usize| {
            let work = &work;
            scope.spawn(move || -> Result<usize> {
                let mut catalogue = Catalogue::new(SEED + number as u64);
                let mut done = 0;
                while begun.elapsed() < span {
                    work(&mut catalogue, number)?;
                    done += 1;
                }
                Ok(done)
            })
        };
        let clients: Vec<_> = (0..CLIENTS).map(client).collect();
        clients.into_iter().map(|client| client.join().expect("no panic")).sum::<Result<usize>>()
    })?;
    Ok(done as f64 / begun.elapsed().as_secs_f64())
}
