//! What is kept of the kinds that are to go.

use super::{many, said, some};
use crate::config::Config;
use crate::error::{CliError, Kind, Result};
use crate::paths;
use crate::store_place::StorePlace;
use crate::ui::terminal::Terminal;
use crate::wire;
use elenchus_core::bank::Caller;
use elenchus_core::id::{MemoId, RunId, StrategyId, Timestamp};
use elenchus_core::inquiry::{Input, Outcome};
use elenchus_core::journal::Entry;
use elenchus_core::port::{MemoFilter, RunQuery, Store};
use elenchus_io::web::SnapshotError;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// What is to go.
pub(super) struct Scope {
    pub(super) runs: bool,
    pub(super) memory: bool,
    pub(super) index: bool,
    /// What belongs to no store but to this machine too: judgements in files, kept replies.
    pub(super) machine: bool,
    /// Only what was last touched before this.
    pub(super) before: Option<Timestamp>,
    pub(super) now: Timestamp,
}

impl Scope {
    fn is_old(&self, at: Timestamp) -> bool {
        self.before.is_none_or(|before| at < before)
    }
}

/// Pages that no run which stays can have read.
pub(super) struct Pages {
    count: usize,
    /// All of them without a time.
    pub(super) before: Option<Timestamp>,
}

/// Where a memo stands.
pub(super) struct MemoPlace {
    pub(super) namespace: String,
    pub(super) id: MemoId,
}

/// What of it is there.
#[derive(Default)]
pub(super) struct Found {
    pub(super) runs: Vec<RunId>,
    /// Runs that somebody drives, which stay.
    pub(super) under_way: usize,
    pub(super) pages: Option<Pages>,
    /// Files of what was said of claims, insights and memos that have such lines.
    pub(super) judgements: Vec<PathBuf>,
    judged: usize,
    /// Whether replies of models are kept; they have no time.
    pub(super) replies: bool,
    pub(super) strategies: Vec<(Caller, StrategyId)>,
    pub(super) projects: Vec<Caller>,
    sessions: usize,
    pub(super) memos: Vec<(String, MemoPlace)>,
    pub(super) indexes: Vec<PathBuf>,
}

impl Found {
    pub(super) fn is_nothing(&self) -> bool {
        self.lines().is_empty()
    }

    /// A line a kind of which there is anything.
    pub(super) fn lines(&self) -> Vec<String> {
        let pages = self.pages.as_ref().map_or(0, |pages| pages.count);
        let mut lines: Vec<String> = [
            some(self.runs.len(), "run", ", with journals, traces and feedback"),
            some(pages, "saved page", " of the web"),
            some(self.judged, "judgement", " of claims, insights and memos"),
            self.replies.then(|| "the replies of models that were kept".to_owned()),
        ]
        .into_iter()
        .flatten()
        .collect();
        if !self.strategies.is_empty() {
            let memories = many(self.strategies.len(), "memory", "memories");
            let projects = some(self.projects.len(), "project", "").unwrap_or_default();
            lines.push(format!("{memories}, with signals, of {projects}"));
        }
        lines.extend(some(self.sessions, "session", " in the queue to be distilled"));
        lines.extend(some(self.memos.len(), "memo", ", with what they say of each other"));
        if !self.indexes.is_empty() {
            lines.push(format!("{} of folders", many(self.indexes.len(), "index", "indexes")));
        }
        lines
    }

    pub(super) fn document(&self) -> Value {
        json!({
            "runs": self.runs.len(),
            "pages": self.pages.as_ref().map_or(0, |pages| pages.count),
            "judgements": self.judged,
            "replies": self.replies,
            "memories": self.strategies.len(),
            "sessions": self.sessions,
            "memos": self.memos.len(),
            "indexes": self.indexes.len(),
        })
    }
}

pub(super) async fn look(
    place: &StorePlace,
    scope: &Scope,
    config: &Config,
    terminal: &Terminal,
) -> Result<Found> {
    let mut found = Found::default();
    let mut said_in = Vec::new();
    if scope.runs {
        let earliest = runs(place, scope, &mut found).await?;
        pages(place, scope, config, earliest, &mut found)?;
        if scope.machine {
            said_in.extend([paths::feedback()?, paths::opinions()?]);
            found.replies = scope.before.is_none() && paths::replies()?.exists();
        }
    }
    if scope.memory {
        memory(place, scope, config, terminal, &mut found).await?;
        if scope.machine {
            said_in.push(paths::scored()?);
        }
    }
    for file in said_in {
        let lines = said::count(&file, scope.before)?;
        if lines > 0 {
            found.judged += lines;
            found.judgements.push(file);
        }
    }
    if scope.index {
        found.indexes = indexes(scope)?;
    }
    Ok(found)
}

