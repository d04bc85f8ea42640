//! `elenchus runs fork`: back to a step of a run, and on from there in another one.

use super::output::{Output, verdict};
use super::resume::{Onward, Ready, Ways, noted, prepared};
use super::runs::Named;
use super::{set_dialogue, set_index, set_model};
use crate::cli::{DialogueArgs, ForkArgs, IndexArgs, ModelArgs};
use crate::config::Config;
use crate::drive::Follow;
use crate::error::{CliError, Result};
use crate::kept::RunSettings;
use crate::learning::Learning;
use crate::signals::Interrupts;
use crate::ui::dialogue::Presence;
use crate::ui::report;
use crate::ui::terminal::Terminal;
use crate::wire::StartClock;
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::inquiry::{Control, Cut, NewLimits, Options, Step};
use elenchus_core::port::Clock;
use elenchus_engine::{EngineError, RunHandle};
use elenchus_io::clock::SystemClock;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::sync::Arc;

pub(super) async fn run(args: ForkArgs, config: Config, terminal: &Terminal) -> Result<()> {
    let output = Output::new(&args.output)?;
    let named = Named::find(args.run, &config).await?;
    let output = output.citing(named.folder());
    let cut = cut(&named, args.at).await?;
    let onward = Onward::Fork { at: args.at, events: cut.events() };
    if args.focus.as_ref().is_some_and(|focus| !focus.chars().any(char::is_alphanumeric)) {
        return Err(CliError::usage(
            onward.attempted(&named.id),
            "the focus is empty",
            "say in words what to look for, or leave out --focus",
        ));
    }
    let given = Given {
        corpus: args.corpus,
        accept_changes: args.accept_changes,
        model: args.model,
        dialogue: args.dialogue,
        index: args.index,
    };
    let forking = Forking { at: args.at, focus: args.focus, limits: None, begins: None };
    Box::pin(gone_on(named, cut, forking, onward, given, output, config, terminal)).await
}

/// What is given beside the run for going on with it in another one.
pub(super) struct Given {
    pub(super) corpus: Option<PathBuf>,
    pub(super) accept_changes: bool,
    pub(super) model: ModelArgs,
    pub(super) dialogue: DialogueArgs,
    pub(super) index: IndexArgs,
}

/// Begins the other run, and follows it to its end.
#[expect(
    clippy::too_many_arguments,
    reason = "each is another thing, and two commands have all of them"
)]
pub(super) async fn gone_on(
    named: Named,
    cut: Cut,
    forking: Forking,
    onward: Onward,
    given: Given,
    output: Output,
    mut config: Config,
    terminal: &Terminal,
) -> Result<()> {
    let noted = noted(&named, given.corpus.is_some(), &mut config)?;
    set_index(&mut config, given.index)?;
    set_model(&mut config, given.model)?;
    let piped = set_dialogue(&mut config, &given.dialogue);
    let presence = if config.text("clarify") == Some("never") {
        Presence::nobody()
    } else {
        Presence::find(terminal, piped, output.jsonl)
    };
    let mut interrupts = Interrupts::listen(terminal.clone());
    let (corpus, accept_changes) = (given.corpus, given.accept_changes);
    let ways = Ways { corpus, noted, accept_changes, onward };
    let beginning = begun(&named, &cut, forking, ways, &config, terminal, &mut interrupts);
    let Begun { handle, memory, options } = Box::pin(beginning).await?;
    terminal.say(&format!("it is run {}", handle.run_id()));
    if cut.run().step() == Step::Paused {
        // As with a run that goes on itself: whoever forks it wants it to go on.
        handle.control(Control::Resume).await?;
    }
    let follow = Follow {
        terminal,
        interrupts: &mut interrupts,
        jsonl: output.jsonl,
        kept: true,
        presence,
        max_rounds: if options.autonomous { options.budget.rounds } else { 1 },
    };
    let finished = follow.end_of(handle).await?;
    output.give(&finished.answer, finished.run.view(), true, terminal)?;
    terminal.say(&report::receipt(&finished.answer, true));
    memory.learn(&finished, terminal).await;
    verdict(&finished.answer, finished.run.view().error())
}

/// Where a run is forked, and what for.
pub(super) struct Forking {
    /// The event, from 1.
    pub(super) at: u64,
    /// What is to be looked for too.
    pub(super) focus: Option<String>,
    /// The limits under which it goes on, where they are others.
    pub(super) limits: Option<NewLimits>,
    /// Where the fork has its id already: the time and the seed that make it.
    pub(super) begins: Option<(Timestamp, u64)>,
}

/// A fork that has begun.
pub(super) struct Begun {
    pub(super) handle: RunHandle,
    pub(super) memory: Learning,
    pub(super) options: Options,
}

/// The beginning of a run up to an event.
pub(super) async fn cut(named: &Named, at: u64) -> Result<Cut> {
    let journal = named.store.journal(&named.id).await?;
    Cut::at(&journal, at).map_err(|cause| {
        let run_id = named.id.clone();
        EngineError::Unforkable { run_id, event_id: at, cause }.into()
    })
}

/// Begins the run that goes on from an event of another one, with a note of where its documents are.
pub(super) async fn begun(
    named: &Named,
    cut: &Cut,
    forking: Forking,
    ways: Ways,
    config: &Config,
    terminal: &Terminal,
    interrupts: &mut Interrupts,
) -> Result<Begun> {
    let before = cut.run().view().corpus();
    let ready = prepared(named, before, ways, config, terminal, interrupts).await?;
    let Ready { engine, memory, options, place, .. } = ready;
    // Drawn, so that one run forked twice is two runs.
    let (start, seed) = forking
        .begins
        .unwrap_or_else(|| (SystemClock.now(), RandomState::new().hash_one(std::process::id())));
    let id = RunId::derive(&cut.opened().question, start, seed);
    RunSettings::new(&id, place.as_ref(), config).save(&named.path)?;
    let engine = engine.clocked(Arc::new(StartClock::at(start)));
    let Forking { at, focus, limits, .. } = forking;
    let forked = match limits {
        Some(limits) => {
            engine.fork_told(&named.id, at, vec![Control::SetBudget(limits)], seed).await
        }
        None => engine.fork(&named.id, at, focus.as_deref(), seed).await,
    };
    match forked {
        Ok(handle) => Ok(Begun { handle, memory, options }),
        Err(error) => {
            RunSettings::remove(&named.path, &id);
            Err(error.into())
        }
    }
}
