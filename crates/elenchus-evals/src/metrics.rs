//! The metrics of claim checking, as frozen: ties share ranks, ten bins of equal width, bootstrap over rows.

/// A figure with its 95 % bootstrap interval.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Figure {
    /// On the whole sample.
    pub(crate) value: f64,
    /// Percentile 2.5 of the resamples.
    pub(crate) low: f64,
    /// Percentile 97.5.
    pub(crate) high: f64,
}

impl Figure {
    /// ".713 [.675, .750]".
    pub(crate) fn shown(self) -> String {
        format!("{:.3} [{:.3}, {:.3}]", self.value, self.low, self.high)
    }
}

/// A scored row: the score, and whether the label is the one looked for.
pub(crate) type Row = (f64, bool);

/// Area under the ROC curve: the share of (positive, negative) pairs in the right order, ties counting half.
/// 0.5 when one side is missing.
pub(crate) fn auroc(rows: &[Row]) -> f64 {
    let mut order: Vec<&Row> = rows.iter().collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let positives = rows.iter().filter(|row| row.1).count() as f64;
    let negatives = rows.len() as f64 - positives;
    if positives == 0.0 || negatives == 0.0 {
        return 0.5;
    }
    let (mut below, mut area, mut at) = (0.0, 0.0, 0);
    while at < order.len() {
        let mut end = at;
        let (mut tied_pos, mut tied_neg) = (0.0, 0.0);
        while end < order.len() && order[end].0.total_cmp(&order[at].0).is_eq() {
            *(if order[end].1 { &mut tied_pos } else { &mut tied_neg }) += 1.0;
            end += 1;
        }
        area += tied_pos * (below + tied_neg / 2.0);
        below += tied_neg;
        at = end;
    }
    area / (positives * negatives)
}

/// The mean of the recalls of both classes, a score from `threshold` on counting as positive.
pub(crate) fn balanced_accuracy(rows: &[Row], threshold: f64) -> f64 {
    let recall = |class: bool| {
        let all = rows.iter().filter(|row| row.1 == class).count();
        let right =
            rows.iter().filter(|row| row.1 == class && (row.0 >= threshold) == class).count();
        if all == 0 { 0.5 } else { right as f64 / all as f64 }
    };
    f64::midpoint(recall(true), recall(false))
}

/// The threshold with the greatest balanced accuracy.
pub(crate) fn best_threshold(rows: &[Row]) -> f64 {
    let mut scores: Vec<f64> = rows.iter().map(|row| row.0).collect();
    scores.sort_by(f64::total_cmp);
    scores.dedup();
    // A hundred quantiles are enough for a threshold that shall transfer.
    let step = (scores.len() / 100).max(1);
    scores
        .iter()
        .step_by(step)
        .map(|threshold| (*threshold, balanced_accuracy(rows, *threshold)))
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map_or(0.5, |(threshold, _)| threshold)
}

/// One bin: mean confidence, share right, rows.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Bin {
    pub(crate) confidence: f64,
    pub(crate) accuracy: f64,
    pub(crate) n: usize,
}

/// Ten bins of equal width; empty ones are left out.
pub(crate) fn bins(rows: &[Row]) -> Vec<Bin> {
    let mut sums = [(0.0, 0.0, 0usize); 10];
    for (p, label) in rows {
        let bin = &mut sums[((p.clamp(0.0, 1.0) * 10.0) as usize).min(9)];
        bin.0 += p;
        bin.1 += f64::from(*label);
        bin.2 += 1;
    }
    sums.iter()
        .filter(|bin| bin.2 > 0)
        .map(|(p, right, n)| Bin { confidence: p / *n as f64, accuracy: right / *n as f64, n: *n })
        .collect()
}

/// Expected calibration error over [`bins`].
pub(crate) fn ece(rows: &[Row]) -> f64 {
    bins(rows).iter().map(|bin| (bin.confidence - bin.accuracy).abs() * bin.n as f64).sum::<f64>()
        / rows.len().max(1) as f64
}

