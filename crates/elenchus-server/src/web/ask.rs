//! The question: what is asked, of which documents, how hard, and what may leave.

use super::page::{Here, Shell, page};
use super::usual::Usual;
use super::words::{lasted, money, visible};
use crate::runs::{Ask, BudgetAsk, Grounds, ModeWord, WebAsk};
use elenchus_core::inquiry::{Asking, Budget, Effort, Forecast, REPLY_MS, WebOptions};
use elenchus_core::pack::{AUTO, lens, names};
use elenchus_core::trace::Projection;
use maud::{Markup, html};
use std::path::Path;

/// What can be chosen.
#[derive(Clone, Debug, Default)]
pub struct Offers {
    /// Folders of documents, the usual one first.
    pub corpora: Vec<String>,
    /// The model that thinks.
    pub model: String,
    /// Whether it runs elsewhere, so that prompts leave this machine.
    pub is_remote: bool,
    /// What runs with this model usually took, by effort.
    pub usual: Vec<Usual>,
    /// What runs may spend, by effort, and what is reckoned of it.
    pub expected: Vec<Expected>,
}

/// What a run of an effort may spend, and what it takes of a language model as far as that is reckoned beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The effort.
    pub effort: Effort,
    /// What it may spend.
    pub budget: Budget,
    /// What it takes at most; nothing without a language model.
    pub forecast: Option<Forecast>,
    /// What that costs, in millionths of a US dollar; `None` where the price is not known.
    pub micro_usd: Option<u64>,
}

impl Expected {
    /// Of an effort with what stands behind a server.
    pub(super) fn of(effort: Effort, grounds: &dyn Grounds) -> Self {
        let budget = grounds.limits(effort);
        let forecast = (grounds.model() != BUILT_IN).then(|| Forecast::of(budget.rounds));
        let cost = |told: Forecast| grounds.cost(told.input_tokens, told.output_tokens);
        Self { effort, budget, forecast, micro_usd: forecast.and_then(cost) }
    }

    /// In words, no more than the limits let it be; nothing without a language model.
    fn reckoned(&self) -> Option<String> {
        let Budget { model_calls, tokens, cost_micro_usd, wall_ms, .. } = self.budget;
        let told = self.forecast?;
        let all = told.input_tokens + told.output_tokens;
        let calls = model_calls.map_or(told.calls, |most| most.min(told.calls));
        let tokens = tokens.map_or(all, |most| most.min(all)).div_ceil(1_000);
        let tokens = match tokens / 1_000 {
            0 => tokens.to_string(),
            millions => format!("{millions},{:03}", tokens % 1_000),
        };
        let ms = u64::from(told.in_turn.min(calls)) * REPLY_MS;
        let ms = wall_ms.map_or(ms, |most| most.min(ms));
        let cost = match self.micro_usd {
            Some(0) => "at no cost".to_owned(),
            Some(micro) => {
                let micro = cost_micro_usd.map_or(micro, |most| most.min(micro));
                format!("{} at its price", money(micro))
            }
            None => "at a price that is not known".to_owned(),
        };
        Some(format!(
            "reckoned at most: {} of the model and {tokens},000 tokens, {cost}; {} at {} a reply",
            if calls == 1 { "1 reply".to_owned() } else { format!("{calls} replies") },
            lasted(ms),
            lasted(REPLY_MS)
        ))
    }
}

/// The form as it stands for whoever has said nothing yet.
pub fn blank() -> Ask {
    Ask { effort: Some(Effort::Standard), insights: true, ..Ask::default() }
}

/// The name under which a request means the search services that are set up.
pub(super) const SET_UP: &str = "configured";

