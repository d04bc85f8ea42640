//! `elenchus config`.

use crate::config::{Config, KEYS, Value as Set};
use crate::error::Result;
use crate::paths;
use crate::store_place::{DATABASE_URL, counts_as_store, shown};
use crate::ui::terminal::Terminal;
use serde_json::{Map, Value, json};
use std::fmt::Write;

pub(super) fn show(config: &Config, origin: bool, json: bool, terminal: &Terminal) -> Result<()> {
    if json {
        let mut all = Map::new();
        for key in &KEYS {
            let (value, from) = in_force(config, key.name).unzip();
            let value = value.map_or(Value::Null, |value| json!(value));
            let entry = if origin { json!({ "value": value, "origin": from }) } else { value };
            all.insert(key.name.to_owned(), entry);
        }
        return terminal.print_json(&all);
    }
    let mut out = String::new();
    for key in &KEYS {
        let (value, from) = match in_force(config, key.name) {
            Some((value, from)) => (value.to_string(), from),
            None => ("(not set)".to_owned(), "-".to_owned()),
        };
        let value = if value.is_empty() { "(none)".to_owned() } else { value };
        let _ = if origin {
            writeln!(out, "{:<19} = {value:<12}  # {from}", key.name)
        } else {
            writeln!(out, "{:<19} = {value:<12}  # {}", key.name, key.about)
        };
    }
    terminal.page(&out)
}

/// Variables of other names that count where the setting is silent, the first that is set.
const BESIDE: [(&str, &str); 11] = [
    ("store", DATABASE_URL),
    ("qdrant.url", "QDRANT_URL"),
    ("ollama.url", "OLLAMA_HOST"),
    ("openai.url", "OPENAI_BASE_URL"),
    ("anthropic.url", "ANTHROPIC_BASE_URL"),
    ("searxng.url", "SEARXNG_URL"),
    ("searxng.url", "SEARXNG_API_URL"),
    ("searxng.url", "SEARXNG_BASE_URL"),
    ("searxng.url", "SEARX_URL"),
    ("opensearch.url", "OPENSEARCH_URL"),
    ("opensearch.url", "ELASTICSEARCH_URL"),
];

/// What counts for a setting, as anybody may see it, and where it comes from.
pub(super) fn in_force(config: &Config, key: &str) -> Option<(Set, String)> {
    if let Some((value, origin)) = config.get(key) {
        return Some((open(value), origin.to_string()));
    }
    BESIDE.iter().filter(|(of, _)| *of == key).find_map(|(_, variable)| {
        let value = std::env::var(variable).ok().filter(|value| !value.trim().is_empty())?;
        // That of a database may be meant for another program.
        let counts = *variable != DATABASE_URL || counts_as_store(&value);
        counts.then(|| (Set::Text(shown(&value)), format!("environment {variable}")))
    })
}

/// A value as anybody may see it.
fn open(value: &Set) -> Set {
    match value {
        Set::Text(text) => Set::Text(shown(text)),
        Set::List(items) => Set::List(items.iter().map(|item| shown(item)).collect()),
        other => other.clone(),
    }
}

pub(super) fn path(terminal: &Terminal) -> Result<()> {
    let user = paths::user_config()?;
    let there = |found: bool| if found { "" } else { " (not there)" };
    let mut out = format!("user:    {}{}\n", user.display(), there(user.is_file()));
    let _ = match paths::project_config() {
        Some(project) => writeln!(out, "project: {}", project.display()),
        None => writeln!(out, "project: no elenchus.toml in this folder or above it"),
    };
    terminal.print(&out)
}
