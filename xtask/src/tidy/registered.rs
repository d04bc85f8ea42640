//! Files that do nothing, silently, unless something names them.

use super::{File, Problem};
use crate::json::{self, Json};

/// A file beside an integration test's `main.rs` that no `mod` names is never compiled.
pub(super) fn test_files(files: &[File]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        let Some((home, inner)) = file.path.split_once("/tests/it/") else { continue };
        let inner = inner.trim_end_matches(".rs");
        let inner = inner.strip_suffix("/mod").unwrap_or(inner);
        if inner == "main" {
            continue;
        }
        let (parents, name) = match inner.rsplit_once('/') {
            Some((folder, name)) => {
                (vec![format!("{folder}.rs"), format!("{folder}/mod.rs")], name)
            }
            None => (vec!["main.rs".to_owned()], inner),
        };
        let parents: Vec<String> =
            parents.iter().map(|parent| format!("{home}/tests/it/{parent}")).collect();
        let declared = |text: &str| text.lines().any(|line| declares(line, name));
        if !files.iter().any(|file| parents.contains(&file.path) && declared(&file.text)) {
            problems.push(Problem::new(
                &file.path,
                1,
                format!("no `mod {name};` in {}: its tests never run", parents.join(" or ")),
                format!("declare `mod {name};` there, or delete the file"),
            ));
        }
    }
    problems
}

fn declares(line: &str, name: &str) -> bool {
    let line = line.trim().trim_start_matches("pub(crate) ").trim_start_matches("pub ");
    line.strip_prefix("mod ").and_then(|rest| rest.strip_prefix(name)).is_some_and(|rest| {
        let rest = rest.trim_start();
        rest.starts_with(';') || rest.starts_with('{')
    })
}

/// A prompt that core does not include is one that nobody sends.
pub(super) fn prompts(files: &[File]) -> Vec<Problem> {
    const CORE: &str = "crates/elenchus-core/";
    let mut problems = Vec::new();
    let included: Vec<&str> = files
        .iter()
        .filter(|file| file.is_rust() && file.path.starts_with(CORE))
        .flat_map(|file| file.text.split("include_str!").skip(1))
        .map(|rest| rest.split(')').next().unwrap_or_default())
        .collect();
    for file in files {
        let Some(name) = file
            .path
            .strip_prefix(CORE)
            .filter(|path| path.starts_with("prompts/") && file.ends_in("md"))
        else {
            continue;
        };
        let wanted = format!("{name}\"");
        if !included.iter().any(|literal| literal.contains(&wanted)) {
            problems.push(Problem::new(
                &file.path,
                1,
                "no include_str! in core names this prompt",
                "register it beside the others in core's `prompt` module (the whole path in one literal), or delete it",
            ));
        }
    }
    problems
}

/// Question keys are data that a typing slip would turn into a lower score.
pub(super) fn eval_keys(files: &[File]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| file.path.starts_with("crates/elenchus-evals/data/")) {
        if !file.ends_in("jsonl") {
            continue;
        }
        let mut seen: Vec<String> = Vec::new();
        for (at, line) in file.text.lines().enumerate() {
            let what = match json::parse(line) {
                Err(error) => format!("not JSON: {error}"),
                Ok(value @ Json::Object(_)) => {
                    let id = value.get("id").and_then(Json::str).unwrap_or_default().to_owned();
                    if id.is_empty() || !seen.contains(&id) {
                        seen.push(id);
                        continue;
                    }
                    format!("the id {id:?} stands twice")
                }
                Ok(_) => "not a JSON object".to_owned(),
            };
            let way_out = "one JSON object a line, no blank lines, each id once";
            problems.push(Problem::new(&file.path, at + 1, what, way_out));
        }
    }
    problems
}

pub(super) fn changelog(files: &[File]) -> Vec<Problem> {
    let way_out = "keep a `## [Unreleased]` section at the top and write there what a user notices";
    let Some(file) = files.iter().find(|file| file.path == "CHANGELOG.md") else {
        return vec![Problem::new("CHANGELOG.md", 1, "is missing", way_out)];
    };
    let headings = ["## [Unreleased]", "## Unreleased"];
    if file.text.lines().any(|line| headings.contains(&line.trim_end())) {
        return Vec::new();
    }
    vec![Problem::new("CHANGELOG.md", 1, "has no Unreleased section", way_out)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_test_file_is_declared() {
        let tree = [
            File::new("crates/a/tests/it/main.rs", "mod one;\nmod group;\n// mod three;\n"),
            File::new("crates/a/tests/it/one.rs", ""),
            File::new("crates/a/tests/it/three.rs", ""),
            File::new("crates/a/tests/it/group/mod.rs", "pub(crate) mod inner;\n"),
            File::new("crates/a/tests/it/group/inner.rs", ""),
            File::new("crates/a/tests/it/group/lost.rs", ""),
            File::new("crates/b/tests/it/one.rs", ""),
        ];
        let found = test_files(&tree);
        let paths: Vec<&str> = found.iter().map(|problem| problem.path.as_str()).collect();
        assert_eq!(
            paths,
            [
                "crates/a/tests/it/three.rs",
                "crates/a/tests/it/group/lost.rs",
                "crates/b/tests/it/one.rs"
            ]
        );
    }

    #[test]
    fn every_prompt_is_included() {
        let code = "const A: &str = include_str!(\"../../prompts/gap/close.md\");\nconst B: &str = include_str!(\n    \"../prompts/plan.md\"\n);\n// prompts/lost.md\n";
        let tree = [
            File::new("crates/elenchus-core/src/prompt/text.rs", code),
            File::new("crates/elenchus-core/prompts/gap/close.md", ""),
            File::new("crates/elenchus-core/prompts/plan.md", ""),
            File::new("crates/elenchus-core/prompts/lost.md", ""),
        ];
        let found = prompts(&tree);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].path, "crates/elenchus-core/prompts/lost.md");
        assert_eq!(prompts(&tree[..1]), []);
    }

    #[test]
    fn every_line_of_a_key_is_an_object_with_its_own_id() {
        let path = "crates/elenchus-evals/data/k.jsonl";
        let good =
            File::new(path, "{\"id\":\"a\"}\n{\"id\":\"b\"}\n{\"other\":1}\n{\"other\":2}\n");
        assert_eq!(eval_keys(&[good]), []);
        let bad = File::new(path, "{\"id\":\"a\"}\n\n[1]\n{\"id\":\"a\"}\n{\"id\":'c'}\n");
        let lines: Vec<usize> = eval_keys(&[bad]).iter().map(|problem| problem.line).collect();
        assert_eq!(lines, [2, 3, 4, 5]);
    }

    #[test]
    fn the_changelog_has_room_for_what_comes_next() {
        assert_eq!(changelog(&[File::new("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n")]), []);
        assert_eq!(changelog(&[File::new("CHANGELOG.md", "# Changelog\n")]).len(), 1);
        assert_eq!(changelog(&[]).len(), 1);
    }
}
