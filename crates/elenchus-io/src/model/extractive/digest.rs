//! What is quoted for an open question: statements about its topic, from as many places as have something to say.
//!
//! Nothing here answers; each quote bears on the topic, which is what was asked. A name of the topic must stand in the
//! statement, over it, or in the title of its document, as for any other question.

use super::bind::{self, BOUND, Candidate, bind as bind_all};
use super::changes::changes;
use super::choice::counts;
use super::matching::{Commonness, Matcher};
use super::overview::Overview;
use super::periods::periods;
use super::question::{Question, Term};
use super::reported::{is_colophon, is_editors, says_nothing};
use super::revisions::revisions;
use super::roles::attendance;
use super::scene::in_context;
use super::select::Selection;
use super::unit::{EvidenceUnit, Place, Word};
use super::values::ValueKind;
use crate::embed::{SentenceEncoder, dot};
use crate::ingest::UnitKind;
use crate::ingest::passages::NOTES_HEADING;
use elenchus_core::evidence::{DatePrecision, PartialDate};
use elenchus_core::text::{content_set, jaccard, squeeze, words};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Most quotes of a topic, of a document of many parts, of one side of a comparison, and of a list.
const MOST: usize = 8;
const MOST_OF_A_DOCUMENT: usize = 12;
const MOST_OF_A_SIDE: usize = 3;
const MOST_LISTED: usize = 15;
/// Quotes of both sides from which a comparison needs none of either alone.
const COMPARED: usize = 4;
/// Most documents that tell what a collection is about, and quotes of each.
const DOCUMENTS: usize = 4;
const OF_A_DOCUMENT: usize = 2;
/// Share of the topic's words, by weight, that must bind.
const SHARE: f64 = 0.75;
/// Strength from which a word counts as bound, and from which it stands in the unit or right over it.
const BINDS: f64 = 0.6;
const CLOSE: f64 = 0.9;
/// Likeness from which a word is the word itself and no other for it.
const SAME_WORD: f64 = 0.85;
/// So many statements in the words of the topic, and others for them are not needed.
const ENOUGH: usize = 2;
/// Units that are compared in meaning: the best by words.
const READ: usize = 40;
/// Below this share of the best, a quote says too little about the topic.
const WORTH: f64 = 0.55;
/// What repetition costs: of words, of a heading, of a document.
const SAME_WORDS: f64 = 0.6;
const SAME_HEADING: f64 = 0.08;
const SAME_DOCUMENT: f64 = 0.04;
/// Likeness from which two quotes say the same.
const SAME: f64 = 0.75;
/// Share of the likeness in meaning in what a quote is worth.
const MEANT: f64 = 0.6;
/// A quote that binds the topic in itself, or right over it, is of fair bearing and never strong, since what matters
/// about a topic is for the reader to say; one whose title alone binds it, or that says it in other words, of weak.
const BEARS: f64 = 0.75;
pub(super) const BEARS_LOOSELY: f64 = 0.6;
/// Characters at the head of a document in which lines tell of the document and not of its matter.
const FRONT: usize = 600;

/// "Author: ...", "Last updated: May 2026", "HR - effective January 2026".
static FRONT_MATTER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^\W*(?:authors?|date|(?:last )?(?:updated|revised|changed|reviewed)|version|by|from|to|cc|subject|status|prepared|written|compiled|present|attendees|attending|held|minutes|in the chair|chair|owner|classification)\b|\beffective (?:from )?(?:\d|january|february|march|april|may|june|july|august|september|october|november|december)|\b(?:internal|confidential)\b")
        .expect("the pattern is a constant that a test uses")
});

/// A unit that speaks of the topic.
struct Found<'a> {
    candidate: &'a Candidate,
    /// How much it has to do with the topic, 0 to about 1.5.
    worth: f64,
    bound: Bound,
}

/// How the words of a topic bind in a unit.
#[derive(Clone, Copy, Debug)]
struct Bound {
    /// Share of them, by weight, that do.
    share: f64,
    /// Enough of them stand in it or right over it.
    close: bool,
    /// Enough of them do as they are, and not other words for them.
    exact: bool,
}

