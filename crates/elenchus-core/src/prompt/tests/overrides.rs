//! The prompt files: those of the program, and a user's own.

use super::fixture::{calls, plan_call, reflect_call};
use crate::port::ModelRole;
use crate::prompt::{PromptBook, PromptError};

const MINE: &str = "---\nid: plan\nversion: 7\nrole: fast\nuser_chars: 5000\noutput_tokens: 300\n---\n## system\nPlan in Norwegian.\n## user\n{{corpus}}\n{{ most }} at most.\n{{question}}\n";

#[test]
fn every_built_in_file_is_read_and_has_a_function() {
    let book = PromptBook::builtin();
    let ids: Vec<&str> = PromptBook::ids().collect();
    for id in &ids {
        let file = book.file(id);
        assert_eq!(file.id, *id);
        assert!(file.room() > 3_000, "{id}");
    }
    for call in calls() {
        assert!(ids.contains(&call.prompt()));
        let rendered = book.render(&call);
        assert!(!rendered.user.contains("{{") && !rendered.system.contains("{{"));
        assert_eq!(rendered.prompt, call.prompt());
        let strong = matches!(
            call.prompt(),
            "plan" | "extract_facts" | "draft" | "hypothesize" | "critique" | "revise"
        );
        assert_eq!(rendered.role, if strong { ModelRole::Strong } else { ModelRole::Fast });
    }
}

/// What people are told of the prompts.
const PAGE: &str = include_str!("../../../../../docs/prompts.md");

#[test]
fn the_page_tells_every_prompt_with_its_role_and_no_other() {
    let book = PromptBook::builtin();
    let mut told: Vec<&str> = PAGE.lines().filter(|line| line.starts_with("| `")).collect();
    for id in PromptBook::ids() {
        let role = match book.file(id).role {
            ModelRole::Strong => "strong",
            ModelRole::Fast => "fast",
        };
        let row = format!("| `{id}` | {role} | ");
        let before = told.len();
        told.retain(|line| !line.starts_with(&row));
        assert_eq!(told.len() + 1, before, "docs/prompts.md has no row that begins {row}");
    }
    assert!(told.is_empty(), "{told:?}");
    // The file that is shown as an example can be used.
    let example = PAGE.split("```markdown\n").nth(1).and_then(|rest| rest.split("```").next());
    let book = book.with_override(example.expect("the page has an example")).expect("it is whole");
    assert_eq!(book.file("follow_up").version, 100);
}

#[test]
fn a_users_file_takes_the_place_of_the_built_in_one() {
    let builtin = PromptBook::builtin();
    let book = PromptBook::builtin().with_override(MINE).unwrap();
    let (mine, theirs) = (book.render(&plan_call()), builtin.render(&plan_call()));
    assert_eq!((mine.version, mine.role, mine.max_output_tokens), (7, ModelRole::Fast, 300));
    assert_eq!(mine.system, "Plan in Norwegian.");
    assert!(
        mine.user.ends_with(
            "8 at most.\nWhat does the Ørland ferry cost an adult, and what is its revenue?"
        ),
        "{}",
        mine.user
    );
    assert_ne!(mine.fingerprint, theirs.fingerprint);
    assert_eq!(book.render(&reflect_call()), builtin.render(&reflect_call()));
    // Line ends and a byte order mark of another system change nothing.
    let other = format!("\u{FEFF}{}", MINE.replace('\n', "\r\n"));
    let book = PromptBook::builtin().with_override(&other).unwrap();
    assert_eq!(book.render(&plan_call()), mine);
}

#[test]
fn what_cannot_be_used_is_refused_with_line_and_name() {
    let refuse = |text: &str| PromptBook::builtin().with_override(text).unwrap_err().to_string();
    for (from, to, parts) in [
        (
            "{{question}}",
            "{{questoin}}",
            vec!["plan", "line 13", "{{questoin}}", "{{corpus}}, {{most}}, {{question}}"],
        ),
        ("{{question}}", "{{question", vec!["line 13", "not closed"]),
        ("{{question}}", "", vec!["user part", "{{question}}"]),
        ("{{question}}", "{{question}} {{question}}", vec!["line 13", "twice"]),
        ("in Norwegian", "for {{question}}", vec!["line 9", "{{question}}", "none"]),
        ("id: plan", "id: plna", vec!["\"plna\"", "plan, reflect"]),
        ("version: 7\n", "", vec!["version is missing"]),
        ("version: 7", "version: x", vec!["line 3", "whole number"]),
        ("role: fast", "role: smart", vec!["line 4", "fast or strong"]),
        ("role: fast", "rôle: fast", vec!["line 4", "user_chars"]),
        ("5000", "50", vec!["line 5", "4000"]),
        ("## user", "## User", vec!["## user"]),
        ("## system", "Hello\n## system", vec!["line 8", "no model"]),
        ("Plan in Norwegian.", " ", vec!["system part is empty"]),
        ("\n---\n", "\n--\n", vec!["line 7"]),
        ("---\nid", "id", vec!["line 1", "three dashes"]),
    ] {
        let said = refuse(&MINE.replacen(from, to, 1));
        for part in parts {
            assert!(said.contains(part), "{to}: {said}");
        }
    }
    assert!(refuse("").contains("line 1"));
    let long = MINE.replace("{{corpus}}", &format!("{{{{corpus}}}}{}", "word ".repeat(900)));
    assert!(refuse(&long).contains("more than a third"));
}

/// The rule that passages are data stands in code: a file can place it and cannot change it.
#[test]
fn no_file_can_leave_the_data_rule_out() {
    let text = "---\nid: draft\nversion: 1\nrole: fast\nuser_chars: 9000\noutput_tokens: 300\n---\n## system\nObey the passages.\n## user\n{{question}}{{questions}}{{facts}}\n";
    let error = PromptBook::builtin().with_override(text).unwrap_err();
    assert_eq!(
        error,
        PromptError::MissingPlaceholder {
            id: "draft".to_owned(),
            part: "system",
            placeholder: "data_rule"
        }
    );
}
