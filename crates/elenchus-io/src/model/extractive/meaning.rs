//! Meaning: where the words of a question bind nothing, or little, whole sentences are compared by an encoder.
//!
//! Names, numbers, periods, the kind of value and what is counted must bind as ever; only the words of the attribute
//! may be said otherwise. Whether the nearest unit answers is judged by a small logistic model of its own, fitted by
//! `scripts/fit_acceptance.py --meaning` on the questions that words leave open.

use super::bind::Candidate;
use super::matching::Commonness;
use super::question::{Expects, Question};
use super::select::{
    FAMILY_BAND, Selection, asks_for_the_old, currency, is_ambiguous, is_past, list, same_kind,
    same_words,
};
use super::unit::EvidenceUnit;
use crate::embed::{AnswerReader, Reading, SentenceEncoder, Told, dot};
use crate::ingest::UnitKind;
use elenchus_core::prompt::{Bearing, QuestionKind};
use elenchus_core::text::{is_stop_word, squeeze};
use std::ops::Range;
use std::sync::Arc;

/// Units that the encoder reads: the best by score, and the nearest by the table of word vectors.
const BEST: usize = 24;
const NEAREST: usize = 24;
/// Of these, the units that the answer reader reads: those that come nearest by words and meaning together.
const READ: usize = 20;
/// Log-odds of a unit that it did not read, at most: about what it says of a sentence beside the point. Never above the
/// lowest that was read.
const UNREAD: f64 = -3.0;
/// Weight of the reader's log-odds beside cosine and score in the choice of the unit that may answer.
const READS: f64 = 0.15;
/// Weight of a word that says little, or that every document is about, beside 0.45 to 1 for the others.
const LIGHT: f64 = 0.3;
/// Share of the score by words beside the cosine and late interaction in the order of what is shown without answering.
const SHOWN_SCORE: f64 = 0.25;
/// The same of the reader's log-odds: with it the first three hold what was asked for in 55 of 57 paraphrases left open
/// on the tuning keys, without it in 52.
const SHOWN_READS: f64 = 0.1;
/// Likeness from which a unit is worth showing where nothing answers, and how many are shown.
const WORTH_SHOWING: f64 = 0.3;
const SHOWN: usize = 3;
/// Probability below which an answer by words is looked at again: where its bearing is weak.
const DOUBTFUL: f64 = 0.75;
/// The same for an answer that another unit is far more like the question than, and how far that is. No right answer of
/// the tuning keys lies so far behind.
const FIRM: f64 = 0.9;
const FAR_LESS_LIKE: f64 = 0.45;
/// How far such an answer may lie below the unit that fits best by words and meaning together.
const FAR: f64 = 0.25;
/// Most that a unit counts as ahead of other reports: where there are hardly any, being ahead says little.
const MOST_AHEAD: f64 = 0.5;
/// Nearness of a missing word when none is missing.
const NONE_MISSING: f64 = 0.8;
/// Nearness from which the word that a question turns on counts as said otherwise: in the middle between the near misses
/// of the tuning keys (0.22 to 0.26) and what they say otherwise (0.30 and up).
const IN_POINT: f64 = 0.28;
/// The same for the one missing word when it narrows a noun that is bound: more is asked of it, since the noun's
/// company alone brings the two near ("sick" beside "leave": 0.31; what is said otherwise: 0.45 and up).
const IN_POINT_NARROWING: f64 = 0.38;

/// Probability from which a unit answers by its meaning.
const THRESHOLD: f64 = 0.55;
const BIAS: f64 = 1.100;
const WEIGHTS: [f64; 8] = [-1.696, -3.114, -3.752, 1.433, 0.706, 1.283, 0.184, -0.345];
/// The same from which such an answer is more than weak: on the tuning keys, each judged by a fit on the others, 31 of 37
/// are right.
const FAIR: f64 = 0.7;
/// An answer by words is taken back where the reader says that another unit answers, and by how much more.
const ANSWERING: f64 = 0.0;
const FAR_LESS_ANSWERING: f64 = 2.5;
/// How far below another vintage of the same report a unit may answer, by the reader's word, and still say the same.
const AS_WELL: f64 = 1.5;
/// Most words of what the reader marks as the answer.
const MOST_WORDS: usize = 12;

