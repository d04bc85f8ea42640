//! By which rules a run derives its trace from its journal.

use serde::{Deserialize, Serialize};

/// The revision of the rules by which a run derives its trace, noted at its start.
///
/// A run goes on, and is forked, only where its journal gives once more the very trace that is kept of it. So a rule that changes
/// what a trace holds, its answer included, is one of a new revision, and a run keeps the revision that it began with; its
/// forks do, too. What is only rendered (pages, reports, exports) has no revision: it is never compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Derivations(u32);

impl Derivations {
    /// The rules of the time before there were revisions. Runs that note none go by them, or by the second where they note
    /// [`GapPolicy::apart`](super::gap::GapPolicy::apart), which came with it. Runs that do not note
    /// [`GapPolicy::thorough`](super::gap::GapPolicy::thorough) either are older still, and their events lack the fields that
    /// came with it ([`crate::trace::TraceEvent`] says of each that it may be absent).
    pub const FIRST: Self = Self(0);

    /// What it changed, each where its rule stands:
    /// - a verse is one independent source in however many translations it was read, in figures and in what code finds against
    ///   an answer;
    /// - a document that another one replaces contradicts nothing, and of two that contradict each other it is told as no side;
    /// - an answer and its critique name whoever replied, in the place of the model that was asked;
    /// - an answer that no model criticised has no grade;
    /// - beside a quote that says "as of" itself, the date is told as that of its document;
    /// - an explanation that the user put up says so;
    /// - more forms of references to the Bible are read ("Rom 8:28ff", "Mt 5,17.20", "Hebr 11,1").
    pub const SECOND: Self = Self(1);

    /// What it changed:
    /// - an answer that no model put in order says so, and it says in which mode and field it was asked;
    /// - a gap that is given up says which words stand nowhere, or why nothing could be read;
    /// - a lesson of the avoid lane is told as learned from a failure.
    pub const THIRD: Self = Self(2);

    /// What it changed:
    /// - beside a value of a column of another year, the date is told as that of its document;
    /// - two issues of one series (minutes of one board) are no sources that seldom meet;
    /// - no word of the form of a question, no number and no other form of a word that was read is told to stand nowhere.
    pub const FOURTH: Self = Self(3);

    /// What it changed:
    /// - the audit of an answer reads every line of its text: what no claim says, a citation number that has no entry or is
    ///   another than its claim's, and a value that its quote lacks are told;
    /// - a quote with a value that lies outside it is not taken;
    /// - while explanations have searches left that were not made, no open gap is no end: they are searched for and against until
    ///   one is confirmed, nothing unread turns up, or two rounds for them leave contradictions as many as they were;
    /// - an explanation is refuted by evidence alone and, like one that is confirmed, by two independent sources, more than those
    ///   on the other side; a passage that may only name another cause moves none;
    /// - a passage that says otherwise in some part of a statement bears none of it out, however much of the rest it has;
    /// - a finding of a critic's has the severity that code can stand by, and counts by it;
    /// - what a critic says that nobody looked for is searched before the answer is revised, and the answer is held against it;
    /// - two planned questions are one gap only where one has all words of the other beside the names, a gap that is noticed later
    ///   is another where "which", "what" or "how" asks for another thing, and later wordings of a gap are compared by meaning too;
    /// - where the sources of a question contradict each other and nothing breaks the tie, its gap is given up for that; of documents,
    ///   and of pages of one publisher, the latest breaks it;
    /// - where words leave this machine, the model that plans and the one that asks back are told nothing of private documents, and
    ///   the one that plans nothing of the memory of earlier runs, but by the user's word;
    /// - what is observed of a search names the providers that could not be asked.
    pub const FIFTH: Self = Self(4);

    /// What it changed: beside a figure of a table it is told in what it is, where only its column, its row or what stands over the
    /// table says so ("in thousands").
    pub const SIXTH: Self = Self(5);

    /// The rules of runs that begin now.
    pub const LATEST: Self = Self::SIXTH;

    /// Those of a journal that notes none.
    pub(crate) fn unnoted() -> Self {
        Self::FIRST
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
    pub(crate) fn is_unnoted(&self) -> bool {
        *self == Self::FIRST
    }
}

impl Default for Derivations {
    fn default() -> Self {
        Self::LATEST
    }
}

#[cfg(test)]
mod tests {
    use super::super::Options;
    use super::*;

    #[test]
    fn a_run_that_notes_no_revision_keeps_the_first() {
        let new = serde_json::to_value(Options::default()).unwrap();
        assert_eq!(new["derivations"], serde_json::to_value(Derivations::LATEST).unwrap());
        let mut old = new;
        old.as_object_mut().unwrap().remove("derivations");
        let read: Options = serde_json::from_value(old.clone()).unwrap();
        assert_eq!(read.derivations, Derivations::FIRST);
        assert_eq!(read.rules(), Derivations::SECOND, "it told the parts of a question apart");
        let mut first = read.clone();
        first.gaps.apart = false;
        assert_eq!(first.rules(), Derivations::FIRST);
        assert_eq!(serde_json::to_value(&read).unwrap(), old, "and it is written as it was");
        // A run of a later version opens.
        old["derivations"] = 9.into();
        let read: Options = serde_json::from_value(old).unwrap();
        assert!(read.derivations > Derivations::LATEST);
    }

    #[test]
    fn a_run_that_comes_of_an_old_one_is_told_the_rules_of_now() {
        let mut old = Options { derivations: Derivations::FIRST, ..Options::default() };
        old.gaps.max_attempts = 7;
        (old.gaps.thorough, old.gaps.apart) = (false, false);
        let new = old.for_a_new_run();
        assert_eq!((new.derivations, new.rules()), (Derivations::LATEST, Derivations::LATEST));
        assert_eq!((new.gaps.max_attempts, new.gaps.thorough, new.gaps.apart), (7, true, true));
    }
}
