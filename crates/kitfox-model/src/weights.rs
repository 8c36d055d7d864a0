//! The table of token vectors.

use safetensors::{Dtype, SafeTensorError, SafeTensors};
use thiserror::Error;

use crate::vocabulary::{Token, Vocabulary};

/// Why model files cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// Not a safetensors file, or a tensor is missing from it.
    #[error("the weights cannot be read")]
    Unreadable(#[from] SafeTensorError),
    /// A tensor has another type or shape than the model's.
    #[error("tensor {tensor:?} must be {expected}")]
    Tensor { tensor: &'static str, expected: &'static str },
    /// The vocabulary has another number of words than the table has rows.
    #[error("{words} words for {rows} rows")]
    Words { words: usize, rows: usize },
    /// The vocabulary cannot say that a word is unknown.
    #[error("the vocabulary has no [UNK]")]
    NoUnknown,
}

/// One vector a token, as bytes with a scale a row, and the vocabulary that numbers the tokens.
#[derive(Debug)]
pub struct Weights {
    /// Components a vector.
    pub dimension: usize,
    /// All vectors one after the other, by token.
    pub rows: &'static [i8],
    /// What the components of each row are multiplied by.
    pub scales: Vec<f32>,
    /// The tokens.
    pub vocabulary: Vocabulary,
}

impl Weights {
    /// Reads a safetensors file with `embeddings` (I8, tokens × dimension) and `scales` (F32,
    /// tokens), and a vocabulary of one word a line.
    ///
    /// # Errors
    /// When a file is malformed or the two do not fit together.
    pub fn parse(weights: &'static [u8], words: &'static str) -> Result<Weights, ModelError> {
        let tensors = SafeTensors::deserialize(weights)?;
        let embeddings = tensors.tensor("embeddings")?;
        let (Dtype::I8, &[count, dimension]) = (embeddings.dtype(), embeddings.shape()) else {
            let expected = "I8 of two dimensions";
            return Err(ModelError::Tensor { tensor: "embeddings", expected });
        };
        let scales = tensors.tensor("scales")?;
        if scales.dtype() != Dtype::F32 || scales.shape() != [count] {
            let expected = "F32, one a row";
            return Err(ModelError::Tensor { tensor: "scales", expected });
        }
        let vocabulary = Vocabulary::parse(words).ok_or(ModelError::NoUnknown)?;
        if vocabulary.len() != count {
            return Err(ModelError::Words { words: vocabulary.len(), rows: count });
        }
        let rows = bytemuck::cast_slice(embeddings.data());
        Ok(Weights { dimension, rows, scales: floats(scales.data()), vocabulary })
    }

    /// The unscaled vector of a token of this vocabulary.
    ///
    /// # Panics
    /// When the token is not one of [`Weights::vocabulary`].
    #[inline]
    pub fn row(&self, token: Token) -> &'static [i8] {
        let start = token as usize * self.dimension;
        &self.rows[start..start + self.dimension]
    }
}

/// Little-endian floats at any alignment.
fn floats(bytes: &[u8]) -> Vec<f32> {
    let (chunks, _) = bytes.as_chunks::<4>();
    chunks.iter().map(|chunk| f32::from_le_bytes(*chunk)).collect()
}
