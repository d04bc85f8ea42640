//! What runs usually take, by how hard they try.

use crate::runs::Runs;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::Effort;
use elenchus_core::port::RunQuery;
use elenchus_core::trace::Projection;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Finished runs that are looked at, the newest first.
const LOOKED_AT: usize = 40;

/// What runs of an effort usually take: half of them less, half of them more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usual {
    /// The effort.
    pub effort: Effort,
    /// How many runs that is the middle of.
    pub runs: usize,
    /// How long, in milliseconds.
    pub ms: u64,
    /// What language models cost, in millionths of a US dollar.
    pub micro_usd: u64,
}

/// What one run took.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Took {
    effort: Effort,
    model: String,
    ms: u64,
    micro_usd: u64,
    /// Whether it went its way alone: one that waited for somebody, or had its beginning from another, tells nothing.
    counts: bool,
}

impl Took {
    fn of(run: &Projection) -> Self {
        Self {
            effort: run.options.effort,
            model: run.model.clone(),
            ms: u64::try_from(run.updated_at.0 - run.started_at.0).unwrap_or(0),
            micro_usd: run.spent.usage.cost_micro_usd,
            counts: run.controls.is_empty() && run.forked.is_none(),
        }
    }

    /// Whether `model` thought. A run notes `strong and fast` where there were two, and ours with a word before them.
    fn is_by(&self, model: &str) -> bool {
        let strong = self.model.split_once(" and ").map_or(&*self.model, |(strong, _)| strong);
        strong == model || strong.strip_prefix("builtin:") == Some(model)
    }
}

/// The one in the middle, or the one above it.
fn middle(mut all: Vec<u64>) -> Option<u64> {
    all.sort_unstable();
    all.get(all.len() / 2).copied()
}

fn usual<'a>(took: impl Iterator<Item = &'a Took>, effort: Effort, model: &str) -> Option<Usual> {
    let meant: Vec<&Took> =
        took.filter(|one| one.counts && one.effort == effort && one.is_by(model)).collect();
    let ms = middle(meant.iter().map(|one| one.ms).collect())?;
    let micro_usd = middle(meant.iter().map(|one| one.micro_usd).collect())?;
    Some(Usual { effort, runs: meant.len(), ms, micro_usd })
}

/// What finished runs took. It is read once a run, since it does not change.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken(Arc<Mutex<BTreeMap<RunId, Took>>>);

impl Taken {
    /// What the newest runs took with a model, by effort; efforts without a run are left out.
    pub(super) async fn usual(&self, runs: &Runs, model: &str) -> Vec<Usual> {
        let finished =
            RunQuery { status: Some("finished".to_owned()), limit: LOOKED_AT, ..runs.asked_now() };
        let (lines, _) = runs.page(finished).await.unwrap_or_default();
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut newest = BTreeMap::new();
        for line in lines {
            let took = match known.get(&line.run_id) {
                Some(took) => took.clone(),
                None => {
                    let Ok(record) = runs.record(&line.run_id).await else { continue };
                    record.shown(Took::of)
                }
            };
            newest.insert(line.run_id, took);
        }
        let told = Effort::ALL
            .into_iter()
            .filter_map(|effort| usual(newest.values(), effort, model))
            .collect();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = newest;
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_told_apart_by_effort_and_model() {
        let took = |effort, model: &str, ms, micro_usd, counts| Took {
            effort,
            model: model.to_owned(),
            ms,
            micro_usd,
            counts,
        };
        let all = [
            took(Effort::Quick, "builtin:extractive", 900, 0, true),
            took(Effort::Deep, "builtin:extractive", 9_000, 0, true),
            took(Effort::Deep, "builtin:extractive", 7_000, 0, true),
            took(Effort::Deep, "builtin:extractive", 8_000, 0, true),
            took(Effort::Deep, "builtin:extractive", 900_000, 0, false),
            took(Effort::Deep, "ollama:big and ollama:small", 60_000, 1_200, true),
        ];
        let told = |effort, model| usual(all.iter(), effort, model);
        let deep = Usual { effort: Effort::Deep, runs: 3, ms: 8_000, micro_usd: 0 };
        assert_eq!(told(Effort::Deep, "extractive"), Some(deep));
        assert_eq!(told(Effort::Quick, "extractive").map(|one| one.ms), Some(900));
        assert_eq!(told(Effort::Standard, "extractive"), None);
        let paid = Usual { effort: Effort::Deep, runs: 1, ms: 60_000, micro_usd: 1_200 };
        assert_eq!(told(Effort::Deep, "ollama:big"), Some(paid));
        assert_eq!(told(Effort::Deep, "ollama:small"), None);
    }
}
