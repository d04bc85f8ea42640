//! How sure an answer is: what its overall figure is a figure of, and what stands behind the figure of each statement.

use super::types::{self, Answer, Claim};
use crate::belief::{Assessment, ClaimConfidence, Coverage, Level, Verdict, recommendations};
use crate::inquiry::count;
use crate::prompt::{Bearing, FactRole};
use std::fmt;

/// How sure one statement is, in the words of every surface: "0.79 (0.61–0.90), medium: one independent source".
#[derive(Clone, Debug, PartialEq)]
pub struct Sureness {
    /// The figure; absent where the statement was not checked, where it only came nearest to an open question, and where it is
    /// an older value.
    pub figure: Option<f64>,
    /// Its 95 % interval.
    pub interval: Option<(f64, f64)>,
    /// Its level.
    pub level: Option<Level>,
    /// What stands behind it; without a figure, why there is none comes first.
    pub reasons: Vec<String>,
    /// Said in the place of a figure where there is none.
    pub instead: &'static str,
}

/// Of a statement that was not checked.
const NOT_CHECKED: &str = "not checked";
/// Of a statement that only came nearest to an open question.
const NO_ANSWER: &str = "does not answer";
/// What to do with a low figure, the last of its reasons.
pub(super) const RELY: &str = "read its passage before you rely on it";
/// Of an older value.
const OLDER: &str = "an older value";

impl Sureness {
    /// The reasons in one piece.
    pub fn because(&self) -> String {
        self.reasons.join(", ")
    }
}

impl fmt::Display for Sureness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.figure {
            Some(figure) => write!(f, "{figure:.2}")?,
            None => f.write_str(self.instead)?,
        }
        if let Some((low, high)) = self.interval {
            write!(f, " ({low:.2}\u{2013}{high:.2})")?;
        }
        if let Some(level) = self.level {
            write!(f, ", {}", level.word())?;
        }
        if self.reasons.is_empty() { Ok(()) } else { write!(f, ": {}", self.because()) }
    }
}

impl Answer {
    /// Positions of the claims that the overall figure is the mean of: those that answer, and those that give another value.
    /// Older values, and quotes that only came nearest, are checked as well and count for nothing. Where publishers of the web
    /// were weighed, what speaks against a leading answer is in the figure of that answer already.
    pub fn counted_claims(&self) -> Vec<usize> {
        let leads = |question: u32| {
            let mut claims = self.claims.iter();
            claims.any(|claim| claim.question_id == question && claim.role == FactRole::Answer)
        };
        let counts = |claim: &Claim| match claim.role {
            FactRole::Answer => true,
            FactRole::Conflict => !(self.stands_on_the_web(claim) && leads(claim.question_id)),
            FactRole::Superseded | FactRole::Context => false,
        };
        let claims = self.claims.iter().enumerate();
        claims.filter(|&(_, claim)| counts(claim)).map(|(at, _)| at).collect()
    }

    fn stands_on_the_web(&self, claim: &Claim) -> bool {
        claim.evidence.iter().all(|n| {
            let read = self.evidence.get(*n).map(|evidence| &evidence.source_id);
            let mut sources = self.sources.iter();
            sources.any(|source| Some(&source.source_id) == read && source.web.is_some())
        })
    }

    /// The overall figure; `None` where nothing was verified, or nothing that answers could be.
    pub fn overall(&self) -> Option<(f64, Level)> {
        let result = self.confidence.as_ref()?;
        let is_given = result.assessment != Assessment::NotAssessable;
        is_given.then_some((result.overall_confidence, result.level))
    }

    /// The figures of the claims that the overall figure is about.
    fn counted_figures(&self) -> Vec<&ClaimConfidence> {
        let all = self.confidence.as_ref().map_or(&[][..], |result| &result.claim_confidences);
        let figures_of = |claim: &Claim| all.iter().find(|one| one.claim_id == claim.id);
        let counted = self.counted_claims();
        counted.iter().filter_map(|at| figures_of(self.claims.get(*at)?)).collect()
    }

    /// How much was checked of what the overall figure is about, and what came of it.
    pub fn coverage(&self) -> Coverage {
        let figures = self.counted_figures();
        let mut coverage = Coverage { claims: figures.len(), ..Coverage::default() };
        for one in figures {
            if one.confidence.is_none() {
                coverage.unchecked += 1;
                continue;
            }
            coverage.checked += 1;
            let found = self.entailments.iter().find(|found| found.claim_id == one.claim_id);
            match found.map(|found| &found.verdict) {
                Some(Verdict::Entailed) => coverage.supported += 1,
                Some(Verdict::Contradicted) => coverage.contradicted += 1,
                Some(Verdict::Neutral { .. } | Verdict::Unchecked { .. }) | None => {}
            }
        }
        coverage
    }

