//! Searching, and looking at what there is.

use super::checks::{QUERY, session, within};
use super::codec::from_bytes;
use super::evidence::{Believed, Priors, held, logs, shown, tasks, weights, whole_log};
use super::rows::{KEPT, SEEN, find, kept, put_signal, touch};
use super::view::{Entry, index, put_index, recipe, state};
use super::{Fault, Vault};
use crate::retrieve::dot;
use crate::sql::{self, Database, Db, OptionalExtension, Row};
use elenchus_core::bank::{
    Caller, Candidate, Fit, Fusion, ProjectWeights, Scope, Signal, SignalKind, occasion, rank,
    signal_id,
};
use elenchus_core::id::{SearchId, StrategyId, Timestamp, short_hash};
use elenchus_core::measure::Explained;
use elenchus_core::port::{BankFailure, Held, Listing, Recall, Recalled, Stats};
use rusqlite::params;
use serde_json::Value as Json;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

/// Times that a strategy may be logged as shown within a day and a project: exposure counts for less each time, so that
/// further ones change nothing, and a log without end would slow every reading of it.
const SHOWN_A_DAY: i64 = 50;
/// Milliseconds of a day.
pub(super) const DAY_MS: i64 = 86_400_000;
/// Strategies that share words with a query and are compared with it although no index named them, where vectors are not held
/// in memory.
const WORDED: usize = 512;
/// Strategies whose index is made anew in one transaction.
const ANEW: usize = 64;

impl<D: Database> Vault<D> {
    pub(super) fn search_now(
        &self,
        caller: &Caller,
        recall: &Recall,
        given: Option<&HashMap<String, f32>>,
        now: Timestamp,
    ) -> Result<Recalled, BankFailure> {
        let attempted = "search the memory";
        check(recall).map_err(|fault| self.plain(attempted, fault))?;
        let vector = self.scribe.embed(&recall.query).map_err(|failure| BankFailure::Io {
            attempted: attempted.to_owned(),
            cause: format!("{}; use the built-in embedder", failure.cause),
        })?;
        self.renew(&caller.tenant, &caller.project)?;
        let view = self.view(&caller.tenant);
        let view = view.read().unwrap_or_else(PoisonError::into_inner);
        let new = (ProjectWeights::new(&caller.project), Priors::new());
        let (weights, priors) = view.learned(&caller.project).unwrap_or(&new);
        let visible = view.visible(caller);
        // What an index gave is looked up here, so that it counts only where the caller sees it.
        let given: Option<HashMap<i64, f32>> = given.map(|given| {
            let named = |(n, entry): (&i64, &Entry)| {
                Some((*n, *given.get(entry.kept.strategy.id.as_str())?))
            };
            view.held.iter().filter_map(named).collect()
        });
        let given = match &vector {
            Some(vector) if !view.texts.holds_vectors() => {
                let worded = view.texts.worded(&recall.query, &self.blend, &visible, WORDED);
                Some(self.compared(worded, vector, given.unwrap_or_default())?)
            }
            _ => given,
        };
        let found = view.texts.matching(
            &recall.query,
            vector.as_ref(),
            given.as_ref(),
            &self.blend,
            &visible,
        );
        let candidates: Vec<Candidate<'_>> = found
            .iter()
            .filter(|found| found.itself)
            .filter_map(|found| {
                let entry = view.held.get(&found.key)?;
                Some(Candidate {
                    strategy: &entry.kept.strategy,
                    posterior: entry.believed.posterior(
                        &entry.kept,
                        &caller.project,
                        weights,
                        &self.settings,
                        now,
                    ),
                    calibrated: entry.believed.calibrated(
                        &entry.kept,
                        &caller.project,
                        priors,
                        weights,
                        &self.settings,
                        now,
                    ),
                    usage_count: entry.believed.shown,
                    lexical: f64::from(found.lexical),
                    dense: vector.is_some().then(|| f64::from(found.dense)),
                    vector: None,
                    fit: Some(Fit {
                        shared: found.shared,
                        asked: found.asked,
                        cosine: vector.is_some().then(|| f64::from(found.cosine)),
                    }),
                })
            })
            .collect();
        let fusion = Fusion {
            lexical: f64::from(self.blend.lexical),
            dense: f64::from(self.blend.dense),
            least_cosine: f64::from(self.blend.least_cosine),
            ..Fusion::default()
        };
        let search_id = search_id(caller, recall, now);
        let recalled = rank(&candidates, recall, &search_id, &self.settings, &fusion);
        drop(candidates);
        drop(visible);
        drop(view);
        self.note_shown(caller, recall, &recalled, now)?;
        self.remember(caller, &recalled);
        Ok(recalled)
    }

