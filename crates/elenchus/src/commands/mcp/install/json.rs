//! Settings in JSON, with comments and trailing commas where somebody wrote them.

use super::clients::Shape;
use super::{Change, Entry, Malformed};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstNode, CstRootNode};
use serde_json::Value;

/// JSON with comments and trailing commas: what editors take, and no more.
fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

fn parse(text: &str) -> Result<CstRootNode, Malformed> {
    CstRootNode::parse(text, &options())
        .map_err(|error| Malformed::at(text, error.range().start, error.kind().to_string()))
}

fn wanted(entry: &Entry, shape: Shape) -> (CstInputValue, Value) {
    let list = entry.arguments.iter().cloned().map(CstInputValue::String).collect();
    let mut members = Vec::new();
    let mut value = serde_json::Map::new();
    if shape == Shape::Typed {
        members.push(("type".to_owned(), CstInputValue::String("stdio".to_owned())));
        value.insert("type".to_owned(), Value::from("stdio"));
    }
    members.push(("command".to_owned(), CstInputValue::String(entry.command.clone())));
    members.push(("args".to_owned(), CstInputValue::Array(list)));
    value.insert("command".to_owned(), Value::from(entry.command.clone()));
    value.insert("args".to_owned(), Value::from(entry.arguments.clone()));
    (CstInputValue::Object(members), Value::Object(value))
}

pub(super) fn changed(
    text: &str,
    key: &str,
    shape: Shape,
    entry: &Entry,
    change: Change,
) -> Result<String, Malformed> {
    let root = parse(text)?;
    let is_empty = root.value().is_none();
    if is_empty && change == Change::Uninstall {
        return Ok(text.to_owned());
    }
    let Some(object) = root.object_value_or_create() else {
        let at = text.find(|c: char| !c.is_whitespace()).unwrap_or(0);
        return Err(Malformed::at(text, at, "the settings are no object: they must begin with {"));
    };
    if let Some(servers) = object.get(key)
        && servers.object_value().is_none()
    {
        let cause = format!("{key:?} is no object, so it cannot hold a server");
        return Err(Malformed::at(text, text.find(&format!("{key:?}")).unwrap_or(0), cause));
    }
    let (input, value) = wanted(entry, shape);
    match change {
        Change::Install => {
            let servers = object.object_value_or_set(key);
            match servers.get(&entry.name) {
                Some(there) if read(there.value().as_ref()) == Some(value) => {
                    return Ok(text.to_owned());
                }
                Some(there) => there.set_value(input),
                None => {
                    servers.append(&entry.name, input);
                }
            }
        }
        Change::Uninstall => {
            let there = object.object_value(key).and_then(|servers| servers.get(&entry.name));
            match there {
                Some(there) => there.remove(),
                None => return Ok(text.to_owned()),
            }
        }
    }
    let mut new = root.to_string();
    if is_empty && !new.ends_with('\n') {
        new.push('\n');
    }
    only_ours(text, &new, key, &entry.name)?;
    Ok(new)
}

fn read(node: Option<&CstNode>) -> Option<Value> {
    node.and_then(CstNode::to_serde_value)
}

/// Whether nothing but our entry differs, whatever the editing did.
fn only_ours(before: &str, after: &str, key: &str, name: &str) -> Result<(), Malformed> {
    let rest = |text: &str| -> Result<Value, Malformed> {
        let mut value =
            parse(text)?.to_serde_value().unwrap_or_else(|| Value::Object(serde_json::Map::new()));
        if let Some(servers) = value.get_mut(key).and_then(Value::as_object_mut) {
            servers.remove(name);
            if servers.is_empty()
                && let Some(all) = value.as_object_mut()
            {
                all.remove(key);
            }
        }
        Ok(value)
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
