//! Meaning: where the words of a question bind nothing, or little, whole sentences are compared by an encoder.
//!
//! Names, numbers, periods, the kind of value and what is counted must bind as ever; only the words of the attribute may be said otherwise.
//! Whether the nearest unit answers is judged by a small logistic model, fitted by `scripts/fit_acceptance.py --meaning`.

use super::asked_column::as_it_came_to;
use super::bind::{Against, Candidate};
use super::cells::{asked_cell, who_cell};
use super::choice::asked_part;
use super::columns::is_of_other_time;
use super::context::told_of_that_day;
use super::contrast::has_left;
use super::coordination::of_named_part;
use super::dimension::fits;
use super::ends::{
    asked_end, asks_by_how_much, asks_for_the_day, by_preposition, end_of_range, is_clock, is_day,
    whole_span,
};
use super::later_told::take;
use super::lexicon::is_reason;
use super::matching::Commonness;
use super::numbering::is_no_value;
use super::parts::is_of_its_entry;
use super::places::with_common_noun;
use super::question::{Expects, Question};
use super::scene::Scene;
use super::select::{MOST_CONFLICTS, Selection, contradicts, currency, is_ambiguous, list};
use super::spans::{is_of_before, is_replaced};
use super::unit::{EvidenceUnit, Place};
use super::values::{Value, ValueKind};
use super::vintages::older_values;
use crate::ingest::UnitKind;
use elenchus_core::prompt::Bearing;
use elenchus_core::text::words;
use std::collections::BTreeMap;
use std::ops::Range;

/// Figures that a judge is told.
const COUNT: usize = 14;
/// Probability from which a unit answers by its meaning alone: likelier right than not, by some distance.
const THRESHOLD: f64 = 0.55;
const BIAS: f64 = 1.458;
const WEIGHTS: [f64; COUNT] = [
    0.469, -4.260, -1.270, 0.378, -0.234, 1.261, 0.493, -0.316, -1.234, -0.885, -0.993, 0.005,
    -2.223, -6.278,
];
/// The same for an answer by words, judged by them, its meaning and the reader together: the log-odds by words come first.
const KEPT: f64 = 0.5;
const GIVEN_BIAS: f64 = 1.621;
const GIVEN_WEIGHTS: [f64; COUNT + 1] = [
    0.653, 2.639, -3.555, 0.932, -0.729, -0.924, 0.358, 0.475, -0.650, 0.660, 0.000, 0.000, 0.000,
    -2.969, -1.335,
];
/// Log-odds of the reader, its lead over every other unit, and the most that the cosine lies below the highest, from which a unit answers
/// though a word is missing: so for 91 answerable questions (88 rightly) and 11 of 106 others, which other rules shut out.
const CLEAR: f64 = 1.0;
const AHEAD: f64 = 3.0;
const NEARLY: f64 = 0.2;
/// Probability from which an answer is of strong bearing, and from which it is of fair bearing.
const STRONG: f64 = 0.85;
pub(super) const FAIR: f64 = 0.7;
/// Share of the nouns of a question that a statement binds which is set against its answer.
const OF_THE_THING: f64 = 0.5;
/// Log-odds by words are kept within this.
const SUREST: f64 = 5.0;

/// What acceptance by meaning is judged on. Cosines are -1 to 1, scores 0 to about 1.1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meaning {
    /// Cosine of question and unit in the encoder.
    pub(super) cosine: f64,
    /// How far that is below the highest.
    pub(super) cosine_below: f64,
    /// Late interaction of question and unit, word by word, 0 to 1, and how far that is below the highest.
    pub(super) words: f64,
    pub(super) words_below: f64,
    /// How far its score by words is below the highest.
    pub(super) score_below: f64,
    /// Cosine and score together, ahead of the best of another report.
    pub(super) margin: f64,
    /// The score by words.
    pub(super) score: f64,
    /// How near the unit comes to the question's word that it misses most, each word as meant in its place.
    pub(super) missing: f64,
    /// The reader's log-odds that it answers, and how far that is below the highest.
    pub(super) answers: f64,
    pub(super) answers_below: f64,
    /// How much nearer the word on which the question turns would have to come: the only missing one, or one that narrows ("sick" days).
    pub(super) beside_point: f64,
    /// What speaks against it by words.
    pub(super) against: Against,
}

