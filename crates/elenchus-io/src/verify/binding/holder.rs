//! Who holds an office: "The treasurer is Ann Lee" against "The treasurer is Bob Roe; he is reached in the evening".
//!
//! A sentence that says who holds the very office of a claim says otherwise, however much else it says.

use super::ground::View;
use super::prepare::{Kind, Prepared};
use super::report::Report;
use super::who;
use crate::verify::tokens::Pos;
use elenchus_core::port::MismatchKind;
use std::ops::Range;

/// "The OFFICE is NAME" or "NAME is the OFFICE".
struct Holding {
    /// The content words of the office, as stems, in order.
    office: Vec<String>,
    name: Range<usize>,
}

/// Where the part of a sentence ends that begins at a token: before a mark.
fn end_of(p: &Prepared, from: usize) -> usize {
    (from..p.tokens.len()).find(|at| p.tokens[*at].is_mark()).unwrap_or(p.tokens.len())
}

/// The stems of a definite office in some tokens: a common noun behind "the", and nothing else than what belongs to it.
fn office(p: &Prepared, part: Range<usize>) -> Option<Vec<String>> {
    let the = part.clone().find(|at| p.tokens[*at].lower == "the")?;
    // What stands before it may be a number of the paragraph.
    let is_number = |at: usize| p.tokens[at].is_mark() || p.tokens[at].has_digit();
    let words = the + 1..part.end;
    let is_plain = |at: usize| {
        p.items[at].kind != Kind::Number
            && p.items[at].kind != Kind::Date
            && !p.items[at].negated
            && p.tokens[at].pos != Pos::Aux
    };
    if !(part.start..the).all(is_number) || !words.clone().all(is_plain) {
        return None;
    }
    let has_noun =
        words.clone().any(|at| p.items[at].kind == Kind::Plain && p.tokens[at].pos == Pos::Noun);
    let stems = words.filter(|at| p.is_content(*at)).map(|at| p.tokens[at].stem.clone());
    has_noun.then(|| stems.collect())
}

/// Whether some tokens are a name and nothing else.
fn is_name(p: &Prepared, part: &Range<usize>) -> bool {
    !part.is_empty() && part.clone().all(|at| p.items[at].kind == Kind::Name)
}

/// Who a sentence says holds which office now.
fn holding(p: &Prepared) -> Option<Holding> {
    let verb = p.tokens.iter().position(|token| token.lower == "is")?;
    let (left, right) = (0..verb, verb + 1..end_of(p, verb + 1));
    if is_name(p, &right) {
        return Some(Holding { office: office(p, left)?, name: right });
    }
    is_name(p, &left).then_some(())?;
    Some(Holding { office: office(p, right)?, name: left })
}

/// A claim that somebody holds an office, where the evidence names another holder of the same one.
pub(super) fn another(view: &View<'_>, report: &mut Report<'_>) {
    let Some(own) = holding(view.claim) else { return };
    let words = |p: &Prepared, name: &Range<usize>| -> Vec<String> {
        p.tokens[name.clone()].iter().map(|token| token.lower.clone()).collect()
    };
    let ours = words(view.claim, &own.name);
    let mut found = None;
    for p in &view.evidence {
        let Some(other) = holding(p).filter(|other| other.office == own.office) else { continue };
        // One place with the claim's name, or a part of it, is enough.
        if words(p, &other.name).iter().any(|word| ours.contains(word)) {
            return;
        }
        found = found.or_else(|| Some(who::text(p, &other.name)));
    }
    let Some(other) = found else { return };
    report.checked(MismatchKind::Entity);
    // Every committee has a chair of its own.
    if own.office.len() > 1 {
        report.surely();
    }
    let name = who::text(view.claim, &own.name);
    let reason = format!("the claim says {name}, the evidence {other}");
    report.add(MismatchKind::Entity, own.name, Some(other), true, reason);
}
