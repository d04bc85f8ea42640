//! Astray: units in which the words of a question stand, and say another thing there. Each sign is one of the form of the text, and
//! silent where the text may mean what is asked.

use super::compared::is_of_the_other;
use super::counted::counts_another;
use super::denied::is_affirmed;
use super::endings::goes_on;
use super::hours::is_other_case;
use super::matching::Matcher;
use super::outcomes::is_beforehand;
use super::owners::only_owns;
use super::particles::is_other_verb;
use super::question::Question;
use super::reasons::{says_no_more, says_there_is_none};
use super::routine::is_hour_of_routine;
use super::row_of::is_another_row;
use super::sibling_columns::is_of_sibling;
use super::successors::is_holder_of_now;
use super::unit::EvidenceUnit;
use super::values::Value;
use super::weekdays::is_of_other_days;

/// Whether a unit, or the value chosen in it, says another thing than the question asks: another deed or case, a rule for other
/// days, a count of something else, a figure of whoever it is compared with, another row or column or who merely has the row in hand, what the question denies, what was so
/// before what it asks for, what goes on and did not end, an hour of every day in the place of a day, or of a reason nothing.
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
        || value.is_some_and(|value| {
            counts_another(question, unit, value, matcher) || is_of_the_other(question, unit, value)
        })
}