/// What acceptance by meaning is judged on. Cosines are -1 to 1, scores 0 to about 1.1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meaning {
    /// Cosine of question and unit in the encoder.
    cosine: f64,
    /// How far that is below the highest.
    cosine_below: f64,
    /// How far its score by words is below the highest.
    score_below: f64,
    /// Cosine and score together, ahead of the best of another report.
    margin: f64,
    /// The score by words.
    score: f64,
    /// How near the unit comes to the question's word that it misses most, each word as meant in its place.
    missing: f64,
    /// The reader's log-odds that it answers, and how far that is below the highest.
    answers: f64,
    answers_below: f64,
    /// The nearness that is asked of a word on which the question turns: one that is missing where all others bind, or
    /// that narrows a bound noun. 0 where there is none.
    in_point: f64,
}

impl Meaning {
    /// Names and values in one fixed order, for fitting.
    pub(crate) fn named(&self) -> [(&'static str, f64); 8] {
        [
            ("meaning", self.cosine),
            ("meaning_below", self.cosine_below),
            ("score_below", self.score_below),
            ("meaning_margin", self.margin),
            ("score", self.score),
            ("missing", self.missing),
            ("answers", self.answers),
            ("answers_below", self.answers_below),
        ]
    }

    /// The near miss: all is there but for the one word that the question turns on ("sick" of sick days, "brand" of a
    /// laptop's brand), and nothing in the unit comes near it. A paraphrase says several words otherwise.
    pub(crate) fn misses_the_point(&self) -> bool {
        self.missing < self.in_point
    }

    fn probability(&self) -> f64 {
        let sum: f64 =
            self.named().iter().zip(WEIGHTS).map(|((_, value), weight)| value * weight).sum();
        1.0 / (1.0 + (-(sum + BIAS)).exp())
    }
}

/// How firmly a candidate answers. What only its meaning speaks for is never strong.
pub(crate) fn bearing(candidate: &Candidate) -> Bearing {
    match candidate.by_meaning {
        Some(probability) if probability >= FAIR => Bearing::Fair,
        Some(_) => Bearing::Weak,
        None => candidate.features.bearing(),
    }
}

/// What a candidate binds of the question, in words.
pub(crate) fn binding(candidate: &Candidate) -> String {
    let mut said = Vec::new();
    if !candidate.matched.is_empty() || candidate.by_meaning.is_none() {
        said.push(format!("binds {}", candidate.matched.join(", ")));
    }
    if candidate.by_meaning.is_some() {
        said.push(match candidate.missing.as_slice() {
            [] => "is near in meaning".to_owned(),
            missing => format!("says otherwise what the question calls {}", missing.join(", ")),
        });
    }
    said.join(" and ")
}

/// The units that matter for one question, with their likeness to it.
pub(crate) struct Scene<'a> {
    question: &'a Question,
    all: &'a [Candidate],
    units: &'a [EvidenceUnit<'a>],
    asked: Arc<Reading>,
    /// Those that come nearest first.
    near: Vec<Near>,
    /// Log-odds of what the reader did not read.
    unread: f64,
}

/// How near a unit comes to the question.
struct Near {
    /// Position among the candidates.
    at: usize,
    /// Cosine of both as wholes in the encoder.
    cosine: f64,
    /// Late interaction: each word of the question, weighted by how rare it is, with what comes nearest to it.
    words: f64,
    told: Arc<Reading>,
    /// What the answer reader says of it, if it was read.
    read: Option<Told>,
}

