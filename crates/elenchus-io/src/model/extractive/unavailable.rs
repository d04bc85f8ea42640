//! Whether a document says that what a question asks for is not to be had.

use super::bind::{Candidate, bind};
use super::expects::AUXILIARIES;
use super::lexicon::says_unavailable;
use super::matching::{Commonness, Matcher};
use super::question::{Class, Expects, Question};
use super::unit::{EvidenceUnit, Place};
use elenchus_core::text::{stem, words};

/// Share of the meaning-bearing words that must be bound.
const COVERAGE: f64 = 0.6;

/// The first unit that says of what is asked that it is not to be had. A sentence that says so of something else leaves the
/// gap open: then it is searched for, and given up for the reason that the search gives.
pub(super) fn unavailable<'u, 'p>(
    question: &Question,
    units: &'u [EvidenceUnit<'p>],
    matcher: &Matcher,
    common: &Commonness,
) -> Option<&'u EvidenceUnit<'p>> {
    // That one figure is not to be had says nothing against what else there is on a topic.
    if question.overview.is_some() {
        return None;
    }
    let found = units.iter().enumerate().find(|(at, unit)| {
        let lower = unit.text.to_lowercase();
        let candidate = || bind(question, *at, unit, matcher, common);
        (says_so_of_it(question, &lower)
            && could_be_meant(question, &lower)
            && names_what_is_asked(question, &candidate()))
            || (cannot_be_given(question, &lower) && goes_on_from_it(question, unit, &candidate()))
    });
    found.map(|(_, unit)| unit)
}

/// Whether a lower-case text says that something is not to be had. Of several things in one line ("broken lamps · list of keys not
/// published") it must be said in the part that has a word of the question.
fn says_so_of_it(question: &Question, lower: &str) -> bool {
    let parts: Vec<&str> = lower.split(['\u{b7}', '\u{2022}']).collect();
    let is_meant = |part: &str| {
        words(part).iter().any(|word| {
            let stem = stem(word);
            question.terms.iter().any(|term| !term.light && term.stem == stem)
        })
    };
    parts.iter().any(|part| says_unavailable(part) && (parts.len() == 1 || is_meant(part)))
}

/// Whether what is not to be had can be what is asked for at all.
fn could_be_meant(question: &Question, lower: &str) -> bool {
    match question.expects {
        // "It is not available" is an answer to whether it is; only "it is not known whether" leaves that open.
        Expects::YesNo => words(lower).iter().any(|word| word == "whether"),
        Expects::Date
        | Expects::Person
        | Expects::Agent
        | Expects::Organisation
        | Expects::Name
        | Expects::Place
        | Expects::Reason
        | Expects::List => !lower.contains("no figure"),
        Expects::Money
        | Expects::Percent
        | Expects::Duration
        | Expects::Count
        | Expects::Extent
        | Expects::Quantity
        | Expects::Any => true,
    }
}

/// "No date can be given until the grant is decided": no answer of the kind that is asked for is to be had, and the sentence does not
/// say of what; "no date can be given for the roof" does.
fn cannot_be_given(question: &Question, lower: &str) -> bool {
    const GIVEN: [&str; 10] = [
        "given",
        "named",
        "set",
        "fixed",
        "agreed",
        "told",
        "stated",
        "confirmed",
        "announced",
        "promised",
    ];
    let all = words(lower);
    let at = |place: usize| all.get(place).map_or("", String::as_str);
    if at(0) != "no" || !is_called(question, at(1)) || !AUXILIARIES.contains(&at(2)) {
        return false;
    }
    let given = (3..6).find(|place| GIVEN.contains(&at(*place)));
    given.is_some_and(|place| !matches!(at(place + 1), "for" | "of" | "on" | "to" | "as" | "about"))
}

