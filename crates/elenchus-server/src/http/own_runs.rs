//! Runs are those of the server's own project: to whoever is let in for another there are none.

use super::problem::Problem;
use axum::http::StatusCode;
use elenchus_core::bank::Caller;

/// Where addresses begin that are about runs.
const RUNS: [&str; 4] = ["/v1/research", "/v1/hypotheses", "/v1/insights", "/v1/chat/"];
/// How the names of tools begin that are.
const TOOLS: &str = "research_";

/// Why a caller is not told of the runs at the address of a route, where it is not; `id` is the run that is named. One that
/// there is gets the words of one that there is not.
pub(super) fn refused(
    caller: &Caller,
    home: &Caller,
    route: &str,
    id: Option<&str>,
) -> Option<Problem> {
    if caller.shares_project(home) || !RUNS.iter().any(|begin| route.starts_with(begin)) {
        return None;
    }
    Some(match id {
        Some(id) => Problem::unknown_run(id),
        None => foreign(),
    })
}

/// The same of a tool.
pub(super) fn refused_tool(caller: &Caller, home: &Caller, name: &str) -> Option<Problem> {
    (name.starts_with(TOOLS) && !caller.shares_project(home)).then(foreign)
}

fn foreign() -> Problem {
    Problem::new(
        StatusCode::FORBIDDEN,
        "forbidden",
        "could not reach the runs of this server",
        "they are those of another project than the token's",
        "use the memory here, and a server of the project for its research",
    )
}
