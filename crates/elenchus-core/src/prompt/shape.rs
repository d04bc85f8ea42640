//! Shapes: what a reply must look like. The JSON schema sent to a server and the check of its reply come from one value.

use super::defect::{DefectKind, Defects};
use super::safe::clip;
use crate::text::{is_invisible, squeeze};
use serde_json::{Map, Value, json};

/// What a value must look like.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// Text of at most so many characters.
    Text(usize),
    /// A whole number from, up to and with.
    Integer(i64, i64),
    /// True or false.
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
    /// At most so many of these.
    List(Box<Shape>, usize),
    /// Keys and values.
    Object(Vec<Field>),
    /// The same, or null.
    Nullable(Box<Shape>),
}

/// A key of an object.
#[derive(Clone, Debug)]
pub(super) struct Field {
    name: &'static str,
    shape: Shape,
    /// Without it the object says nothing and is dropped.
    essential: bool,
    /// What stands in the schema, for the model.
    about: &'static str,
    /// Another name under which it is understood; then its absence is no defect either.
    spare: Option<&'static str>,
}

impl Field {
    pub(super) fn essential(name: &'static str, shape: Shape, about: &'static str) -> Self {
        Self { name, shape, essential: true, about, spare: None }
    }

    pub(super) fn optional(name: &'static str, shape: Shape, about: &'static str) -> Self {
        Self { name, shape, essential: false, about, spare: None }
    }

    /// A key that may be left out without a word, and that may be called `other` as well.
    pub(super) fn spare(
        name: &'static str,
        other: &'static str,
        shape: Shape,
        about: &'static str,
    ) -> Self {
        Self { name, shape, essential: false, about, spare: Some(other) }
    }
}

impl Shape {
    pub(super) fn list(item: Self, most: usize) -> Self {
        Self::List(Box::new(item), most)
    }

    pub(super) fn nullable(inner: Self) -> Self {
        Self::Nullable(Box::new(inner))
    }

    /// The JSON schema: every key required, no other allowed, no keyword that strict servers refuse.
    pub(super) fn schema(&self) -> Value {
        match self {
            Self::Text(_) => json!({ "type": "string" }),
            Self::Integer(..) => json!({ "type": "integer" }),
            Self::Flag => json!({ "type": "boolean" }),
            Self::Word(words) => json!({ "type": "string", "enum": words }),
            Self::List(item, _) => json!({ "type": "array", "items": item.schema() }),
            Self::Object(fields) => {
                let mut properties = Map::new();
                for field in fields {
                    let mut schema = field.shape.schema();
                    if let Some(object) = schema.as_object_mut() {
                        object.insert("description".to_owned(), json!(field.about));
                    }
                    properties.insert(field.name.to_owned(), schema);
                }
                let required: Vec<&str> = fields.iter().map(|field| field.name).collect();
                json!({
                    "type": "object",
                    "additionalProperties": false,
                    "properties": properties,
                    "required": required,
                })
            }
            Self::Nullable(inner) => {
                let mut schema = inner.schema();
                if let Some(object) = schema.as_object_mut() {
                    if let Some(kind) = object.get("type").cloned() {
                        object.insert("type".to_owned(), json!([kind, "null"]));
                    }
                    if let Some(words) = object.get_mut("enum").and_then(Value::as_array_mut) {
                        words.push(Value::Null);
                    }
                }
                schema
            }
        }
    }

    /// Makes `value` fit, or says why it cannot. What fits is returned with exactly the keys of the shape; an
    /// absent optional key is null. Nothing is guessed: a word that is not known and a number out of range are lost.
    pub(super) fn fit(&self, value: Value, at: &str, defects: &mut Defects) -> Option<Value> {
        match self {
            Self::Text(most) => text(value, *most, at, defects).map(Value::String),
            Self::Integer(from, to) => {
                let number = integer(&value, at, defects)?;
                if (*from..=*to).contains(&number) {
                    return Some(json!(number));
                }
                defects.add(DefectKind::OutOfRange, at, format!("{number} is not {from} to {to}"));
                None
            }
            Self::Flag => flag(&value, at, defects).map(Value::Bool),
            Self::Word(words) => word(&value, words, at, defects).map(|word| json!(word)),
            Self::List(item, most) => list(item, *most, value, at, defects),
            Self::Object(fields) => object(fields, value, at, defects),
            Self::Nullable(inner) => Some(match value {
                Value::Null => Value::Null,
                Value::String(text) if says_nothing(&text) => {
                    defects.add(DefectKind::Coerced, at, format!("{text:?} is taken for null"));
                    Value::Null
                }
                value => inner.fit(value, at, defects).unwrap_or(Value::Null),
            }),
        }
    }

    /// For an object whose one essential key is a list of objects: that key, so that a bare list can be understood.
    /// A bare list of words or numbers says too little: "[1]" is no verdict.
    fn only_list(&self) -> Option<&Field> {
        let Self::Object(fields) = self else { return None };
        let mut essential = fields.iter().filter(|field| field.essential);
        let of_objects = |shape: &Self| match shape {
            Self::List(item, _) => matches!(**item, Self::Object(_)),
            _ => false,
        };
        let only = essential.next().filter(|field| of_objects(&field.shape))?;
        essential.next().is_none().then_some(only)
    }

