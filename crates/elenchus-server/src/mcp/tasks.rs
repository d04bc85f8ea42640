//! Research as a task, for clients that declare the tasks extension: the task's id is the run's.

use super::handler::result;
use super::ports::{Progress, Refusal};
use super::tools::Call;
use super::tools::research::{POLL_MS, started};
use crate::instant::iso;
use elenchus_core::id::{RunId, Timestamp};
use rmcp::ErrorData;
use rmcp::model::{
    CreateTaskResult, DetailedTask, GetTaskResult, JsonObject, Task, TaskPayload, TaskStatus,
};
use serde_json::Value;

/// The longest result of a task, in characters of JSON.
const LONGEST: usize = 100_000;

fn task(progress: &Progress) -> Task {
    Task::new(
        progress.run_id.as_str(),
        TaskStatus::Working,
        iso(Timestamp(progress.started_at)),
        iso(Timestamp(progress.updated_at)),
    )
    .with_status_message(progress.message.clone())
    .with_poll_interval_ms(POLL_MS)
}

/// What is given in place of the result of `research_start`.
pub(super) fn created(progress: &Progress) -> CreateTaskResult {
    CreateTaskResult::new(task(progress))
}

/// A task that nobody knows is an invalid parameter.
fn unknown(refusal: &Refusal) -> ErrorData {
    ErrorData::invalid_params(refusal.to_string(), None)
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::default(),
    }
}

/// How a task stands; with the result of the call that made it when it is over.
pub(super) async fn get(call: &Call<'_>, id: &str) -> Result<GetTaskResult, ErrorData> {
    let run = RunId(id.to_owned());
    let researcher = &call.parts.researcher;
    let progress =
        researcher.status(&call.caller, &run).await.map_err(|refusal| unknown(&refusal))?;
    let payload = match progress.status.as_str() {
        "interrupted" => TaskPayload::Cancelled,
        _ if progress.is_over() => {
            let told = call.result(&run, LONGEST).await.map(|mut read| {
                let mut told = started(&progress);
                told["message"] = Value::from(progress.message.clone());
                for name in ["report", "answer"] {
                    told[name] = read[name].take();
                }
                if read["truncated"] == true {
                    told["message"] = read["message"].take();
                }
                told
            });
            let told = serde_json::to_value(result(told))
                .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
            TaskPayload::Completed { result: object(told) }
        }
        _ => TaskPayload::Working,
    };
    Ok(GetTaskResult::new(DetailedTask::new(task(&progress), payload)))
}

/// Ends the run of a task.
pub(super) async fn cancel(call: &Call<'_>, id: &str) -> Result<(), ErrorData> {
    let run = RunId(id.to_owned());
    let cancelled = call.parts.researcher.cancel(&call.caller, &run).await;
    cancelled.map(drop).map_err(|refusal| unknown(&refusal))
}
