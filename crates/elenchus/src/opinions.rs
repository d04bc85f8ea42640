//! What a user says of runs: kept beside them in the store. What was said of insights before that lies in a file of this
//! machine, a line of JSON each, and still counts until something else is said of the same insight.

use crate::bank::caller;
use crate::config::Config;
use crate::error::Result;
use crate::feedback::unkept;
use crate::paths;
use crate::store_place::StorePlace;
use crate::ui::terminal::Terminal;
use crate::wire;
use elenchus_core::answer::Answer;
use elenchus_core::graph::{ACTOR, NOTE};
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::port::{LOCAL, Matter, MemoFilter, Remark, Store, holding};
use elenchus_core::synthesis::insight::InsightFeedback;
use elenchus_io::store::{read_lines, remove_lines};
use serde::Deserialize;

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Opinion {
    /// When, in milliseconds since 1970.
    at: i64,
    /// The run.
    run: String,
    /// The insight's id there.
    insight: String,
    /// What the user said of it.
    feedback: InsightFeedback,
}

impl From<Opinion> for Remark {
    fn from(Opinion { at, run, insight, feedback }: Opinion) -> Self {
        let run = RunId(run);
        Self::new(&run, Matter::Insight, &insight, LOCAL, Some(feedback.name()), Timestamp(at))
    }
}

/// What the file holds; nothing when there is none. Lines that cannot be read are left out.
pub(crate) fn before() -> Result<Vec<Remark>> {
    let file = paths::opinions()?;
    let (said, _) = read_lines::<Opinion>(&file)
        .map_err(|error| unkept("read what you said of insights", &file, &error))?;
    Ok(said.into_iter().map(Remark::from).collect())
}

/// All that holds of what was said of a run, or of all runs.
pub(crate) async fn held(store: &dyn Store, run: Option<&RunId>) -> Result<Vec<Remark>> {
    let kept = store.remarks(run).await?;
    let mut said = before()?;
    said.retain(|one| run.is_none_or(|run| one.run_id == *run));
    Ok(holding(said.into_iter().chain(kept)))
}

/// Keeps what was said of a run as a lead for later runs of the project, or takes it out where it leads nowhere any more. The
/// word itself is in the store: that later runs cannot be told is said, and is no failure.
pub(crate) async fn lead(
    place: &StorePlace,
    config: &Config,
    remark: &Remark,
    answer: Option<&Answer>,
    terminal: &Terminal,
) {
    if let Err(error) = led(place, config, remark, answer).await {
        let cause = error.message();
        terminal.warn(&format!("{}: {cause}", elenchus_engine::unled(remark)));
    }
}

async fn led(
    place: &StorePlace,
    config: &Config,
    remark: &Remark,
    answer: Option<&Answer>,
) -> Result<()> {
    let memos = wire::memos_of_runs(place, config)?;
    elenchus_engine::keep_note(&*memos, &caller(config)?, remark, answer).await?;
    Ok(())
}

/// Takes out the leads that words of this user left, in whichever project, and whether or not their runs are still there.
async fn unlead(place: &StorePlace, config: &Config) -> Result<()> {
    let memos = wire::memos_of_runs(place, config)?;
    let tenant = caller(config)?.tenant;
    let (namespace, tag) = ("project".to_owned(), Some(NOTE.to_owned()));
    let filter = MemoFilter { namespace, tag, ..MemoFilter::default() };
    for memo in memos.list(&tenant, &filter).await? {
        if memo.noted(ACTOR).contains(&LOCAL) {
            memos.delete(&tenant, &memo.namespace, &memo.id).await?;
        }
    }
    Ok(())
}

/// Takes back what this user said of runs, with the leads that it left, and removes the file. What was taken out of them stays
/// noted.
pub(crate) async fn forget(
    store: Option<&dyn Store>,
    place: &StorePlace,
    config: &Config,
    now: Timestamp,
) -> Result<()> {
    if let Some(store) = store {
        for one in store.remarks(None).await? {
            if one.actor == LOCAL && one.about != Matter::Export && one.said.is_some() {
                let back = Remark::new(&one.run_id, one.about, &one.target, LOCAL, None, now);
                store.remark(&back).await?;
            }
        }
    }
    let file = paths::opinions()?;
    remove_lines(&file)
        .map_err(|error| unkept("forget what you said of insights", &file, &error))?;
    if store.is_some() { unlead(place, config).await } else { Ok(()) }
}
