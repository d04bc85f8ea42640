//! The tools of research: a run is started at once, and read when it is over.

use super::super::args::Args;
use super::super::ports::{Inquiry, Nature, Progress, Refusal};
use super::Call;
use super::cut::fitted;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::{Limit, NewLimits};
use rmcp::model::{JsonObject, ProgressNotificationParam};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The longest question, in characters.
const LONGEST_QUESTION: usize = 10_000;
/// The longest that `research_status` waits: clients give calls up after a minute.
pub(crate) const LONGEST_WAIT: u64 = 50;
/// How often a waiting call looks.
const LOOK: Duration = Duration::from_millis(250);
/// When a client should ask again.
pub(crate) const POLL_MS: u64 = 2_000;
/// Characters to a token, on the average of English text.
const CHARS_PER_TOKEN: usize = 4;
/// The longest result without a word about it, in tokens: clients cut at 25,000.
pub(crate) const MAX_TOKENS: u64 = 8_000;
/// The shortest result that can be asked for, in tokens.
pub(crate) const LEAST_TOKENS: u64 = 200;
/// The longest.
pub(crate) const MOST_TOKENS: u64 = 1_000_000;

impl Call<'_> {
    pub(super) async fn research_start(&self, given: Option<JsonObject>) -> Result<Value, Refusal> {
        Ok(started(&self.start(given).await?))
    }

    /// Starts a run.
    pub(crate) async fn start(&self, given: Option<JsonObject>) -> Result<Progress, Refusal> {
        let mut args = Args::new("research_start", given);
        let stopped = args.maybe_text("run_id", 100)?.map(RunId);
        let question = if stopped.is_some() {
            args.maybe_text("question", LONGEST_QUESTION)?.unwrap_or_default()
        } else {
            args.text("question", LONGEST_QUESTION, "what you want to know")?
        };
        let effort = args.word("effort", &["quick", "standard", "deep"])?;
        let limits = NewLimits {
            rounds: args.whole("max_rounds", 1, Limit::Rounds.most())?,
            passages: args.whole("budget_passages", 1, Limit::Passages.most())?,
            tokens: args.whole("budget_tokens", 1, 1_000_000_000)?,
            ..NewLimits::default()
        };
        args.finish()?;
        if let Some(run) = stopped {
            if !question.is_empty() || effort.is_some() {
                return Err(Refusal::new(
                    "could not call research_start",
                    "`run_id` goes on with a run as it was started, and something else is asked beside it",
                    "give `run_id` with nothing but limits, or leave it out to research a question",
                )
                .being(Nature::Malformed));
            }
            return self.parts.researcher.resume(&self.caller, &run, &limits).await;
        }
        if !question.chars().any(char::is_alphanumeric) {
            return Err(Refusal::new(
                "could not call research_start",
                "the question has no words",
                "ask something in words",
            )
            .being(Nature::Malformed));
        }
        let inquiry = Inquiry { question, effort: effort.map(str::to_owned), limits };
        self.parts.researcher.start(&self.caller, &inquiry).await
    }

    fn run_id(args: &mut Args) -> Result<RunId, Refusal> {
        args.text("run_id", 100, "the run_id that research_start gave").map(RunId)
    }

    pub(super) async fn research_status(
        &self,
        given: Option<JsonObject>,
    ) -> Result<Value, Refusal> {
        let mut args = Args::new("research_status", given);
        let run = Self::run_id(&mut args)?;
        let wait = args.whole("wait_seconds", 0, LONGEST_WAIT)?.unwrap_or(0);
        args.finish()?;
        let until = Instant::now() + Duration::from_secs(wait);
        let mut told = -1.0;
        loop {
            let progress = self.parts.researcher.status(&self.caller, &run).await?;
            if progress.progress > told {
                told = progress.progress;
                self.tell(&progress).await;
            }
            if progress.status != "running" || Instant::now() >= until || self.is_given_up() {
                return Ok(json!(progress));
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Ready when nobody waits for the reply any more.
    pub(super) async fn given_up(&self) {
        match self.context {
            Some(context) => context.ct.cancelled().await,
            None => std::future::pending().await,
        }
    }

    /// Whether nobody waits for the reply any more.
    fn is_given_up(&self) -> bool {
        self.context.is_some_and(|context| context.ct.is_cancelled())
    }

    async fn tell(&self, progress: &Progress) {
        self.note(progress.progress, 1.0, progress.message.clone()).await;
    }

    /// A note of progress, where the caller asked for them.
    pub(super) async fn note(&self, done: f64, of: f64, message: String) {
        let Some(context) = self.context else { return };
        let Some(token) = context.meta.get_progress_token() else { return };
        let note = ProgressNotificationParam::new(token, done).with_total(of).with_message(message);
        // Who has gone away needs no progress.
        let _ = context.peer.notify_progress(note).await;
    }

    pub(super) async fn research_result(
        &self,
        given: Option<JsonObject>,
    ) -> Result<Value, Refusal> {
        let mut args = Args::new("research_result", given);
        let run = Self::run_id(&mut args)?;
        let most = args.whole("max_tokens", LEAST_TOKENS, MOST_TOKENS)?.unwrap_or(MAX_TOKENS);
        args.finish()?;
        let most = usize::try_from(most).unwrap_or(usize::MAX / 8) * CHARS_PER_TOKEN;
        self.result(&run, most).await
    }

    /// The result of a run in at most `most` characters of JSON.
    pub(crate) async fn result(&self, run: &RunId, most: usize) -> Result<Value, Refusal> {
        let progress = self.parts.researcher.status(&self.caller, run).await?;
        if !progress.is_over() {
            let way_out = if progress.status == "running" {
                format!("call research_status with run_id {run} and wait_seconds 50, then again")
            } else {
                format!("call research_start with run_id {run}, which goes on with it")
            };
            return Err(Refusal::new(
                format!("could not give the result of run {run}"),
                format!("it is not over: {}", progress.message),
                way_out,
            ));
        }
        let answer = self.parts.researcher.answer(&self.caller, run).await?;
        fitted(&progress, &answer, most)
    }

    pub(super) async fn research_cancel(
        &self,
        given: Option<JsonObject>,
    ) -> Result<Value, Refusal> {
        let mut args = Args::new("research_cancel", given);
        let run = Self::run_id(&mut args)?;
        args.finish()?;
        Ok(json!(self.parts.researcher.cancel(&self.caller, &run).await?))
    }
}

/// What `research_start` gives.
pub(crate) fn started(progress: &Progress) -> Value {
    json!({
        "run_id": progress.run_id,
        "status": progress.status,
        "message": format!(
            "Started. Call research_status with this run_id until its status is not `running`, then research_result. \
             Also at run://{}/report when it is over", progress.run_id),
        "poll_after_ms": POLL_MS,
    })
}
