//! Names of models and operations as the conventions have them.

use super::{SpanKind, Value};
use crate::inquiry::{Effect, FailureKind};
use crate::port::ModelRole;

/// The provider of models that compute in this process.
const OWN: &str = "elenchus";

/// A model as the conventions name one.
pub(super) struct Named<'a> {
    pub(super) provider: &'a str,
    pub(super) model: &'a str,
}

/// The name that a run notes of what thinks: `provider:model`, `strong and fast` where there are two, or one of our own.
pub(super) fn model_of(noted: &str, role: ModelRole) -> Named<'_> {
    let one = match (noted.split_once(" and "), role) {
        (Some((strong, _)), ModelRole::Strong) => strong,
        (Some((_, fast)), ModelRole::Fast) => fast,
        (None, _) => noted,
    };
    match one.split_once(':') {
        Some(("builtin", model)) => Named { provider: OWN, model },
        Some((provider, model)) => Named { provider, model },
        None => Named { provider: OWN, model: one },
    }
}

impl Named<'_> {
    /// A model of our own computes in this process.
    pub(super) fn kind(&self) -> SpanKind {
        if self.provider == OWN { SpanKind::Internal } else { SpanKind::Client }
    }
}

/// What kind of error it was, in a word that does not depend on what was asked.
pub(super) fn error_type(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Exhausted => "retries_exhausted",
        FailureKind::Permanent => "permanent",
        FailureKind::Deadline => "timeout",
    }
}

/// How much an effect is about.
pub(super) fn extent(effect: &Effect) -> Option<(&'static str, Value)> {
    Some(match effect {
        Effect::Model { .. } => return None,
        Effect::Embed { texts } => ("elenchus.embed.texts", texts.len().into()),
        Effect::Search(request) => ("elenchus.search.limit", Value::Whole(request.limit.into())),
        Effect::Read { passages } => ("elenchus.read.passages", passages.len().into()),
        Effect::Verify { pairs } => ("elenchus.verify.claims", pairs.len().into()),
        Effect::Contradict { texts } => ("elenchus.contradict.passages", texts.len().into()),
        Effect::Meetings { subjects, .. } => ("elenchus.count.sources", subjects.len().into()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_named_by_provider_and_role() {
        let both = "anthropic:big-1 and ollama:small:3b";
        let strong = model_of(both, ModelRole::Strong);
        assert_eq!((strong.provider, strong.model), ("anthropic", "big-1"));
        let fast = model_of(both, ModelRole::Fast);
        assert_eq!((fast.provider, fast.model), ("ollama", "small:3b"));
        assert_eq!(fast.kind(), SpanKind::Client);
        let own = model_of("builtin:extractive", ModelRole::Fast);
        assert_eq!(
            (own.provider, own.model, own.kind()),
            ("elenchus", "extractive", SpanKind::Internal)
        );
    }
}
