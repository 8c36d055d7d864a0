//! `list_categories`: the folders of the documentation.

use kitfox_faces::{FaceError, Faces, Kind};

use super::list_doc::LISTING;
use super::{Answer, Effect, Pace, Tool};
use crate::arguments::Arguments;

pub(super) const TOOL: Tool = Tool {
    name: "list_categories",
    title: "List documentation categories",
    description: "List the categories and subcategories of the indexed documentation, without \
        their documents. Use it to learn what there is and which `category` to filter by; for \
        the documents themselves call list_doc, to find something call search_doc straight away. \
        Returns the tree of folders, sorted by name, `files` left empty. The tree seldom changes: \
        one call per task is enough. A tree too large for one answer is cut, and `truncated` says \
        how to get the rest; an empty list means that nothing is indexed yet, see `index`.",
    kind: Kind::Docs,
    effect: Effect::Reads,
    pace: Pace::Index,
    parameters: &[],
    output: LISTING,
    call,
};

fn call(faces: &Faces, _arguments: Arguments) -> Result<Answer, Box<FaceError>> {
    Answer::of(&faces.list_categories()?)
}
