//! What a failure status means.

use std::sync::Arc;

use reqwest::header::HeaderMap;

use super::date;
use super::endpoint::Endpoint;
use super::error::{Attempt, ChatError};
use super::name::Provider;
use super::said;
use super::wire::Habits;

/// The error for an answer with a failure status.
pub(crate) fn failure(
    attempt: &Arc<Attempt>,
    endpoint: &Endpoint,
    path: &str,
    status: u16,
    headers: &HeaderMap,
    body: &str,
) -> ChatError {
    let attempt = Arc::clone(attempt);
    let page = said::is_page(body.as_bytes());
    let sentence = if page { String::new() } else { said::sentence(body) };
    let lower = sentence.to_lowercase();
    let said = match said::quote(&sentence, endpoint) {
        empty if empty.is_empty() => "it did not say why".to_owned(),
        words => words,
    };
    let wait = date::asked_wait(headers);
    match status {
        429 if body.contains("insufficient_quota") => ChatError::QuotaUsedUp { attempt, said },
        429 => ChatError::RateLimited { attempt, wait, said },
        408 | 425 | 500.. => ChatError::Server { attempt, status, wait, said },
        _ if page => ChatError::Page {
            attempt,
            status,
            start: said::tidy(&said::quote(body, endpoint), 120),
        },
        401 | 403 => ChatError::Unauthorised { attempt, status, said },
        402 => ChatError::QuotaUsedUp { attempt, said },
        404 if names_model(&attempt, body, &lower) => ChatError::NoModel { attempt, said },
        300..=399 | 404 | 405 => {
            ChatError::WrongAddress { attempt, status, path: path.to_owned(), said }
        }
        413 => ChatError::TooLong { attempt, said },
        _ if lower.contains("credit balance") => ChatError::QuotaUsedUp { attempt, said },
        _ if is_too_long(body, &lower) => ChatError::TooLong { attempt, said },
        // Some servers answer 400 for a model that they do not have.
        _ if body.contains("model_not_found") => ChatError::NoModel { attempt, said },
        _ => ChatError::Refused { attempt, status, said },
    }
}

/// Whether a 404 is about the model and not about the address.
fn names_model(attempt: &Attempt, body: &str, lower: &str) -> bool {
    match attempt.model.provider {
        Provider::Anthropic => lower.starts_with("model"),
        _ => body.contains("model_not_found") || lower.contains("model"),
    }
}

fn is_too_long(body: &str, lower: &str) -> bool {
    const SIGNS: &[&str] = &[
        "maximum context length",
        "context length",
        "context window",
        "context size",
        "prompt is too long",
        "too many tokens",
    ];
    body.contains("context_length_exceeded") || SIGNS.iter().any(|sign| lower.contains(sign))
}

/// What a refusal of a request teaches about the server, if it teaches anything: the habits to keep from now on.
///
/// Only 400 and 422 teach, and only when they name a part of the request that can be left out.
pub(crate) fn lesson(failure: &ChatError, sent_schema: bool, habits: Habits) -> Option<Habits> {
    let ChatError::Refused { status: 400 | 422, said, .. } = failure else { return None };
    let said = said.to_lowercase();
    let names = |words: &[&str]| words.iter().any(|word| said.contains(word));
    // A schema that the server has read and found wanting is our fault and would be hidden by leaving it out.
    let faulty_schema = names(&["invalid schema", "schema is invalid", "schema must"]);
    let mut learned = habits;
    if sent_schema && !faulty_schema {
        let words = ["response_format", "json_schema", "output_config", "structured output"];
        learned.no_schema |= names(&words);
    }
    learned.no_stream_options |= names(&["stream_options", "include_usage"]);
    learned.no_temperature |= names(&["temperature"]);
    // A limit that is too large is another matter than a limit whose name is not known.
    if names(&["max_tokens", "max_completion_tokens"])
        && !names(&["too large", "at most", "exceed"])
        && names(&["support", "unknown", "unrecognized", "unexpected", "not permitted", "extra"])
    {
        learned.other_limit = !habits.other_limit;
    }
    (learned != habits).then_some(learned)
}
