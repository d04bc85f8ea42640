//! Scenario files: a small world in Markdown, and the trace and answer that it must give.
//!
//! `ELENCHUS_BLESS=1` writes what is below `## Trace` anew. The format is told in `tests/scenarios/README.md`.

use crate::support::{Gate, memory, options, ports, settings};
use elenchus_core::answer::to_markdown;
use elenchus_core::id::{FactId, GapId, Timestamp};
use elenchus_core::inquiry::{
    Asking, ClarifyingAnswer, Control, LimitChanged, Options, Reflecting, StopReason,
};
use elenchus_core::port::{ModelFailure, Usage};
use elenchus_core::prompt::{ModelReply, parse as parse_reply};
use elenchus_core::scrutiny::critique::Grade;
use elenchus_core::testkit::{ManualClock, World, question_of};
use elenchus_core::trace::{Envelope, TraceEvent};
use elenchus_engine::{Engine, Ports};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A scenario as its file has it.
struct Scenario {
    question: String,
    options: Options,
    /// Path and text.
    documents: Vec<(String, String)>,
    /// What the model replies to a prompt; to one lens only, where a lens is named.
    replies: Vec<(Option<String>, ModelReply)>,
    /// What the model writes to a prompt, word for word: the first to the first call, the last to every later one.
    written: BTreeMap<String, Vec<String>>,
    /// Prompts that the model does not answer.
    mute: Vec<String>,
    blind: bool,
    /// How long the model thinks about each call, in milliseconds of the run's clock.
    thinks_ms: i64,
    /// Given while the effect of this number hangs.
    control: Option<(u32, Control)>,
    /// What the user says when asked back; `None` skips.
    answers: Option<Vec<ClarifyingAnswer>>,
    expected: String,
    /// Everything above the expectation.
    head: String,
}

/// Sections by their `## ` headings; headings inside fences are text.
fn sections(text: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        match line.strip_prefix("## ") {
            Some(heading) if !fenced => all.push((heading.trim().to_owned(), String::new())),
            _ => {
                if let Some((_, body)) = all.last_mut() {
                    body.push_str(line);
                    body.push('\n');
                }
            }
        }
    }
    all
}

/// "perspective skeptical": a prompt, and the lens that is meant.
fn about(named: &str) -> (String, Option<String>) {
    match named.split_once(' ') {
        Some((prompt, about)) => (prompt.to_owned(), Some(about.to_owned())),
        None => (named.to_owned(), None),
    }
}

