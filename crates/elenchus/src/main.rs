//! The `elenchus` command: arguments, settings, wiring, and what a person sees.

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
mod vectors;
mod web;
mod wire;
mod words;

use clap::Parser;
use config::Config;
use elenchus_core::text::is_invisible;
use std::io::Write;
use std::process::ExitCode;
use ui::terminal::{Color, Terminal, harmless};

fn main() -> ExitCode {
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refused(&error),
    };
    let config = Config::load();
    let chosen = cli.color.unwrap_or_else(|| {
        let set = config.as_ref().ok().and_then(|config| config.text("color"));
        Color::of(set.unwrap_or("auto"))
    });
    let mut terminal = Terminal::new(chosen, cli.quiet);
    terminal.json_errors = commands::speaks_json(&cli.command);
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

/// What the parser of arguments says: help, a version, or a refusal, which repeats arguments as they were given.
fn refused(error: &clap::Error) -> ExitCode {
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

fn eprint(text: &str) {
    // A terminal that is gone is no reason to say more.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
