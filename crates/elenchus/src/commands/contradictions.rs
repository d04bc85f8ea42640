//! `elenchus contradictions`: where a folder of documents disagrees with itself.

use super::{place, set_corpus};
use crate::cli::ContradictionsArgs;
use crate::config::Config;
use crate::error::{CliError, Result};
use crate::signals::Interrupts;
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use elenchus_core::evidence::{ReadPassage, Vintage, char_slice, replaced};
use elenchus_core::id::PassageId;
use elenchus_core::port::{Retriever, Said, SearchFilter, SearchReply, SearchRequest, Spot};
use elenchus_core::text::{content_set, squeeze};
use elenchus_io::verify::contradiction::{Limits, among};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Passages of a search that are held against each other.
const ABOUT: u16 = 400;

/// Pairs that are judged closely for each contradiction that is asked for, and at least.
const READ: usize = 10;
const READ_LEAST: usize = 200;

/// Share of the weight of a query's words that a passage must hold to bear on it.
const BEARS: f64 = 1.0 / 3.0;

/// What contradictions should be about. A search gives whatever comes nearest, also where nothing is near.
struct Topic {
    /// The content words of the query. A rare word says more of what is meant than a common one, and one that stands
    /// nowhere says most: where it is lacking, something else is spoken of.
    weights: BTreeMap<String, f64>,
    /// Passages that the query names by a reference, whatever their words are.
    looked_up: BTreeSet<PassageId>,
}

impl Topic {
    fn of(reply: &SearchReply, passages: u32) -> Self {
        let mut weights = BTreeMap::new();
        for term in &reply.terms {
            let weight = (1.0 + f64::from(passages) / (1.0 + f64::from(term.passages))).ln();
            weights.extend(content_set(&term.term).into_iter().map(|word| (word, weight)));
        }
        let named = reply.hits.iter().filter(|hit| hit.score >= 1.0);
        Self { weights, looked_up: named.map(|hit| hit.passage_id.clone()).collect() }
    }

    /// Whether a passage, under its title and headings, speaks of it.
    fn is_of(&self, read: &ReadPassage) -> bool {
        // Where no word of the query carries meaning, nothing can be told apart.
        if self.weights.is_empty() || self.looked_up.contains(&read.passage.id) {
            return true;
        }
        let said = read.said();
        self.is_in(&format!("{} {} {}", said.text, said.context, read.source.path))
    }

    fn is_in(&self, text: &str) -> bool {
        let words = content_set(text);
        let held = self.weights.iter().filter(|(word, _)| words.contains(*word));
        let held: f64 = held.map(|(_, weight)| weight).sum();
        held > 0.0 && held >= BEARS * self.weights.values().sum::<f64>()
    }
}

fn nothing_about(about: &str, json: bool, terminal: &Terminal) -> Result<()> {
    if json {
        return terminal
            .print_json(&json!({ "about": about, "passages": 0, "contradictions": [] }));
    }
    terminal.say(&format!(
        "no passage speaks of {:?}; name it in the words of the documents, or leave it out to look at all passages",
        squeeze(about)
    ));
    Ok(())
}

