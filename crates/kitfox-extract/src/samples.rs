//! Each language has a sample beside its query: what is outlined and cut of it is in the snapshot
//! there. A new language is a new folder.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use super::*;

/// Sizes at which the units of a sample are cut apart.
const SMALL: Sizes = Sizes { target: 100, max: 200 };

#[test]
fn samples_are_outlined_and_cut() {
    let mut formats = Vec::new();
    for path in samples() {
        let bytes = fs::read(&path).expect("a sample is readable");
        let name = path.file_name().and_then(|name| name.to_str()).expect("it is named sample.*");
        let extracted = extract(name, &bytes, SMALL).expect("a sample is not refused");
        assert_eq!(outline(name, &bytes).as_ref(), Some(&extracted.outline), "{name}");
        formats.push(extracted.format);
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(path.parent().expect("it is in a folder"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!("sample", tell(&extracted)));
    }
    formats.sort_unstable();
    let mut known: Vec<&str> = code::formats().collect();
    known.sort_unstable();
    assert_eq!(formats, known, "every language has a sample");
}

fn samples() -> Vec<PathBuf> {
    let languages = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/code/languages");
    let files = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).expect("a folder is readable");
        entries.map(|entry| entry.expect("an entry is readable").path()).collect()
    };
    let is_sample = |path: &PathBuf| {
        path.file_stem().is_some_and(|stem| stem == "sample")
            && path.extension().is_some_and(|extension| extension != "snap")
    };
    files(&languages).iter().flat_map(|folder| files(folder)).filter(is_sample).collect()
}

fn tell(extracted: &Extracted) -> String {
    let mut told = String::new();
    for item in &extracted.outline {
        let OutlineItem { symbol, kind, signature, doc, start_line, end_line, line, .. } = item;
        let indent = "  ".repeat(item.depth);
        let signature = signature.replace('\n', " ");
        let _ =
            write!(told, "{indent}{start_line}-{end_line} @{line} {kind} {symbol} | {signature}");
        if !doc.is_empty() {
            let _ = write!(told, " | {doc}");
        }
        told.push('\n');
    }
    told.push('\n');
    for passage in &extracted.passages {
        let place = &passage.place;
        let (first, last) = (place.start_line, place.end_line);
        let line = format!("{first}-{last} {} {}", place.kind, place.section);
        let _ = writeln!(told, "{}", line.trim_end());
    }
    told
}
