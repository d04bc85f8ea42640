//! A person in the place of a language model: prompts are rendered and replies parsed as for a real one.

use super::transcript::{Reply, input_hash};
use elenchus_core::port::{Answered, Model, ModelFailure, ModelRole, PortFuture, Usage};
use elenchus_core::prompt::{ModelCall, PromptBook, Rendered, complaint};
use elenchus_io::model::ExtractiveModel;
use elenchus_io::model::language::RE_ASKS;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Where replies come from.
pub(crate) enum From {
    /// A transcript: each reply is used once.
    Kept(Mutex<Vec<Option<Reply>>>),
    /// A folder in which every prompt is laid down as `NNN-prompt.md` and somebody lays `NNN-prompt.reply` beside it.
    Exchange {
        /// The folder.
        folder: PathBuf,
        /// How long a reply is waited for.
        patience: Duration,
    },
}

/// What happened on the way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    /// Replies in the order of the calls.
    pub(crate) replies: Vec<Reply>,
    /// Positions of the replies that were asked for.
    pub(crate) used: BTreeSet<usize>,
    /// Replies to a prompt that is no longer the one they were written to.
    pub(crate) moved: usize,
    /// Prompts that the transcript has no reply to, by id.
    pub(crate) missing: Vec<String>,
    /// Prompts asked again.
    pub(crate) asked_again: usize,
    /// Repairs that the trace shows.
    pub(crate) repairs: usize,
}

/// The model that is a person.
pub(crate) struct Written {
    from: From,
    builtin: ExtractiveModel,
    record: Mutex<Record>,
}

impl Written {
    pub(crate) fn kept(replies: &[Reply]) -> Self {
        let replies = replies.iter().cloned().map(Some).collect();
        let from = From::Kept(Mutex::new(replies));
        Self { from, builtin: ExtractiveModel::new(), record: Mutex::default() }
    }

    pub(crate) fn exchange(folder: &Path, patience: Duration) -> Self {
        let folder = folder.to_owned();
        let from = From::Exchange { folder, patience };
        Self { from, builtin: ExtractiveModel::new(), record: Mutex::default() }
    }

    pub(crate) fn record(&self) -> Record {
        self.record.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, what: impl FnOnce(&mut Record)) {
        what(&mut self.record.lock().unwrap_or_else(PoisonError::into_inner));
    }

    async fn reply(&self, rendered: &Rendered, user: &str) -> Result<String, String> {
        let input = input_hash(rendered, user);
        let text = match &self.from {
            From::Kept(replies) => {
                let mut replies = replies.lock().unwrap_or_else(PoisonError::into_inner);
                let fits = |reply: &Option<Reply>, exactly: bool| {
                    reply.as_ref().is_some_and(|reply| {
                        reply.prompt == rendered.prompt && (!exactly || reply.input == input)
                    })
                };
                let exact = replies.iter().position(|reply| fits(reply, true));
                let found = exact.or_else(|| replies.iter().position(|reply| fits(reply, false)));
                self.note(|record| record.used.extend(found));
                let Some(reply) = found.and_then(|at| replies[at].take()) else {
                    self.note(|record| record.missing.push(rendered.prompt.clone()));
                    return Err("the transcript has no reply to it".to_owned());
                };
                if exact.is_none() {
                    self.note(|record| record.moved += 1);
                }
                reply.text
            }
            From::Exchange { folder, patience } => {
                let number = self.record().replies.len() + 1;
                // The place is taken at once: several prompts may be open at the same time.
                self.note(|record| {
                    record.replies.push(Reply {
                        prompt: rendered.prompt.clone(),
                        input: input.clone(),
                        text: String::new(),
                    });
                });
                let text = exchanged(folder, number, rendered, user, *patience).await?;
                self.note(|record| record.replies[number - 1].text.clone_from(&text));
                return Ok(text);
            }
        };
        self.note(|record| {
            record.replies.push(Reply {
                prompt: rendered.prompt.clone(),
                input,
                text: text.clone(),
            });
        });
        Ok(text)
    }

    async fn ask(&self, call: &ModelCall) -> Result<Answered, String> {
        let book = PromptBook::builtin();
        let rendered = book.render(call);
        let mut user = rendered.user.clone();
        let mut repairs = Vec::new();
        for asked in 0..=RE_ASKS {
            if asked > 0 {
                self.note(|record| record.asked_again += 1);
                repairs
                    .push(format!("asked again, as nothing of the reply could be used ({asked})"));
            }
            let text = self.reply(&rendered, &user).await?;
            let parsed = book.parse(call, &text);
            self.note(|record| record.repairs += parsed.defects.len());
            repairs.extend(
                parsed.defects.iter().map(|defect| format!("{}: {}", defect.at, defect.detail)),
            );
            if let Some(mut reply) = parsed.reply {
                // As for a language model.
                repairs.extend(self.builtin.second_look(call, &mut reply));
                return Ok(Answered { reply, usage: Usage::default(), repairs, model: None });
            }
            user = format!("{}\n\n{}", rendered.user, complaint(&parsed.defects));
        }
        Err(format!("none of {} replies had the form that was asked for", RE_ASKS + 1))
    }
}

/// Lays a prompt down and waits for the reply.
async fn exchanged(
    folder: &Path,
    number: usize,
    rendered: &Rendered,
    user: &str,
    patience: Duration,
) -> Result<String, String> {
    let name = format!("{number:03}-{}", rendered.prompt);
    let mut page = String::new();
    let schema = serde_json::to_string_pretty(&rendered.schema).unwrap_or_default();
    let _ = write!(
        page,
        "# system\n\n{}\n\n# user\n\n{user}\n\n# schema of the reply\n\n{schema}\n",
        rendered.system
    );
    let (asked, half) = (folder.join(format!("{name}.md")), folder.join(format!("{name}.part")));
    std::fs::write(&half, page)
        .and_then(|()| std::fs::rename(&half, &asked))
        .map_err(|cause| format!("could not write {}: {cause}", asked.display()))?;
    let answer = folder.join(format!("{name}.reply"));
    let mut waited = Duration::ZERO;
    let step = Duration::from_millis(300);
    while waited < patience {
        if let Ok(text) = std::fs::read_to_string(&answer)
            && !text.is_empty()
        {
            return Ok(text);
        }
        tokio::time::sleep(step).await;
        waited += step;
    }
    Err(format!("nobody wrote {} within {} s", answer.display(), patience.as_secs()))
}

impl Model for Written {
    fn name(&self) -> &'static str {
        "written:person"
    }

    fn call<'a>(
        &'a self,
        _role: ModelRole,
        call: &'a ModelCall,
    ) -> PortFuture<'a, Result<Answered, ModelFailure>> {
        Box::pin(async move {
            self.ask(call).await.map_err(|cause| ModelFailure {
                model: self.name().to_owned(),
                attempted: format!("answer the prompt {}", call.prompt()),
                cause,
                permanent: true,
                usage: Usage::default(),
                reply: None,
            })
        })
    }
}
