//! What two statements have in common, and what speaks for their saying the opposite.

use super::apart::{are_apart, are_brought_up, are_two_names, is_kind};
use super::period::{apart, periods};
use super::places::Places;
use super::{Statement, harm, sides, slot};
use crate::verify::binding::{self, Bindings, GroundedBy, Grounding};
use crate::verify::cross_encoder::Classes;
use crate::verify::sentence::Sentence;
use crate::verify::tokens::{Pos, Token};
use elenchus_core::port::{Mismatch, MismatchKind};
use std::collections::BTreeSet;

/// Share of the other words, by weight, that both have to have. This and the next figures were chosen on the training
/// pairs of two sets.
const SHARED: f64 = 0.6;

/// The same for a short statement that says less than the long one that it is held against, and for that long one.
const SHARED_SHORT: f64 = 0.85;
const SHARED_LONG: f64 = 0.3;

/// P(refutes) that the cross-encoder has to give both ways.
const READ: f64 = 0.5;

/// The same for either way where one statement says more than the other.
const READ_SHORT: f64 = 0.6;

/// P(supports) either way from which on a statement that says more does not contradict.
const SUPPORTED: f64 = 0.5;

/// From this share on the two say the same but for the words at odds.
const SHARED_ALL: f64 = 0.85;

/// P(not enough) both ways from which on the reader's word holds even then.
const UNRELATED: f64 = 0.5;

/// A word that is borne out less than this has nothing that stands for it.
const STRAY: f64 = 0.3;

/// Words for a time before or after which something else held.
const TURNS: [&str; 12] = [
    "since",
    "now",
    "currently",
    "formerly",
    "previously",
    "originally",
    "initially",
    "once",
    "longer",
    "until",
    "before",
    "after",
];

/// P(supports), P(refutes), P(not enough) of each as a claim against the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verdict {
    pub(super) forth: Classes,
    pub(super) back: Classes,
}

/// A pair that the checks take for a contradiction.
#[derive(Clone, Debug)]
pub(super) struct Weighed {
    /// Words of the one that the other denies.
    pub(super) forth: Vec<Mismatch>,
    /// Words of the other that the one denies.
    pub(super) back: Vec<Mismatch>,
    /// Share of the remaining words that both have, 0 to 1.
    pub(super) shared: f64,
    /// How the two stand to each other.
    pub(super) form: Form,
}

/// How two statements stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Two fillings of one place, or a change against none: a rule of its own, which needs no reader.
    Slot,
    /// Both say the same but for the words at odds.
    Alike,
    /// One says more than the other.
    Part,
}

/// One statement read as a claim against the other.
struct Reading {
    against: Vec<Mismatch>,
    /// Share, by weight, of the one's other words that the other has, 0 to 1.
    shared: f64,
    /// Nouns and descriptions for which the other has nothing.
    strays: usize,
}

fn within(token: &Token, mismatch: &Mismatch) -> bool {
    mismatch.claim_span.start <= token.chars.start && token.chars.end <= mismatch.claim_span.end
}

/// "General Holt" for "Ada Holt": a word before a name that the other has as well.
fn is_of_name(claim: &Sentence, at: usize, grounding: &[Grounding]) -> bool {
    let tokens = claim.bound.tokens();
    let (Some(token), Some(name)) = (tokens.get(at), tokens.get(at + 1)) else { return false };
    token.is_capital()
        && name.pos == Pos::ProperNoun
        && !is_kind(&name.lower)
        && grounding.iter().any(|word| word.token == at + 1 && word.score >= STRAY)
}

