//! Why there is no reply. Each message says what was attempted, with which model and where, the cause and the way
//! out.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use elenchus_core::port::{ModelFailure, Usage};

use super::endpoint::EndpointError;
use super::name::{ModelName, NameError, Provider};

/// What was attempted, with which model and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// A gerund, e.g. `asking for a reply`.
    pub what: String,
    /// The model.
    pub model: ModelName,
    /// The base URL, without user and password.
    pub address: String,
    /// Whether that is the provider's own host.
    pub official: bool,
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {} at {} failed", self.what, self.model, self.address)
    }
}

/// What took too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Nothing at the address answered the call.
    Connect,
    /// The server took the request and did not begin to reply.
    FirstByte,
    /// The reply began and then stopped coming.
    Stall,
    /// Everything together, retries included.
    Whole,
}

/// Why there is no reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChatError {
    /// The model's name cannot be used.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The address or key cannot be used.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// The HTTP client could not be set up.
    #[error(
        "{attempt}: the HTTP client cannot be set up ({cause}); check the proxy settings and the system's certificates"
    )]
    Setup {
        /// What was attempted.
        attempt: Arc<Attempt>,
        /// What the library said.
        cause: String,
    },
    /// Nothing listens there, or the way is blocked.
    #[error("{attempt}: no connection ({cause}); {}", start_it(.attempt))]
    Unreachable {
        /// What was attempted.
        attempt: Arc<Attempt>,
        /// What the system said.
        cause: String,
    },
    /// No secure connection could be made.
    #[error(
        "{attempt}: no secure connection ({cause}); check https against http in the base URL, this machine's clock and certificates, and any proxy that opens TLS"
    )]
    Tls {
        /// What was attempted.
        attempt: Arc<Attempt>,
        /// What the library said.
        cause: String,
    },
    /// A deadline passed.
    #[error("{attempt}: {}", too_long(*.phase, *.waited, *.received, .attempt))]
    TimedOut {
        /// What was attempted.
        attempt: Arc<Attempt>,
        /// What took too long.
        phase: Phase,
        /// How long was waited.
        waited: Duration,
        /// Bytes of text that had come; they are not a reply.
        received: usize,
    },
    /// The stream ended before its end.
    #[error(
        "{attempt}: the reply was cut off after {received} bytes of text, which is not taken as a reply; try again, and if it happens again look at the server's log and at any proxy in between"
    )]
    Cut {
        /// What was attempted.
        attempt: Arc<Attempt>,
        /// Bytes of text that had come.
        received: usize,
    },
    /// The server has had too many requests (429).
    #[error("{attempt}: too many requests{}: {said}; wait and run again, lower the number of calls, or use another model", asks_to_wait(*.wait))]
    RateLimited {
        /// What was attempted.
        attempt: Arc<Attempt>,
        /// How long the server asks to wait.
        wait: Option<Duration>,
        /// What it said.
        said: String,
    },
    /// The account has no money or quota left.
    #[error(
        "{attempt}: the account has nothing left to spend: {said}; look at the provider's billing page or use another model"
    )]
    QuotaUsedUp {
        /// What was attempted.
        attempt: Arc<Attempt>,
        /// What the server said.
        said: String,
    },
    /// The server is broken or overloaded (408, 425, 5xx).
    #[error("{attempt}: the server answered {status}{}: {said}; this is the server's trouble, try again later or use another model", asks_to_wait(*.wait))]
    Server {
        /// What was attempted.
        attempt: Arc<Attempt>,
        /// The HTTP status.
        status: u16,
        /// How long the server asks to wait.
        wait: Option<Duration>,
        /// What it said.
        said: String,
    },
    /// The key is missing, wrong or not allowed to do this (401, 403).
    #[error("{attempt}: the server answered {status}: {said}; {}", check_key(.attempt))]
    Unauthorised {
        /// What was attempted.
        attempt: Arc<Attempt>,
        /// 401 or 403.
        status: u16,
        /// What the server said.
        said: String,
    },
    /// The server does not have the model.
    #[error("{attempt}: the server does not have this model: {said}; {}", get_model(.attempt))]
    NoModel {
        /// What was attempted.
        attempt: Arc<Attempt>,
        /// What the server said.
        said: String,
    },
    /// Prompt and reply do not fit.
    #[error(
        "{attempt}: the prompt and the room for the reply are too long for the model: {said}; use a model with a larger context, or fewer or shorter sources"
    )]
    TooLong {
        /// What was attempted.
        attempt: Arc<Attempt>,
        /// What the server said, or the estimate.
        said: String,
    },
    /// The server does not take the request.
    #[error("{attempt}: the server refused the request with {status}: {said}; check that the model can do this and that the base URL belongs to a server of the kind {}", .attempt.model.provider)]
    Refused {
        /// What was attempted.
        attempt: Arc<Attempt>,
        /// The HTTP status.
        status: u16,
        /// What the server said.
        said: String,
    },
    /// There is a server, but not this API under this address.
    #[error("{attempt}: the server answered {status} and knows no {path} there: {said}; {}", check_base(.attempt))]
    WrongAddress {
        /// What was attempted.
        attempt: Arc<Attempt>,
        /// The HTTP status.
        status: u16,
        /// The path behind the base URL.
        path: String,
        /// What the server said.
        said: String,
    },
    /// Something else than the API answered.
    #[error("{attempt}: a web page came instead of a reply (status {status}, it begins \"{start}\"); the base URL is probably wrong, or a proxy or login page answered: {}", check_base(.attempt))]
    Page {
        /// What was attempted.
        attempt: Arc<Attempt>,
        /// The HTTP status.
        status: u16,
        /// The beginning of the page.
        start: String,
    },
    /// The answer cannot be understood.
    #[error("{attempt}: the answer cannot be understood: {cause}; it begins \"{start}\"; {}", check_base(.attempt))]
    Foreign {
        /// What was attempted.
        attempt: Arc<Attempt>,
        /// What is wrong with it.
        cause: String,
        /// The beginning of what came.
        start: String,
    },
    /// The answer has no content.
    #[error("{attempt}: the answer was empty; look at the server's log, and {}", check_base(.attempt))]
    Empty {
        /// What was attempted.
        attempt: Arc<Attempt>,
    },
    /// The server broke off with an error of its own.
    #[error(
        "{attempt}: the server broke the reply off with an error: {said}; look at the server's log or try again"
    )]
    InStream {
        /// What was attempted.
        attempt: Arc<Attempt>,
        /// What it said.
        said: String,
    },
    /// More came than is taken.
    #[error(
        "{attempt}: the answer is larger than {most_bytes} bytes; ask for less, or look for a model that repeats itself"
    )]
    TooLarge {
        /// What was attempted.
        attempt: Arc<Attempt>,
        /// The cap.
        most_bytes: usize,
    },
    /// Another model has answered.
    #[error(
        "{attempt}: `{answered}` answered instead; name the model as the server does, or check what stands between"
    )]
    WrongModel {
        /// What was attempted.
        attempt: Arc<Attempt>,
        /// The model that answered.
        answered: String,
    },
    /// The last requests all failed, so no further one is sent for a while.
    #[error("{attempt}: not tried, because the last {failures} requests there failed; the next is allowed in {} s; the last failure was: {last}", seconds(*.again_in))]
    CircuitOpen {
        /// What was attempted.
        attempt: Arc<Attempt>,
        /// Failures in a row.
        failures: u32,
        /// When a request is allowed again.
        again_in: Duration,
        /// The last failure's message.
        last: String,
    },
}

