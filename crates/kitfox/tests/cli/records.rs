//! Collections of records, from a file to an agent.

use serde_json::{Value, json};

use super::client::Client;
use super::{Fixture, assert_contains};

const CONFIG: &str = r#"
data_dir = "data"

[[records]]
name = "people"
source = "people.csv"

[[records]]
name = "books"
source = "books.jsonl"
description = "Old books"
[records.fields.author]
reference = "people"
[records.fields.cost]
private = true
"#;

const PEOPLE: &str =
    "id,name,born\n1,Ada Lovelace,1815-12-10\n2,Alan Turing,1912-06-23\n,Nobody,\n";
const BOOKS: &str = r#"{"id": "b1", "title": "Notes", "author": 1, "cost": 3, "text": "The engine weaves patterns as a loom weaves flowers."}
{"id": "b2", "title": "Computing", "author": 2, "cost": 4, "text": "I propose to consider whether machines can think."}
not json
"#;

fn called(client: &mut Client, tool: &str, arguments: Value) -> Value {
    client.call(tool, arguments)["structuredContent"].clone()
}

#[test]
fn records_are_imported_searched_and_read() {
    let fixture = Fixture::new(Some(CONFIG));
    fixture.write("people.csv", PEOPLE);
    fixture.write("books.jsonl", BOOKS);
    let indexed = fixture.run(&["index"]).exits(0).out();
    assert_contains(
        &indexed,
        "people (records): 2 added, 0 changed, 0 removed, 0 unchanged; 1 refused",
    );
    assert_contains(&indexed, "problem: people.csv, line 4: `id`: there is no key");
    assert_contains(&indexed, "problem: books.jsonl, line 3:");
    assert_contains(&fixture.run(&["status"]).exits(0).out(), "2 records (1 rows refused)");
    assert_contains(
        &fixture.run(&["search", "can machines think"]).exits(0).out(),
        "b2  Computing  (books)",
    );

    let mut client = Client::start(&fixture);
    let found = called(
        &mut client,
        "search_records",
        json!({"query": "thinking machines", "resource_id": "books", "populate": ["author"]}),
    );
    let first = &found["items"][0];
    assert_eq!(
        (&first["id"], &first["data"]["author"]["data"]["name"]),
        (&json!("b2"), &json!("Alan Turing"))
    );
    assert_eq!(first["data"].get("cost"), None, "it is private");
    let filters = json!([{"field": "author.born", "op": "lt", "value": "1900-01-01"}]);
    let found =
        called(&mut client, "query_records", json!({"resource_id": "books", "filters": filters}));
    assert_eq!((&found["items"][0]["id"], &found["page"]["total"]), (&json!("b1"), &json!(1)));
    let wrong = called(&mut client, "query_records", json!({"resource_id": "boks"}));
    assert_eq!(wrong["near"], json!(["books"]));
    client.finish();
}
