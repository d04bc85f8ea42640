//! Warnings of fallacies that ride on an answer: in the quotes that it gives, and in what a model wrote for it.
//!
//! Code finds them by itself at the strict operating point, so that a run without a language model warns as well; what a language
//! model names in the same texts is added. A warning moves no figure: it names words, and a question whose answer would tell.

use super::critique::{Finding as Objection, FindingKind, FoundBy};
use super::fallacy::{Finding, Options, Point, Reader, add_said, by_id, detect};
use crate::answer::Answer;
use crate::evidence::{Span, char_slice};
use crate::id::{ClaimId, PassageId, SourceId};
use crate::synthesis::insight::WordedBy;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A part of an answer that a model wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ModelPart {
    /// An explanation that competes with others; it may be worded by the user.
    Explanation,
    /// What the critic says.
    Critique,
    /// What a lens sees.
    Lens,
    /// A connection that stands out.
    Insight,
}

/// Where the words of a warning stand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "place", rename_all = "snake_case")]
pub enum Place {
    /// In a quote of the answer: the reasoning is the source's.
    Quote {
        /// The claim that rests on the quote.
        claim_id: ClaimId,
        /// The number of the quote, its position in [`Answer::evidence`].
        evidence: usize,
        /// The number by which the text cites the document.
        citation: usize,
        /// The document.
        source_id: SourceId,
        /// The passage.
        passage_id: PassageId,
        /// Characters of the passage.
        passage_span: Span,
    },
    /// In words of a model.
    Model {
        /// Which part of the answer.
        part: ModelPart,
        /// The id of what they are about, where it has one: `h1`, `x2`, `v3`, `i1`.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        about: String,
    },
}

/// Words of an answer that may commit a fallacy, with a question that would tell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FallacyWarning {
    /// `w1`, `w2`, ... quotes in the order of the claims, then words of a model.
    pub id: String,
    /// The fallacy's id in the catalog ("slippery_slope").
    pub fallacy: String,
    /// The name that people use.
    pub name: String,
    /// Where the words stand.
    #[serde(flatten)]
    pub place: Place,
    /// Characters of the quote, or of the model's text.
    pub span: Span,
    /// The text at `span`, letter for letter.
    pub words: String,
    /// What to ask of whoever wrote this.
    pub question: String,
    /// How likely the warning is right, above 0 and below 1.
    pub probability: f64,
    /// Whether `probability` was fitted on held-out examples or is a grade of the pattern.
    pub calibrated: bool,
    /// Why it was noticed.
    pub because: String,
}

impl FallacyWarning {
    fn of(finding: Finding, place: Place) -> Self {
        Self {
            id: String::new(),
            fallacy: finding.fallacy.to_owned(),
            name: finding.name.to_owned(),
            place,
            span: Span { start: finding.span.start, end: finding.span.end },
            words: finding.text,
            question: finding.question,
            probability: finding.probability,
            calibrated: finding.calibrated,
            because: finding.because,
        }
    }

    /// The claim whose quote it is about.
    pub fn claim(&self) -> Option<&ClaimId> {
        match &self.place {
            Place::Quote { claim_id, .. } => Some(claim_id),
            Place::Model { .. } => None,
        }
    }

    /// What it is a warning about, in the words of every surface: "the reasoning of source `[2]`".
    pub fn about(&self) -> String {
        match &self.place {
            Place::Quote { citation, .. } => format!("the reasoning of source [{citation}]"),
            Place::Model { part, about } => {
                let part = match part {
                    ModelPart::Explanation => "the wording of an explanation",
                    ModelPart::Critique => "the critic's words",
                    ModelPart::Lens => "what a lens sees",
                    ModelPart::Insight => "the wording of what stands out",
                };
                if about.is_empty() { part.to_owned() } else { format!("{part} ({about})") }
            }
        }
    }
}

impl Answer {
    /// Warnings about the quotes of a claim.
    pub fn warnings_of(&self, claim: &ClaimId) -> impl Iterator<Item = &FallacyWarning> {
        self.fallacy_warnings.iter().filter(move |warning| warning.claim() == Some(claim))
    }
}

/// A fallacy that a language model names in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Said {
    /// All of the text: a quote, or the wording of an explanation.
    pub(crate) text: String,
    /// An id of the catalog.
    pub(crate) fallacy: String,
    /// Characters of the text.
    pub(crate) span: Span,
}

impl Said {
    /// In a line, for whoever criticises the answer.
    pub(crate) fn told(&self) -> String {
        let name = by_id(&self.fallacy).map_or(self.fallacy.as_str(), |entry| entry.name);
        let words = char_slice(&self.text, self.span).unwrap_or(&self.text);
        format!(
            "a language model warns of {name} in \u{201C}{}\u{201D}",
            crate::text::squeeze(words)
        )
    }
}