/// The form as a run was asked, so that it can be asked once more. Secrets in addresses of pages are not noted with a run.
pub fn again(run: &Projection, corpora: &[String]) -> Ask {
    let options = &run.options;
    let is_of_it = |folder: &&String| {
        Path::new(folder).file_name().is_some_and(|name| *name == *run.corpus.name)
    };
    // Where neither was noted, the pages stood in the question.
    let asks = |web: &&WebOptions| !(web.providers.is_empty() && web.pages.is_empty());
    Ask {
        question: run.question.clone(),
        effort: Some(options.effort),
        corpus: corpora.iter().find(is_of_it).cloned(),
        web: options.web.as_ref().filter(asks).map(|web| WebAsk {
            // Which services they were is a matter of the settings, then as now.
            providers: web.providers.first().map(|_| SET_UP.to_owned()).into_iter().collect(),
            urls: web.pages.clone(),
            ..WebAsk::default()
        }),
        budget: BudgetAsk {
            tokens: options.budget.tokens,
            usd: options.budget.cost_micro_usd.map(|micro| micro as f64 / 1e6),
            seconds: options.budget.wall_ms.map(|ms| ms as f64 / 1e3),
            ..BudgetAsk::default()
        },
        lenses: options.lenses.clone(),
        pack: Some(
            if options.pack.is_empty() { "general" } else { options.pack.as_str() }.to_owned(),
        ),
        mode: MODES.into_iter().find(|(mode, _)| mode.name() == options.mode).map(|(mode, _)| mode),
        test: options.to_test.clone(),
        plan: options.plan.clone(),
        review_plan: options.review_plan,
        insights: options.insights,
        clarify: Some(options.clarify),
        ..Ask::default()
    }
}

/// The modes, with what each does.
const MODES: [(ModeWord, &str); 4] = [
    (ModeWord::Detective, "follows the evidence"),
    (ModeWord::Critic, "looks for what is wrong"),
    (ModeWord::Apologist, "builds the strongest case"),
    (ModeWord::Synthesizer, "surveys the field"),
];

/// The fields, with what is said of each.
const FIELDS: [(&str, &str); 3] =
    [(AUTO, "let the documents decide"), ("general", "general"), ("theology", "theology")];

/// What became of a question that was refused.
#[derive(Clone, Copy, Debug)]
pub struct Refused<'a> {
    /// Why.
    pub trouble: &'a str,
    /// The limits of seconds, US dollars and tokens as they were written: an `Ask` has no place for what is no number.
    pub limits: [&'a str; 3],
}

