//! What pages know of runs that are over: it is read once a run, since it does not change any more.

use elenchus_core::answer::Answer;
use elenchus_core::belief::Level;
use elenchus_core::id::RunId;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Runs that are remembered. Beyond, all are forgotten and read again when they are asked for.
const MOST: usize = 4_096;

/// What was read, by run.
#[derive(Debug)]
pub(super) struct Once<T>(Arc<Mutex<BTreeMap<RunId, T>>>);

impl<T> Default for Once<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Clone for Once<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: Clone> Once<T> {
    /// A poisoned lock holds what it held: only whole values are ever put in.
    fn held(&self) -> MutexGuard<'_, BTreeMap<RunId, T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of a run.
    pub(super) fn known(&self, run: &RunId) -> Option<T> {
        self.held().get(run).cloned()
    }

    /// Keeps what was read of a run that is over.
    pub(super) fn keep(&self, run: &RunId, read: T) {
        let mut held = self.held();
        if held.len() >= MOST {
            held.clear();
        }
        held.insert(run.clone(), read);
    }
}

/// How sure the answer of a run is, on the scale of its own page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sure {
    /// The figure of what answers, with its word.
    Figure(f64, Level),
    /// No statement answers, or none of those could be checked.
    NotAssessable,
    /// Nothing was verified.
    NotVerified,
}

impl Sure {
    /// Of an answer.
    pub(super) fn of(answer: &Answer) -> Self {
        match answer.overall() {
            Some((overall, level)) => Self::Figure(overall, level),
            None if answer.confidence.is_some() => Self::NotAssessable,
            None => Self::NotVerified,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_has_an_end() {
        let once: Once<usize> = Once::default();
        let run = |n: usize| RunId(format!("run_{n}"));
        for n in 0..=MOST {
            once.keep(&run(n), n);
        }
        assert_eq!((once.known(&run(0)), once.known(&run(MOST))), (None, Some(MOST)));
        assert!(once.clone().held().len() <= MOST, "both look at the same");
    }
}
