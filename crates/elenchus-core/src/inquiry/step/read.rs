//! Read: the chosen passages are read; only what was read can be cited.

use super::{count, observe_failure, pursue, reflect};
use crate::id::PassageId;
use crate::inquiry::state::{Phase, Settled, State};
use crate::inquiry::{Effect, Outcome, StopReason};
use serde_json::json;

pub(crate) fn request(state: &mut State, passages: Vec<PassageId>) {
    state.phase = Phase::Read;
    let ids: Vec<&str> = passages.iter().map(PassageId::as_str).collect();
    let parameters = json!({ "passages": ids });
    state.request(
        Effect::Read { passages: passages.clone() },
        format!("read {}", count(passages.len(), "passage")),
        parameters,
        format!("they came up for {} and have not been read", join(state)),
    );
}

fn join(state: &State) -> String {
    if pursue::is_alone(state) {
        return "the explanations".to_owned();
    }
    state.working.iter().map(|id| id.0.clone()).collect::<Vec<_>>().join(", ")
}

pub(crate) fn settle(state: &mut State, batch: Vec<Settled>) {
    for Settled { id, outcome, .. } in batch {
        match outcome {
            Outcome::Passages { passages } => {
                let mut paths: Vec<String> = Vec::new();
                for read in passages {
                    let source = &read.source;
                    if !paths.contains(&source.path) {
                        paths.push(source.path.clone());
                    }
                    if state.take_in(read) {
                        state.new_this_round += 1;
                    }
                }
                let new = state.new_this_round;
                state.observe(
                    id,
                    count(new, "unseen passage"),
                    format!("from {}: {}", count(paths.len(), "document"), paths.join(", ")),
                    vec![],
                );
            }
            Outcome::Failed { error, .. } => {
                state.error = Some(error.clone());
                observe_failure(state, id, error, "the run ends with what was read before");
                super::draft::stop(state, StopReason::Failed);
                return;
            }
            _ => {
                observe_failure(
                    state,
                    id,
                    "an outcome of another kind".to_owned(),
                    "it is ignored",
                );
            }
        }
    }
    state.budget_updated();
    if pursue::is_alone(state) {
        pursue::weigh(state);
    } else {
        reflect::request(state);
    }
}
