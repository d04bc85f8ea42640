//! The tools that keep memos and say how they bear on each other: calls of the evidence graph, for agents.

use super::super::args::Args;
use super::super::ports::Refusal;
use super::Call;
use elenchus_core::graph::call::{self as graph, CallError, Reply};
use elenchus_core::graph::check::{
    CONTENT_BYTES, ID_CHARS, NAMESPACE_CHARS, REASON_CHARS, TAG_CHARS, TAGS, TITLE_CHARS,
};
use rmcp::model::JsonObject;
use serde_json::{Value, json};

impl Call<'_> {
    /// The namespace of a call, which may be left out.
    fn namespace(&self, args: &mut Args) -> Result<String, Refusal> {
        let named = args.maybe_text("namespace", NAMESPACE_CHARS)?;
        Ok(named.unwrap_or_else(|| self.parts.namespace.clone()))
    }

    /// Does what the same call does over HTTP, on behalf of the same caller.
    async fn graphed(&self, tool: &str, params: Value) -> Result<Value, Refusal> {
        let memos = self.parts.memos.as_deref().ok_or_else(|| {
            Refusal::new(
                "could not use the memos",
                "this server was started without tools for them",
                "`elenchus memo` keeps them on the command line",
            )
        })?;
        let asked = graph::Call { tool: tool.to_owned(), params, camel_case: false };
        let memos = crate::memory::Walled::of(memos, &self.caller, self.parts.home.as_ref());
        match crate::memory::dispatch(&memos, &self.caller, asked, self.now()).await {
            Reply::Result(result) => Ok(result),
            Reply::Error(error) => Err(refused(error)),
        }
    }

    pub(super) async fn memo_save(&self, given: Option<JsonObject>) -> Result<Value, Refusal> {
        let mut args = Args::new("memo_save", given);
        let text = args.text("text", CONTENT_BYTES, "what is to be kept")?;
        let title = args.maybe_text("title", TITLE_CHARS)?;
        let tags = args.texts("tags", TAGS, TAG_CHARS)?;
        let metadata = args.object("metadata")?;
        let namespace = self.namespace(&mut args)?;
        args.finish()?;
        let params = json!({
            "namespace": namespace,
            "title": title.unwrap_or_default(),
            "content": text,
            "tags": tags,
            "metadata": metadata,
        });
        let saved = self.graphed("memory.save", params).await?;
        Ok(json!({
            "memo_id": saved["memo_id"],
            "namespace": saved["namespace"],
            "message": "Memo saved; memo_relate says what it bears on, score_evidence weighs what bears on it",
        }))
    }

    pub(super) async fn memo_relate(&self, given: Option<JsonObject>) -> Result<Value, Refusal> {
        let mut args = Args::new("memo_relate", given);
        let from = args.text("from", ID_CHARS, "the memo_id of the memo that bears")?;
        let to = args.text("to", ID_CHARS, "the memo_id of the memo that it bears on")?;
        let tag = args.text("tag", TAG_CHARS, "supports, conflicts, explains, or another word")?;
        let weight = args.number("weight", 0.0, 1.0)?.unwrap_or(1.0);
        let reason = args.maybe_text("reason", REASON_CHARS)?;
        let directed = args.flag("directed")?.unwrap_or(true);
        let namespace = self.namespace(&mut args)?;
        args.finish()?;
        // A relation has a direction: without one, either memo bears on the other.
        let ways = [(&from, &to), (&to, &from)];
        for (source, target) in ways.into_iter().take(if directed { 1 } else { 2 }) {
            let params = json!({
                "namespace": namespace,
                "source_memo_id": source,
                "target_memo_id": target,
                "tag": tag,
                "weight": weight,
                "reason": reason,
            });
            self.graphed("memory.relation.save", params).await?;
        }
        Ok(json!({
            "from": from,
            "to": to,
            "tag": tag,
            "weight": weight,
            "directed": directed,
            "namespace": namespace,
            "message": "Relation saved; score_evidence counts it",
        }))
    }
}

/// What the graph says, in words that an agent can act on.
fn refused(error: CallError) -> Refusal {
    let CallError { kind, attempted, cause, way_out, .. } = error;
    let way_out = match kind.as_str() {
        "unknown_memo" => {
            "use a memo_id that memo_save gave, and give the `namespace` that it was saved in"
                .to_owned()
        }
        "storage" => "try again; if it stays so, `elenchus doctor` looks for the cause".to_owned(),
        _ => way_out,
    };
    Refusal::new(format!("could not {attempted}"), cause, way_out)
}
