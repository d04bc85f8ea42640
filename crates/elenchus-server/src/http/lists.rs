//! The parts of a run: claims, gaps, hypotheses, sources, the plan, the answer, the critique.

use super::Api;
use super::paging::{Page, Part};
use super::problem::Problem;
use super::reply::Reply;
use super::research::run_of;
use super::table::{Call, Route};
use crate::wire::WithResponse;
use axum::http::{Method, StatusCode};
use elenchus_core::answer::{Answer, Claim, Evidence};
use elenchus_core::belief::{ClaimConfidence, EntailmentResult};
use elenchus_core::id::RunId;
use elenchus_core::port::{Matter, word};
use elenchus_core::prompt::Complexity;
use elenchus_core::scrutiny::critique::Critique;
use elenchus_core::scrutiny::revision::Revision;
use elenchus_core::synthesis::perspectives::Perspectives;
use elenchus_core::trace::{
    ContradictionShown, GapShown, HypothesisShown, LensShown, Projection, QuestionShown,
    RevisionShown, SourceShown, Step,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A statement of the answer with what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(super) struct ClaimView {
    /// The statement.
    pub claim: Claim,
    /// Its quotes.
    pub quotes: Vec<Evidence>,
    /// What the sources say about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entailment: Option<EntailmentResult>,
    /// How sure it is; absent where it was not checked, and where it only came nearest to an open question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<ClaimConfidence>,
    /// The same in the words of every surface, with what stands behind it; absent where nothing of the answer was verified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sureness: Option<String>,
    /// What it turned out to be, by the last word of a person: `right` or `wrong`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
}

/// Which statements.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
struct Claims {
    /// Only the statement of this id, as answers and pages name it.
    #[serde(default)]
    claim: Option<String>,
    /// Where the last page ended: its `next_cursor`.
    #[serde(default)]
    cursor: Option<String>,
    /// Items of a page, 50 without a word.
    #[serde(default)]
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
}

/// The plan.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(super) struct PlanView {
    /// The planned questions.
    pub questions: Vec<QuestionShown>,
    /// How big the task looked; absent before the plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity: Option<Complexity>,
    /// Rounds allowed; 0 before the plan.
    pub max_rounds: u8,
}

/// What speaks against an answer, and what was done about it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(super) struct Reviewed {
    /// What speaks against it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub critique: Option<Box<Critique>>,
    /// What became of the revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<RevisionShown>,
    /// The revision with the text before and after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<Box<Revision>>,
}

/// The same evidence through several lenses.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(super) struct Looked {
    /// The lenses, in the order in which they were looked through.
    pub lenses: Vec<LensShown>,
    /// What each sees, where they agree and pull apart, and what to take from it; absent before the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perspectives: Option<Perspectives>,
}

impl Looked {
    /// Of a run; nothing where no lens was looked through.
    fn of(shown: &Projection) -> Option<Self> {
        let perspectives = shown.answer.as_ref().and_then(|answer| answer.perspectives.clone());
        let is_there = perspectives.is_some() || !shown.lenses.is_empty();
        is_there.then(|| Self { lenses: shown.lenses.clone(), perspectives })
    }
}

pub(super) fn routes() -> Vec<Route> {
    let read = |path, id, about| Route::new(Method::GET, path, id, about).fails(&[404]);
    vec![
        read("/v1/research/{id}/claims", "listClaims", "The statements of the answer")
            .query::<Claims>()
            .gives::<Page<ClaimView>>(200, "A page of statements; none before the answer.")
            .by(judged_claims),
        read("/v1/research/{id}/gaps", "listGaps", "The gap ledger")
            .query::<Part>()
            .gives::<Page<GapShown>>(200, "A page of gaps.")
            .by(|api, call| listed(api, call, |shown| shown.gaps.clone())),
        read("/v1/research/{id}/hypotheses", "listHypotheses", "Explanations that compete")
            .query::<Part>()
            .gives::<Page<HypothesisShown>>(200, "A page of explanations with what moved them.")
            .by(|api, call| listed(api, call, |shown| shown.hypotheses.clone())),
        read("/v1/research/{id}/sources", "listSources", "Documents that were read")
            .query::<Part>()
            .gives::<Page<SourceShown>>(200, "A page of sources.")
            .by(|api, call| listed(api, call, |shown| shown.sources.clone())),
        read("/v1/research/{id}/contradictions", "listContradictions", "Where sources disagree")
            .query::<Part>()
            .gives::<Page<ContradictionShown>>(200, "A page of disagreements.")
            .by(|api, call| listed(api, call, |shown| shown.contradictions.clone())),
        read("/v1/research/{id}/steps", "listSteps", "The steps of the reasoning")
            .query::<Part>()
            .gives::<Page<Step>>(200, "A page of steps.")
            .by(|api, call| listed(api, call, |shown| shown.steps.clone())),
        read("/v1/research/{id}/plan", "getPlan", "The plan")
            .gives::<PlanView>(200, "The plan.")
            .by(plan),
        read("/v1/research/{id}/answer", "getAnswer", "The answer")
            .gives::<WithResponse>(200, "The whole answer.")
            .by(answer),
        read("/v1/research/{id}/critique", "getCritique", "What speaks against the answer")
            .gives::<Reviewed>(200, "The critique and the revision.")
            .by(critique),
        read("/v1/research/{id}/lenses", "getLenses", "The same evidence through several lenses")
            .gives::<Looked>(200, "The lenses, and once the answer is there what each sees.")
            .by(lenses),
    ]
}

