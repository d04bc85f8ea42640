//! The model of a planted world: what is scripted is said, what is not is answered by the built-in model.

use super::words::{fill, holds};
use super::world::{World, letters};
use elenchus_core::port::{Answered, Model, ModelFailure, ModelRole, PortFuture, Usage};
use elenchus_core::prompt::{ClaimBrief, Fact, ModelCall, PromptBook};
use elenchus_io::model::ExtractiveModel;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};

/// The model of a world.
pub(crate) struct Scripted {
    replies: Mutex<BTreeMap<String, VecDeque<String>>>,
    rest: ExtractiveModel,
}

impl Scripted {
    pub(crate) fn of(world: &World) -> Self {
        let replies = world
            .replies
            .iter()
            .map(|(key, replies)| (key.clone(), replies.iter().map(letters).collect()))
            .collect();
        Self { replies: Mutex::new(replies), rest: ExtractiveModel::new() }
    }

    /// Scripted replies that no call has asked for, by their key.
    pub(crate) fn left(&self) -> Vec<String> {
        let replies = self.replies.lock().unwrap_or_else(PoisonError::into_inner);
        replies.iter().filter(|(_, left)| !left.is_empty()).map(|(key, _)| key.clone()).collect()
    }

    fn scripted(&self, call: &ModelCall) -> Option<String> {
        let key = match call {
            ModelCall::Perspective(input) => format!("perspective:{}", input.lens.id),
            other => other.prompt().to_owned(),
        };
        let mut replies = self.replies.lock().unwrap_or_else(PoisonError::into_inner);
        replies.get_mut(&key)?.pop_front()
    }

    fn ask(&self, call: &ModelCall) -> Result<Answered, String> {
        let book = PromptBook::builtin();
        let rendered = book.render(call);
        let tokens = |text: &str| text.chars().count() as u64 / 4;
        let sent = tokens(&rendered.system) + tokens(&rendered.user);
        let usage = |text: &str| Usage {
            input_tokens: sent,
            output_tokens: tokens(text),
            cost_micro_usd: sent,
        };
        let Some(text) = self.scripted(call) else {
            let reply = self.rest.answer(call);
            let said = serde_json::to_string(&reply).unwrap_or_default();
            return Ok(Answered::plainly(reply, usage(&said)));
        };
        let text = fill(&named(&text, call), "unit", |words| unit(&rendered.user, words));
        let parsed = book.parse(call, &text);
        let repairs =
            parsed.defects.iter().map(|defect| format!("{}: {}", defect.at, defect.detail));
        let repairs: Vec<String> = repairs.collect();
        match parsed.reply {
            Some(reply) => Ok(Answered { reply, usage: usage(&text), repairs, model: None }),
            None => Err(format!("nothing of the scripted reply could be used: {repairs:?}")),
        }
    }
}

/// The scripted words with the ids that this call shows.
fn named(text: &str, call: &ModelCall) -> String {
    let (claims, facts): (&[ClaimBrief], &[Fact]) = match call {
        ModelCall::Critique(input) => (&input.claims, &[]),
        ModelCall::Revise(input) => (&input.claims, &input.facts),
        ModelCall::Draft(input) => (&[], &input.facts),
        ModelCall::Perspective(input) => (&[], &input.facts),
        _ => (&[], &[]),
    };
    let text = fill(text, "claim", |words| {
        claims.iter().find(|one| holds(&one.text, words)).map(|one| one.id.to_string())
    });
    fill(&text, "fact", |words| {
        facts.iter().find(|one| holds(&one.quote, words)).map(|one| one.id.to_string())
    })
}

/// The id of the unit of a prompt that begins before these words: "P3.2".
fn unit(prompt: &str, words: &str) -> Option<String> {
    let before = &prompt[..prompt.find(words)?];
    let start = before.rfind("[P")?;
    let (id, _) = before[start + 1..].split_once(']')?;
    Some(id.to_owned())
}

impl Model for Scripted {
    fn name(&self) -> &'static str {
        "scripted:world"
    }

    fn call<'a>(
        &'a self,
        _role: ModelRole,
        call: &'a ModelCall,
    ) -> PortFuture<'a, Result<Answered, ModelFailure>> {
        Box::pin(async move {
            self.ask(call).map_err(|cause| ModelFailure {
                model: self.name().to_owned(),
                attempted: format!("answer the prompt {}", call.prompt()),
                cause,
                permanent: true,
                usage: Usage::default(),
                reply: None,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_the_one_that_its_words_stand_in() {
        let prompt = "[P1.1] The mill burned.\n[P1.2] It was rebuilt.\n";
        assert_eq!(unit(prompt, "was rebuilt"), Some("P1.2".to_owned()));
        assert_eq!(unit(prompt, "mill"), Some("P1.1".to_owned()));
        assert_eq!(unit(prompt, "drowned"), None);
    }
}
