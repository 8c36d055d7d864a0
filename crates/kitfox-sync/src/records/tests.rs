//! Files of records and what is indexed of them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use kitfox_core::{
    Collection, Document, Engine as _, Field, FieldType, Lexicon, Parent, Part, Parts, RecordState,
    Value, Weight, sys,
};
use kitfox_embed::Embedder;
use serde_json::{Value as Json, json};

use super::{CollectionConfig, FieldConfig, Imported};
use crate::testing::{Content, Fixture};
use crate::{Problem, RefreshOptions, Report, SourceKind, SyncError};

/// A collection in a file of this name and content.
pub(super) fn file(name: &str, content: impl AsRef<[u8]>) -> Fixture {
    let mut fixture = Fixture::new(&[]);
    fixture.write(name, content);
    fixture.source.root = fixture.path(name);
    fixture.source.kind = SourceKind::Records;
    fixture
}

pub(super) fn configured(name: &str, content: &str, config: CollectionConfig) -> Fixture {
    let mut fixture = file(name, content);
    fixture.source.collection = Arc::new(config);
    fixture
}

fn said(path: &str, field: FieldConfig) -> CollectionConfig {
    CollectionConfig { fields: [(path.to_owned(), field)].into(), ..CollectionConfig::default() }
}

pub(super) fn imported(fixture: &Fixture) -> Imported {
    Imported::of(&*fixture.engine.snapshot().unwrap()).unwrap().expect("an import")
}

/// The records by their keys.
pub(super) fn records(fixture: &Fixture) -> BTreeMap<String, Json> {
    let names = fixture.engine.names().into_iter().filter(|name| name != Collection::GROUP);
    let record = |name: String| {
        let documents = fixture.engine.documents(&name);
        let [document] = documents.as_slice() else { panic!("one document for {name}") };
        (name, serde_json::from_slice(&document.payload).unwrap())
    };
    names.map(record).collect()
}

fn state(fixture: &Fixture, key: &str) -> RecordState {
    RecordState::decode(&fixture.engine.state(key)).unwrap()
}

fn values(fixture: &Fixture, key: &str, path: &str) -> Vec<Value> {
    let document = fixture.engine.documents(key).swap_remove(0);
    document.values.into_iter().filter(|(at, _)| at == path).map(|(_, value)| value).collect()
}

/// (added, changed, removed, unchanged, refused).
#[track_caller]
pub(super) fn check_run(fixture: &Fixture, expected: [usize; 5]) -> Report {
    let report = fixture.refresh().unwrap();
    let Report { added, changed, removed, unchanged, refused, .. } = report;
    assert_eq!([added, changed, removed, unchanged, refused], expected, "{report:?}");
    report
}

#[track_caller]
fn check_records(name: &str, content: impl AsRef<[u8]>, expected: Json) {
    let fixture = file(name, content);
    fixture.refresh().unwrap();
    assert_eq!(json!(records(&fixture)), expected);
}

/// Imports rows of JSON and compares the types of the fields: `?` where they are optional, `[]`
/// where they are arrays.
#[track_caller]
fn check_fields(rows: &[Json], expected: &[(&str, &str)]) -> BTreeMap<String, Field> {
    let lines: Vec<String> = rows.iter().map(Json::to_string).collect();
    let fixture = file("rows.jsonl", lines.join("\n"));
    fixture.refresh().unwrap();
    let fields = imported(&fixture).collection.fields;
    let shown = |(path, field): (&String, &Field)| {
        let optional = if field.is_optional { "?" } else { "" };
        let array = if field.is_array { "[]" } else { "" };
        (path.clone(), format!("{}{array}{optional}", field.of_type))
    };
    let expected: Vec<_> =
        expected.iter().map(|(path, shown)| ((*path).to_owned(), (*shown).to_owned())).collect();
    assert_eq!(fields.iter().map(shown).collect::<Vec<_>>(), expected);
    fields
}

/// Imports a file and compares what is wrong: where, with which field, and why.
#[track_caller]
pub(super) fn check_problems(fixture: &Fixture, expected: &[(&str, &str, &str)]) {
    let report = fixture.refresh().unwrap();
    let shown = |problem: &Problem| {
        let at = problem.at.map_or(String::new(), |at| at.to_string());
        (at, problem.field.clone().unwrap_or_default(), problem.reason.clone())
    };
    let expected: Vec<_> = expected
        .iter()
        .map(|&(at, field, reason)| (at.to_owned(), field.to_owned(), reason.to_owned()))
        .collect();
    assert_eq!(report.problems.iter().map(shown).collect::<Vec<_>>(), expected);
}

