//! `elenchus runs attach`.

use super::output::{Output, verdict};
use super::resume::run_options;
use super::runs::Named;
use super::set_dialogue;
use crate::cli::{AttachArgs, TellArg};
use crate::config::Config;
use crate::drive::Follow;
use crate::durable::{self, Following};
use crate::error::Result;
use crate::signals::Interrupts;
use crate::ui::dialogue::Presence;
use crate::ui::report;
use crate::ui::terminal::Terminal;
use elenchus_core::inquiry::{Control, Step};
use std::sync::Arc;

pub(super) async fn run(args: AttachArgs, mut config: Config, terminal: &Terminal) -> Result<()> {
    let output = Output::new(&args.output)?;
    let named = Named::find(args.run, &config).await?;
    let (run, _) = named.replay().await?;
    let view = run.view();
    if run.step() == Step::Done
        && let Some(answer) = view.answer()
    {
        terminal.say(&format!("run {} is over; this is its answer", named.id));
        output.give(answer, true, terminal)?;
        return verdict(answer, view.error());
    }
    let piped = set_dialogue(&mut config, &args.dialogue);
    let presence = if config.text("clarify") == Some("never") {
        Presence::nobody()
    } else {
        Presence::find(terminal, piped, output.jsonl)
    };
    let tell = args.tell.map(|word| match word {
        TellArg::Interrupt => Control::Interrupt,
        TellArg::FinishNow => Control::FinishNow,
        TellArg::Pause => Control::Pause,
        TellArg::Resume => Control::Resume,
    });
    let max_rounds = match run_options(&named).await? {
        Some(options) if !options.autonomous => 1,
        Some(options) => options.budget.rounds,
        None => config.options().budget.rounds,
    };
    let mut interrupts = Interrupts::listen(terminal.clone());
    let following = Following { id: named.id.clone(), store: Arc::clone(&named.store), seen: true };
    let handle = durable::attach(following, tell, &config).await?;
    if args.tell == Some(TellArg::Pause) {
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
    output.give(&finished.answer, true, terminal)?;
    terminal.say(&report::receipt(&finished.answer, true));
    verdict(&finished.answer, finished.run.view().error())
}
