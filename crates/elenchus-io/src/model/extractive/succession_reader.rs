//! Our own succession reader: an older statement answers a question; does a later one say how that is by then, and with which words?
//!
//! The file is made by `scripts/train_succession.py`; what it was trained on and how it did stands in the model card beside it. The answer
//! reader sees one statement alone, to which "So from next week we sing on Wednesdays" need not be about rehearsals; this one sees both.

use super::reader::{Marker, Told};
use crate::embed::StaticEmbedder;
use crate::embed::bert::{END, MAX_PIECES, START};
use crate::embed::kept::Kept;
use std::sync::OnceLock;

static FILE: &[u8] = include_bytes!("../../../assets/succession_reader.onnx");

/// Word pieces that count of each text at most, as in `scripts/train_succession.py`.
const QUESTION_PIECES: usize = 28;
const OLDER_HEADING_PIECES: usize = 20;
const OLDER_PIECES: usize = 40;
const HEADING_PIECES: usize = 24;
/// Pieces of all texts beyond which the older heading is left out.
const ROOM: usize = MAX_PIECES - OLDER_HEADING_PIECES;
/// Readings kept, and the bytes of the texts up to which one is: about 10 MB at most.
const KEPT: usize = 5_000;
const KEPT_BYTES: usize = 1_500;

/// A statement under its title and heading (`AnswerReader::under`; may be empty).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Statement {
    /// What it stands under.
    pub under: String,
    /// Its words, what it goes on from before them.
    pub text: String,
}

/// The model, loaded.
pub struct SuccessionReader {
    model: Marker,
    known: Kept<(String, Statement, Statement), Told>,
}

impl SuccessionReader {
    /// The model in the binary, loaded at the first call; the reason why it cannot be used, if it cannot.
    pub fn builtin() -> Result<&'static Self, &'static str> {
        static BUILTIN: OnceLock<Result<SuccessionReader, String>> = OnceLock::new();
        let load = || {
            let model = Marker::load(FILE, "succession reader", "scripts/train_succession.py")?;
            Ok(Self { model, known: Kept::new(KEPT) })
        };
        BUILTIN.get_or_init(load).as_ref().map_err(String::as_str)
    }

    /// Log-odds that the later statement tells of the same as the older one does, which answers the question, and the bytes of its text
    /// that do. Which one is the later is known by the days of their documents alone. The same texts give the same figures. Fails with
    /// the runtime's cause.
    pub fn read(
        &self,
        question: &str,
        older: &Statement,
        later: &Statement,
    ) -> Result<Told, String> {
        let long = [question, &older.under, &older.text, &later.under, &later.text];
        if long.iter().map(|text| text.len()).sum::<usize>() > KEPT_BYTES {
            return self.read_anew(question, older, later);
        }
        let key = (question.to_owned(), older.clone(), later.clone());
        self.known.get_or(&key, || self.read_anew(question, older, later))
    }

    fn read_anew(
        &self,
        question: &str,
        older: &Statement,
        later: &Statement,
    ) -> Result<Told, String> {
        let pieces = |text: &str, most: usize| {
            StaticEmbedder::builtin().piece_ids(text).into_iter().take(most)
        };
        let mut row = vec![START];
        row.extend(pieces(question, QUESTION_PIECES));
        row.push(END);
        // The later statement has to be read whole: what stands over the older one matters least.
        let later_pieces = StaticEmbedder::builtin().piece_ids(&later.text).len();
        let tight = later_pieces + HEADING_PIECES + OLDER_PIECES + QUESTION_PIECES > ROOM;
        if !older.under.is_empty() && !tight {
            row.extend(pieces(&format!("{}:", older.under), OLDER_HEADING_PIECES));
        }
        row.extend(pieces(&older.text, OLDER_PIECES));
        row.push(END);
        self.model.read(row, (&later.under, HEADING_PIECES), &later.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_read_alike_again() {
        let reader = SuccessionReader::builtin().expect("the model loads");
        let long = "word ".repeat(2_000);
        for text in ["", "\u{1F600}", long.as_str(), "a-b's 3,120\u{301} \u{e9}"] {
            let one = Statement { under: text.to_owned(), text: text.to_owned() };
            let first = reader.read_anew(text, &one, &one).expect("it runs");
            let again = reader.read_anew(text, &one, &one).expect("it runs");
            assert_eq!(first.answers.to_bits(), again.answers.to_bits());
            assert!(first.words.is_none_or(|words| text.get(words).is_some()));
        }
    }
}
