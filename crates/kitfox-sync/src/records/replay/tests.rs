//! Journals and what is indexed of them.

use std::sync::Arc;

use fastrand::Rng;
use kitfox_core::{Action, Change, Engine as _, RecordState};
use kitfox_journal::Journal;
use serde_json::{Map, Value as Json, json};

use crate::records::tests::{check_run, configured, imported, records};
use crate::records::{CollectionConfig, RecordRules};
use crate::testing::{Content, Fixture};
use crate::{RefreshOptions, SyncError};

const SCHEMA: &str = r#"{
    "type": "object",
    "properties": {
        "title": { "type": "string", "maxLength": 100 },
        "price": { "type": "number", "minimum": 0 },
        "maker": { "type": "object", "properties": { "name": { "type": "string" } } },
        "more": { "type": "object", "additionalProperties": true },
        "tags": { "type": "array", "items": { "type": "string" } }
    },
    "required": ["title"]
}"#;

fn writable() -> Fixture {
    let mut fixture = configured("journal", "", CollectionConfig::default());
    std::fs::remove_file(fixture.path("journal")).unwrap();
    fixture.write("schema.json", SCHEMA);
    let schema = Some(fixture.path("schema.json"));
    let config = CollectionConfig { writable: true, schema, ..CollectionConfig::default() };
    fixture.source.collection = Arc::new(config);
    fixture
}

fn journal(fixture: &Fixture) -> Journal {
    Journal::open(&fixture.source.root).unwrap()
}

fn change(key: &str, action: Action) -> Change {
    let id = format!("{:x}", fastrand::u64(..));
    Change { id, key: key.to_owned(), action, revision: None }
}

fn put(key: &str, data: Json) -> Change {
    change(key, Action::Put(data.as_object().unwrap().clone()))
}

#[test]
fn a_journal_is_indexed_as_it_grows() {
    let fixture = writable();
    check_run(&fixture, [0; 5]);
    assert!(imported(&fixture).collection.fields.contains_key("maker.name"), "by the schema");
    let mut journal = journal(&fixture);
    journal
        .write(&[put("a", json!({ "title": "One" })), put("b", json!({ "title": "Two" }))])
        .unwrap();
    check_run(&fixture, [2, 0, 0, 0, 0]);
    journal.write(&[put("b", json!({ "title": "Three" })), change("a", Action::Delete)]).unwrap();
    check_run(&fixture, [0, 1, 1, 0, 0]);
    assert_eq!(json!(records(&fixture)), json!({ "b": { "title": "Three" } }));
    let state = RecordState::decode(&fixture.engine.state("b")).unwrap();
    assert_eq!(state.revision, 2);
    let writers = fixture.writers();
    check_run(&fixture, [0, 0, 0, 1, 0]);
    assert_eq!(fixture.writers(), writers, "nothing is written where nothing changed");
    assert_eq!(imported(&fixture).position(), Some(journal.end()));
}

#[test]
fn a_journal_that_is_lost_does_not_empty_the_index() {
    let fixture = writable();
    journal(&fixture).write(&[put("a", json!({ "title": "One" }))]).unwrap();
    fixture.refresh().unwrap();
    std::fs::rename(fixture.path("journal"), fixture.path("elsewhere")).unwrap();
    let error = fixture.refresh().unwrap_err();
    assert!(matches!(error, SyncError::MassRemoval { removed: 1, total: 1, .. }), "{error}");
    assert_eq!(records(&fixture).len(), 1);
    let prune = RefreshOptions { prune: true, ..RefreshOptions::default() };
    assert_eq!(fixture.refresh_with(&prune).unwrap().removed, 1);
}

#[test]
fn a_damaged_journal_leaves_the_index_as_it_is() {
    let fixture = writable();
    journal(&fixture).write(&[put("a", json!({ "title": "One" }))]).unwrap();
    fixture.refresh().unwrap();
    let mut bytes = std::fs::read(fixture.path("journal")).unwrap();
    let end = bytes.len();
    journal(&fixture).write(&[put("b", json!({ "title": "Two" }))]).unwrap();
    bytes = std::fs::read(fixture.path("journal")).unwrap();
    bytes[end + 30] ^= 1;
    std::fs::write(fixture.path("journal"), &bytes).unwrap();
    let error = fixture.refresh().unwrap_err().to_string();
    assert!(error.contains("the journal is damaged at line 3"), "{error}");
    assert_eq!(records(&fixture).len(), 1);
}

