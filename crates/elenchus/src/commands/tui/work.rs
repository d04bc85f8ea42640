//! What the terminal interface has done outside of itself: runs driven and opened, the memory read and changed.

use crate::bank::OpenBank;
use crate::bank::{bank, caller};
use crate::cli::EngineArg;
use crate::commands::challenge::{self, Cause};
use crate::commands::fork::{self, Begun, Forking};
use crate::commands::more;
use crate::commands::place;
use crate::commands::resume::{Onward, Ready, Ways, noted, prepared};
use crate::commands::runs::{Named, pick};
use crate::config::Config;
use crate::durable::{self, Following, Handing};
use crate::error::{CliError, Kind, Result};
use crate::ground::Ground;
use crate::kept::RunSettings;
use crate::learning::Learning;
use crate::mind::Mind;
use crate::opinions;
use crate::signals::Interrupts;
use crate::tui::{Command, Judgement, Message};
use crate::ui::dialogue::Presence;
use crate::ui::terminal::Terminal;
use crate::ui::{progress, report};
use crate::web::WebPlan;
use crate::wire::{self, StartClock};
use elenchus_core::bank::{Caller, Standing};
use elenchus_core::id::{HypothesisId, RunId, StrategyId};
use elenchus_core::inquiry::{Control, NewLimits, Options, Sources, Tested};
use elenchus_core::pack::AUTO;
use elenchus_core::port::{Clock, Edit, LOCAL, Listing, Remark, RunQuery, Store};
use elenchus_engine::{Controller, EngineError, RunHandle};
use elenchus_io::clock::SystemClock;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;

/// How long a run gets to give its lease back when somebody leaves.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// What work is done with.
#[derive(Clone)]
pub(super) struct Parts {
    pub(super) config: Config,
    pub(super) path: crate::store_place::StorePlace,
    pub(super) store: Arc<dyn Store>,
    pub(super) messages: UnboundedSender<Message>,
    /// Tells the interface.
    pub(super) terminal: Terminal,
    pub(super) interrupts: Interrupts,
}

/// The run that is driven, and the last one that was.
#[derive(Default)]
struct Driven {
    controller: Option<Controller>,
    run: Option<RunId>,
    /// The run that the workers have, whether one of them has begun it or not.
    theirs: Option<RunId>,
    last: Option<RunId>,
}

/// Does what the interface wants done. Cheap to clone.
#[derive(Clone)]
pub(super) struct Work {
    parts: Parts,
    driven: Arc<Mutex<Driven>>,
}

/// How driving begins.
enum Start {
    Ask { question: String, review: bool },
    Resume(RunId),
    More { run: RunId, limits: NewLimits },
    Doubt { run: RunId, event: u64, text: String },
    Test { run: RunId, hypothesis: HypothesisId, claim: String },
}

impl Work {
    pub(super) fn new(parts: Parts) -> Self {
        Self { parts, driven: Arc::default() }
    }

