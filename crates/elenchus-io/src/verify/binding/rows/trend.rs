//! Which way two columns of years go: "| Alm | 16 | 18 |" under "Guests 2024" and "Guests 2023".

use super::{Row, is_named, name_columns, rows_of};
use crate::verify::binding::amounts::slice;
use crate::verify::binding::ground::View;
use crate::verify::binding::lexicon;
use crate::verify::binding::prepare::Prepared;
use crate::verify::binding::quantity::Quantity;
use crate::verify::binding::report::Report;
use crate::verify::tokens::Pos;
use elenchus_core::port::MismatchKind;
use elenchus_core::text::{is_stop_word, stem, words};

/// The row of opposites that says more and less.
const MORE_AND_LESS: u8 = 0;

/// A column of one year.
struct Yearly {
    /// The stems of its name, the year aside.
    name: Vec<String>,
    year: i32,
    cell: usize,
}

fn year(word: &str) -> Option<i32> {
    let is_year = word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
    is_year.then(|| word.parse().ok()).flatten().filter(|year| (1400..=2199).contains(year))
}

/// The stems of the words of a name that are neither years nor empty.
fn stems(name: &[String]) -> Vec<String> {
    let is_word = |word: &&String| year(word).is_none() && !is_stop_word(word);
    name.iter().filter(is_word).map(|word| stem(word)).collect()
}

fn yearly(column: &str, cell: usize) -> Option<Yearly> {
    let all = words(column);
    let mut years = all.iter().filter_map(|word| year(word));
    let year = years.next().filter(|_| years.next().is_none())?;
    let name = stems(&all);
    (!name.is_empty()).then_some(Yearly { name, year, cell })
}

/// The only verb of a claim that says that something became more or less, and which of them.
fn direction(claim: &Prepared) -> Option<(usize, bool)> {
    let side = |at: usize| {
        let token = &claim.tokens[at];
        let is_verb = token.pos == Pos::Verb || matches!(token.lower.as_str(), "rose" | "fell");
        let mut sides = lexicon::sides_of(&token.lower, &token.stem).iter();
        let found = sides.find(|side| side.row == MORE_AND_LESS).filter(|_| is_verb)?;
        Some((at, found.first))
    };
    let mut found = (0..claim.tokens.len()).filter_map(side);
    found.next().filter(|_| found.next().is_none())
}

/// The years of a claim, in order.
fn years(claim: &Prepared) -> Vec<i32> {
    let spans = claim.dates.iter().filter_map(|date| date.years);
    let mut found: Vec<i32> = spans.flat_map(|(first, last)| [first, last]).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The columns of years that a claim speaks of, if they are all of one thing and it speaks of no other column.
fn columns(row: &Row<'_>, said: &[String]) -> Vec<Yearly> {
    let is_said = |name: &[String]| !name.is_empty() && name.iter().all(|word| said.contains(word));
    let found: Vec<Yearly> = (1..row.cells.len())
        .filter_map(|at| yearly(row.cells[at].column, at))
        .filter(|column| is_said(&column.name))
        .collect();
    let has_other = (1..row.cells.len()).any(|at| {
        let name = row.cells[at].column;
        yearly(name, at).is_none() && is_said(&stems(&words(name)))
    });
    let is_of_one = found.windows(2).all(|pair| pair[0].name == pair[1].name);
    if has_other || !is_of_one { Vec::new() } else { found }
}

/// The two years that a claim compares.
fn compared(claim: &Prepared, columns: &[Yearly]) -> Option<(i32, i32)> {
    match (years(claim).as_slice(), columns) {
        ([from, to], _) => Some((*from, *to)),
        ([to], _) => Some((*to - 1, *to)),
        ([], [one, two]) => Some((one.year.min(two.year), one.year.max(two.year))),
        _ => None,
    }
}

/// The only figure of the only column of a year.
fn figure<'a>(row: &Row<'a>, columns: &[Yearly], year: i32) -> Option<(&'a Quantity, usize)> {
    let mut found = columns.iter().filter(|column| column.year == year);
    let only = found.next().filter(|_| found.next().is_none())?;
    let mut figures = row.within(row.cells[only.cell].at.clone());
    let one = figures.next().filter(|_| figures.next().is_none())?;
    (!one.ordinal).then_some((one, only.cell))
}

/// Checks whether what a claim says to have risen or fallen did so in the row that it names.
pub(in crate::verify::binding) fn trends(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    let is_plain = claim.negators.is_empty() && !claim.hedges;
    let Some((verb, is_up)) = direction(claim).filter(|_| is_plain) else { return };
    let mut rows = Vec::new();
    for sentence in view.evidence.iter().copied() {
        rows_of(sentence, &mut rows);
    }
    name_columns(&mut rows);
    let said: Vec<String> = words(&claim.text).iter().map(|word| stem(word)).collect();
    for row in rows.iter().filter(|row| is_named(&said, claim, row)) {
        let columns = columns(row, &said);
        let Some((from, to)) = compared(claim, &columns) else { continue };
        let (Some((before, a)), Some((after, b))) =
            (figure(row, &columns, from), figure(row, &columns, to))
        else {
            continue;
        };
        let is_alike = match (before.unit, after.unit) {
            (None, None) => true,
            (Some(a), Some(b)) => a.same(b),
            _ => false,
        };
        if !is_alike {
            continue;
        }
        report.checked(MismatchKind::Polarity);
        let is_so = if is_up { after.low > before.high } else { after.high < before.low };
        if is_so {
            report.matched(MismatchKind::Polarity);
            continue;
        }
        let (first, second) = (row.cells[a].text, row.cells[b].text);
        let told = format!("{first} in {from}, {second} in {to}");
        let own = slice(claim, &(verb..verb + 1));
        let name = row.name();
        let reason = format!("the claim says “{own}”, the row “{name}” has {told}");
        report.surely();
        report.add(MismatchKind::Polarity, verb..verb + 1, Some(told), true, reason);
    }
}

#[cfg(test)]
mod tests {
    use crate::verify::binding::Against;
    use crate::verify::binding::tests::run;

    #[test]
    fn two_years_of_a_row_go_one_way() {
        let row = "Harbour: Alm; Boats: 40; Guests 2024: 1,600; Guests 2023: 1,900; Berths 2024: 9";
        for (claim, is_false) in [
            ("Guests at Alm increased from 2023 to 2024.", true),
            ("Guests at Alm decreased from 2023 to 2024.", false),
            ("Guests at Alm increased in 2024.", true),
            ("Guests at Alm increased.", true),
            ("Guests at Alm did not increase in 2024.", false),
            // Of another place, another time, another thing.
            ("Guests at Bree increased from 2023 to 2024.", false),
            ("Guests at Alm increased from 2021 to 2022.", false),
            ("Fees at Alm increased from 2023 to 2024.", false),
        ] {
            let found = run(claim, &[row]);
            assert_eq!(found.against == Against::Surely, is_false, "{claim:?}: {found:?}");
        }
    }
}