/// What code finds in a text, and what a language model has said of that very text.
fn found(text: &str, options: &Options<'_>, said: &[Said]) -> Vec<Finding> {
    let mut findings = detect(text, options);
    let of_it: Vec<(String, Range<usize>)> = said
        .iter()
        .filter(|one| one.text == text)
        .map(|one| (one.fallacy.clone(), one.span.start..one.span.end))
        .collect();
    if !of_it.is_empty() {
        add_said(text, &of_it, &mut findings);
    }
    findings
}

/// Every warning about an answer, numbered. `theology` says whether the fallacies of that pack are looked for as well, `said` what a
/// language model named.
pub(crate) fn warnings(answer: &Answer, theology: bool, said: &[Said]) -> Vec<FallacyWarning> {
    let options = Options { point: Point::Strict, theology, reader: Reader::Shipped };
    let mut out = Vec::new();
    for claim in &answer.claims {
        for at in &claim.evidence {
            let Some(one) = answer.evidence.get(*at) else { continue };
            for finding in found(&one.quote, &options, said) {
                // A quote is a piece of its passage, letter for letter.
                let passage_span = Span {
                    start: one.span.start + finding.span.start,
                    end: one.span.start + finding.span.end,
                };
                let place = Place::Quote {
                    claim_id: claim.id.clone(),
                    evidence: *at,
                    citation: one.citation,
                    source_id: one.source_id.clone(),
                    passage_id: one.passage_id.clone(),
                    passage_span,
                };
                out.push(FallacyWarning::of(finding, place));
            }
        }
    }
    for (part, about, text) in written(answer) {
        for finding in found(text, &options, said) {
            let place = Place::Model { part, about: about.to_owned() };
            out.push(FallacyWarning::of(finding, place));
        }
    }
    for (warning, number) in out.iter_mut().zip(1_usize..) {
        warning.id = format!("w{number}");
    }
    out
}

