//! Critique: the checked answer is read as an opponent would read it, by code first and then by a model.

use super::{aftermath, count, draft, observe_failure, reply, tie};
use crate::answer::{Answer, Claim};
use crate::belief::Hypothesis;
use crate::evidence::{ReadPassage, char_slice};
use crate::id::PassageId;
use crate::inquiry::board::UnderTest;
use crate::inquiry::state::{Phase, Settled, State};
use crate::inquiry::{Derivations, Effect, Outcome, StopReason};
use crate::port::ModelRole;
use crate::prompt::{
    ChallengeBrief, ClaimBrief, Criticism, CritiqueInput, ExplanationBrief, FactRole, ModelCall,
    ModelReply,
};
use crate::scrutiny::challenge::Answered;
use crate::scrutiny::critique::{
    Critique, Finding, FoundBy, Grounds, Later, Looked, Ran, lean, measured_findings, own_findings,
};
use crate::scrutiny::warning::Said;
use crate::text::squeeze;
use crate::trace::TraceEvent;
use serde_json::json;
use std::collections::BTreeSet;

/// Asks a critic about the answer, or hands it back: when none is wanted, when this answer had its turn, or when the
/// user wants the run to end.
pub(super) fn request(state: &mut State, answer: Answer) -> Option<Answer> {
    let nothing = answer.claims.is_empty()
        && state.board.under_test.is_empty()
        && state.critic.challenges.is_empty();
    if !state.options().critique || state.critic.criticised || is_stopped(state) || nothing {
        return Some(answer);
    }
    state.critic.criticised = true;
    let about = squeeze(&state.opened.question);
    if let Some(reason) = state.spent.forbids(&state.options().budget, 1) {
        state.phase = Phase::Critique;
        let why = reason.sentence();
        state.think(
            format!("no critic is asked about the answer to \"{about}\", to save: {why}"),
            vec![],
        );
        return Some(complete(state, answer, None));
    }
    state.phase = Phase::Critique;
    let own = own(state, &answer);
    state.critic.asked = state.critic.challenges.len();
    let input = input(state, &answer, &own);
    let parameters = json!({
        "claims": answer.claims.iter().map(|claim| claim.id.as_str()).collect::<Vec<_>>(),
        "findings": own.len(),
        "challenges": input.challenges.len(),
    });
    let reasoning = format!(
        "{} may hold less than {} for \"{about}\"; {} so far",
        count(answer.claims.len(), "statement"),
        if answer.claims.len() == 1 { "it seems to" } else { "they seem to" },
        count(own.len(), "finding"),
    );
    state.request(
        Effect::Model { role: ModelRole::Strong, call: Box::new(ModelCall::Critique(input)) },
        "ask a critic".to_owned(),
        parameters,
        reasoning,
    );
    state.composed = Some(answer);
    None
}

/// Whether the run is to end with what it has.
pub(super) fn is_stopped(state: &State) -> bool {
    matches!(state.stop, Some(StopReason::Interrupted | StopReason::Failed | StopReason::FinishNow))
}

/// What code finds against an answer.
pub(super) fn own(state: &State, answer: &Answer) -> Vec<Finding> {
    own_findings(&looked(state, answer, &state.board.ranked()))
}

fn looked<'a>(state: &'a State, answer: &'a Answer, hypotheses: &'a [Hypothesis]) -> Looked<'a> {
    let unsearched = state
        .board
        .under_test
        .iter()
        .filter(|one| !one.open_against.is_empty())
        .map(|one| one.hypothesis.id.clone())
        .collect();
    Looked {
        answer,
        questions: &state.plan.questions,
        hypotheses,
        unsearched,
        // A replay of a run that an earlier version made finds no more than that version did.
        theology: state.warns() && state.has_own_fallacies(),
        rules: state.options().rules(),
    }
}

/// The claims of an answer, for a prompt.
pub(super) fn claims(answer: &Answer) -> Vec<ClaimBrief> {
    answer
        .claims
        .iter()
        .enumerate()
        .map(|(at, claim)| {
            let section = answer.sections.iter().position(|s| s.claims.contains(&claim.id));
            let place = match section {
                _ if answer.is_in_short_answer(claim) => "conclusion".to_owned(),
                Some(at) => format!("s{}", at + 1),
                None => "elsewhere".to_owned(),
            };
            let title = claim
                .evidence
                .first()
                .and_then(|at| answer.evidence.get(*at))
                .and_then(|one| answer.sources.iter().find(|s| s.number == one.citation))
                .map(|source| source.title.clone());
            ClaimBrief {
                id: claim.id.clone(),
                text: claim.text.clone(),
                question_id: claim.question_id,
                role: claim.role,
                place,
                verdict: answer.entailments.get(at).map(|e| e.verdict.word().to_owned()),
                title: title.unwrap_or_default(),
            }
        })
        .collect()
}

