//! What each event changes.

use super::gaps::Written;
use super::{
    ContradictionShown, ControlShown, HypothesisMove, HypothesisShown, LensShown, Moment,
    Projection, QuestionShown, RevisionShown, RoundShown, RunStatus, Scoring, SourceShown,
    WebSearch,
};
use crate::belief::HypothesisStatus;
use crate::inquiry::{Control, Elsewhere, Limit, Phase, StopReason};
use crate::port::PageOutcome;
use crate::trace::{Envelope, TraceEvent};

/// The stage that an event belongs to, where it says so.
fn stage(event: &TraceEvent) -> Option<&'static str> {
    let phase = match event {
        TraceEvent::SessionStarted { .. } => return Some("starting"),
        TraceEvent::ClarificationRequested { .. } => Phase::Clarify,
        TraceEvent::PlanningStarted { .. } | TraceEvent::PlanningCompleted { .. } => Phase::Plan,
        TraceEvent::HypothesesGenerated { .. } => Phase::Hypothesize,
        TraceEvent::RoundStarted { .. } | TraceEvent::WebSearched { .. } => Phase::Search,
        TraceEvent::SourceAdded(_) => Phase::Read,
        TraceEvent::Reflection { .. } => Phase::Reflect,
        TraceEvent::FactsExtracted { .. } | TraceEvent::KnowledgeGapAnalysis(_) => Phase::Analyze,
        TraceEvent::FollowupQueryGeneration { .. } => Phase::FollowUp,
        TraceEvent::ConfidenceScoringStarted { .. } => Phase::Verify,
        TraceEvent::CritiqueCompleted { .. } => Phase::Critique,
        TraceEvent::RevisionCompleted { .. } => Phase::Revise,
        TraceEvent::PerspectiveCompleted { .. } | TraceEvent::PerspectivesCompared { .. } => {
            Phase::Lenses
        }
        TraceEvent::InsightDetected { .. } => Phase::Insights,
        TraceEvent::SessionCompleted { .. } | TraceEvent::SessionFailed { .. } => Phase::Done,
        // A thought names its phase; the names of phases are fixed.
        TraceEvent::ReasoningThought(thought) => {
            return Phase::ALL.into_iter().map(Phase::name).find(|name| *name == thought.stage);
        }
        _ => return None,
    };
    Some(phase.name())
}

impl Projection {
    /// Folds an event. One that was folded before, by its number, changes nothing.
    pub fn apply(&mut self, envelope: &Envelope) {
        if envelope.seq <= self.seq {
            return;
        }
        self.seq = envelope.seq;
        self.updated_at = envelope.at;
        if let Some(stage) = stage(&envelope.event) {
            self.stage = stage;
        }
        let moment = Moment { seq: envelope.seq, at: envelope.at };
        self.planning(moment, &envelope.event);
        self.searching(moment, &envelope.event);
        self.judging(moment, &envelope.event);
        self.note(envelope);
    }

    /// The start, the plan, what people say, the end.
    fn planning(&mut self, moment: Moment, event: &TraceEvent) {
        match event {
            TraceEvent::SessionStarted { question, options, corpus, model, contest, forked } => {
                question.clone_into(&mut self.question);
                self.options.clone_from(options);
                self.corpus.clone_from(corpus);
                model.clone_into(&mut self.model);
                self.contest.clone_from(contest);
                self.forked.clone_from(forked);
                self.started_at = moment.at;
            }
            TraceEvent::ClarificationRequested { questions } => {
                self.asked_back.clone_from(questions);
                self.status = RunStatus::Waiting;
            }
            TraceEvent::PlanningCompleted { questions, complexity, max_rounds, .. } => {
                let answered: Vec<u32> = self
                    .questions
                    .iter()
                    .filter(|one| one.answered)
                    .map(|one| one.question.id)
                    .collect();
                let shown = |question: &crate::prompt::PlannedQuestion| QuestionShown {
                    question: question.clone(),
                    answered: answered.contains(&question.id),
                };
                self.questions = questions.iter().map(shown).collect();
                self.complexity = Some(*complexity);
                self.max_rounds = *max_rounds;
                if self.options.review_plan && !self.open.reviewed {
                    self.open.in_review = true;
                    self.status = RunStatus::Paused;
                }
                self.open.reviewed = true;
            }
            TraceEvent::ControlReceived(control) => {
                self.obey(control);
                self.controls.push(ControlShown { moment, control: control.clone() });
            }
            TraceEvent::MemoryRecalled { memories, .. } => self.recalled.clone_from(memories),
            TraceEvent::MemoryCredited(credit) => self.credits.push(credit.clone()),
            TraceEvent::MemosRecalled { memos } => self.memos.clone_from(memos),
            TraceEvent::SessionCompleted { stop_reason, rounds, passages } => {
                self.stop_reason = Some(*stop_reason);
                self.spent.rounds = *rounds;
                self.spent.passages = *passages;
                self.asked_back.clear();
                self.status = match stop_reason {
                    StopReason::Interrupted => RunStatus::Interrupted,
                    StopReason::Failed => RunStatus::Failed,
                    _ => RunStatus::Finished,
                };
            }
            TraceEvent::SessionFailed { error } => {
                self.error = Some(error.clone());
                self.status = RunStatus::Failed;
            }
            _ => {}
        }
    }

