//! One row of word pieces through a BERT model in the binary.
//!
//! The models of the binary share the vocabulary of the built-in table and run one row at a time: activations are made
//! whole numbers by a scale over all that goes in together, so that in company a figure would depend on the company.

use rten::{Model, ModelOptions, NodeId, ValueOrView};
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

/// Word pieces of a row, marks included; what is longer is cut.
pub(crate) const MAX_PIECES: usize = 128;
/// `[CLS]` and `[SEP]` in the vocabulary of the uncased BERT models.
pub(crate) const START: i32 = 101;
pub(crate) const END: i32 = 102;

/// A model with the inputs `input_ids`, `attention_mask` and `token_type_ids`.
pub(crate) struct Bert {
    model: Model,
    inputs: [NodeId; 3],
}

impl Bert {
    /// Reads an ONNX file; says what it lacks.
    pub(crate) fn load(bytes: &'static [u8]) -> Result<Self, String> {
        // Packed once: a row at a time, every run would otherwise spend half of its time on packing the same weights.
        let model = ModelOptions::with_all_ops().prepack_weights(true).load_static_slice(bytes);
        let model = model.map_err(|error| error.to_string())?;
        let node = |name: &str| model.find_node(name).ok_or_else(|| format!("it has no {name}"));
        let inputs = [node("input_ids")?, node("attention_mask")?, node("token_type_ids")?];
        Ok(Self { model, inputs })
    }

    /// An output by its name.
    pub(crate) fn output(&self, name: &str) -> Result<NodeId, String> {
        self.model.find_node(name).ok_or_else(|| format!("it has no {name}"))
    }

    /// The numbers of some outputs for one row, of which the second part begins at `second_at`. Fails with the
    /// runtime's cause.
    pub(crate) fn run<const N: usize>(
        &self,
        row: &[i32],
        second_at: usize,
        outputs: [NodeId; N],
    ) -> Result<[Vec<f32>; N], String> {
        let shape = [1, row.len()];
        let at = |column: usize| row.get(column).copied().unwrap_or(END);
        let ids = NdTensor::<i32, 2>::from_fn(shape, |[_, column]| at(column));
        let mask = NdTensor::<i32, 2>::from_fn(shape, |_| 1);
        let types =
            NdTensor::<i32, 2>::from_fn(shape, |[_, column]| i32::from(column >= second_at));
        let [id, masked, kind] = self.inputs;
        let inputs: Vec<(NodeId, ValueOrView<'_>)> = vec![
            (id, ids.view().into()),
            (masked, mask.view().into()),
            (kind, types.view().into()),
        ];
        let found = self.model.run_n(inputs, outputs, None).map_err(|error| error.to_string())?;
        let mut numbers = [const { Vec::new() }; N];
        for (numbers, value) in numbers.iter_mut().zip(found) {
            *numbers =
                value.into_tensor::<f32>().ok_or_else(|| "it gave no numbers".to_owned())?.to_vec();
        }
        Ok(numbers)
    }
}
