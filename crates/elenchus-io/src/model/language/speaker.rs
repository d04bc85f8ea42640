//! A language model behind core's port: prompts rendered, replies read, faulty ones asked for again.

use super::cache::{FROM_CACHE, Key, ReplyCache};
use super::{ChatClient, ChatRequest, Provider, Schema, Stop, Unanswered};
use crate::model::ExtractiveModel;
use elenchus_core::bank::scrub;
use elenchus_core::port::{Answered, Meter, Model, ModelFailure, ModelRole, PortFuture, Usage};
use elenchus_core::prompt::{Defect, ModelCall, ModelReply, PromptBook, Rendered, complaint};
use std::sync::Arc;

/// How often a reply that nothing could be saved of is asked for again.
pub const RE_ASKS: usize = 2;
/// Characters of a reply without use that are kept for review.
const SHOWN: usize = 4_000;

/// A language model for the fast role and one for the strong role, which may be the same.
pub struct LanguageModel {
    strong: ChatClient,
    fast: ChatClient,
    /// Who is asked where the strong one fails for good, in that order.
    strong_spares: Vec<ChatClient>,
    /// The same for the fast one.
    fast_spares: Vec<ChatClient>,
    book: PromptBook,
    /// Looks again at what this one says of facts and gaps, and answers in its place where that is wished.
    builtin: ExtractiveModel,
    /// Whether it does so when this one fails.
    falls_back: bool,
    /// Replies that were paid for.
    kept: Option<Arc<ReplyCache>>,
    name: String,
}

impl LanguageModel {
    /// Asks `strong` for plans, facts and drafts and `fast` for the rest.
    pub fn new(strong: ChatClient, fast: ChatClient, book: PromptBook) -> Self {
        let name = if strong.name() == fast.name() {
            strong.name().to_string()
        } else {
            format!("{} and {}", strong.name(), fast.name())
        };
        let builtin = ExtractiveModel::new();
        let (strong_spares, fast_spares) = (Vec::new(), Vec::new());
        let (falls_back, kept) = (false, None);
        Self { strong, fast, strong_spares, fast_spares, book, builtin, falls_back, kept, name }
    }

    /// Has others asked, in this order, where the one of a role fails for good or its circuit is open. Each switch is
    /// told in the trace. Every client keeps to its two requests a call, and re-asks are counted over all of them.
    #[must_use]
    pub fn or_else(mut self, role: ModelRole, spares: Vec<ChatClient>) -> Self {
        match role {
            ModelRole::Strong => self.strong_spares = spares,
            ModelRole::Fast => self.fast_spares = spares,
        }
        self
    }

    /// Has the built-in model answer what this one does not; each time the trace says so.
    #[must_use]
    pub fn or_extractive(mut self) -> Self {
        self.falls_back = true;
        self
    }

    /// Has good replies kept, and asks for none that is. Each time the trace says so.
    #[must_use]
    pub fn remembering(mut self, kept: Arc<ReplyCache>) -> Self {
        self.kept = Some(kept);
        self
    }

    /// Which of several replied; nothing needs to be said where it is the only one that is meant to.
    fn which(&self, client: &ChatClient) -> Option<String> {
        (self.strong.name() != self.fast.name() || client.name() != self.strong.name())
            .then(|| client.name().to_string())
    }

    /// The clients of a role, in the order in which they are asked.
    fn clients(&self, role: ModelRole) -> impl Iterator<Item = &ChatClient> {
        let (first, spares) = match role {
            ModelRole::Strong => (&self.strong, &self.strong_spares),
            ModelRole::Fast => (&self.fast, &self.fast_spares),
        };
        std::iter::once(first).chain(spares)
    }

    async fn ask(&self, call: &ModelCall, spent: &mut Spent<'_>) -> Result<Answered, ModelFailure> {
        // A user's prompt file may ask for another role than the one that the run named.
        let rendered = self.book.render(call);
        let mut failed: Option<ModelFailure> = None;
        for client in self.clients(rendered.role) {
            if let Some(failure) = failed.take() {
                spent.repairs.push(format!("{failure}; {} is asked in its place", client.name()));
            }
            match self.ask_one(client, &rendered, call, spent).await {
                Ok(reply) => {
                    return Ok(Answered {
                        reply,
                        usage: spent.usage,
                        repairs: std::mem::take(&mut spent.repairs),
                        model: self.which(client),
                    });
                }
                Err(failure) => failed = Some(failure),
            }
        }
        Err(failed.expect("a role has a first client, and it failed"))
    }

