//! The plan as it stands: what was announced, and what a person asked for since, which no event announces.

use super::{Projection, QuestionShown};
use crate::inquiry::{NewSources, PlanRefused, SourcesRefused, plan_refusal, planned_besides};

impl Projection {
    /// Whether a plan was made. Before, what a person asks for waits for it, and an edit takes the place of the whole of it.
    pub fn has_plan(&self) -> bool {
        self.complexity.is_some()
    }

    /// Why questions are not to be put in the place of the plan; `None` where they may be. Whoever edits a plan asks this
    /// first: the run itself obeys whatever it is told.
    pub fn refuses_plan(&self, questions: &[String]) -> Option<PlanRefused> {
        let plan = self.questions.iter().map(|one| (one.question.text.as_str(), one.answered));
        plan_refusal(plan, questions)
    }

    /// Why sources are not to be given to the run; `None` where they may be. Whoever names some asks this first.
    pub fn refuses_sources(&self, sources: &NewSources) -> Option<SourcesRefused> {
        sources.refusal(&self.options, self.corpus.documents)
    }

    /// A redirect adds what it is to look for to the plan.
    pub(super) fn look_for_too(&mut self, focus: &str) {
        let goes_without = !self.has_plan() && !self.gaps.is_empty();
        if focus.trim().is_empty() || goes_without {
            return;
        }
        let question = planned_besides(self.questions.iter().map(|one| &one.question), focus);
        self.questions.push(QuestionShown { question, answered: false });
    }

    /// A gap is opened although there is no plan: the run ends with the question as it was put as the first one, and all that
    /// it asked stands in its gaps.
    pub(super) fn goes_without_plan(&mut self) {
        if !self.has_plan() {
            self.questions.clear();
        }
    }
}
