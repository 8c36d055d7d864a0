//! What is asked of whoever records are written through.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use kitfox_core::{Action, Change, Flaw, Outcome, RecordWriter, WriteError, Written};
use serde_json::{Map, Value as Json, json};

use super::records::{Shelf, shelf};
use crate::{FaceError, WriteAnswer, WriteRecord};

/// Takes every change, and finds fault with data that says so.
#[derive(Default)]
struct Taker(Mutex<Vec<Change>>);

impl RecordWriter for Taker {
    fn key_field(&self) -> Option<&str> {
        Some("id")
    }

    fn flaws(&self, data: &Map<String, Json>) -> Result<Vec<Flaw>, WriteError> {
        let flaw = |reason: &Json| Flaw { field: Some("flaw".into()), reason: reason.to_string() };
        Ok(data.get("flaw").map(flaw).into_iter().collect())
    }

    fn write(&self, changes: Vec<Change>) -> Result<Vec<Outcome>, WriteError> {
        let written = Written {
            revision: 7,
            created_at_ns: 0,
            updated_at_ns: 1_000_000_000,
            is_changed: true,
        };
        let outcomes = changes.iter().map(|_| Ok(written.clone())).collect();
        self.0.lock().unwrap().extend(changes);
        Ok(outcomes)
    }
}

fn tasks() -> (Shelf, Arc<Taker>) {
    let mut shelf = shelf(&[
        ("projects", "{\"id\": \"p1\", \"name\": \"Home\"}\n", |_| ()),
        ("tasks", "{\"id\": \"t1\", \"projects_id\": \"p1\"}\n", |config| {
            let (collection, field) = ("projects".to_owned(), "projects_id".to_owned());
            config.parent = Some(kitfox_core::Parent { collection, field });
        }),
    ]);
    let taker = Arc::new(Taker::default());
    shelf.faces.sources[1].writer = Some(taker.clone());
    (shelf, taker)
}

fn request(request: Json) -> WriteRecord {
    let text = |name: &str| request[name].as_str().map(str::to_owned);
    let parents: Option<BTreeMap<String, String>> =
        serde_json::from_value(request["parents"].clone()).ok();
    WriteRecord {
        resource_id: text("resource_id").unwrap_or_else(|| "tasks".to_owned()),
        record_id: text("record_id"),
        data: request["data"].as_object().cloned().unwrap_or_default(),
        revision: text("revision"),
        parents: parents.unwrap_or_default(),
    }
}

type Tool = fn(&crate::Faces, &WriteRecord) -> Result<WriteAnswer, FaceError>;
const CREATE: Tool = crate::Faces::create_record;
const UPDATE: Tool = crate::Faces::update_record;
const DELETE: Tool = crate::Faces::delete_record;

#[track_caller]
fn check(tool: Tool, asked: Json, key: &str, action: Action) {
    let (shelf, taker) = tasks();
    let answer = tool(&shelf.faces, &request(asked.clone())).unwrap();
    assert_eq!(answer.deleted, action == Action::Delete);
    assert_eq!((&*answer.id, &*answer.sys.revision, &*answer.sys.key), (key, "7", key));
    assert_eq!(answer.sys.folder, "projects/{projects_id}/tasks");
    assert_eq!(answer.sys.updated_at, "1970-01-01T00:00:01Z");
    let change = taker.0.lock().unwrap().remove(0);
    let revision = asked["revision"].as_str().map(|revision| revision.parse().unwrap());
    assert_eq!((&*change.key, change.action, change.revision), (key, action, revision), "{asked}");
}

#[track_caller]
fn refuse(tool: Tool, asked: Json, code: &str, expected: &str) {
    let (shelf, taker) = tasks();
    let error = tool(&shelf.faces, &request(asked.clone())).unwrap_err();
    assert_eq!((error.code, error.to_string().as_str()), (code, expected), "{asked}");
    assert!(taker.0.lock().unwrap().is_empty(), "nothing is written");
}

fn data(value: &Json) -> Map<String, Json> {
    value.as_object().cloned().unwrap()
}

#[test]
fn changes_are_those_asked_for() {
    let task = json!({ "id": "t2", "projects_id": "p1" });
    check(CREATE, json!({ "data": task }), "t2", Action::Create(data(&task)));
    let parents = json!({ "projects_id": "p1" });
    let below = json!({ "data": { "id": "t2" }, "parents": parents });
    check(CREATE, below, "t2", Action::Create(data(&task)));
    let update = json!({ "record_id": "t2", "data": task, "revision": "3" });
    check(UPDATE, update, "t2", Action::Replace(data(&task)));
    check(DELETE, json!({ "record_id": "t2", "revision": "3" }), "t2", Action::Delete);
}

#[test]
fn what_cannot_be_written_is_refused_with_the_way_out() {
    let task = json!({ "id": "t2", "projects_id": "p1" });
    refuse(
        CREATE,
        json!({ "resource_id": "projects", "data": {} }),
        "read_only",
        "the records of `projects` are read from a source. Change them there; they are read again by \
         themselves. Allowed: `tasks`.",
    );
    refuse(
        CREATE,
        json!({ "data": { "id": "t2", "projects_id": "p1", "flaw": "no good" } }),
        "invalid_record",
        "`data` breaks the rules of `projects/{projects_id}/tasks`: `flaw`: \"no good\". \
         describe_resource has the JSON Schema of `data`.",
    );
    refuse(
        CREATE,
        json!({ "data": { "id": "t2", "projects_id": "p9" } }),
        "invalid_record",
        "`data` breaks the rules of `projects/{projects_id}/tasks`: `projects_id`: `projects` has no \
         record with the key `p9`. describe_resource has the JSON Schema of `data`.",
    );
    refuse(
        CREATE,
        json!({ "data": task, "parents": { "projects_id": "p2" } }),
        "invalid_record",
        "`data` says that the record belongs to \"p1\", and `parents` to `p2`",
    );
    refuse(
        UPDATE,
        json!({ "record_id": "t9", "data": task }),
        "invalid_record",
        "`record_id` is `t9`, and `id` of `data` `t2`. The key of a record is its `id`, and stays as it \
         is.",
    );
    refuse(
        DELETE,
        json!({ "record_id": "t2", "revision": "three" }),
        "invalid_argument",
        "`revision` must be one that `_sys.revision` told, not `three`",
    );
}
