//! Every key of `kitfox.toml`, declared once: errors and help come from these tables.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use kitfox_faces::limits;

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
    /// One or more `[[tables]]`.
    Sources,
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
        value: ValueType::Sources,
        default: "none",
        sentence: "A code project each.",
    },
    Key {
        name: "docs",
        value: ValueType::Sources,
        default: "none",
        sentence: "A library of documentation each.",
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

impl ValueType {
    /// What the value must be, in words.
    pub fn expected(&self) -> String {
        match self {
            ValueType::Text => "a string that is not empty".to_owned(),
            ValueType::Number(range) => {
                format!("a whole number from {} to {}", range.start(), range.end())
            }
            ValueType::Sources => "one or more `[[tables]]` with `name` and `path`".to_owned(),
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
    text.push_str(
        "\n  Example:\n    [[code]]\n    name = \"server\"\n    path = \"src\"\n\n    [[docs]]\n    \
         name = \"handbook\"\n    path = \"docs\"\n\n  Without a config file the current folder is \
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
    use super::*;

    #[test]
    fn the_defaults_told_are_those_that_hold() {
        let told = |name: &str| find(TOP, name).map(|key| key.default.to_owned());
        let limits = kitfox_faces::Settings::default();
        assert_eq!(told("max_search_results"), Some(limits.max_search_results.to_string()));
        assert_eq!(told("max_chunks_per_read"), Some(limits.max_chunks_per_read.to_string()));
        assert_eq!(told("chunk_size"), Some(kitfox_extract::Sizes::DOCS.max.to_string()));
    }
}
