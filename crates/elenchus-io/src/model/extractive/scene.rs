//! The scene of one question: the units that come nearest in words and meaning, and how they compare.
//!
//! Everything here compares; whether the nearest unit answers is judged in `meaning`.

use super::asked_past::asks_for_the_old;
use super::bind::{Against, Candidate};
use super::matching::Commonness;
use super::meaning::Meaning;
use super::question::Question;
use super::reader::{AnswerReader, Told};
use super::select::{FAMILY_BAND, currency, is_past, same_kind, same_words};
use super::unit::EvidenceUnit;
use super::vintages::is_vintage;
use crate::embed::{Reading, SentenceEncoder, dot};
use crate::ingest::UnitKind;
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
/// Weights of cosine, late interaction, score by words and the reader's log-odds in the choice of the unit that may answer. Fitted
/// (softmax over the units of a question, each file left out) on the tuning keys and the folders of invented documents: the right
/// unit is chosen for 903 of 1,344 paraphrases of the folders, with equal weights for 854.
const MEANS: f64 = 1.5;
const LATE: f64 = 0.8;
const SCORED: f64 = 0.5;
const READS: f64 = 0.18;
/// What speaks against a unit by words, on the same scale.
const AGAINST: f64 = 0.1;
/// Weight of a word that says little, or that every document is about, beside 0.45 to 1 for the others.
const LIGHT: f64 = 0.3;
/// Share of the score by words beside the cosine and late interaction in the order of what is shown without answering.
const SHOWN_SCORE: f64 = 0.25;
/// The same of the reader's log-odds: with it the first three hold what was asked for in 55 of 57 paraphrases left open
/// on the tuning keys, without it in 52.
const SHOWN_READS: f64 = 0.1;
/// Likeness from which a unit is worth showing where nothing answers, and how many are shown.
const WORTH_SHOWING: f64 = 0.3;
pub(super) const SHOWN: usize = 3;
/// Most that a unit counts as ahead of other reports: where there are hardly any, being ahead says little.
const MOST_AHEAD: f64 = 0.5;
/// How near in score another report that binds the same words says the same: it is a witness and no rival.
const AGREES: f64 = 0.08;
/// Nearness of a missing word when none is missing.
const NONE_MISSING: f64 = 0.8;
/// Nearness from which the word that a question turns on counts as said otherwise: in the middle between the near misses
/// of the tuning keys (0.22 to 0.26) and what they say otherwise (0.30 and up).
const IN_POINT: f64 = 0.28;
/// The same for the one missing word when it narrows a noun that is bound: more is asked of it, since the noun's
/// company alone brings the two near ("sick" beside "leave": 0.31; what is said otherwise: 0.45 and up).
const IN_POINT_NARROWING: f64 = 0.38;
/// Log-odds from which the reader's words are marked: below it doubts that the unit answers.
const ANSWERING: f64 = 0.0;
/// How far below an older unit a newer one may answer, by the reader's word, and still say the same.
const AS_WELL: f64 = 1.5;
/// Log-odds from which the reader is sure enough that a unit answers to set it against another.
const SURE: f64 = 1.0;
/// How much less a newer unit of another report may fit.
const AS_FIT: f64 = 0.2;
/// Most words of what the reader marks as the answer.
const MOST_WORDS: usize = 12;

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
    /// The scene always holds the units `given`, which answer as others say. `None` without units, or when the sentence
    /// encoder cannot be used: then words alone decide.
    pub(crate) fn new(
        question: &'a Question,
        all: &'a [Candidate],
        units: &'a [EvidenceUnit<'a>],
        common: &Commonness,
        given: &[usize],
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
        let is_given = |at: &usize| given.contains(&all[*at].unit);
        let mut chosen: Vec<usize> = (0..all.len().min(BEST))
            .chain(by_table.into_iter().take(NEAREST))
            .chain((0..all.len()).filter(is_given))
            .collect();
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
        for (_, near) in
            near.iter_mut().enumerate().filter(|(order, near)| *order < READ || is_given(&near.at))
        {
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

    /// These, late interaction, the reader's word, and what speaks against it: what an answer is picked by.
    fn fit(&self, near: &Near) -> f64 {
        let Against { untyped, uncounted, elsewhere } = self.all[near.at].against;
        let against = if untyped || uncounted || elsewhere { AGAINST } else { 0.0 };
        MEANS * near.cosine
            + LATE * near.words
            + SCORED * self.all[near.at].score
            + READS * self.answers(near)
            - against
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
            .filter(|other| {
                let agrees = same_words(&self.all[other.at], candidate)
                    && (self.all[other.at].score - candidate.score).abs() < AGREES;
                self.family(other.at) != self.family(pick) && !agrees
            })
            .map(|other| self.closeness(other))
            .fold(0.0, f64::max);
        let missing: Vec<f64> = candidate
            .missing
            .iter()
            .filter_map(|word| self.asked.nearest(word, &near.told))
            .collect();
        let nearest = missing.iter().copied().fold(NONE_MISSING, f64::min);
        let in_point = match (missing.len(), candidate.features.missing_narrower > 0.0) {
            (1, true) => IN_POINT_NARROWING,
            (1, false) | (_, true) => IN_POINT,
            (_, false) => 0.0,
        };
        Some(Meaning {
            cosine: near.cosine,
            cosine_below: self.highest(|near| near.cosine) - near.cosine,
            words: near.words,
            words_below: self.highest(|near| near.words) - near.words,
            score_below: self.highest(|near| self.all[near.at].score) - candidate.score,
            margin: (self.closeness(near) - other).clamp(-MOST_AHEAD, MOST_AHEAD),
            score: candidate.score,
            missing: nearest,
            answers: self.answers(near),
            answers_below: self.answering(near) - self.answers(near),
            beside_point: (in_point - nearest).max(0.0),
            against: candidate.against,
        })
    }

    /// The units that decide how the others compare: the nearest by each measure, the best by all, and, seen from the
    /// one that may answer, the best of another report.
    pub(super) fn rivals(&self, pick: Option<usize>) -> Vec<usize> {
        let best = |of: &dyn Fn(&Near) -> f64, other_than: Option<usize>| {
            self.near
                .iter()
                .filter(|near| other_than.is_none_or(|o| self.family(near.at) != self.family(o)))
                .max_by(|a, b| of(a).total_cmp(&of(b)).then(b.at.cmp(&a.at)))
                .map(|near| self.all[near.at].unit)
        };
        let fit = |near: &Near| self.fit(near);
        let answering = self
            .may_answer()
            .max_by(|a, b| self.answers(a).total_cmp(&self.answers(b)).then(b.at.cmp(&a.at)))
            .map(|near| self.all[near.at].unit);
        [
            answering,
            pick.map(|pick| self.all[pick].unit),
            pick.and_then(|pick| self.runner_up(pick)).map(|near| self.all[near.at].unit),
            best(&|near| near.cosine, None),
            best(&|near| near.words, None),
            best(&|near| self.all[near.at].score, None),
            best(&|near| self.answers(near), None),
            best(&fit, None),
            pick.and_then(|pick| best(&|near| self.closeness(near), Some(pick))),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// The highest log-odds of a candidate and of those that may answer in its place: names, periods and kinds are bound
    /// by rules, and nothing older stands for what is newer.
    fn answering(&self, near: &Near) -> f64 {
        let this = currency(&self.all[near.at], self.units);
        self.may_answer()
            .filter(|other| {
                let other = currency(&self.all[other.at], self.units);
                self.question.past || other >= this || other.1 == i64::MIN
            })
            .map(|other| self.answers(other))
            .fold(self.answers(near), f64::max)
    }

    /// How far ahead of all other units that it read the reader puts one. Nothing where it did not read the unit, or no other one.
    pub(super) fn lead(&self, pick: usize) -> Option<f64> {
        let own = self.near.iter().find(|near| near.at == pick && near.read.is_some())?;
        Some(self.answers(own) - self.answers(self.runner_up(pick)?))
    }

    /// The unit that reads best beside one. Those that go on from that one are read with it and are no others.
    fn runner_up(&self, pick: usize) -> Option<&Near> {
        let text = squeeze(self.units[self.all[pick].unit].text);
        let others = self.near.iter().filter(|near| {
            let unit = &self.units[self.all[near.at].unit];
            let goes_on = squeeze(&unit.goes_on_from).ends_with(&text);
            near.at != pick && near.read.is_some() && !goes_on
        });
        others.max_by(|a, b| self.answers(a).total_cmp(&self.answers(b)).then(b.at.cmp(&a.at)))
    }

    /// Other units that answer as the reader says, about as surely as the one that is given; nothing where it doubts that one.
    pub(super) fn answering_too(&self, pick: usize) -> Vec<usize> {
        let Some(near) = self.near.iter().find(|near| near.at == pick) else { return Vec::new() };
        let sure = (self.answers(near) - AS_WELL).max(SURE);
        if self.answers(near) < SURE {
            return Vec::new();
        }
        let mut also: Vec<&Near> = self
            .may_answer()
            .filter(|other| other.at != pick && self.answers(other) >= sure)
            .collect();
        also.sort_by(|a, b| self.answers(b).total_cmp(&self.answers(a)).then(a.at.cmp(&b.at)));
        also.into_iter().map(|near| near.at).collect()
    }

    /// The position of the candidate of a unit of the scene.
    pub(super) fn position(&self, unit: usize) -> Option<usize> {
        self.near.iter().map(|near| near.at).find(|at| self.all[*at].unit == unit)
    }

    /// The words of a candidate's unit that answer, as the reader marks them, bytes of its text; `None` where it doubts
    /// that the unit answers, or the words are too many to stand out or stand there several times.
    pub(super) fn marked(&self, pick: usize) -> Option<Range<usize>> {
        let near = self.near.iter().find(|near| near.at == pick)?;
        let told = near.read.as_ref().filter(|told| told.answers > ANSWERING)?;
        let unit = &self.units[self.all[pick].unit];
        let [_, _, read] = read_as(unit);
        place_of(unit.text, &read, told.words.clone()?)
    }

    /// The units that come nearest, best first, each text once: what a reader is shown where nothing answers.
    pub(super) fn nearest(&self) -> Vec<Candidate> {
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

    /// The newest unit that says the same: another vintage of the same report, or another report's that answers as well
    /// and with the same kind of value.
    pub(super) fn newest_like(&self, pick: usize) -> usize {
        let Some(near) = self.near.iter().find(|near| near.at == pick) else { return pick };
        if self.question.past {
            return pick;
        }
        let of_period = self.question.period.is_some();
        let chosen = &self.all[pick];
        let (_, said) = currency(chosen, self.units);
        self.near
            .iter()
            .filter(|one| {
                let other = &self.all[one.at];
                let as_well = self.answers(one) >= self.answers(near) - AS_WELL;
                let same_report = self.family(one.at) == self.family(pick)
                    && (same_words(other, chosen) || as_well)
                    && other.score >= chosen.score - FAMILY_BAND;
                // What bears no date is not out of date.
                let another = chosen.kind.is_some()
                    && said > i64::MIN
                    && as_well
                    && self.fit(one) >= self.fit(near) - AS_FIT;
                // Where a period is asked about, only what tells of the same time is newer.
                let fits = if of_period {
                    same_report && is_vintage(other, chosen, self.units)
                } else {
                    same_report || another
                };
                other.open
                    && same_kind(other, chosen)
                    && fits
                    && currency(other, self.units) > currency(chosen, self.units)
            })
            .map(|one| one.at)
            .max_by(|a, b| {
                currency(&self.all[*a], self.units)
                    .cmp(&currency(&self.all[*b], self.units))
                    .then(self.all[*a].score.total_cmp(&self.all[*b].score))
                    .then(b.cmp(a))
            })
            .unwrap_or(pick)
    }
}

/// Where words of a text as it is read stand in the text itself: at the same place, or at the only one.
pub(super) fn place_of(text: &str, read: &str, at: Range<usize>) -> Option<Range<usize>> {
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
pub(super) fn in_context(unit: &EvidenceUnit<'_>) -> String {
    match read_as(unit) {
        [_, heading, text] if heading.is_empty() => text,
        [_, heading, text] => format!("{heading}: {text}"),
    }
}

/// Title of the document, innermost heading, and text of a unit as it is read, with what it goes on from; empty where
/// there is none.
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
    let text = format!("{} {text}", unit.goes_on_from).replace('*', "");
    [unit.read.source.title.clone(), heading, squeeze(&text)]
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    #[test]
    fn a_unit_is_read_with_what_it_goes_on_from() {
        let read = |text: &str| -> Vec<String> {
            let passages = [document("yard", "Facts", text)];
            evidence_units(&passages).iter().map(|unit| read_as(unit)[2].clone()).collect()
        };
        let told = read("The slip was built in 1911. It carries 40 tons. Visitors are welcome.");
        assert_eq!(told[1], "The slip was built in 1911. It carries 40 tons.");
        assert_eq!(told[2], "Visitors are welcome.");
        let chain = read("Two dogs came in. Both were thin. The bigger one weighs 24 kilos.");
        assert_eq!(chain[2], "Two dogs came in. Both were thin. The bigger one weighs 24 kilos.");
        let listed = read("Still missing:\n\n- The crane's certificate\n- A second exit\n");
        assert!(listed.contains(&"Still missing: - A second exit".to_owned()), "{listed:?}");
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
}
