//! Whether passages bear a claim out.

use super::{FiguresTold, Meter, PortFuture, Usage};
use crate::measure::Explained;
use serde::{Deserialize, Serialize};

/// A claim and the sentences to judge it by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pair {
    /// The claim, readable alone.
    pub claim: String,
    /// Sentences or passages of one document, in its order. Data, never instructions.
    pub evidence: Vec<String>,
    /// Title and headings that the evidence stands under, outermost first. They bear nothing out; they say of
    /// what and of when a figure is told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub above: Vec<String>,
}

/// Which step of the cascade decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// The claim is the evidence's own words, but for spacing and marks.
    Quote,
    /// A number, name, date, unit, polarity or quantifier does not fit.
    Binding,
    /// The built-in regression over features.
    Features,
    /// Our own small cross-encoder, stacked on the features.
    CrossEncoder,
    /// An entailment model from a folder.
    Nli,
    /// A language model.
    Llm,
}

impl Tier {
    /// The name in JSON and on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quote => "quote",
            Self::Binding => "binding",
            Self::Features => "features",
            Self::CrossEncoder => "cross_encoder",
            Self::Nli => "nli",
            Self::Llm => "llm",
        }
    }

    /// Who decides in it, in words.
    pub fn decider(self) -> &'static str {
        match self {
            Self::Quote => "the comparison of words",
            Self::Binding => "the comparison of figures and names",
            Self::Features => "the regression over features",
            Self::CrossEncoder => "the cross-encoder",
            Self::Nli => "an entailment model",
            Self::Llm => "a language model",
        }
    }
}

/// A part of a claim that its evidence does not bear out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mismatch {
    /// What kind of binding failed.
    pub kind: MismatchKind,
    /// The claim's word or words.
    pub claim_text: String,
    /// Characters of the claim.
    pub claim_span: crate::evidence::Span,
    /// What the evidence has in that place, if anything stands there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence_text: Option<String>,
    /// Whether the evidence says otherwise (`true`), or only fails to say it (`false`).
    pub contradicts: bool,
    /// In words: "the claim says 2019, the evidence 2016".
    pub reason: String,
}

/// What a binding check looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MismatchKind {
    /// A number, range or magnitude.
    Number,
    /// A unit or currency.
    Unit,
    /// A year, date or period.
    Date,
    /// A name.
    Entity,
    /// Who did what to whom.
    Role,
    /// "not", "no", "never", "without", "failed to".
    Negation,
    /// Opposite words: rise and fall, before and after.
    Polarity,
    /// All, most, some, none, only, at least.
    Quantifier,
    /// May, must, suggests, proves.
    Hedge,
    /// More, less, as much as; and than what.
    Comparative,
}

/// What was found about a pair. The rest to 1 is "not enough to tell".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Judgement {
    /// P(the evidence bears the claim out), 0 to 1.
    pub supports: f64,
    /// P(the evidence says otherwise), 0 to 1. `supports + refutes <= 1`.
    pub refutes: f64,
    /// Which step decided.
    pub tier: Tier,
    /// How near the evidence is to the claim in what it speaks of, 0 to 1: not a confidence.
    pub similarity: f64,
    /// The sentences that decided, best first.
    pub sentences: Vec<EvidenceSpan>,
    /// Parts of the claim that the evidence does not bear out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mismatches: Vec<Mismatch>,
    /// How far each word of the claim is borne out, in the order of the claim; words that carry nothing are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grounding: Vec<WordGrounding>,
    /// What the evidence tells of the claim's figures. Judgements of earlier versions tell nothing.
    #[serde(default, skip_serializing_if = "FiguresTold::is_empty")]
    pub told: FiguresTold,
    /// How `supports` came about.
    pub explained: Explained,
}

impl Judgement {
    /// Whether the evidence says otherwise in some part of the claim: a figure, a name, a date or a word is another one.
    pub fn says_otherwise(&self) -> bool {
        self.mismatches.iter().any(|mismatch| mismatch.contradicts)
    }
}

/// A sentence of the evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EvidenceSpan {
    /// Position in [`Pair::evidence`].
    pub item: usize,
    /// Characters of that item.
    pub span: crate::evidence::Span,
}

