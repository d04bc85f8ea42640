//! `elenchus man`: the manual pages, written from the same arguments that are parsed, so that they cannot say otherwise.

use crate::cli::{Cli, ManArgs};
use crate::error::{CliError, Result};
use crate::kept::write_whole;
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use crate::words::nearest;
use clap::{Arg, ArgAction, Command, CommandFactory};
use std::fmt::Write;
use std::fs;
use std::path::Path;

pub(super) fn run(args: &ManArgs, terminal: &Terminal) -> Result<()> {
    let mut root = Cli::command();
    root.build();
    match &args.out {
        Some(folder) => write_all(&root, folder, terminal),
        None => terminal.page(&page(named(&root, &args.command)?, &root)),
    }
}

/// The command that these words name.
fn named<'a>(root: &'a Command, words: &[String]) -> Result<&'a Command> {
    let mut command = root;
    for word in words {
        command = command.find_subcommand(word).ok_or_else(|| {
            let there = shown(command).map(Command::get_name);
            let hint = match nearest(word, there) {
                Some(near) => format!("did you mean `{near}`? `elenchus help` lists the commands"),
                None => "`elenchus help` lists the commands".to_owned(),
            };
            CliError::usage(
                format!("could not find the manual page of {:?}", words.join(" ")),
                format!("`{}` has no command {word:?}", path(command)),
                hint,
            )
        })?;
    }
    Ok(command)
}

fn write_all(root: &Command, folder: &Path, terminal: &Terminal) -> Result<()> {
    let failed = |path: &Path, error: &std::io::Error| {
        CliError::storage(
            format!("could not write to {}", path.display()),
            error.to_string(),
            "make room, check its permissions, or choose another folder",
        )
    };
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    let mut pages = Vec::new();
    gather(root, &mut pages);
    for command in &pages {
        let file = folder.join(format!("{}.1", title(command)));
        let text = page(command, root);
        write_whole(&file, text.as_bytes()).map_err(|error| failed(&file, &error))?;
    }
    terminal.say(&format!("wrote {} to {}", counted(pages.len(), "page"), folder.display()));
    Ok(())
}

fn gather<'a>(command: &'a Command, into: &mut Vec<&'a Command>) {
    into.push(command);
    for below in shown(command) {
        gather(below, into);
    }
}

/// The commands below one that have a page of their own.
fn shown(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|below| below.get_name() != "help" && !below.is_hide_set())
}

/// The words by which it is called.
fn path(command: &Command) -> &str {
    command.get_bin_name().unwrap_or(command.get_name())
}

/// The name of its page.
fn title(command: &Command) -> String {
    path(command).replace(' ', "-")
}

/// A page. It has no date, so that the same program writes the same bytes.
fn page(command: &Command, root: &Command) -> String {
    let mut out = String::new();
    let title = title(command);
    let version = root.get_version().unwrap_or_default();
    let _ = writeln!(
        out,
        ".TH \"{}\" 1 \"\" \"elenchus {}\" \"Elenchus\"",
        escaped(&title.to_uppercase()),
        escaped(version)
    );
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let _ = writeln!(out, ".SH NAME\n{} \\- {}", escaped(&title), escaped(&about));
    out.push_str(".SH SYNOPSIS\n");
    let usage = command.clone().render_usage().to_string();
    for line in usage.lines().map(|line| line.trim().trim_start_matches("Usage: ").trim()) {
        if !line.is_empty() {
            let _ = writeln!(out, ".nf\n{}\n.fi", text_line(line));
        }
    }
    let long = command.get_long_about().or(command.get_about());
    out.push_str(".SH DESCRIPTION\n");
    paragraphs(&mut out, &long.map(ToString::to_string).unwrap_or_default());
    let below: Vec<&Command> = shown(command).collect();
    if !below.is_empty() {
        out.push_str(".SH COMMANDS\n");
        for one in &below {
            let about = one.get_about().map(ToString::to_string).unwrap_or_default();
            let name = escaped(one.get_name());
            let _ = writeln!(out, ".TP\n\\fB{name}\\fR\n{}", text_line(&about));
        }
    }
    arguments(&mut out, command);
    let after = command.get_after_long_help().or(command.get_after_help());
    notes(&mut out, &after.map(ToString::to_string).unwrap_or_default());
    see_also(&mut out, command, &below);
    out
}

