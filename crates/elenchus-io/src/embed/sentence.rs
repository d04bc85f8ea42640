//! A sentence encoder in the binary: one unit vector for a text, and one for each of its words in its place.
//!
//! all-MiniLM-L6-v2 in whole numbers, written by `scripts/sentence_encoder_onnx.py`; the card beside the file tells
//! more. Its vocabulary is that of the built-in table. It knows a paraphrase where the table knows only words, and
//! costs some milliseconds a text, so only the few texts that matter are shown to it.

use super::bert::{Bert, END, MAX_PIECES, START};
use super::kept::Kept;
use super::{StaticEmbedder, dot};
use rten::NodeId;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

static FILE: &[u8] = include_bytes!("../../assets/sentence_encoder.onnx");

/// Numbers in a vector.
const WIDTH: usize = 384;
/// Vectors kept, about 8 MB.
const KEPT: usize = 5_000;
/// Readings kept, about 50 kB each for a sentence of thirty pieces.
const READINGS: usize = 400;

/// The encoder, loaded.
pub struct SentenceEncoder {
    model: Bert,
    sentence: NodeId,
    pieces: NodeId,
    known: Kept<String, Arc<[f32]>>,
    readings: Kept<String, Arc<Reading>>,
}

/// A text as the encoder reads it: as a whole, and with the vectors of its word pieces.
pub struct Reading {
    /// The unit vector of the whole.
    pub sentence: Vec<f32>,
    /// Each run of letters and digits, lower case, with its pieces.
    words: Vec<(String, Range<usize>)>,
    /// Of unit length, the marks at both ends left out.
    vectors: Vec<Vec<f32>>,
}

impl SentenceEncoder {
    /// Name of the vector space, for files: vectors of different ids must not be compared.
    pub const ID: &'static str = "minilm-l6-v2-int8";
    /// Numbers in a vector.
    pub const DIMENSIONS: usize = WIDTH;

    /// The encoder in the binary, loaded at the first call; the reason why it cannot be used, if it cannot.
    pub fn builtin() -> Result<&'static Self, &'static str> {
        static BUILTIN: OnceLock<Result<SentenceEncoder, String>> = OnceLock::new();
        BUILTIN.get_or_init(|| Self::load(FILE)).as_ref().map_err(String::as_str)
    }

    fn load(bytes: &'static [u8]) -> Result<Self, String> {
        let fail = |cause: String| {
            format!(
                "loading the sentence encoder failed: {cause}; write it anew with \
                 scripts/sentence_encoder_onnx.py"
            )
        };
        let model = Bert::load(bytes).map_err(fail)?;
        let (sentence, pieces) =
            (model.output("sentence").map_err(fail)?, model.output("pieces").map_err(fail)?);
        let (known, readings) = (Kept::new(KEPT), Kept::new(READINGS));
        Ok(Self { model, sentence, pieces, known, readings })
    }

    /// The unit vector (384 numbers) of a text of any length; texts that were seen are remembered. The same text
    /// gives the same vector, whatever else was asked. Fails with the runtime's cause.
    pub fn vector(&self, text: &str) -> Result<Arc<[f32]>, String> {
        self.known.get_or(text, || {
            let ids = StaticEmbedder::builtin().piece_ids(text);
            let (_, [numbers]) = self.run(&ids, [self.sentence])?;
            let vector: Arc<[f32]> = numbers.into();
            if vector.len() != WIDTH {
                return Err(format!("the sentence encoder gave {} numbers", vector.len()));
            }
            Ok(vector)
        })
    }

    /// A text as a whole and its words, each as it is meant in its place; texts that were seen are remembered. Fails
    /// with the runtime's cause.
    pub fn reading(&self, text: &str) -> Result<Arc<Reading>, String> {
        self.readings.get_or(text, || self.read_anew(text))
    }

    fn read_anew(&self, text: &str) -> Result<Arc<Reading>, String> {
        let table = StaticEmbedder::builtin();
        let (mut ids, mut words) = (Vec::new(), Vec::new());
        for run in runs(text) {
            let from = ids.len();
            ids.extend(table.piece_ids(run));
            if run.chars().any(char::is_alphanumeric) {
                words.push((run.to_lowercase(), from..ids.len().min(MAX_PIECES - 2)));
            }
        }
        words.retain(|(_, at)| !at.is_empty());
        let (pieces, [sentence, numbers]) = self.run(&ids, [self.sentence, self.pieces])?;
        let vectors: Vec<Vec<f32>> = numbers
            .chunks_exact(WIDTH)
            .skip(1)
            .take(pieces.saturating_sub(2))
            .map(<[f32]>::to_vec)
            .collect();
        Ok(Arc::new(Reading { sentence, words, vectors }))
    }

