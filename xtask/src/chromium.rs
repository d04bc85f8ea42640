//! The Chromium that looks at the pages: the machine's own or, for root on Debian, Debian's package.

use std::ffi::OsString;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::JoinHandle;

/// Names under which it goes.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// The variable that names one. Empty, it says that there shall be none, and nothing is installed.
const VARIABLE: &str = "ELENCHUS_CHROMIUM";
/// Debian's packages: the browser, and letters for what it shows.
const PACKAGES: [&str; 2] = ["chromium", "fonts-liberation"];

/// A browser that is looked for, and installed where that can be done, while other steps run.
pub(crate) struct Sought(JoinHandle<Result<PathBuf, String>>);

impl Sought {
    pub(crate) fn begin() -> Self {
        Self(std::thread::spawn(provided))
    }

    /// Where it is, or why there is none.
    pub(crate) fn found(self) -> Result<PathBuf, String> {
        self.0.join().unwrap_or_else(|_| Err("the look for a Chromium broke off".to_owned()))
    }
}

fn provided() -> Result<PathBuf, String> {
    if let Some(answer) = chosen(std::env::var_os(VARIABLE)) {
        return answer;
    }
    if let Some(there) = installed() {
        return Ok(there);
    }
    let about = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    if !is_debian(&about) || !is_root() {
        return Err("there is no Chromium: install the package `chromium`".to_owned());
    }
    install()?;
    installed().ok_or_else(|| "Debian's package `chromium` brought no program".to_owned())
}

/// What the variable says, where it is set.
fn chosen(named: Option<OsString>) -> Option<Result<PathBuf, String>> {
    let named = named?;
    Some(if named.is_empty() { Err(format!("{VARIABLE} is empty")) } else { Ok(named.into()) })
}

fn installed() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .flat_map(|folder| NAMES.map(|name| folder.join(name)))
        .find(|file| file.is_file())
}

fn is_debian(about: &str) -> bool {
    about.lines().any(|line| line.trim() == "ID=debian")
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

fn install() -> Result<(), String> {
    println!("installing Debian's {}, for the tests in a browser", PACKAGES.join(" and "));
    let words = [&["install", "--yes", "--no-install-recommends"][..], &PACKAGES[..]].concat();
    if apt(&words).is_ok() {
        return Ok(());
    }
    // What the machine knows of packages may be of another day, or nothing yet.
    apt(&["update"])?;
    apt(&words)
}

/// Runs apt-get, which waits neither for an answer nor long for a server.
fn apt(words: &[&str]) -> Result<(), String> {
    let mut command = Command::new("apt-get");
    command
        .args(["-q", "-o", "DPkg::Lock::Timeout=60", "-o", "Acquire::Retries=1"])
        .args(["-o", "Acquire::http::Timeout=30", "-o", "Acquire::https::Timeout=30"])
        .args(words)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdin(Stdio::null());
    let output = command.output().map_err(|error| format!("apt-get does not start: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let last = errors.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no reason given");
    Err(format!(
        "there is no Chromium, and Debian's package could not be installed: {}",
        last.trim()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_names_a_browser_or_says_that_there_is_none() {
        assert_eq!(chosen(None), None);
        let named = chosen(Some("/opt/chromium".into()));
        assert_eq!(named, Some(Ok(PathBuf::from("/opt/chromium"))));
        assert!(chosen(Some(OsString::new())).is_some_and(|answer| answer.is_err()));
    }

    #[test]
    fn only_debian_itself_is_debian() {
        assert!(is_debian("PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n"));
        assert!(!is_debian("ID=ubuntu\nID_LIKE=debian\n"));
        assert!(!is_debian(""));
    }
}
