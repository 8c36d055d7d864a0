//! The MCP server: a list of tools, and calling one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use kitfox_faces::{FaceError, Faces, Kind};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{Peer, RequestContext, ServerInitializeError};
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::{Map, Value};
use tokio::sync::watch;

use crate::arguments::Arguments;
use crate::tools::{self, Answer, Pace, Tool, internal};

/// How many sources of a kind the instructions name.
const NAMED: usize = 12;

/// Answers MCP requests from the faces. Cheap to clone.
#[derive(Clone)]
pub struct Server {
    faces: watch::Receiver<Arc<Faces>>,
}

/// Why serving ended other than by the client closing the connection.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The client did not open a session as the protocol asks.
    #[error("the MCP session could not be opened: {0}")]
    Open(#[source] Box<ServerInitializeError>),
    /// The task that serves the connection died.
    #[error("the MCP session ended unexpectedly: {0}")]
    Session(#[source] tokio::task::JoinError),
}

/// Serves one client on standard input and output until it closes the connection, each call from
/// the faces of that moment; the client is told where they change. Must run in a tokio runtime.
///
/// # Errors
/// A client that speaks something else than MCP, or a failure of the transport.
pub async fn serve_stdio(faces: watch::Receiver<Arc<Faces>>) -> Result<(), ServeError> {
    let session = match Server::new(faces.clone()).serve(rmcp::transport::stdio_pipes()).await {
        Ok(session) => session,
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(ServeError::Open(Box::new(error))),
    };
    let telling = tokio::spawn(tell_changes(faces, session.peer().clone()));
    let ended = session.waiting().await;
    telling.abort();
    ended.map_err(ServeError::Session)?;
    Ok(())
}

/// Tells the client that the tools may be others, until nobody changes the faces any more.
async fn tell_changes(mut faces: watch::Receiver<Arc<Faces>>, client: Peer<RoleServer>) {
    while faces.changed().await.is_ok() {
        // A client that cannot be told will notice by the answers.
        let _ = client.notify_tool_list_changed().await;
    }
}

impl Server {
    /// A server over the faces that are current at each call.
    pub fn new(faces: watch::Receiver<Arc<Faces>>) -> Server {
        Server { faces }
    }

    fn faces(&self) -> Arc<Faces> {
        self.faces.borrow().clone()
    }
}

/// The tools of the kinds of source that are configured.
fn tools(faces: &Faces) -> impl Iterator<Item = &'static Tool> + '_ {
    tools::offered(|kind| faces.has(kind), faces.has_writable())
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(
            ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build(),
        )
        .with_server_info(Implementation::new("kitfox", env!("CARGO_PKG_VERSION")))
        .with_instructions(instructions(&self.faces()))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools(&self.faces()).map(Tool::definition).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let faces = self.faces();
        let Some(tool) = tools(&faces).find(|tool| tool.name == request.name) else {
            return Err(unknown(&request.name, tools(&faces).map(|tool| tool.name)));
        };
        Ok(run(tool, faces, request.arguments.unwrap_or_default()).await.into())
    }
}

/// Runs a call: right here where it is quick, else on another thread, so that the connection stays
/// responsive.
async fn run(tool: &'static Tool, faces: Arc<Faces>, given: Map<String, Value>) -> CallToolResult {
    let call = AssertUnwindSafe(move || answer(tool, &faces, given));
    let caught = match tool.pace {
        Pace::Index => catch_unwind(call).ok(),
        Pace::Files => tokio::task::spawn_blocking(call.0).await.ok(),
    };
    let stopped = || Err(internal(format!("`{}` stopped on an internal error", tool.name)));
    result(caught.unwrap_or_else(stopped))
}

fn answer(tool: &Tool, faces: &Faces, given: Map<String, Value>) -> Result<Answer, Box<FaceError>> {
    let arguments = Arguments::read(tool.name, tool.parameters, given)?;
    (tool.call)(faces, arguments)
}

fn result(outcome: Result<Answer, Box<FaceError>>) -> CallToolResult {
    let (mut result, text) = match outcome {
        Ok(answer) => (CallToolResult::structured(answer.value), answer.text),
        Err(failure) => {
            let text = failure.to_string();
            let value = serde_json::to_value(failure).unwrap_or_default();
            (CallToolResult::structured_error(value), text)
        }
    };
    result.content = vec![ContentBlock::text(text)];
    result
}

fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> ErrorData {
    let message = match kitfox_core::nearest(name, known, 1).first() {
        Some(near) => format!("there is no tool `{name}`; did you mean `{near}`?"),
        None => format!("there is no tool `{name}`"),
    };
    ErrorData::invalid_params(message, None)
}

/// What a client tells its model about this server before any call.
fn instructions(faces: &Faces) -> String {
    let mut text = String::from("kitfox searches what people have indexed on this machine.");
    if faces.has(Kind::Code) {
        text.push_str(&format!(
            " Code projects{}: semantic_search finds passages of code by meaning and words, \
             search_code_skeletons definitions, search_project_artifacts exact text, \
             find_related what is like a passage; get_file_skeleton outlines a file, \
             read_project_artifacts reads files; get_project_map shows a project at a glance, \
             list_projects sizes and languages.",
            listed(faces, Kind::Code)
        ));
    }
    if faces.has(Kind::Docs) {
        text.push_str(&format!(
            " Documentation{}: search_doc finds chunks by exact words (`search_type` `hybrid` for \
             questions), read_doc reads them in full; list_categories and list_doc show what \
             there is.",
            listed(faces, Kind::Docs)
        ));
    }
    if faces.has(Kind::Records) {
        text.push_str(&format!(
            " Records{}: describe_resource tells the fields of a collection, search_records finds \
             records by what they say, query_records lists those that meet conditions, get_record \
             gives them in full; discover_resources shows what collections there are.",
            listed(faces, Kind::Records)
        ));
    }
    text.push_str(
        " Everything is read-only. While `index.state` of an answer is `indexing`, something may \
         still be missing.",
    );
    text
}

/// The sources of a kind by name, in parentheses.
fn listed(faces: &Faces, kind: Kind) -> String {
    let mut names = faces.names(kind);
    let shown: Vec<String> = names.by_ref().take(NAMED).map(|name| format!("`{name}`")).collect();
    let more = if names.next().is_some() { ", …" } else { "" };
    format!(" ({}{more})", shown.join(", "))
}

#[cfg(test)]
mod tests;
