//! `list_doc`: the documents there are.

use kitfox_faces::{FaceError, Faces, Kind};

use super::rows::INDEX;
use super::{Answer, Effect, Pace, Tool};
use crate::arguments::Arguments;
use crate::schema::{Fields, Parameter, Shape, Type};

pub(super) const TOOL: Tool = Tool {
    name: "list_doc",
    title: "List documents",
    description: "List the indexed documents by category and subcategory, each with its number \
        of chunks. Use it to learn which documents there are or what one is called; to find \
        something in their text call search_doc, for the folders alone call list_categories, \
        which is much shorter. Returns a tree sorted by name, whose file names read_doc and \
        search_doc take as `file_name`. Name a category wherever you can: the whole tree of a \
        large library is long. A list too large for one answer is cut, and `truncated` says how \
        to get the rest; an unknown category is an error with the near names.",
    kind: Kind::Docs,
    effect: Effect::Reads,
    pace: Pace::Index,
    parameters: &[Parameter {
        name: "category",
        shape: Shape::Text,
        required: false,
        description: "Only this category, or one subcategory of it as `category/subcategory`. \
            Left out: all.",
    }],
    output: LISTING,
    call,
};

/// The answer of both listings.
pub(super) const LISTING: Fields = &[
    ("categories", Type::List(&Type::Object(CATEGORY)), "Sorted by name."),
    (
        "truncated",
        Type::Optional(&Type::Text),
        "Present where documents were left out: how to list them.",
    ),
    INDEX,
];

const CATEGORY: Fields = &[
    ("name", Type::Text, "Name of the folder."),
    (
        "files",
        Type::List(&Type::Object(FILE)),
        "Documents directly in it, sorted by name; left empty by list_categories.",
    ),
    (
        "subcategories",
        Type::List(&Type::Reference("#/properties/categories/items")),
        "Folders below it, sorted by name.",
    ),
];

const FILE: Fields = &[
    ("name", Type::Text, "Pass it as `file_name` to read_doc or search_doc."),
    ("chunks_num", Type::Integer, "How many chunks it has; they are numbered from 0."),
];

fn call(faces: &Faces, mut arguments: Arguments) -> Result<Answer, Box<FaceError>> {
    Answer::of(&faces.list_doc(arguments.text("category").as_deref())?)
}
