//! What went wrong, as RFC 9457 has it, with our code, the cause and the way out.

use super::reply::Reply;
use crate::mcp::ports::Refusal;
use crate::runs::Unheard;
use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use elenchus_core::port::StoreFailure;
use elenchus_core::text::visible_json;
use elenchus_engine::EngineError;
use schemars::JsonSchema;
use serde::Serialize;

/// The media type of problems.
pub const PROBLEM: &str = "application/problem+json";

/// The code where what drives runs elsewhere is not there.
const AWAY: &str = "engine_away";
/// Seconds after which it may be back.
const PAUSE: u64 = 5;

/// A problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What was attempted.
    pub title: String,
    /// The status of the response.
    pub status: u16,
    /// A word for programs.
    pub code: String,
    /// Why.
    pub cause: String,
    /// What to do about it.
    pub way_out: String,
    /// Seconds to wait before asking again.
    pub(crate) retry_after: Option<u64>,
}

/// A problem as it goes over the wire.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
pub(crate) struct Written {
    /// `urn:elenchus:problem:` and the code.
    #[serde(rename = "type")]
    kind: String,
    /// What was attempted.
    title: String,
    /// The status of the response.
    status: u16,
    /// Cause and way out as one text.
    detail: String,
    /// A word for programs.
    code: String,
    /// Why.
    cause: String,
    /// What to do about it.
    way_out: String,
}

impl Problem {
    /// From its parts.
    pub fn new(
        status: StatusCode,
        code: &str,
        attempted: impl Into<String>,
        cause: impl Into<String>,
        way_out: impl Into<String>,
    ) -> Self {
        Self {
            title: attempted.into(),
            status: status.as_u16(),
            code: code.to_owned(),
            cause: cause.into(),
            way_out: way_out.into(),
            retry_after: None,
        }
    }

    /// Cause and way out as one text.
    pub fn detail(&self) -> String {
        format!("{}; {}", self.cause, self.way_out)
    }

