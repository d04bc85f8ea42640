//! The plan of a run while it is changed: what the run has, what is to be asked in its place, and what may not be changed.
//! It knows no terminal: the screen changes it by keys, `worded` by lines.

use elenchus_core::inquiry::{Control, MAX_QUESTIONS};
use elenchus_core::text::squeeze;
use elenchus_core::trace::{Projection, RunStatus};

/// Most questions of a plan.
pub(super) fn most() -> usize {
    usize::from(MAX_QUESTIONS)
}

/// A question that a run has in its plan.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Planned {
    text: String,
    answered: bool,
}

/// What a question is to the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Answered,
    Planned,
    New,
}

/// A plan as it is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Draft {
    /// The plan as the run has it.
    plan: Vec<Planned>,
    asked: Vec<String>,
    /// The selected question.
    pub(super) row: usize,
    /// The first line that is shown.
    pub(super) top: usize,
    /// Whether another page is looked at meanwhile.
    pub(super) aside: bool,
    /// Whether it was said that leaving drops the changes.
    pub(super) warned: bool,
}

/// Two questions that the core takes for one.
fn is_same(a: &str, b: &str) -> bool {
    a.to_lowercase() == b.to_lowercase()
}

/// The plan of a run, each question once.
fn planned(run: &Projection) -> Vec<Planned> {
    let mut all: Vec<Planned> = Vec::new();
    for one in &run.questions {
        let text = squeeze(&one.question.text);
        match all.iter_mut().find(|known| is_same(&known.text, &text)) {
            Some(known) => known.answered |= one.answered,
            None => all.push(Planned { text, answered: one.answered }),
        }
    }
    all
}

fn texts(plan: &[Planned]) -> Vec<String> {
    plan.iter().map(|one| one.text.clone()).collect()
}

fn full() -> String {
    format!("a plan holds at most {MAX_QUESTIONS} questions: take one out first")
}

impl Draft {
    pub(super) fn of(run: &Projection) -> Self {
        let plan = planned(run);
        let asked = texts(&plan);
        Self { plan, asked, row: 0, top: 0, aside: false, warned: false }
    }

    /// What is to be asked, in this order.
    pub(super) fn asked(&self) -> &[String] {
        &self.asked
    }

    pub(super) fn is_changed(&self) -> bool {
        self.asked != texts(&self.plan)
    }

    pub(super) fn mark(&self, text: &str) -> Mark {
        match self.plan.iter().find(|one| is_same(&one.text, text)) {
            Some(one) if one.answered => Mark::Answered,
            Some(_) => Mark::Planned,
            None => Mark::New,
        }
    }

    /// Where a question stands.
    pub(super) fn place(&self, text: &str) -> Option<usize> {
        self.asked.iter().position(|one| is_same(one, text))
    }

    /// Questions of the run that are asked no longer.
    pub(super) fn left_out(&self) -> impl Iterator<Item = &str> {
        self.plan.iter().map(|one| one.text.as_str()).filter(move |text| self.place(text).is_none())
    }

    /// Whether there is room for another question; why not.
    pub(super) fn room(&self) -> Result<(), String> {
        if self.asked.len() < most() { Ok(()) } else { Err(full()) }
    }

    /// Why there is no such question.
    fn unknown(&self) -> String {
        match self.asked.len() {
            0 => "the plan asks nothing yet".to_owned(),
            1 => "there is only question 1".to_owned(),
            all => format!("there are questions 1 to {all} only"),
        }
    }

    /// The text of a question that may be worded anew or taken out; why it may not.
    pub(super) fn free(&self, at: usize) -> Result<&str, String> {
        let text = self.asked.get(at).ok_or_else(|| self.unknown())?;
        if self.mark(text) == Mark::Answered {
            return Err(format!(
                "question {} is answered: it may be moved, but not changed or taken out, so that what was found for it \
                 is kept",
                at + 1
            ));
        }
        Ok(text)
    }

