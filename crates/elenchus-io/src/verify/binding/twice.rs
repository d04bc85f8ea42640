//! A number that a claim names twice: "turbine 4 was inspected, and turbine 4 was stopped" against "turbine 4 was inspected, and
//! turbine 9 was stopped". The evidence has the number, and at one of its places another.

use super::amounts::slice;
use super::ground::View;
use super::prepare::Prepared;
use super::quantity::{Fit, Quantity, fits};
use super::report::Report;
use elenchus_core::port::MismatchKind;

/// The stems of the words right before and right behind a number. At either end of a clause there is none.
fn between<'p>(p: &'p Prepared, q: &Quantity) -> Option<(&'p str, &'p str)> {
    let word = |at: usize| {
        let token = p.tokens.get(at).filter(|token| !token.is_mark())?;
        Some(token.stem.as_str())
    };
    word(q.tokens.start.checked_sub(1)?).zip(word(q.tokens.end))
}

/// Whether two numbers are of one kind, so that the one could stand for the other.
fn is_alike(a: &Quantity, b: &Quantity) -> bool {
    a.ordinal == b.ordinal
        && a.unit.is_some() == b.unit.is_some()
        && a.unit.zip(b.unit).is_none_or(|(a, b)| a.comparable(b))
}

/// Of a number that the claim names more than once, a place at which a sentence has another one between the very same words, while
/// it has this one elsewhere.
pub(super) fn another(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    for (n, q) in claim.quantities.iter().enumerate() {
        let is_named_again =
            claim.quantities.iter().enumerate().any(|(other, again)| {
                other != n && is_alike(q, again) && fits(q, again) == Fit::Holds
            });
        let Some(place) = between(claim, q).filter(|_| is_named_again) else { continue };
        let found = view.homes.iter().find_map(|sentence| {
            let p = view.evidence[*sentence];
            let has = |e: &Quantity| is_alike(q, e) && fits(q, e) == Fit::Holds;
            let mut here = p.quantities.iter().filter(|e| between(p, e) == Some(place));
            let is_known = p.quantities.iter().any(has);
            let other = here.clone().find(|e| is_alike(q, e) && !has(e))?;
            (is_known && !here.any(has)).then(|| slice(p, &other.tokens))
        });
        let Some(other) = found else { continue };
        report.checked(MismatchKind::Number);
        let own = slice(claim, &q.tokens);
        let reason = format!("the claim says {own}, the evidence says {other} there");
        report.add(MismatchKind::Number, q.tokens.clone(), Some(other), true, reason);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::run;

    #[test]
    fn a_number_that_is_named_twice_has_to_be_itself_at_both_places() {
        let claim = "The gauge of pump 4 sank at night, and pump 4 stopped for the frost.";
        let denied = |evidence: &str| run(claim, &[evidence]).contradicts();
        assert!(denied("The gauge of pump 4 sank at night, and pump 9 stopped for the frost."));
        assert!(denied("The gauge of pump 9 sank at night, and pump 4 stopped for the frost."));
        assert!(!denied(claim));
        assert!(!denied("The gauge of pump 4 sank at night, and pump 4 then stopped for frost."));
        // A sentence that does not speak of this pump says nothing of it.
        assert!(!denied("At night pump 9 stopped for the frost."));
        // Both stopped.
        let both = "The gauge of pump 4 sank, pump 4 stopped for the frost and pump 9 stopped too.";
        assert!(!denied(both));
    }
}
