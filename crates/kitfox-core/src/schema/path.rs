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

/// The keys a path consists of: what [`field_path`] was given.
pub fn field_keys(path: &str) -> Vec<String> {
    let mut keys = vec![String::new()];
    let mut characters = path.chars();
    while let Some(c) = characters.next() {
        match c {
            '.' => keys.push(String::new()),
            // A backslash at the end escapes nothing.
            '\\' => keys.last_mut().into_iter().for_each(|key| key.extend(characters.next())),
            c => keys.last_mut().into_iter().for_each(|key| key.push(c)),
        }
    }
    keys
}

/// Appends a key, escaped; the dot before it is the caller's.
pub fn push_key(path: &mut String, key: &str) {
    for c in key.chars() {
        if matches!(c, '.' | '\\') {
            path.push('\\');
        }
        path.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::{field_keys, field_path};

    #[test]
    fn different_keys_have_different_paths() {
        let check = |keys: &[&str], expected| {
            assert_eq!(field_path(keys.iter().copied()), expected, "path of {keys:?}");
            assert_eq!(field_keys(expected), keys, "keys of {expected:?}");
        };
        check(&["author", "name"], "author.name");
        check(&["author.name"], r"author\.name");
        check(&[r"a\", "b"], r"a\\.b");
        check(&["", "a"], ".a");
        check(&[""], "");
    }
}
