//! What a finished run leaves for runs that ask alike, and what such a run is told of it.
//!
//! A memo is a lead: it says where an earlier run found its quotes and with which words, so that a later one looks there
//! too. None of it is evidence, no figure is taken from it, and no model is shown it.

use super::keep::{Kept, keep};
use super::memo::Memo;
use super::noted::{NOTE, SavedNote};
use crate::answer::{Answer, Citation, Claim};
use crate::id::{MemoId, RunId, SourceId, Timestamp, short_hash};
use crate::inquiry::StopReason;
use crate::inquiry::gap::GapReason;
use crate::prompt::FactRole;
use crate::text::squeeze;
use crate::trace::RunView;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The tag of a memo that holds a run's answer.
pub const ANSWER: &str = "answer";

/// Names in the metadata of such a memo.
pub(super) const RUN: &str = "run_id";
const CORPUS: &str = "corpus";
const CLAIMS: &str = "claims";
pub(super) const SOURCES: &str = "sources";
const GIVEN_UP: &str = "given_up";

/// Most statements, documents, gaps, and queries of each, that a memo tells.
const MOST_CLAIMS: usize = 8;
const MOST_SOURCES: usize = 12;
const MOST_GAPS: usize = 6;
const MOST_QUERIES: usize = 3;
/// The longest statement, title or path, and the longest query, in characters.
pub(super) const LONG: usize = 300;
const SHORT: usize = 160;
/// The longest name of a project that is used as it is, in characters.
const NAME: usize = 120;

/// A document that the answer of a run rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lead {
    /// Its path.
    pub path: String,
    /// The document.
    pub source_id: SourceId,
    /// SHA-256 of what was read, hexadecimal; empty where it is not known.
    #[serde(default)]
    pub content_hash: String,
    /// The searches that found what is quoted of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<String>,
    /// Whether it is a page of the web.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub web: bool,
}

/// What a run could not establish.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GivenUp {
    /// What is missing.
    pub description: String,
    /// Why it was given up.
    pub reason: GapReason,
    /// Searches that did not find it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<String>,
}

/// How a document stands now, beside what a memo says of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Freshness {
    /// As it was read.
    Unchanged,
    /// It says something else now.
    Changed,
    /// It is not among the documents.
    Gone,
    /// Nobody looked: a page of the web, or one that could not be read.
    #[default]
    Unchecked,
}

impl Freshness {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Unchanged => "as it was",
            Self::Changed => "changed since, not used",
            Self::Gone => "not there any more, not used",
            Self::Unchecked => "not compared, not used",
        }
    }
}

/// A document of a memo, and how it stands when a run begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecalledSource {
    /// What the memo says.
    pub lead: Lead,
    /// Whether that still holds.
    pub freshness: Freshness,
}

/// A memo of an earlier run, as a run is told of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecalledMemo {
    /// The memo.
    pub id: MemoId,
    /// The earlier run.
    pub run_id: RunId,
    /// Its question.
    pub title: String,
    /// When it was kept.
    pub kept_at: Timestamp,
    /// How well it fits the question, in `[0, 1]`.
    pub fit: f64,
    /// What its answer rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<RecalledSource>,
    /// What it could not establish.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given_up: Vec<GivenUp>,
    /// What a person said of a statement or an insight of it, where that is what the memo holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noted: Option<SavedNote>,
}

impl RecalledMemo {
    /// Reads a memo; nothing where it holds neither a run's answer nor what a person said of it, or none that leads anywhere.
    /// What somebody wrote into its metadata is cut to what a run would have left, and what is no such thing is passed over.
    pub fn of(memo: &Memo, fit: f64) -> Option<Self> {
        let has = |tag: &str| memo.tags.iter().any(|one| one == tag);
        if !memo.is_inference() || !(has(ANSWER) || has(NOTE)) {
            return None;
        }
        let noted = if has(NOTE) { Some(SavedNote::of_memo(memo)?) } else { None };
        let run_id = RunId(cut(memo.noted(RUN).first()?, SHORT));
        let sources: Vec<Lead> = listed(memo, SOURCES);
        let given_up: Vec<GivenUp> = listed(memo, GIVEN_UP);
        let sources: Vec<RecalledSource> = sources
            .into_iter()
            .filter_map(Lead::bounded)
            .take(MOST_SOURCES)
            .map(|lead| RecalledSource { lead, freshness: Freshness::default() })
            .collect();
        let given_up: Vec<GivenUp> =
            given_up.into_iter().filter_map(GivenUp::bounded).take(MOST_GAPS).collect();
        let leads = noted.is_some() || !sources.is_empty() || !given_up.is_empty();
        leads.then(|| Self {
            id: memo.id.clone(),
            run_id,
            title: cut(&memo.title, LONG),
            kept_at: memo.created_at,
            fit,
            sources,
            given_up,
            noted,
        })
    }

    /// The documents that are as they were; the others are told and not used.
    pub fn usable(&self) -> impl Iterator<Item = &Lead> {
        self.sources
            .iter()
            .filter(|source| source.freshness == Freshness::Unchanged)
            .map(|source| &source.lead)
    }

