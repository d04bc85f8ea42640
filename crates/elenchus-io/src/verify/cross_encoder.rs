//! Our own small cross-encoder: reads claim and evidence together and says supports, refutes or not enough.
//!
//! The file is made by `scripts/train_verifier.py`; what it was trained on and how it did stands in the model card
//! beside it.

use crate::embed::StaticEmbedder;
use rten::{Model, NodeId, ValueOrView};
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;
use std::sync::OnceLock;

static FILE: &[u8] = include_bytes!("../../assets/cross_encoder.onnx");

/// Word pieces of a pair, marks included.
const MAX_PIECES: usize = 128;
/// Word pieces of a claim.
const CLAIM_PIECES: usize = 48;
/// `[CLS]` and `[SEP]` in the vocabulary of the uncased BERT models.
const START: i32 = 101;
const END: i32 = 102;
/// Pairs that go through the model together. One: activations are made whole numbers by a scale over the whole batch,
/// so that in company a figure would depend on the company, and the same pair must always give the same figure.
const BATCH: usize = 1;

/// P(supports), P(refutes), P(not enough).
pub type Classes = [f64; 3];

/// The model, loaded.
pub struct CrossEncoder {
    model: Model,
    ids: NodeId,
    mask: NodeId,
    types: NodeId,
    logits: NodeId,
}

/// Pieces of a pair with the place where the evidence begins.
struct Encoded {
    ids: Vec<i32>,
    evidence_at: usize,
}

impl CrossEncoder {
    /// The model in the binary, loaded at the first call; the reason why it cannot be used, if it cannot.
    pub fn builtin() -> Result<&'static Self, &'static str> {
        static BUILTIN: OnceLock<Result<CrossEncoder, String>> = OnceLock::new();
        BUILTIN.get_or_init(|| Self::load(FILE.to_vec())).as_ref().map_err(String::as_str)
    }

    fn load(bytes: Vec<u8>) -> Result<Self, String> {
        let model = Model::load(bytes).map_err(|error| error.to_string())?;
        let node = |name: &str| model.find_node(name).ok_or_else(|| format!("it has no {name}"));
        let (ids, mask) = (node("input_ids")?, node("attention_mask")?);
        let (types, logits) = (node("token_type_ids")?, node("logits")?);
        Ok(Self { model, ids, mask, types, logits })
    }

    /// One figure a pair of a claim and up to three sentences of evidence, best sentence first with their places in
    /// the document. Fails as a whole, with the cause.
    pub fn classify(&self, pairs: &[(&str, Vec<(usize, &str)>)]) -> Result<Vec<Classes>, String> {
        let mut encoded: Vec<(usize, Encoded)> =
            pairs.iter().map(|(claim, evidence)| encode(claim, evidence)).enumerate().collect();
        encoded.sort_by_key(|(place, pair)| (pair.ids.len(), *place));
        let mut found: Vec<(usize, Classes)> = Vec::with_capacity(pairs.len());
        for batch in encoded.chunks(BATCH) {
            let rows: Vec<&Encoded> = batch.iter().map(|(_, pair)| pair).collect();
            let classes = self.run(&rows)?;
            found.extend(batch.iter().map(|(place, _)| *place).zip(classes));
        }
        found.sort_by_key(|(place, _)| *place);
        Ok(found.into_iter().map(|(_, classes)| classes).collect())
    }

    fn run(&self, batch: &[&Encoded]) -> Result<Vec<Classes>, String> {
        let width = batch.iter().map(|pair| pair.ids.len()).max().unwrap_or(0);
        let shape = [batch.len(), width];
        let at = |row: usize, column: usize| {
            batch.get(row).and_then(|pair| pair.ids.get(column)).copied()
        };
        let ids = NdTensor::<i32, 2>::from_fn(shape, |[row, column]| at(row, column).unwrap_or(0));
        let mask = NdTensor::<i32, 2>::from_fn(shape, |[row, column]| {
            i32::from(at(row, column).is_some())
        });
        let types = NdTensor::<i32, 2>::from_fn(shape, |[row, column]| {
            i32::from(
                batch.get(row).is_some_and(|p| column >= p.evidence_at && column < p.ids.len()),
            )
        });
        let inputs: Vec<(NodeId, ValueOrView<'_>)> = vec![
            (self.ids, ids.view().into()),
            (self.mask, mask.view().into()),
            (self.types, types.view().into()),
        ];
        let [logits] =
            self.model.run_n(inputs, [self.logits], None).map_err(|error| error.to_string())?;
        let ([rows, classes], logits) =
            logits.into_shape_vec::<f32, 2>().map_err(|error| error.to_string())?;
        if rows != batch.len() || classes != 3 {
            return Err(format!(
                "it answered {rows} x {classes} figures for {} pairs",
                batch.len()
            ));
        }
        Ok(logits.as_chunks::<3>().0.iter().map(|row| softmax(row.map(f64::from))).collect())
    }
}

