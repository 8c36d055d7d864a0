//! The tools, one row each: everything a client sees of a tool, and the face method behind it.

mod create_record;
mod delete_record;
mod describe_resource;
mod discover_resources;
mod find_related;
mod get_file_skeleton;
mod get_project_map;
mod get_record;
mod list_categories;
mod list_doc;
mod list_projects;
mod query_records;
mod read_doc;
mod read_project_artifacts;
mod records;
mod rows;
mod search_code_skeletons;
mod search_doc;
mod search_project_artifacts;
mod search_records;
mod semantic_search;
mod update_record;

use kitfox_faces::{FaceError, Faces, Kind};
use rmcp::model::{self, ToolAnnotations};
use serde::Serialize;
use serde_json::Value;

use crate::arguments::Arguments;
use crate::schema::{self, Fields, Parameter};

/// Every tool, in the order in which clients list them.
static TOOLS: [Tool; 20] = [
    semantic_search::TOOL,
    read_project_artifacts::TOOL,
    search_project_artifacts::TOOL,
    get_file_skeleton::TOOL,
    search_code_skeletons::TOOL,
    find_related::TOOL,
    get_project_map::TOOL,
    list_projects::TOOL,
    search_doc::TOOL,
    read_doc::TOOL,
    list_doc::TOOL,
    list_categories::TOOL,
    search_records::TOOL,
    query_records::TOOL,
    get_record::TOOL,
    discover_resources::TOOL,
    describe_resource::TOOL,
    create_record::TOOL,
    update_record::TOOL,
    delete_record::TOOL,
];

/// One tool.
pub(crate) struct Tool {
    /// The name it is called by.
    pub name: &'static str,
    /// The name people see.
    pub title: &'static str,
    /// Purpose, the sibling to use instead, the result, what it costs, how it fails.
    pub description: &'static str,
    /// It is offered where there is a source of this kind.
    pub kind: Kind,
    /// What a call does.
    pub effect: Effect,
    /// How long a call takes.
    pub pace: Pace,
    /// What it takes.
    pub parameters: &'static [Parameter],
    /// What it answers.
    pub output: Fields,
    /// Turns checked arguments into a request of the face, and its answer into ours.
    pub call: fn(&Faces, Arguments) -> Result<Answer, Box<FaceError>>,
}

/// What calls of a tool do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// They read, and say the same when called again on the same index.
    Reads,
    /// They add something; what is there stays.
    Adds,
    /// They put something in the place of what is there. Called again, they change nothing more.
    Replaces,
    /// They remove something. Called again, they change nothing more.
    Removes,
}

/// How long calls of a tool take, and so where they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// It asks the index, which takes less time than to wake up another thread.
    Index,
    /// It looks through files, or waits for the disk.
    Files,
}

/// An answer as JSON and as the text of that JSON with its fields in order.
pub(crate) struct Answer {
    /// For `structuredContent`.
    pub value: Value,
    /// For `content`.
    pub text: String,
}

impl Answer {
    /// Renders the answer of a face.
    pub(crate) fn of(answer: &impl Serialize) -> Result<Answer, Box<FaceError>> {
        let failure = |error: serde_json::Error| internal(format!("no JSON answer: {error}"));
        Ok(Answer {
            value: serde_json::to_value(answer).map_err(failure)?,
            text: serde_json::to_string(answer).map_err(failure)?,
        })
    }
}

/// A fault of kitfox itself.
pub(crate) fn internal(message: String) -> Box<FaceError> {
    let error = FaceError::new("internal", message);
    error.hint("This is a fault of kitfox; other calls still work.").into()
}

impl Tool {
    /// The tool as the protocol describes it.
    pub(crate) fn definition(&self) -> model::Tool {
        let annotations = ToolAnnotations::with_title(self.title)
            .read_only(self.effect == Effect::Reads)
            .destructive(matches!(self.effect, Effect::Replaces | Effect::Removes))
            .idempotent(self.effect != Effect::Adds)
            .open_world(false);
        let input = model::object(schema::input(self.parameters));
        model::Tool::new(self.name, self.description, input)
            .with_title(self.title)
            .with_raw_output_schema(model::object(schema::object(self.output)).into())
            .with_annotations(annotations)
    }
}

/// The tools for sources of these kinds; those that write only where something is writable.
pub(crate) fn offered(
    has: impl Fn(Kind) -> bool,
    writes: bool,
) -> impl Iterator<Item = &'static Tool> {
    let is_usable = move |tool: &&Tool| writes || tool.effect == Effect::Reads;
    TOOLS.iter().filter(move |tool| has(tool.kind)).filter(is_usable)
}

/// The definitions of the tools for sources of these kinds, as `tools/list` gives them: a list of
/// objects with `name`, `title`, `description`, `inputSchema`, `outputSchema` and `annotations`.
/// Those that write are among them where something is writable.
pub fn definitions(kinds: &[Kind], writes: bool) -> Value {
    offered(|kind| kinds.contains(&kind), writes)
        .map(|tool| serde_json::to_value(tool.definition()).unwrap_or_default())
        .collect()
}

#[cfg(test)]
mod tests;
