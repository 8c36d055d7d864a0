//! `describe_resource`: all that is known of a collection.

use kitfox_faces::{FaceError, Faces, Kind};

use super::records::{RESOURCE, RESOURCE_FIELDS, VALUE};
use super::{Answer, Effect, Pace, Tool};
use crate::arguments::Arguments;
use crate::schema::{Fields, Type};

pub(super) const TOOL: Tool = Tool {
    name: "describe_resource",
    title: "Describe resource",
    description: "Tell all that is known of one collection: the JSON Schema of its records and, for \
        each field path, its type, what it can be used for, the operators filters have on it, the \
        collection it refers to, and its values (all of them with counts where there are at most \
        20, the least and greatest of numbers and dates, an example). Call it once for a \
        collection before filtering, sorting or populating, so that no path, operator or value is \
        guessed.",
    kind: Kind::Records,
    effect: Effect::Reads,
    pace: Pace::Index,
    parameters: &[RESOURCE],
    output: &[
        RESOURCE_FIELDS[0],
        RESOURCE_FIELDS[1],
        RESOURCE_FIELDS[2],
        RESOURCE_FIELDS[3],
        RESOURCE_FIELDS[4],
        RESOURCE_FIELDS[5],
        RESOURCE_FIELDS[6],
        RESOURCE_FIELDS[7],
        RESOURCE_FIELDS[8],
        RESOURCE_FIELDS[9],
        (
            "key_field",
            Type::OrNull("string"),
            "The field that holds the key; null where keys are made from the content.",
        ),
        ("schema", Type::Map(&Type::Any), "The JSON Schema of `data`."),
        ("fields", Type::List(&Type::Object(FIELD)), "Every field by path, `_sys` ones last."),
        ("embedding", Type::Object(EMBEDDING), "What records are found by meaning with."),
        ("max_text_chars", Type::Integer, "Characters of a text that lists of records show."),
    ],
    call,
};

const FIELD: Fields = &[
    ("path", Type::Text, "As `filters`, `sort`, `facets`, `populate` and `fields` take it."),
    (
        "type",
        Type::Text,
        "`string`, `number`, `boolean`, `date`, `time`, `datetime`, `point`, `object`.",
    ),
    ("is_array", Type::Flag, "Whether a record may have several values there."),
    ("is_optional", Type::Flag, "Whether a record may lack it."),
    (
        "flags",
        Type::List(&Type::OneOf(&[
            "filterable",
            "sortable",
            "searchable",
            "vectorized",
            "localized",
        ])),
        "`filterable`: for `filters` and `facets`. `sortable`: for `sort`. `searchable`: found by \
         its words. `vectorized`: found by its meaning. `localized`: an object with a value for \
         each locale; a filter on it looks into all, one on `title.fr` into one.",
    ),
    ("operators", Type::List(&Type::Text), "What `op` may be in filters on it."),
    (
        "reference",
        Type::Optional(&Type::Text),
        "The resource whose keys it holds: for `populate`, and for filters on its fields \
         (`author.country`).",
    ),
    ("description", Type::Optional(&Type::Text), "What its owner says of it."),
    (
        "values",
        Type::Optional(&Type::List(&Type::Object(VALUE))),
        "All its values with their counts, where there are at most 20.",
    ),
    ("min", Type::Optional(&Type::Any), "The least value, of numbers and dates."),
    ("max", Type::Optional(&Type::Any), "The greatest value, of numbers and dates."),
    ("example", Type::Optional(&Type::Any), "A value some record has."),
];

const EMBEDDING: Fields = &[
    ("model", Type::Text, "The embedding model. The built-in one reads English and code."),
    ("embedded", Type::Integer, "Records with an embedding."),
    ("total", Type::Integer, "Records."),
];

fn call(faces: &Faces, mut arguments: Arguments) -> Result<Answer, Box<FaceError>> {
    Answer::of(&faces.describe_resource(&arguments.required_text("resource_id"))?)
}
