//! Packages of npm that check us, in a folder of their own.

use std::path::Path;
use std::process::{Command, Stdio};

/// Installs packages, unless all of `files` lie in the folder's `node_modules` already. Says whether it did anything. What
/// packages want to run at their installation is not run.
pub(crate) fn install(tools: &Path, packages: &[&str], files: &[&str]) -> Result<bool, String> {
    let modules = tools.join("node_modules");
    if files.iter().all(|file| modules.join(file).exists()) {
        return Ok(false);
    }
    std::fs::create_dir_all(tools)
        .map_err(|error| format!("could not make {}: {error}", tools.display()))?;
    run(tools, &["init", "--yes", "--loglevel=error"])?;
    // Where there is no network, that is found out soon.
    let mut words = vec!["install", "--fetch-retries=1", "--fetch-timeout=30000"];
    words.extend(["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
    words.extend(packages);
    run(tools, &words)?;
    Ok(true)
}

/// Runs npm in the folder.
pub(crate) fn run(tools: &Path, words: &[&str]) -> Result<(), String> {
    let mut command = Command::new("npm");
    command.current_dir(tools).args(words).stdin(Stdio::null());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("could not install with npm: {command:?} ended with {status}")),
        Err(error) => Err(format!("could not start npm ({error}): install Node, 18 or newer")),
    }
}