    async fn ask_one(
        &self,
        client: &ChatClient,
        rendered: &Rendered,
        call: &ModelCall,
        spent: &mut Spent<'_>,
    ) -> Result<ModelReply, ModelFailure> {
        let kept = self.kept.as_ref().map(|kept| {
            let first = request(client, rendered, rendered.user.clone());
            (kept, Key::new(client, rendered, &first, call))
        });
        if let Some((kept, key)) = &kept {
            let found = kept.get(key).unwrap_or_else(|trouble| {
                spent.repairs.push(trouble);
                None
            });
            let parsed = found.map(|text| self.book.parse(call, &text));
            if let Some(parsed) = parsed
                && let Some(reply) = parsed.reply
            {
                spent.repairs.extend(parsed.defects.iter().map(told));
                spent.repairs.push(FROM_CACHE.to_owned());
                return Ok(reply);
            }
        }
        let failure = |cause: String| ModelFailure {
            model: client.name().to_string(),
            attempted: wanted(rendered),
            cause,
            permanent: true,
            usage: Usage::default(),
            reply: None,
        };
        let mut user = rendered.user.clone();
        let mut replies = 0;
        let last = loop {
            let wish = request(client, rendered, user);
            let meter = spent.meter;
            let mut passing = |piece: &str| meter.write(piece);
            let asked = client.chat_metered(&wish, meter, &mut passing).await;
            spent.usage.count(match &asked {
                Ok(reply) => reply.usage,
                Err(unanswered) => unanswered.usage,
            });
            // The client has tried again already where that could help.
            let reply = asked.map_err(|Unanswered { error, .. }| ModelFailure {
                permanent: true,
                ..error.into_failure(client.name(), &wanted(rendered))
            })?;
            match reply.stop {
                Stop::Refused => {
                    return Err(failure(
                        "it refused; ask in other words, or use another model or `--model extractive`"
                            .to_owned(),
                    ));
                }
                Stop::Length => {
                    spent.repairs.push("the reply reached the limit of tokens".to_owned());
                }
                Stop::Complete | Stop::Other(_) => {}
            }
            replies += 1;
            let parsed = self.book.parse(call, &reply.text);
            spent.repairs.extend(parsed.defects.iter().map(told));
            if let Some(good) = parsed.reply {
                // A reply that was cut off may be better the next time.
                if let Some((kept, key)) = &kept
                    && reply.stop == Stop::Complete
                    && let Err(trouble) = kept.put(key, &reply.text)
                {
                    spent.repairs.push(trouble);
                }
                return Ok(good);
            }
            if spent.re_asked == RE_ASKS {
                break reply.text;
            }
            spent.re_asked += 1;
            spent.repairs.push(format!(
                "asked again, as nothing of the reply could be used ({})",
                spent.re_asked
            ));
            user = format!("{}\n\n{}", rendered.user, complaint(&parsed.defects));
        };
        let cause = format!(
            "none of {replies} replies had the form that was asked for; use a larger model, or `--model extractive`"
        );
        // Cut afterwards: half a secret is known for one no more.
        let shown: String = scrub(&last).text.chars().take(SHOWN).collect();
        Err(ModelFailure { reply: Some(shown.into()), ..failure(cause) })
    }
}

/// What one call has taken so far, over all the clients that were asked.
struct Spent<'a> {
    /// Where the same is read while the call is under way.
    meter: &'a Meter,
    usage: Usage,
    repairs: Vec<String>,
    re_asked: usize,
}

fn wanted(rendered: &Rendered) -> String {
    format!("answer the prompt {}", rendered.prompt)
}

fn told(defect: &Defect) -> String {
    format!("{}: {}", defect.at, defect.detail)
}

/// A rendered prompt as a request; `user` is its user part, with what may have been added to it.
pub(crate) fn request(client: &ChatClient, rendered: &Rendered, user: String) -> ChatRequest {
    ChatRequest {
        system: rendered.system.clone(),
        user,
        // A reply in Markdown has none.
        schema: (!rendered.schema.is_null())
            .then(|| Schema { name: rendered.schema_name.clone(), json: rendered.schema.clone() }),
        max_output_tokens: rendered.max_output_tokens,
        temperature: steady(client),
    }
}

/// No randomness, where a server is sure to take the wish.
pub(crate) fn steady(client: &ChatClient) -> Option<f32> {
    let official = client.endpoint().is_official() && client.name().provider == Provider::OpenAi;
    (!official).then_some(0.0)
}

impl Model for LanguageModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn call<'a>(
        &'a self,
        role: ModelRole,
        call: &'a ModelCall,
    ) -> PortFuture<'a, Result<Answered, ModelFailure>> {
        Box::pin(async move {
            let meter = Meter::default();
            self.call_metered(role, call, &meter).await
        })
    }

    fn call_metered<'a>(
        &'a self,
        _role: ModelRole,
        call: &'a ModelCall,
        meter: &'a Meter,
    ) -> PortFuture<'a, Result<Answered, ModelFailure>> {
        Box::pin(async move {
            let mut spent =
                Spent { meter, usage: Usage::default(), repairs: Vec::new(), re_asked: 0 };
            match self.ask(call, &mut spent).await {
                Ok(mut answered) => {
                    let corrected = self.builtin.second_look(call, &mut answered.reply);
                    answered.repairs.extend(corrected);
                    Ok(answered)
                }
                // The built-in model reads no session: its reply would say that nothing was to be learned.
                Err(failure) if self.falls_back && !matches!(call, ModelCall::Distill(_)) => {
                    let mut repairs = spent.repairs;
                    repairs.push(format!("{failure}; the built-in model answered in its place"));
                    Ok(Answered {
                        reply: self.builtin.answer(call),
                        // Replies without use were paid for as well.
                        usage: spent.usage,
                        repairs,
                        model: Some(self.builtin.name().to_owned()),
                    })
                }
                // What every model that was asked has used, not only the last.
                Err(failure) => Err(ModelFailure { usage: spent.usage, ..failure }),
            }
        })
    }
}
