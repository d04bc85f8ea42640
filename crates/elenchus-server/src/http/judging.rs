//! Judging of texts and of memos.

use super::Api;
use super::problem::Problem;
use super::reply::Reply;
use super::table::{Call, Route};
use super::tools::{Tool, tool};
use axum::http::{Method, StatusCode};
use elenchus_core::scrutiny::fallacy::Finding;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// Checking a text against sources takes its time.
pub(super) const LONG: Duration = Duration::from_mins(5);
/// The longest text that is looked at for fallacies in an address.
const LONGEST: usize = 8_000;

struct Verify;
impl Tool for Verify {
    const NAME: &'static str = "verify_claims";
}
struct Score;
impl Tool for Score {
    const NAME: &'static str = "score_evidence";
}

/// The text.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
struct Claimed {
    /// An English text.
    #[schemars(length(min = 1, max = 8_000))]
    claim: String,
    /// Whether weaker signs are told too.
    #[serde(default)]
    sensitive: Option<bool>,
}

/// Warnings of fallacies.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Warned {
    /// The text.
    claim: String,
    /// What may be wrong with it.
    findings: Vec<Finding>,
    /// How to read them.
    note: String,
}

pub(super) fn routes() -> Vec<Route> {
    let mut routes = vec![
        tool::<Verify>("/v1/verify", "verifyClaims", "Check the statements of a text")
            .takes(Some(LONG)),
        tool::<Score>("/v1/score", "scoreEvidence", "Score what speaks for and against a memo"),
    ];
    for (path, id) in
        [("/v1/fallacies", "findFallacies"), ("/research/fallacies", "findFallaciesAsInSeed")]
    {
        routes.push(
            Route::new(Method::GET, path, id, "Warnings of fallacies in a text")
                .query::<Claimed>()
                .gives::<Warned>(200, "Warnings, which are no verdicts.")
                .by(fallacies),
        );
    }
    routes
}

async fn fallacies(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let Claimed { claim, sensitive } = call.query()?;
    let chars = claim.chars().count();
    if chars > LONGEST || !claim.chars().any(char::is_alphanumeric) {
        return Err(Problem::new(
            StatusCode::BAD_REQUEST,
            "bad_text",
            "could not look for fallacies",
            format!("the text has {chars} characters, or no words"),
            format!("send a text of at most {LONGEST} characters"),
        ));
    }
    let findings = api.parts.checker.fallacies(&claim, sensitive.unwrap_or(false)).await?;
    let note = "each warning names words that may commit a fallacy and a question that would tell";
    Reply::ok(&Warned { claim, findings, note: note.to_owned() })
}
