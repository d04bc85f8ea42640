//! Pages for what went wrong.

use super::page::{Here, Shell, page};
use crate::mcp::ports::Refusal;
use maud::{Markup, html};

/// A page that says what was attempted, the cause and the way out.
pub fn refused(status: u16, refusal: &Refusal) -> Markup {
    let title = match status {
        401 => "Not signed in",
        403 => "Not allowed",
        404 => "Not here",
        429 => "Too many at once",
        500.. => "Something failed",
        _ => "That did not work",
    };
    let main = html! {
        div.lone {
            p.sign aria-hidden="true" { (status) }
            h1 { (title) }
            p.lead { (sentence(&refusal.attempted)) ": " (refusal.cause) "." }
            p { strong { "What to do: " } (refusal.way_out) }
            p { a.button href="/" { "Ask a question" } " " a.button.quiet href="/research" { "All runs" } }
        }
    };
    page(Shell { title, here: Here::Nowhere, wide: false }, &main)
}

/// A text with a capital letter at its beginning.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => "Something was attempted".to_owned(),
    }
}

/// A page that nobody has.
pub fn missing(path: &str) -> Markup {
    refused(
        404,
        &Refusal::new(
            format!("could not show {path}"),
            "there is no such page",
            "look for the run in the list of runs, or ask the question again",
        ),
    )
}
