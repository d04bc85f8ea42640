//! Taking a project's memory out and in.

use super::Vault;
use super::checks::{draft as checked, print};
use super::record::{free_id, put, same, scrub, taken};
use super::rows::{KEPT, SIGNAL, kept, put_signal, signal};
use super::view::{index, put_index, recipe};
use crate::sql::{self, Database};
use elenchus_core::bank::{Caller, Scope, Strategy};
use elenchus_core::id::Timestamp;
use elenchus_core::port::{BankFailure, Exported};
use rusqlite::params;
use std::sync::Arc;

/// Strategies that are taken in by one transaction.
const AT_ONCE: usize = 200;

impl<D: Database> Vault<D> {
    pub(super) fn export_now(&self, caller: &Caller) -> Result<Vec<Exported>, BankFailure> {
        self.read("export the memory", |db| {
            let sql = format!(
                "SELECT {KEPT} FROM strategies WHERE tenant = ?1 AND project = ?2 ORDER BY created_at, n"
            );
            let rows = db
                .prepare_cached(&sql)?
                .query_map([&caller.tenant, &caller.project], kept)?
                .collect::<sql::Result<Vec<_>>>()?;
            // What other projects said of a shared strategy is theirs.
            let sql = format!(
                "SELECT {SIGNAL} FROM signals WHERE n = ?1 AND project_id = ?2 AND voided_at IS NULL ORDER BY timestamp, seq"
            );
            let mut said = db.prepare_cached(&sql)?;
            rows.into_iter()
                .map(|kept| {
                    let signals = said
                        .query_map(params![kept.n, caller.project], signal)?
                        .collect::<sql::Result<Vec<_>>>()?;
                    Ok(Exported { strategy: kept.strategy, signals })
                })
                .collect()
        })
    }

    pub(super) fn import_now(
        &self,
        caller: &Caller,
        exported: &[Exported],
        now: Timestamp,
    ) -> Result<usize, BankFailure> {
        let attempted = "import memories";
        let recipe = recipe(self.vectors.as_ref().map(Arc::as_ref));
        let mut new = 0;
        for some in exported.chunks(AT_ONCE) {
            let mut ready = Vec::with_capacity(some.len());
            for line in some {
                let mut strategy = line.strategy.clone();
                let narrower = match strategy.draft.scope {
                    Scope::Team => caller.team.is_none(),
                    Scope::Org => caller.org.is_none(),
                    Scope::Project => false,
                };
                if narrower {
                    strategy.draft.scope = Scope::Project;
                }
                strategy.draft = checked(caller, &strategy.draft)
                    .map_err(|fault| self.plain(attempted, fault))?;
                scrub(&mut strategy.draft);
                let written = index(&self.scribe, &strategy.draft).map_err(|failure| {
                    BankFailure::Io { attempted: attempted.to_owned(), cause: failure.cause }
                })?;
                ready.push((strategy, written, &line.signals));
            }
            new += self.write(attempted, |db| {
                let mut new = 0;
                for (strategy, written, signals) in &ready {
                    let print = print(&strategy.draft);
                    if same(db, caller, &print)?.is_some() {
                        continue;
                    }
                    let named = strategy.id.as_str();
                    let well_formed = named.strip_prefix("mem_").is_some_and(|digits| {
                        digits.len() == 12 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
                    });
                    let id = if well_formed && !taken(db, caller, named)? {
                        strategy.id.clone()
                    } else {
                        free_id(db, caller, &print, now)?
                    };
                    let strategy = Strategy {
                        id: id.clone(),
                        created_at: strategy.created_at.min(now),
                        edited_at: strategy.edited_at.min(now),
                        ..strategy.clone()
                    };
                    let kept = put(db, caller, &strategy, &print)?;
                    put_index(db, kept.n, &recipe, written)?;
                    for signal in *signals {
                        let mut signal = signal.clone();
                        signal.memory_id.clone_from(&id);
                        signal.project_id.clone_from(&caller.project);
                        signal.timestamp = signal.timestamp.min(now);
                        if signal.share > 0.0 && signal.share <= 1.0 {
                            put_signal(db, &caller.tenant, kept.n, &signal)?;
                        }
                    }
                    new += 1;
                }
                Ok(new)
            })?;
        }
        Ok(new)
    }
}
