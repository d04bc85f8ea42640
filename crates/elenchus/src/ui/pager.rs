//! The pager: what somebody at a terminal reads long reports with.

use super::terminal::columns_of;
use crate::signals::undisturbed;
use std::io::Write;
use std::process::{Child, Command, Stdio};

/// Variables that name it, the first that is set.
const VARIABLES: [&str; 2] = ["ELENCHUS_PAGER", "PAGER"];

/// What shows reports where nobody says otherwise.
const USUAL: &str = "less";

/// What `less` does where its user has no wishes of their own: end where all fits, show colours and links, leave the text
/// on the screen.
const OF_LESS: &str = "FRX";

/// Rows and columns of a terminal that does not tell.
const ROWS: usize = 24;
const COLUMNS: usize = 80;

/// Signs in a command that only a shell understands.
const OF_SHELLS: &str = "|&;<>()$`\\\"'*?[]#~%{}\n";

/// Whether a pager has shown the text. It has not where the text fits on the screen, where none is wanted, and where the
/// one that is wanted is not there: then it is printed as it is. One that is left early has shown what was asked of it.
pub(super) fn has_shown(text: &str) -> bool {
    let Some(command) = chosen(|name| std::env::var(name).ok()) else { return false };
    let (columns, rows) = size();
    // The prompt of the shell takes a row too.
    rows_of(text, columns) >= rows && through(&command, text)
}

/// The pager as the environment names it; `None` where it is an empty text or `cat`, which shows everything at once.
fn chosen(variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    let named = VARIABLES.iter().find_map(|name| variable(name));
    let command = named.unwrap_or_else(|| USUAL.to_owned()).trim().to_owned();
    (!command.is_empty() && command != "cat").then_some(command)
}

/// Columns and rows of the terminal.
fn size() -> (usize, usize) {
    terminal_size::terminal_size_of(std::io::stdout()).map_or((COLUMNS, ROWS), |(width, height)| {
        (usize::from(width.0).max(1), usize::from(height.0))
    })
}

/// Rows that a text takes, as far as can be told: a line that is too long goes on in the next row.
fn rows_of(text: &str, columns: usize) -> usize {
    text.lines().map(|line| visible(line).div_ceil(columns).max(1)).sum()
}

/// Columns of a line without the sequences that are ours.
fn visible(line: &str) -> usize {
    let mut used = 0;
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        if c != '\u{1b}' {
            used += columns_of(c);
            continue;
        }
        // A link ends with a backslash behind another escape, a colour with its letter.
        let is_link = rest.next() == Some(']');
        let mut before = ' ';
        for c in rest.by_ref() {
            if (is_link && before == '\u{1b}' && c == '\\') || (!is_link && c == 'm') {
                break;
            }
            before = c;
        }
    }
    used
}

/// Whether the command was there to be given the text.
fn through(command: &str, text: &str) -> bool {
    undisturbed(|| {
        let Some(mut child) = started(command) else { return false };
        if let Some(mut input) = child.stdin.take() {
            // Whoever leaves before the end has read enough.
            let _ = input.write_all(text.as_bytes());
        }
        match child.wait() {
            // A shell says so of a command that it does not find or may not start.
            Ok(status) => !matches!(status.code(), Some(126 | 127)),
            Err(_) => true,
        }
    })
}

/// The pager with its words; through a shell only where they need one, so that one that is not there is told as that.
fn started(command: &str) -> Option<Child> {
    let mut words = command.split_whitespace();
    let mut pager = if command.contains(|c| OF_SHELLS.contains(c)) {
        let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
        let mut shell = Command::new(shell);
        shell.args([flag, command]);
        shell
    } else {
        let mut plain = Command::new(words.next()?);
        plain.args(words);
        plain
    };
    for (name, usual) in [("LESS", OF_LESS), ("LV", "-c")] {
        if std::env::var_os(name).is_none() {
            pager.env(name, usual);
        }
    }
    pager.stdin(Stdio::piped()).spawn().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_names_it() {
        let of = |pairs: &[(&str, &str)]| {
            chosen(|name| {
                let found = pairs.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(of(&[]).as_deref(), Some("less"));
        assert_eq!(of(&[("PAGER", "more")]).as_deref(), Some("more"));
        let both = [("ELENCHUS_PAGER", "most -w"), ("PAGER", "more")];
        assert_eq!(of(&both).as_deref(), Some("most -w"));
        assert_eq!(of(&[("ELENCHUS_PAGER", ""), ("PAGER", "more")]), None);
        assert_eq!(of(&[("PAGER", " cat ")]), None);
    }

    #[test]
    fn rows_are_counted_as_they_are_seen() {
        assert_eq!(rows_of("a\n\nb", 10), 3);
        assert_eq!(rows_of("0123456789", 10), 1);
        assert_eq!(rows_of("0123456789a", 10), 2);
        let painted = "\u{1b}[1;31m01234\u{1b}[0m\u{1b}]8;;https://a.example/long\u{1b}\\56789\u{1b}]8;;\u{1b}\\";
        assert_eq!(rows_of(painted, 10), 1);
        assert_eq!(rows_of("\u{6f22}\u{5b57}", 3), 2);
    }

    #[cfg(unix)]
    #[test]
    fn a_pager_that_is_not_there_has_shown_nothing_and_one_that_leaves_early_has() {
        let long = "a line\n".repeat(100_000);
        assert!(!through("no-such-pager-anywhere", "a"));
        assert!(!through("no-such-pager-anywhere | no-such-pager-anywhere", "a"));
        assert!(through("true", &long));
        assert!(through("sh -c 'exit 3'", &long));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("seen");
        assert!(through(&format!("cat > '{}'", file.display()), &long));
        assert_eq!(std::fs::read_to_string(file).unwrap(), long);
    }
}
