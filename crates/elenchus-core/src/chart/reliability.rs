//! What the figures were worth where the truth is known.

use super::draw::{Anchor, Pen, WIDTH, add, plain, share, unit};
use super::{Figure, MOST_ROWS, Table};
use crate::belief::Bin;

/// Of which labelled claims a reliability diagram is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Labelled {
    /// Each set was judged without having been fitted on: what to expect of other documents.
    LeftOut,
    /// The sets are those of the fit, which makes figures look better than they are.
    Fitted {
        /// The expected calibration error on sets that were left out, 0 to 1, where it was measured.
        left_out: Option<f64>,
    },
}

/// A reliability diagram: for each bin what was said against the share that was right, with its count; the diagonal is where
/// both are the same. `ece` is the expected calibration error, 0 to 1; of sets that were left out the mean over them.
pub fn reliability(id: &str, labelled: Labelled, bins: &[Bin], ece: f64) -> Figure {
    let (title, begin, mean) = match labelled {
        Labelled::LeftOut => (
            "What the figures were worth on sets left out of the fit",
            "On sets left out of the fit",
            " (mean over the sets)",
        ),
        Labelled::Fitted { .. } => (
            "What the figures were worth on the sets they were fitted on",
            "On the sets they were fitted on",
            "",
        ),
    };
    let drawn: Vec<(f64, f64, usize)> = bins
        .iter()
        .take(MOST_BINS)
        .filter(|bin| bin.n > 0)
        .filter_map(|bin| Some((unit(bin.confidence)?, unit(bin.accuracy)?, bin.n)))
        .collect();
    let total = bins.iter().fold(0_usize, |sum, bin| sum.saturating_add(bin.n));
    let error =
        |ece: f64| unit(ece).map_or_else(|| "unknown".to_owned(), |ece| format!("{ece:.3}"));
    let mut summary = format!("{begin}: {total} judged claims in {} bins. ", drawn.len());
    add(&mut summary, format_args!("The expected calibration error{mean} is {}", error(ece)));
    if let Labelled::Fitted { left_out: Some(left_out) } = labelled {
        add(&mut summary, format_args!("; on sets left out of the fit it was {}", error(left_out)));
    }
    summary.push('.');
    let worst = drawn.iter().max_by(|a, b| (a.0 - a.1).abs().total_cmp(&(b.0 - b.1).abs()));
    if let Some((said, right, n)) = worst {
        add(
            &mut summary,
            format_args!(
                " The largest gap: where we said {}, {} of {n} were right.",
                share(*said),
                share(*right)
            ),
        );
    }

    let (left, right, top, bottom) = (38.0, WIDTH - 8.0, 8.0, 282.0);
    let x = |p: f64| left + (right - left) * p;
    let y = |p: f64| bottom - (bottom - top) * p;
    let mut pen = Pen::new(id);
    for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
        pen.line((x(0.0), y(tick)), (x(1.0), y(tick)), "grid", "");
        pen.text(left - 5.0, y(tick) + 4.0, Anchor::End, left, &plain(tick));
        let anchor = if tick > 0.9 { Anchor::End } else { Anchor::Middle };
        pen.text(x(tick), bottom + 14.0, anchor, 40.0, &plain(tick));
    }
    pen.line((x(0.0), y(0.0)), (x(1.0), y(1.0)), "axis", "4 3");
    let most = drawn.iter().map(|bin| bin.2).max().unwrap_or(1);
    let mut points: Vec<(f64, f64)> = drawn.iter().map(|bin| (x(bin.0), y(bin.1))).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    pen.path(&points, "s1", "");
    for (said, right_share, n) in &drawn {
        // The area grows with the count, and a bin of one can still be seen.
        let r = 3.0 + 6.0 * (*n as f64 / most as f64).sqrt();
        pen.circle(x(*said), y(*right_share), r, "f1", true);
        let below = *right_share > 0.9;
        let dy = if below { r + 12.0 } else { -r - 3.0 };
        let anchor = if *said > 0.93 { Anchor::End } else { Anchor::Middle };
        pen.text(x(*said), y(*right_share) + dy, anchor, 60.0, &n.to_string());
    }
    pen.text(left, bottom + 30.0, Anchor::Start, 280.0, "across: what was said; up: share right;");
    pen.text(left, bottom + 44.0, Anchor::Start, 280.0, "at a point: how many; dashed: equal");
    let table = Table::new(&["Said", "Share right", "Claims"]).filled(bins, MOST_ROWS, |_, bin| {
        vec![share(bin.confidence), share(bin.accuracy), bin.n.to_string()]
    });
    pen.finish(bottom + 50.0, title, &summary, table)
}

