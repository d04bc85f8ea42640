//! Coordination: values of one sentence that stand side by side, each with a qualifier of its own.
//!
//! "At 8:00 on weekdays and at 9:30 on Sundays": whatever stands before the first value is said of both, and what
//! follows "and" of the second alone. The qualifier that a question names decides between them, and no other word.

use super::clause::is_fields;
use super::expects::AUXILIARIES;
use super::question::{Class, Question, classes};
use super::unit::{EvidenceUnit, Place};
use super::values::Value;
use elenchus_core::text::{is_stop_word, words};
use std::ops::Range;

/// What parts may be joined by.
const JOINS: [&str; 5] = [" and ", " but ", " or ", "; ", ", "];
/// Words that lead a part which has no verb of its own.
const LEADS: [&str; 18] = [
    "at", "on", "in", "for", "to", "from", "by", "with", "during", "after", "before", "until",
    "under", "over", "of", "since", "per", "only",
];
/// Most bytes between two values of parts that are alike.
const APART: usize = 80;
/// Most words of what names a part without a preposition: "and the deposit 50".
const NAMED_BY: usize = 2;
/// Most bytes behind the last value that qualify it.
const BEHIND: usize = 60;
/// Most words of what names a part whose noun the part before has: "684 seats and the upper studio stage 99".
const NAMED_ALIKE: usize = 4;

/// Some values of a sentence and what is said of them alone.
struct Part {
    /// From what joins it to what joins the next one; of the first part only what follows its value.
    own: Range<usize>,
    values: Range<usize>,
    /// It is named by what stands before its value ("and the deposit 50"): what follows names it no more.
    is_named: bool,
    /// It says what the same thing does next ("and was put out at 04:15"): only a verb names it.
    by_verb: bool,
    /// No noun stands behind its value.
    is_bare: bool,
}

impl Part {
    /// "From 18:00 to 23:00": another value of the same part.
    fn ends_with(&mut self, text: &str, at: &Range<usize>) {
        self.values.end = at.end;
        self.is_bare = is_bare(text, at);
    }
}

/// The part that the question names by a word which no other part has, and the head of the sentence has not either:
/// bytes of the unit's text that hold its values. `None` where the values are not told apart so.
pub(super) fn named_part(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    values: &[&Value],
) -> Option<Range<usize>> {
    if values.len() < 2 || is_fields(unit) {
        return None;
    }
    let parts = parts(unit.text, values)?;
    let head = 0..parts.first()?.values.start;
    let has = |at: &Range<usize>, stem: &str| {
        unit.words.iter().any(|word| {
            word.place == Place::Unit
                && !word.at.is_empty()
                && at.start <= word.at.start
                && word.at.end <= at.end
                && word.stem == stem
        })
    };
    let asked = || question.terms.iter().filter(|term| !is_stop_word(&term.word));
    // "The main stage has 684 seats and the studio stage 99": what is counted is counted of both.
    let shared = |part: &Part, stem: &String| {
        question.counted.as_ref() == Some(stem) && !part.is_bare && parts.iter().any(|p| p.is_bare)
    };
    let named = |part: &Part| {
        asked()
            .filter(|term| {
                !shared(part, &term.stem)
                    && (!part.by_verb || term.class == Class::Verb || term.word.ends_with("ed"))
                    && has(&part.own, &term.stem)
                    && !has(&head, &term.stem)
                    && parts.iter().filter(|other| has(&other.own, &term.stem)).count() == 1
            })
            .count()
    };
    let counts: Vec<usize> = parts.iter().map(named).collect();
    let most = counts.iter().copied().max().filter(|most| *most > 0)?;
    let mut best = parts.iter().zip(&counts).filter(|(_, count)| **count == most);
    match (best.next(), best.next()) {
        (Some((part, _)), None) => Some(part.values.clone()),
        _ => None,
    }
}

