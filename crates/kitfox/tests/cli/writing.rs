//! Records that agents write, through several servers, some of which are killed.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::client::Client;
use super::{Fixture, assert_contains};

const CONFIG: &str = r#"
data_dir = "data"

[[records]]
name = "notes"
writable = true
schema = "note.json"
"#;

const SCHEMA: &str = r#"{
    "type": "object",
    "properties": { "text": { "type": "string" }, "stars": { "type": "integer", "maximum": 5 } },
    "required": ["text"]
}"#;

fn fixture() -> Fixture {
    let fixture = Fixture::new(Some(CONFIG));
    fixture.write("note.json", SCHEMA);
    fixture
}

fn called(client: &mut Client, tool: &str, arguments: Value) -> Value {
    client.call(tool, arguments)["structuredContent"].clone()
}

#[test]
fn what_one_server_writes_every_server_finds() {
    let fixture = fixture();
    let (mut first, mut second) = (Client::start(&fixture), Client::start(&fixture));
    let data = json!({ "text": "The lighthouse keeper counts gulls.", "stars": 3 });
    let note = json!({ "resource_id": "notes", "record_id": "n1", "data": data });
    let written = called(&mut first, "create_record", note.clone());
    assert_eq!((&written["id"], &written["_sys"]["revision"]), (&json!("n1"), &json!("1")));
    let search = json!({ "resource_id": "notes", "query": "gulls" });
    for client in [&mut second, &mut first] {
        let found = called(client, "search_records", search.clone());
        assert_eq!(found["items"][0]["data"], data, "{found}");
    }
    let update = |stars: i64, revision: &str| {
        let data = json!({ "text": "None today.", "stars": stars });
        json!({ "resource_id": "notes", "record_id": "n1", "data": data, "revision": revision })
    };
    let written = called(&mut second, "update_record", update(4, "1"));
    assert_eq!(written["_sys"]["revision"], "2", "{written}");
    let found =
        called(&mut first, "get_record", json!({"resource_id": "notes", "record_id": "n1"}));
    assert_eq!(found["items"][0]["data"]["stars"], 4, "{found}");
    let same = called(&mut first, "update_record", update(4, "2"));
    assert_eq!((&same["changed"], &same["_sys"]["revision"]), (&json!(false), &json!("2")));

    let mut refused = |tool: &str, arguments: Value, code: &str, message: &str| {
        let error = called(&mut first, tool, arguments);
        assert_eq!(error["code"], code, "{error}");
        assert_contains(&error["message"].to_string(), message);
    };
    refused("create_record", note, "record_exists", "a record `n1` already, of revision 2");
    refused("update_record", update(5, "1"), "revision_conflict", "has revision 2, not 1");
    refused("update_record", update(6, "2"), "invalid_record", "`stars`: it is greater than");
    let none = json!({ "resource_id": "notes", "record_id": "n9" });
    refused("delete_record", none, "unknown_record", "has no record `n9`");

    let this = json!({ "resource_id": "notes", "record_id": "n1", "revision": "2" });
    assert_eq!(called(&mut first, "delete_record", this)["deleted"], true);
    let found = called(&mut second, "search_records", search);
    assert_eq!(found["items"], json!([]), "{found}");
    let listed = called(&mut second, "discover_resources", json!({}));
    assert_contains(&listed["resources"][0]["capabilities"].to_string(), "create");
    first.finish();
    second.finish();
}

/// Servers that write at the same time.
const WRITERS: usize = 3;
/// Records of each.
const KEYS: usize = 4;

/// What is known of the records: what was acknowledged last.
#[derive(Default)]
struct Known(Mutex<BTreeMap<String, (u64, Option<i64>)>>);

impl Known {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, (u64, Option<i64>)>> {
        self.0.lock().unwrap()
    }
}

struct Trial {
    fixture: Fixture,
    known: Known,
    servers: Mutex<Vec<u32>>,
    over: AtomicBool,
}

