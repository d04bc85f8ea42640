use super::*;
use crate::web::run::fixture::{hostile, long, rich};
use elenchus_core::answer::Unestablished;
use elenchus_core::belief::Assessment;
use elenchus_core::graph::{Freshness, Lead, RecalledMemo, RecalledSource, SavedNote};
use elenchus_core::id::{GapId, HypothesisId, MemoId, RunId, SourceId, Timestamp};
use elenchus_core::inquiry::gap::GapReason;
use elenchus_core::inquiry::{Control, Elsewhere, StopReason, Tested};
use elenchus_core::port::Usage;
use elenchus_core::prompt::FactRole;
use elenchus_core::scrutiny::challenge::{Answered, Challenge, Ruling};
use elenchus_core::scrutiny::critique::Critique;
use elenchus_core::trace::{Envelope, TraceEvent};

fn projection(trace: &[Envelope]) -> Projection {
    Projection::of(trace).expect("a run has a first event")
}

fn with<T>(shown: &Projection, look: impl FnOnce(&Sight<'_>) -> T) -> T {
    let feedback = BTreeMap::new();
    let judged = BTreeMap::from([("c1".to_owned(), "right".to_owned())]);
    look(&Sight {
        shown,
        driven: !shown.is_over(),
        waits: "a search",
        feedback: &feedback,
        judged: &judged,
        exports: &[],
        linked: &[],
    })
}

fn pages(shown: &Projection) -> Vec<(String, String)> {
    let layouts = Layout::ALL.map(|layout| Asked { view: View::Trace, layout, ..Asked::default() });
    let views = View::ALL.map(|view| Asked { view, ..Asked::default() });
    with(shown, |sight| {
        views.iter().chain(&layouts).map(|asked| (asked.query(), show(sight, asked).0)).collect()
    })
}

#[test]
fn every_view_of_every_prefix_can_be_shown() {
    let trace = rich().trace;
    for end in (1..=trace.len()).step_by(3).chain([trace.len()]) {
        let shown = projection(&trace[..end]);
        for (query, page) in pages(&shown) {
            assert!(page.contains("<h1>") && page.ends_with("</html>"), "{query} after {end}");
        }
    }
}

#[test]
fn a_whole_run_shows_what_it_holds() {
    let mut shown = projection(&rich().trace);
    shown.insights.push(fixture::insight());
    let pages: BTreeMap<String, String> = pages(&shown).into_iter().collect();
    let answer = &pages["?view=answer"];
    let told = shown.answer.as_ref().unwrap();
    assert!(answer.contains("format=jsonl\">Trace (JSONL)</a>"), "{answer}");
    for claim in &told.claims {
        assert!(
            answer.contains(&format!("href=\"#card-{}\"", claim.id)),
            "{} is marked in the text",
            claim.id
        );
        assert!(answer.contains(&format!("id=\"card-{}\"", claim.id)), "{} has a card", claim.id);
    }
    for gap in &told.could_not_establish {
        assert!(answer.contains(gap.reason.because()), "{gap:?}");
    }
    assert!(answer.contains("/source/1?from="));
    assert!(
        answer.contains("value=\"right\" aria-pressed=\"true\""),
        "what was said of c1 is shown"
    );
    assert_eq!(answer.matches("value=\"forget\"").count(), 1, "only that can be taken back");
    assert!(
        pages["?view=trace"].contains("Planning action")
            && pages["?view=trace"].contains("Challenge")
    );
    assert!(
        pages["?view=gaps"].contains("Round 1") && pages["?view=gaps"].contains("What was tried")
    );
    let board = &pages["?view=hypotheses"];
    assert!(
        shown.hypotheses.len() == 3 && board.matches("<article").count() >= 4,
        "three cards and the run"
    );
    // The heading always stands; this only where two lenses part over something.
    assert!(pages["?view=perspectives"].contains("lenses part here"));
    assert!(pages["?view=critique"].contains("hasty generalisation"));
    assert!(pages["?view=insights"].contains("Save to notes"));
    assert!(pages["?view=cost"].contains("went to the model <strong>scripted:world</strong>"));
    assert!(!pages["?view=cost"].contains("Nothing.") && !answer.contains("nothing left"));
    shown.model = "builtin:extractive".to_owned();
    let local =
        with(&shown, |sight| show(sight, &Asked { view: View::Cost, ..Asked::default() }).0);
    assert!(local.contains("Nothing.") && local.contains("nothing left this machine"));
}

#[test]
fn meters_tell_what_a_run_under_way_comes_to() {
    let trace = rich().trace;
    let round_ended = |one: &Envelope| matches!(one.event, TraceEvent::RoundCompleted { .. });
    let at = trace.iter().position(round_ended).unwrap();
    let page = |trace: &[Envelope]| {
        with(&projection(trace), |sight| {
            show(sight, &Asked { view: View::Cost, ..Asked::default() }).0
        })
    };
    assert!(page(&trace[..=at]).contains("If all rounds are used"));
    assert!(!page(&trace[..at]).contains("If all rounds"), "no round has ended");
    assert!(!page(&trace).contains("If all rounds"), "it is over");
}

#[test]
fn an_insight_ended_in_a_report_that_holds_it() {
    let trace = rich().trace;
    let mut shown = projection(&trace);
    let last = trace.into_iter().next_back().unwrap();
    let event = TraceEvent::InsightDetected { insight: Box::new(fixture::insight()) };
    shown.apply(&Envelope { seq: last.seq + 1, event, ..last });
    let page = |shown: &Projection, exports: &[String]| {
        let (feedback, judged) = (BTreeMap::new(), BTreeMap::new());
        let sight = Sight {
            shown,
            driven: false,
            waits: "",
            feedback: &feedback,
            judged: &judged,
            exports,
            linked: &[],
        };
        show(&sight, &Asked { view: View::Insights, ..Asked::default() }).0
    };
    let formats = ["bibtex", "md"].map(str::to_owned);
    assert!(page(&shown, &[]).contains("What was noticed when"));
    assert!(!page(&shown, &formats).contains("ended in"), "the answer does not tell it");
    if let Some(answer) = &mut shown.answer {
        answer.insights.push(fixture::insight());
    }
    assert!(page(&shown, &formats).contains("ended in an export (md)"));
    assert!(!page(&shown, &formats[..1]).contains("ended in"), "sources alone were taken out");
}

#[test]
fn what_a_run_noted_that_it_sends_is_told_and_not_guessed() {
    let mut shown = projection(&rich().trace);
    let page = |shown: &Projection| {
        with(shown, |sight| show(sight, &Asked { view: View::Cost, ..Asked::default() }).0)
    };
    // A language model of this machine is no place elsewhere.
    shown.model = "ollama:small".to_owned();
    assert!(page(&shown).contains("prompts went to ollama:small"), "of this run no place is known");
    // Somebody goes on with it by other settings.
    let sent = |sent: &str, to: &str| Elsewhere { sent: sent.to_owned(), to: to.to_owned() };
    let (mut resumed, last) = (shown.clone(), rich().trace.into_iter().next_back().unwrap());
    let event = TraceEvent::BudgetUpdated {
        rounds: 1,
        passages: 1,
        model_calls: 1,
        usage: Usage::default(),
        elsewhere: vec![sent("passages", "https://a.example")],
    };
    for seq in 1..=2 {
        resumed.apply(&Envelope { seq: last.seq + seq, event: event.clone(), ..last.clone() });
    }
    assert_eq!(resumed.options.elsewhere, None, "what it sent before is not made up");
    let both = page(&resumed);
    assert!(both.contains("prompts went to ollama:small"), "{both}");
    assert!(both.contains("passages: to <strong>https://a.example"), "{both}");
    assert_eq!(both.matches("sent to https://a.example").count(), 1, "{both}");
    shown.options.elsewhere = Some(Vec::new());
    let here = page(&shown);
    assert!(
        here.contains("nothing left this machine") && here.contains("(ollama:small)"),
        "{here}"
    );
    // With the built-in model something may leave all the same: texts that are embedded or judged.
    shown.model = "builtin:extractive".to_owned();
    shown.options.elsewhere = Some(vec![
        sent("passages and searches", "https://a.example"),
        sent("what is learned and recalled", "https://a.example"),
    ]);
    let away = page(&shown);
    assert!(!away.contains("nothing left") && !away.contains("Nothing."), "{away}");
    assert_eq!(away.matches("sent to https://a.example").count(), 1, "{away}");
    assert!(away.contains("passages and searches: to <strong>https://a.example"), "{away}");
}

#[test]
fn a_run_that_tests_an_explanation_leads_to_the_run_that_had_it() {
    let mut shown = projection(&rich().trace);
    let head = |shown: &Projection| with(shown, |sight| show(sight, &Asked::default()).0);
    assert!(!head(&shown).contains("begun to test"));
    let hypothesis = Some(HypothesisId::from("h2"));
    shown.options.to_test = vec!["Boats <b>wait</b>.".to_owned()];
    shown.options.tested = Some(Tested { parent: RunId::from("run_parent"), hypothesis });
    let page = head(&shown);
    assert!(page.contains("begun to test"), "{page}");
    assert!(page.contains("href=\"/research/run_parent?view=hypotheses#h2\""), "{page}");
    assert!(page.contains("Boats &lt;b&gt;wait&lt;/b&gt;."), "{page}");
}

#[test]
fn of_moves_as_large_the_board_and_its_chart_name_the_same() {
    let mut shown = projection(&rich().trace);
    let told = shown.answer.as_mut().unwrap();
    assert!(told.hypotheses.len() > 1);
    for one in &mut told.hypotheses {
        let moved = serde_json::json!({"round": 1, "passage_id": "src_1#1", "location": "gauge.md",
            "log_odds": 1.0, "before": 0.5, "after": 0.73});
        one.history = vec![serde_json::from_value(moved).unwrap()];
    }
    let first = told.hypotheses[0].id.clone();
    let asked = Asked { view: View::Hypotheses, ..Asked::default() };
    let page = with(&shown, |sight| show(sight, &asked).0);
    assert!(page.contains(&format!(" moved <code>{first}</code> from")), "{page}");
    assert!(page.contains(&format!("which moved {first} by +1.00")), "{page}");
}

#[test]
fn memos_that_a_run_was_told_are_shown_as_leads_and_as_text() {
    let mut shown = projection(&rich().trace);
    let page = |shown: &Projection| {
        with(shown, |sight| show(sight, &Asked { view: View::Cost, ..Asked::default() }).0)
    };
    assert!(!page(&shown).contains("What earlier runs had found"));
    let source = |path: &str, freshness| RecalledSource {
        lead: Lead {
            path: path.to_owned(),
            source_id: SourceId::from_path(path),
            content_hash: String::new(),
            queries: vec![],
            web: false,
        },
        freshness,
    };
    shown.memos = vec![RecalledMemo {
        id: MemoId::from("memo_1"),
        run_id: RunId::from("run_0"),
        title: "<script>How high</script> is the tide?".to_owned(),
        kept_at: Timestamp(1),
        fit: 0.9,
        sources: vec![
            source("tides.md", Freshness::Unchanged),
            source("<b>old.md", Freshness::Changed),
        ],
        given_up: vec![],
        noted: Some(SavedNote {
            of: "It is <i>high</i>.".to_owned(),
            said: "wrong".to_owned(),
            note: "the gauge says 5".to_owned(),
        }),
    }];
    let told = page(&shown);
    assert!(told.contains("tides.md: as it was") && told.contains("changed since, not used"));
    assert!(told.contains("&lt;script&gt;How high") && !told.contains("<b>old.md"));
    assert!(told.contains("the gauge says 5") && told.contains("&lt;i&gt;high"), "{told}");
}

#[test]
fn a_run_that_was_only_challenged_is_not_said_to_be_faultless() {
    let mut shown = projection(&rich().trace);
    let page = |shown: &Projection| {
        with(shown, |sight| show(sight, &Asked { view: View::Critique, ..Asked::default() }).0)
    };
    let critic = Some("scripted:world".to_owned());
    let mut critique = Critique { critic, ..Critique::default() };
    shown.critique = Some(Box::new(critique.clone()));
    assert!(page(&shown).contains("Nothing was found against it."));
    critique.critic = None;
    let challenge = Challenge {
        parent: None,
        event_id: 3,
        step: None,
        basis: vec![],
        text: "Is that so?".to_owned(),
    };
    critique.challenges = vec![Answered { challenge, ruling: Ruling::Open, reply: None }];
    shown.critique = Some(Box::new(critique));
    let told = page(&shown);
    assert!(!told.contains("Nothing was found against it."));
    assert!(told.contains("Nobody was asked") && told.contains("Is that so?"));
}

#[test]
fn what_was_measured_without_a_model_is_shown_with_what_can_be_done() {
    let mut shown = projection(&rich().trace);
    let page = |shown: &Projection| {
        with(shown, |sight| show(sight, &Asked { view: View::Critique, ..Asked::default() }).0)
    };
    let critique = serde_json::json!({"quality": 85, "findings": [
        {"id": "x1", "kind": "open_part", "severity": "important", "by": "code", "text": "A part stays <b>open</b>.",
         "measured": {"datum": "parts: 1 of 2", "claims": ["c1"], "next_step": "Ask for it alone."}}]});
    shown.critique = Some(serde_json::from_value(critique).expect("it is a critique"));
    let told = page(&shown);
    for part in [
        "85 of 100",
        "open part",
        "no model was asked",
        "parts: 1 of 2",
        "Ask for it alone.",
        "#card-c1",
    ] {
        assert!(told.contains(part), "no {part:?} in {told}");
    }
    assert!(!told.contains("<b>open"), "{told}");
    shown.critique = None;
    assert!(!page(&shown).contains("nothing that the program measured"));
    shown.options.measured_critique = Some(true);
    assert!(page(&shown).contains("nothing that the program measured speaks against it"));
}

#[test]
fn the_overall_figure_says_what_it_is_of() {
    let mut shown = projection(&rich().trace);
    let page = |shown: &Projection| {
        with(shown, |sight| show(sight, &Asked { view: View::Confidence, ..Asked::default() }).0)
    };
    let told = page(&shown);
    assert!(told.contains("What is this a figure of?") && told.contains("of what answers"));
    let answer = shown.answer.as_mut().unwrap();
    let first = *answer.counted_claims().first().unwrap();
    answer.claims[first].role = FactRole::Context;
    assert!(page(&shown).contains("it answers nothing"));
    let answer = shown.answer.as_mut().unwrap();
    for claim in &mut answer.claims {
        claim.role = FactRole::Context;
    }
    answer.confidence.as_mut().unwrap().assessment = Assessment::NotAssessable;
    let told = page(&shown);
    assert!(told.contains("Not assessable") && told.contains("Of nothing:"));
    assert!(!told.contains("of what answers"));
}

#[test]
fn what_only_came_nearest_is_shown_without_a_figure() {
    let mut shown = projection(&rich().trace);
    let answer = shown.answer.as_mut().unwrap();
    answer.could_not_establish.push(Unestablished {
        gap_id: GapId::from("g9"),
        description: "How far does it rise?".to_owned(),
        reason: GapReason::Attempts,
        cause: None,
        attempts: 1,
        queries: Vec::new(),
        nearest: answer.claims.iter().map(|claim| claim.id.clone()).collect(),
    });
    for claim in &mut answer.claims {
        claim.role = FactRole::Context;
    }
    answer.confidence.as_mut().unwrap().assessment = Assessment::NotAssessable;
    let tree = Asked { view: View::Trace, layout: Layout::Tree, ..Asked::default() };
    let views = [View::Answer, View::Confidence].map(|view| Asked { view, ..Asked::default() });
    for asked in views.iter().chain([&tree]) {
        let told = with(&shown, |sight| show(sight, asked).0);
        assert!(told.contains(">does not answer</span>"), "{}", asked.query());
        for figure in ["(95 % interval", "Why this number?"] {
            assert!(!told.contains(figure), "{figure} in {}", asked.query());
        }
    }
}

#[test]
fn a_warning_of_a_fallacy_stands_at_its_statement() {
    let mut shown = projection(&rich().trace);
    let page = |shown: &Projection, view| {
        with(shown, |sight| show(sight, &Asked { view, ..Asked::default() }).0)
    };
    assert!(!page(&shown, View::Answer).contains("Warnings about the reasoning"));
    let answer = shown.answer.as_mut().unwrap();
    let (claim, one) = (answer.claims[0].id.clone(), answer.evidence[0].clone());
    let warning = serde_json::json!({
        "id": "w1", "fallacy": "slippery_slope", "name": "slippery slope", "place": "quote", "claim_id": claim,
        "evidence": 0, "citation": one.citation, "source_id": one.source_id, "passage_id": one.passage_id,
        "passage_span": {"start": 0, "end": 3}, "span": {"start": 0, "end": 3}, "words": "If <b>", "question": "Is it?",
        "probability": 0.85, "calibrated": false, "because": "the words follow the pattern",
    });
    answer.fallacy_warnings = vec![serde_json::from_value(warning).unwrap()];
    let told = page(&shown, View::Answer);
    assert!(told.contains("Warnings about the reasoning") && !told.contains("<b>"));
    assert_eq!(told.matches("<strong>slippery slope</strong>").count(), 2, "at the card and below");
    assert!(told.contains("Behind it: "), "a figure says what is behind it");
    let tree = Asked { view: View::Trace, layout: Layout::Tree, ..Asked::default() };
    assert!(with(&shown, |sight| show(sight, &tree).0).contains("slippery slope"));
}

#[test]
fn the_form_of_the_plan_holds_what_a_redirect_asked_for() {
    let trace = rich().trace;
    let is_plan = |one: &Envelope| matches!(one.event, TraceEvent::PlanningCompleted { .. });
    let planned = trace.iter().position(is_plan).unwrap();
    let form = |end: usize| {
        let mut events = trace[..end].to_vec();
        let mut told = events[end - 1].clone();
        told.seq += 1;
        let focus = Some(" Where do the\nboats wait? ".to_owned());
        told.event =
            TraceEvent::ControlReceived(Control::Redirect { focus, exclude: vec![], only: vec![] });
        events.push(told);
        let shown = projection(&events);
        let page = with(&shown, |sight| show(sight, &Asked::default()).0);
        page.split_once("name=\"questions\"").map(|(_, form)| form.to_owned())
    };
    let after = form(planned + 1).unwrap();
    assert!(after.split("</textarea>").next().unwrap().contains("\nWhere do the boats wait?\n"));
    // Before there is a plan, an edit would take the place of the whole of it.
    assert_eq!(form(planned), None);
}

#[test]
fn limits_are_offered_under_way_and_past_the_end_that_one_made() {
    let trace = rich().trace;
    let page = |shown: &Projection| with(shown, |sight| show(sight, &Asked::default()).0);
    let is_round = |one: &Envelope| matches!(one.event, TraceEvent::RoundStarted { .. });
    let begun = trace.iter().position(is_round).unwrap();
    let mut under_way = projection(&trace[..=begun]);
    under_way.options.budget.tokens = Some(9_000);
    let shown = page(&under_way);
    let passages = under_way.options.budget.passages;
    for part in [
        "name=\"control\" value=\"set_budget\"".to_owned(),
        format!("placeholder=\"{passages}\""),
        "placeholder=\"9000\"".to_owned(),
        "Set the limits".to_owned(),
    ] {
        assert!(shown.contains(&part), "{part}: {shown}");
    }
    let mut over = projection(&trace);
    for (reason, offers) in [
        (StopReason::BudgetRounds, true),
        (StopReason::BudgetPassages, true),
        (StopReason::Answered, false),
        (StopReason::Interrupted, false),
    ] {
        over.stop_reason = Some(reason);
        assert_eq!(page(&over).contains("Go on with other limits"), offers, "{reason:?}");
    }
}

/// No text of a document, a question or a path is markup, and no page holds what the content policy would refuse.
#[test]
fn nothing_that_was_read_is_obeyed() {
    for shown in [projection(&hostile().trace), projection(&rich().trace)] {
        for (query, page) in pages(&shown) {
            let lower = page.to_lowercase();
            for forbidden in [
                "<img",
                "<svg/",
                "<b ",
                "style=",
                "href=\"javascript",
                "http://",
                "<script>",
                "<iframe",
            ] {
                let harmless = lower.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
                assert!(!harmless.contains(forbidden), "{query}: {forbidden}");
            }
            for attribute in ["onerror", "onload", "onmouseover", "onclick"] {
                for (at, _) in lower.match_indices(attribute) {
                    let open = lower[..at].rfind('<').unwrap();
                    let close = lower[..at].rfind('>').unwrap_or(0);
                    assert!(
                        close > open || in_quotes(&lower[open..at]),
                        "{query}: {}",
                        &lower[open..at + 20]
                    );
                }
            }
        }
    }
}

/// Whether the end of an element's beginning lies in the value of an attribute.
fn in_quotes(element: &str) -> bool {
    element.matches('"').count() % 2 == 1
}

#[test]
fn only_what_changed_is_sent_again() {
    let trace = rich().trace;
    let shown = projection(&trace);
    let asked = Asked::default();
    with(&shown, |sight| {
        let all = changed(sight, &asked, &BTreeMap::new());
        assert_eq!(all.len(), View::Answer.pieces().len());
        let have: BTreeMap<String, String> =
            all.iter().map(|piece| (piece.name.to_owned(), piece.mark.clone())).collect();
        assert!(changed(sight, &asked, &have).is_empty());
        assert!(piece(sight, &asked, "nothing").is_none());
    });
}

#[test]
fn queries_survive_being_written() {
    let asked = Asked {
        view: View::Trace,
        layout: Layout::Tree,
        q: "a b&c=d".to_owned(),
        kind: Some(StepKind::Gap),
        page: Some(3),
        at: Some(7),
        insight: Some("pattern".to_owned()),
        log_odds: true,
    };
    let query = asked.query().replace("%20", " ").replace("%26", "\u{1}").replace("%3D", "=");
    let pairs: Vec<(String, String)> = query[1..]
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(key, value)| (key.to_owned(), value.replace('\u{1}', "&")))
        .collect();
    assert_eq!(Asked::of(pairs.iter().map(|(key, value)| (key.as_str(), value.as_str()))), asked);
    assert_eq!(
        Asked::of([("view", "nonsense"), ("page", "0"), ("at", "-1"), ("x", "y")]),
        Asked::default()
    );
}

