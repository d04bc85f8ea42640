//! What follows a checked answer, before it is given.
//!
//! Each step that wants a turn takes the answer and keeps it in [`State::composed`], or hands it back; when its
//! effects have settled it comes back to [`next`]. A step marks in the state that it had its turn.

use super::{contrast, critique, draft, insight, lenses, revise};
use crate::answer::Answer;
use crate::inquiry::state::State;

/// Gives the answer to the next step that wants it; when none does, the run is over.
pub(crate) fn next(state: &mut State, answer: Answer) {
    let Some(answer) = contrast::request(state, answer) else { return };
    let Some(answer) = critique::request(state, answer) else { return };
    let Some(answer) = revise::request(state, answer) else { return };
    let Some(answer) = lenses::request(state, answer) else { return };
    let Some(answer) = insight::request(state, answer) else { return };
    draft::close(state, answer);
}
