//! What a client can read by address: memories and runs.

use super::tools::Call;
use super::tools::listing::is_vouched_for;
use super::tools::memory::{memory, scope, scope_word};
use crate::wire::answer_json;
use elenchus_core::answer::to_markdown;
use elenchus_core::id::{RunId, StrategyId};
use elenchus_core::port::{BankFailure, Listing};
use elenchus_core::text::visible_json;
use rmcp::ErrorData;
use rmcp::model::{
    CompleteRequestParams, CompletionInfo, ListResourcesResult, ReadResourceResult, Reference,
    Resource, ResourceContents, ResourceTemplate,
};
use serde_json::json;

/// Runs of a page, each with its views.
const RUNS: usize = 20;
/// Memories of a page.
const MEMORIES: usize = 50;
/// Where pages end.
const LAST_PLACE: usize = 1_000_000;
/// What a run can be read as, with the media type.
const VIEWS: [(&str, &str, &str); 3] = [
    ("report", "text/markdown", "Report of a research run"),
    ("trace", "application/x-ndjson", "Every step of a research run"),
    ("evidence", "application/json", "Answer with all claims, quotes and figures"),
];

/// The templates of addresses.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let mut templates = vec![
        ResourceTemplate::new("memory://{scope}/{id}", "memory")
            .with_description("A memory with its confidence and how that came about")
            .with_mime_type("application/json"),
    ];
    templates.extend(VIEWS.map(|(view, kind, what)| {
        ResourceTemplate::new(format!("run://{{id}}/{view}"), format!("run_{view}"))
            .with_description(what)
            .with_mime_type(kind)
    }));
    #[cfg(feature = "conformance-fixtures")]
    templates.extend(super::fixtures::templates());
    templates
}

/// A failure that is not the client's: the words are for people.
fn internal(words: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(words.to_string(), None)
}

/// A page of what there is: the runs that are over, the newest first, then the memories, likewise.
pub(super) async fn list(
    call: &Call<'_>,
    cursor: Option<&str>,
) -> Result<ListResourcesResult, ErrorData> {
    let (lane, from) = cursor.map_or(Some((Lane::Runs, 0)), place).ok_or_else(|| lost(cursor))?;
    let mut resources = Vec::new();
    let mut next = None;
    let mut first_memory = from;
    if lane == Lane::Runs {
        first_memory = 0;
        let runs = call.parts.researcher.runs(&call.caller).await.map_err(internal)?;
        let mut over = runs.iter().filter(|run| run.is_over()).skip(from);
        for run in over.by_ref().take(RUNS) {
            let question: String = run.question.chars().take(80).collect();
            resources.extend(VIEWS.map(|(view, kind, _)| {
                Resource::new(
                    format!("run://{}/{view}", run.run_id),
                    format!("{view} of {}", run.run_id),
                )
                .with_description(question.clone())
                .with_mime_type(kind)
            }));
        }
        if over.next().is_some() {
            next = Some(format!("runs-{}", from + RUNS));
        }
    }
    if next.is_none() {
        // One more than is listed tells whether there is another page.
        let listing = Listing { limit: MEMORIES + 1, offset: first_memory, ..Listing::default() };
        let held = call.parts.bank.list(&call.caller, &listing, call.now()).await;
        let held = held.map_err(internal)?;
        // A list is read by a model: what nobody vouches for is given to who asks for it by its address.
        let shown = held.iter().take(MEMORIES).filter(|held| is_vouched_for(held));
        resources.extend(shown.map(|held| {
            let draft = &held.strategy.draft;
            let uri = format!("memory://{}/{}", scope_word(draft.scope), held.strategy.id);
            Resource::new(uri, draft.title.clone())
                .with_description(draft.description.clone())
                .with_mime_type("application/json")
        }));
        if held.len() > MEMORIES {
            next = Some(format!("memories-{}", first_memory + MEMORIES));
        }
    }
    #[cfg(feature = "conformance-fixtures")]
    if cursor.is_none() {
        resources.extend(super::fixtures::resources());
    }
    let mut page = ListResourcesResult::with_all_items(resources);
    page.next_cursor = next;
    Ok(page)
}

/// What a page goes on with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lane {
    Runs,
    Memories,
}

/// Where the page of a cursor begins.
fn place(cursor: &str) -> Option<(Lane, usize)> {
    let (lane, from) = cursor.split_once('-')?;
    let lane = match lane {
        "runs" => Lane::Runs,
        "memories" => Lane::Memories,
        _ => return None,
    };
    let from = from.parse().ok().filter(|from| *from <= LAST_PLACE)?;
    Some((lane, from))
}