    /// [`Shape::fit`] for a whole reply, which may come without the object around its only list, or with a list
    /// around it.
    pub(super) fn fit_reply(&self, value: Value, defects: &mut Defects) -> Option<Value> {
        let wanted = self.only_list();
        match value {
            Value::Array(items) if !items.is_empty() => {
                let own = |item: &Value| item.as_object().is_some_and(|object| self.claims(object));
                if let Some(found) = items.iter().position(own) {
                    let alone = items.len() == 1;
                    defects.add(DefectKind::Coerced, "reply", "a list around the object");
                    if !alone {
                        defects.add(DefectKind::SeveralValues, "reply", "one object of a list");
                    }
                    return items.into_iter().nth(found).and_then(|v| self.fit(v, "", defects));
                }
                let field = wanted?;
                let what = format!("the list without the object around it, for {:?}", field.name);
                defects.add(DefectKind::Coerced, "reply", what);
                self.fit(json!({ field.name: items }), "", defects)
            }
            Value::Object(mut map) if !self.claims(&map) => {
                // {"result": {...}}: the answer in a wrapper of the model's own.
                let wrapped = |value: &Value| value.as_object().is_some_and(|m| self.claims(m));
                if map.len() == 1 && map.values().all(wrapped) {
                    defects.add(DefectKind::Coerced, "reply", "an object around the object");
                    let key = map.keys().next().cloned().unwrap_or_default();
                    return map.remove(&key).and_then(|value| self.fit(value, "", defects));
                }
                let Some(field) = wanted else { return self.fit(Value::Object(map), "", defects) };
                let item = match &field.shape {
                    Self::List(item, _) => item.as_ref(),
                    _ => return None,
                };
                if item.keys_of(&map) < 2 {
                    return self.fit(Value::Object(map), "", defects);
                }
                let what = format!("one item without its list {:?}", field.name);
                defects.add(DefectKind::Coerced, "reply", what);
                self.fit(json!({ field.name: [map] }), "", defects)
            }
            Value::Object(map) => self.fit(Value::Object(map), "", defects),
            other => {
                defects.add(DefectKind::WrongType, "reply", format!("{}, no object", kind(&other)));
                None
            }
        }
    }

    /// How many keys of this shape an object has, in any spelling.
    fn keys_of(&self, map: &Map<String, Value>) -> usize {
        let Self::Object(fields) = self else { return 0 };
        let has = |field: &&Field| map.keys().any(|key| same_name(key, field.name));
        fields.iter().filter(has).count()
    }

    /// Whether an object has an essential key of this shape, in any spelling.
    pub(super) fn claims(&self, map: &Map<String, Value>) -> bool {
        let Self::Object(fields) = self else { return false };
        fields.iter().filter(|field| field.essential).any(|field| {
            map.contains_key(field.name) || map.keys().any(|key| same_name(key, field.name))
        })
    }
}

/// What kind of JSON value this is, for people.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn says_nothing(text: &str) -> bool {
    let plain = text.trim().to_lowercase();
    matches!(plain.as_str(), "" | "null" | "none" | "nil" | "n/a" | "-")
}

fn plain_name(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

fn same_name(a: &str, b: &str) -> bool {
    plain_name(a).eq(plain_name(b))
}

fn text(value: Value, most: usize, at: &str, defects: &mut Defects) -> Option<String> {
    let text = match value {
        Value::String(text) => text,
        Value::Array(mut items) if items.len() == 1 && items[0].is_string() => {
            defects.add(DefectKind::Coerced, at, "a list around one text");
            match items.pop() {
                Some(Value::String(text)) => text,
                _ => return None,
            }
        }
        Value::Number(number) => {
            defects.add(DefectKind::Coerced, at, "a number where a text is wanted");
            number.to_string()
        }
        other => {
            defects.add(DefectKind::WrongType, at, format!("{}, no text", kind(&other)));
            return None;
        }
    };
    if text.chars().any(|c| is_invisible(c) && !c.is_whitespace()) {
        defects.add_once(DefectKind::Invisible, at, "characters that nobody can see");
    }
    let clean = squeeze(&text);
    if clean.chars().nth(most).is_some() {
        defects.add(DefectKind::TooLong, at, format!("more than {most} characters"));
        return Some(clip(&clean, most));
    }
    Some(clean)
}

fn integer(value: &Value, at: &str, defects: &mut Defects) -> Option<i64> {
    let found = match value {
        Value::Number(number) => {
            if let Some(whole) = number.as_i64() {
                return Some(whole);
            }
            number.as_f64().filter(|n| n.fract() == 0.0 && n.abs() < 1e15).map(|n| n as i64)
        }
        // "3", "Q3", "#3", "3." all name the third.
        Value::String(text) => {
            let bare =
                text.trim().trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '#');
            let marks = text.trim().len() - bare.len();
            let bare = bare.trim_end_matches(['.', ')']);
            (marks <= 1 && bare.len() <= 9).then(|| bare.parse().ok()).flatten()
        }
        _ => None,
    };
    match found {
        Some(_) => defects.add(DefectKind::Coerced, at, "a whole number in another form"),
        None => {
            defects.add(DefectKind::WrongType, at, format!("{}, no whole number", kind(value)));
        }
    }
    found
}

