//! Names, and who did what to whom.

use super::ground::View;
use super::names::Name;
use super::prepare::{Kind, Prepared};
use super::report::Report;
use crate::verify::tokens::Pos;
use elenchus_core::port::MismatchKind;
use std::ops::Range;

/// A sentence with less of the claim's other words than this does not tell who is meant.
const REST: f64 = 0.3;

/// A clause without the name has to hold this many more words of the claim before it is the name's place.
const BETTER_CLAUSE: u16 = 2;

/// Checks all names of the claim.
pub(super) fn names(view: &View<'_>, report: &mut Report<'_>) {
    let opening = opening_name(view);
    for name in view.claim.names.iter().chain(&opening) {
        report.checked(MismatchKind::Entity);
        let met = |at: usize| view.hits[at].iter().any(|hit| !hit.opposite);
        if !name.words.iter().any(|at| met(*at)) {
            absent(view, name, report);
        } else if let Some(other) = other_bearer(view, name) {
            let own = text(view.claim, &name.tokens);
            let reason = format!("the claim says {own}, the evidence {other}");
            report.add(MismatchKind::Entity, name.tokens.clone(), Some(other), true, reason);
        } else if let Some(other) = displaced(view, name) {
            let own = text(view.claim, &name.tokens);
            let reason = format!("the claim says {own}, the evidence says {other} there");
            report.add(MismatchKind::Entity, name.tokens.clone(), Some(other), true, reason);
        } else {
            report.matched(MismatchKind::Entity);
        }
    }
}

/// The first word of a claim has a capital anyway; that it is a name shows where the evidence has it.
fn opening_name(view: &View<'_>) -> Option<Name> {
    let token = view.claim.tokens.first().filter(|t| t.is_capital())?;
    let named = view.claim.items[0].kind == Kind::Plain
        && view.hits[0].iter().any(|hit| {
            !hit.opposite && view.evidence[hit.sentence].items[hit.token].kind == Kind::Name
        });
    named.then(|| Name {
        tokens: 0..1,
        words: vec![0],
        initials: token.lower.chars().take(1).collect(),
    })
}

pub(super) fn text(p: &Prepared, tokens: &Range<usize>) -> String {
    let (Some(first), Some(last)) =
        (p.tokens.get(tokens.start), tokens.end.checked_sub(1).and_then(|i| p.tokens.get(i)))
    else {
        return String::new();
    };
    p.text.get(first.bytes.start..last.bytes.end).unwrap_or_default().to_owned()
}

/// Whether a token stands before the last verb of its clause.
fn leads(p: &Prepared, at: usize) -> Option<bool> {
    let clause = p.items[at].clause;
    let mut inside = (0..p.tokens.len()).filter(|i| p.items[*i].clause == clause);
    inside.find(|i| matches!(p.tokens[*i].pos, Pos::Verb | Pos::Aux)).map(|verb| verb > at)
}

/// Share of the claim's other words, by weight, that a sentence holds in some form.
fn rest_held(view: &View<'_>, name: &Name, sentence: usize) -> f64 {
    let (mut held, mut all) = (0.0, 0.0);
    for at in (0..view.claim.tokens.len()).filter(|at| !name.words.contains(at)) {
        if !matches!(view.claim.items[at].kind, Kind::Plain | Kind::Name) {
            continue;
        }
        let weight = super::ground::weight(view.claim, at);
        all += weight;
        if view.hits[at].iter().any(|hit| hit.sentence == sentence) {
            held += weight;
        }
    }
    if all > 0.0 { held / all } else { 0.0 }
}

