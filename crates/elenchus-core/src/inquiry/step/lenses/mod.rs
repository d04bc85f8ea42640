//! Lenses: the checked evidence is looked at through each lens at once, then the points are checked and compared, then
//! a model says what to take from it. Whatever fails leaves the rest standing.

mod comparison;
mod scores;
mod views;
mod weighing;

pub(crate) use scores::score;

use super::{aftermath, count};
use crate::answer::Answer;
use crate::inquiry::StopReason;
use crate::inquiry::state::{Phase, Settled, State};
use crate::pack::{Lens, OF_THE_PACK, lens};
use crate::prompt::PointBrief;
use crate::synthesis::perspectives::Perspectives;
use crate::text::squeeze;
use serde::{Deserialize, Serialize};

/// Calls kept beside one a lens: to compare, and to say what to take from it.
const BESIDE: u32 = 2;
/// Lenses of one run, at most.
const MOST: usize = 6;

/// How far the looking is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Viewing {
    /// It has not begun.
    #[default]
    Not,
    /// Each lens is asked.
    Looking,
    /// Points are checked and compared.
    Comparing,
    /// What to take from it is asked.
    Weighing,
    /// It had its turn.
    Over,
}

/// The lenses asked for that exist, each once; [`OF_THE_PACK`] stands for those of the run's pack.
fn chosen(state: &State) -> Vec<&'static Lens> {
    let mut chosen: Vec<&'static Lens> = Vec::new();
    let named = state.options().lenses.iter().flat_map(|id| {
        if id == OF_THE_PACK { state.pack().lenses.to_vec() } else { vec![id.as_str()] }
    });
    for one in named.filter_map(lens) {
        if !chosen.contains(&one) && chosen.len() < MOST {
            chosen.push(one);
        }
    }
    chosen
}

/// Asks each lens, where lenses were asked for and there is something to look at; else gives the answer back.
pub(super) fn request(state: &mut State, answer: Answer) -> Option<Answer> {
    let stopped = matches!(
        state.stop,
        Some(StopReason::Interrupted | StopReason::Failed | StopReason::FinishNow)
    );
    if state.viewing == Viewing::Over || state.options().lenses.is_empty() || stopped {
        return Some(answer);
    }
    // Also when it is skipped: nothing that comes later makes room for it.
    state.viewing = Viewing::Over;
    let lenses = chosen(state);
    if let Some(why) = hindrance(state, lenses.len()) {
        let about = squeeze(&state.opened.question);
        state.think(format!("\"{about}\" is not looked at through lenses: {why}"), vec![]);
        return Some(answer);
    }
    state.phase = Phase::Lenses;
    state.viewing = Viewing::Looking;
    views::request(state, &answer, &lenses);
    state.composed = Some(answer);
    None
}

/// Why the step is skipped, if it is.
fn hindrance(state: &State, lenses: usize) -> Option<String> {
    if lenses == 0 {
        return Some(format!("there is no lens called {}", state.options().lenses.join(" or ")));
    }
    if state.facts.is_empty() {
        return Some("there is no checked quote to look at".to_owned());
    }
    let budget = &state.options().budget;
    let elapsed = u64::try_from(state.now.0.saturating_sub(state.started_at.0)).unwrap_or(0);
    if budget.wall_ms.is_some_and(|limit| elapsed >= limit) {
        return Some(StopReason::BudgetTime.sentence().to_owned());
    }
    let calls = lenses as u32 + BESIDE;
    let reason = state.spent.forbids(budget, calls)?;
    Some(match (reason, budget.model_calls) {
        (StopReason::BudgetModelCalls, Some(limit)) => format!(
            "{} would need {}, and {} of {limit} are left",
            count(lenses, "lens").replace("lenss", "lenses"),
            count(calls as usize, "model call"),
            limit.saturating_sub(state.spent.model_calls)
        ),
        _ => reason.sentence().to_owned(),
    })
}

pub(crate) fn settle(state: &mut State, batch: Vec<Settled>) {
    // Kept when the lenses were asked; there is always one.
    let Some(answer) = state.composed.take() else { return };
    let answer = match state.viewing {
        Viewing::Looking => {
            let answer = views::settle(state, answer, batch);
            comparison::request(state, answer)
        }
        Viewing::Comparing => {
            let answer = comparison::settle(state, answer, batch);
            weighing::request(state, answer)
        }
        _ => Some(weighing::settle(state, answer, batch)),
    };
    if let Some(answer) = answer {
        state.viewing = Viewing::Over;
        aftermath::next(state, answer);
    }
}

/// The points as later prompts show them.
fn briefs(perspectives: &Perspectives) -> Vec<PointBrief> {
    perspectives
        .points()
        .map(|(view, point)| PointBrief {
            id: point.id.clone(),
            lens: view.name.clone(),
            stance: point.stance,
            statement: point.statement.clone(),
            facts: point.facts().cloned().collect(),
            mark: String::new(),
        })
        .collect()
}

/// Lenses that see anything.
fn seeing(perspectives: &Perspectives) -> usize {
    perspectives.views.iter().filter(|view| !view.points.is_empty()).count()
}
