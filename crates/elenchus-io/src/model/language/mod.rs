//! Language models over HTTP: Ollama, servers that speak like OpenAI, and Anthropic.
//!
//! A [`ChatClient`] asks one model ([`ModelName`]) at one address ([`Endpoint`]). Replies are always streamed, so
//! that a stall is noticed and progress can be shown, and a stream that was cut at any byte is an error and never a
//! reply. A call sends at most two requests. Every [`ChatError`] says what was attempted and where, the cause and the
//! way out, and never shows a key.
//!
//! Nothing here reads the environment: the caller passes addresses, keys and proxy variables in.

mod breaker;
mod cache;
mod client;
pub(crate) mod date;
mod endpoint;
mod error;
mod fallacies;
mod frames;
#[cfg(any(test, feature = "testkit"))]
pub mod fuzzing;
mod name;
mod price;
mod probe;
mod request;
mod said;
mod schema;
mod settings;
mod speaker;
mod status;
mod tab;
mod think;
pub(crate) mod transport;
mod wire;

#[cfg(test)]
pub(crate) mod tests;

pub use breaker::BreakerLimits;
pub use cache::{CacheError, FROM_CACHE, MOST_BYTES, ReplyCache};
pub use client::ChatClient;
pub use endpoint::{Endpoint, EndpointError, Secret};
pub use error::{Attempt, ChatError, Phase, Unanswered};
pub use fallacies::{ReadForFallacies, read_for_fallacies};
pub use name::{ModelName, NameError, Provider};
pub use price::{PRICES_AS_OF, Price};
pub use probe::Probe;
pub use request::{ChatReply, ChatRequest, Schema, Stop};
pub(crate) use said::{is_page, sentence, tidy};
pub use settings::{Deadlines, ProxyVariables, Retry, Settings};
pub use speaker::{LanguageModel, RE_ASKS};
pub(crate) use speaker::{request, steady};
