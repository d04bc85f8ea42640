//! Circuit breakers: what keeps failing is left alone for a while.
//!
//! A server to which no connection can be made is out for every model there. All other trouble (too many requests, an
//! overload, a reply that breaks off) is that of the model that was asked: its neighbours on the same server may be
//! well, and are still asked.

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

/// One circuit. Clones share it.
#[derive(Clone, Debug)]
struct Breaker {
    limits: BreakerLimits,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    failures: u32,
    /// No request before this time.
    until: Option<Instant>,
    /// The one request that is to find out whether all is well again is under way.
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

/// Leave of one circuit to send one request. Dropped without a verdict, as when a run is cancelled, it changes nothing.
#[derive(Debug)]
struct Permit {
    breaker: Breaker,
    trial: bool,
}

/// The circuits before one model: that of its server, which all models there share, and its own. Clones share both.
#[derive(Clone, Debug)]
pub(crate) struct Circuits {
    server: Breaker,
    model: Breaker,
}

/// Leave to send one request.
#[derive(Debug)]
pub(crate) struct Permits {
    server: Permit,
    model: Permit,
}

impl Circuits {
    pub(crate) fn new(limits: BreakerLimits) -> Self {
        Self { server: Breaker::new(limits), model: Breaker::new(limits) }
    }

    /// Those before another model on the same server.
    pub(crate) fn beside(&self) -> Self {
        Self { server: self.server.clone(), model: Breaker::new(self.model.limits) }
    }

    /// Leave to send a request now, or how long to wait.
    pub(crate) fn permit(&self) -> Result<Permits, Open> {
        Ok(Permits { server: self.server.permit()?, model: self.model.permit()? })
    }
}

impl Permits {
    /// Tells the circuits how the request ended. An error that is the request's own fault shows that both are well.
    pub(crate) fn settle<T>(self, outcome: &Result<T, ChatError>) {
        let error = outcome.as_ref().err();
        if let Some(outage) = error.filter(|error| error.is_outage()) {
            // It tells nothing of the model.
            self.server.settle(Some(outage));
            return;
        }
        // Whatever came back, there is a server.
        self.server.settle(None);
        self.model.settle(error.filter(|error| error.is_trouble()));
    }
}

impl Breaker {
    fn new(limits: BreakerLimits) -> Self {
        Self { limits, state: Arc::default() }
    }

    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        // The state is plain numbers, whole at any time.
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Leave to send a request now, or how long to wait.
    fn permit(&self) -> Result<Permit, Open> {
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
    /// Tells the circuit how the request ended for it.
    fn settle(self, trouble: Option<&ChatError>) {
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
