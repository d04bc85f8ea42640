//! Our own small cross-encoder: reads claim and evidence together and says supports, refutes or not enough.
//!
//! The file is made by `scripts/train_verifier.py`; what it was trained on and how it did stands in the model card
//! beside it.

use crate::embed::StaticEmbedder;
use crate::embed::bert::{Bert, END, MAX_PIECES, START};
use rten::NodeId;
use std::sync::OnceLock;

static FILE: &[u8] = include_bytes!("../../assets/cross_encoder.onnx");

/// Word pieces of a claim.
const CLAIM_PIECES: usize = 48;
/// P(supports), P(refutes), P(not enough).
pub type Classes = [f64; 3];

/// The model, loaded.
pub struct CrossEncoder {
    model: Bert,
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
        BUILTIN.get_or_init(|| Self::load(FILE)).as_ref().map_err(String::as_str)
    }

    /// A model from a file of the same make, for measuring it before it ships. Its bytes are kept as long as the program
    /// runs.
    ///
    /// # Errors
    /// When the file cannot be read or is no such model.
    pub fn from_file(path: &std::path::Path) -> Result<&'static Self, String> {
        let bytes = std::fs::read(path)
            .map_err(|error| format!("could not read {}: {error}", path.display()))?;
        Ok(Box::leak(Box::new(Self::load(bytes.leak())?)))
    }

    fn load(bytes: &'static [u8]) -> Result<Self, String> {
        let model = Bert::load(bytes)?;
        let logits = model.output("logits")?;
        Ok(Self { model, logits })
    }

    /// One figure a pair of a claim and up to three sentences of evidence, best sentence first with their places in
    /// the document. Fails as a whole, with the cause.
    pub fn classify(&self, pairs: &[(&str, Vec<(usize, &str)>)]) -> Result<Vec<Classes>, String> {
        pairs.iter().map(|(claim, evidence)| self.run(&encode(claim, evidence))).collect()
    }

    fn run(&self, pair: &Encoded) -> Result<Classes, String> {
        let [logits] = self.model.run(&pair.ids, pair.evidence_at, [self.logits])?;
        let [row] = logits.as_chunks::<3>().0 else {
            return Err(format!("it answered {} figures for one pair", logits.len()));
        };
        Ok(softmax(row.map(f64::from)))
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
                ("The harbour received 40 robots in May.", evidence.clone()),
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
        // The same file under ONNX Runtime says 0.789, 0.165, 0.046 of the first: the two round whole-number
        // products differently.
        for (ours, reference) in said[0].iter().zip([0.789, 0.165, 0.046]) {
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
