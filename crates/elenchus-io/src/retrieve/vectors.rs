//! Vectors of passages: who makes them and how they are kept.

use crate::embed::{SentenceEncoder, StaticEmbedder};
use elenchus_core::port::EmbedFailure;
use rayon::prelude::*;
use std::sync::Arc;

/// What the index needs of an embedder. Unlike core's `Embedder` port it is synchronous and may weight
/// word pieces by how rare they are in the corpus.
pub trait TextVectors: Send + Sync {
    /// Names the vector space; one that differs from the index's asks for all passages to be embedded again.
    fn id(&self) -> &str;
    /// Numbers per vector.
    fn dimensions(&self) -> usize;
    /// Whether it is in the binary, so that embedding a corpus again costs nobody anything worth asking for.
    fn is_builtin(&self) -> bool {
        false
    }
    /// The pieces whose weights matter; empty when the embedder weighs by itself.
    fn pieces<'a>(&'a self, text: &str) -> Vec<&'a str>;
    /// Unit vectors (or zeros), one a text. `weight` gets each piece.
    ///
    /// # Errors
    /// When the model behind it fails.
    fn embed(
        &self,
        texts: &[&str],
        weight: &(dyn Fn(&str) -> f32 + Sync),
    ) -> Result<Vec<Vec<f32>>, EmbedFailure>;
    /// The unit vector of a single word, for finding its neighbours in meaning.
    fn word_vector(&self, word: &str) -> Option<Vec<f32>>;
}

/// From so many texts on, all cores embed them.
const MANY: usize = 64;

impl TextVectors for &'static StaticEmbedder {
    fn id(&self) -> &str {
        StaticEmbedder::id(self)
    }

    fn dimensions(&self) -> usize {
        StaticEmbedder::dimensions(self)
    }

    fn is_builtin(&self) -> bool {
        true
    }

    fn pieces<'a>(&'a self, text: &str) -> Vec<&'a str> {
        StaticEmbedder::pieces(self, text)
    }

    fn embed(
        &self,
        texts: &[&str],
        weight: &(dyn Fn(&str) -> f32 + Sync),
    ) -> Result<Vec<Vec<f32>>, EmbedFailure> {
        // A text takes some microseconds, so that few are done before others could begin.
        if texts.len() < MANY {
            return Ok(texts.iter().map(|text| self.embed_weighted(text, weight)).collect());
        }
        Ok(texts.par_iter().map(|text| self.embed_weighted(text, weight)).collect())
    }

    fn word_vector(&self, word: &str) -> Option<Vec<f32>> {
        StaticEmbedder::word_vector(self, word)
    }
}

/// Reads word order and weighs by itself, so weights and word neighbours are not asked of it.
#[cfg(feature = "onnx")]
impl TextVectors for crate::embed::OnnxEmbedder {
    fn id(&self) -> &str {
        crate::embed::OnnxEmbedder::id(self)
    }

    fn dimensions(&self) -> usize {
        crate::embed::OnnxEmbedder::dimensions(self)
    }

    fn pieces<'a>(&'a self, _: &str) -> Vec<&'a str> {
        Vec::new()
    }

    fn embed(
        &self,
        texts: &[&str],
        _: &(dyn Fn(&str) -> f32 + Sync),
    ) -> Result<Vec<Vec<f32>>, EmbedFailure> {
        crate::embed::OnnxEmbedder::embed(self, texts).map_err(|error| EmbedFailure {
            embedder: crate::embed::OnnxEmbedder::id(self).to_owned(),
            texts: texts.len(),
            cause: error.to_string(),
            // The same computation fails in the same way.
            permanent: true,
        })
    }

    fn word_vector(&self, _: &str) -> Option<Vec<f32>> {
        None
    }
}

