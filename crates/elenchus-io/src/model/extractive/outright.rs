//! Outright: what the form of a unit alone says of a question, so that nothing needs to be weighed.

use super::asked_field;
use super::bind::{BOUND, Bound};
use super::by_label;
use super::deputies;
use super::hours;
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
    if hours::told(question, unit, matcher, bounds) || by_label::told(question, unit, bounds) {
        return Told::Wholly;
    }
    if let Some(at) = by_label::who(question, unit, bounds) {
        return Told::Who(at);
    }
    let sender = sender::sent(question, unit);
    let stand_in = deputies::stand_in(question, unit);
    let field = asked_field::told(question, unit);
    let says: fn(&Term) -> bool = if sender.is_some() {
        sender::says_mail
    } else if stand_in.is_some() {
        deputies::says_stand_in
    } else if field.is_some() {
        asked_field::says
    } else if roles::attendance(unit.text).is_some() && roles::asked_attendance(question).is_some()
    {
        roles::says_attendance
    } else {
        |_| false
    };
    let who = sender.or(stand_in).or(field);
    let told = who.map_or_else(|| roles::told(question, unit), Told::Who);
    match told {
        Told::Who(_) => {
            let terms = || question.terms.iter();
            let bound = terms()
                .zip(bounds.iter())
                .all(|(term, bound)| term.light || says(term) || bound.strength >= BOUND);
            if !bound {
                return Told::Nothing;
            }
            for (term, bound) in terms().zip(bounds.iter_mut()) {
                if says(term) {
                    bound.strength = 1.0;
                }
            }
            told
        }
        Told::Nothing
            if reasons::gives(question, unit, matcher)
                || sender::tells_of_sender(question, unit, matcher, bounds) =>
        {
            Told::Wholly
        }
        Told::Others | Told::Wholly | Told::Nothing => told,
    }
}

#[cfg(test)]
mod tests {
    use super::super::matching::Commonness;
    use super::super::select::select;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    const MINUTES: &str = "**Date:** 6 May 2025\n**Present:** Olive Drury (chair), Tom Vance \
                           (treasurer), Mei Lind (head gardener)\n**Apologies:** Rhys Owen \
                           (secretary)";

    /// What answers: the value, or the whole statement where there is none.
    fn answer(question: &str, texts: &[(&str, &str)]) -> Option<String> {
        let passages: Vec<_> =
            texts.iter().map(|(name, text)| document(name, "Notes", text)).collect();
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let chosen = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3)).answers;
        let best = chosen.first()?;
        let text = units[best.unit].text;
        Some(best.value.clone().map_or(text, |at| &text[at]).to_owned())
    }

    #[test]
    fn a_list_of_people_answers_with_the_name_beside_the_office() {
        let minutes = [("committee meeting", MINUTES)];
        let said = |question: &str| answer(question, &minutes);
        assert_eq!(said("Who is the treasurer?").as_deref(), Some("Tom Vance"));
        assert_eq!(said("Who is the chair?").as_deref(), Some("Olive Drury"));
        assert_eq!(said("Who is the secretary?").as_deref(), Some("Rhys Owen"));
        assert_eq!(said("Who is the deputy treasurer?"), None);
        assert_eq!(said("Who is the librarian?"), None);
        let away = said("Who was absent from the meeting?");
        assert_eq!(away.as_deref(), Some("Rhys Owen (secretary)"));
    }

    #[test]
    fn a_name_behind_or_the_deputy_is_not_the_holder() {
        let rule = "Nobody opens the sluice until the lock keeper, or the deputy, Tom Vance, has \
                    given leave.";
        assert_eq!(answer("Who is the lock keeper?", &[("rules", rule)]), None);
    }

    #[test]
    fn a_reason_in_so_many_words_answers() {
        let moved = "As the hall is wanted for the election on 4 May, the concert is moved to 11 \
                     May 2025.";
        let texts = [("minutes", moved), ("prices", "A ticket for the concert costs \u{a3}9.")];
        assert_eq!(answer("Why was the concert moved?", &texts).as_deref(), Some(moved));
    }
}