/// Sorts the runs, and gives when the earliest began of those that stay, or read a page that was received before.
async fn runs(place: &StorePlace, scope: &Scope, found: &mut Found) -> Result<Option<Timestamp>> {
    if !place.is_made() {
        return Ok(None);
    }
    let mut earliest = None;
    let store = wire::store(place)?;
    for run in store.page(&RunQuery::all(scope.now)).await?.runs {
        let is_driven = run.status == "running";
        if !is_driven && scope.is_old(run.updated_at) {
            found.runs.push(run.run_id);
            continue;
        }
        found.under_way += usize::from(is_driven);
        // A fork took over pages that were received long before it began.
        let received = received(&*store, &run.run_id).await.unwrap_or(run.started_at);
        let from = run.started_at.min(received);
        earliest = Some(earliest.map_or(from, |at: Timestamp| at.min(from)));
    }
    Ok(earliest)
}

/// When the oldest page was received that a run has read.
async fn received(store: &dyn Store, run: &RunId) -> Option<Timestamp> {
    let records = store.journal(run).await.ok()?;
    let mut oldest: Option<Timestamp> = None;
    for record in &records {
        let Entry::Input(input) = &record.entry else { continue };
        let Input::Outcome { result: Outcome::Passages { passages }, .. } = input.as_ref() else {
            continue;
        };
        for page in passages.iter().filter_map(|read| read.source.web.as_ref()) {
            oldest = Some(oldest.map_or(page.retrieved_at, |at| at.min(page.retrieved_at)));
        }
    }
    oldest
}

/// A run may have read a page that was received some time before it began; such pages stay with it.
fn pages(
    place: &StorePlace,
    scope: &Scope,
    config: &Config,
    earliest: Option<Timestamp>,
    found: &mut Found,
) -> Result<()> {
    // What lies in a file beside a server was read by the runs of this machine's file too, and is left alone.
    let Some(kept) = crate::web::pages(place).map_err(|error| unusable(&error))? else {
        return Ok(());
    };
    let fresh = config.amount("web.fresh_hours").unwrap_or(24.0) * 3_600_000.0;
    let limit = scope.before.into_iter().chain(earliest).min();
    // What is received from now on may be another run's.
    let before = Some(limit.map_or(scope.now, |at| Timestamp(at.0.saturating_sub(fresh as i64))));
    let count = kept.count_before(before).map_err(|error| unusable(&error))?;
    if count > 0 {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        found.pages = Some(Pages { count, before });
    }
    Ok(())
}

fn unusable(error: &SnapshotError) -> CliError {
    let way_out = "move the file away: its pages are fetched anew when they are needed";
    CliError::parsed(Kind::Storage, &error.to_string(), way_out)
}

async fn memory(
    place: &StorePlace,
    scope: &Scope,
    config: &Config,
    terminal: &Terminal,
    found: &mut Found,
) -> Result<()> {
    if !place.is_made() {
        return Ok(());
    }
    let bank = crate::bank::bank(place, config, terminal)?;
    for (tenant, project) in bank.projects().await? {
        let caller = Caller { tenant, ..Caller::local(project) };
        for held in bank.export(&caller).await? {
            if scope.is_old(held.strategy.edited_at) {
                found.strategies.push((caller.clone(), held.strategy.id));
            }
        }
        found.sessions += bank.count_sessions(&caller, scope.before).await?;
        found.projects.push(caller);
    }
    let memos = wire::memos(place, config)?;
    for tenant in memos.tenants().await? {
        for memo in memos.list(&tenant, &MemoFilter::default()).await? {
            if scope.is_old(memo.updated_at) {
                let at = MemoPlace { namespace: memo.namespace, id: memo.id };
                found.memos.push((tenant.clone(), at));
            }
        }
    }
    Ok(())
}

/// The indexes in the cache. One that was named lies where the user put it, and is left there.
fn indexes(scope: &Scope) -> Result<Vec<PathBuf>> {
    let usual = paths::default_index(Path::new("x"), "builtin")?;
    let folder = usual.parent().unwrap_or(Path::new("."));
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "db"))
        .filter(|path| scope.before.is_none() || changed(path).is_some_and(|at| scope.is_old(at)))
        .collect();
    found.sort();
    Ok(found)
}

fn changed(path: &Path) -> Option<Timestamp> {
    let at = std::fs::metadata(path).ok()?.modified().ok()?;
    let since = at.duration_since(UNIX_EPOCH).ok()?;
    Some(Timestamp(i64::try_from(since.as_millis()).ok()?))
}
