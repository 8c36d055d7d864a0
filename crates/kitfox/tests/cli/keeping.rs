//! Several processes on one data directory, and indexes that follow their sources.

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::Client;
use crate::{CONFIG, Fixture, a_file_of, a_store_of, assert_contains};

/// A busy machine may take its time.
const PATIENCE: Duration = Duration::from_secs(30);

impl Client {
    /// The paths that hold a word, by exact search of the documentation.
    fn documents_with(&mut self, word: &str) -> Vec<String> {
        let answer = self.call("search_doc", json!({ "pattern": word }));
        let results = answer["structuredContent"]["results"].as_array().cloned();
        let path = |hit: Value| hit["path"].as_str().map(str::to_owned);
        results.unwrap_or_default().into_iter().filter_map(path).collect()
    }

    /// Asks until a word is found in just these documents.
    #[track_caller]
    fn finds(&mut self, word: &str, expected: &[&str]) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let found = self.documents_with(word);
            if found == expected {
                return;
            }
            assert!(Instant::now() < deadline, "{word} is found in {found:?}, not {expected:?}");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

fn page(word: &str) -> String {
    format!("# Page\n\nAll about {word}.\n")
}

#[test]
fn a_server_follows_its_files() {
    let fixture = Fixture::new(Some(CONFIG));
    let mut client = Client::start(&fixture);
    client.finds("vacation", &["guides/holidays.md"]);
    fixture.write("handbook/new/deep/parking.md", &page("bicycles"));
    client.finds("bicycles", &["new/deep/parking.md"]);
    fs::rename(fixture.path("handbook/new"), fixture.path("handbook/moved")).unwrap();
    client.finds("bicycles", &["moved/deep/parking.md"]);
    fixture.write("handbook/.kitfoxignore", "moved/\n");
    client.finds("bicycles", &[]);
    fs::remove_file(fixture.path("handbook/.kitfoxignore")).unwrap();
    client.finds("bicycles", &["moved/deep/parking.md"]);
    client.finish();
}

#[test]
fn another_server_takes_over_from_a_killed_one() {
    let fixture = Fixture::new(Some(CONFIG));
    let mut first = Client::start(&fixture);
    first.finds("vacation", &["guides/holidays.md"]);
    let mut second = Client::start(&fixture);
    second.call_when_ready("search_doc", json!({ "pattern": "vacation" }));
    let status = fixture.run(&["status"]).exits(0).out();
    assert_contains(&status, &format!("kept by kitfox serve, process {}", first.server.id()));
    first.server.kill().unwrap();
    first.server.wait().unwrap();
    fixture.write("handbook/later.md", &page("bicycles"));
    second.finds("bicycles", &["later.md"]);
    second.finish();
}

#[test]
fn commands_ask_the_server_that_keeps_the_index() {
    let fixture = Fixture::new(Some(CONFIG));
    let mut client = Client::start(&fixture);
    client.finds("vacation", &["guides/holidays.md"]);
    let indexed = fixture.run(&["--json", "index"]).exits(0).json();
    assert_eq!(indexed["sources"][1]["unchanged"], 2, "{indexed}");
    fixture.write("handbook/new.md", &page("bicycles"));
    let found = fixture.run(&["search", "bicycles", "--limit", "1"]).exits(0).out();
    assert_contains(&found, "new.md:1");
    client.finish();
}

#[test]
fn a_folder_that_is_gone_is_told_until_it_is_back() {
    let fixture = Fixture::new(Some(CONFIG));
    fs::rename(fixture.path("handbook"), fixture.path("away")).unwrap();
    let mut client = Client::start(&fixture);
    let deadline = Instant::now() + PATIENCE;
    loop {
        let answer = client.call("search_doc", json!({ "pattern": "vacation" }));
        if answer["structuredContent"]["index"]["state"] == "failed" {
            break;
        }
        assert!(Instant::now() < deadline, "{answer}");
        thread::sleep(Duration::from_millis(20));
    }
    fs::rename(fixture.path("away"), fixture.path("handbook")).unwrap();
    client.finds("vacation", &["guides/holidays.md"]);
    client.finish();
}

#[test]
fn the_config_file_is_followed() {
    let fixture = Fixture::new(Some(CONFIG));
    let mut client = Client::start(&fixture);
    client.finds("vacation", &["guides/holidays.md"]);
    fixture.write("more/extra.md", &page("bicycles"));
    fixture.write("kitfox.toml", &format!("{CONFIG}\n[[docs]]\nname = 'more'\npath = 'more'\n"));
    client.finds("bicycles", &["extra.md"]);
    fixture.write("kitfox.toml", "not = a config");
    thread::sleep(Duration::from_millis(1500));
    client.finds("bicycles", &["extra.md"]);
    client.finish();
}

#[test]
fn a_damaged_index_is_told_and_built_anew_while_serving() {
    let fixture = Fixture::new(Some(CONFIG));
    fixture.run(&["index"]).exits(0);
    fs::write(a_store_of(&fixture.path("data/indexes/handbook-docs")), "garbage").unwrap();
    let mut client = Client::start(&fixture);
    client.finds("vacation", &["guides/holidays.md"]);
    client.finish();
    fixture.run(&["check"]).exits(0);
}

#[test]
fn damage_that_no_search_meets_is_found_while_serving() {
    let fixture = Fixture::new(Some(CONFIG));
    fixture.run(&["index"]).exits(0);
    let vectors = a_file_of(&fixture.path("data/indexes/handbook-docs"), "vec");
    let mut bytes = fs::read(&vectors).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&vectors, bytes).unwrap();
    fixture.run(&["check"]).exits(1);
    let mut client = Client::start(&fixture);
    client.finds("vacation", &["guides/holidays.md"]);
    let deadline = Instant::now() + PATIENCE;
    while fixture.run(&["check"]).code() != Some(0) {
        assert!(Instant::now() < deadline, "the damage stays");
        thread::sleep(Duration::from_millis(20));
    }
    client.finds("vacation", &["guides/holidays.md"]);
    client.finish();
}

#[test]
fn indexes_nothing_uses_are_removed() {
    let fixture = Fixture::new(Some(CONFIG));
    fixture.run(&["index"]).exits(0);
    let code_only = CONFIG.split("[[docs]]").next().unwrap();
    fixture.write("kitfox.toml", code_only);
    assert_contains(&fixture.run(&["clean"]).exits(0).out(), "nothing to remove");
    let cleaned = fixture.run(&["clean", "--all"]).exits(0).out();
    assert_contains(&cleaned, "indexes/handbook-docs/");
    assert!(!fixture.path("data/indexes/handbook-docs").exists());
    fixture.run(&["check"]).exits(0);
    let left: Vec<PathBuf> = fs::read_dir(fixture.path("data/indexes/shop-code"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    assert_eq!(left.len(), 1);
}
