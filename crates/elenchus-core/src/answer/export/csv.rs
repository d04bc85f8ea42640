//! A table of quotes for spreadsheets.

use super::reference::{Reference, iso};
use crate::answer::Answer;

const COLUMNS: &[&str] =
    &["number", "title", "author", "date", "url", "path", "accessed", "place", "quote"];

/// The cited quotes as comma-separated values after RFC 4180, a row a quote, every cell in quotation marks, rows ended
/// by LF. A cell that a spreadsheet would reckon begins with an apostrophe.
pub fn to_csv(answer: &Answer) -> String {
    let mut out =
        csv::WriterBuilder::new().quote_style(csv::QuoteStyle::Always).from_writer(Vec::new());
    let mut row = |cells: &[&str]| {
        let cells = cells.iter().map(|cell| tame(cell));
        out.write_record(cells)
            .expect("writing to a Vec cannot fail, and every row has all columns");
    };
    row(COLUMNS);
    for one in Reference::all(answer) {
        let number = one.number.to_string();
        let date = one.date.as_ref().map(|date| iso(date.value)).unwrap_or_default();
        let accessed = iso(one.accessed);
        for (place, quote) in &one.quotes {
            row(&[
                &number,
                &one.title,
                one.author.as_deref().unwrap_or_default(),
                &date,
                one.url.as_deref().unwrap_or_default(),
                one.path.as_deref().unwrap_or_default(),
                &accessed,
                place,
                quote,
            ]);
        }
    }
    let bytes = out.into_inner().expect("flushing a Vec cannot fail");
    String::from_utf8(bytes).expect("cells are text")
}

/// A cell as text, whatever a spreadsheet would make of it.
fn tame(cell: &str) -> String {
    if is_formula(cell) { format!("'{cell}") } else { cell.to_owned() }
}

/// Whether a spreadsheet might take a cell for a formula: full-width signs and signs behind blanks or quotation marks
/// count, as some programs take those off.
fn is_formula(cell: &str) -> bool {
    let begins = |c: char| {
        matches!(
            c,
            '=' | '+'
                | '-'
                | '@'
                | '\t'
                | '\r'
                | '\n'
                | '＝'
                | '＋'
                | '－'
                | '＠'
                | '|'
                | '%'
                | '−'
        )
    };
    cell.starts_with(begins)
        || cell
            .trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\''))
            .starts_with(begins)
}

/// The cells of a table as RFC 4180 has them.
#[cfg(test)]
pub(super) fn cells(table: &str) -> Vec<String> {
    let mut cells = Vec::new();
    let mut chars = table.chars().peekable();
    while let Some(c) = chars.next() {
        assert_eq!(c, '"', "every cell begins with a quotation mark");
        let mut cell = String::new();
        loop {
            match chars.next().expect("every cell ends") {
                '"' if chars.peek() == Some(&'"') => {
                    chars.next();
                    cell.push('"');
                }
                '"' => break,
                c => cell.push(c),
            }
        }
        cells.push(cell);
        match chars.next() {
            Some(',') => {}
            other => assert_eq!(other, Some('\n')),
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{answer, hostile};
    use super::*;

    #[test]
    fn a_row_is_complete() {
        insta::assert_snapshot!(to_csv(&answer()));
    }

    #[test]
    fn no_cell_is_reckoned() {
        for text in
            ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\"=1", "＝1", "|calc", "%0A=1"]
        {
            for cell in cells(&to_csv(&hostile(text))) {
                assert!(!is_formula(&cell) || cell.starts_with('\''), "{text:?}: {cell:?}");
            }
        }
    }
}
