//! Spreading results over files.

use std::collections::HashMap;
use std::hash::Hash;

/// A position in the candidates and its score after diversity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// Position in the candidates.
    pub index: usize,
    /// What it is ordered by.
    pub score: f32,
    /// What its own score was multiplied by.
    pub factor: f32,
}

/// Multiplies each further passage of a group by `factor` once more (the second by `factor`, the
/// third by its square) and orders anew; equal scores keep their order. `order` is best first and
/// `scores` are not negative.
pub fn diversify<G: Eq + Hash>(
    order: &[usize],
    scores: &[f32],
    group_of: impl Fn(usize) -> G,
    factor: f32,
) -> Vec<Ranked> {
    let mut next: HashMap<G, f32> = HashMap::new();
    let mut ranked: Vec<Ranked> = order
        .iter()
        .map(|&index| {
            let next = next.entry(group_of(index)).or_insert(1.0);
            let own = std::mem::replace(next, *next * factor);
            Ranked { index, score: scores[index] * own, factor: own }
        })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    ranked
}

/// Orders in rounds: first the best `turn` of each group, then the next `turn` of each, and so on;
/// within a round the given order stands. One total order, so pages of it never overlap.
pub fn take_turns<G: Eq + Hash>(
    order: &[usize],
    group_of: impl Fn(usize) -> G,
    turn: usize,
) -> Vec<usize> {
    let mut seen: HashMap<G, usize> = HashMap::new();
    let mut rounds: Vec<(usize, usize)> = order
        .iter()
        .map(|&index| {
            let count = seen.entry(group_of(index)).or_insert(0);
            let round = *count / turn.max(1);
            *count += 1;
            (round, index)
        })
        .collect();
    rounds.sort_by_key(|&(round, _)| round);
    rounds.into_iter().map(|(_, index)| index).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_passages_of_a_file_count_less() {
        let groups = ["a", "a", "a", "b", "b"];
        let scores = [1.0, 0.9, 0.8, 0.5, 0.4];
        let ranked = diversify(&[0, 1, 2, 3, 4], &scores, |i| groups[i], 0.5);
        let found: Vec<(usize, f32)> = ranked.iter().map(|r| (r.index, r.score)).collect();
        assert_eq!(found, [(0, 1.0), (3, 0.5), (1, 0.45), (2, 0.2), (4, 0.2)]);
    }

    #[test]
    fn documents_take_turns() {
        let groups = ["a", "a", "a", "a", "b", "a", "b"];
        let turns = take_turns(&[0, 1, 2, 3, 4, 5, 6], |i| groups[i], 3);
        assert_eq!(turns, [0, 1, 2, 4, 6, 3, 5]);
        let turns = take_turns(&[0, 1, 2, 3, 4], |i| groups[i], 1);
        assert_eq!(turns, [0, 4, 1, 2, 3]);
    }
}