    /// What to do about what the overall figure is about.
    pub fn advice(&self) -> Vec<String> {
        let figures = self.counted_figures();
        if figures.is_empty() {
            return Vec::new();
        }
        recommendations(&figures, &self.coverage())
    }

    /// The figures of a claim.
    pub fn figures_of(&self, claim: &Claim) -> Option<&ClaimConfidence> {
        let all = &self.confidence.as_ref()?.claim_confidences;
        all.iter().find(|one| one.claim_id == claim.id)
    }

    /// The figures of a claim that are shown as how sure it is. What only came nearest to an open question has none, and neither
    /// has an older value: that its passage holds the words is nearly sure and says nothing of what is so now, so that a high
    /// figure there would mislead.
    pub fn shown_figures(&self, claim: &Claim) -> Option<&ClaimConfidence> {
        self.figures_of(claim).filter(|_| self.kept_back(claim).is_none())
    }

    /// What is said in the place of a figure that is kept back although the statement was checked.
    pub fn kept_back(&self, claim: &Claim) -> Option<&'static str> {
        if claim.role == FactRole::Superseded {
            return Some(OLDER);
        }
        self.only_came_nearest(claim).then_some(NO_ANSWER)
    }

    /// The answer as programs are given it, which agrees with what people read: what only came nearest to an open question, or
    /// gives an older value, has no figure, interval or level. How its passage was judged is left under `explained`.
    #[must_use]
    pub fn as_shown(&self) -> Self {
        let mut shown = self.clone();
        let figures = shown.confidence.iter_mut().flat_map(|result| &mut result.claim_confidences);
        for one in figures {
            let mut claims = self.claims.iter().filter(|claim| claim.id == one.claim_id);
            if claims.any(|claim| self.kept_back(claim).is_some()) {
                one.confidence = None;
                one.calibrated = None;
                one.fitted = None;
                one.interval = None;
                one.level = None;
            }
        }
        shown
    }

    /// Whether a statement is only the nearest to a question that stays open.
    pub fn only_came_nearest(&self, claim: &Claim) -> bool {
        !matches!(claim.role, FactRole::Superseded | FactRole::Conflict)
            && self.could_not_establish.iter().any(|gap| gap.nearest.contains(&claim.id))
    }

    /// Why a statement that does not count for the overall figure does not.
    pub fn beside(&self, claim: &Claim) -> &'static str {
        match claim.role {
            FactRole::Superseded => OLDER,
            FactRole::Conflict => "it lowers the figure of the answer that it speaks against",
            _ if self.only_came_nearest(claim) => {
                "it came nearest to what could not be established, and does not answer it"
            }
            _ => "it answers nothing",
        }
    }

    /// How sure the statement at a place is, and why.
    pub fn sureness(&self, at: usize) -> Option<Sureness> {
        let claim = self.claims.get(at)?;
        let kept_back = self.kept_back(claim);
        let known = self.shown_figures(claim);
        let checked = known.and_then(|one| Some((one, one.confidence?)));
        let mut reasons = Vec::new();
        match checked {
            Some((one, _)) => {
                reasons.extend(sides(one));
                if one.calibrated.is_none() {
                    reasons.push("no calibration for this verifier".to_owned());
                }
            }
            None if kept_back == Some(OLDER) => reasons.push("no figure is given".to_owned()),
            None if kept_back.is_some() => reasons.push(self.beside(claim).to_owned()),
            None => reasons.push(self.unchecked(claim)),
        }
        if claim.verdict == types::Verdict::Quoted {
            reasons.push("exact quote".to_owned());
        }
        if self.is_disputed(claim) {
            reasons.push("the sources disagree".to_owned());
        }
        let counts = self.counted_claims().contains(&at);
        if !counts && kept_back.is_none() {
            reasons.push(self.beside(claim).to_owned());
        }
        match claim.bearing.filter(|_| counts) {
            Some(Bearing::Weak) => reasons.push("a weak match to the question".to_owned()),
            Some(Bearing::Fair) => reasons.push("a fair match to the question".to_owned()),
            Some(Bearing::Strong) | None => {}
        }
        let is_loose = counts && claim.bearing.is_some_and(|bearing| bearing < Bearing::Strong);
        reasons.extend(unsaid(&claim.unbound).filter(|_| is_loose));
        let low = checked.is_some_and(|(one, _)| {
            one.supporting_sources > 0 && one.level.is_some_and(|level| level <= Level::Low)
        });
        if low {
            reasons.push(RELY.to_owned());
        }
        Some(Sureness {
            figure: checked.map(|(_, figure)| figure),
            interval: checked.and_then(|(one, _)| one.interval),
            level: checked.and_then(|(one, _)| one.level),
            reasons,
            instead: kept_back.unwrap_or(NOT_CHECKED),
        })
    }

    /// Why a claim has no figure.
    fn unchecked(&self, claim: &Claim) -> String {
        let found = self.entailments.iter().find(|found| found.claim_id == claim.id);
        let why = match (found.map(|found| &found.verdict), &claim.verdict) {
            (Some(Verdict::Unchecked { reason }), _)
            | (_, types::Verdict::Unchecked { reason }) => reason.as_str(),
            _ => "nothing was verified",
        };
        crate::text::squeeze(why)
    }

    /// Whether another source of the answer says otherwise.
    fn is_disputed(&self, claim: &Claim) -> bool {
        let mut quotes = claim.evidence.iter().filter_map(|at| self.evidence.get(*at));
        self.conflicts.iter().any(|note| note.claims.contains(&claim.id))
            || quotes.any(|quote| {
                let mut sides = self.disagreements.iter().flat_map(|one| &one.sides);
                sides.any(|side| {
                    side.passage_id == quote.passage_id && side.span.overlaps(quote.span)
                })
            })
    }
}

