//! The nearest known name, for errors that teach.

/// The up to `limit` names of `known` nearest to `wanted`, best first, by the edits that lead from
/// one to the other (neighbours exchanged are one): names that contain it or are contained in it,
/// and those up to a third of the longer name away.
pub fn nearest<'a>(
    wanted: &str,
    known: impl IntoIterator<Item = &'a str>,
    limit: usize,
) -> Vec<&'a str> {
    let wanted = Wanted::new(wanted);
    let mut best: Vec<(usize, &str)> = Vec::new();
    for name in known {
        let most = best.last().filter(|_| best.len() >= limit).map_or(usize::MAX, |worst| worst.0);
        let Some(distance) = wanted.distance(&crate::fold(name), most) else { continue };
        if let Err(at) = best.binary_search(&(distance, name)) {
            best.insert(at, (distance, name));
            best.truncate(limit);
        }
    }
    best.into_iter().map(|(_, name)| name).collect()
}

/// What a name is compared with.
struct Wanted {
    folded: String,
    letters: Letters,
}

impl Wanted {
    fn new(name: &str) -> Wanted {
        let folded = crate::fold(name);
        Wanted { letters: Letters::of(&folded), folded }
    }

    /// The edits to a folded name, if it is near and they are not more than `most`.
    fn distance(&self, name: &str, most: usize) -> Option<usize> {
        if self.folded.is_empty() || name.is_empty() {
            return None;
        }
        let letters = Letters::of(name);
        let holds = name.contains(&self.folded) || self.folded.contains(name);
        let near = if holds { most } else { most.min(self.letters.all.max(letters.all) / 3) };
        // Among the hundred thousand paths of a project nearly all end here.
        if self.letters.least_edits(&letters) > near {
            return None;
        }
        Some(strsim::osa_distance(&self.folded, name)).filter(|edits| *edits <= near)
    }
}

/// How often each letter occurs in a name; letters share 64 counts.
struct Letters {
    counts: [u16; 64],
    all: usize,
}

impl Letters {
    fn of(name: &str) -> Letters {
        let mut letters = Letters { counts: [0; 64], all: 0 };
        for letter in name.chars() {
            let count = &mut letters.counts[letter as usize % 64];
            *count = count.saturating_add(1);
            letters.all += 1;
        }
        letters
    }

    /// Fewer edits than this lead from no name with these letters to one with the others: an edit
    /// takes one letter away and adds another at most.
    fn least_edits(&self, others: &Letters) -> usize {
        let (mut missing, mut extra) = (0, 0);
        for (own, other) in self.counts.iter().zip(&others.counts) {
            missing += usize::from(other.saturating_sub(*own));
            extra += usize::from(own.saturating_sub(*other));
        }
        missing.max(extra)
    }
}

#[cfg(test)]
mod tests {
    use super::{Letters, nearest};

    #[test]
    fn near_names_come_best_first() {
        let known = ["data_dir", "code", "docs", "cisco/aci"];
        assert_eq!(nearest("data_dri", known, 3), ["data_dir"]);
        assert_eq!(nearest("cisco-aci", known, 3), ["cisco/aci"]);
        assert_eq!(nearest("DOC", known, 3), ["docs"]);
        assert!(nearest("zzzz", known, 3).is_empty());
        assert!(nearest("", known, 3).is_empty());
        assert_eq!(
            nearest("dacs", ["dac", "docs", "dacs", "dads", "dac"], 3),
            ["dacs", "dac", "dads"]
        );
        assert_eq!(nearest("größe", ["grosse", "grösse", "große"], 1), ["große"]);
        assert!(nearest("code", known, 0).is_empty());
    }

    #[test]
    fn letters_never_tell_of_more_edits_than_there_are() {
        let names = ["", "a", "ab", "ba", "src/lib.rs", "src/bil.rs", "crs", "größe", "aaaa"];
        for (left, right) in names.iter().flat_map(|l| names.iter().map(move |r| (l, r))) {
            let least = Letters::of(left).least_edits(&Letters::of(right));
            assert!(least <= strsim::osa_distance(left, right), "{left} {right}");
        }
        assert_eq!(Letters::of("abc").least_edits(&Letters::of("abcdd")), 2);
    }
}
