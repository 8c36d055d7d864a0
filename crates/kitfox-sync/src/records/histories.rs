//! Random edits: importing a file again comes to the same as importing it anew.

use fastrand::Rng;
use serde_json::{Value as Json, json};

use super::tests::{file, records};
use crate::testing::Fixture;
use crate::{RefreshOptions, Report};

const HISTORIES: u64 = 20;
const EDITS: usize = 12;

/// A row of few keys and many shapes.
fn row(random: &mut Rng) -> String {
    let key = random.u8(..12);
    let value = match random.u8(..8) {
        0 => json!(null),
        1 => json!(random.u8(..3)),
        2 => json!("2024-06-01"),
        3 => json!(["x", {"y": random.bool()}]),
        4 => json!({"lat": 1, "lon": random.u8(..3)}),
        5 => json!("some words that are a little longer than a label is"),
        6 => return "{\"id\": no JSON".to_owned(),
        _ => json!({}),
    };
    json!({"id": key, "v": value}).to_string()
}

fn edit(rows: &mut Vec<String>, random: &mut Rng) {
    for _ in 0..random.usize(1..6) {
        match random.u8(..4) {
            0 if !rows.is_empty() => drop(rows.swap_remove(random.usize(..rows.len()))),
            1 if !rows.is_empty() => {
                let at = random.usize(..rows.len());
                rows[at] = row(random);
            }
            _ => rows.insert(random.usize(..=rows.len()), row(random)),
        }
    }
}

fn import(fixture: &Fixture) -> Report {
    let prune = RefreshOptions { prune: true, ..RefreshOptions::default() };
    fixture.refresh_with(&prune).unwrap()
}

/// All that is indexed but when, and how often.
fn content(fixture: &Fixture) -> (Json, String) {
    let documents: Vec<_> = fixture
        .engine
        .groups()
        .values()
        .flat_map(|(_, documents)| documents.clone())
        .map(|mut document| {
            document.values.retain(|(path, _)| !path.ends_with("_at"));
            document
        })
        .collect();
    (json!(records(fixture)), format!("{documents:?}"))
}

#[test]
fn edits_add_up_to_the_file() {
    for seed in 0..HISTORIES {
        let mut random = Rng::with_seed(seed);
        let (mut rows, kept) = (Vec::new(), file("rows.jsonl", ""));
        for _ in 0..EDITS {
            edit(&mut rows, &mut random);
            let text = rows.join("\n");
            kept.write("rows.jsonl", &text);
            import(&kept);
            let anew = file("rows.jsonl", &text);
            import(&anew);
            assert_eq!(content(&kept), content(&anew), "history {seed}: {text}");
            kept.age("rows.jsonl", std::time::Duration::from_secs(90));
            let again = import(&kept);
            let written = again.added + again.changed + again.removed;
            assert_eq!(written, 0, "history {seed}: {again:?}: {text}");
        }
    }
}
