//! Runs are those of the server's own project: to whoever is let in for another there are none.

use super::problem::Problem;
use axum::http::StatusCode;
use elenchus_core::bank::Caller;

/// Where addresses of programs begin that are about runs, or count them.
const RUNS: [&str; 5] = ["/v1/research", "/v1/hypotheses", "/v1/insights", "/v1/chat/", "/metrics"];
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
    let is_about_runs = RUNS.iter().any(|begin| route.starts_with(begin));
    if is_about_runs { refused_run(caller, home, id) } else { None }
}

/// The same at an address that is about runs, such as that of a page.
pub(crate) fn refused_run(caller: &Caller, home: &Caller, id: Option<&str>) -> Option<Problem> {
    (!caller.shares_project(home)).then(|| id.map_or_else(foreign, Problem::unknown_run))
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
