//! The screens as text, and what no sequence of keys, sizes and events may do.

mod facts;
mod keys;
mod mouse;
mod plan;
mod screens;

use super::app::{App, Message};
use super::view;
use elenchus_core::bank::{Draft, Origin, Outcome, Scope, Standing, Strategy};
use elenchus_core::id::{StrategyId, Timestamp};
use elenchus_core::port::{Held, RunSummary, Stats};
use elenchus_core::text::is_invisible;
use elenchus_core::trace::{Envelope, RevisionShown, TraceEvent};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use serde_json::{Value, json};

/// A run of the built-in model over `examples/harbor`.
const SAMPLE: &str = include_str!("sample.jsonl");

/// The events of the sample with some that only a language model brings (written by hand).
fn events() -> Vec<Envelope> {
    let mut events: Vec<Envelope> = SAMPLE
        .lines()
        .map(|line| serde_json::from_str(line).expect("the sample is a trace"))
        .collect();
    let at = |events: &[Envelope], round: u8| {
        events
            .iter()
            .position(|one| {
                matches!(&one.event, TraceEvent::RoundCompleted { round: done, .. } if *done == round)
            })
            .expect("the sample has that round")
    };
    let named = json!({"hypotheses": [
        {"id": "h1", "claim": "The grid connection limits the array to 5.6 MW.", "prior": "likely", "confidence": 0.6,
         "queries_for": ["grid limit"], "queries_against": ["spare grid capacity"]},
        {"id": "h2", "claim": "The figure counts turbines that are not installed yet.", "prior": "unlikely",
         "confidence": 0.3, "queries_for": ["planned turbines"], "queries_against": ["commissioned turbines"]}]});
    let moved = |id: &str, round: u8, before: f64, after: f64, status: &str| {
        json!({"test": {"hypothesis_id": id, "round": round, "queries": ["grid limit"], "passages": 5,
               "evidence_for": if after > before { json!(["src_a#1", "src_b#2"]) } else { json!([]) },
               "evidence_against": if after < before { json!(["src_c#0"]) } else { json!([]) },
               "before": before, "after": after}, "status": status})
    };
    let put = |events: &mut Vec<Envelope>, place: usize, kind: &str, data: Value| {
        let mut made = events[place].clone();
        made.event = serde_json::from_value(json!({"type": kind, "data": data}))
            .expect("the event is written as it should be");
        events.insert(place, made);
    };
    put(&mut events, 12, "hypotheses_generated", named);
    let place = at(&events, 1);
    put(&mut events, place, "hypothesis_updated", moved("h2", 1, 0.3, 0.12, "active"));
    put(&mut events, place, "hypothesis_updated", moved("h1", 1, 0.6, 0.74, "active"));
    let place = at(&events, 2);
    put(&mut events, place, "hypothesis_updated", moved("h2", 2, 0.12, 0.04, "refuted"));
    put(&mut events, place, "hypothesis_updated", moved("h1", 2, 0.74, 0.91, "confirmed"));
    put(
        &mut events,
        place,
        "contradiction_found",
        json!({"question_id": 1, "passages": ["src_a#1", "src_c#0"],
               "summary": "one report counts 5.6 MW, an older one 4.2 MW"}),
    );
    let last = events.len() - 2;
    put(
        &mut events,
        last,
        "insight_detected",
        json!({"insight": {"id": "i1", "type": "cross_ref",
               "description": "The turbine table and the fishing agreement name the same two closure weeks.",
               "worded_by": "program", "rule": "two sources that share no author", "supporting": [
               {"passage_id": "src_a#1", "source_id": "src_a", "cluster": "src_a", "path": "operations/turbines.csv",
                "title": "Turbines", "location": "operations/turbines.csv, row 4",
                "quote": "T4; out of service 3 to 16 May", "span": {"start": 0, "end": 10}}],
               "novelty": 0.83, "explained": {"what": "novelty", "value": 0.83, "rule": "1 - meetings / expected",
               "inputs": [{"name": "meetings", "value": 1.0}]}}}),
    );
    for (event, seq) in events.iter_mut().zip(1..) {
        event.seq = seq;
    }
    events
}

/// The same run, asked with its plan to be looked at first, as far as the plan.
pub(super) fn reviewed() -> Vec<Envelope> {
    let mut events = events();
    if let TraceEvent::SessionStarted { options, .. } = &mut events[0].event {
        options.review_plan = true;
    }
    let plan = before(&events, |event| matches!(event, TraceEvent::PlanningCompleted { .. }));
    events.truncate(plan + 1);
    events
}

