//! Vintages: a figure of which another passage tells that it changed counts neither for a claim about now nor against it.
//!
//! "The rent rises from £1,250 to £1,400" does away with "the rent is £1,250" of another document, whether that one has a date
//! or not: the change itself orders the two. Where nobody tells of a change and only the dates differ, both count, and it is
//! only said which one is the newer. In doubt nothing is superseded: the change has to speak of the same thing, must not be
//! older than the statement, and must not have been undone by another one.

mod told;
mod when;

#[cfg(test)]
mod tests;

use super::{JudgedPassage, Thresholds};
use crate::evidence::{PartialDate, ReadPassage};
use crate::measure::Explained;
use crate::port::MismatchKind;
use std::collections::BTreeSet;
use told::{Change, Figure, Sentence, Words, sentences};
use when::is_later;

/// What a passage stands in: all of its words, what they stand under, and the time of its document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setting {
    text: String,
    /// The document's title and the headings above the passage.
    context: String,
    date: Option<PartialDate>,
}

impl Setting {
    pub(super) fn of(read: &ReadPassage) -> Self {
        let mut context = read.source.title.clone();
        for heading in &read.passage.heading_path {
            context.push_str(". ");
            context.push_str(heading);
        }
        let stated = read.source.date.as_ref().map(|date| date.value);
        Self {
            text: read.passage.text.clone(),
            date: stated.or_else(|| Sentence::new(&context).latest()),
            context,
        }
    }
}

/// What is said about the times of the passages.
pub(super) struct Note {
    /// For the reasoning of a verdict.
    pub(super) said: String,
    /// For the tree of a figure.
    pub(super) explained: Explained,
}

/// A change with what it is told of.
struct Told {
    change: Change,
    when: Option<PartialDate>,
    /// The words of its sentence.
    words: Words,
    /// Those before the change itself.
    subject: BTreeSet<String>,
    /// The words that the sentence stands under.
    context: Words,
}

/// A passage as it is read here.
struct Read {
    sentences: Vec<Sentence>,
    told: Vec<Told>,
    context: Words,
    date: Option<PartialDate>,
}

impl Read {
    fn of(passage: &JudgedPassage) -> Self {
        let Setting { text, context, date } = &passage.setting;
        let sentences: Vec<Sentence> = sentences(text).into_iter().map(Sentence::new).collect();
        let context = Sentence::new(context).as_title();
        let mut told = Vec::new();
        for (at, sentence) in sentences.iter().enumerate() {
            for change in sentence.changes() {
                let mut context = context.clone();
                // "It rises to £1,400": what rises stands in the sentence before.
                let before = at.checked_sub(1).filter(|_| sentence.points_back());
                if let Some(before) = before {
                    context.extend(sentences[before].every_word());
                }
                told.push(Told {
                    when: change.when.or(*date),
                    words: sentence.every_word(),
                    subject: sentence.subject(change.start),
                    context,
                    change,
                });
            }
        }
        Self { sentences, told, context, date: *date }
    }

    /// The sentence that states a figure: of several the one that has most in common with the claim.
    fn stating(&self, figure: Figure, claim: &Words) -> Option<&Sentence> {
        let common =
            |sentence: &&Sentence| sentence.every_word().all.intersection(&claim.all).count();
        self.sentences.iter().filter(|sentence| sentence.has(figure)).max_by_key(common)
    }

    /// What a figure has become by this passage's own word.
    fn latest(&self, figure: Figure) -> Figure {
        let own = self.told.iter().find(|told| told.change.before.is(figure));
        own.and_then(|told| told.change.after).unwrap_or(figure)
    }
}

/// By which passage a figure is superseded, and by which of the changes that it tells.
type Mark = Option<(usize, usize)>;

/// A claim with its passages.
struct Scene<'a> {
    claim: Sentence,
    words: Words,
    own: Vec<Figure>,
    passages: &'a [JudgedPassage],
    read: &'a [Read],
    thresholds: Thresholds,
}

