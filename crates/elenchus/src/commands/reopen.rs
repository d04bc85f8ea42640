//! What a run that is over gave up is looked for again, by another run, once its documents are not what they were.

use super::challenge::{self, Cause};
use super::place_of;
use super::runs::Named;
use crate::cli::StatusArg;
use crate::config::Config;
use crate::drive::Follow;
use crate::error::{CliError, Result};
use crate::ground::Ground;
use crate::learning::Learning;
use crate::signals::Interrupts;
use crate::ui::dialogue::Presence;
use crate::ui::terminal::Terminal;
use crate::web::WebPlan;
use elenchus_core::id::{GapId, RunId};
use elenchus_core::inquiry::{Reopened, Run};
use elenchus_core::port::{Clock, RunQuery, RunSummary};
use elenchus_core::trace::{Envelope, TraceEvent};
use elenchus_engine::Finished;
use elenchus_io::clock::SystemClock;
use std::path::PathBuf;
use std::sync::Arc;

/// What a run gave up.
pub(super) struct GivenUp {
    gaps: Vec<GapId>,
    /// The planned questions behind it; none where all that was planned was given up, which is planned anew then.
    questions: Vec<String>,
    /// The documents that it was given up over, as an index names their state.
    fingerprint: String,
}

impl GivenUp {
    /// `None` where nothing was.
    pub(super) fn by(run: &Run) -> Option<Self> {
        let view = run.view();
        let gaps: Vec<GapId> = view.gaps().abandoned().map(|gap| gap.id.clone()).collect();
        if gaps.is_empty() {
            return None;
        }
        let is_behind =
            |id: &u32| view.gaps().abandoned().any(|gap| gap.related_question_ids.contains(id));
        let planned = &view.plan().questions;
        let open: Vec<String> = planned
            .iter()
            .filter(|question| is_behind(&question.id))
            .map(|question| question.text.clone())
            .collect();
        let questions = if open.len() == planned.len() { Vec::new() } else { open };
        Some(Self { gaps, questions, fingerprint: view.corpus().fingerprint.clone() })
    }
}

/// What came of looking again.
pub(super) enum Again {
    /// Nothing: the documents are as they were, or it looked at the web alone.
    Nothing,
    /// A run had done it before, over the documents as they are.
    Done(Box<Named>),
    /// A run was begun for it, and came to its end.
    Ended(Box<(Finished, Learning)>),
}

/// Begins the run that looks for it and follows it to its end, unless one was begun for the same documents.
pub(super) async fn run(
    named: &Named,
    given_up: GivenUp,
    folder: Option<PathBuf>,
    config: &Config,
    terminal: &Terminal,
    jsonl: bool,
) -> Result<Again> {
    let Some(folder) = folder else { return Ok(Again::Nothing) };
    let mut interrupts = Interrupts::listen(terminal.clone());
    let place = place_of(config, &folder, false)?;
    let (corpus, _) = place.open(terminal)?.sync(terminal, &mut interrupts).await?;
    // A run that searched the web beside its folder has both in the state that it stood on.
    let web = match WebPlan::of(config, &named.summary.question)? {
        Some(plan) => Some(plan.open(config, Some(&named.path))?),
        None => None,
    };
    let ground = Ground::documents(corpus, web);
    let fingerprint = ground.overview().fingerprint;
    drop(ground);
    if fingerprint == given_up.fingerprint {
        terminal.say("no document has come or changed since");
        return Ok(Again::Nothing);
    }
    if let Some(begun) = begun_before(named, &fingerprint).await? {
        let id = &begun.id;
        if begun.summary.status == StatusArg::Finished.name() {
            terminal.say(&format!("run {id} has looked for it in the documents as they are"));
            return Ok(Again::Done(Box::new(begun)));
        }
        return Err(CliError::usage(
            format!("could not look again for what run {} gave up", named.id),
            format!("run {id} looks for it in the documents as they are, and is not over"),
            format!("`elenchus runs resume {id}` goes on with it where nobody drives it"),
        ));
    }
    let GivenUp { gaps, questions, .. } = given_up;
    let reopened = Reopened { parent: named.id.clone(), gaps };
    let cause = Cause::Reopen { questions, reopened };
    let (handle, memory, max_rounds) =
        challenge::begun(named, cause, Some(folder), config, terminal, &mut interrupts).await?;
    let follow = Follow {
        terminal,
        interrupts: &mut interrupts,
        jsonl,
        kept: true,
        max_rounds,
        presence: Presence::nobody(),
    };
    Ok(Again::Ended(Box::new((follow.end_of(handle).await?, memory))))
}

/// The run that was begun for what another one gave up, over documents in one state. One that somebody ended early or that
/// failed does not count: it may be begun again.
async fn begun_before(named: &Named, fingerprint: &str) -> Result<Option<Named>> {
    let runs = named.store.page(&RunQuery::all(SystemClock.now())).await?.runs;
    for summary in runs {
        if !counts(&summary) || summary.question != named.summary.question {
            continue;
        }
        let events = named.store.events(&summary.run_id, 0).await?;
        if looks_for(&events, &named.id, fingerprint) {
            let (path, store) = (named.path.clone(), Arc::clone(&named.store));
            return Ok(Some(Named { path, store, id: summary.run_id.clone(), summary }));
        }
    }
    Ok(None)
}

/// Whether a run is over as it should be, or may yet be.
fn counts(run: &RunSummary) -> bool {
    [StatusArg::Running, StatusArg::Stopped, StatusArg::Finished]
        .iter()
        .any(|status| status.name() == run.status)
}

/// Whether a run with these events looks for what `parent` gave up, in documents in that state.
fn looks_for(events: &[Envelope], parent: &RunId, fingerprint: &str) -> bool {
    events.iter().any(|event| match &event.event {
        TraceEvent::SessionStarted { options, corpus, .. } => {
            let is_its = options.reopened.as_ref().is_some_and(|one| one.parent == *parent);
            is_its && corpus.fingerprint == fingerprint
        }
        _ => false,
    })
}
