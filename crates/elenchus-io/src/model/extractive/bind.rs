//! Binding: does a unit of evidence hold what a question asks for? Entity, attribute, period and kind of value.

use super::accept::Features;
use super::lexicon::{Synonyms, is_condition, is_negation, is_reason, is_role};
use super::question::{Class, Expects, Question, Term};
use super::unit::{EvidenceUnit, Place, Word};
use super::values::{Value, ValueKind};
use crate::embed::{StaticEmbedder, dot};
use elenchus_core::evidence::{DatePrecision, PartialDate};
use elenchus_core::prompt::{Polarity, QuestionKind};
use elenchus_core::text::words;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;

/// Cosine of two word vectors from which they may stand for each other. Chosen on word pairs, see `docs/quality.md`.
const WORD_COSINE: f32 = 0.5;
/// A term counts as bound from this match on.
const BOUND: f64 = 0.4;

/// What a corpus says about how common words are.
pub(crate) struct Commonness {
    counts: BTreeMap<String, u32>,
    passages: u32,
}

impl Commonness {
    pub(crate) fn new(terms: &[elenchus_core::port::TermCount], passages: u32) -> Self {
        Self {
            counts: terms.iter().map(|t| (t.term.clone(), t.passages)).collect(),
            passages: passages.max(1),
        }
    }

    /// Passages that hold the word, when a search has counted it.
    pub(crate) fn count(&self, word: &str) -> Option<u32> {
        self.counts.get(word).copied()
    }

    /// 0.45 for a word of every passage to 1 for one that occurs once or never.
    fn weight(&self, word: &str) -> f64 {
        let n = f64::from(self.passages);
        let Some(count) = self.count(word) else { return 0.8 };
        let idf = ((n + 1.0) / (f64::from(count) + 1.0)).ln() / (n + 1.0).ln().max(1.0);
        0.45 + 0.55 * idf.clamp(0.0, 1.0)
    }
}

/// How words stand for each other: stems, synonym groups, vectors.
pub(crate) struct Matcher {
    synonyms: Synonyms,
    vectors: Mutex<BTreeMap<String, Option<Vec<f32>>>>,
}

impl Matcher {
    pub(crate) fn new() -> Self {
        Self { synonyms: Synonyms::new(), vectors: Mutex::new(BTreeMap::new()) }
    }

    pub(crate) fn synonyms(&self) -> &Synonyms {
        &self.synonyms
    }

    fn cosine(&self, a: &str, b: &str) -> f32 {
        let mut cache = self.vectors.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if cache.len() > 50_000 {
            cache.clear();
        }
        for word in [a, b] {
            if !cache.contains_key(word) {
                cache.insert(word.to_owned(), StaticEmbedder::builtin().word_vector(word));
            }
        }
        match (cache.get(a).and_then(Option::as_ref), cache.get(b).and_then(Option::as_ref)) {
            (Some(a), Some(b)) => dot(a, b),
            _ => 0.0,
        }
    }

    /// How well a word of the text stands for a term of the question, 0 to 1.
    fn likeness(&self, term: &Term, word: &Word) -> f64 {
        if term.stem == word.stem || term.word == word.word {
            return 1.0;
        }
        let digits = |s: &str| s.chars().any(|c| c.is_ascii_digit());
        if digits(&term.word) || digits(&word.word) {
            // "3,120" and "3120" are one number; "VLX-400" and "VLX-500" are two names.
            let plain = |s: &str| s.replace(',', "");
            return if plain(&term.word) == plain(&word.word) { 1.0 } else { 0.0 };
        }
        if term.word.contains('-') || word.word.contains('-') {
            let joined = |s: &str| s.replace('-', "");
            if joined(&term.word) == joined(&word.word) {
                return 1.0;
            }
            let part = |whole: &str, piece: &str| {
                whole.contains('-')
                    && whole.split('-').any(|p| elenchus_core::text::stem(p) == piece)
            };
            if part(&word.word, &term.stem) || part(&term.word, &word.stem) {
                return 0.9;
            }
        }
        if term.hard && term.name.is_some() {
            // A name has no synonyms, but for the few that everybody uses for one another.
            return if term.alias && self.synonyms.related(&term.stem, &word.stem) {
                0.85
            } else {
                0.0
            };
        }
        if derived(&term.stem, &word.stem) {
            return 0.9;
        }
        if self.synonyms.related(&term.stem, &word.stem) {
            return 0.8;
        }
        if term.stem == "quarter" && matches!(word.word.as_str(), "q1" | "q2" | "q3" | "q4") {
            return 0.9;
        }
        let cosine = self.cosine(&term.word, &word.word);
        if cosine >= WORD_COSINE {
            (0.45 + f64::from(cosine - WORD_COSINE) * 0.8).min(0.75)
        } else {
            0.0
        }
    }
}

