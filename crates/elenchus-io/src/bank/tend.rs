//! The daily work: rolling up, archiving, promoting.

use super::checks::print;
use super::evidence::{Believed, Logs, Priors, logs, priors, put_priors, shown, weights};
use super::recall::DAY_MS;
use super::rows::{Hand, KEPT, Kept, json, kept, rewrite, touch};
use super::{Fault, Vault};
use crate::sql::{self, Database, Db, OptionalExtension};
use elenchus_core::bank::{
    Aggregate, BankSettings, Class, Decay, Evidence, Prior, Scope, Signal, Standing, labelled,
    learned_prior, promotion, prune, roll_up,
};
use elenchus_core::id::Timestamp;
use elenchus_core::port::BankFailure;
use rusqlite::params;
use std::collections::BTreeMap;

/// Days that signals stay in the log before they are rolled up.
const LOG_DAYS: i64 = 30;
/// Who does it, in the history of edits.
const ACTOR: &str = "elenchus";

impl<D: Database> Vault<D> {
    pub(super) fn tend_now(&self, now: Timestamp) -> Result<Vec<String>, BankFailure> {
        let attempted = "tend the memory";
        // Only what has signals can have changed; one transaction each, so that nobody waits for all.
        let concerned: Vec<(String, i64)> = self.read(attempted, |db| {
            Ok(db
                .prepare_cached(
                    "SELECT DISTINCT tenant, n FROM signals WHERE voided_at IS NULL ORDER BY tenant, n",
                )?
                .query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<sql::Result<_>>()?)
        })?;
        let mut done = Vec::new();
        let mut labels: BTreeMap<(String, String), Labels> = BTreeMap::new();
        for (tenant, n) in concerned {
            let lines =
                self.write(attempted, |db| tend_one(db, &tenant, n, &self.settings, now))?;
            done.extend(lines);
            let found = self.read(attempted, |db| labels_of(db, n, &self.settings, now))?;
            for (project, class, first, outcomes) in found {
                let classes = labels.entry((tenant.clone(), project)).or_default();
                classes.entry(class).or_insert_with(|| (first, Vec::new())).1.push(outcomes);
            }
        }
        for ((tenant, project), classes) in labels {
            let learned: Priors = classes
                .into_iter()
                .filter_map(|(class, (first, outcomes))| {
                    Some((class, learned_prior(&outcomes, first)?))
                })
                .collect();
            self.write(attempted, |db| {
                if priors(db, &tenant, &project)? != learned {
                    put_priors(db, &tenant, &project, &learned)?;
                }
                Ok(())
            })?;
        }
        Ok(done)
    }
}

/// What speaks for and against a strategy in a project: the project, the class of the strategy with its first prior, and the
/// labelled outcomes.
type Label = (String, Class, Prior, (f64, f64));

/// Of each class its first prior and the labelled outcomes, one a strategy.
type Labels = BTreeMap<Class, (Prior, Vec<(f64, f64)>)>;

/// The labelled outcomes of a strategy in each project, with its class and the first prior of that.
fn labels_of(
    db: &Db<'_>,
    n: i64,
    settings: &BankSettings,
    now: Timestamp,
) -> Result<Vec<Label>, Fault> {
    let mut labels = Vec::new();
    let sql = format!("SELECT {KEPT} FROM strategies WHERE n = ?1");
    let Some(kept) = db.prepare_cached(&sql)?.query_row([n], kept).optional()? else {
        return Ok(labels);
    };
    let draft = &kept.strategy.draft;
    let decay = Decay::of(draft.outcome, settings);
    for (project, log) in logs(db, n)? {
        let evidence = Evidence::gather(log.aggregate.as_ref(), &log.signals, decay, now);
        let outcomes = labelled(&evidence);
        if outcomes.0 + outcomes.1 > 0.0 {
            labels.push((project, Class::of(draft), Prior::of(draft, settings), outcomes));
        }
    }
    Ok(labels)
}

