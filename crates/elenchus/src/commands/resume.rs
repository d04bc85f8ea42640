//! `elenchus runs resume`: a run that stopped goes on, and one that is over and gave something up looks for it again where its
//! documents have changed.

use super::output::{Output, verdict};
use super::reopen::{self, Again, GivenUp};
use super::runs::Named;
use super::{attach, more, place_of, set_dialogue, set_index, set_model};
use crate::cli::ResumeArgs;
use crate::config::{Config, Value};
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
use elenchus_core::id::{RunId, SourceId};
use elenchus_core::inquiry::{Control, Options, Step};
use elenchus_core::port::{CorpusOverview, PageOutcome, Store, StoreFailure};
use elenchus_core::trace::TraceEvent;
use elenchus_engine::{Engine, EngineError, RunHandle};
use elenchus_io::clock::SystemClock;
use std::path::PathBuf;
use std::sync::Arc;

pub(super) async fn run(args: ResumeArgs, mut config: Config, terminal: &Terminal) -> Result<()> {
    let output = Output::new(&args.output)?;
    let limits = args.limits.named();
    let named = Named::find(args.run.clone(), &config).await?;
    let output = output.citing(named.folder());
    more::admitted(&named.id, &limits)?;
    let (run, _) = named.replay().await?;
    let view = run.view();
    let sources = args.sources.named();
    if let Some(sources) = &sources {
        if run.step() == Step::Done {
            return Err(attach::over(&named.id));
        }
        if let Some(why) = view.refuses_sources(sources) {
            return Err(attach::refused(&named.id, &why));
        }
    }
    if run.step() == Step::Done && !limits.is_empty() {
        return Box::pin(more::run(args, named, limits, output, config, terminal)).await;
    }
    if run.step() == Step::Done
        && let Some(answer) = view.answer()
    {
        match GivenUp::by(&run) {
            Some(given_up) if args.accept_changes => {
                let noted = noted(&named, args.corpus.is_some(), &mut config)?;
                set_index(&mut config, args.index)?;
                set_model(&mut config, args.model)?;
                let folder = args.corpus.or_else(|| noted.and_then(|noted| noted.corpus));
                let again = reopen::run(&named, given_up, folder, &config, terminal, output.jsonl);
                match Box::pin(again).await? {
                    Again::Nothing => {}
                    Again::Done(before) => {
                        let (run, answer) = before.ended().await?;
                        output.give(&answer, run.view(), true, terminal)?;
                        return verdict(&answer, run.view().error());
                    }
                    Again::Ended(ended) => {
                        let (finished, memory) = *ended;
                        output.give(&finished.answer, finished.run.view(), true, terminal)?;
                        terminal.say(&report::receipt(&finished.answer, true));
                        memory.learn(&finished, terminal).await;
                        return verdict(&finished.answer, finished.run.view().error());
                    }
                }
            }
            Some(_) => terminal.say(&format!(
                "what it gave up is looked for again, in documents that have come or changed since, with \
                 `elenchus runs resume {} --accept-changes`",
                named.id
            )),
            None => {}
        }
        terminal.say(&format!("run {} is over; this is its answer", named.id));
        output.give(answer, view, true, terminal)?;
        return verdict(answer, view.error());
    }

    let noted = noted(&named, args.corpus.is_some(), &mut config)?;
    set_index(&mut config, args.index)?;
    set_model(&mut config, args.model)?;
    let piped = set_dialogue(&mut config, &args.dialogue);
    let presence = if config.text("clarify") == Some("never") {
        Presence::nobody()
    } else {
        Presence::find(terminal, piped, output.jsonl)
    };
    let mut interrupts = Interrupts::listen(terminal.clone());
    let ways = Ways {
        corpus: args.corpus,
        noted,
        accept_changes: args.accept_changes,
        onward: Onward::Resume,
    };
    let Ready { engine, memory, options, added, .. } =
        prepared(&named, view.corpus(), ways, &config, terminal, &mut interrupts).await?;
    let handle = engine.resume(&named.id).await?;
    if !added.is_empty() {
        // What was given up for want of these documents is looked for again, unless the run has just ended.
        told(&handle, Control::DocumentsAdded { documents: added }).await?;
    }
    if !limits.is_empty() {
        // Limits below what was used end it.
        told(&handle, Control::SetBudget(limits)).await?;
    }
    if let Some(sources) = sources {
        told(&handle, Control::AddSources(sources)).await?;
    }
    if run.step() == Step::Paused {
        // Whoever resumes it here wants it to go on, and nobody else could say so.
        told(&handle, Control::Resume).await?;
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

/// Tells a run something, unless it has just ended.
async fn told(handle: &RunHandle, control: Control) -> Result<()> {
    match handle.control(control).await {
        Ok(()) | Err(EngineError::Over(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// How a run is gone on with.
#[derive(Clone, Copy)]
pub(super) enum Onward {
    /// Where its journal ends.
    Resume,
    /// From the event `at`, by another run that has its events up to `events`.
    Fork { at: u64, events: u64 },
    /// From where a limit ended its search, by another run that has its events up to `events`.
    More { events: u64 },
}

impl Onward {
    /// What could not be done, for errors.
    pub(super) fn attempted(self, id: &RunId) -> String {
        match self {
            Self::Resume => format!("could not resume run {id}"),
            Self::Fork { at, .. } => format!("could not fork run {id} at event {at}"),
            Self::More { .. } => format!("could not go on with run {id} under other limits"),
        }
    }

    /// The command that does it.
    fn command(self, id: &RunId) -> String {
        match self {
            Self::Resume => format!("elenchus runs resume {id}"),
            Self::Fork { at, .. } => format!("elenchus runs fork {id} --at {at}"),
            Self::More { .. } => format!("elenchus runs resume {id} LIMITS"),
        }
    }

    /// The last of the run's events that are there already for whoever goes on.
    fn events(self) -> u64 {
        match self {
            Self::Resume => u64::MAX,
            Self::Fork { events, .. } | Self::More { events } => events,
        }
    }
}

/// What a run is gone on with.
pub(super) struct Ways {
    /// A folder that the user names anew.
    pub(super) corpus: Option<PathBuf>,
    /// What was noted when it began.
    pub(super) noted: Option<RunSettings>,
    /// Whether other documents than those it began with are fine.
    pub(super) accept_changes: bool,
    pub(super) onward: Onward,
}

/// What goes on with a run.
pub(super) struct Ready {
    pub(super) engine: Engine,
    pub(super) memory: Learning,
    /// What the run was told at its start.
    pub(super) options: Options,
    /// Where its documents are; nothing for the web alone.
    pub(super) place: Option<CorpusPlace>,
    /// Title and first words of documents that came into the folder since, where changes are accepted.
    pub(super) added: Vec<String>,
}

/// The engine that goes on with a run, and what belongs to it.
pub(super) async fn prepared(
    named: &Named,
    before: &CorpusOverview,
    ways: Ways,
    config: &Config,
    terminal: &Terminal,
    interrupts: &mut Interrupts,
) -> Result<Ready> {
    let (attempted, command) = (ways.onward.attempted(&named.id), ways.onward.command(&named.id));
    let mind = Mind::remembering(config, true, terminal)?;
    mind.reach(terminal).await?;
    let plan = WebPlan::of(config, &named.summary.question)?;
    let folder: Option<PathBuf> = ways.corpus.or_else(|| ways.noted.and_then(|noted| noted.corpus));
    let place = match &folder {
        Some(folder) => Some(place_of(config, folder, false).map_err(|error| {
            error.or_hint(&format!("if the folder has moved: `{command} --corpus DIR`"))
        })?),
        None if plan.is_some() => None,
        None => {
            return Err(CliError::usage(
                attempted,
                "it is not noted where its documents are",
                format!("name them: `{command} --corpus DIR`"),
            ));
        }
    };

    let web = match &plan {
        Some(plan) => Some(plan.open(config, Some(&named.path))?),
        None => None,
    };
    if let Some(web) = &web {
        let pages = pages_read(&*named.store, &named.id, ways.onward.events()).await?;
        crate::web::missing(terminal, web.restore(&pages)?);
    }
    let (mut behind, mut added) = (0, Vec::new());
    let ground = match &place {
        Some(place) => {
            let mut corpus = place.open(terminal)?;
            // The index is taken as it stands, so that the run goes on with the documents it began with: passages are
            // named by their place in a document, and in a changed one that is another passage. Only a missing index
            // is built, or one that the user wants to say what the documents say now.
            let is_missing = corpus.overview().documents == 0 && before.documents > 0;
            if is_missing || ways.accept_changes {
                let (filled, ingested) = corpus.sync(terminal, interrupts).await?;
                progress::read(terminal, &ingested);
                // To an index that was missing, every document is new.
                if !is_missing {
                    added = ingested.heads;
                }
                corpus = filled;
            } else {
                (corpus, behind) = corpus.behind().await?;
            }
            Ground::documents(corpus, web)
        }
        None => Ground::of_web(web, config)?,
    };
    if let Some(place) = &place
        && ground.overview().fingerprint != before.fingerprint
    {
        // A run that asks for a passage that is gone ends for good, so it is not begun by accident.
        if !ways.accept_changes {
            return Err(CliError::usage(
                attempted,
                format!("the documents in {} are not those it started with", place.root.display()),
                "name the folder with --corpus if it is another one, go on with what they say now with \
                 --accept-changes, or ask again",
            ));
        }
        terminal.warn("the documents have changed since this run started");
    }
    if behind > 0 {
        terminal.warn(&format!(
            "{} changed since the documents were read; the run goes on with what they said then, and `{command} \
             --accept-changes` with what they say now",
            if behind == 1 { "1 file has".to_owned() } else { format!("{behind} files have") }
        ));
    }
    let options = match run_options(named).await? {
        Some(options) => options,
        None => config.options(),
    };
    terminal.say(&match ways.onward {
        Onward::Resume => format!("going on with run {}: {}", named.id, named.summary.question),
        Onward::Fork { events, .. } | Onward::More { events } => format!(
            "going on from event {events} of run {} in another one: {}",
            named.id, named.summary.question
        ),
    });
    let said = crate::wire::remarks_in(&*named.store, terminal).await;
    let engine = ground.engine(
        Arc::clone(&named.store),
        Arc::new(SystemClock),
        crate::wire::judge(config, &said, terminal)?,
        &mind,
    );
    let memory = Learning::open(Some(&named.path), false, config, &mind, terminal);
    let engine = engine.remembering(memory.beside());
    Ok(Ready { engine, memory, options, place, added })
}

/// What was noted stands for the settings that the run was started with. With another folder its index does
/// not count any more.
pub(crate) fn take_noted(config: &mut Config, noted: &RunSettings, moved: bool) {
    config.flag("embedder", "the run", Some(Value::Text(noted.embedder.clone())));
    let text = |value: &Option<String>| value.clone().map(Value::Text);
    // Whoever goes on with a run asks no model that it did not begin with.
    if noted.model.is_some() {
        for key in std::iter::once("fast_model").chain(crate::mind::SPARES) {
            config.unset(key);
        }
    }
    config.flag("model", "the run", text(&noted.model));
    config.flag("fast_model", "the run", text(&noted.fast_model));
    for (key, names) in
        crate::mind::SPARES.into_iter().zip([&noted.strong_fallback, &noted.fast_fallback])
    {
        let named = Some(names).filter(|names| !names.is_empty()).cloned();
        config.flag(key, "the run", named.map(Value::List));
    }
    config.flag("verifier", "the run", text(&noted.verifier));
    config.flag("fallback", "the run", text(&noted.fallback));
    config.flag("ingest.max_file_mb", "the run", Some(Value::Whole(noted.max_file_mb)));
    config.flag("ingest.keep_secrets", "the run", noted.keep_secrets.map(Value::Flag));
    for key in crate::web::NOTED {
        config.flag(key, "the run", noted.web.get(key).cloned());
    }
    config.flag("project", "the run", text(&noted.project));
    if noted.project.is_some() {
        for (key, value) in [("team", &noted.team), ("org", &noted.org)] {
            config.unset(key);
            config.flag(key, "the run", text(value));
        }
    }
    // That of another machine is not here; then it is the usual one.
    let index =
        noted.index.as_ref().filter(|index| index.exists()).and_then(|index| index.to_str());
    if !moved && let Some(index) = index {
        config.flag("index", "the run", Some(Value::Text(index.to_owned())));
    }
}

/// What was noted of a run when it began, put into the settings; not needed where its documents are named anew.
pub(super) fn noted(
    named: &Named,
    is_named_anew: bool,
    config: &mut Config,
) -> Result<Option<RunSettings>> {
    let noted = match RunSettings::load(&named.path, &named.id) {
        Ok(noted) => noted,
        Err(_) if is_named_anew => None,
        Err(error) => return Err(error),
    };
    if let Some(noted) = &noted {
        take_noted(config, noted, is_named_anew);
    }
    Ok(noted)
}

/// The pages that a run has read up to an event, in the order of reading.
pub(crate) async fn pages_read(
    store: &dyn Store,
    run_id: &RunId,
    until: u64,
) -> std::result::Result<Vec<SourceId>, StoreFailure> {
    let mut pages: Vec<SourceId> = Vec::new();
    for event in store.events(run_id, 0).await?.into_iter().take_while(|event| event.seq <= until) {
        let TraceEvent::WebSearched { report, .. } = event.event else { continue };
        for page in report.pages {
            if let PageOutcome::Read { source_id, .. } | PageOutcome::Kept { source_id, .. } =
                page.outcome
                && !pages.contains(&source_id)
            {
                pages.push(source_id);
            }
        }
    }
    Ok(pages)
}

/// What the run was told at its start.
pub(super) async fn run_options(named: &Named) -> Result<Option<Options>> {
    let events = named.store.events(&named.id, 0).await?;
    Ok(events.into_iter().find_map(|event| match event.event {
        TraceEvent::SessionStarted { options, .. } => Some(*options),
        _ => None,
    }))
}
