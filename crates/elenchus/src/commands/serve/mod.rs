//! `elenchus serve`: the HTTP API, the pages and the protocol of agents behind one listener.

mod premises;
mod said;
mod set_up;
mod stopped;

pub(crate) use premises::{Premises, refused};
pub(crate) use stopped::leave;

use super::mcp::checker::Judgement;
use super::mcp::members::{OwnRuns, let_in};
use super::mcp::offers_memos;
use super::mcp::pages::PagesRead;
use super::mcp::scorer::Scores;
use super::{set_corpus, set_engine, set_model, set_web, store_path, text};
use crate::bank;
use crate::cli::ServeArgs;
use crate::config::{Config, Value};
use crate::error::{CliError, Kind, Result};
use crate::signals::Interrupts;
use crate::ui::terminal::Terminal;
use crate::upkeep::{Upkeep, stamp};
use crate::wire;
use elenchus_core::bank::Caller;
use elenchus_io::clock::SystemClock;
use elenchus_server::door::{Door, LOOPBACK};
use elenchus_server::http::{self, Api};
use elenchus_server::listen::{self, Limits, Traffic};
use elenchus_server::mcp::{McpServer, Parts};
use said::Sayings;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// Where it listens without a word.
const USUAL: &str = "127.0.0.1:8421";
/// The port where an address is given alone.
const USUAL_PORT: u16 = 8421;

pub(super) async fn run(args: ServeArgs, mut config: Config, terminal: &Terminal) -> Result<()> {
    let ServeArgs { place, corpus, allow_corpus, store, model, web, engine, project, open } = args;
    set_corpus(&mut config, corpus)?;
    if let Some(named) = config.path("corpus") {
        wire::folder(&named)?;
    }
    set_model(&mut config, model)?;
    set_web(&mut config, web);
    set_engine(&mut config, &engine)?;
    config.flag("store", "--store", text(store.store)?);
    config.flag("project", "--project", project.map(Value::Text));
    config.flag("serve.listen", "--listen", place.listen.clone().map(Value::Text));
    config.flag("serve.runs", "--runs", place.runs.map(Value::Whole));
    let interrupts = Interrupts::listen(terminal.clone());
    // Whoever has the server's own token is the user of this machine.
    let caller = Caller { actor: "http:local".to_owned(), ..bank::caller(&config)? };
    let path = store_path(None, &config)?;
    let kept = wire::store(&path)?;
    let mut allowed = Vec::new();
    for folder in &allow_corpus {
        allowed.push(wire::folder(folder)?);
    }
    let premises = Premises {
        config: config.clone(),
        terminal: terminal.clone(),
        interrupts: interrupts.clone(),
        path: path.clone(),
        store: kept,
        allowed,
    };
    let runs = Arc::new(premises.register());
    let judgement = Arc::new(Judgement {
        config: config.clone(),
        interrupts: interrupts.clone(),
        terminal: Terminal::silent(),
    });
    let memos = wire::memos(&path, &config)?;
    // Alone one reaches everything in one's own store.
    let home = place.members.is_some().then(|| caller.clone());
    let parts = Arc::new(Parts {
        bank: bank::bank(&path, &config, terminal)?.shared(),
        bank_settings: bank::settings(&config)?,
        researcher: Arc::new(OwnRuns { runs: Arc::clone(&runs) as _, server: caller.clone() }),
        checker: Arc::clone(&judgement) as _,
        scorer: Arc::new(Scores { memos: Arc::clone(&memos), home: home.clone() }),
        pages: Some(Arc::new(PagesRead::of(&path))),
        namespace: "default".to_owned(),
        finder: None,
        memos: offers_memos().then(|| Arc::clone(&memos)),
        home,
        clock: Arc::new(SystemClock),
    });

    let address = config.text("serve.listen").unwrap_or(USUAL).to_owned();
    let bound = bind(&address, USUAL_PORT, place.no_token).await?;
    let passes = if place.no_token {
        Vec::new()
    } else {
        let (token, members) = (place.token_file.as_deref(), place.members.as_deref());
        let_in(token, members, &caller, terminal)?
    };
    let upkeep = Upkeep {
        bank: Arc::clone(&parts.bank),
        settings: parts.bank_settings.clone(),
        config: config.clone(),
        caller: caller.clone(),
        serves_others: place.members.is_some(),
        stamp: stamp(&path),
    };
    let limits = Limits {
        per_second: config.whole("serve.rate").and_then(|n| u32::try_from(n).ok()).unwrap_or(100),
        burst: config.whole("serve.burst").and_then(|n| u32::try_from(n).ok()).unwrap_or(400),
        ..Limits::default()
    };
    let stop = CancellationToken::new();
    let traffic = Arc::new(Traffic::default());
    let api = Arc::new(Api {
        runs: Arc::clone(&runs),
        parts: Arc::clone(&parts),
        memos,
        notes: Some(wire::memos_of_runs(&path, &config)?),
        opinions: Arc::new(Sayings),
        caller: caller.clone(),
        traffic: Arc::clone(&traffic),
        streams: Arc::new(Semaphore::new(limits.streams)),
        stop: stop.clone(),
        tools: McpServer::new(parts, caller, ""),
        since: Instant::now(),
    });
    let router = http::router(&api);
    let url = match passes.first() {
        Some(pass) => format!("{}/?token={}", bound.url, pass.token),
        None => bound.url.clone(),
    };
    bound.tell("", terminal);
    stopped::tell_of_found(&runs, &path, terminal);
    // The one line that is data: a program that starts the server reads it.
    terminal.print_line(&url)?;
    if open {
        browse(&url, terminal);
    }
    let door = Door { hosts: bound.hosts(&place.allow_host), port: bound.port, passes };
    let upkeep = upkeep.begin(terminal.clone());
    let serving = listen::serve(bound.listener, router, door, limits, traffic, stop.clone());
    let mut serving = std::pin::pin!(serving);
    let mut interrupts = interrupts;
    tokio::select! {
        () = serving.as_mut() => {}
        () = interrupts.wait() => {
            stop.cancel();
            serving.await;
        }
    }
    drop(upkeep);
    leave(&runs, &path, terminal).await;
    Ok(())
}

