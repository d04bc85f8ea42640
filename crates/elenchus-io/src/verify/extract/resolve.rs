//! What "he", "she", "it" and "they" stand for, where it is certain.
//!
//! A pronoun is resolved to the subject of the sentence before, or to what the paragraph has been about, if nothing
//! else there could be meant. Otherwise the claim is left out and the reason names the word.

use super::beings::{Being, being, kind_being};
use super::split::{Outline, is_possessive};
use crate::verify::tokens::{Pos, Token};
use std::collections::BTreeMap;
use std::ops::Range;

/// Something spoken of.
#[derive(Clone, Debug)]
struct Entity {
    name: String,
    being: Being,
    /// The pronoun it was spoken of by ("he").
    by: Option<&'static str>,
    /// Whether it holds a name.
    named: bool,
    /// Whether it is one: "Ada Pim", not "an English painter".
    names: bool,
}

/// What was spoken of so far in a section.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    /// What the section is about: the first named subject.
    topic: Option<Entity>,
    /// The subject of the sentence before.
    focus: Option<Entity>,
    /// Other things in the sentence before.
    rivals: Vec<Entity>,
    /// Whether a statement has been read at all.
    begun: bool,
}

/// What stands for a pronoun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// These words, from a sentence before.
    Earlier(String),
    /// These tokens of the same sentence.
    Here(Range<usize>),
    /// It is not certain; the reason.
    Unclear(String),
}

/// By token of the sentence.
pub(super) type Meanings = BTreeMap<usize, Meaning>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    He,
    She,
    It,
    They,
}

fn wanted(lower: &str) -> Option<Wanted> {
    Some(match lower {
        "he" | "him" | "his" | "himself" => Wanted::He,
        "she" | "her" | "hers" | "herself" => Wanted::She,
        "it" | "its" | "itself" => Wanted::It,
        "they" | "them" | "their" | "theirs" | "themselves" => Wanted::They,
        _ => return None,
    })
}

fn word_of(wanted: Wanted) -> &'static str {
    match wanted {
        Wanted::He => "he",
        Wanted::She => "she",
        Wanted::It => "it",
        Wanted::They => "they",
    }
}

