//! Astray: units in which the words of a question stand, and say another thing there. Each sign is one of the form of the text, and
//! silent where the text may mean what is asked.

use super::compared::is_of_the_other;
use super::counted::counts_another;
use super::denied::is_affirmed;
use super::endings::goes_on;
use super::first_dates::is_later_one;
use super::followed::is_of_other_duty;
use super::hours::is_other_case;
use super::lenders::is_of_a_lender;
use super::matching::Matcher;
use super::outcomes::is_beforehand;
use super::owners::only_owns;
use super::particles::is_other_verb;
use super::question::Question;
use super::reasons::{says_no_more, says_there_is_none};
use super::routine::is_hour_of_routine;
use super::row_of::is_another_row;
use super::settings::is_of_other_place;
use super::sibling_columns::is_of_sibling;
use super::successors::is_holder_of_now;
use super::unit::EvidenceUnit;
use super::values::Value;
use super::weekdays::is_of_other_days;

/// Whether a unit, or the value chosen in it, says another thing than the question asks: another deed or case, a rule for other
/// days, a count of something else, a figure of another place or of whoever it is compared with, another row or column or who merely
/// has the row in hand, who lends or holds another office, what the question denies, what was so before what it asks for or came in
/// the place of it, what goes on and did not end, an hour of every day in the place of a day, or of a reason nothing.
pub(super) fn is_astray(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    value: Option<&Value>,
    matcher: &Matcher,
) -> bool {
    is_other_verb(question, unit)
        || is_of_other_days(question, unit)
        || says_no_more(question, unit)
        || says_there_is_none(question, unit)
        || is_other_case(question, unit)
        || goes_on(question, unit)
        || is_of_sibling(question, unit, value, matcher)
        || is_another_row(question, unit)
        || is_affirmed(question, unit, matcher)
        || is_beforehand(question, unit)
        || is_holder_of_now(question, unit)
        || is_hour_of_routine(question, unit)
        || only_owns(question, unit, value, matcher)
        || is_of_a_lender(question, unit)
        || is_of_other_duty(question, unit)
        || is_of_other_place(question, unit, matcher)
        || value.is_some_and(|value| {
            counts_another(question, unit, value, matcher)
                || is_of_the_other(question, unit, value)
                || is_later_one(question, unit, value)
        })
}
