//! What it is, what left, and how far its figures can be trusted.

use super::doors::{Pages, page as reply};
use super::figures;
use super::page::{Here, Shell, page};
use super::run::{head_is_local, sent_to};
use super::words::{counted, figure, in_ten, visible};
use crate::runs::RunLine;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use elenchus_core::answer::figures::reliability_figures;
use elenchus_core::belief::{Calibration, CalibrationMap};
use elenchus_core::chart;
use elenchus_core::port::calibration_of;
use maud::{Markup, html};
use std::collections::BTreeSet;

/// Runs that are looked at for what left.
const LOOKED_AT: usize = 40;

/// What left this machine with a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Left {
    /// Hosts of the web.
    hosts: BTreeSet<String>,
    /// Servers and models elsewhere.
    sent_to: BTreeSet<String>,
}

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

/// The calibration behind the figures.
#[derive(Clone, Debug)]
pub struct Trusted {
    /// The maps.
    pub calibration: Calibration,
    /// Whether a run was opened with them; those that new runs would have otherwise.
    pub is_of_run: bool,
}

/// What it is, what left, how its figures are calibrated.
pub fn about(facts: &Facts, trusted: Option<&Trusted>) -> Markup {
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
            @match trusted {
                None => { p.empty { "There is no calibration to show: it is not known what figures are made with here." } }
                Some(trusted) => {
                    @if !trusted.is_of_run {
                        p.hint { @if facts.runs == 0 { "No run was verified yet" } @else { "None of the newest runs was verified" } "; this is what new ones have." }
                    }
                    (reliability(&trusted.calibration))
                }
            }
        }
    };
    page(Shell { title: "About", here: Here::About, wide: true }, &main)
}

fn reliability(calibration: &Calibration) -> Markup {
    html! {
        p { "Version " code { (calibration.version) } ", for the verifier " code { (calibration.verifier) } ". A figure says how often statements with such evidence were right on labelled sets." }
        @for (at, map) in calibration.maps.iter().enumerate() {
            h3 { "Where " (map.tier.decider()) " decides" }
            @if let Some(ece) = map.ece { (measured(at, map, ece)) } @else {
                p { "Set by hand: nothing was fitted for it, and no error of it was measured." }
            }
        }
    }
}

/// What a map was fitted on, and how good its figures turned out to be.
fn measured(at: usize, map: &CalibrationMap, ece: f64) -> Markup {
    html! {
        p.hint { "Fitted on " @for (at, set) in map.fitted_on.iter().enumerate() { @if at > 0 { ", " } (set.set) " (" (set.n) ")" } "." }
        @match map.ece_left_out {
            Some(other) => { p { "On documents of another kind expect the error of the sets left out of the fit, "
                strong { (format!("{other:.3}")) } " (mean over the sets), not that of the fit, " (format!("{ece:.3}")) " (five-fold, all sets pooled)." } }
            None => { p { "Its error on the sets of the fit was " (format!("{ece:.3}")) " (five-fold, all sets pooled); on other sets it was not measured." } }
        }
        div.pair { @for figure in reliability_figures(map, &format!("rel-{at}")) { (figures::chart(&figure)) } }
        (frequency(map, &format!("icons-{at}")))
    }
}

/// What the highest figure that is often enough said meant, in words of frequency: on sets left out of the fit where they are known.
fn frequency(map: &CalibrationMap, id: &str) -> Markup {
    let (bins, on) = if map.bins_left_out.is_empty() {
        (&map.bins, "On the sets it was fitted on")
    } else {
        (&map.bins_left_out, "On sets left out of the fit")
    };
    let Some(bin) = bins.iter().rfind(|bin| bin.n >= 20) else { return html! {} };
    let right = (bin.accuracy * bin.n as f64).round();
    html! {
        p { (on) ": when it says " strong { (figure(bin.confidence)) } ", " (in_ten(bin.accuracy)) " were right, " (format!("{right:.0}")) " of " (bin.n) "." }
        (figures::chart(&chart::icon_array(id, bin.confidence, right as u64, bin.n as u64)))
    }
}

impl Pages {
    /// What left with a run. Of one that is over it is read once.
    async fn left(&self, line: &RunLine) -> Option<Left> {
        if let Some(known) = self.left.known(&line.run_id) {
            return Some(known);
        }
        let record = self.runs().record(&line.run_id).await.ok()?;
        let left = record.shown(|shown| Left {
            hosts: shown.hosts().into_iter().collect(),
            sent_to: sent_to(shown).into_iter().collect(),
        });
        if line.is_over() {
            self.left.keep(&line.run_id, left.clone());
        }
        Some(left)
    }
}

/// What is set up, without a look at any run.
pub(super) fn set_up(pages: &Pages) -> Facts {
    let grounds = pages.runs().grounds();
    let model = grounds.model();
    Facts {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        is_remote: !head_is_local(&model),
        model,
        corpora: grounds.corpora(),
        ..Facts::default()
    }
}

