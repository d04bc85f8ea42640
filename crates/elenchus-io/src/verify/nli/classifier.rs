//! An entailment model with its tokenizer: pairs of texts to probabilities.

use super::error::NliError;
use super::folder::{CONFIG, TOKENIZER, model_file, outside};
use super::labels::{Config, Labels};
use super::pieces::{Framed, Pieces};
use rten::{Dimension, Model, ModelOptions, NodeId, ValueOrView};
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

/// Pieces that are read at once, unless the model reads less: entailment models are trained on pairs of about this
/// length, and the work grows with the square of it.
const LONGEST_INPUT: usize = 256;
/// A model that reads less than this cannot hold a claim beside a sentence.
const SHORTEST_INPUT: usize = 32;
/// Pieces, padding included, that go through the model together; bounds memory to some hundreds of megabytes.
const LARGEST_BATCH: usize = 2_048;

/// What the model says about a pair; they sum to 1 or less.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reading {
    pub(super) supports: f64,
    pub(super) refutes: f64,
}

/// A model, loaded.
pub(super) struct Classifier {
    model: Model,
    pub(super) pieces: Pieces,
    pub(super) labels: Labels,
    /// Pieces of a pair with its frame.
    pub(super) longest: usize,
    /// 16 hexadecimal digits of a hash over the model, its tokenizer and its labels.
    pub(super) hash: String,
    pad: i32,
    /// The one length of rows that the model takes, where its export has fixed it.
    width: Option<usize>,
    /// The activations are scaled by the largest of a run, so pairs in one run would change each other's figures.
    alone: bool,
    ids: NodeId,
    mask: NodeId,
    segments: Option<NodeId>,
    logits: NodeId,
}

