//! Editing, deleting, and going back to a time.

use super::checks::{draft as checked, print, within};
use super::evidence::{held, put_weights};
use super::record::{same, scrub};
use super::rows::{
    Before, Hand, KEPT, Kept, cleared, find, kept, next_change, of_json, rewrite, touch,
};
use super::view::{index, put_index, recipe};
use super::{Fault, Vault};
use crate::sql::{self, Database, Db, OptionalExtension};
use elenchus_core::bank::{Caller, Draft, ProjectWeights, Standing};
use elenchus_core::id::{StrategyId, Timestamp};
use elenchus_core::port::{BankFailure, Edit, Held};
use rusqlite::params;
use std::sync::Arc;

impl<D: Database> Vault<D> {
    pub(super) fn edit_now(
        &self,
        caller: &Caller,
        id: &StrategyId,
        edit: &Edit,
        now: Timestamp,
    ) -> Result<Held, BankFailure> {
        let attempted = "edit a memory";
        let current = self.read(attempted, |db| own(db, caller, id, "edit"))?;
        let says_other = edit.title.is_some()
            || edit.description.is_some()
            || edit.content.is_some()
            || edit.tags.is_some();
        let mut wanted = edited(&current.strategy.draft, edit);
        if says_other || edit.scope.is_some() {
            wanted = checked(caller, &wanted).map_err(|fault| self.plain(attempted, fault))?;
            scrub(&mut wanted);
        }
        if let Some(Standing::Archived { reason, .. } | Standing::Quarantined { reason }) =
            &edit.standing
        {
            within(attempted, "reason", reason, 500)
                .map_err(|fault| self.plain(attempted, fault))?;
        }
        let print = print(&wanted);
        let written = if says_other {
            Some(index(&self.scribe, &wanted).map_err(|failure| BankFailure::Io {
                attempted: attempted.to_owned(),
                cause: failure.cause,
            })?)
        } else {
            None
        };
        let recipe = recipe(self.vectors.as_ref().map(Arc::as_ref));
        self.write(attempted, |db| {
            let kept = own(db, caller, id, "edit")?;
            if kept.text_change != current.text_change {
                return Err(Fault::refused(
                    format!("edit memory {id}"),
                    "somebody else has changed it meanwhile",
                    format!("look at it with `elenchus memory show {id}` and edit it again"),
                ));
            }
            if let Some(other) = same(db, caller, &print)?.filter(|other| other.n != kept.n) {
                return Err(Fault::refused(
                    format!("edit memory {id}"),
                    format!("memory {} says the same then", other.strategy.id),
                    format!("edit or archive {} instead", other.strategy.id),
                ));
            }
            let standing = edit.standing.clone().unwrap_or(kept.strategy.standing.clone());
            rewrite(db, &Hand::of(caller, now), &kept, &wanted, &standing, &print)?;
            if let Some(written) = &written {
                put_index(db, kept.n, &recipe, written)?;
            }
            let kept = own(db, caller, id, "edit")?;
            Ok(held(db, &caller.tenant, &caller.project, &kept, &self.settings, now)?)
        })
    }

    pub(super) fn delete_now(&self, caller: &Caller, id: &StrategyId) -> Result<(), BankFailure> {
        self.write(&format!("delete memory {id}"), |db| {
            let kept = own(db, caller, id, "delete")?;
            db.prepare_cached("DELETE FROM strategies WHERE n = ?1")?.execute([kept.n])?;
            Ok(cleared(db, &caller.tenant)?)
        })
    }

    pub(super) fn roll_back_now(
        &self,
        caller: &Caller,
        to: Timestamp,
        now: Timestamp,
    ) -> Result<(usize, usize), BankFailure> {
        let attempted = "go back in the memory";
        if to > now {
            return Err(BankFailure::Refused {
                attempted: attempted.to_owned(),
                cause: "that time is still to come".to_owned(),
                way_out: "name a time in the past".to_owned(),
            });
        }
        self.write(attempted, |db| {
            let strategies = self.strategies_back(db, caller, to, now)?;
            let signals = signals_back(db, caller, to, now)?;
            weights_back(db, caller, to)?;
            Ok((strategies, signals))
        })
    }

