//! The records face over collections imported as they are in earnest.

use std::sync::Arc;

use kitfox_conformance::MemoryEngine;
use kitfox_core::{Engine, Progress};
use kitfox_extract::Sizes;
use kitfox_sync::{
    CollectionConfig, FieldConfig, RefreshOptions, Selection, SourceFiles, SourceKind, refresh,
};
use serde_json::{Value as Json, json};
use tempfile::TempDir;

use super::seed::request_of;
use crate::{FaceError, Faces, GetRecord, Kind, QueryRecords, RecordsAnswer, Settings, Source};

/// Collections with the files they are read from.
pub(super) struct Shelf {
    pub faces: Faces,
    folder: TempDir,
    sources: Vec<(kitfox_sync::Source, Arc<dyn Engine>)>,
}

/// A name, its records as JSON Lines, and what is configured.
type Given<'g> = (&'g str, &'g str, fn(&mut CollectionConfig));

/// Imports collections.
pub(super) fn shelf(collections: &[Given<'_>]) -> Shelf {
    let folder = tempfile::tempdir().unwrap();
    let mut sources: Vec<(kitfox_sync::Source, Arc<dyn Engine>)> = Vec::new();
    for (name, rows, configure) in collections {
        let root = folder.path().join(format!("{name}.jsonl"));
        std::fs::write(&root, rows).unwrap();
        let mut collection = CollectionConfig::default();
        configure(&mut collection);
        let source = kitfox_sync::Source {
            name: (*name).to_owned(),
            kind: SourceKind::Records,
            root,
            selection: Selection::Everything,
            sizes: Sizes::DOCS,
            collection: Arc::new(collection),
        };
        sources.push((source, Arc::new(MemoryEngine::default())));
    }
    let face = |(source, engine): &(kitfox_sync::Source, Arc<dyn Engine>)| Source {
        name: source.name.clone(),
        kind: Kind::Records,
        engine: engine.clone(),
        files: Arc::new(SourceFiles::new(source)),
        writer: None,
        progress: Arc::new(Progress::default()),
        language_of: |_| "jsonl",
    };
    let faces = sources.iter().map(face).collect();
    let faces = Faces::new(faces, kitfox_embed::built_in(), Settings::default());
    let shelf = Shelf { faces, folder, sources };
    shelf.import();
    shelf
}

/// What is configured of a field.
pub(super) fn field<'c>(config: &'c mut CollectionConfig, path: &str) -> &'c mut FieldConfig {
    config.fields.entry(path.to_owned()).or_default()
}

impl Shelf {
    /// Replaces the records of a collection.
    fn write(&self, name: &str, rows: &str) {
        std::fs::write(self.folder.path().join(format!("{name}.jsonl")), rows).unwrap();
        self.import();
    }

    fn import(&self) {
        for (source, engine) in &self.sources {
            let options = RefreshOptions { prune: true, ..RefreshOptions::default() };
            let embedder = kitfox_embed::built_in();
            let progress = Progress::default();
            refresh(source, engine.as_ref(), embedder.as_ref(), &options, &progress).unwrap();
        }
    }

    fn query(&self, request: &Json) -> Result<RecordsAnswer, FaceError> {
        let sort = serde_json::from_value(request["sort"].clone()).unwrap_or_default();
        let request = QueryRecords { sort, records: request_of(request) };
        self.faces.query_records(&request)
    }
}

fn ids(answer: &RecordsAnswer) -> Vec<&str> {
    answer.items.iter().map(|record| record.id.as_str()).collect()
}

const TASKS: &str = r#"
{"id": "t1", "projects_id": "p1", "title": "Dig a den", "done": true, "due": "2024-05-01", "hours": 3}
{"id": "t2", "projects_id": "p1", "title": "Line it with leaves", "done": false, "due": "2024-06-01"}
{"id": "t3", "projects_id": "p2", "title": "Count the mice", "done": false, "due": "2024-04-01", "hours": 1.5}
"#;
const PROJECTS: &str = r#"
{"id": "p1", "name": "Home", "owners_id": "o1"}
{"id": "p2", "name": "Hunt", "owners_id": "o2"}
"#;
const OWNERS: &str = "{\"id\": \"o1\", \"name\": \"Vixen\"}\n{\"id\": \"o2\", \"name\": \"Tod\"}\n";

