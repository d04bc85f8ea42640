//! Asked fields: a row that is of what the question names, and a column that is there for what it asks: by when something is to be
//! done, what somebody's post is. The row says neither in a sentence, and no word of the question need be the name of the column.

use super::cells::{Field, PEOPLE, fields};
use super::columns::field_of;
use super::lexicon::is_role;
use super::question::{Class, Expects, Question, Term};
use super::unit::{EvidenceUnit, Place};
use super::values::{Value, ValueKind};
use elenchus_core::text::words;
use std::ops::Range;

/// Names of columns, as stems, that say by when something is to be done.
pub(super) const DUE: [&[&str]; 7] = [
    &["due"],
    &["due", "date"],
    &["due", "by"],
    &["deadlin"],
    &["target", "date"],
    &["complet", "by"],
    &["by", "when"],
];
/// Names of columns, as stems, that say when what a row is of took place, whatever it was.
const WHEN: [&[&str]; 5] = [&["date"], &["when"], &["day"], &["month"], &["year"]];
/// Names of columns, as stems, that say what somebody's post is.
const POST: [&[&str]; 9] = [
    &["role"],
    &["posit"],
    &["post"],
    &["job"],
    &["job", "titl"],
    &["titl"],
    &["function"],
    &["what", "thei", "do"],
    &["what", "they", "do"],
];
/// Words of a question for a post, as stems.
const ASKS_POST: [&str; 7] = ["posit", "role", "job", "post", "titl", "function", "offic"];
/// Words before a later date in another cell: "overdue; now 15 May", "moved to June". "Valid until June" moves nothing.
const MOVED: [&str; 10] = [
    "now",
    "new",
    "extended",
    "postponed",
    "moved",
    "deferred",
    "delayed",
    "slipped",
    "rescheduled",
    "off",
];
/// Columns, as stems, of somebody who stands beside the one that a row is of.
const BESIDE: [&str; 13] = [
    "deputi",
    "manag",
    "report",
    "supervis",
    "supervisor",
    "boss",
    "replac",
    "successor",
    "predecessor",
    "mentor",
    "contact",
    "backup",
    "assist",
];
/// Most words of a post in brackets.
const POST_WORDS: usize = 6;

/// What answers: bytes of the unit's text.
pub(super) fn told(question: &Question, unit: &EvidenceUnit<'_>) -> Option<Range<usize>> {
    due(question, unit).or_else(|| post(question, unit)).or_else(|| when(question, unit))
}

/// Whether a word of such a question is said by there being such a column.
pub(super) fn says(term: &Term) -> bool {
    (term.class == Class::Verb && !term.hard)
        || ASKS_POST.contains(&term.stem.as_str())
        || matches!(term.stem.as_str(), "deadlin" | "due")
}

/// Whether the row, or the sentence, names all that the question names by a name or a number of its own.
fn is_of_it(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    let stands = |term: &Term| {
        unit.words.iter().any(|word| word.place == Place::Unit && word.stem == term.stem)
    };
    let mut hard = question.terms.iter().filter(|term| term.hard).peekable();
    hard.peek().is_some() && hard.all(stands)
}

fn is_named(field: &Field, names: &[&[&str]]) -> bool {
    names.iter().any(|name| field.name.iter().eq(name.iter()))
}

fn is_title(field: &Field) -> bool {
    is_named(field, &[&["titl"]])
}

