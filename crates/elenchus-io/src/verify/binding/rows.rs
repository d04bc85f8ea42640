//! Rows of a table: a figure belongs to the row and the column that it stands in.
//!
//! "| Hall | heat pump | 22,500 |" beside "| Lifeboat | radio | 9,600 |" holds every word of "the Hall received 9,600", and
//! bears out the opposite; and so does "Grade: Total; Permanent: 23; Temporary: 5" for 23 temporary staff. Both forms of a row,
//! between bars and with the names of its columns, are read as one.

pub(super) mod trend;

use super::ground::View;
use super::prepare::{Kind, Prepared};
use super::quantity::{Fit, Quantity, fits};
use super::report::Report;
use crate::verify::tokens::{Pos, Token};
use elenchus_core::port::MismatchKind;
use elenchus_core::text::{is_stop_word, stem, words};
use std::ops::Range;

/// Share of the words of a row's first cell that a claim must have to be about that row, and of a column's name.
const NAMED: f64 = 0.5;

/// Names of columns and rows of more words are prose.
const LONGEST_NAME: usize = 8;

/// Tokens behind a figure in which the name of its column stands: "23 permanent staff".
const BEHIND: usize = 2;

/// One field of a row.
struct Cell<'a> {
    /// The name of its column; empty where it is not known.
    column: &'a str,
    text: &'a str,
    /// Bytes of the sentence that it stands in.
    at: Range<usize>,
}

/// A row of a table.
struct Row<'a> {
    sentence: &'a Prepared,
    cells: Vec<Cell<'a>>,
    is_piped: bool,
}

impl<'a> Row<'a> {
    /// What the row is about: its first cell.
    fn name(&self) -> &'a str {
        self.cells.first().map_or("", |cell| cell.text)
    }

    /// Whether it can only be the names of columns.
    fn is_header(&self) -> bool {
        let has_digit = |cell: &Cell<'_>| cell.text.contains(|c: char| c.is_ascii_digit());
        self.is_piped && !self.cells.iter().any(has_digit)
    }

    /// Whether it adds the others up.
    fn is_total(&self) -> bool {
        let name = words(self.name());
        let sums = |word: &String| {
            matches!(word.as_str(), "total" | "totals" | "overall" | "altogether" | "sum" | "all")
        };
        name.len() <= 3 && name.iter().any(sums)
    }

    /// The figures between two bytes of the sentence.
    fn within(&self, at: Range<usize>) -> impl Iterator<Item = &'a Quantity> {
        let Prepared { tokens, quantities, .. } = self.sentence;
        quantities
            .iter()
            .filter(move |q| tokens.get(q.at).is_some_and(|t| at.contains(&t.bytes.start)))
    }

    /// The figures of all cells.
    fn figures(&self) -> impl Iterator<Item = &'a Quantity> {
        let ends = self.cells.first().zip(self.cells.last());
        self.within(ends.map_or(0..0, |(first, last)| first.at.start..last.at.end))
    }

    fn cell_holds(&self, cell: usize, own: &Quantity) -> bool {
        let at = self.cells.get(cell).map_or(0..0, |cell| cell.at.clone());
        self.within(at).any(|other| holds(own, other))
    }

    fn holds(&self, own: &Quantity) -> bool {
        self.figures().any(|other| holds(own, other))
    }
}

fn holds(own: &Quantity, other: &Quantity) -> bool {
    own.unit.zip(other.unit).is_none_or(|(a, b)| a.comparable(b)) && fits(own, other) == Fit::Holds
}

/// "| Total | 23 | 5 |".
fn piped(line: &str, start: usize) -> Option<Vec<Cell<'_>>> {
    let indent = line.len() - line.trim_start().len();
    let row = line.trim().strip_prefix('|')?;
    let row = row.strip_suffix('|').unwrap_or(row);
    let mut at = start + indent + 1;
    let mut cells = Vec::new();
    for text in row.split('|') {
        cells.push(Cell { column: "", text: text.trim(), at: at..at + text.len() });
        at += text.len() + 1;
    }
    let is_rule = cells.iter().all(|cell| cell.text.chars().all(|c| matches!(c, '-' | ':')));
    (cells.len() > 1 && !is_rule).then_some(cells)
}

