//! What the form of the question says, as a request for a run.

use super::ask::{LIMITS, SET_UP};
use super::doors::value;
use crate::http::problem::Problem;
use crate::runs::{Ask, BudgetAsk, ModeWord, WebAsk};
use axum::http::StatusCode;
use elenchus_core::inquiry::{Asking, Effort, NewLimits, Sources};

/// What a browser sends of a form: names and values, in its order.
pub(super) type Pairs = Vec<(String, String)>;

/// The lines of a field that say something.
pub(super) fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// What is asked for, and the first thing in it that cannot be. `has_folder` is whether the server has documents that may be
/// asked.
pub(super) fn asked(pairs: &Pairs, has_folder: bool) -> (Ask, Option<Problem>) {
    let ticked = |name: &str| value(pairs, name) == "yes";
    let some =
        |name: &str| Some(value(pairs, name)).filter(|text| !text.is_empty()).map(str::to_owned);
    let corpus = some("corpus");
    let (budget, no_number) = budget(pairs, ATTEMPTED);
    let (web, nowhere) = web(pairs, has_folder || corpus.is_some());
    let ask = Ask {
        question: value(pairs, "question").to_owned(),
        effort: match value(pairs, "effort") {
            "quick" => Some(Effort::Quick),
            "deep" => Some(Effort::Deep),
            _ => Some(Effort::Standard),
        },
        autonomous: Some(true),
        corpus,
        web: Some(web),
        lenses: pairs
            .iter()
            .filter(|(key, _)| key == "lens")
            .map(|(_, lens)| lens.clone())
            .collect(),
        pack: some("pack"),
        mode: match value(pairs, "mode") {
            "critic" => Some(ModeWord::Critic),
            "apologist" => Some(ModeWord::Apologist),
            "synthesizer" => Some(ModeWord::Synthesizer),
            "detective" => Some(ModeWord::Detective),
            _ => None,
        },
        test: lines(value(pairs, "test")),
        plan: lines(value(pairs, "plan")),
        review_plan: ticked("review_plan"),
        hypotheses: ticked("no_hypotheses").then_some(false),
        critique: ticked("no_critique").then_some(false),
        insights: ticked("insights"),
        budget,
        clarify: ticked("clarify").then_some(Asking::Auto),
        exclude: lines(value(pairs, "exclude")),
        memory: ticked("forget").then_some(false),
        by_hand: true,
    };
    (ask, no_number.or(nowhere))
}

/// What the form says of the web, and why a run cannot go by it where it cannot. Whatever the server was started with, an empty
/// box means no search, and without pages the documents alone.
fn web(pairs: &Pairs, has_documents: bool) -> (WebAsk, Option<Problem>) {
    let searches = value(pairs, "web") == "yes";
    let urls = lines(value(pairs, "urls"));
    let is_used = searches || !urls.is_empty();
    let is_alone = !has_documents || value(pairs, "sources") == Sources::Web.name();
    let sources = match (is_alone, is_used) {
        (true, _) => Sources::Web,
        (false, true) => Sources::Hybrid,
        (false, false) => Sources::Local,
    };
    let nowhere = (is_alone && !is_used).then(|| {
        let cause = if has_documents {
            "the form says to look at the web alone, and the web is neither to be searched nor a page of it to be read"
        } else {
            "no folder of documents is set up, and the web is neither to be searched nor a page of it to be read"
        };
        let way_out = if has_documents {
            "tick \u{201C}Also search the web\u{201D}, name pages to read, or look at the documents, too"
        } else {
            "tick \u{201C}Search the web\u{201D} or name pages to read, or start the server with a folder of documents, with \
             --corpus DIR"
        };
        Problem::new(StatusCode::BAD_REQUEST, "nothing_to_ask", ATTEMPTED, cause, way_out)
    });
    let since = Some(value(pairs, "since")).filter(|since| !since.is_empty());
    let web = WebAsk {
        // Whoever names pages and wants the web searched too gets both.
        providers: if searches { vec![SET_UP.to_owned()] } else { vec![] },
        urls,
        sources: Some(sources),
        domains: lines(value(pairs, "domains")),
        since: since.map(str::to_owned),
    };
    (web, nowhere)
}

/// What did not work where the form says what cannot be.
const ATTEMPTED: &str = "could not start a run";

/// The limits that the form of a run under way sets: those whose fields were filled.
///
/// # Errors
/// When one is no number, or one below nothing.
pub(super) fn limits(pairs: &Pairs) -> Result<NewLimits, Problem> {
    let attempted = "could not set the limits of the run";
    let (budget, no_number) = budget(pairs, attempted);
    if let Some(problem) = no_number {
        return Err(problem);
    }
    let BudgetAsk { rounds, passages, model_calls, tokens, usd, seconds } = budget;
    // Anything below nothing is nothing, which is refused with its bounds.
    let parts = |whole: f64, parts: f64| (whole * parts).ceil().max(0.0) as u64;
    Ok(NewLimits {
        rounds,
        passages,
        model_calls,
        tokens,
        cost_micro_usd: usd.map(|usd| parts(usd, 1e6)),
        wall_ms: seconds.map(|seconds| parts(seconds, 1e3)),
        by: String::new(),
    })
}

