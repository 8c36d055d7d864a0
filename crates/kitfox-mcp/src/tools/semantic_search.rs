//! `semantic_search`: passages of a code project by meaning and words.

use kitfox_faces::{FaceError, Faces, Kind, SemanticSearch, limits};

use super::rows::{
    END_LINE, GLOBS_PARAMETER, INDEX, MESSAGE, PATH, PROJECT_PARAMETER, SCOPES_PARAMETER, limit,
    warnings,
};
use super::{Answer, Effect, Pace, Tool};
use crate::arguments::Arguments;
use crate::schema::{Fields, Parameter, Shape, Type};

pub(super) const TOOL: Tool = Tool {
    name: "semantic_search",
    title: "Search code",
    description: "Search the code of a project, and the documents beside it, by meaning and by \
        words at once: ask in plain language (`where are login attempts limited`), by identifier \
        (`RateLimiter::check`), or both. Use it when you do not know the file; to read a file \
        you know, open it directly, and to learn the project names call list_projects. Returns \
        the best passages (whole functions, types or sections) with path, lines, symbol and \
        their text as it is now, so a hit seldom needs a further read. A hit is usually up to \
        1,500 characters long: 5 are enough to find a place; raise `limit` once rather than \
        asking again in other words. `message` is \
        present exactly when nothing lies in `scopes` and says why; an unknown project or \
        language is an error with the near names, a scope outside the project an error too; a \
        file that cannot be read sets `warning` on its own hit only.",
    kind: Kind::Code,
    effect: Effect::Reads,
    pace: Pace::Index,
    parameters: &[
        Parameter {
            name: "query",
            shape: Shape::Text,
            required: true,
            description: "What to find: plain language, identifiers, or both. Words need not \
                occur literally; there are no operators.",
        },
        PROJECT_PARAMETER,
        limit(Some(limits::DEFAULT_HITS), "Most hits to return, over all `scopes` together."),
        Parameter {
            description: "Directories to search, relative to the project (`src/auth`); a hit \
                lies below any one of them. Left out or empty: the whole project. Directories \
                only: for one file use `globs`. Combined with `globs` and `languages` by AND.",
            ..SCOPES_PARAMETER
        },
        GLOBS_PARAMETER,
        Parameter {
            name: "languages",
            shape: Shape::Texts { at_most: None },
            required: false,
            description: "Languages or formats as list_projects names them (`rust`, `markdown`); \
                a hit is in any one of them; an unknown one is an error. Left out: every language.",
        },
    ],
    output: &[
        ("hits", Type::List(&Type::Object(HIT)), "Best first, at most `limit`."),
        MESSAGE,
        warnings(
            "Present where something of the request had no effect: a scope or glob that matched \
             nothing, a query without words the embedding model reads.",
        ),
        INDEX,
    ],
    call,
};

pub(super) const HIT: Fields = &[
    PATH,
    ("section", Type::Text, "Symbol path (`Router::route`) or heading breadcrumb; may be empty."),
    ("start_line", Type::Integer, "First line of the passage, 1-based."),
    END_LINE,
    (
        "distance",
        Type::OrNull("number"),
        "Cosine distance of meaning to the query, 0 (same) to 2; null where the passage has no \
         vector. Hits are ordered by `score`, which is better than distance alone.",
    ),
    (
        "content",
        Type::OrNull("string"),
        "The passage as it is in the file now; null where the file cannot be read.",
    ),
    (
        "warning",
        Type::OrNull("string"),
        "What changed or failed since this hit was indexed; null where all is well.",
    ),
    ("symbol", Type::OrNull("string"), "Name of the symbol or heading, if it has one."),
    ("kind", Type::Text, "`function`, `class`, `section`, `window` and so on."),
    (
        "score",
        Type::Number,
        "Rank score of meaning, words and place together. Larger is better; comparable within \
         this answer only.",
    ),
];

fn call(faces: &Faces, mut arguments: Arguments) -> Result<Answer, Box<FaceError>> {
    let request = SemanticSearch {
        project: arguments.text("project"),
        query: arguments.required_text("query"),
        limit: arguments.integer("limit").map(|limit| limit as usize),
        scopes: arguments.texts("scopes"),
        globs: arguments.texts("globs"),
        languages: arguments.texts("languages"),
    };
    Answer::of(&faces.semantic_search(&request)?)
}
