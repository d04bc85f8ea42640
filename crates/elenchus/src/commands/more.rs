//! Other limits for a run: of one that is not over they are set, and past the end that a limit made another run goes on.

use super::fork::{Forking, Given, gone_on};
use super::output::Output;
use super::resume::Onward;
use super::runs::Named;
use crate::cli::ResumeArgs;
use crate::config::Config;
use crate::error::{CliError, Result};
use crate::ui::terminal::Terminal;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::{Cut, NewLimits, NoMore};

/// Refuses limits that may not be set. None named is fine: then nothing is set.
pub(super) fn admitted(run: &RunId, limits: &NewLimits) -> Result<()> {
    match limits.refusal().filter(|_| !limits.is_empty()) {
        None => Ok(()),
        Some(why) => Err(CliError::usage(
            format!("could not set the limits of run {run}"),
            why.to_string(),
            why.way_out(),
        )),
    }
}

/// Where a run that a limit ended stopped searching, for another one to go on from.
pub(super) async fn cut(named: &Named, limits: &NewLimits) -> Result<Cut> {
    let journal = named.store.journal(&named.id).await?;
    Cut::for_more(&journal, limits).map_err(|why| refused(&named.id, &why))
}

fn refused(run: &RunId, why: &NoMore) -> CliError {
    let attempted = format!("could not go on with run {run} under other limits");
    CliError::usage(attempted, why.to_string(), why.way_out())
}

/// A run that a limit ended goes on in another one.
pub(super) async fn run(
    args: ResumeArgs,
    named: Named,
    limits: NewLimits,
    output: Output,
    config: Config,
    terminal: &Terminal,
) -> Result<()> {
    let cut = cut(&named, &limits).await?;
    let events = cut.events();
    terminal.say(&format!(
        "run {} is over because a limit was reached; another one goes on from there with {}",
        named.id,
        limits.told()
    ));
    let given = Given {
        corpus: args.corpus,
        accept_changes: args.accept_changes,
        model: args.model,
        dialogue: args.dialogue,
        index: args.index,
    };
    let forking = Forking { at: events, focus: None, limits: Some(limits), begins: None };
    Box::pin(gone_on(named, cut, forking, Onward::More { events }, given, output, config, terminal))
        .await
}
