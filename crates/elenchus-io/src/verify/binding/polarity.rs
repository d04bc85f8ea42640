//! Negations, opposite words, and the order of the two sides of a comparison.

use super::ground::{Hit, View};
use super::lexicon;
use super::matter;
use super::phrasal;
use super::prepare::{Kind, Prepared};
use super::quantity::{Bound, Quantity};
use super::report::Report;
use super::who::{Chunk, subject};
use crate::verify::extract::is_person;
use crate::verify::tokens::Pos;
use elenchus_core::port::MismatchKind;

/// Hits weaker than this do not show what is negated.
const FIRM: f32 = 0.55;

/// A sentence with less of the claim's words than this, by weight, is about something else.
pub(super) const ABOUT: f64 = 0.3;

/// Share, by weight, of the words in the reach of the claim's negation that the evidence may lack. Where it has
/// nothing of them, the claim denies something else.
const UNMET: f64 = 0.85;

/// Hits weaker than this do not even show that a thing is spoken of.
const LOOSE: f32 = 0.35;

/// Whether the evidence's word, with all negations and opposites, says the same as the claim's.
fn agrees(view: &View<'_>, at: usize, hit: &Hit) -> bool {
    let turned = view.evidence[hit.sentence].items[hit.token].negated;
    !(view.claim.items[at].negated ^ turned ^ hit.opposite)
}

/// Firm hits of a claim token in the homes.
fn firm<'v>(view: &'v View<'_>, at: usize) -> impl Iterator<Item = &'v Hit> {
    view.hits[at].iter().filter(|hit| hit.strength >= FIRM && view.is_home(hit.sentence))
}

/// Share, by weight, of the words that a negation of the claim reaches for which a sentence has nothing.
fn unmet(view: &View<'_>, from: usize, sentence: Option<usize>) -> f64 {
    let claim = view.claim;
    let (mut lost, mut all) = (0.0, 0.0);
    for at in (from..claim.tokens.len())
        .take_while(|at| claim.items[*at].negated || claim.items[*at].kind == Kind::Empty)
    {
        let weight = super::ground::weight(claim, at);
        if !matches!(claim.items[at].kind, Kind::Plain | Kind::Name) {
            continue;
        }
        all += weight;
        let met = view.hits[at].iter().any(|hit| {
            hit.strength >= LOOSE
                && sentence.map_or_else(|| view.is_home(hit.sentence), |s| s == hit.sentence)
        });
        lost += if met { 0.0 } else { weight };
    }
    if all > 0.0 { lost / all } else { 0.0 }
}

/// Whether a sentence says enough of what the claim says.
fn about(view: &View<'_>, sentence: usize) -> bool {
    view.overlap[sentence] >= ABOUT
}

fn predicate(p: &Prepared, at: usize) -> bool {
    p.items[at].kind == Kind::Plain
}

/// Words that turn a denial into a condition: "nobody enters without a badge" denies no entering.
fn sets_condition(p: &Prepared, at: usize) -> bool {
    matches!(p.tokens[at].lower.as_str(), "without" | "unless" | "except")
}

/// Whether a negation is half of such a condition.
fn is_of_condition(p: &Prepared, cue: usize) -> bool {
    let ends = |at: &usize| matches!(p.tokens[*at].lower.as_str(), ";" | ".");
    if sets_condition(p, cue) {
        p.negators.iter().any(|other| *other < cue && !(*other..cue).any(|at| ends(&at)))
    } else {
        (cue + 1..p.tokens.len()).take_while(|at| !ends(at)).any(|at| sets_condition(p, at))
    }
}

/// Whether any of the words is a condition's.
fn has_condition(p: &Prepared) -> bool {
    (0..p.tokens.len()).any(|at| sets_condition(p, at))
}

/// Whether a sentence denies a thing by name of which the claim has nothing: "no cash is taken" denies no taking of cards.
fn denies_another(view: &View<'_>, sentence: usize, token: usize) -> bool {
    let p = view.evidence[sentence];
    let Some(cue) = p.negators.iter().rev().find(|cue| **cue < token) else { return false };
    if p.tokens[*cue].lower != "no" {
        return false;
    }
    let mut phrase = (*cue + 1..token).take_while(|at| {
        p.items[*at].kind == Kind::Plain
            && matches!(p.tokens[*at].pos, Pos::Noun | Pos::Adjective | Pos::ProperNoun)
    });
    let Some(head) = phrase.by_ref().last() else { return false };
    !view
        .hits
        .iter()
        .flatten()
        .any(|hit| hit.sentence == sentence && hit.token == head && hit.strength >= LOOSE)
}

