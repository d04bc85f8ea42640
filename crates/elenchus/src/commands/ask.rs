//! `elenchus ask`.

use super::lenses;
use super::output::{Output, verdict};
use super::worth::worth;
use super::{place, set_corpus, set_dialogue, set_engine, set_model, set_web, store_path, text};
use crate::cli::{AskArgs, AskPackArg, EffortArg, EngineArg, ModeArg};
use crate::config::{Config, Value};
use crate::drive::Follow;
use crate::durable::{self, Following, Handing};
use crate::error::{CliError, Kind, Result};
use crate::ground::Ground;
use crate::kept::RunSettings;
use crate::learning::Learning;
use crate::mind::Mind;
use crate::signals::Interrupts;
use crate::store_place::StorePlace;
use crate::telemetry;
use crate::ui::dialogue::Presence;
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use crate::ui::{progress, report};
use crate::web::WebPlan;
use crate::wire::{self, StartClock};
use elenchus_core::answer::{Answer, HeldTo};
use elenchus_core::id::RunId;
use elenchus_core::inquiry::{Options, Sources};
use elenchus_core::pack::{AUTO, GENERAL, THEOLOGY};
use elenchus_core::port::Store;
use elenchus_core::scrutiny::fallacy::{Language, question_language};
use elenchus_core::synthesis::mode::{APOLOGIST, CRITIC, DETECTIVE, SYNTHESIZER};
use elenchus_engine::EngineError;
use elenchus_io::model::ExtractiveModel;
use elenchus_io::store::MemoryStore;
use std::hash::{BuildHasher, RandomState};
use std::io::Read;
use std::sync::Arc;

