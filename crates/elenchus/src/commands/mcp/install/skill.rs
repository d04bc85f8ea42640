//! `elenchus mcp install --skill`: a file that tells an agent when and how to use Elenchus.

use super::{McpInstallArgs, first_backup, path_text, write};
use crate::error::{CliError, Result};
use crate::ui::terminal::Terminal;
use elenchus_core::text::squeeze;
use std::fs;
use std::io::ErrorKind;

/// What it says. `{name}`, `{version}` and `{documents}` are filled in.
const TEXT: &str = include_str!("skill.md");

/// The longest name of a skill.
const LONGEST: usize = 64;

pub(super) fn run(args: &McpInstallArgs, terminal: &Terminal) -> Result<()> {
    let Some(folder) = &args.skill else {
        return Err(CliError::usage(
            "could not tell what to install",
            "neither a program nor a folder of skills was named",
            "name one with --client or --skill",
        ));
    };
    let name = args.name.as_str();
    if !is_name(name) {
        return Err(CliError::usage(
            "could not write the skill",
            format!("{name:?} is no name of a skill"),
            "use at most 64 small letters, digits and `-`, with none of these at an end or twice in a row",
        ));
    }
    let documents = match &args.corpus {
        Some(corpus) => Some(path_text(crate::wire::folder(corpus)?)?),
        None => None,
    };
    let text = filled(name, documents.as_deref());
    if args.print {
        return terminal.print(&text);
    }
    // Programs look for it in a folder of its name.
    let file = folder.join(name).join("SKILL.md");
    let attempted = || format!("could not write the skill {}", file.display());
    let before = match fs::read(&file) {
        Ok(bytes) => Some(String::from_utf8(bytes).map_err(|_| {
            CliError::usage(
                attempted(),
                "there is a file that is not text in UTF-8",
                "move it away, or choose another name with --name",
            )
        })?),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => {
            return Err(CliError::storage(attempted(), error.to_string(), "check its permissions"));
        }
    };
    if before.as_deref() == Some(text.as_str()) {
        terminal.say(&format!("{} says so already", file.display()));
        return Ok(());
    }
    let kept = write(&file, before.as_deref(), &text).map_err(|error| {
        CliError::storage(attempted(), error.to_string(), "check its permissions")
    })?;
    terminal.say(&format!("the skill was written to {}", file.display()));
    if let Some(kept) = kept {
        terminal.say(&format!("the file as it was: {}", kept.display()));
        let first = first_backup(&file);
        if first != kept {
            terminal.say(&format!("and before the first change: {}", first.display()));
        }
    }
    terminal.say("an agent that looks into that folder uses it from its next session on");
    Ok(())
}

/// Whether a skill may be called so, which is also the name of its folder.
fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_even = !name.starts_with('-') && !name.ends_with('-') && !name.contains("--");
    !name.is_empty() && name.len() <= LONGEST && name.chars().all(is_plain) && is_even
}

fn filled(name: &str, documents: Option<&str>) -> String {
    let documents = match documents {
        Some(folder) => format!("The documents to ask are in `{}`, unless you are told of others.", squeeze(folder)),
        None => "Which folder to ask is for whoever gives you the task to say; `DIR` stands for it below.".to_owned(),
    };
    TEXT.replace("{name}", name)
        .replace("{version}", env!("CARGO_PKG_VERSION"))
        .replace("{documents}", &documents)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_head_is_what_agents_read() {
        let text = filled("elenchus", Some("/a b"));
        let (head, body) = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
        let field = |name: &str| {
            let line = head.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
            line.unwrap_or_else(|| panic!("no {name} in {head}"))
        };
        assert_eq!(field("name"), "elenchus");
        let description = field("description");
        assert!((50..=1024).contains(&description.chars().count()), "{description}");
        // Plain scalars of YAML: nothing in them begins a mapping or a comment.
        for line in head.lines() {
            let value = line.split_once(": ").map_or("", |(_, value)| value);
            assert!(!value.contains(": ") && !value.contains(" #"), "{line}");
        }
        assert!(field("compatibility").chars().count() <= 500);
        assert_eq!(field("license"), "Apache-2.0");
        assert!(head.contains(concat!("version: \"", env!("CARGO_PKG_VERSION"), "\"")), "{head}");
        assert!(body.contains("`/a b`") && !text.contains('{'), "{text}");
        assert!(text.lines().count() < 200);
        assert!(filled("elenchus", None).contains("`DIR` stands for it"));
    }

    #[test]
    fn a_name_is_one_of_a_folder_too() {
        assert!(is_name("elenchus") && is_name("a-1"));
        for other in ["", "A", "a_b", "-a", "a-", "a--b", "../a", "a/b", &"a".repeat(65)] {
            assert!(!is_name(other), "{other}");
        }
    }
}
