//! Taking signals.

use super::checks::{COMMENT, session, within};
use super::evidence::{Believed, Logs, held, logs, put_weights, weights};
use super::rows::{Hand, Kept, SIGNAL, find, put_signal, rewrite, signal, touch};
use super::shown::reports_after_searches;
use super::{Fault, Vault};
use crate::sql::{self, Database, Db, OptionalExtension};
use elenchus_core::bank::{
    BankSettings, Caller, ProjectWeights, Signal, SignalKind, Standing, lifts_quarantine, occasion,
    signal_id,
};
use elenchus_core::id::{StrategyId, Timestamp};
use elenchus_core::port::{BankFailure, SignalGiven, Signalled};
use rusqlite::params;

/// Times a month that one occasion may change its mind: further changes are not taken.
const CHANGES_OF_MIND: i64 = 8;
/// Milliseconds of that month.
const MONTH_MS: i64 = 30 * super::recall::DAY_MS;

impl<D: Database> Vault<D> {
    pub(super) fn signal_now(
        &self,
        caller: &Caller,
        given: &SignalGiven,
        now: Timestamp,
    ) -> Result<Signalled, BankFailure> {
        let attempted = "take a signal";
        check(given).map_err(|fault| self.plain(attempted, fault))?;
        let comment = given.comment.as_deref().map(|comment| super::rules::scrub(comment).0);
        self.write(attempted, |db| {
            let kept = find(db, caller, &given.memory_id)?;
            let search_id = self.search_of(db, caller, &kept, given)?;
            // Every vote of an actor is the same vote: the last one holds.
            let on = match given.kind {
                SignalKind::Explicit => VOTE.to_owned(),
                _ => occasion(&given.session_id, search_id.as_ref(), now),
            };
            let signal = Signal {
                id: signal_id(&kept.strategy.id, given.kind, &caller.project, &caller.actor, &on),
                memory_id: kept.strategy.id.clone(),
                project_id: caller.project.clone(),
                kind: given.kind,
                positive: given.positive,
                session_id: given.session_id.clone(),
                timestamp: now,
                search_id,
                comment: comment.clone(),
                actor: caller.actor.clone(),
                share: given.share,
            };
            let known = known(db, caller, &signal.id)?;
            let changes: i64 = db
                .prepare_cached(
                    "SELECT count(*) FROM signals WHERE tenant = ?1 AND id = ?2 AND timestamp > ?3",
                )?
                .query_row(
                    params![caller.tenant, signal.id, now.0.saturating_sub(MONTH_MS)],
                    |row| row.get(0),
                )?;
            let recorded = match &known {
                Some(last) => last.positive != signal.positive && changes < CHANGES_OF_MIND,
                None => true,
            };
            if recorded {
                let earlier = logs(db, kept.n)?;
                put_signal(db, &caller.tenant, kept.n, &signal)?;
                let later = logs(db, kept.n)?;
                let before = weights(db, &caller.tenant, &caller.project)?;
                let turn = Turn { kept: &kept, earlier, later };
                let learned = turn.learned(&before, &signal, &self.settings);
                if learned != before {
                    put_weights(db, &caller.tenant, &learned, Some(now))?;
                }
                let is_held = matches!(kept.strategy.standing, Standing::Quarantined { .. });
                // Nothing else is judged by what was reported before.
                let confirms = signal.kind == SignalKind::Outcome && signal.positive;
                let reports = if is_held && confirms {
                    reports_after_searches(db, kept.n)?
                } else {
                    Vec::new()
                };
                if lifts_quarantine(&kept.strategy, &signal, caller.is_person(), &reports) {
                    let draft = kept.strategy.draft.clone();
                    let print = super::checks::print(&draft);
                    rewrite(db, &Hand::of(caller, now), &kept, &draft, &Standing::Active, &print)?;
                }
                touch(db, &caller.tenant, kept.n)?;
            }
            let held = held(db, &caller.tenant, &caller.project, &kept, &self.settings, now)?;
            let signal = if recorded { signal } else { known.unwrap_or(signal) };
            Ok(Signalled { recorded, confidence: held.confidence, interval: held.interval, signal })
        })
    }
}

