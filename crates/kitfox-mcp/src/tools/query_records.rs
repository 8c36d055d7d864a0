//! `query_records`: the records of a collection that meet conditions.

use kitfox_faces::{FaceError, Faces, Kind, QueryRecords};

use super::records::{
    CURSOR, FACETS, FILTERS, LIST, LOCALES, PARENTS, POPULATE, RESOURCE, request, size,
};
use super::{Answer, Effect, Pace, Tool};
use crate::arguments::Arguments;
use crate::schema::{Parameter, Shape};

pub(super) const TOOL: Tool = Tool {
    name: "query_records",
    title: "Query records",
    description: "List records of one collection by exact conditions, in an exact order. Use it to \
        filter, sort, count and enumerate; where the request is in a person's words, use \
        search_records. Nothing is ranked: `_sys.relevance` is null.\n\n\
        `page.total` is the exact number of records that meet the conditions, so counting takes \
        one call with `limit` 1, and `facets` count them by the values of fields. Pages continue \
        by value and key: each record that is not changed meanwhile comes exactly once. Long texts \
        are cut and listed in `_sys.truncated`; get_record gives a record in full. To list many, \
        raise `limit` (up to 100) rather than paging, as every page is sent again on each later \
        turn. An unknown resource, field or operator is an error that names the near ones.",
    kind: Kind::Records,
    effect: Effect::Reads,
    pace: Pace::Index,
    parameters: &[
        RESOURCE,
        FILTERS,
        Parameter {
            name: "sort",
            shape: Shape::Texts { at_most: Some(5) },
            required: false,
            description: "Field paths to order by, most important first; `-price` for descending. \
                Records without a value come last either way, equal ones by key. Left out: \
                `-_sys.updated_at`, the last changed first.",
        },
        PARENTS,
        LOCALES,
        POPULATE,
        FACETS,
        size(),
        CURSOR,
    ],
    output: LIST,
    call,
};

fn call(faces: &Faces, mut arguments: Arguments) -> Result<Answer, Box<FaceError>> {
    let request = QueryRecords { sort: arguments.texts("sort"), records: request(&mut arguments) };
    Answer::of(&faces.query_records(&request)?)
}
