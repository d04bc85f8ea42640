//! Which web documents are one source.
//!
//! Ten pages that repeat one report are one witness. Documents are one source when they have one publisher, when their
//! texts are copies, when they print the report of one news agency, or when one of them passes on what the other says.
//! Every union has a reason that can be shown.
//!
//! What is told here is a partition, so that being one source is transitive. Without care, whoever prints the words of
//! many would melt them into one: a portal with the reports of two agencies, or a liar who mirrors every honest page
//! to make one witness of them all. Therefore
//!
//! - what is a copy belongs to the words it copies and not to the site that shows it. Of the publishers of one text the
//!   one keeps it as its own that shares the fewest texts with others, then the one with the earlier date;
//! - a publisher follows at most one other by what it attributes, the one that it leans on most, and copies attribute
//!   nothing.

mod cites;
mod overlap;
mod wire;

use crate::retrieve::cluster::{clusters, signature};
use elenchus_core::evidence::Source;
use elenchus_core::id::SourceId;
use reqwest::Url;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Bytes of a text that are looked at: a report, not a book.
const LOOKED_AT: usize = 200 << 10;

/// Sites at which others publish, so that the author and not the site is the publisher.
const OPEN_TO_ALL: &[&str] = &[
    "academia.edu",
    "arxiv.org",
    "biorxiv.org",
    "doi.org",
    "europepmc.org",
    "facebook.com",
    "github.com",
    "gitlab.com",
    "handle.net",
    "hal.science",
    "jstor.org",
    "linkedin.com",
    "medium.com",
    "medrxiv.org",
    "openalex.org",
    "osf.io",
    "quora.com",
    "reddit.com",
    "researchgate.net",
    "scribd.com",
    "semanticscholar.org",
    "slideshare.net",
    "ssrn.com",
    "substack.com",
    "tumblr.com",
    "twitter.com",
    "vimeo.com",
    "x.com",
    "youtube.com",
    "zenodo.org",
];

/// Of these, those where what is published was read by nobody before; the others are archives of papers, of code and of talks.
const SELF_PUBLISHED: &[&str] = &[
    "facebook.com",
    "linkedin.com",
    "medium.com",
    "quora.com",
    "reddit.com",
    "scribd.com",
    "slideshare.net",
    "substack.com",
    "tumblr.com",
    "twitter.com",
    "x.com",
];

/// Hosts that give each of their customers a site of its own, to write on.
const BLOG_HOSTS: &[&str] =
    &["blogspot.com", "medium.com", "substack.com", "tumblr.com", "wordpress.com"];

/// Whether whoever likes publishes on a site (a registrable domain) and nobody edits.
pub(crate) fn is_self_published(site: &str) -> bool {
    let is_customer = |host: &str| {
        site.strip_suffix(host).is_some_and(|name| name.ends_with('.') && name.len() > 1)
    };
    SELF_PUBLISHED.contains(&site) || BLOG_HOSTS.iter().any(|host| is_customer(host))
}

/// A document as far as its independence goes.
#[derive(Clone, Copy, Debug)]
pub struct Witness<'a> {
    /// What is known of it.
    pub source: &'a Source,
    /// Its text.
    pub text: &'a str,
    /// The links found on it, as address and words.
    pub links: &'a [(String, String)],
}

/// Why two documents are one source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tie {
    /// They have one publisher: a registrable domain, or an author on a site that is open to all.
    Publisher(String),
    /// Their texts are nearly the same.
    Copy,
    /// They print the report of this agency.
    Wire(String),
    /// One passes on what the other's site says.
    Cites(String),
}

impl fmt::Display for Tie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Publisher(site) => write!(f, "same publisher {site}"),
            Self::Copy => f.write_str("nearly the same text"),
            Self::Wire(agency) => write!(f, "wire report of {agency}"),
            Self::Cites(site) => write!(f, "cites {site}"),
        }
    }
}

/// One union.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Union {
    /// One document; with [`Tie::Cites`] the one that cites.
    pub one: SourceId,
    /// The other.
    pub other: SourceId,
    /// Why.
    pub tie: Tie,
}

/// Who is independent of whom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Independence {
    /// For each document, in the order given, the id that its cluster goes by: that of its member whose path comes
    /// first.
    pub leaders: Vec<SourceId>,
    /// What was united and why, sorted. Unions that a chain of others implies are left out, so that this is a forest.
    pub unions: Vec<Union>,
}