/// Same word family: a long common beginning.
fn derived(a: &str, b: &str) -> bool {
    let common = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    let longer = a.chars().count().max(b.chars().count());
    common >= 4 && common * 10 >= longer * 6
}

/// Where and how well a term is bound.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) strength: f64,
    pub(crate) at: Range<usize>,
    pub(crate) column: Option<usize>,
}

/// How a unit answers a question.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Position in the list of units.
    pub(crate) unit: usize,
    /// 0 to about 1.1; comparable between candidates of one question.
    pub(crate) score: f64,
    /// Names, period, kind of value and count hold: it may be judged.
    pub(crate) eligible: bool,
    /// It may answer.
    pub(crate) accepted: bool,
    /// What acceptance is judged on.
    pub(crate) features: Features,
    /// Names, numbers and the period are bound.
    pub(crate) names_bound: bool,
    /// Share of the meaning-bearing words that are bound.
    pub(crate) coverage: f64,
    /// The value, bytes of the unit's text.
    pub(crate) value: Option<Range<usize>>,
    pub(crate) kind: Option<ValueKind>,
    pub(crate) number: Option<f64>,
    /// When the value held, as far as the text or the document says.
    pub(crate) period: Option<PartialDate>,
    pub(crate) polarity: Option<Polarity>,
    /// Words of the question that are bound, and those that are not.
    pub(crate) matched: Vec<String>,
    pub(crate) missing: Vec<String>,
    /// Speaks of a plan or a goal where none was asked for.
    pub(crate) planned: bool,
}

/// A weighted mean under construction.
#[derive(Default)]
struct Share {
    total: f64,
    reached: f64,
}

impl Share {
    fn add(&mut self, weight: f64, strength: f64) {
        self.total += weight;
        self.reached += weight * strength;
    }

    fn share(&self) -> Option<f64> {
        (self.total > 0.0).then(|| self.reached / self.total)
    }
}

