//! `elenchus memory export` and `import`.

use super::open;
use crate::cli::{MemoryExportArgs, MemoryFormat, MemoryImportArgs};
use crate::config::Config;
use crate::error::{CliError, Result};
use crate::kept::write_whole;
use crate::ui::terminal::{Terminal, unsayable};
use elenchus_core::port::Exported;
use elenchus_io::bank::{from_markdown, to_markdown};
use serde_json::json;
use std::io::Read;
use std::path::Path;

/// The largest file that is read, in bytes.
const LARGEST: u64 = 512 * 1024 * 1024;

pub(super) async fn export(
    args: MemoryExportArgs,
    config: &Config,
    terminal: &Terminal,
) -> Result<()> {
    let format = args.format.unwrap_or_else(|| by_name(args.out.as_deref()));
    if let Some(file) = &args.out
        && file.exists()
        && !args.force
    {
        return Err(CliError::usage(
            format!("could not write to {}", file.display()),
            "the file exists",
            "choose another name, or overwrite it with --force",
        ));
    }
    let on = open(args.store, config, terminal)?;
    let exported = on.bank.export(&on.caller).await?;
    let text = match format {
        MemoryFormat::Md => to_markdown(&exported),
        MemoryFormat::Jsonl => lines(&exported)?,
    };
    let Some(file) = args.out else { return terminal.print(&text) };
    write_whole(&file, text.as_bytes()).map_err(|error| {
        CliError::storage(
            format!("could not write to {}", file.display()),
            error.to_string(),
            "make room or choose another place",
        )
    })?;
    let many = super::shown::memories(exported.len());
    terminal.say(&format!("wrote {many} to {}", file.display()));
    Ok(())
}

pub(super) async fn import(
    args: MemoryImportArgs,
    config: &Config,
    terminal: &Terminal,
) -> Result<()> {
    let shown = args.file.display().to_string();
    let attempted = || format!("could not import {shown}");
    let piped = args.file.as_os_str() == "-";
    let unreadable = |error: std::io::Error| {
        CliError::usage(attempted(), error.to_string(), "name a file of text that may be read")
    };
    let mut text = String::new();
    let source: Box<dyn Read> = if piped {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(std::fs::File::open(&args.file).map_err(unreadable)?)
    };
    source.take(LARGEST).read_to_string(&mut text).map_err(unreadable)?;
    let on = open(args.place.store, config, terminal)?;
    let name = (!piped).then_some(args.file.as_path());
    let exported = match args.format.unwrap_or_else(|| by_name(name)) {
        MemoryFormat::Md => from_markdown(&text, &on.caller.actor, on.now).map_err(|cause| {
            CliError::parsed(crate::error::Kind::Usage, &cause, "mend the file")
        })?,
        MemoryFormat::Jsonl => read_lines(&text, &attempted)?,
    };
    let new = on.bank.import(&on.caller, &exported, on.now).await?;
    if args.place.json {
        return terminal.print_json(&json!({ "read": exported.len(), "new": new }));
    }
    let many = super::shown::memories(exported.len());
    terminal.print(&format!("read {many}, {new} of them new\n"))
}

fn by_name(file: Option<&Path>) -> MemoryFormat {
    let extension = file.and_then(Path::extension).map(|it| it.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("md" | "markdown") => MemoryFormat::Md,
        _ => MemoryFormat::Jsonl,
    }
}

fn lines(exported: &[Exported]) -> Result<String> {
    let mut out = String::new();
    for one in exported {
        out.push_str(&serde_json::to_string(one).map_err(|error| unsayable(&error))?);
        out.push('\n');
    }
    Ok(out)
}

fn read_lines(text: &str, attempted: &dyn Fn() -> String) -> Result<Vec<Exported>> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(at, line)| {
            serde_json::from_str(line).map_err(|error| {
                CliError::usage(
                    attempted(),
                    format!("line {} is no memory ({error})", at + 1),
                    "mend the line or take it out; nothing was imported. `--format md` reads Markdown",
                )
            })
        })
        .collect()
}
