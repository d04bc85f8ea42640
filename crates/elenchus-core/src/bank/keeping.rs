//! What becomes of a strategy: archived, promoted, quarantined, vouched for.

use super::beta::Posterior;
use super::caller::behind;
use super::posterior::{Evidence, PRIOR_STRENGTH, counted};
use super::settings::BankSettings;
use super::signal::{Signal, SignalKind};
use super::strategy::{Draft, Origin, Scope, Standing, Strategy};
use super::weights::Weights;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Observations that it takes to archive a strategy.
const ENOUGH_TO_PRUNE: f64 = 5.0;
/// Sessions whose tasks succeeded that lift a quarantine, where nobody else says so than who brought the text.
const SESSIONS_THAT_CONFIRM: usize = 2;

/// Why a strategy is to be archived: its whole interval lies below the threshold and it is borne out by at least five
/// observations. `None` where it stays. Nothing is deleted.
pub fn prune(
    posterior: &Posterior,
    evidence: &Evidence,
    weights: &Weights,
    settings: &BankSettings,
) -> Option<String> {
    let seen = evidence.observations(weights, settings);
    let (_, high) = posterior.interval();
    (seen >= ENOUGH_TO_PRUNE && high < settings.prune_threshold).then(|| {
        format!(
            "with 95 % certainty it helps less often than {:.2} (upper end {high:.2}, {seen:.1} observations)",
            settings.prune_threshold
        )
    })
}

/// The wider scope that a strategy earned, if it did. `signals` are those of every project.
///
/// It takes `consensus_threshold` distinct sessions and as many distinct actors that confirmed it, by an explicit vote for
/// it or by a task that succeeded, none of them the session it came from; for the organisation as many distinct
/// projects too. Only an active strategy that is believed at least as much as an injected one is promoted.
pub fn promotion(
    strategy: &Strategy,
    signals: &[Signal],
    posterior: &Posterior,
    settings: &BankSettings,
) -> Option<Scope> {
    if strategy.standing != Standing::Active || posterior.mean() < settings.min_for_injection {
        return None;
    }
    let wider = match strategy.draft.scope {
        Scope::Project => Scope::Team,
        Scope::Team => Scope::Org,
        Scope::Org => return None,
    };
    let own = strategy.draft.source_session.as_deref();
    let confirms = |signal: &&Signal| {
        signal.positive
            && matches!(signal.kind, SignalKind::Explicit | SignalKind::Outcome)
            && !(own.is_some() && own == Some(signal.session_id.as_str()))
    };
    let counted = counted(None, signals);
    let confirming: Vec<&Signal> = counted.into_iter().filter(confirms).collect();
    let distinct = |of: fn(&Signal) -> String| {
        let all: BTreeSet<String> = confirming.iter().map(|signal| of(signal)).collect();
        u32::try_from(all.len()).unwrap_or(u32::MAX)
    };
    let sessions = distinct(|signal| {
        super::occasion(&signal.session_id, signal.search_id.as_ref(), signal.timestamp)
    });
    let actors = distinct(|signal| signal.actor.clone());
    let projects = distinct(|signal| signal.project_id.clone());
    let needed = settings.consensus_threshold.max(1);
    let agreed = sessions >= needed && actors >= needed;
    let spread = wider == Scope::Team || projects >= needed;
    (agreed && spread).then_some(wider)
}

/// How far the text of a strategy can be trusted, from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trust {
    /// It goes back to text that nobody vouches for.
    Foreign,
    /// A session's work or another's export.
    Learned,
    /// Recorded on purpose.
    Recorded,
}

/// The trust in a draft: the least of its own and of everything that it was made from.
pub fn trust(draft: &Draft, ancestors: &[&Strategy]) -> Trust {
    let own = match (draft.from_web, draft.origin) {
        (true, _) => Trust::Foreign,
        (false, Origin::Explicit) => Trust::Recorded,
        (false, Origin::Distilled | Origin::Imported) => Trust::Learned,
    };
    let of = |strategy: &&Strategy| match strategy.standing {
        Standing::Quarantined { .. } => Trust::Foreign,
        // What was vouched for is trusted as what a session learned, whatever page it goes back to.
        Standing::Active | Standing::Archived { .. } if strategy.draft.from_web => Trust::Learned,
        Standing::Active | Standing::Archived { .. } => trust(&strategy.draft, &[]),
    };
    ancestors.iter().map(of).fold(own, Trust::min)
}

