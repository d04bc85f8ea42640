//! What a run that is over gave up is looked for again, by another run, once its documents are not what they were.

use super::challenge::{self, Cause};
use super::place_of;
use super::runs::Named;
use crate::config::Config;
use crate::drive::Follow;
use crate::error::Result;
use crate::ground::Ground;
use crate::learning::Learning;
use crate::signals::Interrupts;
use crate::ui::dialogue::Presence;
use crate::ui::terminal::Terminal;
use crate::web::WebPlan;
use elenchus_core::id::GapId;
use elenchus_core::inquiry::{Reopened, Run};
use elenchus_engine::Finished;
use std::path::PathBuf;

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

/// Begins the run that looks for it and follows it to its end; `None` where the documents are as they were, or it looked at the
/// web alone.
pub(super) async fn run(
    named: &Named,
    given_up: GivenUp,
    folder: Option<PathBuf>,
    config: &Config,
    terminal: &Terminal,
    jsonl: bool,
) -> Result<Option<(Finished, Learning)>> {
    let Some(folder) = folder else { return Ok(None) };
    let mut interrupts = Interrupts::listen(terminal.clone());
    let place = place_of(config, &folder, false)?;
    let (corpus, _) = place.open(terminal)?.sync(terminal, &mut interrupts).await?;
    // A run that searched the web beside its folder has both in the state that it stood on.
    let web = match WebPlan::of(config, &named.summary.question)? {
        Some(plan) => Some(plan.open(config, Some(&named.path))?),
        None => None,
    };
    let ground = Ground::documents(corpus, web);
    if ground.overview().fingerprint == given_up.fingerprint {
        terminal.say("no document has come or changed since");
        return Ok(None);
    }
    drop(ground);
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
    Ok(Some((follow.end_of(handle).await?, memory)))
}