fn parse(path: &Path) -> Scenario {
    let text = std::fs::read_to_string(path).unwrap();
    let head_end = text.find("\n## Trace").map_or(text.len(), |at| at + 1);
    let mut scenario = Scenario {
        question: String::new(),
        options: options(),
        documents: vec![],
        replies: vec![],
        written: BTreeMap::new(),
        mute: vec![],
        blind: false,
        thinks_ms: 0,
        control: None,
        answers: None,
        expected: text[head_end..].to_owned(),
        head: text[..head_end].trim_end().to_owned(),
    };
    for (heading, body) in sections(&text[..head_end]) {
        let body = body.trim();
        if let Some(path) = heading.strip_prefix("Document ") {
            scenario.documents.push((path.to_owned(), body.to_owned()));
            continue;
        }
        if let Some(prompt) = heading.strip_prefix("Reply ") {
            let (prompt, about) = about(prompt);
            let json = format!("{{\"prompt\": \"{prompt}\", \"output\": {body}}}");
            scenario.replies.push((about, serde_json::from_str(&json).unwrap()));
            continue;
        }
        if let Some(prompt) = heading.strip_prefix("Written ") {
            scenario.written.entry(prompt.to_owned()).or_default().push(body.to_owned());
            continue;
        }
        let pairs = || body.lines().filter_map(|line| line.strip_prefix("- ")?.split_once(": "));
        match heading.as_str() {
            "Question" => body.clone_into(&mut scenario.question),
            "Options" => {
                for (key, value) in pairs() {
                    let budget = &mut scenario.options.budget;
                    match key {
                        "rounds" => budget.rounds = value.parse().unwrap(),
                        "passages" => budget.passages = value.parse().unwrap(),
                        "model_calls" => budget.model_calls = Some(value.parse().unwrap()),
                        "tokens" => budget.tokens = Some(value.parse().unwrap()),
                        "cost_micro_usd" => budget.cost_micro_usd = Some(value.parse().unwrap()),
                        "seconds" => {
                            budget.wall_ms = Some(value.parse::<u64>().unwrap() * 1_000);
                        }
                        "hypotheses" => scenario.options.hypotheses = value == "yes",
                        "critique" => scenario.options.critique = value == "yes",
                        "fallacy_check" => scenario.options.fallacy_check = value == "yes",
                        "lenses" => {
                            scenario.options.lenses =
                                value.split(", ").map(str::to_owned).collect();
                        }
                        "clarify" => {
                            scenario.options.clarify =
                                if value == "always" { Asking::Always } else { Asking::Auto };
                        }
                        "reflection" => {
                            assert_eq!(value, "single-step", "{}", path.display());
                            scenario.options.reflection = Reflecting::SingleStep;
                        }
                        "insights" => scenario.options.insights = value == "yes",
                        "autonomous" => scenario.options.autonomous = value == "yes",
                        "pack" => value.clone_into(&mut scenario.options.pack),
                        "mode" => value.clone_into(&mut scenario.options.mode),
                        _ => panic!("{}: no option {key}", path.display()),
                    }
                }
            }
            "World" => {
                for (key, value) in pairs() {
                    match (key, value) {
                        ("searches", "find nothing") => scenario.blind = true,
                        ("model does not answer", prompts) => {
                            scenario.mute = prompts.split(", ").map(str::to_owned).collect();
                        }
                        ("a model call takes", time) => {
                            let seconds: i64 = time.strip_suffix(" s").unwrap().parse().unwrap();
                            scenario.thinks_ms = seconds * 1_000;
                        }
                        _ => panic!("{}: no world with {key}: {value}", path.display()),
                    }
                }
            }
            "Answers" => {
                let answer = |(question, said): (&str, &str)| ClarifyingAnswer {
                    question: question.parse().unwrap(),
                    choice: said.strip_prefix("choice ").map(|n| n.parse().unwrap()),
                    text: said.strip_prefix('"').map(|text| text.trim_end_matches('"').to_owned()),
                };
                scenario.answers = Some(pairs().map(answer).collect());
            }
            "Control" => {
                let (at, json) =
                    pairs().next().unwrap_or_else(|| panic!("{}: no control", path.display()));
                let at = at.strip_prefix("at effect ").unwrap().parse().unwrap();
                scenario.control =
                    Some((at, serde_json::from_str(json.trim_matches('`')).unwrap()));
            }
            _ => panic!("{}: no section {heading}", path.display()),
        }
    }
    scenario
}

fn world(scenario: &Scenario, clock: &Arc<ManualClock>) -> World {
    let start = if scenario.blind { World::nothing_ever() } else { World::new("scenario") };
    let world = scenario.documents.iter().fold(start, |world, (path, text)| {
        if Path::new(path).extension().is_some_and(|extension| extension == "tsv") {
            world.records(path, text)
        } else {
            world.document(path, text)
        }
    });
    let replies = scenario.replies.clone();
    let world = world.script(move |call| {
        let to = |(about, reply): &&(Option<String>, ModelReply)| {
            about.as_deref().is_none_or(|about| question_of(call) == about)
                && serde_json::to_value(reply).is_ok_and(|json| json["prompt"] == call.prompt())
        };
        replies.iter().find(to).map(|(_, reply)| Ok(reply.clone()))
    });
    let written = scenario.written.clone();
    let calls: Mutex<BTreeMap<String, usize>> = Mutex::default();
    let world = world.script(move |call| {
        let texts = written.get(call.prompt())?;
        let mut calls = calls.lock().unwrap();
        let call_before = calls.entry(call.prompt().to_owned()).or_insert(0);
        let text = texts.get(*call_before).or(texts.last())?;
        *call_before += 1;
        // Read as an adapter reads what a language model wrote; a text that says nothing is a failure.
        Some(parse_reply(call, text).reply.ok_or_else(|| ModelFailure {
            model: "scripted".to_owned(),
            attempted: format!("read the reply to {}", call.prompt()),
            cause: "it holds nothing that was asked for".to_owned(),
            permanent: false,
            usage: Usage::default(),
            reply: None,
        }))
    });
    let mute = scenario.mute.clone();
    let world = world.script(move |call| {
        let meant = |named: &String| {
            let (prompt, about) = about(named);
            prompt == call.prompt() && about.is_none_or(|about| question_of(call) == about)
        };
        mute.iter().any(meant).then(|| {
            Err(ModelFailure {
                model: "scripted".to_owned(),
                attempted: format!("answer {}", call.prompt()),
                cause: "it is mute".to_owned(),
                permanent: false,
                usage: Usage::default(),
                reply: None,
            })
        })
    });
    // Scripts are asked from the last on: this one sees every call, and answers none.
    let (clock, thinks_ms) = (Arc::clone(clock), scenario.thinks_ms);
    world.script(move |_| {
        clock.advance(thinks_ms);
        None
    })
}