/// Judges one unit against one question.
pub(crate) fn bind(
    question: &Question,
    at: usize,
    unit: &EvidenceUnit<'_>,
    matcher: &Matcher,
    common: &Commonness,
) -> Candidate {
    let pronoun = begins_with_pronoun(unit.text);
    let bounds: Vec<Bound> =
        question.terms.iter().map(|term| bind_term(term, unit, matcher, pronoun)).collect();
    let mut matched = Vec::new();
    let mut missing = Vec::new();
    let mut names_bound = true;
    let mut weakest: f64 = 1.0;
    let (mut noun, mut verb, mut light, mut all) =
        (Share::default(), Share::default(), Share::default(), Share::default());
    let mut features = Features::default();
    let mut nouns = 0.0;
    for (place, (term, bound)) in question.terms.iter().zip(&bounds).enumerate() {
        let strength = bound.strength;
        let weight = common.weight(&term.word);
        let (share, overall) = match (term.hard, term.light, term.class) {
            (true, _, _) => (None, 1.2),
            (_, true, _) | (_, _, Class::Adverb) => (Some(&mut light), 0.2),
            (_, _, Class::Verb) => (Some(&mut verb), 0.4),
            (_, _, Class::Noun) => (Some(&mut noun), weight),
        };
        if let Some(share) = share {
            share.add(weight, strength);
        }
        all.add(overall, strength);
        if term.hard && strength < 0.6 {
            names_bound = false;
        }
        let meant = !term.light && !term.hard && term.class != Class::Adverb;
        // "Do staff have to obtain X?" is answered by "X is mandatory": the duty stands for the verb.
        let duty = term.class == Class::Verb && question.deontic && is_deontic(unit);
        if meant && !duty {
            weakest = weakest.min(strength);
        }
        if meant && term.class == Class::Noun {
            nouns += 1.0;
            if strength < BOUND {
                let known = common.count(&term.word).unwrap_or(0) > 0;
                if known {
                    features.missing_known += 1.0
                } else {
                    features.missing_unknown += 1.0
                }
                let next_bound =
                    term.narrows && bounds.get(place + 1).is_some_and(|next| next.strength >= 0.85);
                let head_of_bound = place > 0
                    && question.terms[place - 1].narrows
                    && bounds[place - 1].strength >= 0.85;
                if next_bound || head_of_bound {
                    features.missing_narrower += 1.0;
                }
            }
        }
        if strength >= 0.85 && !term.light {
            features.exact += 1.0;
        }
        if strength >= BOUND {
            matched.push(term.word.clone())
        } else if !term.light {
            missing.push(term.word.clone())
        }
    }
    names_bound = names_bound && names_adjacent(question, unit);
    let coverage = all.share().unwrap_or(0.0);
    // A question without nouns of its own is judged by its verbs.
    let core = noun.share().or(verb.share()).unwrap_or(coverage);
    features.noun = core;
    features.verb = verb.share().unwrap_or(core);
    features.light = light.share().unwrap_or(1.0);
    features.coverage = coverage;
    features.nouns = nouns;
    features.cosine = f64::from(dot(&question.vector, &unit.vector));

    let columns = asked_columns(question, &bounds, unit);
    let (chosen, local_period) = choose_value(question, unit, &bounds, &columns, matcher);
    let period = local_period
        .or_else(|| lone_period(question, unit, chosen.as_ref()))
        .or_else(|| document_period(unit));
    let period_fit = question
        .period
        .is_none_or(|asked| period_fits(question, unit, asked, local_period, chosen.as_ref()));
    if question.period.is_some() && !period_fit {
        names_bound = false;
    }
    let typed = type_ok(question, unit, chosen.as_ref(), core >= 0.85 && features.verb >= 0.5);
    let planned = is_planned(unit, chosen.as_ref()) && !asks_for_plan(question);
    let polarity = (question.expects == Expects::YesNo).then(|| polarity(question, unit));
    let strict = question.expects == Expects::YesNo;
    let enough = if strict {
        core >= 0.72 && weakest >= BOUND && coverage >= 0.62
    } else if question.expects == Expects::Person {
        // The office must be the one asked about.
        core >= 0.72
    } else if question.expects == Expects::Agent {
        // Who does it is not answered by a unit in which nobody does it.
        features.verb >= BOUND
    } else {
        true
    };
    let counted_ok = question.counted.as_ref().is_none_or(|noun| {
        question.expects != Expects::Count
            || chosen.as_ref().is_some_and(|value| counts(unit, value, noun, matcher))
    });
    features.proximity = proximity(question, unit, matcher);
    let mut score = 0.5 * core + 0.25 * coverage + 0.1 * features.verb + 0.25 * features.cosine;
    if chosen.is_some() {
        score += 0.04;
    }
    if question.kind == QuestionKind::Survey {
        // A voice is about the question only where its words stand together.
        score += 0.4 * features.proximity;
    }
    if planned {
        score -= 0.12;
    }
    if let (Some(noun), Some(value)) = (&question.counted, &chosen) {
        // "412 accounts" counts accounts more plainly than "23 stale accounts" does.
        let after: String = unit.text[value.range.end..].chars().take(40).collect();
        match words(&after).iter().position(|word| matches_noun(noun, word, matcher)) {
            Some(0) => score += 0.03,
            Some(skipped) => {
                let asked = words(&after)
                    .iter()
                    .take(skipped)
                    .all(|word| question.terms.iter().any(|t| t.word == *word));
                score += if asked { 0.04 } else { -0.02 };
            }
            None => score -= 0.02,
        }
    }
    // A short unit that binds says it more plainly than a long one.
    score -= (unit.text.len() as f64 / 4000.0).min(0.06);
    let eligible = !(is_about_document(unit.text) && !asks_about_document(question))
        && names_bound
        && typed
        && enough
        && counted_ok
        && !question.terms.is_empty();
    features.typed = f64::from(u8::from(chosen.is_some()));
    features.few_nouns = (0.6 - core).max(0.0);
    features.narrower_typed = features.typed * features.missing_narrower;
    features.yes_no = f64::from(u8::from(strict));
    features.planned = f64::from(u8::from(planned));
    Candidate {
        features,
        eligible,
        unit: at,
        score,
        accepted: false,
        names_bound,
        coverage,
        kind: chosen.as_ref().map(|value| value.kind),
        number: chosen.as_ref().and_then(|value| value.number),
        value: chosen.map(|value| value.range),
        period,
        polarity,
        matched,
        missing,
        planned,
    }
}

/// How closely the meaning-bearing words of the question stand together in the unit: 1 side by side, towards 0
/// far apart, 0 when one is missing from the unit itself.
fn proximity(question: &Question, unit: &EvidenceUnit<'_>, matcher: &Matcher) -> f64 {
    let wanted: Vec<&Term> =
        question.terms.iter().filter(|term| !term.light && term.class == Class::Noun).collect();
    if wanted.len() < 2 {
        return 1.0;
    }
    let own: Vec<&Word> = unit.words.iter().filter(|word| word.place == Place::Unit).collect();
    // Positions of each wanted word.
    let mut marks: Vec<(usize, usize)> = Vec::new();
    for (which, term) in wanted.iter().enumerate() {
        marks.extend(
            own.iter()
                .enumerate()
                .filter(|(_, word)| matcher.likeness(term, word) >= 0.7)
                .map(|(at, _)| (at, which)),
        );
    }
    marks.sort_unstable();
    let mut last = vec![None; wanted.len()];
    let mut best: Option<usize> = None;
    for (at, which) in marks {
        last[which] = Some(at);
        if let Some(oldest) = last
            .iter()
            .copied()
            .collect::<Option<Vec<usize>>>()
            .and_then(|all| all.into_iter().min())
        {
            let window = at - oldest + 1;
            best = Some(best.map_or(window, |known| known.min(window)));
        }
    }
    best.map_or(0.0, |window| 1.0 / (1.0 + window.saturating_sub(wanted.len()) as f64 / 4.0))
}

