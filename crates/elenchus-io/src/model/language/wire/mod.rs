//! The three ways of talking. What they share is here; one file each for what differs.

pub(super) mod anthropic;
pub(super) mod ollama;
pub(super) mod openai;

use serde_json::Value;

use super::endpoint::Endpoint;
use super::frames::{Frames, Framing, NotText};
use super::name::{ModelName, Provider};
use super::request::{ChatRequest, Stop};
use super::think::ThinkSplit;

/// What a server has shown not to take. Learned from its refusals and kept for the client's life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Habits {
    /// Takes no schema.
    pub(crate) no_schema: bool,
    /// Takes no `stream_options`, so usage has to be estimated.
    pub(crate) no_stream_options: bool,
    /// Takes no temperature.
    pub(crate) no_temperature: bool,
    /// Calls the limit of tokens by the other of its two names.
    pub(crate) other_limit: bool,
}

/// A request: the path behind the base URL and the body.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing {
    pub(crate) path: &'static str,
    pub(crate) body: Value,
    pub(crate) schema_sent: bool,
}

/// The request for a chat.
///
/// `context` is the number of tokens that Ollama is to make room for; the other providers do not take one.
pub(crate) fn outgoing(
    name: &ModelName,
    endpoint: &Endpoint,
    request: &ChatRequest,
    habits: Habits,
    context: u64,
) -> Outgoing {
    let schema_sent = request.schema.is_some() && !habits.no_schema;
    let (path, body) = match name.provider {
        Provider::Ollama => ("/api/chat", ollama::body(&name.model, request, habits, context)),
        Provider::OpenAi => (
            "/chat/completions",
            openai::body(&name.model, request, habits, endpoint.is_official()),
        ),
        Provider::Anthropic => ("/v1/messages", anthropic::body(&name.model, request, habits)),
    };
    Outgoing { path, body, schema_sent }
}

/// Why a stream is no reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It ended before its end.
    Cut,
    /// Nothing came at all.
    Empty,
    /// It is not what this wire looks like; the cause, and the beginning of what came.
    Foreign { cause: &'static str, start: String },
    /// A web page came.
    Page { start: String },
    /// The server reported an error inside the stream; with the HTTP status that such an error usually has.
    Said { status: Option<u16>, said: String },
    /// More bytes came than are taken.
    TooLarge,
}

impl From<NotText> for Fault {
    fn from(_: NotText) -> Self {
        Self::Foreign { cause: "it is not UTF-8", start: String::new() }
    }
}

/// What one message did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    /// A sign of life, or nothing of use.
    Alive,
    /// The reply went on.
    Progress,
    /// The reply is whole and nothing more is to come.
    Done,
}

/// A reply as far as it has come.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) text: String,
    pub(crate) thinking: String,
    pub(crate) stop: Option<Stop>,
    pub(crate) refused: bool,
    pub(crate) input_tokens: Option<u64>,
    pub(crate) output_tokens: Option<u64>,
    pub(crate) model: Option<String>,
    /// The wire's own sign of the end was seen.
    pub(crate) whole: bool,
    /// The opening message was seen, where a wire has one.
    pub(crate) opened: bool,
    split: ThinkSplit,
}

impl Gathered {
    /// Text that may begin with thinking in tags.
    fn mixed(&mut self, piece: &str, on_text: &mut dyn FnMut(&str)) {
        let text = self.split.push(piece, &mut self.thinking);
        self.plain(&text, on_text);
    }

    fn plain(&mut self, piece: &str, on_text: &mut dyn FnMut(&str)) {
        if !piece.is_empty() {
            self.text.push_str(piece);
            on_text(piece);
        }
    }
}

/// Reads a stream, piece by piece.
#[derive(Debug)]
pub(crate) struct Reading {
    provider: Provider,
    frames: Frames,
    gathered: Gathered,
    /// The first bytes behind white space, to tell what came when it was no stream.
    start: Vec<u8>,
    bytes: usize,
    most_bytes: usize,
    messages: usize,
    /// One JSON document came although a stream was asked for: all of it so far.
    document: Option<Vec<u8>>,
}

