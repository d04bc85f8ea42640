//! The question: what is asked, of which documents, how hard, and what may leave.

use super::page::{Here, Shell, page};
use super::usual::Usual;
use super::words::{lasted, money, visible};
use crate::runs::{Ask, BudgetAsk, Grounds, ModeWord};
use elenchus_core::inquiry::{Asking, Budget, Effort, Forecast, REPLY_MS, Sources};
use elenchus_core::pack::{AUTO, lens, names};
use maud::{Markup, html};

/// What can be chosen.
#[derive(Clone, Debug, Default)]
pub struct Offers {
    /// Folders of documents, the usual one first.
    pub corpora: Vec<String>,
    /// Whether the server itself is set to use the web.
    pub uses_web: bool,
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

/// The modes, with what each does.
pub(super) const MODES: [(ModeWord, &str); 4] = [
    (ModeWord::Detective, "follows the evidence"),
    (ModeWord::Critic, "looks for what is wrong"),
    (ModeWord::Apologist, "builds the strongest case"),
    (ModeWord::Synthesizer, "surveys the field"),
];

/// The fields, with what is said of each.
const FIELDS: [(&str, &str); 3] =
    [(AUTO, "let the documents decide"), ("general", "general"), ("theology", "theology")];

/// A limit of a run as its field takes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    /// The name of its field.
    pub(super) name: &'static str,
    about: &'static str,
    least: &'static str,
    most: &'static str,
    step: &'static str,
}

impl Limit {
    /// Whether there are no parts of one.
    pub(super) fn is_whole(&self) -> bool {
        self.step == "1"
    }
}

const fn whole(name: &'static str, about: &'static str, most: &'static str) -> Limit {
    Limit { name, about, least: "1", most, step: "1" }
}

const fn any(
    name: &'static str,
    about: &'static str,
    least: &'static str,
    most: &'static str,
) -> Limit {
    Limit { name, about, least, most, step: "any" }
}

/// The limits, in the order in which they stand in the form.
pub(super) const LIMITS: [Limit; 6] = [
    whole("rounds", "Rounds of search", "10"),
    whole("passages", "Passages read", "100000"),
    any("seconds", "Seconds, from its start", "1", "604800"),
    any("usd", "US dollars", "0.000001", "100000"),
    whole("tokens", "Tokens, in and out", "1000000000"),
    whole("model_calls", "Calls of the model", "1000000"),
];

/// The limits that were set, in the same order.
fn figures(budget: BudgetAsk) -> [Option<String>; 6] {
    let BudgetAsk { rounds, passages, model_calls, tokens, usd, seconds } = budget;
    let whole = |figure: Option<u64>| figure.map(|figure| figure.to_string());
    let any = |figure: Option<f64>| figure.map(|figure| figure.to_string());
    [whole(rounds), whole(passages), any(seconds), any(usd), whole(tokens), whole(model_calls)]
}

/// What became of a question that was refused.
#[derive(Clone, Copy, Debug)]
pub struct Refused<'a> {
    /// Why.
    pub trouble: &'a str,
    /// The limits as they were written, in the order of the form: an `Ask` has no place for what is no number.
    pub limits: [&'a str; 6],
}

