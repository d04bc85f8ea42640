//! Reads the arguments of a call. The protocol library does not enforce schemas, so every bound is checked here.

use super::ports::{Nature, Refusal};
use elenchus_core::text::is_invisible;
use rmcp::model::JsonObject;
use serde_json::Value;

/// The arguments of one call, taken out one by one; what is left in the end was not asked for.
pub(crate) struct Args {
    tool: &'static str,
    given: JsonObject,
    known: Vec<&'static str>,
}

impl Args {
    pub(crate) fn new(tool: &'static str, given: Option<JsonObject>) -> Self {
        Self { tool, given: given.unwrap_or_default(), known: Vec::new() }
    }

    fn refuse(&self, cause: impl Into<String>, way_out: impl Into<String>) -> Refusal {
        Refusal::new(format!("could not call {}", self.tool), cause, way_out)
            .being(Nature::Malformed)
    }

    /// An explicit null is an argument that was not given.
    /// Whether something was given under the name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.given.get(name).is_some_and(|value| !value.is_null())
    }

    fn take(&mut self, name: &'static str) -> Option<Value> {
        self.known.push(name);
        self.given.remove(name).filter(|value| !value.is_null())
    }

    fn missing(&self, name: &str, what: &str) -> Refusal {
        self.refuse(format!("the argument `{name}` is missing"), format!("give `{name}`: {what}"))
    }

    fn wrong(&self, name: &str, value: &Value, wanted: &str) -> Refusal {
        let shown = match value {
            Value::String(text) => format!("a text of {} characters", text.chars().count()),
            Value::Array(items) => format!("a list of {} items", items.len()),
            Value::Object(_) => "an object".to_owned(),
            other => other.to_string(),
        };
        self.refuse(format!("`{name}` is {shown}"), format!("give {wanted}"))
    }

    /// A text that may be left out; at most `most` characters, and not blank.
    pub(crate) fn maybe_text(
        &mut self,
        name: &'static str,
        most: usize,
    ) -> Result<Option<String>, Refusal> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let Value::String(text) = value else {
            return Err(self.wrong(name, &value, "a text"));
        };
        if is_blank(&text) {
            return Err(self.refuse(format!("`{name}` is empty"), "give some words"));
        }
        let long = text.chars().count();
        if long > most {
            return Err(self.refuse(
                format!("`{name}` has {long} characters"),
                format!("shorten it to at most {most}"),
            ));
        }
        Ok(Some(text))
    }

    /// A text that must be there.
    pub(crate) fn text(
        &mut self,
        name: &'static str,
        most: usize,
        what: &str,
    ) -> Result<String, Refusal> {
        self.maybe_text(name, most)?.ok_or_else(|| self.missing(name, what))
    }

    /// One of several words.
    pub(crate) fn word(
        &mut self,
        name: &'static str,
        words: &[&'static str],
    ) -> Result<Option<&'static str>, Refusal> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let found = value.as_str().and_then(|given| words.iter().find(|word| **word == given));
        match found {
            Some(word) => Ok(Some(word)),
            None => {
                let shown = value.as_str().map_or_else(
                    || "not a text".to_owned(),
                    |text| format!("{:?}", text.chars().take(40).collect::<String>()),
                );
                Err(self.refuse(
                    format!("`{name}` is {shown}"),
                    format!("give one of: {}", words.join(", ")),
                ))
            }
        }
    }

    /// Yes or no.
    pub(crate) fn flag(&mut self, name: &'static str) -> Result<Option<bool>, Refusal> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(other) => Err(self.wrong(name, &other, "true or false")),
        }
    }

    /// Yes or no, which must be said.
    pub(crate) fn decided(&mut self, name: &'static str, what: &str) -> Result<bool, Refusal> {
        self.flag(name)?.ok_or_else(|| self.missing(name, what))
    }

    /// A whole number within bounds. `5.0` is a whole number, too: JSON knows one kind only.
    pub(crate) fn whole(
        &mut self,
        name: &'static str,
        least: u64,
        most: u64,
    ) -> Result<Option<u64>, Refusal> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let number = value.as_u64().or_else(|| {
            let number = value.as_f64().filter(|n| n.fract() == 0.0 && *n >= 0.0)?;
            (number <= 9e15).then_some(number as u64)
        });
        match number {
            Some(number) if (least..=most).contains(&number) => Ok(Some(number)),
            _ => {
                let wanted = format!("a whole number from {least} to {most}");
                Err(self.wrong(name, &value, &wanted))
            }
        }
    }

    /// A number within bounds.
    pub(crate) fn number(
        &mut self,
        name: &'static str,
        least: f64,
        most: f64,
    ) -> Result<Option<f64>, Refusal> {
        let Some(value) = self.take(name) else { return Ok(None) };
        match value.as_f64() {
            Some(number) if number >= least && number <= most => Ok(Some(number)),
            _ => {
                let wanted = format!("a number from {least} to {most}");
                Err(self.wrong(name, &value, &wanted))
            }
        }
    }

    /// A list of texts.
    pub(crate) fn texts(
        &mut self,
        name: &'static str,
        most: usize,
        longest: usize,
    ) -> Result<Vec<String>, Refusal> {
        let wanted = format!("a list of at most {most} texts of at most {longest} characters");
        let items = match self.take(name) {
            None => return Ok(Vec::new()),
            Some(Value::Array(items)) if items.len() <= most => items,
            Some(other) => return Err(self.wrong(name, &other, &wanted)),
        };
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Value::String(text) if !is_blank(&text) && text.chars().count() <= longest => {
                    texts.push(text);
                }
                other => {
                    return Err(self.wrong(&format!("{name}[{}]", texts.len()), &other, &wanted));
                }
            }
        }
        Ok(texts)
    }

    /// A list of objects, each as arguments of its own.
    pub(crate) fn objects(
        &mut self,
        name: &'static str,
        most: usize,
    ) -> Result<Vec<Self>, Refusal> {
        let wanted = format!("a list of at most {most} objects");
        let items = match self.take(name) {
            None => return Ok(Vec::new()),
            Some(Value::Array(items)) if items.len() <= most => items,
            Some(other) => return Err(self.wrong(name, &other, &wanted)),
        };
        items
            .into_iter()
            .map(|item| match item {
                Value::Object(given) => Ok(Self::new(self.tool, Some(given))),
                other => Err(self.wrong(name, &other, &wanted)),
            })
            .collect()
    }

    /// An object, as it is; empty where none is given.
    pub(crate) fn object(&mut self, name: &'static str) -> Result<JsonObject, Refusal> {
        match self.take(name) {
            None => Ok(JsonObject::default()),
            Some(Value::Object(given)) => Ok(given),
            Some(other) => Err(self.wrong(name, &other, "an object of names and values")),
        }
    }

    /// Nothing may be left: an argument without an effect would be taken for one that has.
    pub(crate) fn finish(self) -> Result<(), Refusal> {
        let Some(name) = self.given.keys().next() else { return Ok(()) };
        let shown: String = name.chars().take(40).collect();
        let whose = matches!(
            name.as_str(),
            "project"
                | "project_id"
                | "tenant"
                | "tenant_id"
                | "team"
                | "team_id"
                | "org"
                | "user_id"
                | "actor"
                | "scope"
        );
        let cause = if whose {
            format!(
                "`{shown}` is not taken from a call: whose memory is used, and who sees it, is decided where the server is started"
            )
        } else {
            format!("there is no argument `{shown}`")
        };
        let way_out = format!("leave it out; the arguments are: {}", self.known.join(", "));
        let nature = if whose { Nature::Forbidden } else { Nature::Malformed };
        Err(self.refuse(cause, way_out).being(nature))
    }
}