/// `KITFOX_KILLS` servers (6) are killed while all of them write and read. An acknowledged change is
/// there for every server from then on, and one that was not is made wholly or not at all.
#[test]
fn no_acknowledged_change_is_lost_where_servers_are_killed() {
    let kills =
        std::env::var("KITFOX_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(6);
    let trial = Trial {
        fixture: fixture(),
        known: Known::default(),
        servers: Mutex::new(vec![0; WRITERS]),
        over: AtomicBool::new(false),
    };
    let changes: usize = thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|number| {
                let trial = &trial;
                scope.spawn(move || trial.write(number))
            })
            .collect();
        for kill in 0..kills {
            thread::sleep(Duration::from_millis(fastrand::u64(20..600)));
            let process = trial.servers.lock().unwrap()[kill % WRITERS].to_string();
            // The server may have ended a moment ago.
            let _ = Command::new("kill").args(["-9", &process]).status();
        }
        trial.over.store(true, Ordering::Relaxed);
        writers.into_iter().map(|writer| writer.join().unwrap()).sum()
    });
    assert!(changes > kills, "only {changes} changes were acknowledged");
    let mut client = Client::start(&trial.fixture);
    let known = trial.known.lock().clone();
    let living = known.values().filter(|(_, stars)| stars.is_some()).count();
    for (key, expected) in &known {
        let found = read(&mut client, key).unwrap();
        let expected = if expected.1.is_some() { *expected } else { (0, None) };
        assert_eq!(found, expected, "{key}");
    }
    let all = json!({ "resource_id": "notes", "limit": 100 });
    assert_eq!(called(&mut client, "query_records", all)["page"]["total"], living);
    client.finish();
    println!("{kills} kills, {changes} acknowledged changes");
}

/// The revision and what a record says; revision 0 and nothing where there is none. None where the
/// server ends.
fn read(client: &mut Client, key: &str) -> Option<(u64, Option<i64>)> {
    let arguments = json!({ "resource_id": "notes", "record_ids": [key, "no such record"] });
    let call = json!({ "name": "get_record", "arguments": arguments });
    let answer = client.try_to_ask("tools/call", call)?;
    let items = answer["structuredContent"]["items"].as_array().cloned();
    match items.unwrap_or_else(|| panic!("{answer}")).first() {
        Some(item) => {
            let revision = item["_sys"]["revision"].as_str()?.parse().ok()?;
            Some((revision, item["data"]["stars"].as_i64()))
        }
        None => Some((0, None)),
    }
}

impl Trial {
    fn start(&self, number: usize) -> Client {
        let client = Client::start(&self.fixture);
        self.servers.lock().unwrap()[number] = client.server.id();
        client
    }

    /// Changes records of its own and looks at those of all. How many changes were acknowledged.
    fn write(&self, number: usize) -> usize {
        let mut client = self.start(number);
        let mut acknowledged = 0;
        while !self.over.load(Ordering::Relaxed) {
            let key = format!("w{number}-{}", fastrand::usize(..KEYS));
            let before = self.known.lock().get(&key).copied().unwrap_or_default();
            let (tool, after) = match (before.1, fastrand::u8(..4)) {
                (None, _) => ("create_record", Some(fastrand::i64(-1_000_000..5))),
                (Some(_), 0) => ("delete_record", None),
                (Some(_), _) => ("update_record", Some(fastrand::i64(-1_000_000..5))),
            };
            let mut arguments = json!({ "resource_id": "notes", "record_id": key });
            if let Some(stars) = after {
                arguments["data"] = json!({ "text": format!("note {stars}"), "stars": stars });
            }
            let call = json!({ "name": tool, "arguments": arguments });
            let answer = client.try_to_ask("tools/call", call);
            match answer {
                Some(answer) if answer["isError"] != true => {
                    let written = &answer["structuredContent"]["_sys"]["revision"];
                    let revision: u64 = written.as_str().unwrap().parse().unwrap();
                    assert!(revision > before.0, "{key}: {revision} after {}", before.0);
                    self.known.lock().insert(key.clone(), (revision, after));
                    acknowledged += 1;
                    let (found, stars) = self.sure(&mut client, number, &key);
                    let found = if after.is_none() { revision } else { found };
                    assert_eq!((found, stars), (revision, after), "{key} right after {tool}");
                }
                Some(answer) => panic!("{tool} of {key} after {before:?}: {answer}"),
                None => self.settle(&mut client, number, &key, before, after),
            }
            self.look(&mut client, number);
        }
        self.stop(client);
        acknowledged
    }

    /// Reads a record, through another server where the first ends.
    fn sure(&self, client: &mut Client, number: usize, key: &str) -> (u64, Option<i64>) {
        loop {
            match read(client, key) {
                Some(found) => return found,
                None => self.restart(client, number),
            }
        }
    }

    /// The server ended before it answered: the change is made, or it is not.
    fn settle(
        &self,
        client: &mut Client,
        number: usize,
        key: &str,
        before: (u64, Option<i64>),
        after: Option<i64>,
    ) {
        self.restart(client, number);
        // What the server had sent on to another may still be made.
        thread::sleep(Duration::from_millis(200));
        let found = self.sure(client, number, key);
        let made = match after {
            Some(_) => found.1 == after && found.0 == before.0 + 1,
            None => found == (0, None),
        };
        assert!(made || found.1 == before.1, "{key}: {found:?} after {before:?} or {after:?}");
        if made {
            self.known.lock().insert(key.to_owned(), (before.0 + 1, after));
        }
    }

