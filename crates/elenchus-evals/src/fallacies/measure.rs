//! Figures with intervals: accuracy, F1 and false alarms, by bootstrap over the texts.

use std::collections::BTreeSet;

/// Draws of the bootstrap.
const DRAWS: usize = 1000;

/// A figure and its 95 % interval.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub(crate) struct Figure {
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl std::fmt::Display for Figure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.3} [{:.3}, {:.3}]", self.value, self.low, self.high)
    }
}

/// A statistic of pairs (told, true) with its percentile interval. The draws are the same every time.
pub(crate) fn bootstrap<T: Copy>(pairs: &[T], statistic: impl Fn(&[T]) -> f64) -> Figure {
    let value = statistic(pairs);
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut draws: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let sample: Vec<T> = (0..pairs.len())
                .map(|_| {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    pairs[(state % pairs.len() as u64) as usize]
                })
                .collect();
            statistic(&sample)
        })
        .collect();
    draws.sort_by(f64::total_cmp);
    let at = |share: f64| draws[((DRAWS - 1) as f64 * share).round() as usize];
    Figure { value, low: at(0.025), high: at(0.975) }
}

/// Share of pairs that agree; 0 for none.
pub(crate) fn accuracy(pairs: &[(usize, usize)]) -> f64 {
    let right = pairs.iter().filter(|(told, truth)| told == truth).count();
    right as f64 / pairs.len().max(1) as f64
}

/// Mean F1 over the classes that occur in the truth.
pub(crate) fn macro_f1(pairs: &[(usize, usize)]) -> f64 {
    let classes: BTreeSet<usize> = pairs.iter().map(|(_, truth)| *truth).collect();
    let one = |class: usize| {
        let as_bool = |(told, truth): &(usize, usize)| (*told == class, *truth == class);
        f1(&pairs.iter().map(as_bool).collect::<Vec<_>>())
    };
    classes.iter().map(|class| one(*class)).sum::<f64>() / classes.len().max(1) as f64
}

/// F1 of the positive class; 0 when nothing is right.
pub(crate) fn f1(pairs: &[(bool, bool)]) -> f64 {
    let count = |a: bool, b: bool| pairs.iter().filter(|pair| **pair == (a, b)).count() as f64;
    let hit = count(true, true);
    if hit == 0.0 { 0.0 } else { 2.0 * hit / (2.0 * hit + count(true, false) + count(false, true)) }
}

/// Share of negatives that are told positive.
pub(crate) fn false_alarms(pairs: &[(bool, bool)]) -> f64 {
    let negatives = pairs.iter().filter(|(_, truth)| !truth).count();
    let alarms = pairs.iter().filter(|(told, truth)| *told && !truth).count();
    alarms as f64 / negatives.max(1) as f64
}

/// Area under the ROC curve of (score, truth); ties count half.
pub(crate) fn auroc(pairs: &[(f64, bool)]) -> f64 {
    let mut sorted: Vec<&(f64, bool)> = pairs.iter().collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut sum, mut start) = (0.0, 0);
    while start < sorted.len() {
        let end =
            (start..sorted.len()).find(|i| sorted[*i].0 > sorted[start].0).unwrap_or(sorted.len());
        let rank = (start + end + 1) as f64 / 2.0;
        sum += rank * sorted[start..end].iter().filter(|(_, truth)| *truth).count() as f64;
        start = end;
    }
    let yes = pairs.iter().filter(|(_, truth)| *truth).count() as f64;
    let no = pairs.len() as f64 - yes;
    if yes * no == 0.0 { 0.5 } else { (sum - yes * (yes + 1.0) / 2.0) / (yes * no) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_known_tables() {
        let pairs = [(0, 0), (0, 1), (1, 1), (1, 1)];
        assert!((accuracy(&pairs) - 0.75).abs() < 1e-9);
        assert!((macro_f1(&pairs) - f64::midpoint(2.0 / 3.0, 0.8)).abs() < 1e-9);
        assert!((f1(&[(true, true), (true, false), (false, true)]) - 0.5).abs() < 1e-9);
        assert!((false_alarms(&[(true, false), (false, false), (true, true)]) - 0.5).abs() < 1e-9);
        assert!(
            (auroc(&[(0.9, true), (0.1, false), (0.5, true), (0.5, false)]) - 0.875).abs() < 1e-9
        );
        let figure = bootstrap(&pairs, accuracy);
        assert!(
            figure.low <= figure.value && figure.value <= figure.high && figure.low < figure.high
        );
    }
}
