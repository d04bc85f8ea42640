//! The verifier over an entailment model.

use super::classifier::{Classifier, Reading};
use super::error::NliError;
use super::pieces::Framed;
use super::windows::{Window, chosen, windows};
use crate::ingest::sentence;
use crate::verify::contradiction::{Limits, among};
use crate::verify::select::select;
use crate::verify::sentence::Sentence;
use crate::verify::{BuiltinVerifier, Failing, bound};
use elenchus_core::measure::Explained;
use elenchus_core::port::{
    Checked, Contradiction, EvidenceSpan, Judgement, Pair, PortFuture, Said, Tier, Verifier,
    VerifyFailure,
};
use std::fmt::Write;
use std::path::Path;

/// Windows of one document that are read.
const MOST_WINDOWS: usize = 16;
/// Sentences that are named as having decided.
const NAMED: usize = 3;

/// Judges by an entailment model: the evidence is its premise, the claim its hypothesis.
///
/// The built-in verifier without its cross-encoder goes first. What it calls the evidence's own words, or cannot
/// judge at all, stays as it is; for the rest the model gives the figures, and what contradicts in the binding checks
/// caps its support as everywhere.
///
/// Evidence that is longer than the model reads at once is read in overlapping windows of whole sentences, at most
/// 16 a document (beyond that those with the nearest sentences, then those that share the most with the claim).
/// `supports` is that of the window that supports most, `refutes` that of the window that refutes most; where they
/// come to more than 1, both are scaled down to 1. A pair of which a window could not be read is
/// [`Checked::Unchecked`].
pub struct NliVerifier {
    id: String,
    base: BuiltinVerifier,
    model: Classifier,
}

/// A sentence of the evidence with its place.
struct Placed<'a> {
    at: EvidenceSpan,
    text: &'a str,
}

/// A pair that the model reads.
struct Task {
    /// The pair's place among all.
    pair: usize,
    judged: Box<Judgement>,
    /// What is read.
    windows: Vec<Window>,
    /// How many windows there were to choose from.
    cut_into: usize,
}

impl NliVerifier {
    /// Loads `model.onnx` (or `onnx/model.onnx`, `model_quantized.onnx`, `onnx/model_quantized.onnx`),
    /// `tokenizer.json` and `config.json` from a folder and has the model read two pairs to see that it works.
    ///
    /// A folder that `elenchus models pull` made is checked against its manifest first.
    pub fn load(dir: &Path) -> Result<Self, NliError> {
        super::folder::check(dir)?;
        let model = Classifier::load(dir)?;
        let base = BuiltinVerifier::quick();
        Ok(Self { id: format!("nli-{}+{}", model.hash, base.id()), base, model })
    }

    /// Whether the model tells refuted from not enough. One that does not refutes nothing by itself: only the
    /// binding checks do.
    pub fn refutes(&self) -> bool {
        self.model.labels.refutes.is_some()
    }

    /// Judges pairs, in order.
    pub fn judge(&self, pairs: &[Pair]) -> Vec<Checked> {
        let mut checked = self.base.judge(pairs);
        let mut tasks: Vec<Task> = Vec::new();
        let mut framed: Vec<Framed> = Vec::new();
        for (at, (pair, slot)) in pairs.iter().zip(&checked).enumerate() {
            let Checked::Judged(judged) = slot else { continue };
            if judged.tier == Tier::Quote {
                continue;
            }
            let (task, claim) = self.task(at, pair, judged.clone());
            framed.extend(task.windows.iter().map(|w| self.model.pieces.framed(&w.ids, &claim)));
            tasks.push(task);
        }
        let mut readings = self.model.read(&framed).into_iter();
        for task in tasks {
            let read: Result<Vec<Reading>, String> = readings
                .by_ref()
                .take(task.windows.len())
                .collect::<Vec<_>>()
                .into_iter()
                .collect();
            let at = task.pair;
            checked[at] = match read {
                Ok(read) if !read.is_empty() => self.settle(&pairs[at], task, &read),
                Ok(_) => unchecked("nothing of the evidence is in the model's vocabulary"),
                Err(cause) => unchecked(&format!(
                    "the entailment model failed on it ({cause}); the verifier `builtin` needs no model"
                )),
            };
        }
        checked
    }

    /// What the model is to read for a pair, and the claim's pieces.
    fn task(&self, pair: usize, texts: &Pair, judged: Box<Judgement>) -> (Task, Vec<i32>) {
        let pieces = &self.model.pieces;
        let room = self.model.longest - pieces.frame_len();
        let mut claim = pieces.ids(&texts.claim);
        claim.truncate(room / 2);
        let placed = placed(&texts.evidence);
        let read: Vec<Vec<i32>> = placed
            .iter()
            .enumerate()
            // Behind another sentence a word is preceded by a space, which some vocabularies keep.
            .map(
                |(at, s)| {
                    if at == 0 { pieces.ids(s.text) } else { pieces.ids(&format!(" {}", s.text)) }
                },
            )
            .collect();
        let all = windows(&read, room - claim.len());
        let cut_into = all.len();
        let near: Vec<usize> = judged
            .sentences
            .iter()
            .filter_map(|near| placed.iter().position(|sentence| sentence.at == *near))
            .collect();
        let windows = chosen(all, &claim, &near, MOST_WINDOWS);
        (Task { pair, judged, windows, cut_into }, claim)
    }