fn tend_one(
    db: &Db<'_>,
    tenant: &str,
    n: i64,
    settings: &BankSettings,
    now: Timestamp,
) -> Result<Vec<String>, Fault> {
    let sql = format!("SELECT {KEPT} FROM strategies WHERE n = ?1");
    let Some(kept) = db.prepare_cached(&sql)?.query_row([n], kept).optional()? else {
        return Ok(Vec::new());
    };
    let id = &kept.strategy.id;
    let mut lines = Vec::new();
    let rolled = roll(db, tenant, &kept, settings, now)?;
    if rolled > 0 {
        lines.push(format!("{id}: rolled {rolled} old signals up"));
    }
    if kept.strategy.standing != Standing::Active {
        return Ok(lines);
    }
    let logs = logs(db, n)?;
    let believed = Believed::gather(&kept, &logs, settings, shown(db, &kept)?);
    let weights = weights(db, tenant, &kept.project)?;
    let posterior = believed.posterior(&kept, &kept.project, &weights, settings, now);
    let decay = Decay::of(kept.strategy.draft.outcome, settings);
    let gathered = gathered(&logs, decay, now);
    if let Some(reason) = prune(&posterior, &gathered, &weights.relative(), settings) {
        lines.push(format!("{id}: archived, {reason}"));
        let standing = Standing::Archived { at: now, reason };
        change(db, tenant, &kept, kept.strategy.draft.scope, &standing, now)?;
        return Ok(lines);
    }
    // Consensus is told by distinct sessions and actors, so the whole log is looked at, rolled up or not.
    let signals = whole_log(db, n)?;
    if let Some(wider) = promotion(&kept.strategy, &signals, &posterior, settings) {
        let (name, belongs) = match wider {
            Scope::Project | Scope::Team => ("team", kept.team.is_some()),
            Scope::Org => ("org", kept.org.is_some()),
        };
        if belongs {
            lines.push(format!("{id}: promoted, now seen by the {name}"));
            change(db, tenant, &kept, wider, &Standing::Active, now)?;
        }
    }
    Ok(lines)
}

/// Rolls the signals of a strategy up that are older than the log; gives how many.
fn roll(
    db: &Db<'_>,
    tenant: &str,
    kept: &Kept,
    settings: &BankSettings,
    now: Timestamp,
) -> Result<usize, Fault> {
    let before = Timestamp(now.0.saturating_sub(LOG_DAYS * DAY_MS));
    let decay = Decay::of(kept.strategy.draft.outcome, settings);
    let mut rolled = 0;
    for (project, log) in logs(db, kept.n)? {
        if log.signals.iter().all(|signal| signal.timestamp >= before) {
            continue;
        }
        let sums = log
            .aggregate
            .clone()
            .unwrap_or_else(|| Aggregate::empty(kept.strategy.id.clone(), &project));
        let up = roll_up(&sums, &log.signals, before, decay);
        if up.absorbed.is_empty() {
            continue;
        }
        put_sums(db, tenant, kept.n, &up.aggregate, decay)?;
        for id in &up.absorbed {
            rolled += db
                .prepare_cached(
                    "UPDATE signals SET rolled = TRUE WHERE n = ?1 AND id = ?2 AND project_id = ?3 AND NOT rolled
                     AND timestamp < ?4",
                )?
                .execute(params![kept.n, id, project, before.0])?;
        }
    }
    if rolled > 0 {
        touch(db, tenant, kept.n)?;
    }
    Ok(rolled)
}

fn put_sums(
    db: &Db<'_>,
    tenant: &str,
    n: i64,
    sums: &Aggregate,
    decay: Decay,
) -> Result<(), Fault> {
    let counts = sums.counts(decay);
    db.prepare_cached(
        "INSERT INTO signal_aggregates (tenant, n, memory_id, project_id, explicit_pos, explicit_neg, usage_pos, usage_neg,
             outcome_pos, outcome_neg, last_rollup, sums)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
         ON CONFLICT (n, project_id) DO UPDATE SET explicit_pos = ?5, explicit_neg = ?6, usage_pos = ?7, usage_neg = ?8,
             outcome_pos = ?9, outcome_neg = ?10, last_rollup = ?11, sums = ?12",
    )?
    .execute(params![
        tenant,
        n,
        sums.memory_id.as_str(),
        sums.project_id,
        counts.explicit_pos,
        counts.explicit_neg,
        counts.usage_pos,
        counts.usage_neg,
        counts.outcome_pos,
        counts.outcome_neg,
        sums.last_rollup.0,
        json(sums)?
    ])?;
    Ok(())
}

/// The evidence of all projects together.
fn gathered(logs: &Logs, decay: Decay, now: Timestamp) -> Evidence {
    logs.values().fold(Evidence::default(), |sum, log| {
        sum.plus(&Evidence::gather(log.aggregate.as_ref(), &log.signals, decay, now))
    })
}

fn whole_log(db: &Db<'_>, n: i64) -> Result<Vec<Signal>, Fault> {
    let sql = format!(
        "SELECT {} FROM signals WHERE n = ?1 AND type IN ('explicit', 'outcome') AND voided_at IS NULL ORDER BY seq",
        super::rows::SIGNAL
    );
    let signals = db
        .prepare_cached(&sql)?
        .query_map([n], super::rows::signal)?
        .collect::<sql::Result<_>>()?;
    Ok(signals)
}

fn change(
    db: &Db<'_>,
    tenant: &str,
    kept: &Kept,
    scope: Scope,
    standing: &Standing,
    now: Timestamp,
) -> Result<(), Fault> {
    let mut draft = kept.strategy.draft.clone();
    draft.scope = scope;
    let by = Hand { tenant, actor: ACTOR, now };
    rewrite(db, &by, kept, &draft, standing, &print(&draft))?;
    Ok(())
}