/// The page. `filled` stands in the form; `refused` is what became of the last try.
pub fn show(offers: &Offers, filled: &Ask, refused: Option<Refused<'_>>) -> Markup {
    let effort = filled.effort.unwrap_or_default();
    let (mode, field) =
        (filled.mode.unwrap_or(ModeWord::Detective), filled.pack.as_deref().unwrap_or(AUTO));
    let asks_back = filled.clarify.is_some_and(|asking| asking != Asking::Never);
    let forgets = filled.memory == Some(false);
    let (guesses, criticises) = (filled.hypotheses != Some(false), filled.critique != Some(false));
    let web = filled.web.as_ref();
    let urls = web.map(|web| web.urls.join("\n")).unwrap_or_default();
    let sites = web.map(|web| web.domains.join("\n")).unwrap_or_default();
    let since = web.and_then(|web| web.since.as_deref());
    let exclude = filled.exclude.join("\n");
    let has_documents = !offers.corpora.is_empty();
    // Pages alone are read without a search. Whoever has said nothing yet of a server that has the web alone means the web.
    let searches = web.map_or(offers.uses_web && !has_documents, |web| !web.providers.is_empty());
    let is_alone = has_documents && web.is_some_and(|web| web.sources == Some(Sources::Web));
    let as_written = refused.map_or([""; 6], |refused| refused.limits);
    let limits: Vec<Option<String>> = figures(filled.budget)
        .into_iter()
        .zip(as_written)
        .map(|(read, as_written)| read.or_else(|| said(as_written)))
        .collect();
    let is_limited = limits.iter().any(Option::is_some);
    // What was chosen in a drawer is not to be hidden from whoever has to mend it.
    let is_bounded = is_alone || since.is_some() || !sites.is_empty() || !exclude.is_empty();
    let lists = [&filled.lenses, &filled.test, &filled.plan];
    let is_open = lists.iter().any(|list| !list.is_empty())
        || (filled.review_plan || !filled.insights || asks_back || forgets)
        || !(guesses && criticises)
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
            details.drawer data-key="budget" open[is_limited] { summary { "Limits of rounds, time, money and tokens" } div.inside {
                p.hint { "A run that reaches one ends with an answer from what it has, and says so. Empty is as the settings have it." }
                div.limits { @for (limit, value) in LIMITS.iter().zip(&limits) {
                    label { (limit.about) (input(limit, value.as_deref())) }
                } }
            } }
            fieldset {
                legend { "Where it may look" }
                @if offers.corpora.len() > 1 {
                    label { "Documents" select name="corpus" { @for corpus in &offers.corpora { option value=(corpus) selected[filled.corpus.as_ref() == Some(corpus)] { (visible(corpus)) } } } }
                } @else if let Some(corpus) = offers.corpora.first() {
                    p { "Documents: " span.path { (visible(corpus)) } }
                    // A folder that may be asked need not be the one that is asked without a word.
                    input type="hidden" name="corpus" value=(corpus);
                } @else if offers.uses_web {
                    p.hint { "No folder of documents is set up, so that the web is all there is to ask. An empty box leaves the pages that you name." }
                } @else { p.hint { "No folder of documents is set up: tick the box, or name pages to read." } }
                label.choice { input type="checkbox" name="web" value="yes" checked[searches]; span { @if has_documents { "Also search the web" } @else { "Search the web" } } }
                p.hint { "If you do, words of your question go to the search services that are set up, and pages are fetched from their hosts. "
                    "If you do not, no search service is asked, and nothing is fetched unless you name pages to read. Addresses in your question are read as such pages are, once you do either. "
                    "Nothing that was read in your documents is put into a search unless the settings allow it; what was sent is listed with the answer." }
                label { "Pages to read (one address a line)" textarea name="urls" rows="2" { (urls) } }
                @if is_cut(&urls) { p.note { "An address was noted without the secret that it carried: put it back where \u{201C}removed\u{201D} stands." } }
            }
            details.drawer data-key="bounds" open[is_bounded] { summary { "Sites, dates, what to leave out" } div.inside {
                p.hint { "Empty is as the settings have it." }
                @if has_documents {
                    label { "Where the web is used" select name="sources" {
                        option value=(Sources::Hybrid.name()) { "look at the documents and the web" }
                        option value=(Sources::Web.name()) selected[is_alone] { "look at the web alone" }
                    } }
                }
                label { "Only pages of these sites (one a line)" textarea name="domains" rows="2" { (sites) } }
                label { "No page from before (2025, 2025-06 or 2025-06-30)" input type="text" name="since" maxlength="10" pattern="[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?" value=[since]; }
                label { "Leave out what has this in its path or address (one a line)" textarea name="exclude" rows="2" { (exclude) } }
            } }
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
                label.choice { input type="checkbox" name="no_hypotheses" value="yes" checked[!guesses]; span { "Do not have the model propose explanations" } }
                label.choice { input type="checkbox" name="no_critique" value="yes" checked[!criticises]; span { "Do not have the answer criticised, nor revised by the model" } }
                label.choice { input type="checkbox" name="forget" value="yes" checked[forgets]; span { "Do not use what earlier runs learned" } }
            } }
            p.row { button { "Research it" } span.hint { "It goes on when you close this page." } }
        }
    };
    page(Shell { title: "Ask", here: Here::Ask, wide: false }, &main)
}

/// What was written, where anything was.
fn said(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.is_empty())
}

/// The fields of limits that a run has already, empty: what holds of each shows through, and what is left empty stays.
pub(super) fn fields(now: Budget) -> Markup {
    let now = figures(BudgetAsk {
        rounds: Some(now.rounds.into()),
        passages: Some(now.passages.into()),
        model_calls: now.model_calls.map(u64::from),
        tokens: now.tokens,
        usd: now.cost_micro_usd.map(|micro| micro as f64 / 1e6),
        seconds: now.wall_ms.map(|ms| ms as f64 / 1e3),
    });
    html! {
        div.limits { @for (limit, now) in LIMITS.iter().zip(&now) {
            label { (limit.about)
                input type="number" name=(limit.name) min=(limit.least) max=(limit.most) step=(limit.step) inputmode="decimal" placeholder=[now];
            }
        } }
    }
}

/// A limit that may be left out, within what a run takes. A field of numbers would show nothing of a text that is none, so
/// that one stands in a field of text.
fn input(limit: &Limit, value: Option<&str>) -> Markup {
    let is_number = value.is_none_or(|value| value.parse::<f64>().is_ok_and(f64::is_finite));
    html! {
        @if is_number {
            input type="number" name=(limit.name) min=(limit.least) max=(limit.most) step=(limit.step) inputmode="decimal" value=[value];
        } @else {
            input type="text" name=(limit.name) inputmode="decimal" value=[value];
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
    use crate::runs::WebAsk;

    #[test]
    fn a_server_that_has_the_web_alone_offers_it_and_says_so() {
        let ticked = "name=\"web\" value=\"yes\" checked";
        let page = |uses_web, filled: &Ask| {
            show(&Offers { uses_web, ..Offers::default() }, filled, None).0
        };
        let alone = page(true, &blank());
        assert!(alone.contains(ticked) && alone.contains("the web is all there is"), "{alone}");
        assert!(alone.contains("<span>Search the web</span>"), "{alone}");
        assert!(!alone.contains("name=\"sources\""), "there is nothing to choose from: {alone}");
        // Whoever has emptied the box finds it empty, and without a word of whoever started the server it is.
        let web = Some(WebAsk { sources: Some(Sources::Web), ..WebAsk::default() });
        assert!(!page(true, &Ask { web, ..blank() }).contains(ticked));
        let nothing = page(false, &blank());
        assert!(!nothing.contains(ticked) && nothing.contains("tick the box"), "{nothing}");
        // Beside documents the web is for whoever asks to add.
        let offers =
            Offers { corpora: vec!["/docs".to_owned()], uses_web: true, ..Offers::default() };
        let beside = show(&offers, &blank(), None).0;
        assert!(!beside.contains(ticked) && beside.contains("Also search the web"), "{beside}");
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