impl Classifier {
    pub(super) fn load(dir: &Path) -> Result<Self, NliError> {
        let folder = || dir.display().to_string();
        let way_out = "name a folder with an ONNX export: model.onnx, tokenizer.json and config.json \
                       (`elenchus models list` shows known ones)";
        let file = |name: &str, cause: String, way_out: &str| NliError::File {
            folder: folder(),
            file: name.to_owned(),
            cause,
            way_out: way_out.to_owned(),
        };
        let misfit = |cause: String| NliError::Shape { folder: folder(), cause };
        let text = |name: &str| {
            fs::read_to_string(dir.join(name)).map_err(|e| file(name, e.to_string(), way_out))
        };
        let weights = model_file(dir)
            .ok_or_else(|| file("model.onnx", "there is no such file".to_owned(), way_out))?;
        let name = weights.strip_prefix(dir).unwrap_or(&weights).display().to_string();
        let (rules, config_text) = (text(TOKENIZER)?, text(CONFIG)?);
        let config: Config = serde_json::from_str(&config_text).map_err(|e| {
            file(CONFIG, format!("it is no configuration of a model ({e})"), way_out)
        })?;
        let labels =
            config.labels().map_err(|cause| NliError::Labels { folder: folder(), cause })?;
        let pieces = Pieces::parse(&rules).map_err(|cause| {
            let understood = "take a model with a WordPiece, Unigram or byte-level BPE tokenizer \
                              (BERT, DeBERTa v3, XLM-R, RoBERTa), whose tokenizer.json is whole";
            file(TOKENIZER, cause, understood)
        })?;
        let bytes = fs::read(&weights).map_err(|e| file(&name, e.to_string(), way_out))?;
        let mut hash = Sha256::new();
        let mut options = ModelOptions::with_all_ops();
        for beside in outside(&name) {
            if let Ok(more) = fs::read(dir.join(&beside)) {
                let beside = beside.rsplit('/').next().unwrap_or(&beside);
                hash.update(&more);
                options.external_data(beside, more);
            }
        }
        hash.update(&bytes);
        hash.update(&rules);
        hash.update(&config_text);
        let mut hash = elenchus_core::id::hex(&hash.finalize());
        hash.truncate(16);
        // The runtime does not come back from some bytes that are no model.
        if !is_message(&bytes) {
            let cause = "it is no ONNX model, or only the beginning of one".to_owned();
            return Err(file(&name, cause, "download the file again, and whole"));
        }
        let alone = occurs(b"DynamicQuantizeLinear", &bytes);
        let model = options.load(bytes).map_err(|e| {
            let other = "export the model again, or take another export of it";
            file(&name, e.to_string(), other)
        })?;

        let node = |name: &str| model.find_node(name);
        let missing = |name: &str| misfit(format!("it has no input {name}"));
        let ids = node("input_ids").ok_or_else(|| missing("input_ids"))?;
        let mask = node("attention_mask").ok_or_else(|| missing("attention_mask"))?;
        let segments = node("token_type_ids");
        let known = [Some(ids), Some(mask), segments];
        if let Some(other) = model.input_ids().iter().find(|id| !known.contains(&Some(**id))) {
            let name = model.node_info(*other).and_then(|n| n.name().map(str::to_owned));
            let name = name.unwrap_or_else(|| "without a name".to_owned());
            return Err(misfit(format!("it wants a further input, {name}")));
        }
        let logits = node("logits").or_else(|| match model.output_ids() {
            [only] => Some(*only),
            _ => None,
        });
        let logits = logits.ok_or_else(|| misfit("it has no output logits".to_owned()))?;
        let shape = model.input_ids().iter().position(|id| *id == ids);
        let shape = shape.and_then(|at| model.input_shape(at)).unwrap_or_default();
        let fixed = |at: usize| match shape.get(at) {
            Some(Dimension::Fixed(size)) => Some(*size),
            _ => None,
        };
        let (rows, width) = (fixed(0), fixed(1));
        if rows.is_some_and(|rows| rows != 1) {
            return Err(misfit("it takes a fixed number of pairs at once".to_owned()));
        }
        let alone = alone || rows.is_some();
        let longest = width.unwrap_or_else(|| longest(&config));
        if longest < SHORTEST_INPUT {
            return Err(misfit(format!("it reads only {longest} pieces at once")));
        }
        let this = Self {
            pad: config.pad_token_id.or(pieces.pad()).unwrap_or(0),
            longest,
            hash,
            alone,
            width,
            model,
            pieces,
            labels,
            ids,
            mask,
            segments,
            logits,
        };
        // Two lengths, so that padding is tried too.
        let trial = |first: &str| {
            this.pieces.framed(&this.pieces.ids(first), &this.pieces.ids("It rained."))
        };
        let pairs = [trial("It rained all day in the mountains."), trial("No.")];
        let rows: Vec<&Framed> = pairs.iter().collect();
        let trials: Vec<&[&Framed]> = rows.chunks(if alone { 1 } else { 2 }).collect();
        for rows in trials {
            this.run(rows).map_err(|cause| misfit(format!("a trial failed, {cause}")))?;
        }
        Ok(this)
    }

    /// One reading a pair, in order; a pair whose run failed has the cause instead.
    pub(super) fn read(&self, pairs: &[Framed]) -> Vec<Result<Reading, String>> {
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by_key(|at| (pairs[*at].ids.len(), *at));
        let mut readings: Vec<Result<Reading, String>> = vec![Err(String::new()); pairs.len()];
        let mut rest = order.as_slice();
        while !rest.is_empty() {
            // Lengths rise: the last row of a batch is its width.
            let fits = |count: &usize| count * pairs[rest[count - 1]].ids.len() <= LARGEST_BATCH;
            let most = if self.alone { 1 } else { rest.len() };
            let count = (1..=most).take_while(fits).last().unwrap_or(1);
            let (batch, later) = rest.split_at(count);
            rest = later;
            let rows: Vec<&Framed> = batch.iter().map(|at| &pairs[*at]).collect();
            match self.run(&rows) {
                Ok(found) => batch.iter().zip(found).for_each(|(at, r)| readings[*at] = Ok(r)),
                Err(cause) => batch.iter().for_each(|at| readings[*at] = Err(cause.clone())),
            }
        }
        readings
    }