/// The same over fifteen bins of equal size.
pub(crate) fn ece_adaptive(rows: &[Row]) -> f64 {
    let mut order = rows.to_vec();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let size = order.len().div_ceil(15).max(1);
    order
        .chunks(size)
        .map(|chunk| {
            let p: f64 = chunk.iter().map(|row| row.0).sum();
            let right = chunk.iter().filter(|row| row.1).count() as f64;
            (p - right).abs()
        })
        .sum::<f64>()
        / rows.len().max(1) as f64
}

/// Mean squared error of the probabilities.
pub(crate) fn brier(rows: &[Row]) -> f64 {
    rows.iter().map(|(p, label)| (p - f64::from(*label)).powi(2)).sum::<f64>()
        / rows.len().max(1) as f64
}

/// `1 - Brier / (p (1 - p))` with the sample's own base rate: above 0 is better than always saying the base rate.
pub(crate) fn brier_skill(rows: &[Row]) -> f64 {
    let base = rows.iter().filter(|row| row.1).count() as f64 / rows.len().max(1) as f64;
    let prior = base * (1.0 - base);
    if prior == 0.0 { 0.0 } else { 1.0 - brier(rows) / prior }
}

/// The greatest share of rows that can be called positive with at least `precision` of them right.
pub(crate) fn coverage_at(rows: &[Row], precision: f64) -> f64 {
    let mut order = rows.to_vec();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut right, mut best) = (0usize, 0usize);
    for (at, row) in order.iter().enumerate() {
        right += usize::from(row.1);
        // A threshold cannot cut through equal scores.
        let whole = order.get(at + 1).is_none_or(|next| next.0 < row.0);
        if whole && right as f64 >= precision * (at + 1) as f64 {
            best = at + 1;
        }
    }
    best as f64 / rows.len().max(1) as f64
}

/// The value of `metric` with a percentile bootstrap over rows, 300 resamples, fixed seed.
pub(crate) fn figure<T: Clone>(rows: &[T], metric: impl Fn(&[T]) -> f64) -> Figure {
    let value = metric(rows);
    let mut random = Random(0x5DEE_CE66_D1CE_CAFE);
    let mut values: Vec<f64> = (0..300)
        .map(|_| {
            let sample: Vec<T> =
                (0..rows.len()).map(|_| rows[random.below(rows.len())].clone()).collect();
            metric(&sample)
        })
        .collect();
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
    if rows.is_empty() {
        return Figure { value, low: value, high: value };
    }
    Figure { value, low: at(0.025), high: at(0.975) }
}

/// SplitMix64: small, seedable, the same on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// The next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 for `n` = 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.next() % n as u64) as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_with_ties() {
        assert!(
            (auroc(&[(0.1, false), (0.4, false), (0.35, true), (0.8, true)]) - 0.75).abs() < 1e-12
        );
        assert!((auroc(&[(0.5, true), (0.5, false)]) - 0.5).abs() < 1e-12);
        assert!((auroc(&[(0.5, true)]) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn calibration_figures() {
        // 0.75 said of four rows of which three are right: no error, and the prior's own Brier score.
        let rows = [(0.75, true), (0.75, true), (0.75, true), (0.75, false)];
        assert!(ece(&rows).abs() < 1e-12);
        assert!(brier_skill(&rows).abs() < 1e-12);
        assert!((ece(&[(0.95, false), (0.95, true)]) - 0.45).abs() < 1e-12);
    }

    #[test]
    fn coverage_needs_whole_ties() {
        let rows = [(0.9, true), (0.8, true), (0.8, false), (0.1, false)];
        assert!((coverage_at(&rows, 0.95) - 0.25).abs() < 1e-12);
        assert!((coverage_at(&rows, 0.6) - 0.75).abs() < 1e-12);
    }
}
