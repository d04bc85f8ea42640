//! The `elenchus` command: arguments, settings, wiring, and what a person sees.

mod bank;
mod cli;
mod commands;
mod config;
mod drive;
mod error;
mod feedback;
mod kept;
mod learning;
mod mind;
#[cfg(feature = "onnx")]
mod onnx;
mod opinions;
mod paths;
mod signals;
mod time;
mod ui;
mod wire;
mod words;

use clap::Parser;
use config::Config;
use std::process::ExitCode;
use ui::terminal::{Color, Terminal};

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
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
