//! The Restate server that tests of durable runs start: a package of npm, never a part of what we ship. It goes into
//! `target/restate-tools`; a machine without npm skips those tests and says so.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::npm;

/// Pinned, so that what the server does changes only when we change it.
const PACKAGE: &str = "@restatedev/restate-server@1.7.12";
/// The variable by which tests find the server.
const VARIABLE: &str = "ELENCHUS_TEST_RESTATE";

/// The package that holds the server for this machine, in npm's words; `None` where there is none.
fn platform() -> Option<&'static str> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Some("linux-x64"),
        ("linux", "aarch64") => Some("linux-arm64"),
        ("macos", "x86_64") => Some("darwin-x64"),
        ("macos", "aarch64") => Some("darwin-arm64"),
        _ => None,
    }
}

/// The path of the server's binary, which is installed first where it is not there yet. One that the variable names is taken as
/// it is. The error says why there is none.
pub(crate) fn server(root: &Path) -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os(VARIABLE) {
        return Ok(PathBuf::from(named));
    }
    let platform = platform().ok_or("there is no Restate server for this system")?;
    let target = crate::step::target(root);
    let tools = target.join("restate-tools");
    let file = format!("@restatedev/restate-server-{platform}/bin/restate-server");
    npm::install(&tools, &[PACKAGE], &[&file])?;
    let binary = tools.join("node_modules").join(file);
    if binary.is_file() {
        Ok(binary)
    } else {
        Err(format!("{} is not there after installing {PACKAGE}", binary.display()))
    }
}

/// Tells a command that runs tests where the server is. Gives what is to be said where there is none.
pub(crate) fn provide(root: &Path, command: &mut Command) -> Option<String> {
    match server(root) {
        Ok(binary) => {
            command.env(VARIABLE, binary);
            None
        }
        Err(why) => {
            println!("skip: durable runs: {why}");
            Some(format!("durable runs: {why}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_is_pinned() {
        let version = PACKAGE.rsplit('@').next().unwrap();
        assert!(version.split('.').all(|part| part.parse::<u32>().is_ok()), "{version}");
        assert_eq!(version.split('.').count(), 3);
    }
}
