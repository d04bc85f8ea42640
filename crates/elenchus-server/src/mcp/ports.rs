//! What the tools need beside the bank and the memos. Whoever starts the server gives it; see `crates/elenchus`.

use elenchus_core::answer::Answer;
use elenchus_core::bank::Caller;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::NewLimits;
use elenchus_core::port::PortFuture;
use elenchus_core::scrutiny::fallacy::Finding;
use elenchus_engine::{CheckedText, HowFar};
use serde::Serialize;
use serde_json::Value;
use std::fmt;

/// What stands behind a refusal, where a status says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nature {
    /// It cannot be done, or not now.
    #[default]
    Refused,
    /// An argument is none that can be taken.
    Malformed,
    /// The caller may not do it.
    Forbidden,
}

/// Why something was not done, as a client's model reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Refusal {
    /// What was attempted, "could not ...".
    pub attempted: String,
    /// The cause.
    pub cause: String,
    /// What to do about it.
    pub way_out: String,
    /// Of which kind it is.
    #[serde(skip)]
    pub nature: Nature,
}

impl Refusal {
    /// From its three parts.
    pub fn new(
        attempted: impl Into<String>,
        cause: impl Into<String>,
        way_out: impl Into<String>,
    ) -> Self {
        Self {
            attempted: attempted.into(),
            cause: cause.into(),
            way_out: way_out.into(),
            nature: Nature::default(),
        }
    }

    /// The same of another kind.
    #[must_use]
    pub fn being(mut self, nature: Nature) -> Self {
        self.nature = nature;
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}. Way out: {}", self.attempted, self.cause, self.way_out)
    }
}

/// What a port method gives.
pub type Told<'a, T> = PortFuture<'a, Result<T, Refusal>>;

/// A question to be researched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inquiry {
    /// In words, not empty.
    pub question: String,
    /// `quick`, `standard` or `deep`; the settings decide without one.
    pub effort: Option<String>,
    /// Limits that are others than those of the settings: rounds, passages and tokens.
    pub limits: NewLimits,
}

/// How a run stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Progress {
    /// The run.
    pub run_id: RunId,
    /// What was asked.
    pub question: String,
    /// `running`, `stopped` (nobody drives it, it can be resumed), `finished`, `interrupted` or `failed`.
    pub status: String,
    /// What it does: `starting`, `planning`, `searching`, `writing`, `checking` or `done`.
    pub phase: String,
    /// The same in words, for people.
    pub message: String,
    /// How far it is at least, in `[0, 1]`; never falls.
    pub progress: f64,
    /// Rounds of search begun.
    pub rounds: u64,
    /// Sources found.
    pub sources: u64,
    /// Since it started.
    pub elapsed_ms: u64,
    /// When it started, in milliseconds since the epoch.
    pub started_at: i64,
    /// When anything was last recorded, likewise.
    pub updated_at: i64,
}

impl Progress {
    /// Whether the run has come to its end.
    pub fn is_over(&self) -> bool {
        matches!(self.status.as_str(), "finished" | "interrupted" | "failed")
    }
}

/// Starts runs and reads those that are kept. Runs outlive the call that starts them.
pub trait Researcher: Send + Sync {
    /// Starts a run and returns as soon as it has an id.
    fn start<'a>(&'a self, caller: &'a Caller, inquiry: &'a Inquiry) -> Told<'a, Progress>;
    /// How a run stands.
    fn status<'a>(&'a self, caller: &'a Caller, run: &'a RunId) -> Told<'a, Progress>;
    /// The answer of a run that is over.
    fn answer<'a>(&'a self, caller: &'a Caller, run: &'a RunId) -> Told<'a, Answer>;
    /// Goes on with a run that stopped, as [`Researcher::start`] starts one. Where limits are named, it goes on under them: one
    /// under way hears of them, and of one that a limit ended another run goes on, which is the one that is told.
    fn resume<'a>(
        &'a self,
        caller: &'a Caller,
        run: &'a RunId,
        limits: &'a NewLimits,
    ) -> Told<'a, Progress>;
    /// Ends a run: it answers with what it has. A run that is over stays as it is.
    fn cancel<'a>(&'a self, caller: &'a Caller, run: &'a RunId) -> Told<'a, Progress>;
    /// The runs there are, the newest first.
    fn runs<'a>(&'a self, caller: &'a Caller) -> Told<'a, Vec<Progress>>;
    /// The trace of a run as lines of JSON.
    fn trace<'a>(&'a self, caller: &'a Caller, run: &'a RunId) -> Told<'a, String>;
}

