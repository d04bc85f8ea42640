//! What programs and packagers read of the repository says what is so.

use super::{File, Problem, line_of};
use crate::json::{self, Json};

/// Most characters of a description that registries of the Model Context Protocol take.
const DESCRIPTION: usize = 100;

/// Pages that are read outside the repository's own documentation, and whose links nobody would miss for long.
const PAGES: &[&str] = &["AGENTS.md", "SECURITY.md", "docs/llms.txt", "docs/packaging.md"];

/// `server.json`, by which registries of the Model Context Protocol know the server.
pub(super) fn server(files: &[File]) -> Vec<Problem> {
    let path = "server.json";
    let way_out = "see docs/packaging.md for what stands in it";
    let Some(file) = files.iter().find(|file| file.path == path) else {
        return vec![Problem::new(path, 1, "is missing", way_out)];
    };
    let json = match json::parse(&file.text) {
        Ok(json) => json,
        Err(error) => return vec![Problem::new(path, 1, format!("not JSON: {error}"), way_out)],
    };
    let text = |key: &str| json.get(key).and_then(Json::str).unwrap_or_default();
    let mut problems = Vec::new();
    let mut wrong = |key: &str, what: String| {
        let line = line_of(&file.text, &format!("\"{key}\""));
        problems.push(Problem::new(path, line, what, way_out));
    };
    let ours = workspace_version(files).unwrap_or_default();
    if text("version") != ours {
        wrong("version", format!("its version is {:?} and ours {ours:?}", text("version")));
    }
    let (name, description) = (text("name"), text("description"));
    let parts: Vec<&str> = name.split('/').collect();
    if parts.len() != 2 || parts.iter().any(|part| part.is_empty()) {
        wrong("name", format!("the name {name:?} is no namespace and a name, as in a/b"));
    }
    let length = description.chars().count();
    if length == 0 || length > DESCRIPTION {
        wrong("description", format!("the description has {length} characters of {DESCRIPTION}"));
    }
    problems
}

/// The version that all crates share.
fn workspace_version(files: &[File]) -> Option<&str> {
    let manifest = files.iter().find(|file| file.path == "Cargo.toml")?;
    let (_, table) = manifest.text.split_once("[workspace.package]\n")?;
    let line = table.lines().find_map(|line| line.strip_prefix("version = \""))?;
    line.strip_suffix('"')
}

/// Files that these pages link to are there.
pub(super) fn links(files: &[File]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for page in PAGES {
        let Some(file) = files.iter().find(|file| file.path == *page) else {
            problems.push(Problem::new(
                page,
                1,
                "is missing",
                "write it, or take it off PAGES in xtask/src/tidy/packaging.rs",
            ));
            continue;
        };
        for (at, line) in file.text.lines().enumerate() {
            for target in targets(line) {
                let whole = resolved(page, target);
                let is_there = files
                    .iter()
                    .any(|file| file.path == whole || file.path.starts_with(&format!("{whole}/")));
                if !is_there {
                    let what = format!("it links to {target}, and there is no {whole}");
                    problems.push(Problem::new(page, at + 1, what, "mend the link"));
                }
            }
        }
    }
    problems
}

/// What the links of a line of Markdown lead to in this repository, without places in pages.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| {
        let target = rest.split(')').next()?.split('#').next()?;
        (!target.is_empty() && !target.contains("://")).then_some(target)
    })
}

/// A relative path as it is seen from the root.
fn resolved(page: &str, target: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.trim_end_matches('/').split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(server: &str) -> [File; 2] {
        let manifest = "[workspace]\nversion = \"9\"\n[workspace.package]\nversion = \"0.1.0\"\n";
        [File::new("Cargo.toml", manifest), File::new("server.json", server)]
    }

    #[test]
    fn the_server_is_described_as_registries_take_it() {
        let good = "{\n\"name\": \"a.b/c\",\n\"description\": \"d\",\n\"version\": \"0.1.0\"}";
        assert_eq!(server(&tree(good)), []);
        let long = "d".repeat(DESCRIPTION + 1);
        let bad =
            format!("{{\n\"name\": \"c\",\n\"description\": \"{long}\",\n\"version\": \"0.2.0\"}}");
        let mut lines: Vec<usize> =
            server(&tree(&bad)).iter().map(|problem| problem.line).collect();
        lines.sort_unstable();
        assert_eq!(lines, [2, 3, 4]);
        assert_eq!(server(&tree("{")).len(), 1);
        assert_eq!(server(&[]).len(), 1);
    }

    #[test]
    fn links_lead_somewhere() {
        let mut files: Vec<File> = PAGES.iter().map(|page| File::new(page, "")).collect();
        assert_eq!(links(&files), []);
        files[2].text =
            "see [a](mcp.md#tools) and [b](../AGENTS.md)\n[c](../src/) [d](http://x/y) [e](#f)\n"
                .to_owned();
        let whats: Vec<String> = links(&files).into_iter().map(|problem| problem.what).collect();
        assert_eq!(
            whats,
            [
                "it links to mcp.md, and there is no docs/mcp.md",
                "it links to ../src/, and there is no src",
            ]
        );
        files.push(File::new("docs/mcp.md", ""));
        files.push(File::new("src/a.rs", ""));
        assert_eq!(links(&files), []);
        assert_eq!(links(&[]).len(), PAGES.len());
    }
}
