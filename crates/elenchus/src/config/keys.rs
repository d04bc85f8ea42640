//! The keys that can be set, and what may be written for each.

use elenchus_core::inquiry::Budget;
use serde::Serialize;

/// What a key holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    /// One of these words.
    Word(&'static [&'static str]),
    /// Free text.
    Text,
    /// A file or folder; in a file relative to the folder of that file.
    Path,
    /// A whole number between two.
    Whole(u64, u64),
    /// A number above zero.
    Amount,
    /// Yes or no.
    Flag,
    /// Texts; in the environment separated by commas.
    List,
}

/// A key that can be set.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    /// As it would stand in the environment.
    pub(crate) default: Option<&'static str>,
    pub(crate) about: &'static str,
}

const fn key(
    name: &'static str,
    shape: Shape,
    default: Option<&'static str>,
    about: &'static str,
) -> Key {
    Key { name, shape, default, about }
}

/// Every key, in the order of `config show`.
pub(crate) const KEYS: [Key; 32] = [
    key("corpus", Shape::Path, None, "the folder of documents to ask"),
    key("index", Shape::Path, None, "the index file of the corpus"),
    key("store", Shape::Path, None, "the database that keeps runs"),
    key(
        "embedder",
        Shape::Text,
        Some("builtin"),
        "`builtin`, `onnx:FOLDER`, `ollama:NAME` or `openai:NAME`",
    ),
    key(
        "model",
        Shape::Text,
        Some("extractive"),
        "what thinks: `extractive`, or `ollama:NAME`, `openai:NAME`, `anthropic:NAME`",
    ),
    key("fast_model", Shape::Text, None, "a cheaper model for the lesser prompts"),
    key(
        "fallback",
        Shape::Word(&["none", "extractive"]),
        Some("none"),
        "what answers when the model does not",
    ),
    key("cache", Shape::Flag, Some("true"), "whether replies of language models are kept"),
    key("ollama.url", Shape::Text, None, "the address of Ollama, before OLLAMA_HOST"),
    key("openai.url", Shape::Text, None, "an OpenAI-compatible server, before OPENAI_BASE_URL"),
    key("anthropic.url", Shape::Text, None, "the address of Anthropic, before ANTHROPIC_BASE_URL"),
    key("price.input", Shape::Amount, None, "US dollars for a million tokens sent"),
    key("price.output", Shape::Amount, None, "US dollars for a million tokens received"),
    key("prompts", Shape::Path, None, "a folder of prompt files that replace built-in ones"),
    key(
        "verifier",
        Shape::Text,
        Some("builtin"),
        "what judges: `builtin`, `quick`, `onnx:DIR`, or `llm:PROVIDER:NAME`",
    ),
    key("effort", Shape::Word(&["quick", "standard", "deep"]), Some("standard"), "how hard to try"),
    key(
        "clarify",
        Shape::Word(&["auto", "always", "never"]),
        Some("auto"),
        "when a language model may ask back what a vague question means",
    ),
    key(
        "reflection",
        Shape::Word(&["multi-step", "single-step"]),
        Some("multi-step"),
        "how a round is judged; `single-step` is the older loop",
    ),
    key("autonomous", Shape::Flag, Some("true"), "whether more than one round is allowed"),
    key("max_rounds", Shape::Whole(1, Budget::HARD_ROUNDS as u64), None, "search rounds"),
    key("exclude", Shape::List, Some(""), "path parts that no search may return"),
    key("budget.passages", Shape::Whole(1, 100_000), None, "passages read"),
    key("budget.model_calls", Shape::Whole(1, 1_000_000), None, "model calls"),
    key("budget.tokens", Shape::Whole(1, 1_000_000_000_000), None, "tokens in and out"),
    key("budget.usd", Shape::Amount, None, "US dollars"),
    key("budget.seconds", Shape::Amount, None, "seconds"),
    key("gaps.max_attempts", Shape::Whole(1, 10), Some("3"), "rounds before a gap is given up"),
    key(
        "gaps.dry_rounds",
        Shape::Whole(1, 10),
        Some("2"),
        "rounds without news before it counts as searched",
    ),
    key("ingest.max_file_mb", Shape::Whole(1, 4096), Some("64"), "the largest file that is read"),
    key("search.limit", Shape::Whole(1, 1000), Some("10"), "hits that `search` shows"),
    key(
        "models.url",
        Shape::Text,
        None,
        "the model hub that `models pull` takes known models from",
    ),
    key("color", Shape::Word(&["auto", "always", "never"]), Some("auto"), "when to colour"),
];