/// What a model wrote for an answer: the part, the id of what it is about, the words. A critic who names a fallacy says the
/// words of it again and commits none.
fn written(answer: &Answer) -> Vec<(ModelPart, &str, &str)> {
    let mut all: Vec<(ModelPart, &str, &str)> = Vec::new();
    for one in &answer.hypotheses {
        all.push((ModelPart::Explanation, one.id.as_str(), &one.claim));
    }
    if let Some(critique) = &answer.critique {
        let models =
            |one: &&Objection| one.by == FoundBy::Model && one.kind != FindingKind::Fallacy;
        for finding in critique.findings.iter().filter(models) {
            all.push((ModelPart::Critique, &finding.id, &finding.text));
        }
        let replies = critique.challenges.iter().filter_map(|one| one.reply.as_ref());
        for text in critique.alternatives.iter().chain(&critique.leans).chain(replies) {
            all.push((ModelPart::Critique, "", text));
        }
    }
    if let Some(perspectives) = &answer.perspectives {
        for (_, point) in perspectives.points() {
            all.push((ModelPart::Lens, point.id.as_str(), &point.statement));
        }
        let changes = perspectives.views.iter().filter_map(|view| view.would_change.as_ref());
        let why = perspectives.tensions.iter().filter_map(|tension| tension.why.as_ref());
        let taken = perspectives.meta_analysis.iter().map(|sentence| &sentence.text);
        for text in changes.chain(why).chain(taken) {
            all.push((ModelPart::Lens, "", text));
        }
    }
    for insight in answer.insights.iter().filter(|one| one.worded_by == WordedBy::Model) {
        all.push((ModelPart::Insight, insight.id.as_str(), &insight.description));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inquiry::{Input, Run};
    use crate::journal::Entry;
    use crate::scrutiny::critique::Critique;
    use crate::testkit::{Driven, World, drive};
    use crate::trace::{Envelope, TraceEvent};

    const QUESTION: &str = "How many customers can't be wrong?";
    const POPULAR: &str = "Ten million customers can't be wrong.";

    /// A run that quotes these words.
    fn quoted() -> Driven {
        let text = format!("# Leaflet\n\nThe pier is old. {POPULAR}\n\nTickets are sold on board.");
        let world = World::new("ferry").judged().document("leaflet.md", &text);
        drive(&world, QUESTION, crate::inquiry::Options::default())
    }

    fn answer_of(run: &Run) -> Answer {
        run.view().answer().expect("a run ends with an answer").clone()
    }

    /// An answer whose one quote is this.
    fn quoting(quote: &str) -> Answer {
        let mut answer = answer_of(&quoted().run);
        assert_eq!(answer.claims.len(), 1, "{:?}", answer.claims);
        answer.fallacy_warnings.clear();
        let evidence = &mut answer.evidence[0];
        quote.clone_into(&mut evidence.quote);
        evidence.span = Span { start: 17, end: 17 + quote.chars().count() };
        answer
    }

    #[test]
    fn a_quote_is_warned_of_with_its_place_and_a_question() {
        let quote = format!("On 3 May it was full. {POPULAR}");
        let answer = quoting(&quote);
        let all = warnings(&answer, false, &[]);
        assert_eq!(all.len(), 1, "{all:#?}");
        let one = &all[0];
        assert_eq!((one.id.as_str(), one.fallacy.as_str()), ("w1", "appeal_to_popularity"));
        assert_eq!(one.about(), "the reasoning of source [1]");
        assert_eq!(char_slice(&quote, one.span), Some(one.words.as_str()));
        let Place::Quote { claim_id, evidence: 0, passage_span, .. } = &one.place else {
            unreachable!("it stands in a quote: {:?}", one.place)
        };
        assert_eq!(passage_span.start, 17 + one.span.start);
        assert_eq!(passage_span.end - passage_span.start, one.span.end - one.span.start);
        assert!(one.question.ends_with('?') && one.probability < 1.0);
        let mut told = answer.clone();
        told.fallacy_warnings = all.clone();
        assert_eq!(told.warnings_of(claim_id).count(), 1);
        let json = serde_json::to_value(&told.fallacy_warnings).expect("it is JSON");
        assert_eq!(json[0]["place"], "quote");
        assert_eq!(serde_json::from_value::<Vec<FallacyWarning>>(json).expect("it reads"), all);
    }

    #[test]
    fn the_pack_decides_whether_its_own_are_looked_for() {
        let answer = quoting("Just read Romans 13:1. Case closed.");
        assert!(warnings(&answer, false, &[]).is_empty());
        assert_eq!(warnings(&answer, true, &[])[0].fallacy, "proof_texting");
    }

    #[test]
    fn plain_words_give_none() {
        assert!(warnings(&quoting("The ferry carries 90 customers a day."), true, &[]).is_empty());
    }

    #[test]
    fn words_of_a_model_are_read_and_those_of_a_critic_who_names_a_fallacy_are_not() {
        let mut answer = quoting("The ferry carries 90 customers a day.");
        let finding = |id: &str, kind: FindingKind, text: &str| Objection {
            id: id.to_owned(),
            kind,
            severity: crate::prompt::Severity::Minor,
            by: FoundBy::Model,
            claim_id: None,
            span: None,
            words: None,
            text: text.to_owned(),
            queries: vec![],
            measured: None,
        };
        answer.critique = Some(Critique {
            findings: vec![
                finding("x1", FindingKind::Fallacy, POPULAR),
                finding("x2", FindingKind::Overstatement, POPULAR),
            ],
            ..Critique::default()
        });
        let all = warnings(&answer, false, &[]);
        let places: Vec<&Place> = all.iter().map(|one| &one.place).collect();
        let of_x2 = Place::Model { part: ModelPart::Critique, about: "x2".to_owned() };
        assert_eq!(places, [&of_x2]);
        assert_eq!(all[0].about(), "the critic's words (x2)");
    }

    fn told(trace: &[Envelope]) -> usize {
        let is_warning = |one: &&Envelope| matches!(one.event, TraceEvent::FallacyDetected { .. });
        trace.iter().filter(is_warning).count()
    }

    #[test]
    fn a_run_without_a_language_model_warns() {
        let driven = quoted();
        let answer = answer_of(&driven.run);
        let found: Vec<&str> =
            answer.fallacy_warnings.iter().map(|one| one.fallacy.as_str()).collect();
        assert_eq!((found.as_slice(), told(&driven.trace)), (&["appeal_to_popularity"][..], 1));
        assert!(driven.run.view().audit().is_empty(), "{:?}", driven.run.view().audit());
        let last = driven
            .trace
            .iter()
            .rposition(|one| matches!(one.event, TraceEvent::FallacyDetected { .. }));
        let seq = driven.trace[last.expect("it is told")].seq;
        assert!(answer.reasoning_trace.contains(&seq));
    }

    /// The same journal, as a version wrote it that knew no warnings.
    #[test]
    fn a_journal_of_an_earlier_version_gives_none() {
        let driven = quoted();
        let mut old = driven.journal.clone();
        let Entry::Input(first) = &mut old[0].entry else {
            unreachable!("a journal begins with an input")
        };
        let Input::Opened(opened) = &mut **first else {
            unreachable!("the first input opens the run")
        };
        opened.judging.as_mut().expect("it was judged").fallacies = false;
        let json = serde_json::to_string(&opened.judging).expect("it is JSON");
        assert!(!json.contains("fallacies"), "an old journal keeps its bytes: {json}");
        let (run, trace) = Run::replay(&old).expect("it opens a run");
        assert_eq!((told(&trace), answer_of(&run).fallacy_warnings.len()), (0, 0));
        assert_eq!(trace.len() + 1, driven.trace.len());
    }
}