fn input(state: &State, answer: &Answer, own: &[Finding]) -> CritiqueInput {
    let mut seen: BTreeSet<&PassageId> = BTreeSet::new();
    let passages: Vec<ReadPassage> = answer
        .evidence
        .iter()
        .filter(|evidence| seen.insert(&evidence.passage_id))
        .filter_map(|evidence| state.passages.get(&evidence.passage_id))
        .cloned()
        .collect();
    let told = |finding: &Finding| {
        let about = finding.claim_id.as_ref().map_or("the whole", |id| id.as_str());
        format!("{}, about {about}: {}", finding.kind.name(), finding.text)
    };
    CritiqueInput {
        framing: state.framing(),
        question: state.opened.question.clone(),
        questions: state.plan.questions.clone(),
        claims: claims(answer),
        passages,
        explanations: state
            .board
            .ranked()
            .into_iter()
            .map(|one| ExplanationBrief {
                id: one.id.to_string(),
                claim: one.claim,
                status: one.status.name().to_owned(),
                supporting: one.independent_supporting,
                contradicting: one.independent_contradicting,
            })
            .collect(),
        disagreements: answer.disagreements.iter().map(|one| one.summary.clone()).collect(),
        missing: answer.could_not_establish.iter().map(|one| one.description.clone()).collect(),
        known: own.iter().map(told).chain(state.critic.said.iter().map(Said::told)).collect(),
        challenges: state
            .critic
            .challenges
            .iter()
            .zip(1..)
            .map(|(one, number)| ChallengeBrief {
                number,
                step: one.step.clone().unwrap_or_else(|| "no such step".to_owned()),
                basis: one.basis.clone(),
                text: one.text.clone(),
            })
            .collect(),
    }
}

pub(crate) fn settle(state: &mut State, batch: Vec<Settled>) {
    const INSTEAD: &str = "the answer is criticised by what was verified, searched and cited alone";
    // Kept when the critic was asked; there is always one.
    let Some(answer) = state.composed.take() else { return };
    let mut criticism = None;
    for settled in batch {
        let id = settled.id;
        let by = match &settled.outcome {
            Outcome::Replied { model: Some(model), .. } if state.follows(Derivations::SECOND) => {
                model.clone()
            }
            _ => state.opened.model.clone(),
        };
        match reply(settled) {
            Ok(ModelReply::Critique(found)) => {
                let result = format!(
                    "{}, {}, {}",
                    count(found.findings.len(), "finding"),
                    count(found.alternatives.len(), "alternative"),
                    count(found.replies.len(), "reply").replace("replys", "replies")
                );
                let analysis = if found.findings.is_empty() {
                    "the critic objects to nothing"
                } else {
                    "each points at the answer; the quality follows from their severity"
                };
                state.observe(id, result, analysis.to_owned(), vec![]);
                criticism = Some((by, found));
            }
            Ok(_) => {
                observe_failure(state, id, "the reply was to another prompt".to_owned(), INSTEAD);
            }
            Err(error) => observe_failure(state, id, error, INSTEAD),
        }
    }
    let answer = complete(state, answer, criticism);
    aftermath::next(state, answer);
}

