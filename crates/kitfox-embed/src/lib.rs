//! Embedders: what a text means, as a unit vector.
//!
//! Texts arrive already cut into words, so that words and meaning are read from the same cut.
//! This crate knows vectors and nothing of where they are kept.

mod fixed;

use std::sync::{Arc, LazyLock};

use kitfox_core::Text;

pub use fixed::StaticEmbedder;

/// Turns texts into vectors whose inner product tells how alike the texts are in meaning.
///
/// Queries and documents are embedded the same way.
pub trait Embedder: Send + Sync {
    /// Components a vector.
    fn dimension(&self) -> usize;

    /// Names the model and everything else that decides the vectors; those of different
    /// fingerprints do not compare.
    fn fingerprint(&self) -> &str;

    /// The cosine up to which two texts may have nothing to do with one another: what the most alike
    /// of random pairs reach.
    fn floor(&self) -> f32;

    /// The unit vector of one text given in pieces, such as a heading and a body; a model that
    /// reads a limited length reads the first pieces first. None if the model can read nothing
    /// of it: no words, or only words of a script it does not know.
    fn embed(&self, pieces: &[&Text]) -> Option<Vec<f32>>;
}

/// The embedder over the model compiled in; loaded at the first call, then shared.
pub fn built_in() -> Arc<dyn Embedder> {
    static BUILT_IN: LazyLock<Arc<StaticEmbedder>> = LazyLock::new(|| {
        let weights = kitfox_model::load().expect("kitfox-model tests that its files load");
        let (name, tokens) = (kitfox_model::FINGERPRINT, kitfox_model::MAX_TOKENS);
        Arc::new(StaticEmbedder::new(weights, name, tokens, kitfox_model::FLOOR))
    });
    BUILT_IN.clone()
}
