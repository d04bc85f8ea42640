//! What was noticed when, by type.

use super::draw::{Anchor, DASHES, Pen, WIDTH, add, counted};
use super::timeline::took;
use super::{Figure, MOST_ROWS, Table};
use std::collections::BTreeMap;

/// Things that are drawn.
const MOST: usize = 60;

/// Something that was noticed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Noticed {
    /// What it says; cut where it is too long.
    pub label: String,
    /// Its type.
    pub kind: String,
    /// When the last of what it rests on had been read, in milliseconds from the beginning; `None` where that is not known.
    pub ready: Option<u64>,
    /// When it was noticed, in milliseconds from the beginning.
    pub at: u64,
    /// Where it can be read: `#...` or `/...`; empty for nowhere.
    pub link: String,
}

/// A line for each, the types below each other: a marker where it was noticed, and before it a line from when all that it rests
/// on had been read. The axis goes from 0 to `until` milliseconds. At most 60 are drawn.
pub fn noticed(id: &str, until: u64, found: &[Noticed]) -> Figure {
    let mut by_kind: BTreeMap<&str, Vec<&Noticed>> = BTreeMap::new();
    for one in found {
        by_kind.entry(&one.kind).or_default().push(one);
    }
    for all in by_kind.values_mut() {
        all.sort_by_key(|one| (one.at, one.ready));
    }
    let whole = found.iter().map(|one| one.at).fold(until, u64::max).max(1);
    let (left, right) = (6.0, WIDTH - 6.0);
    let x = |at: u64| left + (right - left) * (at as f64 / whole as f64);
    let mut pen = Pen::new(id);
    let (mut y, mut drawn) = (0.0, 0);
    for (nth, (kind, all)) in by_kind.iter().enumerate() {
        if drawn >= MOST {
            break;
        }
        pen.text(0.0, y + 12.0, Anchor::Start, WIDTH, &format!("{kind}: {}", all.len()));
        y += 18.0;
        for one in all.iter().take(MOST - drawn) {
            drawn += 1;
            pen.line((left, y + 6.0), (right, y + 6.0), "grid", "");
            let begun = pen.begin_link(&one.link, &format!("{kind}: {}", one.label));
            if let Some(ready) = one.ready.filter(|ready| *ready < one.at) {
                let dash = DASHES[nth % DASHES.len()];
                pen.line((x(ready), y + 6.0), (x(one.at), y + 6.0), "ink", dash);
            }
            pen.marker(nth, x(one.at), y + 6.0, &format!("f{}", nth % 6 + 1));
            pen.end_link(begun);
            y += 13.0;
        }
    }
    pen.text(0.0, y + 14.0, Anchor::Start, 100.0, "0");
    pen.text(WIDTH, y + 14.0, Anchor::End, 200.0, &took(whole));
    pen.text(0.0, y + 30.0, Anchor::Start, WIDTH, "sign: noticed; line: since all of it was read");
    let mut summary = match by_kind.len() {
        0 => "Nothing was noticed.".to_owned(),
        kinds => {
            let (all, types) = (counted(found.len(), "insight"), counted(kinds, "type"));
            format!("{all} of {types} within {}.", took(whole))
        }
    };
    let first = found.iter().filter_map(|one| Some((one.ready?, one))).min_by_key(|one| one.0);
    if let Some((ready, one)) = first {
        add(
            &mut summary,
            format_args!(
                " The first of which all had been read, after {}, was noticed after {}.",
                took(ready),
                took(one.at)
            ),
        );
    }
    if drawn < found.len() {
        add(&mut summary, format_args!(" {} are not drawn.", found.len() - drawn));
    }
    let rows: Vec<&Noticed> = by_kind.into_values().flatten().collect();
    let table = Table::new(&["Insight", "Type", "All of it read after", "Noticed after"]).filled(
        &rows,
        MOST_ROWS,
        |_, one| {
            let ready = one.ready.map_or_else(|| "unknown".to_owned(), took);
            vec![one.label.clone(), one.kind.clone(), ready, took(one.at)]
        },
    );
    pen.finish(y + 38.0, "What was noticed when", &summary, table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(kind: &str, ready: Option<u64>, at: u64) -> Noticed {
        Noticed {
            label: format!("{kind} at {at}"),
            kind: kind.to_owned(),
            ready,
            at,
            link: String::new(),
        }
    }

    #[test]
    fn signs_stand_on_the_axis_of_time() {
        let found =
            [one("Trend", Some(250), 500), one("Tension", None, 1_000), one("Trend", None, 100)];
        let figure = noticed("n", 1_000, &found);
        assert_eq!(
            figure.summary,
            "3 insights of 2 types within 1 s. The first of which all had been read, after 250 ms, was noticed after 500 ms."
        );
        let read: Vec<[&str; 3]> =
            figure.table.rows.iter().map(|row| [&*row[1], &*row[2], &*row[3]]).collect();
        assert_eq!(
            read,
            [
                ["Tension", "unknown", "1 s"],
                ["Trend", "unknown", "100 ms"],
                ["Trend", "250 ms", "500 ms"]
            ]
        );
        // Half of the time is the middle of the axis, and a line leads there from a quarter.
        assert!(figure.svg.contains("d=\"M83 68L160 68\""), "{}", figure.svg);
    }

    #[test]
    fn nothing_is_an_empty_axis() {
        let figure = noticed("n", 0, &[]);
        assert_eq!(figure.summary, "Nothing was noticed.");
    }
}
