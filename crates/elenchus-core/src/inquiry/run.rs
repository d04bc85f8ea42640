//! The run as a value: told inputs, asking for effects, yielding trace events.

use super::state::{Phase, Settled, Slot, State};
use super::step::{
    self, analyze, clarify, contrast, critique, draft, edit_plan, follow_up, hypothesize, insight,
    lenses, limit, named, plan, read, reflect, revise, search, verify,
};
use super::{Control, Input, Opened, Outcome, Step, StopReason, Unsettled};
use crate::id::{RunId, Timestamp};
use crate::journal::{Entry, JournalRecord};
use crate::trace::{Envelope, RunView, TraceEvent};
use serde::{Deserialize, Serialize};

/// One question, end to end.
///
/// State changes only in [`Run::feed`]. The same inputs give the same trace, and a run can be rebuilt from
/// every prefix of its journal with [`Run::replay`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    state: State,
}

/// Why a journal cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "could not replay the journal: its first record does not open a run; it belongs to something else or was cut at the front"
)]
pub struct NotARun;

impl Run {
    /// Begins a run. The events are those of the first input.
    pub fn new(opened: Opened, at: Timestamp) -> (Self, Vec<Envelope>) {
        let mut state = State::new(opened, at);
        plan::open(&mut state);
        state.refresh_memory();
        let events = std::mem::take(&mut state.out);
        (Self { state }, events)
    }

    /// Rebuilds a run and its whole trace from its journal.
    pub fn replay<'a>(
        records: impl IntoIterator<Item = &'a JournalRecord>,
    ) -> Result<(Self, Vec<Envelope>), NotARun> {
        let mut inputs = records.into_iter().filter_map(|record| match &record.entry {
            Entry::Input(input) => Some((input.as_ref(), record.at)),
            Entry::Intent(_) => None,
        });
        let Some((Input::Opened(opened), at)) = inputs.next() else { return Err(NotARun) };
        let (mut run, mut trace) = Self::new(opened.clone(), at);
        for (input, at) in inputs {
            trace.extend(run.feed(input.clone(), at));
        }
        Ok((run, trace))
    }

    /// What to do now. Asking twice gives the same answer: effects keep their ids until they are settled.
    pub fn step(&self) -> Step {
        if self.state.phase == Phase::Done {
            return Step::Done;
        }
        if self.state.paused {
            return Step::Paused;
        }
        if self.state.phase == Phase::Clarify && self.state.pending.is_empty() {
            return Step::Clarify(self.state.clarity.open.clone());
        }
        Step::Perform(
            self.state
                .pending
                .iter()
                .filter(|(_, slot)| slot.outcome.is_none())
                .map(|(id, slot)| (*id, slot.effect.clone()))
                .collect(),
        )
    }

    /// Tells the run something that happened at `at`. Outcomes of effects that are not pending (late, doubled,
    /// or dropped by a control) change nothing. Outcomes settle together, in the order of effect ids, when
    /// the last of a batch is in, so that the order of completion never shows in the trace.
    pub fn feed(&mut self, input: Input, at: Timestamp) -> Vec<Envelope> {
        let state = &mut self.state;
        state.now = at;
        if state.phase != Phase::Done {
            match input {
                // Only the first input opens a run.
                Input::Opened(_) => {}
                Input::Control(control) => control_received(state, control),
                Input::GivenUp { calls, elsewhere } => {
                    for call in calls {
                        state.spent.usage.count(call.usage);
                    }
                    let new = state.unnoted(&elsewhere);
                    state.also_sent.extend(new.iter().cloned());
                    state.spent_and_sent(new);
                }
                Input::Outcome { id, result } => {
                    if let Some(slot) = state.pending.get_mut(&id)
                        && slot.outcome.is_none()
                    {
                        slot.outcome = Some(result);
                        if state.pending.values().all(|slot| slot.outcome.is_some()) {
                            settle(state);
                        }
                    }
                }
            }
            state.refresh_memory();
        }
        std::mem::take(&mut state.out)
    }

    /// What a control would take out of the run although it has come back, with what that has used: it is counted when the whole batch
    /// is settled, which would never be. Calls that used nothing are left out.
    pub fn dropped_by(&self, control: &Control) -> Vec<Unsettled> {
        let costly: Vec<Unsettled> = self
            .state
            .pending
            .iter()
            .filter_map(|(id, slot)| {
                Some(Unsettled { id: *id, usage: slot.outcome.as_ref()?.usage() })
            })
            .filter(|call| !call.usage.is_nothing())
            .collect();
        if costly.is_empty() || self.state.phase == Phase::Done {
            return Vec::new();
        }
        let mut after = self.clone();
        after.feed(Input::Control(control.clone()), self.state.now);
        costly.into_iter().filter(|call| !after.state.pending.contains_key(&call.id)).collect()
    }

    /// What it knows.
    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// The run as people and programs see it.
    pub fn view(&self) -> RunView<'_> {
        RunView::new(&self.state)
    }

    /// The run's id.
    pub fn id(&self) -> &RunId {
        &self.state.opened.run_id
    }
}

