//! The ONNX sentence encoder as the index and as the run know embedders.

use crate::error::Result;
use elenchus_core::port::{EmbedFailure, Embedder, PortFuture};
use elenchus_io::embed::OnnxEmbedder;
use elenchus_io::retrieve::TextVectors;
use std::path::Path;

/// A sentence encoder from a local folder.
pub(crate) struct Onnx(OnnxEmbedder);

impl Onnx {
    pub(crate) fn load(folder: &Path) -> Result<Self> {
        Ok(Self(OnnxEmbedder::load(folder)?))
    }
}

impl TextVectors for Onnx {
    fn id(&self) -> &str {
        self.0.id()
    }

    fn dimensions(&self) -> usize {
        self.0.dimensions()
    }

    /// The encoder weighs by itself.
    fn pieces<'a>(&'a self, _text: &str) -> Vec<&'a str> {
        Vec::new()
    }

    fn embed(&self, texts: &[&str], _weight: &dyn Fn(&str) -> f32) -> Vec<Vec<f32>> {
        // A text without a vector is still found by its words.
        self.0.embed(texts).unwrap_or_else(|_| vec![vec![0.0; self.0.dimensions()]; texts.len()])
    }

    fn word_vector(&self, word: &str) -> Option<Vec<f32>> {
        self.0.embed_one(word).ok()
    }
}

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
    ) -> PortFuture<'a, std::result::Result<Vec<Vec<f32>>, EmbedFailure>> {
        Box::pin(async move {
            let plain: Vec<&str> = texts.iter().map(String::as_str).collect();
            self.0.embed(&plain).map_err(|error| EmbedFailure {
                embedder: self.0.id().to_owned(),
                texts: texts.len(),
                cause: error.to_string(),
            })
        })
    }
}