impl Memory {
    /// What the pronouns of a sentence mean.
    pub(super) fn meanings(&self, tokens: &[Token], outline: &Outline) -> Meanings {
        let mut found = Meanings::new();
        let mut settled: Vec<(Wanted, Meaning)> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            if points_back(tokens, at) {
                let reason = format!("\"{}\" points at something said before", token.text);
                found.insert(at, Meaning::Unclear(reason));
                continue;
            }
            let Some(want) = wanted(&token.lower).filter(|_| {
                token.pos != Pos::ProperNoun || token.lower == token.text.to_lowercase()
            }) else {
                continue;
            };
            if want == Wanted::It && is_empty_it(tokens, at) {
                continue;
            }
            if let Some((_, meaning)) = settled.iter().find(|(known, _)| *known == want) {
                found.insert(at, meaning.clone());
                continue;
            }
            let Some(meaning) = self.meaning(want, at, tokens, outline) else { continue };
            settled.push((want, meaning.clone()));
            found.insert(at, meaning);
        }
        found
    }

    fn meaning(
        &self,
        want: Wanted,
        at: usize,
        tokens: &[Token],
        outline: &Outline,
    ) -> Option<Meaning> {
        // Something in the sentence itself, before the pronoun.
        let mut here: Vec<Range<usize>> = outline
            .nouns
            .iter()
            .filter(|noun| noun.end <= at && fits(being(&tokens[(*noun).clone()]), want, None))
            .cloned()
            .collect();
        if let Some(subject) = outline.subject.clone().filter(|subject| subject.end <= at)
            && fits(being(&tokens[subject.clone()]), want, None)
        {
            return Some(Meaning::Here(subject));
        }
        // "In addition to his work, Pim ...": the subject behind may be meant.
        if let Some(subject) = outline.subject.clone().filter(|subject| subject.start > at)
            && is_possessive(&tokens[at].lower)
            && fits(being(&tokens[subject.clone()]), want, None)
            && tokens[subject.start].pos != Pos::Pronoun
        {
            return Some(Meaning::Here(subject));
        }
        let subject_is_it = outline.subject.clone().is_some_and(|subject| subject.contains(&at));
        here.retain(|noun| !tokens[noun.clone()].iter().any(|t| t.pos == Pos::Pronoun));
        if !subject_is_it {
            match here.len() {
                0 => {}
                1 => return Some(Meaning::Here(here.remove(0))),
                _ if want == Wanted::It => return None,
                _ => {}
            }
        }
        // "Focus is known for their hits": a name may be one of many.
        if want == Wanted::They && outline.subject.clone().is_some_and(|subject| subject.end <= at)
        {
            return None;
        }
        // In the very first statement of a text it points out of the text, mostly into the question that the text
        // answers: it stays as it is.
        if !self.begun {
            return None;
        }
        Some(self.earlier(want, &tokens[at].text))
    }

    fn earlier(&self, want: Wanted, word: &str) -> Meaning {
        let by = word_of(want);
        let fitting = |entity: &&Entity| fits(entity.being, want, entity.by);
        let topic = self.topic.as_ref().filter(fitting);
        let focus = self.focus.as_ref().filter(fitting);
        if let (Some(topic), Some(focus)) = (topic, focus)
            && same(topic, focus)
            && (topic.by == Some(by) || self.rivals.iter().filter(fitting).count() == 0)
        {
            return Meaning::Earlier(topic.name.clone());
        }
        let mut candidates: Vec<&Entity> = Vec::new();
        for entity in focus.into_iter().chain(self.rivals.iter().filter(fitting)) {
            if !candidates.iter().any(|known| same(known, entity)) {
                candidates.push(entity);
            }
        }
        if candidates.is_empty() {
            candidates.extend(topic);
        }
        // One that was already spoken of by this pronoun goes before names that only happen to stand there.
        let known: Vec<&&Entity> =
            candidates.iter().filter(|entity| entity.by == Some(by)).collect();
        if let [only] = known.as_slice() {
            return Meaning::Earlier(only.name.clone());
        }
        match candidates.as_slice() {
            [only] => Meaning::Earlier(only.name.clone()),
            [] => Meaning::Unclear(format!("\"{word}\" has nothing before it that it could mean")),
            [first, second, ..] => {
                Meaning::Unclear(format!("\"{word}\" may mean {} or {}", first.name, second.name))
            }
        }
    }

    /// Forgets what was spoken of: a new section begins.
    pub(super) fn forget(&mut self) {
        *self = Self { begun: self.begun, ..Self::default() };
    }

    /// A new paragraph begins: what the one before came to speak of may be meant no more than what the section is about.
    pub(super) fn turn(&mut self) {
        if let (Some(topic), Some(focus)) = (&self.topic, &self.focus)
            && !same(topic, focus)
        {
            self.rivals = vec![topic.clone()];
        }
    }

    /// Remembers a sentence that has been read.
    pub(super) fn remember(
        &mut self,
        tokens: &[Token],
        outline: &Outline,
        meanings: &Meanings,
        text: &str,
    ) {
        self.begun = true;
        let mut subject = outline.subject.clone().and_then(|range| {
            if range.len() == 1
                && let Some(meaning) = meanings.get(&range.start)
            {
                let Meaning::Earlier(name) = meaning else { return None };
                let by = wanted(&tokens[range.start].lower).map(word_of);
                let known = [self.topic.as_ref(), self.focus.as_ref()]
                    .into_iter()
                    .flatten()
                    .chain(&self.rivals)
                    .find(|e| e.name == *name)
                    .cloned();
                return known.map(|mut entity| {
                    entity.by = by;
                    entity
                });
            }
            Self::entity(tokens, &range, text)
        });
        if let Some(subject) = subject.as_mut()
            && let Some(kind) = outline.is_a.as_deref()
        {
            match kind_being(kind) {
                Being::Unknown => {}
                known if subject.being == Being::Unknown || known == Being::Person => {
                    subject.being = known;
                }
                _ => {}
            }
        }
        if let (Some(entity), Some(topic)) = (subject.as_mut(), self.topic.as_mut())
            && same(entity, topic)
        {
            topic.by = entity.by.or(topic.by);
            // "Pim", then "Ada Pim": the fuller name is used from here on.
            if entity.name.len() > topic.name.len() {
                topic.name.clone_from(&entity.name);
            }
            if topic.being == Being::Unknown {
                topic.being = entity.being;
            }
            *entity = topic.clone();
        }
        if self.topic.is_none()
            && let Some(entity) = subject.as_ref().filter(|e| e.named)
        {
            self.topic = Some(entity.clone());
        }
        let own = outline.subject.clone().unwrap_or(0..0);
        // "Pim's death": Pim may be meant next.
        let owner = own
            .clone()
            .find(|at| matches!(tokens[*at].text.as_str(), "'s" | "’s"))
            .map(|at| own.start..at);
        let nouns: Vec<Range<usize>> = outline.nouns.iter().cloned().chain(owner).collect();
        self.rivals = nouns
            .iter()
            .filter(|noun| {
                (noun.start >= own.end || noun.end < own.end)
                    && !after_place_word(tokens, noun.start)
            })
            .filter_map(|noun| Self::entity(tokens, noun, text))
            .filter(|entity| entity.names || entity.name.to_lowercase().starts_with("the "))
            .filter(|entity| subject.as_ref().is_none_or(|subject| !same(subject, entity)))
            .collect();
        if subject.is_some() {
            self.focus = subject;
        } else if outline.subject.is_some() {
            self.focus = None;
        }
    }

    fn entity(tokens: &[Token], range: &Range<usize>, text: &str) -> Option<Entity> {
        let words = tokens.get(range.clone())?;
        let (first, last) = (words.first()?, words.last()?);
        if words.iter().any(|t| t.pos == Pos::Pronoun)
            || matches!(first.text.as_str(), "\"" | "“")
            || words.iter().all(|t| t.pos == Pos::Numeral)
        {
            return None;
        }
        let name = text.get(first.bytes.start..last.bytes.end)?.to_owned();
        let named = words.iter().any(|t| t.pos == Pos::ProperNoun);
        let month = words.iter().any(|t| super::split::is_month(&t.lower));
        if month || name.len() > 80 {
            return None;
        }
        Some(Entity {
            name,
            being: being(words),
            by: None,
            named,
            names: last.pos == Pos::ProperNoun
                && (first.is_capital() || first.pos == Pos::Determiner),
        })
    }
}