/// Whether a text shows nothing: spaces, controls and marks of no width.
fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_invisible(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn args(value: Value) -> Args {
        Args::new("tool", value.as_object().cloned())
    }

    #[test]
    fn bounds_hold_and_are_told() {
        let mut given = args(json!({"n": 500, "m": 5.0, "x": -0.1, "w": "both", "t": "  "}));
        assert!(given.whole("n", 1, 20).unwrap_err().way_out.contains("1 to 20"));
        assert_eq!(given.whole("m", 1, 20).unwrap(), Some(5));
        assert!(given.number("x", 0.0, 1.0).is_err());
        assert!(given.word("w", &["success", "failure"]).unwrap_err().way_out.contains("success"));
        assert!(given.text("t", 10, "words").unwrap_err().cause.contains("empty"));
        assert!(given.text("q", 10, "words").unwrap_err().cause.contains("missing"));
    }

    #[test]
    fn characters_are_counted_not_bytes() {
        assert!(args(json!({"t": "ä".repeat(10)})).text("t", 10, "").is_ok());
        assert!(args(json!({"t": "ä".repeat(11)})).text("t", 10, "").is_err());
    }

    #[test]
    fn whose_memory_it_is_cannot_be_said() {
        let mut given = args(json!({"query": "x", "tenant": "other"}));
        given.text("query", 10, "").unwrap();
        let refusal = given.finish().unwrap_err();
        assert!(refusal.cause.contains("where the server is started"), "{refusal}");
        assert!(refusal.way_out.contains("query"), "{refusal}");
    }

    #[test]
    fn null_is_not_given() {
        let mut given = args(json!({"limit": null}));
        assert_eq!(given.whole("limit", 1, 20).unwrap(), None);
        given.finish().unwrap();
    }
}