fn below(config: &mut CollectionConfig, parent: &str) {
    config.parent =
        Some(kitfox_core::Parent { collection: parent.to_owned(), field: format!("{parent}_id") });
}

fn nested() -> Shelf {
    shelf(&[
        ("tasks", TASKS, |config| below(config, "projects")),
        ("projects", PROJECTS, |config| below(config, "owners")),
        ("owners", OWNERS, |_| {}),
    ])
}

#[test]
fn nested_records_are_addressed_by_a_template() {
    let shelf = nested();
    let template = "owners/{owners_id}/projects/{projects_id}/tasks";
    let resources = shelf.faces.discover_resources().unwrap().resources;
    let ids_of: Vec<&str> = resources.iter().map(|each| each.resource_id.as_str()).collect();
    assert_eq!(ids_of, ["owners", "owners/{owners_id}/projects", template]);
    let check = |parents: Json, expected: &[&str]| {
        let request = json!({"resource_id": template, "parents": parents, "sort": ["_sys.key"]});
        assert_eq!(ids(&shelf.query(&request).unwrap()), expected, "{parents}");
    };
    check(json!({}), &["t1", "t2", "t3"]);
    check(json!({"projects_id": "p1"}), &["t1", "t2"]);
    check(json!({"owners_id": "o2"}), &["t3"]);
    check(json!({"owners_id": "o2", "projects_id": "p1"}), &[]);
    let error = shelf.query(&json!({"resource_id": template, "parents": {"project_id": "p1"}}));
    assert_eq!(error.unwrap_err().near, ["projects_id"]);
    let answer = shelf.query(&json!({"resource_id": "tasks", "sort": ["_sys.key"]})).unwrap();
    let parents = serde_json::to_value(&answer.items[0].sys.parents).unwrap();
    assert_eq!(parents, json!({"owners_id": "o1", "projects_id": "p1"}));
    assert_eq!(answer.items[0].sys.folder, template);
}

#[test]
fn records_come_in_the_order_asked_for() {
    let shelf = nested();
    let check = |sort: Json, expected: &[&str]| {
        let answer = shelf.query(&json!({"resource_id": "tasks", "sort": sort})).unwrap();
        assert_eq!(ids(&answer), expected, "{sort}");
        assert_eq!(answer.page.total, crate::Total::Exactly(3));
    };
    check(json!(["due"]), &["t3", "t1", "t2"]);
    check(json!(["-due"]), &["t2", "t1", "t3"]);
    // Without a value last, either way.
    check(json!(["hours"]), &["t3", "t1", "t2"]);
    check(json!(["-hours"]), &["t1", "t3", "t2"]);
    check(json!(["done", "-_sys.key"]), &["t3", "t2", "t1"]);
    let error = shelf.query(&json!({"resource_id": "tasks", "sort": ["-duee"]})).unwrap_err();
    assert_eq!((error.code, error.near), ("unknown_field", vec!["due".to_owned()]));
}

#[test]
fn facets_count_over_all_that_total_counts() {
    let shelf = nested();
    let request = json!({
        "resource_id": "tasks", "limit": 1, "facets": ["done", "due"],
        "filters": [{"field": "due", "op": "gte", "value": "2024-05-01"}],
    });
    let facets = shelf.query(&request).unwrap().facets.unwrap();
    let facets = serde_json::to_value(facets).unwrap();
    let expected = json!([{"value": false, "count": 1}, {"value": true, "count": 1}]);
    assert_eq!(facets["done"]["values"], expected);
    assert_eq!(
        (&facets["due"]["min"], &facets["due"]["max"]),
        (&json!("2024-05-01"), &json!("2024-06-01"))
    );
    let error = shelf.query(&json!({"resource_id": "tasks", "facets": ["don"]})).unwrap_err();
    assert_eq!(error.near, ["done"]);
}