    /// In a sentence, with what is not used and why.
    pub fn sentence(&self) -> String {
        let sources: Vec<String> = self
            .sources
            .iter()
            .map(|source| format!("{} ({})", squeeze(&source.lead.path), source.freshness.words()))
            .collect();
        if let Some(noted) = &self.noted {
            let run = squeeze(self.run_id.as_str());
            let places = if sources.is_empty() {
                "no document of the answer".to_owned()
            } else {
                sources.join(", ")
            };
            return format!("{} ({run}); it rests on {places}", noted.words());
        }
        let mut parts = Vec::new();
        if !sources.is_empty() {
            parts.push(format!("answered from {}", sources.join(", ")));
        }
        for gap in &self.given_up {
            let because = gap.reason.because();
            parts.push(format!("\"{}\" was given up: {because}", squeeze(&gap.description)));
        }
        let (title, run) = (squeeze(&self.title), squeeze(self.run_id.as_str()));
        format!("\"{title}\" was asked before ({run}): {}", parts.join("; "))
    }
}

impl Lead {
    pub(super) fn bounded(mut self) -> Option<Self> {
        if self.path.trim().is_empty() || self.path.chars().nth(LONG).is_some() {
            return None;
        }
        self.queries = queries(&self.queries);
        Some(self)
    }
}

impl GivenUp {
    fn bounded(mut self) -> Option<Self> {
        self.description = cut(&self.description, LONG);
        self.queries = queries(&self.queries);
        if self.description.is_empty() { None } else { Some(self) }
    }
}

/// The namespace of a project's runs: memos of one project are recalled for no other.
pub fn project_namespace(project: &str) -> String {
    scope_namespace("project", project)
}

/// The namespace of a project, a team or an organisation; no two names have the same.
pub(super) fn scope_namespace(kind: &str, project: &str) -> String {
    let plain = |c: char| if c == '/' || c.is_control() { '_' } else { c };
    let name: String = project.trim().chars().map(plain).take(NAME).collect();
    let name = name.trim();
    if !name.is_empty() && name == project {
        return format!("{kind}/{name}");
    }
    format!("{kind}/{name}~{}", short_hash(project.as_bytes(), 8))
}

/// What a finished run leaves in the graph of `namespace`: its answer with what [`keep`] makes of it, and in the answer's
/// memo where it was found and what was given up. Nothing of a run that failed or was interrupted, or found nothing and
/// missed nothing. The same run gives the same ids, however often it is kept.
pub fn keep_run(view: RunView<'_>, namespace: &str, now: Timestamp) -> Option<Kept> {
    let answer = view.answer()?;
    let unfinished = matches!(answer.stop_reason, StopReason::Failed | StopReason::Interrupted);
    if unfinished || (answer.claims.is_empty() && answer.could_not_establish.is_empty()) {
        return None;
    }
    let mut kept = keep(answer, None, namespace, now);
    let answers: Vec<&Claim> = answered(answer).collect();
    let claims: Vec<String> =
        answers.iter().take(MOST_CLAIMS).map(|claim| cut(&claim.text, LONG)).collect();
    let sources: Vec<Lead> = answer
        .sources
        .iter()
        .filter_map(|citation| lead(view, answer, &answers, citation))
        .take(MOST_SOURCES)
        .collect();
    let given_up: Vec<GivenUp> = answer
        .could_not_establish
        .iter()
        .filter_map(|missing| {
            let (description, queries) = (missing.description.clone(), missing.queries.clone());
            GivenUp { description, reason: missing.reason, queries }.bounded()
        })
        .take(MOST_GAPS)
        .collect();
    let memo = kept.memos.first_mut()?;
    for (name, value) in [
        (CORPUS, json!(cut(&answer.corpus, LONG))),
        (CLAIMS, json!(claims)),
        (SOURCES, json!(sources)),
        (GIVEN_UP, json!(given_up)),
    ] {
        memo.metadata.insert(name.to_owned(), value);
    }
    Some(kept)
}

/// Statements that answer, without those that only came nearest.
fn answered(answer: &Answer) -> impl Iterator<Item = &Claim> {
    let nearest = move |claim: &Claim| {
        answer.could_not_establish.iter().any(|missing| missing.nearest.contains(&claim.id))
    };
    answer.claims.iter().filter(move |claim| {
        matches!(claim.role, FactRole::Answer | FactRole::Conflict) && !nearest(claim)
    })
}

/// A cited document, where a statement that answers rests on it.
fn lead(
    view: RunView<'_>,
    answer: &Answer,
    answers: &[&Claim],
    citation: &Citation,
) -> Option<Lead> {
    let mut quoted = false;
    let mut found_by: Vec<String> = Vec::new();
    for claim in answers {
        for evidence in claim.evidence.iter().filter_map(|at| answer.evidence.get(*at)) {
            if evidence.source_id == citation.source_id {
                quoted = true;
                found_by.extend(view.found_by(&evidence.passage_id).map(str::to_owned));
            }
        }
    }
    let lead = Lead {
        path: citation.path.clone(),
        source_id: citation.source_id.clone(),
        content_hash: citation.content_hash.clone(),
        queries: found_by,
        web: citation.web.is_some(),
    };
    if quoted { lead.bounded() } else { None }
}

/// The first queries, each once, cut to their length.
fn queries(all: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for query in all {
        let query = cut(query, SHORT);
        if kept.len() < MOST_QUERIES && !query.is_empty() && !kept.contains(&query) {
            kept.push(query);
        }
    }
    kept
}

pub(super) fn cut(text: &str, chars: usize) -> String {
    squeeze(text).chars().take(chars).collect()
}

/// What a list of the metadata holds of this kind.
pub(super) fn listed<T: DeserializeOwned>(memo: &Memo, name: &str) -> Vec<T> {
    match memo.metadata.get(name) {
        Some(Value::Array(items)) => {
            items.iter().filter_map(|item| serde_json::from_value(item.clone()).ok()).collect()
        }
        _ => Vec::new(),
    }
}