/// What is marked as the answer where no kind of value is asked for by name ("What does a pass cost a year for a child?"): of
/// figures of one kind that stand side by side the qualifier decides as ever.
pub(super) fn of_named_part(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    marked: Range<usize>,
) -> Range<usize> {
    let mut figures = unit.values.iter().filter(|value| {
        value.number.is_some() && marked.start <= value.range.start && value.range.end <= marked.end
    });
    let (Some(figure), None) = (figures.next(), figures.next()) else { return marked };
    let alike: Vec<&Value> = unit.values.iter().filter(|value| value.kind == figure.kind).collect();
    match named_part(question, unit, &alike) {
        Some(part) if figure.range.end <= part.start || part.end <= figure.range.start => part,
        _ => marked,
    }
}

/// The parts of a sentence, in order; `None` where there is one, or one is a clause of its own.
fn parts(text: &str, values: &[&Value]) -> Option<Vec<Part>> {
    let mut parts: Vec<Part> = Vec::new();
    for value in values {
        let at = &value.range;
        let Some(last) = parts.last_mut() else {
            parts.push(Part {
                own: at.end..at.end,
                values: at.clone(),
                is_named: false,
                by_verb: false,
                is_bare: is_bare(text, at),
            });
            continue;
        };
        let end = last.values.end;
        let between = text.get(end..at.start)?;
        let join = JOINS
            .iter()
            .filter_map(|join| between.rfind(join).map(|from| (from, join.len())))
            .max();
        let spans = words(&text[..last.values.start]).last().is_some_and(|word| word == "between")
            && !text[last.values.clone()].contains(" and ");
        match join {
            // "From 18:00 to 23:00", "between 1 May and 3 June".
            None => last.ends_with(text, at),
            Some(_) if spans => last.ends_with(text, at),
            Some((from, length)) => {
                let joined = &between[from + length..];
                let lead = lead(joined);
                let prepositional = is_prepositional(&lead);
                let by_verb = lead.first().is_some_and(|first| is_to_be(first));
                let is_gapped = is_bare(text, at) && is_noun_phrase(text, joined);
                let most = if is_gapped { NAMED_ALIKE } else { NAMED_BY };
                let is_clause = lead.len() > most && !prepositional && !by_verb;
                if between.len() > APART || between.contains(". ") || is_clause {
                    return None;
                }
                if !last.is_named {
                    last.own.end = end + from;
                }
                parts.push(Part {
                    own: end + from + length..at.start,
                    values: at.clone(),
                    is_named: !lead.is_empty() && !prepositional,
                    by_verb,
                    is_bare: is_bare(text, at),
                });
            }
        }
    }
    let last = parts.last_mut()?;
    let behind = &text[last.values.end..];
    let stop = behind.find([',', ';', '.', '(']).unwrap_or(behind.len()).min(BEHIND);
    let stop = (0..=stop).rev().find(|at| behind.is_char_boundary(*at)).unwrap_or(0);
    if !last.is_named {
        last.own.end = last.values.end + stop;
    }
    (parts.len() > 1).then_some(parts)
}

/// Whether a figure counts what the one before it counts: "684 seats and the studio stage 99", "64 members, up from 41 a year
/// ago". No noun stands behind it, and what leads to it is no clause.
pub(super) fn shares_noun(text: &str, first: &Range<usize>, second: &Range<usize>) -> bool {
    let Some(between) = text.get(first.end..second.start) else { return false };
    let join = JOINS.iter().filter_map(|join| Some((between.rfind(join)?, join.len()))).max();
    let Some((from, length)) = join else { return false };
    let joined = &between[from + length..];
    let lead = lead(joined);
    between.len() <= APART
        && !between.contains(". ")
        && is_bare(text, second)
        && (is_prepositional(&lead) || (lead.len() <= NAMED_ALIKE && is_noun_phrase(text, joined)))
}

