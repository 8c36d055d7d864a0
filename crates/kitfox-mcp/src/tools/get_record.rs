//! `get_record`: records by key, in full.

use kitfox_faces::{FaceError, Faces, GetRecord, Kind, limits};

use super::records::{EXECUTION, LOCALES, PARENTS, POPULATE, RECORD, RESOURCE};
use super::{Answer, Effect, Pace, Tool};
use crate::arguments::Arguments;
use crate::schema::{Parameter, Shape, Type};

pub(super) const TOOL: Tool = Tool {
    name: "get_record",
    title: "Get records",
    description: "Read one record, or up to 20, in full: no text is cut. Use it after \
        search_records or query_records where a text was cut or more of a record is needed; \
        references are better followed by `populate` there. Above 1 MiB it is an error: name the \
        `fields` you need. A single key no record has is an error with the near keys; of several, \
        those are listed in `missing`.",
    kind: Kind::Records,
    effect: Effect::Reads,
    pace: Pace::Index,
    parameters: &[
        RESOURCE,
        Parameter {
            name: "record_id",
            shape: Shape::Text,
            required: false,
            description: "The key of a record: the `id` of a result. This or `record_ids`.",
        },
        Parameter {
            name: "record_ids",
            shape: Shape::Texts { at_most: Some(limits::RECORDS_IN_FULL) },
            required: false,
            description: "Several keys, in the order in which the records are wanted.",
        },
        Parameter {
            name: "fields",
            shape: Shape::Texts { at_most: None },
            required: false,
            description: "Only these field paths of describe_resource. Left out: all of them.",
        },
        PARENTS,
        LOCALES,
        POPULATE,
    ],
    output: &[
        ("items", Type::List(&Type::Object(RECORD)), "The records, in the order asked for."),
        ("missing", Type::List(&Type::Text), "Keys no record of the collection has."),
        EXECUTION,
    ],
    call,
};

fn call(faces: &Faces, mut arguments: Arguments) -> Result<Answer, Box<FaceError>> {
    let one = arguments.text("record_id");
    let request = GetRecord {
        resource_id: arguments.required_text("resource_id"),
        record_ids: one.into_iter().chain(arguments.texts("record_ids")).collect(),
        parents: arguments.map("parents"),
        locales: arguments.texts("locales"),
        populate: arguments.texts("populate"),
        fields: arguments.texts("fields"),
    };
    Answer::of(&faces.get_record(&request)?)
}
