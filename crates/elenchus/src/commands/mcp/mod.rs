//! `elenchus mcp`: serves agents over the Model Context Protocol.

mod checker;
mod install;
mod researcher;
mod scorer;
mod token;

pub(super) use install::run as install;

use super::{set_corpus, set_model, set_web, store_path, text};
use crate::bank;
use crate::cli::{McpArgs, McpServeArgs};
use crate::config::{Config, Value};
use crate::error::{CliError, Kind, Result};
use crate::paths;
use crate::signals::Interrupts;
use crate::ui::terminal::Terminal;
use crate::wire;
use checker::Judgement;
use elenchus_core::bank::Caller;
use elenchus_core::port::Clock;
use elenchus_io::clock::SystemClock;
use elenchus_server::mcp::http::{self, Door, LOOPBACK, Pass};
use elenchus_server::mcp::ports::{Finder, Refusal};
use elenchus_server::mcp::{McpServer, Parts, stdio};
use researcher::Runs;
use scorer::Scores;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// An error of the program, for a model to read.
fn refused(error: CliError) -> Refusal {
    Refusal::new(error.attempted, error.cause, error.hint)
}

pub(super) async fn run(args: McpArgs, mut config: Config, terminal: &Terminal) -> Result<()> {
    let McpArgs { serve: args, corpus, store, model, web, .. } = args;
    set_corpus(&mut config, corpus)?;
    set_model(&mut config, model);
    set_web(&mut config, web);
    config.flag("store", "--store", text(store.store)?);
    let interrupts = Interrupts::listen(terminal.clone());
    let named = |name: &Option<String>| name.clone().map(Value::Text);
    config.flag("project", "--project", named(&args.project));
    config.flag("team", "--team", named(&args.team));
    config.flag("org", "--org", named(&args.org));
    // Who speaks the protocol is a program: its votes vouch for nothing.
    let caller = Caller { actor: "mcp:local".to_owned(), ..bank::caller(&config)? };
    let path = store_path(None, &config)?;
    let runs = Arc::new(Runs::new(config.clone(), interrupts.clone(), terminal.clone())?);
    let judgement = Arc::new(Judgement {
        config: config.clone(),
        interrupts: interrupts.clone(),
        terminal: Terminal::silent(),
    });
    let parts = Arc::new(Parts {
        bank: Arc::new(bank::bank(&path, &config)?),
        bank_settings: bank::settings(&config)?,
        researcher: Arc::clone(&runs) as _,
        checker: Arc::clone(&judgement) as _,
        scorer: Arc::new(Scores(wire::memos(&path, &config)?)),
        namespace: "default".to_owned(),
        finder: args.search_tools.then_some(judgement as Arc<dyn Finder>),
        clock: Arc::new(SystemClock),
    });
    let served = match &args.http {
        Some(address) => over_http(address, &args, parts, caller, interrupts, terminal).await,
        None => over_stdio(parts, caller, interrupts).await,
    };
    runs.suspend().await;
    served
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

/// The address to listen at: `ADDR:PORT`, an address alone or a port alone.
fn address(given: &str) -> Result<(IpAddr, u16)> {
    let wrong = || {
        CliError::usage(
            format!("could not serve at {given:?}"),
            "it is no address",
            "write an IP address and a port, such as 127.0.0.1:8437",
        )
    };
    let given = given.replace("localhost", "127.0.0.1");
    if let Ok(address) = given.parse::<std::net::SocketAddr>() {
        return Ok((address.ip(), address.port()));
    }
    if let Ok(ip) = given.parse::<IpAddr>() {
        return Ok((ip, 8437));
    }
    given.parse::<u16>().map(|port| (IpAddr::from([127, 0, 0, 1]), port)).map_err(|_| wrong())
}

async fn over_http(
    given: &str,
    args: &McpServeArgs,
    parts: Arc<Parts>,
    caller: Caller,
    mut interrupts: Interrupts,
    terminal: &Terminal,
) -> Result<()> {
    let (ip, port) = address(given)?;
    if args.no_token && !ip.is_loopback() {
        return Err(CliError::usage(
            format!("could not serve at {ip} without a token"),
            "other machines could use it",
            "leave out --no-token, or serve at 127.0.0.1",
        ));
    }
    let mut passes = Vec::new();
    if !args.no_token {
        let file = match &args.token_file {
            Some(file) => file.clone(),
            None => paths::mcp_token()?,
        };
        let (token, is_new) = token::kept(&file)?;
        let made = if is_new { "made" } else { "found" };
        terminal.say(&format!("the token was {made} in {}", file.display()));
        passes.push(Pass { token, caller: caller.clone() });
    }
    let listener = TcpListener::bind((ip, port)).await.map_err(|error| {
        CliError::new(
            Kind::Failure,
            format!("could not listen at {ip}:{port}"),
            error.to_string(),
            "choose another port: `--http 127.0.0.1:0` takes a free one",
        )
    })?;
    let port = listener.local_addr().map_or(port, |address| address.port());
    let mut hosts: Vec<String> = LOOPBACK.map(str::to_owned).to_vec();
    let own = if ip.is_ipv6() { format!("[{ip}]") } else { ip.to_string() };
    // Everything answers to the unspecified address, which names nobody.
    if !ip.is_unspecified() && !hosts.contains(&own) {
        hosts.push(own.clone());
    }
    hosts.extend(args.allow_host.iter().map(|host| host.to_lowercase()));
    let stop = CancellationToken::new();
    let router = http::router(McpServer::new(parts, caller, ""), &stop);
    terminal.say(&format!("serving at http://{own}:{port}{}", http::PATH));
    let serving = http::serve(listener, router, Door { hosts, port, passes }, stop.clone());
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
