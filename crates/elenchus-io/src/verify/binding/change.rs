//! Figures that were changed, and figures that are told only of the past.
//!
//! "The fee rises from 1,250 to 1,400" holds every word of a fee of 1,250 and says that it is so no longer; "the club had 190
//! members in 2023" leaves open how many it has.

use super::amounts;
use super::ground::View;
use super::lexicon;
use super::prepare::{Kind, Prepared};
use super::quantity::{Fit, Quantity, fits};
use super::report::Report;
use super::units::{Dimension, unit};
use super::when::{Stand, stand};
use crate::verify::tokens::Pos;
use elenchus_core::port::MismatchKind;
use elenchus_core::text::is_stop_word;
use std::ops::Range;

/// Tokens between a verb of change and the figure that it changes, at most.
const REACH: usize = 12;

/// Tokens behind an earlier figure in which its time is told: "190 a year before".
const BEHIND: usize = 5;

/// Tokens between a figure and the word that says that it was, or is now, at most.
const NEAR: usize = 6;

/// Greater numbers are no labels: "flat 7", "phase 2".
const LABELS: f64 = 1_000.0;

/// Words before a number that name nothing.
const NO_NOUNS: [&str; 22] = [
    "from", "than", "about", "over", "under", "only", "just", "and", "the", "for", "was", "were",
    "are", "has", "had", "have", "with", "against", "until", "before", "after", "least",
];

/// What is numbered rather than counted, whatever stands behind the number: "room 7 rent", "the ward 3 nurses".
const NUMBERED: [&str; 26] = [
    "room",
    "flat",
    "ward",
    "pump",
    "unit",
    "apartment",
    "suite",
    "floor",
    "plot",
    "bay",
    "gate",
    "platform",
    "phase",
    "stage",
    "block",
    "berth",
    "pitch",
    "locker",
    "site",
    "line",
    "route",
    "zone",
    "lot",
    "tank",
    "boiler",
    "studio",
];

/// What was, and what is: "from 1,250 to 1,400", said of a rise, a fall or a change.
pub(super) struct Change {
    pub(super) before: Quantity,
    /// Absent where the evidence only says that it is so no longer.
    pub(super) after: Option<Quantity>,
    /// Both, with what stands between them.
    pub(super) tokens: Range<usize>,
}

impl Change {
    fn new(before: &Quantity, after: &Quantity) -> Self {
        Self {
            // What stands as one span, of a smaller and a greater figure, is two of them here.
            before: Quantity { high: before.low, ..before.clone() },
            after: Some(Quantity { low: after.high, ..after.clone() }),
            tokens: before.tokens.start.min(after.tokens.start)
                ..before.tokens.end.max(after.tokens.end),
        }
    }

    /// Whether this is the figure of before, and the later one is another.
    fn is_before(&self, own: &Quantity) -> bool {
        holds(own, &self.before)
            && self.after.as_ref().is_none_or(|after| fits(own, after) != Fit::Holds)
    }

    /// Whether a token belongs to one of its two figures.
    fn has(&self, token: usize) -> bool {
        let after = self.after.as_ref().map(|after| &after.tokens);
        self.before.tokens.contains(&token) || after.is_some_and(|after| after.contains(&token))
    }
}

/// Whether a figure of the evidence bears one of the claim out, both being of one kind.
fn holds(own: &Quantity, other: &Quantity) -> bool {
    own.unit.zip(other.unit).is_none_or(|(a, b)| a.comparable(b)) && fits(own, other) == Fit::Holds
}

fn word(p: &Prepared, at: usize) -> &str {
    p.tokens.get(at).map_or("", |token| token.lower.as_str())
}

/// The word so many tokens before a figure.
fn before<'p>(p: &'p Prepared, q: &Quantity, back: usize) -> &'p str {
    q.tokens.start.checked_sub(back).map_or("", |at| word(p, at))
}

fn is_led(p: &Prepared, q: &Quantity, by: &str) -> bool {
    before(p, q, 1) == by || before(p, q, 2) == by
}

/// Whether a word before a figure says that something becomes more, less or another.
fn is_changed(p: &Prepared, q: &Quantity) -> bool {
    let start = q.tokens.start;
    let near = &p.tokens[start.saturating_sub(REACH)..start];
    near.iter().any(|token| lexicon::changes(&token.lower, &token.stem))
}