fn reading(claim: &Sentence, other: &Sentence) -> Reading {
    let Bindings { mut mismatches, grounding, .. } = binding::check(&claim.bound, &[&other.bound]);
    mismatches.retain(|m| m.contradicts && m.kind != MismatchKind::Hedge);
    let (mut held, mut all, mut strays) = (0.0, 0.0, 0);
    for word in &grounding {
        let Some(token) = claim.bound.tokens().get(word.token) else { continue };
        if word.by == GroundedBy::Opposite || mismatches.iter().any(|m| within(token, m)) {
            continue;
        }
        let weight = claim
            .words
            .iter()
            .find(|w| w.token.chars == token.chars)
            .map_or(1.0, |w| f64::from(w.weight));
        all += weight;
        held += weight * word.score;
        strays += usize::from(
            word.score < STRAY
                && !is_of_name(claim, word.token, &grounding)
                && matches!(token.pos, Pos::Noun | Pos::ProperNoun | Pos::Adjective | Pos::Numeral),
        );
    }
    let shared = if all > 0.0 { held / all } else { 0.0 };
    Reading { against: mismatches, shared, strays }
}

/// Whether the two speak of two times: in their own words or, where one has none, in those that they stand under.
pub(super) fn other_time(a: &Statement, b: &Statement) -> bool {
    let own = |s: &Statement| periods(&s.text);
    let all = |s: &Statement| {
        let own = own(s);
        if own.is_empty() { periods(&s.context) } else { own }
    };
    let (ours, theirs) = (own(a), own(b));
    if ours.is_empty() || theirs.is_empty() {
        return apart(&all(a), &all(b));
    }
    false
}

/// The family of dates.
const DATES: u8 = 1;

/// The family of names.
const NAMES: u8 = 2;

/// What kinds of words are at odds: kinds of one family may be told differently the other way round.
fn family(kind: MismatchKind) -> u8 {
    match kind {
        MismatchKind::Number | MismatchKind::Unit => 0,
        MismatchKind::Date => DATES,
        MismatchKind::Entity => NAMES,
        MismatchKind::Role => 3,
        _ => 4,
    }
}

/// Letters and digits in lower case.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether two names are one in two spellings: they share a word, or most of their letters in order.
fn same_name(a: &str, b: &str) -> bool {
    let words = |s: &str| -> BTreeSet<String> {
        s.split_whitespace().map(squeezed).filter(|w| w.chars().count() > 2 && w != "the").collect()
    };
    if words(a).intersection(&words(b)).next().is_some() {
        return true;
    }
    let (a, b) = (squeezed(a), squeezed(b));
    let (a, b): (Vec<char>, Vec<char>) =
        (a.chars().take(40).collect(), b.chars().take(40).collect());
    let longest = a.len().max(b.len());
    longest > 0 && 5 * common(&a, &b) >= 3 * longest
}

/// Length of the longest common subsequence.
fn common(a: &[char], b: &[char]) -> usize {
    let mut row = vec![0_usize; b.len() + 1];
    for x in a {
        let mut corner = 0;
        for (at, y) in b.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if x == y { corner + 1 } else { above.max(row[at]) };
            corner = above;
        }
    }
    row[b.len()]
}

/// Whether a number is a label ("turbine eight", "phase 2"): two labels are two things.
fn label(s: &Sentence, m: &Mismatch) -> bool {
    let tokens = s.bound.tokens();
    let Some(first) = tokens.iter().position(|t| within(t, m)) else { return false };
    let after = tokens[first..].iter().find(|t| !within(t, m));
    let named = first.checked_sub(1).is_some_and(|i| {
        matches!(tokens[i].pos, Pos::Noun | Pos::ProperNoun) || tokens[i].text == "#"
    });
    let plain = m.claim_text.chars().all(|c| c.is_ascii_digit()) && m.claim_text.len() <= 3
        || m.claim_text.chars().all(char::is_alphabetic);
    named && plain && after.is_none_or(|t| !matches!(t.pos, Pos::Noun | Pos::ProperNoun))
}

/// "A man", "a black dog": whether the word describes something that the statement brings up.
fn brought_up(s: &Sentence, text: &str) -> bool {
    let tokens = s.bound.tokens();
    let lower = text.to_lowercase();
    let Some(at) = tokens.iter().position(|t| t.lower == lower) else { return false };
    if !matches!(tokens[at].pos, Pos::Noun | Pos::Adjective) {
        return false;
    }
    tokens[..at]
        .iter()
        .rev()
        .take(3)
        .take_while(|t| matches!(t.pos, Pos::Adjective | Pos::Noun | Pos::Determiner))
        .any(|t| matches!(t.lower.as_str(), "a" | "an" | "some" | "another"))
}