/// "Grade: Total; Permanent: 23; Temporary: 5"; the column of the names may have none itself: "Total; Permanent: 23".
fn joined(line: &str, start: usize) -> Option<Vec<Cell<'_>>> {
    let is_long = |name: &str| name.split_whitespace().nth(LONGEST_NAME).is_some();
    let mut at = start;
    let mut cells = Vec::new();
    for piece in line.trim_end().split("; ") {
        let (column, text, skip) = match piece.split_once(": ") {
            Some((column, text)) => (column, text, column.len() + 2),
            None => match piece.strip_suffix(':') {
                Some(column) => (column, "", piece.len()),
                None if cells.is_empty() && !is_long(piece) => ("", piece, 0),
                None => return None,
            },
        };
        if is_long(column) {
            return None;
        }
        let (column, text) = (column.trim(), text.trim());
        cells.push(Cell { column, text, at: at + skip..at + piece.len() });
        at += piece.len() + 2;
    }
    (cells.len() > 1).then_some(cells)
}

/// The rows of a table in one sentence: one a line.
fn rows_of<'a>(sentence: &'a Prepared, rows: &mut Vec<Row<'a>>) {
    if !sentence.text.contains(['|', ';']) {
        return;
    }
    let mut start = 0;
    for line in sentence.text.split_inclusive('\n') {
        if let Some(cells) = piped(line, start) {
            rows.push(Row { sentence, cells, is_piped: true });
        } else if let Some(cells) = joined(line, start) {
            rows.push(Row { sentence, cells, is_piped: false });
        }
        start += line.len();
    }
}

/// Gives rows between bars the names of their columns: from the first row of their own sentence, or from the only row without a
/// figure that is as long. Rows that only name columns are taken out.
fn name_columns<'a>(rows: &mut Vec<Row<'a>>) {
    let header_of = |at: usize| {
        let row = &rows[at];
        let is_header_of = |other: &usize| {
            let header = &rows[*other];
            *other != at && header.is_header() && header.cells.len() == row.cells.len()
        };
        let is_here =
            |other: &Row<'_>| other.is_piped && std::ptr::eq(other.sentence, row.sentence);
        let first = rows.iter().position(is_here);
        let mut others = (0..rows.len()).filter(is_header_of);
        let only = others.next().filter(|_| others.next().is_none());
        match first.filter(is_header_of) {
            Some(first) => Some((first, true)),
            None => only.filter(|_| !row.is_header()).map(|only| (only, false)),
        }
    };
    let headers: Vec<Option<(usize, bool)>> =
        (0..rows.len()).map(|at| if rows[at].is_piped { header_of(at) } else { None }).collect();
    let names: Vec<Vec<&'a str>> =
        rows.iter().map(|row| row.cells.iter().map(|cell| cell.text).collect()).collect();
    for (row, header) in rows.iter_mut().zip(&headers) {
        let Some(names) = header.and_then(|(at, _)| names.get(at)) else { continue };
        for (cell, name) in row.cells.iter_mut().zip(names) {
            cell.column = *name;
        }
    }
    // A row that stands elsewhere may still be one of its own.
    let mut at = 0;
    rows.retain(|_| {
        at += 1;
        !headers.contains(&Some((at - 1, true)))
    });
}

/// A claim over the rows of its evidence.
struct Table<'a> {
    claim: &'a Prepared,
    /// The stems of the claim's words.
    said: Vec<String>,
    rows: Vec<Row<'a>>,
    /// The figures of the claim.
    figures: Vec<&'a Quantity>,
}

impl<'a> Table<'a> {
    /// Share of the words of a name that the claim has.
    fn share(&self, name: &str) -> f64 {
        let name: Vec<String> =
            words(name).into_iter().filter(|word| !is_stop_word(word)).collect();
        let known = name.iter().filter(|word| self.said.contains(&stem(word))).count();
        if name.is_empty() { 0.0 } else { known as f64 / name.len() as f64 }
    }

