//! `discover_resources`: which collections there are.

use kitfox_faces::{FaceError, Faces, Kind};

use super::records::RESOURCE_INFO;
use super::{Answer, Effect, Pace, Tool};
use crate::arguments::Arguments;
use crate::schema::Type;

pub(super) const TOOL: Tool = Tool {
    name: "discover_resources",
    title: "Discover resources",
    description: "List the collections of records: what each holds, how many records it has, and \
        what can be done with it. Call it first, once: the other record tools take its \
        `resource_id`. For the fields of a collection, call describe_resource.",
    kind: Kind::Records,
    effect: Effect::Reads,
    pace: Pace::Index,
    parameters: &[],
    output: &[("resources", Type::List(&Type::Object(RESOURCE_INFO)), "Ordered by name.")],
    call,
};

fn call(faces: &Faces, _: Arguments) -> Result<Answer, Box<FaceError>> {
    Answer::of(&faces.discover_resources()?)
}
