//! `search_doc`: chunks of documentation by exact words, or by meaning.

use kitfox_faces::{FaceError, Faces, Kind, SearchDoc, SearchType};

use super::rows::{INDEX, limit};
use super::{Answer, Effect, Pace, Tool};
use crate::arguments::Arguments;
use crate::schema::{Fields, Parameter, Shape, Type};

const SEARCH_TYPES: &[&str] = &["text", "hybrid", "semantic"];

pub(super) const TOOL: Tool = Tool {
    name: "search_doc",
    title: "Search documentation",
    description: "Search the chunks of the indexed documentation: by exact words and operators \
        (`text`, the default), or in plain language (`hybrid`, `semantic`). Words match whatever \
        their case and accents, never by stem: `route` does not find `routing`, so widen with \
        `rout*` or `route OR routing`, or use `hybrid`. Punctuation separates words, and \
        adjacent pieces stay together: `MP-BGP` and `v1.2.3` need no quotes. Returns a short \
        snippet, place and score per chunk, best first; read the text with read_doc and the \
        result's `path` and `chunk_number`, or browse with list_doc where you want names, not \
        contents. Snippets are cheap: raise `limit` rather than paging, as every page is sent \
        again on each later turn. `interpreted_as` is present when the pattern was read other \
        than literally or was relaxed to any of its words. An unknown category or file is an \
        error with the near names; a pattern that cannot be read is an error that says how to \
        write it; no match is an empty list.",
    kind: Kind::Docs,
    effect: Effect::Reads,
    pace: Pace::Index,
    parameters: &[
        Parameter {
            name: "pattern",
            shape: Shape::Text,
            required: true,
            description: "What to find. With `search_type` `text`: the query language of \
                SQLite FTS5. Words, all of which must occur (`BGP OSPF`), \"exact phrases\", \
                upper-case AND, OR, NOT, parentheses, prefixes (`config*`), `NEAR(bgp ospf, 5)`, \
                `^first` word of a column. Words are looked for in the text and the section; \
                `title: guide`, `path: cisco`, `{title path}: x`, `-text: x` name other columns of \
                `text`, `section`, `title`, `path`. With `hybrid` or `semantic`: plain language, \
                no operators.",
        },
        Parameter {
            name: "category",
            shape: Shape::Text,
            required: false,
            description: "Only this category, as list_categories names it.",
        },
        Parameter {
            name: "subcategory",
            shape: Shape::Text,
            required: false,
            description: "Only this subcategory and those below it (`cisco` also means \
                `cisco/aci`).",
        },
        Parameter {
            name: "file_name",
            shape: Shape::Text,
            required: false,
            description: "Only this document: its name with or without extension, or a result's \
                `path`. Also lifts the rule that one document shows at most 3 chunks before \
                others get their turn.",
        },
        Parameter {
            name: "offset",
            shape: Shape::Integer { minimum: 0, maximum: u32::MAX, default: Some(0) },
            required: false,
            description: "How many of the best matches to skip: `next_offset` of the page before.",
        },
        limit(
            None,
            "Results per page. Left out: the configured page size, 5 unless set otherwise.",
        ),
        Parameter {
            name: "search_type",
            shape: Shape::Choice { values: SEARCH_TYPES, default: "text" },
            required: false,
            description: "How `pattern` is matched. `text`: exact words and operators; use it \
                for names, codes and phrases. `hybrid`: plain language, by words and meaning; \
                use it for questions. `semantic`: by meaning alone; may find chunks that share \
                no word with the pattern.",
        },
    ],
    output: &[
        ("results", Type::List(&Type::Object(RESULT)), "One page, best first."),
        (
            "next_offset",
            Type::OrNull("integer"),
            "Pass as `offset` for the next page; null at the end.",
        ),
        ("total", Type::Integer, "How many chunks can be paged through."),
        (
            "interpreted_as",
            Type::Optional(&Type::Text),
            "How the pattern was read, where that is not what it says literally.",
        ),
        INDEX,
    ],
    call,
};

const RESULT: Fields = &[
    ("category", Type::Text, "First folder; the library's name for a file in its root."),
    ("subcategory", Type::OrNull("string"), "The folders below, joined with `/`, if any."),
    ("file_name", Type::Text, "Name of the document without its extension."),
    ("chunk_number", Type::Integer, "Pass in `chunk_numbers` or as `around` to read_doc."),
    ("page_start", Type::OrNull("integer"), "First page, in formats with pages."),
    ("page_end", Type::OrNull("integer"), "Last page, in formats with pages."),
    ("section", Type::Text, "Breadcrumb of headings; may be empty."),
    ("score", Type::Number, "Larger is better; comparable within one search only."),
    ("snippet", Type::Text, "Best part of the chunk: hits as `**…**`, cuts as `…`."),
    ("path", Type::Text, "The document, relative to its library; unambiguous as `file_name`."),
    ("lines", Type::OrNull("string"), "Lines of the chunk in the document, as `12-40`."),
];

fn call(faces: &Faces, mut arguments: Arguments) -> Result<Answer, Box<FaceError>> {
    let request = SearchDoc {
        pattern: arguments.required_text("pattern"),
        category: arguments.text("category"),
        subcategory: arguments.text("subcategory"),
        file_name: arguments.text("file_name"),
        offset: arguments.integer("offset").unwrap_or_default() as usize,
        limit: arguments.integer("limit").map(|limit| limit as usize),
        search_type: match arguments.text("search_type").as_deref() {
            Some("hybrid") => SearchType::Hybrid,
            Some("semantic") => SearchType::Semantic,
            _ => SearchType::Text,
        },
    };
    Answer::of(&faces.search_doc(&request)?)
}
