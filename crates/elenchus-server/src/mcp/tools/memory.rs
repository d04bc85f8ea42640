//! The tools of the bank. Arguments and result fields are those that agents know; what is new stands beside them.

use super::super::args::Args;
use super::super::ports::{Nature, Refusal};
use super::Call;
use super::cut::size;
use super::listing::{is_vouched_for, preview};
use elenchus_core::bank::{Draft, Origin, Outcome, Scope, SignalKind, Standing, Strategy};
use elenchus_core::id::{SearchId, StrategyId};
use elenchus_core::port::{BankFailure, Held, Queued, Recall, SignalGiven};
use elenchus_core::text::squeeze;
use rmcp::model::JsonObject;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The longest query, in characters.
const LONGEST_QUERY: usize = 2_000;
/// The longest title, in characters.
pub(crate) const LONGEST_TITLE: usize = 50;
/// The longest description, in characters.
pub(crate) const LONGEST_DESCRIPTION: usize = 200;
/// The longest content, in characters.
pub(crate) const LONGEST_CONTENT: usize = 20_000;
/// The most tags of a memory.
pub(crate) const MOST_TAGS: usize = 20;
/// The longest tag, in characters.
pub(crate) const LONGEST_TAG: usize = 40;
/// The longest comment, in characters.
const LONGEST_COMMENT: usize = 2_000;
/// The longest name of a session, in characters.
const LONGEST_SESSION: usize = 200;
/// The longest id of a search, in characters.
const LONGEST_SEARCH: usize = 100;
/// The most memories that can have been used together for one task.
const MOST_TOGETHER: u64 = 1_000;
/// The longest trace of a session, in characters.
const LONGEST_TRACE: usize = 1_000_000;
/// Characters to a token, on the average of English text: good enough for a budget.
const CHARS_PER_TOKEN: usize = 4;
/// The longest result of a search, in characters of JSON: an agent reads it before it has begun its task.
const MOST_FOUND: usize = 16_000;
/// What becomes of a memory that nobody vouches for.
pub(super) const WAITS: &str = "Searches do not give it until a person vouches for it";
/// What contents are cut to where a result is longer, the first that is short enough.
const CONTENTS: [usize; 6] = [8_000, 4_000, 2_000, 1_000, 500, 200];

impl From<BankFailure> for Refusal {
    fn from(failure: BankFailure) -> Self {
        match failure {
            BankFailure::Unknown(id) => Self::new(
                format!("could not find memory {:?}", shown(id.as_str())),
                "there is none with this id",
                "use an `id` that memory_search or memory_record gave",
            ),
            BankFailure::Refused { attempted, cause, way_out } => {
                Self::new(format!("could not {attempted}"), cause, way_out)
            }
            BankFailure::Forbidden { attempted, cause, way_out } => {
                Self::new(format!("could not {attempted}"), cause, way_out).being(Nature::Forbidden)
            }
            BankFailure::Io { attempted, cause } => Self::new(
                format!("could not {attempted}"),
                cause,
                "try again; if it stays so, `elenchus doctor` looks for the cause",
            ),
        }
    }
}

/// A name that a caller gave, short enough to be repeated.
fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}

fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Success => "success",
        Outcome::Failure => "failure",
    }
}

pub(crate) fn outcome(word: &str) -> Option<Outcome> {
    match word {
        "success" => Some(Outcome::Success),
        "failure" => Some(Outcome::Failure),
        _ => None,
    }
}

/// The word of a scope, as in resource addresses.
pub(crate) fn scope_word(scope: Scope) -> &'static str {
    match scope {
        Scope::Project => "project",
        Scope::Team => "team",
        Scope::Org => "org",
    }
}

/// The scope of a word.
pub(crate) fn scope(word: &str) -> Option<Scope> {
    match word {
        "project" => Some(Scope::Project),
        "team" => Some(Scope::Team),
        "org" => Some(Scope::Org),
        _ => None,
    }
}