/// The run in its first search.
pub(super) fn driven_events() -> Vec<Envelope> {
    let mut events = events();
    events.truncate(40);
    events
}

/// The place just before the first event of a kind.
fn before(events: &[Envelope], is: impl Fn(&TraceEvent) -> bool) -> usize {
    events.iter().position(|one| is(&one.event)).expect("the sample has such an event")
}

/// A run that is driven and has come so far.
fn driven(events: &[Envelope], size: (u16, u16)) -> App {
    let now = events.last().map_or(0, |last| last.at.0 + 1_200);
    let mut app = App::new(size, true, GROUND.to_owned(), now);
    app.typing = None;
    app.update(Message::Began(events[0].run_id.clone()));
    for event in events {
        app.update(Message::Event(Box::new(event.clone())));
    }
    app
}

/// The run of the sample, over.
fn over(size: (u16, u16)) -> App {
    let mut app = driven(&events(), size);
    app.update(Message::Ended(Ok("run_f448c370bb9b (gaps_abandoned) after 1.1 s".to_owned())));
    app.update(Message::Runs(runs()));
    app.update(Message::Memories(memories(), stats()));
    app
}

/// The run of the sample, seen through two lenses and criticised (written by hand: that takes a language model).
fn discussed(size: (u16, u16)) -> App {
    let mut app = over(size);
    let point = |id: &str, statement: &str, stance: &str, path: &str| {
        json!({"id": id, "statement": statement, "stance": stance, "verdict": "entailed", "reasoning": "its words",
               "quotes": [{"fact_id": "f1", "source_id": "src_a", "path": path, "location": format!("{path}, Limits"),
                           "passage_id": "src_a#1", "quote": "The cable carries 5.6 MW.", "span": {"start": 0, "end": 25}}]})
    };
    let view = |lens: &str, name: &str, points: Value| {
        json!({"lens": lens, "name": name, "stance": "Looks so.", "points": points, "would_change": "A newer survey.",
               "facts": ["f1"], "evidence_share": 0.5})
    };
    let seen = json!({
        "views": [
            view("skeptical", "Skeptical", json!([point("v1", "The figure is a plan.", "opposes", "grid.md")])),
            view("neutral", "Neutral", json!([point("v2", "The figure is measured.", "supports", "log.md")]))],
        "consensus": [],
        "tensions": [{"points": ["v1", "v2"], "lenses": ["skeptical", "neutral"], "facts": ["f1"], "claims": ["c1"],
                      "why": "Whether it was measured."}],
        "unique": [], "overlap": [],
        "meta_analysis": [{"text": "Ask who measured it.", "points": ["v1", "v2"]}],
        "not_done": ["one lens did not answer"]});
    let critique = json!({
        "quality": 82, "grade": "B", "critic": "a model", "bias": {"h1": 0.75},
        "leans": "towards the newest report", "alternatives": ["It may be peak output."],
        "findings": [
            {"id": "x1", "kind": "weak_citation", "severity": "important", "by": "code", "claim_id": "c1",
             "text": "One source alone says so."},
            {"id": "x2", "kind": "fallacy", "severity": "minor", "by": "model", "text": "It appeals to the many.",
             "words": "everyone knows"}],
        "challenges": [{"event_id": 12, "text": "Why not the older one?", "ruling": "rejected",
                        "reply": "It was superseded."}]});
    let run = app.run.as_mut().expect("a run is shown");
    run.critique = Some(serde_json::from_value(critique).expect("it is a critique"));
    run.revision = Some(RevisionShown {
        kept: false,
        applied: 1,
        dropped: 2,
        explanation: "The revised answer is no better.".to_owned(),
    });
    let answer = run.answer.as_mut().expect("it has an answer");
    answer.perspectives = Some(serde_json::from_value(seen).expect("they are perspectives"));
    app
}

const GROUND: &str =
    "Searched is examples/harbor; the built-in model thinks, and nothing leaves this machine.";

