//! What every search of a tenant looks at, kept in memory and brought up to the file before each search.

use super::codec::{from_bytes, terms_to_bytes, vectors_to_bytes};
use super::evidence::{Believed, Logs, Priors, all_logs, logs, priors, shown, weights};
use super::rows::{KEPT, Kept, Readers, kept};
use crate::retrieve::TextVectors;
use crate::sql::{self, Db, OptionalExtension, Row};
use crate::texts::{Texts, Written};
use elenchus_core::bank::{BankSettings, Caller, Draft, ProjectWeights, Standing};
use elenchus_core::id::short_hash;
use elenchus_core::port::EmbedFailure;
use rusqlite::params;
use rustc_hash::FxHashMap;
use std::collections::HashMap;
use std::sync::Arc;

/// Bump when strategies are indexed from other text.
const RECIPE: &str = "1";
/// Weights of title, description, content and tags in counting words.
const FIELDS: [f32; 4] = [2.0, 1.5, 1.0, 1.0];

/// One state of a tenant's strategies.
pub(super) struct View {
    /// Numbers of the last change and of the last clearing that this state holds.
    pub(super) change: i64,
    cleared: i64,
    pub(super) texts: Texts,
    pub(super) held: FxHashMap<i64, Entry>,
    /// Which of `readers` each strategy is for: every search asks this of every strategy, and whole entries are large.
    group: FxHashMap<i64, u32>,
    /// Whom strategies are for, each once.
    readers: Vec<Readers>,
    learned: HashMap<String, (ProjectWeights, Priors)>,
}

/// A strategy with what is believed of it.
pub(super) struct Entry {
    pub(super) kept: Kept,
    pub(super) believed: Believed,
}

/// How strategies are indexed: with which embedder, from what.
pub(super) fn recipe(vectors: Option<&dyn TextVectors>) -> String {
    format!("{RECIPE} {}", vectors.map_or("none", TextVectors::id))
}

/// What is indexed of a draft.
pub(super) fn index(texts: &Texts, draft: &Draft) -> Result<Written, EmbedFailure> {
    let tags = draft.tags.join(" ");
    let [title, description, content, of_tags] = FIELDS;
    let fields = [
        (draft.title.as_str(), title),
        (draft.description.as_str(), description),
        (draft.content.as_str(), content),
        (tags.as_str(), of_tags),
    ];
    let embedded = format!("{}. {} {}", draft.title, draft.description, draft.content);
    texts.write(&fields, &embedded)
}

/// Writes what is indexed of a strategy.
pub(super) fn put_index(db: &Db<'_>, n: i64, recipe: &str, written: &Written) -> sql::Result<()> {
    db.prepare_cached(
        "INSERT INTO strategy_index (n, recipe, terms, vectors) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (n) DO UPDATE SET recipe = ?2, terms = ?3, vectors = ?4",
    )?
    .execute(params![n, recipe, terms_to_bytes(written), vectors_to_bytes(written)])
    .map(drop)
}

