//! Roles: who is named with which office in a list of people, and who was present or away.
//!
//! "Present: Ann Lee (chair), Ben Poe (treasurer)" names each office in brackets beside its name, so that the nearest name
//! is the wrong one as often as not. Nothing is weighed here: the brackets tell, or nothing does.

use super::contrast::{OFFICES, RANKS};
use super::labelled::field_label;
use super::lexicon::is_role;
use super::question::{Class, Expects, Question, Term};
use super::unit::{EvidenceUnit, Place};
use super::values::ValueKind;
use elenchus_core::text::{is_stop_word, stem, words};
use std::ops::Range;

/// Most words of an office in brackets.
const OFFICE_WORDS: usize = 5;
/// Most words of an office between "or the" and the name.
const APPOSITION_WORDS: usize = 3;

/// What a unit's form alone says of what is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// Who it is: bytes of the unit's text.
    Who(Range<usize>),
    /// It tells of others in their place.
    Others,
    /// It answers as a whole.
    Wholly,
    /// Nothing.
    Nothing,
}

/// Whether somebody was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attendance {
    Present,
    Absent,
}

/// Which list of people a line is, by its label: those who were there or those who were not.
pub(super) fn attendance(line: &str) -> Option<Attendance> {
    let label = words(field_label(line.trim_start_matches(['-', '>', ' ']))?);
    let has = |list: &[&str]| label.iter().any(|word| list.contains(&word.as_str()));
    if has(&["absent", "absence", "absences", "absentees", "apologies", "apology", "excused"]) {
        Some(Attendance::Absent)
    // "Present value" is something else.
    } else if label.last().is_some_and(|word| word == "present")
        || has(&["attendance", "attending", "attended", "attendees", "participants"])
    {
        Some(Attendance::Present)
    } else {
        None
    }
}

/// Whether a question asks for somebody, with "who" as its first word.
pub(super) fn asks_who(question: &Question) -> bool {
    matches!(question.expects, Expects::Person | Expects::Agent)
        && question.text.get(..4).is_some_and(|first| first.eq_ignore_ascii_case("who "))
}

/// Who a question of who was there asks for: "Who attended the meeting?", "Who sent apologies?".
pub(super) fn asked_attendance(question: &Question) -> Option<Attendance> {
    let all = words(&question.text);
    let [who, next, ..] = all.as_slice() else { return None };
    if who != "who" || !asks_who(question) {
        return None;
    }
    let has = |list: &[&str]| all.iter().any(|word| list.contains(&word.as_str()));
    let denied = has(&["not", "didn't", "wasn't", "weren't", "didn\u{2019}t", "wasn\u{2019}t"]);
    let is = matches!(next.as_str(), "is" | "was" | "are" | "were");
    let does = matches!(next.as_str(), "did" | "does" | "do" | "has" | "have" | "had");
    let attends = (is && has(&["present", "attending", "attendance"]))
        || ((does || stem(next) == "attend") && has(&["attend", "attended", "attends"]));
    let sends = matches!(stem(next).as_str(), "send" | "give" | "offer" | "tender" | "apolog");
    let away = (is && has(&["absent", "excused"]))
        || (sends && has(&["apologies", "apology", "apologised", "apologized"]));
    match (attends, away) {
        (true, false) if denied => Some(Attendance::Absent),
        (true, false) => Some(Attendance::Present),
        (false, true) if !denied => Some(Attendance::Absent),
        _ => None,
    }
}

/// Whether a word of such a question is said by there being a list of people.
pub(super) fn says_attendance(term: &Term) -> bool {
    matches!(
        term.stem.as_str(),
        "attend"
            | "absent"
            | "excus"
            | "apolog"
            | "apologis"
            | "apologiz"
            | "send"
            | "give"
            | "offer"
            | "tender"
            | "meet"
            | "session"
    ) || term.word == "present"
}

