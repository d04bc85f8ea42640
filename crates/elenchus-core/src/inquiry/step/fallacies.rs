//! Fallacies by a language model: what an answer quotes, and explanations, in one call beside the checks of the answer, so that the
//! critic who comes after them is told. Code looks for fallacies by itself, whatever comes of it.

use super::{count, observe_failure, reply};
use crate::answer::Answer;
use crate::evidence::char_slice;
use crate::inquiry::state::{Settled, State};
use crate::inquiry::{Effect, Outcome};
use crate::port::ModelRole;
use crate::prompt::fallacies::FallacyInput;
use crate::prompt::{ModelCall, ModelReply};
use crate::scrutiny::warning::Said;
use crate::text::squeeze;
use serde_json::json;

/// What is read: each text once, quotes in the order of the claims, then explanations that stand.
fn texts(state: &State, answer: &Answer) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let quotes = answer.claims.iter().flat_map(|claim| &claim.evidence);
    for at in quotes {
        let Some(one) = answer.evidence.get(*at) else { continue };
        if !texts.contains(&one.quote) {
            texts.push(one.quote.clone());
        }
    }
    for one in state.board.ranked().into_iter().filter(|one| one.dropped.is_none()) {
        if !texts.contains(&one.claim) {
            texts.push(one.claim);
        }
    }
    texts
}

/// Asks for it, once an answer, where the run has a language model for it and may still make the calls that follow.
pub(super) fn request(state: &mut State, answer: &Answer) {
    if !state.options().fallacy_check || !state.warns() || state.critic.read_for_fallacies {
        return;
    }
    let sentences = texts(state, answer);
    if sentences.is_empty() {
        return;
    }
    state.critic.read_for_fallacies = true;
    let about = squeeze(&state.opened.question);
    // Where one call is left, it is the critic's.
    let calls = 1 + u32::from(state.options().critique && !state.critic.criticised);
    if let Some(reason) = state.spent.forbids(&state.options().budget, calls) {
        let why = reason.sentence();
        state.think(
            format!(
                "the answer to \"{about}\" is read for fallacies by patterns alone, to save: {why}"
            ),
            vec![],
        );
        return;
    }
    let parameters = json!({ "texts": sentences.len() });
    let reasoning = format!(
        "{} of the answer to \"{about}\" may give a reason that does not carry",
        count(sentences.len(), "text")
    );
    let input = FallacyInput { sentences, theology: state.has_own_fallacies() };
    state.request(
        Effect::Model { role: ModelRole::Fast, call: Box::new(ModelCall::Fallacies(input)) },
        "look for fallacies".to_owned(),
        parameters,
        reasoning,
    );
}

/// Whether this is what was asked for here.
pub(super) fn is_asked(settled: &Settled) -> bool {
    matches!(&settled.effect, Effect::Model { call, .. } if matches!(**call, ModelCall::Fallacies(_)))
}

/// Keeps what the model names, to warn of it when the answer has its last form.
pub(super) fn settle(state: &mut State, settled: Settled) {
    const INSTEAD: &str = "fallacies are looked for by patterns alone";
    let id = settled.id;
    let Effect::Model { call, .. } = &settled.effect else { return };
    let ModelCall::Fallacies(input) = &**call else { return };
    let texts = input.sentences.clone();
    // The built-in model understands no argument: where it stood in, nobody has read it.
    let stood_in = matches!(
        &settled.outcome,
        Outcome::Replied { model: Some(model), .. } if model.starts_with("builtin:")
    );
    match reply(settled) {
        Ok(ModelReply::Fallacies(_)) if stood_in => {
            let error = "the built-in model stood in, which reads no argument".to_owned();
            observe_failure(state, id, error, INSTEAD);
        }
        Ok(ModelReply::Fallacies(found)) => {
            let said = found.findings.into_iter().filter_map(|one| {
                let text = texts.get(one.sentence)?;
                // The reader of replies saw to this; a journal could come from elsewhere.
                char_slice(text, one.span)?;
                Some(Said { text: text.clone(), fallacy: one.fallacy, span: one.span })
            });
            let said: Vec<Said> = said.collect();
            let result =
                format!("{} in {}", count(said.len(), "warning"), count(texts.len(), "text"));
            state.critic.said = said;
            state.observe(
                id,
                result,
                "each is told with its words and a question that would tell; none moves a figure"
                    .to_owned(),
                vec![],
            );
        }
        Ok(_) => observe_failure(state, id, "the reply was to another prompt".to_owned(), INSTEAD),
        Err(error) => observe_failure(state, id, error, INSTEAD),
    }
}
