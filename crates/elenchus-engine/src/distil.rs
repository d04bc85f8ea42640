//! The distiller: takes finished runs and sessions out of the queue and makes strategies of what they teach.

use crate::holder;
use elenchus_core::bank::{
    BankSettings, Caller, Draft, RECALLED, SessionFacts, Strategy, distil_facts, distil_text,
    render_session, scrub, without_recalled,
};
use elenchus_core::id::{StrategyId, Timestamp};
use elenchus_core::port::{Bank, BankFailure, Clock, Failed, Listing, Model, ModelRole, Queued};
use elenchus_core::prompt::{DistillInput, ModelCall, ModelReply, ProposedStrategy, left_out};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

/// How long a session stays with a distiller before another may take it: longer than the slowest reply of a model.
const LEASE: Duration = Duration::from_mins(15);
/// Strategies of the project that a new one is compared with.
const COMPARED: usize = 500;

/// Works the queue of a bank.
#[derive(Clone)]
pub struct Distiller {
    /// The bank.
    bank: Arc<dyn Bank>,
    /// What reads a session; without one, strategies are made by rule.
    model: Option<Arc<dyn Model>>,
    /// Tells the time.
    clock: Arc<dyn Clock>,
    /// How many at once, and how many strategies a session may leave.
    settings: BankSettings,
    /// Who works; unique to a process and a start.
    holder: String,
    /// Whose project's sessions are taken, if not everybody's.
    whose: Option<Caller>,
}

/// What came of one session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistilledSession {
    /// The run or session.
    pub session_id: String,
    /// Strategies that it left.
    pub strategies: Vec<StrategyId>,
    /// Titles of what it would have taught, had the bank not held it already.
    pub known: Vec<String>,
    /// Why it was put back, when it was.
    pub failed: Option<String>,
    /// What of a model's reply could not be used beside what could; kept for review.
    pub left_out: Vec<String>,
    /// Whether it is a text and nobody was there to read it: then only lines count that say themselves what was learned.
    pub unread: bool,
}

impl Distiller {
    /// One for this process.
    pub fn new(
        bank: Arc<dyn Bank>,
        model: Option<Arc<dyn Model>>,
        clock: Arc<dyn Clock>,
        settings: BankSettings,
    ) -> Self {
        Self { bank, model, clock, settings, holder: holder::name(), whose: None }
    }

    /// The same for sessions of the caller's project alone: those of others are read as their own settings say.
    #[must_use]
    pub fn only(mut self, caller: Caller) -> Self {
        self.whose = Some(caller);
        self
    }

    /// Works until the queue is empty. Sessions that failed wait for their next try and are not taken twice here.
    ///
    /// # Errors
    /// When the bank fails. A session whose result could not be kept is never reported as done: its lease runs out.
    pub async fn work(&self) -> Result<Vec<DistilledSession>, BankFailure> {
        let mut all = Vec::new();
        loop {
            let taken = self
                .bank
                .take(
                    self.whose.as_ref(),
                    self.settings.queue_batch_size.max(1),
                    &self.holder,
                    LEASE.as_millis().try_into().unwrap_or(i64::MAX),
                    self.clock.now(),
                )
                .await?;
            if taken.is_empty() {
                return Ok(all);
            }
            all.extend(self.batch(taken).await?);
        }
    }

    /// A batch, `worker_count` at a time, reported in its own order.
    async fn batch(&self, taken: Vec<Queued>) -> Result<Vec<DistilledSession>, BankFailure> {
        let mut waiting = taken.into_iter().enumerate();
        let mut working = JoinSet::new();
        let mut done: Vec<(usize, DistilledSession)> = Vec::new();
        loop {
            while working.len() < self.settings.worker_count.max(1)
                && let Some((at, session)) = waiting.next()
            {
                let worker = self.clone();
                working.spawn(async move { (at, worker.one(session).await) });
            }
            match working.join_next().await {
                None => break,
                Some(Ok((at, result))) => done.push((at, result?)),
                Some(Err(error)) => {
                    return Err(BankFailure::Io {
                        attempted: "distil a session".to_owned(),
                        cause: format!("a worker fell over ({error}); report it"),
                    });
                }
            }
        }
        done.sort_by_key(|(at, _)| *at);
        Ok(done.into_iter().map(|(_, session)| session).collect())
    }