/// What a list of people tells of who is asked for.
pub(super) fn told(question: &Question, unit: &EvidenceUnit<'_>) -> Told {
    if !asks_who(question) {
        return Told::Nothing;
    }
    if let Some(own) = attendance(unit.text)
        && let Some(asked) = asked_attendance(question)
    {
        let is_name = |list: &Range<usize>| {
            unit.values.iter().any(|value| {
                matches!(value.kind, ValueKind::Person | ValueKind::Name)
                    && list.contains(&value.range.start)
            })
        };
        // "Attendance: 312" names nobody.
        return match people(unit.text).filter(is_name) {
            _ if own != asked => Told::Others,
            // "Who attended by video?" asks for those of whom the list says so.
            Some(list) if !narrows(question, unit, &list) => Told::Who(list),
            _ => Told::Nothing,
        };
    }
    let held = held(unit);
    if held.is_empty() {
        return Told::Nothing;
    }
    let Some(asked) = Asked::of(question) else { return Told::Nothing };
    let mut named = held.iter().filter(|one| asked.is(&one.office));
    let of_offices = || held.iter().all(|one| one.office.iter().any(|word| is_office(word)));
    // "Tom Vance (treasurer) and the secretary, Mei Lind": the office is said outside the brackets.
    let said_elsewhere = || {
        question.terms.iter().filter(|term| is_office(&term.word)).any(|term| {
            unit.words.iter().any(|word| {
                word.place == Place::Unit
                    && word.stem == term.stem
                    && !held.iter().any(|one| one.said.contains(&word.at.start))
            })
        })
    };
    match (named.next(), named.next()) {
        (Some(one), None) => Told::Who(one.name.clone()),
        // One of several holders is not who is asked for.
        (Some(_), Some(_)) => Told::Nothing,
        (None, _) if asked.by_office && held.len() > 1 && of_offices() && !said_elsewhere() => {
            Told::Others
        }
        (None, _) => Told::Nothing,
    }
}

/// "The chair, or the deputy, Ann Lee": whether a name belongs to another office than the one that is asked for, said right
/// before it as another choice.
pub(super) fn is_of_other_office(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    name: &Range<usize>,
) -> bool {
    if !matches!(question.expects, Expects::Person | Expects::Agent) {
        return false;
    }
    // "Who audits the accounts?" asks for no office.
    let all = words(&question.text);
    let is_the = matches!(all.as_slice(), [who, is, the, ..]
        if who == "who" && matches!(is.as_str(), "is" | "was" | "are" | "were") && the == "the");
    if !is_the && !question.terms.iter().any(|term| is_office(&term.word)) {
        return false;
    }
    let Some(before) = unit.text.get(..name.start) else { return false };
    let Some(before) = before.trim_end().strip_suffix(',') else { return false };
    let joint = [" or the ", " and the "];
    let Some(office) = joint.iter().find_map(|joint| before.rsplit_once(*joint)) else {
        return false;
    };
    let office = words(office.1);
    (1..=APPOSITION_WORDS).contains(&office.len())
        && office.last().is_some_and(|word| is_office(word))
        && !office.iter().any(|word| is_asked(question, word))
}

/// Whether a question asks for some of a list: a word of it stands in the list.
fn narrows(question: &Question, unit: &EvidenceUnit<'_>, list: &Range<usize>) -> bool {
    question.terms.iter().filter(|term| !term.light && !says_attendance(term)).any(|term| {
        unit.words.iter().any(|word| {
            word.place == Place::Unit && list.contains(&word.at.start) && word.stem == term.stem
        })
    })
}

fn is_asked(question: &Question, word: &str) -> bool {
    let stem = stem(word);
    question.terms.iter().any(|term| term.stem == stem)
}

/// Whether a word names an office or a rank.
fn is_office(word: &str) -> bool {
    is_role(word)
        || RANKS.contains(&word)
        || OFFICES.iter().any(|row| row.split(' ').any(|own| own == word))
}

/// The list of people of a field, without its label.
fn people(text: &str) -> Option<Range<usize>> {
    let colon = text.find(':')? + 1;
    let list = text.get(colon..)?;
    let start = colon + list.len() - list.trim_start_matches(['*', '_', ' ', '\t', '\n']).len();
    let end = text.trim_end_matches(['*', '_', '.', ' ', '\n']).len();
    (start < end).then_some(start..end)
}

/// An office in brackets and the name that it stands beside.
struct Held {
    name: Range<usize>,
    /// Where the office stands.
    said: Range<usize>,
    /// Its words, function words left out.
    office: Vec<String>,
}

