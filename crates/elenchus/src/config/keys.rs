//! The keys that can be set, and what may be written for each.

use elenchus_core::inquiry::Budget;
use serde::{Deserialize, Serialize};

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
    /// A number from 0 to 1.
    Share,
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
pub(crate) const KEYS: [Key; 94] = [
    key("corpus", Shape::Path, None, "the folder of documents to ask"),
    key("index", Shape::Path, None, "the index file of the corpus"),
    key("store", Shape::Path, None, "the database that keeps runs"),
    key(
        "embedder",
        Shape::Text,
        Some("builtin"),
        "`builtin`, `onnx:FOLDER`, `ollama:NAME` or `openai:NAME`; `@512` behind it asks for that length",
    ),
    key(
        "model",
        Shape::Text,
        Some("extractive"),
        "what thinks: `extractive`, or `ollama:NAME`, `openai:NAME`, `anthropic:NAME`",
    ),
    key("fast_model", Shape::Text, None, "a cheaper model for the lesser prompts"),
    key(
        "strong_fallback",
        Shape::List,
        Some(""),
        "models that are asked, in this order, where the model fails for good",
    ),
    key(
        "fast_fallback",
        Shape::List,
        Some(""),
        "the same for the cheaper model [those of the model, where there is no cheaper one]",
    ),
    key(
        "fallback",
        Shape::Word(&["none", "extractive"]),
        Some("none"),
        "what answers when no model does",
    ),
    key("cache", Shape::Flag, Some("true"), "whether replies of language models are kept"),
    key("ollama.url", Shape::Text, None, "the address of Ollama, before OLLAMA_HOST"),
    key("openai.url", Shape::Text, None, "an OpenAI-compatible server, before OPENAI_BASE_URL"),
    key("anthropic.url", Shape::Text, None, "the address of Anthropic, before ANTHROPIC_BASE_URL"),
    key("openai.key_file", Shape::Path, None, "a file with the key, before OPENAI_API_KEY"),
    key("anthropic.key_file", Shape::Path, None, "a file with the key, before ANTHROPIC_API_KEY"),
    key("price.input", Shape::Amount, None, "US dollars for a million tokens sent to the model"),
    key("price.output", Shape::Amount, None, "US dollars for a million tokens received from it"),
    key(
        "prices",
        Shape::List,
        Some(""),
        "the prices of other models, each `PROVIDER:NAME=IN/OUT` for a million tokens",
    ),
    key("prompts", Shape::Path, None, "a folder of prompt files that replace built-in ones"),
    key(
        "verifier",
        Shape::Text,
        Some("builtin"),
        "what judges: `builtin`, `quick`, `onnx:DIR`, or `llm:PROVIDER:NAME`",
    ),
    key(
        "engine",
        Shape::Word(&["local", "restate"]),
        Some("local"),
        "what drives runs: this process, or the workers of a Restate server",
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
    key(
        "ingest.keep_secrets",
        Shape::Flag,
        Some("false"),
        "whether passwords and keys in documents are read like any other word",
    ),
    key("search.limit", Shape::Whole(1, 1000), Some("10"), "hits that `search` shows"),
    key(
        "models.url",
        Shape::Text,
        None,
        "the model hub that `models pull` takes known models from",
    ),
    key(
        "memory",
        Shape::Flag,
        Some("true"),
        "whether runs recall what earlier ones learned, and learn",
    ),
    key("project", Shape::Text, None, "whose memory is used [the folder of elenchus.toml]"),
    key("team", Shape::Text, None, "the team whose memories the project shares"),
    key("org", Shape::Text, None, "the organisation whose memories the project shares"),
    key(
        "reasoning_bank.embedding.model",
        Shape::Text,
        Some("builtin"),
        "what turns memories into vectors: `builtin` in microseconds, `sentence` in milliseconds, or a model behind a \
         server as `openai:NAME` or `ollama:NAME`",
    ),
    key(
        "reasoning_bank.embedding.dimensions",
        Shape::Whole(1, 100_000),
        None,
        "numbers in a vector: asked of a server, to be sure of otherwise",
    ),
    key(
        "reasoning_bank.search.default_limit",
        Shape::Whole(1, 1000),
        Some("5"),
        "memories that a search returns",
    ),
    key("reasoning_bank.search.max_limit", Shape::Whole(1, 1000), Some("20"), "the most of them"),
    key(
        "reasoning_bank.search.min_confidence",
        Shape::Share,
        Some("0.5"),
        "below it a memory is not returned",
    ),
    key(
        "reasoning_bank.search.scope_weights.project",
        Shape::Share,
        Some("1"),
        "factor of relevance for the project's memories",
    ),
    key(
        "reasoning_bank.search.scope_weights.team",
        Shape::Share,
        Some("0.9"),
        "factor of relevance for the team's memories",
    ),
    key(
        "reasoning_bank.search.scope_weights.org",
        Shape::Share,
        Some("0.8"),
        "factor of relevance for the organisation's memories",
    ),
    key(
        "reasoning_bank.search.exploration",
        Shape::Share,
        Some("0.1"),
        "share of searches that try a memory of which little is known",
    ),
    key(
        "reasoning_bank.distillation.queue_batch_size",
        Shape::Whole(1, 1000),
        Some("10"),
        "sessions that a distiller takes at once",
    ),
    key(
        "reasoning_bank.distillation.worker_count",
        Shape::Whole(1, 64),
        Some("2"),
        "distillers at work at once",
    ),
    key(
        "reasoning_bank.distillation.extraction_model",
        Shape::Text,
        None,
        "the model that distils [the fast model]",
    ),
    key(
        "reasoning_bank.distillation.max_extractions_per_session",
        Shape::Whole(0, 100),
        Some("3"),
        "the most memories that one session may leave",
    ),
    key(
        "reasoning_bank.confidence.initial_success",
        Shape::Share,
        Some("0.7"),
        "first confidence of what a success taught",
    ),
    key(
        "reasoning_bank.confidence.initial_failure",
        Shape::Share,
        Some("0.6"),
        "first confidence of what a failure taught",
    ),
    key(
        "reasoning_bank.confidence.initial_explicit",
        Shape::Share,
        Some("0.8"),
        "first confidence of what was recorded on purpose",
    ),
    key(
        "reasoning_bank.confidence.min_for_injection",
        Shape::Share,
        Some("0.5"),
        "below it a memory is not put into a prompt",
    ),
    key(
        "reasoning_bank.confidence.consensus_threshold",
        Shape::Whole(1, 1000),
        Some("2"),
        "sessions and actors that a wider scope needs",
    ),
    key(
        "reasoning_bank.confidence.prune_threshold",
        Shape::Share,
        Some("0.3"),
        "a memory surely below it is archived",
    ),
    key(
        "reasoning_bank.confidence.decay_interval",
        Shape::Text,
        Some("24h"),
        "how often old signals are rolled up",
    ),
    key(
        "reasoning_bank.confidence.half_life_days",
        Shape::Amount,
        Some("90"),
        "days after which a signal counts half",
    ),
    key(
        "reasoning_bank.confidence.actor_mass",
        Shape::Amount,
        Some("16"),
        "votes that all reports of one actor weigh together at most",
    ),
    key(
        "egress",
        Shape::Word(&["offline", "private-only", "public"]),
        Some("public"),
        "how far connections may go: not at all, to hosts that you named, anywhere public",
    ),
    key(
        "web.sources",
        Shape::Word(&["local", "web", "hybrid"]),
        None,
        "where to look [local; with providers or pages the web, and both where there is a corpus]",
    ),
    key(
        "web.providers",
        Shape::List,
        Some(""),
        "search providers, such as wikipedia or searxng; `configured` for those that are set up",
    ),
    key("web.urls", Shape::List, Some(""), "pages that every question is asked of"),
    key("web.domains", Shape::List, Some(""), "only pages of these sites"),
    key("web.since", Shape::Text, None, "nothing older: 2025, 2025-06 or 2025-06-30"),
    key(
        "web.private_hosts",
        Shape::List,
        Some(""),
        "hosts that may be read although they are private, as HOST or HOST:PORT",
    ),
    key(
        "web.allow_private_queries",
        Shape::Flag,
        Some("false"),
        "whether searches worded after private documents were read may leave",
    ),
    key("web.contact", Shape::Text, None, "an e-mail address that polite services are told"),
    key("web.language", Shape::Text, None, "the language of results, such as en or de"),
    key("web.results", Shape::Whole(1, 50), Some("10"), "results asked of each provider"),
    key("web.pages", Shape::Whole(1, 50), Some("6"), "most pages that one search reads"),
    key("web.most_pages", Shape::Whole(1, 1000), Some("60"), "most pages that one run reads"),
    key("web.follow", Shape::Whole(0, 20), Some("2"), "most links that one search follows"),
    key(
        "web.fresh_hours",
        Shape::Amount,
        Some("24"),
        "hours for which a page that was read is not fetched again",
    ),
    key(
        "web.keep_mb",
        Shape::Whole(1, 1_048_576),
        Some("1024"),
        "most room for pages that are kept",
    ),
    key("searxng.url", Shape::Text, None, "the address of SearXNG, before SEARXNG_URL"),
    key("opensearch.url", Shape::Text, None, "the address of an index, before OPENSEARCH_URL"),
    key("tavily.key_file", Shape::Path, None, "a file with the key, before TAVILY_API_KEY"),
    key("brave.key_file", Shape::Path, None, "a file with the key, before BRAVE_API_KEY"),
    key("openalex.key_file", Shape::Path, None, "a file with the key, before OPENALEX_API_KEY"),
    key("opensearch.key_file", Shape::Path, None, "a file with the key, before OPENSEARCH_API_KEY"),
    key("qdrant.url", Shape::Text, None, "the address of a Qdrant server, before QDRANT_URL"),
    key("qdrant.prefix", Shape::Text, Some("elenchus"), "how its collections' names begin"),
    key("serve.listen", Shape::Text, Some("127.0.0.1:8421"), "where `serve` listens"),
    key("serve.rate", Shape::Whole(1, 1_000_000), Some("100"), "requests a second and caller"),
    key("serve.burst", Shape::Whole(1, 1_000_000), Some("400"), "requests of a caller at once"),
    key("serve.runs", Shape::Whole(1, 64), Some("4"), "runs under way in a server at once"),
    key("color", Shape::Word(&["auto", "always", "never"]), Some("auto"), "when to colour"),
    key(
        "hyperlinks",
        Shape::Word(&["auto", "always", "never"]),
        Some("auto"),
        "when paths and addresses in a report are links",
    ),
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
            Self::Share => "a number from 0 to 1".to_owned(),
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
            Self::Amount | Self::Share => self.take(Value::Amount(text.parse().ok()?)),
            Self::Word(_) | Self::Text | Self::Path => self.take(Value::Text(text.to_owned())),
        }
    }

    /// A value as a TOML file has it.
    pub(crate) fn read_toml(self, value: &toml::Value) -> Option<Value> {
        let value = match (self, value) {
            (Self::Whole(..), toml::Value::Integer(n)) => Value::Whole(u64::try_from(*n).ok()?),
            (Self::Amount | Self::Share, toml::Value::Integer(n)) => {
                Value::Amount(u32::try_from(*n).ok()?.into())
            }
            (Self::Amount | Self::Share, toml::Value::Float(x)) => Value::Amount(*x),
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
            (Self::Share, Value::Amount(x)) => (0.0..=1.0).contains(x),
            (Self::Text | Self::Path, Value::Text(text)) => !text.trim().is_empty(),
            _ => true,
        };
        allowed.then_some(value)
    }
}
