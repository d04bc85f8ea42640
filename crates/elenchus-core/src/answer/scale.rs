//! Scale: in what the figures of a table are, where a figure does not say so itself. "912" under "EUR thousand" is told with that.
//!
//! Nothing is multiplied: beside the value stands what its column, its row or what stands over the table says.

use super::display::display_quote;
use crate::evidence::Passage;
use crate::text::{scale_of_label, stated_scale, words};

/// Words of a column or a row whose figures are in no scale that stands elsewhere.
const UNSCALED: [&str; 26] = [
    "percent",
    "per",
    "pct",
    "share",
    "ratio",
    "rate",
    "margin",
    "cover",
    "number",
    "no",
    "count",
    "year",
    "date",
    "id",
    "code",
    "ref",
    "page",
    "staff",
    "employees",
    "headcount",
    "people",
    "fte",
    "days",
    "hours",
    "weeks",
    "months",
];
/// Most words of a line over a table that is told as its caption.
const CAPTION: usize = 20;

/// In what a figure of a table is, for a value in the column `label` of the row `quote`. `None` for what is no bare figure, and where
/// nothing says it.
pub(super) fn told(passage: &Passage, quote: &str, label: &str, value: &str) -> Option<String> {
    let row = row_label(quote);
    if !is_bare_figure(value) || is_unscaled(&row) {
        return None;
    }
    note_of(label, scale_of_label(label)).or_else(|| {
        if is_unscaled(label) {
            return None;
        }
        around(passage, &row, quote).into_iter().next()
    })
}

/// All that may be told so beside a figure of a row.
pub(super) fn notes(passage: &Passage, quote: &str) -> Vec<String> {
    let written = quote.split("; ").filter_map(|field| Some(field.split_once(": ")?.0));
    let columns = passage.table_header.iter().map(String::as_str).chain(written);
    let mut notes: Vec<String> =
        columns.filter_map(|label| note_of(label, scale_of_label(label))).collect();
    notes.extend(around(passage, &row_label(quote), quote));
    notes
}

/// What is said of the scale beside the column itself, nearest first: in the row, the corner of the table, what introduces it, over it.
fn around(passage: &Passage, row: &str, quote: &str) -> Vec<String> {
    let corner = passage.table_header.first().map_or("", String::as_str);
    let mut notes: Vec<String> =
        [row, corner].into_iter().filter_map(|text| note_of(text, scale_of_label(text))).collect();
    let lead = passage.lead_in.as_deref();
    let heading = passage.heading_path.last().map(String::as_str);
    let over = lead.into_iter().chain(captions(passage, quote)).chain(heading);
    notes.extend(over.filter_map(|text| note_of(text, stated_scale(text))));
    notes
}

/// The lines of the passage before a row that are no rows, the nearest first.
fn captions<'p>(passage: &'p Passage, quote: &str) -> impl Iterator<Item = &'p str> {
    let before = passage.text.find(quote).map_or("", |at| &passage.text[..at]);
    before.lines().rev().map(str::trim).filter(|line| {
        !line.is_empty() && !line.starts_with('|') && line.split_whitespace().count() <= CAPTION
    })
}

fn note_of(text: &str, scale: Option<&str>) -> Option<String> {
    scale.map(|scale| format!("in {scale} by \u{201C}{}\u{201D}", display_quote(text, &[])))
}

/// The first cell of a row.
fn row_label(quote: &str) -> String {
    let row = quote.trim();
    let first = match row.strip_prefix('|') {
        Some(cells) => cells.split('|').next(),
        None => row.split("; ").next().and_then(|field| Some(field.split_once(": ")?.1)),
    };
    first.unwrap_or_default().trim().to_owned()
}

/// Whether a text is a figure without a word for its scale or its unit; a sign or a code of money may stand beside it.
fn is_bare_figure(text: &str) -> bool {
    let signs =
        ['*', '_', '~', '(', ')', '\u{20ac}', '$', '\u{a3}', '\u{a5}', '+', '-', '\u{2212}'];
    let is_sign = |c: char| signs.contains(&c) || c.is_whitespace();
    let figure = text.trim_matches(is_sign);
    let figure = ["EUR", "USD", "GBP", "CHF"]
        .into_iter()
        .find_map(|code| figure.strip_prefix(code).or_else(|| figure.strip_suffix(code)))
        .unwrap_or(figure)
        .trim_matches(is_sign);
    figure.starts_with(|c: char| c.is_ascii_digit())
        && figure.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '.' | ' '))
}

fn is_unscaled(text: &str) -> bool {
    text.contains('%') || words(text).iter().any(|word| UNSCALED.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Span;
    use crate::id::{PassageId, SourceId};

    fn passage(text: &str, header: &[&str], heading: &str) -> Passage {
        Passage {
            id: PassageId::from("p1"),
            source_id: SourceId::from("s1"),
            text: text.to_owned(),
            span: Span { start: 0, end: text.chars().count() },
            heading_path: vec![heading.to_owned()],
            page: None,
            table_header: header.iter().map(|name| (*name).to_owned()).collect(),
            lead_in: None,
            record: None,
        }
    }

    #[test]
    fn a_figure_is_told_with_what_its_table_says() {
        let row = "| Sails | 912 |";
        let of = |passage: &Passage, label: &str, value: &str| {
            let told = told(passage, row, label, value);
            let all = notes(passage, row);
            assert!(told.iter().all(|one| all.contains(one)), "{told:?} {all:?}");
            told
        };
        let column = passage(row, &["Item", "Sum (EUR thousand)"], "Budget");
        let said = of(&column, "Sum (EUR thousand)", "912");
        assert_eq!(said.as_deref(), Some("in thousands by \u{201C}Sum (EUR thousand)\u{201D}"));
        assert_eq!(of(&column, "Sum (EUR thousand)", "\u{20ac}912 million"), None);
        let corner = passage(row, &["\u{a3}000", "2025"], "Budget");
        assert!(of(&corner, "2025", "912").is_some_and(|told| told.starts_with("in thousands")));
        assert_eq!(of(&corner, "Share", "912"), None);
        let text = format!("All figures in millions of euros.\n\n{row}");
        let caption = passage(&text, &["Item", "2025"], "Budget");
        assert!(of(&caption, "2025", "912").is_some_and(|told| told.starts_with("in millions")));
        let heading = passage(row, &["Item", "2025"], "Budget in EUR thousand");
        assert!(of(&heading, "2025", "912").is_some());
        let plain = passage(row, &["Item", "2025"], "Budget");
        assert_eq!(of(&plain, "2025", "912"), None);
    }

    #[test]
    fn a_row_of_another_measure_has_no_scale() {
        let row = "| Staff | 41 |";
        let table = passage(row, &["Item", "EUR thousand"], "Budget");
        assert_eq!(told(&table, row, "EUR thousand", "41"), None);
        let written = "item: Sails; eur_thousand: 912";
        let file = passage(written, &[], "Budget");
        assert!(told(&file, written, "eur_thousand", "912").is_some());
        assert_eq!(notes(&file, written).len(), 1);
    }
}
