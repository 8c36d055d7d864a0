//! Each language has a sample beside its query: what is outlined and cut of it is in the snapshot
//! there. A new language is a new folder.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use super::tests::check_whole;
use super::*;

/// Sizes at which the units of a sample are cut apart.
const SMALL: Sizes = Sizes { target: 100, max: 200 };

#[test]
fn samples_are_outlined_and_cut() {
    let mut formats = Vec::new();
    for (path, text) in samples() {
        let bytes = text.as_bytes();
        let name = path.file_name().and_then(|name| name.to_str()).expect("it is named sample.*");
        let extracted =
            extract(name, bytes, Purpose::Code, SMALL).expect("a sample is not refused");
        assert_eq!(outline(name, bytes).as_ref(), Some(&extracted.outline), "{name}");
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

/// Cut off, cut out, doubled or with a stray bracket: whatever an editor saves half-way.
#[test]
fn broken_samples_keep_every_line() {
    let mut random = Random(42);
    for (path, text) in samples() {
        let name = path.file_name().and_then(|name| name.to_str()).expect("it is named sample.*");
        for _ in 0..CASES {
            let broken = random.broken(&text);
            let extracted =
                extract(name, broken.as_bytes(), Purpose::Code, SMALL).expect("it is not refused");
            check_whole(&broken, &extracted.passages);
            let lines = broken.lines().count() as u32;
            for item in &extracted.outline {
                let ordered = item.start_line <= item.line && item.start_line <= item.end_line;
                assert!(ordered && item.end_line <= lines, "{name}: {item:?} of\n{broken}");
            }
        }
    }
}

/// How many broken texts are made of each sample.
const CASES: usize = 20;

/// Numbers that look random but are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % limit.max(1)
    }

    fn broken(&mut self, text: &str) -> String {
        let mut places = [self.below(text.len()), self.below(text.len())];
        places.sort_unstable();
        let [first, last] = places.map(|place| text.floor_char_boundary(place));
        let stray = ["{", "}", "(", "\"", "'''", "/*", "<", "\n\t\n", "é\u{2028}"];
        match self.below(5) {
            0 => text[..last].to_owned(),
            1 => text[first..].to_owned(),
            2 => text[..first].to_owned() + &text[last..],
            3 => text[..last].to_owned() + &text[first..],
            _ => text[..first].to_owned() + stray[self.below(stray.len())] + &text[first..],
        }
    }
}

/// The samples of all languages with their texts.
pub(crate) fn samples() -> Vec<(PathBuf, String)> {
    let languages = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/code/languages");
    let files = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).expect("a folder is readable");
        entries.map(|entry| entry.expect("an entry is readable").path()).collect()
    };
    let is_sample = |path: &PathBuf| {
        path.file_stem().is_some_and(|stem| stem == "sample")
            && path.extension().is_some_and(|extension| extension != "snap")
    };
    let paths = files(&languages).into_iter().flat_map(|folder| files(&folder));
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a sample is text");
        (path, text)
    };
    paths.filter(is_sample).map(read).collect()
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
