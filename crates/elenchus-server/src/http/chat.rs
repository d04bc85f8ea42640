//! The API of chat clients: a question is a message, the answer its report with citations.

use super::Api;
use super::events::{place, streamed};
use super::problem::Problem;
use super::reply::Reply;
use super::table::{Call, EVENTS, Route};
use crate::runs::{Ask, Record};
use axum::body::Bytes;
use axum::http::{Method, StatusCode};
use elenchus_core::answer::to_markdown;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::Effort;
use elenchus_core::trace::Projection;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// Silence is broken this often.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// Characters of one piece of a streamed answer.
const PIECE: usize = 400;
/// The events that a streamed answer tells as its reasoning.
const TOLD: [&str; 12] = [
    "clarification_requested",
    "planning_completed",
    "reasoning_thought",
    "hypothesis_updated",
    "round_started",
    "source_added",
    "gap_resolved",
    "gap_abandoned",
    "contradiction_found",
    "reasoning_conclusion",
    "confidence_calculated",
    "critique_completed",
];
/// The models there are: one an effort.
const MODELS: [(&str, Option<Effort>); 4] = [
    ("elenchus", None),
    ("elenchus-quick", Some(Effort::Quick)),
    ("elenchus-standard", Some(Effort::Standard)),
    ("elenchus-deep", Some(Effort::Deep)),
];

/// A model as chat clients list it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct ModelLine {
    /// Its name.
    id: String,
    /// Always `model`.
    object: String,
    /// When it was made, in seconds.
    created: i64,
    /// Always `elenchus`.
    owned_by: String,
}

/// The models.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct ModelList {
    /// Always `list`.
    object: String,
    /// The models.
    data: Vec<ModelLine>,
}

/// A message of a conversation.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
struct Message {
    /// `system`, `user` or `assistant`.
    role: String,
    /// A text, or a list of parts with `text`; nothing where only a tool was called.
    #[serde(default)]
    content: Value,
}

/// A conversation, of which the last message of the user is researched. What other APIs know beside is not looked at.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
struct Conversation {
    /// One of the models.
    model: String,
    /// The messages.
    #[schemars(length(min = 1))]
    messages: Vec<Message>,
    /// Whether the answer comes in pieces.
    #[serde(default)]
    stream: Option<bool>,
    /// How it comes in pieces.
    #[serde(default)]
    stream_options: Option<StreamOptions>,
}

/// How a stream is written.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
struct StreamOptions {
    /// Whether the tokens that were used come last, in a piece without a choice.
    #[serde(default)]
    include_usage: Option<bool>,
}

/// A completion.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Completion {
    /// The run, as `chatcmpl-RUN`.
    id: String,
    /// Always `chat.completion`.
    object: String,
    /// When, in seconds.
    created: i64,
    /// The model.
    model: String,
    /// One answer.
    choices: Vec<Choice>,
    /// Tokens of language models that were used.
    usage: Tokens,
    /// The run, to look at.
    run_id: RunId,
}

/// An answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Choice {
    /// Always 0.
    index: u32,
    /// What is said.
    message: Reported,
    /// Always `stop`.
    finish_reason: String,
}

/// What is said.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Reported {
    /// Always `assistant`.
    role: String,
    /// The report in Markdown.
    content: String,
}

/// Tokens.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
struct Tokens {
    /// Read by models.
    prompt_tokens: u64,
    /// Written by models.
    completion_tokens: u64,
    /// Both.
    total_tokens: u64,
}

impl Tokens {
    /// Of a run as far as it went.
    fn of(shown: &Projection) -> Self {
        let usage = shown.spent.usage;
        Self {
            prompt_tokens: usage.input_tokens,
            completion_tokens: usage.output_tokens,
            total_tokens: usage.input_tokens + usage.output_tokens,
        }
    }
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::GET, "/v1/models", "listModels", "Models for chat clients")
            .gives::<ModelList>(200, "The models.")
            .by(models),
        Route::new(Method::GET, "/v1/models/{id}", "getModel", "A model for chat clients")
            .gives::<ModelLine>(200, "The model.")
            .fails(&[404])
            .by(one_model),
        Route::new(
            Method::POST,
            "/v1/chat/completions",
            "chat",
            "Research the last message of a conversation",
        )
        .body::<Conversation>()
        .gives::<Completion>(200, "The report, as an answer; with `stream` in pieces.")
        .gives_kind(200, EVENTS, "What the run thinks as `reasoning_content` while it goes on, then the report in pieces.")
        .fails(&[404])
        .takes(None)
        .by(chat),
    ]
}

