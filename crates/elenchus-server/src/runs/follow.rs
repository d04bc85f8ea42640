//! Drives a run from its start to its end, and keeps its record.

use super::port::{Begun, Coming, Grounds, Work};
use super::record::Record;
use super::{Job, RunLine, Stage, is_over, locked};
use crate::mcp::ports::Refusal;
use axum::body::Bytes;
use elenchus_core::bank::scrub;
use elenchus_core::inquiry::Control;
use elenchus_core::port::{Store, StoreFailure, Writing};
use elenchus_core::trace::Projection;
use elenchus_engine::{EngineError, Live};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// What passes by is told this often at most.
const PASSING: Duration = Duration::from_millis(100);
/// How often a store is asked that tells of news by itself.
const LOOK_ANYWAY: Duration = Duration::from_secs(3);
/// How often the store is asked for news of a run that another process drives.
const LOOK: Duration = Duration::from_millis(500);

/// Begins a run, or waits until it has begun where it was handed over to; and follows it.
pub(super) async fn follow(
    grounds: Arc<dyn Grounds>,
    work: Work,
    coming: Option<Coming>,
    job: Arc<Job>,
) {
    let waits = match coming {
        Some(_) => "a worker to take the run up",
        None => "the documents, which are being read",
    };
    job.record.set_live(Bytes::new(), waits.to_owned());
    job.record.set_ended(false);
    let begun = match coming {
        Some(coming) => coming.await,
        None => grounds.begin(&work).await,
    };
    let Begun { handle, learn } = match begun {
        Ok(begun) => begun,
        Err(refusal) => {
            let mut standing = locked(&job.standing);
            let known = job.record.told().events > 0;
            standing.stage = if known { Stage::Stopped(refusal) } else { Stage::Failed(refusal) };
            drop(standing);
            job.record.set_ended(!known);
            return;
        }
    };
    {
        let controller = handle.controller();
        let mut standing = locked(&job.standing);
        standing.stage = Stage::Driven;
        standing.controller = Some(controller.clone());
        // It was cancelled between the start and now, or this process was told to stop.
        if standing.cancelled {
            tokio::spawn(async move { controller.control(Control::Interrupt).await });
        } else if let Some(part) = standing.parted {
            part(&controller);
        }
    }
    tokio::spawn(tell(handle.live(), Arc::clone(&job.record)));
    let mut events = handle.events_after(job.record.told().events);
    while let Some(event) = events.next().await {
        job.record.take(std::slice::from_ref(&event));
    }
    let ended = handle.join().await;
    {
        let mut standing = locked(&job.standing);
        standing.controller = None;
        standing.stage = match &ended {
            Ok(_) | Err(EngineError::Suspended(_) | EngineError::Detached(_)) => Stage::Gone,
            Err(error) => Stage::Stopped(in_parts(&error.to_string())),
        };
    }
    if let Ok(finished) = ended {
        job.record.set_ended(true);
        learn(finished).await;
    }
}

/// A message of the engine in its parts.
pub(super) fn in_parts(text: &str) -> Refusal {
    let (attempted, rest) = text.split_once(": ").unwrap_or((text, ""));
    let (cause, way_out) = rest.split_once("; ").unwrap_or((rest, "resume the run"));
    Refusal::new(attempted, cause, way_out)
}

/// Tells how the run stands at this moment, not too often.
async fn tell(mut live: watch::Receiver<Live>, record: Arc<Record>) {
    loop {
        let now = live.borrow_and_update().clone();
        let (frame, waits) = passing(&now);
        record.set_live(frame, waits);
        tokio::time::sleep(PASSING).await;
        if live.changed().await.is_err() {
            return;
        }
    }
}

