//! Sums: "Together the two sheds hold 340 boxes", "Shed A and shed B hold 340 boxes in all".

use super::super::quantity::Quantity;
use super::super::units::Dimension;
use super::facts::{Fact, is_same};
use super::words::{Term, Text, has, has_all, same};
use super::{Reckoned, agrees, number};
use elenchus_core::port::MismatchKind;

/// Members of a sum at most.
const MOST: usize = 12;

/// What is added up.
enum Of {
    /// Each is named.
    Each(Vec<Vec<Term>>),
    /// "The two sheds": so many of a kind, where it is said how many.
    Kind(Vec<Term>, Option<usize>),
}

/// A claim that gives a sum.
struct Claim<'a> {
    total: &'a Quantity,
    of: Of,
    /// Whether it says that it is one. "The two sheds hold 120 boxes" may be meant of each.
    is_said: bool,
}

fn is_cue(lower: &str) -> bool {
    matches!(
        lower,
        "together" | "altogether" | "combined" | "jointly" | "total" | "both" | "all" | "them"
    )
}

fn claim<'a>(text: &Text<'a>, verb: usize, total: &'a Quantity) -> Option<Claim<'a>> {
    let figures = text.figures();
    let mut counts = figures.iter().filter(|q| q.at != total.at);
    let count = counts.next();
    if counts.next().is_some() || count.is_some_and(|q| q.unit.is_some() || q.at > verb) {
        return None;
    }
    let said = |word: &str| (0..text.end()).any(|at| text.lower(at) == word);
    let in_all = (1..text.end()).any(|at| text.lower(at) == "all" && text.lower(at - 1) == "in");
    let is_said =
        ["together", "altogether", "combined", "jointly", "total"].iter().any(|w| said(w))
            || in_all
            || said("between") && said("them");
    let cues: Vec<usize> = (0..verb).filter(|at| is_cue(text.lower(*at))).collect();
    let mut parts: Vec<Vec<Term>> = Vec::new();
    let mut from = 0;
    for at in 0..=verb {
        if at == verb || matches!(text.lower(at), "and" | "," | "&") {
            let part = text.terms_but(from..at, &cues);
            if !part.is_empty() {
                parts.push(part);
            }
            from = at + 1;
        }
    }
    let of = if parts.len() > 1 {
        if count.is_some() || parts.len() > MOST {
            return None;
        }
        // "Sheds A and B": the noun is that of both.
        let shared: Vec<Term> = parts[0].iter().filter(|term| !term.is_label).cloned().collect();
        for part in parts.iter_mut().skip(1) {
            if part.iter().all(|term| term.is_label) {
                part.splice(0..0, shared.iter().cloned());
            }
        }
        Of::Each(parts)
    } else {
        let both = (0..verb).any(|at| text.lower(at) == "both").then_some(2);
        let counted = count.map(|q| q.low as usize).or(both);
        Of::Kind(parts.pop()?, counted)
    };
    let is_so = is_said || matches!(&of, Of::Kind(_, Some(_)));
    is_so.then_some(Claim { total, of, is_said })
}

/// Whether figures of this kind can be added.
fn adds_up(q: &Quantity) -> bool {
    let is_other = q.unit.is_some_and(|unit| {
        matches!(
            unit.dimension,
            Dimension::Share
                | Dimension::Points
                | Dimension::Temperature(_)
                | Dimension::Fold
                | Dimension::Speed
                | Dimension::Concentration
                | Dimension::Pressure
                | Dimension::Frequency
        )
    });
    !is_other && !q.ordinal && q.low > 0.0 && q.low >= q.high
}

/// Whether a fact is of one of a kind: its first noun phrase is that noun, with what tells it from the others.
fn is_one_of(fact: &Fact, kind: &[Term]) -> bool {
    let (first, tail) = fact.subject.split_at(fact.first.min(fact.subject.len()));
    let mut heads = first.iter().rev().skip_while(|term| term.is_label);
    heads.next().is_some_and(|head| has(kind, head))
        && has_all(first, kind)
        && first.len() > kind.len()
        && has_all(kind, tail)
}

/// The members that are added up, each with its figure.
fn members<'f>(of: &Of, fits: &dyn Fn(&Fact) -> bool, facts: &'f [Fact]) -> Option<Vec<&'f Fact>> {
    let mut found: Vec<&Fact> = Vec::new();
    match of {
        Of::Each(each) => {
            for own in each {
                let mut of_it = facts.iter().filter(|fact| fits(fact) && fact.is_about(own));
                let first = of_it.next()?;
                if found.iter().any(|known| same(&known.subject, &first.subject))
                    || !of_it.all(|other| other.repeats(first))
                {
                    return None;
                }
                found.push(first);
            }
        }
        Of::Kind(kind, count) => {
            for fact in facts.iter().filter(|fact| fits(fact) && is_one_of(fact, kind)) {
                match found.iter().find(|known| same(&known.subject, &fact.subject)) {
                    Some(known) if known.repeats(fact) => {}
                    Some(_) => return None,
                    None => found.push(fact),
                }
            }
            if found.len() < 2 || count.is_some_and(|count| count != found.len()) {
                return None;
            }
        }
    }
    (found.len() <= MOST).then_some(found)
}

/// A claim whose figure is the sum of figures of the evidence, or another one.
pub(super) fn summed(text: &Text<'_>, facts: &[Fact]) -> Option<Reckoned> {
    let figures = text.figures();
    let total = figures.iter().copied().rfind(|q| adds_up(q))?;
    let at = text.verb_in(0..total.tokens.start)?;
    let verb = text.verb(at)?;
    let claim = claim(text, at, total)?;
    let head = claim.total.head.and_then(|at| text.term(at));
    let rate = text.rate(total);
    let aside: Vec<usize> = (at + 1..text.end())
        .filter(|at| is_cue(text.lower(*at)) || total.head == Some(*at) || rate == Some(*at))
        .collect();
    let common = text.terms_but(at + 1..text.end(), &aside);
    let rate = rate.and_then(|at| text.term(at));
    let fits = |fact: &Fact| {
        let units = match (total.unit, fact.unit) {
            (None, None) => true,
            (Some(a), Some(b)) => a.same(b),
            _ => false,
        };
        units
            && is_same(head.as_ref(), fact.head.as_ref())
            && is_same(rate.as_ref(), fact.rate.as_ref())
            && fact.verb.as_ref().is_some_and(|own| own.is(&verb))
            && same(&common, &fact.rest)
    };
    let members = members(&claim.of, &fits, facts)?;
    let (first, others) = members.split_first()?;
    let is_one_time = others.iter().all(|fact| fact.is_of_the_time_of(first));
    if !is_one_time || !first.is_within(&text.p.dates) {
        return None;
    }
    let value: f64 = members.iter().map(|fact| fact.value).sum();
    let grain: f64 = members.iter().map(|fact| fact.grain).sum();
    let holds = agrees(total, value, grain)?;
    let is_certain = claim.is_said && matches!(&claim.of, Of::Each(_) | Of::Kind(_, Some(_)));
    // Each of them has so many: that is what may be meant.
    let is_each = members.iter().any(|fact| agrees(total, fact.value, fact.grain) == Some(true));
    if !holds && !is_certain || !claim.is_said && is_each {
        return None;
    }
    let added: Vec<String> = members.iter().map(|fact| number(fact.value)).collect();
    Some(Reckoned {
        holds,
        sum: format!("{} = {}", added.join(" + "), number(value)),
        sentences: members.iter().map(|fact| fact.sentence).collect(),
        tokens: total.tokens.clone(),
        kind: MismatchKind::Number,
    })
}
