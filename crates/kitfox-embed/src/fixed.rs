//! Embedding by a table of token vectors.

use std::cell::RefCell;

use kitfox_core::Text;
use kitfox_model::{Token, Weights};

use crate::Embedder;

/// Raise when the same weights give other vectors.
const ENCODING: u32 = 1;

/// The sum of the vectors of a text's distinct tokens, each weighted by 1 + ln(occurrences).
///
/// How much a token matters is in the length of its vector, so there is no table of weights.
/// Words are tokenized each time: most are one token, so a cache of their tokens is one look-up in
/// place of another. Measured on Rust sources, it was slower by parts and saved a tenth by words.
#[derive(Debug)]
pub struct StaticEmbedder {
    weights: Weights,
    fingerprint: String,
    max_tokens: usize,
    floor: f32,
}

/// Buffers kept from one text to the next.
#[derive(Default)]
struct Scratch {
    tokens: Vec<Token>,
    part: Vec<u8>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl StaticEmbedder {
    /// An embedder over `weights`, which `model` names; it reads the first `max_tokens` tokens of
    /// a text, and the cosines of texts that have nothing to do with one another reach `floor`.
    pub fn new(weights: Weights, model: &str, max_tokens: usize, floor: f32) -> StaticEmbedder {
        let fingerprint = format!("{model}/{ENCODING}");
        StaticEmbedder { weights, fingerprint, max_tokens, floor }
    }

    fn tokenize(&self, pieces: &[&Text], scratch: &mut Scratch) {
        scratch.tokens.clear();
        let words =
            pieces.iter().flat_map(|text| text.words().iter().map(move |word| (text, word)));
        for part in words.flat_map(|(text, word)| text.parts(word)) {
            if scratch.tokens.len() >= self.max_tokens {
                break;
            }
            lower_case(part, &mut scratch.part);
            self.weights.vocabulary.tokenize(&scratch.part, &mut scratch.tokens);
        }
        scratch.tokens.truncate(self.max_tokens);
    }

    /// The unit vector of tokens, which get sorted.
    fn sum(&self, tokens: &mut [Token]) -> Option<Vec<f32>> {
        if !tokens.iter().any(|&token| self.weights.vocabulary.is_readable(token)) {
            return None;
        }
        tokens.sort_unstable();
        let mut sum = vec![0.0; self.weights.dimension];
        for same in tokens.chunk_by(|a, b| a == b) {
            let token = same[0];
            let weight = self.weights.scales[token as usize] * damped(same.len());
            add(&mut sum, self.weights.row(token), weight);
        }
        normalise(sum)
    }
}

impl Embedder for StaticEmbedder {
    fn dimension(&self) -> usize {
        self.weights.dimension
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn floor(&self) -> f32 {
        self.floor
    }

    fn embed(&self, pieces: &[&Text]) -> Option<Vec<f32>> {
        SCRATCH.with_borrow_mut(|scratch| {
            self.tokenize(pieces, scratch);
            self.sum(&mut scratch.tokens)
        })
    }
}

fn lower_case(part: &str, into: &mut Vec<u8>) {
    into.clear();
    if part.is_ascii() {
        into.extend(part.bytes().map(|byte| byte.to_ascii_lowercase()));
        return;
    }
    for lower in part.chars().flat_map(char::to_lowercase) {
        into.extend_from_slice(lower.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

/// The weight of a token that occurs `count` times.
fn damped(count: usize) -> f32 {
    if count == 1 { 1.0 } else { 1.0 + (count as f32).ln() }
}

#[inline]
fn add(sum: &mut [f32], row: &[i8], weight: f32) {
    for (component, &value) in sum.iter_mut().zip(row) {
        *component += weight * f32::from(value);
    }
}

/// None for a vector without a direction.
fn normalise(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    let length = vector.iter().map(|component| component * component).sum::<f32>().sqrt();
    if length < 1e-9 {
        return None;
    }
    vector.iter_mut().for_each(|component| *component /= length);
    Some(vector)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::built_in;

    fn embed(pieces: &[&str]) -> Option<Vec<f32>> {
        let texts: Vec<Text> = pieces.iter().map(|piece| Text::new(*piece)).collect();
        built_in().embed(&texts.iter().collect::<Vec<_>>())
    }

    fn alike(a: &str, b: &str) -> f32 {
        let (a, b) = (embed(&[a]).expect("readable"), embed(&[b]).expect("readable"));
        a.iter().zip(&b).map(|(a, b)| a * b).sum()
    }

    /// The beginning of a vector, computed from the same weights by a separate implementation.
    #[track_caller]
    fn check(text: &str, beginning: [f32; 8]) {
        let vector = embed(&[text]).expect("readable");
        for (found, expected) in vector.iter().zip(beginning) {
            assert!((found - expected).abs() < 1e-4, "{text:?} begins {:?}", &vector[..8]);
        }
        let length: f32 = vector.iter().map(|component| component * component).sum();
        assert!((length - 1.0).abs() < 1e-5, "{text:?} has length² {length}");
    }

    #[test]
    fn vectors_are_those_of_the_reference() {
        check(
            "parse json",
            [-0.05379, 0.09003, 0.03324, 0.0772, -0.0883, -0.27575, 0.08483, -0.03722],
        );
        check(
            "HTTPServer2 listens on port_8080",
            [-0.00384, -0.15909, -0.18891, -0.00575, 0.0915, -0.14768, -0.05875, 0.04569],
        );
        check(
            "fn read_to_string(path: &Path) -> io::Result<String> \
             { let mut file = File::open(path)?; read(path, path) }",
            [0.07935, -0.09248, 0.07275, 0.09635, -0.01995, -0.32232, 0.07683, -0.28599],
        );
        check(
            "Größe des Cafés, naïve quuxification",
            [-0.07895, -0.0233, 0.11864, -0.0835, 0.05172, 0.07891, 0.04443, 0.14962],
        );
    }

    #[test]
    fn only_the_first_tokens_are_read() {
        check(
            &format!("the cat and the dog and the {}unseen", "very ".repeat(500)),
            [-0.02708, -0.01869, -0.07219, -0.18555, 0.03343, -0.09871, -0.03976, 0.1324],
        );
    }

    #[test]
    fn what_cannot_be_read_has_no_vector() {
        assert_eq!(embed(&[]), None);
        assert_eq!(embed(&[""]), None);
        assert_eq!(embed(&["-- !"]), None);
        assert_eq!(embed(&["検索する"]), None);
        assert_eq!(embed(&["بحث"]), None);
        assert!(embed(&["検索する", "search"]).is_some());
    }

    #[test]
    fn pieces_are_one_text() {
        assert_eq!(embed(&["parse", "json"]), embed(&["parse json"]));
    }

    #[test]
    fn like_meanings_lie_close() {
        assert!(alike("parse json", "decode JSON text") > alike("parse json", "open a window"));
    }

    #[test]
    fn the_fingerprint_names_model_and_encoding() {
        assert_eq!(built_in().fingerprint(), format!("{}/{ENCODING}", kitfox_model::FINGERPRINT));
        assert_eq!(built_in().dimension(), 256);
    }
}