/// How a strategy stands when it is recorded: in quarantine when its text, or that of anything it was made from, goes back
/// to pages that nobody vouches for. An ancestor that is not known to the caller must be given as unknown.
pub fn standing_at_first(draft: &Draft, ancestors: &[&Strategy], unknown: usize) -> Standing {
    if trust(draft, ancestors) > Trust::Foreign && unknown == 0 {
        return Standing::Active;
    }
    let reason = if draft.from_web {
        "its text goes back to pages that nobody vouches for"
    } else if unknown > 0 {
        "it was made from strategies that this bank does not know"
    } else {
        "it was made from a strategy in quarantine"
    };
    Standing::Quarantined {
        reason: format!(
            "{reason}; the word of a person or of another user's agent lifts this, or tasks that succeeded in {SESSIONS_THAT_CONFIRM} other sessions"
        ),
    }
}

/// Whether a signal lifts a quarantine. A person's vote for it does, and a task that succeeded with it in another session
/// than the one it came from, if a person reports it, or an agent of somebody else than who brought the text. What the
/// agents of who brought it report lifts nothing before tasks of two such sessions succeeded.
///
/// `by_person` says whether the signal was given by a person rather than through an agent. `reports` are the outcomes of the
/// strategy, the new one among them, from sessions of which the bank knows otherwise: a session is a name in a call, and
/// whoever was talked into praise can also be talked into inventing names.
pub fn lifts_quarantine(
    strategy: &Strategy,
    signal: &Signal,
    by_person: bool,
    reports: &[Signal],
) -> bool {
    let own = strategy.draft.source_session.as_deref();
    let confirms = |signal: &Signal| {
        signal.kind == SignalKind::Outcome
            && signal.positive
            && !signal.session_id.is_empty()
            && own != Some(signal.session_id.as_str())
    };
    let is_another = |actor: &str| behind(actor) != behind(&strategy.actor);
    let sessions = || {
        let last = counted(None, reports).into_iter().filter(|signal| confirms(signal));
        let named = last.map(|signal| (signal.project_id.as_str(), signal.session_id.as_str()));
        named.collect::<BTreeSet<_>>().len()
    };
    matches!(strategy.standing, Standing::Quarantined { .. })
        && signal.memory_id == strategy.id
        && match signal.kind {
            SignalKind::Explicit => signal.positive && by_person,
            SignalKind::Outcome => {
                confirms(signal)
                    && (by_person
                        || is_another(&signal.actor)
                        || sessions() >= SESSIONS_THAT_CONFIRM)
            }
            SignalKind::Usage | SignalKind::Used => false,
        }
}

/// What a strategy does for tasks, beside what the project's tasks come to without it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lift {
    /// How much more often tasks succeed with it, -1 to 1.
    pub lift: f64,
    /// The middle 90 % of that.
    pub interval: (f64, f64),
    /// The share of the project's tasks that succeed.
    pub base: f64,
    /// Outcomes with it, in decayed reports.
    pub outcomes: f64,
}

impl Lift {
    /// Of outcomes with a strategy, for and against, over a project whose tasks ended so often well and badly. Before any
    /// report it is held to change nothing, as firmly as [`PRIOR_STRENGTH`] says. `None` where nobody reported of it.
    pub fn of(pos: f64, neg: f64, tasks: [u64; 2]) -> Option<Self> {
        let [well, badly] = tasks.map(|n| n as f64);
        if pos + neg <= 0.0 || well + badly <= 0.0 {
            return None;
        }
        let base = well / (well + badly);
        let posterior =
            Posterior::new(PRIOR_STRENGTH * base + pos, PRIOR_STRENGTH * (1.0 - base) + neg);
        let (mean, interval) = lift(&posterior, base);
        Some(Self { lift: mean, interval, base, outcomes: pos + neg })
    }
}

/// How much more often tasks succeed with a strategy than the project's tasks do at all: the difference, and its
/// middle 90 %. `base` is the project's share of successes, in `[0, 1]`.
pub fn lift(posterior: &Posterior, base: f64) -> (f64, (f64, f64)) {
    let base = if base.is_finite() { base.clamp(0.0, 1.0) } else { 0.5 };
    let (low, high) = posterior.interval();
    (posterior.mean() - base, (low - base, high - base))
}
