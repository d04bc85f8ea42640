//! Looking through the bank and correcting it, within what an agent may: it takes a memory out of use, and puts none to use
//! that a person has to vouch for.

use super::super::args::Args;
use super::super::ports::Refusal;
use super::Call;
use super::memory::{
    LONGEST_CONTENT, LONGEST_DESCRIPTION, LONGEST_TAG, LONGEST_TITLE, MOST_TAGS, memory, outcome,
    shorten,
};
use elenchus_core::bank::Standing;
use elenchus_core::id::StrategyId;
use elenchus_core::port::{Edit, Held, Listing};
use rmcp::model::JsonObject;
use serde_json::{Value, json};

/// Characters of a content in a list.
const PREVIEW: usize = 200;
/// Memories of a page without a word about it.
pub(crate) const PAGE: u64 = 20;
/// The most memories of a page.
pub(crate) const LONGEST_PAGE: u64 = 50;
/// Where pages end.
const LAST_PLACE: u64 = 1_000_000;
/// The longest reason for taking a memory out of use, in characters.
pub(crate) const LONGEST_REASON: usize = 500;

/// A memory as lists show it: with the beginning of its content.
pub(crate) fn preview(held: &Held) -> Value {
    let mut shown = memory(held);
    shorten(&mut shown, PREVIEW);
    if let Standing::Archived { reason, .. } = &held.strategy.standing {
        shown["archived"] = json!(reason);
    }
    shown
}

/// Whether a list may show a memory to a model: what nobody vouches for is given to who asks for it by its id.
pub(crate) fn is_vouched_for(held: &Held) -> bool {
    !matches!(held.strategy.standing, Standing::Quarantined { .. })
}

impl Call<'_> {
    pub(super) async fn memory_list(&self, given: Option<JsonObject>) -> Result<Value, Refusal> {
        let mut args = Args::new("memory_list", given);
        let narrows = ["outcome", "tag", "archived", "offset", "limit"].map(|name| args.has(name));
        let id = args.maybe_text("id", 100)?.map(StrategyId);
        let outcome = args.word("outcome", &["success", "failure", "all"])?.and_then(outcome);
        let tag = args.maybe_text("tag", LONGEST_TAG)?;
        let archived = args.flag("archived")?.unwrap_or(false);
        let offset = args.whole("offset", 0, LAST_PLACE)?.unwrap_or(0);
        let limit = args.whole("limit", 1, LONGEST_PAGE)?.unwrap_or(PAGE);
        args.finish()?;
        let bank = &self.parts.bank;
        if let Some(id) = id {
            if narrows.contains(&true) {
                return Err(Refusal::new(
                    "could not call memory_list",
                    "`id` names one memory, and something else is asked beside it",
                    "give `id` alone, or leave it out to list memories",
                ));
            }
            let held = bank.get(&self.caller, &id, self.now()).await?;
            let mut whole = memory(&held);
            whole["standing"] = json!(held.strategy.standing);
            return Ok(json!({ "memories": [whole] }));
        }
        let (offset, limit) = (offset as usize, limit as usize);
        // One more than is shown tells whether there is another page.
        let listing =
            Listing { outcome, archived, tag, limit: limit + 1, offset, ..Listing::default() };
        let held = bank.list(&self.caller, &listing, self.now()).await?;
        let shown: Vec<Value> =
            held.iter().take(limit).filter(|held| is_vouched_for(held)).map(preview).collect();
        let mut page = json!({ "memories": shown });
        if held.len() > limit {
            page["next_offset"] = json!(offset + limit);
        }
        Ok(page)
    }

    pub(super) async fn memory_edit(&self, given: Option<JsonObject>) -> Result<Value, Refusal> {
        let mut args = Args::new("memory_edit", given);
        let id = StrategyId(args.text("memory_id", 100, "the `id` of a memory")?);
        let names_tags = args.has("tags");
        let mut edit = Edit {
            title: args.maybe_text("title", LONGEST_TITLE)?,
            description: args.maybe_text("description", LONGEST_DESCRIPTION)?,
            content: args.maybe_text("content", LONGEST_CONTENT)?,
            ..Edit::default()
        };
        let tags = args.texts("tags", MOST_TAGS, LONGEST_TAG)?;
        edit.tags = names_tags.then_some(tags);
        let archives = args.flag("archive")?.unwrap_or(false);
        let reason = args.maybe_text("reason", LONGEST_REASON)?;
        args.finish()?;
        let says_other = edit != Edit::default();
        if !says_other && !archives {
            return Err(Refusal::new(
                "could not call memory_edit",
                "nothing is named that should change",
                "give another `title`, `description`, `content` or `tags`, or `archive`: true",
            ));
        }
        let bank = &self.parts.bank;
        let held = bank.get(&self.caller, &id, self.now()).await?;
        if says_other && !is_vouched_for(&held) {
            return Err(Refusal::new(
                format!("could not edit memory {id}"),
                "it waits for a person who vouches for it",
                format!("archive it, or have a person look at it with `elenchus memory show {id}`"),
            ));
        }
        let said = [&edit.title, &edit.description, &edit.content];
        let said: Vec<&str> = said.into_iter().filter_map(Option::as_deref).collect();
        if !said.is_empty()
            && let Some(why) = self.page_repeated(&said).await
        {
            return Err(Refusal::new(
                format!("could not edit memory {id}"),
                format!("nobody vouches for the text: {why}"),
                "record it as a memory of its own, which waits for a person, or say it in your own words",
            ));
        }
        if archives {
            let reason = reason.unwrap_or_else(|| "taken out of use by an agent".to_owned());
            edit.standing = Some(Standing::Archived { at: self.now(), reason });
        }
        let held = bank.edit(&self.caller, &id, &edit, self.now()).await?;
        let message = if archives {
            format!(
                "Archived: searches no longer give it; `elenchus memory restore {id}` puts it to use again"
            )
        } else {
            "Memory edited".to_owned()
        };
        Ok(json!({ "id": id, "message": message, "memory": preview(&held) }))
    }
}