/// Where nothing has to bind.
const WHOLLY: Bound = Bound { share: 1.0, close: true, exact: true };

/// The quotes for an open question; nothing where the documents do not speak of its topic.
pub(super) fn digest(
    question: &Question,
    kind: &Overview,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
    matcher: &Matcher,
    common: &Commonness,
) -> Selection {
    let view = View { question, all, units, matcher, common };
    let terms: Vec<&Term> = question.terms.iter().filter(|term| !term.light).collect();
    if *kind == Overview::Corpus {
        return Selection { answers: view.opening(), ..Selection::default() };
    }
    // "The rules for volunteers", "the history of the lock": what kind of statements is wanted, not of what.
    let matter: Vec<&Term> =
        terms.iter().copied().filter(|term| term.hard || !is_aspect(&term.word)).collect();
    let terms = if matter.is_empty() { terms } else { matter };
    // A word that no document has is no topic of theirs, whatever else comes near it.
    let unknown = |term: &&Term| {
        common.count(&term.word) == Some(0) && !units.iter().any(|unit| has(term, unit, matcher))
    };
    if terms.iter().any(unknown) {
        return Selection::default();
    }
    let answers = match kind {
        _ if terms.is_empty() && question.period.is_some() => view.of_period(),
        Overview::Corpus => view.opening(),
        _ if terms.is_empty() => view.opening(),
        Overview::About => view.document(&terms).unwrap_or_else(|| view.about(&terms, MOST)),
        Overview::Course => view.course(&terms),
        Overview::Contrast(a, b) => view.contrast(&terms, a, b),
        Overview::Changes => view.changes(&terms),
        Overview::Listing => view.listing(&terms),
    };
    Selection { answers, ..Selection::default() }
}

struct View<'a> {
    question: &'a Question,
    all: &'a [Candidate],
    units: &'a [EvidenceUnit<'a>],
    matcher: &'a Matcher,
    common: &'a Commonness,
}

impl<'a> View<'a> {
    fn unit(&self, candidate: &Candidate) -> &'a EvidenceUnit<'a> {
        &self.units[candidate.unit]
    }

    /// A statement of the document: no note of its printer, no question, no bare label, no line about the document, no list of who was there.
    fn is_statement(&self, candidate: &Candidate) -> bool {
        let unit = self.unit(candidate);
        let text = unit.text.trim().trim_matches('*');
        let notes =
            unit.read.passage.heading_path.last().is_some_and(|heading| heading == NOTES_HEADING);
        let dates: usize = unit
            .periods
            .iter()
            .map(|period| unit.text[period.range.clone()].split_whitespace().count())
            .sum();
        let long = text.split_whitespace().count();
        let says = long >= dates + 2 && long >= 5
            || (long >= 2 && (unit.kind == UnitKind::Row || !unit.values.is_empty()));
        let only_dates = dates > 0 && long <= dates;
        let front = unit.read.passage.span.start < FRONT
            && long <= 14
            && (only_dates || FRONT_MATTER.is_match(text));
        !notes
            && !unit.is_note
            && !front
            && attendance(unit.text).is_none()
            && says
            && !text.ends_with(['?', ':'])
            && !is_editors(text)
            && !says_nothing(text)
    }

    /// How the words of a topic bind; `None` where too few do, or a name is missing.
    fn binds(&self, terms: &[&Term], unit: &EvidenceUnit<'_>) -> Option<Bound> {
        let (mut total, mut bound, mut close, mut exact) = (0.0, 0.0, 0.0, 0.0);
        for term in terms {
            let strength = bind::strength(term, unit, self.matcher);
            if term.hard && strength < BINDS {
                return None;
            }
            let weight = if term.hard { 1.2 } else { self.common.weight(&term.word) };
            let counted = |holds: bool| if holds { weight } else { 0.0 };
            total += weight;
            bound += counted(strength >= BINDS);
            close += counted(strength >= CLOSE);
            exact += counted(has(term, unit, self.matcher));
        }
        (total > 0.0 && bound / total >= SHARE).then(|| Bound {
            share: bound / total,
            close: close / total >= SHARE,
            exact: exact / total >= SHARE,
        })
    }