/// Lines in which a document speaks of itself: who wrote it, when, for whom.
fn is_about_document(text: &str) -> bool {
    let lower = text.trim_start_matches(['*', '_', '#', '>', '-', ' ']).to_lowercase();
    [
        "author:",
        "authors:",
        "last updated",
        "updated:",
        "date:",
        "prepared by",
        "written by",
        "internal - confidential",
        "confidential",
        "status:",
        "version:",
        "note: early",
    ]
    .iter()
    .any(|label| lower.starts_with(label))
}

fn asks_about_document(question: &Question) -> bool {
    question.terms.iter().any(|term| {
        matches!(
            term.stem.as_str(),
            "author"
                | "write"
                | "prepar"
                | "updat"
                | "publish"
                | "confidenti"
                | "document"
                | "report"
                | "version"
                | "statu"
                | "date"
                | "memo"
                | "note"
                | "concept"
        )
    })
}

/// Says what must, may or may not be.
fn is_deontic(unit: &EvidenceUnit<'_>) -> bool {
    unit.words.iter().any(|word| {
        word.place == Place::Unit
            && matches!(
                word.word.as_str(),
                "mandatory"
                    | "must"
                    | "required"
                    | "requires"
                    | "require"
                    | "may"
                    | "allowed"
                    | "prohibited"
                    | "needs"
                    | "need"
                    | "compulsory"
                    | "optional"
                    | "forbidden"
                    | "permitted"
                    | "can"
                    | "cannot"
                    | "never"
                    | "always"
                    | "no"
            )
    })
}

fn bind_term(term: &Term, unit: &EvidenceUnit<'_>, matcher: &Matcher, pronoun: bool) -> Bound {
    let mut best = Bound { strength: 0.0, at: 0..0, column: None };
    for word in &unit.words {
        let place = match word.place {
            Place::Unit => 1.0,
            Place::Near => 0.92,
            Place::Before if pronoun => 0.9,
            Place::Before => {
                if term.hard {
                    0.5
                } else {
                    0.6
                }
            }
            Place::Far => {
                if term.hard {
                    0.85
                } else {
                    0.7
                }
            }
        };
        if place <= best.strength {
            continue;
        }
        let strength = matcher.likeness(term, word) * place;
        if strength > best.strength {
            best = Bound { strength, at: word.at.clone(), column: word.column };
        }
    }
    if best.strength < 0.9
        && let Some(at) = acronym(term, unit)
    {
        best = Bound { strength: 0.95, at, column: None };
    }
    if best.strength < 0.9
        && term.word.chars().all(|c| c.is_ascii_digit() || c == '.' || c == ',')
        && let Ok(number) = term.word.replace(',', "").parse::<f64>()
        && let Some(at) = covers_number(unit.text, number)
    {
        best = Bound { strength: 0.9, at, column: None };
    }
    best
}

/// "MTBF" is bound by "mean time between failures" and the other way round.
fn acronym(term: &Term, unit: &EvidenceUnit<'_>) -> Option<Range<usize>> {
    let letters: Vec<char> = term.word.chars().collect();
    if !(2..=6).contains(&letters.len()) || !term.hard || !letters.iter().all(|c| c.is_alphabetic())
    {
        return None;
    }
    let own: Vec<&Word> = unit.words.iter().filter(|word| word.place == Place::Unit).collect();
    own.windows(letters.len())
        .find(|window| {
            window.iter().zip(&letters).all(|(word, letter)| word.word.starts_with(*letter))
        })
        .map(|window| window[0].at.start..window[letters.len() - 1].at.end)
}