/// Bins that are drawn.
const MOST_BINS: usize = 100;

/// A hundred signs of which as many are full as claims were right in a hundred: `right` of `of` claims for which `said` was
/// shown, in words of frequency.
pub fn icon_array(id: &str, said: f64, right: u64, of: u64) -> Figure {
    let right = right.min(of);
    let title = format!("When we say {}", share(said));
    let (full, summary) = if of == 0 {
        (None, format!("When we say {}: no claim was judged, so nothing is known.", share(said)))
    } else {
        let full = (right as f64 / of as f64 * 100.0).round() as usize;
        let exact =
            if of == 100 { String::new() } else { format!(", that is about {full} of 100") };
        (Some(full), format!("When we say {}, {right} of {of} were right{exact}.", share(said)))
    };
    let mut pen = Pen::new(id);
    let (left, step) = (60.0, 20.0);
    for at in 0..100 {
        let (x, y) = (left + step * (at % 10) as f64, 6.0 + step * (at / 10) as f64);
        match full {
            Some(full) if at < full => pen.bar(x, y, 14.0, 14.0, "f1"),
            Some(_) => {
                pen.frame(x, y, 14.0, 14.0, "s2");
                pen.line((x, y), (x + 14.0, y + 14.0), "s2", "");
            }
            None => pen.frame(x, y, 14.0, 14.0, "axis"),
        }
    }
    pen.text(left, 222.0, Anchor::Start, WIDTH - left, "full: right; crossed: wrong");
    let mut table = Table::new(&["Said", "Right", "Judged"]);
    table.rows.push(vec![share(said), right.to_string(), of.to_string()]);
    pen.finish(228.0, &title, &summary, table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bin_on_the_diagonal_lies_on_it() {
        let bins = [
            Bin { confidence: 0.5, accuracy: 0.5, n: 40 },
            Bin { confidence: 0.9, accuracy: 0.8, n: 10 },
        ];
        let figure = reliability("r", Labelled::LeftOut, &bins, 0.034);
        assert!(figure.svg.contains("cx=\"175\" cy=\"145\" r=\"9\""), "{}", figure.svg);
        assert!(figure.summary.contains("where we said 0.90, 0.80 of 10 were right"));
        assert!(figure.summary.contains("50 judged claims in 2 bins"));
        insta::assert_snapshot!(figure.svg);
    }

    #[test]
    fn an_empty_bin_is_told_and_not_drawn() {
        let bins = [Bin { confidence: 0.5, accuracy: 0.0, n: 0 }];
        let figure = reliability("r", Labelled::LeftOut, &bins, f64::NAN);
        assert_eq!(figure.svg.matches("<circle").count(), 0);
        assert_eq!(figure.table.rows.len(), 1);
        assert!(figure.summary.contains("(mean over the sets) is unknown."), "{}", figure.summary);
    }

    #[test]
    fn sets_of_the_fit_are_told_beside_those_left_out_of_it() {
        let bins = [Bin { confidence: 0.5, accuracy: 0.5, n: 40 }];
        let fitted = reliability("r", Labelled::Fitted { left_out: Some(0.142) }, &bins, 0.043);
        assert_ne!(fitted.title, reliability("r", Labelled::LeftOut, &bins, 0.142).title);
        assert!(
            fitted.summary.starts_with("On the sets they were fitted on: 40 judged claims")
                && fitted.summary.contains("is 0.043; on sets left out of the fit it was 0.142."),
            "{}",
            fitted.summary
        );
    }

    #[test]
    fn as_many_signs_are_full_as_were_right() {
        let figure = icon_array("i", 0.8, 81, 100);
        assert_eq!(figure.svg.matches("<rect class=\"f1\"").count(), 81);
        assert_eq!(figure.svg.matches("<rect class=\"s2\"").count(), 19);
        assert_eq!(figure.summary, "When we say 0.80, 81 of 100 were right.");
        let figure = icon_array("i", 0.8, 3, 4);
        assert_eq!(figure.summary, "When we say 0.80, 3 of 4 were right, that is about 75 of 100.");
        assert_eq!(icon_array("i", 0.8, 9, 4).table.rows[0][1], "4");
        assert!(icon_array("i", 0.8, 0, 0).summary.contains("nothing is known"));
    }
}
