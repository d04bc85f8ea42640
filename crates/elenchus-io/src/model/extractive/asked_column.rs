//! Asked columns: of the cells of a row that may each be what is asked for, the one whose column the question calls.

use super::asked_field::DUE;
use super::cells::{Field, REMARKS, fields};
use super::question::Question;
use super::reading::asks_for_plan;
use super::unit::EvidenceUnit;
use super::values::Value;
use elenchus_core::text::{stem, words};
use std::collections::BTreeSet;
use std::ops::Range;

/// Words of a question, and names of columns (all of their words, as stems) that they call.
const CALLS: [(&[&str], &[&[&str]]); 4] = [
    (
        &[
            "responsible",
            "accountable",
            "charge",
            "owns",
            "own",
            "owner",
            "maintains",
            "looks",
            "runs",
        ],
        &[
            &["owner"],
            &["respons"],
            &["account"],
            &["lead"],
            &["maintain"],
            &["manag"],
            &["person", "respons"],
        ],
    ),
    (&["deadline", "due"], &DUE),
    (
        &["stands", "state", "status", "progress"],
        &[&["state"], &["statu"], &["status"], &["progress"]],
    ),
    (&["costs", "cost", "price"], &[&["cost"], &["price"], &["fee"]]),
];

/// Columns, by a stem of their names, of what something came to, and of what it was meant to come to.
const CAME_TO: [&str; 6] = ["actual", "spent", "outturn", "realis", "realiz", "result"];
const MEANT: [&str; 6] = ["budget", "plan", "forecast", "estim", "target", "expect"];

/// Bytes of the cell whose column the question calls by its whole name, where one of `values` stands in it and another one in a
/// column that is not called so: "Who is the primary?" over "primary" and "secondary", "Who is responsible?" over "owner" and
/// "backup owner". Where none is called, a value in a remark gives way to the only other one. `None` where nothing has to be
/// told apart, or cannot be: a remark that has a word of the question may be the one that answers.
pub(super) fn asked_column(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    values: &[&Value],
) -> Option<Range<usize>> {
    let all = fields(unit);
    if all.len() < 3 {
        return None;
    }
    let holds = |field: &Field| {
        values
            .iter()
            .any(|value| field.at.start <= value.range.start && value.range.end <= field.at.end)
    };
    let with_values: Vec<&Field> = all.iter().filter(|field| holds(field)).collect();
    if with_values.len() < 2 {
        return None;
    }
    let asked = words(&question.text);
    let stems: BTreeSet<String> = asked.iter().map(|word| stem(word)).collect();
    let called = |field: &Field| -> usize {
        let by_name = field.name.iter().all(|word| stems.contains(word));
        let otherwise = CALLS.iter().any(|(triggers, names)| {
            asked.iter().any(|word| triggers.contains(&word.as_str()))
                && names.iter().any(|name| field.name.iter().eq(name.iter()))
        });
        if by_name || otherwise { field.name.len() } else { 0 }
    };
    let most = with_values.iter().map(|field| called(field)).max()?;
    // A headcount beside "Budget" and "Actual" may be what is asked for.
    let is_of_either = |field: &&Field| is_called(field, &MEANT) || is_called(field, &CAME_TO);
    if most == 0 && with_values.iter().all(is_of_either) {
        let at = with_values.first()?.at.clone();
        return Some(as_it_came_to(question, unit, at));
    }
    let is_remark = |field: &Field| field.name.iter().any(|word| REMARKS.contains(&word.as_str()));
    let says_it = |field: &Field| {
        words(&unit.text[field.at.clone()]).iter().any(|word| {
            let stem = stem(word);
            question.terms.iter().any(|term| !term.hard && !term.light && term.stem == stem)
        })
    };
    if most == 0 && with_values.iter().any(|field| is_remark(field) && says_it(field)) {
        return None;
    }
    let fits = |field: &Field| {
        if most > 0 { called(field) == most } else { !is_remark(field) }
    };
    let mut best = with_values.iter().filter(|field| fits(field));
    match (best.next(), best.next()) {
        (Some(only), None) => Some(only.at.clone()),
        _ => None,
    }
}

/// What takes the place of a figure of a row that is only what was meant: under "Budget", the one under "Actual". The figure itself
/// where the plan is asked for, where it is no such figure, and where no column or several tell how it came out.
pub(super) fn as_it_came_to(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    at: Range<usize>,
) -> Range<usize> {
    let plan_asked = question.future
        || asks_for_plan(question)
        || words(&question.text).iter().any(|word| is_one_of(&stem(word), &MEANT));
    if plan_asked || !question.expects.is_figure() {
        return at;
    }
    let all = fields(unit);
    let was_meant = all.iter().any(|field| {
        is_called(field, &MEANT) && field.at.start <= at.start && at.end <= field.at.end
    });
    let has_figure =
        |field: &&Field| unit.text[field.at.clone()].contains(|c: char| c.is_ascii_digit());
    let mut results = all.iter().filter(|field| is_called(field, &CAME_TO)).filter(has_figure);
    match (results.next(), results.next()) {
        (Some(only), None) if was_meant => only.at.clone(),
        _ => at,
    }
}

