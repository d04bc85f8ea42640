//! `elenchus demo`: the sample documents, written out of the program and asked.

mod sample;

use super::ask;
use crate::cli::{AskArgs, Cli, Command, DemoArgs};
use crate::config::Config;
use crate::error::{CliError, Kind, Result};
use crate::paths;
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use clap::Parser;
use sample::FILES;
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// What is asked where nothing else is: a figure that has changed, and one that nobody has written down.
const QUESTION: &str =
    "What is the installed capacity, and what will the second phase at Corbie Head cost?";

/// Settings of the user that count here as well: where runs are kept, and whose they are.
const KEPT: [&str; 4] = ["store", "project", "team", "org"];

/// Folders below the data folder that are tried, where somebody has put something of their own into the first.
const MOST: usize = 100;

pub(super) async fn run(args: DemoArgs, config: &Config, terminal: &Terminal) -> Result<()> {
    let folder = match &args.into {
        Some(folder) => {
            written(folder)?;
            folder.clone()
        }
        None => own()?,
    };
    let bytes: usize = FILES.iter().map(|(_, bytes)| bytes.len()).sum();
    terminal.say(&format!(
        "{} ({} KB) are in {}",
        counted(FILES.len(), "sample document"),
        bytes.div_ceil(1000),
        folder.display()
    ));
    let question = args.question.as_deref().unwrap_or(QUESTION);
    if args.question.is_none() {
        terminal.say(&format!("asking: {question}"));
    }
    let asked = asking(&args, question, &folder)?;
    Box::pin(ask::run(asked, config.only(&KEPT), terminal)).await?;
    // In quotation marks for a shell, where the path needs them.
    let shown = folder.display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:\\".contains(c);
    let shown = if shown.chars().all(is_plain) { shown } else { format!("\"{shown}\"") };
    terminal.say("\nto try next:");
    for line in [
        format!("elenchus ask \"What caused the outage of 11 February 2026?\" --corpus {shown}"),
        format!("elenchus contradictions --corpus {shown}"),
        format!("elenchus tui --corpus {shown}"),
        format!("elenchus serve --corpus {shown}"),
        "elenchus ask \"...\" --corpus DIR, with a folder of your own".to_owned(),
    ] {
        terminal.say(&format!("  {line}"));
    }
    Ok(())
}

/// The arguments of `ask`, as if they had been typed: what is not said here is as it is there. Nothing is learned from it.
fn asking(args: &DemoArgs, question: &str, folder: &Path) -> Result<AskArgs> {
    let mut words: Vec<OsString> =
        ["elenchus", "ask", "--no-memory", "--corpus"].map(OsString::from).to_vec();
    words.push(folder.into());
    let output = &args.output;
    let flags = [("--json", output.json), ("--jsonl", output.jsonl), ("--force", output.force)];
    words.extend(flags.iter().filter(|(_, is_set)| *is_set).map(|(flag, _)| OsString::from(*flag)));
    for (flag, path) in [("--out", &output.out), ("--store", &args.store.store)] {
        if let Some(path) = path {
            words.extend([OsString::from(flag), path.clone().into_os_string()]);
        }
    }
    words.extend(["--", question].map(OsString::from));
    let parsed = Cli::try_parse_from(words).map(|cli| cli.command);
    match parsed {
        Ok(Command::Ask(args)) => Ok(args),
        Ok(_) => Err(unaskable("another command was read")),
        Err(error) => Err(unaskable(&error.to_string())),
    }
}

fn unaskable(cause: &str) -> CliError {
    CliError::new(
        Kind::Failure,
        "could not ask the sample documents",
        cause,
        "ask them with `elenchus ask QUESTION --corpus DIR`",
    )
}

/// A folder below the data folder with the documents in it and nothing else: the first that is there or can be made.
fn own() -> Result<PathBuf> {
    let base = paths::demo()?;
    let mut last = None;
    for number in 1..=MOST {
        let name = if number == 1 { "harbor".to_owned() } else { format!("harbor-{number}") };
        let folder = base.join(name);
        match written(&folder) {
            Ok(()) => return Ok(folder),
            // What cannot be written here cannot be written next to it.
            Err(error) if error.kind != Kind::Usage => return Err(error),
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| unaskable("no folder was tried")))
}

