//! How each lens's points stand to each explanation under test, by the passages that both rest on.

use crate::answer::Answer;
use crate::id::PassageId;
use crate::inquiry::state::State;
use crate::synthesis::perspectives::Point;
use std::collections::BTreeSet;

/// Fills in the perspective scores of the answer's explanations. For a lens: of its points that quote a passage which
/// was held against the explanation, the share that quotes one that speaks for it and none that speaks against it. A
/// lens without such a point has no score, because nothing is known.
pub(crate) fn score(state: &State, answer: &mut Answer) {
    let Some(perspectives) = &answer.perspectives else { return };
    for hypothesis in &mut answer.hypotheses {
        let Some(tested) =
            state.board.under_test.iter().find(|one| one.hypothesis.id == hypothesis.id)
        else {
            continue;
        };
        let judged: BTreeSet<&PassageId> = tested.judgements.keys().collect();
        let of = |side: &[crate::belief::HypothesisEvidence]| -> BTreeSet<PassageId> {
            side.iter().map(|one| one.passage_id.clone()).collect()
        };
        let (supporting, contradicting) =
            (of(&hypothesis.supporting), of(&hypothesis.contradicting));
        for view in &perspectives.views {
            let quotes = |point: &Point, set: &dyn Fn(&PassageId) -> bool| {
                point.quotes.iter().any(|quote| set(&quote.passage_id))
            };
            let bearing: Vec<&Point> = view
                .points
                .iter()
                .filter(|point| quotes(point, &|id| judged.contains(id)))
                .collect();
            if bearing.is_empty() {
                continue;
            }
            let for_it = bearing
                .iter()
                .filter(|point| {
                    quotes(point, &|id| supporting.contains(id))
                        && !quotes(point, &|id| contradicting.contains(id))
                })
                .count();
            let share = for_it as f64 / bearing.len() as f64;
            hypothesis.perspective_scores.insert(view.lens.clone(), share);
        }
    }
}
