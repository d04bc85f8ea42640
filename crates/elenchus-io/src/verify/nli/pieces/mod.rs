//! Texts to piece ids, as a model's `tokenizer.json` says.
//!
//! Understood are the three families that entailment models come in: WordPiece (BERT, MiniLM), Unigram (DeBERTa v2 and
//! v3, XLM-R) and byte-level BPE (RoBERTa, BART, ModernBERT). A part of the file that is not understood is refused by
//! name, never skipped. Meant differences: control pieces such as `[SEP]` that stand in a text are plain letters and
//! marks, so that a document cannot pass for the frame around it; limits and padding in the file are not obeyed.

mod charsmap;
mod cut;
mod file;
mod model;
mod normal;
#[cfg(test)]
mod tests;

use cut::Cut;
use file::File;
use model::Model;
use normal::Normal;

/// Bytes of one text that are looked at, far more than a model reads at once.
const LONGEST_TEXT: usize = 16 * 1024;

/// A part of what a model reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// A control piece with its segment.
    Control(i32, i32),
    /// The first text, with its segment.
    First(i32),
    /// The second.
    Second(i32),
}

/// A tokenizer.
pub(super) struct Pieces {
    normal: Vec<Normal>,
    cuts: Vec<Cut>,
    model: Model,
    frame: Vec<Part>,
    pad: Option<i32>,
}

/// Ids and segments of a pair of texts, of the same length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Framed {
    pub(super) ids: Vec<i32>,
    pub(super) segments: Vec<i32>,
}

impl Pieces {
    /// Reads a `tokenizer.json`; the cause, if it cannot be used.
    pub(super) fn parse(json: &str) -> Result<Self, String> {
        let file: File = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let mut normal = Vec::new();
        normal::read(file.normalizer.as_ref(), &mut normal)?;
        let mut cuts = Vec::new();
        cut::read(file.pre_tokenizer.as_ref(), &mut cuts)?;
        let control = |text: &str| file.added_tokens.iter().find(|t| t.content == text);
        let pad = ["[PAD]", "<pad>"].iter().find_map(|text| control(text)).map(|token| token.id);
        let frame = file::frame(file.post_processor.as_ref())?
            .ok_or("it does not say how a pair of texts is framed (no pair in post_processor)")?;
        Ok(Self { normal, cuts, model: model::read(&file.model)?, frame, pad })
    }

    /// The piece that fills rows up, if the file names one.
    pub(super) fn pad(&self) -> Option<i32> {
        self.pad
    }

    /// Pieces of the frame around the two texts.
    pub(super) fn frame_len(&self) -> usize {
        self.frame.iter().filter(|part| matches!(part, Part::Control(..))).count()
    }

    /// The ids of a text without a frame; the first 16 KB count.
    pub(super) fn ids(&self, text: &str) -> Vec<i32> {
        let mut text = text[..text.floor_char_boundary(LONGEST_TEXT)].to_owned();
        for step in &self.normal {
            text = step.apply(&text);
        }
        let mut words = vec![text];
        for cut in &self.cuts {
            let mut out = Vec::with_capacity(words.len() * 2);
            for (at, word) in words.iter().enumerate() {
                cut.apply(word, at == 0, &mut out);
            }
            words = out;
        }
        let mut ids = Vec::new();
        for word in words.iter().filter(|word| !word.is_empty()) {
            self.model.split(word, &mut ids);
        }
        ids
    }

    /// Two texts in their frame.
    pub(super) fn framed(&self, first: &[i32], second: &[i32]) -> Framed {
        let mut framed = Framed { ids: Vec::new(), segments: Vec::new() };
        let mut add = |ids: &[i32], segment: i32| {
            framed.ids.extend_from_slice(ids);
            framed.segments.resize(framed.ids.len(), segment);
        };
        for part in &self.frame {
            match *part {
                Part::Control(id, segment) => add(&[id], segment),
                Part::First(segment) => add(first, segment),
                Part::Second(segment) => add(second, segment),
            }
        }
        framed
    }
}
