//! The question: what is asked, of which documents, how hard, and what may leave.

use super::page::{Here, Shell, drawer, page};
use super::words::{lasted, visible};
use elenchus_core::inquiry::{Budget, Effort};
use elenchus_core::pack::{lens, names};
use elenchus_core::trace::Projection;
use maud::{Markup, html};

/// What can be chosen.
#[derive(Clone, Debug, Default)]
pub struct Offers {
    /// Folders of documents, the usual one first.
    pub corpora: Vec<String>,
    /// The model that thinks.
    pub model: String,
    /// Whether it runs elsewhere, so that prompts leave this machine.
    pub is_remote: bool,
    /// How long finished runs took, in milliseconds: half of them less, half of them more.
    pub usual_ms: Option<u64>,
    /// How many runs that is the middle of.
    pub of_runs: usize,
}

/// The page. `again` is a run whose question is put once more; `trouble` is why the last try did not work.
pub fn show(offers: &Offers, again: Option<&Projection>, trouble: Option<&str>) -> Markup {
    let question = again.map_or("", |run| run.question.as_str());
    let main = html! {
        form.asking method="post" action="/research" {
            div {
                h1 { "What do you want to know?" }
                p.hint { "Elenchus searches, reads, quotes and checks. You see every step, and every sentence of the answer leads to the words it rests on." }
            }
            @if let Some(trouble) = trouble { p.note.bad role="alert" { (trouble) } }
            label { span.sr { "Your question" }
                textarea #search.question name="question" rows="3" required maxlength="8000" placeholder="Ask in a sentence. Several questions in one are fine." { (question) } }
            fieldset {
                legend { "Effort" }
                div.efforts { @for (effort, name, about) in [
                    (Effort::Quick, "quick", "one round: for a fact that stands somewhere"),
                    (Effort::Standard, "standard", "follows up what is missing"),
                    (Effort::Deep, "deep", "more passages and more rounds, for questions with several sides"),
                ] {
                    @let budget = Budget::of(effort);
                    label { input type="radio" name="effort" value=(name) checked[effort == Effort::Standard];
                        span { strong { (name) } br; (about) br;
                            span.hint { "up to " (budget.rounds) @if budget.rounds == 1 { " round, " } @else { " rounds, " } (budget.passages) " passages" } } }
                } }
                p.hint { (expected(offers)) }
            }
            fieldset {
                legend { "Where it may look" }
                @if offers.corpora.len() > 1 {
                    label { "Documents" select name="corpus" { @for corpus in &offers.corpora { option value=(corpus) { (visible(corpus)) } } } }
                } @else if let Some(corpus) = offers.corpora.first() {
                    p { "Documents: " span.path { (visible(corpus)) } }
                } @else { p.hint { "No folder of documents is set up." } }
                label.choice { input type="checkbox" name="web" value="yes"; span { "Also search the web" } }
                p.hint { "If you do, words of your question go to the search services that are set up, and pages are fetched from their hosts. "
                    "Nothing that was read in your documents is put into a search unless the settings allow it; what was sent is listed with the answer." }
                label { "Pages to read (one address a line)" textarea name="urls" rows="2" {} }
            }
            (drawer("more", &html! { "Plan, hypotheses, lenses" }, &html! {
                label.choice { input type="checkbox" name="review_plan" value="yes"; span { "Show me the plan before anything is searched, so that I can change it" } }
                label { "Questions to answer, one a line (in place of a plan)" textarea name="plan" rows="3" {} }
                label { "Hypotheses to test, one a line (at most four)" textarea name="test" rows="3" {} }
                fieldset {
                    legend { "Lenses" }
                    p.hint { "Each looks at the same evidence in its own way. They need a language model." }
                    @for id in names() {
                        @if let Some(lens) = lens(id) {
                            label.choice { input type="checkbox" name="lens" value=(lens.id); span { (lens.name) } }
                        }
                    }
                }
                label { "Mode" select name="mode" {
                    option value="" { "detective: follows the evidence" }
                    option value="critic" { "critic: looks for what is wrong" }
                    option value="apologist" { "apologist: builds the strongest case" }
                    option value="synthesizer" { "synthesizer: surveys the field" }
                } }
                label { "Field" select name="pack" {
                    option value="" { "general" } option value="auto" { "let the documents decide" } option value="theology" { "theology" }
                } }
                label.choice { input type="checkbox" name="insights" value="yes" checked; span { "Look for insights" } }
                label.choice { input type="checkbox" name="clarify" value="yes"; span { "Ask me back when the question is vague" } }
                label.choice { input type="checkbox" name="forget" value="yes"; span { "Do not use what earlier runs learned" } }
            }))
            p.row { button { "Research it" } span.hint { "It goes on when you close this page." } }
        }
    };
    page(Shell { title: "Ask", here: Here::Ask, wide: false }, &main)
}

/// What to expect, in time and money.
fn expected(offers: &Offers) -> Markup {
    html! {
        @match offers.usual_ms {
            Some(ms) => { "Half of your last " (offers.of_runs) " runs took less than " (lasted(ms)) ". " }
            None => { "How long it takes is measured as you use it; without a language model mostly seconds. " }
        }
        @if offers.is_remote { "Each step asks " strong { (visible(&offers.model)) } ", which charges what its provider charges; the receipt counts it." }
        @else { "It costs nothing: " strong { (visible(&offers.model)) } " runs on this machine." }
    }
}
