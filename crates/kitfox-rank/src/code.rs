//! The ranking of code: what its names and its place tell, on top of words and meaning.

mod query;
mod roles;
mod terms;

use std::collections::HashMap;

use kitfox_core::{Candidate, Place};

use crate::constants::code as constants;
use crate::{Legs, Reasons, fuse};

pub use query::{CodeQuery, QueryKind};
use roles::Roles;
pub use roles::is_test_file;
use terms::Finder;

/// The file of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileOf {
    /// Tells it from the files of other candidates; counted from 0.
    pub number: usize,
    /// Whether it is of a code source: only there are some files lowered.
    pub is_code: bool,
}

/// Scores candidates, `files` being theirs in the same order. The most promising are looked into:
/// `places` gives what is stored of them by their positions.
///
/// # Errors
/// Those of `places`.
pub fn rank_code<E>(
    query: &CodeQuery,
    candidates: &[Candidate],
    files: &[FileOf],
    places: impl FnOnce(&[usize]) -> Result<Vec<Place>, E>,
) -> Result<Vec<Reasons>, E> {
    let mut finder = Finder::new(&query.terms);
    let mut reasons = by_path(query, candidates, files, &mut finder);
    let pool = best(&reasons, constants::POOL);
    for (&at, place) in pool.iter().zip(places(&pool)?) {
        look_into(query, &place, &mut finder, &mut reasons[at]);
    }
    raise_coherent(files, &mut reasons);
    Ok(reasons)
}

fn by_path(
    query: &CodeQuery,
    candidates: &[Candidate],
    files: &[FileOf],
    finder: &mut Finder<'_>,
) -> Vec<Reasons> {
    let weight = match query.kind {
        QueryKind::Symbol => constants::MEANING_OF_SYMBOL,
        QueryKind::Plain => constants::MEANING,
    };
    let mut known: HashMap<FileOf, Reasons> = HashMap::new();
    let legs = fuse(candidates, weight);
    let scored = candidates.iter().zip(files).zip(legs);
    scored
        .map(|((candidate, file), legs)| {
            let of_file = known
                .entry(*file)
                .or_insert_with(|| of_file(query, &candidate.group, *file, finder));
            Reasons { legs, ..*of_file }
        })
        .collect()
}

/// What the path of a file tells.
fn of_file(query: &CodeQuery, path: &str, file: FileOf, finder: &mut Finder<'_>) -> Reasons {
    let lower = path.to_lowercase();
    let is_given = |given: &String| {
        lower
            .strip_suffix(given.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    let is_meant = !file.is_code || Roles::of(path).within(query.asked);
    Reasons {
        file_name: if finder.says_all_of(stem(path)) { constants::FILE_NAME } else { 0.0 },
        file_path: if query.paths.iter().any(is_given) { constants::FILE_PATH } else { 0.0 },
        aside: if is_meant { 1.0 } else { constants::ASIDE },
        ..Reasons::from(Legs::default())
    }
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split_once('.').map_or(name, |(stem, _)| stem)
}

/// The positions of the best, in their order.
fn best(reasons: &[Reasons], most: usize) -> Vec<usize> {
    let scores: Vec<f32> = reasons.iter().map(Reasons::alone).collect();
    let mut best = crate::order(&scores);
    best.truncate(most);
    best
}

/// What the names of a passage tell.
fn look_into(query: &CodeQuery, place: &Place, finder: &mut Finder<'_>, reasons: &mut Reasons) {
    reasons.symbol_path = constants::SYMBOL_PATH * finder.share_in(&place.section);
    if query.identifiers.contains(&place.name.to_lowercase()) {
        let of_type = if is_type(&place.kind) { constants::DEFINES_TYPE } else { 0.0 };
        reasons.defines = constants::DEFINES + of_type;
    }
}

fn is_type(kind: &str) -> bool {
    matches!(
        kind,
        "class" | "struct" | "trait" | "interface" | "enum" | "module" | "type" | "namespace"
    )
}

/// Raises the best passage of each file by how much of the file was found.
fn raise_coherent(files: &[FileOf], reasons: &mut [Reasons]) {
    let mut sums: HashMap<usize, (f32, usize)> = HashMap::new();
    for (at, (file, own)) in files.iter().zip(reasons.iter()).enumerate() {
        let (sum, best) = sums.entry(file.number).or_insert((0.0, at));
        *sum += own.alone();
        if own.alone() > reasons[*best].alone() {
            *best = at;
        }
    }
    let most = sums.values().map(|(sum, _)| *sum).fold(0.0, f32::max);
    for (sum, best) in sums.into_values().filter(|_| most > 0.0) {
        reasons[best].coherence = 1.0 + constants::COHERENCE * sum / most;
    }
}