/// A name no word of which is in the evidence.
fn absent(view: &View<'_>, name: &Name, report: &mut Report<'_>) {
    let own = text(view.claim, &name.tokens);
    if written_together(view, &own)
        || name.words.len() == 1
            && view.homes.iter().any(|s| {
                super::names::spells(
                    &view.claim.tokens[name.words[0]].lower,
                    &view.evidence[*s].tokens,
                )
            })
    {
        report.matched(MismatchKind::Entity);
        return;
    }
    let side = leads(view.claim, name.words[0]);
    let mut open = false;
    let mut bare = false;
    for s in view.homes.iter().take(2) {
        let p = view.evidence[*s];
        let held = rest_held(view, name, *s);
        if held < REST {
            continue;
        }
        // "He won it": who that is stands elsewhere.
        let pronoun = anaphor_at(p, side);
        let rival = p
            .names
            .iter()
            .filter(|n| {
                n.words.iter().all(|at| !view.is_used(*s, *at))
                    && leads(p, n.words[0]).zip(side).is_none_or(|(a, b)| a == b)
            })
            .find(|n| {
                attributive(view.claim, &name.tokens) == attributive(p, &n.tokens)
                    && (!pronoun || beside(view, name, *s, &n.tokens))
            });
        match rival {
            Some(rival) => {
                let other = text(p, &rival.tokens);
                let reason = format!("the claim says {own}, the evidence {other}");
                report.add(MismatchKind::Entity, name.tokens.clone(), Some(other), true, reason);
                return;
            }
            _ if pronoun => open = true,
            _ => bare = true,
        }
    }
    if bare && !open {
        let reason = format!("the evidence does not speak of {own}");
        report.add(MismatchKind::Entity, name.tokens.clone(), None, false, reason);
    }
}

/// Whether a pronoun or, before the verb, "the film" stands where the name stands in the claim.
fn anaphor_at(p: &Prepared, side: Option<bool>) -> bool {
    p.tokens.iter().enumerate().any(|(i, t)| {
        let here = leads(p, i);
        let first = here == Some(true);
        let pronoun = super::lexicon::is_anaphor(&t.lower)
            && (first
                || !matches!(
                    t.lower.as_str(),
                    "his" | "their" | "its" | "my" | "our" | "your" | "that" | "who"
                ));
        let definite = t.lower == "the"
            && first
            && p.tokens.get(i + 1).is_some_and(|n| n.pos == Pos::Noun && !n.is_capital());
        // "The King": a title may stand for the name of who bears it.
        if i > 0
            && p.tokens[i - 1].lower == "the"
            && t.is_capital()
            && super::lexicon::is_title(&t.lower)
        {
            return true;
        }
        (pronoun || definite) && here.zip(side).is_none_or(|(a, b)| a == b)
    })
}

/// Whether the words next to a name of the evidence are those next to the claim's name.
fn beside(view: &View<'_>, name: &Name, sentence: usize, place: &Range<usize>) -> bool {
    let p = view.evidence[sentence];
    let content = |p: &Prepared, i: usize| matches!(p.items[i].kind, Kind::Plain | Kind::Name);
    let after = |p: &Prepared, from: usize| -> Vec<usize> {
        (from..p.tokens.len()).take(6).filter(|i| content(p, *i)).take(2).collect()
    };
    let before = |p: &Prepared, to: usize| -> Vec<usize> {
        (to.saturating_sub(6)..to).rev().filter(|i| content(p, *i)).take(2).collect()
    };
    let meets = |a: &[usize], b: &[usize]| {
        a.iter().take(1).any(|a| b.iter().any(|b| view.aligned(*a, sentence, *b)))
    };
    meets(&after(view.claim, name.tokens.end), &after(p, place.end))
        || meets(&before(view.claim, name.tokens.start), &before(p, place.start))
}

