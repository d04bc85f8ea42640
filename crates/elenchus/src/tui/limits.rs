//! Limits as they are typed: "rounds 8", "200 passages", "+3 rounds, +20 passages".

use elenchus_core::inquiry::{Budget, Limit, NewLimits};
use elenchus_core::trace::Projection;

/// How limits are written.
pub(super) const HOW: &str = "limits are written as in: rounds 8, passages 200, +3 rounds; there are also calls, tokens, dollars and seconds";

/// What a line sets of a run. With a sign in front a number counts from what holds.
///
/// # Errors
/// How it is written, or why it may not be set.
pub(super) fn meant(line: &str, shown: &Projection) -> Result<NewLimits, String> {
    // A run that may look once has no more rounds than one, whatever it was told of them.
    let rounds = if shown.max_rounds > 0 { shown.max_rounds } else { shown.options.budget.rounds };
    let now = Budget { rounds, ..shown.options.budget };
    let separates = |sign: char| sign.is_whitespace() || sign == ',' || sign == ';';
    let words: Vec<String> =
        line.split(separates).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let mut limits = NewLimits::default();
    for pair in words.chunks(2) {
        let [one, other] = pair else { return Err(HOW.to_owned()) };
        let (number, (limit, parts)) = match (called(one), called(other)) {
            (None, Some(limit)) => (one, limit),
            (Some(limit), None) => (other, limit),
            _ => return Err(HOW.to_owned()),
        };
        let is_relative = number.starts_with(['+', '-']);
        let read = number.parse::<f64>().ok().filter(|read| read.is_finite());
        let Some(read) = read else { return Err(HOW.to_owned()) };
        let before = match limit.of(&now) {
            Some(now) if is_relative => now as f64,
            None if is_relative => {
                return Err(format!(
                    "there is no limit of {} to count from: leave out the sign",
                    limit.title()
                ));
            }
            _ => 0.0,
        };
        // Below nothing is nothing, which is refused with its bounds.
        limits.set(limit, (before + read * parts).ceil().max(0.0) as u64);
    }
    match limits.refusal() {
        None => Ok(limits),
        Some(why) => Err(format!("{why}: {}", why.way_out())),
    }
}

/// The limit that a word names, and how many of what it counts in are one of the word's.
fn called(word: &str) -> Option<(Limit, f64)> {
    Some(match word {
        "round" | "rounds" => (Limit::Rounds, 1.0),
        "passage" | "passages" => (Limit::Passages, 1.0),
        "call" | "calls" => (Limit::ModelCalls, 1.0),
        "token" | "tokens" => (Limit::Tokens, 1.0),
        "dollar" | "dollars" | "usd" => (Limit::CostMicroUsd, 1e6),
        "second" | "seconds" => (Limit::WallMs, 1e3),
        "minute" | "minutes" => (Limit::WallMs, 6e4),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::id::RunId;

    fn shown() -> Projection {
        let mut shown = Projection::new(RunId::from("run_1"));
        shown.options.budget.tokens = Some(9_000);
        shown
    }

    #[test]
    fn limits_are_typed_in_either_order_and_counted_from_what_holds() {
        let set = |line| meant(line, &shown()).unwrap();
        let expected = NewLimits { rounds: Some(8), passages: Some(200), ..NewLimits::default() };
        assert_eq!(set("rounds 8, passages 200"), expected);
        assert_eq!(set(" 200 Passages; 8 rounds"), expected);
        assert_eq!(set("+3 rounds passages +150"), expected);
        let fewer = NewLimits { passages: Some(20), tokens: Some(8_500), ..NewLimits::default() };
        assert_eq!(set("-30 passages tokens -500"), fewer);
        let parts = NewLimits {
            cost_micro_usd: Some(250_000),
            wall_ms: Some(90_000),
            ..NewLimits::default()
        };
        assert_eq!(set("0.25 usd, 1.5 minutes"), parts);
        // A run that may look once has one round to count from.
        let mut once = shown();
        once.max_rounds = 1;
        assert_eq!(meant("+3 rounds", &once).unwrap().rounds, Some(4));
    }

    #[test]
    fn what_cannot_be_set_says_how() {
        for line in ["rounds", "8", "8 9", "rounds passages", "eight rounds", "rounds 8 passages"] {
            assert_eq!(meant(line, &shown()), Err(HOW.to_owned()), "{line}");
        }
        assert!(meant("", &shown()).unwrap_err().contains("no limit"));
        assert!(meant("+1 dollars", &shown()).unwrap_err().contains("leave out the sign"));
        assert!(meant("+9 rounds", &shown()).unwrap_err().contains("at most 10"));
        assert!(meant("-50 passages", &shown()).unwrap_err().contains("at least 1"));
    }
}
