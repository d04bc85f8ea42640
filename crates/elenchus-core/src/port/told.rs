//! What a passage tells of the figures of a claim: which it states, what became of them, and of what time it speaks.
//!
//! Whoever judges a passage reads this out of its words, once. What it amounts to beside other passages is decided from these
//! values alone (`belief/vintage.rs`), so that no word is read in two places by two rules.

use super::EvidenceSpan;
use crate::evidence::PartialDate;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A figure, so that two of them can be told apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Figure {
    /// In the unit below.
    pub value: f64,
    /// The base unit of what it measures: "£", "m", "%". A count has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

impl Figure {
    /// Whether both are one figure. One without a unit may be in any: tables and second mentions leave it out.
    pub fn is(&self, other: &Self) -> bool {
        let differs = self.unit.as_ref().zip(other.unit.as_ref()).is_some_and(|(a, b)| a != b);
        let size = self.value.abs().max(other.value.abs());
        !differs && (self.value - other.value).abs() <= 1e-9 * size
    }

    /// Whether the number of a label is this figure.
    fn reads(&self, label: &Label) -> bool {
        label.number.parse().is_ok_and(|value| self.is(&Self { value, unit: None }))
    }
}

/// A number that names: "room 7".
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Label {
    /// The stem of what it names; empty where that is not known, as in a title.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub noun: String,
    /// The number.
    pub number: String,
}

/// What a sentence is about. Words are stems.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct About {
    /// Its words and those that it stands under.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub words: BTreeSet<String>,
    /// Of the words before its figure those that the claim does not have.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub subject: BTreeSet<String>,
    /// Its own labels.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub labels: BTreeSet<Label>,
    /// Labels that it stands under.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub under: BTreeSet<Label>,
}

impl About {
    /// Whether one is about room 7 and the other about room 3.
    pub fn is_another(&self, other: &Self) -> bool {
        self.labels.iter().filter(|own| !own.noun.is_empty()).any(|own| {
            let mut same = other.labels.iter().filter(|label| label.noun == own.noun).peekable();
            same.peek().is_some() && same.all(|label| !self.labels.contains(label))
        })
    }

    /// Whether a label of another sentence stands here too, or is one of these figures and names nothing.
    pub fn names(&self, label: &Label, figures: &[&Figure]) -> bool {
        self.labels.iter().chain(&self.under).any(|own| own.number == label.number)
            || figures.iter().any(|figure| figure.reads(label))
    }
}

/// A figure of a passage, with the sentence that states it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stated {
    /// The figure.
    pub figure: Figure,
    /// The time that the sentence names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<PartialDate>,
    /// Its words that the claim has too.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub shared: BTreeSet<String>,
    /// Its names that the claim does not have.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub names: BTreeSet<String>,
    /// What it is about; the labels of the claim are among its own.
    pub about: About,
}

/// What became of a figure, where a passage leaves no doubt about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToldChange {
    /// What it was.
    pub before: Figure,
    /// What it became; absent where the passage only says that it is so no longer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Figure>,
    /// When, as far as the sentence says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<PartialDate>,
    /// The words that tell it.
    pub words: String,
    /// What it is a change of.
    pub about: About,
}

/// A sentence that names a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Dated {
    /// The sentence.
    pub place: EvidenceSpan,
    /// The latest time that it names.
    pub date: PartialDate,
}

/// What a passage tells of the figures of a claim.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FiguresTold {
    /// The figures of the claim. Without any, only the times below are told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<Figure>,
    /// Whether the claim speaks of what is so now.
    #[serde(default)]
    pub of_now: bool,
    /// Whether the claim names no time and no version, and looks back at none. Judgements of earlier versions do not say.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub untimed: bool,
    /// The figures by which the passage speaks against the claim, as what they are by its own last word; empty where it does so
    /// by anything else, or not at all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<Figure>,
    /// Which figures of those two it states, each with the sentence that has most in common with the claim.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stated: Vec<Stated>,
    /// The changes that it tells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ToldChange>,
    /// The latest time in what it stands under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under: Option<PartialDate>,
    /// Its sentences that name a time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<Dated>,
    /// What its figures come to, where that is what the claim says: "120 + 220 = 340".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub computed: Option<String>,
}

impl FiguresTold {
    /// Whether nothing is told.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What a figure has become by the passage's own word.
    pub fn latest<'a>(&'a self, figure: &'a Figure) -> &'a Figure {
        let own = self.changes.iter().find(|change| change.before.is(figure));
        own.and_then(|change| change.after.as_ref()).unwrap_or(figure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(labels: &[(&str, &str)]) -> About {
        let label = |(noun, number): &(&str, &str)| Label {
            noun: (*noun).to_owned(),
            number: (*number).to_owned(),
        };
        About { labels: labels.iter().map(label).collect(), ..About::default() }
    }

    #[test]
    fn other_numbers_of_one_noun_are_other_things() {
        let (three, seven) = (about(&[("room", "3")]), about(&[("room", "7")]));
        assert!(three.is_another(&seven) && seven.is_another(&three));
        assert!(!three.is_another(&three));
        assert!(!three.is_another(&about(&[("ward", "7")])), "a room of a ward");
        assert!(!three.is_another(&about(&[("room", "3"), ("room", "7")])));
        assert!(!three.is_another(&About::default()));
    }

    #[test]
    fn units_tell_figures_apart() {
        let figure =
            |value: f64, unit: Option<&str>| Figure { value, unit: unit.map(str::to_owned) };
        assert!(figure(1_250.0, Some("£")).is(&figure(1_250.0, None)));
        assert!(!figure(1_250.0, Some("£")).is(&figure(1_250.0, Some("m"))));
        assert!(!figure(1_250.0, None).is(&figure(1_400.0, None)));
    }

    #[test]
    fn a_journal_of_before_tells_nothing() {
        let old: FiguresTold = serde_json::from_str("{}").expect("every field has a default");
        assert!(old.is_empty());
    }
}
