//! The terminal: one status line that rewrites itself, lines that stay, and data on standard output.

use super::links;
use super::orders::at_store;
use super::pager;
use crate::error::{CliError, Kind, Result};
use elenchus_core::text::{is_invisible, squeeze, visible_json};
use std::borrow::Cow;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc::UnboundedSender;

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Color {
    /// Where a terminal shows it and nothing in the environment speaks against it.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "always" => Self::Always,
            "never" => Self::Never,
            _ => Self::Auto,
        }
    }
}

/// When paths and addresses become links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Links {
    /// Where a terminal shows them and nothing in the environment speaks against it.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Links {
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "always" => Self::Always,
            "never" => Self::Never,
            _ => Self::Auto,
        }
    }
}

/// Standard error, and what it can show.
#[derive(Clone, Debug)]
pub(crate) struct Terminal {
    /// Whether the status line rewrites itself.
    pub(crate) lively: bool,
    pub(crate) color: bool,
    pub(crate) quiet: bool,
    /// Errors as one line of JSON.
    pub(crate) json_errors: bool,
    pub(crate) width: usize,
    /// The store that a flag named, as it is typed: orders that look into a store are told with it.
    pub(crate) store: Option<String>,
    /// What was chosen, which a screen that is drawn reads in its own way.
    pub(crate) choice: Color,
    /// Whether paths and addresses on standard output lead to what they name.
    pub(crate) links: bool,
    /// Whether reports on standard output that are longer than the screen go through a pager.
    pub(crate) pages: bool,
    /// Whether a status line stands there now.
    status: Arc<Mutex<bool>>,
    /// Who shows what is said, in place of standard error.
    shown_by: Option<UnboundedSender<Told>>,
}

/// What is said to somebody who shows it in a way of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// Of interest while it happens.
    Status(String),
    /// A line that stays.
    Line(String),
    /// A warning.
    Warning(String),
}

/// A variable that is set and not empty.
fn set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// What is told to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    is_terminal: bool,
    /// It obeys no escape sequences.
    is_dumb: bool,
    /// `NO_COLOR` is set.
    pub(super) is_plain: bool,
    /// `CLICOLOR_FORCE` is set, and not to 0.
    is_forced: bool,
}

impl Place {
    pub(super) fn look(is_terminal: bool) -> Self {
        let force = std::env::var_os("CLICOLOR_FORCE");
        Self {
            is_terminal,
            is_dumb: std::env::var_os("TERM").is_some_and(|term| term == "dumb"),
            is_plain: set("NO_COLOR"),
            is_forced: force.is_some_and(|value| !value.is_empty() && value != "0"),
        }
    }

    /// Whether colours are shown.
    fn is_colored(self, choice: Color) -> bool {
        match choice {
            Color::Always => true,
            Color::Never => false,
            Color::Auto if self.is_plain => false,
            Color::Auto if self.is_forced => true,
            Color::Auto => self.obeys(),
        }
    }

    /// Whether a line can be written over.
    pub(super) fn obeys(self) -> bool {
        self.is_terminal && !self.is_dumb
    }
}

/// Columns of the terminal.
fn columns() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let asked = || {
        terminal_size::terminal_size_of(std::io::stderr()).map(|(width, _)| usize::from(width.0))
    };
    told.or_else(asked).filter(|width| *width >= 20).unwrap_or(80)
}

impl Terminal {
    pub(crate) fn new(choice: Color, quiet: bool) -> Self {
        let place = Place::look(std::io::stderr().is_terminal());
        Self {
            lively: place.obeys() && !quiet,
            color: place.is_colored(choice),
            quiet,
            json_errors: false,
            width: columns(),
            store: None,
            choice,
            links: false,
            pages: false,
            status: Arc::default(),
            shown_by: None,
        }
    }

    /// The same, with what standard output can show where people look at it: links, and long reports through a pager.
    pub(crate) fn with_output(self, links: Links, pager: bool) -> Self {
        let place = Place::look(std::io::stdout().is_terminal());
        Self { links: links::are_shown(links, place), pages: pager && place.obeys(), ..self }
    }

    /// The same, but what is said goes to `to`, and nothing to standard error.
    pub(crate) fn shown_by(&self, to: UnboundedSender<Told>) -> Self {
        Self { lively: true, quiet: false, color: false, shown_by: Some(to), ..self.clone() }
    }

    /// Gives it to whoever shows it, if somebody does.
    fn told(&self, told: impl FnOnce() -> Told) -> bool {
        let Some(to) = &self.shown_by else { return false };
        // Whoever showed it is gone: then nobody hears it.
        let _ = to.send(told());
        true
    }

    /// One that shows nothing.
    pub(crate) fn silent() -> Self {
        Self::new(Color::Never, true)
    }

