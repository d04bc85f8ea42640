//! `elenchus distill`: finished runs and sessions become strategies.

use super::store_path;
use crate::bank::{bank, caller, settings};
use crate::cli::{DistillArgs, EndedArg};
use crate::config::{Config, Value};
use crate::error::{CliError, Result};
use crate::learning::DISTILLS;
use crate::mind::Mind;
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use elenchus_core::bank::{Caller, Outcome, scrub};
use elenchus_core::port::{Bank, Clock, Queued, Troubled};
use elenchus_engine::{DistilledSession, Distiller};
use elenchus_io::clock::SystemClock;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// What is said of a text of which no line says itself what was learned, where no model read it.
const UNREAD: &str = "no line of it says what was learned (\"Lesson: ...\", \"Pitfall: ...\"), and nothing else is read without \
                      a language model: queue it again with `--session FILE --model ollama:NAME`";

/// The longest session that is taken, in bytes.
const LARGEST: u64 = 4_000_000;

pub(super) async fn run(args: DistillArgs, mut config: Config, terminal: &Terminal) -> Result<()> {
    let path = store_path(args.store.store, &config)?;
    let bank = bank(&path, &config, terminal)?.shared();
    let caller = caller(&config)?;
    if args.failed {
        return given_up(&*bank, &caller, args.json, terminal).await;
    }
    if let Some(model) = config.text(DISTILLS).map(str::to_owned) {
        config.flag("model", DISTILLS, Some(Value::Text(model)));
    }
    super::set_model(&mut config, args.model)?;
    let mind = Mind::remembering(&config, true, terminal)?;
    if let Some(file) = &args.session {
        let outcome = args.outcome.map(|ended| match ended {
            EndedArg::Success => Outcome::Success,
            EndedArg::Failure => Outcome::Failure,
        });
        let told = Told { file, outcome, from_web: args.from_web, read: mind.speaks() };
        queue(&*bank, &caller, &told, terminal).await?;
    }
    mind.reach(terminal).await?;
    let distiller = Distiller::new(
        Arc::clone(&bank),
        mind.speaks().then(|| Arc::clone(&mind.model)),
        Arc::new(SystemClock),
        settings(&config)?,
    );
    let sessions = distiller.work().await?;
    show(&sessions, &*bank, &caller, args.json, terminal).await
}

/// A session of another agent, as it was named.
struct Told<'a> {
    file: &'a Path,
    outcome: Option<Outcome>,
    from_web: bool,
    /// Whether a language model is there to read it.
    read: bool,
}