/// A memory as the tools show it.
pub(crate) fn memory(held: &Held) -> Value {
    let draft = &held.strategy.draft;
    let mut out = json!({
        "id": held.strategy.id,
        "title": draft.title,
        "description": draft.description,
        "content": draft.content,
        "outcome": outcome_word(draft.outcome),
        "confidence": held.confidence,
        "usage_count": held.usage_count,
        "relevance": held.relevance,
        "scope": scope_word(draft.scope),
        "tags": draft.tags,
        "interval": [held.interval.0, held.interval.1],
    });
    if let Some(calibrated) = held.calibrated {
        out["calibrated"] = json!(calibrated);
    }
    if held.exploration {
        out["exploration"] = json!(true);
    }
    out
}

/// Cuts the content of a memory that is shown to at most `most` characters, and says then how many it has.
pub(crate) fn shorten(shown: &mut Value, most: usize) {
    let content = shown["content"].as_str().unwrap_or_default();
    let chars = content.chars().count();
    if chars <= most {
        return;
    }
    let kept: String = content.chars().take(most).collect();
    let whole = shown.get("content_chars").cloned().unwrap_or_else(|| json!(chars));
    shown["content"] = json!(format!("{} [...]", kept.trim_end()));
    shown["content_chars"] = whole;
}

/// Cuts the contents of memories until they are no longer than `most` together; gives how many are cut.
fn fit(shown: &mut [&mut Value], most: usize) -> usize {
    for content in CONTENTS {
        if shown.iter().map(|memory| size(memory)).sum::<usize>() <= most {
            break;
        }
        for memory in &mut *shown {
            shorten(memory, content);
        }
    }
    shown.iter().filter(|memory| memory.get("content_chars").is_some()).count()
}

/// What the bank holds otherwise than it was given, of what does not make a memory another one.
fn differing(held: &Draft, given: &Draft) -> Vec<&'static str> {
    // The bank keeps its texts in a plain form.
    let plain = |text: &str| squeeze(text).to_lowercase();
    let tags = |draft: &Draft| draft.tags.iter().map(|tag| plain(tag)).collect::<BTreeSet<_>>();
    let differs = [
        ("outcome", held.outcome != given.outcome),
        ("description", plain(&held.description) != plain(&given.description)),
        ("tags", tags(held) != tags(given)),
    ];
    differs.into_iter().filter(|(_, is_other)| *is_other).map(|(name, _)| name).collect()
}

/// What is said of a memory that was there already.
fn held_already(strategy: &Strategy, differs: &[&str]) -> String {
    let mut told = "The bank holds this memory already; nothing was added".to_owned();
    if matches!(strategy.standing, Standing::Archived { .. }) {
        told.push_str(". It is archived: `elenchus memory restore` puts it to use");
    }
    if !differs.is_empty() {
        let _ = write!(
            told,
            ". It is held with another {}: memory_edit changes description and tags where it is offered, and \
             `elenchus memory edit` does; for another outcome archive it and record the other one under a title of its own",
            differs.join(", another ")
        );
    }
    told
}

