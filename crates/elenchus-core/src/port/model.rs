//! The language model, or what stands in for one.

use super::PortFuture;
use crate::prompt::{ModelCall, ModelReply};
use serde::{Deserialize, Serialize};

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
}
