//! `update_record`: other data in the place of all a record has.

use kitfox_faces::{FaceError, Faces, Kind};

use super::records::{DATA, PARENTS_OF_ONE, RESOURCE, REVISION, WRITTEN, write_request};
use super::{Answer, Effect, Pace, Tool};
use crate::arguments::Arguments;
use crate::schema::{Parameter, Shape};

pub(super) const TOOL: Tool = Tool {
    name: "update_record",
    title: "Replace a record",
    description: "Replace all of a record by `data`: a field that is left out is gone, so read it with \
        get_record first and give back all of it with your changes. Name the `revision` you read, so \
        that nobody's change is lost. Checked, durable and found like create_record. A key no record \
        has is an error.",
    kind: Kind::Records,
    effect: Effect::Replaces,
    pace: Pace::Files,
    parameters: &[
        RESOURCE,
        Parameter {
            name: "record_id",
            shape: Shape::Text,
            required: false,
            description: "The key of the record. May be left out where the key field of `data` has it.",
        },
        DATA,
        REVISION,
        PARENTS_OF_ONE,
    ],
    output: WRITTEN,
    call,
};

fn call(faces: &Faces, mut arguments: Arguments) -> Result<Answer, Box<FaceError>> {
    Answer::of(&faces.update_record(&write_request(&mut arguments))?)
}
