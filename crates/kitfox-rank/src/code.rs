//! The ranking of code: what its names and its place tell, on top of words and meaning.

mod query;
mod roles;

use kitfox_core::Candidate;

use crate::constants::code as constants;
use crate::{CandidateFile, Reasons, fuse};

pub use query::{CodeQuery, QueryKind};
use roles::Roles;
pub use roles::is_test_file;

/// Scores candidates found with the [`CodeQuery::marks`] of a query. Every candidate belongs to one
/// of the files.
pub fn rank_code(
    query: &CodeQuery,
    candidates: &[Candidate],
    files: &[CandidateFile],
) -> Vec<Reasons> {
    let legs = fuse(candidates, query.meaning_weight());
    let mut reasons: Vec<Reasons> = legs.into_iter().map(Reasons::from).collect();
    for CandidateFile { candidates: range, is_code } in
        files.iter().filter(|f| !f.candidates.is_empty())
    {
        let place = Place::of(&candidates[range.start].group, *is_code, query);
        for (candidate, reasons) in
            candidates[range.clone()].iter().zip(&mut reasons[range.clone()])
        {
            reasons.defines = defines(candidate);
            place.tell(reasons);
        }
    }
    raise_coherent(files, &mut reasons);
    reasons
}

/// What the path of a file tells about all of its passages.
struct Place {
    file_name: f32,
    file_path: f32,
    aside: f32,
}

impl Place {
    fn of(path: &str, is_code: bool, query: &CodeQuery) -> Place {
        let is_meant = !is_code || Roles::of(path).within(query.asked);
        Place {
            file_name: if query.says(stem(path)) { constants::FILE_NAME } else { 0.0 },
            file_path: if query.gives(path) { constants::FILE_PATH } else { 0.0 },
            aside: if is_meant { 1.0 } else { constants::ASIDE },
        }
    }

    fn tell(&self, reasons: &mut Reasons) {
        let Place { file_name, file_path, aside } = *self;
        *reasons = Reasons { file_name, file_path, aside, ..*reasons };
    }
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split_once('.').map_or(name, |(stem, _)| stem)
}

/// What it adds that a passage meets [`CodeQuery::marks`].
fn defines(candidate: &Candidate) -> f32 {
    match candidate.marks[..] {
        [true, ..] => constants::DEFINES + constants::DEFINES_TYPE,
        [_, true, ..] => constants::DEFINES,
        _ => 0.0,
    }
}

/// Raises the best passage of each file by how much of the file was found.
fn raise_coherent(files: &[CandidateFile], reasons: &mut [Reasons]) {
    let sum = |file: &CandidateFile| -> f32 {
        reasons[file.candidates.clone()].iter().map(Reasons::score).sum()
    };
    let sums: Vec<f32> = files.iter().map(sum).collect();
    let most = sums.iter().copied().fold(0.0, f32::max);
    for (file, sum) in files.iter().zip(sums).filter(|_| most > 0.0) {
        let passages = reasons[file.candidates.clone()].iter_mut().rev();
        if let Some(best) = passages.max_by(|a, b| a.score().total_cmp(&b.score())) {
            best.coherence = 1.0 + constants::COHERENCE * sum / most;
        }
    }
}

#[cfg(test)]
mod tests {
    use kitfox_core::Address;

    use super::*;

    /// Ranks passages, given by path, BM25 and marks; one file follows another.
    fn ranked(query: &str, passages: &[(&str, f32, &[bool])]) -> Vec<(String, Reasons)> {
        let candidate = |&(path, bm25, marks): &(&str, f32, &[bool])| Candidate {
            address: Address { segment: 0, document: 0 },
            group: path.to_owned(),
            number: 0,
            bm25,
            cosine: None,
            marks: marks.to_owned(),
        };
        let candidates: Vec<Candidate> = passages.iter().map(candidate).collect();
        let mut end = 0;
        let files: Vec<CandidateFile> = candidates
            .chunk_by(|a, b| a.group == b.group)
            .map(|passages| {
                let start = end;
                end += passages.len();
                CandidateFile { candidates: start..end, is_code: true }
            })
            .collect();
        let reasons = rank_code(&CodeQuery::new(query), &candidates, &files);
        let paths = candidates.into_iter().map(|candidate| candidate.group);
        let mut ranked: Vec<_> = paths.zip(reasons).collect();
        ranked.sort_by(|a, b| b.1.score().total_cmp(&a.1.score()));
        ranked
    }

    #[track_caller]
    fn check(query: &str, passages: &[(&str, f32, &[bool])], expected: &[&str]) {
        let ranked = ranked(query, passages);
        let paths: Vec<&str> = ranked.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, expected, "{query}: {ranked:#?}");
    }

    #[test]
    fn names_and_places_outweigh_words() {
        check(
            "how are routes matched",
            &[("a.rs", 5.0, &[]), ("route.rs", 4.5, &[])],
            &["route.rs", "a.rs"],
        );
        check(
            "what is in b/c.rs",
            &[("a.rs", 5.0, &[]), ("b/c.rs", 3.0, &[])],
            &["b/c.rs", "a.rs"],
        );
        let defined: &[(&str, f32, &[bool])] = &[
            ("a.rs", 5.0, &[false, false]),
            ("b.rs", 4.5, &[false, true]),
            ("c.rs", 4.5, &[true, true]),
        ];
        check("Router", defined, &["c.rs", "b.rs", "a.rs"]);
    }

    #[test]
    fn tests_come_first_only_where_they_are_asked_for() {
        let passages: &[(&str, f32, &[bool])] = &[("a.rs", 4.0, &[]), ("tests/a.rs", 5.0, &[])];
        check("how is it parsed", passages, &["a.rs", "tests/a.rs"]);
        check("how is parsing tested by tests", passages, &["tests/a.rs", "a.rs"]);
    }

    #[test]
    fn the_best_passage_of_a_file_gains_by_the_others() {
        let passages: &[(&str, f32, &[bool])] =
            &[("a.rs", 5.0, &[]), ("b.rs", 4.9, &[]), ("b.rs", 4.0, &[])];
        check("how is it parsed", passages, &["b.rs", "a.rs", "b.rs"]);
        let best = &ranked("how is it parsed", passages)[0].1;
        assert_eq!(best.to_string(), "(words 0.980) × coherence 1.150");
    }

    #[test]
    fn nothing_is_ranked_where_nothing_was_found() {
        check("anything", &[], &[]);
    }
}
