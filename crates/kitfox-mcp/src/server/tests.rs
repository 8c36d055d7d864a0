//! The server at its boundary: what a client reads.

use kitfox_faces::{Faces, Settings};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use super::*;

fn no_sources() -> Arc<Faces> {
    Arc::new(Faces::new(Vec::new(), kitfox_embed::built_in(), Settings::default()))
}

/// Sends lines of JSON-RPC to a server without sources and returns its replies.
async fn talk(requests: &[Value]) -> Vec<Value> {
    let faces = no_sources();
    let (client, server) = tokio::io::duplex(1 << 16);
    let session = tokio::spawn(async move {
        let session = Server::new(tokio::sync::watch::channel(faces).1)
            .serve(server)
            .await
            .expect("a session opens");
        session.waiting().await.expect("the session ends in order");
    });
    let (replies, mut input) = tokio::io::split(client);
    let mut replies = BufReader::new(replies).lines();
    let mut answers = Vec::new();
    for request in requests {
        input.write_all(format!("{request}\n").as_bytes()).await.expect("the server reads");
        if request.get("id").is_some() {
            let line = replies.next_line().await.expect("the server writes").expect("a reply");
            answers.push(serde_json::from_str(&line).expect("a line of JSON"));
        }
    }
    input.shutdown().await.expect("the client closes");
    session.await.expect("the server ends");
    answers
}

#[tokio::test]
async fn a_session_names_itself_and_refuses_unknown_tools_by_protocol() {
    let answers = talk(&[
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}),
        json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {
            "name": "search_doc", "arguments": {}}}),
    ])
    .await;
    assert_eq!(answers[0]["result"]["serverInfo"]["name"], "kitfox");
    assert_eq!(answers[0]["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(answers[1]["result"]["tools"], json!([]), "no sources, no tools");
    assert_eq!(answers[2]["error"]["code"], -32602);
}

#[tokio::test]
async fn a_panic_is_a_tool_error_of_that_call_alone() {
    static INDEX: Tool = panicking(Pace::Index);
    static FILES: Tool = panicking(Pace::Files);
    for tool in [&INDEX, &FILES] {
        let result = run(tool, no_sources(), Map::new()).await;
        assert_eq!(result.is_error, Some(true));
        assert_eq!(result.structured_content.expect("structure")["code"], "internal");
    }
}

const fn panicking(pace: Pace) -> Tool {
    Tool {
        name: "panicking",
        title: "",
        description: "",
        kind: Kind::Code,
        effect: crate::tools::Effect::Reads,
        pace,
        parameters: &[],
        output: &[],
        call: |_, _| panic!("as tested"),
    }
}

#[test]
fn a_failure_is_a_tool_error_with_structure_and_text() {
    let failure = FaceError::new("unknown_category", "no category `cisco-aci`")
        .at("category")
        .nearest_to("cisco-aci", ["cisco/aci"]);
    let result = serde_json::to_value(result(Err(failure.into()))).expect("a result is JSON");
    assert_eq!(result["isError"], true);
    assert_eq!(
        result["structuredContent"],
        json!({"code": "unknown_category", "parameter": "category",
            "message": "no category `cisco-aci`", "allowed": [], "near": ["cisco/aci"],
            "hint": null})
    );
    let text = "no category `cisco-aci`; did you mean `cisco/aci`?";
    assert_eq!(result["content"][0]["text"], text);
}