/// Whether a negation denies only what is above a figure: "cannot rise by more than 4 %".
fn sets_limit(p: &Prepared, cue: usize, end: usize) -> bool {
    p.quantities.iter().any(|q| q.bound == Bound::AtLeast && cue < q.at && q.at < end)
}

/// Whether a sentence sets an upper limit: "by no more than 4 %", "at most 4 %", "not above 4 %".
fn has_limit(p: &Prepared) -> bool {
    p.quantities.iter().any(|q| {
        let is_denied =
            |at: usize| p.tokens.get(at).is_some_and(|t| matches!(t.lower.as_str(), "no" | "not"));
        match q.bound {
            Bound::AtMost => true,
            // The words of the bound belong to the figure.
            Bound::AtLeast => {
                p.items[q.at].negated || q.tokens.start.checked_sub(1).is_some_and(is_denied)
            }
            _ => false,
        }
    })
}

/// Whether the one speaks of what is before a day and the other of what is after one: "none before May" denies none after it.
fn is_on_other_side(claim: &Prepared, p: &Prepared) -> bool {
    let led = |p: &Prepared, by: &[&str]| {
        p.dates.iter().any(|date| {
            let from = date.tokens.start.saturating_sub(2);
            p.tokens[from..date.tokens.end].iter().any(|t| by.contains(&t.lower.as_str()))
        })
    };
    // "Since" and "until" tell how long it was so, and may reach over the other day.
    led(claim, &["before"]) && led(p, &["after"]) || led(claim, &["after"]) && led(p, &["before"])
}

/// "Opened: 2014": the name of a field says nothing of its own.
fn is_label(p: &Prepared, at: usize) -> bool {
    p.tokens.get(at + 1).is_some_and(|next| next.lower == ":")
}

/// Whether two words of degree go with two other things: "more nurses" is nothing to "less satisfied".
fn is_of_another_degree(view: &View<'_>, at: usize, hit: &Hit) -> bool {
    let claim = view.claim;
    let p = view.evidence[hit.sentence];
    let is_degree = |p: &Prepared, at: usize| {
        matches!(p.tokens[at].lower.as_str(), "more" | "less" | "fewer" | "most" | "least")
    };
    let of = |p: &Prepared, at: usize| {
        let next = p.tokens.get(at + 1)?;
        let is_word = matches!(next.pos, Pos::Noun | Pos::ProperNoun | Pos::Adjective | Pos::Verb);
        (is_word && predicate(p, at + 1)).then_some(at + 1)
    };
    is_degree(claim, at)
        && is_degree(p, hit.token)
        && of(claim, at)
            .zip(of(p, hit.token))
            .is_some_and(|(own, other)| !view.aligned(own, hit.sentence, other))
}

/// "Nobody waits eight days", where nobody waits more than seven: what is denied of all greater figures is denied of this one.
/// The other figure is given by its sentence and its place among the figures of that.
pub(super) fn is_denied_too(view: &View<'_>, own: &Quantity, other: (usize, usize)) -> bool {
    let p = view.evidence[other.0];
    let other = &p.quantities[other.1];
    let value = |q: &Quantity| q.low * q.unit.map_or(1.0, |unit| unit.factor);
    view.claim.items[own.at].negated
        && p.items[other.at].negated
        && own.bound == Bound::Exact
        && other.bound == Bound::AtLeast
        && value(own) > value(other)
}

/// Whether the words at a token say that there is no more of something.
fn uses_up(p: &Prepared, at: usize) -> bool {
    let behind = p.tokens.get(at + 1).map_or("", |token| token.lower.as_str());
    match p.tokens[at].lower.as_str() {
        "run" | "runs" | "ran" | "running" | "sold" => behind == "out",
        "used" | "dried" | "eaten" => behind == "up",
        "gone" | "exhausted" | "depleted" | "vanished" | "disappeared" => true,
        _ => false,
    }
}

