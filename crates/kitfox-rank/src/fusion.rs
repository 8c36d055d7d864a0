//! One score from two legs.

use kitfox_core::Candidate;

/// What each leg gives a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Legs {
    /// The share of the words.
    pub words: f32,
    /// The share of the meaning.
    pub meaning: f32,
}

impl Legs {
    /// The fused score, between 0 and 1.
    pub fn total(self) -> f32 {
        self.words + self.meaning
    }
}

/// The shares of each candidate's fused score, in their order: `weight·(cos+1)/(best cos+1)` of the
/// meaning and `(1−weight)·bm25/best bm25` of the words.
///
/// Each leg is scaled by its own best, so that neither needs to know the other's range and scores
/// do not change from page to page. Where only one leg found anything, its scaled score is the
/// whole score. Where both did, a candidate without a vector gets 0 for meaning.
pub fn fuse(candidates: &[Candidate], weight: f32) -> Vec<Legs> {
    let best_words = candidates.iter().map(|c| c.bm25).fold(0.0, f32::max);
    let best_meaning = candidates.iter().filter_map(|c| c.cosine).reduce(f32::max);
    let words = |c: &Candidate| if best_words > 0.0 { c.bm25 / best_words } else { 0.0 };
    let Some(best_meaning) = best_meaning else {
        let alone = |c| Legs { words: words(c), meaning: 0.0 };
        return candidates.iter().map(alone).collect();
    };
    let weight = if best_words > 0.0 { weight } else { 1.0 };
    let legs = |c: &Candidate| Legs {
        words: (1.0 - weight) * words(c),
        meaning: weight * scaled(c.cosine, best_meaning),
    };
    candidates.iter().map(legs).collect()
}

fn scaled(cosine: Option<f32>, best: f32) -> f32 {
    match cosine {
        Some(cosine) if best > -1.0 => (cosine + 1.0) / (best + 1.0),
        _ => 0.0,
    }
}

/// Positions by score, best first. Equal scores keep their order: candidates come by group and
/// number, so ties are ordered that way.
pub fn order(scores: &[f32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    order
}

#[cfg(test)]
mod tests {
    use kitfox_core::Address;

    use super::*;

    #[track_caller]
    fn check(legs: &[(f32, Option<f32>)], expected: &[f32]) {
        let candidates: Vec<Candidate> = legs
            .iter()
            .map(|&(bm25, cosine)| Candidate {
                address: Address { segment: 0, document: 0 },
                group: "a".into(),
                number: 0,
                bm25,
                cosine,
                marks: Vec::new(),
            })
            .collect();
        let found: Vec<f32> = fuse(&candidates, 0.7).into_iter().map(Legs::total).collect();
        let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(near && found.len() == expected.len(), "{found:?} is not {expected:?}");
    }

    #[test]
    fn legs_are_scaled_by_their_best() {
        check(&[(4.0, Some(1.0)), (2.0, Some(0.0))], &[1.0, 0.5]);
        check(&[(4.0, None), (2.0, None)], &[1.0, 0.5]);
        check(&[(0.0, Some(1.0)), (0.0, Some(-1.0))], &[1.0, 0.0]);
        check(&[(4.0, None), (0.0, Some(0.3))], &[0.3, 0.7]);
        check(&[(0.0, Some(-1.0))], &[0.0]);
        check(&[], &[]);
    }

    #[test]
    fn ties_keep_their_order() {
        assert_eq!(order(&[0.5, 0.9, 0.5]), [1, 0, 2]);
    }
}
