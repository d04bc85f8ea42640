//! Applying patches to the order of an answer.

use super::{Patch, PatchOp, Place, TriedPatch};
use crate::answer::{Answer, Claim};
use crate::id::{ClaimId, FactId};
use crate::prompt::{Draft, DraftSection, Fact, FactRole};
use crate::scrutiny::critique::{Critique, FoundBy};

/// Longest heading, in characters.
const HEADING: usize = 80;

/// What the patches came to.
pub(crate) struct Applied {
    /// The order that they leave.
    pub(crate) draft: Draft,
    /// Each patch, in the order in which they were proposed.
    pub(crate) patches: Vec<TriedPatch>,
}

impl Applied {
    /// How many were applied.
    pub(crate) fn count(&self) -> usize {
        self.patches.iter().filter(|tried| tried.dropped.is_none()).count()
    }

    /// Whether one that was applied says where something stands.
    pub(crate) fn orders(&self) -> bool {
        let mut applied = self.patches.iter().filter(|tried| tried.dropped.is_none());
        applied.any(|tried| {
            !matches!(tried.patch.op, PatchOp::DropClaim { .. } | PatchOp::ReplaceHeading { .. })
        })
    }
}

/// The fact that a claim quotes.
pub(super) fn fact_of<'a>(answer: &'a Answer, claim: &Claim) -> Option<&'a FactId> {
    claim.evidence.first().and_then(|at| answer.evidence.get(*at)).map(|one| &one.fact_id)
}

/// The order by which an answer was composed: composing it again gives the same answer.
pub(crate) fn order_of(answer: &Answer) -> Draft {
    let of = |id: &ClaimId| {
        let claim = answer.claims.iter().find(|claim| claim.id == *id)?;
        fact_of(answer, claim).cloned()
    };
    Draft {
        conclusion: answer
            .claims
            .iter()
            .filter(|claim| answer.is_in_short_answer(claim))
            .filter_map(|claim| fact_of(answer, claim).cloned())
            .collect(),
        sections: answer
            .sections
            .iter()
            .map(|section| DraftSection {
                heading: section.heading.clone(),
                facts: section.claims.iter().filter_map(of).collect(),
            })
            .collect(),
        ..Draft::default()
    }
}

/// Applies what may be applied. What brings something in comes first, so that a claim can be dropped when another
/// takes its place.
pub(crate) fn apply(
    answer: &Answer,
    critique: &Critique,
    facts: &[Fact],
    patches: Vec<Patch>,
) -> Applied {
    let mut order = Order { answer, facts, draft: order_of(answer) };
    let mut tried: Vec<Option<TriedPatch>> = patches.iter().map(|_| None).collect();
    for removing in [false, true] {
        for (at, patch) in patches.iter().enumerate() {
            let takes_away = match &patch.op {
                PatchOp::DropClaim { .. } | PatchOp::DemoteFromConclusion { .. } => true,
                PatchOp::MoveClaim { to, .. } => *to != Place::Conclusion,
                PatchOp::AddFact { .. } | PatchOp::ReplaceHeading { .. } => false,
            };
            if takes_away == removing {
                let done = tied(critique, patch)
                    .and_then(|()| by_more_than_a_models_word(answer, critique, patch))
                    .and_then(|()| order.patch(&patch.op));
                tried[at] = Some(TriedPatch { patch: patch.clone(), dropped: done.err() });
            }
        }
    }
    Applied { draft: order.draft, patches: tried.into_iter().flatten().collect() }
}

/// A patch answers a finding that was kept, and where that points at a claim, the patch is about it.
fn tied(critique: &Critique, patch: &Patch) -> Result<(), String> {
    let Some(finding) = critique.finding(&patch.finding) else {
        return Err(format!("{:?} is no finding of the critique", patch.finding));
    };
    match (&finding.claim_id, patch.op.claim_id()) {
        (Some(about), Some(changed)) if about != changed => {
            Err(format!("finding {} is about {about}", finding.id))
        }
        _ => Ok(()),
    }
}

/// Where pages of strangers were read, critic and reviser may both have obeyed one. A quote then leaves the answer only for a
/// finding that code made; for a model's finding it can be moved out of the short answer and stays to be read.
fn by_more_than_a_models_word(
    answer: &Answer,
    critique: &Critique,
    patch: &Patch,
) -> Result<(), String> {
    let drops = matches!(patch.op, PatchOp::DropClaim { .. });
    let by_model = critique.finding(&patch.finding).is_some_and(|one| one.by == FoundBy::Model);
    if answer.web.is_some() && drops && by_model {
        return Err(
            "pages of the web were read, and a model's word alone takes no quote out of the answer"
                .to_owned(),
        );
    }
    Ok(())
}

/// An order under change.
struct Order<'a> {
    answer: &'a Answer,
    facts: &'a [Fact],
    draft: Draft,
}

