//! Vintages: a figure of which another passage tells that it changed counts neither for a claim about now nor against it.
//!
//! "The rent rises from £1,250 to £1,400" does away with "the rent is £1,250" of another document, whether that one has a date
//! or not: the change itself orders the two. Where nobody tells of a change and only the dates differ, both count, and it is
//! only said which one is the newer. A figure of a document that another one replaces ([`crate::evidence::replaced`]) is an older
//! value where that one has another figure. In doubt nothing is superseded: the change has to speak of the same thing, must not be
//! older than the statement, and must not have been undone by another one.
//!
//! No text is read here. What each passage tells comes with its judgement ([`FiguresTold`]).

#[cfg(test)]
mod tests;

use super::{JudgedPassage, Thresholds};
use crate::evidence::PartialDate;
use crate::measure::Explained;
use crate::port::{Figure, FiguresTold, Stated, ToldChange};

/// What is said about the times of the passages.
pub(crate) struct Note {
    /// For the reasoning of a verdict.
    pub(crate) said: String,
    /// For the tree of a figure.
    pub(crate) explained: Explained,
}

/// A change that a passage tells.
#[derive(Clone, Copy)]
struct Teller<'a> {
    passage: usize,
    change: &'a ToldChange,
    /// The time of the change, or else of the document that tells it.
    when: Option<PartialDate>,
}

/// By which change a passage is superseded.
type Mark<'a> = Option<Teller<'a>>;

/// A claim with its passages.
struct Scene<'a> {
    /// The figures of the claim.
    own: &'a [Figure],
    of_now: bool,
    untimed: bool,
    passages: &'a [JudgedPassage],
    thresholds: Thresholds,
}

impl<'a> Scene<'a> {
    fn new(passages: &'a [JudgedPassage], thresholds: Thresholds) -> Self {
        // All were judged by the same claim; a judgement of an earlier version says nothing of it.
        let mut told = passages.iter().map(|passage| &passage.judgement.told);
        let asked = told.find(|told| !told.asked.is_empty());
        Self {
            own: asked.map(|told| told.asked.as_slice()).unwrap_or_default(),
            of_now: asked.is_some_and(|told| told.of_now),
            untimed: asked.is_some_and(|told| told.untimed),
            passages,
            thresholds,
        }
    }

