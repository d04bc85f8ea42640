//! The verifier that every build has: own words, binding checks, and a regression over features.

use super::binding::{self, Against, Bindings, GroundedBy, Reckoned};
use super::contradiction::{Limits, among};
use super::cross_encoder::{Classes, CrossEncoder};
use super::features::{Features, NAMES, features};
use super::quote::quoted;
use super::sentence::Sentence;
use super::tokens::Pos;
use super::weights::{Failing, Regression, Weights, bound, log_odds};
use crate::ingest::sentence::sentences;
use elenchus_core::belief::WordType;
use elenchus_core::evidence::Span;
use elenchus_core::measure::Explained;
use elenchus_core::port::{
    Checked, Contradiction, EvidenceSpan, FiguresTold, Judgement, Mismatch, Pair, PortFuture, Said,
    Tier, Verifier, VerifyFailure, WordGrounding,
};
use elenchus_core::text::content_set;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// P(supports) of a claim that is the evidence's own words. Not 1: a quote may stand in a context that turns it.
const QUOTED: f64 = 0.98;

/// Prepared texts that are kept; beyond that the cache begins anew.
const KEPT: usize = 4_096;

/// Longer claims are no single statement and are not judged; in characters.
pub const MAX_CLAIM_CHARS: usize = 4_000;

/// A prepared passage: its sentences with their places.
type Prepared = Arc<Vec<(Span, Sentence)>>;

/// The built-in verifier.
pub struct BuiltinVerifier {
    id: String,
    weights: &'static Weights,
    /// Whether the cross-encoder may be used.
    close: bool,
    kept: Mutex<HashMap<String, Prepared>>,
}

impl Default for BuiltinVerifier {
    fn default() -> Self {
        let weights = Weights::builtin();
        Self {
            id: format!("builtin-{}", weights.version),
            weights,
            close: true,
            kept: Mutex::new(HashMap::new()),
        }
    }
}

impl BuiltinVerifier {
    /// The verifier without the cross-encoder: a hundred times as fast, and less sure.
    pub fn quick() -> Self {
        let mut this = Self { close: false, ..Self::default() };
        this.id.push_str("-quick");
        this
    }

    /// The sentences of a text, prepared once.
    fn prepared(&self, text: &str) -> Prepared {
        if let Some(known) = self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(text) {
            return Arc::clone(known);
        }
        let mut at = (0, 0);
        let made: Prepared = Arc::new(
            sentences(text)
                .into_iter()
                .flat_map(|range| rows(text, range))
                .map(|(range, read)| {
                    let start = at.1 + text[at.0..range.start].chars().count();
                    let end = start + text[range.clone()].chars().count();
                    at = (range.end, end);
                    (Span { start, end }, Sentence::prepare(&read))
                })
                .collect(),
        );
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(text.to_owned(), Arc::clone(&made));
        made
    }

    /// Judges pairs, in order: own words first, then the checks and the regression; the cross-encoder reads what is
    /// left unsure. Where it cannot, the regression decides alone, and the explanation says so with the cause.
    pub fn judge(&self, pairs: &[Pair]) -> Vec<Checked> {
        self.judge_by(pairs, &read)
    }

    fn judge_by(&self, pairs: &[Pair], read: CloseReader<'_>) -> Vec<Checked> {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let size = pairs.len().div_ceil(cores).max(8);
        let mut stages: Vec<Stage> = if pairs.len() <= size {
            pairs.iter().map(|pair| self.compare(pair)).collect()
        } else {
            std::thread::scope(|scope| {
                let workers: Vec<_> = pairs
                    .chunks(size)
                    .map(|chunk| {
                        scope.spawn(move || {
                            chunk.iter().map(|pair| self.compare(pair)).collect::<Vec<_>>()
                        })
                    })
                    .collect();
                workers
                    .into_iter()
                    .flat_map(|worker| worker.join().expect("comparing does not panic"))
                    .collect()
            })
        };
        self.read_closely(pairs, &mut stages, read);
        stages
            .into_iter()
            .map(|stage| match stage {
                Stage::Done(checked) => checked,
                Stage::Compared(compared) => self.settle(*compared),
            })
            .collect()
    }

