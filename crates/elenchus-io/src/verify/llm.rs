//! A language model as a verifier: it gives verdict words and the sentences that decide, code the figures.
//!
//! The binding checks come first and last, as in the other tiers: a swapped number lowers support whatever the model
//! says. A model that does not answer leaves its pairs unchecked.

use super::contradiction::{Limits, among};
use super::{BuiltinVerifier, Failing, bound};
use crate::ingest::sentence::placed;
use crate::model::language::{ChatClient, ChatRequest, Stop, Unanswered, request, steady};
use elenchus_core::measure::Explained;
use elenchus_core::port::{
    Checked, Contradiction, EvidenceSpan, Judgement, Meter, Pair, PortFuture, Said, Tier, Usage,
    Verified, Verifier, VerifyFailure,
};
use elenchus_core::prompt::PromptBook;
use elenchus_core::prompt::entail::{
    EntailInput, EntailItem, EntailVerdict, Entailed, minicheck, parse_minicheck,
};
use futures_util::StreamExt;
use futures_util::stream;

/// Claims in one prompt.
const BATCH: usize = 10;

/// Prompts under way at once.
const AT_ONCE: usize = 3;

/// The least similarity of evidence that decided.
const DECIDES: f64 = 0.75;

/// What a verdict word is taken for. Set by hand: no map is fitted for models that nobody has measured, and what is
/// shown says so. P(supports), P(refutes).
fn figures(verdict: EntailVerdict) -> (f64, f64) {
    match verdict {
        EntailVerdict::Supported => (0.9, 0.02),
        EntailVerdict::Contradicted => (0.03, 0.85),
        EntailVerdict::NotEnough => (0.12, 0.08),
    }
}

/// A verifier that asks a language model.
pub struct LlmVerifier {
    client: ChatClient,
    book: PromptBook,
    builtin: BuiltinVerifier,
    id: String,
    /// Whether the model is one of those that answer "yes" or "no" to a document and a claim and nothing else.
    yes_no: bool,
}

/// A sentence of the evidence of a pair.
type Place = (EvidenceSpan, String);

/// What a prompt brought: one verdict a pair, or why there is none, and what the prompt cost.
struct Prompted {
    verdicts: Vec<Result<Entailed, String>>,
    usage: Usage,
}

impl LlmVerifier {
    /// Asks this model. Models named `bespoke-minicheck` are asked in the shape that they were trained for.
    pub fn new(client: ChatClient, book: PromptBook) -> Self {
        let yes_no = client.name().model.contains("bespoke-minicheck");
        let id = format!("llm-{}", client.name());
        Self { client, book, builtin: BuiltinVerifier::quick(), id, yes_no }
    }

    /// The sentences of a pair's evidence with their places.
    fn places(pair: &Pair) -> Vec<Place> {
        let mut out = Vec::new();
        for (item, text) in pair.evidence.iter().enumerate() {
            out.extend(
                placed(text)
                    .into_iter()
                    .map(|(span, text)| (EvidenceSpan { item, span }, text.to_owned())),
            );
        }
        out
    }