impl Call<'_> {
    /// Why parts of a text are taken for a page's: they stand on one that was read. A person who writes something down
    /// vouches for it, and what cannot be compared is not vouched for.
    pub(super) async fn page_repeated(&self, parts: &[&str]) -> Option<String> {
        let pages = self.parts.pages.as_ref().filter(|_| !self.caller.is_person())?;
        match pages.repeated(&parts.join("\n")).await {
            Ok(page) => page.map(|page| format!("its words stand on {page}, which was read")),
            Err(refusal) => Some(format!("of what was read nothing is known ({refusal})")),
        }
    }

    pub(super) async fn memory_search(&self, given: Option<JsonObject>) -> Result<Value, Refusal> {
        let limits = &self.parts.bank_settings;
        let mut args = Args::new("memory_search", given);
        let query = args.text("query", LONGEST_QUERY, "what the task is about, in words")?;
        let scope = args.word("scope", &["project", "team", "org", "all"])?.and_then(scope);
        let outcome = args.word("outcome", &["success", "failure", "all"])?.and_then(outcome);
        let most = limits.max_limit as u64;
        let limit = args.whole("limit", 1, most)?.unwrap_or(limits.default_limit as u64);
        let least = args.number("min_confidence", 0.0, 1.0)?.unwrap_or(limits.min_confidence);
        args.finish()?;
        let recall = Recall {
            query,
            scope,
            outcome,
            limit: usize::try_from(limit).unwrap_or(limits.default_limit),
            min_confidence: least,
            session_id: self.session.clone(),
            // An agent reads it as a model reads a prompt: what nobody vouches for stays out.
            for_prompt: true,
        };
        let found = self.parts.bank.search(&self.caller, &recall, self.now()).await?;
        let mut follow: Vec<Value> = found.memories.iter().map(memory).collect();
        let mut avoid: Vec<Value> = found.avoid.iter().map(memory).collect();
        // Who asks for failures alone looks for them where results are.
        if outcome == Some(Outcome::Failure) {
            follow.append(&mut avoid);
        }
        let mut all: Vec<&mut Value> = follow.iter_mut().chain(&mut avoid).collect();
        let cut = fit(&mut all, MOST_FOUND);
        let shown: usize = follow.iter().chain(&avoid).map(size).sum();
        let mut out = json!({
            "memories": follow,
            "total_found": found.total_found,
            "tokens_used": shown.div_ceil(CHARS_PER_TOKEN),
            "avoid": avoid,
            "search_id": found.search_id,
            "hidden_below_min_confidence": found.hidden_below_min_confidence,
            "hidden_as_far": found.hidden_as_far,
        });
        if cut > 0 {
            out["message"] = json!(format!(
                "The content of {cut} memories is cut, `content_chars` says how long it is: the resource memory://SCOPE/ID gives one \
                 whole, and memory_list with an id where it is offered"
            ));
        }
        Ok(out)
    }

    pub(super) async fn memory_record(&self, given: Option<JsonObject>) -> Result<Value, Refusal> {
        let mut args = Args::new("memory_record", given);
        let title = args.text("title", LONGEST_TITLE, "a short name of at most 50 characters")?;
        let description = args.text(
            "description",
            LONGEST_DESCRIPTION,
            "when to use or avoid it, at most 200 characters",
        )?;
        let content =
            args.text("content", LONGEST_CONTENT, "the steps, at most 20000 characters")?;
        let outcome = args.word("outcome", &["success", "failure"])?.and_then(outcome);
        let tags = args.texts("tags", MOST_TAGS, LONGEST_TAG)?;
        let said = args.flag("from_web")?.unwrap_or(false);
        args.finish()?;
        let Some(outcome) = outcome else {
            let refusal = Refusal::new(
                "could not call memory_record",
                "the argument `outcome` is missing",
                "give `outcome`: success for a pattern to follow, failure for one to avoid",
            );
            return Err(refusal.being(Nature::Malformed));
        };
        let page = self.page_repeated(&[&title, &description, &content]).await;
        let draft = Draft {
            title,
            description,
            content,
            outcome,
            tags,
            scope: Scope::Project,
            origin: Origin::Explicit,
            source_session: Some(self.session.clone()).filter(|session| !session.is_empty()),
            lineage: Vec::new(),
            from_web: said || page.is_some(),
        };
        let recorded = self.parts.bank.record(&self.caller, &draft, self.now()).await?;
        let strategy = &recorded.held.strategy;
        let mut differs =
            if recorded.already_there { differing(&strategy.draft, &draft) } else { Vec::new() };
        // Where secrets were taken out, the words that were given are not those that were compared.
        differs.retain(|name| *name == "outcome" || recorded.scrubbed.is_empty());
        let mut message = if recorded.already_there {
            held_already(strategy, &differs)
        } else if recorded.scrubbed.is_empty() {
            "Memory recorded successfully".to_owned()
        } else {
            "Memory recorded; secrets were taken out of the text first".to_owned()
        };
        if !recorded.already_there && !is_vouched_for(&recorded.held) {
            let why = page.unwrap_or_else(|| "its text goes back to the web".to_owned());
            let _ = write!(message, ". {WAITS}, because {why}");
        }
        let mut out = json!({
            "id": strategy.id,
            "message": message,
            "initial_confidence": recorded.held.confidence,
            "already_there": recorded.already_there,
            "scrubbed": recorded.scrubbed,
        });
        if recorded.already_there {
            out["differs"] = json!(differs);
            if is_vouched_for(&recorded.held) {
                out["held"] = preview(&recorded.held);
            }
        }
        Ok(out)
    }

    pub(super) async fn memory_feedback(
        &self,
        given: Option<JsonObject>,
    ) -> Result<Value, Refusal> {
        let mut args = Args::new("memory_feedback", given);
        let memory_id = StrategyId(args.text("memory_id", 100, "the `id` of a memory")?);
        let positive = args.decided("helpful", "true or false")?;
        let comment = args.maybe_text("comment", LONGEST_COMMENT)?;
        let search_id = args.maybe_text("search_id", LONGEST_SEARCH)?.map(SearchId);
        args.finish()?;
        let signal = SignalGiven {
            memory_id,
            kind: SignalKind::Explicit,
            positive,
            session_id: self.session.clone(),
            search_id,
            comment,
            share: 1.0,
        };
        let done = self.parts.bank.signal(&self.caller, &signal, self.now()).await?;
        let message = if done.recorded {
            "Feedback recorded"
        } else {
            "The same feedback was there already; it counts once"
        };
        Ok(json!({ "success": true, "new_confidence": done.confidence, "message": message }))
    }

    pub(super) async fn memory_outcome(&self, given: Option<JsonObject>) -> Result<Value, Refusal> {
        let mut args = Args::new("memory_outcome", given);
        let memory_id =
            StrategyId(args.text("memory_id", 100, "the `id` of the memory that was used")?);
        let positive = args.decided("succeeded", "true or false")?;
        let session = args.maybe_text("session_id", LONGEST_SESSION)?;
        let search_id = args.maybe_text("search_id", LONGEST_SEARCH)?.map(SearchId);
        let together = args.whole("used_together", 1, MOST_TOGETHER)?.unwrap_or(1);
        args.finish()?;
        let signal = SignalGiven {
            memory_id,
            kind: SignalKind::Outcome,
            positive,
            session_id: session.unwrap_or_else(|| self.session.clone()),
            search_id,
            comment: None,
            // Memories that were used for one task share its credit.
            share: 1.0 / together as f64,
        };
        let done = self.parts.bank.signal(&self.caller, &signal, self.now()).await?;
        let message = if done.recorded {
            "Outcome recorded"
        } else {
            "The same outcome of this session was there already; it counts once"
        };
        Ok(
            json!({ "recorded": done.recorded, "new_confidence": done.confidence, "message": message }),
        )
    }

    pub(super) async fn memory_session(&self, given: Option<JsonObject>) -> Result<Value, Refusal> {
        let mut args = Args::new("memory_session", given);
        let session_id = args.text("session_id", LONGEST_SESSION, "a name that tells it apart")?;
        let trace =
            args.text("trace", LONGEST_TRACE, "what was done and what came of it, as text")?;
        let outcome = args.word("outcome", &["success", "failure"])?.and_then(outcome);
        let said = args.flag("from_web")?.unwrap_or(true);
        let shown = args.texts("memories_shown", 100, 100)?;
        args.finish()?;
        let from_web = said || self.page_repeated(&[&trace]).await.is_some();
        let session = Queued {
            id: 0,
            caller: self.caller.clone(),
            session_id: session_id.clone(),
            outcome,
            trace,
            from_web,
            shown: shown.into_iter().map(StrategyId).collect(),
            attempts: 0,
        };
        let queued = self.parts.bank.queue(&self.caller, &session, self.now()).await?;
        let message = if queued {
            "Session queued; `elenchus distill` takes strategies out of it at once, or the server within minutes, by rule or \
             with a model that is named for it"
        } else {
            "A session of this id was queued before; it is distilled once"
        };
        Ok(json!({ "queued": queued, "session_id": session_id, "message": message }))
    }
}