/// A source that a caller gives along.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// A name for it.
    pub title: String,
    /// What it says.
    pub text: String,
}

/// A text to be checked, or a part of it.
pub struct Checking<'a> {
    /// The text.
    pub text: &'a str,
    /// What it is held against; the configured documents where it is empty.
    pub sources: &'a [SourceText],
    /// The character at which the first claim may begin: those before it are passed over.
    pub from: usize,
    /// The most claims that are checked. More are where the last ones begin at one place.
    pub most: usize,
    /// Hears how far it is.
    pub heard: HowFar<'a>,
}

/// What came of checking a text.
#[derive(Clone, Debug)]
pub struct Verification {
    /// What judged.
    pub verifier: String,
    /// Claim by claim, in the order of the text.
    pub checked: CheckedText,
    /// Sentences that were not taken as claims, and why.
    pub not_taken: Vec<NotTaken>,
    /// Claims after those that were not checked.
    pub left_out: usize,
    /// The character at which the first of them begins.
    pub next: Option<usize>,
}

/// A sentence of a text that was not taken as a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotTaken {
    /// Its words, or how they begin.
    pub text: String,
    /// Why.
    pub reason: String,
}

/// Judges texts.
pub trait Checker: Send + Sync {
    /// Checks the statements of a text against sources. May be given up at any time.
    fn verify<'a>(
        &'a self,
        caller: &'a Caller,
        checking: &'a Checking<'a>,
    ) -> Told<'a, Verification>;
    /// Warnings of fallacies in a text.
    fn fallacies<'a>(&'a self, text: &'a str, sensitive: bool) -> Told<'a, Vec<Finding>>;
}

/// What `score_evidence` is asked, with the defaults of the specification filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Scoring {
    /// The memo that evidence is scored for.
    pub pivot: String,
    /// Where it belongs.
    pub namespace: String,
    /// Memos that the search by similarity gives, 1 to 100.
    pub k: usize,
    /// Steps of relations, 1 to 10.
    pub depth: u32,
    /// Relations that are followed at most, 1 to 1,000.
    pub limit: usize,
    /// Finite and not negative, as the next.
    pub similarity_weight: f64,
    /// The weight of the path.
    pub relation_weight: f64,
    /// Items below it are left out, in `[0, 1]`.
    pub min_combined: f64,
}

/// Scores the memos around a memo.
pub trait Scorer: Send + Sync {
    /// The output structure of the specification's section 5, as JSON.
    fn score<'a>(&'a self, caller: &'a Caller, scoring: &'a Scoring) -> Told<'a, Value>;
}

/// Knows the pages of the web that were read.
pub trait Pages: Send + Sync {
    /// The address of a page that a text repeats, where there is one.
    fn repeated<'a>(&'a self, text: &'a str) -> Told<'a, Option<String>>;
}

/// What a search of the documents found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Found {
    /// To fetch it by.
    pub id: String,
    /// The document.
    pub title: String,
    /// Where it is.
    pub url: String,
}

/// A document's text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fetched {
    /// As it was asked for.
    pub id: String,
    /// The document.
    pub title: String,
    /// What it says.
    pub text: String,
    /// Where it is.
    pub url: String,
    /// Anything else.
    pub metadata: Value,
}

/// Searches the configured documents, in the shape that ChatGPT's connectors ask for.
pub trait Finder: Send + Sync {
    /// Passages that fit, the best first.
    fn search<'a>(&'a self, caller: &'a Caller, query: &'a str) -> Told<'a, Vec<Found>>;
    /// One of them.
    fn fetch<'a>(&'a self, caller: &'a Caller, id: &'a str) -> Told<'a, Fetched>;
}
