//! Beliefs about rates, side by side.

use super::draw::{Anchor, Pen, WIDTH, plain, share};
use super::{Figure, Table};
use crate::bank::Posterior;

/// Panels that are drawn, and rows of the table: each needs two quantiles.
const MOST: usize = 24;
/// Points of a curve.
const POINTS: usize = 64;

/// One belief of [`densities`].
#[derive(Clone, Debug, PartialEq)]
pub struct Density {
    /// Of what.
    pub label: String,
    /// The belief.
    pub belief: Posterior,
    /// Observations behind it, the prior not counted.
    pub n: usize,
}

/// The density of a Beta distribution at points from 0 to 1, scaled so that its greatest is 1.
fn curve(belief: Posterior) -> Vec<(f64, f64)> {
    let (a, b) = (belief.alpha - 1.0, belief.beta - 1.0);
    // Ends are left out: below shape 1 the density is infinite there.
    let points: Vec<(f64, f64)> = (0..=POINTS)
        .map(|at| {
            let x = (at as f64 / POINTS as f64).clamp(0.002, 0.998);
            (x, a * x.ln() + b * (-x).ln_1p())
        })
        .collect();
    let peak = points.iter().map(|point| point.1).fold(f64::NEG_INFINITY, f64::max);
    points
        .into_iter()
        .map(|(x, log)| (x, if (log - peak).is_finite() { (log - peak).exp() } else { 0.0 }))
        .collect()
}

/// Small multiples: for each belief its density, its mean as a line, its 90 % interval as a bar, and its observations. Each panel has
/// a height of its own, since what matters is where a belief lies and how wide it is. At most 24 are drawn.
pub fn densities(id: &str, beliefs: &[Density]) -> Figure {
    // Shapes beyond this are a needle, and cost much to compute.
    let tame = |belief: Posterior| {
        let all = belief.strength();
        let most = 1e6;
        if all > most || !all.is_finite() {
            let share = if belief.mean().is_finite() { belief.mean() } else { 0.5 };
            Posterior::new(share * most, (1.0 - share) * most)
        } else {
            Posterior::new(belief.alpha, belief.beta)
        }
    };
    let shown: Vec<(&Density, Posterior, (f64, f64))> = beliefs
        .iter()
        .take(MOST)
        .map(|one| {
            let belief = tame(one.belief);
            (one, belief, belief.interval())
        })
        .collect();
    let (wide, tall) = (150.0, 96.0);
    let mut pen = Pen::new(id);
    for (at, (one, belief, (low, high))) in shown.iter().enumerate() {
        let left = 4.0 + (at % 2) as f64 * (wide + 12.0);
        let top = (at / 2) as f64 * tall;
        let ground = top + 62.0;
        let x = |p: f64| left + wide * p;
        pen.text(left, top + 13.0, Anchor::Start, wide, &one.label);
        let line: Vec<(f64, f64)> =
            curve(*belief).into_iter().map(|(p, up)| (x(p), ground - 40.0 * up)).collect();
        let mut area = vec![(x(0.0), ground)];
        area.extend(&line);
        area.push((x(1.0), ground));
        pen.area(&area, "f1");
        pen.path(&line, "s1", "");
        pen.line((left, ground), (x(1.0), ground), "axis", "");
        pen.line((x(belief.mean()), ground - 42.0), (x(belief.mean()), ground), "ink", "2 2");
        pen.bar(x(*low), ground + 2.0, (x(*high) - x(*low)).max(1.0), 4.0, "f1");
        let words = format!("{}, n {}", share(belief.mean()), one.n);
        pen.text(left, ground + 19.0, Anchor::Start, wide, &words);
    }
    let strongest = shown.iter().max_by(|a, b| a.1.mean().total_cmp(&b.1.mean()));
    let summary = match strongest {
        None => "There is no belief to show.".to_owned(),
        Some((one, belief, (low, high))) => {
            let left_out = beliefs.len() - shown.len();
            let more = if left_out > 0 {
                format!(" {left_out} more are not drawn.")
            } else {
                String::new()
            };
            format!(
                "Beliefs about {}. The highest mean: {}, {} (90 % between {} and {}, {} observations).{more}",
                if beliefs.len() == 1 {
                    "1 rate".to_owned()
                } else {
                    format!("{} rates", beliefs.len())
                },
                one.label,
                share(belief.mean()),
                share(*low),
                share(*high),
                one.n
            )
        }
    };
    let mut table = Table::new(&["Of", "Mean", "90 % from", "to", "Observations", "Alpha", "Beta"])
        .filled(&shown, MOST, |_, (one, belief, (low, high))| {
            vec![
                one.label.clone(),
                share(belief.mean()),
                share(*low),
                share(*high),
                one.n.to_string(),
                plain(one.belief.alpha),
                plain(one.belief.beta),
            ]
        });
    if beliefs.len() > shown.len() {
        let mut last = vec![String::new(); table.head.len()];
        last[0] = format!("and {} more", beliefs.len() - shown.len());
        table.rows.push(last);
    }
    let height = (shown.len().div_ceil(2) as f64 * tall).max(20.0);
    debug_assert!(WIDTH >= 2.0 * wide + 16.0);
    pen.finish(height, "What is believed of each", &summary, table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn density(alpha: f64, beta: f64) -> Density {
        Density { label: "Ask for the year".to_owned(), belief: Posterior::new(alpha, beta), n: 6 }
    }

    #[test]
    fn a_curve_peaks_at_its_mode() {
        let peak = |alpha, beta| {
            let points = curve(Posterior::new(alpha, beta));
            points.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap()
        };
        // (a - 1) / (a + b - 2)
        let (x, up) = peak(7.0, 3.0);
        assert!((x - 0.75).abs() < 1.0 / 64.0, "{x}");
        assert!((up - 1.0).abs() < 1e-12);
        assert!((peak(5.0, 5.0).0 - 0.5).abs() < 1e-9);
    }

    #[test]
    fn figures_are_those_of_the_bank() {
        let figure = densities("d", &[density(7.0, 3.0), density(2.0, 8.0)]);
        let (low, high) = Posterior::new(7.0, 3.0).interval();
        assert_eq!(figure.table.rows[0][1..4], ["0.70".to_owned(), share(low), share(high)]);
        assert!(
            figure.summary.contains("The highest mean: Ask for the year, 0.70"),
            "{}",
            figure.summary
        );
        insta::assert_snapshot!(figure.svg);
    }
}