    async fn one(&self, session: Queued) -> Result<DistilledSession, BankFailure> {
        let now = self.clock.now();
        let session_id = session.session_id.clone();
        let facts = serde_json::from_str::<SessionFacts>(&session.trace).ok();
        let unread = self.model.is_none() && facts.is_none();
        let (proposed, left_out) = match self.proposed(&session, facts).await {
            Ok(proposed) => proposed,
            Err(failed) => {
                let cause = failed.cause.clone();
                self.bank.settle(&session, Err(failed), &[], now).await?;
                return Ok(DistilledSession {
                    session_id,
                    strategies: Vec::new(),
                    known: Vec::new(),
                    failed: Some(cause),
                    left_out: Vec::new(),
                    unread,
                });
            }
        };
        let known = self.known(&session, now).await?;
        let known: Vec<&Strategy> = known.iter().collect();
        let (mut new, repeated) = without_recalled(proposed, &known);
        new.truncate(self.settings.max_extractions_per_session);
        let drafts: Vec<Draft> = new
            .into_iter()
            .map(|one| one.into_draft(&session_id, session.shown.clone(), session.from_web))
            .collect();
        let strategies = self.bank.settle(&session, Ok(&drafts), &left_out, now).await?;
        let known = repeated.into_iter().map(|repeated| repeated.title).collect();
        Ok(DistilledSession { session_id, strategies, known, failed: None, left_out, unread })
    }

    /// What the session teaches, by a model's reading or by rule, and what of a reply was left out.
    async fn proposed(
        &self,
        session: &Queued,
        facts: Option<SessionFacts>,
    ) -> Result<(Vec<ProposedStrategy>, Vec<String>), Failed> {
        let most = self.settings.max_extractions_per_session;
        let Some(model) = &self.model else {
            let learned = match facts {
                Some(facts) => distil_facts(&facts, most),
                // A foreign session is text: without a reader, only what it says itself to have learned.
                None => distil_text(&session.trace, session.outcome, most),
            };
            return Ok((learned, Vec::new()));
        };
        let trace = facts.as_ref().map_or_else(|| session.trace.clone(), render_session);
        let shown = trace
            .lines()
            .filter_map(|line| line.strip_prefix(RECALLED))
            .map(|line| line.trim().to_owned())
            .collect();
        let call = ModelCall::Distill(DistillInput {
            outcome: session.outcome,
            trace,
            most: u8::try_from(most).unwrap_or(u8::MAX),
            shown,
        });
        match model.call(ModelRole::Fast, &call).await {
            Ok(answered) => match answered.reply {
                // Nothing in it is what a model says that has looked: a reply of which nothing could be read is a failure,
                // however much was said beside it or repaired on the way.
                ModelReply::Distill(distilled) => {
                    // A model may repeat what it was shown.
                    let left =
                        left_out(&answered.repairs).iter().map(|one| scrub(one).text).collect();
                    Ok((distilled.strategies, left))
                }
                _ => {
                    Err(Failed { cause: "the reply was to another prompt".to_owned(), reply: None })
                }
            },
            Err(failure) => Err(Failed {
                cause: failure.to_string(),
                // A model may repeat what it was shown.
                reply: failure.reply.as_deref().map(|reply| scrub(reply).text),
            }),
        }
    }

    /// What the session was shown, and what the project holds.
    async fn known(&self, session: &Queued, now: Timestamp) -> Result<Vec<Strategy>, BankFailure> {
        let listing = Listing { archived: true, limit: COMPARED, ..Listing::default() };
        let mut known: Vec<Strategy> = self
            .bank
            .list(&session.caller, &listing, now)
            .await?
            .into_iter()
            .map(|held| held.strategy)
            .collect();
        for id in &session.shown {
            if known.iter().any(|strategy| strategy.id == *id) {
                continue;
            }
            match self.bank.get(&session.caller, id, now).await {
                Ok(held) => known.push(held.strategy),
                Err(BankFailure::Unknown(_)) => {}
                Err(failure) => return Err(failure),
            }
        }
        Ok(known)
    }
}
