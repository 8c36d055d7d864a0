//! What the captures of a query file are for.

/// What a capture is for; see [`super::languages`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Unit { kind: &'static str, member: bool, level: Option<u8> },
    Name,
    Scope,
    Body,
    Rest,
    Comment,
    Attribute,
    Doc,
    Wrapper,
    Wrapped,
    Group,
    Grouped,
    Predicate,
}

impl Role {
    /// Whether a pattern is about what has this role, rather than that it tells more of it.
    pub fn is_sought(self) -> bool {
        use Role::{Attribute, Comment, Doc, Grouped, Unit, Wrapped};
        matches!(self, Unit { .. } | Comment | Attribute | Doc | Wrapped | Grouped)
    }
}

/// What a capture of this name is for; none if its kind is not known.
pub(super) fn role(capture: &str) -> Option<Role> {
    let known = |kind: &str| super::kinds::KINDS.iter().find(|known| **known == kind).copied();
    let unit = |kind, member, level| Some(Role::Unit { kind: known(kind)?, member, level });
    match capture {
        "name" => Some(Role::Name),
        "scope" => Some(Role::Scope),
        "body" => Some(Role::Body),
        "rest" => Some(Role::Rest),
        "comment" => Some(Role::Comment),
        "attribute" => Some(Role::Attribute),
        "doc" => Some(Role::Doc),
        "wrapper" => Some(Role::Wrapper),
        "wrapped" => Some(Role::Wrapped),
        "group" => Some(Role::Group),
        "grouped" => Some(Role::Grouped),
        _ if capture.starts_with('_') => Some(Role::Predicate),
        _ => match capture.split_once('.') {
            Some(("member", kind)) => unit(kind, true, None),
            Some((kind, level)) => unit(kind, false, Some(level.parse().ok()?)),
            None => unit(capture, false, None),
        },
    }
}
