//! The program as its users see it: the command line and MCP over stdio.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

mod client;
mod keeping;
mod records;
#[cfg(target_os = "linux")]
mod soak;
mod writing;

/// A folder with a small project in it, and a home of its own.
struct Fixture {
    folder: TempDir,
}

const CONFIG: &str = r#"
data_dir = "data"

[[code]]
name = "shop"
path = "shop"

[[docs]]
name = "handbook"
path = "handbook"
"#;

const FILES: &[(&str, &str)] = &[
    (
        "shop/src/retry.rs",
        "/// Waits longer after each failed attempt.\npub fn backoff(attempt: u32) -> u64 {\n    100 << attempt\n}\n",
    ),
    (
        "shop/src/cart.rs",
        "/// Adds up the prices of a cart.\npub fn total(prices: &[u64]) -> u64 {\n    prices.iter().sum()\n}\n",
    ),
    (
        "handbook/guides/deploy.md",
        "# Deploying\n\n## Rollback\n\nTo roll back a release, point the alias at the previous build.\n",
    ),
    ("handbook/guides/holidays.md", "# Holidays\n\nEverybody has thirty days of vacation.\n"),
];

impl Fixture {
    fn new(config: Option<&str>) -> Fixture {
        let fixture = Fixture { folder: tempfile::tempdir().unwrap() };
        for (path, text) in FILES {
            fixture.write(path, text);
        }
        if let Some(config) = config {
            fixture.write("kitfox.toml", config);
        }
        fixture
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join("project").join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("kitfox"));
        let home = self.folder.path().join("home");
        fs::create_dir_all(&home).unwrap();
        command
            .current_dir(self.path(""))
            .env("HOME", &home)
            .env("XDG_CACHE_HOME", home.join("cache"))
            .args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        Ran(self.command(arguments).output().unwrap())
    }
}

struct Ran(Output);

impl Ran {
    #[track_caller]
    fn exits(self, code: i32) -> Ran {
        assert_eq!(self.0.status.code(), Some(code), "{}\n{}", self.out(), self.err());
        self
    }

    fn code(&self) -> Option<i32> {
        self.0.status.code()
    }

    fn out(&self) -> String {
        String::from_utf8_lossy(&self.0.stdout).into_owned()
    }

    fn err(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.0.stdout).unwrap()
    }
}

#[track_caller]
fn assert_contains(text: &str, part: &str) {
    assert!(text.contains(part), "{part:?} is not in {text:?}");
}

#[test]
fn what_is_indexed_is_found() {
    let fixture = Fixture::new(Some(CONFIG));
    let indexed = fixture.run(&["index"]).exits(0).out();
    assert_contains(&indexed, "shop (code): 2 added, 0 changed, 0 removed, 0 unchanged");
    let found = fixture.run(&["search", "wait longer after failed attempt"]).exits(0).out();
    assert!(found.starts_with("src/retry.rs:1  "), "{found}");
    assert_contains(&found, "    2  pub fn backoff(attempt: u32) -> u64 {");
    assert!(!found.contains('\u{1b}'), "no colours outside a terminal");

    let below = fixture.run(&["--json", "search", "attempt", "handbook"]).exits(0).json();
    let hits = below["hits"].as_array().unwrap();
    assert!(hits.iter().all(|hit| hit["source"] == "handbook"), "{below}");
    let foreign = fixture.run(&["search", "attempt", "data"]).exits(2).err();
    assert_contains(&foreign, "lies in no source");
}

#[test]
fn changes_are_found_without_being_asked_for() {
    let fixture = Fixture::new(Some(CONFIG));
    fixture.run(&["index"]).exits(0);
    fixture.write("handbook/guides/parking.md", "# Parking\n\nBicycles are kept in the cellar.\n");
    let stale = fixture.run(&["search", "bicycles in the cellar", "--no-refresh"]).exits(0).out();
    assert!(!stale.contains("parking.md"), "{stale}");
    let fresh = fixture.run(&["search", "bicycles in the cellar", "--limit", "1"]).exits(0).out();
    assert_contains(&fresh, "guides/parking.md:1");
}

#[test]
fn texts_are_compared() {
    let fixture = Fixture::new(None);
    let ran = fixture.run(&["similar", "parse json", "decode JSON text", "open a window", "!"]);
    let out = ran.exits(0).out();
    let [close, far, unreadable] = *out.lines().collect::<Vec<_>>() else { panic!("{out}") };
    assert!(close.ends_with("  decode JSON text") && far.ends_with("  open a window"), "{out}");
    let cosine = |line: &str| line.split(' ').next().unwrap().parse::<f32>().unwrap();
    assert!(cosine(close) > cosine(far) && cosine(close) < 1.0, "{out}");
    assert_eq!(unreadable, "unreadable  !");

    let json = fixture.run(&["--json", "similar", "a word", "a word", "!"]).exits(0).json();
    let equal = json["similar"][0]["cosine"].as_f64().unwrap();
    assert!((equal - 1.0).abs() < 1e-4, "{json}");
    assert_eq!(json["similar"][1]["cosine"], Value::Null, "{json}");
    assert_eq!(json["model"], fixture.run(&["--json", "status"]).exits(0).json()["model"]);

    fixture.run(&["similar", "a word", "検索する"]).exits(1);
    fixture.run(&["similar", "alone"]).exits(2);
}

