//! `search_code_skeletons`: definitions by name and purpose.

use kitfox_faces::{FaceError, Faces, Kind, SearchSkeletons, Tests, limits};

use super::rows::{
    DOC, END_LINE, INDEX, KIND, MESSAGE, PATH, PROJECT_PARAMETER, SCOPES_PARAMETER, START_LINE,
    SYMBOL, limit, warnings,
};
use super::{Answer, Effect, Pace, Tool};
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
    effect: Effect::Reads,
    pace: Pace::Files,
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
        limit(Some(limits::DEFAULT_DEFINITIONS), "Most definitions to return."),
    ],
    output: &[
        ("definitions", Type::List(&Type::Object(DEFINITION)), "Best first, at most `limit`."),
        MESSAGE,
        warnings("Present where a scope matched nothing."),
        INDEX,
    ],
    call,
};

const DEFINITION: Fields = &[
    SYMBOL,
    KIND,
    ("signature", Type::Text, "The definition up to its body."),
    DOC,
    PATH,
    START_LINE,
    END_LINE,
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