    /// Everything that is cheap.
    fn compare(&self, pair: &Pair) -> Stage {
        let unchecked =
            |reason: &str| Stage::Done(Checked::Unchecked { reason: reason.to_owned() });
        if pair.claim.chars().nth(MAX_CLAIM_CHARS).is_some() {
            return unchecked(
                "the claim is longer than 4,000 characters: it is no single statement",
            );
        }
        let claim = Sentence::prepare(&pair.claim);
        if claim.words.is_empty() {
            return unchecked("the claim has no word that could be compared");
        }
        let items: Vec<Prepared> = pair.evidence.iter().map(|text| self.prepared(text)).collect();
        let mut places = Vec::new();
        let mut evidence: Vec<&Sentence> = Vec::new();
        for (item, sentences) in items.iter().enumerate() {
            for (span, sentence) in sentences.iter() {
                places.push(EvidenceSpan { item, span: *span });
                evidence.push(sentence);
            }
        }
        if evidence.iter().all(|sentence| sentence.words.is_empty()) {
            return unchecked("the evidence has no word that could be compared");
        }
        let context = self.prepared(&pair.above.join(". "));
        let told = |mismatches: &[Mismatch]| {
            let bound = evidence.iter().map(|sentence| &sentence.bound);
            let placed: Vec<(EvidenceSpan, &binding::Prepared)> =
                places.iter().copied().zip(bound).collect();
            let above: Vec<&binding::Prepared> =
                context.iter().map(|(_, sentence)| &sentence.bound).collect();
            binding::told(&claim.bound, &placed, &above, mismatches)
        };
        let own = whole_line(&pair.claim, &pair.evidence)
            .or_else(|| quoted(&claim, &evidence).map(|at| places[at]));
        if let Some(place) = own {
            return Stage::Done(Checked::Judged(Box::new(Judgement {
                supports: QUOTED,
                refutes: 0.0,
                tier: Tier::Quote,
                similarity: 1.0,
                sentences: vec![place],
                mismatches: vec![],
                grounding: grounding(&claim, None),
                told: told(&[]),
                explained: Explained::new(
                    "P(supports)",
                    QUOTED,
                    "the evidence has the claim's own words",
                ),
            })));
        }
        let mut found = features(&claim, &evidence);
        let bound: Vec<&binding::Prepared> = evidence.iter().map(|one| &one.bound).collect();
        let above: Vec<&binding::Prepared> = context.iter().map(|(_, one)| &one.bound).collect();
        if let (Some(nearest), Some(bindings)) = (found.nearest.first(), &mut found.bindings)
            && !above.is_empty()
            && binding::is_of_somebody_else(
                &claim.bound,
                bound[*nearest],
                bound.iter().chain(&above).copied(),
            )
        {
            bindings.take_back();
        }
        let reported = binding::reported(&claim.bound, &bound, &above);
        let read = to_read(&pair.claim, &found, &evidence, &pair.above);
        let placed: Vec<(EvidenceSpan, &binding::Prepared)> =
            places.iter().copied().zip(bound).collect();
        let reckoned = binding::reckoned(&claim.bound, &placed);
        if let (Some(reckoned), Some(bindings)) = (&reckoned, &mut found.bindings) {
            bindings.reckon(&claim.bound, reckoned);
        }
        let against = found.bindings.as_ref().map(|bound| bound.mismatches.as_slice());
        let mut told = told(against.unwrap_or_default());
        told.computed =
            reckoned.as_ref().filter(|found| found.holds).map(|found| found.sum.clone());
        // The sentences that decide stand first.
        let mut order: Vec<usize> = Vec::new();
        let computed = reckoned.iter().flat_map(|found| found.sentences.iter().copied());
        for at in reported.into_iter().chain(computed).chain(found.nearest.iter().copied()) {
            if !order.contains(&at) {
                order.push(at);
            }
        }
        Stage::Compared(Box::new(Compared {
            told,
            grounding: grounding(&claim, found.bindings.as_ref()),
            places: order.into_iter().map(|at| places[at]).collect(),
            is_reported: reported.is_some(),
            reckoned,
            found,
            read,
            close: None,
        }))
    }

    /// Has the pairs of the unsure band read closely.
    fn read_closely(&self, pairs: &[Pair], stages: &mut [Stage], read: CloseReader<'_>) {
        if self.weights.cross_encoder_tier.is_none() || !self.close {
            return;
        }
        for (pair, stage) in pairs.iter().zip(stages) {
            let Stage::Compared(compared) = stage else { continue };
            let (supports, refutes) = self.weights.features_tier.predict(&compared.found.values);
            if supports.max(refutes) >= UNRELATED {
                let nearest = compared.read.iter().map(|(at, text)| (*at, text.as_str())).collect();
                let classes = read(&pair.claim, nearest);
                compared.close = Some(classes);
            }
        }
    }

