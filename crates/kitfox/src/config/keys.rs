//! Every key of `kitfox.toml`, declared once: errors and help come from these tables.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use kitfox_core::{FieldType, Weight};
use kitfox_faces::limits;
use kitfox_sync::FORMATS;

/// A key a config file may hold.
pub struct Key {
    /// The key as typed.
    pub name: &'static str,
    /// What its value must be.
    pub value: ValueType,
    /// What holds where it is left out; empty where it must not be.
    pub default: &'static str,
    /// One sentence.
    pub sentence: &'static str,
}

/// What a value must be.
pub enum ValueType {
    /// A string that is not empty.
    Text,
    /// A whole number in this range.
    Number(RangeInclusive<usize>),
    /// True or false.
    Flag,
    /// A list of strings that are not empty.
    Texts,
    /// One of these.
    Choice(fn() -> Vec<&'static str>),
    /// A table for each field.
    Fields,
    /// One or more `[[tables]]` with a name and this key.
    Sources(&'static str),
}

/// Keys at the top of the file.
pub const TOP: &[Key] = &[
    Key {
        name: "data_dir",
        value: ValueType::Text,
        default: "a folder of its own in the user's cache directory",
        sentence: "The folder that holds the indexes.",
    },
    Key {
        name: "max_search_results",
        value: ValueType::Number(1..=limits::RESULTS),
        default: "5",
        sentence: "Hits on one page of a documentation search.",
    },
    Key {
        name: "max_chunks_per_read",
        value: ValueType::Number(1..=limits::CHUNKS),
        default: "5",
        sentence: "Chunks one call may read from a document.",
    },
    Key {
        name: "chunk_size",
        value: ValueType::Number(200..=20_000),
        default: "2000",
        sentence: "Longest chunk of a documentation file, in characters; changing it indexes anew.",
    },
    Key {
        name: "code",
        value: ValueType::Sources("path"),
        default: "none",
        sentence: "A code project each.",
    },
    Key {
        name: "docs",
        value: ValueType::Sources("path"),
        default: "none",
        sentence: "A library of documentation each.",
    },
    Key {
        name: "records",
        value: ValueType::Sources("source"),
        default: "none",
        sentence: "A collection of records each.",
    },
];

/// Keys of a `[[code]]` or `[[docs]]` table.
pub const SOURCE: &[Key] = &[
    Key {
        name: "name",
        value: ValueType::Text,
        default: "",
        sentence: "What the source is called: letters, digits, `.`, `_` and `-`.",
    },
    Key {
        name: "path",
        value: ValueType::Text,
        default: "",
        sentence: "Its folder, relative to the config file.",
    },
];

/// Keys of a `[[records]]` table.
pub const RECORDS: &[Key] = &[
    Key {
        name: "name",
        value: ValueType::Text,
        default: "",
        sentence: "What the collection is called: letters, digits, `.`, `_` and `-`.",
    },
    Key {
        name: "source",
        value: ValueType::Text,
        default: "required, but where it is `writable`",
        sentence: "The file with its records, relative to the config file.",
    },
    Key {
        name: "writable",
        value: ValueType::Flag,
        default: "false",
        sentence: "Whether agents write its records, which kitfox then keeps; needs a `schema`, has no `source`.",
    },
    Key {
        name: "format",
        value: ValueType::Choice(formats),
        default: "by the extension of the file",
        sentence: "How the file is read.",
    },
    Key {
        name: "key",
        value: ValueType::Text,
        default: "`id`, `_id`, `key`, `uuid` or `slug`, else made from the content",
        sentence: "The field that tells records apart.",
    },
    Key {
        name: "schema",
        value: ValueType::Text,
        default: "what the records show",
        sentence: "A file with the JSON Schema records must fit, relative to the config file.",
    },
    Key {
        name: "description",
        value: ValueType::Text,
        default: "nothing",
        sentence: "What the collection holds, for the agents that search it.",
    },
    Key {
        name: "locales",
        value: ValueType::Texts,
        default: "none",
        sentence: "The locales of localized fields, the default first.",
    },
    Key {
        name: "max_text_chars",
        value: ValueType::Number(20..=1_000_000),
        default: "2000",
        sentence: "Longest text that lists of records show, in characters.",
    },
    Key {
        name: "parent",
        value: ValueType::Text,
        default: "none",
        sentence: "The collection its records belong to, one record each.",
    },
    Key {
        name: "parent_field",
        value: ValueType::Text,
        default: "`<parent>_id`",
        sentence: "The field with the key of the record above.",
    },
    Key {
        name: "created_at",
        value: ValueType::Text,
        default: "when kitfox first saw the record",
        sentence: "The field that tells when a record was made.",
    },
    Key {
        name: "updated_at",
        value: ValueType::Text,
        default: "when kitfox last saw the record changed",
        sentence: "The field that tells when a record was last changed.",
    },
    Key {
        name: "fields",
        value: ValueType::Fields,
        default: "what the records show",
        sentence: "What is said of fields: [records.fields.<path>], quoted where the path has dots.",
    },
];

/// Keys of a `[records.fields.<path>]` table.
pub const FIELD: &[Key] = &[
    Key {
        name: "type",
        value: ValueType::Choice(types),
        default: "what all values have in common",
        sentence: "What its values are.",
    },
    Key {
        name: "filterable",
        value: ValueType::Flag,
        default: "true, but for texts of over 255 characters",
        sentence: "Whether filters and facets know it.",
    },
    Key {
        name: "sortable",
        value: ValueType::Flag,
        default: "as `filterable`",
        sentence: "Whether records can be ordered by it.",
    },
    Key {
        name: "searchable",
        value: ValueType::Flag,
        default: "true for texts",
        sentence: "Whether its words are found.",
    },
    Key {
        name: "vectorized",
        value: ValueType::Flag,
        default: "true for titles and longer texts",
        sentence: "Whether its meaning is found.",
    },
    Key {
        name: "localized",
        value: ValueType::Flag,
        default: "false",
        sentence: "Whether it is an object with a value for each locale.",
    },
    Key {
        name: "reference",
        value: ValueType::Text,
        default: "none",
        sentence: "The collection whose keys it holds.",
    },
    Key {
        name: "weight",
        value: ValueType::Choice(weights),
        default: "normal",
        sentence: "How much its words count.",
    },
    Key {
        name: "private",
        value: ValueType::Flag,
        default: "false",
        sentence: "Whether it is dropped before anything is indexed.",
    },
    Key {
        name: "description",
        value: ValueType::Text,
        default: "nothing",
        sentence: "What it means, for the agents that search it.",
    },
];

fn formats() -> Vec<&'static str> {
    FORMATS.iter().map(|format| format.name).collect()
}

fn types() -> Vec<&'static str> {
    FieldType::ALL.iter().map(|each| each.name()).collect()
}