fn flag(value: &Value, at: &str, defects: &mut Defects) -> Option<bool> {
    let found = match value {
        Value::Bool(flag) => return Some(*flag),
        Value::String(text) => match text.trim().to_lowercase().as_str() {
            "true" | "yes" => Some(true),
            "false" | "no" => Some(false),
            _ => None,
        },
        _ => None,
    };
    match found {
        Some(_) => defects.add(DefectKind::Coerced, at, "true or false as a text"),
        None => {
            defects.add(DefectKind::WrongType, at, format!("{}, not true or false", kind(value)));
        }
    }
    found
}

fn word(
    value: &Value,
    words: &'static [&'static str],
    at: &str,
    defects: &mut Defects,
) -> Option<&'static str> {
    let Value::String(text) = value else {
        defects.add(DefectKind::WrongType, at, format!("{}, no word", kind(value)));
        return None;
    };
    if let Some(exact) = words.iter().find(|word| *word == text) {
        return Some(exact);
    }
    let singular = |text: &str| {
        let plain: String = plain_name(text).collect();
        plain.strip_suffix('s').map_or(plain.clone(), str::to_owned)
    };
    let wanted = singular(text);
    // Letters, and nothing but case, spaces, hyphens and a plural may differ.
    let spelt = text.trim().chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '-' | '_'));
    let found = words.iter().copied().find(|word| spelt && singular(word) == wanted);
    match found {
        Some(word) => defects.add(DefectKind::RespeltWord, at, format!("{text:?} means {word}")),
        None => {
            let list = words.join(", ");
            defects.add(DefectKind::UnknownWord, at, format!("{text:?} is none of: {list}"));
        }
    }
    found
}

fn list(item: &Shape, most: usize, value: Value, at: &str, defects: &mut Defects) -> Option<Value> {
    let items = match value {
        Value::Array(items) => items,
        Value::Null => {
            defects.add(DefectKind::WrongType, at, "null, no list");
            return None;
        }
        lone => {
            defects.add(DefectKind::Coerced, at, format!("{} without its list", kind(&lone)));
            vec![lone]
        }
    };
    if items.is_empty() {
        return Some(Value::Array(items));
    }
    if items.len() > most {
        defects.add(DefectKind::TooLong, at, format!("{} items, {most} are read", items.len()));
    }
    let kept: Vec<Value> = items
        .into_iter()
        .take(most)
        .enumerate()
        .filter_map(|(place, value)| item.fit(value, &format!("{at}[{place}]"), defects))
        .collect();
    // A list that lost everything is not an empty list: "nothing" must have been said.
    (!kept.is_empty()).then_some(Value::Array(kept))
}

fn object(fields: &[Field], value: Value, at: &str, defects: &mut Defects) -> Option<Value> {
    let mut map = match value {
        Value::Object(map) => map,
        Value::Array(mut items) if items.len() == 1 && items[0].is_object() => {
            defects.add(DefectKind::Coerced, at, "a list around one object");
            match items.pop() {
                Some(Value::Object(map)) => map,
                _ => return None,
            }
        }
        other => {
            defects.add(DefectKind::WrongType, at, format!("{}, no object", kind(&other)));
            return None;
        }
    };
    let mut out = Map::new();
    let mut whole = true;
    for field in fields {
        let path =
            if at.is_empty() { field.name.to_owned() } else { format!("{at}.{}", field.name) };
        let mut found = map.remove(field.name);
        if let (None, Some(other)) = (&found, field.spare) {
            found = map.remove(other);
        }
        if found.is_none() {
            let other = map.keys().find(|key| same_name(key, field.name)).cloned();
            if let Some(other) = other {
                defects.add(DefectKind::RenamedKey, &path, format!("spelt {other:?}"));
                found = map.remove(&other);
            }
        }
        let fitted = match found {
            Some(Value::Null) if !field.essential => Some(Value::Null),
            Some(value) => field.shape.fit(value, &path, defects),
            None if field.spare.is_some() => None,
            None => {
                defects.add(DefectKind::MissingKey, &path, "asked for, and not there");
                None
            }
        };
        match fitted {
            Some(value) => {
                out.insert(field.name.to_owned(), value);
            }
            None if field.essential => whole = false,
            None => {
                out.insert(field.name.to_owned(), Value::Null);
            }
        }
    }
    if !map.is_empty() {
        let others: Vec<&str> = map.keys().map(String::as_str).take(5).collect();
        defects.add(DefectKind::UnknownKey, at, format!("not asked for: {}", others.join(", ")));
    }
    whole.then_some(Value::Object(out))
}
