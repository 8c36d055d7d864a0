//! The names that code mentions.

/// A name in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mention<'t> {
    pub name: &'t str,
    /// What it is a part of, as in `io::Result` or `self.run`; empty where that is no name, as in
    /// `f().run`.
    pub of: Option<&'t str>,
}

/// The names in the lines of a text that are no comments by themselves: prose names things by
/// chance.
pub(super) fn mentions(text: &str) -> impl Iterator<Item = Mention<'_>> {
    text.lines().filter(|line| !is_comment(line)).flat_map(in_line)
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "/*", "* ", "# ", "-- "].iter().any(|mark| line.starts_with(mark))
}

fn in_line(line: &str) -> impl Iterator<Item = Mention<'_>> {
    let (mut rest, mut before) = (line, "");
    std::iter::from_fn(move || {
        let (gap, from) = rest.split_at(rest.find(is_of_name)?);
        let (name, after) = from.split_at(from.find(|c| !is_of_name(c)).unwrap_or(from.len()));
        let is_part = [".", "::", "->"].iter().any(|mark| gap.ends_with(mark));
        let of = match gap {
            "." | "::" | "->" => Some(before),
            // A range or a spread: `0..COUNT`, `...rest`.
            _ if gap.ends_with("..") => None,
            _ => is_part.then_some(""),
        };
        (rest, before) = (after, name);
        Some(Mention { name, of })
    })
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::{Mention, mentions};

    #[track_caller]
    fn check(text: &str, expected: &[(&str, Option<&str>)]) {
        let found: Vec<_> = mentions(text).map(|Mention { name, of }| (name, of)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn names_are_read_with_what_they_are_parts_of() {
        check("fn a_b(c: D)", &[("fn", None), ("a_b", None), ("c", None), ("D", None)]);
        check("a::B.c", &[("a", None), ("B", Some("a")), ("c", Some("B"))]);
        check("a->b", &[("a", None), ("b", Some("a"))]);
        check("a().b", &[("a", None), ("b", Some(""))]);
        check("0..N", &[("0", None), ("N", None)]);
        check("{ ...rest }", &[("rest", None)]);
        check("größe", &[("größe", None)]);
        check("  // a\n# b\n/* c\n -- d\n", &[]);
    }
}
