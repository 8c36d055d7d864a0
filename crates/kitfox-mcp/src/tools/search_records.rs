//! `search_records`: the records of a collection that match a query.

use kitfox_faces::{FaceError, Faces, Kind, RecordSearch, SearchRecords};

use super::records::{
    CURSOR, FACETS, FILTERS, LIST, LOCALES, PARENTS, POPULATE, RESOURCE, request, size,
};
use super::{Answer, Effect, Pace, Tool};
use crate::arguments::Arguments;
use crate::schema::{Parameter, Shape};

const SEARCH_TYPES: &[&str] = &["hybrid", "text", "semantic", "vector_boosted"];

pub(super) const TOOL: Tool = Tool {
    name: "search_records",
    title: "Search records",
    description: "Find records of one collection by what a query says, best first. Use it for \
        questions in a person's words, and for names, codes and phrases; for exact conditions \
        without a ranking use query_records, for a known key get_record.\n\n\
        `search_type` decides what is found and in which order. `filters` and `parents` only \
        restrict which records may be found, before anything is ranked: they change neither order \
        nor relevance.\n\n\
        Each record comes with `_sys.relevance` (0 to 1) and `_sys.highlights`, the passages that \
        match. Long texts are cut and listed in `_sys.truncated`; get_record gives a record in \
        full. 5 records are enough to choose from; to list or count many, raise `limit` (up to \
        100) rather than paging, as every page is sent again on each later turn. No match is an \
        empty list; an unknown resource, field or operator is an error that names the near ones; \
        `execution_info.warnings` tells what was read otherwise than said.",
    kind: Kind::Records,
    effect: Effect::Reads,
    pace: Pace::Index,
    parameters: &[
        Parameter {
            name: "query",
            shape: Shape::Text,
            required: true,
            description: "What to find, in plain language. With `text` and `vector_boosted` also \
                \"exact phrases\" and `-excluded` words. A query that is the key of a record finds \
                that record first.",
        },
        RESOURCE,
        Parameter {
            name: "search_type",
            shape: Shape::Choice { values: SEARCH_TYPES, default: "hybrid" },
            required: false,
            description: "`hybrid`: records that have any of the words or a near meaning, ranked \
                by both; right when in doubt. `text`: only records that have every word, in any \
                form of it; for names, codes, phrases. Common words such as `the` are not asked \
                for, and a word that no record has is corrected where one is near. `semantic`: by \
                meaning alone; may share no word with the query, and finds nothing where records \
                have no embeddings. `vector_boosted`: exactly the records of `text`, with the 5 \
                nearest by meaning first; the rest follow in the order of `text` with relevance 0.",
        },
        FILTERS,
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
    let search_type = arguments.text("search_type").unwrap_or_default();
    let named = RecordSearch::ALL.into_iter().find(|(name, _)| *name == search_type);
    let request = SearchRecords {
        query: arguments.required_text("query"),
        search_type: named.map(|(_, search_type)| search_type).unwrap_or_default(),
        records: request(&mut arguments),
    };
    Answer::of(&faces.search_records(&request)?)
}