    fn shown(&self) -> MutexGuard<'_, bool> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Rewrites the status line; shows nothing where it cannot be rewritten.
    pub(crate) fn status(&self, line: &str) {
        if !self.lively || self.told(|| Told::Status(squeeze(line))) {
            return;
        }
        let mut shown = self.shown();
        let line = fit(line, self.width - 1);
        let line = if self.color { format!("\u{1b}[2m{line}\u{1b}[0m") } else { line };
        // A terminal that is gone is no reason to stop.
        let mut err = std::io::stderr().lock();
        let _ = write!(err, "\r\u{1b}[K{line}").and_then(|()| err.flush());
        *shown = true;
    }

    /// Takes the status line away.
    pub(crate) fn clear(&self) {
        let mut shown = self.shown();
        if std::mem::take(&mut *shown) {
            let mut err = std::io::stderr().lock();
            let _ = write!(err, "\r\u{1b}[K").and_then(|()| err.flush());
        }
    }

    /// A line that stays, unless it is to be quiet.
    pub(crate) fn say(&self, line: &str) {
        let line = at_store(line, self.store.as_deref());
        if !self.quiet && !self.told(|| Told::Line(squeeze(&line))) {
            self.put(&line);
        }
    }

    /// A line that is said even when it is to be quiet.
    pub(crate) fn warn(&self, line: &str) {
        if self.told(|| Told::Warning(squeeze(line))) {
            return;
        }
        self.put(&format!("{} {}", self.paint("33", "warning:"), squeeze(line)));
    }

    /// An error.
    pub(crate) fn error(&self, error: &CliError) {
        if error.kind == Kind::BrokenPipe {
            return;
        }
        let hint = at_store(&error.hint, self.store.as_deref());
        let error = &CliError { hint, ..error.clone() };
        if self.json_errors
            && let Ok(json) = serde_json::to_string(&serde_json::json!({ "error": error }))
        {
            return self.put(&visible_json(&json));
        }
        // Its message begins with what was stopped.
        let word = if error.kind == Kind::Interrupted { "" } else { "error: " };
        self.put(&format!("{}{}", self.paint("1;31", word), error.message()));
        if !error.hint.is_empty() {
            self.put(&format!("  {} {}", self.paint("1", "way out:"), error.hint));
        }
    }

    fn put(&self, line: &str) {
        self.clear();
        let _ = writeln!(std::io::stderr().lock(), "{}", harmless(line));
    }

    /// Text in a colour, where there are colours.
    pub(crate) fn paint(&self, code: &str, text: &str) -> String {
        if self.color {
            format!("{OPEN}{code}{CLOSE}{text}{OPEN}0{CLOSE}")
        } else {
            text.to_owned()
        }
    }

    /// Asks before something is lost that cannot be had again. Where nobody can answer, nothing is done.
    pub(crate) fn agreed(&self, question: &str) -> Result<bool> {
        self.confirm(question).ok_or_else(|| {
            CliError::usage(
                format!("could not ask: {}", question.trim_end_matches('?')),
                "there is no terminal to answer from",
                "say --yes if it is meant",
            )
        })
    }

    /// Asks a yes/no question where a person can answer it; `None` where nobody can.
    fn confirm(&self, question: &str) -> Option<bool> {
        if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
            return None;
        }
        self.clear();
        let mut err = std::io::stderr().lock();
        let _ = write!(err, "{} [y/N] ", harmless(question)).and_then(|()| err.flush());
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).ok()?;
        Some(matches!(line.trim(), "y" | "Y" | "yes"))
    }

    /// Data on standard output.
    pub(crate) fn print(&self, text: &str) -> Result<()> {
        self.clear();
        let mut out = std::io::stdout().lock();
        out.write_all(harmless(text).as_bytes()).and_then(|()| out.flush()).map_err(|error| {
            if error.kind() == ErrorKind::BrokenPipe {
                CliError::broken_pipe()
            } else {
                CliError::storage(
                    "could not write to standard output",
                    error.to_string(),
                    "make room or send it elsewhere; a kept run can be had again with `elenchus runs replay`",
                )
            }
        })
    }

    /// A report on standard output, through a pager where it is longer than the screen of somebody who reads it there.
    pub(crate) fn page(&self, text: &str) -> Result<()> {
        if self.pages {
            self.clear();
            if pager::has_shown(&harmless(text)) {
                return Ok(());
            }
        }
        self.print(text)
    }

    /// A text that leads to an address, where links are shown and there is one.
    pub(crate) fn link(&self, text: &str, address: Option<&str>) -> String {
        match address.filter(|_| self.links) {
            Some(address) => links::marked(text, address),
            None => text.to_owned(),
        }
    }

    /// One line of data on standard output.
    pub(crate) fn print_line(&self, line: &str) -> Result<()> {
        self.print(&format!("{line}\n"))
    }

    /// A value as JSON on standard output.
    pub(crate) fn print_json(&self, value: &impl serde::Serialize) -> Result<()> {
        let text = serde_json::to_string_pretty(value).map_err(|error| unsayable(&error))?;
        self.print_line(&visible_json(&text))
    }
}