/// Puts the critique together and into the answer.
fn complete(
    state: &mut State,
    mut answer: Answer,
    criticism: Option<(String, Criticism)>,
) -> Answer {
    let mut critique = Critique { findings: own(state, &answer), ..Critique::default() };
    let hypotheses = state.board.ranked();
    critique.bias = lean(&answer, &hypotheses, state.options().rules());
    let asked = std::mem::take(&mut state.critic.asked);
    if let Some((by, criticism)) = criticism {
        let found = criticism.findings.into_iter().filter_map(|proposed| {
            let claim =
                proposed.claim_id.as_ref().map(|id| answer.claims.iter().find(|c| c.id == *id));
            // The reader of replies saw to this; a journal could come from elsewhere.
            let claim = match claim {
                Some(None) => return None,
                Some(Some(claim)) => Some(claim),
                None => None,
            };
            let words = proposed.span.and_then(|span| char_slice(&claim?.text, span));
            let mut queries = proposed.queries;
            queries.truncate(2);
            Some(Finding {
                id: String::new(),
                kind: proposed.kind,
                severity: proposed.severity,
                by: FoundBy::Model,
                claim_id: proposed.claim_id,
                span: proposed.span.filter(|_| words.is_some()),
                words: words.map(str::to_owned),
                text: squeeze(&proposed.text),
                queries,
                measured: None,
            })
        });
        critique.findings.extend(found);
        critique.alternatives = criticism.alternatives;
        critique.leans = criticism.leans;
        // The built-in model objects to nothing: where it stood in, only the program has looked.
        let is_no_critic = by.starts_with("builtin:") && state.follows(Derivations::SECOND);
        critique.critic = (!is_no_critic).then_some(by);
        // Only of those that the critic saw.
        let challenges: Vec<_> =
            state.critic.challenges.drain(..asked.min(state.critic.challenges.len())).collect();
        for (challenge, number) in challenges.into_iter().zip(1..) {
            let said = criticism.replies.iter().find(|one| one.number == number);
            critique.challenges.push(match said {
                Some(said) => {
                    Answered { challenge, ruling: said.ruling, reply: Some(squeeze(&said.text)) }
                }
                None => Answered::by_code(challenge),
            });
        }
    }
    weigh(state, &answer, &mut critique.findings, true);
    grade(state, &answer, &mut critique);
    announce(state, &critique);
    answer.critique = Some(critique);
    draft::recount(state, &mut answer);
    answer
}

fn grade(state: &State, answer: &Answer, critique: &mut Critique) {
    critique.grade(asserted(answer), state.options().rules());
    if critique.critic.is_none() && state.follows(Derivations::SECOND) {
        // That nobody objected is no merit. What code finds counts against an answer, and is no review of it.
        critique.grade = None;
    }
}

/// Gives the findings of the model the severity that code can stand by, where they are graver. `claims` says whether those about a
/// claim are weighed too: they name claims of the answer that was criticised.
pub(super) fn weigh(state: &State, answer: &Answer, findings: &mut [Finding], claims: bool) {
    if !state.follows(Derivations::FIFTH) {
        return;
    }
    let own: Vec<Finding> =
        findings.iter().filter(|one| one.by == FoundBy::Code).cloned().collect();
    let hypotheses = state.board.ranked();
    let grounds = Grounds {
        answer,
        own: &own,
        hypotheses: &hypotheses,
        sides: &lean(answer, &hypotheses, state.options().rules()),
        was_doubted: was_doubted(state),
        theology: state.has_own_fallacies(),
    };
    for finding in findings.iter_mut().filter(|one| one.by == FoundBy::Model) {
        if claims || finding.claim_id.is_none() {
            finding.severity = grounds.severity(finding);
        }
    }
}

/// Whether what would speak against the answer was searched for.
fn was_doubted(state: &State) -> bool {
    let searched = |one: &UnderTest| one.open_against.is_empty();
    let under_test = &state.board.under_test;
    !state.critic.searched.is_empty() || (!under_test.is_empty() && under_test.iter().all(searched))
}

/// The same answer was held against more: the findings of code are made anew, and those of the model weigh what code can stand by now.
pub(super) fn look_again(state: &mut State, answer: &mut Answer) {
    let Some(before) = answer.critique.take() else { return };
    let mut critique = before.clone();
    let of_model = before.findings.iter().filter(|one| one.by == FoundBy::Model);
    critique.findings = own(state, answer).into_iter().chain(of_model.cloned()).collect();
    weigh(state, answer, &mut critique.findings, true);
    grade(state, answer, &mut critique);
    if critique != before {
        announce(state, &critique);
    }
    answer.critique = Some(critique);
}

fn announce(state: &mut State, critique: &Critique) {
    state.emit(TraceEvent::CritiqueCompleted { critique: Box::new(critique.clone()) });
    state.reasoning.push(state.seq);
}

/// Whether what speaks against an answer is told by what the run measured: where nobody turned that off and no language model could
/// be asked. Runs of earlier versions do not note it, and derive what they did.
pub(super) fn is_measured(state: &State, answer: &Answer) -> bool {
    state.options().measured_critique == Some(true)
        && answer.critique.is_none()
        && !is_stopped(state)
        && asserted(answer) > 0
}

/// Puts into the answer what the run measured against it. Where that is nothing there is no critique: that nobody objected is no
/// merit. It comes last, when the warnings of fallacies are there, and moves no figure and no word of the answer.
pub(super) fn measure(state: &mut State, answer: &mut Answer) {
    let hypotheses = state.board.ranked();
    let findings = measured_findings(&Ran {
        looked: looked(state, answer, &hypotheses),
        independent: state
            .passages
            .values()
            .map(|read| &read.source.cluster)
            .collect::<BTreeSet<_>>()
            .len(),
        searches: searches(state),
        was_doubted: was_doubted(state),
        later: later(state, answer),
    });
    if findings.is_empty() {
        return;
    }
    let bias = lean(answer, &hypotheses, state.options().rules());
    let mut critique = Critique { findings, bias, ..Critique::default() };
    let challenges = std::mem::take(&mut state.critic.challenges);
    critique.challenges.extend(challenges.into_iter().map(Answered::by_code));
    grade(state, answer, &mut critique);
    announce(state, &critique);
    answer.critique = Some(critique);
    draft::recount(state, answer);
}

