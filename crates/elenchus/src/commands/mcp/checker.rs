//! Judging for clients of the protocol: the same code as `elenchus verify`, `fallacies` and `search`.

use crate::commands::place;
use crate::commands::serve::refused;
use crate::commands::verify::{Part, examined};
use crate::config::Config;
use crate::error::{CliError, Result};
use crate::signals::Interrupts;
use crate::ui::terminal::Terminal;
use crate::wire::{self, CorpusPlace, OpenCorpus};
use elenchus_core::bank::Caller;
use elenchus_core::belief::ClaimDefect;
use elenchus_core::evidence::char_slice;
use elenchus_core::id::PassageId;
use elenchus_core::port::{Retriever, SearchFilter, SearchRequest};
use elenchus_core::scrutiny::fallacy::{
    Finding, Language, Options, Point, Reader, detect, language,
};
use elenchus_core::text::squeeze;
use elenchus_server::mcp::ports::{
    Checker, Checking, Fetched, Finder, Found, NotTaken, Refusal, Told, Verification,
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};

/// Characters of a sentence that was not taken as a claim.
const SHOWN: usize = 240;

/// Judges texts, with the settings of the server.
#[derive(Clone)]
pub(crate) struct Judgement {
    pub(crate) config: Config,
    pub(crate) interrupts: Interrupts,
    pub(crate) terminal: Terminal,
}

/// A folder that is removed with its last user.
struct Passing(PathBuf);

