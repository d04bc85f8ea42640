//! The built-in embedder behind core's `Embedder` port.

use super::StaticEmbedder;
use elenchus_core::port::{EmbedFailure, Embedder, PortFuture};

/// The table in the binary, as a port.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltinEmbedder;

impl Embedder for BuiltinEmbedder {
    fn id(&self) -> &str {
        StaticEmbedder::builtin().id()
    }

    fn dimensions(&self) -> usize {
        StaticEmbedder::builtin().dimensions()
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> PortFuture<'a, Result<Vec<Vec<f32>>, EmbedFailure>> {
        Box::pin(async move {
            Ok(texts.iter().map(|text| StaticEmbedder::builtin().embed_text(text)).collect())
        })
    }
}
