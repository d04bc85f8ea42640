//! Fail points: places at which a crash test makes the process fall over.
//!
//! Without the feature `crash-points` nothing of this is compiled but the names.

/// A place between two moves of the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailPoint {
    /// Effects are known; their intent is not written.
    BeforeIntent,
    /// Their intent is written; none is performed.
    AfterIntent,
    /// An effect was performed; its outcome is not written.
    AfterEffect,
    /// An input and its events are written; nobody was told.
    AfterAppend,
    /// The run is over; the lease is still held.
    BeforeRelease,
}

impl FailPoint {
    /// Every fail point.
    pub const ALL: [Self; 5] = [
        Self::BeforeIntent,
        Self::AfterIntent,
        Self::AfterEffect,
        Self::AfterAppend,
        Self::BeforeRelease,
    ];

    /// The name used in `ELENCHUS_CRASH_AT`.
    pub fn name(self) -> &'static str {
        match self {
            Self::BeforeIntent => "before_intent",
            Self::AfterIntent => "after_intent",
            Self::AfterEffect => "after_effect",
            Self::AfterAppend => "after_append",
            Self::BeforeRelease => "before_release",
        }
    }
}

#[cfg(feature = "crash-points")]
mod plan {
    use super::FailPoint;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// Where to fall over, and how.
    #[derive(Clone, Debug, Default)]
    pub struct CrashPlan {
        at: Option<(FailPoint, u32)>,
        aborts: bool,
        hits: Arc<AtomicU32>,
    }

    impl CrashPlan {
        /// Falls over nowhere.
        pub fn never() -> Self {
            Self::default()
        }

        /// Ends the driver, as if the process had died, at the `n`-th (from 1) passage of `site`.
        pub fn at(site: FailPoint, n: u32) -> Self {
            Self { at: Some((site, n)), aborts: false, hits: Arc::default() }
        }

        /// Aborts the process where the variable `ELENCHUS_CRASH_AT` (`site:n`) says.
        pub fn from_env() -> Self {
            let plan = std::env::var("ELENCHUS_CRASH_AT").ok().and_then(|text| {
                let (site, n) = text.split_once(':')?;
                let site = FailPoint::ALL.into_iter().find(|point| point.name() == site)?;
                Some((site, n.parse().ok()?))
            });
            Self { at: plan, aborts: true, hits: Arc::default() }
        }

        /// Whether to fall over here and now. Aborts by itself where the plan says so.
        pub(crate) fn strikes(&self, site: FailPoint) -> bool {
            let Some((at, n)) = self.at else { return false };
            if at != site || self.hits.fetch_add(1, Ordering::SeqCst) + 1 != n {
                return false;
            }
            if self.aborts {
                std::process::abort();
            }
            true
        }
    }
}

#[cfg(feature = "crash-points")]
pub use plan::CrashPlan;
