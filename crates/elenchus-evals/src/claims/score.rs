//! The figures of one way to judge on one set.

use super::sets::Label;
use crate::metrics::{
    Bin, Figure, Row, auroc, balanced_accuracy, bins, brier, brier_skill, coverage_at, ece,
    ece_adaptive, figure,
};
use crate::record::{Measure, What};
use std::fmt::Write;

/// A pair that was judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Judged {
    /// P(supported), as it would be shown.
    pub(crate) supports: f64,
    pub(crate) refutes: f64,
    pub(crate) label: Label,
    /// Whether it is called supported, at a threshold that was frozen before.
    pub(crate) called: bool,
}

impl Judged {
    /// Called supported from `threshold` on.
    pub(crate) fn at(threshold: f64, supports: f64, refutes: f64, label: Label) -> Self {
        Self { supports, refutes, label, called: supports >= threshold }
    }

    /// The figure, and whether the pair is supported. Partial support is not support.
    pub(crate) fn row(&self) -> Row {
        (self.supports, self.label == Label::Supported)
    }
}

/// How one verifier did on one set.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Score {
    pub(crate) set: String,
    pub(crate) n: usize,
    /// Share of supported pairs.
    pub(crate) base: f64,
    pub(crate) verifier: String,
    pub(crate) supported: Figure,
    /// Absent where no pair is refuted.
    pub(crate) refuted: Option<Figure>,
    /// At a threshold chosen on other pairs.
    pub(crate) balanced: Figure,
    /// Resamples are a little worse calibrated than the sample itself, so the value may lie at the lower end.
    pub(crate) ece: Figure,
    pub(crate) ece_adaptive: f64,
    pub(crate) brier: f64,
    pub(crate) skill: Figure,
    pub(crate) coverage: Figure,
    pub(crate) bins: Vec<Bin>,
    /// Pairs of which a part is supported, with the mean P(supported): they count as not supported above.
    pub(crate) partial: Option<(usize, f64)>,
    /// Pairs that could not be checked and are in no figure.
    pub(crate) unchecked: usize,
    /// What a reader has to know of the row.
    pub(crate) note: String,
}

/// The figures of judged pairs.
pub(crate) fn score(set: &str, verifier: &str, judged: &[Judged]) -> Score {
    let rows: Vec<Row> = judged.iter().map(Judged::row).collect();
    let against: Vec<Row> =
        judged.iter().map(|one| (one.refutes, one.label == Label::Refuted)).collect();
    let called: Vec<Row> =
        judged.iter().map(|one| (f64::from(one.called), one.label == Label::Supported)).collect();
    let partial: Vec<f64> =
        judged.iter().filter(|one| one.label == Label::Partial).map(|one| one.supports).collect();
    Score {
        set: set.to_owned(),
        n: rows.len(),
        base: rows.iter().filter(|row| row.1).count() as f64 / rows.len().max(1) as f64,
        verifier: verifier.to_owned(),
        supported: figure(&rows, auroc),
        refuted: against.iter().any(|row| row.1).then(|| figure(&against, auroc)),
        balanced: figure(&called, |rows| balanced_accuracy(rows, 0.5)),
        ece: figure(&rows, ece),
        ece_adaptive: ece_adaptive(&rows),
        brier: brier(&rows),
        skill: figure(&rows, brier_skill),
        coverage: figure(&rows, |rows| coverage_at(rows, 0.95)),
        bins: bins(&rows),
        partial: (!partial.is_empty())
            .then(|| (partial.len(), partial.iter().sum::<f64>() / partial.len() as f64)),
        unchecked: 0,
        note: String::new(),
    }
}

impl Score {
    /// What is written and compared.
    pub(crate) fn measures(&self) -> Vec<Measure> {
        let mut out = vec![Measure::of(What::AurocSupported, self.supported)];
        out.extend(self.refuted.map(|refuted| Measure::of(What::AurocRefuted, refuted)));
        out.extend([
            Measure::of(What::BalancedAccuracy, self.balanced),
            Measure::of(What::Ece, self.ece),
            Measure::of(What::BrierSkill, self.skill),
            Measure::of(What::Coverage, self.coverage),
        ]);
        out
    }
}

/// The head of the table.
pub(crate) fn head() -> String {
    format!(
        "  {:38} {:21} {:21} {:21} {:21} {:>8} {:24} coverage at 95 %",
        "",
        "AUROC supported",
        "AUROC refuted",
        "balanced accuracy",
        "ECE",
        "adaptive",
        "Brier skill"
    )
}

/// A row of the table.
pub(crate) fn line(score: &Score) -> String {
    let skill = score.skill;
    let mut line = format!(
        "  {:38} {:21} {:21} {:21} {:21} {:>8.3} {:24} {}",
        score.verifier,
        score.supported.shown(),
        score.refuted.map(Figure::shown).unwrap_or_default(),
        score.balanced.shown(),
        score.ece.shown(),
        score.ece_adaptive,
        format!("{:+.3} [{:+.3}, {:+.3}]", skill.value, skill.low, skill.high),
        score.coverage.shown(),
    );
    if score.unchecked > 0 {
        let _ = write!(line, "  {} unchecked", score.unchecked);
    }
    if !score.note.is_empty() {
        let _ = write!(line, "  ({})", score.note);
    }
    line
}

/// What is said of partial support apart, for the rows of one set; none where the set has none.
pub(crate) fn partial(scores: &[&Score]) -> Option<String> {
    let n = scores.iter().find_map(|score| score.partial).map(|(n, _)| n)?;
    let each: Vec<String> = scores
        .iter()
        .filter_map(|score| score.partial.map(|(_, p)| format!("{} {p:.3}", score.verifier)))
        .collect();
    Some(format!(
        "  partial: {n} pairs, not supported in the figures above; mean P(supported): {}",
        each.join("; ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partial_support_is_no_support_and_is_told_apart() {
        let judged = [
            Judged::at(0.5, 0.9, 0.0, Label::Supported),
            Judged::at(0.5, 0.6, 0.1, Label::Partial),
            Judged::at(0.5, 0.2, 0.1, Label::Partial),
            Judged::at(0.5, 0.1, 0.8, Label::Refuted),
        ];
        let score = score("own.dev", "shipped, quick", &judged);
        assert!((score.base - 0.25).abs() < 1e-12);
        assert!((score.supported.value - 1.0).abs() < 1e-12);
        assert!(score.refuted.is_some_and(|refuted| (refuted.value - 1.0).abs() < 1e-12));
        // One of the three that are not supported is called so.
        assert!((score.balanced.value - f64::midpoint(1.0, 2.0 / 3.0)).abs() < 1e-12);
        let said = partial(&[&score]).unwrap();
        assert!(said.contains("2 pairs") && said.contains("shipped, quick 0.400"), "{said}");
        assert!(score.ece.low <= score.ece.high && score.skill.low <= score.skill.high);
        assert!(line(&score).contains(&format!("{:.3}", score.ece_adaptive)));
    }

    #[test]
    fn a_set_without_pairs_has_figures_that_are_numbers() {
        let score = score("own.dev", "nobody", &[]);
        assert!(score.measures().iter().all(|measure| measure.value.is_finite()));
        assert_eq!((score.n, score.refuted, score.partial), (0, None, None));
    }
}
