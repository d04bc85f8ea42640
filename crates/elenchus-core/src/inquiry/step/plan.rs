//! Plan: the question becomes planned questions, and every planned question a gap.

use super::{
    clarify, count, edit_plan, field, hypothesize, leads, observe_failure, recall, reply, tie,
};
use crate::inquiry::egress;
use crate::inquiry::gap::{Gap, GapChange, GapStatus, Opening};
use crate::inquiry::state::{Phase, Settled, State};
use crate::inquiry::{Effect, StopReason};
use crate::port::ModelRole;
use crate::prompt::{
    Complexity, Framing, ModelCall, ModelReply, Plan, PlanInput, PlannedQuestion, ProposedGap,
    QuestionKind, Severity,
};
use crate::text::{content_stems, squeeze};
use crate::trace::TraceEvent;
use serde_json::json;

/// Most questions that a plan is made or edited to hold.
pub const MAX_QUESTIONS: u8 = 8;

/// The run begins.
pub(crate) fn open(state: &mut State) {
    let opened = state.opened.clone();
    state.emit(TraceEvent::SessionStarted {
        question: opened.question.clone(),
        options: Box::new(opened.options.clone()),
        corpus: opened.corpus.clone(),
        model: opened.model.clone(),
        contest: opened.contest.clone().map(Box::new),
        forked: opened.forked.clone().map(Box::new),
    });
    if let Some(contest) = &opened.contest
        && content_stems(&contest.text).len() > 1
    {
        add_question(state, &contest.text);
        if let Some(question) = state.plan.questions.last_mut() {
            question.rationale =
                format!("it challenges step {} of run {}", contest.event_id, contest.parent);
        }
    }
    egress::open(state);
    let nowhere = opened.corpus.documents == 0 && state.web_use.is_none();
    if !nowhere {
        field::open(state);
        recall::open(state);
        leads::open(state);
    }
    if nowhere {
        state.think(
            format!(
                "{} holds no readable document, so \"{}\" cannot be looked up",
                opened.corpus.name, opened.question
            ),
            vec![],
        );
        super::draft::stop_without_model(state, StopReason::EmptyCorpus);
        return;
    }
    clarify::request(state);
}

/// Asks for a plan, unless the user brought one.
pub(crate) fn request(state: &mut State) {
    state.phase = Phase::Plan;
    let opened = state.opened.clone();
    let brought = edit_plan::cleaned(&opened.options.plan);
    if !brought.is_empty() {
        state.emit(TraceEvent::PlanningStarted { question: opened.question });
        let questions =
            brought.into_iter().zip(1..).map(|(text, id)| of_the_user(id, text)).collect();
        adopt(state, Plan { questions, ..fallback(state) });
        return;
    }
    if state.spent.forbids(&opened.options.budget, 1).is_some() {
        adopt(state, fallback(state));
        return;
    }
    state.emit(TraceEvent::PlanningStarted { question: opened.question.clone() });
    let hidden = egress::hides_memory(state);
    let lessons = if hidden { Vec::new() } else { opened.recalled.lessons.clone() };
    let call = ModelCall::Plan(PlanInput {
        question: opened.question.clone(),
        corpus: opened.corpus.clone(),
        guarded: egress::hides_documents(state),
        max_questions: MAX_QUESTIONS,
        framing: Framing { lessons, ..state.framing() },
        said: state.clarity.said.clone(),
    });
    state.request(
        Effect::Model { role: ModelRole::Strong, call: Box::new(call) },
        "plan the research".to_owned(),
        json!({ "question": opened.question, "documents": opened.corpus.documents }),
        format!(
            "\"{}\" is to be answered from {} in {}",
            squeeze(&opened.question),
            count(opened.corpus.documents as usize, "document"),
            opened.corpus.name
        ),
    );
}

/// The plan that code makes when no model does. What the user said of the question is searched for as well.
fn fallback(state: &State) -> Plan {
    let question = state.opened.question.as_str();
    let said = state.clarity.said.iter().map(|said| said.answer.as_str());
    let narrowed = std::iter::once(question).chain(said).collect::<Vec<_>>().join(" ");
    let mut queries = vec![question.to_owned()];
    if narrowed != question {
        queries.insert(0, narrowed);
    }
    Plan {
        questions: vec![PlannedQuestion {
            id: 1,
            text: question.to_owned(),
            rationale: "the question as it was asked".to_owned(),
            severity: Severity::Critical,
            depends_on: vec![],
            kind: QuestionKind::Lookup,
            expects: None,
            queries,
        }],
        complexity: Complexity::Simple,
        estimated_sources: 1,
    }
}