    /// Puts what the strategies of the caller's project say back; archives those that came later.
    fn strategies_back(
        &self,
        db: &Db<'_>,
        caller: &Caller,
        to: Timestamp,
        now: Timestamp,
    ) -> Result<usize, Fault> {
        let sql = format!(
            "SELECT {KEPT} FROM strategies WHERE tenant = ?1 AND project = ?2 AND edited_at > ?3 ORDER BY n"
        );
        let later = db
            .prepare_cached(&sql)?
            .query_map(params![caller.tenant, caller.project, to.0], kept)?
            .collect::<sql::Result<Vec<Kept>>>()?;
        let recipe = recipe(self.vectors.as_ref().map(Arc::as_ref));
        let mut concerned = 0;
        for kept in later {
            let (mut draft, mut standing) =
                (kept.strategy.draft.clone(), kept.strategy.standing.clone());
            if kept.strategy.created_at > to {
                if matches!(standing, Standing::Archived { .. }) {
                    continue;
                }
                standing = Standing::Archived {
                    at: now,
                    reason: "it was recorded after the time that was gone back to".to_owned(),
                };
            } else {
                let before: Option<Before> = db
                    .prepare_cached(
                        "SELECT before FROM strategy_edits WHERE n = ?1 AND at > ?2 ORDER BY seq LIMIT 1",
                    )?
                    .query_row(params![kept.n, to.0], |row| of_json(row, 0))
                    .optional()?;
                let Some(before) = before else { continue };
                if before.draft == draft && before.standing == standing {
                    continue;
                }
                (draft, standing) = (before.draft, before.standing);
            }
            rewrite(db, &Hand::of(caller, now), &kept, &draft, &standing, &print(&draft))?;
            if draft != kept.strategy.draft {
                let written = index(&self.scribe, &draft).map_err(|failure| {
                    Fault::By(BankFailure::Io {
                        attempted: "go back in the memory".to_owned(),
                        cause: failure.cause,
                    })
                })?;
                put_index(db, kept.n, &recipe, &written)?;
            }
            concerned += 1;
        }
        Ok(concerned)
    }
}

/// Signals that came later no longer count, those that an earlier going back had taken away after that time do again.
/// Sums that hold later signals are made anew out of the log, which keeps what was rolled up.
fn signals_back(
    db: &Db<'_>,
    caller: &Caller,
    to: Timestamp,
    now: Timestamp,
) -> Result<usize, Fault> {
    let mut touched: Vec<i64> = Vec::new();
    let mut concerned = 0;
    for (sql, values) in [
        (
            "UPDATE signals SET voided_at = ?4 WHERE tenant = ?1 AND project_id = ?2 AND timestamp > ?3
             AND voided_at IS NULL RETURNING n",
            params![caller.tenant, caller.project, to.0, now.0],
        ),
        (
            "UPDATE signals SET voided_at = NULL WHERE tenant = ?1 AND project_id = ?2 AND timestamp <= ?3
             AND voided_at > ?3 RETURNING n",
            params![caller.tenant, caller.project, to.0],
        ),
    ] {
        let rows = db
            .prepare_cached(sql)?
            .query_map(values, |row| row.get(0))?
            .collect::<sql::Result<Vec<i64>>>()?;
        concerned += rows.len();
        touched.extend(rows);
    }
    let rolled = db
        .prepare_cached(
            "DELETE FROM signal_aggregates WHERE tenant = ?1 AND project_id = ?2 AND last_rollup > ?3 RETURNING n",
        )?
        .query_map(params![caller.tenant, caller.project, to.0], |row| row.get(0))?
        .collect::<sql::Result<Vec<i64>>>()?;
    for n in &rolled {
        db.prepare_cached("UPDATE signals SET rolled = FALSE WHERE n = ?1 AND project_id = ?2")?
            .execute(params![n, caller.project])?;
    }
    touched.extend(rolled);
    touched.sort_unstable();
    touched.dedup();
    for n in touched {
        touch(db, &caller.tenant, n)?;
    }
    Ok(concerned)
}

/// What the project had learned of its signals by then.
fn weights_back(db: &Db<'_>, caller: &Caller, to: Timestamp) -> Result<(), Fault> {
    let before: Option<Option<String>> = db
        .prepare_cached(
            "SELECT before FROM weights_before WHERE tenant = ?1 AND project_id = ?2 AND at > ?3
             ORDER BY seq LIMIT 1",
        )?
        .query_row(params![caller.tenant, caller.project, to.0], |row| row.get(0))
        .optional()?;
    let Some(before) = before else { return Ok(()) };
    let mut weights = before
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_else(|| ProjectWeights::new(&caller.project));
    // A version is never used again.
    weights.version += 1;
    put_weights(db, &caller.tenant, &weights, None)?;
    db.prepare_cached(
        "DELETE FROM weights_before WHERE tenant = ?1 AND project_id = ?2 AND at > ?3",
    )?
    .execute(params![caller.tenant, caller.project, to.0])?;
    next_change(db, &caller.tenant)?;
    Ok(())
}

/// A strategy of the caller's own project.
fn own(db: &Db<'_>, caller: &Caller, id: &StrategyId, verb: &str) -> Result<Kept, Fault> {
    let kept = find(db, caller, id)?;
    if kept.project == caller.project {
        return Ok(kept);
    }
    Err(Fault::forbidden(
        format!("{verb} memory {id}"),
        "another project recorded it and shares it with this one",
        format!(
            "{verb} it from that project, or say what is wrong with it by `elenchus memory feedback`"
        ),
    ))
}

fn edited(draft: &Draft, edit: &Edit) -> Draft {
    let mut draft = draft.clone();
    if let Some(title) = &edit.title {
        draft.title.clone_from(title);
    }
    if let Some(description) = &edit.description {
        draft.description.clone_from(description);
    }
    if let Some(content) = &edit.content {
        draft.content.clone_from(content);
    }
    if let Some(tags) = &edit.tags {
        draft.tags.clone_from(tags);
    }
    if let Some(scope) = edit.scope {
        draft.scope = scope;
    }
    draft
}
