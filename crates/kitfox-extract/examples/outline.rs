//! Prints what files define, one definition a line: path, line of the name, last line, kind and
//! symbol between tabs.
//!
//!     cargo run --release -p kitfox-extract --example outline -- src

use std::env;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut rest: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    rest.reverse();
    while let Some(path) = rest.pop() {
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            let entries: io::Result<Vec<_>> =
                fs::read_dir(&path)?.map(|entry| Ok(entry?.path())).collect();
            let mut entries = entries?;
            entries.sort_unstable_by(|first, second| second.cmp(first));
            rest.extend(entries);
            continue;
        }
        let path = path.display().to_string();
        for item in kitfox_extract::outline(&path, &fs::read(&path)?).unwrap_or_default() {
            let kitfox_extract::OutlineItem { line, end_line, kind, symbol, .. } = item;
            writeln!(out, "{path}\t{line}\t{end_line}\t{kind}\t{symbol}")?;
        }
    }
    out.flush()
}
