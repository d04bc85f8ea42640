//! What a project left beside its strategies, for whoever takes everything out.

use super::Vault;
use super::evidence::{put_weights, weights};
use super::rows::next_change;
use crate::sql::{self, Database};
use elenchus_core::bank::{Caller, ProjectWeights};
use elenchus_core::id::Timestamp;
use elenchus_core::port::BankFailure;
use rusqlite::params;

/// After every time that is noted: the end of the year 9999, which both databases can hold.
const LATEST: i64 = 253_402_300_799_000;

impl<D: Database> Vault<D> {
    /// Tenants and projects of which anything is kept, in order of their names.
    pub(super) fn projects_now(&self) -> Result<Vec<(String, String)>, BankFailure> {
        self.read("list the projects of the memory", |db| {
            Ok(db
                .prepare_cached(
                    "SELECT tenant, project FROM strategies
                     UNION SELECT tenant, project FROM distillation_queue
                     UNION SELECT tenant, project_id FROM project_weights
                     ORDER BY 1, 2",
                )?
                .query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<sql::Result<Vec<_>>>()?)
        })
    }

    /// How many sessions of a project were queued before a time, or at all.
    pub(super) fn count_sessions_now(
        &self,
        caller: &Caller,
        before: Option<Timestamp>,
    ) -> Result<usize, BankFailure> {
        let limit = before.map_or(LATEST, |at| at.0);
        self.read("count the sessions", |db| {
            let sessions: i64 = db
                .prepare_cached(
                    "SELECT count(*) FROM distillation_queue
                     WHERE tenant = ?1 AND project = ?2 AND queued_at < ?3",
                )?
                .query_row(params![caller.tenant, caller.project, limit], |row| row.get(0))?;
            Ok(usize::try_from(sessions).unwrap_or(0))
        })
    }

    /// Takes those out, whatever became of them; with all of them goes what the project learned of its signals.
    pub(super) fn forget_sessions_now(
        &self,
        caller: &Caller,
        before: Option<Timestamp>,
    ) -> Result<usize, BankFailure> {
        let limit = before.map_or(LATEST, |at| at.0);
        self.write("forget the sessions", |db| {
            let (tenant, project) = (&caller.tenant, &caller.project);
            let gone = db
                .prepare_cached(
                    "DELETE FROM distillation_queue
                     WHERE tenant = ?1 AND project = ?2 AND queued_at < ?3",
                )?
                .execute(params![tenant, project, limit])?;
            if before.is_some() {
                return Ok(gone);
            }
            // A version is never used again: other processes tell by it whether they know the weights.
            let known = weights(db, tenant, project)?.version;
            let mut usual = ProjectWeights::new(project);
            usual.version = known + 1;
            put_weights(db, tenant, &usual, None)?;
            for sql in [
                "DELETE FROM weights_before WHERE tenant = ?1 AND project_id = ?2",
                "DELETE FROM class_priors WHERE tenant = ?1 AND project_id = ?2",
            ] {
                db.prepare_cached(sql)?.execute(params![tenant, project])?;
            }
            next_change(db, tenant)?;
            Ok(gone)
        })
    }
}