/// Whether the name stands in the evidence with other gaps between its words ("Data Base", "Database").
fn written_together(view: &View<'_>, own: &str) -> bool {
    let squeeze = |s: &str| -> String {
        s.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let own = squeeze(own);
    own.len() >= 3 && view.evidence.iter().any(|p| squeeze(&p.text).contains(&own))
}

/// Another bearer of a part of the name: "Mary Smith" for "John Smith".
fn other_bearer(view: &View<'_>, name: &Name) -> Option<String> {
    if name.words.len() < 2 {
        return None;
    }
    name.words.iter().find_map(|at| {
        let mut found = None;
        for hit in view.hits[*at].iter().filter(|hit| !hit.opposite) {
            // One place with the name, or with a part of it and nothing in place of the rest, is enough.
            found = Some(another(view, name, hit.sentence, hit.token)?);
        }
        found
    })
}

/// The name around a token of the evidence, if it is not the claim's.
fn another(view: &View<'_>, name: &Name, sentence: usize, token: usize) -> Option<String> {
    let p = view.evidence[sentence];
    // A word of it without capitals: the evidence writes names otherwise.
    let bearer = p.names.iter().find(|n| n.words.contains(&token))?;
    let same = |w: usize, other: usize| {
        view.aligned(w, sentence, other)
            || shortened(&view.claim.tokens[w].lower, &p.tokens[other].lower)
    };
    let mut lacks = name
        .words
        .iter()
        .filter(|w| !bearer.words.iter().any(|other| same(**w, *other)))
        .peekable();
    let extra = bearer.words.iter().any(|other| !name.words.iter().any(|w| same(*w, *other)));
    let near = |w: &usize| {
        view.hits[*w].iter().any(|h| h.sentence == sentence && h.token.abs_diff(token) <= 5)
    };
    if lacks.peek().is_none() || !extra || lacks.all(near) {
        return None;
    }
    Some(text(p, &bearer.tokens))
}

/// "J." and "Chris" for "John" and "Christopher".
fn shortened(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let short = short.trim_end_matches('.');
    let letters = short.chars().count();
    (letters == 1 || letters >= 3) && long.starts_with(short)
}

/// Names this close to each other stand in one phrase or list.
const TOGETHER: usize = 8;

/// Whether a name describes the noun after it: "American drama", "Acme revenue".
pub(super) fn attributive(p: &Prepared, tokens: &Range<usize>) -> bool {
    p.tokens
        .get(tokens.end)
        .is_some_and(|t| matches!(t.pos, Pos::Noun | Pos::Adjective) && !t.is_capital())
}

/// The other name in the place that says what the claim says of this one.
fn displaced(view: &View<'_>, name: &Name) -> Option<String> {
    let mut near = 0;
    let mut settled = false;
    for hit in name.words.iter().flat_map(|at| &view.hits[*at]).filter(|hit| !hit.opposite) {
        near = near.max(view.near(hit.sentence, hit.token));
        settled |= beside(view, name, hit.sentence, &(hit.token..hit.token + 1));
    }
    let side = leads(view.claim, name.words[0]);
    for sentence in &view.homes {
        let p = view.evidence[*sentence];
        let opening = p
            .tokens
            .first()
            .filter(|t| t.is_capital() && matches!(t.pos, Pos::Noun | Pos::ProperNoun))
            .map(|_| Name { tokens: 0..1, words: vec![0], initials: String::new() });
        for other in p.names.iter().chain(&opening) {
            let there = view.near(*sentence, other.words[0]);
            let better = there >= near + BETTER_CLAUSE || !settled && there >= near;
            if better
                && side.zip(leads(p, other.words[0])).is_none_or(|(a, b)| a == b)
                && other.words.iter().all(|w| !view.is_used(*sentence, *w))
                && beside(view, name, *sentence, &other.tokens)
                && attributive(view.claim, &name.tokens) == attributive(p, &other.tokens)
                && !name.words.iter().flat_map(|at| &view.hits[*at]).any(|hit| {
                    hit.sentence == *sentence && hit.token.abs_diff(other.words[0]) <= TOGETHER
                })
            {
                return Some(text(p, &other.tokens));
            }
        }
    }
    None
}

/// A run of nouns and names.
pub(super) struct Chunk(pub(super) Range<usize>);

impl Chunk {
    /// The first run at or after a token, at most six tokens away and before any verb.
    pub(super) fn from(p: &Prepared, at: usize) -> Option<Self> {
        let start = (at..p.tokens.len()).take(6).find(|i| noun(p, *i))?;
        if (at..start).any(|i| matches!(p.tokens[i].pos, Pos::Verb | Pos::Preposition)) {
            return None;
        }
        let end = (start..p.tokens.len()).find(|i| !noun(p, *i)).unwrap_or(p.tokens.len());
        Some(Self(start..end))
    }

    /// Whether a word that tells it from the other side of the claim stands in a run of the evidence: of "Lake Tarn" beside "Lake
    /// Ombre" that is "Tarn".
    pub(super) fn aligned(
        &self,
        view: &View<'_>,
        beside: &Self,
        other: &Self,
        sentence: usize,
    ) -> bool {
        let items = &view.claim.items;
        let is_own = |at: &usize| !beside.0.clone().any(|i| items[i].key == items[*at].key);
        let mut own = self.0.clone().filter(is_own);
        own.any(|at| other.0.clone().any(|token| view.aligned(at, sentence, token)))
    }
}

fn noun(p: &Prepared, at: usize) -> bool {
    matches!(p.items[at].kind, Kind::Plain | Kind::Name)
        && matches!(p.tokens[at].pos, Pos::Noun | Pos::ProperNoun)
}

/// The subject of a word: the first run of nouns of its clause that no preposition leads.
pub(super) fn subject(p: &Prepared, word: usize) -> Option<Chunk> {
    let clause = p.items[word].clause;
    let start = (0..word).rev().take_while(|i| p.items[*i].clause == clause).last()?;
    let mut at = start;
    let mut led = false;
    while at < word {
        if noun(p, at) {
            let end = (at..word).find(|i| !noun(p, *i)).unwrap_or(word);
            if !led {
                return Some(Chunk(at..end));
            }
            led = false;
            at = end;
        } else {
            led |= p.tokens[at].pos == Pos::Preposition;
            at += 1;
        }
    }
    None
}

/// Who did it to whom, by a verb.
pub(super) struct Deed {
    pub(super) verb: usize,
    pub(super) agent: Chunk,
    pub(super) patient: Chunk,
}

/// Whether a form of "be" stands close before a verb.
pub(super) fn is_passive(p: &Prepared, verb: usize) -> bool {
    let near = &p.tokens[verb.saturating_sub(3)..verb];
    near.iter().any(|token| {
        matches!(token.lower.as_str(), "is" | "are" | "was" | "were" | "been" | "be" | "being")
    })
}

pub(super) fn deeds(p: &Prepared) -> Vec<Deed> {
    let mut out = Vec::new();
    for (verb, token) in p.tokens.iter().enumerate() {
        if token.pos != Pos::Verb || p.items[verb].kind != Kind::Plain {
            continue;
        }
        let Some(first) = subject(p, verb) else { continue };
        let be = is_passive(p, verb);
        let by = (verb + 1..p.tokens.len()).take(3).find(|i| p.tokens[*i].lower == "by");
        match (be, by) {
            (_, Some(by)) => {
                if let Some(agent) = Chunk::from(p, by + 1) {
                    out.push(Deed { verb, agent, patient: first });
                }
            }
            (true, None) if !token.lower.ends_with("ing") => {}
            _ => {
                if let Some(patient) = Chunk::from(p, verb + 1) {
                    out.push(Deed { verb, agent: first, patient });
                }
            }
        }
    }
    out
}

/// Verbs that say the same with their sides exchanged.
pub(super) fn mutual(stem: &str) -> bool {
    matches!(
        stem,
        "meet"
            | "marri"
            | "marry"
            | "resembl"
            | "equal"
            | "differ"
            | "play"
            | "talk"
            | "fight"
            | "border"
            | "face"
            | "merg"
            | "compar"
            | "correl"
            | "interact"
            | "join"
            | "match"
            | "wed"
            | "date"
            | "touch"
            | "includ"
    )
}

/// Deeds with their two sides exchanged.
pub(super) fn roles(view: &View<'_>, report: &mut Report<'_>) {
    for own in deeds(view.claim) {
        if mutual(&view.claim.tokens[own.verb].stem) {
            continue;
        }
        let mut found = None;
        let mut fits = false;
        for sentence in &view.homes {
            for other in deeds(view.evidence[*sentence]) {
                if !view.aligned(own.verb, *sentence, other.verb) {
                    continue;
                }
                let agent = |b: &Chunk| own.agent.aligned(view, &own.patient, b, *sentence);
                let patient = |b: &Chunk| own.patient.aligned(view, &own.agent, b, *sentence);
                if agent(&other.agent) || patient(&other.patient) {
                    fits = true;
                } else if agent(&other.patient) && patient(&other.agent) {
                    found = Some((*sentence, other));
                }
            }
        }
        if fits || found.is_some() {
            report.checked(MismatchKind::Role);
        }
        match found {
            Some((sentence, other)) if !fits => {
                let p = view.evidence[sentence];
                let range = other.agent.0.start.min(other.patient.0.start)
                    ..other.agent.0.end.max(other.patient.0.end);
                let (a, b) = (text(view.claim, &own.agent.0), text(view.claim, &own.patient.0));
                let reason = format!("in the claim {a} does it to {b}, in the evidence {b} to {a}");
                let span = own.agent.0.start.min(own.patient.0.start)
                    ..own.agent.0.end.max(own.patient.0.end);
                report.add(MismatchKind::Role, span, Some(text(p, &range)), true, reason);
            }
            _ if fits => report.matched(MismatchKind::Role),
            _ => {}
        }
    }
}