    fn run(&self, batch: &[&Framed]) -> Result<Vec<Reading>, String> {
        let needed = batch.iter().map(|pair| pair.ids.len()).max().unwrap_or(0);
        let width = self.width.unwrap_or(needed);
        let shape = [batch.len(), width];
        let id =
            |[row, column]: [usize; 2]| batch.get(row).and_then(|p| p.ids.get(column)).copied();
        let ids = NdTensor::<i32, 2>::from_fn(shape, |place| id(place).unwrap_or(self.pad));
        let mask = NdTensor::<i32, 2>::from_fn(shape, |place| i32::from(id(place).is_some()));
        let segments = NdTensor::<i32, 2>::from_fn(shape, |[row, column]| {
            batch.get(row).and_then(|pair| pair.segments.get(column)).copied().unwrap_or(0)
        });
        let mut inputs: Vec<(NodeId, ValueOrView<'_>)> =
            vec![(self.ids, ids.view().into()), (self.mask, mask.view().into())];
        inputs.extend(self.segments.map(|node| (node, segments.view().into())));
        let [logits] =
            self.model.run_n(inputs, [self.logits], None).map_err(|error| error.to_string())?;
        let ([rows, count], logits) =
            logits.into_shape_vec::<f32, 2>().map_err(|error| error.to_string())?;
        if rows != batch.len() || count != self.labels.count {
            return Err(format!(
                "it answered {rows} x {count} figures for {} pairs and {} labels",
                batch.len(),
                self.labels.count
            ));
        }
        if logits.iter().any(|logit| !logit.is_finite()) {
            return Err("it answered what is no number".to_owned());
        }
        Ok(logits.chunks_exact(count).map(|row| self.reading(row)).collect())
    }

    /// The softmax of a row.
    fn reading(&self, row: &[f32]) -> Reading {
        let top = row.iter().copied().fold(f32::MIN, f32::max);
        let powers: Vec<f64> = row.iter().map(|logit| f64::from(logit - top).exp()).collect();
        let sum: f64 = powers.iter().sum();
        Reading {
            supports: powers[self.labels.supports] / sum,
            refutes: self.labels.refutes.map_or(0.0, |at| powers[at] / sum),
        }
    }
}

/// Whether bytes are a protocol buffer from end to end, as far as its outermost fields go.
fn is_message(mut bytes: &[u8]) -> bool {
    fn number(bytes: &mut &[u8]) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = bytes.split_first()?;
            *bytes = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }
    let mut field = || {
        let key = number(&mut bytes)?;
        let length = match key & 7 {
            0 => number(&mut bytes).map(|_| 0)?,
            1 => 8,
            2 => usize::try_from(number(&mut bytes)?).ok()?,
            5 => 4,
            _ => return None,
        };
        bytes = bytes.get(length..)?;
        Some(bytes.is_empty())
    };
    loop {
        match field() {
            Some(true) => return true,
            Some(false) => {}
            None => return false,
        }
    }
}

fn occurs(wanted: &[u8], bytes: &[u8]) -> bool {
    let starts = bytes.iter().enumerate().filter(|(_, byte)| Some(*byte) == wanted.first());
    starts.map(|(at, _)| &bytes[at..]).any(|rest| rest.starts_with(wanted))
}

/// How many pieces the model reads at once.
fn longest(config: &Config) -> usize {
    // RoBERTa counts places from behind its padding piece: two of them are never used.
    let kind = config.model_type.as_deref().unwrap_or_default();
    let spare = if kind.contains("roberta") || kind == "camembert" { 2 } else { 0 };
    config
        .max_position_embeddings
        .map_or(LONGEST_INPUT, |most| usize::try_from(most - spare).unwrap_or(0).min(LONGEST_INPUT))
}
