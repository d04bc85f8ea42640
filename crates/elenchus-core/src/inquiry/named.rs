//! Sources that a person names for a run that has begun: documents of its folder and pages of the web.

use super::egress::{EgressMode, Sources};
use super::{Options, State};
use crate::bank::scrub;
use crate::id::EffectId;
use crate::text::squeeze;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Most sources that are named at a time.
const MOST: usize = 10;
/// The longest address or path, in characters.
const LONGEST: usize = 2_000;

/// Sources that a run is to look into before others, in its next round. They are read under the rules that hold for the run:
/// documents are those of its own folder, and a page is fetched as one that the user named at its start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewSources {
    /// Documents of the folder, by their paths or parts of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(max = 10)))]
    pub documents: Vec<String>,
    /// Whole addresses of pages. They stand in the trace: one that carries a secret is not taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(max = 10)))]
    pub pages: Vec<String>,
}

/// Why sources are not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourcesRefused {
    /// None is named.
    #[error("no source is named")]
    Nothing,
    /// More than are taken at a time.
    #[error("{0} sources are named")]
    TooMany(usize),
    /// One has no words, too many, or signs that no path or address has.
    #[error("{0:?} is no path of a document and no address")]
    Unreadable(String),
    /// A page is named for a run that looks at documents alone.
    #[error("the run looks at its documents alone, and reads no page of the web")]
    NoWeb,
    /// A page is named for a run that nothing of may leave the machine.
    #[error("the run is offline, and nothing is fetched for it")]
    Offline,
    /// A page's address is none of a page.
    #[error("{0:?} is no address of a page")]
    NoAddress(String),
    /// A page's address carries what is not to be kept.
    #[error(
        "an address carries a name, a password or another secret, and what a run is told stands in its trace"
    )]
    Secret,
    /// A document is named for a run without a folder.
    #[error("the run has no folder of documents")]
    NoDocuments,
}

impl SourcesRefused {
    /// What to do instead.
    pub fn way_out(&self) -> String {
        match self {
            Self::Nothing => "name a document by its path, or a page by its address".to_owned(),
            Self::TooMany(_) => format!("name at most {MOST} at a time"),
            Self::Unreadable(_) => {
                format!("write it in one line of at most {LONGEST} characters")
            }
            Self::NoWeb => {
                "put the page into the folder as a document, or ask again with the web".to_owned()
            }
            Self::Offline => "ask again with an egress mode that lets pages be fetched".to_owned(),
            Self::NoAddress(_) => {
                "give a whole address, such as https://example.org/page".to_owned()
            }
            Self::Secret => {
                "name the page when you ask, where its address is kept out of the trace".to_owned()
            }
            Self::NoDocuments => "name a page, or ask again with a folder of documents".to_owned(),
        }
    }
}

impl NewSources {
    /// Why they are not to be given to a run that was told this at its start and has so many documents; `None` where they may be.
    /// Whoever names sources asks this first.
    pub fn refusal(&self, options: &Options, documents: u32) -> Option<SourcesRefused> {
        let all = self.documents.len() + self.pages.len();
        if all == 0 {
            return Some(SourcesRefused::Nothing);
        }
        if all > MOST {
            return Some(SourcesRefused::TooMany(all));
        }
        let unreadable = self.documents.iter().chain(&self.pages).find(|text| !is_readable(text));
        if let Some(text) = unreadable {
            return Some(SourcesRefused::Unreadable(text.chars().take(80).collect()));
        }
        if !self.documents.is_empty() && documents == 0 {
            return Some(SourcesRefused::NoDocuments);
        }
        if self.pages.is_empty() {
            return None;
        }
        unfetched(options).or_else(|| self.pages.iter().find_map(|page| no_page(page)))
    }

    /// Every source.
    pub(crate) fn each(&self) -> impl Iterator<Item = NamedSource> + '_ {
        let documents = self.documents.iter().map(|path| NamedSource::Document(squeeze(path)));
        documents.chain(self.pages.iter().map(|page| NamedSource::Page(page.trim().to_owned())))
    }

    /// "finance/costs.md, https://a.example/".
    pub fn told(&self) -> String {
        let all: Vec<String> = self
            .documents
            .iter()
            .chain(&self.pages)
            .map(|text| squeeze(&scrub(text).text))
            .collect();
        all.join(", ")
    }
}

fn is_readable(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
        && text.chars().count() <= LONGEST
        && !text.chars().any(char::is_control)
}

