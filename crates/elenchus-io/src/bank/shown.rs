//! Which searches showed which strategies: a report may name a search that did, and no other, because each search that it
//! names counts as an occasion of its own.

use super::rows::{Kept, SIGNAL, signal};
use super::{Fault, Vault};
use crate::sql::{self, Database, Db};
use elenchus_core::bank::{Caller, Signal};
use elenchus_core::id::{SearchId, StrategyId};
use elenchus_core::port::{Recalled, SignalGiven};
use rusqlite::params;
use std::collections::VecDeque;
use std::sync::PoisonError;

/// Searches that a process remembers.
const SEARCHES: usize = 1_024;

/// A search of a project, with what it showed.
struct Search {
    tenant: String,
    project: String,
    id: SearchId,
    shown: Vec<StrategyId>,
}

/// What the latest searches of this process showed. The log does not tell all of it: it has a strategy once a session, and
/// so many rows a day.
#[derive(Default)]
pub(super) struct Searches(VecDeque<Search>);

impl Searches {
    fn find(&self, caller: &Caller, id: &SearchId) -> Option<&Search> {
        self.0.iter().rev().find(|search| {
            search.id == *id && search.tenant == caller.tenant && search.project == caller.project
        })
    }
}

impl<D: Database> Vault<D> {
    /// Remembers what a search showed.
    pub(super) fn remember(&self, caller: &Caller, recalled: &Recalled) {
        let shown = recalled.memories.iter().chain(&recalled.avoid);
        let search = Search {
            tenant: caller.tenant.clone(),
            project: caller.project.clone(),
            id: recalled.search_id.clone(),
            shown: shown.map(|held| held.strategy.id.clone()).collect(),
        };
        let mut searches = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
        while searches.0.len() >= SEARCHES {
            searches.0.pop_front();
        }
        searches.0.push_back(search);
    }

    /// The search that a signal is kept with: the one that it names, if that showed the strategy. Nothing where it may have
    /// and nobody can tell any more: the signal counts then, and as no occasion of its own.
    pub(super) fn search_of(
        &self,
        db: &Db<'_>,
        caller: &Caller,
        kept: &Kept,
        given: &SignalGiven,
    ) -> Result<Option<SearchId>, Fault> {
        let Some(search) = &given.search_id else { return Ok(None) };
        let remembered = {
            let searches = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
            searches.find(caller, search).map(|known| known.shown.contains(&kept.strategy.id))
        };
        match remembered {
            Some(true) => return Ok(Some(search.clone())),
            Some(false) => return Err(not_shown(kept, search)),
            None => {}
        }
        let logged: bool = db
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM signals WHERE n = ?1 AND project_id = ?2 AND type = 'usage'
                     AND search_id = ?3)",
            )?
            .query_row(params![kept.n, caller.project, search.as_str()], |row| row.get(0))?;
        if logged {
            return Ok(Some(search.clone()));
        }
        // Another process searched. It logged a strategy once a session, by the session's first search that showed it.
        let in_session: bool = db
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM signals WHERE n = ?1 AND project_id = ?2 AND type = 'usage'
                     AND session_id <> '' AND (session_id = ?3 OR session_id IN
                         (SELECT session_id FROM signals WHERE tenant = ?4 AND project_id = ?2 AND type = 'usage'
                              AND search_id = ?5)))",
            )?
            .query_row(
                params![
                    kept.n,
                    caller.project,
                    given.session_id,
                    caller.tenant,
                    search.as_str()
                ],
                |row| row.get(0),
            )?;
        if in_session || kept.unlogged > 0 {
            return Ok(None);
        }
        Err(not_shown(kept, search))
    }
}

/// Outcomes of a strategy from sessions in which whoever reports them had searched the bank. How a session is called a report
/// may say itself, and name one of somebody else's; who searched in it is in the log.
pub(super) fn reports_after_searches(db: &Db<'_>, n: i64) -> sql::Result<Vec<Signal>> {
    let sql = format!(
        "SELECT {SIGNAL} FROM signals AS told
         WHERE n = ?1 AND type = 'outcome' AND voided_at IS NULL AND session_id <> '' AND EXISTS
             (SELECT 1 FROM signals AS searched
              WHERE searched.tenant = told.tenant AND searched.project_id = told.project_id AND searched.type = 'usage'
                  AND searched.session_id = told.session_id AND searched.actor = told.actor
                  AND searched.timestamp <= told.timestamp
                  AND searched.voided_at IS NULL)
         ORDER BY seq"
    );
    db.prepare_cached(&sql)?.query_map([n], signal)?.collect()
}

fn not_shown(kept: &Kept, search: &SearchId) -> Fault {
    // An id comes from outside.
    let named: String = search.as_str().chars().filter(|c| !c.is_control()).take(60).collect();
    Fault::refused(
        "take a signal",
        format!("no search {named:?} that showed memory {} is known", kept.strategy.id),
        "give the search_id that came with this memory, or leave search_id out",
    )
}
