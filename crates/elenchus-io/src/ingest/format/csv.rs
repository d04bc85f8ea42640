//! Tables as text: one record a row.

use super::{ExtractedDoc, RecordSpan};
use std::collections::BTreeSet;

/// Most text of one table, in bytes: column names repeated in each row can make much of little.
const MOST_TEXT: usize = 256 << 20;
/// Rows looked at to learn what kind of table it is.
const PROBE_ROWS: usize = 200;

/// Reads comma- or tab-separated rows. `path` tells tables of tabs, in which quotes are plain characters.
pub(super) fn extract(text: &str, path: &str) -> ExtractedDoc {
    let delimiter = delimiter(text, path);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .quoting(delimiter != b'\t')
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut rows: Vec<(u64, Vec<String>)> = Vec::new();
    let mut bad = 0_usize;
    for (row, number) in reader.records().zip(1_u64..) {
        match row {
            Ok(row) if row.iter().any(|cell| !cell.trim().is_empty()) => {
                let cell = |cell: &str| cell.split_whitespace().collect::<Vec<_>>().join(" ");
                rows.push((number, row.iter().map(cell).collect()));
            }
            Ok(_) => {}
            Err(_) => bad += 1,
        }
    }
    let mut doc = ExtractedDoc::of_text(String::with_capacity(text.len()));
    if bad > 0 {
        doc.notes.push(format!("{bad} rows could not be read and are missing; check their quotes"));
    }
    if delimiter != b'\t' && ends_in_quotes(text, delimiter) {
        doc.notes.push(
            "a quote is opened and never closed: all behind it was read as one cell; close it"
                .to_owned(),
        );
    }
    let header = rows.first().filter(|row| is_header(&row.1)).map(|row| row.1.clone());
    if let Some(header) = &header {
        rows.remove(0);
        let longer = rows
            .iter()
            .filter(|row| row.1.iter().skip(header.len()).any(|cell| !cell.is_empty()))
            .count();
        if longer > 0 {
            doc.notes.push(format!(
                "rows with more cells than there are names of columns: {longer}; the cells beyond stand without a name, and \
                 others may stand under a wrong one"
            ));
        }
    }
    let keyed = header.is_none() && is_keyed(&rows);
    let links = keyed && holds_links(&rows);
    for (number, cells) in rows {
        let (name, line) = match &header {
            Some(header) => (format!("row {number}"), labelled(header, &cells)),
            None if keyed && cells.len() > 1 => (cells[0].clone(), cells[1..].join("; ")),
            None => {
                let filled: Vec<&str> =
                    cells.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect();
                (format!("row {number}"), filled.join("; "))
            }
        };
        if line.is_empty() {
            continue;
        }
        let start = doc.text.len();
        if links {
            // References read as nothing without the verse or page that they start from.
            doc.text.push_str(&name);
            doc.text.push_str(": ");
        }
        doc.text.push_str(&line);
        if doc.text.len() > MOST_TEXT {
            doc.notes.push(format!(
                "rows from {number} on are missing: with column names the table exceeds {} MB; split it",
                MOST_TEXT >> 20
            ));
            break;
        }
        doc.records.push(RecordSpan { range: start..doc.text.len(), name, title: None, links });
        doc.text.push('\n');
    }
    doc
}

fn delimiter(text: &str, path: &str) -> u8 {
    let lower = path.to_ascii_lowercase();
    if [".tsv", ".tab"].iter().any(|extension| lower.ends_with(extension)) {
        return b'\t';
    }
    // The candidate that occurs in the most of the first lines; a comma when none does.
    let lines: Vec<&str> = text.lines().take(20).collect();
    let count = |mark: u8| lines.iter().filter(|line| line.as_bytes().contains(&mark)).count();
    let mut best = b',';
    for mark in [b';', b'\t', b'|'] {
        if count(mark) > count(best) {
            best = mark;
        }
    }
    best
}

/// Whether the text ends inside a quoted cell. A quote within a cell that does not begin with one is a plain character.
fn ends_in_quotes(text: &str, delimiter: u8) -> bool {
    let (mut is_open, mut begins) = (false, true);
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        if is_open {
            // Two quotes in a row are one, and close nothing.
            if byte == b'"' && bytes.next_if_eq(&b'"').is_none() {
                is_open = false;
            }
        } else {
            is_open = begins && byte == b'"';
            begins = byte == delimiter || byte == b'\n' || byte == b'\r';
        }
    }
    is_open
}

/// Names of columns: short, distinct, no values. Years may name columns, but not the first.
fn is_header(row: &[String]) -> bool {
    let distinct: BTreeSet<&String> = row.iter().collect();
    let digits =
        |text: &str| text.parse::<u32>().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()));
    let one_year = |cell: &str| digits(cell).filter(|_| cell.len() == 4);
    // "2024_25", "2024/2025": a year that runs over two.
    let two_years = |cell: &str| {
        let Some((first, second)) = cell.split_once(['_', '/', '-', '\u{2013}']) else {
            return false;
        };
        one_year(first).zip(digits(second)).is_some_and(|(first, next)| match second.len() {
            2 => (first + 1) % 100 == next,
            4 => first + 1 == next,
            _ => false,
        })
    };
    let year = |cell: &str| one_year(cell).is_some() || two_years(cell);
    row.len() > 1
        && distinct.len() == row.len()
        && row.iter().enumerate().all(|(column, cell)| {
            let named =
                cell.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '#');
            cell.len() <= 60
                && !cell.ends_with(['.', '!', '?'])
                && !(column == 0 && cell.contains(|c: char| c.is_ascii_digit()))
                && (named || column > 0 && (year(cell) || cell.is_empty()))
        })
}