/// One line an event.
fn line(event: &TraceEvent) -> String {
    match event {
        TraceEvent::SessionStarted { corpus, .. } => {
            format!("session_started: {} documents, {} passages", corpus.documents, corpus.passages)
        }
        TraceEvent::MemoryRecalled { memories, .. } => {
            let titles: Vec<&str> = memories.iter().map(|memory| memory.title.as_str()).collect();
            format!("memory_recalled: {}", titles.join(" | "))
        }
        TraceEvent::RuleOfTwo(rule) => format!("rule_of_two: {rule:?}"),
        TraceEvent::QueryWithheld(withheld) => format!("query_withheld: {}", withheld.query),
        TraceEvent::WebSearched { query, report } => {
            format!("web_searched: {query}: {} pages", report.pages.len())
        }
        TraceEvent::MemoryCredited(credit) => {
            format!("memory_credited: {}: {}", credit.memory_id, credit.because)
        }
        TraceEvent::MemosRecalled { memos } => {
            let titles: Vec<&str> = memos.iter().map(|memo| memo.title.as_str()).collect();
            format!("memos_recalled: {}", titles.join(" | "))
        }
        TraceEvent::ClarificationRequested { questions } => {
            let asked: Vec<String> = questions
                .iter()
                .map(|one| format!("{} ({})", one.text, one.choices.join(" / ")))
                .collect();
            format!("clarification_requested: {}", asked.join(" | "))
        }
        TraceEvent::PlanningStarted { .. } => "planning_started".to_owned(),
        TraceEvent::PlanningCompleted { questions, complexity, max_rounds, .. } => {
            let texts: Vec<&str> =
                questions.iter().map(|question| question.text.as_str()).collect();
            format!(
                "planning_completed: {complexity:?}, at most {max_rounds} rounds: {}",
                texts.join(" | ")
            )
        }
        TraceEvent::ReasoningThought(thought) => {
            format!("thought {}: {}", thought.id, thought.content)
        }
        TraceEvent::ReasoningAction(action) => {
            format!(
                "action {} ({}): {}; {}",
                action.id, action.tool, action.action, action.reasoning
            )
        }
        TraceEvent::ReplyRepaired { action_id, repairs } => {
            format!("reply_repaired {action_id}: {}", repairs.join("; "))
        }
        TraceEvent::ReasoningObservation(seen) => {
            format!("observation {}: {}; {}", seen.action_id, seen.result, seen.analysis)
        }
        TraceEvent::ReasoningConclusion(conclusion) => {
            format!("conclusion {}: {}", conclusion.id, conclusion.conclusion)
        }
        TraceEvent::HypothesesGenerated { hypotheses } => {
            let told: Vec<String> = hypotheses
                .iter()
                .map(|one| {
                    format!(
                        "{} {:.2} \"{}\" (for: {}; against: {})",
                        one.id,
                        one.confidence,
                        one.claim,
                        one.queries_for.join(", "),
                        one.queries_against.join(", ")
                    )
                })
                .collect();
            format!("hypotheses_generated: {}", told.join(" | "))
        }
        TraceEvent::HypothesisUpdated { test, status } => format!(
            "hypothesis_updated {}: {:.2} to {:.2}, {}; {} passages, {} for, {} against{}",
            test.hypothesis_id,
            test.before,
            test.after,
            status.name(),
            test.passages,
            test.evidence_for.len(),
            test.evidence_against.len(),
            if test.queries.is_empty() {
                String::new()
            } else {
                format!("; searched: {}", test.queries.join(" | "))
            }
        ),
        TraceEvent::RoundStarted { round, gaps, queries } => {
            let gaps: Vec<&str> = gaps.iter().map(GapId::as_str).collect();
            format!("round_started {round}: {} by {}", gaps.join(", "), queries.join(" | "))
        }
        TraceEvent::RoundCompleted { round, new_passages, open_gaps } => {
            format!("round_completed {round}: {new_passages} new passages, {open_gaps} open gaps")
        }
        TraceEvent::SourceAdded(source) => {
            format!("source_added: {} ({})", source.path, source.title)
        }
        TraceEvent::Reflection { answered_questions, unanswered_questions, .. } => {
            format!(
                "reflection: answered {answered_questions:?}, unanswered {unanswered_questions:?}"
            )
        }
        TraceEvent::FactsExtracted { facts, rejected } => {
            format!("facts_extracted: {facts} held, {rejected} rejected")
        }
        TraceEvent::KnowledgeGapAnalysis(analysis) => {
            let state = serde_json::to_string(&analysis.gap_status).unwrap();
            let goes_on = if analysis.should_continue_research { "goes on" } else { "stops" };
            format!("knowledge_gap_analysis: {goes_on}, {state}: {}", analysis.reasoning)
        }
        TraceEvent::FollowupQueryGeneration { gap_id, queries, dropped, .. } => {
            format!(
                "followup_query_generation {gap_id}: {}; {dropped} dropped",
                queries.join(" | ")
            )
        }
        TraceEvent::GapOpened { gap_id, description, .. } => {
            format!("gap_opened {gap_id}: {description}")
        }
        TraceEvent::GapResolved { gap_id, because } => format!("gap_resolved {gap_id}: {because}"),
        TraceEvent::GapAbandoned { gap_id, because, .. } => {
            format!("gap_abandoned {gap_id}: {because}")
        }
        TraceEvent::GapReopened { gap_id, because } => format!("gap_reopened {gap_id}: {because}"),
        TraceEvent::ContradictionFound { question_id, summary, .. } => {
            format!("contradiction_found q{question_id}: {summary}")
        }
        TraceEvent::BudgetUpdated { rounds, passages, model_calls, .. } => {
            format!(
                "budget_updated: {rounds} rounds, {passages} passages, {model_calls} model calls"
            )
        }
        TraceEvent::BudgetChanged { by, changes, .. } => {
            let changes: Vec<String> = changes.iter().map(LimitChanged::told).collect();
            format!("budget_changed {by}: {}", changes.join(", "))
        }
        TraceEvent::ControlReceived(control) => {
            format!("control_received: {}", serde_json::to_string(control).unwrap())
        }
        TraceEvent::ConfidenceScoringStarted { answer_length } => {
            format!("confidence_scoring_started: {answer_length} characters")
        }
        TraceEvent::ClaimsExtracted { count } => format!("claims_extracted: {count}"),
        TraceEvent::EntailmentChecked { checked, unchecked } => {
            format!("entailment_checked: {checked} checked, {unchecked} unchecked")
        }
        TraceEvent::SuscoreCalculated { score } => format!("suscore_calculated: {score:.2}"),
        TraceEvent::ConfidenceCalculated { overall, level } => {
            format!("confidence_calculated: {overall:.2}, {}", level.word())
        }
        TraceEvent::CritiqueCompleted { critique } => {
            let grade = critique.grade.map_or("none", Grade::name);
            let found: Vec<String> = critique
                .findings
                .iter()
                .map(|one| format!("{} {} {:?}", one.id, one.kind.name(), one.severity))
                .collect();
            format!(
                "critique_completed: grade {grade}; {}; {} challenges",
                found.join(", "),
                critique.challenges.len()
            )
        }
        TraceEvent::RevisionCompleted { kept, explanation, .. } => {
            format!(
                "revision_completed: {}: {explanation}",
                if *kept { "kept" } else { "not kept" }
            )
        }
        TraceEvent::PerspectiveCompleted { lens, points, dropped, facts, failed, .. } => {
            let facts: Vec<&str> = facts.iter().map(FactId::as_str).collect();
            match failed {
                Some(error) => format!("perspective_completed {lens}: failed: {error}"),
                None => format!(
                    "perspective_completed {lens}: {points} points on {}, {dropped} dropped",
                    facts.join(", ")
                ),
            }
        }
        TraceEvent::PerspectivesCompared { lenses, consensus, tensions, unique, not_borne_out } => {
            format!(
                "perspectives_compared: {lenses} lenses, {consensus} agreements, {tensions} tensions, {unique} unique, {not_borne_out} not borne out"
            )
        }
        TraceEvent::InsightDetected { insight } => {
            format!(
                "insight_detected {}: {}, novelty {:.2}: {} ({})",
                insight.id,
                insight.kind.name(),
                insight.novelty,
                insight.description,
                insight.rule
            )
        }
        TraceEvent::FallacyDetected { warning } => {
            format!(
                "fallacy_detected {}: {} in {}: {:?}; ask: {}",
                warning.id,
                warning.name,
                warning.about(),
                warning.words,
                warning.question
            )
        }
        TraceEvent::AnswerCompleted { answer, audit } => {
            format!("answer_completed: {} claims, {} audit notes", answer.claims.len(), audit.len())
        }
        TraceEvent::SessionCompleted { stop_reason, .. } => {
            format!("session_completed: {}", stop_reason.name())
        }
        TraceEvent::SessionFailed { error } => format!("session_failed: {error}"),
    }
}

