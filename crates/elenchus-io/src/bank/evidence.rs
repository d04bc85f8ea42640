//! What is believed of strategies, out of the rows of their signals.

use super::rows::{Kept, SIGNAL, of_json, signal};
use crate::sql::{self, Db, OptionalExtension};
use elenchus_core::bank::{
    Aggregate, BankSettings, Class, Decay, Evidence, Grounds, Lift, Posterior, Prior,
    ProjectWeights, Signal, calibrated, why,
};
use elenchus_core::id::Timestamp;
use elenchus_core::measure::Explained;
use elenchus_core::port::Held;
use rusqlite::params;
use std::collections::{BTreeMap, HashMap};

/// Of one strategy in one project: the sums of what was rolled up, and the log.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    pub(super) aggregate: Option<Aggregate>,
    pub(super) signals: Vec<Signal>,
}

/// The signals of a strategy, a project each.
pub(super) type Logs = BTreeMap<String, Log>;

/// What speaks for and against a strategy in each project, gathered at a time, and how many sessions were shown it.
#[derive(Clone, Debug, Default)]
pub(super) struct Believed {
    pub(super) at: Timestamp,
    pub(super) projects: BTreeMap<String, Evidence>,
    pub(super) shown: u64,
}

/// The log of one strategy.
pub(super) fn logs(db: &Db<'_>, n: i64) -> sql::Result<Logs> {
    let mut logs = Logs::new();
    let mut statement = db.prepare_cached(&format!(
        "SELECT {SIGNAL} FROM signals WHERE n = ?1 AND NOT rolled AND voided_at IS NULL ORDER BY seq"
    ))?;
    for row in statement.query_map([n], signal)? {
        let signal = row?;
        logs.entry(signal.project_id.clone()).or_default().signals.push(signal);
    }
    let mut statement =
        db.prepare_cached("SELECT sums FROM signal_aggregates WHERE n = ?1 ORDER BY project_id")?;
    for row in statement.query_map([n], |row| of_json::<Aggregate>(row, 0))? {
        let aggregate = row?;
        let project = aggregate.project_id.clone();
        logs.entry(project).or_default().aggregate = Some(aggregate);
    }
    Ok(logs)
}

/// The log of every strategy of a tenant that has one.
pub(super) fn all_logs(db: &Db<'_>, tenant: &str) -> sql::Result<HashMap<i64, Logs>> {
    let mut all: HashMap<i64, Logs> = HashMap::new();
    let mut statement = db.prepare_cached(&format!(
        "SELECT {SIGNAL} FROM signals WHERE tenant = ?1 AND NOT rolled AND voided_at IS NULL ORDER BY seq"
    ))?;
    for row in statement.query_map([tenant], |row| Ok((row.get(11)?, signal(row)?)))? {
        let (n, signal): (i64, Signal) = row?;
        let log = all.entry(n).or_default().entry(signal.project_id.clone()).or_default();
        log.signals.push(signal);
    }
    let mut statement =
        db.prepare_cached("SELECT n, sums FROM signal_aggregates WHERE tenant = ?1")?;
    for row in
        statement.query_map([tenant], |row| Ok((row.get(0)?, of_json::<Aggregate>(row, 1)?)))?
    {
        let (n, aggregate): (i64, Aggregate) = row?;
        let project = aggregate.project_id.clone();
        all.entry(n).or_default().entry(project).or_default().aggregate = Some(aggregate);
    }
    Ok(all)
}

/// Sessions that were shown a strategy, by its log and what was rolled up.
pub(super) fn shown(db: &Db<'_>, kept: &Kept) -> sql::Result<u64> {
    let logged: i64 = db
        .prepare_cached(
            "SELECT count(*) FROM signals WHERE n = ?1 AND type = 'usage' AND voided_at IS NULL",
        )?
        .query_row([kept.n], |row| row.get(0))?;
    Ok(u64::try_from(logged).unwrap_or(0) + kept.unlogged)
}

impl Believed {
    /// Gathers a log at its last signal, so that everything later is decay.
    pub(super) fn gather(kept: &Kept, logs: &Logs, settings: &BankSettings, shown: u64) -> Self {
        let decay = Decay::of(kept.strategy.draft.outcome, settings);
        let times = logs.values().flat_map(|log| {
            let rolled = log
                .aggregate
                .iter()
                .flat_map(|sums| sums.votes.values().map(|vote| vote.at).chain([sums.last_rollup]));
            log.signals.iter().map(|signal| signal.timestamp).chain(rolled)
        });
        let at = times.max().unwrap_or_default();
        let projects = logs
            .iter()
            .map(|(project, log)| {
                let gathered = Evidence::gather(log.aggregate.as_ref(), &log.signals, decay, at);
                (project.clone(), gathered)
            })
            .collect();
        Self { at, projects, shown }
    }