pub(super) async fn run(
    args: ContradictionsArgs,
    mut config: Config,
    terminal: &Terminal,
) -> Result<()> {
    set_corpus(&mut config, args.corpus)?;
    let place = place(&config, args.ephemeral)?;
    let mut interrupts = Interrupts::listen(terminal.clone());
    let (open, ingested) = place.open(terminal)?.sync(terminal, &mut interrupts).await?;
    crate::ui::progress::read(terminal, &ingested);
    let exclude = config.options().exclude;
    let (ids, topic) = match &args.about {
        None => (open.corpus.passage_ids(), None),
        Some(about) if about.trim().is_empty() => {
            return Err(CliError::usage(
                "could not look for contradictions",
                "what they should be about is empty",
                "name it in words, or leave it out to look at all passages",
            ));
        }
        Some(about) => {
            let request = SearchRequest {
                query: about.clone(),
                limit: ABOUT,
                per_source: 0,
                per_author: 0,
                expand: true,
                filter: SearchFilter { exclude: exclude.clone(), only: vec![] },
                outward: false,
                named: Vec::new(),
            };
            let reply = open.corpus.search(&request).await?;
            let topic = Topic::of(&reply, open.overview().passages);
            let ids: Vec<PassageId> = reply.hits.into_iter().map(|hit| hit.passage_id).collect();
            (ids, Some(topic))
        }
    };
    let mut reads = open.corpus.read(&ids).await?;
    reads.retain(|read| topic.as_ref().is_none_or(|topic| topic.is_of(read)));
    if let Some(about) = args.about.as_ref().filter(|_| reads.is_empty()) {
        return nothing_about(about, args.json, terminal);
    }
    let earlier = replaced(&reads);
    let is_old = |read: &ReadPassage| {
        read.source.vintage != Vintage::Current || earlier.contains_key(&read.source.id)
    };
    reads.retain(|read| {
        (args.superseded || !is_old(read))
            && !exclude
                .iter()
                .any(|part| read.source.path.to_lowercase().contains(&part.to_lowercase()))
    });
    terminal.status(&format!("comparing {}", counted(reads.len(), "passage")));
    let said = |read: &ReadPassage| {
        let mut said = read.said();
        if read.source.web.is_none() {
            // Copies are one witness of what they share. Where their sentences differ, each speaks for itself.
            said.group = read.source.id.to_string();
        }
        if is_old(read) {
            // Whoever asks for old documents wants to see what became of them: their time is no reason to leave them out.
            said.context.clear();
        }
        said
    };
    let texts: Vec<Said> = reads.iter().map(said).collect();
    let found = usize::from(args.limit);
    let limits = Limits { read: (READ * found).max(READ_LEAST), found, ..Limits::default() };
    let work = tokio::task::spawn_blocking(move || among(&texts, &limits));
    let found = tokio::select! {
        done = work => done.map_err(|error| CliError::new(
            crate::error::Kind::Failure,
            "could not look for contradictions",
            error.to_string(),
            "this is a defect of elenchus, report it",
        ))?,
        () = interrupts.wait() => return Err(CliError::new(
            crate::error::Kind::Interrupted,
            "stopped looking for contradictions",
            "you asked for it",
            "name what they should be about, which takes less time",
        )),
    };
    terminal.clear();
    let quote = |spot: Spot| {
        let read = &reads[spot.item];
        (read, char_slice(&read.passage.text, spot.span).unwrap_or_default())
    };
    if args.json {
        let all: Vec<_> = found
            .iter()
            .map(|one| {
                let side = |spot: Spot| {
                    let (read, text) = quote(spot);
                    json!({
                        "path": read.source.path,
                        "location": read.location(),
                        "passage_id": read.passage.id,
                        "quote": text,
                        "document_span": read.passage.in_document(spot.span),
                    })
                };
                json!({
                    "sides": [side(one.a), side(one.b)],
                    "why": one.why,
                    "strength": one.strength,
                    "summary": one.summary,
                })
            })
            .collect();
        return terminal.print_json(&json!({
            "about": args.about,
            "passages": reads.len(),
            "contradictions": all,
        }));
    }
    if found.is_empty() {
        terminal.say(&format!(
            "none was found in {}; much is missed rather than told wrongly",
            counted(reads.len(), "passage")
        ));
    }
    let mut out = String::new();
    for (place, one) in found.iter().enumerate() {
        let _ = writeln!(out, "{:>2}. {:.2}  {}", place + 1, one.strength, squeeze(&one.summary));
        for spot in [one.a, one.b] {
            let (read, text) = quote(spot);
            let _ = writeln!(
                out,
                "          {}: \u{201C}{}\u{201D}",
                squeeze(&read.location()),
                squeeze(text)
            );
        }
    }
    terminal.print(&out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::port::TermCount;

    fn topic(terms: &[(&str, u32)]) -> Topic {
        let terms = terms
            .iter()
            .map(|(term, passages)| TermCount { term: (*term).to_owned(), passages: *passages })
            .collect();
        Topic::of(&SearchReply { terms, ..SearchReply::default() }, 100)
    }

    #[test]
    fn a_passage_bears_on_a_query_by_its_telling_words() {
        let capacity = topic(&[("installed", 8), ("capacity", 9), ("array", 40)]);
        assert!(capacity.is_in("The capacities are given in MW."));
        assert!(!capacity.is_in("The array lies in the sound."), "it is named everywhere");
        // One common word of a question about something else is not enough.
        let tea = topic(&[("price", 10), ("tea", 0), ("china", 0)]);
        assert!(!tea.is_in("The price of a pump is 300 euros."));
        assert!(tea.is_in("The price of tea rose."));
    }
}
