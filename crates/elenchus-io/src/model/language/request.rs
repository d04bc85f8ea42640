//! What a language model is asked and what it replies, whatever the wire.

use elenchus_core::port::Usage;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One question to a language model.
#[derive(Clone, Debug, PartialEq)]
pub struct ChatRequest {
    /// Instructions. Left out of the request when empty.
    pub system: String,
    /// The question with its material.
    pub user: String,
    /// The shape that the reply must have, if any.
    pub schema: Option<Schema>,
    /// The most tokens the reply may have, thinking included. At least 1 is sent.
    pub max_output_tokens: u32,
    /// Randomness, usually 0 to 1; the server's own default when `None`.
    pub temperature: Option<f32>,
}

/// The shape of a reply: a JSON schema with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    /// A short name. Other characters than letters, digits, `_` and `-` are replaced on the wire.
    pub name: String,
    /// The schema; its root is an object.
    pub json: Value,
}

/// A whole reply. There is no partial one: a stream that was cut is an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChatReply {
    /// The reply without its thinking.
    pub text: String,
    /// What the model thought before, when the server shows it.
    pub thinking: Option<String>,
    /// Tokens and price of all requests that this reply took; the price in it is 0 when `cost_micro_usd` is `None`.
    pub usage: Usage,
    /// The server did not say of every request how many tokens were used, so they were estimated from the bytes.
    pub usage_estimated: bool,
    /// Price in millionths of a US dollar; `None` when the model's price is not known.
    pub cost_micro_usd: Option<u64>,
    /// Why the model stopped.
    pub stop: Stop,
    /// The model that the server says has answered; the one asked for when it does not say.
    pub model: String,
    /// Whether the schema was sent. False also when the server is known not to take schemas.
    pub schema_sent: bool,
    /// Requests that this reply took, 1 or 2.
    pub tries: u32,
}

/// Why a model stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// It had said everything.
    Complete,
    /// It reached the limit of tokens: the text ends in the middle.
    Length,
    /// The model or a filter refused.
    Refused,
    /// The server's own word.
    Other(String),
}

/// Tokens of a text of that many bytes, roughly and rather too many than too few: one for three bytes.
pub(crate) fn tokens_at_most(bytes: usize) -> u64 {
    (bytes as u64).div_ceil(3)
}

/// Tokens of a text of that many bytes in English, roughly: one for four bytes.
pub(crate) fn tokens_about(bytes: usize) -> u64 {
    (bytes as u64).div_ceil(4)
}