/// How a run stands, as a frame without a number; and what it waits for.
fn passing(live: &Live) -> (Bytes, String) {
    let tools: Vec<&str> = live.in_flight.iter().map(|one| one.tool).collect();
    let waits = if live.away.is_some() {
        "the store, which is away".to_owned()
    } else if live.paused {
        "a word from you".to_owned()
    } else if tools.is_empty() {
        "events".to_owned()
    } else {
        let mut names = tools.clone();
        names.sort_unstable();
        names.dedup();
        names.join(", ")
    };
    let at = &live.progress;
    let json = json!({
        "stage": at.phase.name(), "round": at.round, "questions": at.questions, "answered": at.answered,
        "open_gaps": at.open_gaps, "passages": at.passages, "sources": at.sources,
        "in_flight": tools, "writing": writing(live), "paused": live.paused, "waits_for": waits,
        "store_away_since": live.away.as_ref().map(|away| away.since),
    });
    (Bytes::from(format!("event: live\ndata: {json}\n\n")), waits)
}

/// The end of what each model writes at the moment, without what looks like a secret, and from a whole word on: half a secret is known
/// for one no more.
fn writing(live: &Live) -> Vec<Value> {
    let begun = live.in_flight.iter().filter(|one| one.writing.characters > 0);
    begun
        .map(|one| {
            let Writing { characters, tail } = &one.writing;
            let is_whole = *characters == tail.chars().count();
            let rest = tail.split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
            let text = scrub(if is_whole { tail } else { rest }).text;
            json!({ "action_id": one.id, "characters": characters, "text": text })
        })
        .collect()
}

/// Asks the store for news of a run that is not driven here, as long as somebody reads along.
pub(crate) async fn poll(
    store: Arc<dyn Store>,
    run: elenchus_core::id::RunId,
    record: Arc<Record>,
) {
    if !record.claim_polling() {
        return;
    }
    let mut told = store.news(&run);
    while record.has_readers() && !record.told().ended {
        if let Some(told) = told.take() {
            // Still looked at now and then, as whoever drives may go away without a word.
            let _ = tokio::time::timeout(LOOK_ANYWAY, told).await;
        } else {
            tokio::time::sleep(LOOK).await;
        }
        // What comes while the store is read is heard of.
        told = store.news(&run);
        let Ok(events) = store.events(&run, record.told().events).await else { continue };
        let news = !events.is_empty();
        record.take(&events);
        if news {
            continue;
        }
        match store.run(&run).await {
            // Somebody deleted it.
            Err(StoreFailure::UnknownRun(_)) => record.set_ended(true),
            Err(_) => {}
            Ok(kept) => {
                let waits = match kept.status.as_str() {
                    "stopped" => "somebody to resume the run",
                    _ => "another process, which drives the run",
                };
                record.set_live(Bytes::new(), waits.to_owned());
                if is_over(&kept.status) && record.told().events >= kept.events {
                    record.set_ended(true);
                }
            }
        }
    }
    record.end_polling();
}

/// How far a run is at least.
fn progress(shown: &Projection) -> f64 {
    if shown.is_over() {
        return 1.0;
    }
    if shown.answer.is_some() {
        return 0.95;
    }
    if shown.scoring.overall.is_some() {
        return 0.85;
    }
    if shown.scoring.answer_length.is_some() {
        return 0.75;
    }
    let rounds = f64::from(shown.max_rounds.max(1));
    match shown.rounds.last() {
        Some(last) => 0.1 + 0.6 * (f64::from(last.round) - 1.0).max(0.0) / rounds,
        None if shown.seq > 0 => 0.05,
        None => 0.0,
    }
}

