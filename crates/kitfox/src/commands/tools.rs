//! `kitfox tools`: the MCP tools an agent would be offered.

use std::fmt::Write as _;

use kitfox_faces::Kind;
use serde_json::{Value, json};

use crate::config::Settings;
use crate::output::{Exit, print, print_json};
use crate::workspace::face_kind;

/// Runs the command.
pub fn tools(settings: &Settings, json: bool) -> anyhow::Result<Exit> {
    let kinds: Vec<Kind> = settings.sources.iter().map(|source| face_kind(source.kind)).collect();
    let writes = settings.sources.iter().any(|source| source.collection.writable);
    let definitions = kitfox_mcp::definitions(&kinds, writes);
    if json {
        print_json(&json!({ "tools": definitions }))?;
    } else {
        print(&text(&definitions))?;
    }
    Ok(Exit::Done)
}

fn text(definitions: &Value) -> String {
    let tools = definitions.as_array().map(Vec::as_slice).unwrap_or_default();
    tools.iter().map(tool).collect::<Vec<_>>().join("\n")
}

fn tool(definition: &Value) -> String {
    let string = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut text = format!("{}\n", string(&definition["name"]));
    for line in string(&definition["description"]).lines() {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(text, "  {line}");
    }
    let schema = &definition["inputSchema"];
    let is_required = |name: &str| {
        schema["required"].as_array().is_some_and(|names| names.iter().any(|known| known == name))
    };
    for (name, parameter) in schema["properties"].as_object().into_iter().flatten() {
        let required = if is_required(name) { " (required)" } else { "" };
        let _ = writeln!(text, "    {name}{required}: {}", string(&parameter["description"]));
    }
    text
}
