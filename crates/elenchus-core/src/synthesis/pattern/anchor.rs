//! Anchors: what ten or more voices cite or name.

use super::names::mentions;
use super::{Place, voice};
use crate::evidence::ReadPassage;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A name in so large a share of the passages of most voices is what they all write about, and anchors nothing.
const SUBJECT: f64 = 0.02;
/// Passages of a voice from which on that share says something.
const LONG: usize = 30;
/// Places shown an anchor, one a voice.
const PLACES: usize = 12;

/// What kind of thing is cited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AnchorKind {
    /// A numbered place of a text ("John 1:1").
    Reference,
    /// A document of the corpus, by its title.
    Document,
    /// A page, by its address.
    Link,
    /// A person, place, work or organisation, by its name.
    Name,
}

/// Something that many voices cite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Anchor {
    /// As it is cited most.
    pub name: String,
    /// What it is.
    pub kind: AnchorKind,
    /// Independent voices that cite it, its own author left out.
    pub voices: usize,
    /// Passages that do.
    pub passages: usize,
    /// One place a voice, at most twelve.
    pub places: Vec<Place>,
}

#[derive(Default)]
struct Spread {
    /// The first passage, and how many.
    voices: BTreeMap<String, (usize, usize)>,
    passages: usize,
}

impl Spread {
    fn note(&mut self, at: usize, voice: &str) {
        self.passages += 1;
        self.voices.entry(voice.to_owned()).or_insert((at, 0)).1 += 1;
    }

    /// The median share of the passages of those long voices that hold it; 0 when fewer than three do.
    fn share(&self, lengths: &BTreeMap<String, usize>) -> f64 {
        let mut shares: Vec<f64> = self
            .voices
            .iter()
            .filter_map(|(voice, (_, count))| {
                let length = lengths.get(voice).copied().filter(|length| *length >= LONG)?;
                Some(*count as f64 / length as f64)
            })
            .collect();
        if shares.len() < 3 {
            return 0.0;
        }
        shares.sort_by(f64::total_cmp);
        shares[shares.len() / 2]
    }
}

/// What at least `least` voices cite, the most widely cited first; of one kind after the other. Time grows with the text.
pub fn anchors(reads: &[ReadPassage], least: usize) -> Vec<Anchor> {
    let titles = titles(reads);
    let mut spread: BTreeMap<(AnchorKind, String), Spread> = BTreeMap::new();
    let mut lower: BTreeMap<String, usize> = BTreeMap::new();
    let mut lengths: BTreeMap<String, usize> = BTreeMap::new();
    let mut named: BTreeSet<(usize, String)> = BTreeSet::new();
    let mut led: Vec<(usize, String, String)> = Vec::new();
    let mut adjectives: BTreeSet<String> = BTreeSet::new();
    for (at, read) in reads.iter().enumerate() {
        let found = mentions(&read.passage.text);
        let voice = voice(&read.source);
        *lengths.entry(voice.clone()).or_default() += 1;
        let mut note = |kind: AnchorKind, name: String| {
            spread.entry((kind, name)).or_default().note(at, &voice);
        };
        // The notes are an editor's, who cites what his author cites but names what he likes.
        let notes = read.passage.heading_path.iter().any(|heading| {
            let heading = heading.to_lowercase();
            heading == "notes" || heading == "footnotes"
        });
        if !notes {
            named.extend(found.names.into_iter().map(|name| (at, name)));
            led.extend(found.led.into_iter().map(|(lead, rest)| (at, lead, rest)));
        }
        adjectives.extend(found.adjectives);
        // In a text whose passages are themselves numbered, a number is a heading.
        if read.passage.record.is_none() {
            for reference in found.references {
                note(AnchorKind::Reference, reference);
            }
        }
        for link in found.links {
            note(AnchorKind::Link, link);
        }
        for title in cited(&titles, read) {
            note(AnchorKind::Document, title.to_owned());
        }
        for word in found.lower {
            *lower.entry(word).or_default() += 1;
        }
    }
    let inside: BTreeSet<String> = named.iter().map(|(_, name)| name.clone()).collect();
    named
        .extend(led.into_iter().map(|(at, lead, rest)| (at, whole(&lead, &rest, &inside, &lower))));
    for (at, name) in named {
        let source = &reads[at].source;
        // Nobody is an anchor by naming himself.
        if !source.author.as_deref().is_some_and(|by| by.contains(&name)) {
            spread.entry((AnchorKind::Name, name)).or_default().note(at, &voice(source));
        }
    }
    let wide = |wanted: AnchorKind| -> BTreeSet<String> {
        spread
            .iter()
            .filter(|((kind, _), spread)| *kind == wanted && spread.voices.len() >= least)
            .map(|((_, name), _)| name.clone())
            .collect()
    };
    let (singular, titled) = (wide(AnchorKind::Name), wide(AnchorKind::Document));
    // "Veldic" of a place, by its form or because it is the place's name with an n.
    let describes = |name: &str| {
        adjectives.contains(name)
            || (name.ends_with("an")
                && name.strip_suffix('n').is_some_and(|place| singular.contains(place)))
    };
    let mut all: Vec<Anchor> = spread
        .into_iter()
        .filter(|((kind, name), spread)| {
            let common = lower.get(&name.to_lowercase()).copied().unwrap_or(0);
            spread.voices.len() >= least
                && (*kind != AnchorKind::Name
                    || (common * 4 < spread.passages
                        // A document that is called by its title is told as such, once.
                        && !titled.contains(name)
                        && !describes(name)
                        && spread.share(&lengths) <= SUBJECT
                        && !name.strip_suffix('s').is_some_and(|one| singular.contains(one))))
        })
        .map(|((kind, name), spread)| Anchor {
            voices: spread.voices.len(),
            passages: spread.passages,
            places: spread
                .voices
                .values()
                .take(PLACES)
                .map(|(at, _)| Place::of(&reads[*at], around(&reads[*at].passage.text, &name)))
                .collect(),
            name,
            kind,
        })
        .collect();
    all.sort_by(|a, b| {
        a.kind.cmp(&b.kind).then(b.voices.cmp(&a.voices)).then_with(|| a.name.cmp(&b.name))
    });
    all
}

