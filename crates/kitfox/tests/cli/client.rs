//! An agent as the server sees it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::{CONFIG, Fixture, assert_contains};

/// A bare MCP client and its server.
pub struct Client {
    pub server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next_id: u64,
}

impl Client {
    pub fn start(fixture: &Fixture) -> Client {
        let mut server = fixture
            .command(&["serve"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = server.stdin.take().unwrap();
        let output = BufReader::new(server.stdout.take().unwrap());
        let mut client = Client { server, input, output, next_id: 1 };
        client.ask(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": { "name": "test", "version": "0" },
            }),
        );
        client.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    fn send(&mut self, message: Value) -> Option<()> {
        writeln!(self.input, "{message}").ok()
    }

    pub fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.try_to_ask(method, parameters).unwrap_or_else(|| panic!("no answer to {method}"))
    }

    /// None where the server ends before it answers.
    pub fn try_to_ask(&mut self, method: &str, parameters: Value) -> Option<Value> {
        let id = self.next_id;
        self.next_id += 1;
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }))?;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).unwrap_or(0) == 0 || !line.ends_with('\n') {
                return None;
            }
            let answer: Value = serde_json::from_str(&line).unwrap();
            if answer["id"] == id {
                return Some(answer["result"].clone());
            }
        }
    }

    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    /// Calls until the index behind the answer is ready.
    pub fn call_when_ready(&mut self, tool: &str, arguments: Value) -> Value {
        for _ in 0..100 {
            let answer = self.call(tool, arguments.clone());
            if answer["structuredContent"]["index"]["state"] == "ready" {
                return answer;
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("the index never became ready");
    }

    /// Closes stdin; the server must end by itself.
    pub fn finish(mut self) {
        drop(self.input);
        for _ in 0..100 {
            if let Some(status) = self.server.try_wait().unwrap() {
                assert!(status.success());
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        self.server.kill().unwrap();
        panic!("the server outlives its client");
    }
}

#[test]
fn an_agent_is_served_over_stdio() {
    let fixture = Fixture::new(Some(CONFIG));
    let mut client = Client::start(&fixture);
    let listed = client.ask("tools/list", json!({}));
    let names: Vec<&str> = listed["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert!(names.contains(&"semantic_search") && names.contains(&"search_doc"), "{names:?}");

    let code = client.call_when_ready("semantic_search", json!({ "query": "sum of prices" }));
    assert_eq!(code["structuredContent"]["hits"][0]["path"], "src/cart.rs", "{code}");
    let docs = client.call_when_ready("search_doc", json!({ "pattern": "vacation" }));
    assert_eq!(docs["structuredContent"]["results"][0]["file_name"], "holidays", "{docs}");
    let wrong = client.call("semantic_search", json!({ "query": "x", "limits": 3 }));
    assert_eq!(wrong["isError"], true, "{wrong}");
    assert_contains(&wrong.to_string(), "limits");

    live_code_tools(&mut client);

    // A second server on the same data answers too.
    let mut second = Client::start(&fixture);
    let answer = second.call("search_doc", json!({ "pattern": "vacation" }));
    assert_eq!(answer["structuredContent"]["results"][0]["file_name"], "holidays", "{answer}");
    second.finish();
    client.finish();
}

/// One call of each tool that reads, outlines or compares code.
fn live_code_tools(client: &mut Client) {
    let mut ask = |tool: &str, arguments: Value| {
        let answer = client.call(tool, arguments);
        assert_ne!(answer["isError"], true, "{tool}: {answer}");
        answer["structuredContent"].clone()
    };
    let reads = json!([{ "path": "src/cart.rs", "start_line": 2 }, { "path": "../kitfox.toml" }]);
    let read = ask("read_project_artifacts", json!({ "reads": reads }));
    assert_contains(&read["results"][0]["content"].to_string(), "pub fn total");
    assert_contains(&read["results"][1]["error"].to_string(), "leads out of the root");
    let found =
        ask("search_project_artifacts", json!({ "pattern": "Prices.iter|FAILED", "regex": true }));
    assert_eq!(found["matches"], json!([]), "capital letters count");
    let found = ask("search_project_artifacts", json!({ "pattern": ".iter()" }));
    assert_eq!(found["matches"][0]["line"], 3, "{found}");
    let outline = ask("get_file_skeleton", json!({ "path": "src/retry.rs" }));
    assert_eq!(outline["items"][0]["symbol"], "backoff", "{outline}");
    let found = ask("search_code_skeletons", json!({ "query": "total", "kind": "function" }));
    assert_eq!(found["definitions"][0]["symbol"], "total", "{found}");
    let map = ask("get_project_map", json!({ "depth": 1 }));
    assert_eq!(map["directories"][0]["path"], "src", "{map}");
    let related = ask("find_related", json!({ "path": "src/cart.rs", "line": 2 }));
    assert_eq!(related["hits"][0]["path"], "src/retry.rs", "{related}");
}