impl<'a> Scene<'a> {
    /// `None` without units, or when the sentence encoder cannot be used: then words alone decide.
    pub(crate) fn new(
        question: &'a Question,
        all: &'a [Candidate],
        units: &'a [EvidenceUnit<'a>],
        common: &Commonness,
    ) -> Option<Self> {
        let encoder = SentenceEncoder::builtin().ok()?;
        // Without the reader all units count alike.
        let reader = AnswerReader::builtin().ok();
        let asked = encoder.reading(&question.text).ok()?;
        let weight = |word: &str| {
            let light = question.terms.iter().any(|term| term.word == word && term.light);
            match (is_stop_word(word), light) {
                (true, _) => 0.0,
                (false, true) => LIGHT,
                (false, false) => common.weight(word),
            }
        };
        let mut by_table: Vec<usize> = (0..all.len()).collect();
        by_table.sort_by(|a, b| {
            all[*b].features.cosine.total_cmp(&all[*a].features.cosine).then(a.cmp(b))
        });
        let mut chosen: Vec<usize> =
            (0..all.len().min(BEST)).chain(by_table.into_iter().take(NEAREST)).collect();
        chosen.sort_unstable();
        chosen.dedup();
        let mut near = chosen
            .into_iter()
            .map(|at| {
                let told = encoder.reading(&in_context(&units[all[at].unit])).ok()?;
                let cosine = f64::from(dot(&asked.sentence, &told.sentence));
                let words = asked.late_interaction(&told, weight);
                Some(Near { at, cosine, words, told, read: None })
            })
            .collect::<Option<Vec<_>>>()?;
        let first = |near: &Near| near.cosine + near.words + all[near.at].score;
        near.sort_by(|a, b| first(b).total_cmp(&first(a)).then(a.at.cmp(&b.at)));
        for near in near.iter_mut().take(READ) {
            let [title, heading, text] = read_as(&units[all[near.at].unit]);
            let under = AnswerReader::under(&title, &heading);
            near.read = reader.and_then(|reader| reader.read(&question.text, &under, &text).ok());
        }
        let told = near.iter().filter_map(|near| near.read.as_ref()).map(|told| told.answers);
        let unread = told.fold(UNREAD, f64::min);
        (!near.is_empty()).then_some(Self { question, all, units, asked, near, unread })
    }

    /// The reader's log-odds that a unit answers.
    fn answers(&self, near: &Near) -> f64 {
        near.read.as_ref().map_or(self.unread, |told| told.answers)
    }

    /// Cosine and score together.
    fn closeness(&self, near: &Near) -> f64 {
        near.cosine + self.all[near.at].score
    }

    /// These and the reader's word: what an answer is picked by.
    fn fit(&self, near: &Near) -> f64 {
        self.closeness(near) + READS * self.answers(near)
    }

    /// Cosine, late interaction and a little of the score.
    fn likeness(&self, near: &Near) -> f64 {
        near.cosine + near.words + SHOWN_SCORE * self.all[near.at].score
    }

    /// Likeness and the reader's word: what is shown without answering is ordered by it.
    fn worth(&self, near: &Near) -> f64 {
        self.likeness(near) + SHOWN_READS * self.answers(near)
    }

    /// The highest of something over all units of the scene.
    fn highest(&self, of: impl Fn(&Near) -> f64) -> f64 {
        self.near.iter().map(of).fold(f64::MIN, f64::max)
    }

    fn family(&self, at: usize) -> &str {
        self.units[self.all[at].unit].read.source.family.as_str()
    }

    /// The units of which all holds that only words can show.
    fn may_answer(&self) -> impl Iterator<Item = &Near> {
        let newest = self
            .units
            .iter()
            .filter_map(|unit| unit.read.source.date.as_ref())
            .map(|date| date.value.order_key())
            .max();
        let may_be_old =
            self.question.period.is_some() || self.question.past || asks_for_the_old(self.question);
        self.near.iter().filter(move |near| {
            let candidate = &self.all[near.at];
            candidate.open
                && (may_be_old || !self.units[candidate.unit].is_superseded())
                && !(self.question.future && is_past(candidate, self.units, newest))
        })
    }

    /// The candidate that fits best among these.
    pub(crate) fn pick(&self) -> Option<usize> {
        self.may_answer()
            .max_by(|a, b| self.fit(a).total_cmp(&self.fit(b)).then(b.at.cmp(&a.at)))
            .map(|near| near.at)
    }

    /// Candidates of the scene, by position.
    pub(crate) fn positions(&self) -> impl Iterator<Item = usize> {
        self.near.iter().map(|near| near.at)
    }

    /// Cosine, late interaction and the reader's log-odds of a candidate of the scene.
    pub(crate) fn likenesses(&self, at: usize) -> Option<[f64; 3]> {
        let near = self.near.iter().find(|near| near.at == at)?;
        Some([near.cosine, near.words, self.answers(near)])
    }

    /// What is known of a candidate of the scene; `None` for one outside it.
    pub(crate) fn features(&self, pick: usize) -> Option<Meaning> {
        let near = self.near.iter().find(|near| near.at == pick)?;
        let candidate = &self.all[pick];
        let other = self
            .near
            .iter()
            .filter(|other| self.family(other.at) != self.family(pick))
            .map(|other| self.closeness(other))
            .fold(0.0, f64::max);
        let missing: Vec<f64> = candidate
            .missing
            .iter()
            .filter_map(|word| self.asked.nearest(word, &near.told))
            .collect();
        Some(Meaning {
            cosine: near.cosine,
            cosine_below: self.highest(|near| near.cosine) - near.cosine,
            score_below: self.highest(|near| self.all[near.at].score) - candidate.score,
            margin: (self.closeness(near) - other).clamp(-MOST_AHEAD, MOST_AHEAD),
            score: candidate.score,
            missing: missing.iter().copied().fold(NONE_MISSING, f64::min),
            answers: self.answers(near),
            answers_below: self.highest(|near| self.answers(near)) - self.answers(near),
            in_point: match (missing.len(), candidate.features.missing_narrower > 0.0) {
                (1, true) => IN_POINT_NARROWING,
                (1, false) | (_, true) => IN_POINT,
                (_, false) => 0.0,
            },
        })
    }

    /// The units that decide how the others compare: the nearest by each measure, the best by all, and, seen from the
    /// one that may answer, the best of another report.
    fn rivals(&self, pick: Option<usize>) -> Vec<usize> {
        let best = |of: &dyn Fn(&Near) -> f64, other_than: Option<usize>| {
            self.near
                .iter()
                .filter(|near| other_than.is_none_or(|o| self.family(near.at) != self.family(o)))
                .max_by(|a, b| of(a).total_cmp(&of(b)).then(b.at.cmp(&a.at)))
                .map(|near| self.all[near.at].unit)
        };
        let fit = |near: &Near| self.fit(near);
        [
            pick.map(|pick| self.all[pick].unit),
            best(&|near| near.cosine, None),
            best(&|near| self.all[near.at].score, None),
            best(&|near| self.answers(near), None),
            best(&fit, None),
            pick.and_then(|pick| best(&|near| self.closeness(near), Some(pick))),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Whether an answer by words is taken back: another unit is far more like the question, or the reader, which reads
    /// the two together, says that this one does not answer it.
    fn speaks_against(&self, answer: &Candidate) -> bool {
        let Some(near) = self.near.iter().find(|near| self.all[near.at].unit == answer.unit) else {
            return false;
        };
        let below = |of: &dyn Fn(&Near) -> f64| self.highest(of) - of(near);
        let doubtful = answer.features.probability() < DOUBTFUL;
        let unlike = (doubtful && below(&|near| self.closeness(near)) > FAR)
            || below(&|near| self.likeness(near)) > FAR_LESS_LIKE;
        // Names, periods and kinds are bound by rules: what may not answer speaks against nothing, nor what is older.
        let answering = self
            .may_answer()
            .filter(|other| {
                self.question.past
                    || currency(&self.all[other.at], self.units) >= currency(answer, self.units)
            })
            .map(|near| self.answers(near))
            .fold(f64::MIN, f64::max);
        let another = near.read.is_some()
            && answering > ANSWERING
            && answering - self.answers(near) > FAR_LESS_ANSWERING;
        unlike || another
    }

    /// The words of a candidate's unit that answer, as the reader marks them, bytes of its text; `None` where it doubts
    /// that the unit answers, or the words are too many to stand out or stand there several times.
    fn marked(&self, pick: usize) -> Option<Range<usize>> {
        let near = self.near.iter().find(|near| near.at == pick)?;
        let told = near.read.as_ref().filter(|told| told.answers > ANSWERING)?;
        let unit = &self.units[self.all[pick].unit];
        let [_, _, read] = read_as(unit);
        place_of(unit.text, &read, told.words.clone()?)
    }

    /// The units that come nearest, best first, each text once: what a reader is shown where nothing answers.
    fn nearest(&self) -> Vec<Candidate> {
        let mut order: Vec<&Near> =
            self.near.iter().filter(|near| near.cosine.max(near.words) >= WORTH_SHOWING).collect();
        order.sort_by(|a, b| self.worth(b).total_cmp(&self.worth(a)).then(a.at.cmp(&b.at)));
        let mut shown: Vec<Candidate> = Vec::new();
        let text = |candidate: &Candidate| squeeze(self.units[candidate.unit].text);
        for near in order {
            let candidate = &self.all[near.at];
            if !shown.iter().any(|other| text(other) == text(candidate)) {
                shown.push(Candidate { likeness: Some(self.worth(near)), ..candidate.clone() });
            }
            if shown.len() == SHOWN {
                break;
            }
        }
        shown
    }

    /// Another vintage of the same report that says the same: the newest is given.
    fn newest_like(&self, pick: usize) -> usize {
        let chosen = &self.all[pick];
        if self.question.period.is_some() || self.question.past {
            return pick;
        }
        let answers = |at: usize| {
            self.near
                .iter()
                .find(|near| near.at == at)
                .map_or(self.unread, |near| self.answers(near))
        };
        self.near
            .iter()
            .map(|near| near.at)
            .filter(|at| {
                let other = &self.all[*at];
                other.open
                    && self.family(*at) == self.family(pick)
                    && same_kind(other, chosen)
                    && (same_words(other, chosen) || answers(*at) >= answers(pick) - AS_WELL)
                    && other.score >= chosen.score - FAMILY_BAND
                    && currency(other, self.units) > currency(chosen, self.units)
            })
            .max_by(|a, b| {
                currency(&self.all[*a], self.units)
                    .cmp(&currency(&self.all[*b], self.units))
                    .then(self.all[*a].score.total_cmp(&self.all[*b].score))
                    .then(b.cmp(a))
            })
            .unwrap_or(pick)
    }
}

/// Looks at a question again that words leave open, or answer less than strongly: an answer that another unit is far ahead
/// of is taken back, and the unit that means the nearest may answer. Where nothing does, the nearest units are kept to be shown.
/// Gives the units that it was judged against.
pub(crate) fn reconsider(
    question: &Question,
    selection: &mut Selection,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
    common: &Commonness,
) -> Vec<usize> {
    let given = selection.answers.first();
    let survey = question.kind == QuestionKind::Survey;
    if (survey && given.is_some())
        || question.verse.is_some()
        || question.terms.is_empty()
        || given.is_some_and(|answer| answer.features.probability() >= FIRM)
        || (given.is_none() && !selection.superseded.is_empty())
    {
        return Vec::new();
    }
    let Some(scene) = Scene::new(question, all, units, common) else { return Vec::new() };
    if let Some(answer) = given {
        if !scene.speaks_against(answer) {
            return Vec::new();
        }
        *selection = Selection::default();
    }
    selection.nearest = scene.nearest();
    // Nearness alone makes no voice.
    let pick = if survey { None } else { scene.pick() };
    let mut rivals = scene.rivals(pick);
    rivals.extend(selection.nearest.iter().map(|candidate| candidate.unit));
    let Some(pick) = pick else { return rivals };
    let meaning = scene.features(pick).filter(|meaning| !meaning.misses_the_point());
    let Some(probability) = meaning.map(|meaning| meaning.probability()) else { return rivals };
    let chosen_at = scene.newest_like(pick);
    let chosen = &all[chosen_at];
    if probability < THRESHOLD || is_ambiguous(question, chosen, all, units) {
        return rivals;
    }
    let mut answers = if question.expects == Expects::List {
        list(chosen, all, units)
    } else {
        vec![chosen.clone()]
    };
    if answers.is_empty() {
        answers.push(chosen.clone());
    }
    let marked = scene.marked(chosen_at);
    for answer in &mut answers {
        answer.accepted = true;
        answer.by_meaning = Some(probability);
        if answer.value.is_none() && answer.unit == chosen.unit {
            answer.value.clone_from(&marked);
        }
        // The quote speaks for itself: a yes or no is read only where every word binds.
        answer.polarity = None;
    }
    selection.answers = answers;
    selection.nearest.clear();
    rivals
}

/// Where words of a text as it is read stand in the text itself: at the same place, or at the only one.
fn place_of(text: &str, read: &str, at: Range<usize>) -> Option<Range<usize>> {
    let words = read.get(at.clone())?;
    if words.is_empty() || words.split_whitespace().count() > MOST_WORDS {
        return None;
    }
    if text.get(at.clone()) == Some(words) {
        return Some(at);
    }
    let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut places =
        text.match_indices(words).map(|(from, _)| from..from + words.len()).filter(|at| {
            !inside(text[..at.start].chars().next_back()) && !inside(text[at.end..].chars().next())
        });
    places.next().filter(|_| places.next().is_none())
}

/// A unit as the encoder reads it: under its innermost heading, a row's cells with the names of their columns.
fn in_context(unit: &EvidenceUnit<'_>) -> String {
    match read_as(unit) {
        [_, heading, text] if heading.is_empty() => text,
        [_, heading, text] => format!("{heading}: {text}"),
    }
}

/// Title of the document, innermost heading, and text of a unit as it is read; empty where there is none.
pub(super) fn read_as(unit: &EvidenceUnit<'_>) -> [String; 3] {
    let header = &unit.read.passage.table_header;
    let text = if unit.kind == UnitKind::Row && header.len() == unit.cells.len() {
        let cells: Vec<String> = header
            .iter()
            .zip(&unit.cells)
            .map(|(name, cell)| format!("{name}: {}", unit.text[cell.clone()].trim()))
            .collect();
        cells.join("; ")
    } else {
        unit.text.to_owned()
    };
    let heading = unit.read.passage.heading_path.last().cloned().unwrap_or_default();
    [unit.read.source.title.clone(), heading, squeeze(&text.replace('*', ""))]
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::select;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;
    use elenchus_core::evidence::{ReadPassage, Vintage};

    fn yard() -> Vec<ReadPassage> {
        vec![
            document(
                "staff",
                "Leave",
                "Boatbuilders have 27 days of leave a year. Apprentices are paid by the week.",
            ),
            document(
                "safety",
                "Crane",
                "The crane stands idle when the wind is above 35 knots. It is tested in May.",
            ),
            document("visits", "Tours", "The yard is open to visitors on Saturdays."),
        ]
    }

    fn asked(question: &str, passages: &[ReadPassage]) -> (Vec<String>, Option<Bearing>) {
        let units = evidence_units(passages);
        let parsed = Question::parse(question, &[]);
        let selection = select(&parsed, &units, &Matcher::new(), &Commonness::new(&[], 3));
        let texts = selection.answers.iter().map(|c| units[c.unit].text.to_owned()).collect();
        (texts, selection.answers.first().map(bearing))
    }

    #[test]
    fn a_paraphrase_is_answered_and_a_near_miss_is_not() {
        let passages = yard();
        let (told, firmly) = asked("Above which wind speed is the crane out of use?", &passages);
        assert_eq!(told, ["The crane stands idle when the wind is above 35 knots."]);
        // What only its meaning speaks for is never strong.
        assert!(firmly < Some(Bearing::Strong), "{firmly:?}");
        // "Sick" is the point of the question, and nothing in the unit comes near it.
        assert_eq!(
            asked("How many days of sick leave do boatbuilders have?", &passages).0.len(),
            0
        );
        // What words answer is firmer.
        let (told, firmly) = asked("How many days of leave do boatbuilders have?", &passages);
        assert_eq!(told, ["Boatbuilders have 27 days of leave a year."]);
        assert_ne!(firmly, Some(Bearing::Weak));
    }

    #[test]
    fn where_nothing_answers_the_nearest_units_are_kept_to_be_shown() {
        let passages = yard();
        let units = evidence_units(&passages);
        let question = Question::parse("How many days of sick leave do boatbuilders have?", &[]);
        let selection = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3));
        assert!(selection.answers.is_empty());
        let shown: Vec<&str> = selection.nearest.iter().map(|c| units[c.unit].text).collect();
        assert_eq!(shown[0], "Boatbuilders have 27 days of leave a year.");
        assert!(shown.len() <= SHOWN);
        let likeness: Vec<f64> = selection.nearest.iter().filter_map(|c| c.likeness).collect();
        assert_eq!(likeness.len(), shown.len());
        assert!(likeness.is_sorted_by(|a, b| a >= b), "{likeness:?}");
        // A later look sees the relevant passages alone: what is shown must be among them.
        for near in &selection.nearest {
            assert!(selection.relevant.contains(&near.unit));
        }
        // An answer leaves nothing to show beside it.
        let question = Question::parse("How many days of leave do boatbuilders have?", &[]);
        let selection = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3));
        assert!(!selection.answers.is_empty() && selection.nearest.is_empty());
    }

    #[test]
    fn what_is_asked_for_is_of_the_right_kind() {
        let told = |question: &str, text: &str| asked(question, &[document("a", "Facts", text)]).0;
        let grant = "The largest grant, £95,000, came from the Rowan Trust for the new depot roof.";
        assert!(told("What did the new depot roof cost?", grant).is_empty(), "a gift is no cost");
        assert_eq!(told("How large was the grant for the depot roof?", grant).len(), 1);
        let passages =
            [document("b", "Facts", "The board may open AcmeOS to a competitor of Acme.")];
        let units = evidence_units(&passages);
        let rival = Question::parse("Which company is a competitor of Acme?", &["Acme".to_owned()]);
        let (all, _) = super::super::select::by_words(
            &rival,
            &units,
            &Matcher::new(),
            &Commonness::new(&[], 3),
        );
        assert!(all.iter().all(|c| c.value.is_none()), "a product of its own is no competitor");
        let notice = "- Outage: customers are told within 60 minutes.";
        assert_eq!(told("How fast must customers be told of an outage?", notice).len(), 1);
    }

    #[test]
    fn a_line_that_says_when_and_where_names_nobody() {
        let told = |question: &str, text: &str| {
            !asked(question, &[document("yard", "Key facts", text)]).0.is_empty()
        };
        let facts = "- Founded: 2019, Rotterdam, Netherlands";
        assert!(!told("Who founded the yard?", facts));
        assert!(told("When was the yard founded?", facts));
        assert!(told("Who founded the yard?", "The yard was founded by Ann Reed in 2019."));
    }

    #[test]
    fn the_words_that_answer_are_marked_where_they_stand() {
        let place = |text: &str, read: &str, words: &str| {
            let at = read.rfind(words).expect("they stand there");
            place_of(text, read, at..at + words.len()).map(|at| text[at].to_owned())
        };
        let row = "| Depot 12 | 12 trams |";
        assert_eq!(
            place(row, "Name: Depot 12; Fleet: 12 trams", "12 trams"),
            Some("12 trams".into())
        );
        assert_eq!(
            place(row, "Name: Depot 12; Fleet: 12 trams", "12"),
            None,
            "it stands there twice"
        );
        assert_eq!(place("In 2012, 12 days", "In **2012**, 12 days", "12"), Some("12".into()));
        assert_eq!(place("It is in Leith.", "It is in Leith.", "Leith"), Some("Leith".into()));
        let long = "word ".repeat(MOST_WORDS + 1);
        assert_eq!(place(&long, &long, long.trim()), None);
    }

    #[test]
    fn names_must_bind_and_outdated_documents_stay_silent() {
        let mut passages = yard();
        let near = "Above which wind speed is the crane in Leith out of use?";
        assert_eq!(asked(near, &passages).0.len(), 0, "no unit speaks of Leith");
        let old = "Above which wind speed is the crane out of use?";
        assert_eq!(asked(old, &passages).0.len(), 1);
        passages[1].source.vintage = Vintage::Superseded;
        assert_eq!(asked(old, &passages).0.len(), 0, "the only source is out of date");
    }

    #[test]
    fn what_is_said_otherwise_is_told() {
        let passages = yard();
        let units = evidence_units(&passages);
        let question = Question::parse("Above which wind speed is the crane out of use?", &[]);
        let selection = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3));
        let told = selection.answers.first().map(binding).expect("it is answered");
        assert!(told.contains("binds wind, crane"), "{told}");
        assert!(told.contains("says otherwise what the question calls speed"), "{told}");
    }

    #[test]
    fn the_word_that_a_question_turns_on_must_come_near() {
        let near = Meaning {
            cosine: 0.8,
            cosine_below: 0.0,
            score_below: 0.0,
            margin: 0.5,
            score: 0.9,
            missing: 0.35,
            answers: 2.0,
            answers_below: 0.0,
            in_point: IN_POINT,
        };
        assert!(!near.misses_the_point() && near.probability() >= THRESHOLD);
        assert!(Meaning { missing: 0.2, ..near }.misses_the_point());
        assert!(Meaning { in_point: IN_POINT_NARROWING, ..near }.misses_the_point());
        assert!(
            !Meaning { missing: 0.2, in_point: 0.0, ..near }.misses_the_point(),
            "a paraphrase says several words otherwise"
        );
        let behind = Meaning { cosine_below: 0.3, score_below: 0.2, margin: -0.3, ..near };
        assert!(behind.probability() < THRESHOLD, "another unit fits better");
    }

    #[test]
    fn the_same_question_is_judged_alike_with_the_relevant_passages_alone() {
        let passages = yard();
        let question = Question::parse("Above which wind speed is the crane out of use?", &[]);
        let common = Commonness::new(&[], 3);
        let units = evidence_units(&passages);
        let whole = select(&question, &units, &Matcher::new(), &common);
        let kept: Vec<ReadPassage> = passages
            .iter()
            .filter(|p| whole.relevant.iter().any(|u| units[*u].read.passage.id == p.passage.id))
            .cloned()
            .collect();
        let fewer = evidence_units(&kept);
        let again = select(&question, &fewer, &Matcher::new(), &common);
        let figure = |selection: &Selection| {
            selection.answers.first().and_then(|a| a.by_meaning).map(f64::to_bits)
        };
        assert!(figure(&whole).is_some());
        assert_eq!(figure(&whole), figure(&again));
    }
}
