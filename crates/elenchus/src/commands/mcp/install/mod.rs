//! `elenchus mcp install`: writes the server into the settings of a program that speaks to it.
//!
//! The settings belong to somebody else: what is not ours stays as it is, byte for byte, the file before the change is
//! kept beside it, and a file that cannot be read as what it should be is not touched.

mod bundle;
mod clients;
mod json;
mod skill;
mod toml;
mod yaml;

use crate::cli::{ClientArg, McpInstallArgs};
use crate::error::{CliError, Result};
use crate::ui::terminal::Terminal;
use clients::{Client, Form};
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// How the program starts the server.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    name: String,
    command: String,
    arguments: Vec<String>,
}

/// What is to be done with the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Install,
    Uninstall,
}

/// Where a text stops making sense, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Malformed {
    /// From 1.
    line: usize,
    /// In characters, from 1.
    column: usize,
    cause: String,
}

impl Malformed {
    /// At a byte of a text.
    fn at(text: &str, byte: usize, cause: impl Into<String>) -> Self {
        let mut byte = byte.min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        let before = &text[..byte];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            cause: cause.into(),
        }
    }
}

/// The text with the entry put in or taken out; the same text when there is nothing to do.
fn changed(
    client: &Client,
    text: &str,
    entry: &Entry,
    change: Change,
) -> std::result::Result<String, Malformed> {
    // A mark that some editors put first, which no parser wants to see.
    let (mark, plain) = match text.strip_prefix('\u{feff}') {
        Some(plain) => ("\u{feff}", plain),
        None => ("", text),
    };
    let done = match client.form {
        Form::Json { key, shape } => json::changed(plain, key, shape, entry, change),
        Form::Toml => toml::changed(plain, entry, change),
        Form::Yaml => yaml::changed(plain, entry, change),
    }?;
    Ok(format!("{mark}{done}"))
}

pub(in crate::commands) fn run(args: &McpInstallArgs, terminal: &Terminal) -> Result<()> {
    let Some(named) = args.client else { return skill::run(args, terminal) };
    if let Some(file) = &args.bundle {
        return bundle::run(named, file, args, terminal);
    }
    let client = clients::of(named);
    let entry = entry(args)?;
    if args.corpus.is_none() && !args.uninstall {
        terminal.say(
            "the entry names no folder of documents, so that the server reads those of the settings where it is started, \
             if there are any: add --corpus DIR to name one",
        );
    }
    if args.project.is_none() && !client.in_folder && !args.uninstall {
        terminal.say(&format!(
            "{} starts the server in no folder of yours, so that it has memories of its own: add --project NAME for those \
             of a project, as `elenchus memory stats` names it in its folder",
            client.name
        ));
    }
    if args.print {
        let new = changed(client, "", &entry, Change::Install);
        return terminal.print(&new.unwrap_or_default());
    }
    let file = match &args.file {
        Some(file) => file.clone(),
        None => clients::file(named)?,
    };
    // What a link leads to is changed, and the link stays.
    let file = fs::canonicalize(&file).unwrap_or(file);
    let change = if args.uninstall { Change::Uninstall } else { Change::Install };
    let attempted =
        || format!("could not change the settings of {} in {}", client.name, file.display());
    let before = match fs::read(&file) {
        Ok(bytes) => Some(String::from_utf8(bytes).map_err(|_| {
            CliError::usage(attempted(), "the file is not text in UTF-8", "save it as UTF-8 first")
        })?),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => {
            return Err(CliError::storage(attempted(), error.to_string(), "check its permissions"));
        }
    };
    if before.is_none() && change == Change::Uninstall {
        terminal.say(&format!(
            "{} has no settings in {}: nothing to take out",
            client.name,
            file.display()
        ));
        return Ok(());
    }
    let text = before.clone().unwrap_or_default();
    let after = changed(client, &text, &entry, change).map_err(|wrong| {
        CliError::usage(
            attempted(),
            format!("line {}, column {}: {}", wrong.line, wrong.column, wrong.cause),
            "mend the file there; nothing was changed. `--print` shows what to add by hand",
        )
    })?;
    if before.as_ref() == Some(&after) {
        let state = if change == Change::Install {
            "knows the server already"
        } else {
            "does not know the server"
        };
        terminal.say(&format!("{} {state}: {} stays as it is", client.name, file.display()));
        return Ok(());
    }
    let kept = write(&file, before.as_deref(), &after).map_err(|error| {
        CliError::storage(attempted(), error.to_string(), "check its permissions")
    })?;
    let done = if change == Change::Install { "written into" } else { "taken out of" };
    terminal.say(&format!("{} was {done} {}", entry.name, file.display()));
    if let Some(kept) = kept {
        terminal.say(&format!("the file as it was: {}", kept.display()));
        let first = first_backup(&file);
        if first != kept {
            terminal.say(&format!("and before the first change: {}", first.display()));
        }
    }
    terminal.say(match change {
        Change::Install => client.afterwards,
        Change::Uninstall => client.without,
    });
    Ok(())
}

