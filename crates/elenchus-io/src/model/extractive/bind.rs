//! Binding: does a unit of evidence hold what a question asks for? Entity, attribute, period and kind of value.

use super::accept::Features;
use super::astray::is_astray;
use super::by_form::{acronym, covers_number, measured_as, reached_by};
use super::ceilings;
use super::choice::{asked_columns, choose_value, in_one_clause, matches_noun};
use super::clause::{asks_for_doer, has_other_subject, is_prose, is_told, owner_is_here};
use super::contrast::{
    has_own_figure, is_another, is_in_other_column, is_yet_to_come, tells_of_before,
};
use super::editions;
use super::extremes::is_superlative;
use super::hours;
use super::house::is_house;
use super::kinds::is_of_another_kind;
use super::located::city_of;
use super::matching::{Commonness, Matcher};
use super::numbering::lacks_what_is_asked;
use super::ordinals;
use super::outright::told;
use super::own_subject::is_of_its_own;
use super::periods::days_together;
use super::question::{Class, Expects, Question, Term};
use super::reading::{
    asks_about_document, asks_for_plan, document_period, is_about_document, is_deontic, is_planned,
    labelled_answer, looks_back, period_fits, polarity, proximity, refers_back, told_afterwards,
    type_ok,
};
use super::roles::{Told, is_of_other_office};
use super::scope::unbind_other_deeds;
use super::sums::other_deed;
use super::unit::{EvidenceUnit, Place, Word};
use super::values::{Value, ValueKind};
use super::variants::{is_doubtful, is_other_variant};
use super::year_rows::is_counted;
use crate::embed::dot;
use crate::ingest::passages::NOTES_HEADING;
use elenchus_core::evidence::PartialDate;
use elenchus_core::prompt::Polarity;
use elenchus_core::text::words;
use std::ops::Range;

/// A term counts as bound from this match on.
pub(super) const BOUND: f64 = 0.4;

/// From it on a word is said in the unit itself, or right over it.
const HERE: f64 = 0.85;

/// Below it a word stands for another only by what they have in common, such as the kind of thing that both are.
const LOOSE: f64 = 0.7;

/// Share of the nouns from which an unbound verb may be missing.
const PLAIN_NOUNS: f64 = 0.75;
/// Share of what is asked about that is bound where nothing is missing.
const ALL_OF_IT: f64 = 0.95;
/// The score of a verse that the question cites: above every other.
const CITED: f64 = 2.0;

/// Where and how well a term is bound.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) strength: f64,
    pub(crate) at: Range<usize>,
    pub(crate) column: Option<usize>,
}