    /// The rows that the claim names.
    fn named_rows(&self) -> Vec<&Row<'a>> {
        let best = self.rows.iter().map(|row| self.share(row.name())).fold(0.0, f64::max);
        if best < NAMED {
            return Vec::new();
        }
        self.rows.iter().filter(|row| self.share(row.name()) >= best).collect()
    }

    /// The columns of a row that the claim names, the one of the names aside.
    fn named_columns(&self, row: &Row<'_>) -> Vec<usize> {
        let shares: Vec<f64> = row.cells.iter().map(|cell| self.share(cell.column)).collect();
        let best = shares.iter().skip(1).copied().fold(NAMED, f64::max);
        (1..shares.len()).filter(|at| shares[*at] >= best).collect()
    }

    /// Of several named columns the one whose name stands right behind a figure, if each figure of the claim has one of its own.
    fn column_of(&self, own: &Quantity, row: &Row<'_>, columns: &[usize]) -> Option<usize> {
        let place = |q: &Quantity| {
            let behind = self.claim.tokens.get(q.tokens.end..)?;
            let behind = &behind[..behind.len().min(BEHIND)];
            let mut found = columns.iter().filter(|at| {
                let names = words(row.cells[**at].column);
                names.iter().any(|name| behind.iter().any(|token| token.stem == stem(name)))
            });
            found.next().filter(|_| found.next().is_none()).copied()
        };
        let places: Option<Vec<usize>> = self.figures.iter().copied().map(place).collect();
        let places = places?;
        let is_apart = places.iter().enumerate().all(|(n, at)| !places[..n].contains(at));
        let at = self.figures.iter().position(|q| q.at == own.at)?;
        places.get(at).copied().filter(|_| is_apart)
    }

    /// A figure that stands in another column than the claim says: what the named one has, and in which row.
    fn misplaced(&self, own: &Quantity, rows: &[&Row<'a>]) -> Option<(&'a str, &'a str, &'a str)> {
        let mut found = None;
        for row in rows {
            let named = self.named_columns(row);
            let own_column = self.column_of(own, row, &named).filter(|_| named.len() > 1);
            let is_paired = own_column.is_some();
            let columns = own_column.map_or(named, |at| vec![at]);
            if columns.iter().any(|at| row.cell_holds(*at, own)) {
                return None;
            }
            // A column of which the claim has a word that the named ones lack is spoken of, too, unless it has its own figure.
            let is_unnamed = |at: usize| {
                let name = words(row.cells[at].column);
                let mut known = name.iter().filter(|word| self.said.contains(&stem(word)));
                known.all(|word| {
                    let has = |at: &usize| words(row.cells[*at].column).contains(word);
                    is_stop_word(word) || columns.iter().any(has)
                })
            };
            let elsewhere = (1..row.cells.len()).any(|at| {
                !columns.contains(&at) && row.cell_holds(at, own) && (is_paired || is_unnamed(at))
            });
            let told = columns.iter().map(|at| &row.cells[*at]).find(|cell| !cell.text.is_empty());
            if let Some(cell) = told.filter(|_| elsewhere) {
                found = found.or(Some((cell.column, cell.text, row.name())));
            }
        }
        found
    }
}

/// Checks that the figures of a claim stand in the row and the column that it names. A claim that names a column and no row is
/// one about the row that adds the others up.
pub(super) fn rows(view: &View<'_>, report: &mut Report<'_>) {
    let mut found = Vec::new();
    for sentence in view.evidence.iter().copied() {
        rows_of(sentence, &mut found);
    }
    if found.is_empty() {
        return;
    }
    name_columns(&mut found);
    let quantities = view.claim.quantities.iter();
    let table = Table {
        claim: view.claim,
        said: words(&view.claim.text).iter().map(|word| stem(word)).collect(),
        rows: found,
        figures: quantities.filter(|q| (q.figure || q.unit.is_some()) && !q.ordinal).collect(),
    };
    let own = table.named_rows();
    // "One grade has 18": what the rows are is spoken of, not their sum.
    let is_total = |row: &&Row<'_>| {
        let kind = row.cells.first().map_or("", |cell| cell.column);
        row.is_total() && table.share(kind) < NAMED
    };
    let totals: Vec<&Row<'_>> = table.rows.iter().filter(is_total).collect();
    let asked = if own.is_empty() { &totals } else { &own };
    let in_prose = |q: &Quantity| {
        let is_row = |p: &Prepared| table.rows.iter().any(|row| std::ptr::eq(row.sentence, p));
        view.evidence.iter().any(|p| !is_row(p) && p.quantities.iter().any(|other| holds(q, other)))
    };
    let is_product = |q: &Quantity| super::amounts::product(view, q).is_some();
    for q in table.figures.iter().copied().filter(|q| !in_prose(q) && !is_product(q)) {
        let figure = super::amounts::slice(view.claim, &q.tokens);
        if let Some((column, text, row)) = table.misplaced(q, asked) {
            let reason =
                format!("the claim says {figure}, under “{column}” the row “{row}” has {text}");
            let told = Some(text.to_owned());
            report.add(MismatchKind::Number, q.tokens.clone(), told, true, reason);
        } else if let Some(told) = another_row(&table, &own, q) {
            let reason = format!("the claim says {figure}, the row that it names has {told}");
            report.add(MismatchKind::Number, q.tokens.clone(), Some(told), true, reason);
        }
    }
}