/// What could not be done where nothing is known of how the server is started.
const UNTOLD: &str = "could not tell how to start the server";

/// A name that every program takes.
fn plain_name(name: &str) -> Result<()> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    if name.is_empty() || name.len() > 30 || !name.chars().all(plain) {
        return Err(CliError::usage(
            UNTOLD,
            format!("{name:?} is no name for a server"),
            "use at most 30 letters, digits, `-` and `_`: some programs take no others",
        ));
    }
    Ok(())
}

/// A path as text, as settings hold it.
fn path_text(path: PathBuf) -> Result<String> {
    path.into_os_string().into_string().map_err(|path| {
        CliError::usage(
            UNTOLD,
            format!("the path {} is not UTF-8", Path::new(&path).display()),
            "reach it through a link with a plain name",
        )
    })
}

fn entry(args: &McpInstallArgs) -> Result<Entry> {
    plain_name(&args.name)?;
    let command = std::env::current_exe().map_err(|error| {
        CliError::usage(UNTOLD, error.to_string(), "write the entry by hand, see --print")
    })?;
    let mut arguments = vec!["mcp".to_owned()];
    if let Some(corpus) = &args.corpus {
        arguments.extend(["--corpus".to_owned(), path_text(crate::wire::folder(corpus)?)?]);
    }
    if let Some(project) = &args.project {
        arguments.extend(["--project".to_owned(), project.clone()]);
    }
    Ok(Entry { name: args.name.clone(), command: path_text(command)?, arguments })
}

/// Beside a file, with something behind its name.
fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    file.with_file_name(name)
}

/// Where the file is kept as it was before the first change. It is never written again.
fn first_backup(file: &Path) -> PathBuf {
    beside(file, ".before-elenchus")
}

/// Where it is kept as it was before the last change, where that was not the first.
fn last_backup(file: &Path) -> PathBuf {
    beside(file, ".before-last-change")
}

/// Writes the new text as a whole or not at all, after the old one was put aside; gives where. Permissions stay.
fn write(file: &Path, before: Option<&str>, after: &str) -> std::io::Result<Option<PathBuf>> {
    let permissions = fs::metadata(file).ok().map(|found| found.permissions());
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    let put = |target: &Path, text: &str| -> std::io::Result<()> {
        let part = beside(target, &format!(".{}.part", std::process::id()));
        let written = private(&part).and_then(|mut out| {
            out.write_all(text.as_bytes())?;
            if let Some(permissions) = &permissions {
                out.set_permissions(permissions.clone())?;
            }
            out.sync_all()?;
            fs::rename(&part, target)
        });
        written.inspect_err(|_| {
            let _ = fs::remove_file(&part);
        })
    };
    let mut kept = None;
    if let Some(before) = before {
        let first = first_backup(file);
        // A link that leads nowhere is there, too.
        let is_there = fs::symlink_metadata(&first).is_ok();
        let target = if is_there { last_backup(file) } else { first };
        put(&target, before)?;
        kept = Some(target);
    }
    put(file, after)?;
    Ok(kept)
}

/// A new file for its user alone: settings hold keys.
fn private(file: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)
}

#[cfg(test)]
mod tests;