    fn obey(&mut self, control: &Control) {
        match control {
            Control::Pause if !self.is_over() => self.status = RunStatus::Paused,
            Control::EditPlan { .. } => {
                self.open.reviewed = true;
                if std::mem::take(&mut self.open.in_review) {
                    self.status = RunStatus::Running;
                }
            }
            Control::Resume if self.status == RunStatus::Paused => {
                self.open.in_review = false;
                let waits = !self.asked_back.is_empty();
                self.status = if waits { RunStatus::Waiting } else { RunStatus::Running };
            }
            Control::Redirect { focus: Some(focus), .. } => self.look_for_too(focus),
            Control::Clarified { .. }
            | Control::SkipClarification
            | Control::Interrupt
            | Control::FinishNow => {
                self.asked_back.clear();
                if !self.is_over() {
                    self.status = RunStatus::Running;
                }
            }
            _ => {}
        }
    }

    /// Rounds, gaps, sources, the web.
    fn searching(&mut self, moment: Moment, event: &TraceEvent) {
        match event {
            TraceEvent::ReasoningAction(action) => match action.tool.as_str() {
                "search" => self.spent.searches += 1,
                "model" => self.spent.model_calls += 1,
                _ => {}
            },
            TraceEvent::RuleOfTwo(rule) => self.rule_of_two = Some(rule.clone()),
            TraceEvent::QueryWithheld(withheld) => self.withheld.push(withheld.clone()),
            TraceEvent::WebSearched { query, report } => {
                let (query, report) = (query.clone(), report.clone());
                self.web.push(WebSearch { moment, query, report });
            }
            TraceEvent::RoundStarted { round, gaps, queries } => {
                self.rounds.push(RoundShown {
                    round: *round,
                    began: moment,
                    ended: None,
                    gaps: gaps.clone(),
                    queries: queries.clone(),
                    new_passages: 0,
                    open_gaps: 0,
                    spent: None,
                    is_sufficient: false,
                    current_gap_closed: false,
                    new_gaps: vec![],
                    analysis: None,
                });
                self.spent.rounds = *round;
                self.gap_round(*round, gaps, queries);
            }
            TraceEvent::RoundCompleted { round, new_passages, open_gaps } => {
                if let Some(shown) = self.rounds.iter_mut().rfind(|shown| shown.round == *round) {
                    shown.ended = Some(moment);
                    shown.new_passages = *new_passages;
                    shown.open_gaps = *open_gaps;
                    shown.spent = Some(self.spent);
                }
            }
            TraceEvent::Reflection {
                is_sufficient,
                answered_questions,
                unanswered_questions,
                current_gap_closed,
                new_gaps_identified,
                ..
            } => {
                // A reflection judges the questions that were open; what was answered before stays so.
                for shown in &mut self.questions {
                    let id = &shown.question.id;
                    shown.answered = answered_questions.contains(id)
                        || (shown.answered && !unanswered_questions.contains(id));
                }
                if let Some(round) = self.rounds.last_mut() {
                    round.is_sufficient = *is_sufficient;
                    round.current_gap_closed = *current_gap_closed;
                    round.new_gaps.clone_from(new_gaps_identified);
                }
            }
            TraceEvent::KnowledgeGapAnalysis(analysis) => {
                if let Some(round) = self.rounds.last_mut() {
                    round.analysis = Some(analysis.clone());
                }
            }
            TraceEvent::FactsExtracted { facts, rejected } => {
                self.facts.0 += facts;
                self.facts.1 += rejected;
            }
            TraceEvent::SourceAdded(source) => self.sources.push(SourceShown {
                source_id: source.source_id.clone(),
                path: source.path.clone(),
                title: source.title.clone(),
                date: source.date.clone(),
                author: source.author.clone(),
                read: moment,
                citation: None,
                hidden: self.hidden_on(&source.path),
            }),
            TraceEvent::FollowupQueryGeneration {
                gap_id,
                queries,
                strategies,
                rationale,
                dropped,
                ..
            } => {
                let written = Written::new(gap_id, queries, strategies, rationale, *dropped);
                self.open.written.push(written);
            }
            TraceEvent::GapOpened { gap_id, description, question_ids } => {
                self.gap_opened(moment, gap_id, description, question_ids);
            }
            TraceEvent::GapResolved { gap_id, because } => {
                self.gap_resolved(moment, gap_id, because);
            }
            TraceEvent::GapAbandoned { gap_id, reason, because, attempts, queries } => {
                self.gap_abandoned(moment, gap_id, *reason, because, *attempts, queries);
            }
            TraceEvent::GapReopened { gap_id, because } => {
                self.gap_reopened(moment, gap_id, because);
            }
            TraceEvent::BudgetChanged { changes, budget, .. } => {
                self.options.budget = *budget;
                if changes.iter().any(|one| one.limit == Limit::Rounds) {
                    self.options.autonomous = true;
                    self.max_rounds = budget.rounds;
                }
            }
            TraceEvent::BudgetUpdated { rounds, passages, model_calls, usage, elsewhere } => {
                self.sent_also(elsewhere);
                self.spent.rounds = *rounds;
                self.spent.passages = *passages;
                self.spent.model_calls = *model_calls;
                self.spent.usage = *usage;
            }
            _ => {}
        }
    }

