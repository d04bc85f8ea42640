//! How the parts of a score are mixed.

/// Weights of a fused score. The lexical part is BM25 over the best of the search, the dense part the cosine of the
/// query and the nearest piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// Weight of BM25.
    pub lexical: f32,
    /// Weight of the cosine.
    pub dense: f32,
    /// How much of each part of the better one of the two texts beside it in its thread is added.
    pub beside: f32,
    /// Without a word in common, a text fits from this cosine on.
    pub least_cosine: f32,
    /// Saturation of term frequency in BM25.
    pub k1: f32,
    /// Weight of length in BM25.
    pub b: f32,
}

impl Default for Blend {
    fn default() -> Self {
        Self { lexical: 0.5, dense: 0.5, beside: 0.5, least_cosine: 0.25, k1: 0.6, b: 0.3 }
    }
}
