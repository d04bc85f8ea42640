//! `elenchus config`.

use crate::config::{Config, KEYS, Value as Set};
use crate::error::Result;
use crate::paths;
use crate::store_place::shown;
use crate::ui::terminal::Terminal;
use serde_json::{Map, Value, json};
use std::fmt::Write;

pub(super) fn show(config: &Config, origin: bool, json: bool, terminal: &Terminal) -> Result<()> {
    if json {
        let mut all = Map::new();
        for key in &KEYS {
            let set = config.get(key.name);
            let value = set.map_or(Value::Null, |(value, _)| json!(open(value)));
            let entry = if origin {
                json!({ "value": value, "origin": set.map(|(_, origin)| origin.to_string()) })
            } else {
                value
            };
            all.insert(key.name.to_owned(), entry);
        }
        return terminal.print_json(&all);
    }
    let mut out = String::new();
    for key in &KEYS {
        let (value, from) = match config.get(key.name) {
            Some((value, origin)) => (open(value).to_string(), origin.to_string()),
            None => ("(not set)".to_owned(), "-".to_owned()),
        };
        let value = if value.is_empty() { "(none)".to_owned() } else { value };
        let _ = if origin {
            writeln!(out, "{:<19} = {value:<12}  # {from}", key.name)
        } else {
            writeln!(out, "{:<19} = {value:<12}  # {}", key.name, key.about)
        };
    }
    terminal.print(&out)
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