/// Whether a sentence says of the noun at a token that there is no more of it: "the flour ran out".
fn is_used_up(p: &Prepared, noun: usize) -> bool {
    let clause = p.items[noun].clause;
    let mut behind = (noun + 1..p.tokens.len()).filter(|at| p.items[*at].clause == clause);
    let verb = behind.find(|at| uses_up(p, *at) && !p.items[*at].negated);
    verb.and_then(|verb| subject(p, verb)).is_some_and(|what| what.0.contains(&noun))
}

/// Whether the negation before a token says that there is none: "no flour is left".
fn has_none(p: &Prepared, token: usize) -> bool {
    let cue = p.negators.iter().rev().find(|cue| **cue < token);
    cue.is_some_and(|cue| matches!(p.tokens[*cue].lower.as_str(), "no" | "none"))
}

/// Negations of the claim that the evidence lacks, and of the evidence that the claim lacks.
pub(super) fn negations(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    for (n, cue) in claim.negators.iter().enumerate() {
        // What is allowed under a condition may be said without a negation as well.
        if is_of_condition(claim, *cue)
            && view.homes.iter().all(|s| !has_condition(view.evidence[*s]))
        {
            continue;
        }
        report.checked(MismatchKind::Negation);
        let end = claim.negators.get(n + 1).copied().unwrap_or(claim.tokens.len());
        if sets_limit(claim, *cue, end) && view.homes.iter().any(|s| has_limit(view.evidence[*s])) {
            report.matched(MismatchKind::Negation);
            continue;
        }
        let turned: Vec<usize> = (*cue + 1..end)
            .filter(|at| {
                claim.items[*at].turned && claim.items[*at].negated && predicate(claim, *at)
            })
            .collect();
        let is_in_two =
            view.homes.iter().any(|s| phrasal::says(view.evidence[*s], &claim.tokens[*cue]));
        // "No flour is left" says what "the flour ran out" says.
        let is_gone = turned.iter().any(|at| {
            has_none(claim, *at)
                && firm(view, *at)
                    .any(|hit| !hit.opposite && is_used_up(view.evidence[hit.sentence], hit.token))
        });
        let cue_met = is_in_two || is_gone || firm(view, *cue).any(|hit| !hit.opposite);
        if cue_met || turned.iter().any(|at| firm(view, *at).any(|hit| agrees(view, *at, hit))) {
            report.matched(MismatchKind::Negation);
            continue;
        }
        let is_of_other = turned.iter().any(|at| {
            firm(view, *at)
                .any(|hit| matter::is_of_other_clause(view, *at, hit.sentence, hit.token))
        });
        if is_of_other {
            report.opposes_nothing();
        }
        let against = turned.iter().find_map(|at| {
            firm(view, *at)
                .find(|hit| {
                    !agrees(view, *at, hit)
                        && unmet(view, *cue + 1, Some(hit.sentence)) <= UNMET
                        && !matter::is_of_other_clause(view, *at, hit.sentence, hit.token)
                })
                .map(|hit| (*at, hit))
        });
        let own = claim.tokens[*cue].text.clone();
        if let Some((at, hit)) = against {
            let other = view.evidence[hit.sentence].tokens[hit.token].text.clone();
            let reason = format!(
                "the claim says “{own} … {}”, the evidence “{other}” without it",
                claim.tokens[at].text
            );
            report.add(MismatchKind::Negation, *cue..at + 1, Some(other), true, reason);
        } else if !turned.is_empty()
            && unmet(view, *cue + 1, None) <= UNMET
            && view.homes.iter().all(|s| view.evidence[*s].negators.is_empty())
            && !(0..claim.tokens.len()).any(|at| view.hits[at].iter().any(|hit| hit.opposite))
        {
            let reason = format!("the claim says “{own}”, the evidence denies nothing");
            report.add(MismatchKind::Negation, *cue..*cue + 1, None, false, reason);
        }
    }
    for at in 0..claim.tokens.len() {
        // A word that the claim says both with and without a negation tells nothing.
        let key = claim.items[at].key;
        let twofold = claim.items.iter().any(|item| item.key == key && item.negated);
        if !predicate(claim, at) || twofold || report.has(MismatchKind::Negation) {
            continue;
        }
        let near = |hit: &Hit| view.near(hit.sentence, hit.token);
        let is_condition = |hit: &Hit| {
            let p = view.evidence[hit.sentence];
            let cue = p.negators.iter().rev().find(|cue| **cue < hit.token);
            cue.is_some_and(|cue| is_of_condition(p, *cue)) && !has_condition(claim)
        };
        let is_in_two = |hit: &Hit| {
            let p = view.evidence[hit.sentence];
            let cue = p.negators.iter().rev().find(|cue| **cue < hit.token);
            cue.is_some_and(|cue| phrasal::says(claim, &p.tokens[*cue]))
        };
        let against = firm(view, at)
            .filter(|hit| {
                let item = &view.evidence[hit.sentence].items[hit.token];
                !hit.opposite
                    && item.turned
                    && item.negated
                    && about(view, hit.sentence)
                    && !denies_another(view, hit.sentence, hit.token)
                    && !is_condition(hit)
                    && !is_in_two(hit)
                    && !(has_none(view.evidence[hit.sentence], hit.token) && is_used_up(claim, at))
                    && matter::is_of_more(view, at, hit.sentence, hit.token)
                    && claim.tokens[at].pos == view.evidence[hit.sentence].tokens[hit.token].pos
            })
            .max_by_key(|hit| near(hit));
        let Some(against) = against else { continue };
        if is_on_other_side(claim, view.evidence[against.sentence]) {
            report.opposes_nothing();
            continue;
        }
        report.checked(MismatchKind::Negation);
        let level = near(against);
        if firm(view, at).any(|hit| agrees(view, at, hit) && near(hit) >= level) {
            report.matched(MismatchKind::Negation);
            continue;
        }
        let p = view.evidence[against.sentence];
        let cue = p.negators.iter().rev().find(|n| **n < against.token);
        let other = cue.map_or_else(String::new, |c| {
            p.text[p.tokens[*c].bytes.start..p.tokens[against.token].bytes.end].to_owned()
        });
        let reason = format!("the claim says “{}”, the evidence “{other}”", claim.tokens[at].text);
        report.add(MismatchKind::Negation, at..at + 1, Some(other), true, reason);
    }
}

