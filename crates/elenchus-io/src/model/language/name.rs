//! Names of models: `provider:model`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Whose way of talking a server follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// Ollama's own API.
    Ollama,
    /// OpenAI, or any server that speaks like it.
    OpenAi,
    /// Anthropic's messages API.
    Anthropic,
}

impl Provider {
    /// Every provider.
    pub const ALL: [Self; 3] = [Self::Ollama, Self::OpenAi, Self::Anthropic];

    /// The word in front of the colon.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ollama => "ollama",
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
        }
    }

    /// The environment variable that usually holds this provider's key. This crate does not read it; messages name it.
    pub fn key_variable(self) -> Option<&'static str> {
        match self {
            Self::Ollama => None,
            Self::OpenAi => Some("OPENAI_API_KEY"),
            Self::Anthropic => Some("ANTHROPIC_API_KEY"),
        }
    }

    /// The environment variable that usually holds this provider's address.
    pub fn address_variable(self) -> &'static str {
        match self {
            Self::Ollama => "OLLAMA_HOST",
            Self::OpenAi => "OPENAI_BASE_URL",
            Self::Anthropic => "ANTHROPIC_BASE_URL",
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A model and the provider to ask for it, written `provider:model`.
///
/// Only the first colon separates: `ollama:llama3.2:3b` is the model `llama3.2:3b` of Ollama.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelName {
    /// Whose way of talking the server follows.
    pub provider: Provider,
    /// The name as the server knows it. Never empty.
    pub model: String,
}

/// Why a text is no [`ModelName`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// There is no colon.
    #[error(
        "reading the model name `{given}` failed: it names no provider; write it as provider:model, \
         for example ollama:{given} (known providers: {known})",
        known = known()
    )]
    NoProvider {
        /// The text that was given.
        given: String,
    },
    /// The word in front of the colon is not a provider.
    #[error(
        "reading the model name `{given}` failed: `{word}` is not a known provider; the known ones are {known} \
         (openai means any server that speaks like OpenAI, with its base URL)",
        known = known()
    )]
    UnknownProvider {
        /// The text that was given.
        given: String,
        /// The word in front of the first colon.
        word: String,
    },
    /// Nothing, or something that no server can know, follows the colon.
    #[error(
        "reading the model name `{given}` failed: {cause}; write it as provider:model, for example \
         ollama:llama3.2"
    )]
    BadModel {
        /// The text that was given.
        given: String,
        /// What is wrong with the part after the colon.
        cause: &'static str,
    },
}

fn known() -> String {
    Provider::ALL.map(Provider::word).join(", ")
}

/// A name longer than this is a mistake, such as a pasted text.
const LONGEST: usize = 256;

impl FromStr for ModelName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let text = text.trim();
        let given = || super::said::tidy(text, 80);
        let Some((word, model)) = text.split_once(':') else {
            return Err(NameError::NoProvider { given: given() });
        };
        let model = model.trim();
        let Some(provider) =
            Provider::ALL.into_iter().find(|p| p.word().eq_ignore_ascii_case(word.trim()))
        else {
            return Err(NameError::UnknownProvider {
                given: given(),
                word: super::said::tidy(word.trim(), 40),
            });
        };
        let cause = if model.is_empty() {
            Some("no model follows the colon")
        } else if model.chars().any(|c| c.is_control() || c.is_whitespace()) {
            Some("the model's name holds white space or control characters")
        } else if model.len() > LONGEST {
            Some("the model's name is longer than 256 bytes")
        } else {
            None
        };
        match cause {
            Some(cause) => Err(NameError::BadModel { given: given(), cause }),
            None => Ok(Self { provider, model: model.to_owned() }),
        }
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.provider, self.model)
    }
}