/// A strategy with its log before and after a signal.
struct Turn<'a> {
    kept: &'a Kept,
    earlier: Logs,
    later: Logs,
}

impl Turn<'_> {
    /// What the project has learned with the signal. It counts only as far as the signal still moves its own strategy its way.
    fn learned(
        &self,
        before: &ProjectWeights,
        signal: &Signal,
        settings: &BankSettings,
    ) -> ProjectWeights {
        let own: &[Signal] = match self.earlier.get(&signal.project_id) {
            Some(log) => &log.signals,
            None => &[],
        };
        let mut learned = before.clone();
        match signal.kind {
            SignalKind::Explicit => learned.learn_from_vote(signal, own),
            SignalKind::Outcome => learned.learn_from_outcome(signal, own),
            SignalKind::Usage | SignalKind::Used => {}
        }
        if learned == *before && before.in_force.is_none() {
            return learned;
        }
        let confidence = |logs: &Logs, weights: &ProjectWeights| {
            Believed::gather(self.kept, logs, settings, 0)
                .posterior(self.kept, &signal.project_id, weights, settings, signal.timestamp)
                .mean()
        };
        let was = confidence(&self.earlier, before);
        learned.come_into_force(before, |weights| {
            let moved = confidence(&self.later, weights) - was;
            let moved = if signal.positive { moved } else { -moved };
            // What one actor reports is bounded, and may come to nothing; a vote always counts.
            if signal.kind == SignalKind::Explicit { moved > 0.0 } else { moved >= 0.0 }
        });
        learned
    }
}

/// What every vote of an actor on a strategy is part of.
const VOTE: &str = "vote";

impl<D: Database> Vault<D> {
    pub(super) fn unvote_now(
        &self,
        caller: &Caller,
        id: &StrategyId,
        now: Timestamp,
    ) -> Result<bool, BankFailure> {
        self.write("take a vote back", |db| {
            let kept = find(db, caller, id)?;
            let (project, actor) = (&caller.project, &caller.actor);
            let vote = signal_id(&kept.strategy.id, SignalKind::Explicit, project, actor, VOTE);
            let gone = db
                .prepare_cached(
                    "UPDATE signals SET voided_at = ?3 WHERE tenant = ?1 AND seq =
                         (SELECT max(seq) FROM signals
                          WHERE tenant = ?1 AND id = ?2 AND voided_at IS NULL AND NOT rolled)",
                )?
                .execute(params![caller.tenant, vote, now.0])?;
            if gone > 0 {
                touch(db, &caller.tenant, kept.n)?;
            }
            Ok(gone > 0)
        })
    }
}

/// The signal of an id that holds now.
fn known(db: &Db<'_>, caller: &Caller, id: &str) -> sql::Result<Option<Signal>> {
    let sql = format!(
        "SELECT {SIGNAL} FROM signals WHERE tenant = ?1 AND id = ?2 AND voided_at IS NULL ORDER BY seq DESC LIMIT 1"
    );
    db.prepare_cached(&sql)?.query_row([&caller.tenant, id], signal).optional()
}

fn check(given: &SignalGiven) -> Result<(), Fault> {
    let attempted = "take a signal";
    session(attempted, &given.session_id)?;
    within(attempted, "memory id", given.memory_id.as_str(), 100)?;
    if let Some(search) = &given.search_id {
        within(attempted, "search id", search.as_str(), 100)?;
    }
    if let Some(comment) = &given.comment {
        within(attempted, "comment", comment, COMMENT)?;
    }
    if !(given.share > 0.0 && given.share <= 1.0) {
        return Err(Fault::refused(
            attempted,
            format!("its share of the credit cannot be {}", given.share),
            "write one over the number of memories that were used together",
        ));
    }
    Ok(())
}
