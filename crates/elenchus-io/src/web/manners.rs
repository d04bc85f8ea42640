//! Manners towards hosts: few requests at once, a pause between two, and a rest for those that ask for one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until, timeout_at};

/// Hosts that are remembered before those at rest are forgotten.
const MOST_HOSTS: usize = 1_024;

/// A rest shorter than this is waited out; a longer one is a failure to be told.
const SHORT_REST: Duration = Duration::from_secs(3);

/// How hosts are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Custom {
    pub(crate) at_a_host: usize,
    pub(crate) at_once: usize,
    pub(crate) longest_wait: Duration,
    pub(crate) longest_rest: Duration,
}

/// The state of all hosts.
#[derive(Debug)]
pub(crate) struct Manners {
    custom: Custom,
    everywhere: Arc<Semaphore>,
    hosts: Mutex<BTreeMap<String, Arc<Host>>>,
}

#[derive(Debug)]
struct Host {
    places: Arc<Semaphore>,
    times: Mutex<Times>,
}

#[derive(Clone, Copy, Debug)]
struct Times {
    /// When the next request may begin.
    next: Instant,
    /// Until when the host is left alone.
    rest: Option<Instant>,
}

/// The right to have one request under way; given back when dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    _places: [OwnedSemaphorePermit; 2],
}

/// Why there is no turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoTurn {
    /// The host rests for that long.
    Resting(Duration),
    /// Too many of ours wait.
    Busy,
}

impl Manners {
    pub(crate) fn new(custom: Custom) -> Self {
        let everywhere = Arc::new(Semaphore::new(custom.at_once.max(1)));
        Self { custom, everywhere, hosts: Mutex::default() }
    }

    /// Waits for one's turn at a host, `pause` after the request before.
    pub(crate) async fn turn(&self, host: &str, pause: Duration) -> Result<Turn, NoTurn> {
        let host = self.host(host);
        let latest = Instant::now() + self.custom.longest_wait;
        host.rest()?;
        let place =
            |semaphore: &Arc<Semaphore>| timeout_at(latest, Arc::clone(semaphore).acquire_owned());
        // The host's places first: one slow host cannot take all places of the others.
        let Ok(Ok(here)) = place(&host.places).await else { return Err(NoTurn::Busy) };
        let Ok(Ok(everywhere)) = place(&self.everywhere).await else { return Err(NoTurn::Busy) };
        sleep_until(host.reserve(pause, latest)?).await;
        // Another request may have been asked for a rest meanwhile.
        host.rest()?;
        Ok(Turn { _places: [here, everywhere] })
    }

    /// Leaves a host alone for as long as it asks, within reason.
    pub(crate) fn rest(&self, host: &str, asked: Duration) {
        let host = self.host(host);
        let until = Instant::now() + asked.min(self.custom.longest_rest);
        let mut times = host.times();
        times.rest = Some(times.rest.map_or(until, |rest| rest.max(until)));
    }

    fn host(&self, name: &str) -> Arc<Host> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.len() >= MOST_HOSTS && !hosts.contains_key(name) {
            let now = Instant::now();
            hosts.retain(|_, host| Arc::strong_count(host) > 1 || host.times().is_later_than(now));
        }
        let fresh = || {
            let times = Times { next: Instant::now(), rest: None };
            let places = Arc::new(Semaphore::new(self.custom.at_a_host.max(1)));
            Arc::new(Host { places, times: Mutex::new(times) })
        };
        Arc::clone(hosts.entry(name.to_owned()).or_insert_with(fresh))
    }
}

impl Times {
    fn is_later_than(&self, now: Instant) -> bool {
        self.next > now || self.rest.is_some_and(|rest| rest > now)
    }
}

impl Host {
    fn times(&self) -> std::sync::MutexGuard<'_, Times> {
        // Two instants, whole at any time.
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fails while the host rests, unless it is for a moment only.
    fn rest(&self) -> Result<(), NoTurn> {
        let left = self.times().rest.map(|rest| rest.saturating_duration_since(Instant::now()));
        match left {
            Some(left) if left > SHORT_REST => Err(NoTurn::Resting(left)),
            _ => Ok(()),
        }
    }

    /// Takes the next moment at which a request may begin.
    fn reserve(&self, pause: Duration, latest: Instant) -> Result<Instant, NoTurn> {
        let mut times = self.times();
        let now = Instant::now();
        let start = times.next.max(now).max(times.rest.unwrap_or(now));
        if start > latest {
            return Err(NoTurn::Busy);
        }
        times.next = start + pause;
        Ok(start)
    }
}

#[cfg(test)]
mod tests;
