//! A language model behind core's port: prompts rendered, replies read, faulty ones asked for again.

use super::cache::{FROM_CACHE, Key, ReplyCache};
use super::{ChatClient, ChatError, ChatRequest, Provider, Schema, Stop};
use crate::model::ExtractiveModel;
use elenchus_core::port::{Answered, Model, ModelFailure, ModelRole, PortFuture, Usage};
use elenchus_core::prompt::{Defect, ModelCall, PromptBook, Rendered, complaint};
use std::sync::Arc;

/// How often a reply that nothing could be saved of is asked for again.
pub const RE_ASKS: usize = 2;

/// A language model for the fast role and one for the strong role, which may be the same.
pub struct LanguageModel {
    strong: ChatClient,
    fast: ChatClient,
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
        Self { strong, fast, book, builtin, falls_back: false, kept: None, name }
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

    /// Which of two replied; nothing needs to be said where there is one.
    fn which(&self, client: &ChatClient) -> Option<String> {
        (self.strong.name() != self.fast.name()).then(|| client.name().to_string())
    }

    async fn ask(&self, call: &ModelCall) -> Result<Answered, (ModelFailure, Vec<String>)> {
        // A user's prompt file may ask for another role than the one that the run named.
        let rendered = self.book.render(call);
        let client = match rendered.role {
            ModelRole::Strong => &self.strong,
            ModelRole::Fast => &self.fast,
        };
        let mut usage = Usage::default();
        let mut repairs = Vec::new();
        let kept = self.kept.as_ref().map(|kept| {
            let first = request(client, &rendered, rendered.user.clone());
            (kept, Key::new(client, &rendered, &first, call))
        });
        if let Some((kept, key)) = &kept {
            let found = kept.get(key).unwrap_or_else(|trouble| {
                repairs.push(trouble);
                None
            });
            let parsed = found.map(|text| self.book.parse(call, &text));
            if let Some(parsed) = parsed
                && let Some(reply) = parsed.reply
            {
                repairs.extend(parsed.defects.iter().map(told));
                repairs.push(FROM_CACHE.to_owned());
                return Ok(Answered { reply, usage, repairs, model: self.which(client) });
            }
        }
        let mut defects: Vec<Defect> = Vec::new();
        for asked in 0..=RE_ASKS {
            let user = if asked == 0 {
                rendered.user.clone()
            } else {
                repairs
                    .push(format!("asked again, as nothing of the reply could be used ({asked})"));
                format!("{}\n\n{}", rendered.user, complaint(&defects))
            };
            let failed = |cause: ChatError, repairs: &[String]| {
                let failure = cause.into_failure(client.name(), &wanted(&rendered));
                // The client has tried again already where that could help.
                (ModelFailure { permanent: true, ..failure }, repairs.to_vec())
            };
            let reply = client
                .chat_quiet(&request(client, &rendered, user))
                .await
                .map_err(|error| failed(error, &repairs))?;
            usage.input_tokens += reply.usage.input_tokens;
            usage.output_tokens += reply.usage.output_tokens;
            usage.cost_micro_usd += reply.usage.cost_micro_usd;
            match reply.stop {
                Stop::Refused => {
                    let failure = ModelFailure {
                        model: client.name().to_string(),
                        attempted: wanted(&rendered),
                        cause: "it refused; ask in other words, or use another model or `--model extractive`"
                            .to_owned(),
                        permanent: true,
                    };
                    return Err((failure, repairs));
                }
                Stop::Length => repairs.push("the reply reached the limit of tokens".to_owned()),
                Stop::Complete | Stop::Other(_) => {}
            }
            let parsed = self.book.parse(call, &reply.text);
            repairs.extend(parsed.defects.iter().map(told));
            if let Some(good) = parsed.reply {
                // A reply that was cut off may be better the next time.
                if let Some((kept, key)) = &kept
                    && reply.stop == Stop::Complete
                    && let Err(trouble) = kept.put(key, &reply.text)
                {
                    repairs.push(trouble);
                }
                let reply = good;
                return Ok(Answered { reply, usage, repairs, model: self.which(client) });
            }
            defects = parsed.defects;
        }
        let failure = ModelFailure {
            model: client.name().to_string(),
            attempted: wanted(&rendered),
            cause: format!(
                "none of {} replies had the form that was asked for; use a larger model, or `--model extractive`",
                RE_ASKS + 1
            ),
            permanent: true,
        };
        Err((failure, repairs))
    }
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
        _role: ModelRole,
        call: &'a ModelCall,
    ) -> PortFuture<'a, Result<Answered, ModelFailure>> {
        Box::pin(async move {
            match self.ask(call).await {
                Ok(mut answered) => {
                    let corrected = self.builtin.second_look(call, &mut answered.reply);
                    answered.repairs.extend(corrected);
                    Ok(answered)
                }
                Err((failure, mut repairs)) if self.falls_back => {
                    repairs.push(format!("{failure}; the built-in model answered in its place"));
                    Ok(Answered {
                        reply: self.builtin.answer(call),
                        usage: Usage::default(),
                        repairs,
                        model: Some(self.builtin.name().to_owned()),
                    })
                }
                Err((failure, _)) => Err(failure),
            }
        })
    }
}
