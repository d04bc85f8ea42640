//! What stands around every page: head, ways to the other pages, and the sheet of keys.

use super::assets;
use maud::{DOCTYPE, Markup, html};

/// Which of the main pages a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Here {
    /// The question.
    Ask,
    /// The runs.
    Runs,
    /// What was cited.
    Sources,
    /// What people said of what runs found.
    Notes,
    /// Two runs side by side.
    Compare,
    /// What was learned.
    Memory,
    /// How it is set up.
    Settings,
    /// What it is.
    About,
    /// None of them.
    Nowhere,
}

/// The main pages, in the order in which they are offered.
const PAGES: [(Here, &str, &str); 8] = [
    (Here::Ask, "/", "Ask"),
    (Here::Runs, "/research", "Runs"),
    (Here::Sources, "/sources", "Sources"),
    (Here::Notes, "/notes", "Notes"),
    (Here::Compare, "/compare", "Compare"),
    (Here::Memory, "/memory", "Memory"),
    (Here::Settings, "/settings", "Settings"),
    (Here::About, "/about", "About"),
];

/// Keys, with what they do. The same list is the help of every page.
const KEYS: [(&str, &str); 9] = [
    ("?", "show or hide these keys"),
    ("/", "search on this page"),
    ("j", "next step, claim or item"),
    ("k", "the one before"),
    ("Enter", "open what has the focus"),
    ("Escape", "close what is open"),
    ("g a", "to the question page"),
    ("g r", "to the list of runs"),
    ("1 to 9", "to a part of a run"),
];

/// What a page says of itself.
#[derive(Clone, Copy, Debug)]
pub struct Shell<'a> {
    /// Its title.
    pub title: &'a str,
    /// Where it belongs.
    pub here: Here,
    /// Whether a wide window is put to use.
    pub wide: bool,
}

/// A whole page around `main`.
pub fn page(shell: Shell<'_>, main: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="same-origin";
                title { (shell.title) " \u{00B7} Elenchus" }
                link rel="icon" href=(assets::address("icon.svg")) type="image/svg+xml";
                link rel="stylesheet" href=(assets::address("style.css"));
                script type="module" src=(assets::address("live.js")) {}
            }
            body class=[shell.wide.then_some("wide")] {
                a.skip href="#main" { "Skip to the content" }
                header.top {
                    a.brand href="/" { span aria-hidden="true" { "\u{039B}" } "Elenchus" }
                    nav aria-label="Main" {
                        @for (here, href, name) in PAGES {
                            a href=(href) aria-current=[(here == shell.here).then_some("page")] { (name) }
                        }
                    }
                    button.keys type="button" data-keys hidden aria-haspopup="dialog" { "Keys" kbd { "?" } }
                }
                main #main tabindex="-1" { (main) }
                footer.foot {
                    p {
                        "Runs on this machine. "
                        a href="/about" { "What left it, and how far its figures can be trusted" }
                    }
                }
                dialog #keys aria-labelledby="keys-title" {
                    h2 #keys-title { "Keys" }
                    dl.keylist {
                        @for (key, does) in KEYS {
                            div { dt { kbd { (key) } } dd { (does) } }
                        }
                    }
                    form method="dialog" { button { "Close" } }
                }
                div #said .sr role="status" aria-live="polite" {}
            }
        }
    }
}

/// A drawer: a summary that opens to more. `key` keeps it open when the part around it is written anew.
pub(super) fn drawer(key: &str, summary: &Markup, inner: &Markup) -> Markup {
    html! { details.drawer data-key=(key) { summary { (summary) } div.inside { (inner) } } }
}