/// Why no page is fetched for a run, whichever it is.
fn unfetched(options: &Options) -> Option<SourcesRefused> {
    match options.web.as_ref().filter(|web| web.sources != Sources::Local) {
        None => Some(SourcesRefused::NoWeb),
        Some(web) if web.egress == EgressMode::Offline => Some(SourcesRefused::Offline),
        Some(_) => None,
    }
}

/// What is wrong with an address, as far as that is seen of it. Whether its host may be reached is for the fetcher to say.
fn no_page(address: &str) -> Option<SourcesRefused> {
    let address = address.trim();
    let lower = address.to_ascii_lowercase();
    let rest = ["https://", "http://"].iter().find_map(|scheme| lower.strip_prefix(scheme));
    let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    if host.is_empty() || address.chars().any(char::is_whitespace) {
        return Some(SourcesRefused::NoAddress(scrub(address).text.chars().take(80).collect()));
    }
    (host.contains('@') || !scrub(address).kinds.is_empty()).then_some(SourcesRefused::Secret)
}

/// A source that a person named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NamedSource {
    /// A document, by its path or a part of it.
    Document(String),
    /// A page, by its address.
    Page(String),
}

impl NamedSource {
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Document(text) | Self::Page(text) => text,
        }
    }

    /// Whether a run may look into it at all. A journal may hold what no surface would have let through.
    pub(crate) fn may_be_read(&self, state: &State) -> bool {
        match self {
            Self::Document(path) => is_readable(path) && state.opened.corpus.documents > 0,
            Self::Page(page) => {
                is_readable(page) && unfetched(state.options()).is_none() && no_page(page).is_none()
            }
        }
    }
}

/// What became of the sources that were named.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Named {
    /// Those that the next round looks into.
    pub(crate) waiting: Vec<NamedSource>,
    /// Those that are being looked into.
    pub(crate) asked: BTreeMap<EffectId, NamedSource>,
}

impl Named {
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.asked.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::super::WebOptions;
    use super::*;

    fn with(sources: Sources, egress: EgressMode) -> Options {
        let web = WebOptions { sources, egress, ..WebOptions::default() };
        Options { web: Some(web), ..Options::default() }
    }

    fn page(address: &str) -> NewSources {
        NewSources { pages: vec![address.to_owned()], ..NewSources::default() }
    }

    fn document(path: &str) -> NewSources {
        NewSources { documents: vec![path.to_owned()], ..NewSources::default() }
    }

    #[test]
    fn sources_are_taken_under_the_rules_of_the_run() {
        let local = Options::default();
        let hybrid = with(Sources::Hybrid, EgressMode::Public);
        assert_eq!(document("finance/costs.md").refusal(&local, 3), None);
        assert_eq!(page("https://a.example/b?c=d").refusal(&hybrid, 3), None);
        assert_eq!(
            page("http://wiki.lan").refusal(&with(Sources::Web, EgressMode::PrivateOnly), 0),
            None
        );
        let offline = with(Sources::Hybrid, EgressMode::Offline);
        for (named, options, documents, why) in [
            (NewSources::default(), &local, 3, SourcesRefused::Nothing),
            (document("  "), &local, 3, SourcesRefused::Unreadable("  ".to_owned())),
            (document("a\nb"), &local, 3, SourcesRefused::Unreadable("a\nb".to_owned())),
            (document("a.md"), &hybrid, 0, SourcesRefused::NoDocuments),
            (page("https://a.example/"), &local, 3, SourcesRefused::NoWeb),
            (
                page("https://a.example/"),
                &with(Sources::Local, EgressMode::Public),
                3,
                SourcesRefused::NoWeb,
            ),
            (page("https://a.example/"), &offline, 3, SourcesRefused::Offline),
            (
                page("file:///etc/hosts"),
                &hybrid,
                3,
                SourcesRefused::NoAddress("file:///etc/hosts".to_owned()),
            ),
            (page("https://"), &hybrid, 3, SourcesRefused::NoAddress("https://".to_owned())),
            (
                page("https://a.example/ b"),
                &hybrid,
                3,
                SourcesRefused::NoAddress("https://a.example/ b".to_owned()),
            ),
            (page("https://ann:river@a.example/"), &hybrid, 3, SourcesRefused::Secret),
            (
                page("https://a.example/x?page=2&sig=aB3dE5fG7hJ9kL1mN3pQ"),
                &hybrid,
                3,
                SourcesRefused::Secret,
            ),
        ] {
            assert_eq!(named.refusal(options, documents), Some(why.clone()), "{named:?}");
            assert!(!why.way_out().is_empty());
        }
        let many = NewSources { documents: vec!["a.md".to_owned(); 11], ..NewSources::default() };
        assert_eq!(many.refusal(&local, 3), Some(SourcesRefused::TooMany(11)));
    }
}