/// "Ann Lee (chair)" and "the chair (Ann Lee)".
fn held(unit: &EvidenceUnit<'_>) -> Vec<Held> {
    let text = unit.text;
    let names = unit.values.iter().filter(|value| value.kind == ValueKind::Person);
    let found = names.filter_map(|value| {
        let name = value.range.clone();
        let (before, after) = (text.get(..name.start)?, text.get(name.end..)?);
        let said = match after.trim_start().strip_prefix('(') {
            Some(inside) => {
                let start = text.len() - inside.len();
                start..start + inside.split_once(')')?.0.len()
            }
            None => {
                let before = before.strip_suffix('(').filter(|_| after.starts_with(')'))?;
                let office = before.rsplit([',', ';', ':', '.', ')']).next()?;
                before.len() - office.len()..before.len()
            }
        };
        let office: Vec<String> =
            words(text.get(said.clone())?).into_iter().filter(|word| !is_stop_word(word)).collect();
        let plain = (1..=OFFICE_WORDS).contains(&office.len())
            && !office.iter().any(|word| word.contains(|c: char| c.is_ascii_digit()));
        plain.then_some(Held { name, said, office })
    });
    found.collect()
}

/// The holder of an office who is asked for.
struct Asked<'q> {
    question: &'q Question,
    /// "Who chairs the board?": the stem of what is done.
    deed: Option<String>,
    /// "Who is the chair?": an office is asked for by its name.
    by_office: bool,
}

impl<'q> Asked<'q> {
    /// `None` where somebody of another time is asked for, or something else than a holder.
    fn of(question: &'q Question) -> Option<Self> {
        /// Words by which another holder is meant than the one whom a list names.
        const OTHERS: [&str; 9] = [
            "next",
            "new",
            "former",
            "previous",
            "old",
            "first",
            "last",
            "predecessor",
            "successor",
        ];
        let all = words(&question.text);
        let [who, next, rest @ ..] = all.as_slice() else { return None };
        let denied = |word: &str| matches!(word, "not" | "no" | "never") || word.ends_with("n't");
        let another =
            all.iter().any(|word| OTHERS.contains(&word.as_str()) || denied(word.as_str()));
        if who != "who"
            || another
            || question.past
            || question.forerunner
            || !matches!(question.expects, Expects::Person | Expects::Agent)
        {
            return None;
        }
        let is = matches!(next.as_str(), "is" | "was" | "are" | "were");
        let pointed = rest
            .first()
            .is_some_and(|word| matches!(word.as_str(), "the" | "our" | "your" | "their" | "its"));
        let by_office =
            is && pointed && question.terms.iter().any(|term| is_office(term.word.as_str()));
        Some(Self { question, deed: (!is).then(|| stem(next)), by_office })
    }

    /// Whether an office is the one that is asked for.
    fn is(&self, office: &[String]) -> bool {
        let stems: Vec<String> = office.iter().map(|word| stem(word)).collect();
        let holds = |stem: &String| stems.contains(stem);
        let terms = || self.question.terms.iter().filter(|term| !term.light);
        let whole = stems.iter().all(|own| self.question.terms.iter().any(|t| t.stem == *own));
        // "Who is the instructor?" where somebody is called the flying instructor; the deputy of one is none.
        let part = terms().next().is_some()
            && terms().all(|term| holds(&term.stem))
            && !office.iter().any(|word| RANKS.contains(&word.as_str()));
        // The deputy is not the holder, and who thanks the chair is not the chair.
        let ranks = self
            .question
            .terms
            .iter()
            .all(|term| !RANKS.contains(&term.word.as_str()) || holds(&term.stem));
        let deeds = terms().all(|term| term.class != Class::Verb || holds(&term.stem));
        let deed = self.deed.as_ref().is_none_or(holds);
        (whole || part) && ranks && deeds && deed && !self.owns(&stems)
    }