/// The key of a name.
pub(crate) fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

impl Key {
    /// The environment variable.
    pub(crate) fn variable(&self) -> String {
        format!("ELENCHUS_{}", self.name.replace('.', "_").to_uppercase())
    }
}

/// What a key is set to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum Value {
    Text(String),
    Whole(u64),
    Amount(f64),
    Flag(bool),
    List(Vec<String>),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Whole(n) => write!(f, "{n}"),
            Self::Amount(x) => write!(f, "{x}"),
            Self::Flag(on) => write!(f, "{on}"),
            Self::List(items) => f.write_str(&items.join(", ")),
        }
    }
}

impl Shape {
    /// What may be written, in words.
    pub(crate) fn expected(self) -> String {
        match self {
            Self::Word(words) => format!("one of {}", words.join(", ")),
            Self::Text => "a text".to_owned(),
            Self::Path => "a path".to_owned(),
            Self::Whole(least, most) => format!("a whole number from {least} to {most}"),
            Self::Amount => "a number above 0".to_owned(),
            Self::Flag => "true or false".to_owned(),
            Self::List => "a list of texts".to_owned(),
        }
    }

    /// A value as a shell or a default has it.
    pub(crate) fn read(self, text: &str) -> Option<Value> {
        match self {
            Self::Flag => match text {
                "true" | "1" | "yes" | "on" => Some(Value::Flag(true)),
                "false" | "0" | "no" | "off" => Some(Value::Flag(false)),
                _ => None,
            },
            Self::List => {
                let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
                Some(Value::List(items.map(str::to_owned).collect()))
            }
            Self::Whole(..) => self.take(Value::Whole(text.parse().ok()?)),
            Self::Amount => self.take(Value::Amount(text.parse().ok()?)),
            Self::Word(_) | Self::Text | Self::Path => self.take(Value::Text(text.to_owned())),
        }
    }

    /// A value as a TOML file has it.
    pub(crate) fn read_toml(self, value: &toml::Value) -> Option<Value> {
        let value = match (self, value) {
            (Self::Whole(..), toml::Value::Integer(n)) => Value::Whole(u64::try_from(*n).ok()?),
            (Self::Amount, toml::Value::Integer(n)) => {
                Value::Amount(u32::try_from(*n).ok()?.into())
            }
            (Self::Amount, toml::Value::Float(x)) => Value::Amount(*x),
            (Self::Flag, toml::Value::Boolean(on)) => Value::Flag(*on),
            (Self::List, toml::Value::Array(items)) => {
                let texts = items.iter().map(|item| item.as_str().map(str::to_owned));
                Value::List(texts.collect::<Option<_>>()?)
            }
            (Self::Word(_) | Self::Text | Self::Path, toml::Value::String(text)) => {
                Value::Text(text.clone())
            }
            _ => return None,
        };
        self.take(value)
    }

    /// A value if it is allowed.
    fn take(self, value: Value) -> Option<Value> {
        let allowed = match (self, &value) {
            (Self::Word(words), Value::Text(text)) => words.contains(&text.as_str()),
            (Self::Whole(least, most), Value::Whole(n)) => (least..=most).contains(n),
            (Self::Amount, Value::Amount(x)) => x.is_finite() && *x > 0.0,
            (Self::Text | Self::Path, Value::Text(text)) => !text.trim().is_empty(),
            _ => true,
        };
        allowed.then_some(value)
    }
}