    /// One verdict a pair, or why there is none.
    async fn verdicts(&self, pairs: &[(&Pair, Vec<Place>)], meter: &Meter) -> Prompted {
        // Collected first: the compiler cannot follow borrowed closures through a stream.
        let asked: Vec<PortFuture<'_, Prompted>> = if self.yes_no {
            pairs
                .iter()
                .map(|(pair, places)| -> PortFuture<'_, _> {
                    Box::pin(self.one_word(pair, places, meter))
                })
                .collect()
        } else {
            pairs
                .chunks(BATCH)
                .map(|batch| -> PortFuture<'_, _> { Box::pin(self.batch(batch, meter)) })
                .collect()
        };
        let replies: Vec<Prompted> = stream::iter(asked).buffered(AT_ONCE).collect().await;
        let mut all =
            Prompted { verdicts: Vec::with_capacity(pairs.len()), usage: Usage::default() };
        for reply in replies {
            all.verdicts.extend(reply.verdicts);
            all.usage.count(reply.usage);
        }
        all
    }

    async fn batch(&self, pairs: &[(&Pair, Vec<Place>)], meter: &Meter) -> Prompted {
        let input = EntailInput {
            items: pairs
                .iter()
                .map(|(pair, places)| EntailItem {
                    claim: pair.claim.clone(),
                    evidence: places.iter().map(|(_, text)| text.clone()).collect(),
                })
                .collect(),
        };
        let rendered = self.book.render_entail(&input);
        let user = rendered.user.clone();
        let request = request(&self.client, &rendered, user);
        let none = |why: String| -> Vec<Result<Entailed, String>> {
            pairs.iter().map(|_| Err(why.clone())).collect()
        };
        let reply = match self
            .client
            .chat_metered(&request, meter, &mut |piece: &str| meter.write(piece))
            .await
        {
            Ok(reply) => reply,
            Err(Unanswered { error, usage }) => {
                return Prompted { verdicts: none(error.to_string()), usage };
            }
        };
        // What could not be used was paid for all the same.
        let usage = reply.usage;
        if reply.stop == Stop::Refused {
            return Prompted { verdicts: none("the model refused".to_owned()), usage };
        }
        let missing = || Err("the model gave no verdict that could be used".to_owned());
        let mut verdicts: Vec<Result<Entailed, String>> = self
            .book
            .parse_entail(&input, &reply.text)
            .verdicts
            .into_iter()
            .map(|verdict| verdict.map_or_else(missing, Ok))
            .collect();
        verdicts.resize_with(pairs.len(), missing);
        Prompted { verdicts, usage }
    }

    async fn one_word(&self, pair: &Pair, places: &[Place], meter: &Meter) -> Prompted {
        let request = ChatRequest {
            system: String::new(),
            user: minicheck(&pair.claim, &pair.evidence),
            schema: None,
            max_output_tokens: 16,
            temperature: steady(&self.client),
        };
        let reply = match self
            .client
            .chat_metered(&request, meter, &mut |piece: &str| meter.write(piece))
            .await
        {
            Ok(reply) => reply,
            Err(Unanswered { error, usage }) => {
                return Prompted { verdicts: vec![Err(error.to_string())], usage };
            }
        };
        let verdict = match parse_minicheck(&reply.text).0 {
            // "No" leaves open whether the document denies the claim or is silent.
            Some(false) => Ok(Entailed { verdict: EntailVerdict::NotEnough, units: vec![] }),
            Some(true) => Ok(Entailed {
                verdict: EntailVerdict::Supported,
                units: (0..places.len().min(3)).collect(),
            }),
            None => Err("the model answered neither yes nor no".to_owned()),
        };
        Prompted { verdicts: vec![verdict], usage: reply.usage }
    }

    /// The judgement of a verdict, beside what the built-in checks found.
    fn settle(&self, verdict: &Entailed, places: &[Place], checked: Judgement) -> Judgement {
        let mut judged = checked;
        let (supports, refutes) = figures(verdict.verdict);
        let word = match verdict.verdict {
            EntailVerdict::Supported => "supported",
            EntailVerdict::Contradicted => "contradicted",
            EntailVerdict::NotEnough => "not enough to tell",
        };
        judged.explained = Explained::new(
            "P(supports)",
            supports,
            format!("{} said: {word}; no map is fitted for this model", self.client.name()),
        );
        (judged.supports, judged.refutes, judged.tier) = (supports, refutes, Tier::Llm);
        if verdict.verdict != EntailVerdict::NotEnough {
            // What decides speaks of the claim, in whatever words.
            judged.similarity = judged.similarity.max(DECIDES);
        }
        if !verdict.units.is_empty() && !self.yes_no {
            judged.sentences = verdict
                .units
                .iter()
                .filter_map(|at| places.get(*at))
                .map(|(place, _)| *place)
                .collect();
        }
        if let Some((failing, worst)) = Failing::worst(&judged.mismatches) {
            let own = [supports, refutes, 0.0];
            (judged.supports, judged.refutes) =
                bound(Some(failing), Some(&own), (supports, refutes));
            judged.tier = Tier::Binding;
            let rule = format!("lowered, because {}", worst.reason);
            judged.explained =
                Explained::new("P(supports)", judged.supports, rule).and(judged.explained);
        }
        judged
    }

    async fn judge(&self, pairs: &[Pair], meter: &Meter) -> Verified {
        let cheap = self.builtin.judge(pairs);
        // A claim in the evidence's own words needs no model, and what cannot be judged at all no call.
        let asked: Vec<usize> = cheap
            .iter()
            .enumerate()
            .filter(|(_, checked)| {
                matches!(checked, Checked::Judged(judged) if judged.tier != Tier::Quote)
            })
            .map(|(at, _)| at)
            .collect();
        let wanted: Vec<(&Pair, Vec<Place>)> =
            asked.iter().map(|at| (&pairs[*at], Self::places(&pairs[*at]))).collect();
        let Prompted { verdicts, usage } = self.verdicts(&wanted, meter).await;
        let mut out = cheap;
        for ((at, (_, places)), verdict) in asked.iter().zip(&wanted).zip(verdicts) {
            let checked = std::mem::replace(
                &mut out[*at],
                Checked::Unchecked { reason: "it is being judged".to_owned() },
            );
            out[*at] = match (verdict, checked) {
                (Ok(verdict), Checked::Judged(judged)) => {
                    Checked::Judged(Box::new(self.settle(&verdict, places, *judged)))
                }
                (Err(reason), _) => Checked::Unchecked { reason },
                (Ok(_), unchecked @ Checked::Unchecked { .. }) => unchecked,
            };
        }
        Verified { results: out, usage }
    }
}

impl Verifier for LlmVerifier {
    fn id(&self) -> &str {
        &self.id
    }

    fn verify<'a>(
        &'a self,
        pairs: &'a [Pair],
    ) -> PortFuture<'a, Result<Vec<Checked>, VerifyFailure>> {
        Box::pin(async move { Ok(self.judge(pairs, &Meter::default()).await.results) })
    }

    fn verify_counted<'a>(
        &'a self,
        pairs: &'a [Pair],
    ) -> PortFuture<'a, Result<Verified, VerifyFailure>> {
        Box::pin(async move { Ok(self.judge(pairs, &Meter::default()).await) })
    }

    fn verify_metered<'a>(
        &'a self,
        pairs: &'a [Pair],
        meter: &'a Meter,
    ) -> PortFuture<'a, Result<Verified, VerifyFailure>> {
        Box::pin(async move { Ok(self.judge(pairs, meter).await) })
    }

    fn asks_model(&self) -> bool {
        true
    }

    fn contradictions<'a>(
        &'a self,
        texts: &'a [Said],
    ) -> PortFuture<'a, Result<Vec<Contradiction>, VerifyFailure>> {
        Box::pin(async move { Ok(among(texts, &Limits::default())) })
    }
}
