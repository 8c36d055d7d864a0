//! The nearest known name, for errors that teach.

/// The up to `limit` names of `known` nearest to `wanted`, best first: names that contain it or are
/// contained in it come first, then those by Damerau-Levenshtein distance up to a third of the
/// longer name.
pub fn nearest<'a>(
    wanted: &str,
    known: impl IntoIterator<Item = &'a str>,
    limit: usize,
) -> Vec<&'a str> {
    let folded = crate::fold(wanted);
    let mut scored: Vec<(usize, &str)> = known
        .into_iter()
        .filter_map(|name| distance(&folded, &crate::fold(name)).map(|distance| (distance, name)))
        .collect();
    scored.sort();
    scored.dedup();
    scored.into_iter().take(limit).map(|(_, name)| name).collect()
}

fn distance(wanted: &str, name: &str) -> Option<usize> {
    if wanted.is_empty() || name.is_empty() {
        return None;
    }
    if wanted == name {
        return Some(0);
    }
    let edits = strsim::damerau_levenshtein(wanted, name);
    if edits * 3 <= wanted.chars().count().max(name.chars().count()) {
        return Some(edits);
    }
    (name.contains(wanted) || wanted.contains(name)).then_some(edits)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_names_come_best_first() {
        let known = ["data_dir", "code", "docs", "cisco/aci"];
        assert_eq!(nearest("data_dri", known, 3), ["data_dir"]);
        assert_eq!(nearest("cisco-aci", known, 3), ["cisco/aci"]);
        assert_eq!(nearest("DOC", known, 3), ["docs"]);
        assert!(nearest("zzzz", known, 3).is_empty());
    }
}
