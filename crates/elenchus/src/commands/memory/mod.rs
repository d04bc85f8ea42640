//! `elenchus memory`.

mod exchange;
mod shown;

pub(in crate::commands) use shown::time;

use super::store_path;
use crate::bank::OpenBank;
use crate::bank::{bank, caller};
use crate::cli::{
    AnyOutcomeArg, AnyScopeArg, HelpfulArg, MemoryCommand, MemoryEditArgs, MemoryListArgs,
    MemoryPlaceArgs, MemoryRecordArgs, MemorySearchArgs, OutcomeArg, ScopeArg, SignalArgs,
    StoreArgs, WentArg,
};
use crate::config::Config;
use crate::error::{CliError, Result};
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use elenchus_core::bank::{Caller, Draft, Origin, Outcome, Scope, SignalKind, Standing};
use elenchus_core::id::{SearchId, StrategyId, Timestamp};
use elenchus_core::port::{Clock, Edit, Held, Listing, NamedStats, Recall, SignalGiven, Signalled};
use elenchus_io::clock::SystemClock;
use serde_json::json;
use std::io::Read;

/// The largest text that is read from standard input for one memory, in bytes.
const LARGEST: u64 = 1_000_000;

/// The bank of a store, and on whose behalf it is used.
struct Opened {
    bank: OpenBank,
    caller: Caller,
    now: Timestamp,
}

fn open(store: StoreArgs, config: &Config, terminal: &Terminal) -> Result<Opened> {
    let path = store_path(store.store, config)?;
    Ok(Opened {
        bank: bank(&path, config, terminal)?,
        caller: caller(config)?,
        now: SystemClock.now(),
    })
}

pub(super) async fn run(
    command: MemoryCommand,
    config: &Config,
    terminal: &Terminal,
) -> Result<()> {
    match command {
        MemoryCommand::Search(args) => search(args, config, terminal).await,
        MemoryCommand::Record(args) => record(args, config, terminal).await,
        MemoryCommand::Feedback(args) => {
            let positive = args.said == HelpfulArg::Helpful;
            let mut given = given(&args.id, SignalKind::Explicit, positive, args.of);
            given.comment = args.comment;
            signal(given, args.place, config, terminal).await
        }
        MemoryCommand::Outcome(args) => {
            let positive = args.went == WentArg::Succeeded;
            let mut given = given(&args.id, SignalKind::Outcome, positive, args.of);
            given.share = 1.0 / f64::from(args.used_together);
            signal(given, args.place, config, terminal).await
        }
        MemoryCommand::Show(args) => {
            let on = open(args.place.store, config, terminal)?;
            let held = on.bank.get(&on.caller, &StrategyId(args.id), on.now).await?;
            give(&held, args.place.json, terminal)
        }
        MemoryCommand::Why(args) => {
            let on = open(args.place.store, config, terminal)?;
            let why = on.bank.why(&on.caller, &StrategyId(args.id), on.now).await?;
            if args.place.json {
                return terminal.print_json(&why);
            }
            terminal.print(&why.render())
        }
        MemoryCommand::List(args) => list(args, config, terminal).await,
        MemoryCommand::Archive(args) => {
            let now = SystemClock.now();
            let standing = Standing::Archived { at: now, reason: args.reason };
            let edit = Edit { standing: Some(standing), ..Edit::default() };
            change(args.id, edit, args.place, config, terminal).await
        }
        MemoryCommand::Restore(args) => {
            let edit = Edit { standing: Some(Standing::Active), ..Edit::default() };
            change(args.id, edit, args.place, config, terminal).await
        }
        MemoryCommand::Edit(args) => edit(args, config, terminal).await,
        MemoryCommand::Delete(args) => {
            let on = open(args.place.store, config, terminal)?;
            let id = StrategyId(args.id);
            let held = on.bank.get(&on.caller, &id, on.now).await?;
            let asked = format!("delete memory {id} ({:?}) for good?", held.strategy.draft.title);
            if !args.yes && !terminal.agreed(&asked)? {
                terminal.say("nothing was deleted");
                return Ok(());
            }
            on.bank.delete(&on.caller, &id).await?;
            if args.place.json {
                return terminal.print_json(&json!({ "deleted": id }));
            }
            terminal.say(&format!("deleted memory {id}"));
            Ok(())
        }
        MemoryCommand::Export(args) => exchange::export(args, config, terminal).await,
        MemoryCommand::Import(args) => exchange::import(args, config, terminal).await,
        MemoryCommand::Stats(args) => {
            let on = open(args.store, config, terminal)?;
            let stats = on.bank.stats(&on.caller, on.now).await?;
            if args.json {
                return terminal.print_json(&NamedStats::from(stats));
            }
            terminal.print(&shown::stats(&on.caller, &stats))
        }
        MemoryCommand::Rollback(args) => {
            let now = SystemClock.now();
            let to = time(&args.to, now)?;
            let on = open(args.place.store, config, terminal)?;
            let asked = format!(
                "put the memory of project {} back to {}?",
                on.caller.project,
                crate::time::shown(to.0)
            );
            if !args.yes && !terminal.agreed(&asked)? {
                terminal.say("nothing was changed");
                return Ok(());
            }
            let (strategies, signals) = on.bank.roll_back(&on.caller, to, on.now).await?;
            if args.place.json {
                return terminal
                    .print_json(&json!({ "to": to, "memories": strategies, "signals": signals }));
            }
            terminal.say(&format!(
                "the memory stands as it did at {}: {} and {} were put back",
                crate::time::shown(to.0),
                shown::memories(strategies),
                counted(signals, "signal")
            ));
            Ok(())
        }
        MemoryCommand::Tend(args) => {
            let on = open(args.store, config, terminal)?;
            let lines = on.bank.tend(on.now).await?;
            if args.json {
                return terminal.print_json(&lines);
            }
            if lines.is_empty() {
                terminal.say("there was nothing to do");
            }
            if !lines.is_empty() {
                terminal.print(&format!("{}\n", lines.join("\n")))?;
            }
            Ok(())
        }
    }
}