#[test]
fn formats_are_told_by_their_extension() {
    let two = json!({"1": {"id": 1, "name": "a"}, "2": {"id": 2, "name": "b\nc"}});
    let rows = [json!({"id": 1, "name": "a"}), json!({"id": 2, "name": "b\nc"})];
    check_records("rows.jsonl", format!("{}\n\n{}\n", rows[0], rows[1]), two.clone());
    check_records("rows.NDJSON", format!("\u{feff}{}\r\n{}", rows[0], rows[1]), two.clone());
    check_records("rows.json", json!(rows).to_string(), two.clone());
    let pretty = serde_json::to_string_pretty(&json!({"meta": {"a": [1]}, "rows": rows, "z": 1}));
    check_records("rows.json", pretty.unwrap(), two.clone());
    check_records("rows.csv", "id,name\n1,a\n2,\"b\nc\"\n", two.clone());
    check_records("rows.csv", "\u{feff}id,name\r\n1,a\r\n2,\"b\nc\"\r\n", two.clone());
    check_records("rows.tsv", "id\tname\n1\ta\n2\t\"b\nc\"\n", two.clone());
    let utf_16: Vec<u8> = format!("\u{feff}{}\n{}", rows[0], rows[1])
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    check_records("rows.jsonl", utf_16, two);
    check_records("rows.json", "[]", json!({}));
    check_records("rows.csv", "id,name\n", json!({}));
    check_records("rows.jsonl", "", json!({}));
}

