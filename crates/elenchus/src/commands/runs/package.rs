//! `elenchus runs export --format ro-crate`: the folder of a package.

use super::Named;
use crate::error::{CliError, Result};
use crate::kept::write_whole;
use crate::ui::terminal::{Terminal, unsayable};
use elenchus_server::wire::package;
use std::fs;
use std::path::Path;

pub(super) async fn write(
    named: &Named,
    folder: Option<&Path>,
    force: bool,
    terminal: &Terminal,
) -> Result<()> {
    let Some(folder) = folder else {
        return Err(CliError::usage(
            format!("could not write the package of run {}", named.id),
            "a package is a folder, and none was named",
            "name a new folder with --out",
        ));
    };
    let attempted = || format!("could not write the package to {}", folder.display());
    if folder.is_file() {
        return Err(CliError::usage(attempted(), "it is a file", "name a new folder"));
    }
    let full = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if full && !force {
        return Err(CliError::usage(
            attempted(),
            "the folder has something in it",
            "name a new folder, or write into this one with --force",
        ));
    }
    let (run, answer) = named.ended().await?;
    let events = named.store.events(&named.id, 0).await?;
    let stored = |error: std::io::Error| {
        CliError::storage(attempted(), error.to_string(), "make room or choose another place")
    };
    let files = package(&answer, &run, &events).map_err(|error| unsayable(&error))?;
    fs::create_dir_all(folder).map_err(stored)?;
    // The metadata last: a folder without them is no package yet.
    for file in files.iter().rev() {
        write_whole(&folder.join(&file.name), file.text.as_bytes()).map_err(stored)?;
    }
    terminal.say(&format!("wrote {} files to {}", files.len(), folder.display()));
    Ok(())
}
