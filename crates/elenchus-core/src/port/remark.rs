//! What people say of a run from outside it, and what they took out of it. None of it is in the journal: it may come long
//! after the end, and changes nothing of what the run found.

use crate::answer::Answer;
use crate::bank::Caller;
use crate::belief::{Calibration, ClaimConfidence};
use crate::id::{ClaimId, RunId, Timestamp};
use crate::inquiry::Input;
use crate::journal::{Entry, JournalRecord};
use crate::prompt::Bearing;
use crate::synthesis::insight::{Insight, InsightFeedback};
use crate::text::squeeze;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a remark is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Matter {
    /// A connection that stands out.
    Insight,
    /// A statement of the answer.
    Claim,
    /// The answer as a whole.
    Answer,
    /// A report that was taken out; its target is the format.
    Export,
}

impl Matter {
    /// Every one.
    pub const ALL: [Self; 4] = [Self::Insight, Self::Claim, Self::Answer, Self::Export];

    /// The word for stores.
    pub fn name(self) -> &'static str {
        match self {
            Self::Insight => "insight",
            Self::Claim => "claim",
            Self::Answer => "answer",
            Self::Export => "export",
        }
    }

    /// The matter of this word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == word)
    }
}

/// Something that was said of a run. Of one actor on one target the last remark counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Remark {
    /// The run.
    pub run_id: RunId,
    /// What it is about.
    pub about: Matter,
    /// Which one: the id of the insight or the claim, the format of an export; empty for the answer.
    pub target: String,
    /// Who says it.
    pub actor: String,
    /// The word: `useful`, `not-useful`, `saved`, `right`, `wrong`, `exported`. `None` takes back what was said.
    pub said: Option<String>,
    /// What was said along with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What later figures learn from it, as JSON: see [`Basis`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub basis: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// The longest note, in characters.
pub const LONGEST_NOTE: usize = 2_000;
/// The word for a statement that held.
pub const RIGHT: &str = "right";
/// The word for one that did not.
pub const WRONG: &str = "wrong";

impl Remark {
    /// A word on something of a run.
    pub fn new(
        run_id: &RunId,
        about: Matter,
        target: &str,
        actor: &str,
        said: Option<&str>,
        at: Timestamp,
    ) -> Self {
        Self {
            run_id: run_id.clone(),
            about,
            target: target.to_owned(),
            actor: actor.to_owned(),
            said: said.map(str::to_owned),
            note: None,
            basis: None,
            at,
        }
    }

    /// That a report was taken out.
    pub fn export(run_id: &RunId, format: &str, actor: &str, at: Timestamp) -> Self {
        Self::new(run_id, Matter::Export, format, actor, Some("exported"), at)
    }

    /// The same with a note, in one line and cut to [`LONGEST_NOTE`]; without one where it says nothing.
    #[must_use]
    pub fn noting(mut self, note: &str) -> Self {
        self.note = plain_note(note);
        self
    }

    /// The same with what figures learn from it.
    #[must_use]
    pub fn resting_on(mut self, basis: Option<&Basis>) -> Self {
        self.basis = basis.and_then(|basis| serde_json::to_string(basis).ok());
        self
    }
}

/// A note in one line, cut to [`LONGEST_NOTE`]; nothing where it says nothing.
pub fn plain_note(note: &str) -> Option<String> {
    let plain: String = note.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let note: String = squeeze(&plain).chars().take(LONGEST_NOTE).collect();
    (!note.is_empty()).then_some(note)
}

/// What a judgement of a statement tells about.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JudgedFigure {
    /// The probability that sources bear a claim out, before any feedback.
    Fitted(f64),
    /// How firmly an answer bore on its question.
    Bearing(Bearing),
}

impl JudgedFigure {
    /// Of a claim that answers as firmly as `bearing` says, or only has a figure; `None` where it has none that could have
    /// been right or wrong.
    pub fn of(bearing: Option<Bearing>, figures: &ClaimConfidence) -> Option<Self> {
        let fitted = || figures.fitted.or(figures.calibrated).map(Self::Fitted);
        bearing.map(Self::Bearing).or_else(fitted)
    }
}

/// What a judgement of a statement rests on, kept with it so that nothing has to be replayed to learn from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Basis {
    /// The claim's words.
    pub claim: String,
    /// The version of the calibration under which the figure was made.
    pub calibration: String,
    /// The figure.
    pub figure: JudgedFigure,
}

impl Basis {
    /// Of a claim of a run; `None` where it has no figure that could have been right or wrong.
    pub fn of(journal: &[JournalRecord], answer: &Answer, claim: &ClaimId) -> Option<Self> {
        let calibration = calibration_of(journal)?.version.clone();
        let all = &answer.confidence.as_ref()?.claim_confidences;
        let figures = all.iter().find(|one| one.claim_id == *claim)?;
        let bearing = answer.claims.iter().find(|one| one.id == *claim).and_then(|one| one.bearing);
        let figure = JudgedFigure::of(bearing, figures)?;
        Some(Self { claim: squeeze(&figures.claim_text), calibration, figure })
    }
}

