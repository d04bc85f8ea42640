//! JSON schemas as the providers' strict modes want them.

use serde_json::{Map, Value, json};

/// Which strict mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Every key required, so an optional one becomes nullable.
    OpenAi,
    /// Optional keys may stay; bounds are not taken.
    Anthropic,
}

/// Keywords that neither strict mode takes or that only decorate.
const DROPPED: &[&str] =
    &["$schema", "$id", "title", "format", "default", "examples", "minLength", "maxLength"];

/// Bounds that Anthropic's mode refuses. What reads the reply checks bounds anyway.
const BOUNDS: &[&str] = &[
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "pattern",
];

/// Keywords that strict modes have no counterpart for.
const BEYOND: &[&str] = &["patternProperties", "if", "not", "dependentSchemas", "prefixItems"];

/// The schema with `additionalProperties: false` in every object and, for OpenAI, every key required.
///
/// A key that was optional becomes nullable, so that the model can still leave it out in effect. `None` when the
/// schema says something that a strict mode cannot, such as an object with free keys; it is then sent as it is,
/// without strictness.
pub(crate) fn strict(schema: &Value, dialect: Dialect) -> Option<Value> {
    let Value::Object(given) = schema else {
        // `true` allows anything, which strictness does not.
        return None;
    };
    if BEYOND.iter().any(|keyword| given.contains_key(*keyword)) {
        return None;
    }
    if let Some(target) = given.get("$ref") {
        // A reference stands alone.
        return Some(json!({ "$ref": target }));
    }
    let mut out = Map::new();
    for (keyword, value) in given {
        let dropped = DROPPED.contains(&keyword.as_str())
            || (dialect == Dialect::Anthropic && BOUNDS.contains(&keyword.as_str()));
        if dropped {
            continue;
        }
        let value = match keyword.as_str() {
            "properties" | "$defs" | "definitions" => strict_map(value, dialect)?,
            "items" => strict(value, dialect)?,
            "anyOf" | "oneOf" | "allOf" => strict_list(value, dialect)?,
            "additionalProperties" if *value == Value::Bool(false) => continue,
            // A map with free keys.
            "additionalProperties" => return None,
            _ => value.clone(),
        };
        // Alternatives that exclude each other are one kind of alternatives.
        let keyword = if keyword == "oneOf" { "anyOf" } else { keyword };
        out.insert(keyword.to_owned(), value);
    }
    let is_object = out.contains_key("properties")
        || out.get("type").is_some_and(|kind| *kind == "object" || lists_object(kind));
    if is_object {
        close(&mut out, given.get("required"), dialect);
    }
    Some(Value::Object(out))
}

fn lists_object(kind: &Value) -> bool {
    kind.as_array().is_some_and(|kinds| kinds.iter().any(|kind| *kind == "object"))
}

fn strict_map(value: &Value, dialect: Dialect) -> Option<Value> {
    let parts = value.as_object()?.iter();
    let parts = parts.map(|(name, part)| Some((name.clone(), strict(part, dialect)?)));
    Some(Value::Object(parts.collect::<Option<Map<_, _>>>()?))
}

fn strict_list(value: &Value, dialect: Dialect) -> Option<Value> {
    let parts = value.as_array()?.iter().map(|part| strict(part, dialect));
    Some(Value::Array(parts.collect::<Option<Vec<_>>>()?))
}

/// Closes an object: no further keys, and for OpenAI all keys required.
fn close(object: &mut Map<String, Value>, required: Option<&Value>, dialect: Dialect) {
    object.insert("additionalProperties".to_owned(), Value::Bool(false));
    if dialect == Dialect::Anthropic {
        return;
    }
    let required = required.and_then(Value::as_array).cloned().unwrap_or_default();
    let properties =
        object.entry("properties").or_insert_with(|| Value::Object(Map::new())).as_object_mut();
    let mut names = Vec::new();
    if let Some(properties) = properties {
        for (name, property) in properties.iter_mut() {
            if !required.iter().any(|wanted| wanted == name) {
                *property = nullable(property.take());
            }
            names.push(Value::String(name.clone()));
        }
    }
    object.insert("required".to_owned(), Value::Array(names));
}

/// The schema with null allowed besides.
fn nullable(schema: Value) -> Value {
    let nothing = json!({ "type": "null" });
    let takes_null = |kind: &Value| {
        *kind == "null" || kind.as_array().is_some_and(|kinds| kinds.iter().any(|k| *k == "null"))
    };
    if schema.get("type").is_some_and(takes_null) {
        return schema;
    }
    if let Some(parts) = schema.get("anyOf").and_then(Value::as_array) {
        if parts.iter().any(|part| part.get("type").is_some_and(takes_null)) {
            return schema;
        }
        let mut parts = parts.clone();
        parts.push(nothing);
        let mut schema = schema;
        schema["anyOf"] = Value::Array(parts);
        return schema;
    }
    json!({ "anyOf": [schema, nothing] })
}

/// The name with every character replaced that OpenAI does not take, at most 64 long.
pub(crate) fn wire_name(name: &str) -> String {
    let name: String = name
        .chars()
        .take(64)
        .map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' })
        .collect();
    if name.is_empty() { "reply".to_owned() } else { name }
}