/// How many of the first bytes are kept for messages.
const START: usize = 600;

impl Reading {
    pub(crate) fn new(provider: Provider, most_bytes: usize) -> Self {
        let framing = if provider == Provider::Ollama { Framing::Lines } else { Framing::Events };
        Self {
            provider,
            frames: Frames::new(framing),
            gathered: Gathered::default(),
            start: Vec::new(),
            bytes: 0,
            most_bytes,
            messages: 0,
            document: None,
        }
    }

    /// Whether the wire's sign of the end was seen. More may still come, such as the usage.
    pub(crate) fn is_whole(&self) -> bool {
        self.gathered.whole
    }

    /// Whether any byte has come.
    pub(crate) fn has_begun(&self) -> bool {
        self.bytes > 0
    }

    /// Tokens in and out, as far as the server has told them.
    pub(crate) fn told(&self) -> (Option<u64>, Option<u64>) {
        (self.gathered.input_tokens, self.gathered.output_tokens)
    }

    /// Bytes of text and thinking so far.
    pub(crate) fn received(&self) -> usize {
        self.gathered.text.len() + self.gathered.thinking.len()
    }

    /// Takes the next bytes and tells the farthest that they brought the reply.
    pub(crate) fn feed(
        &mut self,
        bytes: &[u8],
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Step, Fault> {
        self.bytes = self.bytes.saturating_add(bytes.len());
        if self.bytes > self.most_bytes {
            return Err(Fault::TooLarge);
        }
        // White space, which some servers send while they wait, tells nothing of what came.
        let fresh = if self.start.is_empty() { bytes.trim_ascii_start() } else { bytes };
        let room = START.saturating_sub(self.start.len()).min(fresh.len());
        self.start.extend_from_slice(&fresh[..room]);
        if self.messages == 0 && super::said::is_page(&self.start) {
            return Err(Fault::Page { start: self.beginning() });
        }
        if let Some(document) = &mut self.document {
            document.extend_from_slice(bytes);
            return Ok(Step::Progress);
        }
        let events = self.provider != Provider::Ollama;
        if events && self.messages == 0 && self.start.first() == Some(&b'{') {
            // Before it there was nothing but white space.
            self.document = Some(fresh.to_vec());
            return Ok(Step::Progress);
        }
        self.run(Some(bytes), on_text)
    }

    /// The stream has ended.
    pub(crate) fn finish(mut self, on_text: &mut dyn FnMut(&str)) -> Result<Gathered, Fault> {
        if let Some(document) = self.document.take() {
            self.read_document(&document, on_text)?;
        } else if !self.gathered.whole {
            // Any other fault is half a line at the end, which is what a cut looks like.
            if let Err(fault @ Fault::Said { .. }) = self.run(None, on_text) {
                return Err(fault);
            }
        }
        if self.start.iter().all(u8::is_ascii_whitespace) {
            return Err(Fault::Empty);
        }
        if self.gathered.whole {
            let rest = self.gathered.split.finish(&mut self.gathered.thinking);
            self.gathered.plain(&rest, on_text);
            return Ok(self.gathered);
        }
        if self.messages > 0 {
            return Err(Fault::Cut);
        }
        if self.looks_begun() {
            return Err(Fault::Cut);
        }
        Err(Fault::Foreign { cause: "it is not such a stream", start: self.beginning() })
    }

    /// A whole reply as one JSON document. The brace that closes it proves that it was not cut.
    fn read_document(
        &mut self,
        document: &[u8],
        on_text: &mut dyn FnMut(&str),
    ) -> Result<(), Fault> {
        let foreign = |cause| Fault::Foreign { cause, start: self.beginning() };
        let text = match std::str::from_utf8(document) {
            Ok(text) => text,
            Err(error) if error.error_len().is_none() => return Err(Fault::Cut),
            Err(_) => return Err(NotText.into()),
        };
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) if error.is_eof() => return Err(Fault::Cut),
            Err(_) => return Err(foreign("it is neither a stream nor JSON")),
        };
        match self.provider {
            Provider::Anthropic => {
                anthropic::read_whole(&value, &mut self.gathered, on_text)?;
            }
            _ => {
                openai::read(&value.to_string(), &mut self.gathered, on_text)?;
            }
        }
        if self.gathered.whole {
            return Ok(());
        }
        Err(Fault::Foreign {
            cause: "it is one JSON document and holds no reply",
            start: self.beginning(),
        })
    }

    /// Whether what came is the beginning of a stream of this kind, cut before its first message was whole.
    fn looks_begun(&self) -> bool {
        let start = self.start.trim_ascii_start();
        let begins = |word: &[u8]| start.starts_with(word) || word.starts_with(start);
        match self.provider {
            Provider::Ollama => start.first() == Some(&b'{'),
            Provider::OpenAi | Provider::Anthropic => {
                begins(b"data:") || begins(b"event:") || begins(b"id:") || begins(b":")
            }
        }
    }

    fn beginning(&self) -> String {
        super::said::tidy(&String::from_utf8_lossy(&self.start), 120)
    }

    fn run(&mut self, bytes: Option<&[u8]>, on_text: &mut dyn FnMut(&str)) -> Result<Step, Fault> {
        let Self { provider, frames, gathered, messages, .. } = self;
        let mut farthest = Step::Alive;
        let mut each = |data: &str| {
            let step = match provider {
                Provider::Ollama => ollama::read(data, gathered, on_text),
                Provider::OpenAi => openai::read(data, gathered, on_text),
                Provider::Anthropic => anthropic::read(data, gathered, on_text),
            }?;
            *messages += 1;
            farthest = farthest.max(step);
            Ok::<bool, Fault>(step != Step::Done)
        };
        let outcome = match bytes {
            Some(bytes) => frames.feed(bytes, &mut each),
            None => frames.finish(&mut each),
        };
        outcome.map_err(|fault| match fault {
            Fault::Foreign { cause, start } if start.is_empty() => {
                Fault::Foreign { cause, start: self.beginning() }
            }
            fault => fault,
        })?;
        Ok(farthest)
    }
}

