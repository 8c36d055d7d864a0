//! `search_code_skeletons`: definitions by name and purpose.

use kitfox_faces::{FaceError, Faces, Kind, SearchSkeletons, Tests, limits};

use super::{Answer, INDEX, INDEX_MEANING, PROJECT_PARAMETER, SCOPES_PARAMETER, Tool};
use crate::arguments::Arguments;
use crate::schema::{Fields, Parameter, Shape, Type};

pub(super) const TOOL: Tool = Tool {
    name: "search_code_skeletons",
    title: "Search definitions",
    description: "Find definitions (functions, types, constants) by name or by what they are \
        for: signatures and places, no bodies. Use it to learn what there is at little cost; to \
        get the code itself use semantic_search, for one file get_file_skeleton, for every use \
        of a name search_project_artifacts. Definitions whose symbol matches the query come \
        first, then what is nearest in meaning and words. `message` is present exactly when \
        nothing lies in `scopes`; an unknown project or kind is an error with the near names.",
    kind: Kind::Code,
    parameters: &[
        Parameter {
            name: "query",
            shape: Shape::Text,
            required: true,
            description: "A name or part of one (`Router::route`, `parse`), or plain language.",
        },
        PROJECT_PARAMETER,
        Parameter {
            name: "kind",
            shape: Shape::Text,
            required: false,
            description: "Only definitions of this kind: `function`, `method`, `class`, \
                `struct`, `trait`, `interface`, `enum`, `constant`, `type` and so on; an unknown \
                one is an error that lists all. Left out: every kind.",
        },
        SCOPES_PARAMETER,
        Parameter {
            name: "include_tests",
            shape: Shape::Flag,
            required: false,
            description: "Whether definitions in tests count too.",
        },
        Parameter {
            name: "limit",
            shape: Shape::Integer {
                minimum: 1,
                maximum: limits::RESULTS as u32,
                default: Some(limits::DEFAULT_DEFINITIONS as u32),
            },
            required: false,
            description: "Most definitions to return.",
        },
    ],
    output: &[
        ("definitions", Type::List(&Type::Object(DEFINITION)), "Best first, at most `limit`."),
        (
            "message",
            Type::Optional(&Type::Text),
            "Present exactly when no indexed passage lies in `scopes`: why, with near directories.",
        ),
        (
            "warnings",
            Type::Optional(&Type::List(&Type::Text)),
            "Present where a scope matched nothing.",
        ),
        ("index", INDEX, INDEX_MEANING),
    ],
    call,
};

const DEFINITION: Fields = &[
    ("symbol", Type::Text, "Symbol path (`Router::route`)."),
    ("kind", Type::Text, "`function`, `class` and so on."),
    ("signature", Type::Text, "The definition up to its body."),
    ("doc", Type::Text, "The first line of its documentation; may be empty."),
    ("path", Type::Text, "The file, relative to the project."),
    ("start_line", Type::Integer, "First line, 1-based, its comments included."),
    ("end_line", Type::Integer, "Last line, inclusive."),
];

fn call(faces: &Faces, mut arguments: Arguments) -> Result<Answer, Box<FaceError>> {
    let tests = if arguments.flag("include_tests") { Tests::Included } else { Tests::Excluded };
    let request = SearchSkeletons {
        project: arguments.text("project"),
        query: arguments.required_text("query"),
        kind: arguments.text("kind"),
        scopes: arguments.texts("scopes"),
        tests,
        limit: arguments.integer("limit").map(|limit| limit as usize),
    };
    Answer::of(&faces.search_skeletons(&request)?)
}