/// Arguments and options, under the headings that they have in the help.
fn arguments(out: &mut String, command: &Command) {
    let mut parts: Vec<(String, Vec<&Arg>)> = Vec::new();
    for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
        let usual = if arg.is_positional() { "Arguments" } else { "Options" };
        let heading = arg.get_help_heading().unwrap_or(usual);
        match parts.iter_mut().find(|(name, _)| name == heading) {
            Some((_, args)) => args.push(arg),
            None => parts.push((heading.to_owned(), vec![arg])),
        }
    }
    // As in the help: what has no heading of its own comes first.
    parts.sort_by_key(|(name, _)| match name.as_str() {
        "Arguments" => 0,
        "Options" => 1,
        _ => 2,
    });
    for (heading, args) in parts {
        let _ = writeln!(out, ".SH \"{}\"", escaped(&heading.to_uppercase()));
        for arg in args {
            let _ = writeln!(out, ".TP\n{}", tag(arg));
            let help = arg.get_long_help().or(arg.get_help());
            let help = help.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(out, "{}", text_line(&help.replace('\n', " ")));
            let defaults: Vec<String> = arg
                .get_default_values()
                .iter()
                .map(|value| value.to_string_lossy().into_owned())
                .filter(|value| !value.is_empty())
                .collect();
            if arg.get_action().takes_values() && !defaults.is_empty() {
                let told = format!("[default: {}]", defaults.join(", "));
                let _ = writeln!(out, ".br\n{}", text_line(&told));
            }
            choices(out, arg);
        }
    }
}

/// The words that an argument takes, where it takes only some.
fn choices(out: &mut String, arg: &Arg) {
    if arg.is_hide_possible_values_set() {
        return;
    }
    let values = arg.get_possible_values();
    let values: Vec<_> = values.iter().filter(|value| !value.is_hide_set()).collect();
    if values.is_empty() {
        return;
    }
    out.push_str(".RS\n");
    for value in values {
        let help = value.get_help().map(ToString::to_string).unwrap_or_default();
        let name = escaped(value.get_name());
        if help.is_empty() {
            let _ = writeln!(out, ".IP \\(bu 2\n\\fB{name}\\fR");
        } else {
            let _ = writeln!(out, ".IP \\(bu 2\n\\fB{name}\\fR: {}", escaped(&help));
        }
    }
    out.push_str(".RE\n");
}

/// How an argument is written.
fn tag(arg: &Arg) -> String {
    let takes = arg.get_action().takes_values();
    let values = || {
        let names = arg.get_value_names().map_or_else(
            || vec![arg.get_id().as_str().to_uppercase()],
            |names| names.iter().map(ToString::to_string).collect(),
        );
        let several = matches!(arg.get_action(), ArgAction::Append) && arg.is_positional();
        let more = if several { "..." } else { "" };
        format!("\\fI{}\\fR{more}", escaped(&names.join(" ")))
    };
    if arg.is_positional() {
        return values();
    }
    let short = arg.get_short().map(|short| format!("\\fB\\-{short}\\fR"));
    let long = arg.get_long().map(|long| format!("\\fB\\-\\-{}\\fR", escaped(long)));
    let names: Vec<String> = short.into_iter().chain(long).collect();
    let shown = names.join(", ");
    if takes { format!("{shown} {}", values()) } else { shown }
}

