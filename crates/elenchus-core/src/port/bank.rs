//! Where strategies are kept.

use super::PortFuture;
use crate::bank::{
    Caller, Draft, Lift, Outcome, Posterior, Scope, Signal, SignalKind, Standing, Strategy,
};
use crate::id::{SearchId, StrategyId, Timestamp};
use crate::measure::Explained;
use serde::{Deserialize, Serialize};

/// A search of the bank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Recall {
    /// In words; not empty.
    pub query: String,
    /// Only this scope; `None` for all that the caller sees.
    pub scope: Option<Scope>,
    /// Only strategies to follow, or only those to avoid; `None` for both.
    pub outcome: Option<Outcome>,
    /// The most to return, 1 to `max_limit`.
    pub limit: usize,
    /// The least confidence, in `[0, 1]`.
    pub min_confidence: f64,
    /// The run or session that asks, so that its exposure counts once; empty for none.
    pub session_id: String,
    /// Whether the result goes into a prompt: quarantined strategies and exploration are left out then.
    pub for_prompt: bool,
}

/// A strategy with what is believed of it now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Held {
    /// The strategy.
    pub strategy: Strategy,
    /// Mean of its posterior, in `[0, 1]`.
    pub confidence: f64,
    /// The middle 90 % of its posterior.
    pub interval: (f64, f64),
    /// The posterior itself; absent where whoever keeps it tells no more than the two above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub posterior: Option<Posterior>,
    /// The confidence of its class on labelled outcomes, where there are enough of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibrated: Option<f64>,
    /// Sessions that were shown it.
    pub usage_count: u64,
    /// How well it fits the query, in `[0, 1]`; 0 where nothing was asked.
    pub relevance: f64,
    /// Whether it stands here to be tried out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exploration: bool,
    /// Whether it has so little in common with the query that it bears on something else; a run or an agent is not shown it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub far: bool,
    /// How its place in a search came about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranked: Option<Explained>,
    /// How much more often tasks succeed with it, where outcomes were reported; outside a search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lift: Option<Lift>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Recalled {
    /// To name in signals.
    pub search_id: SearchId,
    /// Strategies to follow, the best first.
    pub memories: Vec<Held>,
    /// Strategies to avoid, in a lane of their own so that they never compete; empty when only successes were asked for.
    pub avoid: Vec<Held>,
    /// Strategies that matched before the limit.
    pub total_found: usize,
    /// Of those, how many the least confidence hid.
    pub hidden_below_min_confidence: usize,
    /// Strategies beside those that have a word or something of the sense of the query and bear on something else: where the
    /// result goes into a prompt they are left out.
    #[serde(default)]
    pub hidden_as_far: usize,
}

/// What came of recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Recorded {
    /// The strategy as it stands in the bank.
    pub held: Held,
    /// Whether the bank held the same already; nothing was added then.
    pub already_there: bool,
    /// Kinds of secrets that were taken out of the text.
    pub scrubbed: Vec<String>,
}

/// A signal to be given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SignalGiven {
    /// The strategy.
    pub memory_id: StrategyId,
    /// What kind.
    pub kind: SignalKind,
    /// For or against.
    pub positive: bool,
    /// The run or session; empty for none.
    pub session_id: String,
    /// The search that showed it.
    pub search_id: Option<SearchId>,
    /// What was said along with it.
    pub comment: Option<String>,
    /// One over the number of strategies used together, in (0, 1].
    pub share: f64,
}

/// What came of a signal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Signalled {
    /// `false` when the same signal was there already: the last one holds, and counts once.
    pub recorded: bool,
    /// The confidence now.
    pub confidence: f64,
    /// The interval now.
    pub interval: (f64, f64),
    /// The signal as it was kept.
    pub signal: Signal,
}

/// Which strategies to list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Listing {
    /// Only this scope.
    pub scope: Option<Scope>,
    /// Only this outcome.
    pub outcome: Option<Outcome>,
    /// Also archived ones.
    pub archived: bool,
    /// Only those with this tag.
    pub tag: Option<String>,
    /// The most to return; 0 for all.
    pub limit: usize,
    /// How many to leave out first.
    pub offset: usize,
}