    /// Where things are sent from here on. What a run that did not note it at its start sent before stays unknown.
    fn sent_also(&mut self, elsewhere: &[Elsewhere]) {
        let noted = self.options.elsewhere.as_mut().unwrap_or(&mut self.sent_also);
        for one in elsewhere {
            if !noted.contains(one) {
                noted.push(one.clone());
            }
        }
    }

    /// Hypotheses, the checking of the answer, and the answer.
    fn judging(&mut self, moment: Moment, event: &TraceEvent) {
        match event {
            TraceEvent::HypothesesGenerated { hypotheses } => {
                self.hypotheses = hypotheses
                    .iter()
                    .map(|one| HypothesisShown {
                        id: one.id.clone(),
                        claim: one.claim.clone(),
                        prior: one.prior,
                        begun_at: one.confidence,
                        confidence: one.confidence,
                        status: "active",
                        supporting: 0,
                        contradicting: 0,
                        moves: vec![],
                    })
                    .collect();
            }
            TraceEvent::HypothesisUpdated { test, status } => {
                let moved = self.hypotheses.iter_mut().find(|shown| shown.id == test.hypothesis_id);
                if let Some(shown) = moved {
                    shown.confidence = test.after;
                    shown.status = status.name();
                    if *status == HypothesisStatus::Dropped && test.passages == 0 {
                        // Nothing was held against it: it was taken out.
                        return;
                    }
                    shown.supporting += test.evidence_for.len() as u32;
                    shown.contradicting += test.evidence_against.len() as u32;
                    shown.moves.push(HypothesisMove {
                        moment,
                        round: test.round,
                        queries: test.queries.clone(),
                        evidence_for: test.evidence_for.clone(),
                        evidence_against: test.evidence_against.clone(),
                        before: test.before,
                        after: test.after,
                    });
                }
            }
            TraceEvent::ContradictionFound { question_id, passages, summary } => {
                self.contradictions.push(ContradictionShown {
                    moment,
                    question_id: *question_id,
                    passages: passages.clone(),
                    summary: summary.clone(),
                });
            }
            TraceEvent::ConfidenceScoringStarted { answer_length } => {
                self.scoring.answer_length = Some(*answer_length);
            }
            TraceEvent::ClaimsExtracted { count } => self.scoring.claims = Some(*count),
            TraceEvent::EntailmentChecked { checked, unchecked } => {
                self.scoring.checked = Some((*checked, *unchecked));
            }
            TraceEvent::SuscoreCalculated { score } => self.scoring.suscore = Some(*score),
            TraceEvent::ConfidenceCalculated { overall, level } => {
                (self.scoring.overall, self.scoring.level) =
                    Scoring::figure(*overall, *level).unzip();
            }
            TraceEvent::CritiqueCompleted { critique } => {
                self.critique = Some(critique.clone());
            }
            TraceEvent::RevisionCompleted { kept, applied, dropped, explanation } => {
                self.revision = Some(RevisionShown {
                    kept: *kept,
                    applied: *applied,
                    dropped: *dropped,
                    explanation: explanation.clone(),
                });
            }
            TraceEvent::PerspectiveCompleted {
                lens,
                points,
                dropped,
                facts,
                evidence_share,
                failed,
            } => self.lenses.push(LensShown {
                lens: lens.clone(),
                points: *points,
                dropped: *dropped,
                facts: facts.clone(),
                evidence_share: *evidence_share,
                failed: failed.clone(),
            }),
            TraceEvent::InsightDetected { insight } => self.insights.push((**insight).clone()),
            TraceEvent::AnswerCompleted { answer, audit } => {
                for source in &mut self.sources {
                    let cited = answer.sources.iter().find(|one| one.source_id == source.source_id);
                    source.citation = cited.map(|one| one.number);
                }
                // The answer that is given may not be the one that was checked last.
                if answer.confidence.is_some() {
                    (self.scoring.overall, self.scoring.level) = answer.overall().unzip();
                }
                self.answer = Some(answer.clone());
                self.audit.clone_from(audit);
            }
            _ => {}
        }
    }

    /// What a page hid, if the path is an address that was read.
    fn hidden_on(&self, path: &str) -> u32 {
        let pages = self.web.iter().rev().flat_map(|search| &search.report.pages);
        pages
            .filter(|page| page.url == path)
            .find_map(|page| match &page.outcome {
                PageOutcome::Read { hidden, .. } => Some(*hidden),
                _ => None,
            })
            .unwrap_or(0)
    }
}
