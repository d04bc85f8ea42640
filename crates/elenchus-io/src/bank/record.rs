//! Recording.

use super::checks::{draft as checked, print};
use super::evidence::held;
use super::rows::{KEPT, Kept, find, json, kept, next_change, word};
use super::view::{index, put_index, recipe};
use super::{Fault, Vault};
use crate::sql::{self, Database, Db, OptionalExtension};
use crate::texts::Written;
use elenchus_core::bank::{Caller, Draft, Strategy};
use elenchus_core::id::{StrategyId, Timestamp, short_hash};
use elenchus_core::port::{BankFailure, Recorded};
use rusqlite::params;
use std::sync::Arc;

/// A draft that was checked, scrubbed and indexed: ready for a transaction.
pub(super) struct Ready {
    pub(super) draft: Draft,
    pub(super) print: String,
    pub(super) written: Written,
    pub(super) scrubbed: Vec<String>,
}

impl<D: Database> Vault<D> {
    pub(super) fn record_now(
        &self,
        caller: &Caller,
        draft: &Draft,
        now: Timestamp,
    ) -> Result<Recorded, BankFailure> {
        let attempted = "record a memory";
        let ready = self.ready(caller, draft)?;
        let recipe = recipe(self.vectors.as_ref().map(Arc::as_ref));
        self.write(attempted, |db| {
            let (kept, already_there) = insert(db, caller, &ready, &recipe, now)?;
            let held = held(db, &caller.tenant, &caller.project, &kept, &self.settings, now)?;
            Ok(Recorded { held, already_there, scrubbed: ready.scrubbed.clone() })
        })
    }

    /// Does everything that needs no transaction.
    pub(super) fn ready(&self, caller: &Caller, draft: &Draft) -> Result<Ready, BankFailure> {
        let attempted = "record a memory";
        let mut draft = checked(caller, draft).map_err(|fault| self.plain(attempted, fault))?;
        let scrubbed = scrub(&mut draft);
        let written = index(&self.scribe, &draft).map_err(|failure| BankFailure::Io {
            attempted: attempted.to_owned(),
            cause: format!("{}; use the built-in embedder", failure.cause),
        })?;
        Ok(Ready { print: print(&draft), draft, written, scrubbed })
    }
}

/// Takes secrets out of every text of a draft; gives their kinds, each once.
pub(super) fn scrub(draft: &mut Draft) -> Vec<String> {
    let mut kinds: Vec<String> = Vec::new();
    let tags = draft.tags.iter_mut();
    for text in
        [&mut draft.title, &mut draft.description, &mut draft.content].into_iter().chain(tags)
    {
        let (clean, found) = super::rules::scrub(text);
        *text = clean;
        for kind in found {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    // What stands for a secret may be longer than it.
    super::checks::shorten(draft);
    kinds
}

/// Puts a strategy in, unless the project holds the same; gives it as it stands, and whether it was there.
pub(super) fn insert(
    db: &Db<'_>,
    caller: &Caller,
    ready: &Ready,
    recipe: &str,
    now: Timestamp,
) -> Result<(Kept, bool), Fault> {
    if let Some(known) = same(db, caller, &ready.print)? {
        return Ok((known, true));
    }
    let mut ancestors = Vec::new();
    for id in &ready.draft.lineage {
        // One that the caller may not see is as one that there is not.
        match find(db, caller, id) {
            Ok(known) => ancestors.push(known.strategy),
            Err(Fault::By(_)) => {}
            Err(fault) => return Err(fault),
        }
    }
    let standing = super::rules::standing(&ready.draft, &ancestors);
    let strategy = Strategy {
        id: free_id(db, caller, &ready.print, now)?,
        draft: ready.draft.clone(),
        standing,
        actor: caller.actor.clone(),
        created_at: now,
        edited_at: now,
    };
    let kept = put(db, caller, &strategy, &ready.print)?;
    put_index(db, kept.n, recipe, &ready.written)?;
    Ok((kept, false))
}

/// The strategy of the caller's project that says the same, if there is one.
pub(super) fn same(db: &Db<'_>, caller: &Caller, print: &str) -> sql::Result<Option<Kept>> {
    let sql = format!(
        "SELECT {KEPT} FROM strategies WHERE tenant = ?1 AND project = ?2 AND print = ?3 ORDER BY n LIMIT 1"
    );
    db.prepare_cached(&sql)?.query_row([&caller.tenant, &caller.project, print], kept).optional()
}

/// The id of a new strategy: of what it says and whose it is, and of the time where an edited one has that id already.
pub(super) fn free_id(
    db: &Db<'_>,
    caller: &Caller,
    print: &str,
    now: Timestamp,
) -> sql::Result<StrategyId> {
    let mut text = format!("{}\0{}\0{print}", caller.tenant, caller.project);
    loop {
        let id = format!("mem_{}", short_hash(text.as_bytes(), 12));
        if !taken(db, caller, &id)? {
            return Ok(StrategyId(id));
        }
        text = format!("{text}\0{}", now.0);
    }
}

/// Whether a strategy of the tenant has an id.
pub(super) fn taken(db: &Db<'_>, caller: &Caller, id: &str) -> sql::Result<bool> {
    db.prepare_cached("SELECT EXISTS (SELECT 1 FROM strategies WHERE tenant = ?1 AND id = ?2)")?
        .query_row([&caller.tenant, id], |row| row.get(0))
}

/// Writes the row of a strategy.
pub(super) fn put(
    db: &Db<'_>,
    caller: &Caller,
    strategy: &Strategy,
    print: &str,
) -> sql::Result<Kept> {
    let draft = &strategy.draft;
    let change = next_change(db, &caller.tenant)?;
    let mut insert = db.prepare_cached(
        "INSERT INTO strategies (tenant, id, project, team, org, title, description, content, outcome, tags, scope, origin,
             source_session, lineage, from_web, standing, actor, created_at, edited_at, print, change, text_change)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?21)
         RETURNING n",
    )?;
    let values = params![
        caller.tenant,
        strategy.id.as_str(),
        caller.project,
        caller.team,
        caller.org,
        draft.title,
        draft.description,
        draft.content,
        word(&draft.outcome),
        json(&draft.tags)?,
        word(&draft.scope),
        word(&draft.origin),
        draft.source_session,
        json(&draft.lineage)?,
        draft.from_web,
        json(&strategy.standing)?,
        strategy.actor,
        strategy.created_at.0,
        strategy.edited_at.0,
        print,
        change
    ];
    Ok(Kept {
        n: insert.query_row(values, |row| row.get(0))?,
        project: caller.project.clone(),
        team: caller.team.clone(),
        org: caller.org.clone(),
        strategy: strategy.clone(),
        unlogged: 0,
        text_change: change,
    })
}
