//! Performing one effect: retries, a deadline, and a wall around whatever the port does.

use crate::{Ports, Settings, past};
use elenchus_core::bank::scrub;
use elenchus_core::inquiry::{Effect, FailureKind, Outcome};
use elenchus_core::port::{Answered, Meter, RetrieveFailure, Usage, Verified, Verifier};
use elenchus_core::synthesis::insight::past_meetings;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::{JoinError, spawn_blocking};
use tokio::time::{sleep, timeout};

/// What one attempt came to when it failed.
struct Fault {
    error: String,
    permanent: bool,
}

/// Performs an effect. Always gives an outcome: a port that fails, panics or hangs is a failed effect.
///
/// The port's future runs on a thread of its own, so that one that computes instead of waiting delays
/// neither the deadline nor a control. Dropping this future drops the port's at its next await. What a model was asked for
/// stands on the meter as it goes, that of tries that came to nothing included: it is the cost of the outcome, whatever that is.
/// `began_with` is the model that the run began with: another one that replies here is named.
pub(crate) async fn perform(
    ports: Ports,
    settings: Settings,
    effect: Effect,
    meter: Arc<Meter>,
    began_with: String,
) -> Outcome {
    let deadline = settings.deadlines.of(&effect);
    let what = what(&effect);
    // Dropped with this future, which the worker notices.
    let (_alive, cancelled) = oneshot::channel::<()>();
    let runtime = Handle::current();
    let counting = Arc::clone(&meter);
    let failed = |kind, error| failed(kind, error, meter.total());
    let worker = spawn_blocking(move || {
        runtime.block_on(async {
            let asked = attempts(&ports, &settings, &effect, &counting, &began_with);
            tokio::select! {
                biased;
                outcome = asked => Some(outcome),
                _ = cancelled => None,
            }
        })
    });
    match timeout(deadline, worker).await {
        Ok(Ok(Some(outcome))) => outcome,
        Ok(Ok(None)) => {
            failed(FailureKind::Permanent, format!("could not {what}: it was cancelled"))
        }
        Ok(Err(error)) => failed(
            FailureKind::Permanent,
            format!("could not {what}: the component fell over ({}); report it", said(error)),
        ),
        Err(_) => failed(
            FailureKind::Deadline,
            format!(
                "could not {what}: nothing came back within {}; allow more time or try again",
                shown(deadline)
            ),
        ),
    }
}

/// The message of a failure is kept and shown, and a library may have put an address with a key into it.
fn failed(kind: FailureKind, error: String, usage: Usage) -> Outcome {
    Outcome::Failed { kind, error: scrub(&error).text, usage }
}

fn what(effect: &Effect) -> String {
    match effect {
        Effect::Model { call, .. } => format!("ask the model ({})", call.prompt()),
        Effect::Embed { texts } => format!("embed {} texts", texts.len()),
        Effect::Search(request) => format!("search for {:?}", request.query),
        Effect::Read { passages } => format!("read {} passages", passages.len()),
        Effect::Verify { pairs } => format!("check {} claims", pairs.len()),
        Effect::Contradict { texts } => {
            format!("look for contradictions in {} passages", texts.len())
        }
        Effect::Meetings { subjects, .. } => {
            format!("count where {} sources meet", subjects.len())
        }
    }
}

fn shown(time: Duration) -> String {
    if time.as_secs() > 0 {
        format!("{} s", time.as_secs())
    } else {
        format!("{} ms", time.as_millis())
    }
}

/// The message of a panic.
fn said(error: JoinError) -> String {
    match error.try_into_panic() {
        Ok(payload) => payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "without a word".to_owned()),
        Err(error) => error.to_string(),
    }
}

