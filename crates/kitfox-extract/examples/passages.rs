//! Prints the passages of files of documentation, each behind its lines and section:
//! `passages FILE...`.

use std::fs;

use kitfox_extract::{Purpose, Sizes, extract};

fn main() {
    for path in std::env::args().skip(1) {
        let Ok(bytes) = fs::read(&path) else { continue };
        let extracted = match extract(&path, &bytes, Purpose::Docs, Sizes::DOCS) {
            Ok(extracted) => extracted,
            Err(refusal) => {
                println!("== {path}: {refusal}");
                continue;
            }
        };
        println!("== {path}: {} {:?}", extracted.title, extracted.problems);
        for passage in extracted.passages {
            let place = passage.place;
            println!("-- {}-{} {}", place.start_line, place.end_line, place.section);
            println!("{}", passage.text);
        }
    }
}