pub(super) async fn run(args: AskArgs, mut config: Config, terminal: &Terminal) -> Result<()> {
    let question = question(&args.question)?;
    let output = Output::new(&args.output)?;
    let ephemeral = args.ephemeral;
    let critique = !args.no_critique;
    let asked = args.lenses.clone();
    let (pack, mode) = (pack(args.pack), mode(args.mode));
    // The question comes from where answers would, or a program reads what is said.
    let reads_data = args.question == "-" || output.jsonl;
    let piped = set_dialogue(&mut config, &args.dialogue);
    let insights = args.insights;
    let no_memory = args.no_memory;
    let bar = args.min_confidence;
    let (to_test, questions) = (args.hypothesis.clone(), args.plan.clone());
    set(&mut config, args)?;
    let engine = durable::engine(&config);
    let plan = WebPlan::of(&config, &question)?;
    if plan.is_none() {
        crate::web::idle(&config, terminal);
    }
    let mind = Mind::remembering(&config, !ephemeral, terminal)?;
    if !mind.speaks() && question_language(&question) == Language::Other {
        terminal.warn(
            "the built-in model reads questions in English only, and this one does not look like it: ask in English, \
             or name a language model with --model",
        );
    }
    let presence = Presence::find(terminal, piped, reads_data);
    let lenses = lenses::chosen(asked, mind.speaks())?;
    let options = Options {
        hypotheses: mind.speaks(),
        clarify: presence.asking(config.text("clarify"), mind.speaks()),
        critique: critique && mind.speaks(),
        measured_critique: (!mind.speaks()).then_some(critique),
        fallacy_check: mind.speaks(),
        lenses,
        insights,
        to_test,
        plan: questions,
        pack: pack.to_owned(),
        mode: mode.to_owned(),
        both_sides: true,
        elsewhere: Some(mind.elsewhere()),
        web: plan.as_ref().map(|plan| plan.options.clone()),
        ..config.options()
    };
    if mode != DETECTIVE.id && !mind.speaks() {
        terminal.warn(&format!(
            "the mode {mode} changes what a language model is told, and the built-in model reads no prompts: name one \
             with --model for the mode to have an effect"
        ));
    }
    if engine == EngineArg::Local {
        // Where workers think, theirs has to be reached.
        mind.reach(terminal).await?;
    }
    let place = match &plan {
        Some(plan) if plan.options.sources == Sources::Web => None,
        _ => Some(place(&config, ephemeral)?),
    };
    let output = output.citing(place.as_ref().map(|place| place.root.clone()));
    let kept = if ephemeral { None } else { Some(store_path(None, &config)?) };
    // Before the documents are read, which may take long: what cannot be kept is told at once.
    let store: Arc<dyn Store> = match &kept {
        Some(path) => wire::store(path)?,
        None => telemetry::watched(Arc::new(MemoryStore::new())),
    };

    let mut interrupts = Interrupts::listen(terminal.clone());
    if engine == EngineArg::Restate {
        let Some(path) = &kept else {
            return Err(CliError::usage(
                "could not hand the run over",
                "--ephemeral keeps nothing, and workers keep what they do",
                "leave out --ephemeral, or say --engine local",
            ));
        };
        let max_rounds = if options.autonomous { options.budget.rounds } else { 1 };
        let mut leaving = interrupts.clone();
        let follow = Follow {
            terminal,
            interrupts: &mut interrupts,
            jsonl: output.jsonl,
            kept: true,
            max_rounds,
            presence,
        };
        let handing = Handing {
            question: &question,
            options,
            contest: None,
            begins: durable::begins(),
            names_pages: true,
            place: place.as_ref(),
            forgets: no_memory,
            path,
            config: &config,
        };
        let id = durable::hand_over(handing).await?;
        let following = Following { id: id.clone(), store, seen: false };
        let handle = tokio::select! {
            handle = durable::begun(following, &config, terminal) => handle?,
            () = leaving.wait() => return Err(EngineError::Detached(id).into()),
        };
        let finished = follow.end_of(handle).await?;
        let held = bar.map(|bar| (bar, Box::new(finished.answer.held_to(bar))));
        let (answer, view) = (shown(held.as_ref(), &finished.answer), finished.run.view());
        output.give(answer, view, true, terminal)?;
        terminal.say(&report::receipt(&finished.answer, true));
        tell_worth(bar, &config, &finished.answer, terminal);
        if let Some(cause) = &finished.unremembered {
            terminal.warn(&format!("the memory was not told of this run: {cause}"));
        }
        verdict(&finished.answer, finished.run.view().error())?;
        return reached(held.as_ref());
    }
    // Before documents are read: an embedder elsewhere gets them then.
    if mind.sends() {
        terminal.say(&mind.sent());
    }
    if !mind.speaks() {
        ExtractiveModel::warm();
    }
    let web = match &plan {
        Some(plan) => Some(plan.open(&config, kept.as_ref())?),
        None => None,
    };
    let ground = match &place {
        Some(place) => {
            let (corpus, ingested) = place.open(terminal)?.sync(terminal, &mut interrupts).await?;
            progress::read(terminal, &ingested);
            progress::warn_of_nothing(terminal, corpus.overview().documents, &place.root);
            if plan.is_none() && !options.exclude.is_empty() {
                let sources = corpus.corpus.sources();
                progress::warn_of_exclusions(terminal, &options.exclude, &sources);
            }
            Ground::documents(corpus, web)
        }
        None => Ground::of_web(web, &config)?,
    };
    terminal.say(&report::estimate(&ground.overview(), &options, &mind, plan.as_ref()));

    let clock = Arc::new(StartClock::new());
    // Drawn, so that two processes that ask the same at once do not meet.
    let seed = RandomState::new().hash_one(std::process::id());
    let expected = RunId::derive(&question, clock.start(), seed);
    let note =
        |id: &RunId, store: &StorePlace| RunSettings::new(id, place.as_ref(), &config).save(store);
    if let Some(store) = &kept {
        note(&expected, store)?;
    }
    let memory = Learning::open(kept.as_ref(), no_memory, &config, &mind, terminal);
    // A run that is not kept learns from those that are.
    let said = if kept.is_some() {
        wire::remarks_in(&*store, terminal).await
    } else {
        wire::remarks(&config, terminal).await
    };
    let engine = ground
        .engine(store, clock, wire::judge(&config, &said, terminal)?, &mind)
        .remembering(memory.beside());
    let max_rounds = if options.autonomous { options.budget.rounds } else { 1 };
    let handle = match engine.start(&question, options, seed).await {
        Ok(handle) => handle,
        Err(error) => {
            if let Some(store) = &kept {
                RunSettings::remove(store, &expected);
            }
            return Err(error.into());
        }
    };
    if let Some(store) = &kept
        && *handle.run_id() != expected
    {
        RunSettings::remove(store, &expected);
        note(handle.run_id(), store)?;
    }
    let follow = Follow {
        terminal,
        interrupts: &mut interrupts,
        jsonl: output.jsonl,
        kept: kept.is_some(),
        max_rounds,
        presence,
    };
    let finished = follow.end_of(handle).await?;
    let held = bar.map(|bar| (bar, Box::new(finished.answer.held_to(bar))));
    let (answer, view) = (shown(held.as_ref(), &finished.answer), finished.run.view());
    output.give(answer, view, kept.is_some(), terminal)?;
    terminal.say(&report::receipt(&finished.answer, kept.is_some()));
    tell_worth(bar, &config, &finished.answer, terminal);
    memory.learn(&finished, terminal).await;
    verdict(&finished.answer, finished.run.view().error())?;
    reached(held.as_ref())
}