/// The noun right behind a figure; "190 a year" counts no years.
fn counted(p: &Prepared, q: &Quantity) -> Option<usize> {
    let head = q.head?;
    let between = p.tokens.get(q.tokens.end..head)?;
    between.iter().all(|token| token.pos != Pos::Determiner).then_some(head)
}

/// Whether two figures of a sentence count the same: no other unit, and no other noun behind them.
fn is_alike(p: &Prepared, a: &Quantity, b: &Quantity) -> bool {
    let units = a.unit.zip(b.unit).is_none_or(|(a, b)| a.comparable(b));
    let nouns = counted(p, a).zip(counted(p, b));
    units && nouns.is_none_or(|(a, b)| p.tokens[a].stem == p.tokens[b].stem)
}

/// Whether a figure is told of now, by a word within some tokens.
fn is_now(p: &Prepared, q: &Quantity, within: Range<usize>) -> bool {
    let near = q.tokens.start.saturating_sub(NEAR)..q.tokens.end + BEHIND;
    let from = near.start.max(within.start);
    let to = near.end.min(within.end);
    (from..to).any(|at| matches!(word(p, at), "now" | "currently" | "today"))
}

/// Of two neighbouring figures: whether the first is the earlier one, or the second; `None` where nothing says that the one
/// became the other.
fn order(p: &Prepared, one: &Quantity, two: &Quantity) -> Option<bool> {
    let between = one.tokens.end..two.tokens.start;
    if between.start > between.end || between.len() > REACH || !is_alike(p, one, two) {
        return None;
    }
    if is_led(p, one, "from") && is_led(p, two, "to") && one.low >= one.high && is_changed(p, one) {
        return Some(true);
    }
    if is_led(p, one, "to") && is_led(p, two, "from") && is_changed(p, one) {
        return Some(false);
    }
    let has = |found: &[&str]| between.clone().find(|at| found.contains(&word(p, *at)));
    if let Some(at) = has(&["replaced"])
        && matches!(word(p, at + 1), "by" | "with")
    {
        return Some(true);
    }
    if has(&["replaces", "replaced", "replacing"]).is_some() {
        return Some(false);
    }
    // "Was 190 and is now 212"; what comes up in between is another thing: "and the deposit is now 212".
    let is_one_subject = between.clone().all(|at| {
        let is_noun = matches!(p.tokens[at].pos, Pos::Noun | Pos::ProperNoun);
        let known = counted(p, one) == Some(at)
            || p.tokens[..one.tokens.start].iter().any(|token| token.stem == p.tokens[at].stem);
        !is_noun || known || is_time(word(p, at))
    });
    let end = p.tokens.len();
    (is_one_subject && was(p, one).is_some() && is_now(p, two, between.start..end)).then_some(true)
}

/// The changes that a sentence tells.
pub(super) fn changes(p: &Prepared) -> Vec<Change> {
    let figures = counting(p);
    let mut found: Vec<Change> = p
        .quantities
        .iter()
        .filter(|q| q.low < q.high && is_led(p, q, "from") && is_changed(p, q))
        .map(|q| Change::new(q, q))
        .collect();
    found.extend(figures.windows(2).filter_map(|pair| {
        let [one, two] = pair else { return None };
        let (before, after) = if order(p, one, two)? { (one, two) } else { (two, one) };
        Some(Change::new(before, after))
    }));
    found.extend(figures.iter().filter_map(|q| {
        let start = q.tokens.start;
        let cue = (start.saturating_sub(NEAR)..start).find(|at| {
            word(p, *at) == "no" && word(p, at + 1) == "longer" && word(p, at + 2) != "than"
        })?;
        // "No longer 1,250 but 1,400": the first one is meant.
        let is_second = p.quantities.iter().any(|other| (cue..start).contains(&other.tokens.start));
        if is_second {
            return None;
        }
        Some(Change { before: Quantity::clone(q), after: None, tokens: cue..q.tokens.end })
    }));
    found
}

