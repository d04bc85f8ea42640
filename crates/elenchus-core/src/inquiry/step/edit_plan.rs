//! The user edits the plan: what is asked from now on.

use super::plan::{self, MAX_QUESTIONS};
use crate::inquiry::state::{Phase, State};
use crate::prompt::Plan;
use crate::text::squeeze;

/// Why an edited plan is not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanRefused {
    /// It leaves out a question that is answered.
    #[error("\"{0}\" is answered, and the new plan leaves it out")]
    Answered(String),
    /// It asks more than a plan may hold.
    #[error("it asks {asked} questions, and a plan holds at most {most}")]
    TooMany {
        /// Questions that it asks.
        asked: usize,
        /// See [`MAX_QUESTIONS`].
        most: usize,
    },
}

impl PlanRefused {
    /// What to do instead.
    pub fn way_out(&self) -> &'static str {
        match self {
            Self::Answered(_) => {
                "leave it in, in the same words and at any place, so that what was found for it is kept"
            }
            Self::TooMany { .. } => "take out questions that are not answered",
        }
    }
}

/// Why questions are not to take the place of a plan, which is given question by question with whether it is answered.
///
/// It is asked before a control is given and never by [`edit`], which obeys whatever a journal holds: journals that were
/// written before there was this rule replay as they were.
pub(crate) fn refusal<'a>(
    mut plan: impl Iterator<Item = (&'a str, bool)>,
    questions: &[String],
) -> Option<PlanRefused> {
    let asked = each_once(questions);
    // Nothing to ask changes nothing.
    if asked.is_empty() {
        return None;
    }
    let most = usize::from(MAX_QUESTIONS);
    if asked.len() > most {
        return Some(PlanRefused::TooMany { asked: asked.len(), most });
    }
    plan.find_map(|(text, answered)| {
        let text = squeeze(text);
        let left_out = answered && !asked.iter().any(|one| is_same(one, &text));
        left_out.then_some(PlanRefused::Answered(text))
    })
}

/// What an edited plan asks: each question once, none empty, no more than a plan may hold.
pub(crate) fn cleaned(questions: &[String]) -> Vec<String> {
    let mut kept = each_once(questions);
    kept.truncate(usize::from(MAX_QUESTIONS));
    kept
}

fn each_once(questions: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for question in questions {
        let question = squeeze(question);
        let asks = question.chars().any(char::is_alphanumeric);
        if asks && !kept.iter().any(|known| is_same(known, &question)) {
            kept.push(question);
        }
    }
    kept
}

fn is_same(a: &str, b: &str) -> bool {
    a.to_lowercase() == b.to_lowercase()
}

/// Puts questions in place of those of a plan. One that stands already keeps its id and all else.
pub(crate) fn replace(plan: &mut Plan, questions: &[String]) {
    let mut next = plan.questions.iter().map(|question| question.id).max().unwrap_or(0) + 1;
    let replaced = questions
        .iter()
        .map(|text| {
            let known = plan.questions.iter().find(|question| is_same(&question.text, text));
            known.cloned().unwrap_or_else(|| {
                let question = plan::of_the_user(next, text.clone());
                next += 1;
                question
            })
        })
        .collect();
    plan.questions = replaced;
    let ids: Vec<u32> = plan.questions.iter().map(|question| question.id).collect();
    for question in &mut plan.questions {
        question.depends_on.retain(|id| ids.contains(id));
    }
}

/// Obeys. Gaps behind which no question is left are closed; new questions open theirs.
pub(crate) fn edit(state: &mut State, questions: &[String]) {
    let questions = cleaned(questions);
    if questions.is_empty() {
        state.think("the edited plan asks nothing, so the plan stays as it is".to_owned(), vec![]);
        return;
    }
    if matches!(state.phase, Phase::Clarify | Phase::Plan) && !state.in_review {
        state.edited_plan = questions;
        return;
    }
    let before: Vec<u32> = state.plan.questions.iter().map(|question| question.id).collect();
    replace(&mut state.plan, &questions);
    plan::announce(state);
    if state.in_review {
        state.paused = false;
        plan::reviewed(state);
        return;
    }
    let left: Vec<u32> = state.plan.questions.iter().map(|question| question.id).collect();
    let changes = state.ledger.no_longer_asked(&left);
    state.gap_changes(changes);
    let new: Vec<_> = state
        .plan
        .questions
        .iter()
        .filter(|question| !before.contains(&question.id))
        .cloned()
        .collect();
    for question in &new {
        plan::open_gap(state, question);
        let again = state.ledger.asked_again(question.id);
        state.gap_changes(again.into_iter().collect());
    }
}
