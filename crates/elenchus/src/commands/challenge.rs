//! `elenchus challenge`: a step of a run that is over is doubted, and another run looks into it. What tests an explanation of a run
//! again, or looks again for what it gave up, is begun in the same way.

use super::output::{Output, verdict};
use super::resume::{noted, run_options};
use super::runs::Named;
use super::{place_of, set_index, set_model};
use crate::cli::ChallengeArgs;
use crate::config::Config;
use crate::drive::Follow;
use crate::error::{CliError, Result};
use crate::ground::Ground;
use crate::kept::RunSettings;
use crate::learning::Learning;
use crate::mind::Mind;
use crate::signals::Interrupts;
use crate::ui::dialogue::Presence;
use crate::ui::terminal::Terminal;
use crate::ui::{progress, report};
use crate::web::WebPlan;
use crate::wire::CorpusPlace;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::{Asking, Options, Reopened, Step, Tested};
use elenchus_core::scrutiny::challenge::Contest;
use elenchus_core::trace::Envelope;
use elenchus_engine::RunHandle;
use elenchus_io::clock::SystemClock;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::sync::Arc;

pub(super) async fn run(
    args: ChallengeArgs,
    mut config: Config,
    terminal: &Terminal,
) -> Result<()> {
    let output = Output::new(&args.output)?;
    let named = Named::find(args.run, &config).await?;
    let output = output.citing(named.folder());
    let attempted = format!("could not challenge step {} of run {}", args.event, named.id);
    if !args.text.chars().any(char::is_alphanumeric) {
        return Err(CliError::usage(
            attempted,
            "the challenge is empty",
            "say in words what you doubt, best as a question that the documents could answer",
        ));
    }
    let (run, trace) = named.replay().await?;
    if run.step() != Step::Done {
        return Err(CliError::usage(
            attempted,
            "the run has not ended",
            format!("`elenchus runs resume {}` goes on with it", named.id),
        ));
    }
    let contest = contest(&named, &trace, args.event, &args.text)?;
    let noted = noted(&named, args.corpus.is_some(), &mut config)?;
    set_index(&mut config, args.index)?;
    set_model(&mut config, args.model)?;
    let mut interrupts = Interrupts::listen(terminal.clone());
    let folder = args.corpus.or_else(|| noted.and_then(|noted| noted.corpus));
    let cause = Cause::Doubt(contest);
    let (handle, memory, max_rounds) =
        begun(&named, cause, folder, &config, terminal, &mut interrupts).await?;
    let follow = Follow {
        terminal,
        interrupts: &mut interrupts,
        jsonl: output.jsonl,
        kept: true,
        max_rounds,
        presence: Presence::nobody(),
    };
    let finished = follow.end_of(handle).await?;
    output.give(&finished.answer, finished.run.view(), true, terminal)?;
    terminal.say(&report::receipt(&finished.answer, true));
    memory.learn(&finished, terminal).await;
    verdict(&finished.answer, finished.run.view().error())
}

/// Why a run looks into another one.
pub(super) enum Cause {
    /// A step is doubted.
    Doubt(Contest),
    /// An explanation is held against the evidence once more.
    Test { claim: String, tested: Tested },
    /// What it gave up is looked for in other documents: these questions, or all of its own where there are none.
    Reopen { questions: Vec<String>, reopened: Reopened },
}

impl Cause {
    /// What could not be done, where it cannot.
    fn attempted(&self, run: &RunId) -> String {
        match self {
            Self::Doubt(contest) => {
                format!("could not challenge step {} of run {run}", contest.event_id)
            }
            Self::Test { .. } => format!("could not test an explanation of run {run} again"),
            Self::Reopen { .. } => format!("could not look again for what run {run} gave up"),
        }
    }

    /// What is done, in words.
    fn begins(&self, run: &RunId) -> String {
        match self {
            Self::Doubt(contest) => {
                format!("looking into step {} of run {run}: {}", contest.event_id, contest.step)
            }
            Self::Test { claim, .. } => format!("testing again what run {run} held: {claim}"),
            Self::Reopen { .. } => format!("looking again for what run {run} gave up"),
        }
    }

    /// The challenge, where it is one.
    pub(super) fn contest(&self) -> Option<&Contest> {
        match self {
            Self::Doubt(contest) => Some(contest),
            Self::Test { .. } | Self::Reopen { .. } => None,
        }
    }
}

/// A run that is to look into another one, of which nothing is opened yet.
pub(super) struct Planned {
    mind: Mind,
    plan: Option<WebPlan>,
    /// Where its documents are; nothing for the web alone.
    pub(super) place: Option<CorpusPlace>,
    pub(super) options: Options,
}