    /// Cosines that are `known`, and beside them those of other strategies, whose vectors are read for it.
    fn compared(
        &self,
        mut others: Vec<i64>,
        (bytes, step): &(Vec<i8>, f32),
        mut known: HashMap<i64, f32>,
    ) -> Result<HashMap<i64, f32>, BankFailure> {
        others.retain(|n| !known.contains_key(n));
        if others.is_empty() {
            return Ok(known);
        }
        let others = Json::from(others).to_string();
        let recipe = recipe(self.vectors.as_ref().map(Arc::as_ref));
        let read = |row: &Row<'_>| {
            let written = from_bytes(&[], row.blob(1)?, bytes.len());
            let cosine =
                written.vectors.iter().map(|(piece, own)| dot(piece, bytes) as f32 * step * own);
            Ok((row.get(0)?, cosine.fold(0.0, f32::max)))
        };
        let found = self.read("read the memory", |db| {
            let sql = format!(
                "SELECT n, vectors FROM strategy_index WHERE recipe = ?1 AND {}",
                db.is_one_of("n", "?2")
            );
            let rows = db.prepare_cached(&sql)?.query_map(params![recipe, others], read)?;
            Ok(rows.collect::<sql::Result<Vec<(i64, f32)>>>()?)
        })?;
        known.extend(found);
        Ok(known)
    }

    /// Brings the view of a tenant up to the file, and has the weights of a project ready.
    pub(super) fn renew(&self, tenant: &str, project: &str) -> Result<(), BankFailure> {
        let attempted = "read the memory";
        let shared = self.view(tenant);
        let current = self.read(attempted, |db| Ok(state(db, tenant)?))?;
        {
            let view = shared.read().unwrap_or_else(PoisonError::into_inner);
            if view.fresh(current) && view.learned(project).is_some() {
                return Ok(());
            }
        }
        let mut view = shared.write().unwrap_or_else(PoisonError::into_inner);
        let stale = self.read(attempted, |db| {
            let stale = if view.fresh(state(db, tenant)?) {
                Vec::new()
            } else {
                view.refresh(db, tenant, self.vectors.as_ref(), &self.settings)?
            };
            view.know(db, tenant, project)?;
            Ok(stale)
        })?;
        drop(view);
        // Written by another version or with another embedder: indexed anew, a few in one transaction.
        for some in stale.chunks(ANEW) {
            self.index_anew(tenant, some)?;
        }
        if stale.is_empty() { Ok(()) } else { self.renew_once(tenant, project) }
    }

    fn renew_once(&self, tenant: &str, project: &str) -> Result<(), BankFailure> {
        let shared = self.view(tenant);
        let mut view = shared.write().unwrap_or_else(PoisonError::into_inner);
        self.read("read the memory", |db| {
            view.refresh(db, tenant, self.vectors.as_ref(), &self.settings)?;
            Ok(view.know(db, tenant, project)?)
        })
    }

    fn index_anew(&self, tenant: &str, stale: &[i64]) -> Result<(), BankFailure> {
        let attempted = "index the memory anew";
        let recipe = recipe(self.vectors.as_ref().map(Arc::as_ref));
        let mut written = Vec::new();
        for n in stale {
            let found = self.read(attempted, |db| {
                let sql = format!("SELECT {KEPT} FROM strategies WHERE n = ?1");
                Ok(db.prepare_cached(&sql)?.query_row([n], kept).optional()?)
            })?;
            let Some(found) = found else { continue };
            let made = index(&self.scribe, &found.strategy.draft).map_err(|failure| {
                BankFailure::Io { attempted: attempted.to_owned(), cause: failure.cause }
            })?;
            written.push((found, made));
        }
        self.write(attempted, |db| {
            for (found, made) in &written {
                // Whoever has edited it meanwhile has indexed it.
                let same: Option<i64> = db
                    .prepare_cached("SELECT 1 FROM strategies WHERE n = ?1 AND text_change = ?2")?
                    .query_row([found.n, found.text_change], |row| row.get(0))
                    .optional()?;
                if same.is_some() {
                    put_index(db, found.n, &recipe, made)?;
                    touch(db, tenant, found.n)?;
                    db.prepare_cached("UPDATE strategies SET text_change = change WHERE n = ?1")?
                        .execute([found.n])?;
                }
            }
            Ok(())
        })
    }

    /// Logs what was shown, once a strategy and session.
    fn note_shown(
        &self,
        caller: &Caller,
        recall: &Recall,
        recalled: &Recalled,
        now: Timestamp,
    ) -> Result<(), BankFailure> {
        let attempted = "note what was shown";
        let on = occasion(&recall.session_id, Some(&recalled.search_id), now);
        let signals: Vec<Signal> = recalled
            .memories
            .iter()
            .chain(&recalled.avoid)
            .map(|held| Signal {
                id: signal_id(
                    &held.strategy.id,
                    SignalKind::Usage,
                    &caller.project,
                    &caller.actor,
                    &on,
                ),
                memory_id: held.strategy.id.clone(),
                project_id: caller.project.clone(),
                kind: SignalKind::Usage,
                positive: true,
                session_id: recall.session_id.clone(),
                timestamp: now,
                search_id: Some(recalled.search_id.clone()),
                comment: None,
                actor: caller.actor.clone(),
                share: 1.0,
            })
            .collect();
        if signals.is_empty() {
            return Ok(());
        }
        // A session that was shown all of them before has nothing to write.
        let known = |db: &Db<'_>, signal: &Signal| -> sql::Result<bool> {
            db.prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM signals WHERE tenant = ?1 AND id = ?2)",
            )?
            .query_row([&caller.tenant, &signal.id], |row| row.get(0))
        };
        if !recall.session_id.is_empty() {
            let all = self.read(attempted, |db| {
                for signal in &signals {
                    if !known(db, signal)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            })?;
            if all {
                return Ok(());
            }
        }
        self.write(attempted, |db| {
            for signal in &signals {
                if known(db, signal)? {
                    continue;
                }
                let n: Option<i64> = db
                    .prepare_cached("SELECT n FROM strategies WHERE tenant = ?1 AND id = ?2")?
                    .query_row([&caller.tenant, signal.memory_id.as_str()], |row| row.get(0))
                    .optional()?;
                // Deleted by another process while this one searched.
                let Some(n) = n else { continue };
                let today: i64 = db
                    .prepare_cached(
                        "SELECT count(*) FROM signals WHERE n = ?1 AND type = 'usage' AND timestamp > ?2
                         AND project_id = ?3",
                    )?
                    .query_row(
                        params![n, now.0.saturating_sub(DAY_MS), caller.project],
                        |row| row.get(0),
                    )?;
                if today < SHOWN_A_DAY {
                    put_signal(db, &caller.tenant, n, signal)?;
                } else {
                    db.prepare_cached("UPDATE strategies SET unlogged = unlogged + 1 WHERE n = ?1")?
                        .execute([n])?;
                }
                touch(db, &caller.tenant, n)?;
            }
            Ok(())
        })
    }

    pub(super) fn get_now(
        &self,
        caller: &Caller,
        id: &StrategyId,
        now: Timestamp,
    ) -> Result<Held, BankFailure> {
        self.read(&format!("read memory {id}"), |db| {
            let kept = find(db, caller, id)?;
            Ok(held(db, &caller.tenant, &caller.project, &kept, &self.settings, now)?)
        })
    }

    pub(super) fn list_now(
        &self,
        caller: &Caller,
        listing: &Listing,
        now: Timestamp,
    ) -> Result<Vec<Held>, BankFailure> {
        let limit = if listing.limit == 0 { i64::MAX } else { signed(listing.limit) };
        self.read("list the memory", |db| {
            // A parameter gets its type where it is compared, so that stands first.
            let sql = format!(
                "SELECT {KEPT} FROM strategies WHERE {SEEN}
                   AND (scope = ?5 OR ?5 IS NULL) AND (outcome = ?6 OR ?6 IS NULL)
                   AND (?7 OR standing ->> 'state' <> 'archived')
                   AND ({} OR ?8 IS NULL)
                 ORDER BY created_at DESC, n DESC LIMIT ?9 OFFSET ?10",
                db.holds("tags", "?8")
            );
            let rows = db
                .prepare_cached(&sql)?
                .query_map(
                    params![
                        caller.tenant,
                        caller.project,
                        caller.team,
                        caller.org,
                        listing.scope.map(|scope| super::rows::word(&scope)),
                        listing.outcome.map(|outcome| super::rows::word(&outcome)),
                        listing.archived,
                        listing.tag,
                        limit,
                        signed(listing.offset)
                    ],
                    kept,
                )?
                .collect::<sql::Result<Vec<_>>>()?;
            rows.iter()
                .map(|kept| {
                    Ok(held(db, &caller.tenant, &caller.project, kept, &self.settings, now)?)
                })
                .collect()
        })
    }

    pub(super) fn why_now(
        &self,
        caller: &Caller,
        id: &StrategyId,
        now: Timestamp,
    ) -> Result<Explained, BankFailure> {
        self.read(&format!("explain memory {id}"), |db| {
            let kept = find(db, caller, id)?;
            let logs = logs(db, kept.n)?;
            let weights = weights(db, &caller.tenant, &caller.project)?;
            let believed = Believed::gather(&kept, &logs, &self.settings, shown(db, &kept)?);
            let lift = believed.lift(&caller.project, tasks(db, &caller.tenant, &caller.project)?);
            let log = logs.get(&caller.project).cloned().unwrap_or_default();
            // Without an aggregate the log is whole.
            let whole = match log.aggregate {
                Some(_) => whole_log(db, kept.n, &caller.project)?,
                None => Vec::new(),
            };
            let told = (&log, &whole[..]);
            let root =
                believed.explained(&kept, told, &caller.project, &weights, &self.settings, now);
            Ok(match lift {
                None => root,
                Some(lift) => root
                    .with("tasks succeed more often with it, by", lift.lift)
                    .with("lower end of the middle 90 % of that", lift.interval.0)
                    .with("upper end of the middle 90 % of that", lift.interval.1)
                    .with("share of the project's tasks that succeed", lift.base),
            })
        })
    }

    pub(super) fn stats_now(&self, caller: &Caller) -> Result<Stats, BankFailure> {
        self.read("count the memory", |db| {
            let seen = params![caller.tenant, caller.project, caller.team, caller.org];
            let count = |which: &str| -> sql::Result<u64> {
                let sql = format!("SELECT count(*) FROM strategies WHERE {SEEN} AND {which}");
                let n: i64 = db.prepare_cached(&sql)?.query_row(seen, |row| row.get(0))?;
                Ok(u64::try_from(n).unwrap_or(0))
            };
            let mut stats = Stats {
                active: count("standing ->> 'state' = 'active'")?,
                avoid: count("standing ->> 'state' = 'active' AND outcome = 'failure'")?,
                quarantined: count("standing ->> 'state' = 'quarantined'")?,
                archived: count("standing ->> 'state' = 'archived'")?,
                weights: weights(db, &caller.tenant, &caller.project)?.normalised(),
                ..Stats::default()
            };
            let own = params![caller.tenant, caller.project];
            let kinds = ["explicit", "usage", "used", "outcome"];
            // What was left unused was not put to use.
            let mut of_kind = db.prepare_cached(
                "SELECT type, count(*) FROM signals
                 WHERE tenant = ?1 AND project_id = ?2 AND voided_at IS NULL
                   AND (type <> 'used' OR positive) GROUP BY type",
            )?;
            for row in
                of_kind.query_map(own, |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)))?
            {
                let (kind, n) = row?;
                if let Some(at) = kinds.iter().position(|known| *known == kind) {
                    stats.signals[at] = u64::try_from(n).unwrap_or(0);
                }
            }
            let states = ["waiting", "taken", "given_up"];
            let mut in_state = db.prepare_cached(
                "SELECT state, count(*) FROM distillation_queue WHERE tenant = ?1 AND project = ?2 GROUP BY state",
            )?;
            for row in in_state
                .query_map(own, |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)))?
            {
                let (state, n) = row?;
                if let Some(at) = states.iter().position(|known| *known == state) {
                    stats.queue[at] = u64::try_from(n).unwrap_or(0);
                }
            }
            stats.tasks = tasks(db, &caller.tenant, &caller.project)?;
            let told = format!(
                "SELECT {KEPT} FROM strategies WHERE {SEEN} AND n IN
                   (SELECT n FROM signals WHERE tenant = ?1 AND project_id = ?2 AND type = 'outcome'
                      AND voided_at IS NULL)"
            );
            let told = db
                .prepare_cached(&told)?
                .query_map(seen, kept)?
                .collect::<sql::Result<Vec<_>>>()?;
            for kept in &told {
                let believed = Believed::gather(kept, &logs(db, kept.n)?, &self.settings, 0);
                let Some(lift) = believed.lift(&caller.project, stats.tasks) else { continue };
                stats.lifts[0] += u64::from(lift.interval.0 > 0.0);
                stats.lifts[1] += u64::from(lift.interval.1 < 0.0);
            }
            Ok(stats)
        })
    }
}

pub(super) fn signed(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

pub(super) fn check(recall: &Recall) -> Result<(), Fault> {
    let attempted = "search the memory";
    within(attempted, "query", &recall.query, QUERY)?;
    session(attempted, &recall.session_id)?;
    if !recall.query.chars().any(char::is_alphanumeric) {
        return Err(Fault::refused(attempted, "the query holds no word", "say what you look for"));
    }
    if !(0.0..=1.0).contains(&recall.min_confidence) {
        return Err(Fault::refused(
            attempted,
            format!("the least confidence cannot be {}", recall.min_confidence),
            "write a number from 0 to 1",
        ));
    }
    Ok(())
}

fn search_id(caller: &Caller, recall: &Recall, now: Timestamp) -> SearchId {
    let Caller { tenant, project, actor, .. } = caller;
    let scope = recall.scope.map_or("all", |scope| match scope {
        Scope::Project => "project",
        Scope::Team => "team",
        Scope::Org => "org",
    });
    let text = format!(
        "{tenant}\0{project}\0{actor}\0{}\0{}\0{scope}\0{}",
        recall.session_id, recall.query, now.0
    );
    SearchId(format!("sea_{}", short_hash(text.as_bytes(), 12)))
}