    /// Looks at a record of somebody else: never older than what was acknowledged before.
    fn look(&self, client: &mut Client, number: usize) {
        let key = format!("w{}-{}", fastrand::usize(..WRITERS), fastrand::usize(..KEYS));
        let before = self.known.lock().get(&key).copied().unwrap_or_default();
        let found = self.sure(client, number, &key);
        let is_later = found.0 >= before.0 || found.1.is_none();
        assert!(is_later, "{key} was {before:?}, and then {found:?}");
    }

    fn restart(&self, client: &mut Client, number: usize) {
        client.server.wait().unwrap();
        *client = self.start(number);
    }

    fn stop(&self, mut client: Client) {
        // It may have been killed.
        let _ = client.server.kill();
        let _ = client.server.wait();
    }
}

#[test]
fn records_are_imported_exported_backed_up_and_restored_while_serving() {
    let fixture = fixture();
    fixture.write(
        "notes.jsonl",
        "{\"text\": \"one\"}\n{\"text\": \"two\", \"stars\": 9}\n{\"text\": \"three\", \"colour\": 1}\n{\"text\": \"four\"}\n",
    );
    let import = ["import", "notes.jsonl", "--into", "notes"];
    let told = fixture.run(&import).exits(0).out();
    assert_contains(&told, "notes: 2 written, 0 unchanged, 2 refused");
    assert_contains(&told, "problem: notes.jsonl, line 2: `stars`: it is greater than");
    assert_contains(&told, "problem: notes.jsonl, line 3: `colour`: there is no such field");
    let mut client = Client::start(&fixture);
    assert_contains(&fixture.run(&import).exits(0).out(), "0 written, 2 unchanged, 2 refused");
    let all = json!({ "resource_id": "notes" });
    let listed = called(&mut client, "query_records", all.clone());
    assert_eq!(listed["page"]["total"], 2, "{listed}");

    let exported = fixture.run(&["export", "notes"]).exits(0).out();
    let lines: Vec<Value> =
        exported.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), &lines[0]["data"]["text"]), (2, &json!("one")));
    assert_contains(&fixture.run(&["backup", "kept"]).exits(0).out(), "notes: 2 records backed up");

    let gone = json!({ "resource_id": "notes", "record_id": lines[0]["id"] });
    called(&mut client, "delete_record", gone);
    let created = json!({ "resource_id": "notes", "data": { "text": "five" } });
    called(&mut client, "create_record", created);
    let refused = fixture.run(&["restore", "kept"]).exits(3).err();
    assert_contains(&refused, "`notes` is not restored: there are records already");
    let restored = fixture.run(&["restore", "kept", "--force"]).exits(0).out();
    assert_contains(&restored, "notes: 2 records restored");
    let listed = called(&mut client, "query_records", all);
    assert_eq!(listed["page"]["total"], 2, "{listed}");
    assert_eq!(fixture.run(&["export", "notes"]).exits(0).out(), exported);

    // A line of an export is the record in it.
    fixture.write("exported.jsonl", &exported);
    let again = ["import", "exported.jsonl", "--into", "notes"];
    assert_contains(&fixture.run(&again).exits(0).out(), "0 written, 2 unchanged, 0 refused");
    assert_contains(&fixture.run(&["check"]).exits(0).out(), "notes (records): all is well");
    let unknown = fixture.run(&["export", "note"]).exits(2).err();
    assert_contains(&unknown, "no collection `note` is `writable` here; did you mean `notes`?");
    client.finish();
}

#[test]
fn a_damaged_journal_is_told_and_nothing_is_written_to_it() {
    let fixture = fixture();
    fixture.write("notes.jsonl", "{\"text\": \"one\"}\n{\"text\": \"two\"}\n");
    let import = ["import", "notes.jsonl", "--into", "notes"];
    fixture.run(&import).exits(0);
    let journal = fixture.path("data/records/notes/journal");
    let damaged = std::fs::read_to_string(&journal).unwrap().replace("one", "own");
    std::fs::write(&journal, &damaged).unwrap();
    let told = "the journal is damaged at line 2; nothing is written to it until that is repaired";
    assert_contains(&fixture.run(&["check"]).exits(1).out(), told);
    assert_contains(&fixture.run(&import).exits(3).err(), told);
    assert_contains(&fixture.run(&["export", "notes"]).exits(3).err(), told);
    assert_eq!(std::fs::read_to_string(&journal).unwrap(), damaged);
}