/// Plans the run that looks into another one.
pub(super) async fn planned(
    named: &Named,
    cause: &Cause,
    folder: Option<PathBuf>,
    config: &Config,
    terminal: &Terminal,
) -> Result<Planned> {
    let attempted = cause.attempted(&named.id);
    let mind = Mind::remembering(config, true, terminal)?;
    let plan = WebPlan::of(config, &named.summary.question)?;
    let place = match folder {
        Some(folder) => Some(place_of(config, &folder, false)?),
        None if plan.is_some() => None,
        None => {
            return Err(CliError::usage(
                attempted,
                "it is not noted where the documents of that run are",
                "name them with --corpus DIR",
            ));
        }
    };
    let asked = run_options(named).await?.unwrap_or_else(|| config.options());
    let (mut plan_of_it, mut to_test, mut tested, mut reopens) =
        (Vec::new(), Vec::new(), None, None);
    match cause {
        Cause::Doubt(_) => {}
        Cause::Test { claim, tested: of } => {
            to_test.push(claim.clone());
            tested = Some(of.clone());
        }
        Cause::Reopen { questions, reopened } => {
            plan_of_it.clone_from(questions);
            reopens = Some(reopened.clone());
        }
    }
    // What the question means was settled when it was first asked.
    let options = Options {
        hypotheses: mind.speaks(),
        critique: mind.speaks(),
        measured_critique: (!mind.speaks()).then_some(true),
        fallacy_check: mind.speaks(),
        clarify: Asking::Never,
        // Its plan is its own, and nobody waits to look at it.
        plan: plan_of_it,
        review_plan: false,
        to_test,
        tested,
        reopened: reopens,
        elsewhere: Some(mind.elsewhere()),
        ..asked.for_a_new_run()
    };
    Ok(Planned { mind, plan, place, options })
}

/// Begins the run that looks into another one; gives it with its memory and the rounds it may take.
pub(super) async fn begun(
    named: &Named,
    cause: Cause,
    folder: Option<PathBuf>,
    config: &Config,
    terminal: &Terminal,
    interrupts: &mut Interrupts,
) -> Result<(RunHandle, Learning, u8)> {
    let planned = planned(named, &cause, folder, config, terminal).await?;
    let Planned { mind, plan, place, options } = planned;
    mind.reach(terminal).await?;
    let web = match &plan {
        Some(plan) => Some(plan.open(config, Some(&named.path))?),
        None => None,
    };
    let ground = match &place {
        Some(place) => {
            let (corpus, ingested) = place.open(terminal)?.sync(terminal, interrupts).await?;
            progress::read(terminal, &ingested);
            Ground::documents(corpus, web)
        }
        None => Ground::of_web(web, config)?,
    };
    terminal.say(&cause.begins(&named.id));
    terminal.say(&report::estimate(&ground.overview(), &options, &mind, plan.as_ref()));
    let said = crate::wire::remarks_in(&*named.store, terminal).await;
    let engine = ground.engine(
        Arc::clone(&named.store),
        Arc::new(SystemClock),
        crate::wire::judge(config, &said, terminal)?,
        &mind,
    );
    let memory = Learning::open(Some(&named.path), false, config, &mind, terminal);
    let engine = engine.remembering(memory.beside());
    let max_rounds = if options.autonomous { options.budget.rounds } else { 1 };
    // Drawn, so that one challenge made twice is two runs.
    let seed = RandomState::new().hash_one(std::process::id());
    let question = &named.summary.question;
    let handle = match cause {
        Cause::Doubt(contest) => engine.challenge(question, options, seed, contest).await?,
        Cause::Test { .. } | Cause::Reopen { .. } => engine.start(question, options, seed).await?,
    };
    RunSettings::new(handle.run_id(), place.as_ref(), config).save(&named.path)?;
    Ok((handle, memory, max_rounds))
}

/// The challenge to a step of a run's trace.
pub(super) fn contest(
    named: &Named,
    trace: &[Envelope],
    event: u64,
    text: &str,
) -> Result<Contest> {
    let Some(contest) = Contest::new(named.id.clone(), trace, event, text) else {
        return Err(CliError::usage(
            format!("could not challenge step {event} of run {}", named.id),
            "there is no such event, or it only counts or announces something",
            format!(
                "`elenchus runs trace {}` shows the numbers; thoughts, actions, observations, conclusions, gaps and \
                 the answer can be challenged",
                named.id
            ),
        ));
    };
    Ok(contest)
}
