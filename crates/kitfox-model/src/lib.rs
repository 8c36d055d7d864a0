//! The built-in static embedding model, compiled into the program.
//!
//! A static model is a table: one vector a token. This crate holds the table, the vocabulary that
//! turns words into tokens, and nothing of what is done with them; see `MODEL_CARD.md` for what
//! the model was trained on and what it is good for.
//!
//! Invariant: the table and the words of the vocabulary stay in the program's image. Loading
//! builds an index of them, not a copy, so the pages are shared between processes.

mod vocabulary;
mod weights;

pub use vocabulary::{Token, Vocabulary};
pub use weights::{ModelError, Weights};

/// Names the built-in weights and vocabulary; vectors of different fingerprints do not compare.
/// Ends in the beginning of the BLAKE3 hash of the two files.
pub const FINGERPRINT: &str = "kitfox-first-256-d659c8f1";

/// How many tokens of a text the model was trained to read; later ones are left out.
pub const MAX_TOKENS: usize = 400;

/// The cosine up to which texts may have nothing to do with one another. Of 3 million random pairs of a
/// question and a Python function about four in five lie below; half lie below .06 and 19 in 20 below
/// .23. Pairs of one field of knowledge lie higher.
pub const FLOOR: f32 = 0.15;

static WEIGHTS: &[u8] = include_bytes!("../data/model.safetensors");
static WORDS: &str = include_str!("../data/vocab.txt");

/// Loads the built-in model: a few milliseconds, so callers keep the result.
///
/// # Errors
/// Only when the files compiled in do not belong together, which the tests of this crate rule out.
pub fn load() -> Result<Weights, ModelError> {
    Weights::parse(WEIGHTS, WORDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_model_loads() {
        let weights = load().expect("the committed files are valid");
        assert_eq!(weights.dimension, 256);
        assert_eq!(weights.vocabulary.len(), 32_000);
        assert_eq!(weights.rows.len(), 32_000 * 256);
        assert_eq!(weights.scales.len(), 32_000);
        assert!(weights.scales.iter().all(|scale| scale.is_finite() && *scale >= 0.0));
    }

    #[test]
    fn the_fingerprint_is_that_of_the_data() {
        let mut hasher = blake3::Hasher::new();
        hasher.update(WEIGHTS);
        hasher.update(WORDS.as_bytes());
        let hash = hasher.finalize().to_hex();
        assert_eq!(FINGERPRINT, format!("kitfox-first-256-{}", &hash[..8]));
    }
}
