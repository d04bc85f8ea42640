//! What the engine is given: the ports of the world, and how patient to be with them.

use crate::memory::Remembering;
use elenchus_core::belief::Judging;
use elenchus_core::inquiry::{Effect, Elsewhere};
use elenchus_core::port::{Clock, Embedder, Model, Retriever, Store, Verifier};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

/// A verifier with what its figures mean.
#[derive(Clone)]
pub struct Judge {
    /// Judges claims by evidence.
    pub verifier: Arc<dyn Verifier>,
    /// What figures are made with. Becomes part of the run.
    pub judging: Judging,
}

/// The world.
#[derive(Clone)]
pub struct Ports {
    /// Answers prompts.
    pub model: Arc<dyn Model>,
    /// Finds and reads passages.
    pub retriever: Arc<dyn Retriever>,
    /// Turns texts into vectors.
    pub embedder: Arc<dyn Embedder>,
    /// Judges the statements of answers; without it runs verify nothing.
    pub judge: Option<Judge>,
    /// Keeps what runs learn; without it they learn nothing.
    pub memory: Option<Remembering>,
    /// Servers elsewhere that these ports send something to, beside the web.
    pub elsewhere: Vec<Elsewhere>,
    /// Keeps journals.
    pub store: Arc<dyn Store>,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
}

/// How long an effect may take, all its attempts together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadlines {
    /// A model call.
    pub model: Duration,
    /// Embedding.
    pub embed: Duration,
    /// A search.
    pub search: Duration,
    /// Reading passages.
    pub read: Duration,
    /// Checking claims.
    pub verify: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            model: Duration::from_mins(3),
            embed: Duration::from_mins(2),
            search: Duration::from_mins(1),
            read: Duration::from_mins(1),
            verify: Duration::from_mins(5),
        }
    }
}

impl Deadlines {
    pub(crate) fn of(&self, effect: &Effect) -> Duration {
        match effect {
            Effect::Model { .. } => self.model,
            Effect::Embed { .. } => self.embed,
            Effect::Search(_) | Effect::Meetings { .. } => self.search,
            Effect::Read { .. } => self.read,
            Effect::Verify { .. } | Effect::Contradict { .. } => self.verify,
        }
    }
}

/// Longer than a server takes to be begun again, or another to stand in for it (10 to 60 s).
pub(crate) const AWAY: Duration = Duration::from_mins(2);
/// Longer than a store may work at one write (60 s), and than its connection takes to be made.
const WRITE: Duration = Duration::from_secs(90);
/// The longest wait between two tries of a write.
const LONGEST: Duration = Duration::from_secs(5);

/// How runs are driven.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Effects performed at the same time.
    pub concurrency: usize,
    /// How long each may take.
    pub deadlines: Deadlines,
    /// Transport retries of an effect; the fewest of a write that finds the store away.
    pub retries: u32,
    /// The wait before the first retry; it doubles.
    pub backoff: Duration,
    /// How long a run waits for a store that is away, for as long as nobody else takes it over.
    pub away: Duration,
    /// How long one try of a write may take: a store that does not answer for so long counts as away.
    pub write: Duration,
    /// How long a lease lasts without being renewed. It is renewed three times as often.
    pub lease: Duration,
    /// The name under which leases are held; `None` makes one that says which process it is.
    pub holder: Option<String>,
    /// Where to fall over, for crash tests.
    #[cfg(feature = "crash-points")]
    pub crash: crate::CrashPlan,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            concurrency: 8,
            deadlines: Deadlines::default(),
            retries: 2,
            backoff: Duration::from_millis(250),
            away: AWAY,
            write: WRITE,
            lease: Duration::from_secs(15),
            holder: None,
            #[cfg(feature = "crash-points")]
            crash: crate::CrashPlan::from_env(),
        }
    }
}

impl Settings {
    /// How long a lease lasts, in milliseconds.
    pub fn lease_ms(&self) -> i64 {
        i64::try_from(self.lease.as_millis()).unwrap_or(i64::MAX)
    }

    /// How often a lease is renewed, and how long one try of it may take: one that hangs leaves time for another.
    pub(crate) fn renewal(&self) -> Duration {
        (self.lease / 3).max(Duration::from_millis(10))
    }

    /// The wait before the `attempt`-th retry, from 0.
    pub(crate) fn wait(&self, attempt: u32) -> Duration {
        self.backoff.saturating_mul(2u32.saturating_pow(attempt.min(10)))
    }

    /// The wait before the `attempt`-th retry of a write, from 0: half of it by chance, so that processes that lost one store do
    /// not all come back in one moment.
    pub(crate) fn pause(&self, attempt: u32) -> Duration {
        let half = self.wait(attempt).min(LONGEST) / 2;
        let chance = RandomState::new().hash_one(attempt) % 1_000;
        half + half.mul_f64(chance as f64 / 1_000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, Settings};

    #[test]
    fn pauses_grow_to_an_end_and_are_not_the_same() {
        let settings = Settings::default();
        for attempt in 0..40 {
            let (pause, wait) = (settings.pause(attempt), settings.wait(attempt).min(LONGEST));
            assert!(pause >= wait / 2 && pause <= wait, "{attempt}: {pause:?} of {wait:?}");
        }
        let seen: std::collections::BTreeSet<_> = (0..40).map(|_| settings.pause(9)).collect();
        assert!(seen.len() > 10, "{seen:?}");
    }
}