/// "By when is CW-04 to be fixed?", over a row of CW-04 with a column "Due". A later date that another cell moves it to is the one.
fn due(question: &Question, unit: &EvidenceUnit<'_>) -> Option<Range<usize>> {
    let all = words(&question.text);
    let asks = question.expects == Expects::Date
        && (all.windows(2).any(|pair| pair[0] == "by" && pair[1] == "when")
            || all.iter().any(|word| matches!(word.as_str(), "due" | "deadline")));
    if !asks || !is_of_it(question, unit) {
        return None;
    }
    let fields = fields(unit);
    let column = fields.iter().find(|field| fields.len() > 2 && is_named(field, &DUE))?;
    let date = |value: &&Value| value.kind == ValueKind::Date;
    let inside = |at: &Range<usize>, value: &Value| {
        at.start <= value.range.start && value.range.end <= at.end
    };
    let own = unit.values.iter().filter(date).find(|value| inside(&column.at, value))?;
    let moved = unit.values.iter().filter(date).find(|value| {
        field_of(&fields, &value.range).filter(|cell| cell.at.start > column.at.end).is_some_and(
            |cell| {
                let mut before = cell.title.clone();
                before.extend(words(&unit.text[cell.at.start..value.range.start]));
                let is_moved = |word: &String| MOVED.contains(&word.as_str());
                let last = before.last().map_or("", String::as_str);
                let leads = matches!(last, "to" | "until" | "till");
                before.last().is_some_and(is_moved) || (leads && before.iter().any(is_moved))
            },
        )
    });
    Some(moved.unwrap_or(own).range.clone())
}

/// "When was the Series A closed?", over a row of the Series A with one date, in a column "Date".
fn when(question: &Question, unit: &EvidenceUnit<'_>) -> Option<Range<usize>> {
    // A name at the head of the row is what it is of; one in another cell may be of anybody.
    let first = |fields: &[Field]| {
        let end = fields.first().map_or(0, |field| field.at.end);
        question.terms.iter().filter(|term| term.hard).all(|term| {
            unit.words.iter().any(|word| {
                word.place == Place::Unit && word.stem == term.stem && word.at.end <= end
            })
        })
    };
    let fields = fields(unit);
    let happened = question.expects == Expects::Date && question.happened && !question.future;
    if !happened || fields.len() < 3 || !is_of_it(question, unit) || !first(&fields) {
        return None;
    }
    let mut dates = unit.values.iter().filter(|value| value.kind == ValueKind::Date);
    let (date, None) = (dates.next()?, dates.next()) else { return None };
    let column = fields.iter().find(|field| is_named(field, &WHEN))?;
    let inside = column.at.start <= date.range.start && date.range.end <= column.at.end;
    inside.then(|| date.range.clone())
}