#[test]
fn a_resource_is_described_so_that_nothing_is_guessed() {
    let shelf = nested();
    let answer = serde_json::to_value(shelf.faces.describe_resource("tasks").unwrap()).unwrap();
    let fields = answer["fields"].as_array().unwrap();
    let field = |path: &str| fields.iter().find(|field| field["path"] == path).unwrap();
    assert_eq!(answer["key_field"], "id");
    assert_eq!(field("done")["type"], "boolean");
    assert_eq!(
        field("done")["values"],
        json!([{"value": false, "count": 2}, {"value": true, "count": 1}])
    );
    assert_eq!((&field("due")["min"], &field("hours")["max"]), (&json!("2024-04-01"), &json!(3)));
    assert_eq!(field("hours")["is_optional"], true);
    assert!(field("hours")["operators"].as_array().unwrap().contains(&json!("between")));
    assert_eq!(answer["schema"]["properties"]["due"], json!({"type": "string", "format": "date"}));
    let error = shelf.faces.describe_resource("task").unwrap_err();
    assert_eq!(error.code, "unknown_resource");
}

#[test]
fn records_are_read_in_full_by_key() {
    let long = "word ".repeat(1_000);
    let rows = format!(
        "{{\"id\": 1, \"text\": \"{long}\", \"n\": {{\"a\": 1, \"b\": 2}}}}\n{{\"id\": 2}}"
    );
    let shelf = shelf(&[("notes", &rows, |_| {})]);
    let get = |keys: &[&str], fields: &[&str]| {
        shelf.faces.get_record(&GetRecord {
            resource_id: "notes".into(),
            record_ids: keys.iter().map(|key| (*key).to_owned()).collect(),
            fields: fields.iter().map(|field| (*field).to_owned()).collect(),
            ..GetRecord::default()
        })
    };
    let answer = get(&["1"], &[]).unwrap();
    assert_eq!(answer.items[0].data["text"].as_str().unwrap().len(), long.len());
    let answer = get(&["2", "9", "1"], &["n.a"]).unwrap();
    let found: Vec<&str> = answer.items.iter().map(|record| record.id.as_str()).collect();
    assert_eq!((found, answer.missing), (vec!["2", "1"], vec!["9".to_owned()]));
    assert_eq!(json!(answer.items[1].data), json!({"n": {"a": 1}}));
    assert_eq!(get(&["9"], &[]).unwrap_err().code, "unknown_record");
    assert_eq!(get(&["1"], &["m"]).unwrap_err().code, "unknown_field");
    assert_eq!(get(&[], &[]).unwrap_err().code, "invalid_argument");
}

/// Whatever is written between the pages, a record that nobody changed comes exactly once.
#[test]
fn pages_of_a_query_hold_while_the_source_changes() {
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..20 {
        let steady: Vec<String> = (0..random.usize(1..25))
            .map(|number| format!("{{\"id\": \"s{number}\", \"n\": {}}}", random.u8(..5)))
            .collect();
        let rows = |random: &mut fastrand::Rng| -> String {
            let passing = (0..random.usize(..25))
                .map(|number| format!("{{\"id\": \"x{number}\", \"n\": {}}}", random.u8(..9)));
            let mut rows: Vec<String> = steady.iter().cloned().chain(passing).collect();
            random.shuffle(&mut rows);
            rows.join("\n")
        };
        let shelf = shelf(&[("notes", &rows(&mut random), |_| {})]);
        let sort = if random.bool() { "n" } else { "-n" };
        let (mut cursor, mut seen) = (Json::Null, Vec::new());
        loop {
            let request =
                json!({"resource_id": "notes", "sort": [sort], "limit": 4, "cursor": cursor});
            let answer = shelf.query(&request).unwrap();
            seen.extend(
                ids(&answer).into_iter().filter(|id| id.starts_with('s')).map(str::to_owned),
            );
            let Some(next) = answer.page.next_cursor else { break };
            cursor = json!(next);
            shelf.write("notes", &rows(&mut random));
        }
        let once: std::collections::BTreeSet<&String> = seen.iter().collect();
        assert_eq!((seen.len(), once.len()), (steady.len(), steady.len()), "by {sort}");
    }
}
