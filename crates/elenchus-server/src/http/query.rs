//! What stands behind the question mark of an address.

use super::malformed::cause;
use super::problem::Problem;
use percent_encoding::percent_decode_str;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The names and values of a query, in their order.
///
/// # Errors
/// When something in it is not UTF-8.
pub(crate) fn pairs(query: &str) -> Result<Vec<(String, String)>, Problem> {
    let read =
        |text: &str| percent_decode_str(&text.replace('+', " ")).decode_utf8().map(Cow::into_owned);
    query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            match (read(name), read(value)) {
                (Ok(name), Ok(value)) => Ok((name, value)),
                _ => Err(Problem::malformed(
                    "the query of the address is not UTF-8",
                    "percent-encode text in UTF-8",
                )),
            }
        })
        .collect()
}

/// Whether a schema allows values of a type.
fn allows(schema: &Value, kind: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(one)) => one == kind,
        Some(Value::Array(many)) => many.iter().any(|one| one == kind),
        _ => ["anyOf", "oneOf"]
            .iter()
            .filter_map(|name| schema.get(name).and_then(Value::as_array))
            .flatten()
            .any(|part| allows(part, kind)),
    }
}

/// A query as a value of `T`, whose `schema` says which parts are numbers.
///
/// # Errors
/// When a name is unknown or stands twice, or a value is not of its type.
pub(crate) fn typed<T: DeserializeOwned>(query: &str, schema: &Value) -> Result<T, Problem> {
    let empty = Map::new();
    let known = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let mut object = Map::new();
    for (name, text) in pairs(query)? {
        let Some(of) = known.get(&name) else {
            let names: Vec<&str> = known.keys().map(String::as_str).collect();
            let way_out = if names.is_empty() {
                "this address takes no query".to_owned()
            } else {
                format!("the names are {}", names.join(", "))
            };
            let shown: String = name.chars().take(40).collect();
            return Err(Problem::malformed(
                format!("the query has the unknown name {shown:?}"),
                way_out,
            ));
        };
        let value = if allows(of, "integer") || allows(of, "number") {
            match text.parse::<u64>() {
                Ok(number) => Value::from(number),
                Err(_) => match text.parse::<f64>() {
                    Ok(number) if number.is_finite() && allows(of, "number") => Value::from(number),
                    _ => Value::String(text),
                },
            }
        } else if allows(of, "boolean") {
            match text.as_str() {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                _ => Value::String(text),
            }
        } else {
            Value::String(text)
        };
        if object.insert(name.clone(), value).is_some() {
            return Err(Problem::malformed(
                format!("the query has {name:?} twice"),
                "give it once",
            ));
        }
    }
    // Of a text it can be told which name is wrong.
    let text = Value::Object(object).to_string();
    serde_json::from_str(&text).map_err(|error| {
        Problem::malformed(
            cause("the query is wrong", text.as_bytes(), &error),
            "/openapi.json says what each address takes",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Page {
        limit: Option<u32>,
        q: Option<String>,
        #[serde(default)]
        all: bool,
    }

    #[test]
    fn values_get_the_type_of_the_schema() {
        let schema = json!({"properties": {"limit": {"type": ["integer", "null"]},
            "q": {"type": ["string", "null"]}, "all": {"type": "boolean"}}});
        let read = |query: &str| typed::<Page>(query, &schema);
        let page = read("limit=5&q=12+%C3%A4&all=true").unwrap();
        assert_eq!(page, Page { limit: Some(5), q: Some("12 \u{e4}".to_owned()), all: true });
        for wrong in ["limit=x", "limit=-1", "all=1", "other=1", "q=%ff", "q=1&q=2"] {
            assert_eq!(read(wrong).unwrap_err().status, 400, "{wrong}");
        }
        let named = read("q=a&limit=x").unwrap_err().cause;
        assert!(named.starts_with("the query is wrong at `limit`: invalid type"), "{named}");
    }
}
