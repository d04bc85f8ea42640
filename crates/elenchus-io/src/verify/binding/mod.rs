//! Binding checks: whether the numbers, names, dates and polarity of a claim are those of its evidence.
//!
//! The claim is laid over the evidence word by word. A check then asks of each number, date, name, negation and
//! direction whether what stands in its place in the evidence is the same. Two failures are told apart: the
//! evidence says otherwise, or it does not say it. All checks only lower support (those of a
//! count and of what is computed aside), so each errs on the side of
//! silence where the evidence may be read both ways. Evidence that speaks of something else opposes nothing.

mod amounts;
mod cause;
mod change;
mod clock;
mod count;
mod doer;
mod ground;
mod held;
mod holder;
mod lexicon;
#[cfg(test)]
mod limits_tests;
mod matter;
mod members;
mod names;
mod outcome;
mod phrasal;
mod places;
mod polarity;
mod prepare;
mod prospect;
mod quantity;
mod reckon;
mod report;
mod rows;
mod strength;
#[cfg(test)]
mod tests;
mod told;
mod twice;
mod units;
mod unmeasured;
mod when;
mod who;
mod whole;

pub(crate) use count::reported;
use elenchus_core::port::{Mismatch, MismatchKind};
pub(crate) use matter::is_of_somebody_else;
pub use prepare::Prepared;
pub(crate) use reckon::{Reckoned, reckoned};
use std::borrow::Borrow;
pub(crate) use told::told;

/// How a word of a claim is borne out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GroundedBy {
    /// The same word.
    Exact,
    /// Another form of it.
    Stem,
    /// An equal number, or one within the bound or range that the claim gives.
    Number,
    /// A date that lies in the claim's.
    Date,
    /// Another form of the name.
    Name,
    /// The letters of an abbreviation.
    Abbreviation,
    /// A word for the same thing.
    Synonym,
    /// The evidence's word is a kind of the claim's ("dog" for "animal").
    Hypernym,
    /// The claim's word is a kind of the evidence's: borne out in part.
    Hyponym,
    /// Only a word near in meaning.
    Embedding,
    /// The evidence has the opposite, or another value, in that place.
    Opposite,
    /// Nothing.
    None,
}

/// How far one content token of a claim is borne out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grounding {
    /// Position in [`Prepared::tokens`] of the claim.
    pub token: usize,
    /// 0 (not at all) to 1 (the same word).
    pub score: f64,
    /// How.
    pub by: GroundedBy,
    /// The sentence of the evidence, as given, and the token in it.
    pub evidence: Option<(usize, usize)>,
}

/// A number a kind of mismatch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([u16; 10]);

impl Counts {
    /// The number of one kind.
    pub fn get(&self, kind: MismatchKind) -> usize {
        usize::from(self.0[kind as usize])
    }

    fn add(&mut self, kind: MismatchKind) {
        self.0[kind as usize] = self.0[kind as usize].saturating_add(1);
    }
}

/// How far evidence can speak against a claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Against {
    /// Not at all: it speaks of something else, or says the same in other or more words.
    Not,
    /// As far as its words go.
    #[default]
    Open,
    /// A little: it says otherwise of the same, and both may hold.
    Otherwise,
    /// Surely: it fills the claim's own place with something else.
    Surely,
}

/// What the checks found about a claim and its evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Bindings {
    /// What does not fit, in the order of the checks.
    pub mismatches: Vec<Mismatch>,
    /// How many parts of the claim were looked at and fit, a kind.
    pub matched: Counts,
    /// How many parts of the claim were looked at, a kind.
    pub checked: Counts,
    /// One entry a content token of the claim, in its order. A number or date of several tokens has one entry.
    pub grounding: Vec<Grounding>,
    /// How far the evidence can speak against the claim.
    pub against: Against,
    /// For each sentence as given, the share (0 to 1, by weight) of the claim's words and names that it holds in
    /// the same or another form.
    pub overlap: Vec<f64>,
}

impl Bindings {
    /// Whether the evidence says otherwise in some part.
    pub fn contradicts(&self) -> bool {
        self.mismatches.iter().any(|m| m.contradicts)
    }

    /// Takes back what a sentence about somebody else was found to deny. Another name in the claim's place stays one.
    pub(crate) fn take_back(&mut self) {
        for mismatch in &mut self.mismatches {
            mismatch.contradicts &= mismatch.kind == MismatchKind::Entity;
        }
        if !self.contradicts() {
            self.against = Against::Not;
        }
    }

