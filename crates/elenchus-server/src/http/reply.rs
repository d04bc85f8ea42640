//! What a route gives back.

use super::problem::Problem;
use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use elenchus_core::id::short_hash;
use elenchus_core::text::visible_json;
use serde::Serialize;

/// The media type of JSON.
pub const JSON: &str = "application/json";

/// A response in the making.
pub struct Reply {
    response: Response,
    /// The body, where its tag may spare it.
    tagged: Option<Bytes>,
}

impl Reply {
    /// A response as it is.
    pub fn whole(response: Response) -> Self {
        Self { response, tagged: None }
    }

    /// JSON under a status. Characters that are not seen are escaped.
    ///
    /// # Errors
    /// When the value cannot be written, which is a defect.
    pub fn json<T: Serialize>(status: StatusCode, value: &T) -> Result<Self, Problem> {
        let text = serde_json::to_string(value).map_err(|error| {
            Problem::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "unsayable",
                "could not write the reply",
                error.to_string(),
                "this is a defect of elenchus, report it",
            )
        })?;
        Ok(Self::bytes(status, JSON, Bytes::from(visible_json(&text))))
    }

    /// JSON under 200.
    ///
    /// # Errors
    /// See [`Reply::json`].
    pub fn ok<T: Serialize>(value: &T) -> Result<Self, Problem> {
        Self::json(StatusCode::OK, value)
    }

    /// A text of a media type under 200.
    pub fn text(kind: &'static str, text: impl Into<Bytes>) -> Self {
        Self::bytes(StatusCode::OK, kind, text.into())
    }

    fn bytes(status: StatusCode, kind: &'static str, body: Bytes) -> Self {
        let tagged = (status == StatusCode::OK).then(|| body.clone());
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = status;
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        Self { response, tagged }
    }

    /// The same with a header line. One that cannot be written is left out.
    #[must_use]
    pub fn with(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.response.headers_mut().insert(name, value);
        }
        self
    }

    /// The response to a request with these headers; the body is spared where the client has it.
    pub(crate) fn finish(self, headers: &HeaderMap, reads: bool) -> Response {
        let Self { mut response, tagged } = self;
        let Some(body) = tagged.filter(|_| reads) else { return response };
        let tag = format!("\"{}\"", short_hash(&body, 20));
        let known = headers.get_all(IF_NONE_MATCH).iter().any(|line| {
            line.to_str().is_ok_and(|line| {
                line.split(',')
                    .map(str::trim)
                    .any(|one| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag)
            })
        });
        if known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            *response.body_mut() = Body::empty();
            response.headers_mut().remove(CONTENT_TYPE);
        }
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            response.headers_mut().insert(ETAG, tag);
        }
        let asks_again = HeaderValue::from_static("private, no-cache");
        response.headers_mut().insert(axum::http::header::CACHE_CONTROL, asks_again);
        response
    }
}
