//! The language model, or what stands in for one.

use super::PortFuture;
use crate::prompt::{ModelCall, ModelReply};
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, PoisonError};

/// Which of the configured models a call is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ModelRole {
    /// Cheap and quick: reflection, gap analysis, queries.
    Fast,
    /// The best there is: plan and draft.
    Strong,
}

/// What a call cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Usage {
    /// Tokens sent.
    pub input_tokens: u64,
    /// Tokens received.
    pub output_tokens: u64,
    /// Price in millionths of a US dollar.
    #[serde(default)]
    pub cost_micro_usd: u64,
}

impl Usage {
    /// Whether nothing was sent, received or paid for.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// Adds what something else cost.
    pub fn count(&mut self, other: Self) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        self.cost_micro_usd = self.cost_micro_usd.saturating_add(other.cost_micro_usd);
    }
}

/// What is used while a call is under way, requests that have not ended included.
///
/// Whoever gives a call up, because its time has passed or a control made it unwanted, reads here what it has used by
/// then, and a call that fails in the end has told here what its tries have used.
#[derive(Debug, Default)]
pub struct Meter {
    used: Mutex<Usage>,
    writing: Mutex<Writing>,
}

/// What a model is writing, to be shown while it does. It is no reply, is kept nowhere, and nothing follows from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Writing {
    /// Characters so far, over all replies of the call.
    pub characters: usize,
    /// The last of them, at most [`Writing::TAIL`].
    pub tail: String,
}

impl Writing {
    /// Characters that are held.
    pub const TAIL: usize = 200;
}

impl Meter {
    /// Adds what was used.
    pub fn count(&self, usage: Usage) {
        self.with(|total| total.count(usage));
    }

    /// Puts what is known now in the place of what was counted before, as when an estimate gives way to what a server
    /// tells.
    pub fn correct(&self, before: Usage, now: Usage) {
        self.with(|total| {
            total.input_tokens = total.input_tokens.saturating_sub(before.input_tokens);
            total.output_tokens = total.output_tokens.saturating_sub(before.output_tokens);
            total.cost_micro_usd = total.cost_micro_usd.saturating_sub(before.cost_micro_usd);
            total.count(now);
        });
    }

    /// What was used so far.
    pub fn total(&self) -> Usage {
        self.with(|total| *total)
    }

    fn with<T>(&self, change: impl FnOnce(&mut Usage) -> T) -> T {
        // Three numbers, each whole at any time.
        change(&mut self.used.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A model that streams has written a piece more.
    pub fn write(&self, piece: &str) {
        // A count and a text, whole at any time.
        let mut writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        writing.characters += piece.chars().count();
        writing.tail.push_str(piece);
        let over = writing.tail.chars().count().saturating_sub(Writing::TAIL);
        if over > 0 {
            writing.tail = writing.tail.chars().skip(over).collect();
        }
    }

    /// What is being written; empty where the model does not stream.
    pub fn writing(&self) -> Writing {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A model's reply, and what it took to get it.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// The variant of the call.
    pub reply: ModelReply,
    /// Of all tries together.
    pub usage: Usage,
    /// What had to be repaired in the reply, or done in its place, in words; each is shown in the trace.
    pub repairs: Vec<String>,
    /// Who replied, as [`Model::name`] names one; nothing where that is the only model there is.
    pub model: Option<String>,
}

impl Answered {
    /// A reply that was fine as it came.
    pub fn plainly(reply: ModelReply, usage: Usage) -> Self {
        Self { reply, usage, repairs: Vec::new(), model: None }
    }
}

/// Why a model gave no reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("could not {attempted} with {model}: {cause}")]
pub struct ModelFailure {
    /// The model's name.
    pub model: String,
    /// What it was asked for.
    pub attempted: String,
    /// The cause and the way out.
    pub cause: String,
    /// Whether trying again cannot help: a wrong key, a model that is not there.
    pub permanent: bool,
    /// What all tries together have used before they came to nothing.
    pub usage: Usage,
    /// The last reply, where one came and nothing of it could be used; for review, and shown to no model.
    pub reply: Option<Box<str>>,
}

/// Answers prompt functions.
///
/// A call is typed on both sides: an adapter for a language model renders the call to text and parses the
/// reply (parsing never fails: what could be saved is in the reply, the rest in `defects`); the built-in
/// extractive model computes the reply. Calls are safe to repeat but may cost money, so drivers journal the
/// reply before anything else happens. The reply's variant is always that of the call.
pub trait Model: Send + Sync {
    /// The name shown to people, `provider:model`.
    fn name(&self) -> &str;
    /// Answers one call.
    fn call<'a>(
        &'a self,
        role: ModelRole,
        call: &'a ModelCall,
    ) -> PortFuture<'a, Result<Answered, ModelFailure>>;
    /// The same, and what is used is counted on the meter, whether a reply comes of it or not. Whoever asks something
    /// that is paid for counts there as it goes, so that a call that is given up is counted too.
    fn call_metered<'a>(
        &'a self,
        role: ModelRole,
        call: &'a ModelCall,
        meter: &'a Meter,
    ) -> PortFuture<'a, Result<Answered, ModelFailure>> {
        Box::pin(async move {
            let ended = self.call(role, call).await;
            meter.count(match &ended {
                Ok(answered) => answered.usage,
                Err(failure) => failure.usage,
            });
            ended
        })
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_end_of_what_is_written_is_held() {
        let meter = Meter::default();
        assert_eq!(meter.writing(), Writing::default());
        meter.write("\u{e4}b");
        meter.write(&"x".repeat(Writing::TAIL));
        meter.write("\u{f6}");
        let writing = meter.writing();
        assert_eq!((writing.characters, writing.tail.chars().count()), (203, Writing::TAIL));
        assert!(writing.tail.starts_with('x') && writing.tail.ends_with("x\u{f6}"), "{writing:?}");
    }

    use super::*;

    fn used(input_tokens: u64, output_tokens: u64, cost_micro_usd: u64) -> Usage {
        Usage { input_tokens, output_tokens, cost_micro_usd }
    }

    #[test]
    fn an_estimate_gives_way_to_what_is_known() {
        let meter = Meter::default();
        meter.count(used(10, 5, 3));
        meter.count(used(100, 0, 7));
        meter.correct(used(100, 0, 7), used(80, 20, 9));
        assert_eq!(meter.total(), used(90, 25, 12));
        // More than was ever counted takes nothing below zero.
        meter.correct(used(1_000, 1_000, 1_000), used(1, 2, 3));
        assert_eq!(meter.total(), used(1, 2, 3));
    }
}
