//! Rows of a table: a figure belongs to the row that it stands in.
//!
//! "| Hall | heat pump | 22,500 |" beside "| Lifeboat | radio | 9,600 |" holds every word of "the Hall received 9,600", and
//! bears out the opposite.

use super::ground::View;
use super::prepare::Prepared;
use super::quantity::Fit;
use super::quantity::{Quantity, fits};
use super::report::Report;
use elenchus_core::port::MismatchKind;
use elenchus_core::text::{is_stop_word, stem, words};

/// Share of the words of a row's first cell that a claim must have to be about that row.
const NAMED: f64 = 0.5;

/// Checks that the figures of a claim stand in the row that it names.
pub(super) fn rows(view: &View<'_>, report: &mut Report<'_>) {
    let rows: Vec<&Prepared> =
        view.evidence.iter().copied().filter(|p| first_cell(&p.text).is_some()).collect();
    if rows.is_empty() {
        return;
    }
    let said: Vec<String> = words(&view.claim.text).iter().map(|word| stem(word)).collect();
    let share = |row: &Prepared| {
        let name = first_cell(&row.text).unwrap_or_default();
        let name: Vec<String> =
            words(name).into_iter().filter(|word| !is_stop_word(word)).collect();
        let known = name.iter().filter(|word| said.contains(&stem(word))).count();
        if name.is_empty() { 0.0 } else { known as f64 / name.len() as f64 }
    };
    let best = rows.iter().map(|row| share(row)).fold(0.0, f64::max);
    if best < NAMED {
        return;
    }
    let own: Vec<&Prepared> = rows.iter().copied().filter(|row| share(row) >= best).collect();
    let figures =
        view.claim.quantities.iter().filter(|q| (q.figure || q.unit.is_some()) && !q.ordinal);
    for q in figures {
        let holds = |p: &Prepared| p.quantities.iter().any(|other| fits(q, other) == Fit::Holds);
        let in_prose = |p: &&Prepared| first_cell(&p.text).is_none() && holds(p);
        if own.iter().any(|row| holds(row)) || view.evidence.iter().copied().any(|p| in_prose(&p)) {
            continue;
        }
        let alike = |other: &&Quantity| {
            other.unit.map(|unit| unit.dimension) == q.unit.map(|unit| unit.dimension)
        };
        let told = own.iter().find_map(|row| {
            row.quantities.iter().find(alike).map(|other| super::amounts::slice(row, &other.tokens))
        });
        let elsewhere = rows.iter().any(|row| holds(row));
        if let Some(told) = told.or_else(|| elsewhere.then(|| "another row".to_owned())) {
            let figure = super::amounts::slice(view.claim, &q.tokens);
            let reason = format!("the claim says {figure}, the row that it names has {told}");
            report.add(MismatchKind::Number, q.tokens.clone(), Some(told), true, reason);
        }
    }
}

/// The first cell of a row of a table.
fn first_cell(text: &str) -> Option<&str> {
    let row = text.trim().strip_prefix('|')?;
    let (first, rest) = row.split_once('|')?;
    rest.contains('|').then(|| first.trim())
}