    /// A question as it is kept; why it cannot be. `but` is the place of the one that it replaces.
    fn worded(&self, text: &str, but: Option<usize>) -> Result<String, String> {
        let text = squeeze(text);
        if !text.chars().any(char::is_alphanumeric) {
            return Err("the question is empty: ask something in words".to_owned());
        }
        match self.place(&text) {
            Some(at) if Some(at) != but => Err(format!("question {} asks that already", at + 1)),
            _ => Ok(text),
        }
    }

    /// Puts a question in at a place, or at the end; gives the place.
    pub(super) fn add(&mut self, at: usize, text: &str) -> Result<usize, String> {
        let text = self.worded(text, None)?;
        self.room()?;
        let at = at.min(self.asked.len());
        self.asked.insert(at, text);
        Ok(at)
    }

    /// Words a question anew.
    pub(super) fn reword(&mut self, at: usize, text: &str) -> Result<usize, String> {
        let old = self.free(at)?.to_owned();
        let text = self.worded(text, Some(at))?;
        if text != old && is_same(&text, &old) && self.mark(&old) == Mark::Planned {
            return Err("only letters are larger or smaller: that is the same question".to_owned());
        }
        if let Some(question) = self.asked.get_mut(at) {
            *question = text;
        }
        Ok(at)
    }

    /// Takes a question out, and gives it.
    pub(super) fn remove(&mut self, at: usize) -> Result<String, String> {
        self.free(at)?;
        let gone = self.asked.remove(at);
        self.row = self.row.min(self.asked.len().saturating_sub(1));
        Ok(gone)
    }

    /// Puts a question to another place; gives where it stands then.
    pub(super) fn shift(&mut self, from: usize, to: usize) -> Result<usize, String> {
        if from >= self.asked.len() {
            return Err(self.unknown());
        }
        let to = to.min(self.asked.len() - 1);
        let question = self.asked.remove(from);
        self.asked.insert(to, question);
        Ok(to)
    }

    /// Everything as the run has it.
    pub(super) fn undo(&mut self) {
        self.asked = texts(&self.plan);
        self.row = self.row.min(self.asked.len().saturating_sub(1));
    }

    /// Takes in what has become of the plan meanwhile; gives what is to be said of that.
    pub(super) fn renew(&mut self, run: &Projection) -> Option<String> {
        let plan = planned(run);
        if plan == self.plan {
            return None;
        }
        let was_changed = self.is_changed();
        let differs = texts(&plan) != texts(&self.plan);
        self.plan = plan;
        if !was_changed {
            self.undo();
            return None;
        }
        // What was found meanwhile is not lost.
        let back: Vec<String> = self
            .plan
            .iter()
            .filter(|one| one.answered && self.place(&one.text).is_none())
            .map(|one| one.text.clone())
            .collect();
        if !back.is_empty() {
            let said = back.join(" ");
            self.asked.extend(back);
            return Some(format!("answered meanwhile, and so it stands in the plan again: {said}"));
        }
        differs.then(|| {
            "the run has another plan meanwhile: yours takes its place when you send it".to_owned()
        })
    }

    /// What to tell the run, if anything, and what to say of it; why it cannot be sent.
    pub(super) fn sent(&self, run: &Projection) -> Result<(Option<Control>, &'static str), String> {
        if self.asked.is_empty() {
            return Err("a plan that asks nothing changes nothing: put a question in".to_owned());
        }
        let waits = run.awaits_review();
        if !self.is_changed() {
            return Ok(if waits {
                (Some(Control::Resume), "it goes on with its plan as it is")
            } else {
                (None, "nothing was changed: the plan stays as it is")
            });
        }
        if let Some(why) = run.refuses_plan(&self.asked) {
            return Err(format!("{why}: {}", why.way_out()));
        }
        let control = Control::EditPlan { questions: self.asked.clone() };
        let said = if waits {
            "it goes on with your plan"
        } else if run.status == RunStatus::Paused {
            "the plan is changed; the run is still paused"
        } else {
            "the plan is changed: what is new in it is searched for from the next round on"
        };
        Ok((Some(control), said))
    }
}