/// The same with what left in the newest runs.
async fn facts(pages: &Pages) -> Facts {
    let lines = pages.runs().newest(LOOKED_AT).await.unwrap_or_default();
    let (mut all, mut runs) = (Left::default(), 0);
    for line in &lines {
        if let Some(left) = pages.left(line).await {
            all.hosts.extend(left.hosts);
            all.sent_to.extend(left.sent_to);
            runs += 1;
        }
    }
    Facts {
        hosts: all.hosts.into_iter().collect(),
        sent_to: all.sent_to.into_iter().collect(),
        runs,
        ..set_up(pages)
    }
}

/// The maps that the newest run was opened with, or else those that new runs would have.
async fn trusted(pages: &Pages) -> Option<Trusted> {
    let own = pages.runs().grounds().calibration();
    for line in pages.runs().newest(5).await.unwrap_or_default() {
        let Ok(journal) = pages.runs().store().journal(&line.run_id).await else { continue };
        if let Some(calibration) = calibration_of(&journal) {
            let calibration = completed(calibration.clone(), own.as_ref());
            return Some(Trusted { calibration, is_of_run: true });
        }
    }
    own.map(|calibration| Trusted { calibration, is_of_run: false })
}

/// The same with the sets left out of the fit, which runs of earlier versions did not note, where the program has the very maps.
fn completed(mut calibration: Calibration, own: Option<&Calibration>) -> Calibration {
    let Some(own) = own.filter(|own| own.version == calibration.version) else {
        return calibration;
    };
    for map in calibration.maps.iter_mut().filter(|map| map.bins_left_out.is_empty()) {
        if let Some(known) = own.maps.iter().find(|known| known.tier == map.tier) {
            map.bins_left_out.clone_from(&known.bins_left_out);
        }
    }
    calibration
}

/// The page about the program.
pub(super) async fn about_page(State(pages): State<Pages>) -> Response {
    let trusted = trusted(&pages).await;
    reply(StatusCode::OK, &about(&facts(&pages).await, trusted.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::belief::Bin;
    use elenchus_core::port::Tier;
    use elenchus_core::testkit::judging;

    #[test]
    fn figures_are_trusted_as_far_as_they_held_where_they_were_not_fitted() {
        let mut own = judging().calibration;
        let bins = |right: f64| vec![Bin { confidence: 0.7, accuracy: right, n: 100 }];
        (own.maps[0].bins, own.maps[0].bins_left_out) = (bins(0.85), bins(0.51));
        // An earlier version noted the sets of the fit alone.
        let mut noted = own.clone();
        noted.maps[0].bins_left_out.clear();
        let calibration = completed(noted.clone(), Some(&own));
        assert_eq!(calibration.maps[0].bins_left_out, own.maps[0].bins_left_out);
        noted.version = "another".to_owned();
        assert!(completed(noted, Some(&own)).maps[0].bins_left_out.is_empty());

        let facts = Facts { runs: 2, ..Facts::default() };
        let trusted = Trusted { calibration, is_of_run: true };
        let page = about(&facts, Some(&trusted)).0;
        let at = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words}: {page}"));
        assert!(
            at("On sets left out of the fit: 100") < at("On the sets they were fitted on: 100")
        );
        assert!(page.contains("about 5 in 10 were right, 51 of 100"), "{page}");
        assert!(!page.contains("was verified"), "{page}");
        let of_program = Trusted { is_of_run: false, ..trusted };
        assert!(
            about(&facts, Some(&of_program)).0.contains("None of the newest runs was verified")
        );
        let fresh = about(&Facts::default(), Some(&of_program)).0;
        assert!(fresh.contains("No run was verified yet; this is what new ones have."), "{fresh}");
    }

    #[test]
    fn a_map_that_was_set_by_hand_claims_no_error() {
        let by_hand = CalibrationMap {
            tier: Tier::Quote,
            slope: 0.9,
            fitted_on: vec![],
            ece: None,
            ece_left_out: None,
            bins: vec![],
            bins_left_out: vec![],
        };
        let fitted = CalibrationMap {
            tier: Tier::Features,
            ece: Some(0.043),
            ece_left_out: Some(0.142),
            bins: vec![Bin { confidence: 0.7, accuracy: 0.8, n: 50 }],
            ..by_hand.clone()
        };
        let calibration = Calibration {
            version: "test".to_owned(),
            verifier: "test".to_owned(),
            bias: -1.0,
            maps: vec![fitted, by_hand],
            feedback: vec![],
            counts_left_out: true,
        };
        let page = about(&Facts::default(), Some(&Trusted { calibration, is_of_run: true })).0;
        assert_eq!(page.matches("Set by hand: nothing was fitted").count(), 1, "{page}");
        assert_eq!(
            page.matches("0.142</strong> (mean over the sets), not that of the fit, 0.043").count(),
            1,
            "{page}"
        );
    }

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
