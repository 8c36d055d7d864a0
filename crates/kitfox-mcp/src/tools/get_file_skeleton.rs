//! `get_file_skeleton`: the outline of a file.

use kitfox_faces::{FaceError, Faces, FileSkeleton, Kind, limits};

use super::rows::{DOC, END_LINE, KIND, PATH, PATH_PARAMETER, PROJECT_PARAMETER, START_LINE};
use super::{Answer, Effect, Pace, Tool};
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
    effect: Effect::Reads,
    pace: Pace::Files,
    parameters: &[
        PATH_PARAMETER,
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
        PATH,
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
    KIND,
    ("signature", Type::Text, "The definition up to its body; empty for headings."),
    DOC,
    START_LINE,
    END_LINE,
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