fn line(id: &str) -> ModelLine {
    ModelLine {
        id: id.to_owned(),
        object: "model".to_owned(),
        created: 0,
        owned_by: "elenchus".to_owned(),
    }
}

async fn models(_: Arc<Api>, _: Call) -> Result<Reply, Problem> {
    let data = MODELS.iter().map(|(id, _)| line(id)).collect();
    Reply::ok(&ModelList { object: "list".to_owned(), data })
}

/// How hard a model tries.
fn effort_of(model: &str) -> Result<Option<Effort>, Problem> {
    let known = MODELS.iter().find(|(id, _)| *id == model).map(|(_, effort)| *effort);
    known.ok_or_else(|| {
        Problem::unknown("unknown_model", "model", model, "GET /v1/models lists them")
    })
}

async fn one_model(_: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let id = call.place("id");
    effort_of(id)?;
    Reply::ok(&line(id))
}

/// The text of a message.
fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part["text"].as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

async fn chat(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let Conversation { model, messages, stream, stream_options } = call.body()?;
    let effort = effort_of(&model)?;
    let question = messages.iter().rev().find(|message| message.role == "user");
    let question = question.map(|message| text(&message.content)).unwrap_or_default();
    let stream = stream.unwrap_or(false);
    let place = if stream { Some(place(&api)?) } else { None };
    let ask = Ask { question, effort, autonomous: Some(true), ..Ask::default() };
    let run = api.runs.start(&ask).await?;
    let record = api.runs.record(&run).await?;
    let created = api.parts.clock.now().0 / 1_000;
    let head = Head { run, created, model };
    match place {
        Some(place) => {
            let pieces = Pieces {
                api: Arc::clone(&api),
                record,
                head,
                tells_usage: stream_options.and_then(|one| one.include_usage).unwrap_or(false),
                out: VecDeque::new(),
                stage: 0,
                seen: 0,
            };
            Ok(streamed(
                &api,
                futures_util::stream::unfold((pieces, place), |(mut pieces, place)| async move {
                    let next = pieces.next().await?;
                    Some((next, (pieces, place)))
                }),
            ))
        }
        None => {
            // A client that goes away takes nothing with it: the run goes on.
            while !over(&api, &head.run, &record, HEARTBEAT).await {}
            whole(&api, &head, &record).await
        }
    }
}

/// Waits a while for the end of a run; whether there is nothing more to wait for.
async fn over(api: &Api, run: &RunId, record: &Record, time: Duration) -> bool {
    let mut told = record.watch();
    // The sender lives as long as the record.
    if tokio::time::timeout(time, told.wait_for(|told| told.ended)).await.is_ok() {
        return true;
    }
    !api.runs.line(run).await.is_ok_and(|line| line.driven)
}

struct Head {
    run: RunId,
    created: i64,
    model: String,
}

/// A report as people read it; what programs read at its head stands in the reply already.
fn without_front_matter(report: &str) -> String {
    let rest = report.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    rest.map_or(report, |(_, rest)| rest).trim_start().to_owned()
}

/// The report, or why there is none.
async fn report(api: &Api, run: &RunId, record: &Record) -> Result<(String, Tokens), Problem> {
    let told = record.shown(|shown| {
        let report = |answer| without_front_matter(&to_markdown(answer));
        shown.answer.as_deref().map(|answer| (report(answer), Tokens::of(shown)))
    });
    if let Some(told) = told {
        return Ok(told);
    }
    let line = api.runs.line(run).await?;
    let refusal = line.error;
    let (cause, way_out) = match refusal {
        Some(refusal) => (refusal.cause, refusal.way_out),
        None => (format!("the run is {}", line.status), "look at the run".to_owned()),
    };
    Err(Problem::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "no_answer",
        format!("could not answer by run {run}"),
        cause,
        way_out,
    ))
}

