//! Our own answer reader: reads a question and a unit together and tells whether the unit answers, and with which words.
//!
//! The file is made by `scripts/train_reader.py`; what it was trained on and how it did stands in the model card beside
//! it. A sentence encoder knows what two texts are about; this one knows what was asked for.

use crate::embed::StaticEmbedder;
use crate::embed::bert::{Bert, END, MAX_PIECES, START};
use crate::embed::kept::Kept;
use rten::NodeId;
use std::ops::Range;
use std::sync::OnceLock;

static FILE: &[u8] = include_bytes!("../../../assets/answer_reader.onnx");

/// Word pieces of a question and of the heading over a unit; what is longer is cut.
const QUESTION_PIECES: usize = 48;
const HEADING_PIECES: usize = 32;
/// Most word pieces of an answer.
const LONGEST_ANSWER: usize = 24;
/// Readings kept, and the bytes of the texts up to which one is: about 10 MB at most.
const KEPT: usize = 10_000;
const KEPT_BYTES: usize = 1_000;

/// The model, loaded.
pub struct AnswerReader {
    model: Marker,
    known: Kept<(String, String, String), Told>,
}

/// A network that tells of a unit whether it answers, and with which words.
pub(super) struct Marker {
    model: Bert,
    answers: NodeId,
    spans: NodeId,
    /// What to call it where it fails.
    name: &'static str,
}

/// What the reader says of one unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// Log-odds that the unit answers the question, as trained: about -8 to 8, not calibrated.
    pub answers: f64,
    /// The words that answer, if it answers: bytes of the unit.
    pub words: Option<Range<usize>>,
}

impl AnswerReader {
    /// The model in the binary, loaded at the first call; the reason why it cannot be used, if it cannot.
    pub fn builtin() -> Result<&'static Self, &'static str> {
        static BUILTIN: OnceLock<Result<AnswerReader, String>> = OnceLock::new();
        BUILTIN.get_or_init(|| Self::load(FILE)).as_ref().map_err(String::as_str)
    }

    fn load(bytes: &'static [u8]) -> Result<Self, String> {
        let model = Marker::load(bytes, "answer reader", "scripts/train_reader.py")?;
        Ok(Self { model, known: Kept::new(KEPT) })
    }

    /// What a unit stands under, as the reader is given it: the document often names what its sections speak of without
    /// a name.
    pub fn under(title: &str, heading: &str) -> String {
        match (title, heading) {
            (title, heading) if title == heading || heading.is_empty() => title.to_owned(),
            ("", heading) => heading.to_owned(),
            (title, heading) => format!("{title}, {heading}"),
        }
    }

    /// Reads a unit, under its title and heading ([`Self::under`]; may be empty), for a question. What was read is
    /// remembered; the same texts give the same figures, whatever else was read. Fails with the runtime's cause.
    pub fn read(&self, question: &str, heading: &str, unit: &str) -> Result<Told, String> {
        if question.len() + heading.len() + unit.len() > KEPT_BYTES {
            return self.read_anew(question, heading, unit);
        }
        let key = (question.to_owned(), heading.to_owned(), unit.to_owned());
        self.known.get_or(&key, || self.read_anew(question, heading, unit))
    }

    fn read_anew(&self, question: &str, heading: &str, unit: &str) -> Result<Told, String> {
        let mut row = vec![START];
        row.extend(StaticEmbedder::builtin().piece_ids(question).into_iter().take(QUESTION_PIECES));
        row.push(END);
        self.model.read(row, (heading, HEADING_PIECES), unit)
    }
}

impl Marker {
    /// Reads an ONNX file with the outputs `answers` and `spans`. Says what it lacks, and which script writes it anew.
    pub(super) fn load(
        bytes: &'static [u8],
        name: &'static str,
        script: &str,
    ) -> Result<Self, String> {
        let fail = |cause: String| {
            format!("loading the {name} failed: {cause}; write it anew with {script}")
        };
        let model = Bert::load(bytes).map_err(fail)?;
        let (answers, spans) =
            (model.output("answers").map_err(fail)?, model.output("spans").map_err(fail)?);
        Ok(Self { model, answers, spans, name })
    }

