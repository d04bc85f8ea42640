//! Known tensions: pairs of passages that readers have held against each other. Facts of the texts in our own words; which
//! side is right, or whether there is anything to decide, is not said.

use super::OsisRef;
use crate::text::{content_set, stem};
use serde::Deserialize;
use std::sync::LazyLock;

/// A pair of passages between which readers have seen a tension.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Tension {
    /// "judas-death".
    pub id: String,
    /// One side.
    pub a: OsisRef,
    /// The other.
    pub b: OsisRef,
    /// What stands on either side, in the pack's words.
    pub summary: String,
    /// The lens from which it is mostly raised: an id of the pack's lenses.
    pub perspective: String,
    /// Words by which a question is about it; the first must be in the question, and one more.
    pub tags: Vec<String>,
}

static TENSIONS: LazyLock<Vec<Tension>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("tensions.json")).expect("a test reads every tension")
});

/// Every known tension.
pub fn tensions() -> &'static [Tension] {
    &TENSIONS
}

/// Those of which a side is named, in the order of the file.
pub fn tensions_for(references: &[OsisRef]) -> Vec<&'static Tension> {
    tensions()
        .iter()
        .filter(|one| references.iter().any(|r| r.overlaps(one.a) || r.overlaps(one.b)))
        .collect()
}

/// Those that a question is about by its words, in the order of the file.
pub fn about(question: &str) -> Vec<&'static Tension> {
    let said = content_set(question);
    tensions()
        .iter()
        .filter(|one| {
            let mut held = one.tags.iter().map(|tag| said.contains(&stem(tag)));
            held.next() == Some(true) && held.any(|held| held)
        })
        .collect()
}

/// Words that ask for something which the sides of a tension do not differ over.
const BESIDE: [&str; 10] =
    ["when", "where", "many", "much", "old", "long", "age", "far", "often", "year"];

/// Those that a question asks for and for nothing else: every content word of it is one of the tension's own, and it asks
/// for no time, place or quantity. Their two verses are two answers to it.
pub fn settled_by(question: &str) -> Vec<&'static Tension> {
    if crate::text::words(question).iter().any(|word| BESIDE.contains(&word.as_str())) {
        return Vec::new();
    }
    let said = content_set(question);
    about(question)
        .into_iter()
        .filter(|one| {
            let mut own = content_set(&one.summary);
            own.extend(one.tags.iter().map(|tag| stem(tag)));
            said.iter().all(|word| own.contains(word))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::{GENERAL, THEOLOGY};
    use std::collections::BTreeSet;

    fn ids(found: &[&Tension]) -> Vec<String> {
        found.iter().map(|one| one.id.clone()).collect()
    }

    #[test]
    fn every_tension_is_whole() {
        assert!(tensions().len() >= 25);
        let ids: BTreeSet<&str> = tensions().iter().map(|one| one.id.as_str()).collect();
        assert_eq!(ids.len(), tensions().len());
        for one in tensions() {
            assert!(one.a != one.b && one.a.is_verse() && one.b.is_verse(), "{}", one.id);
            assert!(one.summary.len() > 30 && one.summary.ends_with('.'), "{}", one.id);
            assert!(one.tags.len() >= 3, "{}", one.id);
            assert!(THEOLOGY.lenses.contains(&one.perspective.as_str()), "{}", one.id);
        }
        assert_eq!(THEOLOGY.tensions().len(), tensions().len());
        assert!(GENERAL.tensions().is_empty());
    }

    #[test]
    fn references_and_words_find_them() {
        let r = |text: &str| text.parse::<OsisRef>().unwrap();
        assert_eq!(ids(&tensions_for(&[r("Matt.27.5")])), ["judas-death"]);
        assert_eq!(ids(&tensions_for(&[r("Acts.1.16-Acts.1.20")])), ["judas-death", "judas-field"]);
        assert_eq!(ids(&tensions_for(&[r("Matt.5")])), ["law-fulfilled"]);
        assert!(tensions_for(&[r("John.3.16")]).is_empty() && tensions_for(&[]).is_empty());
        assert_eq!(ids(&about("How did Judas die?")), ["judas-death"]);
        assert_eq!(ids(&about("Who bought the field, Judas or the priests?")), ["judas-field"]);
        assert_eq!(ids(&settled_by("How did Judas die?")), ["judas-death"]);
        assert_eq!(
            ids(&settled_by("Who bought the field, Judas or the priests?")),
            ["judas-field"]
        );
        for beside in [
            "When did Judas die?",
            "At what age and by which illness did Judas come to die far from home?",
            "Did Judas die in the same year as Herod?",
            "How did Judas's father die?",
        ] {
            assert!(settled_by(beside).is_empty(), "{beside}");
        }
        assert!(about("How did Peter die?").is_empty() && about("Judas").is_empty());
        assert!(about("What is the installed capacity of the plant?").is_empty());
    }
}