/// One message of a stream as JSON.
fn document(data: &str) -> Result<Value, Fault> {
    let foreign = |cause| Fault::Foreign { cause, start: super::said::tidy(data, 120) };
    let value: Value =
        serde_json::from_str(data).map_err(|_| foreign("a message in it is not JSON"))?;
    if !value.is_object() {
        return Err(foreign("a message in it is not a JSON object"));
    }
    Ok(value)
}

/// The error that a message reports, if it reports one.
fn said(value: &Value) -> Option<Fault> {
    let error = value.get("error").filter(|error| !error.is_null())?;
    let kind = error.get("type").or_else(|| error.get("code")).unwrap_or(&Value::Null);
    let status = match kind.as_str() {
        Some("overloaded_error") => Some(529),
        Some("rate_limit_error" | "rate_limit_exceeded") => Some(429),
        Some("api_error" | "server_error") => Some(500),
        Some("timeout_error") => Some(504),
        _ => kind.as_u64().or_else(|| error.get("code")?.as_u64()).map(|code| code as u16),
    };
    Some(Fault::Said { status, said: super::said::sentence(&value.to_string()) })
}

/// A count of tokens, if it can be one.
fn tokens(value: Option<&Value>) -> Option<u64> {
    // No context holds a thousand million tokens; such a number is a server's mistake.
    value.and_then(Value::as_u64).filter(|count| *count < 1_000_000_000)
}

/// System and user message, as two of the wires write them.
fn messages(request: &ChatRequest) -> Value {
    let user = serde_json::json!({ "role": "user", "content": request.user });
    if request.system.is_empty() {
        return Value::Array(vec![user]);
    }
    Value::Array(vec![serde_json::json!({ "role": "system", "content": request.system }), user])
}

/// The shortest decimal of the value: 0.2 stays 0.2 on the wire and does not become 0.20000000298.
fn decimal(value: f32) -> Value {
    let exact = value.to_string().parse::<f64>().unwrap_or(0.0);
    serde_json::Number::from_f64(exact).map_or(Value::from(0), Value::Number)
}