/// The calibration that a run was opened with, where it was to be judged.
pub fn calibration_of(journal: &[JournalRecord]) -> Option<&Calibration> {
    let Entry::Input(input) = &journal.first()?.entry else { return None };
    let Input::Opened(opened) = input.as_ref() else { return None };
    opened.judging.as_ref().map(|judging| &judging.calibration)
}

/// The one user of a machine, as the actor of remarks.
pub const LOCAL: &str = "local";

/// Who says something, by whatever surface: what one person says at the terminal, on the pages and through an agent is one
/// person's word.
pub fn speaker(caller: &Caller) -> &str {
    caller.actor.split_once(':').map_or(caller.actor.as_str(), |(_, who)| who)
}

/// What holds of all that was said: the last word of each actor on each target, without what was taken back, in the order
/// of time.
pub fn holding(said: impl IntoIterator<Item = Remark>) -> Vec<Remark> {
    let mut last: BTreeMap<(RunId, Matter, String, String), Remark> = BTreeMap::new();
    for one in said {
        let key = (one.run_id.clone(), one.about, one.target.clone(), one.actor.clone());
        if last.get(&key).is_none_or(|known| known.at <= one.at) {
            last.insert(key, one);
        }
    }
    let mut left: Vec<Remark> = last.into_values().filter(|one| one.said.is_some()).collect();
    left.sort_by_key(|one| one.at);
    left
}

/// The last word on a target of a run, of what [`holding`] gave.
pub fn word<'a>(
    holding: &'a [Remark],
    run: &RunId,
    about: Matter,
    target: &str,
) -> Option<&'a str> {
    let mut fit = holding
        .iter()
        .rev()
        .filter(|one| one.run_id == *run && one.about == about && one.target == target);
    fit.next().and_then(|one| one.said.as_deref())
}

/// The insights of a run with the last word on each.
pub fn judged(holding: &[Remark], run: &RunId, insights: &[Insight]) -> Vec<Insight> {
    let mut insights = insights.to_vec();
    for insight in &mut insights {
        insight.feedback =
            word(holding, run, Matter::Insight, insight.id.as_str()).and_then(InsightFeedback::of);
    }
    insights
}

/// The formats in which a run's report was taken out, each once, in the order of the alphabet.
pub fn exported(holding: &[Remark], run: &RunId) -> Vec<String> {
    let mut formats: Vec<String> = holding
        .iter()
        .filter(|one| one.run_id == *run && one.about == Matter::Export)
        .map(|one| one.target.clone())
        .collect();
    formats.sort_unstable();
    formats.dedup();
    formats
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(target: &str, actor: &str, word: Option<&str>, at: i64) -> Remark {
        Remark::new(&"run_1".into(), Matter::Insight, target, actor, word, Timestamp(at))
    }

    #[test]
    fn the_last_word_of_each_actor_counts_until_it_is_taken_back() {
        let run = RunId::from("run_1");
        let all = vec![
            said("i1", "ann", Some("useful"), 1),
            said("i1", "ben", Some("saved"), 2),
            said("i1", "ann", Some("not-useful"), 3),
            said("i2", "ann", Some("useful"), 4),
        ];
        let held = holding(all.clone());
        assert_eq!(held.len(), 3);
        assert_eq!(word(&held, &run, Matter::Insight, "i1"), Some("not-useful"));
        assert_eq!(word(&held, &run, Matter::Claim, "i1"), None);
        let back = [said("i1", "ann", None, 5), said("i2", "ann", None, 5)];
        let held = holding(all.into_iter().chain(back));
        assert_eq!(word(&held, &run, Matter::Insight, "i1"), Some("saved"));
        assert_eq!(word(&held, &run, Matter::Insight, "i2"), None);
    }

    #[test]
    fn notes_are_one_line_of_what_can_be_kept_anywhere() {
        let noted = |note: &str| said("i1", "ann", Some("useful"), 1).noting(note).note;
        assert_eq!(noted(" a\u{0}b\n c ").as_deref(), Some("a b c"));
        assert_eq!(noted(" \n"), None);
        assert!(noted(&"x".repeat(3_000)).is_some_and(|note| note.len() == LONGEST_NOTE));
    }

    #[test]
    fn exports_are_told_once_a_format() {
        let run = RunId::from("run_1");
        let out = |format: &str, actor: &str| Remark::export(&run, format, actor, Timestamp(1));
        let held = holding([out("md", "ann"), out("html", "ann"), out("md", "ben")]);
        assert_eq!(exported(&held, &run), ["html", "md"]);
        for matter in Matter::ALL {
            assert_eq!(Matter::of(matter.name()), Some(matter));
        }
    }
}
