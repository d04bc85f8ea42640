//! Year rows: a row of a table that counts one thing in a column a year. "Regatta guests; 2021: 310; 2022: 420" counts guests in every
//! one of its cells, though none of them says so itself.

use super::cells::fields;
use super::choice::{counts, matches_noun};
use super::columns::column_time;
use super::matching::Matcher;
use super::question::Question;
use super::unit::EvidenceUnit;
use super::values::Value;
use elenchus_core::text::{is_stop_word, stem, words};

/// What a label may begin with and count the same.
const ALL: [&str; 4] = ["total", "all", "overall", "annual"];
/// What may be counted behind "of": "number of guests".
const NUMBER: [&str; 4] = ["number", "total", "count", "numbers"];
/// Participles behind the noun that say no more than that it was counted.
const COUNTED: [&str; 8] =
    ["counted", "recorded", "reported", "registered", "noted", "observed", "seen", "sighted"];
/// Other participles that do not end as most do.
const DONE: [&str; 12] = [
    "let", "sold", "built", "held", "lost", "won", "sent", "made", "bought", "lent", "caught",
    "found",
];
/// Words behind the noun by which the cells are sums or rates of something.
const MEASURED: [&str; 3] = ["in", "per", "by"];

/// Whether a value counts what the question counts: by its own clause, or as the cell of the asked year in a row of that noun.
pub(super) fn is_counted(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    value: &Value,
    matcher: &Matcher,
) -> bool {
    let Some(noun) = &question.counted else { return true };
    counts(unit, value, noun, matcher)
        || is_of_the_year(question, unit, value, noun, matcher)
        || is_done(question, unit, value)
}

/// "How many children did Elm Clinic admit?" over "clinic: Elm Clinic; admitted: 39": the column is called after what is done with them.
fn is_done(question: &Question, unit: &EvidenceUnit<'_>, value: &Value) -> bool {
    let deed = |word: &String| {
        question.terms.iter().any(|term| !term.light && !term.hard && term.stem == *word)
    };
    let all = fields(unit);
    let mut called = all.iter().filter(|field| {
        let is_done = field.title.iter().all(|word| word.ends_with("ed"));
        is_done && matches!(field.name.as_slice(), [name] if deed(name))
    });
    let only = called.next().filter(|_| called.next().is_none());
    only.is_some_and(|field| field.at.start <= value.range.start && value.range.end <= field.at.end)
}

fn is_of_the_year(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    value: &Value,
    noun: &str,
    matcher: &Matcher,
) -> bool {
    let Some(asked) = question.period else { return false };
    let all = fields(unit);
    let Some(first) = all.first().filter(|_| all.len() >= 3) else { return false };
    let of_the_time = value.range.start >= first.at.end
        && column_time(unit, &all, &value.range).is_some_and(|time| time == asked);
    let label = unit.text.get(first.at.clone()).unwrap_or_default();
    // "Guests (thousands)" and "Guests, adults" count otherwise.
    of_the_time
        && !label.contains(['(', ',', '%', '/'])
        && is_called(question, &words(&label.to_lowercase()), noun, matcher)
}

/// Whether a label counts the noun, and nothing narrower than the question does.
fn is_called(question: &Question, label: &[String], noun: &str, matcher: &Matcher) -> bool {
    let label = match label {
        [number, of, rest @ ..] if of == "of" && NUMBER.contains(&number.as_str()) => rest,
        all => all,
    };
    let until = label.iter().position(|word| is_stop_word(word)).unwrap_or(label.len());
    let (mut phrase, behind) = label.split_at(until);
    if behind.first().is_some_and(|word| MEASURED.contains(&word.as_str())) {
        return false;
    }
    let asked: Vec<String> = words(&question.text).iter().map(|word| stem(word)).collect();
    let is_asked = |word: &String| asked.contains(&stem(word));
    while let [rest @ .., last] = phrase
        && !rest.is_empty()
        && (last.ends_with("ed")
            || COUNTED.contains(&last.as_str())
            || DONE.contains(&last.as_str()))
    {
        if !COUNTED.contains(&last.as_str()) && !is_asked(last) {
            return false;
        }
        phrase = rest;
    }
    let Some((head, narrower)) = phrase.split_last() else { return false };
    matches_noun(noun, head, matcher)
        && narrower.iter().all(|word| ALL.contains(&word.as_str()) || is_asked(word))
}

#[cfg(test)]
mod tests {
    use super::super::matching::Commonness;
    use super::super::select::by_words;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn counted(question: &str, row: &str, figure: &str) -> bool {
        let passages = [document("tables", "Tables", row)];
        let units = evidence_units(&passages);
        let value = units[0].values.iter().find(|value| &row[value.range.clone()] == figure);
        let value = value.expect("the figure is a value");
        is_counted(&Question::parse(question, &[]), &units[0], value, &Matcher::new())
    }

    fn row(label: &str) -> String {
        format!("Sort: {label}; 2021: 310; 2022: 420; 2023: 515")
    }

    #[test]
    fn the_cell_of_the_year_counts_what_the_row_is_called_by() {
        let asked = "How many guests did the regatta have in 2022?";
        for label in [
            "Regatta guests",
            "Guests",
            "Number of guests",
            "Total guests",
            "Guests counted",
            "Guests at the regatta",
        ] {
            assert!(counted(asked, &row(label), "420"), "{label}");
        }
        assert!(!counted(asked, &row("Guests"), "310"), "the cell of another year");
        assert!(!counted("How many guests are there?", &row("Guests"), "420"));
    }

    #[test]
    fn a_column_that_is_called_after_the_deed_counts_what_it_is_done_with() {
        let row = "site: Elm Clinic; city: Leith; screened: 52; admitted: 39";
        let asked = "How many children did the Elm Clinic in Leith admit in all?";
        assert!(counted(asked, row, "39"));
        assert!(!counted(asked, row, "52"));
    }

    #[test]
    fn a_row_of_something_else_or_something_narrower_does_not() {
        let asked = "How many guests did the regatta have in 2022?";
        for label in [
            "Guest nights",
            "Guests in thousands",
            "Guests per day",
            "Guests (adults)",
            "Paying guests",
            "Guests refused",
            "Rowers",
        ] {
            assert!(!counted(asked, &row(label), "420"), "{label}");
        }
    }

    #[test]
    fn it_answers_beside_prose_of_other_years() {
        let row = row("Regatta guests");
        let prose =
            "In 2023 the regatta received 515 guests. The regatta received 690 guests in 2024.";
        let passages = [document("tables", "Tables", &row), document("report", "Regatta", prose)];
        let units = evidence_units(&passages);
        let question = Question::parse("How many guests did the regatta have in 2022?", &[]);
        let (_, selection) = by_words(&question, &units, &Matcher::new(), &Commonness::new(&[], 2));
        let told: Vec<Option<f64>> = selection.answers.iter().map(|one| one.number).collect();
        assert_eq!(told, [Some(420.0)]);
    }
}