fn settle(state: &mut State) {
    let batch: Vec<Settled> = std::mem::take(&mut state.pending)
        .into_iter()
        .filter_map(|(id, Slot { effect, outcome })| {
            outcome.map(|outcome| Settled { id, effect, outcome })
        })
        .collect();
    for settled in &batch {
        let usage = match &settled.outcome {
            Outcome::Replied { usage, repairs, model, .. } => {
                state.heard(model.as_deref());
                if !repairs.is_empty() {
                    state.emit(TraceEvent::ReplyRepaired {
                        action_id: settled.id,
                        repairs: repairs.clone(),
                    });
                }
                *usage
            }
            // What came to nothing was paid for as well.
            Outcome::Verified { usage, .. } | Outcome::Failed { usage, .. } => *usage,
            _ => continue,
        };
        state.spent.usage.count(usage);
        if !usage.is_nothing() {
            state.costs.insert(settled.id, usage);
        }
    }
    match state.phase {
        Phase::Clarify => clarify::settle(state, batch),
        Phase::Plan => plan::settle(state, batch),
        Phase::Hypothesize => hypothesize::settle(state, batch),
        Phase::Search => search::settle(state, batch),
        Phase::Read => read::settle(state, batch),
        Phase::Reflect => reflect::settle(state, batch),
        Phase::Analyze => analyze::settle(state, batch),
        Phase::FollowUp => follow_up::settle(state, batch),
        Phase::Draft => draft::settle(state, batch),
        Phase::Verify => verify::settle(state, batch),
        Phase::Critique => critique::settle(state, batch),
        Phase::Revise => revise::settle(state, batch),
        Phase::Lenses => lenses::settle(state, batch),
        Phase::Contrast => contrast::settle(state, batch),
        Phase::Insights => insight::settle(state, batch),
        Phase::Done => {}
    }
    // What no observation spoke of is in the sums all the same.
    state.costs.clear();
}

fn control_received(state: &mut State, control: Control) {
    state.emit(TraceEvent::ControlReceived(control.clone()));
    state.reasoning.push(state.seq);
    let interrupted = control == Control::Interrupt;
    match control {
        // The answer stands already; it is given as far as it was looked at.
        Control::Interrupt | Control::FinishNow if state.composed.is_some() => {
            state.paused = false;
            state.pending.clear();
            if let Some(answer) = state.composed.take() {
                let mut answer = revise::standing(state, answer);
                if interrupted {
                    answer.stop_reason = StopReason::Interrupted;
                    state.stop = Some(StopReason::Interrupted);
                }
                draft::close(state, answer);
            }
        }
        Control::Interrupt => {
            state.paused = false;
            state.pending.clear();
            draft::stop_without_model(state, StopReason::Interrupted);
        }
        Control::FinishNow => {
            state.paused = false;
            if state.phase != Phase::Draft {
                state.pending.clear();
                draft::stop(state, StopReason::FinishNow);
            }
        }
        Control::Challenge { event_id, text } => state.critic.challenge(event_id, &text),
        Control::Pause => state.paused = true,
        Control::Resume => {
            state.paused = false;
            plan::reviewed(state);
        }
        Control::EditPlan { questions } => {
            edit_plan::edit(state, &questions);
            reopened(state);
        }
        Control::Clarified { answers } => clarify::answered(state, &answers),
        Control::SkipClarification => clarify::answered(state, &[]),
        Control::Redirect { focus, exclude, only } => {
            state.exclude.extend(exclude.into_iter().filter(|part| !part.trim().is_empty()));
            if !only.is_empty() {
                state.only = only;
            }
            if let Some(focus) = focus.filter(|focus| !focus.trim().is_empty()) {
                plan::add_question(state, &focus);
            }
            reopened(state);
        }
        Control::AddSources(new) => {
            named::add(state, &new);
            reopened(state);
        }
        Control::SetBudget(new) => limit::set(state, &new),
        Control::DropHypothesis { id, reason } => hypothesize::set_aside(state, &id, &reason),
        Control::DocumentsAdded { documents } => {
            state.documents_added = true;
            let mut changes = Vec::new();
            for document in &documents {
                changes.extend(state.ledger.reopen_matching(document));
            }
            plan::asked_again(state, &changes);
            state.gap_changes(changes);
            reopened(state);
        }
    }
}

/// A gap that was opened after the search had ended is not left open.
fn reopened(state: &mut State) {
    if step::is_drafted(state.phase) && state.ledger.active().next().is_some() {
        draft::reopened(state);
    }
}
