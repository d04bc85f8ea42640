//! `elenchus mcp`: serves agents over the Model Context Protocol.

pub(super) mod checker;
mod install;
pub(super) mod members;
pub(super) mod pages;
pub(super) mod scorer;
pub(super) mod token;

pub(super) use install::run as install;

use super::serve::{Premises, bind, leave};
use super::{set_corpus, set_engine, set_model, set_web, store_path, text};
use crate::bank;
use crate::cli::{McpArgs, McpServeArgs};
use crate::config::{Config, Value};
use crate::error::{CliError, Kind, Result};
use crate::signals::Interrupts;
use crate::ui::terminal::Terminal;
use crate::upkeep::{Upkeep, stamp};
use crate::wire;
use checker::Judgement;
use elenchus_core::bank::Caller;
use elenchus_core::port::{Clock, Memos};
use elenchus_io::clock::SystemClock;
use elenchus_server::mcp::http::{self, Door};
use elenchus_server::mcp::ports::Finder;
use elenchus_server::mcp::{McpServer, Parts, stdio};
use elenchus_server::memory::memory_router;
use pages::PagesRead;
use scorer::Scores;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

pub(super) async fn run(args: McpArgs, mut config: Config, terminal: &Terminal) -> Result<()> {
    let McpArgs { serve: args, corpus, store, model, web, engine, .. } = args;
    set_corpus(&mut config, corpus)?;
    set_model(&mut config, model)?;
    set_web(&mut config, web);
    set_engine(&mut config, &engine)?;
    config.flag("store", "--store", text(store.store)?);
    let interrupts = Interrupts::listen(terminal.clone());
    let named = |name: &Option<String>| name.clone().map(Value::Text);
    config.flag("project", "--project", named(&args.project));
    config.flag("team", "--team", named(&args.team));
    config.flag("org", "--org", named(&args.org));
    config.flag("serve.runs", "--runs", args.runs.map(Value::Whole));
    // Who speaks the protocol is a program: its votes vouch for nothing.
    let caller = Caller { actor: "mcp:local".to_owned(), ..bank::caller(&config)? };
    let path = store_path(None, &config)?;
    let kept = wire::store(&path)?;
    let premises = Premises {
        config: config.clone(),
        terminal: terminal.clone(),
        interrupts: interrupts.clone(),
        path: path.clone(),
        store: kept,
        allowed: Vec::new(),
    };
    let runs = Arc::new(premises.register());
    let judgement = Arc::new(Judgement {
        config: config.clone(),
        interrupts: interrupts.clone(),
        terminal: Terminal::silent(),
    });
    let memos = wire::memos(&path, &config)?;
    // Alone one reaches everything in one's own store.
    let home = args.members.is_some().then(|| caller.clone());
    let parts = Arc::new(Parts {
        bank: bank::bank(&path, &config, terminal)?.shared(),
        bank_settings: bank::settings(&config)?,
        researcher: Arc::new(members::OwnRuns {
            runs: Arc::clone(&runs) as _,
            server: caller.clone(),
        }),
        checker: Arc::clone(&judgement) as _,
        scorer: Arc::new(Scores { memos: Arc::clone(&memos), home: home.clone() }),
        pages: Some(Arc::new(PagesRead::of(&path))),
        namespace: "default".to_owned(),
        finder: args.search_tools.then_some(judgement as Arc<dyn Finder>),
        memos: (args.memo_tools || offers_memos()).then(|| Arc::clone(&memos)),
        home,
        clock: Arc::new(SystemClock),
    });
    let upkeep = Upkeep {
        bank: Arc::clone(&parts.bank),
        settings: parts.bank_settings.clone(),
        config: config.clone(),
        caller: caller.clone(),
        serves_others: args.members.is_some(),
        stamp: stamp(&path),
    };
    let upkeep = upkeep.begin(terminal.clone());
    let served = match &args.http {
        Some(address) => {
            let served =
                over_http(address, &args, parts, memos, caller, interrupts, terminal).await;
            leave(&runs, &path, terminal).await;
            served
        }
        None => {
            let served = over_stdio(parts, caller, interrupts).await;
            // They were for one client, which has gone.
            runs.suspend().await;
            served
        }
    };
    drop(upkeep);
    served
}

/// The variable that has `memory_list`, `memory_edit`, `memo_save` and `memo_relate` offered, beside those that say where memos are.
const MEMO_TOOLS: &str = "MEMORY_MCP_TOOLS";

/// Whether the tools that look after what is kept are offered. They are not by themselves: every client pays for the list of tools in every
/// conversation, and few keep memos.
pub(super) fn offers_memos() -> bool {
    std::env::var(MEMO_TOOLS).is_ok_and(|value| is_yes(&value))
}

fn is_yes(value: &str) -> bool {
    !matches!(value.trim().to_ascii_lowercase().as_str(), "" | "0" | "false" | "no" | "off")
}

async fn over_stdio(parts: Arc<Parts>, caller: Caller, mut interrupts: Interrupts) -> Result<()> {
    // One process serves one client: what it signals belongs together.
    let session = format!("mcp-{}-{}", SystemClock.now().0, std::process::id());
    let server = McpServer::new(parts, caller, session);
    tokio::select! {
        served = stdio::serve(server) => served.map_err(|cause| {
            CliError::new(
                Kind::Failure,
                "could not serve over standard input and output",
                cause,
                "start it from a program that speaks the Model Context Protocol, or serve with --http",
            )
        }),
        () = interrupts.wait() => Ok(()),
    }
}

async fn over_http(
    given: &str,
    args: &McpServeArgs,
    parts: Arc<Parts>,
    memos: Arc<dyn Memos>,
    caller: Caller,
    mut interrupts: Interrupts,
    terminal: &Terminal,
) -> Result<()> {
    let bound = bind(given, 8437, args.no_token).await?;
    let passes = if args.no_token {
        Vec::new()
    } else {
        let (token, members) = (args.token_file.as_deref(), args.members.as_deref());
        members::let_in(token, members, &caller, terminal)?
    };
    let stop = CancellationToken::new();
    // The memos of this store for other Elenchus, behind the same door.
    let otherwise = args.no_token.then(|| caller.clone());
    let home = parts.home.clone();
    let memos = memory_router(memos, Arc::clone(&parts.clock), otherwise, home);
    let router = http::router(McpServer::new(parts, caller, ""), &stop).merge(memos);
    bound.tell(http::PATH, terminal);
    let door = Door { hosts: bound.hosts(&args.allow_host), port: bound.port, passes };
    let serving = http::serve(bound.listener, router, door, stop.clone());
    let mut serving = std::pin::pin!(serving);
    tokio::select! {
        () = serving.as_mut() => {}
        () = interrupts.wait() => {
            stop.cancel();
            serving.await;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::is_yes;

    #[test]
    fn memos_are_offered_when_somebody_says_so() {
        for yes in ["1", "true", "on", "yes"] {
            assert!(is_yes(yes), "{yes}");
        }
        for no in ["", " ", "0", "false", "No", "OFF"] {
            assert!(!is_yes(no), "{no}");
        }
    }
}
