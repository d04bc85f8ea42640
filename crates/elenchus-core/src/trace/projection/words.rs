//! What an event says, in a sentence for somebody who watches.

use super::{Projection, Scoring};
use crate::belief::HypothesisStatus;
use crate::inquiry::{Control, LimitChanged, count as counted};
use crate::port::{PageOutcome, WebReport};
use crate::text::squeeze;
use crate::trace::TraceEvent;

fn quoted(text: &str) -> String {
    format!("\u{201C}{}\u{201D}", squeeze(text))
}

/// A gap by its id and what is missing.
fn gap(shown: &Projection, id: &str) -> String {
    match shown.gap(id) {
        Some(gap) => format!("{id} {}", quoted(&gap.description)),
        None => id.to_owned(),
    }
}

/// What an event says. `shown` is the run up to and with the event; names are taken from it.
///
/// Always one line: white space within is squeezed. Text of documents and of models may stand in it, so a terminal and a page
/// must still escape it for themselves.
pub fn said(event: &TraceEvent, shown: &Projection) -> String {
    match event {
        TraceEvent::SessionStarted { question, options, corpus, forked, .. } => {
            let from = match (forked, &options.tested) {
                (Some(forked), _) => {
                    format!(", from step {} of run {} on", forked.event_id, forked.parent)
                }
                (None, Some(tested)) => match &tested.hypothesis {
                    Some(id) => format!(", to test {id} of run {}", tested.parent),
                    None => {
                        format!(", to test an explanation beside those of run {}", tested.parent)
                    }
                },
                (None, None) => match &options.reopened {
                    Some(reopened) => format!(", for what run {} gave up", reopened.parent),
                    None => String::new(),
                },
            };
            format!(
                "{} is researched in {} ({}){from}",
                quoted(question),
                squeeze(&corpus.name),
                counted(corpus.documents as usize, "document")
            )
        }
        TraceEvent::RuleOfTwo(rule) => {
            let private = if rule.private.is_empty() {
                "nothing private in context".to_owned()
            } else {
                format!("private in context: {}", squeeze(&rule.private.join(" and ")))
            };
            format!(
                "pages of strangers are read; {private}; what leaves: {}",
                rule.outward.sentence()
            )
        }
        TraceEvent::QueryWithheld(withheld) => {
            format!("not sent: {}: {}", squeeze(&withheld.query), squeeze(&withheld.reason))
        }
        TraceEvent::WebSearched { query, report } => web(query, report),
        TraceEvent::MemoryRecalled { memories, .. } => {
            let titles: Vec<String> = memories.iter().map(|one| quoted(&one.title)).collect();
            format!("{} of earlier runs: {}", counted(memories.len(), "lesson"), titles.join(", "))
        }
        TraceEvent::MemoryCredited(credit) => {
            format!("{}: {}", credit.memory_id, squeeze(&credit.because))
        }
        TraceEvent::MemosRecalled { memos } => {
            let titles: Vec<String> = memos.iter().map(|one| quoted(&one.title)).collect();
            format!("{} of earlier runs: {}", counted(memos.len(), "memo"), titles.join(", "))
        }
        TraceEvent::ClarificationRequested { questions } => {
            let asked: Vec<String> = questions.iter().map(|one| squeeze(&one.text)).collect();
            format!("asked back: {}", asked.join(" "))
        }
        TraceEvent::PlanningStarted { question } => format!("planning for {}", quoted(question)),
        TraceEvent::PlanningCompleted { questions, .. } => {
            format!("plan: {} to answer", counted(questions.len(), "question"))
        }
        TraceEvent::ReasoningThought(thought) => squeeze(&thought.content),
        TraceEvent::ReasoningAction(action) => squeeze(&action.action),
        TraceEvent::ReasoningObservation(seen) => squeeze(&seen.result),
        TraceEvent::ReasoningConclusion(end) => squeeze(&end.conclusion),
        TraceEvent::ReplyRepaired { repairs, .. } => {
            // So is told who was asked where a model gave no reply.
            let what = if repairs.iter().any(|one| one.ends_with("in its place")) {
                "another model stood in"
            } else {
                "the model's reply was mended"
            };
            format!("{what}: {}", squeeze(&repairs.join("; ")))
        }
        TraceEvent::HypothesesGenerated { hypotheses } => {
            let claims: Vec<String> =
                hypotheses.iter().map(|one| format!("{} {}", one.id, quoted(&one.claim))).collect();
            format!("explanations to test: {}", claims.join("; "))
        }
        TraceEvent::HypothesisUpdated { test, status: HypothesisStatus::Dropped } => {
            format!("explanation {} is dropped", test.hypothesis_id)
        }
        TraceEvent::HypothesisUpdated { test, status } => format!(
            "explanation {}: {:.2} to {:.2}, {}; {} for it, {} against it",
            test.hypothesis_id,
            test.before,
            test.after,
            status.name(),
            counted(test.evidence_for.len(), "passage"),
            test.evidence_against.len()
        ),
        TraceEvent::RoundStarted { round, queries, .. } => {
            let queries: Vec<String> = queries.iter().map(|query| squeeze(query)).collect();
            format!("round {round}: searching for {}", queries.join(" | "))
        }
        TraceEvent::RoundCompleted { round, new_passages, open_gaps } => format!(
            "round {round}: {} read for the first time, {} left",
            counted(*new_passages as usize, "passage"),
            counted(*open_gaps as usize, "open gap")
        ),
        TraceEvent::SourceAdded(source) => format!("reading {}", squeeze(&source.path)),
        TraceEvent::Reflection {
            is_sufficient, answered_questions, unanswered_questions, ..
        } => {
            let enough = if *is_sufficient { "nothing is missing" } else { "something is missing" };
            format!(
                "{} of {} answered; {enough}",
                answered_questions.len(),
                counted(answered_questions.len() + unanswered_questions.len(), "planned question")
            )
        }
        TraceEvent::FactsExtracted { facts, rejected } => {
            format!("{} held, {rejected} did not", counted(*facts as usize, "quote"))
        }
        TraceEvent::KnowledgeGapAnalysis(analysis) => match &analysis.next_gap_to_research {
            Some(next) if analysis.should_continue_research => {
                format!("next: {}", gap(shown, next.as_str()))
            }
            None if analysis.should_continue_research => "next: the explanations".to_owned(),
            _ => "nothing more is searched for".to_owned(),
        },
        TraceEvent::FollowupQueryGeneration { gap_id, queries, dropped, replaced, .. } => {
            let made = replaced.iter().filter(|one| one.by.is_some()).count();
            let queries: Vec<String> = queries.iter().map(|query| squeeze(query)).collect();
            let dropped = if *dropped == 0 {
                String::new()
            } else {
                format!(" ({dropped} dropped: tried before)")
            };
            let made = if made == 0 {
                String::new()
            } else {
                format!(" ({made} made from the gap's own words)")
            };
            format!("new queries for {gap_id}: {}{dropped}{made}", queries.join(" | "))
        }
        TraceEvent::GapOpened { gap_id, .. } => {
            format!("gap opened: {}", gap(shown, gap_id.as_str()))
        }
        TraceEvent::GapResolved { gap_id, because } => {
            format!("gap closed: {}: {}", gap(shown, gap_id.as_str()), squeeze(because))
        }
        TraceEvent::GapAbandoned { gap_id, because, attempts, .. } => format!(
            "gap given up after {}: {}: {}",
            counted(usize::from(*attempts), "round"),
            gap(shown, gap_id.as_str()),
            squeeze(because)
        ),
        TraceEvent::GapReopened { gap_id, because } => {
            format!("gap opened again: {}: {}", gap(shown, gap_id.as_str()), squeeze(because))
        }
        TraceEvent::ContradictionFound { summary, .. } => {
            format!("the sources disagree: {}", squeeze(summary))
        }
        TraceEvent::BudgetChanged { by, changes, .. } => {
            let changes: Vec<String> = changes.iter().map(LimitChanged::told).collect();
            let by = if by.trim().is_empty() { "you".to_owned() } else { squeeze(by) };
            format!("{by} changed the limits: {}", changes.join(", "))
        }
        TraceEvent::BudgetUpdated { elsewhere, .. } if !elsewhere.is_empty() => {
            let sent: Vec<String> = elsewhere
                .iter()
                .map(|one| format!("{} to {}", squeeze(&one.sent), squeeze(&one.to)))
                .collect();
            format!(
                "somebody goes on with the run by other settings, and sends {}",
                sent.join(", ")
            )
        }
        TraceEvent::BudgetUpdated { rounds, passages, model_calls, .. } => format!(
            "spent: {}, {}, {}",
            counted(usize::from(*rounds), "round"),
            counted(*passages as usize, "passage"),
            counted(*model_calls as usize, "model call")
        ),
        TraceEvent::ControlReceived(control) => told(control),
        TraceEvent::ConfidenceScoringStarted { answer_length } => {
            format!("checking an answer of {}", counted(*answer_length as usize, "character"))
        }
        TraceEvent::ClaimsExtracted { count } => {
            format!("{} to check", counted(*count as usize, "statement"))
        }
        TraceEvent::EntailmentChecked { checked, unchecked } => format!(
            "{} held against passages, {unchecked} could not be",
            counted(*checked as usize, "statement")
        ),
        TraceEvent::SuscoreCalculated { score } => format!("word by word: {score:.2}"),
        TraceEvent::ConfidenceCalculated { overall, level } => {
            match Scoring::figure(*overall, *level) {
                Some((overall, level)) => format!("confidence {overall:.2}, {}", level.word()),
                None => "no confidence: nothing that answers could be checked".to_owned(),
            }
        }
        TraceEvent::CritiqueCompleted { critique } => {
            let grade = match critique.grade {
                Some(grade) => format!(" (grade {})", grade.name()),
                None if critique.critic.is_none() => " by the program alone, no grade".to_owned(),
                None => String::new(),
            };
            format!("criticised: {}{grade}", counted(critique.findings.len(), "finding"))
        }
        TraceEvent::RevisionCompleted { kept, explanation, .. } => {
            let kept = if *kept { "revised" } else { "not revised" };
            format!("{kept}: {}", squeeze(explanation))
        }
        TraceEvent::PerspectiveCompleted { lens, points, failed, .. } => match failed {
            Some(error) => format!("the {lens} lens failed: {}", squeeze(error)),
            None => format!("through the {lens} lens: {}", counted(*points as usize, "point")),
        },
        TraceEvent::PerspectivesCompared { lenses, consensus, tensions, unique, .. } => format!(
            "{lenses} lenses compared: {}, {}, {} of one lens only",
            counted(*consensus as usize, "agreement"),
            counted(*tensions as usize, "tension"),
            counted(*unique as usize, "point")
        ),
        TraceEvent::InsightDetected { insight } => format!(
            "{} stands out, novelty {:.2}: {}",
            insight.id,
            insight.novelty,
            squeeze(&insight.description)
        ),
        TraceEvent::FallacyDetected { warning } => format!(
            "a warning about {}: {} in {}; ask: {}",
            warning.about(),
            warning.name,
            quoted(&warning.words),
            squeeze(&warning.question)
        ),
        TraceEvent::AnswerCompleted { answer, .. } => format!(
            "the answer: {}, {}, {} not established",
            counted(answer.claims.len(), "statement"),
            counted(answer.sources.len(), "source"),
            answer.could_not_establish.len()
        ),
        TraceEvent::SessionCompleted { stop_reason, .. } => stop_reason.sentence().to_owned(),
        TraceEvent::SessionFailed { error } => format!("failed: {}", squeeze(error)),
    }
}

