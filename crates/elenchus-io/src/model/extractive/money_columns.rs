//! Money columns: figures that are sums by the name of their column, and which of several years such columns are of.
//!
//! A table of rents writes "102.22" under "weekly rent 2024/25", and neither says that it is money.

use super::cells::{Field, fields};
use super::question::Question;
use super::unit::EvidenceUnit;
use super::values::{Value, ValueKind};
use elenchus_core::text::{stem, words};
use std::ops::Range;

/// What is told in money, whatever stands beside the figure.
const SUMS: [&str; 16] = [
    "rent",
    "price",
    "cost",
    "fee",
    "charge",
    "salary",
    "wage",
    "deposit",
    "fine",
    "premium",
    "tariff",
    "fare",
    "budget",
    "payment",
    "compensation",
    "subscription",
];

/// Words of a column's name with which its figure is no sum: "rent arrears per cent", "price change", "fee code".
const NO_SUM: [&str; 18] = [
    "percent", "per", "cent", "pct", "share", "rate", "change", "index", "number", "no", "count",
    "code", "id", "ref", "days", "weeks", "months", "date",
];

/// Words over a table of which every figure is a sum, whatever its columns are called: those of a list of prices by places.
const LISTS: [&str; 6] = ["price", "tariff", "fee", "charge", "fare", "toll"];

/// Short forms of currencies, as the names of columns and the cells of units give them ("budget_gbp", "GBP per week").
const CURRENCIES: [&str; 12] =
    ["gbp", "eur", "usd", "chf", "nok", "sek", "dkk", "cad", "aud", "jpy", "inr", "pln"];

/// Whether a figure is the whole cell of a column of sums, or of one in a list of prices, which the question asks for by its name.
pub(super) fn is_sum(question: &Question, unit: &EvidenceUnit<'_>, value: &Value) -> bool {
    if value.kind != ValueKind::Count {
        return false;
    }
    let is_own = |field: &&Field| {
        field.at == value.range && !field.title.iter().any(|word| NO_SUM.contains(&word.as_str()))
    };
    let asked = |word: &str| question.terms.iter().any(|term| term.stem == word);
    let is_listed = is_of_prices(unit);
    let all = fields(unit);
    let in_money = counts_money(unit, &all);
    all.iter().filter(is_own).any(|field| {
        let of_sums =
            SUMS.iter().map(|name| stem(name)).any(|sum| field.name.contains(&sum) && asked(&sum));
        let called = !field.name.is_empty() && field.name.iter().all(|word| asked(word));
        of_sums || (is_listed && called) || in_money || names_currency(&field.title.join(" "))
    })
}

/// Whether a text names a currency by its short form.
fn names_currency(text: &str) -> bool {
    words(&text.to_lowercase().replace('_', " "))
        .iter()
        .any(|word| CURRENCIES.contains(&word.as_str()))
}

/// Whether a cell of a row says in what money its figures are: "GBP per week".
fn counts_money(unit: &EvidenceUnit<'_>, all: &[Field]) -> bool {
    /// Most words of such a cell.
    const MOST: usize = 4;
    all.iter().any(|field| {
        let said = unit.text.get(field.at.clone()).unwrap_or_default();
        let own = words(said);
        own.len() <= MOST && !said.contains(|c: char| c.is_ascii_digit()) && names_currency(said)
    })
}

/// Whether a list of prices is what a row stands in, by the title or the heading over it.
fn is_of_prices(unit: &EvidenceUnit<'_>) -> bool {
    let heading = unit.read.passage.heading_path.last();
    std::iter::once(&unit.read.source.title).chain(heading).any(|over| {
        words(over)
            .iter()
            .map(|word| stem(word))
            .any(|word| LISTS.iter().any(|name| stem(name) == word))
    })
}

/// Of columns that differ in their years only and that the question calls best, the one of the latest year that the document can tell
/// of: bytes of its cell. `None` where a year is asked for, or there are no such columns.
pub(super) fn latest_column(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    values: &[&Value],
) -> Option<Range<usize>> {
    if question.period.is_some() || question.past || !question.expects.is_figure() {
        return None;
    }
    let written = unit.read.source.date.as_ref().map(|date| date.value.year);
    let all = fields(unit);
    // A column, the stems of its name without figures, and its year.
    let dated: Vec<(&Field, Vec<&str>, i32)> = all
        .iter()
        .filter(|field| {
            values
                .iter()
                .any(|value| field.at.start <= value.range.start && value.range.end <= field.at.end)
        })
        .filter_map(|field| Some((field, plain(field), year(field)?)))
        .collect();
    let called = |name: &[&str]| {
        name.iter().filter(|word| question.terms.iter().any(|term| term.stem == **word)).count()
    };
    // "2024_25" and "2025_26" are called by their years alone, and nothing but a year tells them apart.
    let years_only = dated.iter().all(|(_, name, _)| name.is_empty());
    let most = dated.iter().map(|(_, name, _)| called(name)).max();
    let most = most.filter(|most| *most > 0 || years_only)?;
    let mut best = dated.iter().filter(|(_, name, _)| called(name) == most);
    let (_, name, _) = best.next()?;
    // Two names are called alike: which of them is meant, the years do not tell.
    if best.clone().next().is_none() || best.any(|(_, other, _)| other != name) {
        return None;
    }
    let own = dated
        .iter()
        .filter(|(_, other, year)| other == name && written.is_none_or(|written| *year <= written));
    own.max_by_key(|(_, _, year)| *year).map(|(field, _, _)| field.at.clone())
}

