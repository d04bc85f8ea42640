//! Lenses: ways of looking at the same evidence. Each pack has its own; the words are shown to a model and to people.

/// A way of looking at evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The word by which it is chosen: lower-case letters. It means the same in every pack.
    pub id: &'static str,
    /// The name shown.
    pub name: &'static str,
    /// What looking so means, in one or two sentences, as the prompt has it.
    pub stance: &'static str,
}

const SKEPTICAL: Lens = Lens {
    id: "skeptical",
    name: "Skeptical",
    stance: "You believe a thing only as far as the evidence forces you to. You ask who says it, how they could know, \
             what else would explain the same words, and what is missing that should be there if it were true.",
};

const CHARITABLE: Lens = Lens {
    id: "charitable",
    name: "Charitable",
    stance: "You read every source in the strongest sense that its words allow, and look for the reading under which \
             the sources fit together. You grant good faith, and you say so where a source has not earned it.",
};

const APOLOGETIC: Lens = Lens {
    id: "apologetic",
    name: "Apologetic",
    stance: "You ask how a well-read believer would defend the tradition with this evidence: what its words meant in \
             their setting, which objections they answer, and which objections stay open.",
};

const NEUTRAL: Lens = Lens {
    id: "neutral",
    name: "Neutral",
    stance: "You hold no position. You weigh what speaks for and against with the same measure, say which of it is \
             well attested and which is not, and leave open what the evidence leaves open.",
};

const ALL: &[Lens] = &[SKEPTICAL, CHARITABLE, APOLOGETIC, NEUTRAL];

/// The lens of an id, whatever pack it comes from; case and the space around it do not matter.
pub fn lens(id: &str) -> Option<&'static Lens> {
    let id = id.trim();
    ALL.iter().find(|lens| lens.id.eq_ignore_ascii_case(id))
}

/// Stands for the lenses of the run's pack, whichever the run finds that to be.
pub const OF_THE_PACK: &str = "pack";

/// The ids of all lenses, for people who misspelt one.
pub fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|lens| lens.id)
}

#[cfg(test)]
mod tests {
    use super::super::{GENERAL, THEOLOGY};
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_pack_names_lenses_that_exist() {
        for pack in [GENERAL, THEOLOGY] {
            assert_eq!(pack.lenses.len(), 3);
            assert!(pack.lenses.iter().all(|id| lens(id).is_some_and(|lens| lens.id == *id)));
        }
    }

    #[test]
    fn an_id_names_one_lens() {
        let distinct: BTreeSet<&str> = names().collect();
        assert_eq!(distinct.len(), ALL.len());
        assert_eq!(lens(" Skeptical ").map(|lens| lens.id), Some("skeptical"));
        assert_eq!(lens("sceptical"), None);
        assert_eq!(lens(OF_THE_PACK), None);
        assert_eq!(lens(""), None);
    }

    #[test]
    fn a_stance_is_one_or_two_sentences() {
        for one in ALL {
            let sentences = one.stance.matches(". ").count() + 1;
            assert!((1..=2).contains(&sentences) && one.stance.ends_with('.'), "{}", one.id);
            assert!(one.id.bytes().all(|b| b.is_ascii_lowercase()));
        }
    }
}
