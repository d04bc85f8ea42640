//! What to take from it all: a few sentences of a model, each of which names the points that it rests on.

use super::super::{count, observe_failure, reply};
use super::{Viewing, briefs, seeing};
use crate::answer::Answer;
use crate::belief::Verdict;
use crate::inquiry::Effect;
use crate::inquiry::state::{Settled, State};
use crate::port::ModelRole;
use crate::prompt::perspectives::MOST_SENTENCES;
use crate::prompt::{MetaInput, MetaSentence, ModelCall, ModelReply, PointBrief, ProposedTension};
use crate::synthesis::perspectives::Perspectives;
use crate::text::{squeeze, words};
use serde_json::json;

/// Asks for it where there is more than one view; else gives the answer back.
pub(super) fn request(state: &mut State, mut answer: Answer) -> Option<Answer> {
    state.viewing = Viewing::Weighing;
    let Some(perspectives) = &mut answer.perspectives else { return Some(answer) };
    if seeing(perspectives) < 2 {
        return Some(answer);
    }
    if let Some(reason) = state.spent.forbids(&state.options().budget, 1) {
        let why = format!("what to take from it was not asked: {}", reason.sentence());
        perspectives.not_done.push(why);
        return Some(answer);
    }
    let input = MetaInput {
        question: state.opened.question.clone(),
        points: marked(perspectives),
        consensus: perspectives.consensus.iter().map(|one| one.points.clone()).collect(),
        tensions: perspectives
            .tensions
            .iter()
            .map(|tension| ProposedTension {
                points: tension.points.clone(),
                why: tension.why.clone().unwrap_or_default(),
            })
            .collect(),
    };
    let (agree, apart) = (input.consensus.len(), input.tensions.len());
    let reasoning = format!(
        "{} agree on {} and pull apart about {}",
        count(seeing(perspectives), "view"),
        count(agree, "matter"),
        count(apart, "matter")
    );
    state.composed = Some(answer);
    state.request(
        Effect::Model { role: ModelRole::Strong, call: Box::new(ModelCall::MetaAnalysis(input)) },
        "say what to take from the lenses".to_owned(),
        json!({ "consensus": agree, "tensions": apart }),
        reasoning,
    );
    None
}

/// The points with what their check gave.
fn marked(perspectives: &Perspectives) -> Vec<PointBrief> {
    let mut points = briefs(perspectives);
    for (brief, (_, point)) in points.iter_mut().zip(perspectives.points()) {
        let mark = match point.verdict {
            Verdict::Entailed => "borne out",
            Verdict::Contradicted => "contradicted",
            Verdict::Neutral { .. } => "not borne out",
            Verdict::Unchecked { .. } => "not checked",
        };
        mark.clone_into(&mut brief.mark);
    }
    points
}

pub(super) fn settle(state: &mut State, mut answer: Answer, batch: Vec<Settled>) -> Answer {
    const INSTEAD: &str = "the points stand without it";
    let mut perspectives = answer.perspectives.take().unwrap_or_default();
    for settled in batch {
        let id = settled.id;
        let error = match reply(settled) {
            Ok(ModelReply::MetaAnalysis(found)) => {
                let given = found.sentences.len();
                perspectives.meta_analysis = kept(&perspectives, found.sentences);
                state.observe(
                    id,
                    format!(
                        "{} of {} kept",
                        perspectives.meta_analysis.len(),
                        count(given, "sentence")
                    ),
                    "each names the points that it rests on".to_owned(),
                    vec![],
                );
                continue;
            }
            Ok(_) => "the reply was to another prompt".to_owned(),
            Err(error) => error,
        };
        perspectives.not_done.push(format!("what to take from it could not be asked: {error}"));
        observe_failure(state, id, error, INSTEAD);
    }
    answer.perspectives = Some(perspectives);
    answer
}

/// The sentences that say something and rest on points of this run.
fn kept(perspectives: &Perspectives, sentences: Vec<MetaSentence>) -> Vec<MetaSentence> {
    let mut kept: Vec<MetaSentence> = Vec::new();
    for sentence in sentences {
        let text = squeeze(&sentence.text);
        let mut points = sentence.points;
        points.retain(|id| perspectives.point(id).is_some());
        points.sort_by_key(|id| perspectives.points().position(|(_, point)| point.id == *id));
        points.dedup();
        let says = !words(&text).is_empty() && !points.is_empty();
        let repeats = kept.iter().any(|known| known.text == text);
        if says && !repeats && kept.len() < MOST_SENTENCES {
            kept.push(MetaSentence { text, points });
        }
    }
    kept
}
