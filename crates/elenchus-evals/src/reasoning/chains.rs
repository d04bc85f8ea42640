//! The reasoning of a run as texts: thoughts, conclusions, reasons, explanations, criticism, points of lenses.

use super::observed::noticed;
use elenchus_core::answer::Answer;
use elenchus_core::scrutiny::critique::FoundBy;
use elenchus_core::synthesis::insight::WordedBy;
use elenchus_core::trace::{Envelope, TraceEvent};

/// With this a thought begins that a model had.
const MODEL_SAYS: &str = "the model, ";

/// One text of a run's reasoning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chain {
    /// "thought", "conclusion", "warrant", "explanation", "criticism", "lens", "insight".
    pub(crate) kind: &'static str,
    /// Whether a language model worded it.
    pub(crate) by_model: bool,
    /// The text.
    pub(crate) text: String,
    /// Names of the fallacies that are noticed in it at the strict operating point.
    pub(crate) fallacies: Vec<&'static str>,
    /// Whether one is planted in it, which nobody need have noticed.
    pub(crate) planted: bool,
}

impl Chain {
    pub(crate) fn new(kind: &'static str, by_model: bool, text: &str, theology: bool) -> Self {
        let fallacies = noticed(text, theology).into_iter().map(|one| one.fallacy).collect();
        Self { kind, by_model, text: text.to_owned(), fallacies, planted: false }
    }
}

/// Everything that was reasoned, in the order of the trace and then of the answer. Questions and quotes inside a thought
/// count with it: what it repeats it may be misled by.
pub(crate) fn chains(trace: &[Envelope], answer: &Answer, theology: bool) -> Vec<Chain> {
    let mut out = Vec::new();
    let mut add = |kind, by_model, text: &str| {
        if text.chars().any(char::is_alphanumeric) {
            out.push(Chain::new(kind, by_model, text, theology));
        }
    };
    for event in trace {
        match &event.event {
            TraceEvent::ReasoningThought(thought) => match said_by_model(&thought.content) {
                Some(said) => add("thought", true, said),
                None => add("thought", false, &thought.content),
            },
            TraceEvent::ReasoningConclusion(one) => add("conclusion", false, &one.conclusion),
            _ => {}
        }
    }
    // The built-in model words its reasons by pattern, and most of them in a planted world.
    let worded =
        !["builtin", "extractive", "scripted:"].iter().any(|own| answer.model.starts_with(own));
    for claim in &answer.claims {
        add("warrant", worded, &claim.warrant);
    }
    for one in &answer.hypotheses {
        add("explanation", true, &one.claim);
    }
    if let Some(critique) = &answer.critique {
        for finding in &critique.findings {
            add("criticism", finding.by == FoundBy::Model, &finding.text);
        }
        for text in critique.alternatives.iter().chain(&critique.leans) {
            add("criticism", true, text);
        }
    }
    if let Some(all) = &answer.perspectives {
        for (_, point) in all.points() {
            add("lens", true, &point.statement);
        }
        for sentence in &all.meta_analysis {
            add("lens", true, &sentence.text);
        }
    }
    for insight in &answer.insights {
        add("insight", insight.worded_by == WordedBy::Model, &insight.description);
    }
    out
}

/// The words of a thought that a model had: "the model, evidence: “...”".
fn said_by_model(thought: &str) -> Option<&str> {
    let (_, said) = thought.strip_prefix(MODEL_SAYS)?.split_once('\u{201C}')?;
    Some(said.trim_end_matches('\u{201D}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fallacy_is_noticed_in_a_chain() {
        let bad =
            "If we allow one extra day of leave, soon everybody will stop working altogether.";
        let chain = Chain::new("explanation", true, bad, false);
        assert_eq!(chain.fallacies, ["slippery_slope"]);
        assert!(Chain::new("warrant", false, "It names the bridge.", false).fallacies.is_empty());
    }

    #[test]
    fn a_models_thought_is_told_from_the_programs() {
        let said =
            said_by_model("the model, weighing the evidence: \u{201C}f1 speaks for it.\u{201D}");
        assert_eq!(said, Some("f1 speaks for it."));
        assert_eq!(said_by_model("no sentence read so far bears on it"), None);
    }
}