/// Every search that was made.
fn searches(state: &State) -> Vec<&str> {
    let gaps = state.ledger.gaps().iter().flat_map(|gap| &gap.previous_queries);
    let all = gaps
        .map(|tried| tried.query.as_str())
        .chain(state.board.searched())
        .chain(state.field.searched.iter().map(String::as_str))
        .chain(state.critic.searched.iter().map(String::as_str));
    let mut seen = BTreeSet::new();
    all.filter(|query| seen.insert(*query)).collect()
}

/// What says otherwise than a statement of the short answer, stands in no line of that, and is of a later day than all that the
/// statement is quoted from.
fn later(state: &State, answer: &Answer) -> Vec<Later> {
    let read = |id: &PassageId| state.passages.get(id);
    let quoted = |claim: &Claim| -> Vec<&ReadPassage> {
        let quotes = claim.evidence.iter().filter_map(|at| answer.evidence.get(*at));
        quotes.filter_map(|evidence| read(&evidence.passage_id)).collect()
    };
    let is_short =
        |claim: &&Claim| answer.is_in_short_answer(claim) && claim.role == FactRole::Answer;
    let mut out: Vec<Later> = Vec::new();
    for claim in answer.claims.iter().filter(is_short) {
        let own = quoted(claim);
        // Other claims that give another value, and statements that contradict this one and that no claim quotes.
        let claims = answer
            .claims
            .iter()
            .filter(|other| other.question_id == claim.question_id)
            .filter(|other| other.role == FactRole::Conflict && !answer.is_in_short_answer(other))
            .flat_map(|other| quoted(other).into_iter().map(move |read| (read, Some(&other.id))));
        let sides = answer
            .disagreements
            .iter()
            .filter(|one| {
                one.sides
                    .iter()
                    .any(|side| own.iter().any(|read| read.passage.id == side.passage_id))
            })
            .flat_map(|one| one.sides.iter().filter_map(|side| read(&side.passage_id)))
            .map(|read| (read, None));
        for (other, id) in claims.chain(sides) {
            let Some((of, day)) = tie::later(other, &own) else { continue };
            if out.iter().all(|one| one.claim != claim.id) {
                let (claim, location) = (claim.id.clone(), other.location());
                out.push(Later { claim, of, location, day, other: id.cloned() });
            }
        }
    }
    out
}

/// Challenges that no critic was asked about are answered by code: what the step was based on. Where no critique was
/// made they stand beside what code finds, and nothing is graded: that nobody objected is no merit.
pub(super) fn answer_rest(state: &mut State, answer: &mut Answer) {
    let rest = std::mem::take(&mut state.critic.challenges);
    if rest.is_empty() {
        return;
    }
    let mut critique = answer.critique.take().unwrap_or_else(|| {
        let bias = lean(answer, &state.board.ranked(), state.options().rules());
        let mut made = Critique { findings: own(state, answer), bias, ..Critique::default() };
        made.number();
        made
    });
    critique.challenges.extend(rest.into_iter().map(Answered::by_code));
    announce(state, &critique);
    answer.critique = Some(critique);
    draft::recount(state, answer);
}

/// The search goes on, or the answer is composed anew: the one that was being looked at is taken back, the original of a
/// revision where there is one. Challenges that its critique answered wait for the next.
pub(super) fn take_back(state: &mut State) -> Option<Answer> {
    let composed = state.composed.take();
    let original = state.critic.under_way.take().map(|under_way| under_way.original);
    let answer = original.or(composed);
    if let Some(critique) = answer.as_ref().and_then(|answer| answer.critique.as_ref()) {
        let answered = critique.challenges.iter().map(|one| one.challenge.clone());
        state.critic.challenges.splice(0..0, answered);
    }
    state.critic.begin_again();
    answer
}

/// Claims that say something in answer to a question; what is only told beside a gap is none.
pub(super) fn asserted(answer: &Answer) -> usize {
    let asserts = |claim: &&Claim| matches!(claim.role, FactRole::Answer | FactRole::Conflict);
    answer.claims.iter().filter(asserts).count()
}
