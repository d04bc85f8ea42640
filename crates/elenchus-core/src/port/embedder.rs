//! Texts to vectors.

use super::PortFuture;

/// Why texts could not be embedded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("could not embed {texts} texts with {embedder}: {cause}")]
pub struct EmbedFailure {
    /// The embedder's id.
    pub embedder: String,
    /// How many texts were asked for.
    pub texts: usize,
    /// What went wrong.
    pub cause: String,
    /// Whether nobody above is to ask again: it would fail again, or whoever asked has tried again already.
    pub permanent: bool,
}

/// Turns texts into unit vectors.
///
/// Idempotent: the same id and text give the same vector, so results may be cached by both. An empty
/// text gives the zero vector. Any number of texts may be passed; the adapter batches.
pub trait Embedder: Send + Sync {
    /// Names model, version and size. A different id means that vectors cannot be compared.
    fn id(&self) -> &str;
    /// Length of every vector.
    fn dimensions(&self) -> usize;
    /// One vector a text, in order, each of length 1 (or 0 for a text without a known word).
    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> PortFuture<'a, Result<Vec<Vec<f32>>, EmbedFailure>>;
}