impl Passing {
    fn new() -> Result<Self> {
        let name = RandomState::new().hash_one(std::process::id());
        let folder = std::env::temp_dir().join(format!("elenchus-sources-{name:016x}"));
        private(&folder).map_err(|error| unwritable(&folder, &error))?;
        Ok(Self(folder))
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        // What is left lies in the folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A new folder that others cannot read.
fn private(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn unwritable(path: &Path, error: &std::io::Error) -> CliError {
    CliError::storage(
        "could not put the sources where they can be read",
        format!("{}: {error}", path.display()),
        "make room in the folder for temporary files (TMPDIR)",
    )
}

impl Judgement {
    async fn documents(&self) -> Result<OpenCorpus> {
        let place = place(&self.config, false)?;
        self.opened(&place).await
    }

    async fn opened(&self, place: &CorpusPlace) -> Result<OpenCorpus> {
        let mut interrupts = self.interrupts.clone();
        let terminal = Terminal::silent();
        Ok(place.open(&terminal)?.sync(&terminal, &mut interrupts).await?.0)
    }

    async fn verified(&self, checking: &Checking<'_>) -> Result<Verification> {
        let Checking { text, sources, from, most, heard } = *checking;
        let passing;
        let open = if sources.is_empty() {
            self.documents().await?
        } else {
            passing = Passing::new()?;
            for (at, source) in sources.iter().enumerate() {
                let file = passing.0.join(file_name(at, &source.title));
                fs::write(&file, &source.text).map_err(|error| unwritable(&file, &error))?;
            }
            let place = CorpusPlace {
                root: wire::folder(&passing.0)?,
                index: None,
                index_named: false,
                embedder: self.config.text("embedder").unwrap_or("builtin").to_owned(),
                max_file_mb: self.config.whole("ingest.max_file_mb").unwrap_or(64),
                secrets: wire::secrets(&self.config),
                settings: self.config.clone(),
            };
            self.opened(&place).await?
        };
        let verifier =
            wire::verifier(self.config.text("verifier").unwrap_or("builtin"), &self.config)?;
        let part = Part { from, most, heard };
        let examined = examined(text, part, &open, &*verifier, &self.config, &self.terminal).await;
        // Those of other parts are told with these.
        let is_here = |defect: &ClaimDefect| {
            defect.span.start >= from && examined.next.is_none_or(|next| defect.span.start < next)
        };
        let not_taken = examined.defects.iter().filter(|defect| is_here(defect));
        let not_taken = not_taken.map(|defect| NotTaken {
            text: char_slice(text, defect.span).unwrap_or_default().chars().take(SHOWN).collect(),
            reason: defect.reason.clone(),
        });
        Ok(Verification {
            verifier: verifier.id().to_owned(),
            not_taken: not_taken.collect(),
            checked: examined.checked,
            left_out: examined.left_out,
            next: examined.next,
        })
    }
}

/// A name that says which source it is, and is one on every system.
fn file_name(at: usize, title: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "-_ .".contains(c) { c } else { '_' };
    let name: String = title.chars().map(plain).take(60).collect();
    format!("{:02} {}.md", at + 1, name.trim_end_matches(".md").trim_matches([' ', '.']))
}

impl Checker for Judgement {
    fn verify<'a>(&'a self, _: &'a Caller, checking: &'a Checking<'a>) -> Told<'a, Verification> {
        Box::pin(async move { self.verified(checking).await.map_err(refused) })
    }

    fn fallacies<'a>(&'a self, text: &'a str, sensitive: bool) -> Told<'a, Vec<Finding>> {
        Box::pin(async move {
            if language(text) == Language::Other {
                return Err(Refusal::new(
                    "could not look for fallacies",
                    "the text has too few English function words to be English, and other languages are not read",
                    "give an English text; nothing is guessed about others",
                ));
            }
            let point = if sensitive { Point::Sensitive } else { Point::Strict };
            Ok(detect(text, &Options { point, theology: false, reader: Reader::Asked }))
        })
    }
}

/// What stands in an address as it is.
const KEPT: AsciiSet =
    NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The address of a document of the corpus.
fn url(place: &CorpusPlace, path: &str) -> String {
    let path = place.root.join(path);
    let shown = path.to_string_lossy().replace('\\', "/");
    format!("file://{}", utf8_percent_encode(&shown, &KEPT))
}

impl Finder for Judgement {
    fn search<'a>(&'a self, _: &'a Caller, query: &'a str) -> Told<'a, Vec<Found>> {
        Box::pin(async move {
            let place = place(&self.config, false).map_err(refused)?;
            let open = self.opened(&place).await.map_err(refused)?;
            let request = SearchRequest {
                query: query.to_owned(),
                limit: 10,
                per_source: 0,
                per_author: 0,
                expand: false,
                filter: SearchFilter::default(),
                outward: false,
                named: Vec::new(),
            };
            let reply = open.corpus.search(&request).await;
            let reply = reply.map_err(|failure| refused(failure.into()))?;
            Ok(reply
                .hits
                .iter()
                .map(|hit| Found {
                    id: hit.passage_id.to_string(),
                    title: squeeze(&hit.title),
                    url: url(&place, &hit.path),
                })
                .collect())
        })
    }

    fn fetch<'a>(&'a self, _: &'a Caller, id: &'a str) -> Told<'a, Fetched> {
        Box::pin(async move {
            let place = place(&self.config, false).map_err(refused)?;
            let open = self.opened(&place).await.map_err(refused)?;
            let passage = PassageId::from(id);
            let read = open.corpus.read(std::slice::from_ref(&passage)).await;
            let read = read.map_err(|_| {
                let shown: String = id.chars().take(60).collect();
                Refusal::new(
                    format!("could not fetch {shown:?}"),
                    "there is no such passage",
                    "give an id that search gave",
                )
            })?;
            let Some(read) = read.into_iter().next() else {
                return Err(Refusal::new(
                    "could not fetch the document",
                    "nothing was read",
                    "search again",
                ));
            };
            let source = read.source.id.clone();
            let text = open.corpus.document_text(&source);
            let text = text.map_err(|error| refused(error.into()))?;
            Ok(Fetched {
                id: id.to_owned(),
                title: squeeze(&read.source.title),
                text: text.unwrap_or_else(|| read.passage.text.clone()),
                url: url(&place, &read.source.path),
                metadata: json!({ "passage": read.passage.text, "location": read.location() }),
            })
        })
    }
}
