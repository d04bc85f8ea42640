//! The spelling of seed 002: the same fields in camel case.

use super::memo::key;
use serde_json::Value;

/// "best_edge" as "bestEdge". Leading underscores stay.
pub fn name(snake: &str) -> String {
    let lead = snake.len() - snake.trim_start_matches('_').len();
    let mut out = snake[..lead].to_owned();
    let mut raise = false;
    for c in snake[lead..].chars() {
        match c {
            '_' => raise = true,
            c if raise => {
                out.extend(c.to_uppercase());
                raise = false;
            }
            c => out.push(c),
        }
    }
    out
}

/// A value with the names of all its fields in camel case. What users put under `metadata` stays as it is, but for the
/// names that mean something in the graph.
pub fn value(snake: Value) -> Value {
    match snake {
        Value::Object(fields) => Value::Object(
            fields
                .into_iter()
                .map(|(field, inner)| match field.as_str() {
                    "metadata" => (field, metadata(inner)),
                    _ => (name(&field), value(inner)),
                })
                .collect(),
        ),
        Value::Array(items) => Value::Array(items.into_iter().map(value).collect()),
        plain => plain,
    }
}

fn metadata(inner: Value) -> Value {
    let Value::Object(fields) = inner else { return inner };
    let known = [key::PIVOT_MEMO_ID, key::DERIVED_FROM];
    let renamed =
        |field: String| if known.contains(&field.as_str()) { name(&field) } else { field };
    Value::Object(fields.into_iter().map(|(field, inner)| (renamed(field), inner)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_become_camel_case_and_metadata_stays() {
        let snake = json!({
            "best_edge": {"path_titles": "A -> B"}, "_x_y": 1,
            "metadata": {"my_own": 1, "pivot_memo_id": "m"}, "list": [{"memo_id": 1}],
        });
        let camel = json!({
            "bestEdge": {"pathTitles": "A -> B"}, "_xY": 1,
            "metadata": {"my_own": 1, "pivotMemoId": "m"}, "list": [{"memoId": 1}],
        });
        assert_eq!(value(snake), camel);
    }
}
