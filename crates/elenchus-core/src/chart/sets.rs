//! What several have in common.

use super::draw::{Anchor, Pen, WIDTH, add, counted};
use super::{Figure, MOST_ROWS, Table};
use std::collections::{BTreeMap, BTreeSet};

/// Intersections that are drawn.
const MOST: usize = 20;
/// Sets that are drawn as rows.
const MOST_SETS: usize = 10;

/// A set with a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelledSet {
    /// Its name.
    pub label: String,
    /// What is in it.
    pub members: BTreeSet<String>,
}

/// Members by the sets that they are in, and in no other.
fn regions(sets: &[LabelledSet]) -> BTreeMap<Vec<usize>, usize> {
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, set) in sets.iter().enumerate() {
        for member in &set.members {
            places.entry(member).or_default().push(at);
        }
    }
    let mut out = BTreeMap::new();
    for place in places.into_values() {
        *out.entry(place).or_insert(0) += 1;
    }
    out
}

fn names(sets: &[LabelledSet], region: &[usize]) -> String {
    const NAMED: usize = 12;
    let mut names: Vec<&str> = region
        .iter()
        .take(NAMED)
        .filter_map(|&at| sets.get(at))
        .map(|set| set.label.as_str())
        .collect();
    if region.len() > NAMED {
        names.push("\u{2026}");
    }
    names.join(" and ")
}

fn told(sets: &[LabelledSet], regions: &BTreeMap<Vec<usize>, usize>) -> String {
    let all = regions.values().sum::<usize>();
    let shared: usize = regions.iter().filter(|(sets, _)| sets.len() > 1).map(|(_, n)| n).sum();
    let every = regions.iter().find(|(at, _)| at.len() == sets.len()).map_or(0, |(_, n)| *n);
    let mut out =
        format!("{} in {}: {shared} shared", counted(all, "item"), counted(sets.len(), "set"));
    if sets.len() > 2 {
        add(&mut out, format_args!(", {every} by all"));
    }
    out.push('.');
    for (at, set) in sets.iter().take(MOST_SETS).enumerate() {
        let alone = regions.get(&vec![at]).copied().unwrap_or(0);
        add(
            &mut out,
            format_args!(" {}: {}, {alone} of them only there.", set.label, set.members.len()),
        );
    }
    out
}

fn listed(sets: &[LabelledSet], regions: &[(Vec<usize>, usize)]) -> Table {
    Table::new(&["In exactly", "Items"])
        .filled(regions, MOST_ROWS, |_, (region, n)| vec![names(sets, region), n.to_string()])
}