    /// The judgement that all tiers together come to.
    fn settle(&self, compared: Compared) -> Checked {
        let Compared { found, places, grounding, told, close, is_reported, reckoned, .. } =
            compared;
        let features = &self.weights.features_tier;
        let (mut supports, mut refutes) = features.predict(&found.values);
        let mut explained = regression(&features.supports, &found, supports);
        let mut tier = Tier::Features;
        let classes: Option<&Classes> = close.as_ref().and_then(|read| read.as_ref().ok());
        if let (Some(classes), Some(stacked)) = (classes, &self.weights.cross_encoder_tier) {
            let mut inputs = found.values.to_vec();
            inputs.extend(classes.map(log_odds));
            (supports, refutes) = stacked.predict(&inputs);
            tier = Tier::CrossEncoder;
            explained = Explained::new(
                "P(supports)",
                supports,
                "logistic regression over the features and the cross-encoder's reading",
            )
            .with("cross-encoder: supports", classes[0])
            .with("cross-encoder: refutes", classes[1])
            .with("cross-encoder: not enough", classes[2])
            .and(explained);
        }
        if let Some(Err(cause)) = &close {
            let rule = format!(
                "{} could not read the pair ({cause}): {} decides alone",
                Tier::CrossEncoder.decider(),
                Tier::Features.decider()
            );
            explained = Explained::new("P(supports)", supports, rule).and(explained);
        }
        let mismatches: Vec<Mismatch> =
            found.bindings.as_ref().map(|b| b.mismatches.clone()).unwrap_or_default();
        if let Some((failing, worst)) = Failing::worst(&mismatches) {
            (supports, refutes) = bound(Some(failing), classes, (supports, refutes));
            tier = Tier::Binding;
            explained = Explained::new(
                "P(supports)",
                supports,
                format!("lowered, because {}", worst.reason),
            )
            .and(explained);
        }
        if is_reported && !mismatches.iter().any(|mismatch| mismatch.contradicts) {
            supports = supports.max(REPORTED);
            refutes = refutes.min(1.0 - supports);
            tier = Tier::Binding;
            explained = Explained::new(
                "P(supports)",
                supports,
                "the document of the claim's subject reports the same count",
            )
            .and(explained);
        }
        let thresholds = self.weights.thresholds;
        let mut similarity = found.similarity;
        if let Some(Reckoned { sum, .. }) = reckoned.filter(|found| found.holds) {
            supports = supports.max(RECKONED);
            refutes = refutes.min(1.0 - supports);
            similarity = similarity.max(thresholds.relevant);
            tier = Tier::Binding;
            let rule = format!("the figures of the evidence come to it: {sum}");
            explained = Explained::new("P(supports)", supports, rule).and(explained);
        }
        match found.bindings.as_ref().map(|bound| bound.against).unwrap_or_default() {
            // What speaks of something else opposes nothing, however it sounds.
            Against::Not => refutes = refutes.min(OPEN),
            Against::Open => {}
            // Two causes may both hold: no surer than that, unless something else of it is denied.
            Against::Otherwise => {
                let is_denied = mismatches.iter().any(|mismatch| mismatch.contradicts);
                refutes = if is_denied { refutes.max(OTHERWISE) } else { OTHERWISE };
                supports = supports.min(1.0 - refutes);
                similarity = similarity.max(thresholds.relevant);
                let rule = "another cause is given, and both may hold: P(refutes) is set by hand";
                explained = Explained::new("P(supports)", supports, rule)
                    .with("P(refutes)", refutes)
                    .and(explained);
            }
            // However much else the sentence says, it is about the claim and says otherwise.
            Against::Surely => {
                supports = supports.min(1.0 - thresholds.refutes);
                refutes = refutes.max(thresholds.refutes);
                similarity = similarity.max(thresholds.relevant);
            }
        }
        Checked::Judged(Box::new(Judgement {
            supports,
            refutes,
            tier,
            similarity,
            sentences: places,
            grounding,
            mismatches,
            told,
            explained,
        }))
    }
}