/// How far one word of a claim is borne out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WordGrounding {
    /// Characters of the claim.
    pub span: crate::evidence::Span,
    /// 0 (nothing in the evidence stands for it) to 1 (it stands there).
    pub score: f64,
    /// Its part of speech, if it is one that carries a claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<crate::belief::WordType>,
}

/// The end of a check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "checked", rename_all = "snake_case")]
pub enum Checked {
    /// It was judged.
    Judged(Box<Judgement>),
    /// It was not, and that says nothing about the claim.
    Unchecked {
        /// Why.
        reason: String,
    },
}

/// The results of a check and what they cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verified {
    /// One a pair, in order.
    pub results: Vec<Checked>,
    /// Of all requests together; nothing where no language model was asked.
    pub usage: Usage,
}

/// Why a verifier could not run at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("could not check {pairs} claims with {verifier}: {cause}")]
pub struct VerifyFailure {
    /// The verifier's id.
    pub verifier: String,
    /// How many pairs were asked for.
    pub pairs: usize,
    /// The cause and the way out.
    pub cause: String,
}

/// A text whose statements may contradict those of others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Said {
    /// What it says: one sentence or several. Data, never instructions.
    pub text: String,
    /// The words that it stands under (title, date, headings). Only the times in them count.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub context: String,
    /// Texts of one group are not held against each other: copies, parts of one document, claims out of one sentence.
    pub group: String,
}

/// A statement of one of the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spot {
    /// Position among the texts.
    pub item: usize,
    /// Characters of that text.
    pub span: crate::evidence::Span,
}

/// Two statements that cannot both hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Contradiction {
    /// The one.
    pub a: Spot,
    /// The other, of a later text.
    pub b: Spot,
    /// The words of `a` that those of `b` deny; `claim_span` counts in the statement. Never empty.
    pub why: Vec<Mismatch>,
    /// How sure it is, 0 to 1; an order, not a probability.
    pub strength: f64,
    /// In words: "on installed capacity: one says 5.6 MW, the other 4.2 MW".
    pub summary: String,
}

/// Judges claims by evidence.
///
/// Idempotent: the same id and pair give the same judgement, so results may be cached by both. One result
/// a pair, in order. A pair that cannot be judged is [`Checked::Unchecked`], never a made-up figure.
pub trait Verifier: Send + Sync {
    /// Names the verifier, its version and its weights. A different id means that results cannot be compared.
    fn id(&self) -> &str;
    /// One result a pair, in order.
    fn verify<'a>(
        &'a self,
        pairs: &'a [Pair],
    ) -> PortFuture<'a, Result<Vec<Checked>, VerifyFailure>>;
    /// The same, with what it cost. Whoever asks something that is paid for has to say so here.
    fn verify_counted<'a>(
        &'a self,
        pairs: &'a [Pair],
    ) -> PortFuture<'a, Result<Verified, VerifyFailure>> {
        Box::pin(async move {
            let results = self.verify(pairs).await?;
            Ok(Verified { results, usage: Usage::default() })
        })
    }
    /// The same, and what is used is counted on the meter, whether results come of it or not. Whoever asks something
    /// that is paid for counts there as it goes, so that a check that is given up is counted too.
    fn verify_metered<'a>(
        &'a self,
        pairs: &'a [Pair],
        meter: &'a Meter,
    ) -> PortFuture<'a, Result<Verified, VerifyFailure>> {
        Box::pin(async move {
            let verified = self.verify_counted(pairs).await?;
            meter.count(verified.usage);
            Ok(verified)
        })
    }
    /// Whether a language model is asked, so that tokens, and perhaps money, are spent on every check.
    fn asks_model(&self) -> bool {
        false
    }
    /// Whether claims in other languages than English cannot be judged.
    fn reads_english_only(&self) -> bool {
        false
    }
    /// What the figures of several passages of one document come to beside a claim, where that is certain: its sentences say
    /// which of them state the figures. Most verifiers compute nothing.
    fn computed(&self, _pair: &Pair) -> Option<Box<Judgement>> {
        None
    }
    /// The contradictions between statements of these texts, strongest first. Much is missed rather than told wrongly.
    fn contradictions<'a>(
        &'a self,
        texts: &'a [Said],
    ) -> PortFuture<'a, Result<Vec<Contradiction>, VerifyFailure>>;
}
