//! `read_doc`: the text of a document, chunk by chunk.

use kitfox_faces::{FaceError, Faces, Kind, ReadDoc};

use super::rows::INDEX;
use super::{Answer, Effect, Pace, Tool};
use crate::arguments::Arguments;
use crate::schema::{Fields, Parameter, Shape, Type};

pub(super) const TOOL: Tool = Tool {
    name: "read_doc",
    title: "Read document",
    description: "Read chunks of one document in full, usually those search_doc found: by \
        number, by range, with their neighbours, or by section. Use search_doc first where you \
        do not know the place, and list_doc for the names of documents. `chunk_numbers`, `range`, \
        `around` and `section` add up; with none of them the document is read from its start. \
        Returns the text of each chunk with its section, and the documents it links to. A chunk \
        has up to 2,000 characters and a call reads a few of them (5 unless configured \
        otherwise): read what you need together in one call. Asking for more by number is an \
        error; a longer section or document is cut, and `more` says how to go on. Numbers the \
        document does not have are listed in `missing`; an unknown or ambiguous `file_name` is \
        an error that lists the candidates.",
    kind: Kind::Docs,
    effect: Effect::Reads,
    pace: Pace::Index,
    parameters: &[
        Parameter {
            name: "file_name",
            shape: Shape::Text,
            required: true,
            description: "The document: a result's `path`, or its name with or without \
                extension.",
        },
        Parameter {
            name: "category",
            shape: Shape::Text,
            required: false,
            description: "Its category. Only needed where `file_name` alone is ambiguous.",
        },
        Parameter {
            name: "subcategory",
            shape: Shape::Text,
            required: false,
            description: "Its subcategory. Only needed where `file_name` alone is ambiguous.",
        },
        Parameter {
            name: "chunk_numbers",
            shape: Shape::Integers,
            required: false,
            description: "Chunks by number, as search_doc gives them, counted from 0; no more \
                than one call reads.",
        },
        Parameter {
            name: "range",
            shape: Shape::Text,
            required: false,
            description: "Chunks `first-last`, both included, as `3-7`; no longer than one call \
                reads. Added to `chunk_numbers`.",
        },
        Parameter {
            name: "around",
            shape: Shape::Integer { minimum: 0, maximum: u32::MAX, default: None },
            required: false,
            description: "The number of a chunk to read together with the one before and the \
                one after. Added to `chunk_numbers`.",
        },
        Parameter {
            name: "section",
            shape: Shape::Text,
            required: false,
            description: "The chunks of one section and those below it: a heading (`From \
                source`) or a breadcrumb (`Install > Linux`) as results show it.",
        },
    ],
    output: &[
        ("path", Type::Text, "The document, relative to its library."),
        ("chunks", Type::List(&Type::Object(CHUNK)), "Ordered by number."),
        ("total_chunks", Type::Integer, "How many chunks the document has."),
        (
            "missing",
            Type::List(&Type::Integer),
            "Numbers asked for that the document does not have.",
        ),
        ("links", Type::List(&Type::Object(LINK)), "Indexed documents the returned text links to."),
        (
            "more",
            Type::Optional(&Type::Text),
            "Present where there is more than one call may read: how to go on.",
        ),
        INDEX,
    ],
    call,
};

const CHUNK: Fields = &[
    ("chunk_number", Type::Integer, "Its number in the document, from 0."),
    ("page_start", Type::OrNull("integer"), "First page, in formats with pages."),
    ("page_end", Type::OrNull("integer"), "Last page, in formats with pages."),
    ("section", Type::Text, "Breadcrumb of headings; may be empty."),
    (
        "header",
        Type::Optional(&Type::Text),
        "The header of the table that the text goes on with, if it does: its names of columns.",
    ),
    ("text", Type::Text, "The chunk, as in the document."),
];

const LINK: Fields = &[
    ("text", Type::Text, "The text of the link."),
    ("target", Type::Text, "The target as written."),
    ("file_name", Type::Text, "Pass it as `file_name` to read_doc."),
];

fn call(faces: &Faces, mut arguments: Arguments) -> Result<Answer, Box<FaceError>> {
    let request = ReadDoc {
        file_name: arguments.required_text("file_name"),
        category: arguments.text("category"),
        subcategory: arguments.text("subcategory"),
        chunk_numbers: arguments.integers("chunk_numbers"),
        range: arguments.text("range"),
        around: arguments.integer("around"),
        section: arguments.text("section"),
    };
    Answer::of(&faces.read_doc(&request)?)
}