impl Order<'_> {
    fn patch(&mut self, op: &PatchOp) -> Result<(), String> {
        match op {
            PatchOp::DropClaim { claim_id } => {
                let (fact, question) = self.movable(claim_id)?;
                self.stays_answered(&fact, question, false)?;
                self.take_out(&fact);
            }
            PatchOp::DemoteFromConclusion { claim_id } => {
                let (fact, question) = self.movable(claim_id)?;
                if !self.draft.conclusion.contains(&fact) {
                    return Err(format!("{claim_id} does not stand in the short answer"));
                }
                self.stays_answered(&fact, question, true)?;
                self.take_out(&fact);
                let at = self.section_about(question);
                self.draft.sections[at].facts.push(fact);
            }
            PatchOp::MoveClaim { claim_id, to } => {
                let (fact, question) = self.movable(claim_id)?;
                self.exists(*to)?;
                if self.of(*to).contains(&fact) {
                    return Err(format!("{claim_id} stands there already"));
                }
                if *to != Place::Conclusion {
                    self.stays_answered(&fact, question, true)?;
                }
                self.take_out(&fact);
                self.put(*to, fact);
            }
            PatchOp::AddFact { fact_id, to } => {
                self.exists(*to)?;
                let fact = self.addable(fact_id)?;
                self.put(*to, fact);
            }
            PatchOp::ReplaceHeading { section, heading } => {
                let Place::Section(number) = section else {
                    return Err("the short answer has no heading".to_owned());
                };
                self.exists(*section)?;
                let heading = crate::text::squeeze(heading);
                if heading.is_empty() || heading.chars().count() > HEADING {
                    return Err(format!("a heading has 1 to {HEADING} characters"));
                }
                let known = &mut self.draft.sections[number - 1].heading;
                if *known == heading {
                    return Err("the section is called so already".to_owned());
                }
                *known = heading;
            }
        }
        Ok(())
    }

    fn exists(&self, place: Place) -> Result<(), String> {
        match place {
            Place::Section(number) if number == 0 || number > self.draft.sections.len() => {
                Err(format!("there is no section {place}"))
            }
            _ => Ok(()),
        }
    }

    fn of(&self, place: Place) -> &[FactId] {
        match place {
            Place::Conclusion => &self.draft.conclusion,
            Place::Section(number) => {
                self.draft.sections.get(number - 1).map_or(&[], |section| &section.facts)
            }
        }
    }

    fn put(&mut self, place: Place, fact: FactId) {
        match place {
            Place::Conclusion => self.draft.conclusion.push(fact),
            Place::Section(number) => {
                if let Some(section) = self.draft.sections.get_mut(number - 1) {
                    section.facts.push(fact);
                }
            }
        }
    }

    fn take_out(&mut self, fact: &FactId) {
        self.draft.conclusion.retain(|known| known != fact);
        for section in &mut self.draft.sections {
            section.facts.retain(|known| known != fact);
        }
    }

    /// The fact and the question of a claim whose place the order decides.
    fn movable(&self, id: &ClaimId) -> Result<(FactId, u32), String> {
        let Some(claim) = self.answer.claims.iter().find(|claim| claim.id == *id) else {
            return Err(format!("{id} is no claim of the answer"));
        };
        let disagrees = claim.role == FactRole::Conflict
            || self.answer.conflicts.iter().any(|note| note.claims.contains(id));
        if disagrees {
            return Err(format!("{id} is a side of a disagreement, which is always shown"));
        }
        let Some(fact) = fact_of(self.answer, claim) else {
            return Err(format!("{id} quotes nothing"));
        };
        let placed = self.draft.conclusion.contains(fact)
            || self.draft.sections.iter().any(|section| section.facts.contains(fact));
        if !placed {
            return Err(format!("{id} stands where the program puts it, or was taken out before"));
        }
        Ok((fact.clone(), claim.question_id))
    }

    fn question_of(&self, fact: &FactId) -> Option<u32> {
        self.facts.iter().find(|known| known.id == *fact).map(|known| known.proposed.question_id)
    }

    /// No question may lose its only short answer, nor the last quote that answers it.
    fn stays_answered(&self, fact: &FactId, question: u32, kept_below: bool) -> Result<(), String> {
        let others = |facts: &[FactId]| {
            facts.iter().any(|other| other != fact && self.question_of(other) == Some(question))
        };
        if self.draft.conclusion.contains(fact) && !others(&self.draft.conclusion) {
            return Err(format!("it is the only short answer to question {question}"));
        }
        let elsewhere = others(&self.draft.conclusion)
            || self.draft.sections.iter().any(|section| others(&section.facts));
        if !kept_below && !elsewhere {
            return Err(format!("it is the only answer to question {question}"));
        }
        Ok(())
    }

    /// The section that tells more of a question, made where there is none.
    fn section_about(&mut self, question: u32) -> usize {
        let about = |section: &DraftSection| {
            section.facts.iter().any(|fact| self.question_of(fact) == Some(question))
        };
        if let Some(at) = self.draft.sections.iter().position(about) {
            return at;
        }
        // Composed under the planned question.
        self.draft.sections.push(DraftSection { heading: String::new(), facts: vec![] });
        self.draft.sections.len() - 1
    }

    /// A fact that answers and that the answer does not show yet.
    fn addable(&self, id: &FactId) -> Result<FactId, String> {
        let Some(fact) = self.facts.iter().find(|fact| fact.id == *id) else {
            return Err(format!("{id} is no fact of this run"));
        };
        let used = self.answer.evidence.iter().any(|evidence| evidence.fact_id == *id)
            || self.draft.conclusion.contains(id)
            || self.draft.sections.iter().any(|section| section.facts.contains(id));
        if used {
            return Err(format!("{id} stands in the answer already"));
        }
        if fact.proposed.role != FactRole::Answer {
            return Err(format!("{id} does not answer a question"));
        }
        Ok(fact.id.clone())
    }
}