impl Scene<'_> {
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

    /// The figures by which a passage speaks against the claim; `None` when it does so by anything else.
    fn against(&self, at: usize) -> Option<Vec<Figure>> {
        let mismatches = self.passages[at].judgement.mismatches.iter().filter(|m| m.contradicts);
        let found: Option<Vec<Figure>> = mismatches
            .map(|mismatch| {
                let words = mismatch.evidence_text.as_deref()?;
                let figure = Sentence::new(words).figures().last().copied()?;
                let is_figure = mismatch.kind == MismatchKind::Number;
                is_figure.then(|| self.read[at].latest(figure))
            })
            .collect();
        found.filter(|figures| !figures.is_empty())
    }

    /// When the sentence speaks that states a figure: the time that it names, or else its document's.
    fn stated_when(&self, at: usize, figure: Figure) -> Option<PartialDate> {
        let sentence = self.read[at].stating(figure, &self.words)?;
        sentence.latest().or(self.read[at].date)
    }

    /// The changes that do away with a figure of a passage: told by another one, of the same thing, and neither older than the
    /// statement nor undone.
    fn changes(&self, at: usize, figure: Figure) -> impl Iterator<Item = ((usize, usize), &Told)> {
        let stated = self.stated_when(at, figure);
        self.all_told().filter(move |((other, _), told)| {
            let is_older =
                stated.zip(told.when).is_some_and(|(stated, change)| is_later(stated, change));
            *other != at
                && told.change.before.is(figure)
                && !is_older
                && self.is_same_thing(at, figure, told)
                && !self.is_undone(told)
        })
    }

    fn all_told(&self) -> impl Iterator<Item = ((usize, usize), &Told)> {
        self.read.iter().enumerate().flat_map(|(at, read)| {
            read.told.iter().enumerate().map(move |(n, told)| ((at, n), told))
        })
    }

    /// Whether a change back is told that is not known to be the older one.
    fn is_undone(&self, told: &Told) -> bool {
        let Some(after) = told.change.after else { return false };
        self.all_told().any(|(_, back)| {
            let is_back = back.change.before.is(after)
                && back.change.after.is_some_and(|after| after.is(told.change.before));
            let is_newer = told.when.zip(back.when).is_some_and(|(one, two)| is_later(one, two));
            is_back && !is_newer
        })
    }

    /// Whether a change is told of what a passage states: what the statement and the claim have in common has to be spoken of,
    /// and neither may speak of something that the other has not.
    fn is_same_thing(&self, at: usize, figure: Figure, told: &Told) -> bool {
        let read = &self.read[at];
        let Some(sentence) = read.stating(figure, &self.words) else { return false };
        let stated = sentence.every_word();
        let known =
            |word: &String| told.words.all.contains(word) || told.context.all.contains(word);
        let shared: Vec<&String> = stated.all.intersection(&self.words.all).collect();
        let met = shared.iter().filter(|&&word| known(word)).count();
        // What only one of the two is about: "the rent of the garage", "the hire of the hall".
        let mut subject = sentence.subject(sentence.first_figure());
        subject.retain(|word| !known(word) && !self.words.all.contains(word));
        let beside = told.subject.iter().any(|word| {
            !stated.all.contains(word)
                && !read.context.all.contains(word)
                && !self.words.all.contains(word)
        });
        let is_other =
            stated.names.iter().any(|name| !known(name) && !self.words.all.contains(name));
        if met == 0 || is_other || beside && (!subject.is_empty() || met < shared.len()) {
            return false;
        }
        // Numbers that name have to be the same: "flat 3" is not "flat 7".
        let mut figures = self.own.clone();
        figures.extend([figure, told.change.before]);
        figures.extend(told.change.after);
        let of_change = |label: &String| {
            told.words.is_named(label, &figures) || told.context.is_named(label, &figures)
        };
        let of_statement = |label: &String| {
            stated.is_named(label, &figures)
                || read.context.is_named(label, &figures)
                || self.words.is_named(label, &figures)
        };
        2 * met >= shared.len()
            && stated.labels.iter().chain(&self.words.labels).all(of_change)
            && told.words.labels.iter().all(of_statement)
    }

    /// Which passages state what is told to have changed since.
    fn marks(&self) -> Vec<Mark> {
        let mut marks: Vec<Mark> = vec![None; self.passages.len()];
        if self.own.is_empty() || self.read.iter().all(|read| read.told.is_empty()) {
            return marks;
        }
        self.mark_denials(&mut marks);
        if self.claim.speaks_of_now() {
            self.mark_support(&mut marks);
        }
        marks
    }

    /// Passages that only have an older figure against the claim's: it became that one, by a passage that does not itself speak
    /// against the claim, or in several such steps.
    fn mark_denials(&self, marks: &mut [Mark]) {
        let against: Vec<Option<Vec<Figure>>> =
            (0..self.passages.len()).map(|at| self.against(at)).collect();
        let mut reached = self.own.clone();
        loop {
            let before = reached.len();
            for (at, figures) in against.iter().enumerate() {
                let Some(figures) = figures.as_ref().filter(|_| marks[at].is_none()) else {
                    continue;
                };
                let may_tell = |other: usize| {
                    marks[other].is_some() || !self.contradicts(other) && !self.denies(other)
                };
                let by: Option<Vec<(usize, usize)>> = figures
                    .iter()
                    .map(|figure| {
                        let found = self.changes(at, *figure).find(|((other, _), told)| {
                            let Change { before, after, .. } = &told.change;
                            let leads_here = after
                                .is_none_or(|after| reached.iter().any(|known| known.is(after)));
                            let is_own = self.own.iter().any(|own| own.is(*before));
                            leads_here && !is_own && may_tell(*other)
                        });
                        found.map(|(place, _)| place)
                    })
                    .collect();
                if let Some(first) = by.and_then(|by| by.first().copied()) {
                    marks[at] = Some(first);
                    reached.extend(figures);
                }
            }
            if reached.len() == before {
                return;
            }
        }
    }

    /// Passages that bear the claim out by a figure that has changed since.
    fn mark_support(&self, marks: &mut [Mark]) {
        for (at, mark) in marks.iter_mut().enumerate() {
            let judgement = &self.passages[at].judgement;
            if mark.is_some() || judgement.supports <= judgement.refutes {
                continue;
            }
            let still = |figure: &&Figure| self.read[at].latest(**figure).is(**figure);
            *mark = self.own.iter().filter(still).find_map(|figure| {
                let found = self.changes(at, *figure).find(|((other, _), told)| {
                    let after = told.change.after;
                    let stays = after.is_some_and(|after| self.own.iter().any(|own| own.is(after)));
                    !stays && !self.supports(*other)
                });
                found.map(|(place, _)| place)
            });
        }
    }

    /// The place of a passage, with a time.
    fn place(&self, at: usize, when: Option<PartialDate>) -> String {
        let location = &self.passages[at].evidence.location;
        when.map_or_else(|| location.clone(), |when| format!("{location} ({when})"))
    }

    /// Which of two passages that disagree is the newer one.
    fn newer(&self, marks: &[Mark]) -> Option<Note> {
        let strongest = |test: &dyn Fn(usize) -> bool, figure: &dyn Fn(usize) -> f64| {
            (0..self.passages.len()).filter(|at| marks[*at].is_none() && test(*at)).max_by(
                |a, b| {
                    let source = |at: usize| &self.passages[at].evidence.source_id;
                    figure(*a).total_cmp(&figure(*b)).then_with(|| source(*b).cmp(source(*a)))
                },
            )
        };
        let says = strongest(&|at| self.supports(at), &|at| self.passages[at].judgement.supports)?;
        let denies = strongest(&|at| self.denies(at), &|at| self.passages[at].judgement.refutes)?;
        let date = |at: usize| {
            let decided = Sentence::new(&self.passages[at].evidence.relevant_text).latest();
            decided.or(self.read[at].date)
        };
        let (for_it, against) = (date(says)?, date(denies)?);
        let (new, old) = if is_later(for_it, against) {
            (says, denies)
        } else if is_later(against, for_it) {
            (denies, says)
        } else {
            return None;
        };
        let (who, other) = (self.place(new, date(new)), self.place(old, date(old)));
        let judgement = &self.passages[new].judgement;
        let rule = format!("newer than {other}, but tells of no change: both count");
        Some(Note {
            said: format!("{who} is the newer one, but tells of no change"),
            explained: Explained::new(who, judgement.supports.max(judgement.refutes), rule),
        })
    }
}

