//! `create_record`: a record that is not there yet.

use kitfox_faces::{FaceError, Faces, Kind};

use super::records::{DATA, PARENTS_OF_ONE, RESOURCE, WRITTEN, write_request};
use super::{Answer, Effect, Pace, Tool};
use crate::arguments::Arguments;
use crate::schema::{Parameter, Shape};

pub(super) const TOOL: Tool = Tool {
    name: "create_record",
    title: "Create a record",
    description: "Write a new record into a collection whose capabilities name `create`. It is checked \
        against the collection's schema first: an error names each field that breaks it and nothing is \
        written. When this answers, the record is durable, and every search and read from then on finds \
        it. A key that exists is an error: update_record changes what is there.",
    kind: Kind::Records,
    effect: Effect::Adds,
    pace: Pace::Files,
    parameters: &[
        RESOURCE,
        Parameter {
            name: "record_id",
            shape: Shape::Text,
            required: false,
            description: "The key of the new record. Left out: the key field of `data` (`key_field` of \
            describe_resource), or a new key where the collection has none.",
        },
        DATA,
        PARENTS_OF_ONE,
    ],
    output: WRITTEN,
    call,
};

fn call(faces: &Faces, mut arguments: Arguments) -> Result<Answer, Box<FaceError>> {
    Answer::of(&faces.create_record(&write_request(&mut arguments))?)
}
