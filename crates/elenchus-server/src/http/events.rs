//! The events of a run as a stream. Its ids are the numbers of the events, so that a client that lost its connection goes
//! on where it was.

use super::Api;
use super::problem::Problem;
use super::reply::Reply;
use super::research::run_of;
use super::table::{Call, EVENTS, Route};
use crate::listen::Traffic;
use crate::runs::Record;
use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::Response;
use futures_util::{Stream, StreamExt};
use schemars::JsonSchema;
use serde::Deserialize;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::Instant;

/// Silence is broken this often.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Events are sent together up to so many bytes.
const TOGETHER: usize = 16 << 10;

/// Where to begin.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
struct From {
    /// Only events with a number above it. `Last-Event-ID` counts before it.
    #[serde(default)]
    after: Option<u64>,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::GET, "/v1/research/{id}/events", "followResearch", "Follow a run")
            .query::<From>()
            .reads("Last-Event-ID", "The number of the last event that was read.")
            .gives_kind(
                200,
                EVENTS,
                "Events: `id` is the number, `event` the type, `data` the envelope as JSON. `event: live` without an id tells \
                 how the run stands at the moment. Ends after the last event of a run that is over.",
            )
            .fails(&[404, 409])
            .by(follow),
    ]
}

/// A place among the streams.
pub(super) struct Place {
    traffic: Arc<Traffic>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.traffic.streams.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Takes a place for a stream.
pub(super) fn place(api: &Api) -> Result<Place, Problem> {
    let permit = Arc::clone(&api.streams).try_acquire_owned().map_err(|_| {
        Problem::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too_many_streams",
            "could not open a stream of events",
            "as many are open as the server allows",
            "close one, or read the trace from time to time",
        )
        .after(5)
    })?;
    api.traffic.streams.fetch_add(1, Ordering::Relaxed);
    Ok(Place { traffic: Arc::clone(&api.traffic), _permit: permit })
}

/// A response that goes on until its stream or the server ends.
pub(super) fn streamed(api: &Api, stream: impl Stream<Item = Bytes> + Send + 'static) -> Reply {
    let stream = stream.map(Ok::<_, Infallible>).take_until(api.stop.clone().cancelled_owned());
    let mut response = Response::new(Body::from_stream(stream));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(EVENTS));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Reply::whole(response)
}

async fn follow(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let from: From = call.query()?;
    let run = run_of(&call);
    let after = match call.headers.get("last-event-id") {
        None => from.after.unwrap_or(0),
        Some(line) => line.to_str().ok().and_then(|id| id.trim().parse().ok()).ok_or_else(|| {
            Problem::new(
                StatusCode::BAD_REQUEST,
                "bad_event_id",
                format!("could not follow run {run}"),
                "Last-Event-ID is no number of an event",
                "send the `id` of the last event that was read, or none to begin with the first",
            )
        })?,
    };
    let record = api.runs.record(&run).await?;
    let events = record.told().events;
    if after > events {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            "event_beyond_the_end",
            format!("could not follow run {run} after event {after}"),
            format!("it has {events} events: the id is of another run, or of one that was deleted"),
            "begin anew, without an id",
        ));
    }
    let place = place(&api)?;
    let following = Following::new(record, after, place);
    api.runs.watched(&run, &following.record);
    Ok(streamed(&api, futures_util::stream::unfold(following, Following::next)))
}

/// A client that reads along.
struct Following {
    record: Arc<Record>,
    told: watch::Receiver<crate::runs::Told>,
    live: watch::Receiver<(Bytes, String)>,
    at: u64,
    heard: Instant,
    _place: Place,
}

impl Following {
    fn new(record: Arc<Record>, after: u64, place: Place) -> Self {
        let mut live = record.watch_live();
        // How it stands now is told at once.
        live.mark_changed();
        let told = record.watch();
        Self { record, told, live, at: after, heard: Instant::now(), _place: place }
    }

    async fn next(mut self) -> Option<(Bytes, Self)> {
        loop {
            // Looked at first: what comes between this and the frames is in the frames.
            let ended = self.told.borrow_and_update().ended;
            let (frames, at) = self.record.frames(self.at, TOGETHER);
            if at > self.at {
                self.at = at;
                self.heard = Instant::now();
                return Some((joined(frames), self));
            }
            if ended {
                return None;
            }
            let silent = self.heard + HEARTBEAT;
            tokio::select! {
                biased;
                changed = self.told.changed() => {
                    if changed.is_err() {
                        return None;
                    }
                }
                changed = self.live.changed() => {
                    if changed.is_err() {
                        return None;
                    }
                    let frame = self.live.borrow_and_update().0.clone();
                    if !frame.is_empty() {
                        self.heard = Instant::now();
                        return Some((frame, self));
                    }
                }
                () = tokio::time::sleep_until(silent) => {
                    self.heard = Instant::now();
                    let comment = Bytes::from(format!(": waiting for {}\n\n", self.record.waits()));
                    return Some((comment, self));
                }
            }
        }
    }
}

fn joined(mut frames: Vec<Bytes>) -> Bytes {
    if frames.len() == 1 {
        return frames.pop().unwrap_or_default();
    }
    frames.concat().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::Semaphore;

    fn reader(record: &Arc<Record>) -> Following {
        let permit = Arc::new(Semaphore::new(1)).try_acquire_owned().unwrap();
        let traffic = Arc::new(Traffic::default());
        traffic.streams.store(1, Ordering::Relaxed);
        Following::new(Arc::clone(record), 0, Place { traffic, _permit: permit })
    }

    #[tokio::test(start_paused = true)]
    async fn silence_is_broken_and_says_what_is_waited_for() {
        let record = Arc::new(Record::new("run_1".into()));
        record.set_live(Bytes::new(), "a word from you".to_owned());
        let began = Instant::now();
        let (comment, following) = reader(&record).next().await.unwrap();
        assert_eq!(comment, ": waiting for a word from you\n\n");
        assert_eq!(began.elapsed().as_secs(), HEARTBEAT.as_secs());
        // What is told in between puts the next one off.
        let waiting = tokio::spawn(following.next());
        tokio::time::sleep(Duration::from_secs(5)).await;
        record.set_live(Bytes::from_static(b"event: live\n\n"), "search".to_owned());
        let (live, following) = waiting.await.unwrap().unwrap();
        assert_eq!(live, "event: live\n\n");
        let (comment, _) = following.next().await.unwrap();
        assert_eq!(comment, ": waiting for search\n\n");
        assert_eq!(began.elapsed().as_secs(), 2 * HEARTBEAT.as_secs() + 5);
    }
}