/// What a run may spend, and the first limit that is no number.
fn budget(pairs: &Pairs, attempted: &str) -> (BudgetAsk, Option<Problem>) {
    let mut wrong = None;
    let mut number = |name: &str, whole: bool| {
        let text = value(pairs, name);
        if text.is_empty() {
            return None;
        }
        let read = text.parse::<f64>().ok().filter(|read| read.is_finite());
        let read = read.filter(|read| !whole || (*read >= 0.0 && read.fract() == 0.0));
        if read.is_none() && wrong.is_none() {
            let kind = if whole { "whole number" } else { "number" };
            let text: String = text.chars().take(40).collect();
            wrong = Some(Problem::new(
                StatusCode::BAD_REQUEST,
                "malformed",
                attempted,
                format!("the limit of {name} is {text:?}, which is no {kind}"),
                "write it in digits, with a point before parts of one, or leave it empty",
            ));
        }
        read
    };
    // In the order in which they stand in the form.
    let [rounds, passages, seconds, usd, tokens, model_calls] =
        LIMITS.map(|limit| number(limit.name, limit.is_whole()));
    let whole = |read: Option<f64>| read.map(|read| read as u64);
    let budget = BudgetAsk {
        rounds: whole(rounds),
        passages: whole(passages),
        model_calls: whole(model_calls),
        tokens: whole(tokens),
        usd,
        seconds,
    };
    (budget, wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(said: &[(&str, &str)]) -> Pairs {
        said.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    /// Where a form has a run look, and which services it has asked.
    fn looked(said: &[(&str, &str)], has_folder: bool) -> Result<(Sources, Vec<String>), String> {
        let (ask, problem) = asked(&pairs(said), has_folder);
        assert!(ask.by_hand, "a person wrote it");
        let web = ask.web.unwrap();
        problem.map_or_else(|| Ok((web.sources.unwrap(), web.providers)), |no| Err(no.way_out))
    }

    #[test]
    fn an_empty_box_searches_nothing() {
        let services = || vec![SET_UP.to_owned()];
        let (tick, page, alone) =
            (("web", "yes"), ("urls", "https://a.example/"), ("sources", "web"));
        assert_eq!(looked(&[], true), Ok((Sources::Local, vec![])));
        assert_eq!(looked(&[("sources", "hybrid")], true), Ok((Sources::Local, vec![])));
        assert_eq!(looked(&[tick], true), Ok((Sources::Hybrid, services())));
        assert_eq!(looked(&[page], true), Ok((Sources::Hybrid, vec![])), "pages need no search");
        assert_eq!(looked(&[tick, page], true), Ok((Sources::Hybrid, services())));
        assert_eq!(looked(&[tick, alone], true), Ok((Sources::Web, services())));
        assert_eq!(looked(&[page, alone], true), Ok((Sources::Web, vec![])));
        // Without documents the web is all there is, and an empty box does not mean it.
        assert_eq!(looked(&[tick], false), Ok((Sources::Web, services())));
        assert_eq!(looked(&[page], false), Ok((Sources::Web, vec![])));
        assert!(looked(&[], false).unwrap_err().contains("--corpus"));
        assert!(looked(&[alone], true).unwrap_err().contains("Also search the web"));
        // A folder that the form names is one.
        assert_eq!(looked(&[("corpus", "/docs")], false), Ok((Sources::Local, vec![])));
    }

    #[test]
    fn only_the_limits_that_were_written_are_set() {
        let said = [("rounds", "8"), ("passages", ""), ("usd", "0.25"), ("seconds", "90.5")];
        let set = limits(&pairs(&said)).unwrap();
        let expected = NewLimits {
            rounds: Some(8),
            cost_micro_usd: Some(250_000),
            wall_ms: Some(90_500),
            ..NewLimits::default()
        };
        assert_eq!(set, expected);
        assert!(limits(&pairs(&[("tokens", "many")])).unwrap_err().cause.contains("tokens"));
        let below = limits(&pairs(&[("usd", "-1")])).unwrap();
        assert_eq!(below.cost_micro_usd, Some(0), "it is refused as nothing");
        assert!(below.refusal().is_some());
    }

    #[test]
    fn what_bounds_a_run_is_taken_from_the_form() {
        let said = [
            ("question", "Which cable?"),
            ("web", "yes"),
            ("domains", "a.example\r\n\r\n b.example "),
            ("since", "2025-06"),
            ("exclude", "drafts/\nold"),
            ("rounds", "3"),
            ("passages", "40"),
            ("model_calls", "7"),
            ("no_hypotheses", "yes"),
            ("forget", "yes"),
        ];
        let (ask, problem) = asked(&pairs(&said), true);
        assert_eq!(problem, None);
        let web = ask.web.unwrap();
        assert_eq!(web.domains, ["a.example", "b.example"]);
        assert_eq!(web.since.as_deref(), Some("2025-06"));
        assert_eq!(ask.exclude, ["drafts/", "old"]);
        let BudgetAsk { rounds, passages, model_calls, tokens, usd, seconds } = ask.budget;
        assert_eq!((rounds, passages, model_calls), (Some(3), Some(40), Some(7)));
        assert_eq!((tokens, usd, seconds), (None, None, None));
        assert_eq!((ask.hypotheses, ask.critique, ask.memory), (Some(false), None, Some(false)));
        let (_, problem) = asked(&pairs(&[("rounds", "two")]), true);
        assert!(problem.unwrap().cause.contains("rounds"));
    }
}