/// Takes what is superseded out of the judged passages of a claim, and says so; says of two passages that disagree which one is
/// the newer. The order of the passages changes no figure.
pub(super) fn settle(
    claim: &str,
    passages: &mut [JudgedPassage],
    thresholds: Thresholds,
) -> Vec<Note> {
    if passages.len() < 2 {
        return Vec::new();
    }
    let read: Vec<Read> = passages.iter().map(Read::of).collect();
    let (notes, rules) = noted(claim, passages, &read, thresholds);
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

/// What is to be said, and which passages are superseded, each with the rule.
fn noted(
    claim: &str,
    passages: &[JudgedPassage],
    read: &[Read],
    thresholds: Thresholds,
) -> (Vec<Note>, Vec<(usize, String)>) {
    let claim = Sentence::new(claim);
    let (words, own) = (claim.every_word(), claim.figures());
    let scene = Scene { claim, words, own, passages, read, thresholds };
    let marks = scene.marks();
    let mut notes = Vec::new();
    let mut rules = Vec::new();
    for (at, mark) in marks.iter().enumerate() {
        let Some((other, n)) = *mark else { continue };
        let who = scene.place(at, read[at].date);
        let teller = scene.place(other, read[other].date);
        let by = format!("superseded by the change told in {teller}");
        let rule = format!("{by}: “{}”", read[other].told[n].change.words);
        rules.push((at, rule.clone()));
        let said = format!("{who}: {by}");
        notes.push(Note { said, explained: Explained::new(who, 0.0, rule) });
    }
    notes.extend(scene.newer(&marks));
    (notes, rules)
}