/// Texts grow longer and new fields come, so that what the fields are changes on the way.
fn data(random: &mut Rng, round: usize) -> Json {
    let mut data = Map::new();
    data.insert("title".to_owned(), "word ".repeat(random.usize(1..3 + round)).into());
    if random.bool() {
        data.insert("price".to_owned(), random.u8(..9).into());
    }
    if random.u8(..4) == 0 {
        let member = format!("m{}", random.usize(..1 + round / 4));
        data.insert("more".to_owned(), json!({ member: random.u8(..9) }));
    }
    data.into()
}

/// What is indexed: each record with its state and all that is made of it.
fn indexed(fixture: &Fixture) -> Vec<(String, Vec<u8>, String)> {
    let names = fixture.engine.names().into_iter().filter(|name| !name.is_empty());
    names
        .map(|name| {
            let documents = format!("{:?}", fixture.engine.documents(&name));
            (name.clone(), fixture.engine.state(&name), documents)
        })
        .collect()
}

#[test]
fn an_index_made_on_the_way_is_that_of_the_whole_journal() {
    for seed in 0..40 {
        let mut random = Rng::with_seed(seed);
        let fixture = writable();
        let mut journal = journal(&fixture);
        for round in 0..25 {
            let key = |random: &mut Rng| format!("k{}", random.u8(..8));
            let changes: Vec<Change> = (0..random.usize(1..4))
                .map(|_| match random.u8(..4) {
                    0 => change(&key(&mut random), Action::Delete),
                    _ => put(&key(&mut random), data(&mut random, round)),
                })
                .collect();
            journal.write(&changes).unwrap();
            if random.u8(..3) == 0 {
                fixture.refresh().unwrap();
            }
        }
        fixture.refresh().unwrap();
        let mut anew = writable();
        anew.source.root.clone_from(&fixture.source.root);
        anew.refresh().unwrap();
        assert_eq!(indexed(&fixture), indexed(&anew), "seed {seed}");
        assert_eq!(imported(&fixture).position(), Some(journal.end()));
        assert_eq!(
            fixture.engine.snapshot().unwrap().stats().unwrap().groups,
            indexed(&anew).len() + 1
        );
    }
}

#[track_caller]
fn check_flaws(config: CollectionConfig, data: Json, expected: &[(&str, &str)]) {
    let fixture = writable();
    let config = CollectionConfig { schema: Some(fixture.path("schema.json")), ..config };
    let rules = RecordRules::of(&Arc::new(config));
    let flaws = rules.flaws(data.as_object().unwrap()).unwrap();
    let told: Vec<(&str, &str)> =
        flaws.iter().map(|it| (it.field.as_deref().unwrap_or(""), &*it.reason)).collect();
    assert_eq!(told, expected, "{data}");
}

#[test]
fn flaws_are_told_with_their_fields() {
    let plain = CollectionConfig::default;
    check_flaws(plain(), json!({ "title": "a", "more": { "any": 1 } }), &[]);
    check_flaws(plain(), json!({ "price": 1 }), &[("title", "\"title\" is a required property")]);
    check_flaws(
        plain(),
        json!({ "title": 1, "price": -1, "maker": { "nam": "x" }, "colour": 1 }),
        &[
            ("price", "it is less than the minimum of 0"),
            ("title", "it is not of type \"string\""),
            ("colour", "there is no such field"),
            ("maker.nam", "there is no such field; did you mean `maker.name`?"),
        ],
    );
    check_flaws(
        plain(),
        json!({ "title": "a", "_sys": {} }),
        &[("_sys", "is a name of kitfox's own"), ("_sys", "there is no such field")],
    );
    let keyed = CollectionConfig { key: Some("maker.name".to_owned()), ..plain() };
    check_flaws(keyed, json!({ "title": "a" }), &[("maker.name", "there is no key")]);
}