async fn whole(api: &Api, head: &Head, record: &Record) -> Result<Reply, Problem> {
    let (content, usage) = report(api, &head.run, record).await?;
    Reply::ok(&Completion {
        id: format!("chatcmpl-{}", head.run),
        object: "chat.completion".to_owned(),
        created: head.created,
        model: head.model.clone(),
        choices: vec![Choice {
            index: 0,
            message: Reported { role: "assistant".to_owned(), content },
            finish_reason: "stop".to_owned(),
        }],
        usage,
        run_id: head.run.clone(),
    })
}

/// The report in pieces.
struct Pieces {
    api: Arc<Api>,
    record: Arc<Record>,
    head: Head,
    /// Whether the tokens that were used come last.
    tells_usage: bool,
    out: VecDeque<Bytes>,
    stage: u8,
    /// The last event that was told.
    seen: u64,
}

/// What a stream of a report has next.
enum Next {
    /// What the run thought and did since.
    Said(String),
    /// Nothing for a while.
    Silence,
    /// Nothing more.
    Over,
}

impl Pieces {
    fn chunk(&self, delta: &Value, end: Option<&str>) -> Bytes {
        self.piece(&json!([{ "index": 0, "delta": delta, "finish_reason": end }]), None)
    }

    fn piece(&self, choices: &Value, usage: Option<Tokens>) -> Bytes {
        let mut chunk = json!({
            "id": format!("chatcmpl-{}", self.head.run), "object": "chat.completion.chunk",
            "created": self.head.created, "model": self.head.model, "run_id": self.head.run,
            "choices": choices,
        });
        if self.tells_usage {
            chunk["usage"] = json!(usage);
        }
        Bytes::from(format!("data: {chunk}\n\n"))
    }

    /// Waits for what the run thinks and does, so that whoever waits for the answer sees it come about.
    async fn said(&mut self) -> Next {
        let mut told = self.record.watch();
        loop {
            let (said, seen) = self.record.spoken(self.seen, &TOLD);
            self.seen = seen;
            if !said.is_empty() {
                return Next::Said(format!("{}\n", said.join("\n")));
            }
            let news = told.wait_for(|told| told.ended || told.events > seen);
            // The sender lives as long as the record.
            match tokio::time::timeout(HEARTBEAT, news).await.map(|told| told.map(|told| *told)) {
                Ok(Ok(told)) if told.events > seen => {}
                Ok(_) => return Next::Over,
                Err(_)
                    if self.api.runs.line(&self.head.run).await.is_ok_and(|line| line.driven) =>
                {
                    return Next::Silence;
                }
                Err(_) => return Next::Over,
            }
        }
    }

    async fn next(&mut self) -> Option<Bytes> {
        if self.stage == 0 {
            self.stage = 1;
            return Some(self.chunk(&json!({ "role": "assistant", "content": "" }), None));
        }
        if self.stage == 1 {
            match self.said().await {
                Next::Said(said) => {
                    return Some(self.chunk(&json!({ "reasoning_content": said }), None));
                }
                Next::Silence => {
                    return Some(Bytes::from(format!(": {}\n\n", self.record.waits())));
                }
                Next::Over => {}
            }
            self.stage = 2;
            let text = match report(&self.api, &self.head.run, &self.record).await {
                Ok((text, _)) => text,
                Err(problem) => format!("{}: {}", problem.title, problem.detail()),
            };
            let letters: Vec<char> = text.chars().collect();
            for piece in letters.chunks(PIECE) {
                let piece: String = piece.iter().collect();
                self.out.push_back(self.chunk(&json!({ "content": piece }), None));
            }
            self.out.push_back(self.chunk(&json!({}), Some("stop")));
            if self.tells_usage {
                let usage = self.record.shown(Tokens::of);
                self.out.push_back(self.piece(&json!([]), Some(usage)));
            }
            self.out.push_back(Bytes::from_static(b"data: [DONE]\n\n"));
        }
        self.out.pop_front()
    }
}