impl ChatError {
    /// Whether the same request would fail again however long one waits.
    pub fn is_permanent(&self) -> bool {
        !matches!(
            self,
            Self::Unreachable { .. }
                | Self::TimedOut { .. }
                | Self::Cut { .. }
                | Self::RateLimited { .. }
                | Self::Server { .. }
                | Self::InStream { .. }
                | Self::Empty { .. }
                | Self::CircuitOpen { .. }
        )
    }

    /// The failure as core's port reports it, without what it has used. `asked_for` is what the model was asked for.
    pub fn into_failure(self, model: &ModelName, asked_for: &str) -> ModelFailure {
        ModelFailure {
            model: model.to_string(),
            attempted: asked_for.to_owned(),
            permanent: self.is_permanent(),
            cause: self.to_string(),
            usage: Usage::default(),
            reply: None,
        }
    }

    /// Whether and when it makes sense to send the request once more.
    pub(crate) fn again(&self) -> Again {
        match self {
            Self::Unreachable { .. }
            | Self::Cut { .. }
            | Self::TimedOut { phase: Phase::Connect | Phase::FirstByte, .. } => Again::Soon,
            Self::RateLimited { wait, .. } => wait.map_or(Again::Soon, Again::After),
            Self::Server { status: 408 | 425 | 500 | 502 | 503 | 504 | 529, wait, .. } => {
                wait.map_or(Again::Soon, Again::After)
            }
            _ => Again::No,
        }
    }