/// A listener that waits for connections.
pub(crate) struct Bound {
    pub(crate) listener: TcpListener,
    pub(super) port: u16,
    pub(crate) url: String,
    own: String,
    is_unspecified: bool,
    pub(crate) is_loopback: bool,
}

impl Bound {
    /// Says where it really listens, `path` behind it, and who else hears it.
    pub(crate) fn tell(&self, path: &str, terminal: &Terminal) {
        let Self { own, port, url, .. } = self;
        terminal.say(&if self.is_unspecified {
            format!(
                "serving at http://{own}:{port}{path}, which is every address of this machine; \
                 from here it is {url}{path}"
            )
        } else {
            format!("serving at {url}{path}")
        });
        if !self.is_loopback {
            terminal.warn(
                "other machines can reach this server, and nothing on the way is encrypted, neither the token nor what \
                 the documents say: listen at 127.0.0.1, or behind a proxy that speaks TLS (docs/deployment.md)",
            );
        }
    }

    /// The names that the server goes by.
    pub(super) fn hosts(&self, more: &[String]) -> Vec<String> {
        let mut hosts: Vec<String> = LOOPBACK.map(str::to_owned).to_vec();
        // Everything answers to the unspecified address, which names nobody.
        if !self.is_unspecified && !hosts.contains(&self.own) {
            hosts.push(self.own.clone());
        }
        hosts.extend(more.iter().map(|host| host.to_lowercase()));
        hosts
    }
}

/// Listens at `ADDR:PORT`, an address alone or a port alone.
pub(crate) async fn bind(given: &str, usual: u16, no_token: bool) -> Result<Bound> {
    let (ip, port) = address(given, usual)?;
    if no_token && !ip.is_loopback() {
        return Err(CliError::usage(
            format!("could not serve at {ip} without a token"),
            "other machines could use it",
            "leave out --no-token, or serve at 127.0.0.1",
        ));
    }
    let listener = TcpListener::bind((ip, port)).await.map_err(|error| {
        let taken = error.kind() == std::io::ErrorKind::AddrInUse;
        CliError::new(
            Kind::Failure,
            format!("could not listen at {ip}:{port}"),
            if taken { "another program listens there".to_owned() } else { error.to_string() },
            "choose another port: port 0 takes a free one, as in 127.0.0.1:0",
        )
    })?;
    let port = listener.local_addr().map_or(port, |address| address.port());
    let own = if ip.is_ipv6() { format!("[{ip}]") } else { ip.to_string() };
    // Nobody goes to the unspecified address; on this machine, loopback is the same.
    let shown = if ip.is_unspecified() { "127.0.0.1".to_owned() } else { own.clone() };
    let url = format!("http://{shown}:{port}");
    Ok(Bound {
        listener,
        port,
        url,
        own,
        is_unspecified: ip.is_unspecified(),
        is_loopback: ip.is_loopback(),
    })
}

/// The address to listen at.
fn address(given: &str, usual: u16) -> Result<(IpAddr, u16)> {
    let wrong = || {
        CliError::usage(
            format!("could not serve at {given:?}"),
            "it is no address",
            format!("write an IP address and a port, such as 127.0.0.1:{usual}"),
        )
    };
    let given = given.replace("localhost", "127.0.0.1");
    if let Ok(address) = given.parse::<std::net::SocketAddr>() {
        return Ok((address.ip(), address.port()));
    }
    if let Ok(ip) = given.parse::<IpAddr>() {
        return Ok((ip, usual));
    }
    given.parse::<u16>().map(|port| (IpAddr::from([127, 0, 0, 1]), port)).map_err(|_| wrong())
}

/// Opens the browser of the system. That there is none is no failure: the address is printed.
fn browse(url: &str, terminal: &Terminal) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let opened = std::process::Command::new(program)
        .arg(url)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
    if let Err(error) = opened {
        terminal.warn(&format!("could not open a browser with {program}: {error}"));
    }
}
