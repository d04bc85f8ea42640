//! Domain packs: what a field knows that every question of it needs, as data.
//!
//! A pack changes what is looked for and what prompts are told, never a rule: claims are quotes whatever the pack.

mod lens;
pub mod theology;

pub use lens::{Lens, OF_THE_PACK, lens, names};

use crate::port::CorpusOverview;
use theology::Tension;

/// A field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pack {
    /// What the options call it.
    pub id: &'static str,
    /// For people.
    pub name: &'static str,
    /// Ids of the lenses through which a question of the field is looked at.
    pub lenses: &'static [&'static str],
    /// Ids of the fallacies that are looked for beside the general ones.
    pub fallacies: &'static [&'static str],
    /// Whether texts cite the Bible and passages may be verses.
    pub verses: bool,
}

/// No field in particular.
pub const GENERAL: Pack = Pack {
    id: "general",
    name: "general",
    lenses: &["skeptical", "charitable", "neutral"],
    fallacies: &[],
    verses: false,
};

/// The Bible and its readers.
pub const THEOLOGY: Pack = Pack {
    id: "theology",
    name: "theology",
    lenses: &["skeptical", "apologetic", "neutral"],
    fallacies: &["proof_texting", "verse_isolation", "eisegesis", "chronological_snobbery"],
    verses: true,
};

/// What options may say: a pack's id, or [`AUTO`].
pub const CHOICES: [&str; 3] = ["general", "theology", AUTO];

/// The corpus decides.
pub const AUTO: &str = "auto";

/// A pack with what decided for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The pack.
    pub pack: &'static Pack,
    /// What decided, naming the datum; `None` where nothing had to be decided or nothing spoke for a pack.
    pub because: Option<String>,
}

impl Pack {
    /// The pack of an id; "" is the general one.
    pub fn named(id: &str) -> Option<&'static Self> {
        match id {
            "" | "general" => Some(&GENERAL),
            "theology" => Some(&THEOLOGY),
            _ => None,
        }
    }

    /// Its known tensions.
    pub fn tensions(&self) -> &'static [Tension] {
        if self.verses { theology::tensions() } else { &[] }
    }

    /// The pack that options name for a corpus. A name that no pack has is the general one.
    pub fn choose(named: &str, corpus: &CorpusOverview) -> Chosen {
        if named != AUTO {
            return match Self::named(named) {
                Some(pack) if pack.id != GENERAL.id => {
                    Chosen { pack, because: Some("it was asked for".to_owned()) }
                }
                Some(pack) => Chosen { pack, because: None },
                None => Chosen {
                    pack: &GENERAL,
                    because: Some(format!(
                        "there is no pack {named:?}; there are {}",
                        CHOICES.join(", ")
                    )),
                },
            };
        }
        match speaks_for_theology(corpus) {
            Some(because) => Chosen { pack: &THEOLOGY, because: Some(because) },
            None => Chosen { pack: &GENERAL, because: None },
        }
    }
}

/// Names that stand in most documents only where they are about the Bible or the church.
const SUBJECTS: &[&str] = &[
    "apostle",
    "apostles",
    "christ",
    "church",
    "ghost",
    "god",
    "gospel",
    "holy",
    "israel",
    "jesus",
    "lord",
    "moses",
    "paul",
    "scripture",
    "scriptures",
    "spirit",
];

/// Verses from which a corpus is one of the Bible.
const FEWEST_VERSES: u32 = 20;

/// Many verses, or three of the few names that most of the documents share.
fn speaks_for_theology(corpus: &CorpusOverview) -> Option<String> {
    if corpus.verses >= FEWEST_VERSES && u64::from(corpus.verses) * 20 >= u64::from(corpus.passages)
    {
        return Some(format!(
            "{} of its {} passages are verses of the Bible by their names",
            corpus.verses, corpus.passages
        ));
    }
    let named: Vec<&str> = corpus
        .subjects
        .iter()
        .filter(|subject| {
            subject.split(' ').any(|word| SUBJECTS.contains(&word.to_lowercase().as_str()))
        })
        .map(String::as_str)
        .collect();
    (named.len() >= 3).then(|| format!("its documents are mainly about {}", named.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scrutiny::fallacy::{CATALOG, Pack as Room};

    fn corpus(verses: u32, passages: u32, subjects: &[&str]) -> CorpusOverview {
        CorpusOverview {
            verses,
            passages,
            subjects: subjects.iter().map(|s| (*s).to_owned()).collect(),
            ..CorpusOverview::default()
        }
    }

    #[test]
    fn the_corpus_decides_by_what_it_holds() {
        let choose = |corpus: &CorpusOverview| Pack::choose(AUTO, corpus);
        let bible = choose(&corpus(31_102, 60_000, &[]));
        assert_eq!(bible.pack.id, "theology");
        assert!(bible.because.is_some_and(|because| because.contains("31102 of its 60000")));
        let fathers = choose(&corpus(0, 9_000, &["God", "Christ", "Lord", "Arius"]));
        assert_eq!(fathers.pack.id, "theology");
        assert!(fathers.because.is_some_and(|because| because.contains("God, Christ, Lord")));
        for ordinary in [
            corpus(0, 100, &["Orlo Freight", "Rotterdam"]),
            corpus(0, 100, &["Christ Church", "Paul Weber", "Oxford"]),
            corpus(5, 10, &[]),
            corpus(20, 100_000, &[]),
            CorpusOverview::default(),
        ] {
            assert_eq!(choose(&ordinary), Chosen { pack: &GENERAL, because: None });
        }
    }

    #[test]
    fn a_name_decides_before_the_corpus() {
        let bible = corpus(31_102, 60_000, &[]);
        assert_eq!(Pack::choose("general", &bible), Chosen { pack: &GENERAL, because: None });
        assert_eq!(Pack::choose("", &bible).pack.id, "general");
        assert_eq!(Pack::choose("theology", &CorpusOverview::default()).pack.id, "theology");
        let unknown = Pack::choose("law", &bible);
        assert_eq!(unknown.pack.id, "general");
        assert!(unknown.because.is_some_and(|because| because.contains("\"law\"")));
    }

    #[test]
    fn fallacies_of_a_pack_are_in_the_catalog() {
        let theirs: Vec<&str> = CATALOG
            .iter()
            .filter(|fallacy| fallacy.pack == Room::Theology)
            .map(|fallacy| fallacy.id)
            .collect();
        assert_eq!(THEOLOGY.fallacies, theirs);
    }
}
