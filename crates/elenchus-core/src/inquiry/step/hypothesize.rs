//! Hypothesize: after the plan a model names explanations that compete; each is searched for and against.

use super::{count, observe_failure, reply, search};
use crate::belief::{Hypothesis, HypothesisTest};
use crate::id::HypothesisId;
use crate::inquiry::board::{Searched, UnderTest};
use crate::inquiry::query::is_repeat;
use crate::inquiry::state::{Phase, Settled, State};
use crate::inquiry::{Derivations, Effect};
use crate::port::ModelRole;
use crate::prompt::{
    Hypotheses, HypothesizeInput, ModelCall, ModelReply, Prior, ProposedHypothesis,
};
use crate::scrutiny::fallacy;
use crate::text::{squeeze, words};
use crate::trace::{Explanation, TraceEvent};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// Most explanations under test.
const MOST: usize = 4;
/// Fewer compete with nothing.
const FEWEST: usize = 2;

/// Asks for explanations where the run is to have them and can test them; then, or else, the first round begins.
pub(crate) fn request(state: &mut State) {
    if !state.options().hypotheses && state.options().to_test.is_empty() {
        search::start_round(state);
        return;
    }
    let about = squeeze(&state.opened.question);
    if state.opened.judging.is_none() {
        state.think(
            format!("explanations for \"{about}\" could not be tested: there is no verifier"),
            vec![],
        );
        search::start_round(state);
        return;
    }
    if !state.options().hypotheses {
        take(state, Hypotheses::default());
        announce(state);
        search::start_round(state);
        return;
    }
    // This call, and one each kept for a reflection and the draft.
    if let Some(reason) = state.spent.forbids(&state.options().budget, 3) {
        let why = reason.sentence();
        state.think(
            format!("no explanations for \"{about}\" are asked for, to save: {why}"),
            vec![],
        );
        take(state, Hypotheses::default());
        announce(state);
        search::start_round(state);
        return;
    }
    state.phase = Phase::Hypothesize;
    let input = HypothesizeInput {
        question: state.opened.question.clone(),
        questions: state.plan.questions.clone(),
        passages: state.read_passages(),
        most: MOST as u8,
        framing: state.framing(),
    };
    state.request(
        Effect::Model { role: ModelRole::Strong, call: Box::new(ModelCall::Hypothesize(input)) },
        "name explanations that compete".to_owned(),
        json!({ "most": MOST }),
        format!("\"{about}\" may have more than one answer, and each is to be tested"),
    );
}

pub(crate) fn settle(state: &mut State, batch: Vec<Settled>) {
    const INSTEAD: &str = "the search goes on without explanations to test";
    for settled in batch {
        let id = settled.id;
        match reply(settled) {
            Ok(ModelReply::Hypothesize(found)) => {
                let proposed = found.hypotheses.len();
                take(state, found);
                let kept = state.board.under_test.len();
                let analysis = if kept == 0 {
                    INSTEAD.to_owned()
                } else {
                    "each is searched for and against, and held against what is read".to_owned()
                };
                let result = format!("{kept} of {} kept", count(proposed, "proposed explanation"));
                state.observe(id, result, analysis, vec![]);
            }
            Ok(_) => {
                observe_failure(state, id, "the reply was to another prompt".to_owned(), INSTEAD);
            }
            Err(error) => observe_failure(state, id, error, INSTEAD),
        }
    }
    // What the user wants tested is tested whatever a model says.
    if state.board.under_test.is_empty() {
        take(state, Hypotheses::default());
    }
    announce(state);
    search::start_round(state);
}

/// A statement of the user's. Nothing is known of how likely they hold it.
fn of_the_user(claim: &str) -> ProposedHypothesis {
    ProposedHypothesis {
        claim: claim.to_owned(),
        prior: Prior::Possible,
        queries_for: vec![],
        queries_against: vec![],
    }
}