    /// The units that speak of a topic, best first.
    fn speaking(&self, terms: &[&Term]) -> Vec<Found<'a>> {
        let found = self
            .all
            .iter()
            .filter(|candidate| self.is_statement(candidate) && self.in_period(candidate))
            .filter_map(|candidate| {
                let unit = self.unit(candidate);
                let bound = self.binds(terms, unit)?;
                let told = if unit.values.is_empty() { 0.0 } else { 0.1 };
                let old = if unit.is_superseded() { 0.3 } else { 0.0 };
                let other_time = if self.is_of_another_time(unit) { 0.2 } else { 0.0 };
                let own = self.own_share(terms, unit);
                let worth = 0.4 * bound.share + 0.4 * own + told - old - other_time;
                Some(Found { candidate, worth, bound })
            })
            .collect();
        let mut found = exact_first(found);
        found.sort_by(order);
        found.truncate(READ);
        // Meaning tells the statement about the thing from the one that only mentions it. Without the encoder words decide.
        if let Ok(encoder) = SentenceEncoder::builtin()
            && let Ok(asked) = encoder.reading(&self.question.text)
        {
            for one in &mut found {
                if let Ok(told) = encoder.reading(&in_context(self.unit(one.candidate))) {
                    one.worth += MEANT * f64::from(dot(&asked.sentence, &told.sentence));
                }
            }
        }
        found.sort_by(order);
        found
    }

    /// Share of the topic's words that stand in the unit itself, or name its row, column or list.
    fn own_share(&self, terms: &[&Term], unit: &EvidenceUnit<'_>) -> f64 {
        let here = |term: &&&Term| bind::strength(term, unit, self.matcher) >= CLOSE;
        terms.iter().filter(here).count() as f64 / terms.len().max(1) as f64
    }

    /// Within the period asked about, if one is: as the unit says, what stands over it, or its document.
    fn in_period(&self, candidate: &Candidate) -> bool {
        let Some(asked) = self.question.period else { return true };
        let unit = self.unit(candidate);
        if unit.periods.iter().any(|period| holds(asked, period.value)) {
            return true;
        }
        let over = format!("{} {}", unit.read.passage.heading_path.join(" "), unit.near_text);
        let over = periods(&over);
        match over.first() {
            Some(_) => over.iter().any(|period| holds(asked, period.value)),
            None => unit.read.source.date.as_ref().is_some_and(|date| holds(asked, date.value)),
        }
    }

    /// Whether a unit itself names only other times than the one asked about.
    fn is_of_another_time(&self, unit: &EvidenceUnit<'_>) -> bool {
        self.question.period.is_some_and(|asked| {
            !unit.periods.is_empty()
                && !unit.periods.iter().any(|period| holds(asked, period.value))
        })
    }

    /// The best, each chosen for what it adds to those before it, then in the order of their documents.
    fn varied(&self, found: Vec<Found<'a>>, most: usize) -> Vec<Candidate> {
        let best = found.first().map_or(0.0, |one| one.worth);
        let mut left: Vec<Found<'a>> =
            found.into_iter().filter(|one| one.worth >= WORTH * best).collect();
        let mut chosen: Vec<Found<'a>> = Vec::new();
        let mut said: Vec<BTreeSet<String>> = Vec::new();
        while chosen.len() < most {
            let cost = |one: &Found<'_>| {
                let unit = self.unit(one.candidate);
                let own = content_set(unit.text);
                let nearest = said.iter().map(|other| jaccard(other, &own)).fold(0.0, f64::max);
                let beside: f64 = chosen
                    .iter()
                    .map(|other| self.unit(other.candidate))
                    .filter(|other| other.read.source.id == unit.read.source.id)
                    .map(|other| {
                        let under =
                            other.read.passage.heading_path == unit.read.passage.heading_path;
                        SAME_DOCUMENT + if under { SAME_HEADING } else { 0.0 }
                    })
                    .sum();
                (nearest < SAME).then_some(SAME_WORDS * nearest + beside)
            };
            let next = left
                .iter()
                .enumerate()
                .filter_map(|(at, one)| Some((at, one.worth - cost(one)?)))
                .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
            let Some((at, worth)) = next else { break };
            if worth < WORTH * best * 0.5 && !chosen.is_empty() {
                break;
            }
            let one = left.remove(at);
            said.push(content_set(self.unit(one.candidate).text));
            chosen.push(one);
        }
        self.in_order(chosen)
    }

    /// Documents in the order of their best quote, quotes in the order of the text.
    fn in_order(&self, mut chosen: Vec<Found<'a>>) -> Vec<Candidate> {
        let mut documents: Vec<&str> = Vec::new();
        for one in &chosen {
            let id = self.unit(one.candidate).read.source.id.0.as_str();
            if !documents.contains(&id) {
                documents.push(id);
            }
        }
        chosen.sort_by_key(|one| {
            let unit = self.unit(one.candidate);
            let id = unit.read.source.id.0.as_str();
            let document = documents.iter().position(|other| *other == id);
            (document, unit.read.passage.span.start, unit.ordinal)
        });
        chosen.into_iter().map(as_answer).collect()
    }

    fn about(&self, terms: &[&Term], most: usize) -> Vec<Candidate> {
        self.varied(self.speaking(terms), most)
    }

    /// A document whose title is the topic ("the annual meeting", "the remote work policy"): something of each of its parts, then
    /// what others say of it. `None` where no title is.
    fn document(&self, terms: &[&Term]) -> Option<Vec<Candidate>> {
        let titled = |unit: &EvidenceUnit<'_>| {
            let source = &unit.read.source;
            let path = source.path.replace('\\', "/");
            let file = path.rsplit('/').next().unwrap_or_default();
            let file =
                file.rsplit_once('.').map_or(file, |(stem, _)| stem).replace(['_', '-'], " ");
            let name = format!("{} {file}", source.title).to_lowercase();
            let name: Vec<Word> = words(&name).into_iter().map(Word::of_title).collect();
            let nearest = |term: &&Term| {
                name.iter().map(|word| self.matcher.likeness(term, word)).fold(0.0, f64::max)
            };
            // "The two porpoise studies" may call themselves surveys, as long as they are of porpoises.
            terms.iter().all(|term| nearest(term) >= BINDS)
                && terms.iter().any(|term| nearest(term) >= SAME_WORD)
        };
        let mut parts: BTreeMap<(&str, &[String]), Vec<Found<'a>>> = BTreeMap::new();
        let mut documents: BTreeSet<&str> = BTreeSet::new();
        for candidate in self.all.iter().filter(|one| self.is_statement(one)) {
            let unit = self.unit(candidate);
            if titled(unit) && !unit.is_superseded() && self.in_period(candidate) {
                let source = unit.read.source.id.0.as_str();
                documents.insert(source);
                let told = unit.values.len().min(2) as f64 * 0.2;
                let length = unit.text.split_whitespace().count().min(20) as f64 / 50.0;
                let key = (source, unit.read.passage.heading_path.as_slice());
                let found = Found { candidate, worth: told + length, bound: WHOLLY };
                parts.entry(key).or_default().push(found);
            }
        }
        // Several of the kind ("the quarterly reports") are a topic and no document.
        if documents.is_empty() || documents.len() > MOST_OF_A_SIDE {
            return None;
        }
        let mut parts: Vec<Vec<Found<'a>>> = parts.into_values().collect();
        for part in &mut parts {
            part.sort_by(order);
        }
        // Of more parts than can be shown, those that tell the most.
        parts.sort_by(|a, b| order(&a[0], &b[0]));
        let most = parts.len().clamp(MOST, MOST_OF_A_DOCUMENT);
        let mut chosen: Vec<Found<'a>> = Vec::new();
        while chosen.len() < most && parts.iter().any(|part| !part.is_empty()) {
            for part in &mut parts {
                if chosen.len() < most && !part.is_empty() {
                    chosen.push(part.remove(0));
                }
            }
        }
        let mut answers = self.in_order(chosen);
        let elsewhere = self
            .speaking(terms)
            .into_iter()
            .filter(|one| one.bound.close && one.bound.exact)
            .filter(|one| !documents.contains(self.unit(one.candidate).read.source.id.0.as_str()))
            .collect();
        answers.extend(self.varied(elsewhere, MOST_OF_A_SIDE));
        Some(answers)
    }

    /// Statements of the period itself, where nothing but a period is asked about.
    fn of_period(&self) -> Vec<Candidate> {
        let mut found: Vec<Found<'a>> = self
            .all
            .iter()
            .filter(|candidate| self.is_statement(candidate) && self.in_period(candidate))
            .map(|candidate| {
                let unit = self.unit(candidate);
                let said = self.question.period.is_some_and(|asked| {
                    unit.periods.iter().any(|period| holds(asked, period.value))
                });
                let told = unit.text.split_whitespace().count().min(20) as f64 / 40.0;
                let worth = 0.6 + told + if said { 0.3 } else { 0.0 };
                Found { candidate, worth, bound: WHOLLY }
            })
            .collect();
        found.sort_by(order);
        self.varied(found, MOST)
    }

    /// Figures of the topic, the oldest first; what is out of date is wanted here, with its time.
    fn course(&self, terms: &[&Term]) -> Vec<Candidate> {
        let mut dated: BTreeMap<usize, i64> = BTreeMap::new();
        let found: Vec<Found<'a>> = self
            .all
            .iter()
            .filter(|candidate| self.is_statement(candidate))
            .filter_map(|candidate| {
                let unit = self.unit(candidate);
                let bound = self.binds(terms, unit)?;
                let own = self.own_share(terms, unit);
                let figures = unit.values.iter().filter(|value| is_figure(value.kind)).count();
                let stated = unit.read.source.date.as_ref().map(|date| date.value);
                let time = unit.periods.first().map(|period| period.value).or(stated)?;
                dated.insert(candidate.unit, time.order_key());
                let worth = 0.5 * bound.share + own + 0.1 * (figures.min(3) as f64);
                (figures > 0 && own >= SHARE).then_some(Found { candidate, worth, bound })
            })
            .collect();
        let mut found = self.counted_first(exact_first(found));
        found.sort_by(order);
        let mut said: BTreeSet<String> = BTreeSet::new();
        found.retain(|one| said.insert(squeeze(self.unit(one.candidate).text)));
        found.truncate(MOST);
        if found.is_empty() {
            // No figures: what speaks of the whole topic, since half of it is another matter ("the price of a licence").
            let mut whole = self.speaking(terms);
            whole.retain(|one| one.bound.share > 0.99);
            return self.varied(whole, MOST);
        }
        found.sort_by_key(|one| (dated.get(&one.candidate.unit).copied(), one.candidate.unit));
        found.into_iter().map(as_answer).collect()
    }

    /// "The number of members": figures that count members, where there are some, and not what members pay.
    fn counted_first(&self, found: Vec<Found<'a>>) -> Vec<Found<'a>> {
        let asked = words(&self.question.text.to_lowercase());
        let number = asked
            .iter()
            .any(|word| matches!(word.as_str(), "number" | "numbers" | "count" | "counts"));
        let noun = self.question.terms.iter().rfind(|term| !term.light && !term.hard);
        let Some(noun) = noun.filter(|_| number) else { return found };
        let counting = |one: &Found<'a>| {
            let unit = self.unit(one.candidate);
            unit.values.iter().any(|value| {
                value.kind == ValueKind::Count && counts(unit, value, &noun.stem, self.matcher)
            })
        };
        if found.iter().any(counting) {
            found.into_iter().filter(counting).collect()
        } else {
            found
        }
    }

    /// What two versions of the document say otherwise; where there are no two, what it says of its changes, or is said of them.
    fn changes(&self, terms: &[&Term]) -> Vec<Candidate> {
        let mut told = changes(terms, self.all, self.units, self.matcher);
        if told.is_empty() {
            told = revisions(self.question, terms, self.all, self.units, self.matcher);
        }
        if told.is_empty() {
            return self.about(terms, MOST);
        }
        let quoted = |candidate| as_answer(Found { candidate, worth: 1.0, bound: WHOLLY });
        told.into_iter().map(quoted).collect()
    }

    /// What speaks of both sides, then of each alone; nothing where the documents know only one of them.
    fn contrast(&self, terms: &[&Term], a: &str, b: &str) -> Vec<Candidate> {
        let sides = [a, b].map(|side| Question::parse(side, &[]));
        let of = |side: &Question| -> Vec<&Term> {
            terms
                .iter()
                .copied()
                .filter(|term| side.terms.iter().any(|own| own.word == term.word))
                .collect()
        };
        if sides.iter().any(|side| of(side).is_empty()) {
            return self.about(terms, MOST);
        }
        let shared: Vec<Found<'a>> =
            self.speaking(terms).into_iter().filter(|one| one.bound.close).collect();
        let mut answers = self.varied(shared, MOST);
        if answers.len() < COMPARED {
            let alone = sides.each_ref().map(|side| {
                let named = |one: &Found<'_>| {
                    let at = one.candidate.unit;
                    bind_all(side, at, &self.units[at], self.matcher, self.common).names_bound
                };
                let found = self.speaking(&of(side)).into_iter().filter(named).collect();
                self.varied(found, MOST_OF_A_SIDE)
            });
            if answers.is_empty() && alone.iter().any(Vec::is_empty) {
                return Vec::new();
            }
            for one in alone.into_iter().flatten() {
                if answers.iter().all(|other| other.unit != one.unit) {
                    answers.push(one);
                }
            }
        }
        answers
    }

    /// The rows of a column, or the items under a heading, that the topic names; otherwise statements about it.
    fn listing(&self, terms: &[&Term]) -> Vec<Candidate> {
        let mut groups: BTreeMap<(&str, &[String]), Vec<Found<'a>>> = BTreeMap::new();
        for candidate in self.all {
            let unit = self.unit(candidate);
            if unit.kind == UnitKind::Sentence
                || unit.is_note
                || unit.is_superseded()
                || !self.in_period(candidate)
            {
                continue;
            }
            // A column, or the list's heading or lead, names what it lists.
            let names = terms.iter().all(|term| {
                unit.words.iter().any(|word| {
                    let over = word.place == Place::Near
                        || (word.place == Place::Before && unit.kind == UnitKind::Row);
                    over && self.matcher.likeness(term, word) >= BINDS
                })
            });
            if names {
                let source = unit.read.source.id.0.as_str();
                let key = (source, unit.read.passage.heading_path.as_slice());
                groups.entry(key).or_default().push(Found { candidate, worth: 1.0, bound: WHOLLY });
            }
        }
        match groups.into_values().max_by_key(Vec::len).filter(|group| group.len() >= 2) {
            Some(mut group) => {
                group.sort_by_key(|one| {
                    let unit = self.unit(one.candidate);
                    (unit.read.passage.span.start, unit.ordinal)
                });
                group.truncate(MOST_LISTED);
                self.in_order(group)
            }
            None => self.about(terms, MOST),
        }
    }

    /// How the documents begin, those first that introduce the others.
    fn opening(&self) -> Vec<Candidate> {
        let mut by_document: BTreeMap<&str, Vec<&'a Candidate>> = BTreeMap::new();
        for candidate in self.all.iter().filter(|candidate| self.is_statement(candidate)) {
            let unit = self.unit(candidate);
            if unit.kind != UnitKind::Row && !unit.is_superseded() && !is_colophon(unit.text) {
                by_document.entry(unit.read.source.id.0.as_str()).or_default().push(candidate);
            }
        }
        let mut documents: Vec<(bool, usize, Vec<&'a Candidate>)> = by_document
            .into_values()
            .map(|mut quotes| {
                quotes.sort_by_key(|one| {
                    (self.unit(one).read.passage.span.start, self.unit(one).ordinal)
                });
                let source = &self.unit(quotes[0]).read.source;
                let depth = source.path.matches(['/', '\\']).count();
                (!introduces(&source.path, &source.title), depth, quotes)
            })
            .collect();
        documents.sort_by_key(|(other, depth, quotes)| (*other, *depth, quotes[0].unit));
        let introduced = documents.iter().any(|(other, ..)| !other);
        documents
            .into_iter()
            .take(if introduced { DOCUMENTS / 2 } else { DOCUMENTS })
            .flat_map(|(other, _, quotes)| {
                let most = if other { OF_A_DOCUMENT } else { 2 * OF_A_DOCUMENT };
                quotes.into_iter().take(most)
            })
            .map(|candidate| as_answer(Found { candidate, worth: 1.0, bound: WHOLLY }))
            .collect()
    }
}