/// "15" is covered by "12-20%", "above 10" and "up to 20".
fn covers_number(text: &str, number: f64) -> Option<Range<usize>> {
    use regex::Regex;
    use std::sync::LazyLock;
    static RANGE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)(?:(?P<over>above|over|more than|exceeding|beyond|longer than|at least)\s+[$€£]?(?P<a>\d+(?:\.\d+)?)|(?P<under>up to|under|below|less than|at most|within|shorter than)\s+[$€£]?(?P<b>\d+(?:\.\d+)?)|(?P<c>\d+(?:\.\d+)?)\s?[-–]\s?(?P<d>\d+(?:\.\d+)?))")
            .expect("the pattern is a constant that a test uses")
    });
    let value = |m: Option<regex::Match<'_>>| m.and_then(|m| m.as_str().parse::<f64>().ok());
    RANGE.captures_iter(text).find_map(|found| {
        let inside = match (
            value(found.name("a")),
            value(found.name("b")),
            value(found.name("c")),
            value(found.name("d")),
        ) {
            (Some(low), _, _, _) => number > low,
            (_, Some(high), _, _) => number <= high,
            (_, _, Some(low), Some(high)) => low <= number && number <= high,
            _ => false,
        };
        inside.then(|| found.get(0).expect("group 0 always matches").range())
    })
}

/// A name of several words whose second is a letter or a number ("Series D") must stand together.
fn names_adjacent(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    let most = question.terms.iter().filter_map(|term| term.name).max().unwrap_or(0);
    (1..=most).all(|name| {
        let parts: Vec<&str> = question
            .terms
            .iter()
            .filter(|term| term.name == Some(name))
            .map(|term| term.word.as_str())
            .collect();
        let needs = parts.len() > 1 && parts.iter().skip(1).any(|part| part.chars().count() <= 2);
        if !needs {
            return true;
        }
        let all: Vec<&Word> = unit.words.iter().collect();
        all.windows(parts.len())
            .any(|window| window.iter().zip(&parts).all(|(word, part)| word.word == *part))
    })
}

fn begins_with_pronoun(text: &str) -> bool {
    words(text).first().is_some_and(|word| {
        matches!(
            word.as_str(),
            "it" | "they"
                | "this"
                | "these"
                | "he"
                | "she"
                | "its"
                | "their"
                | "that"
                | "those"
                | "both"
                | "exchange"
        )
    }) || text.trim_start().to_lowercase().starts_with("in exchange")
}

/// Columns of a row that the question's names point at, through the column names.
fn asked_columns(question: &Question, bounds: &[Bound], unit: &EvidenceUnit<'_>) -> Vec<usize> {
    if unit.cells.is_empty() {
        return Vec::new();
    }
    question
        .terms
        .iter()
        .zip(bounds)
        .filter(|(term, bound)| term.hard && bound.at.is_empty() && bound.strength >= 0.8)
        .filter_map(|(_, bound)| bound.column)
        .collect()
}

fn eligible(question: &Question, unit: &EvidenceUnit<'_>, value: &Value) -> bool {
    let text = unit.text[value.range.clone()].to_lowercase();
    let in_question = |text: &str| {
        let own = words(text);
        !own.is_empty()
            && own.iter().all(|w| {
                question.terms.iter().any(|term| {
                    term.word == *w || (term.hard && term.stem == elenchus_core::text::stem(w))
                })
            })
    };
    match question.expects {
        Expects::Money => value.kind == ValueKind::Money,
        Expects::Percent => value.kind == ValueKind::Percent,
        Expects::Duration => value.kind == ValueKind::Duration,
        Expects::Extent => matches!(value.kind, ValueKind::Measure | ValueKind::Duration),
        Expects::Count => {
            let unit_asked = || {
                question.counted.as_ref().is_some_and(|noun| {
                    words(&text).iter().any(|w| elenchus_core::text::stem(w) == *noun)
                })
            };
            (value.kind == ValueKind::Count && !in_question(&text))
                || (value.kind == ValueKind::Measure && unit_asked())
        }
        Expects::Quantity => {
            matches!(
                value.kind,
                ValueKind::Measure
                    | ValueKind::Duration
                    | ValueKind::Percent
                    | ValueKind::Count
                    | ValueKind::Money
            ) && !in_question(&text)
                || (value.kind == ValueKind::Date && text.contains(':'))
        }
        Expects::Date => {
            (value.kind == ValueKind::Date
                && question.period.is_none_or(|asked| {
                    !unit
                        .periods
                        .iter()
                        .any(|period| period.range == value.range && period.value == asked)
                }))
                || value.kind == ValueKind::Duration
                || (value.kind == ValueKind::Name && is_calendar_name(&text))
        }
        Expects::Person => value.kind == ValueKind::Person && !in_question(&text),
        Expects::Agent => {
            matches!(value.kind, ValueKind::Person | ValueKind::Name)
                && !in_question(&text)
                && !sentence_case(unit, value)
                && !words(&text).iter().all(|word| {
                    is_calendar_name(word) || word == "internal" || word == "confidential"
                })
        }
        Expects::Name | Expects::Place | Expects::Organisation => {
            matches!(value.kind, ValueKind::Name | ValueKind::Person)
                && !in_question(&text)
                && !sentence_case(unit, value)
                && !words(&text).iter().all(|word| is_role(word) || is_calendar_name(word))
        }
        Expects::YesNo | Expects::Reason | Expects::List | Expects::Any => false,
    }
}