/// Words that set an earlier figure beside a later one: "212 members, against 190 a year before", "up from 190", "(previously
/// 190)".
fn sets_beside(p: &Prepared, q: &Quantity) -> bool {
    let before = |back: usize| before(p, q, back);
    let is_up = matches!(before(2), "up" | "down" | "rising" | "falling") && before(1) == "from";
    let is_against = matches!(before(1), "against" | "to" | "with" | "from")
        && (before(1) == "against" || matches!(before(2), "compared" | "opposed"));
    let is_former =
        matches!(before(1), "previously" | "formerly") && matches!(before(2), "(" | ",");
    let behind = p.tokens[q.tokens.end..].iter().take(BEHIND);
    let behind: Vec<&str> = behind.map(|t| t.lower.as_str()).collect();
    let is_earlier = behind.iter().any(|word| {
        matches!(*word, "before" | "earlier" | "previously" | "previous" | "last" | "prior")
    });
    is_up || is_former || is_against && is_earlier
}

/// Figures of an earlier time that stand beside the figure of the time that the sentence is about.
pub(super) fn earlier_figures(p: &Prepared) -> Vec<Change> {
    counting(p)
        .windows(2)
        .filter_map(|pair| {
            let [now, earlier] = pair else { return None };
            (sets_beside(p, earlier) && now.tokens.end <= earlier.tokens.start)
                .then(|| Change::new(earlier, now))
        })
        .collect()
}

/// Whether what a claim says is of the time for which the later figure of a comparison stands: it gives that time, or the
/// present.
fn is_of_the_later(claim: &Prepared, p: &Prepared, change: &Change) -> bool {
    if claim.dates.is_empty() {
        return !looks_back(claim);
    }
    claim.dates.iter().all(|own| {
        p.dates.iter().any(|date| {
            date.tokens.end <= change.before.tokens.start && stand(own, date) == Stand::Within
        })
    })
}

/// Whether a text speaks of what was or of a change itself, so that the older figure is what it may mean.
fn looks_back(p: &Prepared) -> bool {
    p.tokens.iter().any(|t| {
        matches!(
            t.lower.as_str(),
            "was"
                | "were"
                | "had"
                | "from"
                | "until"
                | "before"
                | "previously"
                | "formerly"
                | "used"
                | "longer"
        ) || lexicon::changes(&t.lower, &t.stem)
    })
}

/// The figures of a claim that can be older ones.
pub(super) fn figures(claim: &Prepared) -> impl Iterator<Item = &Quantity> {
    claim.quantities.iter().filter(|q| (q.figure || q.unit.is_some()) && !q.ordinal)
}

/// Whether a sentence has a word for anything that the claim speaks of: a change of another thing says nothing.
fn speaks_of_it(view: &View<'_>, sentence: usize) -> bool {
    let claim = view.claim;
    let mut nouns = (0..claim.tokens.len())
        .filter(|at| {
            matches!(claim.items[*at].kind, Kind::Plain | Kind::Name)
                && matches!(claim.tokens[*at].pos, Pos::Noun | Pos::ProperNoun)
        })
        .peekable();
    nouns.peek().is_none()
        || nouns.any(|at| view.hits[at].iter().any(|hit| !hit.opposite && hit.sentence == sentence))
}

/// Numbers that name: the token of the number, the stem of what it names, and the number, as the 7 of "flat 7".
pub(super) fn labels(p: &Prepared) -> impl Iterator<Item = (usize, &str, f64)> {
    p.tokens.windows(2).enumerate().filter_map(|(at, pair)| {
        let [noun, number] = pair else { return None };
        let own: f64 = number.lower.parse().ok()?;
        let is_measured = p.quantities.iter().any(|q| q.at == at + 1 && q.unit.is_some());
        if own >= LABELS || is_measured || p.items[at + 1].kind == Kind::Date {
            return None;
        }
        // "Employs 7", "nearly 7", "now 7" count.
        let is_word = noun.lower.len() > 2
            && noun.lower.chars().all(char::is_alphabetic)
            && !matches!(noun.pos, Pos::Verb | Pos::Aux)
            && !is_present(&noun.lower)
            && !noun.lower.ends_with("ly")
            && !is_stop_word(&noun.lower)
            && !NO_NOUNS.contains(&noun.lower.as_str())
            && !lexicon::changes(&noun.lower, &noun.stem);
        // "Has 7 members" counts them; the tagger takes an "is" behind a number for a noun, and what rises, too.
        let counts = p.tokens.get(at + 2).is_some_and(|next| {
            matches!(next.pos, Pos::Noun | Pos::ProperNoun)
                && !is_stop_word(&next.lower)
                && !lexicon::changes(&next.lower, &next.stem)
        });
        let is_numbered = NUMBERED.contains(&noun.lower.as_str());
        (is_numbered || is_word && !counts).then_some((at + 1, noun.stem.as_str(), own))
    })
}