/// Writes what of the documents is not there yet. Where there is anything else, or one of them has been changed, nothing is
/// written: it is somebody's.
fn written(folder: &Path) -> Result<()> {
    let foreign = |cause: String| {
        CliError::usage(
            format!("could not write the sample documents into {}", folder.display()),
            cause,
            "name an empty folder, or one that is not there yet, with --into",
        )
    };
    let failed = |path: &Path, error: &std::io::Error| {
        CliError::storage(
            format!("could not write the sample documents into {}", folder.display()),
            format!("{}: {error}", path.display()),
            "make room, check its permissions, or name another folder with --into",
        )
    };
    match fs::symlink_metadata(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(failed(folder, &error)),
        Ok(_) if !folder.is_dir() => return Err(foreign("it is no folder".to_owned())),
        Ok(_) => {
            let mut found = Vec::new();
            below(folder, &mut found).map_err(|(path, error)| failed(&path, &error))?;
            for path in found {
                if !is_ours(folder, &path).map_err(|error| failed(&path, &error))? {
                    let cause = format!("{} is there and is none of them", path.display());
                    return Err(foreign(cause));
                }
            }
        }
    }
    for (name, bytes) in FILES {
        let path = folder.join(name);
        let put = || {
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            let mut out = OpenOptions::new().write(true).create_new(true).open(&path)?;
            out.write_all(bytes)
        };
        match put() {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(&path, &error)),
        }
    }
    Ok(())
}

type Unread = (PathBuf, std::io::Error);

/// What lies in a folder and in those in it, but for folders: of a link itself, not what it leads to.
fn below(folder: &Path, into: &mut Vec<PathBuf>) -> std::result::Result<(), Unread> {
    let unread = |error| (folder.to_owned(), error);
    for entry in fs::read_dir(folder).map_err(unread)? {
        let entry = entry.map_err(unread)?;
        if entry.file_type().map_err(unread)?.is_dir() {
            below(&entry.path(), into)?;
        } else {
            into.push(entry.path());
        }
    }
    Ok(())
}

/// Whether a file is one of the documents, as it was written.
fn is_ours(folder: &Path, path: &Path) -> std::io::Result<bool> {
    let Some((_, bytes)) = FILES.iter().find(|(name, _)| folder.join(name) == path) else {
        return Ok(false);
    };
    let found = fs::symlink_metadata(path)?;
    Ok(found.is_file() && found.len() == bytes.len() as u64 && fs::read(path)? == *bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documents_are_those_of_the_repository() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/harbor");
        let mut found = Vec::new();
        below(&root, &mut found).unwrap();
        found.sort();
        let mut known: Vec<PathBuf> = FILES.iter().map(|(name, _)| root.join(name)).collect();
        known.sort();
        assert_eq!(found, known, "sample.rs names every document of examples/harbor and no other");
        for (name, bytes) in FILES {
            assert_eq!(fs::read(root.join(name)).unwrap(), bytes, "{name}");
        }
        // The help says how big they are.
        assert_eq!(FILES.len(), 14);
        let bytes: usize = FILES.iter().map(|(_, bytes)| bytes.len()).sum();
        assert_eq!(bytes.div_ceil(1000), 15);
    }

    #[test]
    fn nothing_of_anybody_is_written_over() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("a/b");
        written(&folder).unwrap();
        written(&folder).unwrap();
        fs::remove_file(folder.join("people.md")).unwrap();
        written(&folder).unwrap();
        assert!(folder.join("people.md").is_file(), "what is missing is written again");
        fs::write(folder.join("people.md"), "mine").unwrap();
        let error = written(&folder).unwrap_err();
        assert!(error.cause.contains("people.md") && error.hint.contains("--into"), "{error:?}");
        assert_eq!(fs::read_to_string(folder.join("people.md")).unwrap(), "mine");

        let other = home.path().join("other");
        fs::create_dir_all(other.join("deep")).unwrap();
        fs::write(other.join("deep/mine.txt"), "mine").unwrap();
        assert!(written(&other).unwrap_err().cause.contains("mine.txt"));
        assert_eq!(fs::read_dir(&other).unwrap().count(), 1, "nothing was written");
        let file = home.path().join("file");
        fs::write(&file, "mine").unwrap();
        assert!(written(&file).unwrap_err().cause.contains("no folder"));
    }
}