/// Whether a mismatch stands for two things that cannot both be.
fn holds(m: &Mismatch, claim: &Sentence, other: &Sentence) -> bool {
    let Some(theirs) = &m.evidence_text else { return family(m.kind) > 2 };
    let has = |s: &Sentence, text: &str| {
        let text = text.to_lowercase();
        s.bound.tokens().iter().any(|t| text == t.lower)
    };
    match family(m.kind) {
        // A figure that both have somewhere is not what they differ in.
        0 | 1 => !has(other, &m.claim_text) && !has(claim, theirs),
        NAMES => !same_name(&m.claim_text, theirs),
        // "A man sings" and "a woman sings" are two people; "the" one was spoken of before.
        _ if m.kind == MismatchKind::Polarity => {
            !(brought_up(claim, &m.claim_text) && brought_up(other, theirs))
        }
        _ => true,
    }
}

/// "The north pier" against "the south pier": a word before the verb that tells which of several is meant.
fn tells_apart(s: &Sentence, text: &str) -> bool {
    let tokens = s.bound.tokens();
    let lower = text.to_lowercase();
    let verb = tokens.iter().position(|t| matches!(t.pos, Pos::Verb | Pos::Aux));
    let subject = &tokens[..verb.unwrap_or(0)];
    subject
        .windows(2)
        .any(|two| two[0].lower == lower && matches!(two[1].pos, Pos::Noun | Pos::ProperNoun))
}

/// Verbs of what happens to one thing once: two times for it cannot both be. What is done again may have any number of them.
const ONCE: [&str; 62] = [
    "born",
    "died",
    "founded",
    "established",
    "built",
    "constructed",
    "erected",
    "completed",
    "finished",
    "opened",
    "opens",
    "inaugurated",
    "created",
    "invented",
    "discovered",
    "published",
    "released",
    "launched",
    "premiered",
    "written",
    "composed",
    "designed",
    "introduced",
    "signed",
    "ratified",
    "enacted",
    "abolished",
    "dissolved",
    "closed",
    "closes",
    "ended",
    "ends",
    "began",
    "begun",
    "begins",
    "started",
    "starts",
    "expired",
    "expires",
    "killed",
    "murdered",
    "executed",
    "buried",
    "crowned",
    "abdicated",
    "retired",
    "resigned",
    "became",
    "appointed",
    "bought",
    "sold",
    "acquired",
    "merged",
    "incorporated",
    "destroyed",
    "demolished",
    "sank",
    "sunk",
    "exploded",
    "collapsed",
    "happened",
    "occurred",
];

/// Tokens between a verb and its date, at most.
const VERB_REACH: usize = 14;

/// Whether a date is of what happens once, has begun ("since"), is planned ("will") or is itself what is told ("the deadline is").
fn is_of_once(s: &Sentence, m: &Mismatch) -> bool {
    let tokens = s.bound.tokens();
    let Some(date) = tokens.iter().position(|t| within(t, m)) else { return false };
    let before = &tokens[date.saturating_sub(VERB_REACH)..date];
    let is_told = |t: &Token| {
        matches!(t.lower.as_str(), "is" | "was" | "are" | "were" | "be" | ":" | "since" | "until")
    };
    if before.iter().rev().find(|t| t.pos != Pos::Determiner).is_some_and(is_told) {
        return true;
    }
    let will = before.iter().any(|t| matches!(t.lower.as_str(), "will" | "shall"));
    let once = |t: &&Token| ONCE.contains(&t.lower.as_str());
    // "Boats were built in 1962": any boats.
    let is_bare = tokens.first().is_some_and(|t| t.pos == Pos::Noun && t.lower.ends_with('s'));
    let verb = before.iter().rev().find(|t| t.pos == Pos::Verb || once(t));
    !is_bare && (will || verb.as_ref().is_some_and(once))
}