/// Two or three circles with the exact count of every region; any other number of sets is drawn as [`upset`]. The circles are
/// equal: the numbers count, not the areas.
pub fn venn(id: &str, sets: &[LabelledSet]) -> Figure {
    // For each region, the sets and where its number stands.
    type Regions<'a> = &'a [(&'a [usize], (f64, f64))];
    let (circles, numbers): (&[(f64, f64)], Regions<'_>) = match sets.len() {
        2 => (
            &[(120.0, 100.0), (200.0, 100.0)],
            &[(&[0], (80.0, 104.0)), (&[1], (240.0, 104.0)), (&[0, 1], (160.0, 104.0))],
        ),
        3 => (
            &[(120.0, 95.0), (200.0, 95.0), (160.0, 164.0)],
            &[
                (&[0], (88.0, 84.0)),
                (&[1], (232.0, 84.0)),
                (&[2], (160.0, 214.0)),
                (&[0, 1], (160.0, 72.0)),
                (&[0, 2], (113.0, 147.0)),
                (&[1, 2], (207.0, 147.0)),
                (&[0, 1, 2], (160.0, 122.0)),
            ],
        ),
        _ => return upset(id, sets),
    };
    let regions = regions(sets);
    let mut pen = Pen::new(id);
    for (at, (x, y)) in circles.iter().enumerate() {
        pen.circle(*x, *y, 76.0, &format!("s{}", at + 1), false);
    }
    for (region, (x, y)) in numbers {
        let n = regions.get(*region).copied().unwrap_or(0);
        pen.text(*x, *y, Anchor::Middle, 60.0, &n.to_string());
    }
    let low = circles.len() == 3;
    pen.text(4.0, 14.0, Anchor::Start, 150.0, &sets[0].label);
    pen.text(WIDTH - 4.0, 14.0, Anchor::End, 150.0, &sets[1].label);
    if low {
        pen.text(WIDTH / 2.0, 256.0, Anchor::Middle, 300.0, &sets[2].label);
    }
    let rows: Vec<(Vec<usize>, usize)> = numbers
        .iter()
        .map(|(region, _)| (region.to_vec(), regions.get(*region).copied().unwrap_or(0)))
        .collect();
    let height = if low { 264.0 } else { 184.0 };
    pen.finish(height, "What they share", &told(sets, &regions), listed(sets, &rows))
}

/// The intersections of any number of sets, the largest first: a column of dots says which sets, a bar above it how many items
/// are in just these. At most 20 intersections of the first 10 sets are drawn.
pub fn upset(id: &str, sets: &[LabelledSet]) -> Figure {
    let regions = regions(sets);
    let mut rows: Vec<(Vec<usize>, usize)> =
        regions.iter().map(|(region, n)| (region.clone(), *n)).collect();
    rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let shown = &rows[..rows.len().min(MOST)];
    let lines = sets.len().min(MOST_SETS);
    let (left, top, low) = (110.0, 20.0, 110.0);
    let step = (WIDTH - left - 4.0) / shown.len().max(1) as f64;
    let step = step.min(26.0);
    let most = shown.first().map_or(1, |row| row.1).max(1) as f64;
    let x = |at: usize| left + step * (at as f64 + 0.5);
    let y = |line: usize| low + 18.0 + 18.0 * line as f64;
    let mut pen = Pen::new(id);
    pen.line((left, low), (left + step * shown.len() as f64, low), "axis", "");
    for (line, set) in sets.iter().enumerate().take(lines) {
        pen.line((left, y(line)), (left + step * shown.len() as f64, y(line)), "grid", "");
        let words = format!("{} ({})", set.label, set.members.len());
        pen.text(left - 6.0, y(line) + 4.0, Anchor::End, left - 8.0, &words);
    }
    for (at, (region, n)) in shown.iter().enumerate() {
        let height = (low - top) * *n as f64 / most;
        pen.bar(x(at) - step * 0.3, low - height, step * 0.6, height, "f1");
        pen.text(x(at), low - height - 4.0, Anchor::Middle, 40.0, &n.to_string());
        let inside: Vec<usize> = region.iter().copied().filter(|line| *line < lines).collect();
        if let (Some(first), Some(last)) = (inside.first(), inside.last()) {
            pen.line((x(at), y(*first)), (x(at), y(*last)), "ink", "");
        }
        for line in 0..lines {
            let is_in = region.binary_search(&line).is_ok();
            pen.circle(
                x(at),
                y(line),
                if is_in { 4.5 } else { 1.5 },
                if is_in { "ink" } else { "f6" },
                true,
            );
        }
    }
    let mut height = y(lines);
    if rows.len() > shown.len() || sets.len() > lines {
        let text = format!(
            "and {} more intersections, {} more sets",
            rows.len() - shown.len(),
            sets.len() - lines
        );
        pen.text(left - 6.0, height, Anchor::Start, WIDTH - left, &text);
        height += 16.0;
    }
    pen.finish(height, "What they share", &told(sets, &regions), listed(sets, &rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(label: &str, members: &[&str]) -> LabelledSet {
        LabelledSet {
            label: label.to_owned(),
            members: members.iter().map(|&member| member.to_owned()).collect(),
        }
    }

    #[test]
    fn every_region_has_its_exact_count() {
        let sets = [
            set("A", &["1", "2", "3", "7"]),
            set("B", &["2", "3", "4"]),
            set("C", &["3", "4", "5", "6"]),
        ];
        let figure = venn("v", &sets);
        let rows: Vec<(&str, &str)> =
            figure.table.rows.iter().map(|row| (row[0].as_str(), row[1].as_str())).collect();
        assert_eq!(
            rows,
            [
                ("A", "2"),
                ("B", "0"),
                ("C", "2"),
                ("A and B", "1"),
                ("A and C", "0"),
                ("B and C", "1"),
                ("A and B and C", "1")
            ]
        );
        assert_eq!(figure.svg.matches("<circle").count(), 3);
        assert!(
            figure.summary.starts_with("7 items in 3 sets: 3 shared, 1 by all."),
            "{}",
            figure.summary
        );
        insta::assert_snapshot!(figure.svg);
    }

    #[test]
    fn more_than_three_are_no_circles() {
        let sets =
            [set("A", &["1"]), set("B", &["1"]), set("C", &["2"]), set("D", &["1", "2", "3"])];
        let figure = venn("v", &sets);
        assert_eq!(figure, upset("v", &sets));
        assert_eq!(figure.table.rows[0], ["A and B and D", "1"]);
        insta::assert_snapshot!(figure.svg);
    }
}