/// Whether all of the evidence is rows about other things than the claim: "name: rope; price: 7" for the price of the anvil.
/// Rows of years and of sums, and those without a name, are about whatever the table is about.
pub(super) fn is_of_others(view: &View<'_>) -> bool {
    let mut found = Vec::new();
    for sentence in view.evidence.iter().copied() {
        let before = found.len();
        rows_of(sentence, &mut found);
        if found.len() == before && sentence.tokens.iter().any(|token| !token.is_mark()) {
            return false;
        }
    }
    name_columns(&mut found);
    let own = joined(&view.claim.text, 0).unwrap_or_default();
    let said: Vec<String> = words(&view.claim.text).iter().map(|word| stem(word)).collect();
    let named: Vec<String> = (0..view.claim.tokens.len())
        .filter(|at| view.claim.items[*at].kind == Kind::Name)
        .map(|at| stem(&view.claim.tokens[at].lower))
        .collect();
    let has_digit = |word: &String| word.contains(|c: char| c.is_ascii_digit());
    let is_other = |row: &Row<'_>| {
        if is_beside(&own, row) {
            return own[1..].iter().zip(&row.cells[1..]).any(|(a, b)| a.text != b.text)
                && words(own[0].text) != words(row.name());
        }
        if is_alongside(&own, row) {
            return is_of_another_name(own[0].text, row.name());
        }
        let mut name = words(row.name());
        name.retain(|word| !is_stop_word(word));
        !name.is_empty()
            && !name.iter().any(has_digit)
            && !row.is_total()
            && !row.is_header()
            && !name.iter().any(|word| said.contains(&stem(word)))
            // "Role: Lifeguard; Holder: Ann Lee" is about Ann Lee too.
            && !row.cells.iter().any(|cell| words(cell.text).iter().any(|word| named.contains(&stem(word))))
    };
    !found.is_empty() && found.iter().all(is_other)
}

/// A thing that a claim names by what the first column is about, where all of the evidence is rows of others: "the Oak room" for
/// the row of the Elm room.
pub(super) fn named_otherwise(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    let mut found = Vec::new();
    for sentence in view.evidence.iter().copied() {
        rows_of(sentence, &mut found);
    }
    name_columns(&mut found);
    let kind_of = |row: &Row<'_>| words(row.cells.first().map_or("", |cell| cell.column));
    let Some(first) = found.first() else { return };
    let kind = kind_of(first);
    let in_rows = |token: &Token| {
        let has = |text: &str| words(text).iter().any(|word| stem(word) == token.stem);
        found.iter().any(|row| row.cells.iter().any(|cell| has(cell.column) || has(cell.text)))
    };
    let is_name = |at: &usize| {
        claim.tokens.get(*at).is_some_and(|token| {
            token.is_capital()
                && matches!(token.pos, Pos::Noun | Pos::ProperNoun)
                && !is_stop_word(&token.lower)
                && !in_rows(token)
        })
    };
    let named = (0..claim.tokens.len())
        .filter(|at| kind.contains(&claim.tokens[*at].lower))
        .find_map(|at| at.checked_sub(1).filter(is_name).or(Some(at + 1).filter(is_name)));
    let Some(at) = named.filter(|_| found.iter().all(|row| kind_of(row) == kind)) else { return };
    let row = first.name();
    let own = &claim.tokens[at].text;
    report.checked(MismatchKind::Entity);
    let reason = format!("the claim is about “{own}”, the row about “{row}”");
    report.add(MismatchKind::Entity, at..at + 1, Some(row.to_owned()), false, reason);
}

