//! What may leave this machine, and which words: the Rule of Two for a run.
//!
//! A run that (A) reads what strangers wrote, (B) has private data in its context and (C) sends words out that were chosen
//! after reading would be a way out for private data: a page says what to search for, and the search engine's log, or
//! whoever runs the page, reads the answer. So a run has two of the three. With private documents in context, words go
//! out only when they were fixed before anything was read: the user's own question, and the searches that the plan and the
//! explanations brought along. Later ones search what is here, and are shown. The user's word lifts that.
//!
//! Whoever words these searches is told nothing of the documents either, their name and what they are about included, nor of what
//! earlier runs learned. The model of the binary is: it is code, and words nothing that the question does not say.
//!
//! Private are the user's documents, and also what a run reads on hosts that only the user's leave opened, and in an index of
//! the user's: an intranet is no less private for being a web. Whoever makes the options knows these and says so.

use super::derivations::Derivations;
use super::state::State;
use crate::evidence::PartialDate;
use crate::port::{PageOutcome, PageReport, WebReport};
use crate::trace::TraceEvent;
use serde::{Deserialize, Serialize};

/// Where a run looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Sources {
    /// The documents.
    #[default]
    Local,
    /// The web.
    Web,
    /// Both.
    Hybrid,
}

impl Sources {
    /// The word that users write.
    pub fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Web => "web",
            Self::Hybrid => "hybrid",
        }
    }
}

/// How far connections may go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EgressMode {
    /// No connection but to this machine.
    Offline,
    /// Only hosts that the user named.
    PrivateOnly,
    /// Those, and public addresses.
    #[default]
    Public,
}

impl EgressMode {
    /// The word that users write.
    pub fn name(self) -> &'static str {
        match self {
            Self::Offline => "offline",
            Self::PrivateOnly => "private-only",
            Self::Public => "public",
        }
    }
}

/// How a run uses the web.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WebOptions {
    /// Where it looks.
    pub sources: Sources,
    /// The search providers, by name.
    pub providers: Vec<String>,
    /// How far connections may go.
    pub egress: EgressMode,
    /// The user's word that searches worded after reading may go out although private data is in context.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private_queries: bool,
    /// What is private of what the web gives, in words ("pages of hosts that you allowed (wiki.lan)").
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub private: Vec<String>,
    /// Whether all providers are servers that give what is private themselves, so that a search tells them nothing new.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_servers: bool,
    /// Only these sites, when not empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub domains: Vec<String>,
    /// Nothing older.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<PartialDate>,
    /// Pages that were named to be read, beside those of the question; without the secrets that their addresses carry. Runs
    /// of earlier versions did not note them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<String>,
}

/// Who may choose the words that leave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outward {
    /// Nothing leaves.
    #[default]
    Nothing,
    /// Only words that were fixed before anything was read.
    BeforeReading,
    /// Also words that were chosen after reading: there is nothing private to give away.
    AfterReading,
    /// Also words that were chosen after reading what is private, to the servers that it came from.
    ToOwnServers,
    /// Also words that were chosen after reading, with private data in context, by the user's word.
    ByTheUsersWord,
}

impl Outward {
    /// In words, after "what is sent:".
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::BeforeReading => "only searches worded before anything was read",
            Self::AfterReading => "searches, as nothing private is in context",
            Self::ToOwnServers => "searches, to servers of your own only",
            Self::ByTheUsersWord => {
                "all searches, although private data is in context, because you allowed it"
            }
        }
    }
}

/// The Rule of Two as it stands for a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuleOfTwo {
    /// A: it reads what strangers wrote.
    pub untrusted: bool,
    /// B: what private data is in its context, in words ("12 documents of your own").
    pub private: Vec<String>,
    /// C: which words leave.
    pub outward: Outward,
}

/// A search that was kept here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WithheldQuery {
    /// Its words.
    pub query: String,
    /// Why.
    pub reason: String,
}

/// What a run did on the web: part of its answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WebUse {
    /// What was allowed.
    pub rule: RuleOfTwo,
    /// The providers, each with the searches that it was asked, in the order of first use.
    pub providers: Vec<ProviderUse>,
    /// Pages fetched and read.
    pub read: u32,
    /// Pages of which a fresh snapshot was read.
    pub kept: u32,
    /// Pages that were not read, with the reason; the first of each page, at most 100.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<PageReport>,
    /// Searches that stayed here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<WithheldQuery>,
}

/// What a provider was for a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProviderUse {
    /// Its name.
    pub provider: String,
    /// Searches it answered.
    pub searches: u32,
    /// Results it gave.
    pub results: u32,
    /// Why searches failed, each reason once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<String>,
}

/// Most refused pages kept.
const MOST_REFUSED: usize = 100;

impl WebUse {
    /// Adds what a search did.
    pub(crate) fn add(&mut self, report: &WebReport) {
        for asked in &report.asked {
            let known = self.providers.iter().position(|known| known.provider == asked.provider);
            let at = known.unwrap_or_else(|| {
                self.providers.push(ProviderUse {
                    provider: asked.provider.clone(),
                    searches: 0,
                    results: 0,
                    failures: Vec::new(),
                });
                self.providers.len() - 1
            });
            let provider = &mut self.providers[at];
            provider.results = provider.results.saturating_add(asked.results);
            match &asked.error {
                None => provider.searches += 1,
                Some(error) if !provider.failures.contains(error) => {
                    provider.failures.push(error.clone());
                }
                Some(_) => {}
            }
        }
        for page in &report.pages {
            match &page.outcome {
                PageOutcome::Read { .. } => self.read += 1,
                PageOutcome::Kept { .. } => self.kept += 1,
                PageOutcome::Refused { .. } => {
                    let known = self.refused.iter().any(|known| known.url == page.url);
                    if !known && self.refused.len() < MOST_REFUSED {
                        self.refused.push(page.clone());
                    }
                }
            }
        }
    }
}