/// What a person told the run.
fn told(control: &Control) -> String {
    match control {
        Control::Interrupt => "stop now and answer with what there is".to_owned(),
        Control::FinishNow => "stop searching and write the answer".to_owned(),
        Control::Pause => "pause".to_owned(),
        Control::Resume => "go on".to_owned(),
        Control::Redirect { focus, exclude, only } => {
            let mut parts = vec![];
            parts.extend(focus.iter().map(|focus| format!("look for {} too", quoted(focus))));
            if !exclude.is_empty() {
                parts.push(format!("leave out {}", squeeze(&exclude.join(", "))));
            }
            if !only.is_empty() {
                parts.push(format!("read only {}", squeeze(&only.join(", "))));
            }
            if parts.is_empty() { "go on as before".to_owned() } else { parts.join("; ") }
        }
        Control::AddSources(sources) => format!("look into {}", sources.told()),
        Control::SetBudget(limits) if limits.is_empty() => "keep to the limits".to_owned(),
        Control::SetBudget(limits) => format!("go by other limits: {}", limits.told()),
        Control::DropHypothesis { id, reason } if reason.trim().is_empty() => {
            format!("drop explanation {id}")
        }
        Control::DropHypothesis { id, reason } => {
            format!("drop explanation {id}: {}", squeeze(reason))
        }
        Control::EditPlan { questions } => {
            let questions: Vec<String> = questions.iter().map(|one| quoted(one)).collect();
            format!("answer this instead: {}", questions.join(", "))
        }
        Control::Challenge { event_id, text } => {
            format!("step {event_id} is doubted: {}", squeeze(text))
        }
        Control::Clarified { answers } => {
            let said: Vec<String> = answers
                .iter()
                .map(|answer| match (&answer.text, answer.choice) {
                    (Some(text), _) => format!("{}: {}", answer.question, squeeze(text)),
                    (None, Some(choice)) => format!("{}: choice {choice}", answer.question),
                    (None, None) => format!("{}: skipped", answer.question),
                })
                .collect();
            format!("what is meant: {}", said.join("; "))
        }
        Control::SkipClarification => "go on without an answer to what was asked back".to_owned(),
        Control::DocumentsAdded { documents } => {
            format!("{} came into the corpus", counted(documents.len(), "document"))
        }
    }
}

/// What a search did on the web, what failed included.
fn web(query: &str, report: &WebReport) -> String {
    let mut read = 0;
    let mut troubles: Vec<String> =
        report.asked.iter().filter_map(|asked| Some(squeeze(asked.error.as_deref()?))).collect();
    for page in &report.pages {
        match &page.outcome {
            PageOutcome::Refused { reason } => troubles.push(squeeze(reason)),
            PageOutcome::Read { hidden, .. } if *hidden > 0 => {
                read += 1;
                troubles.push(format!("{} hides text from its readers", squeeze(&page.url)));
            }
            PageOutcome::Read { .. } | PageOutcome::Kept { .. } => read += 1,
        }
    }
    let results: u32 = report.asked.iter().map(|asked| asked.results).sum();
    let told = format!(
        "web: {}: {}, {} read",
        squeeze(query),
        counted(results as usize, "result"),
        counted(read, "page")
    );
    if troubles.is_empty() {
        return told;
    }
    let more = troubles.len().saturating_sub(2);
    troubles.truncate(2);
    let more = if more > 0 { format!("; {more} more") } else { String::new() };
    format!("{told}; {}{more}", troubles.join("; "))
}
