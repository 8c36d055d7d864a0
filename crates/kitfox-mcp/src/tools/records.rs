//! Parameters and answer fields that the tools of records share.

use kitfox_faces::{RecordsRequest, WriteRecord, limits};

use super::rows::INDEX;
use crate::arguments::Arguments;
use crate::schema::{Field, Fields, Parameter, Shape, Type};

/// The collection of every tool.
pub(super) const RESOURCE: Parameter = Parameter {
    name: "resource_id",
    shape: Shape::Text,
    required: true,
    description: "The collection, as discover_resources names it: `articles`, or for records below \
        others a template with placeholders such as `projects/{projects_id}/tasks`, given as it is \
        and filled in by `parents`.",
};

/// Which records.
pub(super) const FILTERS: Parameter = Parameter {
    name: "filters",
    shape: Shape::Conditions,
    required: false,
    description: "Conditions that all hold, each `{field, op, value}`: `field` is a path from \
        describe_resource (`_sys.created_at` too), `op` one of its operators, `eq` where left out. \
        A condition on a field with several values holds where one of them meets it, a negated one \
        (`ne`, `not_in`, `not_includes`) where none does. A path through a reference \
        (`author.country`) looks into the record referred to. In place of a condition there may be \
        a group, `{any_of: [...]}`, `{all_of: [...]}` or `{not: {...}}`, up to 8 deep. A wrong \
        field, operator or type is an error, never ignored.",
};

/// Below which records.
pub(super) const PARENTS: Parameter = Parameter {
    name: "parents",
    shape: Shape::Map,
    required: false,
    description: "For a `resource_id` with placeholders: the key for each, as \
        `{projects_id: \"p1\"}`. Left out, or for some placeholders only: the records below all \
        parents, each with its own in `_sys.parents`.",
};

/// Which locales.
pub(super) const LOCALES: Parameter = Parameter {
    name: "locales",
    shape: Shape::Texts { at_most: None },
    required: false,
    description: "Locales (`en`, `fr`) to keep in localized fields, and to look into with filters \
        on them. Left out: all. One that the collection does not use matches nothing and is a \
        warning, not an error.",
};

/// Which references.
pub(super) const POPULATE: Parameter = Parameter {
    name: "populate",
    shape: Shape::Texts { at_most: Some(20) },
    required: false,
    description: "Reference fields whose keys are replaced by the records they stand for \
        (`author`), dots to go on from there (`author.company`, 3 at most). One call in place of \
        one for each record. Their texts are cut like all others of the answer; a key no record \
        has stays, and a warning tells.",
};

/// Which counts.
pub(super) const FACETS: Parameter = Parameter {
    name: "facets",
    shape: Shape::Texts { at_most: Some(limits::FACETS) },
    required: false,
    description: "Field paths whose values to count over all records that `page.total` counts, not \
        only those of the page.",
};

/// Where to go on.
pub(super) const CURSOR: Parameter = Parameter {
    name: "cursor",
    shape: Shape::Text,
    required: false,
    description: "`page.next_cursor` or `page.previous_cursor` of an answer to the same request, \
        unchanged. A larger `limit` costs one call where paging costs one a page.",
};

/// How many.
pub(super) const fn size() -> Parameter {
    Parameter {
        name: "limit",
        shape: Shape::Integer {
            minimum: 1,
            maximum: limits::RECORDS as u32,
            default: Some(limits::DEFAULT_RECORDS as u32),
        },
        required: false,
        description: "Records of a page. 5 are enough to choose from; raise it to list or count.",
    }
}

/// Reads what the tools that list records have in common.
pub(super) fn request(arguments: &mut Arguments) -> RecordsRequest {
    RecordsRequest {
        resource_id: arguments.required_text("resource_id"),
        filters: arguments.conditions("filters"),
        locales: arguments.texts("locales"),
        parents: arguments.map("parents"),
        populate: arguments.texts("populate"),
        limit: arguments.integer("limit").map(|limit| limit as usize),
        cursor: arguments.text("cursor"),
        facets: arguments.texts("facets"),
    }
}

/// An answer that lists records.
pub(super) const LIST: Fields = &[
    ("items", Type::List(&Type::Object(RECORD)), "The records, at most `limit`."),
    ("page", Type::Object(PAGE), "How to go on, and how many there are."),
    (
        "truncation",
        Type::Optional(&Type::Object(TRUNCATION)),
        "The text limit in force for this collection.",
    ),
    (
        "facets",
        Type::Optional(&Type::Map(&Type::Object(FACET))),
        "By path, where `facets` were asked for.",
    ),
    EXECUTION,
];

/// A record.
pub(super) const RECORD: Fields = &[
    ("id", Type::Text, "Its key: for get_record, as `record_id`."),
    ("data", Type::Map(&Type::Any), "The record, shaped by the schema of describe_resource."),
    ("_sys", Type::Object(SYS), "What the system knows of it."),
];

const SYS: Fields = &[
    ("key", Type::Text, "Its key."),
    ("folder", Type::Text, "The resource it belongs to."),
    ("revision", Type::Text, "From `1` up, at each changed write."),
    ("created_at", Type::Text, "RFC 3339, in UTC."),
    ("updated_at", Type::Text, "RFC 3339, in UTC."),
    ("relevance", Type::OrNull("number"), "How well it matches, 0 to 1; null without a search."),
    (
        "truncated",
        Type::Optional(&Type::List(&Type::Object(TRUNCATED))),
        "Present only where texts were cut: one entry a text.",
    ),
    (
        "highlights",
        Type::Optional(&Type::List(&Type::Object(HIGHLIGHT))),
        "The passages that match, also from texts beyond the cut.",
    ),
    (
        "parents",
        Type::Optional(&Type::Map(&Type::Text)),
        "Keys of the records above it, by placeholder.",
    ),
];