pub(crate) fn settle(state: &mut State, batch: Vec<Settled>) {
    let mut plan = None;
    for settled in batch {
        let id = settled.id;
        match reply(settled) {
            Ok(ModelReply::Plan(found)) if !found.questions.is_empty() => {
                let expected: Vec<&str> =
                    found.questions.iter().filter_map(|q| q.expects.as_deref()).collect();
                state.observe(
                    id,
                    count(found.questions.len(), "planned question"),
                    if expected.is_empty() {
                        format!("{} task", found.complexity.name())
                    } else {
                        format!("looking for: {}", expected.join(", "))
                    },
                    found.questions.iter().map(|q| q.text.clone()).collect(),
                );
                plan = Some(found);
            }
            Ok(_) => observe_failure(
                state,
                id,
                "the plan held no question".to_owned(),
                "the question is searched as it was asked",
            ),
            Err(error) => {
                observe_failure(state, id, error, "the question is searched as it was asked");
            }
        }
    }
    let plan = plan.unwrap_or_else(|| fallback(state));
    adopt(state, plan);
}

/// Cleans a plan and goes on with it, at once or when the user has seen it.
fn adopt(state: &mut State, mut plan: Plan) {
    plan.questions.retain(|question| !question.text.trim().is_empty());
    plan.questions.truncate(usize::from(MAX_QUESTIONS));
    let old_ids: Vec<u32> = plan.questions.iter().map(|question| question.id).collect();
    for (at, question) in plan.questions.iter_mut().enumerate() {
        question.id = at as u32 + 1;
        // Dependencies are renumbered with the questions; one on itself or a later question is dropped.
        question.depends_on = question
            .depends_on
            .iter()
            .filter_map(|old| old_ids[..at].iter().position(|id| id == old))
            .map(|position| position as u32 + 1)
            .collect();
        question.queries.retain(|query| !query.trim().is_empty());
        if question.queries.is_empty() {
            question.queries.push(question.text.clone());
        }
    }
    if plan.questions.is_empty() {
        plan = fallback(state);
    }
    append_asked(state, &mut plan);
    state.plan = plan;
    let edited = std::mem::take(&mut state.edited_plan);
    if !edited.is_empty() {
        edit_plan::replace(&mut state.plan, &edited);
    }
    announce(state);
    if state.options().review_plan && edited.is_empty() {
        state.paused = true;
        state.in_review = true;
        return;
    }
    go_on(state);
}

/// Whoever was to look at the plan has.
pub(crate) fn reviewed(state: &mut State) {
    if std::mem::take(&mut state.in_review) {
        go_on(state);
    }
}

/// Tells the plan as it stands.
pub(crate) fn announce(state: &mut State) {
    let Plan { questions, complexity, estimated_sources } = state.plan.clone();
    let (phases, total_steps) = ahead(state);
    state.emit(TraceEvent::PlanningCompleted {
        questions,
        complexity,
        estimated_sources,
        max_rounds: max_rounds(state),
        phases,
        total_steps,
    });
}

/// From the plan to the first round, through explanations where there are to be any.
fn go_on(state: &mut State) {
    let questions = state.plan.questions.clone();
    let thoughts = questions
        .iter()
        .map(|question| {
            state.think(
                format!("\"{}\": {}", squeeze(&question.text), question.rationale),
                vec![format!("q{}", question.id)],
            )
        })
        .collect();
    let first: Vec<String> =
        questions.iter().flat_map(|question| question.queries.clone()).collect();
    let closable = questions.iter().filter(|question| is_closable(question)).count();
    state.conclude(
        format!(
            "{} to answer from {}",
            count(questions.len(), "question"),
            count(state.opened.corpus.documents as usize, "document")
        ),
        thoughts,
        first,
        (closable, questions.len(), "planned questions say what would answer them"),
    );
    open_gaps(state);
    hypothesize::request(state);
}

/// Whether it is said of a question what would answer it.
fn is_closable(question: &PlannedQuestion) -> bool {
    question.expects.is_some() || question.kind.wants_several()
}

/// The phases that lie before a run, in order, and how many steps they come to when every allowed round is needed.
fn ahead(state: &State) -> (Vec<String>, u32) {
    let (options, judged) = (state.options(), state.opened.judging.is_some());
    let tests = judged && (options.hypotheses || !options.to_test.is_empty());
    let rounds = u32::from(max_rounds(state));
    let mut steps = 0;
    let mut phases = Vec::new();
    for phase in Phase::ALL {
        let times = match phase {
            Phase::Plan | Phase::Draft => 1,
            Phase::Hypothesize => u32::from(tests),
            Phase::Search | Phase::Read | Phase::Reflect | Phase::Analyze => rounds,
            // The last round is followed by none.
            Phase::FollowUp => rounds - 1,
            Phase::Verify => u32::from(judged),
            Phase::Critique | Phase::Revise => u32::from(options.critique),
            Phase::Lenses => u32::from(!options.lenses.is_empty()),
            Phase::Insights => u32::from(options.insights),
            // Asking back is over, and whether the field knows another side is seen when the answer is.
            Phase::Clarify | Phase::Contrast | Phase::Done => 0,
        };
        if times > 0 {
            phases.push(phase.name().to_owned());
            steps += times;
        }
    }
    (phases, steps)
}