/// Puts a finished session of another agent into the queue.
async fn queue(
    bank: &dyn Bank,
    caller: &Caller,
    told: &Told<'_>,
    terminal: &Terminal,
) -> Result<()> {
    let Told { file, outcome, from_web, read } = *told;
    let attempted = format!("could not queue the session {}", file.display());
    let unread = |cause: String| {
        CliError::usage(
            &attempted,
            cause,
            "name a text file: a line a step, what was tried and what came of it",
        )
    };
    let size = fs::metadata(file).map_err(|error| unread(error.to_string()))?.len();
    if size > LARGEST {
        return Err(CliError::usage(
            &attempted,
            format!("it holds {size} bytes and at most {LARGEST} are taken"),
            "cut it down to what was tried and what came of it",
        ));
    }
    let bytes = fs::read(file).map_err(|error| unread(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| unread("it is no text in UTF-8".to_owned()))?;
    if text.trim().is_empty() {
        return Err(unread("it is empty".to_owned()));
    }
    let clean = scrub(&text);
    if !clean.kinds.is_empty() {
        terminal.warn(&format!(
            "taken out of the session before it is kept: {}",
            clean.kinds.join(", ")
        ));
    }
    let name = elenchus_core::id::short_hash(text.as_bytes(), 12);
    // What only its own lines were taken from can be read later, once a model is there to do so.
    let kind = if read { "session" } else { "lines" };
    let session = Queued {
        id: 0,
        caller: caller.clone(),
        session_id: format!("{kind}_{name}"),
        outcome,
        trace: clean.text,
        from_web,
        shown: Vec::new(),
        attempts: 0,
    };
    if !bank.queue(caller, &session, SystemClock.now()).await? {
        terminal.say("this session was queued before; it is not distilled twice");
    }
    Ok(())
}

async fn show(
    sessions: &[DistilledSession],
    bank: &dyn Bank,
    caller: &Caller,
    as_json: bool,
    terminal: &Terminal,
) -> Result<()> {
    if as_json {
        let shown: Vec<_> = sessions
            .iter()
            .map(|session| {
                json!({
                    "session_id": session.session_id,
                    "memories": session.strategies,
                    "already_known": session.known,
                    "failed": session.failed,
                    "left_out": session.left_out,
                })
            })
            .collect();
        return terminal.print_line(&json!({ "sessions": shown }).to_string());
    }
    if sessions.is_empty() {
        return terminal.print_line("No finished run or session waits to be distilled.");
    }
    for session in sessions {
        let outcome = match (&session.failed, session.strategies.len()) {
            (Some(cause), _) => format!("put back: {cause}"),
            (None, 0) if session.known.is_empty() && session.unread => UNREAD.to_owned(),
            (None, 0) if session.known.is_empty() => {
                "teaches nothing that would help another".to_owned()
            }
            (None, 0) => format!("teaches what is known: {}", session.known.join("; ")),
            (None, n) => counted(n, "memory").replace("memorys", "memories"),
        };
        terminal.print_line(&format!("{}: {outcome}", session.session_id))?;
        for left in &session.left_out {
            terminal.print_line(&format!("  not taken: {left}"))?;
        }
        for id in &session.strategies {
            if let Ok(held) = bank.get(caller, id, SystemClock.now()).await {
                let what = &held.strategy.draft;
                terminal.print_line(&format!("  {id} {} ({:.2})", what.title, held.confidence))?;
                terminal.print_line(&format!("    {}", what.description))?;
            }
        }
    }
    Ok(())
}

/// Sessions that gave trouble, for review: the cause of every try, and the reply where one was kept.
async fn given_up(
    bank: &dyn Bank,
    caller: &Caller,
    as_json: bool,
    terminal: &Terminal,
) -> Result<()> {
    let all = bank.given_up(caller).await?;
    if as_json {
        let shown: Vec<_> = all
            .iter()
            .map(|one| {
                json!({
                    "session_id": one.session.session_id,
                    "stands": one.stands,
                    "attempts": one.session.attempts,
                    "cause": one.failed.cause,
                    "reply": one.failed.reply,
                    "tries": one.tries,
                    "trace": one.session.trace,
                })
            })
            .collect();
        return terminal.print_line(&json!({ "given_up": shown }).to_string());
    }
    if all.is_empty() {
        return terminal.print_line("No session gave trouble.");
    }
    for one in all {
        let id = &one.session.session_id;
        let tries = counted(one.session.attempts as usize, "try").replace("trys", "tries");
        terminal.print_line(&match one.stands {
            Troubled::GivenUp => format!("{id} after {tries}: {}", one.failed.cause),
            Troubled::Waits => format!("{id} waits after {tries}: {}", one.failed.cause),
            Troubled::PartlyRead => {
                format!("{id} was distilled, but for a part of the reply: {}", one.failed.cause)
            }
        })?;
        // The last one is told above.
        let earlier = one.tries.split_last().map_or(&[][..], |(_, earlier)| earlier);
        for before in earlier.iter().filter(|before| before.cause != one.failed.cause) {
            terminal.print_line(&format!("  before: {}", before.cause))?;
        }
        if let Some(reply) = &one.failed.reply {
            for line in reply.lines() {
                terminal.print_line(&format!("    {line}"))?;
            }
        }
    }
    Ok(())
}
