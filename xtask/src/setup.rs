//! What the machine must bring along, and how to get what it lacks.

use std::ffi::OsString;
use std::process::{Command, Stdio};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Machine {
    pub(crate) c_compiler: bool,
    pub(crate) python: bool,
    pub(crate) nextest: bool,
}

impl Machine {
    pub(crate) fn look() -> Self {
        let named = std::env::var_os("CC").unwrap_or_else(|| OsString::from("cc"));
        Self {
            c_compiler: answers(Command::new(named).arg("--version")),
            python: answers(Command::new("python3").arg("--version")),
            nextest: answers(Command::new(crate::step::cargo()).args(["nextest", "--version"])),
        }
    }

    /// What is missing and the way to it, one line each.
    pub(crate) fn lacks(self) -> Vec<&'static str> {
        let mut lines = Vec::new();
        if !self.c_compiler {
            lines.push(
                "no C compiler (`cc`, or what CC names): SQLite is compiled from source and Rust links with it. \
                 Debian and Ubuntu: apt-get install build-essential; Fedora: dnf install gcc; macOS: xcode-select --install",
            );
        }
        if !self.python {
            lines.push(
                "no python3: the tests that speak to a scripted neighbour skip. \
                 Debian and Ubuntu: apt-get install python3; Fedora: dnf install python3; macOS: xcode-select --install",
            );
        }
        if !self.nextest {
            lines.push("no cargo-nextest: `cargo test` runs instead, without time limits. cargo install --locked cargo-nextest");
        }
        lines
    }
}

pub(crate) fn answers(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_is_missing_and_how_to_get_it() {
        let whole = Machine { c_compiler: true, python: true, nextest: true };
        assert_eq!(whole.lacks(), Vec::<&str>::new());
        let bare = Machine { c_compiler: false, python: false, nextest: false };
        let lacks = bare.lacks();
        assert_eq!(lacks.len(), 3);
        assert!(lacks[0].contains("build-essential"));
        assert!(lacks[1].contains("python3"));
    }

    #[test]
    fn a_program_that_is_nowhere_does_not_answer() {
        assert!(!answers(&mut Command::new("a-program-that-is-nowhere")));
    }
}
