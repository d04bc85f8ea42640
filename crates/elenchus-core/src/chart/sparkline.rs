//! A line without axes, for a row of a table.

use super::draw::{Pen, counted, plain};
use super::{Figure, MOST_ROWS, Table};

/// Values that are drawn: more would not be told apart.
const MOST: usize = 200;

/// A line of values, the last one marked, 96 by 24 units. Values that are no numbers are left out of the line; of many, as many
/// as can be told apart are drawn, the first and the last among them.
pub fn sparkline(id: &str, label: &str, values: &[f64]) -> Figure {
    let known: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    let low = known.iter().copied().fold(f64::INFINITY, f64::min);
    let high = known.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let summary = match (known.first(), known.last()) {
        (Some(first), Some(last)) => format!(
            "{label}: from {} to {} over {}, lowest {}, highest {}.",
            plain(*first),
            plain(*last),
            counted(known.len(), "value"),
            plain(low),
            plain(high)
        ),
        _ => format!("{label}: no values."),
    };
    let mut pen = Pen::new(id);
    // Halves, since the difference of two finite numbers may be none.
    let range = high / 2.0 - low / 2.0;
    let last = known.len().saturating_sub(1).max(1);
    let kept = known.len().min(MOST);
    let points: Vec<(f64, f64)> = (0..kept)
        .filter_map(|nth| {
            let at = if kept > 1 { nth * (known.len() - 1) / (kept - 1) } else { nth };
            let value = known.get(at)?;
            let up = if range > 0.0 { (value / 2.0 - low / 2.0) / range } else { 0.5 };
            Some((4.0 + 88.0 * at as f64 / last as f64, 20.0 - 16.0 * up))
        })
        .collect();
    pen.path(&points, "s1", "");
    if let Some((x, y)) = points.last() {
        pen.circle(*x, *y, 2.5, "f1", true);
    }
    let table = Table::new(&["Step", "Value"])
        .filled(values, MOST_ROWS, |at, value| vec![(at + 1).to_string(), plain(*value)]);
    pen.sized(96.0, 24.0, "plot spark", label, &summary, table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_is_on_top_and_the_last_is_marked() {
        let figure = sparkline("s", "Credence of h1", &[0.5, f64::NAN, 0.75, 0.25]);
        assert!(figure.svg.contains("d=\"M4 12L48 4L92 20\""), "{}", figure.svg);
        assert!(figure.svg.contains("cx=\"92\" cy=\"20\""));
        assert_eq!(
            figure.summary,
            "Credence of h1: from 0.5 to 0.25 over 3 values, lowest 0.25, highest 0.75."
        );
        assert_eq!(figure.table.rows[1][1], "unknown");
    }

    #[test]
    fn a_level_line_is_in_the_middle() {
        assert!(sparkline("s", "x", &[0.3, 0.3]).svg.contains("d=\"M4 12L92 12\""));
        assert!(!sparkline("s", "x", &[]).svg.contains("<path"));
        assert!(sparkline("s", "x", &[f64::MAX, f64::MIN]).svg.contains("d=\"M4 4L92 20\""));
    }
}