fn lost(cursor: Option<&str>) -> ErrorData {
    let shown: String = cursor.unwrap_or_default().chars().take(40).collect();
    ErrorData::invalid_params(
        format!(
            "{shown:?} is no cursor of this list: give the nextCursor of the page before, or none for the first page"
        ),
        None,
    )
}

fn unknown(uri: &str) -> ErrorData {
    let shown: String = uri.chars().take(200).collect();
    ErrorData::resource_not_found(
        format!(
            "there is no resource {shown:?}: resources/list and resources/templates/list tell what there is"
        ),
        Some(json!({ "uri": shown })),
    )
}

pub(super) async fn read(call: &Call<'_>, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let (text, kind) = if let Some(rest) = uri.strip_prefix("memory://") {
        (read_memory(call, rest, uri).await?, "application/json")
    } else if let Some(rest) = uri.strip_prefix("run://") {
        read_run(call, rest, uri).await?
    } else {
        return Err(unknown(uri));
    };
    let contents = ResourceContents::text(text, uri).with_mime_type(kind);
    Ok(ReadResourceResult::new(vec![contents]))
}

async fn read_memory(call: &Call<'_>, rest: &str, uri: &str) -> Result<String, ErrorData> {
    let (named, id) = rest.split_once('/').ok_or_else(|| unknown(uri))?;
    let id = StrategyId::from(id);
    let told = |failure: BankFailure| match failure {
        BankFailure::Unknown(_) => unknown(uri),
        other => internal(other),
    };
    let held = call.parts.bank.get(&call.caller, &id, call.now()).await.map_err(told)?;
    if scope(named) != Some(held.strategy.draft.scope) {
        return Err(unknown(uri));
    }
    let why = call.parts.bank.why(&call.caller, &id, call.now()).await.map_err(told)?;
    let mut value = memory(&held);
    value["standing"] = json!(held.strategy.standing);
    value["why"] = json!(why);
    Ok(visible_json(&format!("{value:#}")))
}

async fn read_run(
    call: &Call<'_>,
    rest: &str,
    uri: &str,
) -> Result<(String, &'static str), ErrorData> {
    let (id, view) = rest.split_once('/').ok_or_else(|| unknown(uri))?;
    let (view, kind, _) =
        VIEWS.iter().find(|(name, ..)| *name == view).ok_or_else(|| unknown(uri))?;
    let run = RunId::from(id);
    let researcher = &call.parts.researcher;
    let progress = researcher.status(&call.caller, &run).await.map_err(|_| unknown(uri))?;
    let text = if *view == "trace" {
        researcher.trace(&call.caller, &run).await.map_err(internal)?
    } else if progress.is_over() {
        let answer = researcher.answer(&call.caller, &run).await.map_err(internal)?;
        if *view == "report" {
            to_markdown(&answer)
        } else {
            visible_json(&format!("{:#}", answer_json(&answer).map_err(internal)?))
        }
    } else {
        return Err(unknown(uri));
    };
    Ok((text, kind))
}

/// Words that an argument of a template or a prompt may be completed to.
pub(super) async fn completions(call: &Call<'_>, request: &CompleteRequestParams) -> Vec<String> {
    let begun = request.argument.value.as_str();
    let words: Vec<String> = match (&request.r#ref, request.argument.name.as_str()) {
        (Reference::Resource(template), "scope") if template.uri.starts_with("memory://") => {
            ["project", "team", "org"].map(str::to_owned).to_vec()
        }
        (Reference::Resource(template), "id") if template.uri.starts_with("memory://") => {
            let listing = Listing { limit: 1_000, ..Listing::default() };
            let held = call.parts.bank.list(&call.caller, &listing, call.now()).await;
            let held = held.unwrap_or_default();
            held.into_iter().filter(is_vouched_for).map(|held| held.strategy.id.0).collect()
        }
        (Reference::Resource(template), "id") if template.uri.starts_with("run://") => {
            let runs = call.parts.researcher.runs(&call.caller).await.unwrap_or_default();
            runs.into_iter().map(|run| run.run_id.0).collect()
        }
        (Reference::Prompt(prompt), name) => super::prompts::words(&prompt.name, name),
        _ => Vec::new(),
    };
    words.into_iter().filter(|word| word.starts_with(begun)).collect()
}

/// As many of the words as the protocol allows.
pub(super) fn completion(mut words: Vec<String>) -> CompletionInfo {
    let total = u32::try_from(words.len()).ok();
    let more = words.len() > CompletionInfo::MAX_VALUES;
    words.truncate(CompletionInfo::MAX_VALUES);
    CompletionInfo::with_pagination(words, total, more).unwrap_or_default()
}
