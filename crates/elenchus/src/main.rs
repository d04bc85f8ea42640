//! The `elenchus` command: arguments, settings, wiring, and what a person sees.

mod api_keys;
mod bank;
mod cli;
mod commands;
mod config;
mod drive;
mod durable;
mod error;
mod feedback;
mod ground;
mod kept;
mod learning;
mod mind;
#[cfg(feature = "onnx")]
mod onnx;
mod opinions;
mod paths;
mod prices;
mod signals;
mod store_place;
mod telemetry;
mod time;
mod tui;
mod ui;
mod upkeep;
mod vectors;
mod web;
mod wire;
mod words;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};
use config::Config;
use elenchus_core::text::is_invisible;
use error::CliError;
use std::io::Write;
use std::process::ExitCode;
use ui::orders;
use ui::terminal::{Color, Links, Terminal, harmless};
use words::nearest;

fn main() -> ExitCode {
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refused(&with_what_was_meant(error)),
    };
    let config = Config::load();
    let chosen = cli.color.unwrap_or_else(|| {
        let set = config.as_ref().ok().and_then(|config| config.text("color"));
        Color::of(set.unwrap_or("auto"))
    });
    let links = cli.hyperlinks.unwrap_or_else(|| {
        let set = config.as_ref().ok().and_then(|config| config.text("hyperlinks"));
        Links::of(set.unwrap_or("auto"))
    });
    let mut terminal = Terminal::new(chosen, cli.quiet);
    terminal.json_errors = commands::speaks_json(&cli.command);
    if !terminal.json_errors {
        terminal = terminal.with_output(links, !cli.no_pager);
    }
    terminal.store = commands::store_flag(&cli.command).and_then(orders::as_typed);
    let done = commands::run(cli.command, config, &terminal);
    terminal.clear();
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            terminal.error(&error);
            ExitCode::from(error.exit_code)
        }
    }
}

/// A command that is not there, with what was probably meant. The parser sees likeness in long words only: `aks` it leaves
/// alone, and a question without `ask`.
fn with_what_was_meant(mut error: clap::Error) -> clap::Error {
    if error.kind() != ErrorKind::InvalidSubcommand
        || error.get(ContextKind::SuggestedSubcommand).is_some()
    {
        return error;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    let word = word.clone();
    let root = cli::Cli::command();
    let mut command = &root;
    for typed in std::env::args_os().skip(1).take_while(|typed| *typed != *word) {
        if let Some(below) = typed.to_str().and_then(|typed| command.find_subcommand(typed)) {
            command = below;
        }
    }
    let names = command.get_subcommands().map(clap::Command::get_name);
    if let Some(meant) = nearest(&word, names) {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::String(meant.to_owned()));
    } else if command.get_name() == root.get_name() && word.contains(char::is_whitespace) {
        let tip = format!("a question is asked with `elenchus ask {word:?} --corpus DIR`");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// What the parser of arguments says: help, a version, or a refusal, which repeats arguments as they were given.
fn refused(error: &clap::Error) -> ExitCode {
    if let Some(usage) = for_programs(error) {
        let mut terminal = Terminal::new(Color::Never, false);
        terminal.json_errors = true;
        terminal.error(&usage);
        return ExitCode::from(usage.exit_code);
    }
    // Rendered without colours the text has lost the signs that are looked for, so the arguments themselves are asked.
    let tame = std::env::args_os().all(|word| {
        let word = word.to_string_lossy();
        harmless(&word) == word
    });
    if tame {
        error.exit();
    }
    // What an argument holds is no mark of ours either.
    let plain: String = error.render().to_string();
    let shown: String =
        plain.chars().filter(|c| matches!(c, '\n' | '\t') || !is_invisible(*c)).collect();
    eprint(&shown);
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// A refusal as programs are told errors, where JSON was asked for: which command it was for may be what cannot be read.
fn for_programs(error: &clap::Error) -> Option<CliError> {
    let wanted = std::env::args_os().any(|word| word == "--json" || word == "--jsonl");
    let is_refusal =
        error.use_stderr() && error.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if !wanted || !is_refusal {
        return None;
    }
    let text = error.render().to_string();
    let lines = || text.lines().map(str::trim);
    let cause: Vec<&str> = lines().take_while(|line| !line.is_empty()).collect();
    let cause = cause.join(" ");
    let cause = cause.strip_prefix("error: ").unwrap_or(&cause);
    let tips: Vec<&str> = lines().filter_map(|line| line.strip_prefix("tip: ")).collect();
    let hint = if tips.is_empty() {
        "`--help` behind the command shows what it takes".to_owned()
    } else {
        tips.join("; ")
    };
    Some(CliError::usage("could not read the arguments", cause, hint))
}

fn eprint(text: &str) {
    // A terminal that is gone is no reason to say more.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