    fn driven(&self) -> MutexGuard<'_, Driven> {
        self.driven.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, message: Message) {
        // Nobody looks any more.
        let _ = self.parts.messages.send(message);
    }

    /// Does something, beside the interface; what comes of it is a message.
    pub(super) fn perform(&self, command: Command) {
        let work = self.clone();
        match command {
            Command::Ask { question, review } => work.begin(Start::Ask { question, review }),
            Command::Resume(run) => work.begin(Start::Resume(run)),
            Command::More { run, limits } => work.begin(Start::More { run, limits }),
            Command::Doubt { run, event, text } => work.begin(Start::Doubt { run, event, text }),
            Command::Test { run, hypothesis, claim } => {
                work.begin(Start::Test { run, hypothesis, claim });
            }
            Command::Control(control) => {
                tokio::spawn(async move { work.control(control).await });
            }
            Command::Leave => {}
            other => {
                tokio::spawn(async move {
                    match work.read(other).await {
                        Ok(message) => work.tell(message),
                        Err(error) => work.tell(Message::Failed(error)),
                    }
                });
            }
        }
    }

    /// Gives the run that is followed a control.
    async fn control(&self, control: Control) {
        let (controller, theirs) = {
            let driven = self.driven();
            (driven.controller.clone(), driven.theirs.clone())
        };
        let Parts { config, store, terminal, .. } = &self.parts;
        let given: Result<()> = match (controller, theirs) {
            (Some(controller), _) => match controller.control(control).await {
                Err(error @ EngineError::Unheard { .. }) => Err(error.into()),
                // It is over already when this fails.
                _ => Ok(()),
            },
            // It is heard once a worker has begun the run.
            (None, Some(run)) => durable::steer(&run, &control, store, config).await.map(|_| ()),
            (None, None) => Ok(()),
        };
        if let Err(error) = given {
            terminal.warn(&format!("{}; {}", error.message(), error.hint));
        }
    }

    /// Stops what is under way, so that it can be gone on with, or leaves what the workers have; says what becomes of it.
    pub(super) async fn leave(&self) -> Option<CliError> {
        let (controller, run, theirs) = {
            let driven = self.driven();
            (driven.controller.clone(), driven.run.clone(), driven.theirs.clone())
        };
        let Some((controller, run)) = controller.zip(run) else {
            // It waits for a worker, which it does without anybody here.
            return theirs.map(|run| EngineError::Detached(run).into());
        };
        controller.suspend();
        let ended = async {
            while self.driven().controller.is_some() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        // The lease runs out by itself where it cannot be given back.
        let _ = tokio::time::timeout(LAST_WORDS, ended).await;
        let is_theirs = theirs.as_ref() == Some(&run);
        let left = if is_theirs { EngineError::Detached(run) } else { EngineError::Suspended(run) };
        Some(left.into())
    }

    /// The last run that came to its end here.
    pub(super) fn last(&self) -> Option<RunId> {
        self.driven().last.clone()
    }

    fn begin(self, start: Start) {
        tokio::spawn(async move {
            if let Err(error) = tokio::spawn(self.clone().drive(start)).await {
                self.tell(Message::Ended(Err(CliError::new(
                    Kind::Failure,
                    "could not go on with the run",
                    error.to_string(),
                    "this is a defect of elenchus, report it; what is kept can be gone on with",
                ))));
            }
        });
    }

    async fn drive(self, start: Start) {
        let ended = match Box::pin(self.clone().begun(start)).await {
            Ok((handle, memory)) => self.follow(handle, memory).await,
            Err(error) => Err(error),
        };
        self.tell(Message::Ended(ended));
    }

    async fn follow(&self, handle: RunHandle, memory: Option<Learning>) -> Result<String> {
        let run = handle.run_id().clone();
        {
            let mut driven = self.driven();
            driven.controller = Some(handle.controller());
            driven.run = Some(run.clone());
        }
        self.tell(Message::Began(run.clone()));
        let mut events = handle.events();
        while let Some(event) = events.next().await {
            self.tell(Message::Event(Box::new(event)));
        }
        let ended = handle.join().await;
        {
            let mut driven = self.driven();
            driven.controller = None;
            driven.theirs = None;
            driven.last = Some(run);
        }
        let finished = ended?;
        match (&memory, &finished.unremembered) {
            (Some(memory), _) => memory.learn(&finished, &self.parts.terminal).await,
            // The workers tell the memory.
            (None, Some(cause)) => {
                let warning = format!("the memory was not told of this run: {cause}");
                self.parts.terminal.warn(&warning);
            }
            (None, None) => {}
        }
        Ok(report::receipt(&finished.answer, true))
    }

    async fn named(&self, run: &RunId) -> Result<Named> {
        let runs = self.parts.store.runs().await?;
        let summary = pick(run.as_str(), &runs)?;
        Ok(Named {
            path: self.parts.path.clone(),
            store: Arc::clone(&self.parts.store),
            id: summary.run_id.clone(),
            summary,
        })
    }

    /// Follows a run that the workers have, from when one of them has begun it.
    async fn followed(&self, run: RunId, seen: bool) -> Result<RunHandle> {
        let Parts { config, store, terminal, .. } = &self.parts;
        self.driven().theirs = Some(run.clone());
        terminal.say(&format!("run {run} is with the workers"));
        self.tell(Message::HandedOver(run.clone()));
        let following = Following { id: run, store: Arc::clone(store), seen };
        let begun = durable::begun(following, config, terminal).await;
        begun.inspect_err(|_| self.driven().theirs = None)
    }

    async fn begun(mut self, start: Start) -> Result<(RunHandle, Option<Learning>)> {
        let mut config = self.parts.config.clone();
        let terminal = self.parts.terminal.clone();
        let with_workers = durable::engine(&config) == EngineArg::Restate;
        if let Start::Resume(run) = &start
            && with_workers
            && durable::is_there(run, &self.parts.store, &config).await?
        {
            // It is theirs, and is not taken from them.
            return Ok((self.followed(run.clone(), true).await?, None));
        }
        match start {
            Start::Ask { question, review } => self.asked(&question, review).await,
            Start::Resume(run) => {
                let named = self.named(&run).await?;
                let (replayed, _) = named.replay().await?;
                let noted = noted(&named, false, &mut config)?;
                let onward = Onward::Resume;
                let ways = Ways { corpus: None, noted, accept_changes: false, onward };
                let before = replayed.view().corpus().clone();
                let interrupts = &mut self.parts.interrupts;
                let Ready { engine, memory, .. } =
                    prepared(&named, &before, ways, &config, &terminal, interrupts).await?;
                Ok((engine.resume(&named.id).await?, Some(memory)))
            }
            Start::More { run, limits } => {
                let named = self.named(&run).await?;
                let cut = more::cut(&named, &limits).await?;
                let noted = noted(&named, false, &mut config)?;
                let at = cut.events();
                let onward = Onward::More { events: at };
                let ways = Ways { corpus: None, noted, accept_changes: false, onward };
                let forking = Forking { at, focus: None, limits: Some(limits), begins: None };
                let interrupts = &mut self.parts.interrupts;
                let begun =
                    fork::begun(&named, &cut, forking, ways, &config, &terminal, interrupts);
                let Begun { handle, memory, .. } = Box::pin(begun).await?;
                Ok((handle, Some(memory)))
            }
            Start::Doubt { run, event, text } => {
                let named = self.named(&run).await?;
                let (_, trace) = named.replay().await?;
                let contest = challenge::contest(&named, &trace, event, &text)?;
                Box::pin(self.looked_into(&named, Cause::Doubt(contest))).await
            }
            Start::Test { run, hypothesis, claim } => {
                let named = self.named(&run).await?;
                let tested = Tested { parent: named.id.clone(), hypothesis: Some(hypothesis) };
                Box::pin(self.looked_into(&named, Cause::Test { claim, tested })).await
            }
        }
    }

    /// A run that looks into another one, with what that one stood on.
    async fn looked_into(
        &mut self,
        named: &Named,
        cause: Cause,
    ) -> Result<(RunHandle, Option<Learning>)> {
        let mut config = self.parts.config.clone();
        let terminal = self.parts.terminal.clone();
        let with_workers = durable::engine(&config) == EngineArg::Restate;
        let noted = noted(named, false, &mut config)?;
        let folder = noted.and_then(|noted| noted.corpus);
        if with_workers {
            let planned = challenge::planned(named, &cause, folder, &config, &terminal).await?;
            let handing = Handing {
                question: &named.summary.question,
                options: planned.options,
                contest: cause.contest().cloned(),
                begins: durable::begins(),
                names_pages: true,
                place: planned.place.as_ref(),
                forgets: false,
                path: &self.parts.path,
                config: &config,
            };
            let run = durable::hand_over(handing).await?;
            return Ok((self.followed(run, false).await?, None));
        }
        let interrupts = &mut self.parts.interrupts;
        let (handle, memory, _) =
            challenge::begun(named, cause, folder, &config, &terminal, interrupts).await?;
        Ok((handle, Some(memory)))
    }

    /// A run as `elenchus ask` makes it, with what stands out looked for; with `review` it waits until its plan was looked at.
    async fn asked(
        &mut self,
        question: &str,
        review: bool,
    ) -> Result<(RunHandle, Option<Learning>)> {
        let Parts { config, path, store, terminal, interrupts, .. } = &mut self.parts;
        let plan = WebPlan::of(config, question)?;
        let mind = Mind::remembering(config, true, terminal)?;
        let with_workers = durable::engine(config) == EngineArg::Restate;
        if !with_workers {
            // Where workers think, theirs has to be reached.
            mind.reach(terminal).await?;
        }
        let options = Options {
            hypotheses: mind.speaks(),
            critique: mind.speaks(),
            measured_critique: (!mind.speaks()).then_some(true),
            fallacy_check: mind.speaks(),
            clarify: Presence::somebody().asking(config.text("clarify"), mind.speaks()),
            insights: true,
            review_plan: review,
            pack: AUTO.to_owned(),
            both_sides: true,
            elsewhere: Some(mind.elsewhere()),
            web: plan.as_ref().map(|plan| plan.options.clone()),
            ..config.options()
        };
        let place = match &plan {
            Some(plan) if plan.options.sources == Sources::Web => None,
            _ => Some(place(config, false)?),
        };
        if with_workers {
            let handing = Handing {
                question,
                options,
                contest: None,
                begins: durable::begins(),
                names_pages: true,
                place: place.as_ref(),
                forgets: false,
                path,
                config,
            };
            let run = durable::hand_over(handing).await?;
            return Ok((self.followed(run, false).await?, None));
        }
        let web = match &plan {
            Some(plan) => Some(plan.open(config, Some(path))?),
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
        terminal.say(&report::estimate(&ground.overview(), &options, &mind, plan.as_ref()));
        let clock = Arc::new(StartClock::new());
        let seed = RandomState::new().hash_one(std::process::id());
        let expected = RunId::derive(question, clock.start(), seed);
        let note = |id: &RunId| RunSettings::new(id, place.as_ref(), config).save(path);
        note(&expected)?;
        let memory = Learning::open(Some(path), false, config, &mind, terminal);
        let said = wire::remarks_in(&**store, terminal).await;
        let judge = wire::judge(config, &said, terminal)?;
        let engine =
            ground.engine(Arc::clone(store), clock, judge, &mind).remembering(memory.beside());
        let handle = engine.start(question, options, seed).await.map_err(|error| {
            RunSettings::remove(path, &expected);
            CliError::from(error)
        })?;
        if *handle.run_id() != expected {
            RunSettings::remove(path, &expected);
            note(handle.run_id())?;
        }
        Ok((handle, Some(memory)))
    }

    /// What is looked up or changed in the store and the memory.
    async fn read(&self, command: Command) -> Result<Message> {
        match command {
            Command::Open(run) => {
                let named = self.named(&run).await?;
                let events = named.store.events(&named.id, 0).await?;
                Ok(Message::Opened { summary: Box::new(named.summary), events })
            }
            Command::ListRuns => {
                let all = RunQuery::all(SystemClock.now());
                Ok(Message::Runs(self.parts.store.page(&all).await?.runs))
            }
            Command::ListMemories => self.memories().await,
            Command::ListRemarks(run) => self.remarks(run).await,
            Command::Judge(judgement) => {
                self.judge(&judgement).await?;
                self.remarks(judgement.run).await
            }
            Command::Archive(id) => {
                let standing = Standing::Archived {
                    at: SystemClock.now(),
                    reason: "archived by you".to_owned(),
                };
                self.stand(&id, standing).await
            }
            Command::Restore(id) => self.stand(&id, Standing::Active).await,
            Command::Why(id) => {
                let (bank, caller) = self.bank()?;
                let why = bank.why(&caller, &id, SystemClock.now()).await?;
                Ok(Message::Why(id, why.render()))
            }
            _ => Err(CliError::new(
                Kind::Failure,
                "could not do what was asked",
                "nothing is looked up for it",
                "this is a defect of elenchus, report it",
            )),
        }
    }

    /// What people say of a run.
    async fn remarks(&self, run: RunId) -> Result<Message> {
        let held = opinions::held(&*self.parts.store, Some(&run)).await?;
        Ok(Message::Remarks(run, held))
    }

    /// Keeps what is said here, with the figure that later ones learn from, as the pages and `elenchus feedback` do.
    async fn judge(&self, judgement: &Judgement) -> Result<()> {
        let Judgement { run, about, target, said, note } = judgement;
        let store = &self.parts.store;
        let summary = self.named(run).await?.summary;
        let answer = elenchus_engine::answer_of(&**store, &summary).await?;
        let now = SystemClock.now();
        let remark = Remark::new(run, *about, target, LOCAL, said.as_deref(), now);
        let remark = remark.noting(note);
        let remark = elenchus_engine::keep_remark(&**store, remark, answer.as_ref()).await?;
        let Parts { path, config, terminal, .. } = &self.parts;
        opinions::lead(path, config, &remark, answer.as_ref(), terminal).await;
        Ok(())
    }

    fn bank(&self) -> Result<(OpenBank, Caller)> {
        let Parts { path, config, terminal, .. } = &self.parts;
        Ok((bank(path, config, terminal)?, caller(config)?))
    }

    async fn stand(&self, id: &StrategyId, standing: Standing) -> Result<Message> {
        let (bank, caller) = self.bank()?;
        let edit = Edit { standing: Some(standing), ..Edit::default() };
        bank.edit(&caller, id, &edit, SystemClock.now()).await?;
        self.memories().await
    }

    async fn memories(&self) -> Result<Message> {
        let (bank, caller) = self.bank()?;
        let now = SystemClock.now();
        let listing = Listing { archived: true, ..Listing::default() };
        let held = bank.list(&caller, &listing, now).await?;
        Ok(Message::Memories(held, bank.stats(&caller, now).await?))
    }
}