/// The page. `filled` stands in the form; `refused` is what became of the last try.
pub fn show(offers: &Offers, filled: &Ask, refused: Option<Refused<'_>>) -> Markup {
    let effort = filled.effort.unwrap_or_default();
    let (mode, field) =
        (filled.mode.unwrap_or(ModeWord::Detective), filled.pack.as_deref().unwrap_or(AUTO));
    let asks_back = filled.clarify.is_some_and(|asking| asking != Asking::Never);
    let forgets = filled.memory == Some(false);
    let urls = filled.web.as_ref().map(|web| web.urls.join("\n")).unwrap_or_default();
    // Pages alone are read without a search.
    let searches =
        filled.web.as_ref().is_some_and(|web| web.urls.is_empty() || !web.providers.is_empty());
    let BudgetAsk { tokens, usd, seconds, .. } = filled.budget;
    let [its_seconds, its_usd, its_tokens] = refused.map_or([""; 3], |refused| refused.limits);
    let seconds = read_or(seconds, its_seconds);
    let usd = read_or(usd, its_usd);
    let tokens = read_or(tokens, its_tokens);
    let is_limited = tokens.is_some() || usd.is_some() || seconds.is_some();
    // What was chosen in the drawer is not to be hidden from whoever has to mend it.
    let lists = [&filled.lenses, &filled.test, &filled.plan];
    let is_open = lists.iter().any(|list| !list.is_empty())
        || (filled.review_plan || !filled.insights || asks_back || forgets)
        || mode != ModeWord::Detective
        || field != AUTO;
    let main = html! {
        form.asking method="post" action="/research" {
            div {
                h1 { "What do you want to know?" }
                p.hint { "Elenchus searches, reads, quotes and checks. You see every step, and every sentence of the answer leads to the words it rests on." }
            }
            @if let Some(Refused { trouble, .. }) = refused { p.note.bad role="alert" { (trouble) } }
            label { span.sr { "Your question" }
                textarea #search.question name="question" rows="3" required maxlength="8000" placeholder="Ask in a sentence. Several questions in one are fine." { (filled.question) } }
            fieldset {
                legend { "Effort" }
                div.efforts { @for (offered, name, about) in [
                    (Effort::Quick, "quick", "one round: for a fact that stands somewhere"),
                    (Effort::Standard, "standard", "follows up what is missing"),
                    (Effort::Deep, "deep", "more passages and more rounds, for questions with several sides"),
                ] {
                    @let expected = offers.expected.iter().find(|one| one.effort == offered);
                    @let budget = expected.map_or_else(|| Budget::of(offered), |one| one.budget);
                    label { input type="radio" name="effort" value=(name) checked[effort == offered];
                        span { strong { (name) } br; (about) br;
                            span.hint { "up to " (budget.rounds) @if budget.rounds == 1 { " round, " } @else { " rounds, " } (budget.passages) " passages" }
                            @if let Some(usual) = offers.usual.iter().find(|one| one.effort == offered) { br; span.hint { (took(usual)) } }
                            @else if let Some(reckoned) = expected.and_then(Expected::reckoned) { br; span.hint { (reckoned) } } } }
                } }
                p.hint { (expected(offers)) }
            }
            details.drawer data-key="budget" open[is_limited] { summary { "Limits of time, money and tokens" } div.inside {
                p.hint { "A run that reaches one ends with an answer from what it has, and says so. Empty is as the settings have it." }
                div.limits {
                    label { "Seconds, from its start" (limit("seconds", ["1", "604800", "any"], seconds.as_deref())) }
                    label { "US dollars" (limit("usd", ["0.000001", "100000", "any"], usd.as_deref())) }
                    label { "Tokens, in and out" (limit("tokens", ["1", "1000000000", "1"], tokens.as_deref())) }
                }
            } }
            fieldset {
                legend { "Where it may look" }
                @if offers.corpora.len() > 1 {
                    label { "Documents" select name="corpus" { @for corpus in &offers.corpora { option value=(corpus) selected[filled.corpus.as_ref() == Some(corpus)] { (visible(corpus)) } } } }
                } @else if let Some(corpus) = offers.corpora.first() {
                    p { "Documents: " span.path { (visible(corpus)) } }
                } @else { p.hint { "No folder of documents is set up." } }
                label.choice { input type="checkbox" name="web" value="yes" checked[searches]; span { "Also search the web" } }
                p.hint { "If you do, words of your question go to the search services that are set up, and pages are fetched from their hosts. "
                    "Nothing that was read in your documents is put into a search unless the settings allow it; what was sent is listed with the answer." }
                label { "Pages to read (one address a line)" textarea name="urls" rows="2" { (urls) } }
                @if is_cut(&urls) { p.note { "An address was noted without the secret that it carried: put it back where \u{201C}removed\u{201D} stands." } }
            }
            details.drawer data-key="more" open[is_open] { summary { "Plan, hypotheses, lenses" } div.inside {
                label.choice { input type="checkbox" name="review_plan" value="yes" checked[filled.review_plan]; span { "Show me the plan before anything is searched, so that I can change it" } }
                label { "Questions to answer, one a line (in place of a plan)" textarea name="plan" rows="3" { (filled.plan.join("\n")) } }
                label { "Hypotheses to test, one a line (at most four)" textarea name="test" rows="3" { (filled.test.join("\n")) } }
                fieldset {
                    legend { "Lenses" }
                    p.hint { "Each looks at the same evidence in its own way. They need a language model"
                        @if offers.model == BUILT_IN { ", and none is set up here: start the server with " code { "--model" } " to use them." } @else { "." } }
                    @for id in names() {
                        @if let Some(lens) = lens(id) {
                            label.choice { input type="checkbox" name="lens" value=(lens.id) checked[filled.lenses.iter().any(|one| one == lens.id)]; span { (lens.name) } }
                        }
                    }
                }
                label { "Mode" select name="mode" { @for (one, about) in MODES {
                    option value=(one.name()) selected[one == mode] { (one.name()) ": " (about) }
                } } }
                label { "Field" select name="pack" { @for (one, about) in FIELDS {
                    option value=(one) selected[one == field] { (about) }
                } } }
                label.choice { input type="checkbox" name="insights" value="yes" checked[filled.insights]; span { "Look for insights" } }
                label.choice { input type="checkbox" name="clarify" value="yes" checked[asks_back]; span { "Ask me back when the question is vague" } }
                label.choice { input type="checkbox" name="forget" value="yes" checked[forgets]; span { "Do not use what earlier runs learned" } }
            } }
            p.row { button { "Research it" } span.hint { "It goes on when you close this page." } }
        }
    };
    page(Shell { title: "Ask", here: Here::Ask, wide: false }, &main)
}

/// A limit as it was read, or else as it was written, where anything was.
fn read_or(read: Option<impl ToString>, written: &str) -> Option<String> {
    let as_written = || Some(written.to_owned()).filter(|text| !text.is_empty());
    read.map(|read| read.to_string()).or_else(as_written)
}

/// A limit that may be left out, within what a run takes. A field of numbers would show nothing of a text that is none, so
/// that one stands in a field of text.
fn limit(name: &str, [least, most, step]: [&str; 3], value: Option<&str>) -> Markup {
    let is_number = value.is_none_or(|value| value.parse::<f64>().is_ok_and(f64::is_finite));
    html! {
        @if is_number {
            input type="number" name=(name) min=(least) max=(most) step=(step) inputmode="decimal" value=[value];
        } @else {
            input type="text" name=(name) inputmode="decimal" value=[value];
        }
    }
}

/// Whether a secret was taken out of one of the addresses: a mark stands in its place, as text or as an address writes it.
fn is_cut(urls: &str) -> bool {
    ["removed]", "removed%5D"].iter().any(|mark| urls.contains(mark))
}

/// The model that is built in.
const BUILT_IN: &str = "extractive";

/// What runs of an effort took.
fn took(usual: &Usual) -> String {
    let (time, paid) = (lasted(usual.ms), usual.micro_usd > 0);
    let cost = if paid { format!(" and {}", money(usual.micro_usd)) } else { String::new() };
    match usual.runs {
        1 => format!("the last one took {time}{cost}"),
        runs => format!("half of the last {runs} took at most {time}{cost}"),
    }
}

/// What to expect, in time and money, where no run tells it.
fn expected(offers: &Offers) -> Markup {
    html! {
        @if offers.usual.is_empty() { "How long it takes is measured as you use it; without a language model mostly seconds. " }
        @if offers.expected.iter().any(|one| one.forecast.is_some() && offers.usual.iter().all(|usual| usual.effort != one.effort)) {
            "What is reckoned fills every prompt and every round, which few runs do; lenses, and replies that have to be asked for again, come on top. "
        }
        @if offers.is_remote { "Each step asks " strong { (visible(&offers.model)) } ", which charges what its provider charges; the receipt counts it." }
        @else { "It costs nothing: " strong { (visible(&offers.model)) } " runs on this machine." }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::run::fixture::rich;

    #[test]
    fn a_run_is_asked_again_as_it_was_asked() {
        let mut run = Projection::of(&rich().trace).unwrap();
        run.options.effort = Effort::Deep;
        run.options.mode = "critic".to_owned();
        run.options.pack = "theology".to_owned();
        run.options.to_test = vec!["Boats <b>wait</b>.".to_owned()];
        run.options.budget.tokens = Some(9_000);
        run.options.budget.cost_micro_usd = Some(250_000);
        run.options.budget.wall_ms = Some(90_500);
        run.options.web = Some(WebOptions {
            pages: vec!["https://a.example/?key=[secret removed]".to_owned()],
            ..WebOptions::default()
        });
        let corpora = vec!["/docs/other".to_owned(), format!("/docs/{}", run.corpus.name)];
        let filled = again(&run, &corpora);
        assert_eq!(filled.corpus.as_ref(), corpora.last());
        let offers = Offers { corpora, ..Offers::default() };
        let page = show(&offers, &filled, None).0;
        for chosen in [
            "value=\"deep\" checked",
            "value=\"critic\" selected",
            "value=\"theology\" selected",
            "value=\"skeptical\" checked",
            "data-key=\"more\" open",
            "Boats &lt;b&gt;wait&lt;/b&gt;.",
            "data-key=\"budget\" open",
            "name=\"tokens\" min=\"1\" max=\"1000000000\" step=\"1\" inputmode=\"decimal\" value=\"9000\"",
            "name=\"usd\" min=\"0.000001\" max=\"100000\" step=\"any\" inputmode=\"decimal\" value=\"0.25\"",
            "name=\"seconds\" min=\"1\" max=\"604800\" step=\"any\" inputmode=\"decimal\" value=\"90.5\"",
            ">https://a.example/?key=[secret removed]</textarea>",
            "noted without the secret",
        ] {
            assert!(page.contains(chosen), "{chosen}: {page}");
        }
        assert_eq!(page.matches(" selected").count(), 3, "the folder, the mode and the field");
        // Pages alone are read without a search, and a search is one again.
        assert!(!page.contains("name=\"web\" value=\"yes\" checked"), "{page}");
        if let Some(web) = &mut run.options.web {
            web.providers.push("wikipedia".to_owned());
        }
        let searched = show(&offers, &again(&run, &[]), None).0;
        assert!(searched.contains("name=\"web\" value=\"yes\" checked"), "{searched}");
        let fresh = show(&Offers::default(), &blank(), None).0;
        assert!(!fresh.contains("data-key=\"more\" open"), "{fresh}");
        assert!(!fresh.contains("data-key=\"budget\" open"), "{fresh}");
        assert!(!fresh.contains("noted without"), "{fresh}");
        assert!(fresh.contains("value=\"standard\" checked"), "{fresh}");
        assert!(fresh.contains("value=\"auto\" selected"), "{fresh}");
    }

    #[test]
    fn each_effort_tells_what_it_took() {
        let usual = |effort, runs, ms, micro_usd| Usual { effort, runs, ms, micro_usd };
        let offers = Offers {
            usual: vec![usual(Effort::Quick, 1, 900, 0), usual(Effort::Deep, 5, 62_000, 40_000)],
            ..Offers::default()
        };
        let page = show(&offers, &blank(), None).0;
        assert!(!page.contains("reckoned"), "{page}");
        assert!(page.contains("the last one took 900 ms<"), "{page}");
        assert!(page.contains("half of the last 5 took at most 1 min 2 s and $0.04"), "{page}");
        assert!(!page.contains("measured as you use it"), "{page}");
    }

    #[test]
    fn before_a_run_was_measured_it_is_reckoned() {
        let forecast =
            Forecast { calls: 32, in_turn: 19, input_tokens: 150_000, output_tokens: 20_500 };
        let expected = |effort, tokens, micro_usd| Expected {
            effort,
            budget: Budget { tokens, rounds: 3, ..Budget::of(effort) },
            forecast: Some(forecast),
            micro_usd,
        };
        let offers = Offers {
            usual: vec![Usual { effort: Effort::Quick, runs: 1, ms: 900, micro_usd: 0 }],
            expected: vec![
                expected(Effort::Quick, None, Some(0)),
                expected(Effort::Standard, None, Some(40_000)),
                expected(Effort::Deep, Some(9_000), None),
            ],
            ..Offers::default()
        };
        let page = show(&offers, &blank(), None).0;
        let at_most = "reckoned at most: 32 replies of the model and";
        for told in [
            &*format!("{at_most} 171,000 tokens, $0.04 at its price; 1 min 35 s at 5.0 s a reply<"),
            &*format!("{at_most} 9,000 tokens, at a price that is not known; 1 min 35 s"),
            "up to 3 rounds",
            "fills every prompt",
        ] {
            assert!(page.contains(told), "{told}: {page}");
        }
        assert_eq!(page.matches(at_most).count(), 2, "of one effort a run is known: {page}");
        let long = Forecast { input_tokens: 2_004_500, output_tokens: 20_000, ..forecast };
        let long = Expected { forecast: Some(long), ..expected(Effort::Deep, None, None) };
        let told = long.reckoned().unwrap();
        assert!(told.contains(" 2,025,000 tokens"), "{told}");
    }
}
