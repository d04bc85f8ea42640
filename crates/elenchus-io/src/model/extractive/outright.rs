//! Outright: what the form of a unit alone says of a question, so that nothing needs to be weighed.

use super::bind::Bound;
use super::matching::Matcher;
use super::question::{Question, Term};
use super::reasons;
use super::roles::{self, Told};
use super::sender;
use super::unit::EvidenceUnit;

/// What a unit tells by its form: who holds an office, who was there, who sent a mail, why something is so. What the form says
/// by itself counts as bound.
pub(super) fn told(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    matcher: &Matcher,
    bounds: &mut [Bound],
) -> Told {
    let mut say = |said: fn(&Term) -> bool| {
        for (_, bound) in
            question.terms.iter().zip(bounds.iter_mut()).filter(|(term, _)| said(term))
        {
            bound.strength = 1.0;
        }
    };
    if let Some(sender) = sender::sent(question, unit) {
        say(sender::says_mail);
        return Told::Who(sender);
    }
    let told = roles::told(question, unit);
    if matches!(told, Told::Who(_)) && roles::asked_attendance(question).is_some() {
        say(roles::says_attendance);
    }
    if told == Told::Nothing && reasons::gives(question, unit, matcher) {
        return Told::Wholly;
    }
    told
}
