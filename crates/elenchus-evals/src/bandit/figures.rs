//! Success, calibration, and what was never shown.

use serde::Serialize;

/// What one policy did in one world.
#[derive(Default)]
pub(super) struct Run {
    /// Task by task: the confidence shown for the strategy used, and whether the task succeeded.
    pub(super) used: Vec<(f64, bool)>,
    /// Of every strategy at the end: confidence, and how often it helps.
    pub(super) at_end: Vec<(f64, f64)>,
    /// Share of strategies that were never shown.
    pub(super) never_shown: f64,
}

/// Means over worlds.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Summary {
    pub(super) policy: &'static str,
    /// Share of tasks that succeeded, and its standard deviation over worlds.
    pub(super) success: f64,
    pub(super) deviation: f64,
    /// The same of the last 800 tasks.
    pub(super) last: f64,
    /// Expected calibration error in ten bins of equal width, over all tasks of all worlds.
    pub(super) ece: f64,
    /// Squared distance of confidence and usefulness at the end, over all strategies.
    pub(super) mse: f64,
    pub(super) never_shown: f64,
}

fn share(used: &[(f64, bool)]) -> f64 {
    used.iter().filter(|(_, good)| *good).count() as f64 / used.len().max(1) as f64
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let all: Vec<f64> = values.collect();
    all.iter().sum::<f64>() / all.len().max(1) as f64
}

/// Expected calibration error: bins by confidence, distance of mean confidence and share of successes, weighted by size.
pub(super) fn ece(used: &[(f64, bool)]) -> f64 {
    let mut bins = [(0.0f64, 0.0f64, 0.0f64); 10];
    for (confidence, good) in used {
        let bin = &mut bins[((confidence * 10.0) as usize).min(9)];
        bin.0 += confidence;
        bin.1 += f64::from(*good);
        bin.2 += 1.0;
    }
    let apart: f64 = bins.iter().map(|(confidence, good, _)| (confidence - good).abs()).sum();
    apart / used.len().max(1) as f64
}

pub(super) fn summarise(policy: &'static str, runs: &[Run]) -> Summary {
    let success = mean(runs.iter().map(|run| share(&run.used)));
    let spread = mean(runs.iter().map(|run| (share(&run.used) - success).powi(2))).sqrt();
    let all: Vec<(f64, bool)> = runs.iter().flat_map(|run| run.used.iter().copied()).collect();
    let apart = |(confidence, helps): &(f64, f64)| (confidence - helps).powi(2);
    Summary {
        policy,
        success,
        deviation: spread,
        last: mean(runs.iter().map(|run| share(&run.used[run.used.len().saturating_sub(800)..]))),
        ece: ece(&all),
        mse: mean(runs.iter().flat_map(|run| run.at_end.iter().map(apart))),
        never_shown: mean(runs.iter().map(|run| run.never_shown)),
    }
}
