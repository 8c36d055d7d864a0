//! Parameters and answer fields that several tools share.

use kitfox_faces::limits;

use crate::schema::{Field, Parameter, Shape, Type};

/// The project of a code tool.
pub(super) const PROJECT_PARAMETER: Parameter = Parameter {
    name: "project",
    shape: Shape::Text,
    required: false,
    description: "Project name from list_projects. May be left out where there is one project.",
};

/// The file of a code tool.
pub(super) const PATH_PARAMETER: Parameter = Parameter {
    name: "path",
    shape: Shape::Text,
    required: true,
    description: "The file, relative to the project, as results show it.",
};

/// The directories of a code tool.
pub(super) const SCOPES_PARAMETER: Parameter = Parameter {
    name: "scopes",
    shape: Shape::Texts { at_most: Some(limits::SCOPES) },
    required: false,
    description: "Directories to search, relative to the project (`src/auth`); a result lies \
        below any one of them. Left out or empty: the whole project.",
};

/// The globs of a code tool.
pub(super) const GLOBS_PARAMETER: Parameter = Parameter {
    name: "globs",
    shape: Shape::Texts { at_most: Some(limits::GLOBS) },
    required: false,
    description: "Glob patterns; a result's file matches any one of them. With a `/` they match \
        the path relative to the project (`src/**/*.rs`), without one the file name in any \
        directory (`*_test.go`). Left out: every file.",
};

/// How many results an answer has at most; none where the default is configured.
pub(super) const fn limit(default: Option<usize>, description: &'static str) -> Parameter {
    let default = match default {
        Some(default) => Some(default as u32),
        None => None,
    };
    let shape = Shape::Integer { minimum: 1, maximum: limits::RESULTS as u32, default };
    Parameter { name: "limit", shape, required: false, description }
}

/// The file of a result.
pub(super) const PATH: Field = ("path", Type::Text, "The file, relative to the project.");

/// What a definition in code is called.
pub(super) const SYMBOL: Field = ("symbol", Type::Text, "Symbol path (`Router::route`).");

/// What a definition or heading is.
pub(super) const KIND: Field = ("kind", Type::Text, "`function`, `class`, `section` and so on.");

/// What a definition says of itself.
pub(super) const DOC: Field =
    ("doc", Type::Text, "The first line of its documentation; may be empty.");

/// Where a definition or heading begins.
pub(super) const START_LINE: Field =
    ("start_line", Type::Integer, "First line, 1-based, its comments included.");

/// Where a result ends.
pub(super) const END_LINE: Field = ("end_line", Type::Integer, "Last line, inclusive.");

/// Why nothing can be found.
pub(super) const MESSAGE: Field = (
    "message",
    Type::Optional(&Type::Text),
    "Present exactly when no indexed passage lies in `scopes`: why, with near directories.",
);

/// What else the reader should know; when, is the description.
pub(super) const fn warnings(description: &'static str) -> Field {
    ("warnings", Type::Optional(&Type::List(&Type::Text)), description)
}

/// How fresh the index behind an answer is.
pub(super) const INDEX: Field =
    ("index", Type::Object(STATUS), "How fresh the index behind this answer is.");

const STATUS: &[Field] = &[
    (
        "state",
        Type::OneOf(&["idle", "indexing", "ready", "failed"]),
        "`ready`: up to date at the last look. `indexing`: a run is going on, so something may \
         still be missing. `idle`: nothing was looked at yet by this server. `failed`: the last \
         run failed, and the answer comes from the one before.",
    ),
    ("done", Type::Integer, "Files finished in the current run."),
    ("total", Type::Integer, "Files the current run looks into; 0 until they are counted."),
];