/// A change of what a strategy says. `None` leaves a part as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Edit {
    /// The title.
    pub title: Option<String>,
    /// The description.
    pub description: Option<String>,
    /// The content.
    pub content: Option<String>,
    /// The tags.
    pub tags: Option<Vec<String>>,
    /// Who sees it.
    pub scope: Option<Scope>,
    /// Whether it may be recalled: archiving, restoring, vouching for a quarantined one.
    pub standing: Option<Standing>,
}

/// A strategy with all that was ever said of it: a line of an export.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Exported {
    /// The strategy.
    pub strategy: Strategy,
    /// Its signals, oldest first.
    pub signals: Vec<Signal>,
}

/// Figures of a bank, as one caller sees it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stats {
    /// Strategies that may be recalled.
    pub active: u64,
    /// Of those, how many are to be avoided.
    pub avoid: u64,
    /// Strategies of which nobody vouches for the text.
    pub quarantined: u64,
    /// Strategies taken out of use.
    pub archived: u64,
    /// Signals by kind: explicit, usage, used, outcome. What was left unused is not among those used.
    pub signals: [u64; 4],
    /// Sessions that wait for a distiller, are with one, and were given up.
    pub queue: [u64; 3],
    /// Learned weights of the project, explicit, usage and outcome, which sum to 1.
    pub weights: [f64; 3],
    /// Tasks of the project that succeeded and that failed, by their reported outcomes.
    #[serde(default)]
    pub tasks: [u64; 2],
    /// Strategies with which tasks surely succeed more often than that, and surely less often.
    #[serde(default)]
    pub lifts: [u64; 2],
}

/// Signals by what they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SignalCounts {
    /// Votes.
    pub explicit: u64,
    /// Times shown by a search.
    pub usage: u64,
    /// Times put to use.
    pub used: u64,
    /// Reports of what came of it.
    pub outcome: u64,
}

/// Sessions by how far their distilling is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionCounts {
    /// They wait for a distiller.
    pub waiting: u64,
    /// A distiller is at work on them.
    pub at_work: u64,
    /// They were given up.
    pub given_up: u64,
}

/// What signals count for, learned by the project; together 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SignalWeights {
    /// Votes.
    pub explicit: f64,
    /// Being shown.
    pub usage: f64,
    /// Outcomes.
    pub outcome: f64,
}

/// Tasks by how they went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TaskCounts {
    /// They succeeded.
    pub succeeded: u64,
    /// They failed.
    pub failed: u64,
}

/// Strategies by what became of tasks with them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LiftCounts {
    /// Tasks surely succeed more often with them.
    pub more_often: u64,
    /// Tasks surely succeed less often with them.
    pub less_often: u64,
}

/// Figures of a bank as programs are told them: each with a name. The rows without names stay beside them, for programs that
/// count places.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedStats {
    /// The figures, some of them in rows.
    #[serde(flatten)]
    pub stats: Stats,
    /// What `signals` counts.
    pub signals_by_kind: SignalCounts,
    /// What `queue` counts.
    pub sessions: SessionCounts,
    /// What `weights` are of.
    pub weights_by_kind: SignalWeights,
    /// What `tasks` counts.
    pub tasks_by_outcome: TaskCounts,
    /// What `lifts` counts.
    pub memories_by_lift: LiftCounts,
}

impl From<Stats> for NamedStats {
    fn from(stats: Stats) -> Self {
        let [explicit, usage, used, outcome] = stats.signals;
        let [waiting, at_work, given_up] = stats.queue;
        let [of_votes, of_usage, of_outcomes] = stats.weights;
        let [succeeded, failed] = stats.tasks;
        let [more_often, less_often] = stats.lifts;
        Self {
            stats,
            signals_by_kind: SignalCounts { explicit, usage, used, outcome },
            sessions: SessionCounts { waiting, at_work, given_up },
            weights_by_kind: SignalWeights {
                explicit: of_votes,
                usage: of_usage,
                outcome: of_outcomes,
            },
            tasks_by_outcome: TaskCounts { succeeded, failed },
            memories_by_lift: LiftCounts { more_often, less_often },
        }
    }
}

