//! Settings in TOML.

use super::{Change, Entry, Malformed};
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, value};

const KEY: &str = "mcp_servers";

fn parse(text: &str) -> Result<DocumentMut, Malformed> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        let at = error.span().map_or(0, |span| span.start);
        Malformed::at(text, at, error.message().to_owned())
    })
}

fn arguments(entry: &Entry) -> Array {
    entry.arguments.iter().map(String::as_str).collect()
}

fn is_same(there: &Item, entry: &Entry) -> bool {
    let Some(table) = there.as_table_like() else { return false };
    let command = table.get("command").and_then(Item::as_str) == Some(&entry.command);
    let given: Option<Vec<&str>> = table
        .get("args")
        .and_then(Item::as_array)
        .map(|list| list.iter().filter_map(toml_edit::Value::as_str).collect());
    command && given.is_some_and(|given| given == entry.arguments)
}

pub(super) fn changed(text: &str, entry: &Entry, change: Change) -> Result<String, Malformed> {
    let mut document = parse(text)?;
    let wrong = || {
        let cause = format!("{KEY} is no table, so it cannot hold a server");
        Malformed::at(text, text.find(KEY).unwrap_or(0), cause)
    };
    if document.get(KEY).is_some_and(|item| item.as_table_like().is_none()) {
        return Err(wrong());
    }
    match change {
        Change::Install => {
            if document.get(KEY).is_none() {
                let mut servers = Table::new();
                // Only the tables in it get a line of their own.
                servers.set_implicit(true);
                document.insert(KEY, Item::Table(servers));
            }
            let servers =
                document.get_mut(KEY).and_then(Item::as_table_like_mut).ok_or_else(wrong)?;
            match servers.get_mut(&entry.name) {
                Some(there) if is_same(there, entry) => return Ok(text.to_owned()),
                Some(there) => {
                    let Some(table) = there.as_table_like_mut() else { return Err(wrong()) };
                    fill(table, entry);
                }
                None => {
                    let mut table = Table::new();
                    fill(&mut table, entry);
                    if !text.trim().is_empty() {
                        let gap = if text.ends_with('\n') { "\n" } else { "\n\n" };
                        table.decor_mut().set_prefix(gap);
                    }
                    servers.insert(&entry.name, Item::Table(table));
                }
            }
        }
        Change::Uninstall => {
            let servers = document.get_mut(KEY).and_then(Item::as_table_like_mut);
            if servers.is_none_or(|servers| servers.remove(&entry.name).is_none()) {
                return Ok(text.to_owned());
            }
        }
    }
    // The library writes one kind of line end, whichever it read.
    let new = match (text.matches("\r\n").count(), text.matches('\n').count()) {
        (0, _) => document.to_string(),
        (both, all) if both == all => {
            document.to_string().replace("\r\n", "\n").replace('\n', "\r\n")
        }
        _ => {
            let at = text.find('\n').unwrap_or(0);
            return Err(Malformed::at(
                text,
                at,
                "some lines end as on Windows and some do not: make them alike",
            ));
        }
    };
    only_ours(text, &new, &entry.name)?;
    Ok(new)
}

fn fill(table: &mut dyn TableLike, entry: &Entry) {
    table.insert("command", value(&entry.command));
    table.insert("args", value(arguments(entry)));
}

/// Whether nothing but our entry differs, whatever the editing did.
fn only_ours(before: &str, after: &str, name: &str) -> Result<(), Malformed> {
    let rest = |text: &str| -> Result<toml::Table, Malformed> {
        let mut all: toml::Table = text.parse().map_err(|error: toml::de::Error| {
            Malformed::at(text, error.span().map_or(0, |span| span.start), error.message())
        })?;
        if let Some(servers) = all.get_mut(KEY).and_then(toml::Value::as_table_mut) {
            servers.remove(name);
            if servers.is_empty() {
                all.remove(KEY);
            }
        }
        Ok(all)
    };
    if rest(before)? == rest(after)? {
        return Ok(());
    }
    Err(Malformed::at(
        before,
        0,
        "the change would have touched other settings, so it was not made",
    ))
}
