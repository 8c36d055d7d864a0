//! `find_related`: passages most like one passage.

use kitfox_faces::{FaceError, Faces, FindRelated, Kind, limits};

use super::rows::{INDEX, PATH_PARAMETER, PROJECT_PARAMETER, limit, warnings};
use super::semantic_search::HIT;
use super::{Answer, Effect, Pace, Tool};
use crate::arguments::Arguments;
use crate::schema::{Parameter, Shape, Type};

pub(super) const TOOL: Tool = Tool {
    name: "find_related",
    title: "Find related code",
    description: "Find the passages most like the one at a line of a file: other implementations \
        of the same thing, its tests, its documentation. Use it after semantic_search found one \
        place and you want its kin; to find code by a question use semantic_search. Returns hits \
        as semantic_search does, by meaning alone, the passage itself left out. A file that is \
        not indexed is an error with the near paths.",
    kind: Kind::Code,
    effect: Effect::Reads,
    pace: Pace::Index,
    parameters: &[
        PATH_PARAMETER,
        Parameter {
            name: "line",
            shape: Shape::Integer { minimum: 1, maximum: u32::MAX, default: None },
            required: true,
            description: "A line of the passage, 1-based; the nearest passage where none holds it.",
        },
        PROJECT_PARAMETER,
        limit(Some(limits::DEFAULT_HITS), "Most hits to return."),
    ],
    output: &[
        ("hits", Type::List(&Type::Object(HIT)), "Most alike first, at most `limit`."),
        warnings(
            "Present where the file changed since indexing, or has no words the embedding model \
             reads.",
        ),
        INDEX,
    ],
    call,
};

fn call(faces: &Faces, mut arguments: Arguments) -> Result<Answer, Box<FaceError>> {
    let request = FindRelated {
        project: arguments.text("project"),
        path: arguments.required_text("path"),
        line: arguments.integer("line").unwrap_or(1),
        limit: arguments.integer("limit").map(|limit| limit as usize),
    };
    Answer::of(&faces.find_related(&request)?)
}