/// "At", "up from": what leads to a value without naming anything.
fn is_prepositional(lead: &[String]) -> bool {
    match lead {
        [way, from] if matches!(from.as_str(), "from" | "with") => {
            matches!(way.as_str(), "up" | "down" | "compared" | "together")
                || LEADS.contains(&way.as_str())
        }
        [first, ..] => LEADS.contains(&first.as_str()),
        [] => false,
    }
}

/// Forms of "be" with which a second deed of one thing begins: "broke out at two and was put out at four".
fn is_to_be(word: &str) -> bool {
    matches!(word, "is" | "are" | "was" | "were" | "be" | "been")
}

/// Whether no noun stands behind a value: its clause ends there, or goes on with a word that leads elsewhere.
fn is_bare(text: &str, at: &Range<usize>) -> bool {
    let behind = text.get(at.end..).unwrap_or_default();
    let stop = behind.find([',', ';', '.', '(', ')', ':', '\n']).unwrap_or(behind.len());
    let next = words(&behind[..stop]);
    // "3 of the boats" counts boats.
    next.first().is_none_or(|word| is_stop_word(word) && word != "of")
}

/// Whether what leads to a value names a thing and says nothing that it does: "the studio stage", but not "costs" and not "the fee
/// is".
fn is_noun_phrase(text: &str, joined: &str) -> bool {
    let led = words(joined).first().is_some_and(|word| {
        matches!(word.as_str(), "the" | "a" | "an" | "its" | "our" | "their" | "this" | "that")
    }) || joined.trim_start().starts_with(char::is_uppercase);
    let own = words(&joined.to_lowercase());
    let does = |word: &String, tagged: &[(String, Class)]| {
        AUXILIARIES.contains(&word.as_str())
            || tagged.iter().any(|(other, class)| {
                other == word
                    && (*class == Class::Verb
                        // "The council later spent": who did it, and no thing that has it.
                        || (*class == Class::Adverb && !is_stop_word(word)))
            })
    };
    led && {
        let tagged = classes(&text.to_lowercase());
        !own.iter().any(|word| does(word, &tagged))
    }
}