/// Numbers of the last change and the last clearing of a tenant.
pub(super) fn state(db: &Db<'_>, tenant: &str) -> sql::Result<(i64, i64)> {
    Ok(db
        .prepare_cached("SELECT change, cleared FROM bank_changes WHERE tenant = ?1")?
        .query_row([tenant], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?
        .unwrap_or((0, 0)))
}

impl View {
    /// Nothing yet. The vectors of texts are held, or are compared elsewhere.
    pub(super) fn empty(vectors: Option<Arc<dyn TextVectors>>, holds_vectors: bool) -> Self {
        let texts = Texts::new(vectors);
        Self {
            change: -1,
            cleared: -1,
            texts: if holds_vectors { texts } else { texts.without_vectors() },
            held: FxHashMap::default(),
            group: FxHashMap::default(),
            readers: Vec::new(),
            learned: HashMap::new(),
        }
    }

    /// Whether this is the state of the file.
    pub(super) fn fresh(&self, state: (i64, i64)) -> bool {
        (self.change, self.cleared) == state && !self.texts.worn()
    }

    /// Reads what has changed since. `db` must be in one transaction. Gives the strategies whose index is of another
    /// recipe, which are found by their words only until they are indexed anew.
    pub(super) fn refresh(
        &mut self,
        db: &Db<'_>,
        tenant: &str,
        vectors: Option<&Arc<dyn TextVectors>>,
        settings: &BankSettings,
    ) -> sql::Result<Vec<i64>> {
        let (change, cleared) = state(db, tenant)?;
        if self.cleared != cleared || self.texts.worn() {
            *self = Self::empty(vectors.cloned(), self.texts.holds_vectors());
        }
        let all = self.change < 0;
        let mut of_all: HashMap<i64, Logs> =
            if all { all_logs(db, tenant)? } else { HashMap::new() };
        let shown_by_n = if all { all_shown(db, tenant)? } else { HashMap::new() };
        let recipe = recipe(vectors.map(AsRef::as_ref));
        let dimensions = vectors.map_or(0, |vectors| vectors.dimensions());
        let mut stale = Vec::new();
        let mut changed = db.prepare_cached(&format!(
            "SELECT {KEPT}, recipe, terms, vectors FROM strategies LEFT JOIN strategy_index USING (n)
             WHERE tenant = ?1 AND change > ?2 ORDER BY n"
        ))?;
        let read = |row: &Row<'_>| {
            let kept = kept(row)?;
            let Some(made) = row.get::<_, Option<String>>(21)? else { return Ok((kept, None)) };
            let current = made == recipe;
            let dimensions = if current { dimensions } else { 0 };
            Ok((kept, Some((from_bytes(row.blob(22)?, row.blob(23)?, dimensions), current))))
        };
        for row in changed.query_map(params![tenant, self.change], read)? {
            let (kept, indexed) = row?;
            let n = kept.n;
            let (logs, shown) = if all {
                let logged = shown_by_n.get(&n).copied().unwrap_or(0);
                (of_all.remove(&n).unwrap_or_default(), logged + kept.unlogged)
            } else {
                (logs(db, n)?, shown(db, &kept)?)
            };
            let archived = matches!(kept.strategy.standing, Standing::Archived { .. });
            let same_text =
                self.held.get(&n).is_some_and(|entry| entry.kept.text_change == kept.text_change);
            if archived {
                self.texts.remove(n);
            } else if !same_text {
                let (written, current) = indexed.unwrap_or_default();
                if !current {
                    stale.push(n);
                }
                self.texts.put(n, &written, thread(&kept));
            }
            let believed = Believed::gather(&kept, &logs, settings, shown);
            let readers = kept.readers();
            let known = self.readers.iter().position(|known| *known == readers);
            let group = known.unwrap_or_else(|| {
                self.readers.push(readers);
                self.readers.len() - 1
            });
            self.group.insert(n, group as u32);
            self.held.insert(n, Entry { kept, believed });
        }
        self.learned.clear();
        (self.change, self.cleared) = (change, cleared);
        Ok(stale)
    }

    /// Which strategies a caller may see.
    pub(super) fn visible(&self, caller: &Caller) -> impl Fn(i64) -> bool + use<'_> {
        let allowed: Vec<bool> = self.readers.iter().map(|one| one.hold(caller)).collect();
        move |n| self.group.get(&n).is_some_and(|group| allowed[*group as usize])
    }

    /// Has ready what a project learned.
    pub(super) fn know(&mut self, db: &Db<'_>, tenant: &str, project: &str) -> sql::Result<()> {
        if !self.learned.contains_key(project) {
            let learned = (weights(db, tenant, project)?, priors(db, tenant, project)?);
            self.learned.insert(project.to_owned(), learned);
        }
        Ok(())
    }

    /// What a project learned of its signals and of classes of strategies, if it was asked for in this state.
    pub(super) fn learned(&self, project: &str) -> Option<&(ProjectWeights, Priors)> {
        self.learned.get(project)
    }
}

/// Strategies of one session stand side by side: what was learned together is often needed together.
fn thread(kept: &Kept) -> u64 {
    let Some(session) = kept.strategy.draft.source_session.as_deref() else { return 0 };
    let digits = short_hash(format!("{}\0{session}", kept.project).as_bytes(), 15);
    u64::from_str_radix(&digits, 16).unwrap_or(0)
}

fn all_shown(db: &Db<'_>, tenant: &str) -> sql::Result<HashMap<i64, u64>> {
    db.prepare_cached(
        "SELECT n, count(*) FROM signals WHERE tenant = ?1 AND type = 'usage' AND voided_at IS NULL GROUP BY n",
    )?
    .query_map([tenant], |row| {
        Ok((row.get(0)?, u64::try_from(row.get::<_, i64>(1)?).unwrap_or(0)))
    })?
    .collect()
}