/// What stands below the options in the help: its parts become sections, and lines that are set in stay as they are.
fn notes(out: &mut String, text: &str) {
    let mut set_in = false;
    let mut inside = false;
    for line in text.lines() {
        let is_indented = line.starts_with(' ');
        if set_in && !is_indented {
            out.push_str(".fi\n");
            set_in = false;
        }
        if line.trim().is_empty() {
            if inside {
                out.push_str(".PP\n");
            }
            continue;
        }
        match line.strip_suffix(':') {
            Some(heading) if !is_indented && heading.len() <= 30 => {
                let _ = writeln!(out, ".SH \"{}\"", escaped(&heading.to_uppercase()));
            }
            _ => {
                if !inside && !is_indented {
                    out.push_str(".SH NOTES\n");
                }
                if is_indented && !set_in {
                    out.push_str(".nf\n");
                    set_in = true;
                }
                let _ = writeln!(out, "{}", text_line(line));
            }
        }
        inside = true;
    }
    if set_in {
        out.push_str(".fi\n");
    }
}

fn see_also(out: &mut String, command: &Command, below: &[&Command]) {
    let mut pages: Vec<String> = below.iter().map(|one| title(one)).collect();
    if let Some((above, _)) = path(command).rsplit_once(' ') {
        pages.insert(0, above.replace(' ', "-"));
    }
    if pages.is_empty() {
        return;
    }
    let named: Vec<String> =
        pages.iter().map(|page| format!("\\fB{}\\fR(1)", escaped(page))).collect();
    let _ = writeln!(out, ".SH \"SEE ALSO\"\n{}", named.join(",\n"));
}

fn paragraphs(out: &mut String, text: &str) {
    for (at, paragraph) in text.split("\n\n").enumerate() {
        if at > 0 {
            out.push_str(".PP\n");
        }
        let _ = writeln!(out, "{}", text_line(&paragraph.replace('\n', " ")));
    }
}

/// A line of text that the formatter takes for no request of its own.
fn text_line(line: &str) -> String {
    let line = escaped(line);
    if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
}

/// Signs as they are printed. A bare hyphen would become a dash in some readers, and could not be copied.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\e"),
            '-' => out.push_str("\\-"),
            '"' => out.push_str("\\(dq"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> Command {
        let mut root = Cli::command();
        root.build();
        root
    }

    #[test]
    fn no_text_is_a_request() {
        assert_eq!(text_line(".so x"), "\\&.so x");
        assert_eq!(text_line("'tis"), "\\&'tis");
        assert_eq!(escaped("a\\b --c \"d\""), "a\\eb \\-\\-c \\(dqd\\(dq");
        let known =
            [".TH", ".SH", ".TP", ".nf", ".fi", ".PP", ".br", ".RS", ".RE", ".IP", ".", "'"];
        let root = root();
        let mut pages = Vec::new();
        gather(&root, &mut pages);
        assert!(pages.len() > 40, "{}", pages.len());
        for command in pages {
            let text = page(command, &root);
            for line in text.lines().filter(|line| line.starts_with(['.', '\''])) {
                let request = line.split(' ').next().unwrap_or_default();
                assert!(known.contains(&request), "{}: {line}", title(command));
            }
            let opened = text.lines().filter(|line| *line == ".nf").count();
            assert_eq!(opened, text.lines().filter(|line| *line == ".fi").count(), "{text}");
        }
    }

    #[test]
    fn a_page_has_every_option_of_its_command() {
        let root = root();
        let words = ["runs".to_owned(), "fork".to_owned()];
        let command = named(&root, &words).expect("there is one");
        let text = page(command, &root);
        assert!(text.starts_with(".TH \"ELENCHUS\\-RUNS\\-FORK\" 1 "), "{text}");
        assert!(text.contains("\nelenchus runs fork "), "{text}");
        let told = command.get_arguments().filter(|argument| !argument.is_hide_set());
        for long in told.filter_map(Arg::get_long) {
            assert!(text.contains(&format!("\\fB\\-\\-{}\\fR", escaped(long))), "{long}");
        }
        assert!(text.contains(".SH \"SEE ALSO\"\n\\fBelenchus\\-runs\\fR(1)"), "{text}");
        let error = named(&root, &["rusn".to_owned()]).expect_err("there is none");
        assert!(error.hint.contains("`runs`"), "{error:?}");
    }
}