/// The token behind "nobody" or "no one" at the beginning of a sentence.
fn nobody_of(p: &Prepared) -> Option<usize> {
    let lower = |at: usize| p.tokens.get(at).map_or("", |token| token.lower.as_str());
    match (lower(0), lower(1)) {
        ("nobody" | "none", _) => Some(1),
        ("no", "one") => Some(2),
        _ => None,
    }
}

/// Whether a subject is people.
fn is_people(p: &Prepared, chunk: &Chunk) -> bool {
    let Some(head) = chunk.0.end.checked_sub(1) else { return false };
    let lower = p.tokens[head].lower.as_str();
    p.items[head].kind == Kind::Name
        || is_person(lower)
        || is_person(lower.trim_end_matches('s'))
        || matches!(lower, "people" | "persons" | "men" | "women" | "children")
}

/// What a claim says of people, where the evidence says it of nobody: "Two people were hurt" against "Nobody was hurt". That
/// sentence is short, so what it is about may stand in those beside it.
pub(super) fn nobody(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    let is_of_it = view.overlap.iter().any(|overlap| *overlap >= ABOUT);
    if !is_of_it || !claim.negators.is_empty() || report.has(MismatchKind::Negation) {
        return;
    }
    for at in (0..claim.tokens.len()).filter(|at| predicate(claim, *at)) {
        let is_predicate = matches!(claim.tokens[at].pos, Pos::Verb | Pos::Adjective);
        let who = subject(claim, at).filter(|who| is_predicate && is_people(claim, who));
        if who.is_none_or(|who| who.0.contains(&at)) {
            continue;
        }
        let mut hits = view.hits[at].iter().filter(|hit| hit.strength >= FIRM && !hit.opposite);
        let denies = |hit: &&Hit| {
            let p = view.evidence[hit.sentence];
            let is_denied = nobody_of(p).is_some_and(|from| {
                let turned = p.negators.iter().any(|at| (from..hit.token).contains(at));
                hit.token >= from && !turned
            });
            is_denied && p.items[hit.token].clause == p.items[0].clause
        };
        let Some(found) = hits.clone().find(denies) else { continue };
        report.checked(MismatchKind::Negation);
        // Said of somebody as well: "two were hurt on Friday".
        if !hits.all(|hit| denies(&hit)) {
            report.matched(MismatchKind::Negation);
            continue;
        }
        let p = view.evidence[found.sentence];
        let other = super::who::text(p, &(0..found.token + 1));
        let reason = format!("the claim says “{}”, the evidence “{other}”", claim.tokens[at].text);
        report.add(MismatchKind::Negation, at..at + 1, Some(other), true, reason);
        return;
    }
}