/// What the asked confidence is worth, where it was measured.
fn tell_worth(bar: Option<f64>, config: &Config, answer: &Answer, terminal: &Terminal) {
    if let Some(point) = worth(bar, config, &answer.entailments) {
        // A figure of an answer is that of its source times how often such answers were right.
        let rest = "whether a statement answers the question is not in it";
        terminal.say(&format!("{}; {rest}", point.told()));
    }
}

/// The answer as the user wants it; what is kept is the whole of it.
fn shown<'a>(held: Option<&'a (f64, Box<HeldTo>)>, whole: &'a Answer) -> &'a Answer {
    held.map_or(whole, |(_, held)| &held.answer)
}

/// Nothing that answers reaches the asked confidence: an error with its own exit code, although an answer was given.
fn reached(held: Option<&(f64, Box<HeldTo>)>) -> Result<()> {
    let Some((bar, held)) = held.filter(|(_, held)| !held.is_reached) else { return Ok(()) };
    let cause = if held.below.is_empty() {
        "nothing was found that answers".to_owned()
    } else {
        format!("{} below it", counted(held.below.len(), "statement"))
    };
    Err(CliError::new(
        Kind::BelowConfidence,
        format!(
            "the answer of {} does not reach the asked confidence of {bar}",
            held.answer.run_id
        ),
        cause,
        "read the quotes that were found, add documents that state it, or ask for less",
    ))
}

/// The question as given, or from standard input.
fn question(given: &str) -> Result<String> {
    let mut question = given.to_owned();
    if given == "-" {
        question.clear();
        let most = u64::try_from(elenchus_engine::MAX_QUESTION_CHARS * 4 + 1).unwrap_or(u64::MAX);
        std::io::stdin().take(most).read_to_string(&mut question).map_err(|error| {
            CliError::usage(
                "could not read the question from standard input",
                error.to_string(),
                "send text in UTF-8",
            )
        })?;
    }
    let question = question.trim().to_owned();
    if !question.chars().any(char::is_alphanumeric) {
        return Err(CliError::usage(
            "could not start a run",
            "the question is empty",
            "ask something in words, such as `elenchus ask \"Who owns it?\" --corpus docs`",
        ));
    }
    Ok(question)
}

/// The pack as the options name it.
fn pack(given: Option<AskPackArg>) -> &'static str {
    match given {
        Some(AskPackArg::General) => GENERAL.id,
        Some(AskPackArg::Theology) => THEOLOGY.id,
        None | Some(AskPackArg::Auto) => AUTO,
    }
}

/// The mode as the options name it.
fn mode(given: Option<ModeArg>) -> &'static str {
    match given {
        None | Some(ModeArg::Detective) => DETECTIVE.id,
        Some(ModeArg::Critic) => CRITIC.id,
        Some(ModeArg::Apologist) => APOLOGIST.id,
        Some(ModeArg::Synthesizer) => SYNTHESIZER.id,
    }
}

fn set(config: &mut Config, args: AskArgs) -> Result<()> {
    set_corpus(config, args.corpus)?;
    set_model(config, args.model)?;
    config.flag("store", "--store", text(args.store.store)?);
    let effort = args.effort.map(|effort| match effort {
        EffortArg::Quick => "quick",
        EffortArg::Standard => "standard",
        EffortArg::Deep => "deep",
    });
    config.flag("effort", "--effort", effort.map(|word| Value::Text(word.to_owned())));
    let whole = |n: Option<u64>| n.map(Value::Whole);
    config.flag("max_rounds", "--max-rounds", whole(args.max_rounds));
    config.flag("budget.passages", "--budget-passages", whole(args.budget_passages));
    config.flag("budget.model_calls", "--budget-model-calls", whole(args.budget_model_calls));
    config.flag("budget.tokens", "--budget-tokens", whole(args.budget_tokens));
    config.flag("budget.usd", "--budget-usd", args.budget_usd.map(Value::Amount));
    config.flag("budget.seconds", "--budget-seconds", args.budget_seconds.map(Value::Amount));
    config.flag("autonomous", "--no-autonomous", args.no_autonomous.then_some(Value::Flag(false)));
    config.flag("reflection", "--reflection", args.reflection.map(Value::Text));
    let exclude = Some(args.exclude).filter(|parts| !parts.is_empty());
    config.flag("exclude", "--exclude", exclude.map(Value::List));
    set_web(config, args.web);
    set_engine(config, &args.engine)
}