/// A finished run or session that waits to be distilled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Queued {
    /// Its number.
    pub id: i64,
    /// On whose behalf.
    pub caller: Caller,
    /// The run or session.
    pub session_id: String,
    /// Whether it succeeded; `None` when nobody knows.
    pub outcome: Option<Outcome>,
    /// What happened, as text, free of secrets.
    pub trace: String,
    /// Whether any of it goes back to pages that nobody vouches for.
    pub from_web: bool,
    /// Strategies that it was shown, which must not be distilled again.
    pub shown: Vec<StrategyId>,
    /// How often it was tried.
    pub attempts: u32,
}

/// Why a try at distilling a session failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Failed {
    /// The cause.
    pub cause: String,
    /// The reply of a model that could not be used, where there was one.
    pub reply: Option<String>,
}

/// How a session stands that gave trouble.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Troubled {
    /// It is not tried again.
    #[default]
    GivenUp,
    /// It is tried again, or is being tried.
    Waits,
    /// It is distilled, and not all of the reply could be used.
    PartlyRead,
}

/// A session whose distilling gave trouble, for review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GivenUp {
    /// The session, with what it was read from as long as it is not distilled.
    pub session: Queued,
    /// How it stands.
    #[serde(default)]
    pub stands: Troubled,
    /// Why the last try failed; of one that is distilled, what of the reply was left out.
    pub failed: Failed,
    /// Every try that failed, the first one first.
    #[serde(default)]
    pub tries: Vec<Failed>,
}

/// Why the bank did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BankFailure {
    /// No such strategy for this caller. A strategy of another tenant is answered with the same words.
    #[error("could not find memory {0}: `elenchus memory list` shows those there are")]
    Unknown(StrategyId),
    /// What was given cannot be taken.
    #[error("could not {attempted}: {cause}; {way_out}")]
    Refused {
        /// What was attempted.
        attempted: String,
        /// The cause.
        cause: String,
        /// What to do about it.
        way_out: String,
    },
    /// The caller may not do that.
    #[error("could not {attempted}: {cause}; {way_out}")]
    Forbidden {
        /// What was attempted.
        attempted: String,
        /// The cause.
        cause: String,
        /// What to do about it.
        way_out: String,
    },
    /// The storage failed.
    #[error("could not {attempted}: {cause}")]
    Io {
        /// What was attempted.
        attempted: String,
        /// The cause and the way out.
        cause: String,
    },
}

