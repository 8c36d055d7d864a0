//! `get_project_map`: a project at a glance.

use kitfox_faces::{FaceError, Faces, Kind, ProjectMap, limits};

use super::list_projects::LANGUAGE;
use super::rows::{INDEX, KIND, PATH, PROJECT_PARAMETER, START_LINE, SYMBOL};
use super::{Answer, Effect, Pace, Tool};
use crate::arguments::Arguments;
use crate::schema::{Fields, Parameter, Shape, Type};

pub(super) const TOOL: Tool = Tool {
    name: "get_project_map",
    title: "Map a project",
    description: "Show a project, or one directory of it, at a glance: its directories with \
        file counts and languages, and the types and functions that most of its files refer to. \
        Use it once when you are new to a project, or to learn a directory; to find something \
        use semantic_search, to see one file get_file_skeleton. At most 60 directories and 20 \
        symbols; `more` says what is left out. `message` is present exactly when nothing lies in \
        `scope`; an unknown project is an error with the near names.",
    kind: Kind::Code,
    effect: Effect::Reads,
    pace: Pace::Files,
    parameters: &[
        PROJECT_PARAMETER,
        Parameter {
            name: "scope",
            shape: Shape::Text,
            required: false,
            description: "One directory, relative to the project (`src/auth`). Left out: the whole \
                project.",
        },
        Parameter {
            name: "depth",
            shape: Shape::Integer {
                minimum: 1,
                maximum: limits::DEPTH as u32,
                default: Some(limits::DEFAULT_MAP_DEPTH as u32),
            },
            required: false,
            description: "How many levels of directories. One that holds nothing but another is \
                no level.",
        },
    ],
    output: &[
        ("files", Type::Integer, "Indexed files."),
        ("passages", Type::Integer, "Indexed passages."),
        ("languages", Type::List(&Type::Object(LANGUAGE)), "By number of files, most first."),
        ("directories", Type::List(&Type::Object(DIRECTORY)), "By path."),
        ("symbols", Type::List(&Type::Object(REFERENCED)), "Most referenced first, tests aside."),
        (
            "message",
            Type::Optional(&Type::Text),
            "Present exactly when no indexed passage lies in `scope`: why, with near directories.",
        ),
        (
            "more",
            Type::Optional(&Type::List(&Type::Text)),
            "Present where something is left out: what, and how to get it.",
        ),
        INDEX,
    ],
    call,
};

const DIRECTORY: Fields = &[
    ("path", Type::Text, "The directory, relative to the project: pass it as a scope."),
    ("files", Type::Integer, "Indexed files in it and below it."),
    ("languages", Type::List(&Type::Text), "Its three most frequent languages."),
];

const REFERENCED: Fields = &[
    SYMBOL,
    KIND,
    PATH,
    START_LINE,
    (
        "references",
        Type::Integer,
        "How many files of code below `scope` name it, its own and tests aside.",
    ),
];

fn call(faces: &Faces, mut arguments: Arguments) -> Result<Answer, Box<FaceError>> {
    let request = ProjectMap {
        project: arguments.text("project"),
        scope: arguments.text("scope"),
        depth: arguments.integer("depth").map(|depth| depth as usize),
    };
    Answer::of(&faces.project_map(&request)?)
}
