//! `elenchus runs attach`.

use super::more;
use super::output::{Output, verdict};
use super::resume::run_options;
use super::runs::Named;
use super::set_dialogue;
use crate::cli::{AttachArgs, EngineArg, TellArg};
use crate::config::Config;
use crate::drive::Follow;
use crate::durable::{self, Following};
use crate::error::{CliError, Result};
use crate::signals::Interrupts;
use crate::ui::dialogue::Presence;
use crate::ui::report;
use crate::ui::terminal::Terminal;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::{Control, SourcesRefused, Step};
use elenchus_core::port::{Clock, StoreFailure};
use elenchus_engine::{RunHandle, follow, leave_control};
use elenchus_io::clock::SystemClock;
use std::sync::Arc;

pub(super) async fn run(args: AttachArgs, mut config: Config, terminal: &Terminal) -> Result<()> {
    let output = Output::new(&args.output)?;
    let (controls, tell, limits) = (args.controls(), args.tell, args.limits.named());
    let named = Named::find(args.run, &config).await?;
    let output = output.citing(named.folder());
    more::admitted(&named.id, &limits)?;
    let (run, _) = named.replay().await?;
    let view = run.view();
    if run.step() == Step::Done
        && let Some(answer) = view.answer()
    {
        if args.sources.named().is_some() {
            return Err(over(&named.id));
        }
        if !limits.is_empty() {
            return Err(CliError::usage(
                format!("could not set the limits of run {}", named.id),
                "it is over",
                format!(
                    "where a limit ended it, `elenchus runs resume {}` with the same limits goes on in another run",
                    named.id
                ),
            ));
        }
        terminal.say(&format!("run {} is over; this is its answer", named.id));
        output.give(answer, view, true, terminal)?;
        return verdict(answer, view.error());
    }
    if let Some(sources) = args.sources.named()
        && let Some(why) = view.refuses_sources(&sources)
    {
        return Err(refused(&named.id, &why));
    }
    let piped = set_dialogue(&mut config, &args.dialogue);
    let presence = if config.text("clarify") == Some("never") {
        Presence::nobody()
    } else {
        Presence::find(terminal, piped, output.jsonl).beside_others()
    };
    let max_rounds = match run_options(&named).await? {
        Some(options) if !options.autonomous => 1,
        Some(options) => options.budget.rounds,
        None => config.options().budget.rounds,
    };
    let mut interrupts = Interrupts::listen(terminal.clone());
    let handle = attached(&named, &controls, &config).await?;
    if tell == Some(TellArg::Pause) {
        terminal.say(&format!(
            "run {0} pauses: `elenchus runs attach {0} --tell resume` lets it go on",
            named.id
        ));
        return Ok(());
    }
    terminal.say(&format!("following run {}: {}", named.id, named.summary.question));
    let follow = Follow {
        terminal,
        interrupts: &mut interrupts,
        jsonl: output.jsonl,
        kept: true,
        presence,
        max_rounds,
    };
    let finished = follow.end_of(handle).await?;
    output.give(&finished.answer, finished.run.view(), true, terminal)?;
    terminal.say(&report::receipt(&finished.answer, true));
    verdict(&finished.answer, finished.run.view().error())
}

/// Sources that a run may not look into.
pub(super) fn refused(run: &RunId, why: &SourcesRefused) -> CliError {
    CliError::usage(format!("could not add a source to run {run}"), why.to_string(), why.way_out())
}

/// The same of a run that is over.
pub(super) fn over(run: &RunId) -> CliError {
    CliError::usage(
        format!("could not add a source to run {run}"),
        "it is over",
        format!(
            "`elenchus runs fork {run} --at SEQ` begins a run that goes on from a step of it, to which it can be added; or ask again"
        ),
    )
}

/// Tells a run what it is to be told, wherever it is driven, and follows it.
async fn attached(named: &Named, controls: &[Control], config: &Config) -> Result<RunHandle> {
    let (id, store) = (&named.id, &named.store);
    let is_theirs = durable::is_there(id, store, config).await;
    if matches!(is_theirs, Ok(true)) {
        let following = Following { id: id.clone(), store: Arc::clone(store), seen: true };
        return durable::attach(following, controls, config).await;
    }
    let summary = store.run(id).await?.at(SystemClock.now());
    if summary.status != "running" {
        if durable::engine(config) == EngineArg::Restate {
            // The server may have it, and does not answer.
            is_theirs?;
        }
        return Err(CliError::usage(
            format!("could not attach to run {id}"),
            format!("nobody drives it: it is {}", summary.status),
            format!("`elenchus runs resume {id}` goes on with it"),
        ));
    }
    for control in controls {
        let left = leave_control(&**store, id, control, SystemClock.now()).await;
        if matches!(left, Err(StoreFailure::NotDriven(_))) {
            // Workers may drive it whose server does not answer.
            return Err(is_theirs
                .err()
                .unwrap_or_else(|| StoreFailure::NotDriven(id.clone()).into()));
        }
        left?;
    }
    Ok(follow(Arc::clone(store), Arc::new(SystemClock), id).await?)
}