async fn attempts(
    ports: &Ports,
    settings: &Settings,
    effect: &Effect,
    meter: &Meter,
    began_with: &str,
) -> Outcome {
    let mut attempt = 0;
    loop {
        match once(ports, effect, meter, began_with).await {
            Ok(outcome) => return outcome,
            Err(Fault { error, permanent: true }) => {
                return failed(FailureKind::Permanent, error, meter.total());
            }
            Err(Fault { error, .. }) if attempt == settings.retries => {
                return failed(
                    FailureKind::Exhausted,
                    format!("{error} (tried {} times)", attempt + 1),
                    meter.total(),
                );
            }
            Err(_) => sleep(settings.wait(attempt)).await,
        }
        attempt += 1;
    }
}

async fn once(
    ports: &Ports,
    effect: &Effect,
    meter: &Meter,
    began_with: &str,
) -> Result<Outcome, Fault> {
    match effect {
        Effect::Model { role, call } => match ports.model.call_metered(*role, call, meter).await {
            Ok(Answered { reply, repairs, model, .. }) => {
                let usage = meter.total();
                let model = model.or_else(|| another(ports, began_with));
                Ok(Outcome::Replied { reply: Box::new(reply), usage, repairs, model })
            }
            Err(failure) => Err(Fault { error: failure.to_string(), permanent: failure.permanent }),
        },
        Effect::Embed { texts } => match ports.embedder.embed(texts).await {
            Ok(vectors) => Ok(Outcome::Embedded { vectors }),
            Err(failure) => Err(Fault { error: failure.to_string(), permanent: failure.permanent }),
        },
        Effect::Verify { pairs } => match judge(ports)?.verify_metered(pairs, meter).await {
            Ok(Verified { results, .. }) => Ok(Outcome::Verified { results, usage: meter.total() }),
            Err(failure) => Err(Fault { error: failure.to_string(), permanent: false }),
        },
        Effect::Contradict { texts } => match judge(ports)?.contradictions(texts).await {
            Ok(found) => Ok(Outcome::Contradicting { found }),
            Err(failure) => Err(Fault { error: failure.to_string(), permanent: false }),
        },
        Effect::Search(request) => match ports.retriever.search(request).await {
            Ok(reply) => Ok(Outcome::Found(reply)),
            Err(failure) => Err(retrieve_fault(&failure)),
        },
        Effect::Meetings { subjects, corpus } => {
            let counted = ports.retriever.meetings(subjects).await;
            let counted = counted.map_err(|failure| retrieve_fault(&failure))?;
            let cited = past::cited(&*ports.store, corpus).await.map_err(|failure| Fault {
                error: format!("could not look at past runs: {failure}"),
                permanent: false,
            })?;
            Ok(Outcome::Met { corpus: counted, runs: past_meetings(subjects, &cited) })
        }
        Effect::Read { passages } => match ports.retriever.read(passages).await {
            Ok(passages) => Ok(Outcome::Passages { passages }),
            Err(failure) => Err(retrieve_fault(&failure)),
        },
    }
}

/// The name of the model here, where it is not the one that the run began with. Where there is one model alone it does not name
/// itself, and the run would take its replies for those of the other.
fn another(ports: &Ports, began_with: &str) -> Option<String> {
    let name = ports.model.name();
    (!began_with.is_empty() && name != began_with).then(|| name.to_owned())
}

/// A run that was begun with a verifier may be resumed without one, or with another one, whose figures would mean
/// something else.
fn judge(ports: &Ports) -> Result<&dyn Verifier, Fault> {
    ports.judge.as_ref().map(|judge| &*judge.verifier).ok_or_else(|| Fault {
        error: "could not check the statements: there is no verifier here; resume the run where there is one".to_owned(),
        permanent: true,
    })
}

fn retrieve_fault(failure: &RetrieveFailure) -> Fault {
    let permanent = match failure {
        RetrieveFailure::EmptyQuery { .. }
        | RetrieveFailure::UnknownPassage(_)
        | RetrieveFailure::Refused { .. } => true,
        RetrieveFailure::Index { .. } => false,
    };
    Fault { error: failure.to_string(), permanent }
}