/// What the cross-encoder reads of a pair: the nearest sentences with their places, nearest first, and behind the nearest the
/// title that they stand under, where it has a word of the claim that they lack: it says who "the company" is. Another title,
/// the name of a file for one, tells nothing of the claim and is heard all the same.
pub fn to_read(
    claim: &str,
    found: &Features,
    evidence: &[&Sentence],
    above: &[String],
) -> Vec<(usize, String)> {
    let mut read: Vec<(usize, String)> =
        found.nearest.iter().map(|at| (*at + 1, evidence[*at].text.clone())).collect();
    let title = above.first().map(|title| title.trim()).unwrap_or_default();
    let mut wanted = content_set(claim);
    // A name may stand in the title alone; a number that stands there is no number of the sentence.
    let is_said = |word: &String| read.iter().any(|(_, text)| content_set(text).contains(word));
    wanted.retain(|word| !word.contains(|c: char| c.is_ascii_digit()) && !is_said(word));
    let names = !wanted.is_disjoint(&content_set(title));
    if names && !read.is_empty() && title.chars().count() <= TITLE_CHARS {
        read.insert(1, (0, title.to_owned()));
    }
    read
}

/// A longer title is none, and takes the room of a sentence.
const TITLE_CHARS: usize = 160;

/// Below this for both classes the features are sure that the evidence is about something else.
const UNRELATED: f64 = 0.04;

/// P(supports) of a count that the document of its subject reports. Set by hand, not fitted: no labelled set has such pairs.
const REPORTED: f64 = 0.8;

/// P(supports) of what the figures of the evidence come to. Set by hand, not fitted: no labelled set has such pairs.
const RECKONED: f64 = 0.9;

/// P(refutes) of a passage that gives another cause for the same: 3 to 2, since two causes may both hold. Set by hand, not
/// fitted: no labelled set has enough such pairs.
const OTHERWISE: f64 = 0.6;

/// P(refutes) up to which nothing is taken off a confidence.
const OPEN: f64 = 0.5;

/// A line of the evidence (a row, an item) that is the claim, letter for letter.
fn whole_line(claim: &str, evidence: &[String]) -> Option<EvidenceSpan> {
    let claim = claim.trim();
    evidence.iter().enumerate().find_map(|(item, text)| {
        let mut at = 0;
        text.split('\n').find_map(|line| {
            let start = at + line.chars().take_while(|c| c.is_whitespace()).count();
            at += line.chars().count() + 1;
            (line.trim() == claim).then(|| EvidenceSpan {
                item,
                span: Span { start, end: start + claim.chars().count() },
            })
        })
    })
}

/// A sentence as it is, or the rows of a Markdown table, each read with the names of its columns: "Indicator: Installed
/// capacity; Value: 5.6 MW".
fn rows(text: &str, range: Range<usize>) -> Vec<(Range<usize>, String)> {
    let piece = &text[range.clone()];
    if piece.lines().filter(|line| line.trim_start().starts_with('|')).count() < 2 {
        return vec![(range, piece.to_owned())];
    }
    let cells = |line: &str| -> Vec<String> {
        line.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let mut out = Vec::new();
    let mut header: Option<Vec<String>> = None;
    let mut at = range.start;
    for line in piece.split_inclusive('\n') {
        let place = at..at + line.trim_end().len();
        at += line.len();
        if !line.trim_start().starts_with('|') {
            if !line.trim().is_empty() {
                out.push((place, line.to_owned()));
            }
            header = None;
            continue;
        }
        if line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\n' | '\r')) {
            continue;
        }
        let Some(names) = &header else {
            header = Some(cells(line));
            continue;
        };
        let read: Vec<String> = cells(line)
            .into_iter()
            .enumerate()
            .map(|(i, cell)| match names.get(i).filter(|name| !name.is_empty()) {
                Some(name) => format!("{name}: {cell}"),
                None => cell,
            })
            .collect();
        out.push((place, read.join("; ")));
    }
    out
}

/// A pair under way.
enum Stage {
    Done(Checked),
    Compared(Box<Compared>),
}

/// A pair after the cheap tiers.
struct Compared {
    found: Features,
    places: Vec<EvidenceSpan>,
    grounding: Vec<WordGrounding>,
    /// What all of the evidence tells of the claim's figures.
    told: FiguresTold,
    /// The nearest sentences with their places among all, nearest first.
    read: Vec<(usize, String)>,
    /// Whether the evidence reports the count of the claim.
    is_reported: bool,
    /// What its figures come to.
    reckoned: Option<Reckoned>,
    /// What the cross-encoder said, or why it could not; nothing where it was not asked.
    close: Option<Result<Classes, String>>,
}