/// Those that say it in the words of the topic, where there are some; otherwise all.
fn exact_first(found: Vec<Found<'_>>) -> Vec<Found<'_>> {
    if found.iter().filter(|one| one.bound.exact).count() >= ENOUGH {
        found.into_iter().filter(|one| one.bound.exact).collect()
    } else {
        found
    }
}

/// Whether a word of the topic stands in a unit or over it as it is, and not another word for it.
fn has(term: &Term, unit: &EvidenceUnit<'_>, matcher: &Matcher) -> bool {
    unit.words.iter().any(|word| {
        (word.stem == term.stem || matcher.likeness(term, word) >= SAME_WORD)
            && word.place != Place::Before
    }) && bind::strength(term, unit, matcher) >= BOUND
}

/// Words for the kind of statements that is wanted of a topic.
fn is_aspect(word: &str) -> bool {
    matches!(
        word,
        "rule"
            | "rules"
            | "regulations"
            | "detail"
            | "details"
            | "fact"
            | "facts"
            | "information"
            | "situation"
            | "matter"
            | "matters"
            | "topic"
            | "topics"
            | "issue"
            | "issues"
            | "aspects"
            | "basics"
            | "content"
            | "contents"
            | "status"
            | "state"
            | "background"
            | "history"
            | "story"
            | "role"
            | "life"
            | "work"
            | "activities"
            | "particulars"
    )
}

/// Whether a document tells by its name that it introduces the others.
fn introduces(path: &str, title: &str) -> bool {
    const NAMES: [&str; 8] =
        ["readme", "overview", "index", "about", "introduction", "summary", "abstract", "home"];
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let all = words(&format!("{} {title}", name.replace(['_', '-', '.'], " ")).to_lowercase());
    all.iter().any(|word| NAMES.contains(&word.as_str()))
}

fn order(a: &Found<'_>, b: &Found<'_>) -> std::cmp::Ordering {
    b.worth.total_cmp(&a.worth).then(a.candidate.unit.cmp(&b.candidate.unit))
}

/// Whether a quote binds the topic in its own words, in itself or right over it.
pub(super) fn is_firm(quote: &Candidate) -> bool {
    quote.weighed.is_some_and(|weighed| weighed >= BEARS)
}

fn as_answer(found: Found<'_>) -> Candidate {
    let firmly = found.bound.close && found.bound.exact;
    Candidate {
        accepted: true,
        value: None,
        polarity: None,
        weighed: Some(if firmly { BEARS } else { BEARS_LOOSELY }),
        ..found.candidate.clone()
    }
}

fn is_figure(kind: ValueKind) -> bool {
    matches!(
        kind,
        ValueKind::Money
            | ValueKind::Percent
            | ValueKind::Count
            | ValueKind::Measure
            | ValueKind::Duration
    )
}

/// Whether a time lies within the one asked about.
fn holds(asked: PartialDate, time: PartialDate) -> bool {
    let months = match asked.precision {
        DatePrecision::Year => 1..=12,
        DatePrecision::Half => asked.month..=asked.month + 5,
        DatePrecision::Quarter => asked.month..=asked.month + 2,
        DatePrecision::Month | DatePrecision::Day => asked.month..=asked.month,
    };
    let finer = time.precision != DatePrecision::Year || asked.precision == DatePrecision::Year;
    asked.year == time.year
        && finer
        && months.contains(&time.month)
        && (asked.precision != DatePrecision::Day || asked.day == time.day)
}

#[cfg(test)]
mod tests {
    use super::super::select::select;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn quoted(question: &str, documents: &[(&str, &str, &str)]) -> Vec<String> {
        let passages: Vec<_> =
            documents.iter().map(|(name, heading, text)| document(name, heading, text)).collect();
        let units = evidence_units(&passages);
        let parsed = Question::parse(question, &[]);
        let selection = select(&parsed, &units, &Matcher::new(), &Commonness::new(&[], 0));
        selection.answers.iter().map(|answer| units[answer.unit].text.to_owned()).collect()
    }

    const YARD: [(&str, &str, &str); 3] = [
        (
            "crane",
            "The new crane",
            "The Harlow crane was put up in March 2021 on the east quay. It lifts 40 tonnes. The café opens at nine in the morning.",
        ),
        (
            "report",
            "Works",
            "In 2023 the Harlow crane stood still for eleven days. Two slips were dredged in the autumn.",
        ),
        (
            "old",
            "Works",
            "Dredging of the lower basin went on until June. The lock keeper retired after thirty years.",
        ),
    ];

    #[test]
    fn a_topic_is_quoted_from_wherever_it_is_spoken_of() {
        let told = quoted("Tell me about the Harlow crane", &YARD);
        assert!(told.iter().any(|quote| quote.contains("March 2021")), "{told:?}");
        assert!(told.iter().any(|quote| quote.contains("eleven days")), "{told:?}");
        assert!(
            told.iter().all(|quote| !quote.contains("café") && !quote.contains("lock keeper")),
            "{told:?}"
        );
    }

    #[test]
    fn what_no_document_names_is_not_spoken_of() {
        for question in [
            "Tell me about the Brankholm crane",
            "What do we know about Nell Varga?",
            "Compare the Harlow crane with the Brankholm crane",
        ] {
            assert_eq!(quoted(question, &YARD), Vec::<String>::new(), "{question}");
        }
    }

    #[test]
    fn the_date_at_the_head_of_a_document_is_no_statement() {
        let text = "*18 February 2026*\n\nThe museum counted 61,300 visitors in 2025. The shop \
                    sold postcards for £400.";
        let told = quoted("What is this folder about?", &[("report", "Annual report 2025", text)]);
        assert!(told.iter().any(|quote| quote.contains("61,300")), "{told:?}");
        assert!(told.iter().all(|quote| !quote.contains("February")), "{told:?}");
    }

    #[test]
    fn a_course_begins_with_the_oldest_figure() {
        let told = quoted(
            "How has the number of members developed?",
            &[
                ("a", "Members", "In 2024 the club had 410 members. The bar was painted."),
                ("b", "Members", "In 2019 the club had 260 members. A new roof was paid for."),
            ],
        );
        assert_eq!(
            told,
            ["In 2019 the club had 260 members.", "In 2024 the club had 410 members."]
        );
    }

    #[test]
    fn a_comparison_quotes_what_speaks_of_both() {
        let told = quoted(
            "What is the difference between the Dunlin and the Petrel?",
            &[(
                "boats",
                "The fleet",
                "The Dunlin draws two metres and the Petrel three. The Dunlin was built in 1980. The kiosk sells maps.",
            )],
        );
        assert!(told.iter().any(|quote| quote.contains("draws two metres")), "{told:?}");
        assert!(told.iter().all(|quote| !quote.contains("kiosk")), "{told:?}");
    }

    #[test]
    fn times_lie_within_each_other() {
        let (june, year) = (PartialDate::month(2024, 6), PartialDate::year(2024));
        assert!(holds(year, june) && holds(june, PartialDate::day(2024, 6, 3)));
        assert!(!holds(june, year) && !holds(june, PartialDate::month(2024, 7)));
        assert!(
            holds(PartialDate::quarter(2024, 2), june)
                && !holds(PartialDate::quarter(2024, 1), june)
        );
    }
}