/// The numbers that count or measure: what only names does not change.
fn counting(p: &Prepared) -> Vec<&Quantity> {
    let named: Vec<usize> = labels(p).map(|(at, ..)| at).collect();
    p.quantities.iter().filter(|q| !named.contains(&q.at)).collect()
}

/// Whether the claim speaks of flat 7 and the evidence of flat 3.
fn is_another(claim: &Prepared, p: &Prepared) -> bool {
    let same = |a: f64, b: f64| (a - b).abs() < 1e-9;
    labels(claim).any(|(_, noun, own)| {
        let mut found = labels(p).filter(|(_, other, _)| *other == noun).peekable();
        found.peek().is_some() && found.all(|(.., other)| !same(own, other))
    })
}

/// Whether a figure of the claim and those of a change count the same thing, as far as both say what.
fn counts_the_same(view: &View<'_>, own: &Quantity, sentence: usize, change: &Change) -> bool {
    let p = view.evidence[sentence];
    let Some(head) = own.head else { return true };
    let after = change.after.as_ref().and_then(|after| counted(p, after));
    let mut nouns = counted(p, &change.before).into_iter().chain(after).peekable();
    nouns.peek().is_none() || nouns.any(|noun| view.aligned(head, sentence, noun))
}

/// Figures that the evidence says are no longer so.
pub(super) fn superseded(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    let is_present = claim.dates.is_empty() && !looks_back(claim);
    for own in figures(claim) {
        let found = view.homes.iter().find_map(|home| {
            let p = view.evidence[*home];
            if !speaks_of_it(view, *home) || is_another(claim, p) {
                return None;
            }
            let is_older = |change: &Change| {
                change.is_before(own) && counts_the_same(view, own, *home, change)
            };
            let changed = changes(p).into_iter().filter(|_| is_present);
            let beside = earlier_figures(p);
            let beside = beside.into_iter().filter(|change| is_of_the_later(claim, p, change));
            let change = changed.chain(beside).find(is_older)?;
            let stands = p
                .quantities
                .iter()
                .any(|other| !change.has(other.at) && fits(own, other) == Fit::Holds);
            (!stands).then(|| amounts::slice(p, &change.tokens))
        });
        if let Some(told) = found {
            report.checked(MismatchKind::Number);
            let reason = format!("the evidence has it as the earlier figure: “{told}”");
            report.add(MismatchKind::Number, own.tokens.clone(), Some(told), true, reason);
        }
    }
}

/// Whether a verb says that something is so now.
fn is_present(lower: &str) -> bool {
    matches!(
        lower,
        "is" | "are"
            | "has"
            | "have"
            | "remains"
            | "stands"
            | "costs"
            | "amounts"
            | "comes"
            | "totals"
            | "numbers"
            | "employs"
    )
}

/// Whether a claim speaks of what is so now: a verb in the present, no time, and nothing that looks back.
pub(super) fn is_of_now(claim: &Prepared) -> bool {
    let has = |test: fn(&str) -> bool| claim.tokens.iter().any(|token| test(&token.lower));
    claim.dates.is_empty()
        && has(is_present)
        && !has(|lower| matches!(lower, "will" | "would"))
        && !looks_back(claim)
}

/// Whether a claim names no time and no version, and looks back at none: "the limit is 30 knots", and not "in version 1".
pub(super) fn is_untimed(claim: &Prepared) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let names_one = (0..claim.tokens.len()).any(|at| {
        let lower = word(claim, at);
        lower.strip_prefix('v').is_some_and(is_number)
            || matches!(lower, "version" | "edition" | "revision")
    });
    claim.dates.is_empty() && !names_one && !looks_back(claim)
}

/// Whether a word names a span of time.
fn is_time(lower: &str) -> bool {
    unit(lower, false).is_some_and(|unit| unit.dimension == Dimension::Time)
}

