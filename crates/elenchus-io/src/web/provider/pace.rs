//! When a provider may be asked again.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The clocks of all providers, by host. Clones are the same clocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Paces(Arc<Mutex<BTreeMap<String, Pace>>>);

impl Paces {
    /// The clock of one host.
    pub(super) fn of(&self, host: &str) -> Pace {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry(host.to_owned()).or_default().clone()
    }
}

/// One host's clock: requests begin no closer together than its pause, and not before a time that it asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Pace(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// When the next request may begin.
    next: Option<Instant>,
    /// Until when the host asked to be left alone.
    asked: Option<Instant>,
}

/// Why there is no turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLong {
    /// How long a turn would have to be waited for.
    pub(super) wait: Duration,
    /// Whether the host asked for it, as against many requests of ours in a row.
    pub(super) asked: bool,
}

impl Pace {
    /// Takes the next turn: how long to wait for it. No turn is taken when that is longer than `most`.
    pub(super) fn turn(&self, pause: Duration, most: Duration) -> Result<Duration, TooLong> {
        let now = Instant::now();
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let until =
            |at: Option<Instant>| at.map_or(Duration::ZERO, |at| at.saturating_duration_since(now));
        let (ours, theirs) = (until(state.next), until(state.asked));
        let wait = ours.max(theirs);
        if wait > most {
            return Err(TooLong { wait, asked: theirs >= ours });
        }
        state.next = now.checked_add(wait + pause);
        Ok(wait)
    }

    /// The host asked to be left alone for that long.
    pub(super) fn rest(&self, wait: Duration) {
        // A day is as good as for ever, and no sum overflows.
        let until = Instant::now().checked_add(wait.min(Duration::from_hours(24)));
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.asked = state.asked.max(until);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Duration = Duration::from_secs(3);
    const LONG: Duration = Duration::from_mins(1);

    #[test]
    fn turns_are_a_pause_apart_and_shared_by_host() {
        let paces = Paces::default();
        let pace = paces.of("a");
        assert_eq!(pace.turn(PAUSE, LONG), Ok(Duration::ZERO));
        let second = paces.clone().of("a").turn(PAUSE, LONG).unwrap();
        assert!(second > Duration::from_millis(2_500) && second <= PAUSE, "{second:?}");
        let third = pace.turn(PAUSE, LONG).unwrap();
        assert!(third > Duration::from_millis(5_500), "{third:?}");
        assert_eq!(paces.of("b").turn(PAUSE, LONG), Ok(Duration::ZERO));
    }

    #[test]
    fn a_wait_that_was_asked_for_is_kept_and_no_turn_is_lost_on_it() {
        let pace = Pace::default();
        pace.rest(LONG);
        pace.rest(PAUSE);
        let refused = pace.turn(PAUSE, Duration::from_secs(5)).unwrap_err();
        assert!(refused.asked && refused.wait > Duration::from_secs(55), "{refused:?}");
        assert!(pace.turn(PAUSE, LONG).is_ok());
        pace.rest(Duration::MAX);
    }
}