    /// The belief of a project: its own evidence over what the other projects believe, if the strategy is shared and
    /// they have any, else over the prior of how it came about.
    pub(super) fn posterior(
        &self,
        kept: &Kept,
        project: &str,
        weights: &ProjectWeights,
        settings: &BankSettings,
        now: Timestamp,
    ) -> Posterior {
        if self.projects.is_empty() {
            return Prior::of(&kept.strategy.draft, settings).posterior();
        }
        let prior = self.prior(kept, project, weights, settings, now);
        match self.projects.get(project) {
            None => prior.posterior(),
            Some(own) => {
                let decay = Decay::of(kept.strategy.draft.outcome, settings);
                own.faded(decay, self.at, now).posterior(prior, &weights.relative(), settings)
            }
        }
    }

    /// What it does for the tasks of a project.
    pub(super) fn lift(&self, project: &str, tasks: [u64; 2]) -> Option<Lift> {
        let own = self.projects.get(project)?;
        let (pos, neg) = own
            .reported
            .values()
            .fold((0.0, 0.0), |(pos, neg), told| (pos + told.outcome_pos, neg + told.outcome_neg));
        Lift::of(pos, neg, tasks)
    }

    /// The evidence of the other projects that share a strategy, added up.
    fn elsewhere(
        &self,
        kept: &Kept,
        project: &str,
        settings: &BankSettings,
        now: Timestamp,
    ) -> Option<Evidence> {
        let decay = Decay::of(kept.strategy.draft.outcome, settings);
        let others = self.projects.iter().filter(|(name, _)| name.as_str() != project).fold(
            None,
            |sum: Option<Evidence>, (_, evidence)| {
                Some(match sum {
                    None => evidence.clone(),
                    Some(sum) => sum.plus(evidence),
                })
            },
        );
        others.map(|others| others.faded(decay, self.at, now))
    }

    /// What a project believes before its own evidence.
    fn prior(
        &self,
        kept: &Kept,
        project: &str,
        weights: &ProjectWeights,
        settings: &BankSettings,
        now: Timestamp,
    ) -> Prior {
        let others = self.elsewhere(kept, project, settings, now);
        pooled(Prior::of(&kept.strategy.draft, settings), others.as_ref(), weights, settings)
    }

    /// The belief of a project over what it has learned of the strategy's class, where it has.
    pub(super) fn calibrated(
        &self,
        kept: &Kept,
        project: &str,
        priors: &Priors,
        weights: &ProjectWeights,
        settings: &BankSettings,
        now: Timestamp,
    ) -> Option<f64> {
        let learned = *priors.get(&Class::of(&kept.strategy.draft))?;
        let decay = Decay::of(kept.strategy.draft.outcome, settings);
        let own = self.projects.get(project).map(|own| own.faded(decay, self.at, now));
        let own = own.unwrap_or_default();
        Some(calibrated(&own, learned, &weights.relative(), settings).mean())
    }

    /// How the belief of a project came about, down to the votes. `log` is what the project's belief is computed from, `whole`
    /// all of its signals, those that were rolled up among them.
    pub(super) fn explained(
        &self,
        kept: &Kept,
        (log, whole): (&Log, &[Signal]),
        project: &str,
        weights: &ProjectWeights,
        settings: &BankSettings,
        now: Timestamp,
    ) -> Explained {
        let decay = Decay::of(kept.strategy.draft.outcome, settings);
        let elsewhere = self.elsewhere(kept, project, settings, now);
        let first = Prior::of(&kept.strategy.draft, settings);
        let grounds = Grounds {
            prior: pooled(first, elsewhere.as_ref(), weights, settings),
            elsewhere: elsewhere.as_ref().map(|evidence| (first, evidence)),
        };
        let weights = weights.relative();
        let tree = |aggregate: Option<&Aggregate>, signals: &[Signal]| {
            why(grounds, aggregate, signals, decay, now, &weights, settings)
        };
        let in_sums = tree(log.aggregate.as_ref(), &log.signals);
        if log.aggregate.is_none() {
            return in_sums;
        }
        // What was rolled up is kept, and tells every signal, unless some of it is gone.
        let singly = tree(None, whole);
        if (singly.value - in_sums.value).abs() < ROUNDING { singly } else { in_sums }
    }
}

/// What is believed of a strategy before a project's own evidence: as the other projects that share it do, if there are any.
fn pooled(
    first: Prior,
    others: Option<&Evidence>,
    weights: &ProjectWeights,
    settings: &BankSettings,
) -> Prior {
    others.map_or(first, |others| {
        Prior::pooled(&others.posterior(first, &weights.relative(), settings))
    })
}

/// By how much a confidence may differ that is computed in another order.
const ROUNDING: f64 = 1e-9;

/// All signals of a strategy in a project that were not taken back, rolled up or not.
pub(super) fn whole_log(db: &Db<'_>, n: i64, project: &str) -> sql::Result<Vec<Signal>> {
    db.prepare_cached(&format!(
        "SELECT {SIGNAL} FROM signals WHERE n = ?1 AND project_id = ?2 AND voided_at IS NULL ORDER BY seq"
    ))?
    .query_map(params![n, project], signal)?
    .collect()
}

