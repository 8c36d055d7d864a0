//! `search_project_artifacts`: lines that contain a text or match an expression.

use kitfox_faces::{FaceError, Faces, Kind, SearchArtifacts, Syntax, limits};

use super::rows::{GLOBS_PARAMETER, PATH, PROJECT_PARAMETER, SCOPES_PARAMETER, limit, warnings};
use super::{Answer, Effect, Pace, Tool};
use crate::arguments::Arguments;
use crate::schema::{Fields, Parameter, Shape, Type};

pub(super) const TOOL: Tool = Tool {
    name: "search_project_artifacts",
    title: "Search text",
    description: "Find every line of a project's files that contains a text, or matches a \
        regular expression, as the files are now. Use it for exact strings: error messages, all \
        uses of an identifier, a TODO; to find code by what it does use semantic_search. Case \
        matters only where `pattern` has a capital letter. Returns lines by path and line \
        number, each with two lines around it; ignored, generated, binary and secret files are \
        left out, as in the index. `next_cursor` is present where there may be more. No match is \
        an empty list; an expression that cannot be read is an error.",
    kind: Kind::Code,
    effect: Effect::Reads,
    pace: Pace::Files,
    parameters: &[
        Parameter {
            name: "pattern",
            shape: Shape::Text,
            required: true,
            description: "What a line contains, as it stands; an expression with `regex`. Never \
                more than one line.",
        },
        PROJECT_PARAMETER,
        Parameter {
            name: "regex",
            shape: Shape::Flag,
            required: false,
            description: "Read `pattern` as a regular expression in Rust's syntax: no \
                backreferences and no look-around.",
        },
        SCOPES_PARAMETER,
        GLOBS_PARAMETER,
        limit(Some(limits::DEFAULT_MATCHES), "Most lines to return."),
        Parameter {
            name: "cursor",
            shape: Shape::Text,
            required: false,
            description: "`next_cursor` of the answer before, with everything else unchanged.",
        },
    ],
    output: &[
        ("matches", Type::List(&Type::Object(MATCH)), "By path and line, at most `limit`."),
        (
            "message",
            Type::Optional(&Type::Text),
            "Present exactly when no file lies in `scopes`: why, with near directories.",
        ),
        warnings("Present where a scope or glob matched nothing, or the search took too long."),
        (
            "next_cursor",
            Type::Optional(&Type::Text),
            "Present where there may be more: pass it as `cursor`.",
        ),
    ],
    call,
};

const MATCH: Fields = &[
    PATH,
    ("line", Type::Integer, "The line, 1-based."),
    ("column", Type::Integer, "Where its first match begins, in bytes, 1-based."),
    ("text", Type::Text, "The line; cut around the match where it is very long."),
    ("before", Type::List(&Type::Text), "Up to two lines before it."),
    ("after", Type::List(&Type::Text), "Up to two lines after it."),
];

fn call(faces: &Faces, mut arguments: Arguments) -> Result<Answer, Box<FaceError>> {
    let syntax = if arguments.flag("regex") { Syntax::Regex } else { Syntax::Literal };
    let request = SearchArtifacts {
        project: arguments.text("project"),
        pattern: arguments.required_text("pattern"),
        syntax,
        scopes: arguments.texts("scopes"),
        globs: arguments.texts("globs"),
        limit: arguments.integer("limit").map(|limit| limit as usize),
        cursor: arguments.text("cursor"),
    };
    Answer::of(&faces.search_artifacts(&request)?)
}
