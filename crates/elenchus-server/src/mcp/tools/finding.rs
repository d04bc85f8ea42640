//! `search` and `fetch`, in the shape that ChatGPT's connectors ask for.

use super::super::args::Args;
use super::super::ports::{Finder, Refusal};
use super::Call;
use rmcp::model::JsonObject;
use serde_json::{Value, json};

impl Call<'_> {
    fn finder(&self) -> Result<&dyn Finder, Refusal> {
        self.parts.finder.as_deref().ok_or_else(|| {
            Refusal::new(
                "could not search the documents",
                "this server was started without it",
                "start it with --search-tools",
            )
        })
    }

    pub(super) async fn search(&self, given: Option<JsonObject>) -> Result<Value, Refusal> {
        let mut args = Args::new("search", given);
        let query = args.text("query", 2_000, "what to look for")?;
        args.finish()?;
        Ok(json!({ "results": self.finder()?.search(&self.caller, &query).await? }))
    }

    pub(super) async fn fetch(&self, given: Option<JsonObject>) -> Result<Value, Refusal> {
        let mut args = Args::new("fetch", given);
        let id = args.text("id", 2_000, "an id that search gave")?;
        args.finish()?;
        Ok(json!(self.finder()?.fetch(&self.caller, &id).await?))
    }
}
