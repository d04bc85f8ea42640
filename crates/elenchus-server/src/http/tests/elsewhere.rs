//! Runs that are driven elsewhere: handed over, waited for, steered, and not taken back.

use super::{QUESTION, Served, TestGrounds};
use crate::http::problem::PROBLEM;
use crate::mcp::ports::{Inquiry, Refusal, Researcher};
use crate::runs::{Coming, Heard, Task, Unheard, Work};
use elenchus_core::bank::Caller;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::{Control, NewLimits};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Notify;

/// How the workers stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stand {
    /// Nothing is handed to them.
    #[default]
    Unused,
    /// Nobody answers.
    Away,
    /// They take what they are given.
    There,
}

/// What stands in for workers: a driver of this process, which no server stops and which begins when it is told to.
#[derive(Default)]
pub(super) struct Workers {
    stand: Mutex<Stand>,
    /// Lets them begin one run.
    go: Notify,
    have: Mutex<BTreeSet<RunId>>,
    heard: Mutex<Vec<Control>>,
    /// Runs that the server began itself.
    pub(super) begun_here: AtomicUsize,
}

fn away() -> Unheard {
    Unheard::Away(Refusal::new("could not hand the run over", "nobody is there", "start them"))
}

impl Workers {
    fn set(&self, stand: Stand) {
        *self.stand.lock().unwrap() = stand;
    }

    fn has(&self, run: &RunId) -> Result<bool, Unheard> {
        match *self.stand.lock().unwrap() {
            Stand::Unused => Ok(false),
            Stand::Away => Err(away()),
            Stand::There => Ok(self.have.lock().unwrap().contains(run)),
        }
    }

    fn take(&self, grounds: &TestGrounds, work: &Work) -> Result<Option<Coming>, Unheard> {
        let has = self.has(&work.run)?;
        let stand = *self.stand.lock().unwrap();
        if stand == Stand::Unused || (matches!(work.task, Task::Resume { .. }) && !has) {
            return Ok(None);
        }
        self.have.lock().unwrap().insert(work.run.clone());
        let (grounds, work) = (grounds.clone(), work.clone());
        Ok(Some(Box::pin(async move {
            grounds.workers.go.notified().await;
            grounds.begun(&work).await
        })))
    }

    /// What [`crate::runs::Grounds::hand_over`] gives.
    pub(super) fn hand_over<'a>(
        grounds: &'a TestGrounds,
        work: &'a Work,
    ) -> Heard<'a, Option<Coming>> {
        Box::pin(async move { grounds.workers.take(grounds, work) })
    }

    /// What [`crate::runs::Grounds::is_elsewhere`] gives.
    pub(super) fn is_elsewhere<'a>(&'a self, run: &'a RunId) -> Heard<'a, bool> {
        Box::pin(async move { self.has(run) })
    }

    /// What [`crate::runs::Grounds::steer`] gives.
    pub(super) fn steer<'a>(&'a self, run: &'a RunId, control: &'a Control) -> Heard<'a, bool> {
        Box::pin(async move {
            let has = self.has(run)?;
            if has {
                self.heard.lock().unwrap().push(control.clone());
            }
            Ok(has)
        })
    }

    fn heard(&self) -> Vec<Control> {
        self.heard.lock().unwrap().clone()
    }

    fn begun_here(&self) -> usize {
        self.begun_here.load(Ordering::SeqCst)
    }
}

#[tokio::test]
async fn where_nobody_takes_a_run_it_is_said_and_nothing_is_left_of_it() {
    let served = Served::new().await;
    served.workers.set(Stand::Away);
    let body = json!({"question": QUESTION}).to_string();
    let key = "Idempotency-Key: abc\r\n";
    let got = served.send("POST", "/v1/research", key, &body).await;
    assert_eq!(got.status, 503, "{got:?}");
    assert_eq!(got.header("content-type"), Some(PROBLEM));
    assert_eq!(got.header("retry-after"), Some("5"));
    let problem = got.json();
    assert_eq!(problem["code"], "engine_away");
    assert_eq!(problem["cause"], "nobody is there");
    assert_eq!(problem["way_out"], "start them");
    assert_eq!(served.get("/v1/research").await.json()["total"], 0);
    // An agent is told the same.
    let inquiry =
        Inquiry { question: QUESTION.to_owned(), effort: None, limits: NewLimits::default() };
    let told = Researcher::start(&*served.api.runs, &Caller::local("here"), &inquiry).await;
    assert_eq!(told.unwrap_err().cause, "nobody is there");
    assert_eq!(served.api.runs.under_way(), 0);
    // The same request, sent again, begins the run.
    served.workers.set(Stand::There);
    served.workers.go.notify_one();
    let got = served.send("POST", "/v1/research", key, &body).await;
    assert_eq!(got.status, 202, "{got:?}");
    let run = got.json()["run_id"].as_str().unwrap().to_owned();
    assert_eq!(served.until(&run, &["finished", "failed"]).await, "finished");
    assert_eq!(served.get("/v1/research").await.json()["total"], 1);
    assert_eq!(served.workers.begun_here(), 0);
}