fn softmax(scores: [f64; 3]) -> Classes {
    let top = scores.iter().copied().fold(f64::MIN, f64::max);
    let powers = scores.map(|score| (score - top).exp());
    let sum: f64 = powers.iter().sum();
    powers.map(|power| power / sum)
}

/// `[CLS] claim [SEP] evidence [SEP]`: sentences are added whole, best first, while they fit (the very best is cut to
/// fit), and stand in the order of the document.
fn encode(claim: &str, evidence: &[(usize, &str)]) -> Encoded {
    let table = StaticEmbedder::builtin();
    let mut ids = vec![START];
    ids.extend(table.piece_ids(claim).into_iter().take(CLAIM_PIECES));
    ids.push(END);
    let evidence_at = ids.len();
    let mut room = MAX_PIECES - 1 - ids.len();
    let mut chosen: Vec<(usize, Vec<i32>)> = Vec::new();
    for (place, sentence) in evidence {
        let mut pieces = table.piece_ids(sentence);
        if chosen.is_empty() {
            pieces.truncate(room);
        }
        if !pieces.is_empty() && pieces.len() <= room {
            room -= pieces.len();
            chosen.push((*place, pieces));
        }
    }
    chosen.sort_by_key(|(place, _)| *place);
    ids.extend(chosen.into_iter().flat_map(|(_, pieces)| pieces));
    ids.push(END);
    Encoded { ids, evidence_at }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_in_the_binary_tells_the_classes_apart() {
        let model = CrossEncoder::builtin().expect("the model loads");
        let evidence = vec![(0, "The company sold 40 robots to the harbour in May.")];
        let said = model
            .classify(&[
                ("In May the harbour bought robots from the company.", evidence.clone()),
                ("The company did not sell any robots to the harbour.", evidence.clone()),
                ("A choir sang in the church.", evidence),
            ])
            .expect("the model runs");
        let best = |p: &Classes| (0..3).max_by(|a, b| p[*a].total_cmp(&p[*b]));
        assert_eq!(
            said.iter().map(best).collect::<Vec<_>>(),
            [Some(0), Some(1), Some(2)],
            "{said:?}"
        );
        // The same file under ONNX Runtime says 0.505, 0.377, 0.118 of the first: the two round whole-number
        // products differently.
        for (ours, reference) in said[0].iter().zip([0.505, 0.377, 0.118]) {
            assert!((ours - reference).abs() < 0.08, "{said:?}");
        }
    }

    #[test]
    fn any_text_is_read_and_alone_or_together_is_the_same() {
        let model = CrossEncoder::builtin().expect("the model loads");
        let long = "word ".repeat(2000);
        let texts = ["", "\u{1F600}", long.as_str(), "The pump holds 40 litres.", "\u{0}\u{202E}x"];
        let pairs: Vec<(&str, Vec<(usize, &str)>)> =
            texts.iter().map(|text| (*text, vec![(1, *text), (0, "It rained.")])).collect();
        let together = model.classify(&pairs).expect("the model runs");
        assert_eq!(together.len(), texts.len());
        for (pair, classes) in pairs.iter().zip(&together) {
            assert!((classes.iter().sum::<f64>() - 1.0).abs() < 1e-6);
            let alone = model.classify(std::slice::from_ref(pair)).expect("the model runs");
            assert_eq!(alone[0].map(f64::to_bits), classes.map(f64::to_bits));
        }
        assert!(model.classify(&[]).expect("nothing to do").is_empty());
    }
}
