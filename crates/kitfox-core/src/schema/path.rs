//! Keys to paths.

/// The path of the value that these keys lead to: the keys joined by dots. A dot or backslash within
/// a key is escaped by a backslash, so that different keys never share a path.
pub fn field_path<'a>(keys: impl IntoIterator<Item = &'a str>) -> String {
    let mut path = String::new();
    for (number, key) in keys.into_iter().enumerate() {
        if number > 0 {
            path.push('.');
        }
        push_key(&mut path, key);
    }
    path
}

/// Appends a key, escaped.
pub(super) fn push_key(path: &mut String, key: &str) {
    for c in key.chars() {
        if matches!(c, '.' | '\\') {
            path.push('\\');
        }
        path.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::field_path;

    #[test]
    fn different_keys_have_different_paths() {
        let check = |keys: &[&str], expected| {
            assert_eq!(field_path(keys.iter().copied()), expected, "path of {keys:?}");
        };
        check(&["author", "name"], "author.name");
        check(&["author.name"], r"author\.name");
        check(&[r"a\", "b"], r"a\\.b");
        check(&["", "a"], ".a");
        check(&[""], "");
    }
}
