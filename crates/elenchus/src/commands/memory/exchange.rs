//! `elenchus memory export` and `import`.

use super::{Opened, open};
use crate::cli::{MemoryExportArgs, MemoryFormat, MemoryImportArgs};
use crate::config::Config;
use crate::error::{CliError, Kind, Result};
use crate::kept::write_whole;
use crate::ui::terminal::{Terminal, unsayable};
use elenchus_core::bank::{Caller, Standing, standing_at_first};
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
    let name = (!piped).then_some(args.file.as_path());
    let format = args.format.unwrap_or_else(|| by_name(name));
    if text.trim().is_empty() {
        return Err(no_export(attempted(), "it is empty", format));
    }
    let on = open(args.place.store, config, terminal)?;
    let mut exported = match format {
        MemoryFormat::Md => read_markdown(&text, &on, &attempted)?,
        MemoryFormat::Jsonl => read_lines(&text, &attempted)?,
    };
    if args.from_web {
        for one in &mut exported {
            foreign(one, &on.caller);
        }
    }
    let new = on.bank.import(&on.caller, &exported, on.now).await?;
    if args.place.json {
        return terminal.print_json(&json!({ "read": exported.len(), "new": new }));
    }
    let many = super::shown::memories(exported.len());
    let rest = if new < exported.len() { "; what was there already stays as it is" } else { "" };
    terminal.print(&format!("read {many}, {new} of them new{rest}\n"))
}

/// A memory that a stranger wrote: it waits for somebody to vouch for it, and its votes are the word of its file alone.
fn foreign(one: &mut Exported, caller: &Caller) {
    one.signals.clear();
    let strategy = &mut one.strategy;
    strategy.draft.from_web = true;
    strategy.actor.clone_from(&caller.actor);
    if !matches!(strategy.standing, Standing::Archived { .. }) {
        strategy.standing = standing_at_first(&strategy.draft, &[], 0);
    }
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

/// A file of which nothing is a memory is another one than was meant, and to import nothing of it would say otherwise.
fn no_export(attempted: String, cause: impl Into<String>, format: MemoryFormat) -> CliError {
    let other = match format {
        MemoryFormat::Jsonl => "`--format md` reads Markdown",
        MemoryFormat::Md => "`--format jsonl` reads lines of JSON",
    };
    let hint = format!("name a file that `elenchus memory export` wrote; {other}");
    CliError::usage(attempted, cause, hint)
}

fn read_markdown(text: &str, on: &Opened, attempted: &dyn Fn() -> String) -> Result<Vec<Exported>> {
    let exported = from_markdown(text, &on.caller.actor, on.now)
        .map_err(|cause| CliError::parsed(Kind::Usage, &cause, "mend the file"))?;
    // Any text may have headings; a memory says when to use it, or was written by an export, which notes its id.
    let is_memory = |one: &Exported| {
        !one.strategy.draft.description.is_empty() || !one.strategy.id.as_str().is_empty()
    };
    if !exported.iter().any(is_memory) {
        return Err(no_export(
            attempted(),
            "no line of it begins a memory: a heading `## TITLE` with `- description: ...` and a block of text below",
            MemoryFormat::Md,
        ));
    }
    Ok(exported)
}

fn read_lines(text: &str, attempted: &dyn Fn() -> String) -> Result<Vec<Exported>> {
    let mut read: Vec<Exported> = Vec::new();
    let mut first_bad: Option<(usize, serde_json::Error)> = None;
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str(line) {
            Ok(one) => read.push(one),
            Err(error) if first_bad.is_none() => first_bad = Some((at + 1, error)),
            Err(_) => {}
        }
    }
    match first_bad {
        None => Ok(read),
        Some((at, error)) if read.is_empty() => Err(no_export(
            attempted(),
            format!("no line of it is a memory (line {at}: {error})"),
            MemoryFormat::Jsonl,
        )),
        Some((at, error)) => Err(CliError::usage(
            attempted(),
            format!("line {at} is no memory ({error})"),
            "mend the line or take it out; nothing was imported. `--format md` reads Markdown",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_memory_is_told_from_one_with_a_bad_line() {
        let read = |text: &str| read_lines(text, &|| "could not import it".to_owned());
        let none = read("# Notes\n\nNothing here.\n").unwrap_err();
        assert_eq!(none.exit_code, 2);
        assert!(none.cause.starts_with("no line of it is a memory (line 1:"), "{none:?}");
        assert!(none.hint.contains("memory export"), "{none:?}");
        let shape = read("{\"title\": \"a memory of another program\"}\n").unwrap_err();
        assert!(shape.cause.starts_with("no line of it is a memory"), "{shape:?}");
    }
}