/// The words between a join and a value.
fn lead(text: &str) -> Vec<String> {
    let mut lead: Vec<String> = words(text)
        .into_iter()
        .filter(|word| !matches!(word.as_str(), "and" | "or" | "but" | "then" | "also"))
        .collect();
    if lead.first().is_some_and(|first| matches!(first.as_str(), "the" | "a" | "an" | "its")) {
        lead.remove(0);
    }
    lead
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::super::values::ValueKind;
    use super::*;

    fn named(question: &str, text: &str, kind: ValueKind) -> Option<String> {
        let passages = [document("a", "Facts", text)];
        let units = evidence_units(&passages);
        let values: Vec<&Value> = units[0].values.iter().filter(|v| v.kind == kind).collect();
        named_part(&Question::parse(question, &[]), &units[0], &values)
            .map(|at| text[at].to_owned())
    }

    #[test]
    fn the_qualifier_that_is_asked_for_decides() {
        let date = |question: &str, text: &str| named(question, text, ValueKind::Date);
        let pool = "The pool opens at 7:00 on weekdays and at 10:30 on Sundays.";
        assert_eq!(date("When does the pool open on Sundays?", pool).as_deref(), Some("10:30"));
        assert_eq!(date("When does the pool open on weekdays?", pool).as_deref(), Some("7:00"));
        assert_eq!(date("When does the pool open?", pool), None);
        let spans =
            "The shop is open from 9:00 to 17:00 in winter and from 8:00 to 19:00 in summer.";
        let told = date("When does the shop close in summer?", spans);
        assert_eq!(told.as_deref(), Some("8:00 to 19:00"));
        let money = |question: &str, text: &str| named(question, text, ValueKind::Money);
        let fee = "The fee is \u{a3}12 for adults, \u{a3}7 for students and \u{a3}4 for children.";
        assert_eq!(money("What is the fee for students?", fee).as_deref(), Some("\u{a3}7"));
        let sums = "Ticket sales brought in \u{a3}9,100 and donations \u{a3}2,300.";
        assert_eq!(money("How much did donations bring in?", sums).as_deref(), Some("\u{a3}2,300"));
    }

    #[test]
    fn a_noun_that_is_left_out_is_shared() {
        let count = |question: &str, text: &str| named(question, text, ValueKind::Count);
        let rows = "The lower deck has 310 berths and the upper deck 45.";
        assert_eq!(count("How many berths has the upper deck?", rows).as_deref(), Some("45"));
        assert_eq!(count("How many berths are there?", rows), None);
        // A noun behind each figure names it.
        let two = "The yard keeps 12 boats and 14 cars.";
        assert_eq!(count("How many cars does the yard keep?", two).as_deref(), Some("14"));
        let club = "The choir has 52 singers, up from 38 a year ago.";
        let ago = "How many singers did the choir have a year ago?";
        assert_eq!(count(ago, club).as_deref(), Some("38"));
        assert_eq!(count("How many singers does the choir have?", club), None);
    }

    #[test]
    fn a_figure_counts_what_the_one_before_it_counts() {
        let shares = |text: &str, first: &str, second: &str| {
            let at = |figure: &str| {
                let from = text.find(figure).expect("it stands there");
                from..from + figure.len()
            };
            shares_noun(text, &at(first), &at(second))
        };
        assert!(shares("The lower deck has 310 berths and the upper deck 45.", "310", "45"));
        assert!(shares("The choir has 52 singers, up from 38 a year ago.", "52", "38"));
        assert!(!shares("The yard keeps 12 boats and 14 cars.", "12", "14"));
        assert!(!shares("The yard keeps 12 boats and the fee is 14.", "12", "14"));
    }

    #[test]
    fn the_deed_that_is_asked_for_decides() {
        let date = |question: &str, text: &str| named(question, text, ValueKind::Date);
        let alarm = "The alarm was raised at 02:40 and was called off by the warden at 04:15.";
        let off = "When was the alarm called off?";
        assert_eq!(date(off, alarm).as_deref(), Some("04:15"));
        assert_eq!(date("When did the warden raise the alarm?", alarm), None);
    }

    #[test]
    fn a_mark_on_the_other_part_is_moved() {
        let text = "A pass costs £40 a year for an adult and £15 a year for a child.";
        let passages = [document("a", "Passes", text)];
        let units = evidence_units(&passages);
        let moved = |question: &str, marked: &str| {
            let from = text.find(marked).expect("it stands there");
            let question = Question::parse(question, &[]);
            text[of_named_part(&question, &units[0], from..from + marked.len())].to_owned()
        };
        let child = "What does a pass cost a year for a child?";
        assert_eq!(moved(child, "£40"), "£15");
        assert_eq!(moved(child, "£15 a year"), "£15 a year");
        let both = "£40 a year for an adult and £15";
        assert_eq!(moved(child, both), both, "more than one figure is left as it is");
        assert_eq!(moved("What does a pass cost a year?", "£40"), "£40");
    }

    #[test]
    fn other_clauses_and_spans_are_left_alone() {
        let money = |question: &str, text: &str| named(question, text, ValueKind::Money);
        let two = "The hall was let for \u{a3}500 in May, and the parish council later spent \u{a3}300 on it.";
        assert_eq!(money("What did the parish council get for the hall?", two), None);
        let late = "The fee is \u{a3}10 and the late fee \u{a3}5.";
        assert_eq!(money("What is the fee?", late), None);
        assert_eq!(money("What is the late fee?", late).as_deref(), Some("\u{a3}5"));
        let date = |question: &str, text: &str| named(question, text, ValueKind::Date);
        let pool = "The pool was opened in 1962 and extended in 1975 by the city.";
        assert_eq!(date("When did the city open the pool?", pool), None);
        assert_eq!(date("When was the pool extended?", pool).as_deref(), Some("1975"));
        let season = "Reeds are mown between 2 August 2025 and 9 October 2025.";
        assert_eq!(date("When are reeds mown?", season), None);
    }
}
