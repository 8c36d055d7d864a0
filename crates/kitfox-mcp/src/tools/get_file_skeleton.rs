//! `get_file_skeleton`: the outline of a file.

use kitfox_faces::{FaceError, Faces, FileSkeleton, Kind, limits};

use super::{Answer, PROJECT_PARAMETER, Tool};
use crate::arguments::Arguments;
use crate::schema::{Fields, Parameter, Shape, Type};

pub(super) const TOOL: Tool = Tool {
    name: "get_file_skeleton",
    title: "Outline a file",
    description: "Outline one file as it is now: its definitions with signatures, first line of \
        documentation and lines, or the headings of a document; no bodies. Use it before reading \
        a long file, then read what you need with read_project_artifacts; to find definitions \
        across files use search_code_skeletons. A few dozen items are usual; `more` says how \
        many deeper ones `depth` leaves out, or where a very long outline is cut. `message` says \
        why a file has no outline. A file that does not exist is an error with the near paths.",
    kind: Kind::Code,
    parameters: &[
        Parameter {
            name: "path",
            shape: Shape::Text,
            required: true,
            description: "The file, relative to the project, as results show it.",
        },
        PROJECT_PARAMETER,
        Parameter {
            name: "depth",
            shape: Shape::Integer {
                minimum: 1,
                maximum: limits::DEPTH as u32,
                default: Some(limits::DEFAULT_DEPTH as u32),
            },
            required: false,
            description: "How many levels: 1 is the top level only, 2 has the members of types.",
        },
    ],
    output: &[
        ("path", Type::Text, "The file, relative to the project."),
        ("language", Type::Text, "Its language or format."),
        ("total_lines", Type::Integer, "How many lines it has."),
        ("items", Type::List(&Type::Object(ITEM)), "In the order of the file."),
        ("message", Type::Optional(&Type::Text), "Present where there is no outline: why."),
        ("more", Type::Optional(&Type::Text), "Present where items are left out: how to get them."),
    ],
    call,
};

const ITEM: Fields = &[
    ("symbol", Type::Text, "Symbol path (`Router::route`) or heading breadcrumb."),
    ("kind", Type::Text, "`function`, `class`, `section` and so on."),
    ("signature", Type::Text, "The definition up to its body; empty for headings."),
    ("doc", Type::Text, "The first line of its documentation; may be empty."),
    ("start_line", Type::Integer, "First line, 1-based, its comments included."),
    ("end_line", Type::Integer, "Last line, inclusive."),
    ("depth", Type::Integer, "How many items it is in."),
];

fn call(faces: &Faces, mut arguments: Arguments) -> Result<Answer, Box<FaceError>> {
    let request = FileSkeleton {
        project: arguments.text("project"),
        path: arguments.required_text("path"),
        depth: arguments.integer("depth").map(|depth| depth as usize),
    };
    Answer::of(&faces.file_skeleton(&request)?)
}