fn shown(events: &[Envelope], answer: &str) -> String {
    let mut out = String::from("## Trace\n\n~~~text\n");
    for event in events {
        writeln!(out, "{:>3} {}", event.seq, line(&event.event)).unwrap();
    }
    write!(out, "~~~\n\n## Answer\n\n~~~markdown\n{}\n~~~\n", answer.trim()).unwrap();
    out
}

/// The sections of a report that stand beside the answer's own text, where it has them.
fn beside(report: &str) -> String {
    let headings = [
        "Competing explanations",
        "What a critic found",
        "What was revised",
        "Seen through different lenses",
        "A known tension bears on this",
        "What stands out",
        "Warnings about the reasoning",
    ];
    let section = |heading: &&str| {
        let (_, section) = report.split_once(&format!("\n## {heading}\n"))?;
        let end = ["\n## ", "\n*"].iter().filter_map(|mark| section.find(mark)).min();
        Some(format!("\n\n## {heading}\n{}", &section[..end.unwrap_or(section.len())]))
    };
    headings.iter().filter_map(section).collect()
}

/// The lines of a report that say what the user said when asked back.
fn said(report: &str) -> String {
    let lines: Vec<&str> = report.lines().filter(|line| line.starts_with("- You said: ")).collect();
    if lines.is_empty() { String::new() } else { format!("{}\n\n", lines.join("\n")) }
}

