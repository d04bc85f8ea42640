//! A document and the passages cut from it.

use super::{DocDate, PartialDate, Span};
use crate::id::{PassageId, SourceId, Timestamp};
use crate::port::{Pair, Said};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// How a document stands to newer vintages of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Vintage {
    /// Nothing says that it is out of date.
    #[default]
    Current,
    /// The document says of itself that it is superseded, or it lies in an archive folder.
    Superseded,
}

/// A document of a corpus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Source {
    /// From the path.
    pub id: SourceId,
    /// Relative to the corpus, with forward slashes.
    pub path: String,
    /// First heading, front-matter title, HTML title, or the file name made readable.
    pub title: String,
    /// Where the document names one: front matter, a "Prepared by" line, or a file name that starts with a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The date the document states for itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<DocDate>,
    /// Whether it is an old vintage by its own word.
    #[serde(default)]
    pub vintage: Vintage,
    /// SHA-256 of the file's bytes, hexadecimal.
    pub content_hash: String,
    /// Documents with the same value are the same report for another period (title without dates and versions), lower case.
    pub family: String,
    /// Near-duplicate or syndicated copies share a cluster and count as one source. The id of the cluster's first source.
    pub cluster: SourceId,
    /// Where it came from, when it was read on the web.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub web: Option<Box<WebPage>>,
}

/// What is known of a page besides its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WebPage {
    /// The address that a reader can open: the page's canonical one where it stands on the same site, else the one
    /// that was fetched. Also the document's `path`.
    pub url: String,
    /// The registrable domain of `url` ("example.co.uk"), or host and port of a bare address. One publisher, roughly.
    pub site: String,
    /// When it was fetched.
    pub retrieved_at: Timestamp,
    /// How it came to be wanted: a provider's name, "named in the question", or the page that links to it.
    pub via: String,
    /// When the page says it was published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<PartialDate>,
    /// When the page says it was last changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<PartialDate>,
    /// The licence that the page states, as an address or in its own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// Characters that a reader of the page would not have seen. They were left out; their presence speaks against the
    /// page.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hidden: u32,
    /// Why it counts as one source with others of its cluster, where it does: "cites example.org".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub one_with: Vec<String>,
    /// Whether it stands on a site where whoever likes publishes and nobody edits. Pages that earlier versions read do not say.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub self_published: bool,
}

/// What evidence of a self-published page counts, beside that of any other source. Set by hand: no labelled set tells how
/// often such pages are right.
const SELF_PUBLISHED: f64 = 0.5;

impl Source {
    /// How much its evidence weighs, 0 to 1, for a claim and against it. Documents of the user's own and ordinary pages weigh 1:
    /// which of those can be believed shows only in what others say. That copies are one source, and that an old vintage does not
    /// contradict, is counted elsewhere and takes nothing off here.
    pub fn reliability(&self) -> f64 {
        match &self.web {
            Some(page) if page.self_published => SELF_PUBLISHED,
            _ => 1.0,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// A contiguous piece of a document's extracted text, at most 500 characters unless one sentence is longer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Passage {
    /// Source id and ordinal.
    pub id: PassageId,
    /// The document.
    pub source_id: SourceId,
    /// The exact slice `span` of the extracted text.
    pub text: String,
    /// Characters of the document's extracted text.
    pub span: Span,
    /// Headings above the passage, outermost first, without markup.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heading_path: Vec<String>,
    /// From 1, for paged formats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Column names, when the passage begins inside a table or holds rows of one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub table_header: Vec<String>,
    /// The sentence before a list that the passage continues ("Common redlines:"), when it is not in the passage itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead_in: Option<String>,
    /// A row or record name for formats that have one ("John.1.1", "row 12").
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
}

impl Passage {
    /// Where characters of the passage stand in its document's extracted text.
    pub fn in_document(&self, span: Span) -> Span {
        Span { start: self.span.start + span.start, end: self.span.start + span.end }
    }
}

/// A passage together with its document: what a `read` effect gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReadPassage {
    /// The document.
    pub source: Source,
    /// The piece of it.
    pub passage: Passage,
}

impl ReadPassage {
    /// The passage as a text that may contradict others: under its title, headings and date, in the group of its
    /// document's copies.
    pub fn said(&self) -> Said {
        let mut context = vec![self.source.title.clone()];
        context.extend(self.passage.heading_path.iter().cloned());
        context.extend(self.source.date.as_ref().map(|date| date.value.to_string()));
        Said {
            text: self.passage.text.clone(),
            context: context.join(". "),
            group: self.source.cluster.to_string(),
        }
    }

    /// The passage held against a claim, under its title and headings (outermost first, none twice).
    pub fn held_against(&self, claim: &str) -> Pair {
        let mut above = vec![self.source.title.clone()];
        above
            .extend(self.passage.heading_path.iter().filter(|h| **h != self.source.title).cloned());
        Pair { claim: claim.to_owned(), evidence: vec![self.passage.text.clone()], above }
    }

    /// "report.pdf, p. 2", "notes.md, Funding history": where a reader finds it.
    pub fn location(&self) -> String {
        let mut text = self.source.path.clone();
        if let Some(page) = self.passage.page {
            write!(text, ", p. {page}").expect("writing to a String cannot fail");
        }
        if let Some(record) = &self.passage.record {
            write!(text, ", {record}").expect("writing to a String cannot fail");
        }
        // The outermost heading is usually the title, which the reader has already.
        let mut headings = self.passage.heading_path.as_slice();
        if headings.first().is_some_and(|first| *first == self.source.title) {
            headings = &headings[1..];
        }
        if !headings.is_empty() {
            write!(text, ", {}", headings.join(" > ")).expect("writing to a String cannot fail");
        }
        text
    }
}