/// Two columns, the first of which names the row ("Gen.1.1").
fn is_keyed(rows: &[(u64, Vec<String>)]) -> bool {
    let probe = &rows[..rows.len().min(PROBE_ROWS)];
    let keys: BTreeSet<&String> = probe.iter().filter_map(|row| row.1.first()).collect();
    keys.len() * 10 >= probe.len() * 9
        && probe.iter().all(|(_, row)| {
            row.len() == 2 && !row[0].is_empty() && row[0].len() <= 40 && !row[0].contains(' ')
        })
}

/// Whether the second column holds only references such as "1Chr.16.26".
fn holds_links(rows: &[(u64, Vec<String>)]) -> bool {
    let (mut references, mut words) = (0_usize, 0_usize);
    for (_, row) in rows.iter().take(PROBE_ROWS) {
        for word in row[1..].iter().flat_map(|cell| cell.split_whitespace()) {
            words += 1;
            references += usize::from(
                word.contains(|c: char| c.is_ascii_digit()) && word.contains(char::is_alphabetic),
            );
        }
    }
    words > 0 && references * 10 >= words * 8
}

fn labelled(header: &[String], cells: &[String]) -> String {
    let pairs: Vec<String> = cells
        .iter()
        .enumerate()
        .filter(|(_, cell)| !cell.is_empty())
        .map(|(column, cell)| match header.get(column).filter(|name| !name.is_empty()) {
            Some(name) => format!("{name}: {cell}"),
            None => cell.clone(),
        })
        .collect();
    pairs.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(doc: &ExtractedDoc) -> Vec<(&str, &str)> {
        doc.records
            .iter()
            .map(|record| (record.name.as_str(), &doc.text[record.range.clone()]))
            .collect()
    }

    #[test]
    fn rows_carry_their_column_names() {
        let doc = extract("site;robots;note\nGhent;12;\"cold;\nwet\"\nLyon;;x\n", "a.csv");
        assert_eq!(
            records(&doc),
            [
                ("row 2", "site: Ghent; robots: 12; note: cold; wet"),
                ("row 3", "site: Lyon; note: x")
            ]
        );
    }

    #[test]
    fn years_that_run_over_two_name_columns() {
        for (first, second) in
            [("2024_25", "2025_26"), ("2024/2025", "2025/2026"), ("2024", "2025")]
        {
            let doc = extract(
                &format!("item,estate,{first},{second}\nBedsit,Mill Field,82.50,84.73\n"),
                "a.csv",
            );
            let told = format!("item: Bedsit; estate: Mill Field; {first}: 82.50; {second}: 84.73");
            assert_eq!(records(&doc), [("row 2", told.as_str())]);
        }
        // Two numbers that are no year and the next are values.
        let doc = extract("Bedsit,Mill Field,2024-31\nCottage,Mill Field,2024-33\n", "a.csv");
        assert_eq!(records(&doc).len(), 2);
    }

    #[test]
    fn what_may_be_read_wrongly_is_told() {
        let notes = |text: &str, path: &str| extract(text, path).notes;
        let sound = "site,note\nGhent,\"cold, \"\"wet\"\"\"\nLyon,a 5\" pipe\nNice\n";
        assert_eq!(notes(sound, "a.csv"), Vec::<String>::new());
        let open = notes("site,note\nGhent,\"cold\nLyon,warm\n", "a.csv");
        assert!(open.len() == 1 && open[0].contains("never closed"), "{open:?}");
        let longer = notes("site,note\nGhent,cold,12\nLyon,warm\nNice,hot,9,9\n", "a.csv");
        assert!(longer.len() == 1 && longer[0].contains("columns: 2;"), "{longer:?}");
        // In a table of tabs quotes are plain characters, and a table without names has none to miss.
        assert_eq!(notes("Gen.1.1\t\"In the beginning,\n", "b.tsv"), Vec::<String>::new());
        assert_eq!(notes("1,2\n3,4,5\n", "c.csv"), Vec::<String>::new());
    }

    #[test]
    fn keyed_lines_need_no_header() {
        let doc = extract("Gen.1.1\t\"In the beginning,\nGen.1.2\tAnd the earth\n", "b.tsv");
        assert_eq!(
            records(&doc),
            [("Gen.1.1", "\"In the beginning,"), ("Gen.1.2", "And the earth")]
        );
        assert!(!doc.records[0].links);
    }

    #[test]
    fn links_are_marked() {
        let doc = extract("Gen.1.1\t1Chr.16.26 Ps.1.2\nGen.1.2\tIsa.4.1\n", "c.tsv");
        assert_eq!(records(&doc)[0], ("Gen.1.1", "Gen.1.1: 1Chr.16.26 Ps.1.2"));
        assert!(doc.records[0].links);
    }
}