    /// Whether no connection could be made: the server is out for every model there.
    pub(crate) fn is_outage(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::TimedOut { phase: Phase::Connect, .. })
    }

    /// Whether a server that gave no answer, or none that can be told from one, may have worked on the prompt all the
    /// same, and want to be paid for it. One that turns a request down by its status asks nothing.
    pub(crate) fn may_have_cost(&self) -> bool {
        matches!(
            self,
            Self::Cut { .. }
                | Self::TimedOut { phase: Phase::FirstByte | Phase::Stall | Phase::Whole, .. }
        )
    }

    /// Whether the failure says that server or model are in trouble, which is what opens a circuit.
    pub(crate) fn is_trouble(&self) -> bool {
        !self.is_permanent() && !matches!(self, Self::CircuitOpen { .. })
    }
}

/// A call without a reply: why, and what it has used all the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct Unanswered {
    /// Why there is no reply.
    pub error: ChatError,
    /// Of all requests together, estimated where the server told nothing.
    pub usage: Usage,
}

/// Advice on sending a request again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Again {
    No,
    Soon,
    After(Duration),
}

fn seconds(time: Duration) -> String {
    if time < Duration::from_secs(10) {
        format!("{:.1}", time.as_secs_f64())
    } else {
        format!("{}", time.as_secs())
    }
}

fn asks_to_wait(wait: Option<Duration>) -> String {
    wait.map_or_else(String::new, |wait| format!(" (it asks to wait {} s)", seconds(wait)))
}

fn start_it(attempt: &Attempt) -> String {
    let variable = attempt.model.provider.address_variable();
    match attempt.model.provider {
        Provider::Ollama => format!(
            "start it with `ollama serve`, or set {variable} if it listens elsewhere, or use --model extractive, \
             which needs no server"
        ),
        _ if attempt.official => {
            "check the network and the proxy settings, or use --model extractive, which needs no network".to_owned()
        }
        _ => format!(
            "start the server or correct the base URL ({variable}), or use --model extractive, which needs no server"
        ),
    }
}

fn too_long(phase: Phase, waited: Duration, received: usize, attempt: &Attempt) -> String {
    let waited = seconds(waited);
    match phase {
        Phase::Connect => {
            format!("no connection within {waited} s; {}", start_it(attempt))
        }
        Phase::FirstByte => {
            let hint = match attempt.model.provider {
                Provider::Ollama => {
                    "the model may still be loading or be too large for this machine: see `ollama ps`, allow more \
                     time, or use a smaller model"
                }
                _ => "allow more time or use another model",
            };
            format!("no reply began within {waited} s; {hint}")
        }
        Phase::Stall => format!(
            "the reply stalled: nothing came for {waited} s after {received} bytes of text; try again, and if it \
             happens again look at the server's log"
        ),
        Phase::Whole => format!(
            "not finished within {waited} s in all ({received} bytes of text had come); allow more time, ask for \
             fewer tokens, or use a faster model"
        ),
    }
}

fn check_key(attempt: &Attempt) -> String {
    match attempt.model.provider.key_variable() {
        Some(variable) => {
            format!("check the key in {variable} and that it may use this model")
        }
        None => "check the user and password in the base URL, or the proxy in between".to_owned(),
    }
}

fn get_model(attempt: &Attempt) -> String {
    match attempt.model.provider {
        Provider::Ollama => format!(
            "get it with `ollama pull {}` (`ollama list` shows what is there)",
            attempt.model.model
        ),
        _ => format!("check the spelling against the models that {} has", attempt.address),
    }
}

fn check_base(attempt: &Attempt) -> String {
    match attempt.model.provider {
        Provider::Ollama => format!(
            "check the base URL {} ({}): Ollama's usual one is http://127.0.0.1:11434, without a path",
            attempt.address,
            attempt.model.provider.address_variable()
        ),
        Provider::OpenAi => format!(
            "check the base URL {} ({}), which usually ends in /v1",
            attempt.address,
            attempt.model.provider.address_variable()
        ),
        Provider::Anthropic => format!(
            "check the base URL {} ({}), which is given without /v1",
            attempt.address,
            attempt.model.provider.address_variable()
        ),
    }
}