impl Meaning {
    /// Names and values in one fixed order, for fitting.
    pub(crate) fn named(&self) -> [(&'static str, f64); COUNT] {
        let sign = |holds: bool| f64::from(u8::from(holds));
        [
            ("meaning", self.cosine),
            ("meaning_below", self.cosine_below),
            ("score_below", self.score_below),
            ("meaning_margin", self.margin),
            ("score", self.score),
            ("missing", self.missing),
            ("answers", self.answers),
            ("answers_below", self.answers_below),
            ("beside_point", self.beside_point),
            ("untyped", sign(self.against.untyped)),
            ("uncounted", sign(self.against.uncounted)),
            ("elsewhere", sign(self.against.elsewhere)),
            ("words", self.words),
            ("words_below", self.words_below),
        ]
    }

    /// The probability that a unit answers of which words say nothing, or too little.
    fn probability(&self) -> f64 {
        let sum: f64 =
            self.named().iter().zip(WEIGHTS).map(|((_, value), weight)| value * weight).sum();
        logistic(sum + BIAS)
    }

    /// The probability that an answer is right that words gave with the probability `by_words`.
    fn with_words(&self, by_words: f64) -> f64 {
        let by_words = (by_words / (1.0 - by_words)).ln().clamp(-SUREST, SUREST);
        let values = std::iter::once(by_words).chain(self.named().map(|(_, value)| value));
        let sum: f64 = values.zip(GIVEN_WEIGHTS).map(|(value, weight)| value * weight).sum();
        logistic(sum + GIVEN_BIAS)
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// How firmly a candidate answers: what only its meaning speaks for is never strong, what may be of another thing is weak.
pub(crate) fn bearing(candidate: &Candidate) -> Bearing {
    let of = |probability: f64| match probability {
        p if p >= STRONG => Bearing::Strong,
        p if p >= FAIR => Bearing::Fair,
        _ => Bearing::Weak,
    };
    let bearing = match (candidate.by_meaning, candidate.weighed) {
        (Some(probability), _) => of(probability).min(Bearing::Fair),
        (None, Some(probability)) => of(probability),
        // Voices of a survey, verses that are cited, and where the encoder cannot be used.
        (None, None) => candidate.features.bearing(),
    };
    if candidate.doubtful { Bearing::Weak } else { bearing }
}

/// The bearing of units that somebody else puts forward as answers; nothing where the encoder cannot be used.
pub(crate) fn weigh(
    question: &Question,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
    common: &Commonness,
    given: &[usize],
) -> BTreeMap<usize, Bearing> {
    let Some(scene) = Scene::new(question, all, units, common, given) else {
        return BTreeMap::new();
    };
    let weighed = given.iter().filter_map(|unit| {
        let at = scene.position(*unit)?;
        let mut candidate = all[at].clone();
        let meaning = scene.features(at)?;
        if candidate.eligible {
            candidate.weighed = Some(meaning.with_words(candidate.features.probability()));
        } else {
            candidate.by_meaning = Some(if candidate.open { meaning.probability() } else { 0.0 });
        }
        Some((*unit, bearing(&candidate)))
    });
    weighed.collect()
}

/// Most words that are named as not said.
const NAMED: usize = 3;

/// Words of the question that a loose answer does not say; none of a firm one, for which that is of no account.
pub(crate) fn unbound(candidate: &Candidate, bearing: Option<Bearing>) -> Vec<String> {
    if bearing.is_none_or(|bearing| bearing == Bearing::Strong) {
        return Vec::new();
    }
    candidate.missing.iter().take(NAMED).cloned().collect()
}

/// What a candidate binds of the question, in words.
pub(crate) fn binding(candidate: &Candidate) -> String {
    let mut said = Vec::new();
    if !candidate.matched.is_empty() || candidate.by_meaning.is_none() {
        said.push(format!("binds {}", candidate.matched.join(", ")));
    }
    if let Some(rows) = candidate.compared {
        said.push(format!("is the one of {rows} rows that were read and compared"));
    }
    if candidate.by_meaning.is_some() {
        said.push(match candidate.missing.as_slice() {
            [] => "is near in meaning".to_owned(),
            missing => format!("says otherwise what the question calls {}", missing.join(", ")),
        });
    }
    said.join(" and ")
}

/// Looks at a question again with the encoder and the reader: what words answer is weighed anew, and taken back where
/// too little speaks for it; where nothing answers, the unit that means the nearest may, and otherwise the nearest units are
/// kept to be shown. Gives the units that it was judged against.
pub(crate) fn reconsider(
    question: &Question,
    selection: &mut Selection,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
    common: &Commonness,
) -> Vec<usize> {
    let given = selection.answers.first();
    let survey = question.kind.wants_several();
    // Rows that fulfil all of a question are weighed by that.
    let settled = given.is_some_and(|answer| answer.weighed.is_some());
    if (survey && given.is_some())
        || settled
        || question.verse.is_some()
        || question.terms.is_empty()
        || (given.is_none() && !selection.superseded.is_empty())
    {
        return Vec::new();
    }
    let given: Vec<usize> = given.iter().map(|answer| answer.unit).collect();
    let Some(scene) = Scene::new(question, all, units, common, &given) else { return Vec::new() };
    let mut taken_back = None;
    if let Some(answer) = selection.answers.first() {
        let at = scene.position(answer.unit);
        let Some(meaning) = at.and_then(|at| scene.features(at)) else { return Vec::new() };
        let mut weighed = meaning.with_words(answer.features.probability());
        // Who came before is not said together with who came after, and the reader misses that name.
        if question.forerunner || answer.sure {
            weighed = weighed.max(FAIR);
        }
        if weighed >= KEPT {
            for answer in &mut selection.answers {
                answer.weighed = Some(weighed);
            }
            // The voices of a list are its values, and a yes or no has none.
            if !matches!(question.expects, Expects::List | Expects::YesNo) {
                let Selection { answers, conflicts, superseded, .. } = &mut *selection;
                for told in answers.iter_mut().chain(conflicts).chain(superseded) {
                    if let Some(at) = scene.position(told.unit) {
                        told.value = value(question, told, scene.marked(at), units);
                    }
                }
            }
            if let Some(at) = at {
                if let Some(later) = take(question, &scene, at, weighed, selection, all, units) {
                    return scene.rivals(Some(later));
                }
                told_elsewhere(question, &scene, at, selection, all, units);
            }
            return scene.rivals(at);
        }
        taken_back = Some(currency(answer, units));
        *selection = Selection::default();
    }
    selection.nearest = scene.nearest();
    // Nearness alone makes no voice.
    let pick = if survey { None } else { scene.pick() };
    let mut rivals = scene.rivals(pick);
    rivals.extend(selection.nearest.iter().map(|candidate| candidate.unit));
    let Some(pick) = pick else { return rivals };
    let Some(meaning) = scene.features(pick) else { return rivals };
    let chosen_at = scene.newest_like(pick);
    let chosen = &all[chosen_at];
    // What all words bind, and what was taken back, was judged by that already.
    let vetoed = taken_back.is_none() && !chosen.missing.is_empty() && !chosen.planned;
    let clear = vetoed && chosen_at == pick && is_clear(&meaning, scene.lead(pick));
    let probability = meaning.probability().max(if clear { THRESHOLD } else { 0.0 });
    // What was taken back was no answer, but nothing older takes its place: what it says may have changed since.
    let older = !question.past
        && question.period.is_none()
        && taken_back.is_some_and(|other| currency(chosen, units) < other);
    // The number of sick days is not that of all days, however near the sentence comes.
    let narrowed = meaning.beside_point > 0.0
        && chosen.number.is_some()
        && chosen.features.missing_narrower > 0.0;
    if probability < THRESHOLD || older || narrowed || is_ambiguous(question, chosen, all, units) {
        return rivals;
    }
    let mut answers = if question.expects == Expects::List {
        list(question, chosen, all, units)
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
        if answer.unit == chosen.unit && question.expects != Expects::List {
            answer.value = value(question, answer, marked.clone(), units);
        }
        // The quote speaks for itself: a yes or no is read only where every word binds.
        answer.polarity = None;
    }
    // Only where the reader marks what the words chose can one figure be set against another.
    let as_chosen = answers.iter().all(|answer| answer.value == chosen.value);
    if as_chosen && question.expects != Expects::List {
        let older = older_values(question, chosen, all, units).into_iter().cloned();
        selection.superseded = older.collect();
    }
    selection.answers = answers;
    selection.nearest.clear();
    told_elsewhere(question, &scene, chosen_at, selection, all, units);
    rivals.extend(selection.answers.iter().chain(&selection.conflicts).map(|told| told.unit));
    rivals
}

/// Whether the reader puts one unit so far before all others that a missing word does not take it back, where nothing else speaks against it.
fn is_clear(meaning: &Meaning, lead: Option<f64>) -> bool {
    let Against { untyped, uncounted, elsewhere } = meaning.against;
    !(untyped || uncounted || elsewhere)
        && meaning.answers >= CLEAR
        && meaning.cosine_below <= NEARLY
        && lead.is_some_and(|lead| lead >= AHEAD)
}

/// "Because", "caused by": the unit itself says that it tells why.
fn gives_reason(unit: &EvidenceUnit<'_>) -> bool {
    unit.words.iter().any(|word| word.place == Place::Unit && is_reason(&word.word))
}

/// Adds what other documents say otherwise: another figure, day or cause of the same, by the reader's word.
fn told_elsewhere(
    question: &Question,
    scene: &Scene<'_>,
    chosen: usize,
    selection: &mut Selection,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) {
    if question.kind.wants_several() || matches!(question.expects, Expects::List | Expects::YesNo) {
        return;
    }
    for at in scene.answering_too(chosen) {
        let told = |list: &[Candidate]| list.iter().any(|one| one.unit == all[at].unit);
        if selection.conflicts.len() < MOST_CONFLICTS
            && !told(&selection.answers)
            && !told(&selection.conflicts)
            && !told(&selection.superseded)
            && all[at].features.noun >= OF_THE_THING
            // A circumstance is no other cause: it has to be told as one, and of each document once.
            && (question.expects != Expects::Reason || gives_reason(&units[all[at].unit]))
            && !selection.conflicts.iter().any(|one| {
                units[one.unit].read.source.id == units[all[at].unit].read.source.id
            })
            && contradicts(question, &all[at], &all[chosen], units)
        {
            let mut other = all[at].clone();
            other.value = value(question, &other, scene.marked(at), units);
            other.weighed = None;
            other.by_meaning = Some(FAIR);
            selection.conflicts.push(other);
        }
    }
    for other in told_of_that_day(question, &all[chosen], all, units) {
        let told = selection.conflicts.iter().any(|one| one.unit == other.unit);
        if selection.conflicts.len() < MOST_CONFLICTS && !told {
            let fair = Candidate { weighed: None, by_meaning: Some(FAIR), ..other.clone() };
            selection.conflicts.push(fair);
        }
    }
}

/// The words that answer: as binding chose them, unless the reader marks others. Where both disagree the reader is right in four cases of
/// five, the rules in one of ten; where it marks more than a figure, the figure is enough. Of two figures the rules know which was before.
pub(super) fn value(
    question: &Question,
    candidate: &Candidate,
    marked: Option<Range<usize>>,
    units: &[EvidenceUnit<'_>],
) -> Option<Range<usize>> {
    // What its form alone tells keeps its words, and who "I" is stands in none of them.
    let asks_who = matches!(question.expects, Expects::Person | Expects::Agent);
    if candidate.sure && (candidate.value.is_some() || asks_who) {
        return candidate.value.clone();
    }
    let unit = &units[candidate.unit];
    let at = words_that_answer(question, candidate, marked, unit)
        .filter(|_| !is_of_its_entry(question, unit))?;
    let place = question.expects == Expects::Place;
    Some(if place { with_common_noun(unit.text, &at) } else { whole_span(question, unit, at) })
}

fn words_that_answer(
    question: &Question,
    candidate: &Candidate,
    marked: Option<Range<usize>>,
    unit: &EvidenceUnit<'_>,
) -> Option<Range<usize>> {
    let text = unit.text;
    // The number of a section, digits of a name and a figure of another kind are no answer, whoever marks them.
    let other_kind = |at: &Range<usize>| {
        unit.values.iter().any(|value| {
            value.range.start < at.end && at.start < value.range.end && !fits(question, text, value)
        })
    };
    let marked = marked.filter(|at| !is_no_value(question, unit, at) && !other_kind(at));
    let Some(marked) = marked else { return candidate.value.clone() };
    let marked = as_it_came_to(question, unit, marked);
    if let Some(cell) = asked_cell(question, unit) {
        return Some(cell);
    }
    if let Some(chosen) = &candidate.value
        && is_of_other_time(question, unit, chosen, &marked)
    {
        return Some(chosen.clone());
    }
    // "Name: Nerys Colbeck; Role: Taproom manager": who it is, and not what is run.
    let asks_who = matches!(question.expects, Expects::Person | Expects::Agent);
    let people = || unit.values.iter().filter(|value| value.kind == ValueKind::Person);
    if asks_who
        && unit.kind == UnitKind::Row
        && let (Some(person), None) = (people().next(), people().nth(1))
    {
        return Some(person.range.clone());
    }
    if let Some(people) = who_cell(question, unit) {
        return Some(people);
    }
    // "£10 for adults and £6 for children": the qualifier that is asked for has chosen already.
    if let Some(chosen) = &candidate.value
        && let Some(part) = asked_part(question, unit)
        && part.start <= chosen.start
        && chosen.end <= part.end
    {
        return Some(chosen.clone());
    }
    // "Closed until the morning of 19 February, one day in all": how long is the span, and not the day on which it ended.
    let spans = |value: &Value| matches!(value.kind, ValueKind::Duration | ValueKind::Measure);
    let marks_a_span = || {
        unit.values.iter().any(|value| {
            spans(value) && marked.start <= value.range.start && value.range.end <= marked.end
        })
    };
    if matches!(question.expects, Expects::Duration | Expects::Extent)
        && let Some(chosen) = &candidate.value
        && !marks_a_span()
        // "Reviewed every five years" is how often.
        && !matches!(
            text[..chosen.start].split_whitespace().next_back(),
            Some("every" | "each" | "per")
        )
    {
        return Some(chosen.clone());
    }
    let left = question.expects == Expects::Person && !question.past && has_left(text, &marked);
    let end = match (by_preposition(question), &candidate.value) {
        // "Until when": only where the sentence says which of its times is the end.
        (Some(end), Some(chosen)) => end_of_range(text, chosen) == Some(end),
        _ => asked_end(question).is_some() || asks_by_how_much(question),
    };
    if left || (end && candidate.value.is_some()) {
        return candidate.value.clone();
    }
    let lead = text[..marked.start].split_whitespace().next_back().unwrap_or_default();
    let lead = lead.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    let was_before = is_of_before(&lead, &text[marked.clone()]) || is_replaced(text, &marked);
    let is_figure = |at: &Range<usize>| text[at.clone()].contains(|c: char| c.is_ascii_digit());
    let Some(chosen) = candidate.value.clone() else {
        let marked = of_named_part(question, unit, without_comparison(unit, marked));
        return Some(marked).filter(|marked| !(is_figure(marked) && was_before));
    };
    // "On 4 May 1931 at 18:30": the hour that is marked tells less than the day.
    let is_chosen_day =
        unit.values.iter().any(|value| value.range == chosen && is_day(text, value));
    if is_chosen_day && asks_for_the_day(question) && is_clock(&text[marked.clone()]) {
        return Some(chosen);
    }
    let within = |inner: &Range<usize>, outer: &Range<usize>| {
        outer.start <= inner.start && inner.end <= outer.end
    };
    let may_be_over = question.past || was_before || matches!(lead.as_str(), "was" | "were");
    let of_a_change = is_figure(&chosen) && is_figure(&marked) && may_be_over;
    if within(&marked, &chosen) || (within(&chosen, &marked) && is_figure(&chosen)) || of_a_change {
        Some(chosen)
    } else {
        Some(marked)
    }
}

/// Words that set one figure against another.
const SETS_AGAINST: [&str; 8] =
    ["against", "compared", "than", "from", "previously", "versus", "instead", "formerly"];

/// "£9,400 in the year to March, against £8,100 before": the first figure, where what is marked sets it against another.
fn without_comparison(unit: &EvidenceUnit<'_>, marked: Range<usize>) -> Range<usize> {
    let figure = |value: &&Value| {
        !matches!(value.kind, ValueKind::Date | ValueKind::Person | ValueKind::Name)
            && marked.start <= value.range.start
            && value.range.end <= marked.end
    };
    let mut figures = unit.values.iter().filter(figure);
    let first = figures.next().filter(|first| first.range.start == marked.start);
    let Some(first) = first else { return marked };
    let compared = figures.any(|other| {
        other.kind == first.kind
            && words(&unit.text[first.range.end..other.range.start])
                .iter()
                .any(|word| SETS_AGAINST.contains(&word.as_str()))
    });
    if compared { first.range.clone() } else { marked }
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::scene::SHOWN;
    use super::super::select::{by_words, select};
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;
    use elenchus_core::evidence::{DocDate, PartialDate, ReadPassage, Vintage};

    #[test]
    fn the_reader_says_which_words_answer_and_a_figure_stays_a_figure() {
        let text = "The parish keeps about \u{20ac}185,000 in St Wenna's churchyard, up from \u{20ac}140,000.";
        let passages = [document("fund", "Roof", text)];
        let units = evidence_units(&passages);
        let common = Commonness::new(&[], 1);
        let question = Question::parse("How much does the parish keep?", &[]);
        let (all, _) = by_words(&question, &units, &Matcher::new(), &common);
        let at = |words: &str| {
            let from = text.find(words).expect("it stands there");
            Some(from..from + words.len())
        };
        let said = |chosen: &str, marked: Option<Range<usize>>| {
            let mut candidate = all[0].clone();
            candidate.value = at(chosen).filter(|_| !chosen.is_empty());
            value(&question, &candidate, marked, &units).map(|range| &text[range])
        };
        assert_eq!(said("", at("\u{20ac}185,000")), Some("\u{20ac}185,000"));
        assert_eq!(said("\u{20ac}185,000", None), Some("\u{20ac}185,000"));
        assert_eq!(said("\u{20ac}185,000", at("about \u{20ac}185,000")), Some("\u{20ac}185,000"));
        assert_eq!(
            said("St Wenna's", at("in St Wenna's churchyard")),
            Some("in St Wenna's churchyard")
        );
        assert_eq!(said("St Wenna's churchyard", at("St Wenna's")), Some("St Wenna's churchyard"));
        assert_eq!(said("St Wenna's", at("\u{20ac}185,000")), Some("\u{20ac}185,000"));
        assert_eq!(said("\u{20ac}140,000", at("\u{20ac}185,000")), Some("\u{20ac}185,000"));
        assert_eq!(said("\u{20ac}185,000", at("\u{20ac}140,000")), Some("\u{20ac}185,000"));
    }

    #[test]
    fn what_is_marked_is_cut_to_what_is_asked_for() {
        let said = |question: &str, text: &str, chosen: &str, marked: &str| {
            let passages = [document("yard", "The yard", text)];
            let units = evidence_units(&passages);
            let question = Question::parse(question, &[]);
            let common = Commonness::new(&[], 1);
            let (all, _) = by_words(&question, &units, &Matcher::new(), &common);
            let place = |words: &str| {
                let from = text.rfind(words).expect("it stands there");
                from..from + words.len()
            };
            let mut candidate = all[0].clone();
            candidate.value = Some(place(chosen)).filter(|_| !chosen.is_empty());
            let found = value(&question, &candidate, Some(place(marked)), &units);
            found.map(|range| text[range].to_owned())
        };
        let profit = "The yard made £9,400 in the year to March, against £8,100 before.";
        let long = "£9,400 in the year to March, against £8,100";
        let told = said("What did the yard make of it?", profit, "", long);
        assert_eq!(told.as_deref(), Some("£9,400"));
        let made = "It is made up of £40 for oil and £60 for wax.";
        let whole = "£40 for oil and £60 for wax";
        let told = said("What is it made up of?", made, "", whole);
        assert_eq!(told.as_deref(), Some(whole), "a list is no comparison");
        let wind = "Wind: 310 degrees, 22 knots";
        let told = said("How strong was the wind?", wind, "22 knots", "310 degrees");
        assert_eq!(told.as_deref(), Some("22 knots"));
        let slip = "The slip, 09/27, is 12 metres wide.";
        let told = said("How wide is the slip?", slip, "12 metres", "27");
        assert_eq!(told.as_deref(), Some("12 metres"));
        let hall = "The launch party is at Eskdale parish hall.";
        let told = said("Where is the launch party?", hall, "Eskdale", "Eskdale");
        assert_eq!(told.as_deref(), Some("Eskdale parish hall"));
    }

    #[test]
    fn how_long_is_a_span_and_who_is_the_one_named() {
        let text = "The cellar was closed until the morning of 19 February, one day in all.";
        let row = "Name: Nerys Colbeck; Role: Bar manager; Since: 12 May 2025";
        let passages = [document("report", "Report", text), document("staff", "Staff", row)];
        let units = evidence_units(&passages);
        let common = Commonness::new(&[], 1);
        let said = |question: &str, at: usize, chosen: &str, marked: &str| {
            let question = Question::parse(question, &[]);
            let (all, _) = by_words(&question, &units, &Matcher::new(), &common);
            let mut candidate = all.iter().find(|one| one.unit == at).expect("it is there").clone();
            let text = units[at].text;
            let place = |words: &str| {
                let from = text.find(words).expect("it stands there");
                from..from + words.len()
            };
            candidate.value = Some(place(chosen));
            value(&question, &candidate, Some(place(marked)), &units).map(|range| &text[range])
        };
        let until = "until the morning of 19 February";
        assert_eq!(said("How long was the cellar closed?", 0, "one day", until), Some("one day"));
        assert_eq!(said("Who runs the bar?", 1, "Bar", "Bar manager"), Some("Nerys Colbeck"));
    }

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
        let (told, firmly) = asked("Above which wind force is the crane out of use?", &passages);
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
        let (all, _) = by_words(&rival, &units, &Matcher::new(), &Commonness::new(&[], 3));
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
    fn names_must_bind_and_outdated_documents_stay_silent() {
        let mut passages = yard();
        let near = "Above which wind force is the crane in Leith out of use?";
        assert_eq!(asked(near, &passages).0.len(), 0, "no unit speaks of Leith");
        let old = "Above which wind force is the crane out of use?";
        assert_eq!(asked(old, &passages).0.len(), 1);
        passages[1].source.vintage = Vintage::Superseded;
        assert_eq!(asked(old, &passages).0.len(), 0, "the only source is out of date");
    }

    #[test]
    fn of_reports_that_answer_alike_the_newest_is_given() {
        let told = |first: i32, second: i32| {
            let mut passages = [
                document("first", "Staff", "The workshop employs 31 boatbuilders."),
                document("second", "Review", "There are 44 boatbuilders on the payroll."),
                document("visits", "Tours", "The yard is open to visitors on Saturdays."),
            ];
            for (passage, year) in passages.iter_mut().zip([first, second]) {
                passage.source.date =
                    Some(DocDate { value: PartialDate::year(year), stated: year.to_string() });
            }
            asked("How big is the team of boatbuilders?", &passages).0
        };
        assert_eq!(told(2023, 2025), ["There are 44 boatbuilders on the payroll."]);
        assert_eq!(told(2025, 2023), ["The workshop employs 31 boatbuilders."]);
    }

    #[test]
    fn what_is_said_otherwise_is_told() {
        let passages = yard();
        let units = evidence_units(&passages);
        let question = Question::parse("Above which wind force is the crane out of use?", &[]);
        let selection = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3));
        let told = selection.answers.first().map(binding).expect("it is answered");
        assert!(told.contains("binds wind, crane"), "{told}");
        assert!(told.contains("says otherwise what the question calls force"), "{told}");
    }

    #[test]
    fn what_comes_near_is_likelier_than_what_lies_behind() {
        let near = Meaning {
            cosine: 0.8,
            cosine_below: 0.0,
            words: 0.7,
            words_below: 0.0,
            score_below: 0.0,
            margin: 0.5,
            score: 0.9,
            missing: 0.35,
            answers: 2.0,
            answers_below: 0.0,
            beside_point: 0.0,
            against: Against::default(),
        };
        assert!(near.probability() >= THRESHOLD && near.with_words(0.9) >= KEPT);
        assert!(near.with_words(0.6) < near.with_words(0.9));
        let behind =
            Meaning { cosine_below: 0.3, words_below: 0.2, score_below: 0.2, margin: -0.3, ..near };
        assert!(behind.probability() < THRESHOLD, "another unit fits better");
        let denied = Meaning { answers: -4.0, answers_below: 6.0, ..near };
        assert!(denied.probability() < THRESHOLD && denied.with_words(0.9) < KEPT);
        let untyped = Against { untyped: true, ..Against::default() };
        assert!(Meaning { against: untyped, ..near }.probability() < near.probability());
        // A missing word does not take back what reads far better than all else; another kind of value does.
        let missing = Meaning { missing: 0.1, beside_point: 0.3, ..near };
        assert!(is_clear(&missing, Some(3.5)));
        assert!(!is_clear(&missing, Some(1.0)) && !is_clear(&missing, None));
        assert!(!is_clear(&Meaning { against: untyped, ..missing }, Some(3.5)));
        assert!(!is_clear(&Meaning { cosine_below: 0.4, ..missing }, Some(3.5)));
        assert!(!is_clear(&Meaning { answers: 0.5, ..missing }, Some(3.5)));
    }

    #[test]
    fn the_same_question_is_judged_alike_with_the_relevant_passages_alone() {
        let passages = yard();
        let question = Question::parse("Above which wind force is the crane out of use?", &[]);
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