/// Around the code of a colour, until it is written. No text can hold them: they are no characters, and [`harmless`] drops
/// those that do not enclose a code.
const OPEN: char = '\u{FDD0}';
const CLOSE: char = '\u{FDD1}';

/// Colours that we use.
const CODES: &[&str] = &["0", "1", "2", "7", "31", "32", "33", "1;31"];

/// What may be written to a terminal: lines, tabs, our own colours and links, and nothing else that moves, hides or turns
/// text, whoever wrote it.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| matches!(c, '\n' | '\t') || !is_invisible(c);
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        if c == OPEN {
            if let Some((code, behind)) = rest.split_once(CLOSE)
                && CODES.contains(&code)
            {
                out.push_str("\u{1b}[");
                out.push_str(code);
                out.push('m');
                rest = behind;
            }
        } else if c == links::OPEN {
            if let Some((sequence, behind)) = links::sequence(rest) {
                out.push_str(&sequence);
                rest = behind;
            }
        } else if is_plain(c) {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// A value that has no JSON form, which none of ours is.
pub(crate) fn unsayable(error: &serde_json::Error) -> CliError {
    CliError::new(
        Kind::Failure,
        "could not put the result into JSON",
        error.to_string(),
        "this is a defect of elenchus, report it",
    )
}

/// The beginning of a line that fits into `width` columns.
pub(crate) fn fit(line: &str, width: usize) -> String {
    let line = squeeze(line);
    let mut out = String::new();
    let mut used = 0;
    let whole: usize = line.chars().map(columns_of).sum();
    for c in line.chars() {
        if whole > width && used + columns_of(c) >= width {
            out.push('\u{2026}');
            break;
        }
        used += columns_of(c);
        out.push(c);
    }
    out
}

/// Near enough: scripts whose signs are two columns wide, and pictures.
pub(super) fn columns_of(c: char) -> usize {
    let wide = matches!(c, '\u{1100}'..='\u{115F}' | '\u{2E80}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7A3}'
        | '\u{F900}'..='\u{FAFF}' | '\u{FE30}'..='\u{FE6F}' | '\u{FF00}'..='\u{FF60}' | '\u{FFE0}'..='\u{FFE6}'
        | '\u{1F300}'..='\u{1FAFF}' | '\u{20000}'..='\u{3FFFD}');
    if wide { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_our_colours_reaches_a_terminal() {
        let text = "a\u{1b}[31mb\u{9b}2J\u{202e}c\td\u{e0041}\r\n\u{61c}\u{fdd0}8\u{fdd1}";
        assert_eq!(harmless(text), "a[31mb2Jc\td\n8");
        let terminal = Terminal { color: true, ..Terminal::silent() };
        assert_eq!(harmless(&terminal.paint("1;31", "a\u{1b}b")), "\u{1b}[1;31mab\u{1b}[0m");
        assert_eq!(terminal.paint("1;31", ""), "\u{fdd0}1;31\u{fdd1}\u{fdd0}0\u{fdd1}");
        for c in (0..=0x10_FFFF).filter_map(char::from_u32) {
            let shown = harmless(&format!("x{c}y")).into_owned();
            assert!(!shown.chars().any(|c| !matches!(c, '\n' | '\t') && is_invisible(c)), "{c:?}");
        }
    }

    #[test]
    fn a_dumb_terminal_is_shown_lines_without_colours() {
        let good = Place { is_terminal: true, ..Place::default() };
        let dumb = Place { is_dumb: true, ..good };
        assert!(good.obeys() && good.is_colored(Color::Auto));
        assert!(!dumb.obeys() && !dumb.is_colored(Color::Auto));
        // Whoever says it outright has it.
        assert!(dumb.is_colored(Color::Always));
        assert!(Place { is_forced: true, ..dumb }.is_colored(Color::Auto));
        assert!(!Place { is_forced: true, is_plain: true, ..good }.is_colored(Color::Auto));
        assert!(!Place::default().obeys(), "a pipe is none");
    }

    #[test]
    fn a_line_fits() {
        assert_eq!(fit("abc", 3), "abc");
        assert_eq!(fit("abcd", 3), "ab\u{2026}");
        assert_eq!(fit("\u{6f22}\u{5b57}\u{6f22}", 4), "\u{6f22}\u{2026}");
        assert_eq!(fit("a\u{1b}[31mb\nc", 20), "a[31mb c");
    }
}