fn is_one_of(word: &str, stems: &[&str]) -> bool {
    stems.iter().any(|stem| word.starts_with(stem))
}

fn is_called(field: &Field, stems: &[&str]) -> bool {
    field.name.iter().any(|word| is_one_of(word, stems))
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::by_words;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::super::values::ValueKind;
    use super::*;

    fn told(question: &str, row: &str) -> Option<String> {
        let passages = [document("rows", "Rows", row)];
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let common = Commonness::new(&[], 1);
        let (all, _) = by_words(&question, &units, &Matcher::new(), &common);
        all[0].value.clone().map(|at| row[at].to_owned())
    }

    #[test]
    fn the_column_that_is_called_by_its_name_answers() {
        let rota = "week: 20; from: 2025-05-12; second: Ben Poe; primary: Ann Lee; remark: swap with Tom Wren";
        assert_eq!(told("Who is the primary in week 20?", rota).as_deref(), Some("Ann Lee"));
        assert_eq!(told("Who is the second in week 20?", rota).as_deref(), Some("Ben Poe"));
        let list = "service: heron; backup_owner: Ben Poe; owner: Ann Lee; language: Go";
        assert_eq!(told("Who is responsible for heron?", list).as_deref(), Some("Ann Lee"));
        assert_eq!(told("Who is the backup owner of heron?", list).as_deref(), Some("Ben Poe"));
    }

    #[test]
    fn what_came_about_answers_unless_the_plan_is_asked_for() {
        let row = "item: Repairs of the hull; budget: £390,000; actual: £458,000";
        let spent = "How much did the repairs of the hull cost?";
        assert_eq!(told(spent, row).as_deref(), Some("£458,000"));
        let meant = "What was the budget for repairs of the hull?";
        assert_eq!(told(meant, row).as_deref(), Some("£390,000"));
        let people = "item: Repairs; budget: £390,000; actual: £458,000; staff: 12 people";
        let asked = "How many people work at the repairs?";
        assert_eq!(told(asked, people).as_deref(), Some("12"), "neither is asked for");
    }

    #[test]
    fn only_what_was_meant_gives_way() {
        let told = |row: &str, value: &str| {
            let passages = [document("rows", "Rows", row)];
            let units = evidence_units(&passages);
            let question = Question::parse("How much did the repairs of the hull cost?", &[]);
            let at = row.find(value).expect("it stands there");
            row[as_it_came_to(&question, &units[0], at..at + value.len())].to_owned()
        };
        let bare = "item: Repairs of the hull; budget: 390,000; actual: 458,000; staff: 12";
        assert_eq!(told(bare, "390,000"), "458,000");
        assert_eq!(told(bare, "12"), "12");
        let open = "item: Repairs of the hull; budget: 390,000; actual: not known; staff: 12";
        assert_eq!(told(open, "390,000"), "390,000", "nothing says what it came to");
        let two =
            "item: Repairs of the hull; budget: 390,000; spent 2023: 400,000; spent 2024: 458,000";
        assert_eq!(told(two, "390,000"), "390,000", "which of them is not said");
    }

    #[test]
    fn a_remark_gives_way_to_a_column_of_its_own() {
        let rule = "rule: P-4; note: thrown away after 7 days; service: heron; threshold: 4 days";
        let asked = "How long may a message of heron wait?";
        assert_eq!(told(asked, rule).as_deref(), Some("4 days"));
        let rule = "rule: P-4; note: thrown away after 7 days; service: heron; action: page";
        assert_eq!(told(asked, rule).as_deref(), Some("7 days"), "nothing else is said");
    }

    #[test]
    fn a_remark_that_says_what_is_asked_is_not_passed_over() {
        let row = "report: 12; received: 3 May 2025; thing: boiler; note: repaired on 7 May 2025";
        let passages = [document("log", "Log", row)];
        let units = evidence_units(&passages);
        let values: Vec<&Value> =
            units[0].values.iter().filter(|value| value.kind == ValueKind::Date).collect();
        let part = |question: &str| {
            let at = asked_column(&Question::parse(question, &[]), &units[0], &values);
            at.map(|at| row[at].to_owned())
        };
        assert_eq!(part("When was the boiler repaired?"), None);
        assert_eq!(part("When was the report received?").as_deref(), Some("3 May 2025"));
    }
}