/// Reads a claim beside its nearest sentences with their places, nearest first; the cause, where it cannot.
type CloseReader<'r> = &'r dyn Fn(&str, Vec<(usize, &str)>) -> Result<Classes, String>;

/// The cross-encoder's reading of one pair.
fn read(claim: &str, nearest: Vec<(usize, &str)>) -> Result<Classes, String> {
    let classes = CrossEncoder::builtin()?.classify(&[(claim, nearest)])?;
    classes.first().copied().ok_or_else(|| "it gave no figure".to_owned())
}

/// The five features that moved the figure most, with what each added to the log-odds against its absence.
fn regression(weights: &Regression, found: &Features, supports: f64) -> Explained {
    let mut parts: Vec<(f64, usize)> =
        found.values.iter().enumerate().map(|(i, value)| (weights.weights[i] * value, i)).collect();
    parts.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    parts.iter().take(5).fold(
        Explained::new(
            "P(supports)",
            supports,
            format!("logistic regression over {} features; the five that say most:", NAMES.len()),
        ),
        |tree, (part, i)| tree.with(format!("{} = {:.2} adds", NAMES[*i], found.values[*i]), *part),
    )
}

/// The parts of speech that carry a claim.
fn kind(pos: Pos) -> Option<WordType> {
    match pos {
        Pos::ProperNoun => Some(WordType::ProperNoun),
        Pos::Numeral => Some(WordType::Numeral),
        Pos::Noun => Some(WordType::Noun),
        Pos::Verb => Some(WordType::Verb),
        _ => None,
    }
}

/// How far each content word of the claim is borne out; all are when there are no bindings (own words).
fn grounding(claim: &Sentence, bindings: Option<&Bindings>) -> Vec<WordGrounding> {
    let tokens = claim.bound.tokens();
    match bindings {
        None => tokens
            .iter()
            .filter(|token| !token.is_mark())
            .map(|token| WordGrounding { span: token.chars, score: 1.0, kind: kind(token.pos) })
            .collect(),
        Some(bindings) => bindings
            .grounding
            .iter()
            .filter_map(|g| {
                let token = tokens.get(g.token)?;
                let score = if g.by == GroundedBy::Opposite { 0.0 } else { g.score };
                Some(WordGrounding { span: token.chars, score, kind: kind(token.pos) })
            })
            .collect(),
    }
}

impl Verifier for BuiltinVerifier {
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

    fn computed(&self, pair: &Pair) -> Option<Box<Judgement>> {
        if pair.claim.chars().nth(MAX_CLAIM_CHARS).is_some() {
            return None;
        }
        let claim = Sentence::prepare(&pair.claim);
        let items: Vec<Prepared> = pair.evidence.iter().map(|text| self.prepared(text)).collect();
        let placed: Vec<(EvidenceSpan, &binding::Prepared)> = items
            .iter()
            .enumerate()
            .flat_map(|(item, sentences)| {
                sentences
                    .iter()
                    .map(move |(span, one)| (EvidenceSpan { item, span: *span }, &one.bound))
            })
            .collect();
        let found = binding::reckoned(&claim.bound, &placed)?;
        let thresholds = self.weights.thresholds;
        let (supports, refutes) =
            if found.holds { (RECKONED, 0.0) } else { (0.0, thresholds.refutes) };
        let rule = format!("the figures of the passages together: {}", found.sum);
        let sentences = found.sentences.iter().filter_map(|at| Some(placed.get(*at)?.0)).collect();
        Some(Box::new(Judgement {
            supports,
            refutes,
            tier: Tier::Binding,
            similarity: thresholds.relevant,
            sentences,
            mismatches: found.mismatch(&claim.bound).into_iter().collect(),
            grounding: grounding(&claim, None),
            told: FiguresTold {
                computed: found.holds.then(|| found.sum.clone()),
                ..FiguresTold::default()
            },
            explained: Explained::new("P(supports)", supports, rule),
        }))
    }

    fn contradictions<'a>(
        &'a self,
        texts: &'a [Said],
    ) -> PortFuture<'a, Result<Vec<Contradiction>, VerifyFailure>> {
        Box::pin(async move { Ok(among(texts, &Limits::default())) })
    }
}

#[cfg(test)]
mod tests;