/// Words of a question that nothing at a quote says, in words; nothing where there are none.
pub(super) fn unsaid(words: &[String]) -> Option<String> {
    let named: Vec<String> = words
        .iter()
        .map(|word| format!("\u{201C}{}\u{201D}", crate::text::squeeze(word)))
        .collect();
    let are = if named.len() == 1 { "is" } else { "are" };
    let told = || format!("{} {are} not said in so many words", named.join(" and "));
    (!named.is_empty()).then(told)
}

/// How many independent sources stand on either side of a claim that was checked.
fn sides(figures: &ClaimConfidence) -> Vec<String> {
    let mut told = vec![match figures.supporting_sources {
        0 => "no source bears it out".to_owned(),
        1 => "one independent source".to_owned(),
        n => count(n, "independent source"),
    }];
    match figures.contradicting_sources {
        0 => {}
        1 => told.push("one says otherwise".to_owned()),
        n => told.push(format!("{n} say otherwise")),
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::GapId;
    use crate::inquiry::Options;
    use crate::inquiry::gap::GapReason;
    use crate::testkit::{World, drive};

    fn answer() -> Answer {
        let world = World::new("harbor").judged().document(
            "tides.md",
            "# Tides\n\nThe lamp was lit in 1931.\n\nThe lamp was put out in 1950.",
        );
        let driven = drive(&world, "When was the lamp lit?", Options::default());
        driven.run.view().answer().expect("a run ends with an answer").clone()
    }

    #[test]
    fn a_figure_stands_with_what_is_behind_it() {
        let answer = answer();
        let sure = answer.sureness(0).expect("there is a claim");
        let figure = sure.figure.expect("it was checked");
        let said = sure.to_string();
        assert!(said.starts_with(&format!("{figure:.2} (")), "{said}");
        assert!(said.contains("one independent source, exact quote"), "{said}");
        assert_eq!(answer.sureness(99), None);
    }

    #[test]
    fn what_lowers_a_figure_is_said() {
        let mut answer = answer();
        let at = answer.counted_claims()[0];
        answer.claims[at].bearing = Some(Bearing::Weak);
        let id = answer.claims[at].id.clone();
        let note = types::ConflictNote { question_id: 1, claims: vec![id.clone()] };
        answer.conflicts = vec![note];
        let result = answer.confidence.as_mut().expect("it was checked");
        let one = result.claim_confidences.iter_mut().find(|one| one.claim_id == id);
        let one = one.expect("each claim has its figures");
        one.contradicting_sources = 2;
        one.level = Some(Level::Low);
        let because = answer.sureness(at).expect("there is a claim").because();
        assert_eq!(
            because,
            "one independent source, 2 say otherwise, exact quote, the sources disagree, a weak match to the question, \
             read its passage before you rely on it"
        );
        answer.claims[at].unbound = vec!["brass".to_owned(), "net".to_owned()];
        let because = answer.sureness(at).expect("there is a claim").because();
        let told = "a weak match to the question, \u{201C}brass\u{201D} and \u{201C}net\u{201D} are not said in so many words, read";
        assert!(because.contains(told), "{because}");
        answer.claims[at].bearing = Some(Bearing::Strong);
        let because = answer.sureness(at).expect("there is a claim").because();
        assert!(!because.contains("in so many words"), "a firm match lacks nothing: {because}");
    }

    #[test]
    fn an_older_value_is_told_apart_and_has_no_figure() {
        let mut answer = answer();
        let at = answer.counted_claims()[0];
        answer.claims[at].bearing = Some(Bearing::Weak);
        answer.claims[at].role = FactRole::Superseded;
        let claim = answer.claims[at].clone();
        assert!(answer.figures_of(&claim).is_some() && answer.shown_figures(&claim).is_none());
        let sure = answer.sureness(at).expect("there is a claim");
        assert_eq!((sure.figure, sure.interval, sure.level), (None, None, None));
        let said = sure.to_string();
        assert!(said.starts_with("an older value: no figure is given"), "{said}");
        assert_eq!(said.matches("older value").count(), 1, "{said}");
        assert!(!said.contains("weak match"), "{said}");
        // Whatever was asked for, it is not counted.
        assert!(!answer.held_to(0.999).below.contains(&claim.id));
        let short = crate::graph::respond(&answer, None);
        let of = short.evidence.iter().find(|item| item.statement == claim.text);
        assert_eq!(of.map(|item| item.confidence), Some(None));
    }

    #[test]
    fn what_only_came_nearest_has_no_figure_on_any_surface() {
        let mut answer = answer();
        let claim = answer.claims[0].clone();
        assert_eq!(answer.shown_figures(&claim), answer.figures_of(&claim));
        answer.claims[0].role = FactRole::Context;
        answer.could_not_establish.push(types::Unestablished {
            gap_id: GapId::from("g9"),
            description: "When was the lamp lit?".to_owned(),
            reason: GapReason::Attempts,
            cause: None,
            attempts: 3,
            queries: Vec::new(),
            nearest: vec![claim.id.clone()],
        });
        let claim = answer.claims[0].clone();
        assert!(answer.figures_of(&claim).is_some() && answer.shown_figures(&claim).is_none());
        let sure = answer.sureness(0).expect("there is a claim");
        assert_eq!((sure.figure, sure.interval, sure.level), (None, None, None));
        let said = sure.to_string();
        assert!(said.starts_with("does not answer: it came nearest to what could not"), "{said}");
        assert_eq!(said.matches("came nearest").count(), 1, "{said}");
        // Nor in the chart, nor in the short form.
        let named = format!("{}:", claim.id);
        let chart = crate::answer::figures::confidence_figure(&answer, "f");
        let rows = chart.map_or_else(Vec::new, |figure| figure.table.rows);
        assert!(!rows.iter().flatten().any(|cell| cell.starts_with(&named)), "{rows:?}");
        let short = crate::graph::respond(&answer, None);
        let of = short.evidence.iter().find(|item| item.statement == claim.text);
        assert_eq!(of.map(|item| item.confidence), Some(None));
        // Nor in what programs are given, where the others keep theirs.
        let given = answer.as_shown();
        let figures = given.figures_of(&claim).expect("it is listed");
        assert_eq!((figures.confidence, figures.interval, figures.level), (None, None, None));
        assert_eq!((figures.calibrated, figures.fitted), (None, None));
        for other in answer.claims.iter().filter(|other| other.id != claim.id) {
            assert_eq!(given.figures_of(other), answer.figures_of(other));
        }
        let without = Answer { confidence: None, ..answer.clone() };
        assert_eq!(without.as_shown(), without);
    }

    #[test]
    fn a_claim_without_a_figure_says_why() {
        let mut answer = answer();
        answer.entailments[0].verdict =
            Verdict::Unchecked { reason: "the verifier\ndid not answer".to_owned() };
        let result = answer.confidence.as_mut().expect("it was checked");
        let one = &mut result.claim_confidences[0];
        (one.confidence, one.interval, one.level) = (None, None, None);
        let said = answer.sureness(0).expect("there is a claim").to_string();
        assert!(
            said.starts_with("not checked: the verifier did not answer, exact quote"),
            "{said}"
        );
        answer.confidence = None;
        answer.entailments.clear();
        let said = answer.sureness(0).expect("there is a claim").to_string();
        assert!(said.starts_with("not checked: nothing was verified"), "{said}");
    }
}
