//! Other limits for a run, however it stands: of one that is not over they are set, and past the end that a limit made another
//! run goes on.

use super::port::Task;
use super::steer::Child;
use super::{Runs, is_over};
use crate::http::problem::Problem;
use axum::http::StatusCode;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::{Control, Cut, LimitsRefused, NewLimits, NoMore};
use elenchus_engine::EngineError;

impl Runs {
    /// Sets limits of a run. One under way hears of them, one that stopped goes on under them, and of one that a limit ended
    /// another goes on from where that stopped searching: nothing that it did is done again.
    ///
    /// # Errors
    /// When there is no such run, the limits are none that may be set, or it ended for another reason.
    pub async fn more(&self, run: &RunId, limits: NewLimits) -> Result<Option<Child>, Problem> {
        if let Some(why) = limits.refusal() {
            return Err(refused(run, &why));
        }
        let summary = match self.job(run).filter(|job| job.is_active()) {
            Some(_) => None,
            None => Some(self.summary(run).await?),
        };
        match summary {
            Some(of) if is_over(&of.status) => {
                let journal = self.store.journal(run).await?;
                let cut = Cut::for_more(&journal, &limits).map_err(|why| no_more(run, why))?;
                let question = of.question.clone();
                let task = Task::Fork { of, at: cut.events(), focus: None, limits: Some(limits) };
                let child = self.open(question, task).await?;
                Ok(Some(Child { run: child, of: run.clone() }))
            }
            Some(of) if of.status == "stopped" => {
                self.resumed(run, Some(limits)).await?;
                Ok(None)
            }
            _ => {
                self.control(run, Control::SetBudget(limits)).await?;
                Ok(None)
            }
        }
    }
}

/// Limits that may not be set.
pub(super) fn refused(run: &RunId, why: &LimitsRefused) -> Problem {
    Problem::new(
        StatusCode::BAD_REQUEST,
        "limits_refused",
        format!("could not set the limits of run {run}"),
        why.to_string(),
        why.way_out(),
    )
}

fn no_more(run: &RunId, why: NoMore) -> Problem {
    let attempted = format!("could not go on with run {run} under other limits");
    match why {
        NoMore::Refused(why) => refused(run, &why),
        NoMore::NotARun(cause) => EngineError::NotARun { run_id: run.clone(), cause }.into(),
        NoMore::UnderWay | NoMore::Ended(_) | NoMore::OverAtOnce | NoMore::NoRoom(_) => {
            let code = if matches!(why, NoMore::NoRoom(_)) { "no_room" } else { "run_over" };
            Problem::new(StatusCode::CONFLICT, code, attempted, why.to_string(), why.way_out())
        }
    }
}
