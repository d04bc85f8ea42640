//! The ONNX sentence encoder behind core's `Embedder` port.

use elenchus_core::port::{EmbedFailure, Embedder, PortFuture};
use elenchus_io::embed::OnnxEmbedder;
use std::sync::Arc;

/// A sentence encoder that the index uses too: it is loaded once.
pub(crate) struct Onnx(pub(crate) Arc<OnnxEmbedder>);

impl Embedder for Onnx {
    fn id(&self) -> &str {
        self.0.id()
    }

    fn dimensions(&self) -> usize {
        self.0.dimensions()
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> PortFuture<'a, Result<Vec<Vec<f32>>, EmbedFailure>> {
        Box::pin(async move {
            let plain: Vec<&str> = texts.iter().map(String::as_str).collect();
            OnnxEmbedder::embed(&self.0, &plain).map_err(|error| EmbedFailure {
                embedder: self.0.id().to_owned(),
                texts: texts.len(),
                cause: error.to_string(),
                // The same computation fails in the same way.
                permanent: true,
            })
        })
    }
}
