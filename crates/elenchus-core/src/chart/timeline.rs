//! What happened when, and what of it at once.

use super::draw::{Anchor, DASHES, Pen, WIDTH, add, counted, plain};
use super::{Figure, MOST_ROWS, Table};
use std::collections::BTreeMap;

/// Spans and lanes that are drawn.
const MOST: usize = 600;
const MOST_LANES: usize = 24;
/// Kinds that have a look of their own; the rest share the last.
const MOST_KINDS: usize = 6;

/// Something that took time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeSpan {
    /// What it was.
    pub label: String,
    /// "model", "search", "read": what has the same kind looks the same.
    pub kind: String,
    /// When it began, in milliseconds from the first.
    pub start: u64,
    /// When it ended; never before it began.
    pub end: u64,
    /// Where it can be read: `#...` or `/...`; empty for nowhere.
    pub link: String,
}

/// Puts each span, in the order of beginning, into the first lane that is free: as many lanes as ran at once.
fn lanes(spans: &[&TimeSpan]) -> Vec<usize> {
    let mut free_from: Vec<u64> = Vec::new();
    spans
        .iter()
        .map(|span| {
            let end = span.end.max(span.start.saturating_add(1));
            match free_from.iter().position(|free| *free <= span.start) {
                Some(lane) => {
                    free_from[lane] = end;
                    lane
                }
                None => {
                    free_from.push(end);
                    free_from.len() - 1
                }
            }
        })
        .collect()
}

/// A duration in words.
pub(super) fn took(milliseconds: u64) -> String {
    if milliseconds < 1_000 {
        format!("{milliseconds} ms")
    } else {
        format!("{} s", plain(milliseconds as f64 / 1_000.0))
    }
}

/// Spans over time, those that ran at once below each other. Kinds differ by outline and by name. At most 600 spans in 24
/// lanes are drawn.
pub fn timeline(id: &str, spans: &[TimeSpan]) -> Figure {
    let mut order: Vec<&TimeSpan> = spans.iter().collect();
    order.sort_by(|a, b| {
        (a.start, a.end, &a.label, &a.kind).cmp(&(b.start, b.end, &b.label, &b.kind))
    });
    let begin = order.first().map_or(0, |span| span.start);
    let end = spans.iter().map(|span| span.end.max(span.start)).max().unwrap_or(0);
    let whole = end.saturating_sub(begin).max(1);
    let shown = &order[..order.len().min(MOST)];
    let places = lanes(shown);
    let deep = places.iter().max().map_or(0, |lane| lane + 1);
    let drawn_lanes = deep.min(MOST_LANES);
    let mut by_kind: BTreeMap<&str, (usize, u64)> = BTreeMap::new();
    for span in spans {
        let entry = by_kind.entry(&span.kind).or_default();
        entry.0 += 1;
        entry.1 = entry.1.saturating_add(span.end.saturating_sub(span.start));
    }
    let look: BTreeMap<&str, usize> =
        by_kind.keys().enumerate().map(|(at, kind)| (*kind, at.min(MOST_KINDS - 1))).collect();

    let (left, right, top, step) = (2.0, WIDTH - 2.0, 4.0, 18.0);
    let x = |at: u64| left + (right - left) * (at.saturating_sub(begin) as f64 / whole as f64);
    let bottom = top + step * drawn_lanes.max(1) as f64;
    let mut pen = Pen::new(id);
    for quarter in 0..=4_u32 {
        let at = left + (right - left) * f64::from(quarter) / 4.0;
        pen.line((at, top), (at, bottom), "grid", "");
    }
    for (span, lane) in shown.iter().zip(&places).filter(|(_, lane)| **lane < MOST_LANES) {
        let class = look[span.kind.as_str()];
        let y = top + step * *lane as f64;
        let from = x(span.start);
        let width = (x(span.end.max(span.start)) - from).max(2.0);
        let name = format!("{}: {}", span.kind, span.label);
        let begun = pen.begin_link(&span.link, &name);
        pen.bar(from, y + 2.0, width, step - 4.0, &format!("f{}", class + 1));
        // A line of its own kind above each bar, for whom colours are alike.
        pen.line((from, y + 1.0), (from + width, y + 1.0), "ink", DASHES[class]);
        pen.end_link(begun);
    }
    pen.text(left, bottom + 14.0, Anchor::Start, 100.0, "0");
    pen.text(right, bottom + 14.0, Anchor::End, 200.0, &took(whole));
    let mut y = bottom + 32.0;
    for (at, (kind, (n, time))) in by_kind.iter().enumerate().take(MOST_KINDS) {
        pen.bar(left, y - 9.0, 24.0, 9.0, &format!("f{}", at + 1));
        pen.line((left, y - 11.0), (left + 24.0, y - 11.0), "ink", DASHES[at]);
        let others = by_kind.len() - MOST_KINDS.min(by_kind.len());
        let more = if at + 1 == MOST_KINDS && others > 0 {
            format!(" and {others} more kinds")
        } else {
            String::new()
        };
        let words = format!("{kind}{more}: {n}, {}", took(*time));
        pen.text(34.0, y, Anchor::Start, WIDTH - 34.0, &words);
        y += 17.0;
    }
    let summary = if spans.is_empty() {
        "Nothing has happened yet.".to_owned()
    } else {
        let mut text = format!(
            "{} within {}, at most {deep} at once.",
            counted(spans.len(), "step"),
            took(whole)
        );
        if let Some((kind, (n, time))) =
            by_kind.iter().max_by(|a, b| a.1.1.cmp(&b.1.1).then_with(|| b.0.cmp(a.0)))
        {
            add(&mut text, format_args!(" Most time went into {kind}: {} in {n}.", took(*time)));
        }
        if shown.len() < spans.len() || deep > MOST_LANES {
            text.push_str(" Not all are drawn.");
        }
        text
    };
    let table =
        Table::new(&["Step", "Kind", "From", "Took"]).filled(&order, MOST_ROWS, |_, span| {
            vec![
                span.label.clone(),
                span.kind.clone(),
                took(span.start.saturating_sub(begin)),
                took(span.end.saturating_sub(span.start)),
            ]
        });
    pen.finish(y, "What happened when", &summary, table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(kind: &str, start: u64, end: u64) -> TimeSpan {
        TimeSpan {
            label: format!("{kind} from {start}"),
            kind: kind.to_owned(),
            start,
            end,
            link: String::new(),
        }
    }

    #[test]
    fn what_runs_at_once_has_lanes_of_its_own() {
        let spans = [
            span("search", 0, 100),
            span("search", 10, 50),
            span("model", 50, 100),
            span("read", 100, 200),
        ];
        let figure = timeline("t", &spans);
        let order: Vec<&TimeSpan> = spans.iter().collect();
        assert_eq!(lanes(&order), [0, 1, 1, 0]);
        assert_eq!(
            figure.summary,
            "4 steps within 200 ms, at most 2 at once. Most time went into search: 140 ms in 2."
        );
        insta::assert_snapshot!(figure.svg);
    }

    #[test]
    fn a_span_that_ends_before_it_begins_takes_no_time() {
        let figure = timeline("t", &[span("read", u64::MAX, 3)]);
        assert_eq!(figure.table.rows[0][3], "0 ms");
    }
}
