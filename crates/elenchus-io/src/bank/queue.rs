//! The queue of finished sessions that wait to be distilled.

use super::checks::{fitting, session as checked_session, within};
use super::recall::signed;
use super::record::insert;
use super::rows::{json, of_json, of_word, word};
use super::view::recipe;
use super::{Fault, Vault};
use crate::sql::{self, Database, OptionalExtension, Row};
use elenchus_core::bank::{Caller, Draft, Outcome};
use elenchus_core::id::{StrategyId, Timestamp};
use elenchus_core::port::{BankFailure, Failed, GivenUp, Queued, Troubled};
use rusqlite::params;
use std::sync::Arc;

/// Tries before a session is given up.
const TRIES: u32 = 5;
/// The wait after the first failure; each further one waits twice as long.
const FIRST_WAIT_MS: i64 = 30_000;
/// Most characters of a trace.
const TRACE: usize = 2_000_000;
/// Most characters of what was left out of a reply.
const LEFT_OUT: usize = 2_000;

const QUEUED: &str =
    "id, caller, session_id, outcome, trace, from_web, shown, attempts, cause, reply, state";

impl<D: Database> Vault<D> {
    pub(super) fn queue_now(
        &self,
        caller: &Caller,
        session: &Queued,
        now: Timestamp,
    ) -> Result<bool, BankFailure> {
        let attempted = "queue a session";
        let check = || {
            checked_session(attempted, &session.session_id)?;
            within(attempted, "trace", &session.trace, TRACE)?;
            if session.session_id.trim().is_empty() {
                return Err(Fault::refused(attempted, "it has no name", "give the session an id"));
            }
            Ok(())
        };
        check().map_err(|fault| self.plain(attempted, fault))?;
        let trace = super::rules::scrub(&session.trace).0;
        self.write(attempted, |db| {
            let new = db
                .prepare_cached(
                    "INSERT INTO distillation_queue (tenant, project, session_id, caller, outcome, trace, from_web, shown,
                         state, attempts, until, queued_at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'waiting', 0, ?9, ?9)
                     ON CONFLICT DO NOTHING",
                )?
                .execute(params![
                    caller.tenant,
                    caller.project,
                    session.session_id,
                    json(caller)?,
                    session.outcome.map(|outcome| word(&outcome)),
                    trace,
                    session.from_web,
                    json(&session.shown)?,
                    now.0
                ])?;
            Ok(new == 1)
        })
    }

    pub(super) fn is_due_now(
        &self,
        caller: Option<&Caller>,
        now: Timestamp,
    ) -> Result<bool, BankFailure> {
        self.read("look for sessions to distil", |db| {
            let (tenant, project) =
                caller.map_or(("", ""), |own| (own.tenant.as_str(), own.project.as_str()));
            let found: Option<i64> = db
                .prepare_cached(
                    "SELECT id FROM distillation_queue WHERE state IN ('waiting', 'taken') AND until <= ?1
                         AND (?2 = '' OR (tenant = ?2 AND project = ?3)) LIMIT 1",
                )?
                .query_row(params![now.0, tenant, project], |row| row.get(0))
                .optional()?;
            Ok(found.is_some())
        })
    }

    pub(super) fn take_now(
        &self,
        caller: Option<&Caller>,
        most: usize,
        holder: &str,
        lease_ms: i64,
        now: Timestamp,
    ) -> Result<Vec<Queued>, BankFailure> {
        let until = now.0.saturating_add(lease_ms.max(0));
        // No name of a tenant is empty.
        let (tenant, project) =
            caller.map_or(("", ""), |own| (own.tenant.as_str(), own.project.as_str()));
        self.write("take sessions to distil", |db| {
            // A holder that went away five times over takes the session with it.
            db.prepare_cached(
                "UPDATE distillation_queue SET state = 'given_up', holder = NULL,
                        cause = coalesce(cause, 'whoever took it never said what came of it')
                 WHERE state = 'taken' AND until <= ?1 AND attempts >= ?2",
            )?
            .execute(params![now.0, TRIES])?;
            let sql = format!(
                "WITH due AS (
                     SELECT id FROM distillation_queue WHERE state IN ('waiting', 'taken') AND until <= ?3
                         AND (?5 = '' OR (tenant = ?5 AND project = ?6))
                     ORDER BY queued_at, id LIMIT ?4 {}
                 )
                 UPDATE distillation_queue SET state = 'taken', holder = ?1, until = ?2, attempts = attempts + 1
                 WHERE id IN (SELECT id FROM due)
                 RETURNING {QUEUED}",
                db.for_taking()
            );
            let mut taken = db
                .prepare_cached(&sql)?
                .query_map(params![holder, until, now.0, signed(most), tenant, project], queued)?
                .collect::<sql::Result<Vec<_>>>()?;
            taken.sort_by_key(|session| session.id);
            Ok(taken)
        })
    }

    pub(super) fn settle_now(
        &self,
        session: &Queued,
        result: Result<&[Draft], Failed>,
        left_out: &[String],
        now: Timestamp,
    ) -> Result<Vec<StrategyId>, BankFailure> {
        let attempted = format!("settle session {}", session.session_id);
        let caller = &session.caller;
        let recipe = recipe(self.vectors.as_ref().map(Arc::as_ref));
        let ready = match &result {
            Ok(drafts) => drafts
                .iter()
                .take(self.settings.max_extractions_per_session)
                .map(|draft| {
                    let mut draft = fitting(draft);
                    draft.from_web |= session.from_web;
                    draft.source_session = Some(session.session_id.clone());
                    self.ready(caller, &draft)
                })
                .collect::<Result<Vec<_>, _>>()?,
            Err(_) => Vec::new(),
        };
        self.write(&attempted, |db| {
            let held: Option<(u32, Vec<Failed>)> = db
                .prepare_cached(
                    "SELECT attempts, cause, reply FROM distillation_queue
                     WHERE id = ?1 AND tenant = ?2 AND state = 'taken'",
                )?
                .query_row(params![session.id, caller.tenant], |row| {
                    Ok((row.get(0)?, tries(row.get(1)?, row.get(2)?)))
                })
                .optional()?;
            let before = held.filter(|(attempts, _)| *attempts == session.attempts);
            let Some((_, mut failures)) = before else {
                return Err(Fault::refused(
                    attempted.as_str(),
                    "it was settled, or another distiller has taken it since",
                    "take the next one",
                ));
            };
            let failed = result.as_ref().err();
            let Some(failed) = failed else {
                let mut ids = Vec::new();
                for ready in &ready {
                    let (kept, already_there) = insert(db, caller, ready, &recipe, now)?;
                    if !already_there {
                        ids.push(kept.strategy.id);
                    }
                }
                // What was learned stays; what was said in the session does not.
                let left: String = left_out.join("\n").chars().take(LEFT_OUT).collect();
                let left = (!left.is_empty()).then_some(left);
                db.prepare_cached(
                    "UPDATE distillation_queue SET state = 'done', trace = '', holder = NULL, cause = ?2, reply = NULL
                     WHERE id = ?1",
                )?
                .execute(params![session.id, left])?;
                return Ok(ids);
            };
            failures.push(failed.clone());
            let wait = FIRST_WAIT_MS.saturating_mul(1 << session.attempts.saturating_sub(1).min(16));
            let state = if session.attempts >= TRIES { "given_up" } else { "waiting" };
            db.prepare_cached(
                "UPDATE distillation_queue SET state = ?2, until = ?3, holder = NULL, cause = ?4, reply = ?5 WHERE id = ?1",
            )?
            .execute(params![
                session.id,
                state,
                now.0.saturating_add(wait),
                failed.cause,
                json(&failures)?
            ])?;
            Ok(Vec::new())
        })
    }

    pub(super) fn given_up_now(&self, caller: &Caller) -> Result<Vec<GivenUp>, BankFailure> {
        self.read("list the sessions that gave trouble", |db| {
            let sql = format!(
                "SELECT {QUEUED} FROM distillation_queue
                 WHERE tenant = ?1 AND project = ?2 AND (state = 'given_up' OR cause IS NOT NULL) ORDER BY id"
            );
            Ok(db
                .prepare_cached(&sql)?
                .query_map([&caller.tenant, &caller.project], |row| {
                    let cause: Option<String> = row.get(8)?;
                    let tries = tries(cause.clone(), row.get(9)?);
                    let reply = tries.last().and_then(|last| last.reply.clone());
                    let state: String = row.get(10)?;
                    Ok(GivenUp {
                        session: queued(row)?,
                        stands: match state.as_str() {
                            "given_up" => Troubled::GivenUp,
                            "done" => Troubled::PartlyRead,
                            _ => Troubled::Waits,
                        },
                        failed: Failed { cause: cause.unwrap_or_default(), reply },
                        tries: if state == "done" { Vec::new() } else { tries },
                    })
                })?
                .collect::<sql::Result<Vec<_>>>()?)
        })
    }
}

/// The tries that failed, as they are kept where the reply is: earlier versions kept the last reply alone.
fn tries(cause: Option<String>, kept: Option<String>) -> Vec<Failed> {
    let Some(cause) = cause else { return Vec::new() };
    let all = kept.as_deref().and_then(|kept| serde_json::from_str::<Vec<Failed>>(kept).ok());
    all.unwrap_or_else(|| vec![Failed { cause, reply: kept }])
}

fn queued(row: &Row<'_>) -> sql::Result<Queued> {
    let outcome: Option<Outcome> = match row.get::<_, Option<String>>(3)? {
        Some(_) => Some(of_word(row, 3)?),
        None => None,
    };
    Ok(Queued {
        id: row.get(0)?,
        caller: of_json(row, 1)?,
        session_id: row.get(2)?,
        outcome,
        trace: row.get(4)?,
        from_web: row.get(5)?,
        shown: of_json(row, 6)?,
        attempts: row.get(7)?,
    })
}