impl Job {
    /// How the run stands, where this process knows better than the store.
    pub(super) fn line(&self) -> Option<RunLine> {
        let mut standing = locked(&self.standing);
        let (status, error) = match &standing.stage {
            Stage::Preparing => ("running", None),
            Stage::Driven => ("", None),
            Stage::Failed(refusal) => ("failed", Some(refusal.clone())),
            Stage::Stopped(_) | Stage::Gone => return None,
        };
        let (mut line, reached) = self.record.shown(|shown| {
            let line = RunLine {
                run_id: self.run.clone(),
                question: self.question.clone(),
                status: if status.is_empty() { shown.status.name() } else { status }.to_owned(),
                stage: shown.stage.to_owned(),
                message: String::new(),
                progress: 0.0,
                started_at: if shown.seq > 0 { shown.started_at } else { self.at },
                updated_at: if shown.seq > 0 { shown.updated_at } else { self.at },
                events: shown.seq,
                driven: error.is_none(),
                stop_reason: shown.stop_reason.map(|reason| reason.name().to_owned()),
                error: error.clone(),
            };
            (line, progress(shown))
        });
        standing.progress = if error.is_some() { 1.0 } else { standing.progress.max(reached) };
        line.progress = standing.progress;
        line.message = match &error {
            Some(refusal) => refusal.to_string(),
            None if line.events == 0 && standing.is_elsewhere => "waiting for a worker".to_owned(),
            None if line.events == 0 => "reading the documents".to_owned(),
            None => self.record.said(),
        };
        if error.is_some() {
            "done".clone_into(&mut line.stage);
        }
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::id::EffectId;
    use elenchus_core::inquiry::Phase;
    use elenchus_core::trace::Progress;
    use elenchus_engine::InFlight;
    use tokio::time::Instant;

    fn live(passages: usize) -> Live {
        let progress = Progress {
            phase: Phase::Read,
            round: 1,
            questions: 1,
            answered: 0,
            open_gaps: 1,
            passages,
            sources: 1,
        };
        Live { progress, in_flight: Vec::new(), paused: false, away: None }
    }

    #[tokio::test(start_paused = true)]
    async fn what_passes_by_is_told_ten_times_a_second_at_most_and_the_last_of_it_always() {
        let record = Arc::new(Record::new("run_1".into()));
        let mut seen = record.watch_live();
        let (sender, receiver) = watch::channel(live(0));
        let telling = tokio::spawn(tell(receiver, Arc::clone(&record)));
        let counting = tokio::spawn(async move {
            let mut told: u128 = 0;
            while seen.changed().await.is_ok() {
                told += 1;
            }
            told
        });
        let began = Instant::now();
        for passages in 1..=500 {
            sender.send_replace(live(passages));
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        drop(sender);
        telling.await.unwrap();
        let (most, last) =
            (began.elapsed().as_millis() / 100 + 1, record.watch_live().borrow().0.clone());
        assert!(String::from_utf8_lossy(&last).contains("\"passages\":500"), "{last:?}");
        drop(record);
        let told = counting.await.unwrap();
        assert!((5..=most).contains(&told), "{told} of {most}");
    }

    #[test]
    fn what_a_model_writes_passes_by_from_a_whole_word_on() {
        let progress = Progress {
            phase: Phase::Draft,
            round: 1,
            questions: 1,
            answered: 1,
            open_gaps: 0,
            passages: 1,
            sources: 1,
        };
        let one = |id: u32, characters: usize, tail: &str| InFlight {
            id: EffectId(id),
            tool: "model",
            writing: Writing { characters, tail: tail.to_owned() },
        };
        let in_flight =
            vec![one(4, 0, ""), one(5, 7, "a\nb \u{1f600} c"), one(6, 900, "alf a word")];
        let live = Live { progress, in_flight, paused: false, away: None };
        let (frame, _) = passing(&live);
        let text = String::from_utf8_lossy(&frame).into_owned();
        let data =
            text.strip_prefix("event: live\ndata: ").and_then(|rest| rest.strip_suffix("\n\n"));
        let told: Value = serde_json::from_str(data.expect("it is one frame")).expect("it is JSON");
        let expected = json!([
            { "action_id": 5, "characters": 7, "text": "a\nb \u{1f600} c" },
            { "action_id": 6, "characters": 900, "text": "a word" },
        ]);
        assert_eq!(told["writing"], expected);
    }
}