/// Words whose opposite stands in their place.
pub(super) fn opposites(view: &View<'_>, report: &mut Report<'_>, settled: &[usize]) {
    let claim = view.claim;
    for at in 0..claim.tokens.len() {
        if !predicate(claim, at) || settled.contains(&at) {
            continue;
        }
        let near = |hit: &Hit| view.near(hit.sentence, hit.token);
        let against = view.hits[at]
            .iter()
            .filter(|hit| hit.opposite && !agrees(view, at, hit) && view.is_home(hit.sentence))
            .filter(|hit| {
                near(hit) > 0 && about(view, hit.sentence) && !view.is_used(hit.sentence, hit.token)
            })
            .filter(|hit| {
                !is_label(view.evidence[hit.sentence], hit.token)
                    && !is_of_another_degree(view, at, hit)
            })
            .max_by_key(|hit| near(hit));
        let Some(against) = against else { continue };
        let kind = if lexicon::is_comparative(&claim.tokens[at].lower) {
            MismatchKind::Comparative
        } else {
            MismatchKind::Polarity
        };
        report.checked(kind);
        let level = near(against);
        if firm(view, at).any(|hit| agrees(view, at, hit) && near(hit) >= level) {
            report.matched(kind);
            continue;
        }
        let other = view.evidence[against.sentence].tokens[against.token].text.clone();
        let reason = format!("the claim says “{}”, the evidence “{other}”", claim.tokens[at].text);
        report.add(kind, at..at + 1, Some(other), true, reason);
    }
}

/// "A is larger than B".
struct Comparison {
    word: usize,
    left: Chunk,
    right: Chunk,
}

fn comparisons(p: &Prepared) -> Vec<Comparison> {
    let mut out = Vec::new();
    for (than, token) in p.tokens.iter().enumerate() {
        if token.lower != "than" {
            continue;
        }
        let from = than.saturating_sub(8);
        let word = (from..than).rev().find(|i| {
            let lower = p.tokens[*i].lower.as_str();
            lexicon::is_comparative(lower)
                || lower.ends_with("er") && matches!(p.tokens[*i].pos, Pos::Adjective | Pos::Adverb)
        });
        let Some(word) = word else { continue };
        let Some(left) = subject(p, word) else { continue };
        let Some(right) = Chunk::from(p, than + 1) else { continue };
        out.push(Comparison { word, left, right });
    }
    out
}

/// Comparisons with their sides changed. Gives the claim's words of comparison that are settled hereby.
pub(super) fn orders(view: &View<'_>, report: &mut Report<'_>) -> Vec<usize> {
    let mut settled = Vec::new();
    for own in comparisons(view.claim) {
        for sentence in &view.homes {
            let p = view.evidence[*sentence];
            for other in comparisons(p) {
                let left = |b: &Chunk| own.left.aligned(view, &own.right, b, *sentence);
                let right = |b: &Chunk| own.right.aligned(view, &own.left, b, *sentence);
                let straight = left(&other.left) || right(&other.right);
                let crossed = left(&other.right) && right(&other.left);
                if !crossed || straight {
                    continue;
                }
                let word = |p: &Prepared, at: usize| p.items[at].sides;
                let opposite = lexicon::opposed(word(view.claim, own.word), word(p, other.word))
                    || view.hits[own.word].iter().any(|hit| {
                        hit.opposite && hit.sentence == *sentence && hit.token == other.word
                    });
                let turned = view.claim.items[own.word].negated ^ p.items[other.word].negated;
                report.checked(MismatchKind::Comparative);
                settled.push(own.word);
                if opposite ^ turned {
                    report.matched(MismatchKind::Comparative);
                    continue;
                }
                let end = own.right.0.end;
                let other_text = p.tokens[other.word].text.clone();
                let reason = "the claim compares the two the other way round".to_owned();
                report.add(
                    MismatchKind::Comparative,
                    own.left.0.start..end,
                    Some(other_text),
                    true,
                    reason,
                );
            }
        }
    }
    settled
}