async fn play(scenario: &Scenario) -> String {
    let at = scenario.control.as_ref().map_or(u32::MAX, |(at, _)| *at);
    let clock = Arc::new(ManualClock::new(Timestamp(1_700_000_000_000)));
    let gate = Arc::new(Gate::new(world(scenario, &clock), at, false));
    // One at a time, so that the effect at which a control comes has a number.
    let ports = Ports { clock, ..ports(&gate, &memory()) };
    let engine = Engine::new(ports, settings(1));
    let handle = engine.start(&scenario.question, scenario.options.clone(), 1).await.unwrap();
    if let Some((at, control)) = &scenario.control {
        assert!(gate.reached().await, "there is no effect {at}");
        handle.control(control.clone()).await.unwrap();
        let goes_on = matches!(
            control,
            Control::Redirect { .. } | Control::DocumentsAdded { .. } | Control::Challenge { .. }
        );
        if goes_on {
            // What hangs is still wanted: it is dropped and asked for again.
            handle.control(Control::Pause).await.unwrap();
        }
        if handle.live().borrow().paused
            || !matches!(control, Control::Interrupt | Control::FinishNow)
        {
            // A run that is over needs no resuming.
            let _ = handle.control(Control::Resume).await;
        }
    }
    let mut events = handle.events();
    let mut trace = Vec::new();
    while let Some(event) = events.next().await {
        if matches!(event.event, TraceEvent::ClarificationRequested { .. }) {
            let said = scenario.answers.clone();
            let control =
                said.map_or(Control::SkipClarification, |answers| Control::Clarified { answers });
            handle.control(control).await.unwrap();
        }
        trace.push(event);
    }
    let finished = handle.join().await.unwrap();
    assert!(finished.run.view().audit().is_empty(), "{:?}", finished.run.view().audit());
    let report = to_markdown(&finished.answer);
    let (said, beside) = (said(&report), beside(&report));
    shown(&trace, &format!("{said}{}{beside}", finished.answer.text))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_scenario_gives_its_trace() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let bless = std::env::var_os("ELENCHUS_BLESS").is_some();
    let only = std::env::var("ELENCHUS_SCENARIO").ok();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension().is_some_and(|ext| ext == "md") && !path.ends_with("README.md")
        })
        .collect();
    paths.sort();
    assert!(paths.len() >= 8);
    for path in paths {
        if only
            .as_ref()
            .is_some_and(|only| path.file_stem().is_none_or(|stem| stem != only.as_str()))
        {
            continue;
        }
        let scenario = parse(&path);
        let given = play(&scenario).await;
        if bless {
            std::fs::write(&path, format!("{}\n\n{given}", scenario.head)).unwrap();
            continue;
        }
        if given != scenario.expected {
            let differs = given
                .lines()
                .zip(scenario.expected.lines())
                .find(|(given, expected)| given != expected);
            panic!(
                "{}: the trace is another; first difference (given, expected): {differs:#?}\nELENCHUS_BLESS=1 writes it anew",
                path.display()
            );
        }
    }
}

