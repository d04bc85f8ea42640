//! How many requests a caller may send: a bucket of tokens that fills again by itself.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Callers that are remembered. Beyond, those whose buckets are full again are forgotten.
const MOST_CALLERS: usize = 4_096;

/// Who sends requests: a token and where it comes from.
pub(crate) type Who = (usize, Option<IpAddr>);

#[derive(Clone, Copy, Debug)]
struct Bucket {
    left: f64,
    at: Instant,
}

/// Buckets of all callers.
#[derive(Debug)]
pub(crate) struct Rates {
    per_second: f64,
    burst: f64,
    buckets: Mutex<BTreeMap<Who, Bucket>>,
}

/// What a caller has left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Allowance {
    /// The most at once.
    pub(crate) limit: u64,
    /// What is left of it now.
    pub(crate) left: u64,
    /// When the bucket is full again.
    pub(crate) reset: Duration,
    /// How long to wait for the next, when nothing is left.
    pub(crate) wait: Option<Duration>,
}

impl Rates {
    /// `per_second` requests on the average, `burst` at once. Both above 0.
    pub(crate) fn new(per_second: u32, burst: u32) -> Self {
        Self {
            per_second: f64::from(per_second.max(1)),
            burst: f64::from(burst.max(1)),
            buckets: Mutex::default(),
        }
    }

    /// Takes one request out of a caller's bucket.
    pub(crate) fn take(&self, who: Who, now: Instant) -> Allowance {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST_CALLERS && !buckets.contains_key(&who) {
            let full = Duration::from_secs_f64(self.burst / self.per_second);
            buckets.retain(|_, bucket| now.saturating_duration_since(bucket.at) < full);
            // Whoever comes from so many addresses at once shares one bucket.
            if buckets.len() >= MOST_CALLERS {
                buckets.clear();
            }
        }
        let bucket = buckets.entry(who).or_insert(Bucket { left: self.burst, at: now });
        let gone = now.saturating_duration_since(bucket.at).as_secs_f64();
        bucket.left = (bucket.left + gone * self.per_second).min(self.burst);
        bucket.at = now;
        let wait = if bucket.left >= 1.0 {
            bucket.left -= 1.0;
            None
        } else {
            Some(Duration::from_secs_f64((1.0 - bucket.left) / self.per_second))
        };
        Allowance {
            limit: self.burst as u64,
            left: bucket.left as u64,
            reset: Duration::from_secs_f64((self.burst - bucket.left) / self.per_second),
            wait,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let rates = Rates::new(10, 3);
        let start = Instant::now();
        let who = (0, None);
        let left: Vec<u64> = (0..3).map(|_| rates.take(who, start).left).collect();
        assert_eq!(left, [2, 1, 0]);
        let refused = rates.take(who, start);
        assert_eq!(refused.wait, Some(Duration::from_millis(100)));
        // Another caller has a bucket of its own.
        assert_eq!(rates.take((1, None), start).wait, None);
        assert_eq!(rates.take(who, start + Duration::from_millis(100)).wait, None);
        assert!(rates.take(who, start + Duration::from_millis(100)).wait.is_some());
        // It never holds more than the burst.
        assert_eq!(rates.take(who, start + Duration::from_hours(1)).left, 2);
    }

    #[test]
    fn callers_are_not_remembered_without_end() {
        let rates = Rates::new(1, 1);
        let now = Instant::now();
        for n in 0..20_000_u32 {
            rates.take((0, Some(IpAddr::from(n.to_be_bytes()))), now);
        }
        assert!(rates.buckets.lock().unwrap().len() <= MOST_CALLERS);
    }
}