fn is_calendar_name(lower: &str) -> bool {
    let first = lower.split_whitespace().next().unwrap_or("");
    matches!(
        first,
        "monday"
            | "tuesday"
            | "wednesday"
            | "thursday"
            | "friday"
            | "saturday"
            | "sunday"
            | "week"
            | "weeks"
            | "month"
            | "day"
            | "january"
            | "february"
            | "march"
            | "april"
            | "may"
            | "june"
            | "july"
            | "august"
            | "september"
            | "october"
            | "november"
            | "december"
    )
}

/// One capitalised word at the start of the unit is capitalised for its place, not as a name.
fn sentence_case(unit: &EvidenceUnit<'_>, value: &Value) -> bool {
    let text = &unit.text[value.range.clone()];
    let before = unit.text[..value.range.start].trim_end();
    let starts = before.is_empty()
        || before.ends_with(['-', '*', '.', '#', '>'])
        || before.chars().all(|c| !c.is_alphanumeric());
    starts
        && unit.cells.is_empty()
        && !text.contains(' ')
        && text.chars().skip(1).all(char::is_lowercase)
}

/// The value of the unit that fits best, with the period that its own clause states.
fn choose_value(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    bounds: &[Bound],
    columns: &[usize],
    matcher: &Matcher,
) -> (Option<Value>, Option<PartialDate>) {
    let mut best: Option<(f64, &Value)> = None;
    for (order, value) in unit.values.iter().enumerate() {
        if !eligible(question, unit, value) {
            continue;
        }
        let segment = unit.segment_of(value.range.start);
        let mut fit = -0.03 * order as f64;
        if !unit.cells.is_empty() {
            let column = unit
                .cells
                .iter()
                .position(|cell| cell.start <= value.range.start && value.range.end <= cell.end);
            if !columns.is_empty() {
                if column.is_some_and(|column| columns.contains(&column)) {
                    fit += 3.0
                } else {
                    continue;
                }
            }
            // The column's name binds its cell.
            for (term, bound) in question.terms.iter().zip(bounds) {
                if bound.column.is_some() && bound.column == column && bound.at.is_empty() {
                    fit += if term.light { 0.3 } else { 1.0 } * bound.strength;
                }
            }
        }
        let mut own_period = None;
        for period in &unit.periods {
            if unit.segment_of(period.range.start) == segment && period.range != value.range {
                own_period = Some(period.value);
            }
        }
        if let (Some(asked), Some(own)) = (question.period, own_period) {
            fit += if own == asked { 2.0 } else { -2.0 };
        }
        let range = &unit.segments[segment].range;
        for (term, bound) in question.terms.iter().zip(bounds) {
            if bound.strength < BOUND || bound.at.is_empty() {
                // A word may occur again beside the value.
                continue;
            }
            let near = unit
                .words
                .iter()
                .filter(|w| {
                    w.place == Place::Unit && range.start <= w.at.start && w.at.end <= range.end
                })
                .map(|w| matcher.likeness(term, w))
                .fold(0.0, f64::max);
            let weight = if term.hard {
                1.2
            } else if term.light {
                0.3
            } else {
                1.0
            };
            fit += 0.5 * weight * near;
            // Words right before the value name it ("Japan: 4"), words right after it say what it counts ("47 sites").
            let distance = if bound.at.end <= value.range.start {
                value.range.start - bound.at.end
            } else {
                bound.at.start.saturating_sub(value.range.end)
            };
            fit += 0.4 * weight / (1.0 + distance as f64 / 12.0);
        }
        if let Some(noun) = &question.counted {
            let after = unit.text[value.range.start..].chars().take(60).collect::<String>();
            if words(&after).iter().skip(1).take(4).any(|w| matches_noun(noun, w, matcher)) {
                fit += 0.8;
            }
        }
        let lead: String = unit.text[..value.range.start]
            .chars()
            .rev()
            .take(24)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect();
        let lead = lead.to_lowercase();
        if !question.past && is_old_lead(&lead, unit.text, &value.range) {
            fit -= 1.5;
        }
        // A bracketed clause with a label of its own speaks of something else unless the label was asked for.
        if unit.segments[segment].bracketed {
            let label_asked = words(&unit.text[range.clone()])
                .iter()
                .any(|w| question.terms.iter().any(|t| !t.light && t.word == *w));
            if !label_asked && question.period.is_none() {
                fit -= 0.6;
            }
        }
        if question.expects == Expects::Date && value.kind == ValueKind::Duration {
            fit -= 1.0;
        }
        if question.expects == Expects::Quantity && value.kind == ValueKind::Count {
            fit -= 0.2;
        }
        if best.is_none_or(|(score, _)| fit > score) {
            best = Some((fit, value));
        }
    }
    let Some((_, value)) = best else { return (None, None) };
    let segment = unit.segment_of(value.range.start);
    let mut local = unit
        .periods
        .iter()
        .find(|period| {
            unit.segment_of(period.range.start) == segment && period.range != value.range
        })
        .map(|period| period.value);
    if question.expects == Expects::Date {
        local = None;
    }
    (Some(value.clone()), local)
}