/// What a project learned of its signals.
pub(super) fn weights(db: &Db<'_>, tenant: &str, project: &str) -> sql::Result<ProjectWeights> {
    let learned = db
        .prepare_cached(
            "SELECT learned FROM project_weights WHERE tenant = ?1 AND project_id = ?2",
        )?
        .query_row([tenant, project], |row| of_json(row, 0))
        .optional()?;
    Ok(learned.unwrap_or_else(|| ProjectWeights::new(project)))
}

/// Writes what a project learned, and keeps what it believed before.
pub(super) fn put_weights(
    db: &Db<'_>,
    tenant: &str,
    weights: &ProjectWeights,
    now: Option<Timestamp>,
) -> sql::Result<()> {
    if let Some(now) = now {
        let before: Option<String> = db
            .prepare_cached(
                "SELECT learned FROM project_weights WHERE tenant = ?1 AND project_id = ?2",
            )?
            .query_row([tenant, &weights.project_id], |row| row.get(0))
            .optional()?;
        db.prepare_cached(
            "INSERT INTO weights_before (tenant, project_id, at, before) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![tenant, weights.project_id, now.0, before])?;
    }
    db.prepare_cached(
        "INSERT INTO project_weights (tenant, project_id, explicit_alpha, explicit_beta, usage_alpha, usage_beta,
                                      outcome_alpha, outcome_beta, learned)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
         ON CONFLICT (tenant, project_id) DO UPDATE SET explicit_alpha = ?3, explicit_beta = ?4, usage_alpha = ?5,
             usage_beta = ?6, outcome_alpha = ?7, outcome_beta = ?8, learned = ?9",
    )?
    .execute(params![
        tenant,
        weights.project_id,
        weights.explicit_alpha,
        weights.explicit_beta,
        weights.usage_alpha,
        weights.usage_beta,
        weights.outcome_alpha,
        weights.outcome_beta,
        super::rows::json(weights)?
    ])
    .map(drop)
}

/// What a project knows beforehand of each class of strategies, as far as it has learned it.
pub(super) type Priors = BTreeMap<Class, Prior>;

pub(super) fn priors(db: &Db<'_>, tenant: &str, project: &str) -> sql::Result<Priors> {
    db.prepare_cached(
        "SELECT class, prior FROM class_priors WHERE tenant = ?1 AND project_id = ?2",
    )?
    .query_map([tenant, project], |row| Ok((of_json(row, 0)?, of_json(row, 1)?)))?
    .collect()
}

/// Writes them in the place of those before.
pub(super) fn put_priors(
    db: &Db<'_>,
    tenant: &str,
    project: &str,
    priors: &Priors,
) -> sql::Result<()> {
    db.prepare_cached("DELETE FROM class_priors WHERE tenant = ?1 AND project_id = ?2")?
        .execute([tenant, project])?;
    let mut insert = db.prepare_cached(
        "INSERT INTO class_priors (tenant, project_id, class, prior) VALUES (?1, ?2, ?3, ?4)",
    )?;
    for (class, prior) in priors {
        insert.execute(params![
            tenant,
            project,
            super::rows::json(class)?,
            super::rows::json(prior)?
        ])?;
    }
    super::rows::next_change(db, tenant).map(drop)
}

/// A strategy with what is believed of it, outside a search.
pub(super) fn held(
    db: &Db<'_>,
    tenant: &str,
    project: &str,
    kept: &Kept,
    settings: &BankSettings,
    now: Timestamp,
) -> sql::Result<Held> {
    let believed = Believed::gather(kept, &logs(db, kept.n)?, settings, shown(db, kept)?);
    let weights = weights(db, tenant, project)?;
    let posterior = believed.posterior(kept, project, &weights, settings, now);
    let mut strategy = kept.strategy.clone();
    if kept.project != project {
        // What is shared is the strategy: the run that it was learned in is its own project's.
        strategy.draft.source_session = None;
    }
    Ok(Held {
        strategy,
        confidence: posterior.mean(),
        interval: posterior.interval(),
        posterior: Some(posterior),
        calibrated: believed.calibrated(
            kept,
            project,
            &priors(db, tenant, project)?,
            &weights,
            settings,
            now,
        ),
        usage_count: believed.shown,
        relevance: 0.0,
        exploration: false,
        far: false,
        ranked: None,
        lift: believed.lift(project, tasks(db, tenant, project)?),
    })
}

/// Tasks of a project that succeeded and that failed, by their reported outcomes; each session is one.
pub(super) fn tasks(db: &Db<'_>, tenant: &str, project: &str) -> sql::Result<[u64; 2]> {
    let mut tasks = [0, 0];
    let mut statement = db.prepare_cached(
        "SELECT positive, count(DISTINCT session_id) FROM signals
         WHERE tenant = ?1 AND project_id = ?2 AND type = 'outcome' AND voided_at IS NULL GROUP BY positive",
    )?;
    let ended = statement.query_map(params![tenant, project], |row| {
        Ok((row.get::<_, bool>(0)?, row.get::<_, i64>(1)?))
    })?;
    for row in ended {
        let (well, n) = row?;
        tasks[usize::from(!well)] = u64::try_from(n).unwrap_or(0);
    }
    Ok(tasks)
}