/// Whether two times differ of what may happen at both: "it made a profit in 2022", "in 2024".
fn is_repeated(s: &Sentence, m: &Mismatch) -> bool {
    family(m.kind) == DATES && !periods(&m.claim_text).is_empty() && !is_of_once(s, m)
}

/// "Ada Pim is the mayor of Lund" against "Ivo Hart is the mayor of Delft": another name before the verb and another behind it,
/// and neither of them is named by the other one. Two hold what they hold of two.
fn names_others(s: &Sentence, other: &Sentence, against: &[Mismatch]) -> bool {
    let tokens = s.bound.tokens();
    let Some(verb) = tokens.iter().find(|t| matches!(t.pos, Pos::Verb | Pos::Aux)) else {
        return false;
    };
    let names: Vec<&Mismatch> = against
        .iter()
        .filter(|m| m.kind == MismatchKind::Entity && !other.text.contains(&m.claim_text))
        .collect();
    names.iter().any(|m| m.claim_span.end <= verb.chars.start)
        && names.iter().any(|m| m.claim_span.start >= verb.chars.end)
}

/// Whether both name one thing that they speak of: "it was published" names none.
fn same_thing(a: &Sentence, b: &Sentence, forth: &Reading) -> bool {
    let noun = |t: &Token| matches!(t.pos, Pos::Noun | Pos::ProperNoun);
    a.words.iter().filter(|word| noun(&word.token)).any(|word| {
        !forth.against.iter().any(|m| within(&word.token, m))
            && b.words.iter().any(|other| noun(&other.token) && other.token.stem == word.token.stem)
    })
}

/// "Approved by the committee on 19 April": no subject, so that it speaks of the document that it stands in.
fn speaks_of_its_document(s: &Sentence) -> bool {
    let tokens = s.bound.tokens();
    let [first, second, rest @ ..] = tokens else { return false };
    // "Founded in 1931, the club has forty boats" has a subject of its own.
    first.lower.ends_with("ed")
        && matches!(second.lower.as_str(), "by" | "on" | "in" | "at")
        && !rest.iter().any(|token| matches!(token.pos, Pos::Verb | Pos::Aux))
}