const TRUNCATED: Fields = &[
    ("field", Type::Text, "Its path; `author.bio` where it came by `populate`."),
    ("locale", Type::OrNull("string"), "Its locale, in a localized field."),
    ("original_length", Type::Integer, "Characters before the cut."),
];

const HIGHLIGHT: Fields = &[
    ("field", Type::Text, "The path of the text."),
    ("text", Type::Text, "The passage: hits as `**…**`, cuts as `…`."),
];

const PAGE: Fields = &[
    ("has_more", Type::Flag, "Whether there is a page after this."),
    ("returned", Type::Integer, "Records of this page."),
    ("limit", Type::Integer, "Records it may have."),
    ("next_cursor", Type::OrNull("string"), "For the page after; null at the end."),
    ("previous_cursor", Type::OrNull("string"), "For the page before; null at the start."),
    (
        "total",
        Type::Any,
        "Records over all pages: a number, or `{at_least}` where a search found more than it \
         counts.",
    ),
];

const TRUNCATION: Fields = &[
    ("applied", Type::Flag, "Whether a text of this answer was cut."),
    ("max_text_chars", Type::Integer, "Characters a text may have."),
    ("note", Type::Text, "How to get what was cut."),
];

const FACET: Fields = &[
    ("values", Type::List(&Type::Object(VALUE)), "The 20 most frequent values."),
    ("other_values", Type::Integer, "How many more values there are."),
    ("min", Type::Optional(&Type::Any), "The least value, of numbers and dates."),
    ("max", Type::Optional(&Type::Any), "The greatest value, of numbers and dates."),
];

/// A value with how many records have it.
pub(super) const VALUE: Fields =
    &[("value", Type::Any, "The value."), ("count", Type::Integer, "Records that have it.")];

/// What ran.
pub(super) const EXECUTION: Field =
    ("execution_info", Type::Object(EXECUTION_FIELDS), "What ran, and on what.");

const EXECUTION_FIELDS: Fields = &[
    ("search_mode", Type::Optional(&Type::Text), "The `search_type` asked for."),
    (
        "applied_search_type",
        Type::Optional(&Type::Text),
        "The search type that ran: `hybrid` without embeddings is `text`.",
    ),
    (
        "warnings",
        Type::Optional(&Type::List(&Type::Text)),
        "What was read otherwise than it was said.",
    ),
    INDEX,
];

/// The record that a tool writes.
pub(super) const DATA: Parameter = Parameter {
    name: "data",
    shape: Shape::Object,
    required: true,
    description: "All of the record, shaped by the `schema` of describe_resource.",
};

/// The revision a record must have.
pub(super) const REVISION: Parameter = Parameter {
    name: "revision",
    shape: Shape::Text,
    required: false,
    description: "The `_sys.revision` you read. If somebody changed the record since, nothing is \
        done and the error says so. Left out: whatever is there is overwritten.",
};

/// Below which record, for tools that write.
pub(super) const PARENTS_OF_ONE: Parameter = Parameter {
    name: "parents",
    shape: Shape::Map,
    required: false,
    description: "For a `resource_id` with placeholders: the key of the record above, as \
        `{projects_id: \"p1\"}`, unless `data` has it.",
};

/// What came of writing.
pub(super) const WRITTEN: Fields = &[
    ("id", Type::Text, "The key of the record."),
    ("changed", Type::Flag, "False where the record already said the same."),
    ("deleted", Type::Flag, "Whether it is gone."),
    ("_sys", Type::Object(SYS), "What the system knows of it now."),
];

/// Reads what the tools that write have in common.
pub(super) fn write_request(arguments: &mut Arguments) -> WriteRecord {
    WriteRecord {
        resource_id: arguments.required_text("resource_id"),
        record_id: arguments.text("record_id"),
        data: arguments.object("data"),
        revision: arguments.text("revision"),
        parents: arguments.map("parents"),
    }
}

/// A collection in the list of all.
pub(super) const RESOURCE_INFO: Fields = &RESOURCE_FIELDS;

/// The same, as an array that another list takes over.
pub(super) const RESOURCE_FIELDS: [Field; 10] = [
    ("resource_id", Type::Text, "What the other tools call it."),
    ("name", Type::Text, "Its name."),
    ("description", Type::Text, "What its owner says it holds; may be empty."),
    (
        "capabilities",
        Type::List(&Type::OneOf(&["search", "query", "get_one", "create", "update", "delete"])),
        "`search`: search_records, `query`: query_records, `get_one`: get_record; of collections \
         that can be written, `create`: create_record, `update`: update_record, `delete`: \
         delete_record.",
    ),
    ("record_count", Type::Integer, "Its records, below all parents together."),
    ("locales", Type::List(&Type::Text), "Those of its localized fields, the default first."),
    (
        "placeholders",
        Type::List(&Type::Object(PLACEHOLDER)),
        "What `parents` may name, from the outermost.",
    ),
    ("search_types", Type::List(&Type::Text), "What `search_type` may be with effect."),
    ("updated_at", Type::OrNull("string"), "When its source was last read to the end."),
    INDEX,
];

const PLACEHOLDER: Fields = &[
    ("name", Type::Text, "A member of `parents`."),
    ("resource_id", Type::Text, "The resource whose record keys it takes."),
];