    /// The same with a time to wait, in seconds.
    #[must_use]
    pub fn after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// A request that cannot be understood.
    pub fn malformed(cause: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "malformed",
            "could not understand the request",
            cause,
            way_out,
        )
    }

    /// Something that is not there.
    pub fn unknown(code: &str, what: &str, name: &str, way_out: &str) -> Self {
        let shown: String = name.chars().take(60).collect();
        Self::new(
            StatusCode::NOT_FOUND,
            code,
            format!("could not find {what} {shown:?}"),
            "there is none of this id",
            way_out,
        )
    }

    /// A run that is not there.
    pub fn unknown_run(name: &str) -> Self {
        Self::unknown("unknown_run", "run", name, "GET /v1/research lists the runs there are")
    }

    /// A refusal of a port, under a status of ours.
    pub fn refused(status: StatusCode, code: &str, refusal: Refusal) -> Self {
        Self::new(status, code, refusal.attempted, refusal.cause, refusal.way_out)
    }

    /// Why the door stayed shut.
    pub(crate) fn at_the_door(status: StatusCode, why: &str) -> Self {
        let code = match status {
            StatusCode::UNAUTHORIZED => "unauthorized",
            StatusCode::FORBIDDEN => "forbidden",
            StatusCode::TOO_MANY_REQUESTS => "too_many_requests",
            StatusCode::REQUEST_TIMEOUT => "request_timeout",
            StatusCode::PAYLOAD_TOO_LARGE => "body_too_large",
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => "headers_too_large",
            _ => "malformed",
        };
        let (cause, way_out) = why.split_once(": ").unwrap_or((why, "mend the request"));
        Self::new(status, code, "could not take the request", cause, way_out)
    }

    /// The response.
    pub fn response(&self) -> Response {
        let written = Written {
            kind: format!("urn:elenchus:problem:{}", self.code),
            title: self.title.clone(),
            status: self.status,
            detail: self.detail(),
            code: self.code.clone(),
            cause: self.cause.clone(),
            way_out: self.way_out.clone(),
        };
        let body =
            serde_json::to_string(&written).map(|json| visible_json(&json)).unwrap_or_default();
        let mut response = Response::new(Body::from(body));
        *response.status_mut() =
            StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(PROBLEM));
        if let Some(seconds) = self.retry_after {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<Refusal> for Problem {
    /// A port says in words what is wrong; what it was asked was of the client's making.
    fn from(refusal: Refusal) -> Self {
        Self::refused(StatusCode::BAD_REQUEST, "refused", refusal)
    }
}

impl From<Unheard> for Problem {
    fn from(unheard: Unheard) -> Self {
        match unheard {
            Unheard::Refused(refusal) => refusal.into(),
            Unheard::Away(refusal) => {
                Self::refused(StatusCode::SERVICE_UNAVAILABLE, AWAY, refusal).after(PAUSE)
            }
        }
    }
}

impl From<StoreFailure> for Problem {
    fn from(failure: StoreFailure) -> Self {
        let (status, code) = match &failure {
            StoreFailure::UnknownRun(run) => return Self::unknown_run(run.as_str()),
            StoreFailure::RunExists(_) => (StatusCode::CONFLICT, "run_exists"),
            StoreFailure::Leased { .. }
            | StoreFailure::LeaseLost(_)
            | StoreFailure::NotDriven(_) => (StatusCode::CONFLICT, "driven_elsewhere"),
            StoreFailure::Away { .. } => {
                return said(StatusCode::SERVICE_UNAVAILABLE, "storage", &failure.to_string())
                    .after(PAUSE);
            }
            StoreFailure::NotNext { .. }
            | StoreFailure::Corrupt { .. }
            | StoreFailure::Io { .. } => (StatusCode::INTERNAL_SERVER_ERROR, "storage"),
        };
        said(status, code, &failure.to_string())
    }
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Self {
        let (status, code) = match &error {
            EngineError::Store(failure) | EngineError::Storage { cause: failure, .. } => {
                return failure.clone().into();
            }
            EngineError::EmptyQuestion | EngineError::QuestionTooLong { .. } => {
                (StatusCode::BAD_REQUEST, "bad_question")
            }
            EngineError::Over(_) => (StatusCode::CONFLICT, "run_over"),
            EngineError::Suspended(run) | EngineError::Undriven(run) => {
                return Self::new(
                    StatusCode::CONFLICT,
                    "run_stopped",
                    format!("could not go on with run {run}"),
                    "nobody drives it any more",
                    "POST to its /resume, then try again",
                );
            }
            EngineError::LeaseLost(_) | EngineError::Detached(_) => {
                (StatusCode::CONFLICT, "driven_elsewhere")
            }
            EngineError::Unheard { .. } => {
                return said(StatusCode::SERVICE_UNAVAILABLE, AWAY, &error.to_string())
                    .after(PAUSE);
            }
            _ => (StatusCode::INTERNAL_SERVER_ERROR, "engine"),
        };
        said(status, code, &error.to_string())
    }
}

/// A message in one sentence, "what was attempted: the cause; the way out", in its parts.
fn said(status: StatusCode, code: &str, text: &str) -> Problem {
    let (attempted, rest) = text.split_once(": ").unwrap_or((text, ""));
    let (cause, way_out) = rest.split_once("; ").unwrap_or((rest, "try again"));
    Problem::new(status, code, attempted, cause, way_out)
}

impl From<Problem> for Reply {
    fn from(problem: Problem) -> Self {
        Self::whole(problem.response())
    }
}

#[cfg(test)]
mod tests {
    use super::{PAUSE, Problem};
    use elenchus_core::id::RunId;
    use elenchus_core::port::StoreFailure;
    use elenchus_engine::EngineError;

    #[test]
    fn what_stops_a_run_does_not_end_it() {
        let run = RunId::from("run_1");
        let told = |error: EngineError| {
            let problem = Problem::from(error);
            (problem.status, problem.code, problem.retry_after)
        };
        let conflict = |code: &str| (409, code.to_owned(), None);
        assert_eq!(told(EngineError::Over(run.clone())), conflict("run_over"));
        assert_eq!(told(EngineError::Suspended(run.clone())), conflict("run_stopped"));
        assert_eq!(told(EngineError::Undriven(run.clone())), conflict("run_stopped"));
        assert_eq!(told(EngineError::Detached(run.clone())), conflict("driven_elsewhere"));
        let (attempted, cause) = ("append record 7".to_owned(), "it is gone".to_owned());
        let away = StoreFailure::Away { attempted: attempted.clone(), cause: cause.clone() };
        let broken = StoreFailure::Io { attempted, cause };
        for (cause, status, pause) in [(away, 503, Some(PAUSE)), (broken, 500, None)] {
            let stopped = EngineError::Storage { run_id: run.clone(), seq: 7, cause };
            assert_eq!(told(stopped), (status, "storage".to_owned(), pause));
        }
    }
}