/// What was asked for while the plan was being made comes after it.
fn append_asked(state: &mut State, plan: &mut Plan) {
    for mut question in std::mem::take(&mut state.plan.questions) {
        question.id = plan.questions.len() as u32 + 1;
        plan.questions.push(question);
    }
}

/// A run that ends before there is a plan has looked for one thing: what was asked.
pub(crate) fn without_a_plan(state: &mut State) {
    if std::mem::take(&mut state.in_review) {
        open_gaps(state);
    } else if state.ledger.gaps().is_empty() {
        let mut plan = fallback(state);
        append_asked(state, &mut plan);
        state.plan = plan;
        open_gaps(state);
    }
}

/// Rounds allowed: a run that is not autonomous has one.
pub(crate) fn max_rounds(state: &State) -> u8 {
    let rounds = state.options().budget.rounds.clamp(1, crate::inquiry::Budget::HARD_ROUNDS);
    if state.options().autonomous { rounds } else { 1 }
}

fn open_gaps(state: &mut State) {
    for question in state.plan.questions.clone() {
        open_gap(state, &question);
    }
    let Some(reopened) = &state.options().reopened else { return };
    let because =
        format!("run {} gave it up, and documents have come or changed since", reopened.parent);
    let again = |gap: &Gap| GapChange {
        gap_id: gap.id.clone(),
        status: GapStatus::Active,
        because: because.clone(),
    };
    let changes = state.ledger.active().map(again).collect();
    state.gap_changes(changes);
}

/// Questions whose sources contradicted each other are open once their gap is: more may break the tie.
pub(crate) fn asked_again(state: &mut State, changes: &[GapChange]) {
    let reopened: Vec<u32> = changes
        .iter()
        .filter_map(|change| state.ledger.get(&change.gap_id))
        .flat_map(|gap| gap.related_question_ids.clone())
        .collect();
    for question in reopened {
        if tie::tie(state, question).is_some() {
            state.answered.remove(&question);
        }
    }
}

pub(crate) fn open_gap(state: &mut State, question: &PlannedQuestion) {
    let proposed = ProposedGap {
        description: question.text.clone(),
        question_ids: vec![question.id],
        severity: question.severity,
        suggested_action: question.queries.first().map(|query| format!("search for \"{query}\"")),
    };
    match state.ledger.propose(&proposed, Vec::new()) {
        Opening::New(gap_id) => {
            state.emit(TraceEvent::GapOpened {
                gap_id,
                description: proposed.description,
                question_ids: proposed.question_ids,
            });
            state.reasoning.push(state.seq);
        }
        Opening::Known(gap_id, _) => {
            state.think(
                format!(
                    "\"{}\" asks for what {gap_id} already stands for",
                    squeeze(&question.text)
                ),
                vec![gap_id.0.clone(), format!("q{}", question.id)],
            );
        }
    }
}

/// A planned question in the user's own words.
pub(crate) fn of_the_user(id: u32, text: String) -> PlannedQuestion {
    PlannedQuestion {
        id,
        rationale: "you put it into the plan".to_owned(),
        severity: Severity::Critical,
        depends_on: vec![],
        kind: QuestionKind::Lookup,
        expects: None,
        queries: vec![text.clone()],
        text,
    }
}

/// What a person asks for beside the planned questions, as one that stands behind them. The projection adds the same, since
/// no event announces it.
pub(crate) fn one_more<'a>(
    planned: impl Iterator<Item = &'a PlannedQuestion>,
    focus: &str,
) -> PlannedQuestion {
    let id = planned.map(|question| question.id).max().unwrap_or(0).saturating_add(1);
    PlannedQuestion {
        rationale: "asked for during the run".to_owned(),
        ..of_the_user(id, squeeze(focus))
    }
}

/// A person asked for something more: it becomes a planned question, searched from the next round on.
pub(crate) fn add_question(state: &mut State, focus: &str) {
    let question = one_more(state.plan.questions.iter(), focus);
    state.plan.questions.push(question.clone());
    // Before and while the plan is made, the question waits for it.
    if !matches!(state.phase, Phase::Clarify | Phase::Plan) {
        open_gap(state, &question);
    }
}
