//! Research as a task, for clients that declare the tasks extension: the task's id is the run's.
//!
//! A run that nobody drives any more does nothing until somebody says so. A client that can put a form to its user is asked in the
//! task whether the run goes on; the others read of it in the message of the status.

use super::handler::result;
use super::ports::{Progress, Refusal};
use super::tools::Call;
use super::tools::research::{POLL_MS, started};
use crate::instant::iso;
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::inquiry::NewLimits;
use rmcp::ErrorData;
use rmcp::model::{
    CreateTaskResult, DetailedTask, GetTaskResult, InputRequest, InputRequests, InputResponses,
    JsonObject, Task, TaskPayload, TaskStatus,
};
use rmcp::service::RequestContext;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

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

/// What cannot be done with a task that there is.
fn failed(words: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(words.to_string(), None)
}

async fn known(call: &Call<'_>, run: &RunId) -> Result<Progress, ErrorData> {
    let standing = call.parts.researcher.status(&call.caller, run).await;
    standing.map_err(|refusal| unknown(&refusal))
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::default(),
    }
}

/// How often a run has been told what to do after a stop. Kept while the process lives: a stop after that has another moment, which
/// stands in the name of its question as well.
#[derive(Default)]
pub(super) struct Answers(Mutex<BTreeMap<RunId, u64>>);

impl Answers {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<RunId, u64>> {
        // A number, whole at any time.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The name of the question whether a run goes on, while it is asked. No name may come twice in the life of a task, so that
    /// each stop has one of its own, and each answer makes another one.
    fn asked(&self, progress: &Progress) -> Option<String> {
        if progress.status != "stopped" {
            return None;
        }
        let answered = self.lock().get(&progress.run_id).copied().unwrap_or_default();
        Some(format!("go_on_{}_{answered}", progress.updated_at))
    }

    fn taken(&self, run: &RunId) {
        *self.lock().entry(run.clone()).or_default() += 1;
    }
}

/// Whether the client can put a form to its user. One that names no way of asking means forms.
fn shows_forms(call: &Call<'_>) -> bool {
    let client = call.context.and_then(RequestContext::client_capabilities);
    client
        .and_then(|client| client.elicitation)
        .is_some_and(|asks| asks.form.is_some() || asks.url.is_none())
}

/// The question whether a run goes on.
fn question(progress: &Progress) -> Result<InputRequest, ErrorData> {
    let message = format!(
        "The research of \"{}\" has stopped. Shall it go on? If not, it ends with what it has found.",
        progress.question
    );
    let form = json!({ "type": "object", "required": ["go_on"],
        "properties": { "go_on": { "type": "boolean", "title": "Go on", "default": true } } });
    let asked = json!({ "method": "elicitation/create",
        "params": { "mode": "form", "message": message, "requestedSchema": form } });
    serde_json::from_value(asked).map_err(failed)
}

/// How a task stands; with the result of the call that made it when it is over.
pub(super) async fn get(
    call: &Call<'_>,
    answers: &Answers,
    id: &str,
) -> Result<GetTaskResult, ErrorData> {
    let run = RunId(id.to_owned());
    let mut progress = known(call, &run).await?;
    let payload = match progress.status.as_str() {
        "interrupted" => {
            // A task that was cancelled has no result, but the run answers with what it has found.
            progress.message = format!(
                "{}; research_result with run_id {run} gives what it had found until then",
                progress.message
            );
            TaskPayload::Cancelled
        }
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
            let told = serde_json::to_value(result(told)).map_err(failed)?;
            TaskPayload::Completed { result: object(told) }
        }
        _ => match answers.asked(&progress).filter(|_| shows_forms(call)) {
            Some(name) => {
                let input_requests = InputRequests::from([(name, question(&progress)?)]);
                TaskPayload::InputRequired { input_requests }
            }
            None => TaskPayload::Working,
        },
    };
    Ok(GetTaskResult::new(DetailedTask::new(task(&progress), payload)))
}

/// What a user wants of a run that stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    GoOn,
    End,
    /// The question was put away: it is asked again.
    Later,
}

fn wish(answer: &Value) -> Option<Wish> {
    match answer.get("action").and_then(Value::as_str)? {
        "accept" => {
            let goes_on = answer.pointer("/content/go_on").and_then(Value::as_bool)?;
            Some(if goes_on { Wish::GoOn } else { Wish::End })
        }
        "decline" => Some(Wish::End),
        "cancel" => Some(Wish::Later),
        _ => None,
    }
}

/// Takes answers to what a task has asked. What answers no question that stands is passed over, as the extension wants it: somebody
/// else may have answered meanwhile.
pub(super) async fn update(
    call: &Call<'_>,
    answers: &Answers,
    id: &str,
    responses: &InputResponses,
) -> Result<(), ErrorData> {
    let run = RunId(id.to_owned());
    let progress = known(call, &run).await?;
    let asked = answers.asked(&progress);
    let Some((name, answer)) = asked.and_then(|name| responses.get_key_value(&name)) else {
        return Ok(());
    };
    let done = match wish(answer) {
        Some(Wish::GoOn) => {
            let researcher = &call.parts.researcher;
            researcher.resume(&call.caller, &run, &NewLimits::default()).await.map(drop)
        }
        Some(Wish::End) => end(call, &run, &progress).await,
        Some(Wish::Later) => Ok(()),
        None => {
            return Err(ErrorData::invalid_params(
                format!(
                    "could not read the answer to {name} of task {run}: it is no result of elicitation/create with a `go_on` that \
                     is true or false; give {{\"action\": \"accept\", \"content\": {{\"go_on\": true}}}}, or the action decline or cancel"
                ),
                None,
            ));
        }
    };
    done.map_err(failed)?;
    answers.taken(&run);
    Ok(())
}

/// Ends the run of a task. One that is over stays as it is.
pub(super) async fn cancel(call: &Call<'_>, id: &str) -> Result<(), ErrorData> {
    let run = RunId(id.to_owned());
    let progress = known(call, &run).await?;
    end(call, &run, &progress).await.map_err(failed)
}

/// A run that nobody drives is taken up for its end: what it answers is written by whoever drives it.
async fn end(call: &Call<'_>, run: &RunId, progress: &Progress) -> Result<(), Refusal> {
    if progress.is_over() {
        return Ok(());
    }
    let researcher = &call.parts.researcher;
    if progress.status == "stopped" {
        researcher.resume(&call.caller, run, &NewLimits::default()).await?;
    }
    researcher.cancel(&call.caller, run).await.map(drop)
}