/// Whether the checks take the two for a contradiction; both ways, or not at all.
pub(super) fn weigh(a: &Sentence, b: &Sentence, places: &Places) -> Option<Weighed> {
    if speaks_of_its_document(a) || speaks_of_its_document(b) {
        return None;
    }
    let turned = || {
        let corrected = slot::corrected(b, a).or_else(|| slot::some_or_none(b, a));
        corrected.or_else(|| harm::denied(b, a)).map(|(back, forth)| (forth, back))
    };
    let straight = || {
        let corrected = slot::corrected(a, b).or_else(|| slot::some_or_none(a, b));
        corrected.or_else(|| harm::denied(a, b)).or_else(|| sides::exchanged(a, b))
    };
    if let Some((forth, back)) = straight().or_else(turned) {
        return Some(Weighed {
            forth: vec![forth],
            back: vec![back],
            shared: 1.0,
            form: Form::Slot,
        });
    }
    if let Some(forth) = slot::other_hand(a, b).or_else(|| slot::change_or_none(a, b)) {
        let back = slot::other_hand(b, a).or_else(|| slot::change_or_none(b, a))?;
        return Some(Weighed {
            forth: vec![forth],
            back: vec![back],
            shared: 1.0,
            form: Form::Slot,
        });
    }
    let (mut forth, mut back) = (reading(a, b), reading(b, a));
    let label_of_two = forth.against.iter().any(|m| family(m.kind) == 0 && label(a, m));
    if label_of_two || back.against.iter().any(|m| family(m.kind) == 0 && label(b, m)) {
        return None;
    }
    let (low, high) = (forth.shared.min(back.shared), forth.shared.max(back.shared));
    let form = if low >= SHARED {
        Form::Alike
    } else if low >= SHARED_LONG && high >= SHARED_SHORT {
        Form::Part
    } else {
        return None;
    };
    let turned = |s: &Sentence| s.bound.tokens().iter().any(|t| TURNS.contains(&t.lower.as_str()));
    if forth.strays.min(back.strays) > 0 || turned(a) != turned(b) || !same_thing(a, b, &forth) {
        return None;
    }
    let others = forth.against.iter().any(|m| {
        let theirs = m.evidence_text.as_deref().unwrap_or_default();
        m.kind == MismatchKind::Polarity && tells_apart(a, &m.claim_text) && tells_apart(b, theirs)
    });
    if others || are_apart(a, b) {
        return None;
    }
    forth.against.retain(|m| holds(m, a, b));
    back.against.retain(|m| holds(m, b, a));
    if names_others(a, b, &forth.against) && names_others(b, a, &back.against) {
        return None;
    }
    // A row of figures cannot be laid over another; and what both deny is no difference.
    let row = |r: &Reading| r.against.iter().filter(|m| family(m.kind) == 0).count() > 1;
    let row = row(&forth) || row(&back);
    let denied = a.negated && b.negated;
    for side in [&mut forth, &mut back] {
        side.against.retain(|m| {
            !(row && family(m.kind) == 0 || denied && m.kind == MismatchKind::Negation)
        });
    }
    let families =
        |r: &Reading| -> BTreeSet<u8> { r.against.iter().map(|m| family(m.kind)).collect() };
    let both: BTreeSet<u8> = families(&forth).intersection(&families(&back)).copied().collect();
    // What differs in its date and in something else as well is another occasion; in its name, another thing.
    let is_another = both.len() > 1 && (both.contains(&DATES) || both.contains(&NAMES))
        || !both.contains(&NAMES) && are_two_names(a, b)
        || both.iter().all(|family| *family <= NAMES) && are_brought_up(a, b);
    if both.is_empty() || is_another {
        return None;
    }
    let keep = |m: &Mismatch| both.contains(&family(m.kind));
    forth.against.retain(keep);
    back.against.retain(keep);
    let may_both_hold = |s: &Sentence, m: &Mismatch| {
        is_repeated(s, m)
            || family(m.kind) == NAMES
                && m.evidence_text.as_ref().is_some_and(|other| places.nest(&m.claim_text, other))
    };
    if forth.against.iter().all(|m| may_both_hold(a, m))
        && back.against.iter().all(|m| may_both_hold(b, m))
    {
        return None;
    }
    Some(Weighed { forth: forth.against, back: back.against, shared: low, form })
}

/// How sure it is, if it is a contradiction.
pub(super) fn strength(weighed: &Weighed, verdict: Option<Verdict>) -> Option<f64> {
    let Some(verdict) = verdict else {
        // Nobody could read it, or nobody has to: only what has the same words on both sides is told.
        return (weighed.form != Form::Part).then_some(weighed.shared / 2.0);
    };
    let (forth, back) = (verdict.forth[1], verdict.back[1]);
    let (low, high) = (forth.min(back), forth.max(back));
    let supports = verdict.forth[0].max(verdict.back[0]);
    let figures = weighed.forth.iter().all(|m| family(m.kind) <= DATES);
    let unrelated = verdict.forth[2].min(verdict.back[2]);
    let told = match weighed.form {
        Form::Slot => true,
        // The reader is no judge of figures: where all else is the same, the checks are believed.
        Form::Alike if weighed.shared >= SHARED_ALL && figures => unrelated <= UNRELATED,
        Form::Alike if weighed.shared >= SHARED_ALL => f64::midpoint(low, high) >= READ,
        Form::Alike => low >= READ,
        Form::Part => high >= READ_SHORT && supports <= SUPPORTED,
    };
    told.then(|| (weighed.shared.max(SHARED) * (0.5 + 0.25 * (low + high))).clamp(0.0, 1.0))
}