/// The names and texts of all scenarios.
fn texts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let text = |path: PathBuf| {
        let name = path.file_stem()?.to_str()?.to_owned();
        Some((name, std::fs::read_to_string(path).ok()?))
    };
    std::fs::read_dir(folder).unwrap().filter_map(|entry| text(entry.unwrap().path())).collect()
}

/// A stop condition that no scenario reaches would not be noticed when it changes.
#[test]
fn every_stop_condition_has_a_scenario_that_reaches_it() {
    let all = texts();
    for reason in StopReason::ALL {
        let end = format!(" session_completed: {}\n", reason.name());
        assert!(
            all.iter().any(|(_, text)| text.contains(&end)),
            "no scenario ends with {reason:?}"
        );
    }
}

/// The scenarios of modes are plain ones with another mode, and end as those do.
#[test]
fn a_mode_changes_no_rule() {
    let all: BTreeMap<String, String> = texts().into_iter().collect();
    let outcome = |name: &str| all[name].split_once("\n## Trace\n").map(|(_, outcome)| outcome);
    for (mode, plain) in [("apologist", "disagreement"), ("synthesizer", "half_answered")] {
        assert!(all[mode].contains(&format!("\n- mode: {mode}\n")), "{mode}");
        assert!(outcome(mode).is_some() && outcome(mode) == outcome(plain), "{mode} and {plain}");
    }
}

/// A written reply that names what the run no longer has is blessed as a failure, unnoticed, and the step that it was to show
/// is shown no more.
#[test]
fn only_mute_models_write_what_cannot_be_read() {
    for (name, text) in texts() {
        let is_mute = name.ends_with("_mute") || name.starts_with("mute_");
        assert!(
            is_mute || !text.contains("failed: could not read"),
            "{name}: write its reply anew"
        );
    }
}