fn runs() -> Vec<RunSummary> {
    let run = |id: &str, question: &str, status: &str, stop: Option<&str>| RunSummary {
        run_id: id.into(),
        question: question.to_owned(),
        started_at: Timestamp(1_795_374_759_000),
        updated_at: Timestamp(1_795_374_762_000),
        status: status.to_owned(),
        stop_reason: stop.map(str::to_owned),
        records: 40,
        events: 124,
        held_until: None,
        put_back: None,
    };
    vec![
        run(
            "run_f448c370bb9b",
            "What is the installed capacity?",
            "finished",
            Some("gaps_abandoned"),
        ),
        run("run_0123456789ab", "Who repairs the turbines in winter?", "stopped", None),
        run("run_ba9876543210", "What caused the outage?", "interrupted", Some("interrupted")),
    ]
}

fn memories() -> Vec<Held> {
    let held = |id: &str, title: &str, confidence: f64, outcome, standing| Held {
        strategy: Strategy {
            id: StrategyId::from(id),
            draft: Draft {
                title: title.to_owned(),
                description: "Worked in runs over quarterly reports.".to_owned(),
                content: "Search for the indicator's name, not for the question.".to_owned(),
                outcome,
                tags: vec!["figures".to_owned()],
                scope: Scope::Project,
                origin: Origin::Explicit,
                source_session: Some("run_0123456789ab".to_owned()),
                lineage: vec![],
                from_web: false,
            },
            standing,
            actor: "local".to_owned(),
            created_at: Timestamp(1_795_374_000_000),
            edited_at: Timestamp(1_795_374_000_000),
        },
        confidence,
        interval: (confidence - 0.1, confidence + 0.1),
        posterior: None,
        calibrated: None,
        usage_count: 3,
        relevance: 0.0,
        exploration: false,
        far: false,
        ranked: None,
        lift: None,
    };
    let gone = Standing::Archived { at: Timestamp(1_795_374_000_000), reason: "no use".to_owned() };
    vec![
        held(
            "s1",
            "Indicators stand in the headline table",
            0.81,
            Outcome::Success,
            Standing::Active,
        ),
        held(
            "s2",
            "Costs of later phases are not published",
            0.62,
            Outcome::Failure,
            Standing::Active,
        ),
        held("s3", "Turbine numbers in the log", 0.31, Outcome::Success, gone),
    ]
}

fn stats() -> Stats {
    Stats { active: 2, avoid: 1, archived: 1, signals: [1, 9, 2, 3], ..Stats::default() }
}

/// The screen as text. Nothing that a terminal would obey stands in it.
fn screen(app: &App) -> String {
    let (width, height) = app.size();
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("it is memory");
    terminal
        .draw(|frame| {
            let cursor = view::draw(app, frame.buffer_mut());
            assert!(
                cursor.is_none_or(|(x, y)| x < width.max(1) && y < height.max(1)),
                "{cursor:?}"
            );
        })
        .expect("it is memory");
    let buffer = terminal.backend().buffer();
    assert!(
        !buffer.content.iter().any(|cell| cell.symbol().chars().any(is_invisible)),
        "an escape was to be drawn"
    );
    let lines: Vec<String> = (0..height)
        .map(|y| {
            let mut line = String::new();
            let mut hidden = 0;
            for x in 0..width {
                let symbol = buffer[(x, y)].symbol();
                if hidden == 0 {
                    line.push_str(symbol);
                    hidden = super::paint::columns(symbol).saturating_sub(1);
                } else {
                    hidden -= 1;
                }
            }
            line.trim_end().to_owned()
        })
        .collect();
    lines.join("\n")
}

fn press(app: &mut App, code: KeyCode) -> Option<super::Command> {
    app.update(Message::Key(KeyEvent::new(code, KeyModifiers::NONE)))
}

fn letters(app: &mut App, text: &str) -> Option<super::Command> {
    let mut last = None;
    for c in text.chars() {
        last = press(app, KeyCode::Char(c));
    }
    last
}

fn control(app: &mut App, c: char) -> Option<super::Command> {
    app.update(Message::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL)))
}

/// Where a text stands on the screen.
fn place_of(app: &App, text: &str) -> (u16, u16) {
    let shown = screen(app);
    let found = shown.lines().zip(0..).find_map(|(line, y)| {
        let x = super::paint::columns(&line[..line.find(text)?]);
        Some((u16::try_from(x).expect("it is on the screen"), y))
    });
    found.unwrap_or_else(|| panic!("no {text:?} on\n{shown}"))
}

fn point(app: &mut App, kind: MouseEventKind, (column, row): (u16, u16)) -> Option<super::Command> {
    app.update(Message::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }))
}

fn click(app: &mut App, place: (u16, u16)) -> Option<super::Command> {
    point(app, MouseEventKind::Down(MouseButton::Left), place)
}