/// Reads word order and weighs by itself, so weights and word neighbours are not asked of it.
impl TextVectors for &'static SentenceEncoder {
    fn id(&self) -> &'static str {
        SentenceEncoder::ID
    }

    fn dimensions(&self) -> usize {
        SentenceEncoder::DIMENSIONS
    }

    fn is_builtin(&self) -> bool {
        true
    }

    fn pieces<'a>(&'a self, _: &str) -> Vec<&'a str> {
        Vec::new()
    }

    fn embed(
        &self,
        texts: &[&str],
        _: &(dyn Fn(&str) -> f32 + Sync),
    ) -> Result<Vec<Vec<f32>>, EmbedFailure> {
        texts
            .iter()
            .map(|text| self.vector(text).map(|vector| vector.to_vec()))
            .collect::<Result<_, _>>()
            .map_err(|cause| EmbedFailure {
                embedder: SentenceEncoder::ID.to_owned(),
                texts: texts.len(),
                cause,
                permanent: true,
            })
    }

    fn word_vector(&self, _: &str) -> Option<Vec<f32>> {
        None
    }
}

/// The sentence encoder in the binary: it knows paraphrases and costs some milliseconds a text.
///
/// # Errors
/// Why it cannot be used, if it cannot.
pub fn sentence_vectors() -> Result<Arc<dyn TextVectors>, &'static str> {
    SentenceEncoder::builtin().map(|encoder| Arc::new(encoder) as Arc<dyn TextVectors>)
}

/// The embedder in the binary.
pub fn builtin_vectors() -> Arc<dyn TextVectors> {
    Arc::new(StaticEmbedder::builtin())
}

/// Lets an embedder's failure pass through functions that otherwise fail with SQLite;
/// `CorpusError::sqlite` takes it apart again.
pub(super) fn embed_fault(failure: EmbedFailure) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(Box::new(failure))
}

/// Bump when passages are embedded from other text or with other weights.
const RECIPE: &str = "1";

/// How the vectors of an index are made: by which embedder, from what.
pub(super) fn recipe(vectors: Option<&dyn TextVectors>) -> String {
    format!("{RECIPE} {}", vectors.map_or("none", TextVectors::id))
}

/// A unit vector in one byte a number, and what one step of the byte is worth.
pub(crate) fn quantise(vector: &[f32]) -> (Vec<i8>, f32) {
    let most = vector.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
    if most == 0.0 {
        return (vec![0; vector.len()], 0.0);
    }
    let step = most / 127.0;
    (vector.iter().map(|x| (x / step).round() as i8).collect(), step)
}

/// Scalar product of two quantised vectors of equal length, in steps. Sums of sixteen-bit products over
/// blocks of fixed length are what compilers turn into vector instructions.
pub(crate) fn dot(a: &[i8], b: &[i8]) -> i32 {
    let mut sums = [0_i32; 16];
    let (a_blocks, a_rest) = a.as_chunks::<16>();
    let (b_blocks, b_rest) = b.as_chunks::<16>();
    for (x, y) in a_blocks.iter().zip(b_blocks) {
        for lane in 0..16 {
            sums[lane] += i32::from(i16::from(x[lane]) * i16::from(y[lane]));
        }
    }
    let rest: i32 = a_rest.iter().zip(b_rest).map(|(x, y)| i32::from(*x) * i32::from(*y)).sum();
    sums.iter().sum::<i32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn quantised_cosines_are_close(a in prop::collection::vec(-1.0_f32..1.0, 40), b in prop::collection::vec(-1.0_f32..1.0, 40)) {
            let unit = |v: &[f32]| -> Vec<f32> {
                let length = v.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-6);
                v.iter().map(|x| x / length).collect()
            };
            let (a, b) = (unit(&a), unit(&b));
            let exact: f32 = a.iter().zip(&b).map(|(x, y)| x * y).sum();
            let ((qa, sa), (qb, sb)) = (quantise(&a), quantise(&b));
            prop_assert!((dot(&qa, &qb) as f32 * sa * sb - exact).abs() < 0.02);
        }
    }

    #[test]
    fn a_vector_of_zeros_stays_zero() {
        assert_eq!(quantise(&[0.0; 4]), (vec![0; 4], 0.0));
    }
}
