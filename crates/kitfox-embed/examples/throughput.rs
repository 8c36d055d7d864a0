//! Measures the built-in embedder: how long it takes to load, short texts a second and megabytes
//! of long texts a second, on every thread count up to two. Texts are cut into words beforehand.
//!
//!     cargo run --release -p kitfox-embed --example throughput -- TEXTS BODIES
//!
//! TEXTS holds one short text a line, BODIES texts that are divided by empty lines.

use std::env;
use std::fs;
use std::hint::black_box;
use std::io;
use std::thread;
use std::time::Instant;

use kitfox_core::Text;
use kitfox_embed::{Embedder, built_in};

const ROUNDS: usize = 5;

fn main() -> io::Result<()> {
    let paths: Vec<_> = env::args_os().skip(1).collect();
    let [texts, bodies] = &paths[..] else {
        return Err(io::Error::other("two files are needed: TEXTS BODIES"));
    };
    let start = Instant::now();
    let embedder = built_in();
    println!("load: {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    for (path, separator) in [(texts, "\n"), (bodies, "\n\n")] {
        let read = fs::read_to_string(path)?;
        let cut: Vec<Text> =
            read.split(separator).filter(|text| !text.is_empty()).map(Text::new).collect();
        for threads in 1..=2 {
            report(&*embedder, &cut, threads);
        }
    }
    Ok(())
}

/// The best of a few rounds, so that what else runs on the machine counts little.
fn report(embedder: &dyn Embedder, texts: &[Text], threads: usize) {
    let seconds = (0..ROUNDS)
        .map(|_| seconds_to_embed(embedder, texts, threads))
        .fold(f64::INFINITY, f64::min);
    let bytes: usize = texts.iter().map(|text| text.as_str().len()).sum();
    let (count, per_text) = (texts.len() as f64, bytes / texts.len().max(1));
    println!(
        "{threads} threads, texts of {per_text} bytes: {:.0} a second, {:.1} MB/s",
        count / seconds,
        bytes as f64 / seconds / 1e6
    );
}

fn seconds_to_embed(embedder: &dyn Embedder, texts: &[Text], threads: usize) -> f64 {
    let start = Instant::now();
    thread::scope(|scope| {
        for share in texts.chunks(texts.len().div_ceil(threads).max(1)) {
            scope.spawn(move || {
                for text in share {
                    black_box(embedder.embed(&[text]));
                }
            });
        }
    });
    start.elapsed().as_secs_f64()
}
