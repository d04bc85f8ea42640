//! The settings: those of this browser, and those of the program, to be seen.

use super::about::{Facts, set_up};
use super::doors::{Pages, page as reply};
use super::page::{Here, Shell, drawer, page};
use super::words::{lasted, money, visible};
use crate::runs::{Service, Setting};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use elenchus_core::inquiry::{Budget, Effort};
use maud::{Markup, html};

/// How the program is set up.
#[derive(Clone, Debug, Default)]
pub struct SetUp {
    /// What a run of each effort may spend where whoever asks says nothing of it.
    pub limits: Vec<(Effort, Budget)>,
    /// Every setting.
    pub settings: Vec<Setting>,
    /// Services that search the web.
    pub services: Vec<Service>,
}

/// The page.
pub fn show(facts: &Facts, set_up: &SetUp) -> Markup {
    let main = html! {
        h1 { "Settings" }
        section.panel {
            h2 { "This browser" }
            fieldset {
                legend { "Light or dark" }
                @for (value, name) in [("system", "as the system has it"), ("light", "light"), ("dark", "dark")] {
                    label.choice { input type="radio" name="theme" value=(value) data-theme-choice; span { (name) } }
                }
            }
            p.hint { "Kept in this browser only, and only where scripts run. High contrast and reduced motion follow the system." }
        }
        section.panel {
            h2 { "The program" }
            dl.receipt {
                div { dt { "Model" } dd { (visible(&facts.model)) } }
                div { dt { "Documents" } dd { @for (at, corpus) in facts.corpora.iter().enumerate() { @if at > 0 { br; } (visible(corpus)) } } }
            }
            p { "Settings of the program stand in " code { "elenchus.toml" } ", in your own settings file and in the environment; a page cannot change what may leave this machine. "
                code { "elenchus config show --origin" } " says the same as this page." }
        }
        @if !set_up.limits.is_empty() {
            section.panel aria-labelledby="limits" {
                h2 #limits { "What a run may spend" }
                p.hint { "Where the question says nothing else." }
                (limits(&set_up.limits))
            }
        }
        (leaving(set_up))
        @if !set_up.settings.is_empty() {
            section.panel aria-labelledby="all" {
                h2 #all { "All settings" }
                (drawer("settings", &html! { "Every setting, with where it comes from" }, &table("Every setting", set_up.settings.iter())))
            }
        }
    };
    page(Shell { title: "Settings", here: Here::Settings, wide: true }, &main)
}

fn limits(limits: &[(Effort, Budget)]) -> Markup {
    let count = |most: Option<u64>| most.map_or_else(|| "no limit".to_owned(), |n| n.to_string());
    html! {
        div.scroll tabindex="0" role="region" aria-label="Limits by effort" {
            table {
                thead { tr { th scope="col" { "Effort" } th scope="col" { "Rounds" } th scope="col" { "Passages" } th scope="col" { "Model calls" } th scope="col" { "Tokens" } th scope="col" { "Money" } th scope="col" { "Time" } } }
                tbody { @for (effort, most) in limits { tr {
                    th scope="row" { (effort.name()) }
                    td { (most.rounds) }
                    td { (most.passages) }
                    td { (count(most.model_calls.map(u64::from))) }
                    td { (count(most.tokens)) }
                    td { (most.cost_micro_usd.map_or_else(|| "no limit".to_owned(), money)) }
                    td { (most.wall_ms.map_or_else(|| "no limit".to_owned(), lasted)) }
                } } }
            }
        }
    }
}

/// How far connections may go, and whom searches are put to.
fn leaving(set_up: &SetUp) -> Markup {
    let is_about_it = |one: &&Setting| one.name == "egress" || one.name.starts_with("web.");
    let mut about_it = set_up.settings.iter().filter(is_about_it).peekable();
    html! {
        @if about_it.peek().is_some() {
            section.panel aria-labelledby="egress" {
                h2 #egress { "What may leave this machine" }
                (table("Settings of what may leave", about_it))
                p.hint { "What did leave is told on the page " a href="/about" { "About" } " and with each run." }
            }
        }
        @if !set_up.services.is_empty() {
            section.panel aria-labelledby="services" {
                h2 #services { "Search services" }
                ul { @for one in &set_up.services { li {
                    strong { (one.name) } " searches " (one.what) ". "
                    @if one.is_asked { span.badge { "asked" } " " }
                    @if one.wants.is_empty() { span.hint { "It can be asked." } } @else { span.hint { "Not set up: " (visible(&one.wants)) "." } }
                } } }
                p.hint { "A question that is to be looked up on the web is put to those that are marked as asked, if it names no other." }
            }
        }
    }
}

fn table<'a>(name: &str, settings: impl Iterator<Item = &'a Setting>) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(name) {
            table {
                thead { tr { th scope="col" { "Setting" } th scope="col" { "Value" } th scope="col" { "From" } th scope="col" { "What it says" } } }
                tbody { @for one in settings { tr {
                    th scope="row" { code { (one.name) } }
                    td { @if one.value.is_empty() { span.hint { "not set" } } @else { (visible(&one.value)) } }
                    td { (visible(&one.origin)) }
                    td { (one.about) }
                } } }
            }
        }
    }
}

/// The page of settings.
pub(super) async fn settings_page(State(pages): State<Pages>) -> Response {
    let grounds = pages.runs().grounds();
    let told = SetUp {
        limits: Effort::ALL.map(|effort| (effort, grounds.limits(effort))).to_vec(),
        settings: grounds.set_up(),
        services: grounds.services(),
    };
    reply(StatusCode::OK, &show(&set_up(&pages), &told))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_told_with_their_origin() {
        let setting = |name: &str, value: &str, origin: &str| Setting {
            name: name.to_owned(),
            about: format!("about <{name}>"),
            value: value.to_owned(),
            origin: origin.to_owned(),
        };
        let service = |name: &str, wants: &str, is_asked| Service {
            name: name.to_owned(),
            what: "the web".to_owned(),
            wants: wants.to_owned(),
            is_asked,
        };
        let told = SetUp {
            limits: vec![(
                Effort::Deep,
                Budget { cost_micro_usd: Some(250_000), ..Budget::of(Effort::Deep) },
            )],
            settings: vec![
                setting("egress", "private-only", "project file elenchus.toml"),
                setting("corpus", "", ""),
            ],
            services: vec![
                service("wikipedia", "", true),
                service("brave", "set BRAVE_API_KEY", false),
            ],
        };
        let page = show(&Facts::default(), &told).0;
        for part in [
            "<th scope=\"row\">deep</th><td>8</td><td>150</td><td>no limit</td><td>no limit</td><td>$0.25</td><td>no limit</td>",
            "<code>egress</code></th><td>private-only</td><td>project file elenchus.toml</td><td>about &lt;egress&gt;</td>",
            "<code>corpus</code></th><td><span class=\"hint\">not set</span></td>",
            "<span class=\"badge\">asked</span>",
            "Not set up: set BRAVE_API_KEY.",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert_eq!(page.matches("<code>egress</code>").count(), 2, "beside what leaves, too");
        // Where nothing is known, nothing is made up.
        assert!(!show(&Facts::default(), &SetUp::default()).0.contains("<table"));
    }
}