    fn told(&self, at: usize) -> &'a FiguresTold {
        &self.passages[at].judgement.told
    }

    fn is_own(&self, figure: &Figure) -> bool {
        self.own.iter().any(|own| own.is(figure))
    }

    fn supports(&self, at: usize) -> bool {
        self.passages[at].judgement.supports >= self.thresholds.supports
    }

    fn denies(&self, at: usize) -> bool {
        let judgement = &self.passages[at].judgement;
        judgement.refutes >= self.thresholds.refutes && judgement.refutes > judgement.supports
    }

    fn contradicts(&self, at: usize) -> bool {
        self.passages[at].judgement.mismatches.iter().any(|mismatch| mismatch.contradicts)
    }

    /// The time of a passage's document: its own, or else the latest in the title and the headings.
    fn date(&self, at: usize) -> Option<PartialDate> {
        self.passages[at].date.or(self.told(at).under)
    }

    fn stated(&self, at: usize, figure: &Figure) -> Option<&'a Stated> {
        self.told(at).stated.iter().find(|stated| stated.figure.is(figure))
    }

    fn all_told(&self) -> impl Iterator<Item = Teller<'a>> {
        (0..self.passages.len()).flat_map(move |passage| {
            let date = self.date(passage);
            let changes = self.told(passage).changes.iter();
            changes.map(move |change| Teller { passage, change, when: change.when.or(date) })
        })
    }

    /// The changes that do away with a figure of a passage: told by another one, of the same thing, and neither older than the
    /// statement nor undone.
    fn changes(&self, at: usize, figure: &Figure) -> Vec<Teller<'a>> {
        let Some(stated) = self.stated(at, figure) else { return Vec::new() };
        let when = stated.when.or(self.date(at));
        let does_away = |teller: &Teller<'a>| {
            let is_older =
                when.zip(teller.when).is_some_and(|(when, change)| when.is_after(change));
            teller.passage != at
                && teller.change.before.is(figure)
                && !is_older
                && self.is_same_thing(stated, teller.change)
                && !self.is_undone(teller)
        };
        self.all_told().filter(does_away).collect()
    }

    /// Whether a change back is told that is not known to be the older one.
    fn is_undone(&self, told: &Teller<'_>) -> bool {
        let Some(after) = &told.change.after else { return false };
        self.all_told().any(|back| {
            let is_back = back.change.before.is(after)
                && back.change.after.as_ref().is_some_and(|after| after.is(&told.change.before));
            let is_newer = told.when.zip(back.when).is_some_and(|(one, two)| one.is_after(two));
            is_back && !is_newer
        })
    }

    /// Whether a change is told of what a passage states: what the statement and the claim have in common has to be spoken of,
    /// and neither may speak of something that the other has not.
    fn is_same_thing(&self, stated: &Stated, change: &ToldChange) -> bool {
        let (own, other) = (&stated.about, &change.about);
        let known = |word: &&String| other.words.contains(*word);
        let (shared, met) = (stated.shared.len(), stated.shared.iter().filter(known).count());
        // What only one of the two is about: "the rent of the garage", "the hire of the hall".
        let is_more = own.subject.iter().any(|word| !other.words.contains(word));
        let beside = other.subject.iter().any(|word| !own.words.contains(word));
        let is_other = stated.names.iter().any(|name| !other.words.contains(name));
        if met == 0 || is_other || beside && (is_more || met < shared) || own.is_another(other) {
            return false;
        }
        // Numbers that name have to stand on both sides: "flat 7" is told of no flat at all.
        let mut figures: Vec<&Figure> = self.own.iter().collect();
        figures.extend([&stated.figure, &change.before]);
        figures.extend(&change.after);
        2 * met >= shared
            && own.labels.iter().all(|label| other.names(label, &figures))
            && other.labels.iter().all(|label| own.names(label, &figures))
    }

    /// Which passages state what is told to have changed since.
    fn marks(&self) -> Vec<Mark<'a>> {
        let mut marks: Vec<Mark<'a>> = vec![None; self.passages.len()];
        if self.own.is_empty() || self.all_told().next().is_none() {
            return marks;
        }
        self.mark_denials(&mut marks);
        if self.of_now {
            self.mark_support(&mut marks);
        }
        marks
    }

    /// Passages that only have an older figure against the claim's: it became that one, by a passage that does not itself speak
    /// against the claim, or in several such steps.
    fn mark_denials(&self, marks: &mut [Mark<'a>]) {
        let mut reached: Vec<&Figure> = self.own.iter().collect();
        loop {
            let before = reached.len();
            for at in 0..self.passages.len() {
                let against = &self.told(at).against;
                if marks[at].is_some() || against.is_empty() {
                    continue;
                }
                let may_tell = |other: usize| {
                    marks[other].is_some() || !self.contradicts(other) && !self.denies(other)
                };
                let by: Option<Vec<Teller<'a>>> = against
                    .iter()
                    .map(|figure| {
                        self.changes(at, figure).into_iter().find(|teller| {
                            let ToldChange { before, after, .. } = teller.change;
                            let leads_here = after
                                .as_ref()
                                .is_none_or(|after| reached.iter().any(|known| known.is(after)));
                            leads_here && !self.is_own(before) && may_tell(teller.passage)
                        })
                    })
                    .collect();
                if let Some(first) = by.and_then(|by| by.first().copied()) {
                    marks[at] = Some(first);
                    reached.extend(against);
                }
            }
            if reached.len() == before {
                return;
            }
        }
    }

    /// Passages that bear the claim out by a figure that has changed since.
    fn mark_support(&self, marks: &mut [Mark<'a>]) {
        for (at, mark) in marks.iter_mut().enumerate() {
            let judgement = &self.passages[at].judgement;
            if mark.is_some() || judgement.supports <= judgement.refutes {
                continue;
            }
            let still = |figure: &&Figure| self.told(at).latest(figure).is(figure);
            *mark = self.own.iter().filter(still).find_map(|figure| {
                self.changes(at, figure).into_iter().find(|teller| {
                    let stays = teller.change.after.as_ref().is_some_and(|new| self.is_own(new));
                    !stays && !self.supports(teller.passage)
                })
            });
        }
    }

    /// Passages that bear the claim out by a figure of a document which another one replaces that has another figure there;
    /// each with the passage that has it. Where a passage of the new document bears the claim out as well, none.
    fn replaced(&self, marks: &[Mark<'a>]) -> Vec<(usize, usize)> {
        if self.own.is_empty() || !self.untimed {
            return Vec::new();
        }
        let figure_of_it = |at: usize| self.own.iter().any(|own| self.stated(at, own).is_some());
        let all = 0..self.passages.len();
        let old = all.clone().filter(|at| marks[*at].is_none() && figure_of_it(*at));
        old.filter_map(|at| {
            let JudgedPassage { judgement, replaced_by, .. } = &self.passages[at];
            let by = replaced_by.as_ref().filter(|_| judgement.supports > judgement.refutes)?;
            let of_new = |other: &usize| self.passages[*other].evidence.source_id == *by;
            if all.clone().filter(of_new).any(|other| self.supports(other)) {
                return None;
            }
            let says_else = |other: &usize| {
                !self.told(*other).against.is_empty()
                    && self.passages[*other].judgement.refutes > 0.0
            };
            all.clone().filter(of_new).find(says_else).map(|new| (at, new))
        })
        .collect()
    }

    /// The place of a passage, with a time.
    fn place(&self, at: usize, when: Option<PartialDate>) -> String {
        let location = &self.passages[at].evidence.location;
        when.map_or_else(|| location.clone(), |when| format!("{location} ({when})"))
    }

    /// Which of two passages that disagree is the newer one: by the times of their documents. A day that a sentence names is
    /// when something happens, not when it was written.
    fn newer(&self, counts: impl Fn(usize) -> bool) -> Option<Note> {
        let strongest = |test: &dyn Fn(usize) -> bool, figure: &dyn Fn(usize) -> f64| {
            (0..self.passages.len()).filter(|at| counts(*at) && test(*at)).max_by(|a, b| {
                let source = |at: usize| &self.passages[at].evidence.source_id;
                figure(*a).total_cmp(&figure(*b)).then_with(|| source(*b).cmp(source(*a)))
            })
        };
        let says = strongest(&|at| self.supports(at), &|at| self.passages[at].judgement.supports)?;
        let denies = strongest(&|at| self.denies(at), &|at| self.passages[at].judgement.refutes)?;
        let (for_it, against) = (self.date(says)?, self.date(denies)?);
        let (new, old) = if for_it.is_after(against) {
            (says, denies)
        } else if against.is_after(for_it) {
            (denies, says)
        } else {
            return None;
        };
        let (who, other) = (self.place(new, self.date(new)), self.place(old, self.date(old)));
        let judgement = &self.passages[new].judgement;
        let rule = format!("newer than {other}, but tells of no change: both count");
        Some(Note {
            said: format!("{who} is the newer one, but tells of no change"),
            explained: Explained::new(who, judgement.supports.max(judgement.refutes), rule),
        })
    }

    /// What is to be said, and which passages are superseded, each with the rule.
    fn noted(&self) -> (Vec<Note>, Vec<(usize, String)>) {
        let marks = self.marks();
        let mut notes = Vec::new();
        let mut rules = Vec::new();
        for (at, mark) in marks.iter().enumerate() {
            let Some(Teller { passage, change, .. }) = *mark else { continue };
            let who = self.place(at, self.date(at));
            let teller = self.place(passage, self.date(passage));
            let by = format!("superseded by the change told in {teller}");
            let rule = format!("{by}: “{}”", change.words);
            rules.push((at, rule.clone()));
            let said = format!("{who}: {by}");
            notes.push(Note { said, explained: Explained::new(who, 0.0, rule) });
        }
        let replaced = self.replaced(&marks);
        for (at, new) in &replaced {
            let who = self.place(*at, self.date(*at));
            let rule = format!(
                "an older value: {} replaces its document and has another one",
                self.place(*new, self.date(*new))
            );
            rules.push((*at, rule.clone()));
            let said = format!("{who}: {rule}");
            notes.push(Note { said, explained: Explained::new(who, 0.0, rule) });
        }
        let is_replaced = |at: usize| replaced.iter().any(|(old, _)| *old == at);
        notes.extend(self.newer(|at| marks[at].is_none() && !is_replaced(at)));
        (notes, rules)
    }
}

/// Takes what is superseded out of the judged passages of a claim, and says so; says of two passages that disagree which one is
/// the newer. The order of the passages changes no figure.
pub(crate) fn settle(passages: &mut [JudgedPassage], thresholds: Thresholds) -> Vec<Note> {
    if passages.len() < 2 {
        return Vec::new();
    }
    let (notes, rules) = Scene::new(passages, thresholds).noted();
    for (at, rule) in rules {
        let JudgedPassage { evidence, judgement, .. } = &mut passages[at];
        (evidence.supports, evidence.refutes) = (0.0, 0.0);
        (judgement.supports, judgement.refutes) = (0.0, 0.0);
        // Its words bear nothing out any more, and what of the claim it does not have is no lack.
        judgement.mismatches.clear();
        judgement.grounding.clear();
        judgement.explained =
            Explained::new("P(supports)", 0.0, rule).and(judgement.explained.clone());
    }
    notes
}
