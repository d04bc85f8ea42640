//! Reading JSON as models write it: prose around it, fences, cut ends, loose syntax. Never fails and never hangs.
//!
//! Text that is JSON is taken unchanged. Otherwise every value in the text is read leniently, once and from
//! left to right, and the one that fits the wanted shape best is taken. Nothing is guessed: what is half written
//! is dropped, and a structure that cannot be mended is no value.

mod keys;
mod lenient;
#[cfg(test)]
mod tests;

use super::defect::{DefectKind, Defects};
use super::shape::Shape;
use keys::repeated_keys;
use lenient::Lenient;
use serde_json::Value;

/// Values looked at in one reply.
const MOST_VALUES: usize = 200;

/// A reply, read into the wanted shape.
pub(super) struct Reading {
    /// Exactly the keys of the shape; `None` when nothing fits.
    pub(super) value: Option<Value>,
    /// What was mended or lost.
    pub(super) defects: Defects,
}

/// Reads `text` into `shape`. Time and memory grow linearly with the text.
pub(super) fn read(text: &str, shape: &Shape) -> Reading {
    let mut reading = read_layer(text, shape, 0);
    if reading.value.is_none() && reading.defects.len() == 0 {
        reading.defects.add(DefectKind::NoJson, "reply", "nothing that fits");
    }
    reading
}

/// The value that begins with the text's first character and how many bytes it has; `None` where none can be read.
pub(super) fn value_at(text: &str) -> Option<(Value, usize)> {
    let mut lenient = Lenient::new(text);
    if lenient.next_start() != Some(0) {
        return None;
    }
    let read = lenient.value();
    read.value.map(|value| (value, lenient.position()))
}

fn read_layer(text: &str, shape: &Shape, layer: u8) -> Reading {
    let mut defects = Defects::default();
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        if let (Value::String(inner), true) = (&value, layer < 2) {
            defects.add(DefectKind::TextInText, "reply", "the JSON stood in a JSON text");
            let mut inside = read_layer(inner, shape, layer + 1);
            defects.append(inside.defects);
            inside.defects = defects;
            return inside;
        }
        for key in repeated_keys(text) {
            defects.add(
                DefectKind::DuplicateKey,
                "reply",
                format!("{key:?} twice, the last counts"),
            );
        }
        let value = shape.fit_reply(value, &mut defects);
        return Reading { value, defects };
    }
    let plain = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    if plain.len() < text.len() {
        defects.add(DefectKind::TextAround, "reply", "a byte order mark");
    }
    let (spoken, thought) = without_thoughts(plain);
    if thought {
        defects.add(DefectKind::TextAround, "reply", "thoughts before the answer");
    }
    let mut reading = best(spoken, shape);
    if reading.value.is_none() && spoken.contains("\\\"") && layer < 2 {
        // The inside of a JSON text without its quotation marks.
        let whole = serde_json::from_str::<String>(&format!("\"{}\"", spoken.trim()));
        let bare = whole.unwrap_or_else(|_| spoken.replace("\\\"", "\"").replace("\\n", "\n"));
        let mut inside = best(&bare, shape);
        if inside.value.is_some() {
            inside.defects.add(DefectKind::TextInText, "reply", "quotation marks with backslashes");
            reading = inside;
        }
    }
    defects.append(reading.defects);
    Reading { value: reading.value, defects }
}

/// The text after a block of thoughts at its beginning, and whether there was one.
fn without_thoughts(text: &str) -> (&str, bool) {
    let start = text.trim_start();
    for name in ["think", "thinking", "thought", "reasoning"] {
        let Some(after) = start.strip_prefix('<').and_then(|rest| rest.strip_prefix(name)) else {
            continue;
        };
        if !after.starts_with('>') {
            continue;
        }
        if let Some((_, rest)) = after.split_once(&format!("</{name}>")) {
            return (rest, true);
        }
    }
    (text, false)
}

/// How well a value fits: leaves kept, then few defects.
type Rank = (usize, std::cmp::Reverse<usize>);

/// The best value of the text.
fn best(text: &str, shape: &Shape) -> Reading {
    let mut lenient = Lenient::new(text);
    let mut found: Option<(Rank, Value, Defects)> = None;
    let mut fallback: Option<Defects> = None;
    let mut values = 0;
    let mut broken = Defects::default();
    let mut prose = 0;
    let mut prose_start = 0;
    while values < MOST_VALUES {
        let Some(start) = lenient.next_start() else { break };
        let before = &text[prose_start..start];
        prose += before.trim().len();
        let echo = is_echo(before);
        let read = lenient.value();
        prose_start = lenient.position();
        let Some(value) = read.value else {
            prose += prose_start - start;
            broken.append(read.defects);
            continue;
        };
        values += 1;
        let mut defects = read.defects;
        if echo {
            let what = "the instruction is repeated, so what follows is its example";
            broken.add(DefectKind::PromptEcho, "reply", what);
            continue;
        }
        match shape.fit_reply(value, &mut defects) {
            Some(value) => {
                let rank = (leaves(&value), std::cmp::Reverse(defects.len()));
                if found.as_ref().is_none_or(|(known, ..)| rank > *known) {
                    found = Some((rank, value, defects));
                }
            }
            None if fallback.is_none() => fallback = Some(defects),
            None => {}
        }
    }
    prose += text[prose_start.min(text.len())..].trim().len();
    match found {
        Some((_, value, mut defects)) => {
            if prose > 0 {
                defects.add(DefectKind::TextAround, "reply", "text around the JSON");
            }
            if values > 1 {
                defects.add(DefectKind::SeveralValues, "reply", format!("{values} JSON values"));
            }
            Reading { value: Some(value), defects }
        }
        None => {
            let mut defects = fallback.unwrap_or_default();
            defects.append(broken);
            if values == 0 && defects.len() == 0 {
                defects.add(DefectKind::NoJson, "reply", "no JSON object in it");
            }
            Reading { value: None, defects }
        }
    }
}

/// How much a value says.
fn leaves(value: &Value) -> usize {
    match value {
        Value::Null => 0,
        Value::Array(items) => items.iter().map(leaves).sum(),
        Value::Object(map) => map.values().map(leaves).sum(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => 1,
    }
}

/// Whether the last line before a value tells someone to answer in JSON: a model that repeats its prompt.
fn is_echo(before: &str) -> bool {
    let Some(line) = before.lines().rev().map(str::trim).find(|line| !line.is_empty()) else {
        return false;
    };
    let lower: String = line.chars().take(80).flat_map(char::to_lowercase).collect();
    let orders =
        ["respond in", "respond with", "reply in", "reply with", "return only", "answer in json"];
    orders.iter().any(|order| lower.starts_with(order)) && lower.contains("json")
}
