//! The token that clients of the server over HTTP must know: made once, in a file that only its user can read.

use crate::error::{CliError, Result};
use crate::paths;
use crate::ui::terminal::Terminal;
use elenchus_core::bank::Caller;
use elenchus_core::id::hex;
use elenchus_server::door::Pass;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

/// Random bytes of a token.
const BYTES: usize = 32;
/// The longest file that is taken for a token.
const LONGEST: u64 = 4096;

fn failed(file: &Path, cause: impl Into<String>) -> CliError {
    CliError::storage(
        format!("could not keep a token in {}", file.display()),
        cause,
        "name another file with --token-file, or on this machine alone ask for none with --no-token",
    )
}

/// What lets its bearer in, by the token of a file; says where it lies.
pub(crate) fn pass(file: Option<&Path>, caller: &Caller, terminal: &Terminal) -> Result<Pass> {
    let file = file.map_or_else(paths::mcp_token, |file| Ok(file.to_path_buf()))?;
    let (token, is_new) = kept(&file)?;
    let made = if is_new { "made" } else { "found" };
    terminal.say(&format!("the token was {made} in {}", file.display()));
    Ok(Pass { token, caller: caller.clone() })
}

/// The token of a file, made anew where there is none. Says whether it is new.
fn kept(file: &Path) -> Result<(String, bool)> {
    match File::open(file) {
        Ok(open) => read(file, &open).map(|token| (token, false)),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                fs::create_dir_all(folder).map_err(|error| failed(file, error.to_string()))?;
            }
            match make(file) {
                Ok(token) => Ok((token, true)),
                // Another process was first: its token holds.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    let open = File::open(file).map_err(|error| failed(file, error.to_string()))?;
                    read(file, &open).map(|token| (token, false))
                }
                Err(error) => Err(failed(file, error.to_string())),
            }
        }
        Err(error) => Err(failed(file, error.to_string())),
    }
}

fn read(file: &Path, open: &File) -> Result<String> {
    let text = own_text(file, open, LONGEST)?;
    let token = text.trim();
    if !is_token(token) {
        return Err(failed(file, "it holds no token: one has at least 16 visible characters"));
    }
    Ok(token.to_owned())
}

/// Whether a text can be a token.
pub(super) fn is_token(text: &str) -> bool {
    text.len() >= 16 && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// The text of a file that holds tokens, at most so many bytes of it. One that other users may read is not used.
pub(super) fn own_text(file: &Path, open: &File, longest: u64) -> Result<String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode =
            open.metadata().map_err(|error| failed(file, error.to_string()))?.permissions().mode();
        if mode & 0o077 != 0 {
            return Err(CliError::storage(
                format!("could not use what is in {}", file.display()),
                format!("it holds tokens and other users may read it (mode {:o})", mode & 0o777),
                format!("`chmod 600 {}` keeps it, if nobody has read it yet", file.display()),
            ));
        }
    }
    let mut text = String::new();
    open.take(longest)
        .read_to_string(&mut text)
        .map_err(|error| failed(file, error.to_string()))?;
    Ok(text)
}

fn make(file: &Path) -> std::io::Result<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    let token = hex(&bytes);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut out = options.open(file)?;
    out.write_all(format!("{token}\n").as_bytes())?;
    out.sync_all()?;
    Ok(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_made_once_for_its_user_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("deep/er/mcp.token");
        let (token, is_new) = kept(&file).unwrap();
        assert!(is_new && token.len() == 64, "{token}");
        assert_eq!(kept(&file).unwrap(), (token, false));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
            fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
            assert!(kept(&file).unwrap_err().cause.contains("644"));
        }
    }

    #[test]
    fn two_tokens_differ_and_a_short_one_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        assert_ne!(kept(&a).unwrap().0, kept(&b).unwrap().0);
        fs::write(&a, "short\n").unwrap();
        assert!(kept(&a).unwrap_err().cause.contains("16"));
    }
}