/// Where a verb of state in the past governs a figure: "had 190", "was about 1,250", "used to have 190". What was done ("was
/// raised to 1,400", "elected 5") is still so, and so may be what had to be.
fn was(p: &Prepared, q: &Quantity) -> Option<usize> {
    let start = q.tokens.start;
    let clause = p.items.get(q.at)?.clause;
    let verb = (start.saturating_sub(NEAR)..start).rev().find(|at| {
        let is_verb = matches!(p.tokens[*at].pos, Pos::Verb | Pos::Aux);
        (is_verb || matches!(word(p, *at), "had" | "was" | "were")) && word(p, *at) != "been"
    })?;
    let back = |n: usize| verb.checked_sub(n).map_or("", |at| word(p, at));
    let is_state = match word(p, verb) {
        "had" | "was" | "were" => {
            word(p, verb + 1) != "to" && !matches!(back(1), "has" | "have" | "having")
        }
        "stood" | "numbered" | "totalled" | "totaled" | "amounted" | "employed" => {
            // "Was totalled", "has stood": done, or so until now.
            !matches!(back(1), "was" | "were" | "is" | "are" | "has" | "have" | "been")
        }
        "be" | "have" | "cost" | "number" | "employ" | "stand" => {
            let is_purpose = matches!(back(3), "is" | "are" | "was" | "were" | "be" | "been");
            back(1) == "to" && back(2) == "used" && !is_purpose
        }
        _ => false,
    };
    (is_state && p.items[verb].clause == clause).then_some(verb)
}

/// Whether a sentence names a time that is over: a year, "a year before", "ago", "last season", "previously".
fn names_the_past(p: &Prepared) -> bool {
    let is_period = p.dates.iter().any(|date| {
        // Since then it is so.
        let led = date.tokens.start.checked_sub(1).map_or("", |at| word(p, at));
        date.years.is_some() && !matches!(led, "since" | "from")
    });
    is_period
        || (0..p.tokens.len()).any(|at| match word(p, at) {
            "ago" | "previously" | "formerly" | "originally" => true,
            "before" | "earlier" => at.checked_sub(1).is_some_and(|led| is_time(word(p, led))),
            "last" | "previous" => {
                let next = word(p, at + 1);
                is_time(next)
                    || matches!(next, "season" | "spring" | "summer" | "autumn" | "winter")
            }
            _ => false,
        })
}

/// The words that tell a figure of the past only, if there are any. The later figure of a change or a comparison is the one that
/// its sentence is about, whatever tense that has.
fn told_of_the_past(p: &Prepared, q: &Quantity) -> Option<Range<usize>> {
    let start = q.tokens.start;
    if matches!(before(p, q, 1), "previously" | "formerly" | "originally") {
        return Some(start - 1..q.tokens.end);
    }
    let verb = was(p, q)?;
    let is_used_to = !matches!(
        word(p, verb),
        "had"
            | "was"
            | "were"
            | "stood"
            | "numbered"
            | "totalled"
            | "totaled"
            | "amounted"
            | "employed"
    );
    if !is_used_to && !names_the_past(p) {
        return None;
    }
    let is_later = |change: &Change| {
        change.after.as_ref().is_some_and(|after| after.at == q.at) && change.before.at != q.at
    };
    let is_own = earlier_figures(p).iter().any(is_later) || changes(p).iter().any(is_later);
    (!is_own).then_some(verb..q.tokens.end)
}

/// A claim of what is so now, where the evidence tells its figure of the past only. It may still be so: nothing is denied, and the
/// claim is just surer than its evidence, which is why this counts as a hedge that was dropped.
pub(super) fn past(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    if !is_of_now(claim) {
        return;
    }
    for own in figures(claim) {
        let mut told = None;
        let mut is_plain = false;
        for (sentence, p) in view.evidence.iter().enumerate() {
            for q in p.quantities.iter().filter(|q| q.ordinal == own.ordinal && holds(own, q)) {
                let nouns = own.head.zip(counted(p, q));
                // "190 members today": any of the nouns behind it may be what is counted.
                let is_other = nouns.is_some_and(|(head, noun)| {
                    !(q.tokens.end..=noun).any(|at| view.aligned(head, sentence, at))
                });
                if is_other {
                    continue;
                }
                match told_of_the_past(p, q) {
                    Some(words) if view.is_home(sentence) => {
                        told = told.or(Some(amounts::slice(p, &words)));
                    }
                    Some(_) => {}
                    None => is_plain = true,
                }
            }
        }
        let Some(told) = told.filter(|_| !is_plain) else { continue };
        report.checked(MismatchKind::Hedge);
        let reason =
            format!("the claim says that it is so now, the evidence only that it was: “{told}”");
        report.add(MismatchKind::Hedge, own.tokens.clone(), Some(told), false, reason);
    }
}