fn weights() -> Vec<&'static str> {
    Weight::ALL.iter().map(|(name, _)| *name).collect()
}

impl ValueType {
    /// What the value must be, in words.
    pub fn expected(&self) -> String {
        match self {
            ValueType::Text => "a string that is not empty".to_owned(),
            ValueType::Number(range) => {
                format!("a whole number from {} to {}", range.start(), range.end())
            }
            ValueType::Flag => "true or false".to_owned(),
            ValueType::Texts => "a list of strings that are not empty".to_owned(),
            ValueType::Choice(names) => format!("one of {}", names().join(", ")),
            ValueType::Fields => "a table for each field, by its path".to_owned(),
            ValueType::Sources(key) => format!("one or more `[[tables]]` with `name` and `{key}`"),
        }
    }
}

/// The key of this name.
pub fn find<'a>(table: &'a [Key], name: &str) -> Option<&'a Key> {
    table.iter().find(|key| key.name == name)
}

/// The config file explained, for `kitfox --help`.
pub fn help() -> String {
    let mut text = String::from("Config file (kitfox.toml in the current folder, or --config):\n");
    for key in TOP {
        describe(&mut text, key.name, key);
    }
    for key in SOURCE {
        describe(&mut text, &format!("[[code]] / [[docs]] {}", key.name), key);
    }
    for key in RECORDS {
        describe(&mut text, &format!("[[records]] {}", key.name), key);
    }
    for key in FIELD {
        describe(&mut text, &format!("[records.fields.<path>] {}", key.name), key);
    }
    text.push_str(
        "\n  Example:\n    [[code]]\n    name = \"server\"\n    path = \"src\"\n\n    [[docs]]\n    \
         name = \"handbook\"\n    path = \"docs\"\n\n    [[records]]\n    name = \"products\"\n    \
         source = \"products.jsonl\"\n\n  Without a config file the current folder is \
         served: its code as a project,\n  its documents as a library.\n",
    );
    text
}

fn describe(text: &mut String, name: &str, key: &Key) {
    let expected = key.value.expected();
    let default = match key.default {
        "" => "required".to_owned(),
        default => format!("default: {default}"),
    };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "  {name}\n      {}\n      {expected}; {default}", key.sentence);
}

#[cfg(test)]
mod tests {
    use kitfox_sync::CollectionConfig;

    use super::*;

    #[test]
    fn the_defaults_told_are_those_that_hold() {
        let told = |name: &str| find(TOP, name).map(|key| key.default.to_owned());
        let limits = kitfox_faces::Settings::default();
        assert_eq!(told("max_search_results"), Some(limits.max_search_results.to_string()));
        assert_eq!(told("max_chunks_per_read"), Some(limits.max_chunks_per_read.to_string()));
        let told_of_records = find(RECORDS, "max_text_chars").map(|key| key.default.to_owned());
        assert_eq!(told_of_records, Some(CollectionConfig::MAX_TEXT_CHARS.to_string()));
        assert_eq!(told("chunk_size"), Some(kitfox_extract::Sizes::DOCS.max.to_string()));
    }
}