#[tokio::test]
async fn a_run_that_waits_for_a_worker_is_there_and_can_be_steered() {
    let served = Served::new().await;
    served.workers.set(Stand::There);
    let run = served.start(&json!({"question": QUESTION})).await;
    let waiting = served.get(&format!("/v1/research/{run}")).await.json();
    assert_eq!(waiting["status"], "running");
    assert_eq!(waiting["message"], "waiting for a worker");
    // It is durable with whoever has the run, and waits in no memory of this process.
    let control = format!("/v1/research/{run}/control");
    for word in ["pause", "interrupt"] {
        let told = served.post(&control, &json!({ "control": word })).await;
        assert_eq!(told.status, 200, "{told:?}");
    }
    assert_eq!(served.workers.heard(), [Control::Pause, Control::Interrupt]);
    served.workers.go.notify_one();
    let events = served.get(&format!("/v1/research/{run}/events")).await;
    assert!(events.body.contains("event: session_completed"), "{}", events.body);
    assert_eq!(served.until(&run, &["finished", "failed"]).await, "finished");
    assert_eq!(served.workers.begun_here(), 0);
}

#[tokio::test]
async fn a_server_that_begins_again_takes_nothing_from_the_workers() {
    let served = Served::new().await;
    served.workers.set(Stand::There);
    served.workers.go.notify_one();
    let run = served.start(&json!({"question": QUESTION, "review_plan": true})).await;
    served.until(&run, &["paused"]).await;
    let served = served.again().await;
    let resume = format!("/v1/research/{run}/resume");
    served.workers.set(Stand::Away);
    let got = served.post(&resume, &json!({})).await;
    assert_eq!((got.status, got.json()["code"].as_str()), (503, Some("engine_away")), "{got:?}");
    assert_eq!(served.api.runs.under_way(), 0);
    served.workers.set(Stand::There);
    let got = served.post(&resume, &json!({})).await;
    assert_eq!(got.status, 202, "{got:?}");
    // It is followed, and told to go on where it is.
    assert_eq!(served.api.runs.under_way(), 1);
    assert_eq!(served.workers.heard(), [Control::Resume]);
    assert_eq!(served.workers.begun_here(), 0);
}

#[tokio::test]
async fn a_server_steers_the_run_that_another_one_drives_over_the_same_file() {
    let first = Served::new().await;
    let second = first.beside().await;
    let run = first.start(&json!({"question": QUESTION, "review_plan": true})).await;
    first.until(&run, &["paused"]).await;
    assert_eq!(second.get(&format!("/v1/research/{run}")).await.json()["driven"], false);
    // A doubt while it is under way, then a new direction, then the end: each by the server that does not drive it.
    let control = format!("/v1/research/{run}/control");
    let doubt = json!({"event_id": 1, "text": "Is this what was asked?"});
    let doubted = second.post(&format!("/v1/research/{run}/challenge"), &doubt).await;
    assert_eq!(doubted.status, 200, "{doubted:?}");
    let unknown = json!({"event_id": 10_000, "text": "Is this what was asked?"});
    let unknown = second.post(&format!("/v1/research/{run}/challenge"), &unknown).await;
    assert_eq!((unknown.status, unknown.json()["code"].as_str()), (404, Some("unknown_event")));
    let redirect = json!({"control": "redirect", "focus": "spring tides", "exclude": ["gauge"]});
    for told in [redirect, json!({"control": "interrupt"})] {
        let told = second.post(&control, &told).await;
        assert_eq!(told.status, 200, "{told:?}");
    }
    assert_eq!(first.until(&run, &["interrupted", "finished"]).await, "interrupted");
    assert_eq!(second.until(&run, &["interrupted"]).await, "interrupted");
    let lines = second.get(&format!("/v1/research/{run}/export?format=jsonl")).await.body;
    let heard: Vec<String> = lines
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|event| event["type"] == "control_received")
        .map(|event| event["data"]["control"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(heard, ["challenge", "redirect", "interrupt"], "in their order, each once: {lines}");
    let late = second.post(&control, &json!({"control": "pause"})).await;
    assert_eq!((late.status, late.json()["code"].as_str()), (409, Some("run_over")));
}

#[tokio::test]
async fn a_run_without_a_driver_takes_no_control_from_another_server() {
    let first = Served::new().await;
    let second = first.beside().await;
    let run = first.start(&json!({"question": QUESTION, "review_plan": true})).await;
    first.until(&run, &["paused"]).await;
    first.api.runs.suspend().await;
    assert_eq!(second.until(&run, &["stopped"]).await, "stopped");
    let control = format!("/v1/research/{run}/control");
    let refused = second.post(&control, &json!({"control": "interrupt"})).await;
    assert_eq!((refused.status, refused.json()["code"].as_str()), (409, Some("run_stopped")));
    assert!(refused.json()["way_out"].as_str().unwrap().contains("/resume"), "{refused:?}");
    let left = second.api.runs.store().left_controls(&RunId(run)).await.unwrap();
    assert!(left.is_empty(), "{left:?}");
}