    /// Reads a unit under its heading, of which so many pieces count at most, behind what is asked about it: word pieces from
    /// `[CLS]` to `[SEP]`. Fails with the runtime's cause.
    pub(super) fn read(
        &self,
        mut row: Vec<i32>,
        (heading, most): (&str, usize),
        unit: &str,
    ) -> Result<Told, String> {
        let table = StaticEmbedder::builtin();
        let second_at = row.len();
        if !heading.is_empty() {
            row.extend(table.piece_ids(&format!("{heading}:")).into_iter().take(most));
        }
        let unit_at = row.len();
        let room = (MAX_PIECES - 1).saturating_sub(row.len());
        let (pieces, places): (Vec<i32>, Vec<Range<usize>>) =
            table.placed_pieces(unit).into_iter().take(room).unzip();
        row.extend(pieces);
        row.push(END);
        let fail = |cause: String| format!("running the {} failed: {cause}", self.name);
        let [answers, spans] =
            self.model.run(&row, second_at, [self.answers, self.spans]).map_err(fail)?;
        let answers = answers.first().copied().filter(|logit| logit.is_finite());
        let answers = answers.ok_or_else(|| fail("it gave no figure".to_owned()))?;
        let spans = spans.as_chunks::<2>().0.get(unit_at..unit_at + places.len()).unwrap_or(&[]);
        let words = best_span(spans)
            .and_then(|(first, last)| Some(places.get(first)?.start..places.get(last)?.end));
        Ok(Told { answers: f64::from(answers), words })
    }
}

/// The first and last piece whose beginning and ending together are the likeliest.
fn best_span(spans: &[[f32; 2]]) -> Option<(usize, usize)> {
    let mut best: Option<(f32, usize, usize)> = None;
    for (first, [begins, _]) in spans.iter().enumerate() {
        for (last, [_, ends]) in spans.iter().enumerate().skip(first).take(LONGEST_ANSWER) {
            if best.is_none_or(|(score, ..)| begins + ends > score) {
                best = Some((begins + ends, first, last));
            }
        }
    }
    best.map(|(_, first, last)| (first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader() -> &'static AnswerReader {
        AnswerReader::builtin().expect("the model loads")
    }

    #[test]
    fn what_was_asked_for_is_told_from_what_is_near() {
        let told = |question: &str, unit: &str| reader().read(question, "", unit).expect("it runs");
        let unit = "The ferry leaves Leith at 9.40 on weekdays and carries 120 passengers.";
        let when = told("At what time does the boat depart?", unit);
        let cost = told("What does a ticket for the ferry cost?", unit);
        assert!(when.answers > cost.answers + 2.0, "{when:?} {cost:?}");
        let words = &unit[when.words.expect("there are words")];
        assert!(words.contains("9.40"), "{words}");
    }

    #[test]
    fn a_question_as_a_heading_speaks_for_what_stands_under_it() {
        let told = |heading: &str, unit: &str| {
            let under = AnswerReader::under("Frequently asked questions", heading);
            reader().read("May I take my dog along?", &under, unit).expect("it runs").answers
        };
        let right = told("Are pets allowed on board?", "On a lead, and on the open deck only.");
        let wrong = told("What does a crossing cost?", "Nine pounds, children half of it.");
        assert!(right > 0.0 && right > wrong + 2.0, "{right} {wrong}");
    }

    #[test]
    fn any_text_is_read_and_gives_the_same_figures_again() {
        let long = "word ".repeat(2_000);
        for text in ["", "\u{1F600}", long.as_str(), "\u{0}\u{202E}x", "a-b's 3,120\u{301} é"] {
            let first = reader().read(text, text, text).expect("it runs");
            reader().known.clear();
            let again = reader().read(text, text, text).expect("it runs");
            assert_eq!(first.answers.to_bits(), again.answers.to_bits());
            assert_eq!(first.words, again.words);
            if let Some(words) = first.words {
                assert!(text.get(words).is_some_and(|words| !words.is_empty()));
            }
        }
    }

    #[test]
    fn a_span_never_ends_before_it_begins() {
        assert_eq!(best_span(&[]), None);
        assert_eq!(best_span(&[[0.0, 9.0], [9.0, 0.0], [0.0, 1.0]]), Some((1, 2)));
    }
}