    /// Runs one text; tells of how many pieces it was.
    fn run<const N: usize>(
        &self,
        pieces: &[i32],
        outputs: [NodeId; N],
    ) -> Result<(usize, [Vec<f32>; N]), String> {
        let mut row = vec![START];
        row.extend(pieces.iter().take(MAX_PIECES - 2));
        row.push(END);
        let numbers = self
            .model
            .run(&row, row.len(), outputs)
            .map_err(|cause| format!("running the sentence encoder failed: {cause}"))?;
        Ok((row.len(), numbers))
    }
}

impl Reading {
    /// How near the nearest piece of `other` comes to a word of this text, a cosine; the mean over the word's pieces.
    /// `None` when the word does not stand in this text.
    pub fn nearest(&self, word: &str, other: &Self) -> Option<f64> {
        let (mut sum, mut pieces) = (0.0, 0.0);
        for run in runs(word).filter(|run| run.chars().any(char::is_alphanumeric)) {
            let run = run.to_lowercase();
            let Some((_, at)) = self.words.iter().find(|(known, _)| *known == run) else {
                continue;
            };
            for vector in self.vectors.get(at.clone())? {
                let nearest = other
                    .vectors
                    .iter()
                    .map(|piece| f64::from(dot(vector, piece)))
                    .fold(-1.0, f64::max);
                sum += nearest;
                pieces += 1.0;
            }
        }
        (pieces > 0.0).then(|| sum / pieces)
    }

    /// Late interaction: how near the words of this text come to their nearest in `other`, a weighted mean of cosines;
    /// 0 when no word has a weight. (Khattab and Zaharia, ColBERT, 2020, with a weight for each word.)
    pub fn late_interaction(&self, other: &Self, weight: impl Fn(&str) -> f64) -> f64 {
        let (mut sum, mut total) = (0.0, 0.0);
        for (word, _) in &self.words {
            let weight = weight(word);
            if weight > 0.0
                && let Some(near) = self.nearest(word, other)
            {
                sum += weight * near;
                total += weight;
            }
        }
        if total > 0.0 { sum / total } else { 0.0 }
    }
}

/// Cuts a text into runs of letters and digits and runs of anything else.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let inside = rest.chars().next()?.is_alphanumeric();
        let end = rest.find(|c: char| c.is_alphanumeric() != inside).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        rest = after;
        Some(run)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paraphrase_is_nearer_than_the_same_words_about_something_else() {
        let model = SentenceEncoder::builtin().expect("the model loads");
        let vector = |text: &str| model.vector(text).expect("the model runs");
        let asked = vector("Which towns have one of the firm's bureaus?");
        let told = vector("Office locations: Bergen, Leith and Kirkwall.");
        let other = vector("The towns have asked the firm for a new ferry.");
        assert_eq!(asked.len(), WIDTH);
        assert!((dot(&asked, &asked) - 1.0).abs() < 1e-4);
        let (near, far) = (dot(&asked, &told), dot(&asked, &other));
        assert!(near > 0.3, "{near} {far}");
        assert!(dot(&told, &vector("A choir sang in the church.")) < near);
    }

    #[test]
    fn words_are_read_in_their_places() {
        let model = SentenceEncoder::builtin().expect("the model loads");
        let words = |text: &str| model.reading(text).expect("the model runs");
        let asked = words("How many sick days do the divers get?");
        let same = words("The divers have twelve days of sick leave.");
        let other = words("The divers have 28 days of holiday.");
        let near = asked.nearest("sick", &same).expect("the word is there");
        let far = asked.nearest("sick", &other).expect("the word is there");
        assert!(near > far + 0.1, "{near} {far}");
        assert_eq!(asked.nearest("harbour", &same), None);
    }

    #[test]
    fn any_text_is_read_and_gives_the_same_figures_again() {
        let model = SentenceEncoder::builtin().expect("the model loads");
        let long = "word ".repeat(2_000);
        for text in ["", "\u{1F600}", long.as_str(), "\u{0}\u{202E}x", "a-b's 3,120\u{301}"] {
            let first = model.vector(text).expect("the model runs");
            model.known.clear();
            let again = model.vector(text).expect("the model runs");
            assert_eq!(
                first.iter().map(|v| v.to_bits()).collect::<Vec<_>>(),
                again.iter().map(|v| v.to_bits()).collect::<Vec<_>>()
            );
            let words = model.reading(text).expect("the model runs");
            assert!(words.nearest("word", &words).is_none_or(|near| near > 0.99));
            let itself = words.late_interaction(&words, |_| 1.0);
            assert!(itself == 0.0 || itself > 0.99, "{itself}");
        }
    }
}