/// Whether two rows have the same columns, so that what stands first tells what each is about.
fn is_beside(own: &[Cell<'_>], row: &Row<'_>) -> bool {
    let same = |(a, b): (&Cell<'_>, &Cell<'_>)| {
        !a.column.is_empty() && a.column.eq_ignore_ascii_case(b.column)
    };
    own.len() > 1 && own.len() == row.cells.len() && own.iter().zip(&row.cells).all(same)
}

/// Whether one of two rows of a list only leaves a field away that is empty in it: "item: rope; price: 7; note: hemp" beside
/// "item: twine; price: 3".
fn is_alongside(own: &[Cell<'_>], row: &Row<'_>) -> bool {
    let has = |cells: &[Cell<'_>], name: &str| {
        cells.iter().any(|cell| cell.column.eq_ignore_ascii_case(name))
    };
    let other = row.cells.as_slice();
    let (few, many) = if own.len() < other.len() { (own, other) } else { (other, own) };
    let first = own.first().zip(other.first());
    few.len() > 1
        && few.len() < many.len()
        && first.is_some_and(|(a, b)| a.column.eq_ignore_ascii_case(b.column))
        && few.iter().all(|cell| !cell.column.is_empty() && has(many, cell.column))
}

/// Whether each of two names has a word that the other has not: "spring boots" and "winter boots".
fn is_of_another_name(one: &str, other: &str) -> bool {
    let (one, other) = (words(one), words(other));
    one.iter().any(|word| !other.contains(word)) && other.iter().any(|word| !one.contains(word))
}

/// What the row that a claim names has in place of a figure that it does not have.
fn another_row(table: &Table<'_>, own: &[&Row<'_>], q: &Quantity) -> Option<String> {
    if own.is_empty() || own.iter().any(|row| row.holds(q)) {
        return None;
    }
    let is_said = |other: &Quantity| table.figures.iter().any(|figure| holds(figure, other));
    let alike = |other: &&Quantity| {
        other.unit.map(|unit| unit.dimension) == q.unit.map(|unit| unit.dimension)
            && !is_said(other)
    };
    let told = own.iter().find_map(|row| {
        let other = row.figures().find(alike)?;
        Some(super::amounts::slice(row.sentence, &other.tokens))
    });
    // A claim with another figure of the row may have this one from elsewhere: "190 members, up from 178".
    let is_lone = !table.figures.iter().any(|figure| own.iter().any(|row| row.holds(figure)));
    let elsewhere = is_lone && table.rows.iter().any(|row| row.holds(q));
    told.or_else(|| elsewhere.then(|| "another row".to_owned()))
}

/// Which of two columns a claim says holds more: "more cats than dogs".
struct Comparison {
    /// The claim's tokens, from "more" to the second thing.
    tokens: Range<usize>,
    /// Stems of the words for each.
    sides: [Vec<String>; 2],
    is_more: bool,
}

/// Tokens between "more" and "than" at most.
const COMPARED: usize = 5;

/// "More cats than dogs", "fewer cats than dogs", and nothing of a number.
fn comparison(claim: &Prepared) -> Option<Comparison> {
    let lower = |at: usize| claim.tokens.get(at).map_or("", |token| token.lower.as_str());
    let from = (0..claim.tokens.len()).find(|at| matches!(lower(*at), "more" | "fewer"))?;
    let than = (from + 1..claim.tokens.len()).take(COMPARED).find(|at| lower(*at) == "than")?;
    let is_word = |at: &usize| claim.items[*at].kind != Kind::Number && claim.is_content(*at);
    let stems = |range: Range<usize>| -> Vec<String> {
        range.filter(is_word).map(|at| stem(&claim.tokens[at].lower)).collect()
    };
    // "More cats than dogs were seen": the second one is a word before the verb or the next mark.
    let is_noun =
        |at: &usize| matches!(claim.tokens[*at].pos, Pos::Noun | Pos::ProperNoun | Pos::Adjective);
    let end = than + 1 + (than + 1..claim.tokens.len()).take_while(is_noun).count();
    let sides = [stems(from + 1..than), stems(than + 1..end)];
    let is_plain = claim.negators.is_empty()
        && !claim.hedges
        && from.checked_sub(1).is_none_or(|at| !matches!(lower(at), "no" | "not"))
        && sides.iter().all(|side| !side.is_empty());
    is_plain.then(|| Comparison { tokens: from..end, sides, is_more: lower(from) == "more" })
}

/// Whether a claim names a row with every word of its name; "Q4" is "the fourth quarter", too.
fn is_named(said: &[String], claim: &Prepared, row: &Row<'_>) -> bool {
    let has_quarter = |word: &str| {
        let ordinal = match word {
            "q1" => "first",
            "q2" => "second",
            "q3" => "third",
            "q4" => "fourth",
            _ => return false,
        };
        let is_it = |pair: &[Token]| pair[0].lower == ordinal && pair[1].lower == "quarter";
        claim.tokens.windows(2).any(is_it)
    };
    let mut name = words(row.name());
    name.retain(|word| !is_stop_word(word));
    !name.is_empty() && name.iter().all(|word| said.contains(&stem(word)) || has_quarter(word))
}

/// Checks which of two columns of the row that it names a claim says holds more.
pub(super) fn compared(view: &View<'_>, report: &mut Report<'_>) {
    let Some(own) = comparison(view.claim) else { return };
    let mut found = Vec::new();
    for sentence in view.evidence.iter().copied() {
        rows_of(sentence, &mut found);
    }
    name_columns(&mut found);
    let said: Vec<String> = words(&view.claim.text).iter().map(|word| stem(word)).collect();
    for row in found.iter().filter(|row| is_named(&said, view.claim, row)) {
        // The one column that has all words of a side.
        let figure = |side: &[String]| {
            let is_of_it = |at: &usize| {
                let name: Vec<String> =
                    words(row.cells[*at].column).iter().map(|word| stem(word)).collect();
                side.iter().all(|word| name.contains(word))
            };
            let mut columns = (1..row.cells.len()).filter(is_of_it);
            let only = columns.next().filter(|_| columns.next().is_none())?;
            let mut figures = row.within(row.cells[only].at.clone());
            let one = figures.next().filter(|_| figures.next().is_none())?;
            Some((only, one))
        };
        let (Some((a, one)), Some((b, other))) = (figure(&own.sides[0]), figure(&own.sides[1]))
        else {
            continue;
        };
        let is_alike = match (one.unit, other.unit) {
            (None, None) => true,
            (Some(a), Some(b)) => a.same(b),
            _ => false,
        };
        if a == b || !is_alike || one.ordinal || other.ordinal {
            continue;
        }
        report.checked(MismatchKind::Comparative);
        let is_so = if own.is_more { one.low > other.high } else { one.high < other.low };
        if is_so {
            report.matched(MismatchKind::Comparative);
            continue;
        }
        let (first, second) = (row.cells[a].text, row.cells[b].text);
        let claimed = super::amounts::slice(view.claim, &own.tokens);
        let name = row.name();
        let reason =
            format!("the claim says “{claimed}”, the row “{name}” has {first} and {second}");
        let told = Some(format!("{first} and {second}"));
        report.surely();
        report.add(MismatchKind::Comparative, own.tokens.clone(), told, true, reason);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Against;
    use super::super::tests::run;

    #[test]
    fn two_counts_of_one_row_are_compared() {
        let row = "Quarter: Q2 2024; Repairs of tractors: 41; Repairs of trucks: 67; Accidents: 1";
        let piped = "| Quarter | Repairs of tractors | Repairs of trucks |\n|---|---|---|\n\
                     | Q2 2024 | 41 | 67 |";
        for evidence in [row, piped] {
            for (claim, is_false) in [
                ("More tractors than trucks were repaired in the second quarter of 2024.", true),
                ("More trucks than tractors were repaired in the second quarter of 2024.", false),
                ("Fewer trucks than tractors were repaired in Q2 2024.", true),
                ("Fewer tractors than trucks were repaired in Q2 2024.", false),
                // That is another row.
                ("More tractors than trucks were repaired in the first quarter of 2024.", false),
                ("More tractors than trucks were repaired in the second quarter of 2023.", false),
            ] {
                let found = run(claim, &[evidence]);
                assert_eq!(found.against == Against::Surely, is_false, "{claim:?}: {found:?}");
            }
        }
    }

    #[test]
    fn a_row_of_another_name_bears_nothing_out() {
        let elm = "Room: Elm; Floor: First; Seats: 18; Keeper: Ruth Hale";
        let is_other = |claim: &str, evidence: &[&str]| {
            let found = run(claim, evidence);
            found.mismatches.iter().any(|m| !m.contradicts && m.reason.contains("the row about"))
        };
        assert!(is_other("Oak room has 18 seats.", &[elm]));
        for claim in ["Elm room has 18 seats.", "The room has 18 seats.", "Rooms have 18 seats."] {
            assert!(!is_other(claim, &[elm]), "{claim}");
        }
        assert!(!is_other("Oak room has 18 seats.", &[elm, "Room: Oak; Floor: First; Seats: 18"]));
    }
}
