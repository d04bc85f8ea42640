//! Entailment models from a folder, as `--verifier onnx:DIR` takes them.
//!
//! [`folder`] knows which files belong to a model and whether they are those that were pulled; the verifier itself
//! needs the feature `onnx`.

#[cfg(feature = "onnx")]
mod classifier;
pub mod download;
mod error;
pub mod folder;
#[cfg(feature = "onnx")]
mod labels;
#[cfg(feature = "onnx")]
mod pieces;
#[cfg(test)]
#[cfg(feature = "onnx")]
mod tests;
#[cfg(feature = "onnx")]
mod verifier;
#[cfg(feature = "onnx")]
mod windows;

pub use error::NliError;
#[cfg(feature = "onnx")]
pub use verifier::NliVerifier;