#[test]
fn a_search_finds_the_page_of_a_step() {
    let shown = projection(&long(1_000));
    assert!(shown.steps.len() >= 1_000);
    with(&shown, |sight| {
        let at = log::Found::of(&sight.shown.steps, &Asked { at: Some(777), ..Asked::default() });
        let html =
            piece(sight, &Asked { view: View::Trace, at: Some(777), ..Asked::default() }, "trace")
                .unwrap()
                .html;
        assert!(at.pages > 3 && html.contains("id=\"e777\""));
        let none = log::Found::of(
            &sight.shown.steps,
            &Asked { q: "zzzz qqqq".to_owned(), ..Asked::default() },
        );
        assert_eq!((none.steps.len(), none.page, none.pages), (0, 1, 1));
    });
}

/// Writes the pages of the fixtures as files, to be looked at in a browser: `cargo test -p elenchus-server --lib pages_as_files -- --ignored`.
#[test]
#[ignore = "for looking at: writes files into the target folder"]
fn pages_as_files() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/web-pages");
    std::fs::create_dir_all(&folder).unwrap();
    let whole = rich().trace;
    let mut told = projection(&whole);
    told.insights.push(fixture::insight());
    let half = projection(&whole[..whole.len() / 2]);
    for (name, shown) in [
        ("rich", told),
        ("half", half),
        ("hostile", projection(&hostile().trace)),
        ("long", projection(&long(10_000))),
    ] {
        for (query, page) in pages(&shown) {
            let query = query.replace(['?', '='], "-").replace('&', "-");
            std::fs::write(folder.join(format!("{name}{query}.html")), page).unwrap();
        }
    }
}