#[test]
fn a_configured_format_goes_before_the_extension() {
    let format = super::Format::named("jsonl");
    let config = CollectionConfig { format, ..CollectionConfig::default() };
    let fixture = configured("rows.txt", r#"{"id":"a"}"#, config);
    check_run(&fixture, [1, 0, 0, 0, 0]);
    let unknown = file("rows.txt", "").refresh().unwrap_err();
    assert!(unknown.to_string().contains("its extension tells no format"), "{unknown}");
}

#[test]
fn cells_are_what_all_of_their_column_are() {
    check_records(
        "rows.csv",
        "id,count,code,flag,mixed,none,long\n\
         a,1,007,true,1,,12345678901234567890123\n\
         b,-2.5,8,FALSE,x,,1\n",
        json!({
            "a": {"id": "a", "count": 1, "code": "007", "flag": true, "mixed": "1",
                "long": "12345678901234567890123"},
            "b": {"id": "b", "count": -2.5, "code": "8", "flag": false, "mixed": "x", "long": "1"},
        }),
    );
    check_records(
        "rows.csv",
        "id,,a,a\n1,x,y,z\n",
        json!({"1": {"id": 1, "column_2": "x", "a": "y", "a_2": "z"}}),
    );
}

#[test]
fn fields_are_inferred() {
    check_fields(
        &[
            json!({"id": 1, "ok": true, "price": 5, "day": "2024-06-01", "at": "2024-06-01",
                "time": "09:30", "where": {"lat": 1, "lon": 2, "of": "x"}, "tags": ["a", "b"],
                "author": {"name": "n"}, "mixed": 1, "parts": [{"size": 1}, {"size": 2, "x": 1}]}),
            json!({"id": 2, "ok": false, "price": 5.5, "day": "", "at": "2024-06-01T10:00:00Z",
                "time": "10:00:00", "where": {"lat": 1, "lon": 2}, "tags": [],
                "author": {"name": null}, "mixed": "x", "late": null}),
        ],
        &[
            ("at", "datetime"),
            ("author", "object"),
            ("author.name", "string?"),
            ("day", "date"),
            ("id", "number"),
            ("late", "string?"),
            ("mixed", "string"),
            ("ok", "boolean"),
            ("parts", "object[]?"),
            ("parts.size", "number[]?"),
            ("parts.x", "number[]?"),
            ("price", "number"),
            ("tags", "string[]"),
            ("time", "time"),
            ("where", "point"),
            ("where.of", "string?"),
        ],
    );
    check_fields(
        &[json!({"p": {"lat": 1, "lon": 2}, "a.b": 1}), json!({"p": {"lat": 91, "lon": 2}})],
        &[(r"a\.b", "number?"), ("p", "object"), ("p.lat", "number"), ("p.lon", "number")],
    );
}

#[test]
fn flags_follow_from_the_values() {
    let long = "many words of a text that says something ".repeat(30);
    let fields = check_fields(
        &[json!({"id": "x", "name": "n", "text": long, "label": "l", "on": "2024-01-01", "o": {}})],
        &[
            ("id", "string"),
            ("label", "string"),
            ("name", "string"),
            ("o", "object"),
            ("on", "date"),
            ("text", "string"),
        ],
    );
    let flags = |path: &str| {
        let field = &fields[path];
        [field.filterable, field.sortable, field.searchable, field.vectorized]
    };
    assert_eq!(flags("id"), [true, true, false, false]);
    assert_eq!(flags("name"), [true, true, true, true], "the title");
    assert_eq!(flags("text"), [false, false, true, true]);
    assert_eq!(flags("label"), [true, true, true, false]);
    assert_eq!(flags("on"), [true, true, false, false]);
    assert_eq!(flags("o"), [true, false, false, false]);
    assert_eq!(fields["name"].example, Some("n".into()));
    assert_eq!(fields["text"].example.as_ref().unwrap().as_str().unwrap().chars().count(), 81);
}

#[test]
fn what_is_configured_wins() {
    let field = FieldConfig {
        filterable: Some(false),
        searchable: Some(true),
        of_type: Some(FieldType::String),
        description: "how many".to_owned(),
        ..FieldConfig::default()
    };
    let fixture = configured("rows.csv", "id,count\na,17\n", said("count", field));
    check_run(&fixture, [1, 0, 0, 0, 0]);
    let field = imported(&fixture).collection.fields["count"].clone();
    assert_eq!((field.filterable, field.sortable, field.searchable), (false, true, true));
    assert_eq!(field.description, "how many");
    assert_eq!(records(&fixture)["a"]["count"], "17");
    assert_eq!(fixture.engine.documents("a")[0].text.as_str(), "17");
    let typo = said("cuont", FieldConfig::default());
    let fixture = configured("rows.csv", "id,count\na,17\n", typo);
    check_problems(&fixture, &[("", "cuont", "is configured, but no record has it")]);
}

#[test]
fn many_different_fields_are_bounded() {
    let members: serde_json::Map<String, Json> =
        (0..3_000).map(|number| (format!("{number:04}"), json!(number))).collect();
    let fixture = file("rows.jsonl", json!({"scores": members, "title": "t"}).to_string());
    let report = check_run(&fixture, [1, 0, 0, 0, 0]);
    assert!(report.problems[0].reason.contains("more than 2,000 fields"), "{report:?}");
    let fields = imported(&fixture).collection.fields;
    assert_eq!(fields.len(), 2_000);
    assert!(fields.contains_key("title") && fields.contains_key("scores.1997"));
}

#[test]
fn keys_are_configured_inferred_or_made() {
    let keys = |fixture: Fixture| {
        fixture.refresh().unwrap();
        (imported(&fixture).collection.key, records(&fixture).into_keys().collect::<Vec<_>>())
    };
    let check = |fixture, key: Option<&str>, expected: &[&str]| {
        assert_eq!(
            keys(fixture),
            (key.map(str::to_owned), expected.iter().map(|&it| it.into()).collect())
        );
    };
    let rows =
        r#"{"id":7,"slug":"a","n":{"k":"x"}}"#.to_owned() + "\n" + r#"{"slug":"b","n":{"k":"y"}}"#;
    check(file("rows.jsonl", &rows), Some("slug"), &["a", "b"]);
    let key = |key: &str| CollectionConfig { key: Some(key.into()), ..CollectionConfig::default() };
    check(configured("rows.jsonl", &rows, key("n.k")), Some("n.k"), &["x", "y"]);
    check(configured("rows.jsonl", &rows, key("id")), Some("id"), &["7"]);
    let (_, made) = keys(file("rows.csv", "n\n1\n2\n1\n"));
    assert_eq!(made.len(), 2);
    assert!(made.iter().all(|key| key.len() == 16 && key.chars().all(|c| c.is_ascii_hexdigit())));
}

#[test]
fn rows_that_are_no_records_are_told_and_stop_nothing() {
    let long = "k".repeat(513);
    let rows = format!(
        "{{\"id\":\"a\"}}\n{{\"id\":\n[1]\n{{}}\n{{\"id\":\"\"}}\n{{\"id\":1.5}}\n{{\"id\":\"{long}\"}}\n\
         {{\"id\":\"s\",\"_sys\":1}}\n{{\"id\":\"a\",\"n\":1}}\n{{\"id\":\"z\"}}\n"
    );
    let config = CollectionConfig { key: Some("id".into()), ..CollectionConfig::default() };
    let fixture = configured("rows.jsonl", &rows, config);
    let expected = [
        ("line 2", "", "it is not JSON: EOF while parsing a value at its line 2, column 0"),
        ("line 3", "", "it is not an object"),
        ("line 4", "id", "there is no key"),
        ("line 5", "id", "the key is empty"),
        ("line 6", "id", "a key is a string or a whole number"),
        ("line 7", "id", "the key is longer than 512 bytes"),
        ("line 8", "_sys", "is a name of kitfox's own"),
        ("line 9", "id", "the key is that of an earlier row, which is left out"),
    ];
    check_problems(&fixture, &expected);
    assert_eq!(json!(records(&fixture)), json!({"a": {"id": "a", "n": 1}, "z": {"id": "z"}}));
    assert_eq!(state(&fixture, "a").revision, 1);
    // They are told again though nothing is read.
    check_problems(&fixture, &expected);
    assert_eq!(fixture.writers(), 1);
}

#[test]
fn problems_are_listed_up_to_a_thousand() {
    let fixture = file("rows.jsonl", "[]\n".repeat(1_500) + "{\"id\":1}");
    let report = check_run(&fixture, [1, 0, 0, 0, 1_500]);
    assert_eq!((report.problems.len(), report.unlisted), (1_000, 500));
}

#[test]
fn rows_of_other_formats_are_refused_alone() {
    check_problems(
        &file("rows.json", r#"[{"id":1}, {"id":}, 5, {"id":2} {"id":3}]"#),
        &[
            ("record 2", "", "it is not JSON: expected value at column 7"),
            ("record 3", "", "it is not an object"),
            ("record 4", "", "it is not JSON: trailing characters at column 10"),
        ],
    );
    check_problems(
        &file("rows.csv", "id,a\n1\n2,x\n3,x,y\n"),
        &[("line 4", "", "it has 3 cells, the header 2")],
    );
    let fixture = file("rows.csv", b"id,a\n1,caf\xe9\n".as_slice());
    let lossy = "it is not UTF-8; what could not be read is replaced";
    check_problems(&fixture, &[("line 2", "", lossy)]);
    assert_eq!(records(&fixture)["1"]["a"], "caf\u{fffd}");
}

#[test]
fn a_file_that_cannot_be_read_to_its_end_changes_nothing() {
    let fixture = file("rows.json", r#"[{"id":1},{"id":2}]"#);
    check_run(&fixture, [2, 0, 0, 0, 0]);
    let check = |content: &str, reason: &str| {
        fixture.write("rows.json", content);
        let error = fixture.refresh().unwrap_err();
        assert!(matches!(error, SyncError::Unread { .. }), "{error}");
        assert!(error.to_string().contains(reason), "{error}");
        assert_eq!(records(&fixture).len(), 2);
    };
    check(r#"[{"id":3},{"id":"#, "it ends too early");
    check(r#"[{"id":3}"#, "it ends too early");
    check(r#"[{"id":3}] x"#, "something follows its end");
    check(r#"[{"id":3}: 4]"#, "the array has no end");
    check(r#"{"a":[],"b":[]}"#, "several arrays");
    check("{\"id\":1}\n{\"id\":2}", "format = \"jsonl\"");
    check("id,name", "neither `[` nor `{`");
    check("", "neither `[` nor `{`");
    std::fs::remove_file(fixture.path("rows.json")).unwrap();
    assert!(matches!(fixture.refresh(), Err(SyncError::Gone { .. })));
    assert_eq!(records(&fixture).len(), 2);
}

#[test]
fn only_what_changed_is_written() {
    let fixture = file("rows.csv", "id,n\na,1\nb,2\nc,3\n");
    check_run(&fixture, [3, 0, 0, 0, 0]);
    check_run(&fixture, [0, 0, 0, 3, 0]);
    assert_eq!(fixture.writers(), 1, "nothing changed");
    let before = ["a", "b", "c"].map(|key| state(&fixture, key));
    fixture.write("rows.csv", "n,id\n1,a\n20,b\n4,d\n");
    check_run(&fixture, [1, 1, 1, 1, 0]);
    assert_eq!(state(&fixture, "a"), before[0]);
    let b = state(&fixture, "b");
    assert_eq!((b.revision, b.created_at_ns), (2, before[1].created_at_ns));
    assert!(b.updated_at_ns > before[1].updated_at_ns);
    assert_eq!(
        json!(records(&fixture)),
        json!({
            "a": {"id": "a", "n": 1}, "b": {"id": "b", "n": 20}, "d": {"id": "d", "n": 4},
        })
    );
    fixture.age("rows.csv", Duration::from_secs(60));
    check_run(&fixture, [0, 0, 0, 3, 0]);
}

#[test]
fn a_file_just_written_is_read_again_until_certain() {
    let fixture = file("rows.csv", "id,n\na,1\n");
    fixture.age("rows.csv", Duration::ZERO);
    check_run(&fixture, [1, 0, 0, 0, 0]);
    check_run(&fixture, [0, 0, 0, 1, 0]);
    assert_eq!(fixture.writers(), 1);
    fixture.replace_unseen("rows.csv", "id,n\na,2\n");
    check_run(&fixture, [0, 1, 0, 0, 0]);
    fixture.age("rows.csv", Duration::from_secs(60));
    fixture.refresh().unwrap();
    fixture.replace_unseen("rows.csv", "id,n\na,3\n");
    let report = fixture.refresh_paths(&["rows.csv"]).unwrap();
    assert_eq!(report.changed, 1);
}

#[test]
fn what_decides_how_records_are_indexed_indexes_them_again_and_is_no_change_of_them() {
    let mut fixture = file("rows.csv", "id,n\na,x\n");
    check_run(&fixture, [1, 0, 0, 0, 0]);
    let before = state(&fixture, "a");
    let described = FieldConfig { description: "new".into(), ..FieldConfig::default() };
    fixture.source.collection = Arc::new(said("n", described));
    check_run(&fixture, [0, 0, 0, 1, 0]);
    assert_eq!(imported(&fixture).collection.fields["n"].description, "new");
    let unsearched = FieldConfig { searchable: Some(false), ..FieldConfig::default() };
    fixture.source.collection = Arc::new(said("n", unsearched));
    check_run(&fixture, [0, 1, 0, 0, 0]);
    assert_eq!(fixture.engine.documents("a")[0].text.as_str(), "");
    let after = state(&fixture, "a");
    assert_eq!((after.revision, after.updated_at_ns), (1, before.updated_at_ns));
}

#[test]
fn losing_most_records_needs_prune() {
    let rows =
        |count| (0..count).map(|n| format!("{{\"id\":{n},\"n\":{n}}}\n")).collect::<String>();
    let fixture = file("rows.jsonl", rows(30));
    check_run(&fixture, [30, 0, 0, 0, 0]);
    fixture.write("rows.jsonl", rows(5));
    let error = fixture.refresh().unwrap_err();
    assert!(matches!(error, SyncError::MassRemoval { removed: 25, total: 30, .. }), "{error}");
    assert!(error.to_string().contains("25 of the 30 indexed records"), "{error}");
    assert_eq!(records(&fixture).len(), 30);
    let prune = RefreshOptions { prune: true, ..RefreshOptions::default() };
    assert_eq!(fixture.refresh_with(&prune).unwrap().removed, 25);
    fixture.write("rows.jsonl", "");
    assert!(matches!(fixture.refresh(), Err(SyncError::MassRemoval { removed: 5, .. })));
}

#[test]
fn another_key_and_other_content_of_keyless_rows_lose_nothing() {
    let rows = |add: usize| {
        (0..30).map(|n| format!("{{\"a\":{n},\"b\":\"{}\"}}\n", n + add)).collect::<String>()
    };
    let mut fixture = file("rows.jsonl", rows(0));
    check_run(&fixture, [30, 0, 0, 0, 0]);
    fixture.write("rows.jsonl", rows(100));
    check_run(&fixture, [30, 0, 30, 0, 0]);
    let config = CollectionConfig { key: Some("b".into()), ..CollectionConfig::default() };
    fixture.source.collection = Arc::new(config);
    check_run(&fixture, [30, 0, 30, 0, 0]);
}

#[test]
fn private_fields_are_nowhere() {
    let rows =
        r#"{"no":1,"name":"Ada","pay":{"iban":"DE12","bank":"x"},"of":[{"pin":"KEY","n":1}]}"#;
    let private = FieldConfig { private: true, ..FieldConfig::default() };
    let fields = ["no", "pay.iban", "of.pin"].map(|path| (path.to_owned(), private.clone()));
    let config = CollectionConfig {
        key: Some("no".into()),
        fields: fields.into(),
        ..CollectionConfig::default()
    };
    let fixture = configured("rows.jsonl", rows, config);
    check_run(&fixture, [1, 0, 0, 0, 0]);
    let expected = json!({"1": {"name": "Ada", "pay": {"bank": "x"}, "of": [{"n": 1}]}});
    assert_eq!(json!(records(&fixture)), expected);
    let said = format!("{:?}{:?}", fixture.engine.documents("1"), imported(&fixture));
    assert!(!said.contains("DE12") && !said.contains("KEY"), "{said}");
    fixture.write("rows.jsonl", rows.replace("DE12", "DE13"));
    check_run(&fixture, [0, 0, 0, 1, 0]);
}

#[test]
fn a_document_is_what_is_said_of_a_record() {
    let row = json!({"id": "k", "title": "A title", "text": "Some text", "n": 5, "when": "2024-01-01",
        "author": {"name": "Ada"}, "tags": ["x", "y"]});
    let fixture = file("rows.jsonl", row.to_string());
    check_run(&fixture, [1, 0, 0, 0, 0]);
    let document = fixture.engine.documents("k").swap_remove(0);
    assert_eq!(document.heading.text().as_str(), "A title");
    assert_eq!(document.text.as_str(), "Ada\nx\ny\nSome text");
    assert_eq!(imported(&fixture).collection.title.as_deref(), Some("title"));
    assert_eq!(values(&fixture, "k", "author"), [Value::Filled]);
    assert_eq!(values(&fixture, "k", "tags"), ["x".into(), "y".into()]);
    assert_eq!(values(&fixture, "k", sys::KEY), ["k".into()]);
    assert_eq!(document.vector, Some(vec![1.0]));
    let fixture = file("rows.jsonl", r#"{"id":1,"tag":"x"}"#);
    check_run(&fixture, [1, 0, 0, 0, 0]);
    assert!(imported(&fixture).collection.fields["tag"].vectorized, "there is nothing longer");
    let fixture = file("rows.jsonl", r#"{"id":1,"n":5}"#);
    check_run(&fixture, [1, 0, 0, 0, 0]);
    assert_eq!(fixture.engine.documents("1")[0].vector, None, "no text is to be embedded");
}

#[test]
fn words_of_weighty_fields_count_more_often() {
    let row = r#"{"id":1,"name":"a den","text":"in the wood","note":"dry"}"#;
    let check = |weights: &[(&str, Weight)], heading: u8, text: [u8; 2]| {
        let weighed = |(path, weight): &(&str, Weight)| {
            ((*path).to_owned(), FieldConfig { weight: *weight, ..FieldConfig::default() })
        };
        let fields = weights.iter().map(weighed).collect();
        let fixture = configured(
            "rows.jsonl",
            row,
            CollectionConfig { fields, ..CollectionConfig::default() },
        );
        check_run(&fixture, [1, 0, 0, 0, 0]);
        let Document { text: content, parts, .. } = fixture.engine.documents("1").swap_remove(0);
        assert_eq!(content.as_str(), "dry\nin the wood");
        let part = |weight| Part { weight, ..Part::default() };
        let text = vec![(0..3, part(text[0])), (4..15, part(text[1]))];
        assert_eq!(parts, Parts { heading: part(heading), text }, "{weights:?}");
    };
    check(&[], 1, [1, 1]);
    check(&[("name", Weight::High)], 2, [1, 1]);
    check(&[("text", Weight::High)], 1, [1, 2]);
    check(&[("note", Weight::Low)], 2, [1, 2]);
}

#[test]
fn localized_fields_are_found_and_filtered_in_every_locale() {
    let row = json!({"id": 1, "title": {"en": "Dog", "fr": "Chien"}, "text": {"en": "It barks"}});
    let localized = || FieldConfig { localized: true, ..FieldConfig::default() };
    let config = CollectionConfig {
        locales: vec!["en".into(), "fr".into()],
        fields: ["title", "text"].map(|path| (path.to_owned(), localized())).into(),
        ..CollectionConfig::default()
    };
    let fixture = configured("rows.jsonl", &row.to_string(), config);
    check_run(&fixture, [1, 0, 0, 0, 0]);
    let collection = imported(&fixture).collection;
    let field = |path: &str| {
        let field = &collection.fields[path];
        (field.of_type, field.localized, field.vectorized)
    };
    assert_eq!(field("title"), (FieldType::String, true, true));
    assert_eq!(field("title.fr"), (FieldType::String, false, true));
    assert_eq!(collection.title.as_deref(), Some("title"));
    let document = fixture.engine.documents("1").swap_remove(0);
    assert_eq!(document.heading.text().as_str(), "Dog");
    assert_eq!(document.text.as_str(), "It barks\nChien");
    let of = |locale| Part { lexicon: Lexicon::of(locale), ..Part::default() };
    let text = vec![(0..8, of("en")), (9..14, of("fr"))];
    assert_eq!(document.parts, Parts { heading: of("en"), text });
    assert_eq!(values(&fixture, "1", "title"), ["Dog".into(), "Chien".into()]);
    assert_eq!(values(&fixture, "1", "title.fr"), ["Chien".into()]);
}

#[test]
fn times_of_records_are_those_of_their_fields() {
    let config = CollectionConfig {
        created_at: Some("made".into()),
        updated_at: Some("meta.changed".into()),
        ..CollectionConfig::default()
    };
    let rows = r#"{"id":1,"made":"1970-01-01T00:00:01Z","meta":{"changed":"1970-01-02"}}
{"id":2,"made":"long ago"}"#;
    let fixture = configured("rows.jsonl", rows, config);
    check_run(&fixture, [2, 0, 0, 0, 0]);
    let one = state(&fixture, "1");
    assert_eq!((one.created_at_ns, one.updated_at_ns), (1_000_000_000, 86_400_000_000_000));
    assert_eq!(values(&fixture, "1", sys::CREATED_AT), [Value::Time(1_000_000_000)]);
    let two = state(&fixture, "2");
    assert!(two.created_at_ns > 1_600_000_000_000_000_000);
    assert_eq!(two.created_at_ns, two.updated_at_ns);
}

#[test]
fn records_of_a_parent_name_it() {
    let parent = Parent { collection: "projects".into(), field: "projects_id".into() };
    let config = CollectionConfig { parent: Some(parent), ..CollectionConfig::default() };
    let rows = "id,projects_id\n1,7\n2,\n";
    let fixture = configured("rows.csv", rows, config.clone());
    check_problems(&fixture, &[("line 3", "projects_id", "there is no key")]);
    assert_eq!(values(&fixture, "1", "projects_id").len(), 1);
    let private = FieldConfig { private: true, ..FieldConfig::default() };
    let config = CollectionConfig { fields: [("projects_id".into(), private)].into(), ..config };
    let fixture = configured("rows.csv", rows, config);
    fixture.refresh().unwrap();
    assert_eq!(values(&fixture, "1", "projects_id"), ["7".into()]);
    assert_eq!(records(&fixture)["1"], json!({"id": 1}));
}

#[test]
fn a_run_that_was_cut_short_goes_on() {
    let fixture = file("rows.csv", "id,n\na,1\nb,2\n");
    check_run(&fixture, [2, 0, 0, 0, 0]);
    fixture.engine.tamper(|groups| {
        let (state, _) = groups.get_mut(Collection::GROUP).unwrap();
        let cut = Imported { read: None, ..serde_json::from_slice(state).unwrap() };
        *state = cut.encode();
        groups.remove("a");
    });
    check_run(&fixture, [1, 0, 0, 1, 0]);
    fixture.engine.damage(Collection::GROUP);
    fixture.engine.damage("b");
    check_run(&fixture, [0, 1, 0, 1, 0]);
    let collection = Collection::decode(&fixture.engine.state(Collection::GROUP)).unwrap();
    assert_eq!(collection.model, crate::testing::OneVector.fingerprint());
    assert!(collection.imported_at_ns > 0);
}