    /// Takes in what the figures of the evidence come to. Where that is what the claim says, no figure of a part denies it.
    pub(crate) fn reckon(&mut self, claim: &Prepared, reckoned: &Reckoned) {
        let Some(mismatch) = reckoned.mismatch(claim) else {
            self.mismatches.clear();
            self.matched = self.checked;
            self.against = Against::Open;
            return;
        };
        self.mismatches.retain(|known| !known.claim_span.overlaps(mismatch.claim_span));
        self.mismatches.insert(0, mismatch);
        self.against = Against::Surely;
    }
}

/// What has more tokens is no claim: its words are grounded, nothing else is compared.
const LONGEST_CLAIM: usize = 512;

/// Compares a claim with the sentences of its evidence.
///
/// The order of the sentences changes nothing but the sentence numbers, and which one counts as nearest for
/// [`Bindings::against`]: the first. A claim that is one of the sentences has
/// no mismatch. Without evidence there is nothing to compare: no mismatch, and no word is grounded. Some ten
/// microseconds for one sentence of evidence; linear in the evidence.
pub fn check<P: Borrow<Prepared>>(claim: &Prepared, evidence: &[P]) -> Bindings {
    let evidence: Vec<&Prepared> = evidence.iter().map(Borrow::borrow).collect();
    let mut report = report::Report::new(claim);
    let view = ground::View::new(claim, &evidence);
    let mut grounding = view.grounding();
    if claim.tokens.len() <= LONGEST_CLAIM {
        grounding.extend(amounts::numbers(&view, &mut report));
        grounding.extend(amounts::dates(&view, &mut report));
        clock::another(&view, &mut report);
        whole::another(&view, &mut report);
        twice::another(&view, &mut report);
        rows::rows(&view, &mut report);
        rows::compared(&view, &mut report);
        rows::trend::trends(&view, &mut report);
        members::another(&view, &mut report);
        who::names(&view, &mut report);
        who::roles(&view, &mut report);
        places::exchanged(&view, &mut report);
        places::turned(&view, &mut report);
        doer::another(&view, &mut report);
        doer::came_through(&view, &mut report);
        polarity::negations(&view, &mut report);
        polarity::nobody(&view, &mut report);
        let settled = polarity::orders(&view, &mut report);
        polarity::opposites(&view, &mut report, &settled);
        matter::class_of_another(&view, &mut report);
        phrasal::said(&view, &mut report);
        held::whole(&view, &mut report);
        change::superseded(&view, &mut report);
        change::past(&view, &mut report);
        outcome::votes(&view, &mut report);
        outcome::left(&view, &mut report);
        outcome::unsaid(&view, &grounding, &mut report);
        holder::another(&view, &mut report);
        holder::listed_otherwise(&view, &mut report);
        cause::another(&view, &mut report);
        strength::quantifiers(&view, &mut report);
        strength::exceptions(&view, &mut report);
        strength::hedges(&view, &mut report);
        unmeasured::comparison_of(&view, &mut report);
    }
    grounding.sort_by_key(|g| g.token);
    let of_other_rows = rows::is_of_others(&view);
    let is_other = of_other_rows || !matter::is_spoken_of(&view);
    let quoted = evidence.is_empty() || evidence.iter().any(|p| p.same_words(claim));
    if of_other_rows && claim.tokens.len() <= LONGEST_CLAIM {
        rows::named_otherwise(&view, &mut report);
    }
    let mut found = report.done();
    if of_other_rows {
        // What a row about another thing has is no other value of this one.
        for mismatch in &mut found.mismatches {
            mismatch.contradicts = false;
        }
    }
    if is_other && !found.contradicts() {
        found.against = Against::Not;
    }
    if found.against == Against::Not && found.contradicts() {
        found.against = Against::Open;
    }
    if quoted {
        found.against = Against::Open;
        found.mismatches.clear();
        if !evidence.is_empty() {
            found.matched = found.checked;
        }
    }
    found.grounding = grounding;
    found.overlap = vec![0.0; evidence.len()];
    for (sorted, given) in view.given.iter().enumerate() {
        found.overlap[*given] = view.overlap[sorted];
    }
    found
}
