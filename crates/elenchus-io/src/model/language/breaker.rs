//! A circuit breaker: an endpoint that keeps failing is left alone for a while.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::error::ChatError;

/// When a circuit opens and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BreakerLimits {
    /// Failures in a row that open it. At least 1.
    pub failures: u32,
    /// How long no request is sent after that. Then one is, and its outcome decides.
    pub pause: Duration,
}

impl Default for BreakerLimits {
    fn default() -> Self {
        Self { failures: 6, pause: Duration::from_secs(30) }
    }
}

/// The circuit of one endpoint. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Breaker {
    limits: BreakerLimits,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    failures: u32,
    /// No request before this time.
    until: Option<Instant>,
    /// The one request that is to find out whether the endpoint is well again is under way.
    trial: bool,
    last: String,
}

/// Why a request may not be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Open {
    pub(crate) failures: u32,
    pub(crate) again_in: Duration,
    pub(crate) last: String,
}

/// Leave to send one request. Dropped without a verdict, as when a run is cancelled, it changes nothing.
#[derive(Debug)]
pub(crate) struct Permit {
    breaker: Breaker,
    trial: bool,
}

impl Breaker {
    pub(crate) fn new(limits: BreakerLimits) -> Self {
        Self { limits, state: Arc::default() }
    }

    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        // The state is plain numbers, whole at any time.
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Leave to send a request now, or how long to wait.
    pub(crate) fn permit(&self) -> Result<Permit, Open> {
        let now = Instant::now();
        self.with(|state| {
            let Some(until) = state.until else {
                return Ok(Permit { breaker: self.clone(), trial: false });
            };
            if now < until || state.trial {
                return Err(Open {
                    failures: state.failures,
                    again_in: until.saturating_duration_since(now),
                    last: state.last.clone(),
                });
            }
            state.trial = true;
            Ok(Permit { breaker: self.clone(), trial: true })
        })
    }
}

impl Permit {
    /// Tells the circuit how the request ended. An error that is the request's own fault shows a living server.
    pub(crate) fn settle<T>(self, outcome: &Result<T, ChatError>) {
        let trouble = outcome.as_ref().err().filter(|error| error.is_trouble());
        let limits = self.breaker.limits;
        self.breaker.with(|state| match trouble {
            None => {
                state.failures = 0;
                state.until = None;
            }
            Some(error) => {
                state.failures = state.failures.saturating_add(1);
                state.last = error.to_string();
                if state.failures >= limits.failures.max(1) {
                    // A pause too long for the clock is forever in practice; a day is enough.
                    let pause = limits.pause.min(Duration::from_hours(24));
                    state.until = Instant::now().checked_add(pause);
                }
            }
        });
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if self.trial {
            self.breaker.with(|state| state.trial = false);
        }
    }
}