/// Puts what differs onto the board, the user's own before a model's. Where the user named none, nothing where fewer than
/// two are left.
fn take(state: &mut State, found: Hypotheses) {
    let own: Vec<ProposedHypothesis> =
        state.options().to_test.iter().map(|claim| of_the_user(claim)).collect();
    let fewest = if own.is_empty() { FEWEST } else { 1 };
    let mut kept: Vec<(bool, ProposedHypothesis)> = Vec::new();
    let own = own.into_iter().map(|one| (true, one));
    for (by_user, mut proposed) in own.chain(found.hypotheses.into_iter().map(|one| (false, one))) {
        proposed.claim = squeeze(&proposed.claim);
        let said = words(&proposed.claim);
        let repeats = kept.iter().any(|(_, known)| words(&known.claim) == said);
        if !said.is_empty() && !repeats && kept.len() < MOST {
            kept.push((by_user, proposed));
        }
    }
    if kept.len() < fewest {
        return;
    }
    let theology = state.has_own_fallacies();
    let (told, rules) = (state.follows(Derivations::SECOND), state.options().rules());
    state.board.under_test = kept
        .into_iter()
        .zip(1..)
        .map(|((by_user, proposed), number)| {
            let id = HypothesisId(format!("h{number}"));
            let claim = proposed.claim.trim_end_matches('.').to_owned();
            // What would bear it out is looked for with its own words when the model names nothing better.
            let open_for =
                if proposed.queries_for.is_empty() { vec![claim] } else { proposed.queries_for };
            let mut hypothesis = Hypothesis::under(id, proposed.claim, proposed.prior, rules);
            hypothesis.by_user = by_user && told;
            hypothesis.fallacy_warnings = warnings(&hypothesis.claim, theology);
            UnderTest {
                hypothesis,
                open_for,
                open_against: proposed.queries_against,
                searched: Vec::new(),
                judgements: BTreeMap::new(),
                unchecked: BTreeSet::new(),
            }
        })
        .collect();
}

/// Fallacies in the wording of an explanation, by name and with the question to ask; the pack says whether its own are
/// looked for.
fn warnings(claim: &str, theology: bool) -> Vec<String> {
    fallacy::detect(claim, &fallacy::Options { theology, ..fallacy::Options::default() })
        .into_iter()
        .map(|finding| format!("{}: {}", finding.name, finding.question))
        .collect()
}

fn announce(state: &mut State) {
    let hypotheses: Vec<Explanation> = state
        .board
        .under_test
        .iter()
        .map(|one| Explanation {
            id: one.hypothesis.id.clone(),
            claim: one.hypothesis.claim.clone(),
            prior: one.hypothesis.prior,
            confidence: one.hypothesis.confidence,
            queries_for: one.open_for.clone(),
            queries_against: one.open_against.clone(),
        })
        .collect();
    if !hypotheses.is_empty() {
        state.emit(TraceEvent::HypothesesGenerated { hypotheses });
        state.reasoning.push(state.seq);
    }
}

/// The user takes an explanation out: it is searched for and tested no more, and the report tells it. What was found for
/// it stays. An explanation that there is not changes nothing.
pub(crate) fn set_aside(state: &mut State, id: &HypothesisId, reason: &str) {
    let round = state.round;
    let under_test = state.board.under_test.iter_mut();
    let known = under_test
        .filter(|one| one.hypothesis.dropped.is_none())
        .find(|one| one.hypothesis.id == *id);
    let Some(one) = known else {
        state.think(format!("there is no explanation {id} under test, so none is dropped"), vec![]);
        return;
    };
    let left = one.open_for.len() + one.open_against.len();
    one.open_for.clear();
    one.open_against.clear();
    one.hypothesis.set_aside(&squeeze(reason));
    let (claim, status) = (squeeze(&one.hypothesis.claim), one.hypothesis.status);
    let credence = one.hypothesis.confidence;
    state.think(
        format!(
            "you dropped {id}, \"{claim}\": {} for it {} not made",
            if left == 1 { "1 search".to_owned() } else { format!("{left} searches") },
            if left == 1 { "is" } else { "are" }
        ),
        vec![id.0.clone()],
    );
    state.emit(TraceEvent::HypothesisUpdated {
        test: HypothesisTest {
            hypothesis_id: id.clone(),
            round,
            queries: vec![],
            passages: 0,
            evidence_for: vec![],
            evidence_against: vec![],
            before: credence,
            after: credence,
        },
        status,
    });
    state.reasoning.push(state.seq);
}

/// The searches of this round for explanations: of each one for and one against, so that neither side is looked for
/// harder. What repeats a search of the run, or one of `others`, is dropped.
pub(super) fn round_queries(state: &mut State, others: &[String]) -> Vec<(HypothesisId, String)> {
    let round = state.round;
    let mut chosen: Vec<(HypothesisId, String)> = Vec::new();
    for at in 0..state.board.under_test.len() {
        for for_it in [true, false] {
            loop {
                let one = &mut state.board.under_test[at];
                let open = if for_it { &mut one.open_for } else { &mut one.open_against };
                if open.is_empty() {
                    break;
                }
                let query = squeeze(&open.remove(0));
                let repeats = words(&query).is_empty()
                    || state.was_tried(&query)
                    || others.iter().any(|other| is_repeat(other, &query));
                if !repeats {
                    let one = &mut state.board.under_test[at];
                    one.searched.push(Searched { query: query.clone(), round });
                    chosen.push((one.hypothesis.id.clone(), query));
                    break;
                }
            }
        }
    }
    chosen
}