async fn search(args: MemorySearchArgs, config: &Config, terminal: &Terminal) -> Result<()> {
    let on = open(args.place.store, config, terminal)?;
    let settings = crate::bank::settings(config)?;
    let most = settings.max_limit.max(1);
    if let Some(limit) = args.limit.filter(|limit| !(1..=most).contains(limit)) {
        return Err(CliError::usage(
            "could not search the memory",
            format!("the limit is {limit}"),
            format!(
                "write one from 1 to {most}: `reasoning_bank.search.max_limit` raises it, `elenchus memory list` shows all"
            ),
        ));
    }
    let recall = Recall {
        query: args.query,
        scope: any_scope(args.scope),
        outcome: any_outcome(args.outcome),
        limit: args.limit.unwrap_or(settings.default_limit).clamp(1, most),
        min_confidence: args.min_confidence.unwrap_or(settings.min_confidence),
        session_id: args.session,
        for_prompt: args.for_prompt,
    };
    let recalled = on.bank.search(&on.caller, &recall, on.now).await?;
    if args.place.json {
        return terminal.print_json(&recalled);
    }
    terminal.print(&shown::recalled(&recalled))
}

async fn record(args: MemoryRecordArgs, config: &Config, terminal: &Terminal) -> Result<()> {
    let draft = Draft {
        title: args.title,
        description: args.description,
        content: content(args.content)?,
        outcome: outcome(args.outcome),
        tags: args.tags,
        scope: scope(args.scope),
        origin: Origin::Explicit,
        source_session: None,
        lineage: Vec::new(),
        from_web: args.from_web,
    };
    let on = open(args.place.store, config, terminal)?;
    let recorded = on.bank.record(&on.caller, &draft, on.now).await?;
    if args.place.json {
        return terminal.print_json(&recorded);
    }
    let id = &recorded.held.strategy.id;
    for kind in &recorded.scrubbed {
        terminal.warn(&format!("a secret ({kind}) was taken out of the text"));
    }
    let what = if recorded.already_there { "was there already" } else { "was recorded" };
    terminal.print(&format!("{id} {what}, confidence {:.2}\n", recorded.held.confidence))
}