    /// The judgement that the readings and the checks come to.
    fn settle(&self, pair: &Pair, task: Task, read: &[Reading]) -> Checked {
        let top = |figure: fn(&Reading) -> f64| {
            let best = |a: &usize, b: &usize| {
                figure(&read[*a]).total_cmp(&figure(&read[*b])).then(b.cmp(a))
            };
            (0..read.len()).max_by(best).unwrap_or(0)
        };
        let (for_it, against) = (top(|r| r.supports), top(|r| r.refutes));
        let (mut supports, mut refutes) = (read[for_it].supports, read[against].refutes);
        let sum = supports + refutes;
        if sum > 1.0 {
            (supports, refutes) = (supports / sum, refutes / sum);
        }
        let refutes = refutes.min(1.0 - supports);
        let mut judged = task.judged;
        let mut explained =
            Explained::new("P(supports)", supports, self.rule(read.len(), task.cut_into))
                .with("the model: supports", read[for_it].supports)
                .with("the model: refutes", read[against].refutes);
        if read.len() > 1 {
            // Counted as people count.
            explained = explained
                .with("the window that supports most", (for_it + 1) as f64)
                .with("the window that refutes most", (against + 1) as f64);
            let decided = if refutes > supports { against } else { for_it };
            judged.sentences = named(pair, &judged.sentences, &task.windows[decided]);
        }
        judged.tier = Tier::Nli;
        judged.supports = supports;
        judged.refutes = refutes;
        // As in the built-in verifier: the checks can only lower support.
        if let Some((failing, worst)) = Failing::worst(&judged.mismatches) {
            // The model has read the whole pair, as the cross-encoder has in the built-in verifier.
            let own = [supports, refutes, 0.0];
            (judged.supports, judged.refutes) =
                bound(Some(failing), Some(&own), (supports, refutes));
            judged.tier = Tier::Binding;
            let rule = format!("lowered, because {}", worst.reason);
            explained = Explained::new("P(supports)", judged.supports, rule).and(explained);
        }
        judged.explained = explained;
        Checked::Judged(judged)
    }

    fn rule(&self, read: usize, of: usize) -> String {
        let mut rule = "an entailment model read the claim against the evidence".to_owned();
        if of > read {
            // Writing to a string cannot fail.
            let _ = write!(rule, ", the {read} likeliest of its {of} windows");
        } else if of > 1 {
            let _ = write!(rule, " in {of} windows");
        }
        if !self.refutes() {
            rule.push_str("; it tells only whether the claim is borne out, so it refutes nothing");
        }
        rule
    }
}

fn unchecked(reason: &str) -> Checked {
    Checked::Unchecked { reason: reason.to_owned() }
}

/// The sentences of all items, with their places in characters.
fn placed(evidence: &[String]) -> Vec<Placed<'_>> {
    let mut found = Vec::new();
    for (item, text) in evidence.iter().enumerate() {
        let sentences = sentence::placed(text).into_iter();
        found
            .extend(sentences.map(|(span, text)| Placed { at: EvidenceSpan { item, span }, text }));
    }
    found
}

/// The sentences of a window nearest to the claim: of those that are nearest in all of the evidence the ones in the
/// window, or else the nearest in it.
fn named(pair: &Pair, near: &[EvidenceSpan], window: &Window) -> Vec<EvidenceSpan> {
    let placed = placed(&pair.evidence);
    let inside = &placed[window.sentences.clone()];
    let known: Vec<EvidenceSpan> = near
        .iter()
        .filter(|at| inside.iter().any(|sentence| sentence.at == **at))
        .copied()
        .collect();
    if !known.is_empty() {
        return known;
    }
    let prepared: Vec<Sentence> = inside.iter().map(|s| Sentence::prepare(s.text)).collect();
    let all: Vec<&Sentence> = prepared.iter().collect();
    let picked = select(&Sentence::prepare(&pair.claim), &all, NAMED);
    picked.into_iter().map(|selected| inside[selected.sentence].at).collect()
}

impl Verifier for NliVerifier {
    fn id(&self) -> &str {
        &self.id
    }

    fn verify<'a>(
        &'a self,
        pairs: &'a [Pair],
    ) -> PortFuture<'a, Result<Vec<Checked>, VerifyFailure>> {
        Box::pin(async move { Ok(self.judge(pairs)) })
    }

    fn reads_english_only(&self) -> bool {
        true
    }

    fn contradictions<'a>(
        &'a self,
        texts: &'a [Said],
    ) -> PortFuture<'a, Result<Vec<Contradiction>, VerifyFailure>> {
        Box::pin(async move { Ok(among(texts, &Limits::default())) })
    }
}
