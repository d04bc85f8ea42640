//! The deletion of a run: a page that says what goes, and the form on it, which has to be confirmed.

use super::doors::{Pages, Shown, page, query, shown, to, value};
use super::page::{Here, Shell, page as whole};
use super::words::{encoded, visible};
use crate::http::problem::Problem;
use crate::runs::RunLine;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use elenchus_core::id::RunId;
use maud::{Markup, html};

fn show(line: &RunLine) -> Markup {
    let here = format!("/research/{}", encoded(line.run_id.as_str()));
    let main = html! {
        p { a href=(here) { "\u{2190} The run" } }
        h1 { "Delete this run?" }
        p.lead dir="auto" { "\u{201C}" (visible(&line.question)) "\u{201D}" }
        @if line.is_under_way() && !line.is_over() {
            p.note { "It is under way, and what is under way is not deleted. "
                a href=(here) { "Interrupt it on its page" } " first, or wait for its end." }
        } @else {
            p { "It goes for good: its answer, its trace, what was said of its statements and insights, and the keys of the requests that began it. "
                "What was learned of it stays in the " a href="/memory" { "memory" } ", where each strategy can be deleted by itself." }
            form.stack method="post" action={ (here) "/delete" } {
                label.choice { input type="checkbox" name="sure" value="yes" required; span { "Yes, delete run " code { (line.run_id) } } }
                p.row { button.danger { "Delete" } a.button.quiet href=(here) { "Keep it" } }
            }
        }
    };
    whole(Shell { title: "Delete a run", here: Here::Runs, wide: false }, &main)
}

/// The page that asks whether it is meant.
pub(super) async fn ask(State(pages): State<Pages>, Path(id): Path<String>) -> Response {
    let line = pages.runs().line(&RunId::from(id.as_str())).await;
    shown(line.map(|line| page(StatusCode::OK, &show(&line))))
}

/// Deletes it.
pub(super) async fn delete(
    State(pages): State<Pages>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let pairs = query(std::str::from_utf8(&body).ok());
    let told: Shown = async {
        if value(&pairs, "sure") != "yes" {
            return Err(Problem::malformed(
                "it was not confirmed that the run is to be deleted",
                "go back and mark the box beside the button",
            ));
        }
        pages.runs().delete(&RunId::from(id.as_str())).await?;
        Ok(to("/research?deleted=yes"))
    }
    .await;
    shown(told)
}