/// "This led to ...": nothing is named.
fn points_back(tokens: &[Token], at: usize) -> bool {
    let token = &tokens[at];
    if !matches!(token.lower.as_str(), "this" | "that" | "these" | "those")
        || at > 0 && !matches!(tokens[at - 1].lower.as_str(), "," | ";" | "but" | "and")
    {
        return false;
    }
    tokens.get(at + 1).is_some_and(|next| match next.pos {
        Pos::Aux => true,
        Pos::Verb => {
            !next.lower.ends_with("ing") && !next.lower.ends_with("ed")
                || tokens.get(at + 2).is_some_and(|t| {
                    matches!(t.pos, Pos::Determiner | Pos::Preposition | Pos::Particle)
                })
        }
        _ => false,
    })
}

/// "It took six days", "it was the first time", "it rained": nothing took them, and nothing was it.
fn is_impersonal(tokens: &[Token], at: usize) -> bool {
    let word = |k: usize| tokens.get(k).map_or("", |t| t.lower.as_str());
    if word(at) != "it" {
        return false;
    }
    let within = |from: usize, wanted: fn(&str) -> bool| (from..from + 5).any(|k| wanted(word(k)));
    match word(at + 1) {
        "rained" | "rains" | "snowed" | "snows" => true,
        "took" | "takes" => within(at + 2, is_duration),
        "is" | "was" => {
            matches!(word(at + 2), "raining" | "snowing")
                || word(at + 2) == "the" && word(at + 4) == "time"
                || word(at + 2) == "not" && word(at + 3) == "the" && word(at + 5) == "time"
        }
        _ => false,
    }
}

fn is_duration(lower: &str) -> bool {
    matches!(
        lower,
        "second"
            | "seconds"
            | "minute"
            | "minutes"
            | "hour"
            | "hours"
            | "day"
            | "days"
            | "week"
            | "weeks"
            | "month"
            | "months"
            | "year"
            | "years"
            | "decade"
            | "decades"
    )
}

/// "It is unclear that", "it rained": no thing is meant.
fn is_empty_it(tokens: &[Token], at: usize) -> bool {
    if is_impersonal(tokens, at) {
        return true;
    }
    let be = tokens.get(at + 1).is_some_and(|t| {
        matches!(
            t.lower.as_str(),
            "is" | "was"
                | "'s"
                | "’s"
                | "remains"
                | "seems"
                | "appears"
                | "takes"
                | "took"
                | "has"
                | "may"
                | "will"
                | "would"
                | "can"
                | "could"
                | "became"
        )
    });
    if tokens[at].lower != "it" || !be {
        return false;
    }
    tokens[at + 2..].iter().take(6).enumerate().any(|(nth, t)| {
        matches!(t.lower.as_str(), "that" | "whether" | "why" | "how")
            || nth > 0 && t.lower == "to" && tokens[at + 2].pos == Pos::Adjective
    })
}

fn after_place_word(tokens: &[Token], at: usize) -> bool {
    at > 0
        && matches!(
            tokens[at - 1].lower.as_str(),
            "in" | "at"
                | "from"
                | "near"
                | "for"
                | "on"
                | "of"
                | ","
                | "throughout"
                | "across"
                | "around"
                | "as"
                | "into"
                | "through"
        )
}

fn same(a: &Entity, b: &Entity) -> bool {
    if a.name == b.name {
        return true;
    }
    let words = |e: &Entity| e.name.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (long, short) =
        if a.name.len() >= b.name.len() { (words(a), words(b)) } else { (words(b), words(a)) };
    let owns = |e: &Entity| e.name.contains("'s") || e.name.contains("’s");
    a.named
        && b.named
        && !owns(a)
        && !owns(b)
        && !short.is_empty()
        && short.iter().all(|word| long.contains(word))
}

fn fits(being: Being, want: Wanted, by: Option<&'static str>) -> bool {
    if let Some(by) = by
        && matches!(want, Wanted::He | Wanted::She)
        && matches!(by, "he" | "she")
    {
        return by == word_of(want);
    }
    match want {
        Wanted::He | Wanted::She => {
            matches!(being, Being::Person | Being::Unknown) && !matches!(by, Some("it"))
        }
        Wanted::It => {
            matches!(being, Being::Thing | Being::Unknown) && !matches!(by, Some("he" | "she"))
        }
        Wanted::They => being == Being::Several || matches!(by, Some("they")),
    }
}