/// The name that begins a sentence: with its first word, unless that is a word like others (it stands elsewhere in lower case) or
/// the rest is a name by itself within sentences and the whole is not.
fn whole(
    lead: &str,
    rest: &str,
    inside: &BTreeSet<String>,
    lower: &BTreeMap<String, usize>,
) -> String {
    let whole = format!("{lead} {rest}");
    let rest = rest.trim_start_matches("& ");
    let apart = !inside.contains(&whole) && inside.contains(rest);
    if apart || lower.contains_key(&lead.to_lowercase()) { rest.to_owned() } else { whole }
}

/// The text from a little before the name on.
fn around<'t>(text: &'t str, name: &str) -> &'t str {
    let first = name.split(' ').find(|word| word.chars().count() > 2).unwrap_or(name);
    let at = text.find(name).or_else(|| text.find(first)).unwrap_or(0);
    let start = text[..at].char_indices().rev().nth(60).map_or(0, |(start, _)| start);
    let start =
        text[start..at].find(' ').filter(|_| start > 0).map_or(start, |gap| start + gap + 1);
    &text[start..]
}

/// Titles that are distinctive enough to be recognised, by their first word.
fn titles(reads: &[ReadPassage]) -> BTreeMap<&str, BTreeSet<(&str, &str)>> {
    let mut titles: BTreeMap<&str, BTreeSet<(&str, &str)>> = BTreeMap::new();
    for read in reads {
        let title = read.source.title.as_str();
        let words: Vec<&str> = title.split_whitespace().collect();
        let long = words.iter().filter(|word| word.chars().count() > 3).count();
        if words.len() >= 2
            && long >= 2
            && let Some(first) = words.first()
        {
            titles.entry(first).or_default().insert((title, read.source.cluster.as_str()));
        }
    }
    titles
}

/// Titles of other documents that a passage names, letter for letter.
fn cited<'t>(
    titles: &BTreeMap<&'t str, BTreeSet<(&'t str, &'t str)>>,
    read: &ReadPassage,
) -> BTreeSet<&'t str> {
    let text = read.passage.text.as_str();
    let mut found = BTreeSet::new();
    for word in text.split(|c: char| !c.is_alphanumeric() && c != '-') {
        for (title, cluster) in titles.get(word).into_iter().flatten() {
            let heading = read.passage.heading_path.iter().any(|heading| heading.contains(title));
            if *cluster != read.source.cluster.as_str() && !heading && text.contains(title) {
                found.insert(*title);
            }
        }
    }
    found
}