/// What holds for a run that begins. `None` when it does not reach the web.
pub(crate) fn rule(state: &State) -> Option<RuleOfTwo> {
    let web = state.options().web.as_ref().filter(|web| web.sources != Sources::Local)?;
    let mut private = Vec::new();
    let documents = state.opened.corpus.documents as usize;
    if web.sources == Sources::Hybrid && documents > 0 {
        let of = super::count(documents, "document");
        private.push(format!("{of} of your own"));
    }
    // Documents are not the servers' own, whoever runs these.
    let told_to_their_own = private.is_empty() && web.own_servers;
    private.extend(web.private.iter().cloned());
    let outward = match (web.egress, private.is_empty(), web.private_queries) {
        (EgressMode::Offline, _, _) => Outward::Nothing,
        (_, true, _) => Outward::AfterReading,
        (_, false, true) => Outward::ByTheUsersWord,
        (_, false, false) if told_to_their_own => Outward::ToOwnServers,
        (_, false, false) => Outward::BeforeReading,
    };
    Some(RuleOfTwo { untrusted: true, private, outward })
}

/// Whether the words of a search may leave. `lesson` says that memory proposed it: what earlier runs learned may come from
/// documents that were theirs alone, so it goes out by the user's word only.
///
/// # Errors
/// The reason why it stays; `None` where there is no web to keep it from.
pub(crate) fn may_leave(state: &State, query: &str, lesson: bool) -> Result<(), Option<String>> {
    let Some(rule) = &state.web_use.as_ref().map(|used| &used.rule) else { return Err(None) };
    match rule.outward {
        Outward::Nothing => Err(Some("the run is offline".to_owned())),
        Outward::ByTheUsersWord => Ok(()),
        Outward::AfterReading | Outward::ToOwnServers | Outward::BeforeReading if lesson => Err(Some(
            "it comes from the memory of earlier runs, which may hold what is private; --allow-private-queries sends it"
                .to_owned(),
        )),
        Outward::AfterReading | Outward::ToOwnServers => Ok(()),
        Outward::BeforeReading if worded_before_reading(state, query) => Ok(()),
        Outward::BeforeReading => {
            let private = rule.private.join(" and ");
            // The reason is a part of the trace: journals from before hosts counted as private have it in these words.
            let is_of_files = state.options().web.as_ref().is_none_or(|web| web.private.is_empty());
            Err(Some(if is_of_files {
                format!(
                    "it was worded after documents were read, and {private} are private; --allow-private-queries sends it"
                )
            } else {
                format!(
                    "it was worded after reading, and private data is in context ({private}); --allow-private-queries sends it"
                )
            }))
        }
    }
}

/// Whether whoever words searches before anything is read must know nothing of the documents: those searches leave, and a name
/// that stands in the documents alone would leave with them.
pub(crate) fn hides_documents(state: &State) -> bool {
    state.follows(Derivations::FIFTH) && outward(state) == Some(Outward::BeforeReading)
}

/// The same of what earlier runs learned, which may come of documents that were theirs alone.
pub(crate) fn hides_memory(state: &State) -> bool {
    let leaves = !matches!(outward(state), None | Some(Outward::Nothing | Outward::ByTheUsersWord));
    state.follows(Derivations::FIFTH) && leaves
}

fn outward(state: &State) -> Option<Outward> {
    state.web_use.as_ref().map(|used| used.rule.outward)
}

/// Whether nothing that was read can have had a part in these words. The plan and the explanations are made before the
/// first reading and do not change after it but by the user's word.
fn worded_before_reading(state: &State, query: &str) -> bool {
    state.reading_order.is_empty()
        || state.opened.question == query
        || state.board.owns(query)
        || state.plan.questions.iter().any(|question| {
            question.text == query || question.queries.iter().any(|planned| planned == query)
        })
}

/// Whether the words of a search may leave; what stays is told and noted.
pub(crate) fn decide(state: &mut State, query: &str, lesson: bool) -> bool {
    match may_leave(state, query, lesson) {
        Ok(()) => true,
        Err(None) => false,
        Err(Some(reason)) => {
            let withheld = WithheldQuery { query: query.to_owned(), reason };
            state.emit(TraceEvent::QueryWithheld(withheld.clone()));
            if let Some(used) = &mut state.web_use {
                used.withheld.push(withheld);
            }
            false
        }
    }
}

/// The run begins: what holds for it is worked out once and told.
pub(crate) fn open(state: &mut State) {
    if let Some(rule) = rule(state) {
        state.emit(TraceEvent::RuleOfTwo(rule.clone()));
        state.web_use = Some(WebUse { rule, ..WebUse::default() });
    }
}

/// A search told what it did on the web.
pub(crate) fn searched(state: &mut State, query: &str, report: &WebReport) {
    if report.is_empty() {
        return;
    }
    state.emit(TraceEvent::WebSearched { query: query.to_owned(), report: report.clone() });
    if let Some(used) = &mut state.web_use {
        used.add(report);
    }
}