/// Signs by words that a unit does not answer: rules of thumb, which a reader may overrule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Against {
    /// No value of the kind that was asked for stands in it.
    pub(crate) untyped: bool,
    /// Its number counts something else.
    pub(crate) uncounted: bool,
    /// It speaks of something or somebody else, or of no extreme where one was asked for.
    pub(crate) elsewhere: bool,
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
    /// Names, numbers and periods bind, and it is a statement of the document: its meaning may let it answer, whatever the
    /// words of the attribute.
    pub(crate) open: bool,
    /// What speaks against that all the same.
    pub(crate) against: Against,
    /// The probability that it answers, when it was accepted by its meaning.
    pub(crate) by_meaning: Option<f64>,
    /// The probability that it answers, by words, meaning and reader together, if words let it answer.
    pub(crate) weighed: Option<f64>,
    /// How near it comes by words and meaning together, where it is shown without answering.
    pub(crate) likeness: Option<f64>,
    /// The first condition that does not hold, when one does not.
    pub(crate) blocked: Option<&'static str>,
    /// Its form alone answers: a list of people, the head of a mail, "as X, Y".
    pub(crate) sure: bool,
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
    /// A word before the bound noun that makes it another figure ("recurring" revenue), not in the question.
    pub(crate) qualifier: Option<String>,
    /// What was done with the sum, where a price was asked for: "brought in" tells what came of it, and no price.
    pub(crate) deed: Option<String>,
    /// Speaks of a plan or a goal where none was asked for.
    pub(crate) planned: bool,
    /// What binds may be said of another thing: it is never a firm answer.
    pub(crate) doubtful: bool,
    /// How many rows of a table it was chosen from by comparing them, if it was.
    pub(crate) compared: Option<usize>,
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
    // What it takes up is said before it.
    let pronoun = unit.takes_up || refers_back(unit.text);
    let mut bounds: Vec<Bound> = question
        .terms
        .iter()
        .map(|term| bind_term(term, unit, matcher, pronoun, question.percent))
        .collect();
    bind_once(question, &mut bounds);
    unbind_other_deeds(question, unit, matcher, &mut bounds);
    editions::bind(question, unit, &mut bounds);
    ceilings::bind(question, unit, &mut bounds);
    ordinals::bind(question, unit, &mut bounds);
    let told = told(question, unit, matcher, &mut bounds);
    let mut matched = Vec::new();
    let mut missing = Vec::new();
    let mut names_bound = true;
    let mut weakest: f64 = 1.0;
    let (mut noun, mut verb, mut light, mut all) =
        (Share::default(), Share::default(), Share::default(), Share::default());
    let mut features = Features::default();
    let mut nouns = 0.0;
    let (mut another, mut unknown_nouns) = (false, 0.0);
    for (place, (term, bound)) in question.terms.iter().zip(&bounds).enumerate() {
        let strength = bound.strength;
        let weight = common.weight(&term.word);
        // A title that names the house says little of it.
        let of_us = strength < HERE && is_house(question, term, common);
        let (share, overall) = match (term.hard, term.light || of_us, term.class) {
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
        let meant = !term.light && !of_us && !term.hard && term.class != Class::Adverb;
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
                    features.missing_known += 1.0;
                } else {
                    features.missing_unknown += 1.0;
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
        if meant && term.class == Class::Noun {
            // The corpus has no word for the thing, and what stands for it here is of the same kind at best.
            let unknown = strength < LOOSE && common.count(&term.word) == Some(0);
            let narrowed = place > 0
                && question.terms[place - 1].narrows
                && bounds[place - 1].strength >= BOUND;
            // A "harbour ferry" is none of the boats of a harbour.
            another |= unknown && narrowed && strength >= BOUND;
            unknown_nouns += f64::from(u8::from(unknown));
        }
        if strength >= 0.85 && !term.light {
            features.exact += 1.0;
        }
        if strength >= BOUND {
            matched.push(term.word.clone());
        } else if !term.light && !of_us {
            missing.push(term.word.clone());
        }
    }
    names_bound = names_bound && names_adjacent(question, unit) && numbers_adjacent(question, unit);
    let coverage = all.share().unwrap_or(0.0);
    // A question without nouns of its own is judged by its verbs.
    let core = noun.share().or(verb.share()).unwrap_or(coverage);
    let own = question
        .terms
        .iter()
        .zip(&bounds)
        .filter(|(term, bound)| !term.light && bound.strength >= BOUND);
    let (inside, bound_terms) = own.fold((0.0, 0.0), |(inside, all), (_, bound)| {
        (inside + f64::from(u8::from(!bound.at.is_empty())), all + 1.0)
    });
    features.own = if bound_terms > 0.0 { inside / bound_terms } else { 0.0 };
    features.noun = core;
    features.verb = verb.share().unwrap_or(core);
    features.light = light.share().unwrap_or(1.0);
    features.coverage = coverage;
    features.nouns = nouns;
    features.cosine = f64::from(dot(&question.vector, &unit.vector));

    let columns = asked_columns(question, &bounds, unit);
    let (chosen, local_period) = match &told {
        Told::Who(who) => (Some(unit.value_at(who)), None),
        Told::Others => (None, None),
        // Who "I" is stands above the sentence, and whoever it names is somebody else.
        Told::Wholly if matches!(question.expects, Expects::Person | Expects::Agent) => {
            (None, None)
        }
        Told::Wholly | Told::Nothing => choose_value(question, unit, &bounds, &columns, matcher),
    };
    // "On which days" asks for all of them.
    let chosen = match chosen {
        Some(value) if question.expects == Expects::Date && question.text.contains("days ") => {
            Some(Value { range: days_together(unit.text, &value.range), ..value })
        }
        other => other,
    };
    let period = local_period.or_else(|| document_period(unit));
    let period_fit = question.period.is_none_or(|asked| {
        period_fits(question, unit, asked, local_period, chosen.as_ref())
            || looks_back(question, unit, asked)
            // All that is asked about is said, and the day is of the event: "the outage of 24 September" in the minutes of October.
            || (core >= ALL_OF_IT && coverage >= ALL_OF_IT && told_afterwards(unit, asked))
    });
    if (question.period.is_some() && !period_fit) || !question.day_is_in(unit) {
        names_bound = false;
    }
    let contrary = is_another(question, unit, chosen.as_ref())
        || told == Told::Others
        || chosen.as_ref().is_some_and(|who| is_of_other_office(question, unit, &who.range))
        || (question.forerunner && !tells_of_before(unit))
        || lacks_what_is_asked(question, unit)
        || is_other_variant(question, unit, chosen.as_ref())
        || is_of_another_kind(question, unit)
        || is_astray(question, unit, chosen.as_ref(), matcher)
        || is_of_its_own(question, unit, matcher)
        || has_own_figure(question, unit, &bounds, chosen.as_ref())
        || is_in_other_column(question, unit, &bounds, chosen.as_ref())
        || chosen.as_ref().is_some_and(|value| is_yet_to_come(question, unit, value));
    let typed = type_ok(question, unit, chosen.as_ref(), core >= 0.8 && features.verb >= BOUND);
    let planned = is_planned(unit, chosen.as_ref()) && !asks_for_plan(question);
    let strict = question.expects == Expects::YesNo;
    let as_it_stands = question.terms.iter().zip(&bounds).all(|(term, bound)| {
        term.light || bound.strength >= if term.class == Class::Adverb { BOUND } else { 0.85 }
    });
    let polarity = if strict { polarity(question, unit, as_it_stands) } else { None };
    let labelled = if strict { labelled_answer(question, unit) } else { None };
    let ruled = if told == Told::Wholly { hours::allowed(question, unit) } else { None };
    let polarity = ruled.or(labelled).or(polarity);
    let enough = if labelled.is_some() {
        core >= 0.6
    } else if strict {
        core >= 0.72 && weakest >= BOUND && coverage >= 0.62 && !turned(question, &bounds)
    } else if question.expects == Expects::Person {
        // The office must be the one asked about.
        core >= 0.8
    } else if question.expects == Expects::Agent {
        // Who does it is not answered by a unit in which nobody does it.
        features.verb >= BOUND
    } else {
        true
    };
    // "Which brand": without the brand, or a name in its place, the unit speaks of something else.
    let head_bound = question.head.is_none_or(|head| bounds[head].strength >= BOUND);
    let head_ok = match question.expects {
        Expects::Name | Expects::Any => chosen.is_some() || head_bound,
        Expects::Place => head_bound || (verb.total > 0.0 && features.verb >= BOUND),
        // "The voltage of the cable" is not its length.
        Expects::Quantity
        | Expects::Percent
        | Expects::Count
        | Expects::Extent
        | Expects::Money
        | Expects::Duration => head_bound,
        _ => true,
    };
    // "The largest", "the deepest": a comparison is not made here, so a document must have made it.
    let superlative = question.terms.iter().zip(&bounds).all(|(term, bound)| {
        !is_superlative(&term.word) || (bound.strength >= 0.75 && !bound.at.is_empty())
    });
    let by_verb = (noun.total <= 0.0 || question.expects == Expects::Date)
        && matches!(question.expects, Expects::Date | Expects::Person | Expects::Agent);
    let somehow = !(by_verb || matches!(question.expects, Expects::Place | Expects::Organisation))
        || verb.total <= 0.0
        // For a date the sentence before is too far: what happened must be said where the date stands.
        || features.verb >= if question.expects == Expects::Date { 0.65 } else { BOUND }
        || question.head.is_some_and(|head| bounds[head].strength >= 0.8);
    // A figure is asked for by its name: a unit that holds no noun of the question as it is gives another figure.
    let figure = matches!(
        question.expects,
        Expects::Quantity | Expects::Percent | Expects::Count | Expects::Extent | Expects::Money
    );
    let named_figure = !figure
        || nouns == 0.0
        || question.terms.iter().zip(&bounds).any(|(term, bound)| {
            term.class == Class::Noun && !term.light && !term.hard && bound.strength >= 0.7
        });
    // An office and its holder stand in one clause.
    let person_ok = question.expects != Expects::Person
        || chosen.as_ref().is_none_or(|value| in_one_clause(question, unit, value, matcher));
    // A number of sick days is not the number of all days.
    let narrowed_away = features.missing_narrower > 0.0
        && !matches!(
            question.expects,
            Expects::Any | Expects::YesNo | Expects::List | Expects::Name | Expects::Reason
        );
    let enough =
        enough && head_ok && superlative && named_figure && person_ok && somehow && !narrowed_away;
    let counted_ok = question.expects != Expects::Count
        || question.counted.is_none()
        || chosen.as_ref().is_some_and(|value| is_counted(question, unit, value, matcher));
    features.proximity = proximity(question, unit, matcher);
    let mut score = 0.5 * core + 0.25 * coverage + 0.1 * features.verb + 0.25 * features.cosine;
    if chosen.is_some() {
        score += 0.04;
    }
    score += 0.08 * features.own;
    if question.expects == Expects::List && unit.kind == crate::ingest::UnitKind::Item {
        score += 0.06;
    }
    if unit.ordinal == 0 || unit.follows_question {
        // What comes first under a heading or a question is what it announces.
        score += 0.02;
    }
    if question.expects == Expects::Date
        && chosen.as_ref().is_some_and(|value| value.kind == ValueKind::Duration)
    {
        score -= 0.06;
    }
    if question.deontic && is_prose(unit) {
        // Whether it may be is told by a rule, not by a case.
        score += if is_deontic(unit) { 0.05 } else { -0.05 };
    }
    if question.kind.wants_several() {
        // A voice is about the question only where its words stand together.
        score += 0.4 * features.proximity;
    }
    let qualifier = qualifier(question, &bounds, unit);
    if figure && qualifier.is_some() {
        score -= 0.12;
    }
    if planned {
        score -= 0.12;
    }
    if let (Some(noun), Some(value)) = (&question.counted, &chosen) {
        // "412 accounts" counts accounts more plainly than "23 stale accounts" does.
        let after: String = unit.text[value.range.end..].chars().take(40).collect();
        let place = words(&after).iter().position(|word| matches_noun(noun, word, matcher));
        // Of "no accounts" the noun is said already.
        match place.or((value.number == Some(0.0)).then_some(0)) {
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
    let printed_note =
        unit.read.passage.heading_path.last().is_some_and(|heading| heading == NOTES_HEADING);
    let printed_note = printed_note || unit.is_note;
    // What the question says of its names must be said too: names alone never answer.
    let plain = question
        .terms
        .iter()
        .zip(&bounds)
        .enumerate()
        .filter(|(place, (term, bound))| {
            (chosen.is_some() || question.head != Some(*place))
                && term.class == Class::Noun
                && !term.light
                && !term.hard
                && bound.strength >= BOUND
        })
        .count();
    // Saying is not what is asked about.
    let mut deeds = question
        .terms
        .iter()
        .zip(&bounds)
        .filter(|(term, _)| {
            term.class == Class::Verb
                && !term.light
                && !term.hard
                && !matches!(term.stem.as_str(), "say" | "said" | "tell" | "state")
        })
        .peekable();
    let done = deeds.peek().is_none() || deeds.any(|(_, bound)| bound.strength >= BOUND);
    let doing = !question.subject.is_empty()
        && is_prose(unit)
        && matches!(
            question.expects,
            Expects::Duration | Expects::Count | Expects::Date | Expects::Quantity
        );
    // "Within how long must it be mended?": how soon something else must be done is no answer.
    let undone = question.expects == Expects::Duration && is_to_be_done(question);
    // A heading alone does not make a sentence a statement of the thing.
    let said_here = !is_prose(unit)
        || chosen.is_some()
        || !matches!(question.expects, Expects::Any | Expects::Name | Expects::Reason)
        || !question.terms.iter().any(|term| !term.light && !term.hard)
        || question.terms.iter().zip(&bounds).any(|(term, bound)| {
            !term.light && !term.hard && bound.strength >= BOUND && !bound.at.is_empty()
        });
    let predicate = (done
        || !doing && !undone && (plain >= 2 || (plain >= 1 && core >= PLAIN_NOUNS))
        || question.kind.wants_several())
        && said_here;
    let attached = !has_other_subject(question, unit, matcher)
        && (question.expects != Expects::Person || owner_is_here(question, unit))
        && !(asks_for_doer(question) && is_told(question, unit, matcher) && chosen.is_none());
    // Any text has a date and a name or two: when nothing that the question is about occurs, they belong to something else.
    another |= nouns > 0.0
        && unknown_nouns >= nouns
        && matches!(question.expects, Expects::Date | Expects::Person | Expects::Agent);
    let cited = question.verse.as_ref().map(|verse| {
        let record = unit.read.passage.record.as_deref().unwrap_or_default();
        verse.names(record)
            && !unit.is_note
            && (verse.names_verse(record) || nouns == 0.0 || core >= PLAIN_NOUNS)
    });
    let eligible = !printed_note
        && predicate
        && attached
        && !another
        && !contrary
        && (!is_about_document(unit) || asks_about_document(question))
        && names_bound
        && typed
        && enough
        && counted_ok
        && !question.terms.is_empty();
    let outright = matches!(told, Told::Who(_) | Told::Wholly);
    let sure = outright && names_bound && !contrary && !printed_note && cited.is_none();
    if sure {
        score += 0.1;
    }
    let eligible = cited.unwrap_or(eligible || sure);
    let open = cited.is_none()
        && !contrary
        && !printed_note
        && (done || !undone)
        && (!is_about_document(unit) || asks_about_document(question))
        && names_bound;
    let against = Against {
        untyped: !typed,
        uncounted: !counted_ok,
        elsewhere: !attached || another || !superlative,
    };
    if cited == Some(true) {
        features = Features::of_citation();
        score = CITED;
    } else if cited == Some(false) {
        names_bound = false;
    }
    features.typed = f64::from(u8::from(chosen.is_some()));
    features.few_nouns = (0.6 - core).max(0.0);
    features.narrower_typed = features.typed * features.missing_narrower;
    features.yes_no = f64::from(u8::from(strict));
    features.planned = f64::from(u8::from(planned));
    let conditions = [
        (!is_about_document(unit) || asks_about_document(question), "about the document"),
        (!printed_note, "printed note"),
        (names_bound, "name, number or period"),
        (typed, "kind of value"),
        (enough, "binding"),
        (predicate, "predicate"),
        (attached, "another's"),
        (!another, "another thing"),
        (!contrary, "the contrary"),
        (counted_ok, "what is counted"),
    ];
    Candidate {
        blocked: conditions.iter().find(|(holds, _)| !holds).map(|(_, what)| *what),
        features,
        eligible,
        open,
        against,
        by_meaning: None,
        weighed: None,
        likeness: None,
        unit: at,
        score,
        sure,
        accepted: false,
        names_bound,
        coverage,
        kind: chosen.as_ref().map(|value| value.kind),
        number: chosen.as_ref().and_then(|value| value.number),
        deed: chosen.as_ref().and_then(|value| other_deed(question, unit, value, &bounds)),
        value: chosen.map(|value| value.range),
        period,
        polarity,
        matched,
        missing,
        qualifier,
        planned,
        doubtful: is_doubtful(question, unit, matcher, common),
        compared: None,
    }
}

/// One word of a unit says one word of the question: "chief pharmacist" holds the "chief" of a chief executive, and nothing
/// that executes.
fn bind_once(question: &Question, bounds: &mut [Bound]) {
    for at in 1..bounds.len() {
        let (a, b) = (&bounds[at - 1], &bounds[at]);
        let noun = |term: &Term| term.class == Class::Noun && !term.hard && !term.light;
        let two = question.terms[at - 1].narrows
            && noun(&question.terms[at - 1])
            && noun(&question.terms[at]);
        if !two || a.at.is_empty() || a.at != b.at {
            continue;
        }
        let (a, b) = (a.strength, b.strength);
        if a >= 0.95 && b < 0.9 {
            bounds[at].strength = 0.0;
        } else if b >= 0.95 && a < 0.9 {
            bounds[at - 1].strength = 0.0;
        }
    }
}

/// "recurring revenue" is not revenue: the word that makes a bound noun another figure, unless it was asked for.
fn qualifier(question: &Question, bounds: &[Bound], unit: &EvidenceUnit<'_>) -> Option<String> {
    const QUALIFIERS: [&str; 14] = [
        "recurring",
        "deferred",
        "net",
        "gross",
        "projected",
        "average",
        "median",
        "adjusted",
        "expected",
        "minimum",
        "maximum",
        "forecast",
        "estimated",
        "target",
    ];
    let own: Vec<&Word> = unit.words.iter().filter(|word| word.place == Place::Unit).collect();
    question.terms.iter().zip(bounds).find_map(|(term, bound)| {
        let meant =
            term.class == Class::Noun && !term.light && !term.hard && bound.strength >= 0.85;
        let at = own.iter().position(|word| meant && !word.at.is_empty() && word.at == bound.at)?;
        let before = &own[at.checked_sub(1)?].word;
        let asked = question.terms.iter().any(|term| term.word == *before);
        (QUALIFIERS.contains(&before.as_str()) && !asked).then(|| before.clone())
    })
}

/// How strongly a word of the question binds in a unit, 0 to 1: 0.9 and up in itself or right over it.
pub(super) fn strength(term: &Term, unit: &EvidenceUnit<'_>, matcher: &Matcher) -> f64 {
    bind_term(term, unit, matcher, unit.takes_up || refers_back(unit.text), false).strength
}

fn bind_term(
    term: &Term,
    unit: &EvidenceUnit<'_>,
    matcher: &Matcher,
    pronoun: bool,
    percent: bool,
) -> Bound {
    let mut best = Bound { strength: 0.0, at: 0..0, column: None };
    for word in &unit.words {
        let place = match word.place {
            Place::Unit => 1.0,
            Place::Near => 0.92,
            Place::Before if pronoun => 0.9,
            // A name is still the one that is spoken of in the next sentence.
            Place::Before => {
                if term.hard {
                    0.62
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
        && let Some(at) = measured_as(term, unit).or_else(|| reached_by(term, unit))
    {
        best = Bound { strength: 0.9, at, column: None };
    }
    if let Some((strength, at)) = city_of(term, unit)
        && strength > best.strength
    {
        best = Bound { strength, at, column: None };
    }
    if best.strength < 0.9
        && term.word.chars().all(|c| c.is_ascii_digit() || c == ',')
        && let Ok(number) = term.word.replace(',', "").parse::<f64>()
        && let Some(at) = covers_number(unit.text, number)
        && unit.text[at.end..].starts_with('%') == percent
    {
        best = Bound { strength: 0.9, at, column: None };
    }
    best
}

/// Whether by when a deed must be done is asked: "within how long does it have to be mended".
fn is_to_be_done(question: &Question) -> bool {
    let all = words(&question.text.to_lowercase());
    let deed = |word: &String| {
        question.terms.iter().any(|term| term.word == *word && term.class == Class::Verb)
    };
    let soon =
        all.iter().any(|word| matches!(word.as_str(), "within" | "soon" | "quickly" | "fast"));
    soon && all.windows(2).any(|pair| pair[0] == "be" && deed(&pair[1]))
}

/// A word that turns a statement round ("outside the EU") and is not in the unit.
fn turned(question: &Question, bounds: &[Bound]) -> bool {
    question.terms.iter().zip(bounds).any(|(term, bound)| {
        bound.strength < BOUND
            && matches!(
                term.word.as_str(),
                "outside"
                    | "without"
                    | "except"
                    | "before"
                    | "after"
                    | "instead"
                    | "alone"
                    | "against"
                    | "other"
            )
    })
}

/// "day 1" is not "month 1": a bare number must stand beside the word that it stands beside in the question,
/// if the unit has that word at all.
fn numbers_adjacent(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    let own: Vec<&Word> = unit.words.iter().filter(|word| word.place == Place::Unit).collect();
    question.terms.windows(2).enumerate().all(|(at, pair)| {
        let (word, number) = (&pair[0], &pair[1]);
        // "retention_days = 0" sets a field to a value, which a row has in a cell of its own.
        let bare = !question.text.contains('=')
            && number.hard
            && number.word.len() <= 3
            && number.word.chars().all(|c| c.is_ascii_digit());
        let beside = |a: &str, b: &str| own.windows(2).any(|w| w[0].stem == a && w[1].stem == b);
        !bare
            || !word.beside_next
            || !own.iter().any(|w| w.stem == word.stem)
            || !own.iter().any(|w| w.stem == number.stem)
            || beside(&word.stem, &number.stem)
            || beside(&number.stem, &word.stem)
            // "A standard 60-robot site": the number belongs to the word behind it.
            || (number.beside_next
                && question
                    .terms
                    .get(at + 2)
                    .is_some_and(|next| beside(&number.stem, &next.stem)))
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
