//! `list_projects`: what code there is to search.

use kitfox_faces::{FaceError, Faces, Kind};

use super::rows::INDEX;
use super::{Answer, Effect, Pace, Tool};
use crate::arguments::Arguments;
use crate::schema::{Fields, Type};

pub(super) const TOOL: Tool = Tool {
    name: "list_projects",
    title: "List projects",
    description: "List the indexed code projects with their size, languages and index state. Use \
        it to learn a `project` name or the `languages` to filter by, or to see whether indexing \
        is finished; to find code, call semantic_search straight away, which needs no project \
        name where there is only one. Returns every project in one short answer: one call per \
        task is enough. A project whose indexing failed is listed with `index.state` `failed`; \
        that is not an error.",
    kind: Kind::Code,
    effect: Effect::Reads,
    pace: Pace::Index,
    parameters: &[],
    output: &[("projects", Type::List(&Type::Object(PROJECT)), "In the order configured.")],
    call,
};

const PROJECT: Fields = &[
    ("name", Type::Text, "Pass it as `project` to semantic_search."),
    ("files", Type::Integer, "Indexed files."),
    ("passages", Type::Integer, "Indexed passages."),
    ("languages", Type::List(&Type::Object(LANGUAGE)), "By number of files, most first."),
    INDEX,
];

pub(super) const LANGUAGE: Fields = &[
    ("name", Type::Text, "Pass it in `languages` to semantic_search."),
    ("files", Type::Integer, "Indexed files in this language."),
];

fn call(faces: &Faces, _arguments: Arguments) -> Result<Answer, Box<FaceError>> {
    Answer::of(&faces.list_projects()?)
}
