//! The kinds of definitions: a closed list, so that one can be asked for by name.

/// Every kind a definition in code can have, those listed in outlines only included.
pub const KINDS: &[&str] = &[
    "class",
    "constant",
    "element",
    "enum",
    "extension",
    "function",
    "impl",
    "index",
    "interface",
    "macro",
    "method",
    "module",
    "namespace",
    "property",
    "rule",
    "section",
    "struct",
    "table",
    "test",
    "trait",
    "type",
    "variant",
    "view",
];

/// Whether a kind of unit holds members, so that its header can stand alone.
pub(super) fn is_container(kind: &str) -> bool {
    is_type(kind) || matches!(kind, "module" | "namespace")
}

/// Whether functions in a kind of unit are methods.
pub(super) fn is_type(kind: &str) -> bool {
    matches!(
        kind,
        "impl" | "extension" | "class" | "trait" | "interface" | "enum" | "variant" | "struct"
    )
}

/// Whether a kind of unit only repeats a name that is defined elsewhere: a member tells more.
pub(super) fn is_reopened(kind: &str) -> bool {
    matches!(kind, "impl" | "extension" | "namespace")
}

/// Whether what is defined in a kind of unit is local to it.
pub(super) fn is_routine(kind: &str) -> bool {
    matches!(kind, "function" | "method" | "test")
}
