//! When something happened by the clock: "the parcel was found at 17:40" against "it was lost at 17:40" and "the parcel was found
//! at 21:15".

use super::ground::View;
use super::prepare::{Kind, Prepared};
use super::report::Report;
use crate::verify::tokens::Pos;
use elenchus_core::port::MismatchKind;

/// A sentence with less of the claim's words than this, by weight, tells of something else.
const ABOUT: f64 = 0.6;

/// Hits weaker than this are another deed.
const SAME: f32 = 0.9;

/// The minute of the day of "17:40"; `None` for anything else, and for hours of half a day.
fn minute(p: &Prepared, at: usize) -> Option<u16> {
    let (hour, minute) = p.tokens.get(at)?.lower.split_once(':')?;
    if minute.len() != 2 {
        return None;
    }
    let hour: u16 = hour.parse().ok().filter(|hour| *hour < 24)?;
    let minute: u16 = minute.parse().ok().filter(|minute| *minute < 60)?;
    let next = p.tokens.get(at + 1).map_or("", |token| token.lower.as_str());
    (!matches!(next, "am" | "pm" | "a.m" | "p.m")).then_some(hour * 60 + minute)
}

/// The times of a sentence that stand behind "at", with their tokens.
fn times(p: &Prepared) -> Vec<(usize, u16)> {
    (1..p.tokens.len())
        .filter(|at| p.tokens[at - 1].lower == "at")
        .filter_map(|at| minute(p, at).map(|time| (at, time)))
        .collect()
}

/// A time of the claim that the evidence gives to another deed, where it tells when the claim's own deed was.
pub(super) fn another(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    let [(at, time)] = times(claim)[..] else { return };
    let verb = (0..at)
        .rev()
        .find(|at| claim.tokens[*at].pos == Pos::Verb && claim.items[*at].kind == Kind::Plain);
    let Some(verb) = verb.filter(|_| claim.negators.is_empty()) else { return };
    let mut found = None;
    for hit in view.hits[verb].iter().filter(|hit| !hit.opposite && hit.strength >= SAME) {
        let p = view.evidence[hit.sentence];
        let deed = &p.items[hit.token];
        let told = times(p);
        if told.iter().any(|(_, other)| *other == time) {
            return;
        }
        let here = told.iter().find(|(at, _)| p.items[*at].clause == deed.clause);
        if let Some((other, _)) = here
            && !deed.negated
            && view.overlap[hit.sentence] >= ABOUT
        {
            found = found.or_else(|| p.tokens.get(*other).map(|token| token.text.clone()));
        }
    }
    let Some(other) = found else { return };
    let own = &claim.tokens[at].text;
    let deed = &claim.tokens[verb].text;
    let reason = format!("the claim says “{deed}” at {own}, the evidence at {other}");
    report.checked(MismatchKind::Date);
    report.surely();
    report.add(MismatchKind::Date, at..at + 1, Some(other), true, reason);
}

#[cfg(test)]
mod tests {
    use super::super::Against;
    use super::super::tests::run;

    #[test]
    fn the_time_of_another_deed_is_not_its_own() {
        let lost = "At 14:20 the parcel was stolen from the van.";
        let found = "The parcel was delivered at 19:05 to the neighbours.";
        let wrong = run("The parcel was delivered at 14:20.", &[lost, found]);
        assert!(wrong.contradicts() && wrong.against == Against::Surely, "{wrong:?}");
        for (claim, evidence) in [
            ("The parcel was delivered at 19:05.", vec![lost, found]),
            // When it was delivered is not told.
            ("The parcel was delivered at 14:20.", vec![lost]),
            (
                "The parcel was delivered at 14:20.",
                vec![found, "A second parcel was delivered at 14:20."],
            ),
            ("The parcel was delivered at 7:05 pm.", vec![lost, found]),
        ] {
            let right = run(claim, &evidence);
            assert_ne!(right.against, Against::Surely, "{claim:?}: {right:?}");
        }
    }
}
