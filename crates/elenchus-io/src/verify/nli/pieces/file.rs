//! The shape of a `tokenizer.json`.

use super::Part;
use serde::Deserialize;
use serde_json::Value;

/// The parts that matter.
#[derive(Deserialize)]
pub(super) struct File {
    #[serde(default)]
    pub(super) added_tokens: Vec<Added>,
    pub(super) normalizer: Option<Value>,
    pub(super) pre_tokenizer: Option<Value>,
    pub(super) post_processor: Option<Value>,
    pub(super) model: Value,
}

/// A piece with a fixed text.
#[derive(Deserialize)]
pub(super) struct Added {
    pub(super) id: i32,
    pub(super) content: String,
}

/// The `type` of a part.
pub(super) fn kind(part: &Value) -> &str {
    part.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// A switch of a part.
pub(super) fn switch(part: &Value, name: &str, otherwise: bool) -> bool {
    part.get(name).and_then(Value::as_bool).unwrap_or(otherwise)
}

/// A part that is understood by nobody here.
pub(super) fn unknown(place: &str, part: &Value) -> String {
    format!("its {place} {:?} is not understood", kind(part))
}

/// The pattern of a part: `{"String": ...}` as a literal or `{"Regex": ...}`.
pub(super) fn pattern(part: &Value) -> Result<regex::Regex, String> {
    let pattern = part.get("pattern");
    let text = |name: &str| pattern.and_then(|p| p.get(name)).and_then(Value::as_str);
    let source = match (text("Regex"), text("String")) {
        (Some(regex), _) => regex.to_owned(),
        (None, Some(literal)) => regex::escape(literal),
        (None, None) => return Err("one of its patterns is empty".to_owned()),
    };
    regex::Regex::new(&source)
        .map_err(|_| format!("its pattern {source:?} is not understood by this build"))
}

fn number(value: Option<&Value>) -> Option<i32> {
    i32::try_from(value?.as_i64()?).ok()
}

/// How a pair of texts is framed; `None` when the part says nothing about it.
pub(super) fn frame(part: Option<&Value>) -> Result<Option<Vec<Part>>, String> {
    let Some(part) = part.filter(|part| !part.is_null()) else { return Ok(None) };
    match kind(part) {
        "ByteLevel" => Ok(None),
        "Sequence" => {
            let parts = part.get("processors").and_then(Value::as_array);
            for inner in parts.into_iter().flatten() {
                if let Some(found) = frame(Some(inner))? {
                    return Ok(Some(found));
                }
            }
            Ok(None)
        }
        name @ ("BertProcessing" | "RobertaProcessing") => {
            let id = |name: &str| {
                number(part.get(name).and_then(|pair| pair.get(1)))
                    .ok_or_else(|| format!("its post_processor has no {name}"))
            };
            let (start, end) = (id("cls")?, id("sep")?);
            let (open, close, second) = (Part::Control(start, 0), Part::Control(end, 0), 1);
            Ok(Some(if name == "BertProcessing" {
                let last = Part::Control(end, second);
                vec![open, Part::First(0), close, Part::Second(second), last]
            } else {
                vec![open, Part::First(0), close, close, Part::Second(0), close]
            }))
        }
        "TemplateProcessing" => template(part).map(Some),
        _ => Err(unknown("post_processor", part)),
    }
}

fn template(part: &Value) -> Result<Vec<Part>, String> {
    let items = part.get("pair").and_then(Value::as_array);
    let mut frame = Vec::new();
    for item in items.into_iter().flatten() {
        let segment = |inner: &Value| number(inner.get("type_id")).unwrap_or(0);
        if let Some(text) = item.get("Sequence") {
            let second = text.get("id").and_then(Value::as_str) == Some("B");
            let place = segment(text);
            frame.push(if second { Part::Second(place) } else { Part::First(place) });
        } else if let Some(control) = item.get("SpecialToken") {
            let name = control.get("id").and_then(Value::as_str).unwrap_or_default();
            let ids = part.get("special_tokens").and_then(|all| all.get(name)?.get("ids"));
            let ids = ids.and_then(Value::as_array).filter(|ids| !ids.is_empty());
            for id in ids.ok_or_else(|| format!("its post_processor gives no id for {name}"))? {
                let id =
                    number(Some(id)).ok_or("its post_processor has an id that is no number")?;
                frame.push(Part::Control(id, segment(control)));
            }
        }
    }
    let count = |wanted: fn(&Part) -> bool| frame.iter().filter(|part| wanted(part)).count();
    let once = count(|part| matches!(part, Part::First(_))) == 1
        && count(|part| matches!(part, Part::Second(_))) == 1;
    if once { Ok(frame) } else { Err("its post_processor frames no pair of texts".to_owned()) }
}