/// Whether a value counts `noun`: the noun follows it, names its clause or column, or is counted by a value before it.
fn counts(unit: &EvidenceUnit<'_>, value: &Value, noun: &str, matcher: &Matcher) -> bool {
    let follows = |value: &Value| {
        let after: String = unit.text[value.range.end..].chars().take(60).collect();
        let clause = after.split([';', '.', '(', ':']).next().unwrap_or("");
        words(clause).iter().take(5).any(|word| matches_noun(noun, word, matcher))
    };
    let own = &unit.text[value.range.clone()];
    if !unit.cells.is_empty()
        || follows(value)
        || words(own).iter().any(|word| matches_noun(noun, word, matcher))
    {
        return true;
    }
    let segment = &unit.segments[unit.segment_of(value.range.start)].range;
    let before = &unit.text[segment.start.min(value.range.start)..value.range.start];
    let label = before.contains(':') || unit.kind == crate::ingest::UnitKind::Item;
    if label && words(before).iter().any(|word| matches_noun(noun, word, matcher)) {
        return true;
    }
    // "EU: 29 sites, North America: 14": the second value counts what the first does.
    (before.contains(':') || unit.segments[unit.segment_of(value.range.start)].bracketed)
        && unit.values.iter().any(|other| {
            other.kind == ValueKind::Count && other.range.end <= value.range.start && follows(other)
        })
}

fn matches_noun(noun: &str, word: &str, matcher: &Matcher) -> bool {
    let stem = elenchus_core::text::stem(word);
    stem == *noun || matcher.synonyms().related(noun, &stem)
}

/// "up from 168", "from 22 weeks to 14", "previously 5": the value before the change.
fn is_old_lead(lead: &str, text: &str, range: &Range<usize>) -> bool {
    let trimmed = lead.trim_end_matches(['$', '€', '£', ' ']);
    if [
        "up from",
        "down from",
        "previously",
        "formerly",
        "compared with",
        "compared to",
        "versus",
        "rather than",
        "instead of",
        "was",
    ]
    .iter()
    .any(|cue| trimmed.ends_with(cue))
    {
        return true;
    }
    let tail: String = text[range.end..].chars().take(12).collect::<String>().to_lowercase();
    trimmed.ends_with("from") && words(&tail).first().is_some_and(|w| w == "to")
}

/// The only period outside brackets, when the value's own clause states none.
fn lone_period(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    value: Option<&Value>,
) -> Option<PartialDate> {
    let value = value?;
    if question.expects == Expects::Date
        || unit.segments[unit.segment_of(value.range.start)].bracketed
    {
        return None;
    }
    let open: Vec<_> = unit
        .periods
        .iter()
        .filter(|period| !unit.segments[unit.segment_of(period.range.start)].bracketed)
        .collect();
    match open.as_slice() {
        [only] if only.range != value.range => Some(only.value),
        _ => None,
    }
}

fn document_period(unit: &EvidenceUnit<'_>) -> Option<PartialDate> {
    unit.read.source.date.as_ref().map(|date| date.value)
}

/// Whether what the unit says holds for the period asked about.
fn period_fits(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    asked: PartialDate,
    local: Option<PartialDate>,
    value: Option<&Value>,
) -> bool {
    // A quarter's figure is not the year's.
    let flow = matches!(
        question.expects,
        Expects::Money | Expects::Count | Expects::Quantity | Expects::Percent
    ) && asked.precision == DatePrecision::Year;
    let same = |own: PartialDate| {
        own == asked
            || (asked.contains(own)
                && !(flow && matches!(own.precision, DatePrecision::Quarter | DatePrecision::Half)))
            || (own.contains(asked) && own.precision >= DatePrecision::Month)
    };
    if let Some(local) = local {
        // "planned for H2 2025" in a report of April 2025 was said in April 2025.
        let said_then = !flow
            && unit.read.source.date.as_ref().is_some_and(|date| same(date.value))
            && local.order_key() > asked.order_key();
        return same(local) || said_then;
    }
    // The period may be stated elsewhere in the unit, in its headings, or be the document's own.
    let stated = unit.periods.iter().any(|period| {
        (period.value == asked || asked.contains(period.value))
            && value.is_none_or(|value| {
                value.range != period.range || question.expects != Expects::Date
            })
    });
    if stated {
        return true;
    }
    let around: Vec<PartialDate> = unit
        .read
        .passage
        .heading_path
        .iter()
        .chain([&unit.read.source.title, &unit.near_text])
        .flat_map(|text| super::periods::periods(text))
        .map(|period| period.value)
        .collect();
    // A title that names a period says more than the day on which the document was prepared.
    if !around.is_empty() {
        return around.iter().any(|own| same(*own));
    }
    unit.read
        .source
        .date
        .as_ref()
        .is_some_and(|date| date.value == asked || asked.contains(date.value))
}