#[test]
fn every_quote_is_marked_in_its_stored_source() {
    use crate::web::source::{self, Marked};
    let driven = rich();
    let shown = projection(&driven.trace);
    let answer = shown.answer.as_ref().unwrap();
    assert!(answer.evidence.len() >= 2);
    for evidence in &answer.evidence {
        let read =
            source::read(&driven.journal, &evidence.source_id).expect("what is quoted was read");
        assert!(!read.content_hash.is_empty() && read.title != read.path, "{read:?}");
        let Marked { from, to } =
            Marked { from: evidence.document_span.start, to: evidence.document_span.end };
        let page = with(&shown, |sight| {
            source::show(sight, evidence.citation, &read, Some(Marked { from, to }))
        })
        .0;
        let start = page.find("<mark class=\"quoted\"").expect("the quote is marked");
        let marked = page[start..].split('>').nth(1).unwrap().split('<').next().unwrap();
        assert_eq!(marked, html! { (evidence.quote) }.0);
        assert!(page.contains("Quote found."));
        let nowhere = with(&shown, |sight| {
            source::show(sight, evidence.citation, &read, Some(Marked { from: 90_000, to: 90_010 }))
        })
        .0;
        assert!(nowhere.contains("not among the passages"));
    }
    assert_eq!(source::read(&driven.journal, &"nothing".into()), None);
}

/// The figures of issue 7 for a run of 10,000 events: its page within a second, a search within 100 ms.
/// `cargo test -p elenchus-server --lib ten_thousand -- --nocapture` tells what it took.
#[test]
fn ten_thousand_events_are_quick() {
    let shown = projection(&long(10_000));
    assert!(shown.steps.len() >= 10_000);
    let took = |asked: &Asked| {
        let start = std::time::Instant::now();
        let page = with(&shown, |sight| show(sight, asked).0);
        (start.elapsed(), page.len())
    };
    let trace = Asked { view: View::Trace, ..Asked::default() };
    let (open, bytes) = took(&trace);
    let (search, _) = took(&Asked { q: "gauge spring".to_owned(), ..trace.clone() });
    let (nothing, _) = took(&Asked { q: "nowhere at all".to_owned(), ..trace });
    eprintln!(
        "{} steps: opened in {open:?} ({bytes} bytes), searched in {search:?} and {nothing:?}",
        shown.steps.len()
    );
    assert!(open.as_millis() < 1_000, "{open:?}");
    assert!(search.as_millis() < 100 && nothing.as_millis() < 100, "{search:?} {nothing:?}");
}