    /// "The treasurer's wife": what is asked for is the office's, and not the office.
    fn owns(&self, office: &[String]) -> bool {
        self.question.text.split_whitespace().any(|token| {
            let owner = token.strip_suffix("'s").or_else(|| token.strip_suffix("\u{2019}s"));
            owner.is_some_and(|owner| office.contains(&stem(&owner.to_lowercase())))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn said(question: &str, text: &str) -> Option<String> {
        let passages = [document("minutes", "Committee", text)];
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let all: Vec<Told> = units.iter().map(|unit| told(&question, unit)).collect();
        if all.contains(&Told::Others) && !all.iter().any(|one| matches!(one, Told::Who(_))) {
            return Some("others".to_owned());
        }
        units.iter().zip(all).find_map(|(unit, told)| match told {
            Told::Who(at) => Some(unit.text[at].to_owned()),
            _ => None,
        })
    }

    const HEAD: &str = "**Date:** 6 May 2025\n**Present:** Olive Drury (chair), Tom Vance \
                        (treasurer), Mei Lind (head gardener)\n**Apologies:** Rhys Owen (secretary)";

    #[test]
    fn the_brackets_beside_a_name_tell_the_office() {
        assert_eq!(said("Who is the treasurer?", HEAD).as_deref(), Some("Tom Vance"));
        assert_eq!(said("Who is the head gardener?", HEAD).as_deref(), Some("Mei Lind"));
        assert_eq!(said("Who is the secretary?", HEAD).as_deref(), Some("Rhys Owen"));
        assert_eq!(said("Who is the librarian?", HEAD).as_deref(), Some("others"));
        let before = "There came the chair (Olive Drury) and, later, the treasurer (Tom Vance).";
        assert_eq!(said("Who is the treasurer?", before).as_deref(), Some("Tom Vance"));
    }

    #[test]
    fn what_only_comes_near_an_office_is_left_alone() {
        assert_eq!(said("Who is the deputy treasurer?", HEAD).as_deref(), Some("others"));
        assert_eq!(said("Who is the treasurer's wife?", HEAD).as_deref(), Some("others"));
        assert_eq!(said("Who thanked the treasurer?", HEAD), None);
        assert_eq!(said("Who was the treasurer before Tom Vance?", HEAD), None);
        // Towns in brackets are no offices.
        let towns = "Olive Drury (Leeds) is the chair and Tom Vance (York) the treasurer.";
        assert_eq!(said("Who is the treasurer?", towns), None);
    }

    #[test]
    fn one_of_several_holders_is_not_the_answer() {
        let two = "Ann Lee (trustee) and Ben Poe (trustee) came.";
        assert_eq!(said("Who is the trustee?", two), None);
        let apart = "The keys are with Ann Lee (chair), Tom Vance (treasurer) and the secretary, \
                     Mei Lind.";
        assert_eq!(said("Who is the secretary?", apart), None);
        assert_eq!(said("Who is not the chair?", apart), None);
        assert_eq!(said("Who attended the concert?", "Attendance: 312"), None);
        assert_eq!(attendance("Present value: 312"), None);
    }

    #[test]
    fn who_was_there_is_the_whole_list() {
        let there = "Olive Drury (chair), Tom Vance (treasurer), Mei Lind (head gardener)";
        assert_eq!(said("Who attended the meeting?", HEAD).as_deref(), Some(there));
        assert_eq!(said("Who was present on 6 May 2025?", HEAD).as_deref(), Some(there));
        let away = Some("Rhys Owen (secretary)");
        assert_eq!(said("Who was absent from the meeting?", HEAD).as_deref(), away);
        assert_eq!(said("Who sent apologies?", HEAD).as_deref(), away);
        assert_eq!(said("Who did not attend?", HEAD).as_deref(), away);
        let some = "Present: Olive Drury, Tom Vance (by video), Mei Lind";
        assert_eq!(said("Who attended the meeting by video?", some), None);
        assert_eq!(said("Who presented the accounts?", HEAD), None);
        assert_eq!(said("Who sent the parcel?", HEAD), None);
    }

    #[test]
    fn a_name_behind_another_office_is_not_of_the_first() {
        let text = "The gate is opened by the warden, or the deputy, Tom Vance.";
        let passages = [document("rules", "Gate", text)];
        let units = evidence_units(&passages);
        let at = text.find("Tom").map_or(0..0, |at| at..at + "Tom Vance".len());
        let other =
            |question: &str| is_of_other_office(&Question::parse(question, &[]), &units[0], &at);
        assert!(other("Who is the warden?"));
        assert!(!other("Who is the deputy?"));
        assert!(!other("Who is the deputy warden?"));
        assert!(!other("What does the warden open?"));
    }
}