/// A bank of strategies, shared by many processes and callers.
///
/// Every method sees only what the caller's tenant, project, team and organisation may see. Writes are atomic and are
/// seen by the next read. Times are passed in; a bank reads no clock.
pub trait Bank: Send + Sync {
    /// Searches. Strategies that are returned get a usage signal, once a session.
    fn search<'a>(
        &'a self,
        caller: &'a Caller,
        recall: &'a Recall,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Recalled, BankFailure>>;
    /// Records a strategy. The same title and content of the same project and scope is one strategy.
    fn record<'a>(
        &'a self,
        caller: &'a Caller,
        draft: &'a Draft,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Recorded, BankFailure>>;
    /// Gives a signal. One actor's explicit votes on one strategy are one vote: the last one holds. One that names a search
    /// which never showed the strategy is refused.
    fn signal<'a>(
        &'a self,
        caller: &'a Caller,
        given: &'a SignalGiven,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Signalled, BankFailure>>;
    /// Takes the caller's last vote on a strategy back, so that the one before holds, if there was one; gives whether there was
    /// one to take back. What weights had learned of it stays, and one that was rolled up into sums cannot be taken back.
    fn unvote<'a>(
        &'a self,
        caller: &'a Caller,
        id: &'a StrategyId,
        now: Timestamp,
    ) -> PortFuture<'a, Result<bool, BankFailure>>;
    /// One strategy.
    fn get<'a>(
        &'a self,
        caller: &'a Caller,
        id: &'a StrategyId,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Held, BankFailure>>;
    /// How its confidence came about, down to the votes.
    fn why<'a>(
        &'a self,
        caller: &'a Caller,
        id: &'a StrategyId,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Explained, BankFailure>>;
    /// Strategies in the order of their recording, the newest first.
    fn list<'a>(
        &'a self,
        caller: &'a Caller,
        listing: &'a Listing,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Vec<Held>, BankFailure>>;
    /// Changes what one says or whether it may be recalled.
    fn edit<'a>(
        &'a self,
        caller: &'a Caller,
        id: &'a StrategyId,
        edit: &'a Edit,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Held, BankFailure>>;
    /// Deletes one for good, with its signals.
    fn delete<'a>(
        &'a self,
        caller: &'a Caller,
        id: &'a StrategyId,
    ) -> PortFuture<'a, Result<(), BankFailure>>;
    /// All that the caller's project holds, oldest first.
    fn export<'a>(
        &'a self,
        caller: &'a Caller,
    ) -> PortFuture<'a, Result<Vec<Exported>, BankFailure>>;
    /// Takes an export in; gives how many were new. What is there already stays as it is.
    fn import<'a>(
        &'a self,
        caller: &'a Caller,
        exported: &'a [Exported],
        now: Timestamp,
    ) -> PortFuture<'a, Result<usize, BankFailure>>;
    /// Figures.
    fn stats<'a>(
        &'a self,
        caller: &'a Caller,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Stats, BankFailure>>;
    /// Puts the caller's bank back to how it stood at a time: what was recorded later is archived, signals that came
    /// later no longer count. Gives how many strategies and signals that concerned.
    fn roll_back<'a>(
        &'a self,
        caller: &'a Caller,
        to: Timestamp,
        now: Timestamp,
    ) -> PortFuture<'a, Result<(usize, usize), BankFailure>>;
    /// The daily work: rolls old signals up, archives what proved useless, promotes what many confirmed. Gives what it did, a
    /// line a strategy. Concerns all tenants.
    fn tend(&self, now: Timestamp) -> PortFuture<'_, Result<Vec<String>, BankFailure>>;
    /// Queues a finished run or session. The same session is queued once; gives whether it was new.
    fn queue<'a>(
        &'a self,
        caller: &'a Caller,
        session: &'a Queued,
        now: Timestamp,
    ) -> PortFuture<'a, Result<bool, BankFailure>>;
    /// Whether [`take`](Self::take) would give a session of the caller's project, or of anybody's where no caller is named. It
    /// is cheap: servers ask it every minute.
    fn is_due<'a>(
        &'a self,
        caller: Option<&'a Caller>,
        now: Timestamp,
    ) -> PortFuture<'a, Result<bool, BankFailure>>;
    /// Takes up to `most` sessions of the caller's project for `lease_ms`, or of anybody's where no caller is named; nobody else
    /// gets them until then.
    fn take(
        &self,
        caller: Option<&Caller>,
        most: usize,
        holder: &str,
        lease_ms: i64,
        now: Timestamp,
    ) -> PortFuture<'_, Result<Vec<Queued>, BankFailure>>;
    /// Settles a session that was taken: `Ok` with the strategies that it gave, which are recorded in the same transaction;
    /// `Err` with the cause and the reply that could not be used, after which it waits and is tried again, at most five times.
    /// `left_out` says what of a reply was left out that could be used otherwise; it is kept for review.
    fn settle<'a>(
        &'a self,
        session: &'a Queued,
        result: Result<&'a [Draft], Failed>,
        left_out: &'a [String],
        now: Timestamp,
    ) -> PortFuture<'a, Result<Vec<StrategyId>, BankFailure>>;
    /// Sessions that gave trouble, with causes and replies, for review: given up, still tried, or distilled in part.
    fn given_up<'a>(
        &'a self,
        caller: &'a Caller,
    ) -> PortFuture<'a, Result<Vec<GivenUp>, BankFailure>>;
}
