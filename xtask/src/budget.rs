//! How much of the time that a change may take has been used, and by which steps.

use crate::step::Outcome;

/// Seconds from the first step of `cargo xtask test` to the last.
const GATE: f64 = 45.0 * 60.0;
/// Steps named, the longest first.
const NAMED: usize = 5;

/// What the steps took of the limit, and a warning where that is more than all of it. `seconds` is the whole time, which is a little
/// more than the sum of the steps.
pub(crate) fn told(outcomes: &[Outcome], seconds: f64) -> String {
    let mut longest: Vec<&Outcome> = outcomes.iter().collect();
    longest.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    let steps: Vec<String> = longest
        .iter()
        .take(NAMED)
        .map(|one| {
            format!("{} {:.1} ({:.0} %)", one.name, minutes(one.seconds), share(one.seconds))
        })
        .collect();
    let used = format!(
        "time: {:.1} of {:.0} minutes ({:.0} %): {}",
        minutes(seconds),
        minutes(GATE),
        share(seconds),
        steps.join(", ")
    );
    if seconds <= GATE {
        return used;
    }
    format!(
        "{used}\nwarning: {:.1} minutes over the limit; move what takes long to `cargo xtask nightly`, or make it shorter",
        minutes(seconds - GATE)
    )
}

fn minutes(seconds: f64) -> f64 {
    seconds / 60.0
}

/// Of the limit, in percent.
fn share(seconds: f64) -> f64 {
    100.0 * seconds / GATE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::Counts;

    #[test]
    fn what_is_over_the_limit_is_warned_of() {
        let outcome = |name, seconds| Outcome {
            name,
            seconds,
            passed: true,
            counts: Counts::default(),
            skips: Vec::new(),
        };
        let outcomes = [outcome("fmt", 3.0), outcome("tests", 1350.0), outcome("clippy", 540.0)];
        let said = told(&outcomes, 1893.0);
        assert_eq!(
            said,
            "time: 31.6 of 45 minutes (70 %): tests 22.5 (50 %), clippy 9.0 (20 %), fmt 0.1 (0 %)"
        );
        let over = told(&outcomes, 2880.0);
        assert!(over.contains("\nwarning: 3.0 minutes over the limit"), "{over}");
        assert!(!told(&outcomes, GATE).contains("warning"));
    }
}