async fn signal(
    given: SignalGiven,
    place: MemoryPlaceArgs,
    config: &Config,
    terminal: &Terminal,
) -> Result<()> {
    let on = open(place.store, config, terminal)?;
    let signalled: Signalled = on.bank.signal(&on.caller, &given, on.now).await?;
    if place.json {
        return terminal.print_json(&signalled);
    }
    let what = if signalled.recorded { "noted" } else { "that was known: it counts once" };
    terminal.print(&format!(
        "{what}; the confidence of {} is {:.2} now ({:.2} to {:.2})\n",
        given.memory_id, signalled.confidence, signalled.interval.0, signalled.interval.1
    ))
}

async fn list(args: MemoryListArgs, config: &Config, terminal: &Terminal) -> Result<()> {
    let on = open(args.place.store, config, terminal)?;
    let listing = Listing {
        scope: any_scope(args.scope),
        outcome: any_outcome(args.outcome),
        archived: args.archived,
        tag: args.tag,
        limit: args.limit,
        offset: args.offset,
    };
    let held = on.bank.list(&on.caller, &listing, on.now).await?;
    if args.place.json {
        return terminal.print_json(&held);
    }
    if held.is_empty() {
        terminal.say(&format!(
            "project {} has no such memory: `elenchus memory record` makes one",
            on.caller.project
        ));
        return Ok(());
    }
    terminal.print(&shown::list(&held))
}

async fn edit(args: MemoryEditArgs, config: &Config, terminal: &Terminal) -> Result<()> {
    let edit = Edit {
        title: args.title,
        description: args.description,
        content: args.content.map(content).transpose()?,
        tags: args.tags,
        scope: args.scope.map(scope),
        standing: None,
    };
    if edit == Edit::default() {
        return Err(CliError::usage(
            "could not edit a memory",
            "nothing was said that should change",
            "name another --title, --description, --content, --tag or --scope",
        ));
    }
    change(args.id, edit, args.place, config, terminal).await
}

async fn change(
    id: String,
    edit: Edit,
    place: MemoryPlaceArgs,
    config: &Config,
    terminal: &Terminal,
) -> Result<()> {
    let on = open(place.store, config, terminal)?;
    let held = on.bank.edit(&on.caller, &StrategyId(id), &edit, on.now).await?;
    give(&held, place.json, terminal)
}

fn give(held: &Held, json: bool, terminal: &Terminal) -> Result<()> {
    if json { terminal.print_json(held) } else { terminal.print(&shown::one(held)) }
}

fn given(id: &str, kind: SignalKind, positive: bool, of: SignalArgs) -> SignalGiven {
    SignalGiven {
        memory_id: StrategyId::from(id),
        kind,
        positive,
        session_id: of.session,
        search_id: of.search.map(SearchId),
        comment: None,
        share: 1.0,
    }
}

fn scope(arg: ScopeArg) -> Scope {
    match arg {
        ScopeArg::Project => Scope::Project,
        ScopeArg::Team => Scope::Team,
        ScopeArg::Org => Scope::Org,
    }
}

fn any_scope(arg: AnyScopeArg) -> Option<Scope> {
    match arg {
        AnyScopeArg::Project => Some(Scope::Project),
        AnyScopeArg::Team => Some(Scope::Team),
        AnyScopeArg::Org => Some(Scope::Org),
        AnyScopeArg::All => None,
    }
}

fn outcome(arg: OutcomeArg) -> Outcome {
    match arg {
        OutcomeArg::Success => Outcome::Success,
        OutcomeArg::Failure => Outcome::Failure,
    }
}

fn any_outcome(arg: AnyOutcomeArg) -> Option<Outcome> {
    match arg {
        AnyOutcomeArg::Success => Some(Outcome::Success),
        AnyOutcomeArg::Failure => Some(Outcome::Failure),
        AnyOutcomeArg::All => None,
    }
}

/// A content as given, or what standard input holds.
fn content(given: String) -> Result<String> {
    if given != "-" {
        return Ok(given);
    }
    let unread = |cause: String, hint: &str| {
        CliError::usage("could not read the content from standard input", cause, hint)
    };
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| unread(error.to_string(), "send it again"))?;
    if bytes.len() as u64 > LARGEST {
        return Err(unread(
            format!("it holds more than {LARGEST} bytes, and a memory is a few steps"),
            "cut it down to what was learned, at most 20,000 characters",
        ));
    }
    String::from_utf8(bytes).map_err(|error| unread(error.to_string(), "send text as UTF-8"))
}