fn type_ok(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    value: Option<&Value>,
    strong: bool,
) -> bool {
    match question.expects {
        Expects::Any | Expects::List | Expects::YesNo | Expects::Name => true,
        Expects::Place => {
            value.is_some()
                || unit.words.iter().any(|word| {
                    word.place == Place::Unit
                        && matches!(
                            word.word.as_str(),
                            "in" | "at"
                                | "on"
                                | "near"
                                | "into"
                                | "from"
                                | "inside"
                                | "behind"
                                | "beside"
                        )
                })
        }
        Expects::Reason => {
            strong
                || unit.words.iter().any(|word| word.place <= Place::Near && is_reason(&word.word))
        }
        Expects::Agent => {
            let asked = |word: &str| question.terms.iter().any(|term| term.word == word);
            value.is_some()
                || unit.words.iter().any(|word| {
                    word.place == Place::Unit && is_role(&word.word) && !asked(&word.word)
                })
        }
        Expects::Money
        | Expects::Percent
        | Expects::Duration
        | Expects::Extent
        | Expects::Date
        | Expects::Count
        | Expects::Quantity
        | Expects::Person
        | Expects::Organisation => value.is_some(),
    }
}

const PLANS: [&str; 16] = [
    "grow",
    "target",
    "targets",
    "targeted",
    "goal",
    "planned",
    "plan",
    "plans",
    "expected",
    "forecast",
    "aims",
    "reach",
    "projected",
    "intends",
    "double",
    "propose",
];

/// Whether the clause of the value (or the unit, without a value) speaks of a plan or a goal.
fn is_planned(unit: &EvidenceUnit<'_>, value: Option<&Value>) -> bool {
    let clause = value.map(|value| unit.segments[unit.segment_of(value.range.start)].range.clone());
    unit.words.iter().any(|word| {
        word.place == Place::Unit
            && PLANS.contains(&word.word.as_str())
            && clause
                .as_ref()
                .is_none_or(|clause| clause.start <= word.at.start && word.at.end <= clause.end)
    })
}

fn asks_for_plan(question: &Question) -> bool {
    question.terms.iter().any(|term| {
        PLANS.contains(&term.word.as_str())
            || matches!(
                term.word.as_str(),
                "launch"
                    | "next"
                    | "future"
                    | "expect"
                    | "due"
                    | "aim"
                    | "hope"
                    | "want"
                    | "intend"
                    | "release"
                    | "profitable"
                    | "breakeven"
            )
    }) || matches!(
        question.expects,
        Expects::Date | Expects::YesNo | Expects::List | Expects::Reason | Expects::Any
    )
}

/// Affirmed, denied, or only under a condition. A denial in the question turns the reading round.
fn polarity(question: &Question, unit: &EvidenceUnit<'_>) -> Polarity {
    let own: Vec<&str> =
        unit.words.iter().filter(|w| w.place == Place::Unit).map(|w| w.word.as_str()).collect();
    let lower = unit.text.to_lowercase();
    let denied = own.iter().any(|word| is_negation(word))
        || ["n't", "n’t", "rather than", "instead of", "as opposed to"]
            .iter()
            .any(|cue| lower.contains(cue));
    let asked_denial = question.terms.iter().any(|term| is_negation(&term.word));
    let asked = |word: &str| {
        question
            .terms
            .iter()
            .any(|term| term.word == word || term.stem == elenchus_core::text::stem(word))
    };
    let conditional = own.iter().any(|word| is_condition(word) && !asked(word));
    match (denied != asked_denial, conditional) {
        (true, _) => Polarity::No,
        (false, true) => Polarity::Conditional,
        (false, false) => Polarity::Yes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_numbers() {
        assert!(covers_number("12-20%: VP Sales", 15.0).is_some());
        assert!(covers_number("Above 20%: CEO", 25.0).is_some());
        assert!(covers_number("Above 20%: CEO", 15.0).is_none());
        assert!(covers_number("Up to 5%", 3.0).is_some());
    }

    #[test]
    fn word_families() {
        assert!(derived("valuat", "valu"));
        assert!(derived("certif", "certifi"));
        assert!(!derived("report", "repair"));
    }
}
