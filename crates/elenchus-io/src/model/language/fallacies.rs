//! A text read for fallacies by a language model, batch by batch.

use super::speaker::request;
use super::{ChatClient, ChatError};
use crate::ingest::sentence::placed;
use elenchus_core::prompt::PromptBook;
use elenchus_core::prompt::fallacies::FallacyInput;
use std::ops::Range;

/// Sentences in one prompt.
const BATCH: usize = 30;

/// What a language model warns of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadForFallacies {
    /// Id in the catalog, and characters of the text.
    pub said: Vec<(String, Range<usize>)>,
    /// Sentences about which no reply could be used: nothing is known of them.
    pub unread: usize,
}

/// Reads a text for fallacies. Fails when the model cannot be reached; a reply without form leaves its sentences unread.
pub async fn read_for_fallacies(
    client: &ChatClient,
    book: &PromptBook,
    text: &str,
    theology: bool,
) -> Result<ReadForFallacies, ChatError> {
    let mut read = ReadForFallacies::default();
    for batch in placed(text).chunks(BATCH) {
        let sentences = batch.iter().map(|(_, sentence)| (*sentence).to_owned()).collect();
        let input = FallacyInput { sentences, theology };
        let rendered = book.render_fallacies(&input);
        let user = rendered.user.clone();
        let reply = client.chat_quiet(&request(client, &rendered, user)).await?;
        let Some(findings) = book.parse_fallacies(&input, &reply.text).findings else {
            read.unread += batch.len();
            continue;
        };
        read.said.extend(findings.into_iter().filter_map(|found| {
            let start = batch.get(found.sentence)?.0.start;
            Some((found.fallacy, start + found.span.start..start + found.span.end))
        }));
    }
    Ok(read)
}
