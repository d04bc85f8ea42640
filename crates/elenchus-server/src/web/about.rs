//! How it is set up, what it is, and how far its figures can be trusted.

use super::figures;
use super::page::{Here, Shell, page};
use super::words::{counted, figure, in_ten, visible};
use elenchus_core::belief::Calibration;
use elenchus_core::chart;
use maud::{Markup, html};

/// What the pages about the program itself tell.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The version of the program.
    pub version: String,
    /// The model that thinks.
    pub model: String,
    /// Whether it runs elsewhere.
    pub is_remote: bool,
    /// Folders of documents.
    pub corpora: Vec<String>,
    /// Hosts of the web that runs asked, each once.
    pub hosts: Vec<String>,
    /// Servers and models elsewhere that runs sent something to, each once.
    pub sent_to: Vec<String>,
    /// Runs that were looked at for that, the newest.
    pub runs: usize,
}

/// The settings of this browser, and those of the program to be seen.
pub fn settings(facts: &Facts) -> Markup {
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
                code { "elenchus config show --origin" } " says where each came from." }
        }
    };
    page(Shell { title: "Settings", here: Here::Settings, wide: false }, &main)
}

/// What it is, what left, how its figures are calibrated.
pub fn about(facts: &Facts, calibration: Option<&Calibration>) -> Markup {
    let main = html! {
        h1 { "About" }
        section.panel {
            h2 { "What it is" }
            p { "Elenchus " strong { (facts.version) } " answers questions from documents, with quotes that are found again, and tells how sure it is. It sends no usage data to anybody." }
            dl.receipt {
                div { dt { "Version" } dd { (facts.version) } }
                div { dt { "Model" } dd { (visible(&facts.model)) } }
                div { dt { "Licence" } dd { "see LICENSE and NOTICE beside the program" } }
            }
        }
        section.panel aria-labelledby="left" {
            h2 #left { "What left this machine" }
            @if facts.runs == 0 {
                p { "No run is kept, so there is nothing to tell." }
            } @else if facts.hosts.is_empty() && facts.sent_to.is_empty() {
                p { span.sign aria-hidden="true" { "\u{2302}" } strong { "Nothing left this machine" } " in the newest " (counted(facts.runs, "run")) "." }
            } @else {
                p { "In the newest " (counted(facts.runs, "run")) "; each says on its page what it sent." }
                @if !facts.sent_to.is_empty() { p { "Prompts, texts to be judged or to be embedded went to:" } ul.inline { @for to in &facts.sent_to { li { code { (visible(to)) } } } } }
                @if !facts.hosts.is_empty() { p { "Runs asked these hosts of the web:" } ul.inline { @for host in &facts.hosts { li { code { (visible(host)) } } } } }
            }
            @if facts.is_remote { p.hint { "New runs put prompts with passages of your documents to the model " strong { (visible(&facts.model)) } "." } }
        }
        section.panel aria-labelledby="calibration" {
            h2 #calibration { "How far its figures can be trusted" }
            @match calibration {
                None => { p.empty { "No run was verified yet, so there is no calibration to show." } }
                Some(calibration) => { (reliability(calibration)) }
            }
        }
    };
    page(Shell { title: "About", here: Here::About, wide: true }, &main)
}

fn reliability(calibration: &Calibration) -> Markup {
    html! {
        p { "Version " code { (calibration.version) } ", for the verifier " code { (calibration.verifier) } ". A figure says how often statements with such evidence were right on labelled sets." }
        @for (at, map) in calibration.maps.iter().enumerate() {
            h3 { "Checked by: " (format!("{:?}", map.tier).to_lowercase()) }
            p.hint { @for (at, set) in map.fitted_on.iter().enumerate() { @if at > 0 { ", " } (set.set) " (" (set.n) ")" } }
            div.pair {
                (figures::chart(&chart::reliability(&format!("rel-{at}"), &map.bins, map.ece)))
                @if let Some(bin) = map.bins.iter().rfind(|bin| bin.n >= 20) {
                    @let right = (bin.accuracy * bin.n as f64).round();
                    div {
                        p { "When it says " strong { (figure(bin.confidence)) } ", " (in_ten(bin.accuracy)) " were right: " (format!("{right:.0}")) " of " (bin.n) "." }
                        (figures::chart(&chart::icon_array(&format!("icons-{at}"), bin.confidence, right as u64, bin.n as u64)))
                    }
                }
            }
            p.hint { "Expected calibration error " (format!("{:.3}", map.ece)) " where it was fitted, " (format!("{:.3}", map.ece_left_out)) " on sets of other kinds." }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_earlier_runs_sent_is_told_whatever_thinks_now() {
        let told = |facts: &Facts| about(facts, None).0;
        let mut facts = Facts { model: "extractive".to_owned(), ..Facts::default() };
        assert!(!told(&facts).contains("Nothing left"), "of no run nothing can be said");
        facts.runs = 3;
        assert!(told(&facts).contains("Nothing left this machine</strong> in the newest 3 runs"));
        facts.sent_to = vec!["https://models.example".to_owned()];
        let page = told(&facts);
        assert!(
            page.contains("https://models.example") && !page.contains("Nothing left"),
            "{page}"
        );
    }
}
