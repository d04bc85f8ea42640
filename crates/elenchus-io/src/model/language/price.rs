//! Prices of well-known models.

use super::endpoint::Endpoint;
use super::name::{ModelName, Provider};

/// When the table was written. List prices change; a price given by the user goes first.
pub const PRICES_AS_OF: &str = "2025-12";

/// US dollars for a million tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// For tokens sent.
    pub input: f64,
    /// For tokens received.
    pub output: f64,
}

/// Names of models as released, without their dates, and their list prices in US dollars for a million tokens
/// (input, output). From the providers' public price lists, month in [`PRICES_AS_OF`]. Discounts for cached or
/// batched input are not counted, so what is shown is the most it can have cost.
const TABLE: &[(Provider, &str, f64, f64)] = &[
    (Provider::OpenAi, "gpt-4o", 2.5, 10.0),
    (Provider::OpenAi, "gpt-4o-2024-05-13", 5.0, 15.0),
    (Provider::OpenAi, "gpt-4o-mini", 0.15, 0.6),
    (Provider::OpenAi, "gpt-4.1", 2.0, 8.0),
    (Provider::OpenAi, "gpt-4.1-mini", 0.4, 1.6),
    (Provider::OpenAi, "gpt-4.1-nano", 0.1, 0.4),
    (Provider::OpenAi, "gpt-5", 1.25, 10.0),
    (Provider::OpenAi, "gpt-5-mini", 0.25, 2.0),
    (Provider::OpenAi, "gpt-5-nano", 0.05, 0.4),
    (Provider::OpenAi, "o3", 2.0, 8.0),
    (Provider::OpenAi, "o4-mini", 1.1, 4.4),
    (Provider::OpenAi, "text-embedding-3-small", 0.02, 0.0),
    (Provider::OpenAi, "text-embedding-3-large", 0.13, 0.0),
    (Provider::Anthropic, "claude-3-haiku", 0.25, 1.25),
    (Provider::Anthropic, "claude-3-5-haiku", 0.8, 4.0),
    (Provider::Anthropic, "claude-3-5-sonnet", 3.0, 15.0),
    (Provider::Anthropic, "claude-3-7-sonnet", 3.0, 15.0),
    (Provider::Anthropic, "claude-sonnet-4", 3.0, 15.0),
    (Provider::Anthropic, "claude-sonnet-4-5", 3.0, 15.0),
    (Provider::Anthropic, "claude-haiku-4-5", 1.0, 5.0),
    (Provider::Anthropic, "claude-opus-4", 15.0, 75.0),
    (Provider::Anthropic, "claude-opus-4-1", 15.0, 75.0),
    (Provider::Anthropic, "claude-opus-4-5", 5.0, 25.0),
];

impl Price {
    /// The known price of a model: 0 with Ollama, the list price at the provider's own host, otherwise `None`.
    ///
    /// A release date or `-latest` after the name does not matter; any other ending makes another model, whose
    /// price is not guessed. A server of one's own may cost anything.
    pub fn known(name: &ModelName, endpoint: &Endpoint) -> Option<Self> {
        if name.provider == Provider::Ollama {
            return Some(Self { input: 0.0, output: 0.0 });
        }
        if !endpoint.is_official() {
            return None;
        }
        let model = name.model.as_str();
        let row = |wanted: &str| {
            TABLE
                .iter()
                .find(|(provider, known, ..)| *provider == name.provider && *known == wanted)
        };
        let (.., input, output) = row(model).or_else(|| row(undated(model)))?;
        Some(Self { input: *input, output: *output })
    }

    /// What a call cost in millionths of a US dollar, rounded up.
    ///
    /// Dollars for a million tokens are the same number as millionths of a dollar for one token.
    /// Prices that are negative or not finite count as 0.
    pub fn micro_usd(self, input_tokens: u64, output_tokens: u64) -> u64 {
        let part = |price: f64, tokens: u64| {
            if price.is_finite() && price > 0.0 { price * tokens as f64 } else { 0.0 }
        };
        // 2 tokens at 0.15 are 0.3: rounding up never makes a paid call free.
        (part(self.input, input_tokens) + part(self.output, output_tokens)).ceil() as u64
    }
}

/// The name without a date of release such as `-2024-08-06` or `-20250514`, and without `-latest` or `-0`.
fn undated(model: &str) -> &str {
    for ending in ["-latest", "-0"] {
        if let Some(rest) = model.strip_suffix(ending) {
            return rest;
        }
    }
    let date = |text: &str| {
        text.strip_prefix("-20").is_some_and(|rest| {
            let digits = rest.bytes().filter(u8::is_ascii_digit).count();
            digits == 6 && rest.bytes().all(|b| b.is_ascii_digit() || b == b'-')
        })
    };
    for length in [11, 9] {
        let cut = model.len().saturating_sub(length);
        if let (Some(name), Some(tail)) = (model.get(..cut), model.get(cut..))
            && date(tail)
        {
            return name;
        }
    }
    model
}
