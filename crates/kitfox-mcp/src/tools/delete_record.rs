//! `delete_record`: a record that is to be gone.

use kitfox_faces::{FaceError, Faces, Kind};

use super::records::{RESOURCE, REVISION, WRITTEN, write_request};
use super::{Answer, Effect, Pace, Tool};
use crate::arguments::Arguments;
use crate::schema::{Parameter, Shape};

pub(super) const TOOL: Tool = Tool {
    name: "delete_record",
    title: "Delete a record",
    description: "Remove a record for good. Name the `revision` you read, so that a record somebody \
        changed meanwhile stays. References to it in other records keep its key. A key no record has \
        is an error.",
    kind: Kind::Records,
    effect: Effect::Removes,
    pace: Pace::Files,
    parameters: &[
        RESOURCE,
        Parameter {
            name: "record_id",
            shape: Shape::Text,
            required: true,
            description: "The key of the record: the `id` of a result.",
        },
        REVISION,
    ],
    output: WRITTEN,
    call,
};

fn call(faces: &Faces, mut arguments: Arguments) -> Result<Answer, Box<FaceError>> {
    Answer::of(&faces.delete_record(&write_request(&mut arguments))?)
}