/// Stems of the name of a column without those that are figures.
fn plain(field: &Field) -> Vec<&str> {
    let is_figure = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    field.name.iter().map(String::as_str).filter(|word| !is_figure(word)).collect()
}

/// The year in the name of a column.
fn year(field: &Field) -> Option<i32> {
    let years = field.title.iter().filter(|word| word.len() == 4);
    years.filter_map(|word| word.parse::<i32>().ok()).find(|year| (1900..2100).contains(year))
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::by_words;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;
    use elenchus_core::evidence::{DocDate, PartialDate};

    fn told(question: &str, row: &str, written: i32) -> Option<String> {
        let mut read = document("rents", "Rents", row);
        let value = PartialDate::year(written);
        read.source.date = Some(DocDate { value, stated: written.to_string() });
        let passages = [read];
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let (all, _) = by_words(&question, &units, &Matcher::new(), &Commonness::new(&[], 1));
        all[0].value.clone().map(|at| row[at].to_owned())
    }

    const ROW: &str = "home: cottage; estate: Mill Field; number: 4; weekly_rent_2023_24: 84.10; \
                       weekly_rent_2024_25: 89.90; weekly_charge_2024_25: 4.35";

    #[test]
    fn of_columns_that_are_called_by_years_alone_the_latest_is_now() {
        let row = "item: Two-bedroom flat; estate: Mill Field; 2024_25: 108.40; 2025_26: 111.33; \
                   unit: GBP per week";
        let asked = "What is the rent of a two-bedroom flat at Mill Field?";
        assert_eq!(told(asked, row, 2025).as_deref(), Some("111.33"));
        assert_eq!(told(asked, row, 2024).as_deref(), Some("108.40"), "it is yet to come");
        let then = "What was the rent of a two-bedroom flat at Mill Field in 2024/25?";
        assert_eq!(told(then, row, 2025).as_deref(), Some("108.40"));
    }

    #[test]
    fn a_currency_in_a_column_or_a_cell_makes_sums_of_figures() {
        let asked = "How much did the savings bank pay?";
        let column = "line: Savings bank; budget_gbp: 12000; actual_gbp: 12500; visits: 3";
        assert_eq!(told(asked, column, 2024).as_deref(), Some("12500"));
        let cell = "item: Savings bank; paid: 12500; unit: GBP per year";
        assert_eq!(told(asked, cell, 2024).as_deref(), Some("12500"));
        assert_eq!(told(asked, "item: Savings bank; paid: 12500; unit: visits", 2024), None);
    }

    #[test]
    fn a_figure_under_a_sum_is_money_and_the_latest_year_is_now() {
        let asked = "What is the weekly rent of a cottage at Mill Field?";
        assert_eq!(told(asked, ROW, 2024).as_deref(), Some("89.90"));
        assert_eq!(told(asked, ROW, 2023).as_deref(), Some("84.10"), "it is yet to come");
    }

    #[test]
    fn a_figure_of_a_list_of_prices_is_money_under_any_name() {
        let cost = |over: &str, question: &str| {
            let row = "cargo: Standard pallet; unit: each; hesk: 41; morwick: 46; cape_ullin: 58";
            let mut read = document("list", over, row);
            read.source.title = over.to_owned();
            let passages = [read];
            let units = evidence_units(&passages);
            let question = Question::parse(question, &[]);
            let (all, _) = by_words(&question, &units, &Matcher::new(), &Commonness::new(&[], 1));
            all[0].value.clone().map(|at| row[at].to_owned())
        };
        let asked = "What does a standard pallet to Morwick cost?";
        assert_eq!(cost("Freight price list", asked).as_deref(), Some("46"));
        assert_eq!(cost("Stock in the sheds", asked), None);
        assert_eq!(cost("Freight price list", "What does a standard pallet to Leith cost?"), None);
    }

    #[test]
    fn a_figure_under_another_name_is_none() {
        let row = "home: cottage; estate: Mill Field; number: 4; rooms: 3; area: 61";
        assert_eq!(told("What is the rent of a cottage at Mill Field?", row, 2024), None);
        let row = "home: cottage; estate: Mill Field; rent_arrears_percent: 3.4; rooms: 3";
        assert_eq!(told("What is the rent of a cottage at Mill Field?", row, 2024), None);
    }
}