/// Whether a noun is what the kind of answer is called.
fn is_called(question: &Question, noun: &str) -> bool {
    match question.expects {
        Expects::Date => matches!(noun, "date" | "day" | "time" | "deadline"),
        Expects::Person | Expects::Agent | Expects::Organisation | Expects::Name => noun == "name",
        Expects::Reason => matches!(noun, "reason" | "cause" | "explanation"),
        Expects::Place => matches!(noun, "place" | "location"),
        Expects::Money => matches!(noun, "figure" | "sum" | "amount" | "price" | "estimate"),
        Expects::Percent
        | Expects::Duration
        | Expects::Count
        | Expects::Extent
        | Expects::Quantity => matches!(noun, "figure" | "number" | "estimate"),
        Expects::YesNo | Expects::List | Expects::Any => false,
    }
}

/// Whether all that is asked about is said right before a unit, over it or in it.
fn goes_on_from_it(question: &Question, unit: &EvidenceUnit<'_>, candidate: &Candidate) -> bool {
    let mut named =
        question.terms.iter().filter(|term| !term.light && term.class != Class::Adverb).peekable();
    let is_here =
        |stem: &str| unit.words.iter().any(|word| word.place != Place::Far && word.stem == stem);
    named.peek().is_some() && candidate.names_bound && named.all(|term| is_here(&term.stem))
}

/// Whether a unit speaks of the matter: of what the question names, at least half is called there as the question calls
/// it, and not something that is like it.
fn names_what_is_asked(question: &Question, candidate: &Candidate) -> bool {
    let named = question.terms.iter().filter(|term| !term.light).count();
    let exact = candidate.features.exact;
    candidate.names_bound
        && candidate.coverage >= COVERAGE
        && exact >= 1.0
        && exact * 2.0 >= named as f64
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    /// Whether a document with this sentence ends the search for an answer to this question.
    fn ends(question: &str, sentence: &str) -> bool {
        let passages = [document("minutes", "Notes of the harbour office", sentence)];
        let units = evidence_units(&passages);
        let common = Commonness::new(&[], 10);
        unavailable(&Question::parse(question, &[]), &units, &Matcher::new(), &common).is_some()
    }

    #[test]
    fn what_is_asked_for_is_not_to_be_had() {
        let told = "The cost of the repair of the crane was not disclosed.";
        assert!(ends("How much did the repair of the crane cost?", told));
        let open = "It is not known whether the crane of the harbour was repaired.";
        assert!(ends("Was the crane of the harbour repaired?", open));
    }

    #[test]
    fn no_answer_can_be_given_to_what_was_just_asked() {
        /// Whether the second of two sentences ends the search.
        fn second_ends(question: &str, second: &str) -> bool {
            let text = format!("Ms Roe asked when the crane would be repaired. {second}");
            ends(question, &text)
        }
        let ask = "When will the crane be repaired?";
        assert!(second_ends(ask, "No date can be given until the port has the money."));
        assert!(second_ends(ask, "No day has yet been fixed."));
        // It is the date of something else, a figure, or something else is asked.
        assert!(!second_ends(ask, "No date can be given for the pier."));
        assert!(!second_ends(ask, "No figure can be given."));
        assert!(!second_ends("When will the pier be painted?", "No date can be given."));
    }

    #[test]
    fn something_else_is_not_to_be_had() {
        let told = "The managing director said that no figure would be given.";
        // A doubt that is looked into is no figure that somebody keeps back.
        assert!(!ends("Is there a later report?", told));
        assert!(!ends(
            "Who repaired the crane?",
            "No figure was given for the repair of the crane."
        ));
        // Whether it is to be had is what was asked, and this is the answer.
        assert!(!ends("Is the crane available?", "The crane is not available."));
        let crane = "The cost of the repair of the crane is unknown.";
        assert!(!ends("How much did the birthday party cost?", crane));
    }

    #[test]
    fn of_a_list_in_one_line_only_the_part_that_is_meant_counts() {
        let line = "Two lamps are broken \u{b7} the price of the new crane was not published";
        assert!(!ends("How many lamps are there?", line));
        assert!(ends("What is the price of the new crane?", line));
    }
}
