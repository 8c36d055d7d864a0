//! `read_project_artifacts`: files, lines and sections as they are now.

use kitfox_faces::{ArtifactRead, FaceError, Faces, Kind, ReadArtifacts, limits};

use super::rows::{PATH, PATH_PARAMETER, PROJECT_PARAMETER};
use super::{Answer, Effect, Pace, Tool};
use crate::arguments::Arguments;
use crate::schema::{Fields, Parameter, Shape, Type};

pub(super) const TOOL: Tool = Tool {
    name: "read_project_artifacts",
    title: "Read files",
    description: "Read files of a project as they are now: whole, by lines, or by section (a \
        symbol or heading), up to 20 at once. Use it when you know the path; to find code use \
        semantic_search, to see what a file contains before reading it get_file_skeleton. \
        Returns the text of each read with its lines. All texts together have at most 60,000 \
        bytes, shared evenly: what is cut has `more`, which says how to go on. A file that does \
        not exist, is a directory, binary, too large or may hold secrets is an `error` of its \
        own item; the others are read.",
    kind: Kind::Code,
    effect: Effect::Reads,
    pace: Pace::Files,
    parameters: &[
        Parameter {
            name: "reads",
            shape: Shape::Objects { fields: READ, at_most: limits::READS },
            required: true,
            description: "What to read, in the order of the answer.",
        },
        PROJECT_PARAMETER,
    ],
    output: &[("results", Type::List(&Type::Object(ARTIFACT)), "One for each read, in order.")],
    call,
};

const READ: &[Parameter] = &[
    PATH_PARAMETER,
    Parameter {
        name: "start_line",
        shape: Shape::Integer { minimum: 1, maximum: u32::MAX, default: None },
        required: false,
        description: "First line, 1-based. Left out: the first of the file.",
    },
    Parameter {
        name: "end_line",
        shape: Shape::Integer { minimum: 1, maximum: u32::MAX, default: None },
        required: false,
        description: "Last line, inclusive. Left out: the last of the file.",
    },
    Parameter {
        name: "section",
        shape: Shape::Text,
        required: false,
        description: "Instead of lines: a symbol path (`Router::route`) or heading breadcrumb \
            (`Install > Linux`), or its last part where that is unique.",
    },
];

const ARTIFACT: Fields = &[
    PATH,
    ("start_line", Type::OrNull("integer"), "First line of `content`, 1-based."),
    ("end_line", Type::OrNull("integer"), "Last line of `content`, inclusive."),
    ("total_lines", Type::OrNull("integer"), "Lines of the whole file."),
    ("content", Type::OrNull("string"), "The text; null where there is an `error`."),
    ("more", Type::Optional(&Type::Text), "Present where text was cut: how to read the rest."),
    ("error", Type::Optional(&Type::Text), "Present where this one could not be read: why."),
];

fn call(faces: &Faces, mut arguments: Arguments) -> Result<Answer, Box<FaceError>> {
    let reads = arguments.objects("reads").into_iter().map(|mut read| ArtifactRead {
        path: read.required_text("path"),
        start_line: read.integer("start_line"),
        end_line: read.integer("end_line"),
        section: read.text("section"),
    });
    let reads = reads.collect();
    let request = ReadArtifacts { project: arguments.text("project"), reads };
    Answer::of(&faces.read_artifacts(&request)?)
}