async fn listed<T: Clone + Serialize>(
    api: Arc<Api>,
    call: Call,
    list: impl FnOnce(&Projection) -> Vec<T>,
) -> Result<Reply, Problem> {
    let part: Part = call.query()?;
    let record = api.runs.record(&run_of(&call)).await?;
    let all = record.shown(list);
    Reply::ok(&Page::of(&all, &part)?)
}

/// The statements with what was said of each.
async fn judged_claims(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let Claims { claim, cursor, limit } = call.query()?;
    let run = run_of(&call);
    let mut all = api.runs.record(&run).await?.shown(claims);
    all.retain(|one| claim.as_ref().is_none_or(|claim| one.claim.id.as_str() == claim));
    let held = api.held(&run).await?;
    for one in &mut all {
        let id = one.claim.id.as_str();
        one.feedback = word(&held, &run, Matter::Claim, id).map(str::to_owned);
    }
    Reply::ok(&Page::of(&all, &Part { cursor, limit })?)
}

fn claims(shown: &Projection) -> Vec<ClaimView> {
    let Some(answer) = shown.answer.as_deref() else { return Vec::new() };
    answer
        .claims
        .iter()
        .enumerate()
        .map(|(at, claim)| ClaimView {
            quotes: claim
                .evidence
                .iter()
                .filter_map(|at| answer.evidence.get(*at))
                .cloned()
                .collect(),
            entailment: answer.entailments.iter().find(|one| one.claim_id == claim.id).cloned(),
            confidence: answer.shown_figures(claim).cloned(),
            sureness: answer
                .sureness(at)
                .filter(|_| answer.confidence.is_some())
                .map(|sure| sure.to_string()),
            claim: claim.clone(),
            feedback: None,
        })
        .collect()
}

async fn plan(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let record = api.runs.record(&run_of(&call)).await?;
    Reply::ok(&record.shown(|shown| PlanView {
        questions: shown.questions.clone(),
        complexity: shown.complexity,
        max_rounds: shown.max_rounds,
    }))
}

/// The answer of a run.
pub(super) async fn answer_of(api: &Api, run: &RunId) -> Result<Box<Answer>, Problem> {
    let record = api.runs.record(run).await?;
    if let Some(answer) = record.shown(|shown| shown.answer.clone()) {
        return Ok(answer);
    }
    let line = api.runs.line(run).await?;
    Err(Problem::new(
        StatusCode::NOT_FOUND,
        "no_answer",
        format!("could not give the answer of run {run}"),
        format!("it is {} and has none", line.status),
        if line.is_over() { "start another run" } else { "follow its events until it is over" },
    ))
}

async fn answer(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let answer = answer_of(&api, &run_of(&call)).await?;
    Reply::ok(&WithResponse::of(&answer))
}

async fn lenses(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let run = run_of(&call);
    let record = api.runs.record(&run).await?;
    let looked = record.shown(Looked::of).ok_or_else(|| {
        Problem::new(
            StatusCode::NOT_FOUND,
            "no_lenses",
            format!("could not give the lenses of run {run}"),
            "none was looked through",
            "name `lenses` when you ask; they need a language model",
        )
    })?;
    Reply::ok(&looked)
}

async fn critique(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let run = run_of(&call);
    let record = api.runs.record(&run).await?;
    let reviewed = record.shown(|shown| Reviewed {
        critique: shown.critique.clone(),
        outcome: shown.revision.clone(),
        revision: shown.answer.as_ref().and_then(|answer| answer.revision.clone()),
    });
    if reviewed.critique.is_none() && reviewed.revision.is_none() {
        return Err(Problem::new(
            StatusCode::NOT_FOUND,
            "no_critique",
            format!("could not give the critique of run {run}"),
            "nobody has criticised its answer",
            "a run has its answer criticised when a language model is there; without one, it has a critique when it is over and \
             something that it measured speaks against the answer",
        ));
    }
    Reply::ok(&reviewed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::run::fixture::rich;

    #[test]
    fn lenses_have_what_each_sees_once_the_answer_is_there() {
        let trace = rich().trace;
        let whole = Looked::of(&Projection::of(&trace).unwrap()).unwrap();
        let seen = whole.perspectives.unwrap();
        let names: Vec<&str> = seen.views.iter().map(|view| view.lens.as_str()).collect();
        assert_eq!(names, ["skeptical", "charitable", "neutral"]);
        assert!(seen.points().count() > 2, "{seen:?}");
        assert_eq!(whole.lenses.len(), 3);
        // While the run goes on there are the lenses alone, and before them nothing.
        let (mut first, mut without) = (None, 0);
        for end in 1..trace.len() {
            match Looked::of(&Projection::of(&trace[..end]).unwrap()) {
                Some(looked) => {
                    first.get_or_insert(looked);
                }
                None => without = end,
            }
        }
        let first = first.unwrap();
        assert!(without > 0 && first.lenses.len() == 1, "{first:?}");
        assert_eq!(first.perspectives, None);
    }
}
