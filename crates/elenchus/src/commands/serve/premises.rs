//! What runs of a server stand on: documents, the web, models, as the settings and the request have them.

use crate::cli::EngineArg;
use crate::commands::fork::{self, Forking};
use crate::commands::lenses;
use crate::commands::resume::{Onward, Ready, Ways, noted, prepared, run_options};
use crate::commands::runs::Named;
use crate::commands::{place, place_of};
use crate::config::{Config, Origin, Value};
use crate::durable::{self, Following, Handing};
use crate::error::{CliError, Kind, Result};
use crate::ground::Ground;
use crate::kept::RunSettings;
use crate::learning::Learning;
use crate::mind::Mind;
use crate::prices;
use crate::signals::Interrupts;
use crate::store_place::StorePlace;
use crate::ui::terminal::Terminal;
use crate::web::WebPlan;
use crate::wire::{self, CorpusPlace, StartClock};
use elenchus_core::belief::Calibration;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::{Asking, Budget, Control, Effort, Options, Sources};
use elenchus_core::pack::AUTO;
use elenchus_core::port::{PortFuture, RunSummary, Store};
use elenchus_engine::{EngineError, Finished};
use elenchus_io::clock::SystemClock;
use elenchus_server::mcp::ports::{Refusal, Told};
use elenchus_server::runs::{
    Ask, Begun, Coming, Grounds, Heard, Learn, MOST_AT_ONCE, Runs, Service, Setting, Task, Unheard,
    Work,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An error of the program, for a client to read.
pub(crate) fn refused(error: CliError) -> Refusal {
    Refusal::new(error.attempted, error.cause, error.hint)
}

/// The same where nobody may be there who could do it.
fn unheard(error: CliError) -> Unheard {
    let away = error.kind == Kind::Provider;
    let refusal = refused(error);
    if away { Unheard::Away(refusal) } else { Unheard::Refused(refusal) }
}

/// Runs of workers that are followed at a time where nobody sets it: each asks the store for news, and is no work beside.
const MOST_FOLLOWED: usize = 64;

/// How many runs may be under way at once, as the settings have it.
fn most_at_once(config: &Config) -> usize {
    let set = config.get("serve.runs").filter(|(_, origin)| *origin != Origin::Default);
    if set.is_none() && durable::engine(config) == EngineArg::Restate {
        return MOST_FOLLOWED;
    }
    let most = config.whole("serve.runs").and_then(|most| usize::try_from(most).ok());
    most.unwrap_or(MOST_AT_ONCE)
}

/// The ground of the runs of this process.
pub(crate) struct Premises {
    pub(crate) config: Config,
    pub(crate) terminal: Terminal,
    pub(crate) interrupts: Interrupts,
    pub(crate) path: StorePlace,
    pub(crate) store: Arc<dyn Store>,
    /// Folders beside the configured one that a client may ask, canonical.
    pub(crate) allowed: Vec<PathBuf>,
}

/// A run in the making, of which nothing is opened yet.
struct Planned {
    config: Config,
    mind: Mind,
    plan: Option<WebPlan>,
    place: Option<CorpusPlace>,
    options: Options,
}

impl Premises {
    /// The register of the runs that stand on it.
    pub(crate) fn register(self) -> Runs {
        let (most, store) = (most_at_once(&self.config), Arc::clone(&self.store));
        Runs::new(Arc::new(self), store, Arc::new(SystemClock)).at_most(most)
    }

    /// The settings with what a request asks for.
    fn settings(&self, ask: &Ask) -> Result<Config> {
        const FROM: &str = "the request";
        let mut config = self.config.clone();
        let word = |word: &str| Value::Text(word.to_owned());
        let list = |items: &[String]| (!items.is_empty()).then(|| Value::List(items.to_vec()));
        config.flag("effort", FROM, ask.effort.map(|effort| word(effort.name())));
        let budget = ask.budget;
        config.flag("max_rounds", FROM, budget.rounds.map(Value::Whole));
        config.flag("budget.passages", FROM, budget.passages.map(Value::Whole));
        config.flag("budget.model_calls", FROM, budget.model_calls.map(Value::Whole));
        config.flag("budget.tokens", FROM, budget.tokens.map(Value::Whole));
        config.flag("budget.usd", FROM, budget.usd.map(Value::Amount));
        config.flag("budget.seconds", FROM, budget.seconds.map(Value::Amount));
        config.flag("autonomous", FROM, ask.autonomous.map(Value::Flag));
        config.flag("memory", FROM, ask.memory.map(Value::Flag));
        config.flag("exclude", FROM, list(&ask.exclude));
        // Over the interfaces the question may be a model's: addresses in it are nobody's word.
        let strange = (!ask.by_hand).then_some(Value::Flag(true));
        config.flag(crate::web::OF_A_PROGRAM, FROM, strange);
        if let Some(corpus) = &ask.corpus {
            let folder = self.allowed_folder(corpus)?;
            let text = folder.to_string_lossy().into_owned();
            config.flag("corpus", FROM, Some(Value::Text(text)));
            // The index that is configured is that of the configured folder.
            if config.path("index").is_some() && self.usual() != Some(folder) {
                config.unset("index");
            }
        }
        if let Some(web) = &ask.web {
            let providers = if ask.by_hand {
                self.services_of_the_form(&web.providers)
            } else if web.providers.is_empty() && web.urls.is_empty() {
                Some(Value::List(vec![crate::web::CONFIGURED.to_owned()]))
            } else {
                list(&web.providers)
            };
            config.flag("web.providers", FROM, providers);
            config.flag("web.urls", FROM, list(&web.urls));
            config.flag("web.domains", FROM, list(&web.domains));
            config.flag("web.sources", FROM, web.sources.map(|sources| word(sources.name())));
            config.flag("web.since", FROM, web.since.as_deref().map(word));
        }
        Ok(config)
    }

    /// The search services of a run that was asked for by the form of the pages; nothing leaves them as the server has them. An
    /// empty box keeps out those of the server, too, and whoever ticks it means those before others that are merely set up.
    fn services_of_the_form(&self, named: &[String]) -> Option<Value> {
        let means_the_usual = named.iter().any(|name| name == crate::web::CONFIGURED);
        let has_its_own = !self.config.list("web.providers").is_empty();
        (!(means_the_usual && has_its_own)).then(|| Value::List(named.to_vec()))
    }

    /// The configured folder, canonical.
    fn usual(&self) -> Option<PathBuf> {
        self.config.path("corpus")?.canonicalize().ok()
    }

    /// A folder that a client names, if the operator allows it.
    fn allowed_folder(&self, named: &str) -> Result<PathBuf> {
        let known: Vec<PathBuf> = self.usual().into_iter().chain(self.allowed.clone()).collect();
        let canonical = Path::new(named).canonicalize().ok();
        canonical.filter(|folder| known.contains(folder)).ok_or_else(|| {
            // Whether there is such a folder is nobody's business.
            CliError::usage(
                format!("could not ask the documents in {named:?}"),
                "the server was not started with this folder",
                "name one that GET / or the page of settings lists, or start the server with it: --corpus names one folder, and \
                 --allow-corpus of `elenchus serve` others",
            )
        })
    }

    fn checked(&self, ask: &Ask) -> Result<()> {
        let config = self.settings(ask)?;
        let plan = WebPlan::of(&config, &ask.question)?;
        if plan.as_ref().is_none_or(|plan| plan.options.sources != Sources::Web) {
            place(&config, false)?;
        }
        let mind = Mind::remembering(&config, true, &Terminal::silent())?;
        chosen_lenses(ask, &mind)?;
        Ok(())
    }

    fn planned_for(&self, ask: &Ask) -> Result<Planned> {
        let config = self.settings(ask)?;
        let mind = Mind::remembering(&config, true, &Terminal::silent())?;
        let plan = WebPlan::of(&config, &ask.question)?;
        let place = match &plan {
            Some(plan) if plan.options.sources == Sources::Web => None,
            _ => Some(place(&config, false)?),
        };
        let speaks = mind.speaks();
        let options = Options {
            hypotheses: ask.hypotheses.unwrap_or(true) && speaks,
            critique: ask.critique.unwrap_or(true) && speaks,
            measured_critique: (!speaks).then_some(ask.critique.unwrap_or(true)),
            fallacy_check: speaks,
            clarify: if speaks { ask.clarify.unwrap_or(Asking::Never) } else { Asking::Never },
            lenses: chosen_lenses(ask, &mind)?,
            insights: ask.insights,
            pack: ask.pack.clone().unwrap_or_else(|| AUTO.to_owned()),
            mode: ask.mode.map(|mode| mode.name().to_owned()).unwrap_or_default(),
            both_sides: true,
            elsewhere: Some(mind.elsewhere()),
            web: plan.as_ref().map(|plan| plan.options.clone()),
            plan: ask.plan.clone(),
            review_plan: ask.review_plan,
            to_test: ask.test.clone(),
            ..config.options()
        };
        Ok(Planned { config, mind, plan, place, options })
    }

    async fn ground(
        &self,
        config: &Config,
        place: Option<&CorpusPlace>,
        plan: Option<&WebPlan>,
    ) -> Result<Ground> {
        let terminal = Terminal::silent();
        let web = match plan {
            Some(plan) => Some(plan.open(config, Some(&self.path))?),
            None => None,
        };
        let Some(place) = place else { return Ground::of_web(web, config) };
        let mut interrupts = self.interrupts.clone();
        let (corpus, _) = place.open(&terminal)?.sync(&terminal, &mut interrupts).await?;
        if corpus.overview().documents == 0 && web.is_none() {
            return Err(CliError::usage(
                "could not start a run",
                format!("{} holds no document that can be read", place.root.display()),
                "name a folder of documents where the server is started, with --corpus DIR",
            ));
        }
        Ok(Ground::documents(corpus, web))
    }

    /// What a run that looks into another one stands on: what that one stood on.
    async fn planned_like(&self, of: &RunSummary) -> Result<Planned> {
        let named = self.named(of);
        let mut config = self.config.clone();
        let noted = noted(&named, false, &mut config)?;
        let mind = Mind::remembering(&config, true, &Terminal::silent())?;
        let plan = WebPlan::of(&config, "")?;
        let folder = noted.and_then(|noted| noted.corpus);
        let place = match folder {
            Some(folder) => Some(place_of(&config, &folder, false)?),
            None if plan.is_some() => None,
            None => Some(place(&config, false)?),
        };
        let asked = run_options(&named).await?.unwrap_or_else(|| config.options());
        let speaks = mind.speaks();
        // What the question means was settled when it was first asked.
        let options = Options {
            hypotheses: speaks,
            critique: speaks,
            measured_critique: (!speaks).then_some(true),
            fallacy_check: speaks,
            clarify: Asking::Never,
            plan: Vec::new(),
            review_plan: false,
            to_test: Vec::new(),
            tested: None,
            reopened: None,
            elsewhere: Some(mind.elsewhere()),
            ..asked.for_a_new_run()
        };
        Ok(Planned { config, mind, plan, place, options })
    }

    /// What a task makes a new run of; nothing where it goes on with what there is of one.
    async fn planned(&self, task: &Task) -> Result<Option<Planned>> {
        Ok(match task {
            Task::Ask(ask) => Some(self.planned_for(ask)?),
            Task::Challenge { of, .. } => Some(self.planned_like(of).await?),
            Task::Test { of, claim, tested } => {
                let mut planned = self.planned_like(of).await?;
                planned.options.to_test = vec![claim.clone()];
                planned.options.tested = Some(tested.clone());
                Some(planned)
            }
            Task::Resume { .. } | Task::Fork { .. } => None,
        })
    }

    /// Hands a run to the workers where they drive what is started; gives what is followed then.
    async fn handed(&self, work: &Work) -> Result<Option<Following>> {
        if durable::engine(&self.config) == EngineArg::Local {
            return Ok(None);
        }
        let (id, store) = (work.run.clone(), Arc::clone(&self.store));
        let Some(planned) = self.planned(&work.task).await? else {
            // What a fork begins with fits into no submission, and what was begun here goes on here.
            let is_theirs = matches!(work.task, Task::Resume { .. })
                && durable::is_there(&id, &store, &self.config).await?;
            return Ok(is_theirs.then_some(Following { id, store, seen: true }));
        };
        let contest = match &work.task {
            Task::Challenge { contest, .. } => Some((**contest).clone()),
            _ => None,
        };
        let handing = Handing {
            question: &work.question,
            options: planned.options,
            contest,
            begins: (work.at, work.seed),
            names_pages: matches!(&work.task, Task::Ask(ask) if ask.by_hand),
            place: planned.place.as_ref(),
            forgets: false,
            path: &self.path,
            config: &planned.config,
        };
        let id = durable::hand_over(handing).await?;
        self.terminal.say(&format!("run {id} is with the workers"));
        Ok(Some(Following { id, store, seen: false }))
    }

    /// Waits until a worker has begun a run that was handed over.
    fn coming(&self, following: Following) -> Coming {
        let (config, terminal) = (self.config.clone(), self.terminal.clone());
        Box::pin(async move {
            let handle = durable::begun(following, &config, &terminal).await.map_err(refused)?;
            terminal.say(&format!("following run {}", handle.run_id()));
            // The workers tell the memory, and say here what came of it.
            let learn: Learn = Box::new(move |finished: Finished| -> PortFuture<'static, ()> {
                if let Some(cause) = &finished.unremembered {
                    terminal.warn(&format!("the memory was not told of a run: {cause}"));
                }
                Box::pin(std::future::ready(()))
            });
            Ok(Begun { handle, learn })
        })
    }

    fn named(&self, of: &RunSummary) -> Named {
        Named {
            path: self.path.clone(),
            store: Arc::clone(&self.store),
            id: of.run_id.clone(),
            summary: of.clone(),
        }
    }

    async fn begun(&self, work: &Work) -> Result<Begun> {
        let Some(planned) = self.planned(&work.task).await? else {
            return match &work.task {
                Task::Fork { of, at, focus, limits } => {
                    let begins = Some((work.at, work.seed));
                    let (focus, limits) = (focus.clone(), limits.clone());
                    let forking = Forking { at: *at, focus, limits, begins };
                    Box::pin(self.forked(of, forking)).await
                }
                _ => Box::pin(self.resumed(work)).await,
            };
        };
        let Planned { config, mind, plan, place, options } = planned;
        let terminal = Terminal::silent();
        mind.reach(&terminal).await?;
        let ground = self.ground(&config, place.as_ref(), plan.as_ref()).await?;
        RunSettings::new(&work.run, place.as_ref(), &config).save(&self.path)?;
        let memory = Learning::open(Some(&self.path), false, &config, &mind, &terminal);
        let said = wire::remarks_in(&*self.store, &terminal).await;
        let engine = ground
            .engine(
                Arc::clone(&self.store),
                Arc::new(StartClock::at(work.at)),
                wire::judge(&config, &said, &terminal)?,
                &mind,
            )
            .remembering(memory.beside());
        let started = match &work.task {
            Task::Challenge { contest, .. } => {
                let contest = (**contest).clone();
                engine.challenge(&work.question, options, work.seed, contest).await
            }
            _ => engine.start(&work.question, options, work.seed).await,
        };
        match started {
            Ok(handle) => {
                self.terminal.say(&format!("run {} has begun", handle.run_id()));
                Ok(Begun { handle, learn: learning(memory) })
            }
            Err(error) => {
                RunSettings::remove(&self.path, &work.run);
                Err(error.into())
            }
        }
    }

    async fn resumed(&self, work: &Work) -> Result<Begun> {
        let summary = self.store.run(&work.run).await?;
        let named = self.named(&summary);
        let (run, _) = named.replay().await?;
        let mut config = self.config.clone();
        let noted = noted(&named, false, &mut config)?;
        // Nothing was noted of runs of earlier versions: then the folder of the server is taken, if it fits.
        let corpus = if noted.is_none() { self.usual() } else { None };
        let ways = Ways { corpus, noted, accept_changes: false, onward: Onward::Resume };
        let (terminal, mut interrupts) = (Terminal::silent(), self.interrupts.clone());
        let before = run.view().corpus().clone();
        let Ready { engine, memory, .. } =
            prepared(&named, &before, ways, &config, &terminal, &mut interrupts).await?;
        let handle = engine.resume(&work.run).await?;
        if let Task::Resume { limits: Some(limits) } = &work.task {
            match handle.control(Control::SetBudget(limits.clone())).await {
                Ok(()) | Err(EngineError::Over(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.terminal.say(&format!("going on with run {}", work.run));
        Ok(Begun { handle, learn: learning(memory) })
    }

    async fn forked(&self, of: &RunSummary, forking: Forking) -> Result<Begun> {
        let named = self.named(of);
        let mut config = self.config.clone();
        let noted = noted(&named, false, &mut config)?;
        // As for a run that goes on itself.
        let corpus = if noted.is_none() { self.usual() } else { None };
        let cut = fork::cut(&named, forking.at).await?;
        let onward = Onward::Fork { at: forking.at, events: cut.events() };
        let ways = Ways { corpus, noted, accept_changes: false, onward };
        let (terminal, mut interrupts) = (Terminal::silent(), self.interrupts.clone());
        let begun = fork::begun(&named, &cut, forking, ways, &config, &terminal, &mut interrupts);
        let begun = Box::pin(begun).await?;
        self.terminal.say(&format!("run {} has begun", begun.handle.run_id()));
        Ok(Begun { handle: begun.handle, learn: learning(begun.memory) })
    }
}

fn chosen_lenses(ask: &Ask, mind: &Mind) -> Result<Vec<String>> {
    if ask.lenses.is_empty() {
        return Ok(Vec::new());
    }
    // `pack` stands for the lenses of the field.
    let named = ask.lenses.iter().filter(|lens| *lens != elenchus_core::pack::OF_THE_PACK);
    lenses::chosen(Some(named.cloned().collect()), mind.speaks())
}

fn learning(memory: Learning) -> Learn {
    Box::new(move |finished: Finished| {
        let learned: PortFuture<'static, ()> =
            Box::pin(async move { memory.learn(&finished, &Terminal::silent()).await });
        learned
    })
}

impl Grounds for Premises {
    fn check(&self, task: &Task) -> std::result::Result<(), Refusal> {
        match task {
            Task::Ask(ask) => self.checked(ask).map_err(refused),
            // What they need is noted with the run that they are about.
            Task::Resume { .. }
            | Task::Challenge { .. }
            | Task::Test { .. }
            | Task::Fork { .. } => Ok(()),
        }
    }

    fn begin<'a>(&'a self, work: &'a Work) -> Told<'a, Begun> {
        Box::pin(async move { Box::pin(self.begun(work)).await.map_err(refused) })
    }

    fn hand_over<'a>(&'a self, work: &'a Work) -> Heard<'a, Option<Coming>> {
        Box::pin(async move {
            let handed = Box::pin(self.handed(work)).await.map_err(unheard)?;
            Ok(handed.map(|following| self.coming(following)))
        })
    }

    fn is_elsewhere<'a>(&'a self, run: &'a RunId) -> Heard<'a, bool> {
        Box::pin(async move {
            // Without workers of its own a server takes nothing for theirs.
            if durable::engine(&self.config) == EngineArg::Local {
                return Ok(false);
            }
            durable::is_there(run, &self.store, &self.config).await.map_err(unheard)
        })
    }

    fn steer<'a>(&'a self, run: &'a RunId, control: &'a Control) -> Heard<'a, bool> {
        Box::pin(async move {
            let given = durable::steer(run, control, &self.store, &self.config).await;
            given.map_err(unheard)
        })
    }

    fn forget(&self, run: &RunId) {
        RunSettings::remove(&self.path, run);
    }

    fn corpora(&self) -> Vec<String> {
        let configured = self.config.path("corpus").map(|folder| folder.display().to_string());
        let more = self.allowed.iter().map(|folder| folder.display().to_string());
        configured.into_iter().chain(more).collect()
    }

    fn model(&self) -> String {
        self.config.text("model").unwrap_or("extractive").to_owned()
    }

    fn limits(&self, effort: Effort) -> Budget {
        let mut config = self.config.clone();
        config.flag("effort", "the request", Some(Value::Text(effort.name().to_owned())));
        config.options().budget
    }

    fn cost(&self, input_tokens: u64, output_tokens: u64) -> Option<u64> {
        let named = ["model", "fast_model"].into_iter().filter_map(|key| self.config.text(key));
        let costs = named.map(|name| {
            let price = prices::in_force(name, &self.config)?;
            Some(price.micro_usd(input_tokens, output_tokens))
        });
        costs.collect::<Option<Vec<u64>>>()?.into_iter().max()
    }

    fn set_up(&self) -> Vec<Setting> {
        super::set_up::settings(&self.config)
    }

    fn services(&self) -> Vec<Service> {
        crate::web::services(&self.config)
    }

    fn uses_web(&self) -> bool {
        matches!(WebPlan::of(&self.config, ""), Ok(Some(_)))
    }

    fn calibration(&self) -> Option<Calibration> {
        Some(wire::judging_builtin().calibration)
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_AT_ONCE, MOST_FOLLOWED, most_at_once};
    use crate::config::{Config, KEYS, Value};

    #[test]
    fn whoever_sets_how_many_runs_are_under_way_is_heard() {
        let mut config = Config::default();
        assert_eq!(most_at_once(&config), MOST_AT_ONCE);
        let key = KEYS.iter().find(|key| key.name == "serve.runs").expect("there is such a key");
        let told = key.default.and_then(|most| most.parse().ok());
        assert_eq!(told, Some(MOST_AT_ONCE), "what the settings tell is what holds");
        // What workers do is only followed.
        config.flag("engine", "--engine", Some(Value::Text("restate".to_owned())));
        assert_eq!(most_at_once(&config), MOST_FOLLOWED);
        config.flag("serve.runs", "--runs", Some(Value::Whole(9)));
        assert_eq!(most_at_once(&config), 9);
        config.flag("engine", "--engine", Some(Value::Text("local".to_owned())));
        assert_eq!(most_at_once(&config), 9);
    }
}