#[test]
fn a_folder_without_a_config_is_served_whole() {
    let fixture = Fixture::new(None);
    let found = fixture.run(&["--json", "search", "roll back a release"]).exits(0).json();
    assert_eq!(found["hits"][0]["path"], "handbook/guides/deploy.md", "{found}");
    let status = fixture.run(&["--json", "status"]).exits(0).json();
    let files: Vec<_> = status["sources"].as_array().unwrap().iter().map(|s| &s["files"]).collect();
    assert_eq!(files, [2, 2], "each file once: {status}");
    let home = fixture.command(&["index"]).current_dir(fixture.folder.path().join("home")).output();
    assert_contains(&Ran(home.unwrap()).exits(2).err(), "home directory");
}

#[test]
fn what_is_skipped_is_counted_with_the_reason() {
    let fixture = Fixture::new(Some(CONFIG));
    fixture.write("shop/id_rsa", "x");
    fixture.write("shop/src/codes.rs", "// @generated\n");
    fixture.write("shop/app.min.js", "a");
    fixture.write("shop/node_modules/a/a.js", "a");
    let indexed = fixture.run(&["--json", "index"]).exits(0).json();
    let skipped = &indexed["sources"][0]["skipped"];
    let expected = serde_json::json!({
        "generated: its header says so": 1,
        "generated: minified or a source map": 1,
        "may hold secrets": 1,
        "vendored folder": 1,
    });
    assert_eq!(*skipped, expected);
    let status = fixture.run(&["--json", "status"]).exits(0).json();
    assert_eq!(status["sources"][0]["skipped"], expected, "{status}");
    assert_eq!(status["sources"][0]["files"], 2, "{status}");
    assert_contains(&fixture.run(&["status"]).exits(0).out(), "1 skipped: vendored folder");
}

#[test]
fn wrong_configurations_are_explained() {
    let unknown = Fixture::new(Some("data_dri = 'x'"));
    assert_contains(&unknown.run(&["index"]).exits(2).err(), "did you mean `data_dir`?");
    let outside = Fixture::new(Some("[[code]]\nname = 'all'\npath = '/'"));
    assert_contains(&outside.run(&["status"]).exits(2).err(), "--config");
    let missing = Fixture::new(None);
    assert_contains(&missing.run(&["--config", "no.toml", "index"]).exits(2).err(), "no.toml");
}

#[test]
fn a_missing_folder_fails_alone() {
    let fixture = Fixture::new(Some(&format!("{CONFIG}\n[[docs]]\nname = 'gone'\npath = 'gone'")));
    let indexed = fixture.run(&["index"]).exits(3);
    assert_contains(&indexed.err(), "gone (docs): cannot read");
    assert_contains(&indexed.out(), "handbook (docs): 2 added");
}

#[test]
fn damage_is_found_and_healed() {
    let fixture = Fixture::new(Some(CONFIG));
    fixture.run(&["index"]).exits(0);
    fixture.run(&["check"]).exits(0);
    let damaged = damage_one_segment(&fixture.path("data/indexes/shop-code"));
    let checked = fixture.run(&["check"]).exits(1).out();
    assert_contains(&checked, &damaged);
    let healed = fixture.run(&["check", "--repair"]).exits(0);
    assert_contains(&healed.err(), "is damaged");
    assert_contains(&healed.out(), "shop (code): was damaged, and is built anew");
    fixture.run(&["check"]).exits(0);
}

#[test]
fn a_command_that_only_reads_never_answers_from_an_emptied_index() {
    let fixture = Fixture::new(Some(CONFIG));
    fixture.run(&["index"]).exits(0);
    let store = a_store_of(&fixture.path("data/indexes/shop-code"));
    fs::remove_file(store).unwrap();
    for command in [&["status"][..], &["search", "cart", "--no-refresh"]] {
        let said = fixture.run(command).exits(3).err();
        assert_contains(&said, "`shop` cannot be opened: the index is damaged");
        assert_contains(&said, "`kitfox index` builds it anew");
    }
    assert_contains(&fixture.run(&["index"]).exits(0).out(), "shop (code): 2 added");
    fixture.run(&["status"]).exits(0);
}

/// Changes a byte in the middle of a file of stored passages; returns its name.
fn damage_one_segment(folder: &Path) -> String {
    let file = a_store_of(folder);
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xFF;
    fs::write(&file, bytes).unwrap();
    file.file_name().unwrap().to_string_lossy().into_owned()
}

/// A file of stored passages of the index below `folder`.
fn a_store_of(folder: &Path) -> PathBuf {
    a_file_of(folder, "store")
}

/// A file of a segment of the index below `folder`.
fn a_file_of(folder: &Path, extension: &str) -> PathBuf {
    let is_it = |path: &PathBuf| path.extension().is_some_and(|found| found == extension);
    let folders = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files = folders
        .filter(|path| path.is_dir())
        .flat_map(|folder| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    files.find(is_it).expect("a segment")
}

#[test]
fn a_killed_run_leaves_a_sound_index() {
    let fixture = Fixture::new(Some(CONFIG));
    for number in 0..400 {
        let text = format!("pub fn step_{number}() {{ /* step {number} of many */ }}\n").repeat(40);
        fixture.write(&format!("shop/src/steps/{number}.rs"), &text);
    }
    for milliseconds in [20, 80, 160] {
        let mut child = fixture.command(&["index"]).stdout(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
        fixture.run(&["check"]).exits(0);
    }
    fixture.run(&["index"]).exits(0);
    let status = fixture.run(&["--json", "status"]).exits(0).json();
    assert_eq!(status["sources"][0]["files"], 402, "{status}");
}