impl Independence {
    /// How many sources there are.
    pub fn sources(&self) -> usize {
        let mut leaders: Vec<&SourceId> = self.leaders.iter().collect();
        leaders.sort_unstable();
        leaders.dedup();
        leaders.len()
    }
}

/// Which of these documents are one source. Pure: the same documents in any order give the same clusters and reasons.
pub fn independence(witnesses: &[Witness<'_>]) -> Independence {
    // One order whatever the caller's, so that nothing depends on it.
    let mut order: Vec<usize> = (0..witnesses.len()).collect();
    order.sort_by(|a, b| {
        let key =
            |at: usize| (&witnesses[at].source.path, &witnesses[at].source.id, witnesses[at].text);
        key(*a).cmp(&key(*b)).then_with(|| witnesses[*a].links.cmp(witnesses[*b].links))
    });
    let sorted: Vec<Witness<'_>> = order
        .iter()
        .map(|at| {
            let text = witnesses[*at].text;
            let text = text.get(..text.floor_char_boundary(LOOKED_AT)).unwrap_or(text);
            Witness { text, ..witnesses[*at] }
        })
        .collect();
    let mut parts = Parts { leader: (0..sorted.len()).collect(), unions: Vec::new() };
    copies(&sorted, &mut parts);
    let printed = wire_reports(&sorted, &mut parts);
    let borrowed = borrowed(&sorted, &parts, &printed);
    one_publisher(&sorted, &borrowed, &mut parts);
    citations(&sorted, &borrowed, &mut parts);

    let mut leaders = vec![None; witnesses.len()];
    for (place, at) in order.iter().enumerate() {
        leaders[*at] = Some(sorted[parts.find(place)].source.id.clone());
    }
    let union = |(one, other, tie): (usize, usize, Tie)| Union {
        one: sorted[one].source.id.clone(),
        other: sorted[other].source.id.clone(),
        tie,
    };
    let mut unions: Vec<Union> = parts.unions.into_iter().map(union).collect();
    unions.sort_unstable();
    Independence { leaders: leaders.into_iter().flatten().collect(), unions }
}

/// A partition of the sorted documents. The leader of a part is its first member.
struct Parts {
    leader: Vec<usize>,
    unions: Vec<(usize, usize, Tie)>,
}

impl Parts {
    fn find(&self, mut at: usize) -> usize {
        while self.leader[at] != at {
            at = self.leader[at];
        }
        at
    }

    fn unite(&mut self, one: usize, other: usize, tie: Tie) {
        let (a, b) = (self.find(one), self.find(other));
        if a != b {
            self.leader[a.max(b)] = a.min(b);
            self.unions.push((one, other, tie));
        }
    }
}

/// Which documents are somebody else's words: reports of an agency that others print, too, and of the texts that several
/// publishers show those of all but one.
fn borrowed(sorted: &[Witness<'_>], parts: &Parts, printed: &BTreeSet<usize>) -> Vec<bool> {
    let publishers: Vec<Option<String>> =
        sorted.iter().map(|witness| publisher(witness.source)).collect();
    let mut texts: BTreeMap<usize, BTreeMap<&str, Vec<usize>>> = BTreeMap::new();
    for (at, publisher) in publishers.iter().enumerate() {
        if let Some(publisher) = publisher
            && !printed.contains(&at)
        {
            texts.entry(parts.find(at)).or_default().entry(publisher).or_default().push(at);
        }
    }
    texts.retain(|_, shown_by| shown_by.len() > 1);
    let shared = |publisher: &str| texts.values().filter(|by| by.contains_key(publisher)).count();
    let date = |pages: &[usize]| {
        let dates = pages.iter().filter_map(|at| {
            let source = sorted[*at].source;
            let published = source.web.as_ref().and_then(|web| web.published);
            published.or(source.date.as_ref().map(|date| date.value))
        });
        dates.map(elenchus_core::evidence::PartialDate::order_key).min().unwrap_or(i64::MAX)
    };
    let mut borrowed: Vec<bool> = (0..sorted.len()).map(|at| printed.contains(&at)).collect();
    for shown_by in texts.values() {
        let own = shown_by.iter().min_by_key(|(publisher, pages)| {
            (shared(publisher), date(pages), pages.first().copied())
        });
        for (publisher, pages) in shown_by {
            if own.is_none_or(|(own, _)| own != publisher) {
                for at in pages {
                    borrowed[*at] = true;
                }
            }
        }
    }
    borrowed
}

fn one_publisher(sorted: &[Witness<'_>], borrowed: &[bool], parts: &mut Parts) {
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    for (at, witness) in sorted.iter().enumerate().filter(|(at, _)| !borrowed[*at]) {
        let Some(publisher) = publisher(witness.source) else { continue };
        match first.get(&publisher) {
            Some(other) => parts.unite(*other, at, Tie::Publisher(publisher)),
            None => {
                first.insert(publisher, at);
            }
        }
    }
}

/// Whose word a web document is: its site, or its author where a site is open to all. `None` when that cannot be said.
fn publisher(source: &Source) -> Option<String> {
    let web = source.web.as_ref()?;
    // A document of an index stands there like a file in a folder: the index publishes nothing.
    if web.site.is_empty() || web.url.contains("/_doc/") {
        return None;
    }
    if !OPEN_TO_ALL.contains(&web.site.as_str()) {
        return Some(web.site.clone());
    }
    let author = source.author.as_deref()?.trim().to_lowercase();
    (!author.is_empty()).then(|| format!("{author} on {}", web.site))
}

fn copies(sorted: &[Witness<'_>], parts: &mut Parts) {
    let signatures: Vec<Vec<u8>> = sorted.iter().map(|witness| signature(witness.text)).collect();
    for (at, leader) in clusters(&signatures).into_iter().enumerate() {
        parts.unite(leader, at, Tie::Copy);
    }
}

/// Unites the printings of one report; gives all reports of which there is more than one.
fn wire_reports(sorted: &[Witness<'_>], parts: &mut Parts) -> BTreeSet<usize> {
    let mut printed = BTreeSet::new();
    let mut by_agency: BTreeMap<&str, Vec<(usize, overlap::Content)>> = BTreeMap::new();
    for (at, witness) in sorted.iter().enumerate() {
        if let Some(agency) = wire::agency(witness.text, witness.source.author.as_deref()) {
            by_agency.entry(agency).or_default().push((at, overlap::Content::of(witness.text)));
        }
    }
    for (agency, reports) in by_agency {
        for (place, (other, theirs)) in reports.iter().enumerate() {
            for (one, ours) in &reports[..place] {
                // An agency has many reports; only the same one is one source.
                if ours.tells_the_same(theirs) {
                    parts.unite(*one, *other, Tie::Wire(agency.to_owned()));
                    printed.extend([*one, *other]);
                }
            }
        }
    }
    printed
}

/// Each part follows at most one other: the one that its pages lean on most.
fn citations(sorted: &[Witness<'_>], borrowed: &[bool], parts: &mut Parts) {
    let before: Vec<usize> = (0..sorted.len()).map(|at| parts.find(at)).collect();
    // From each part to each other: how much it leans on it, and the pages that show it best.
    let mut leaning: BTreeMap<(usize, usize), (usize, usize, usize, usize)> = BTreeMap::new();
    for citation in cites::citations(sorted).into_iter().filter(|one| !borrowed[one.from]) {
        let (from, to) = (before[citation.from], before[citation.to]);
        if from == to {
            continue;
        }
        let entry = leaning.entry((from, to)).or_default();
        entry.0 += citation.shared;
        if citation.shared > entry.1 {
            *entry = (entry.0, citation.shared, citation.from, citation.to);
        }
    }
    let mut strongest: BTreeMap<usize, (usize, usize, usize)> = BTreeMap::new();
    for ((from, _), (sum, _, one, other)) in leaning {
        let best = strongest.entry(from).or_default();
        if sum > best.0 {
            *best = (sum, one, other);
        }
    }
    for (_, one, other) in strongest.into_values() {
        let site = sorted[other].source.web.as_ref().map_or("", |web| web.site.as_str());
        parts.unite(one, other, Tie::Cites(site.to_owned()));
    }
}

/// The registrable domain of an address, or its host and port where it has none.
fn site_of(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let host = url.host_str()?.trim_end_matches('.').to_ascii_lowercase();
    match psl::domain_str(&host) {
        Some(domain) if host.parse::<std::net::IpAddr>().is_err() => Some(domain.to_owned()),
        _ => Some(url.port().map_or(host.clone(), |port| format!("{host}:{port}"))),
    }
}

#[cfg(test)]
mod tests;