/// "What is Ann Lee's position?", over a row of hers with a column of posts, or "Ann Lee (head gardener)".
fn post(question: &Question, unit: &EvidenceUnit<'_>) -> Option<Range<usize>> {
    let all = words(&question.text);
    let asks = all.first().is_some_and(|word| matches!(word.as_str(), "what" | "which"))
        && question.terms.iter().any(|term| ASKS_POST.contains(&term.stem.as_str()))
        // Nothing but the name and the word for a post: "the role of the pump in the outage" is no post.
        && question
            .terms
            .iter()
            .all(|term| term.hard || term.light || ASKS_POST.contains(&term.stem.as_str()));
    if !asks || !is_of_it(question, unit) {
        return None;
    }
    let is_whole_name = |text: &str| {
        let own = words(text);
        question.terms.iter().filter(|term| term.hard).all(|term| own.contains(&term.word))
    };
    let fields = fields(unit);
    if fields.len() > 1 {
        // Of several people the row is of the one whose column says who it is.
        let is_of = |field: &Field, stems: &[&str]| {
            field.name.iter().any(|word| stems.contains(&word.as_str()))
        };
        let may_be: Vec<&Field> = fields.iter().filter(|field| !is_of(field, &BESIDE)).collect();
        let says_who = may_be.iter().any(|field| is_of(field, &PEOPLE));
        let of_them = may_be.iter().any(|field| {
            (!says_who || is_of(field, &PEOPLE)) && is_whole_name(&unit.text[field.at.clone()])
        });
        let column = fields.iter().find(|field| is_named(field, &POST))?;
        let said = &unit.text[column.at.clone()];
        // A title may be that of a book.
        let is_book = is_title(column) && !words(said).iter().any(|word| is_role(word));
        let is_said = said.contains(char::is_alphabetic) && !is_book;
        return (of_them && is_said).then(|| column.at.clone());
    }
    unit.values.iter().filter(|value| value.kind == ValueKind::Person).find_map(|person| {
        let inside = unit.text[person.range.end..].trim_start().strip_prefix('(')?;
        let start = unit.text.len() - inside.len();
        let own = inside.split_once(')')?.0;
        let said = words(own);
        let is_post = said.len() <= POST_WORDS && said.iter().any(|word| is_role(word));
        (is_post && is_whole_name(&unit.text[person.range.clone()]))
            .then(|| start..start + own.len())
    })
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::select;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn answer(question: &str, text: &str) -> Option<String> {
        let passages = [document("notes", "Notes", text)];
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let chosen = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3)).answers;
        chosen.first()?.value.clone().map(|at| text[at].to_owned())
    }

    #[test]
    fn a_column_of_deadlines_says_by_when() {
        let row = "ID: CW-04; Finding: One person may change an account; Owner: Piet Haldane; Due: 31 March 2025; State: open";
        let asked = "By when is finding CW-04 to be fixed?";
        assert_eq!(answer(asked, row).as_deref(), Some("31 March 2025"));
        let moved = row.replace("State: open", "State: overdue; now 15 May 2025");
        assert_eq!(answer(asked, &moved).as_deref(), Some("15 May 2025"));
        let moved = row.replace("State: open", "State: moved from 31 March to 15 May 2025");
        assert_eq!(answer(asked, &moved).as_deref(), Some("15 May 2025"));
        let valid = row.replace("State: open", "Permit valid until: 30 June 2025");
        assert_eq!(answer(asked, &valid).as_deref(), Some("31 March 2025"));
        assert_eq!(answer("By when is finding CW-05 to be fixed?", row), None);
    }

    #[test]
    fn a_row_with_one_date_says_when_it_took_place() {
        let row = "Round: Series A; Date: June 2022; Amount: $18M; Lead: Tern Capital";
        assert_eq!(answer("When was the Series A closed?", row).as_deref(), Some("June 2022"));
        let told = |question: &str, row: &str| {
            let passages = [document("notes", "Notes", row)];
            let units = evidence_units(&passages);
            when(&Question::parse(question, &[]), &units[0])
        };
        assert!(told("When was the Series A closed?", row).is_some());
        assert_eq!(told("When was the Series B closed?", row), None);
        assert_eq!(told("When was Tern Capital founded?", row), None);
        let two = "Round: Series A; Date: June 2022; Paid: July 2022; Lead: Tern Capital";
        assert_eq!(told("When was the Series A closed?", two), None);
    }

    #[test]
    fn a_post_is_told_by_its_column_or_in_brackets() {
        let row = "Name: Rosalind Haldane; What they do: Financial Controller (Finance); Ask them about: fees";
        let asked = "What is Rosalind Haldane's position?";
        assert_eq!(answer(asked, row).as_deref(), Some("Financial Controller (Finance)"));
        assert_eq!(answer("What is Piet Haldane's position?", row), None);
        let told = |row: &str| {
            let passages = [document("notes", "Notes", row)];
            let units = evidence_units(&passages);
            post(&Question::parse(asked, &[]), &units[0])
        };
        let reports = "Name: Piet Oosterlink; Role: Treasurer; Reports to: Rosalind Haldane";
        assert_eq!(told(reports), None, "it is the post of somebody else");
        let book = "Author: Rosalind Haldane; Title: The Long Tide; Year: 2019";
        assert_eq!(told(book), None, "a book is no post");
        let list = "Deciders: Bram Oosterlink (technical director), Rosalind Haldane (financial director).";
        assert_eq!(answer(asked, list).as_deref(), Some("financial director"));
        let said = [document("notes", "Notes", "Rosalind Haldane (by telephone) agreed.")];
        assert_eq!(super::told(&Question::parse(asked, &[]), &evidence_units(&said)[0]), None);
    }
}
