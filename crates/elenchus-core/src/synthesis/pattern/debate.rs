//! Debates: contradictions that come up again and again, and those who stand alone in them.

use super::{Place, voice, voice_name};
use crate::evidence::{ReadPassage, char_slice};
use crate::port::{Contradiction, Spot};
use crate::text::{content_set, jaccard};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Contradictions with so much of their subject in common are about the same.
const SAME_SUBJECT: f64 = 0.4;
/// Clashes shown a debate.
const SHOWN: usize = 8;
/// Voices that a debate has before one of them can stand against the rest.
const ROUND: usize = 3;

/// Two statements of a debate.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Clash {
    /// In words.
    pub summary: String,
    /// How sure it is, 0 to 1; an order, not a probability.
    pub strength: f64,
    /// The two statements.
    pub sides: [Place; 2],
}

/// A subject on which statements contradict each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Debate {
    /// The words that the statements share, most frequent first.
    pub about: Vec<String>,
    /// Pairs of documents (copies count as one) that contradict each other on it.
    pub pairs: usize,
    /// Voices that take part.
    pub voices: usize,
    /// The strongest clashes, at most eight.
    pub clashes: Vec<Clash>,
    /// Which voice contradicts which; both ways.
    #[serde(skip)]
    against: BTreeMap<String, BTreeSet<String>>,
    #[serde(skip)]
    names: BTreeMap<String, String>,
}

/// A voice that the majority of the others contradicts, more than once.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Contrarian {
    /// The author, or the path of a document without one.
    pub voice: String,
    /// Debates in which most of the others contradict it while they do not contradict each other.
    pub debates: usize,
    /// Debates that it takes part in.
    pub of: usize,
    /// What they are about, with a clash each.
    pub clashes: Vec<Clash>,
}

struct Group {
    key: BTreeSet<String>,
    words: BTreeMap<String, usize>,
    pairs: BTreeSet<(String, String)>,
    clashes: Vec<Clash>,
    against: BTreeMap<String, BTreeSet<String>>,
    names: BTreeMap<String, String>,
}

/// Contradictions sorted into debates by the words that both statements share, those with most pairs first. Positions in
/// `found` count in `reads`; what does not stand there is left out. A debate is *hotly debated* from five pairs on.
pub fn debates(reads: &[ReadPassage], found: &[Contradiction]) -> Vec<Debate> {
    let mut order: Vec<&Contradiction> =
        found.iter().filter(|one| one.strength.is_finite()).collect();
    order.sort_by(|a, b| b.strength.total_cmp(&a.strength).then((a.a, a.b).cmp(&(b.a, b.b))));
    let mut groups: Vec<Group> = Vec::new();
    for one in order {
        let (Some((a, a_said)), Some((b, b_said))) = (said(reads, one.a), said(reads, one.b))
        else {
            continue;
        };
        let (a_voice, b_voice) = (voice(&a.source), voice(&b.source));
        if a_voice == b_voice {
            continue;
        }
        let why: BTreeSet<String> =
            one.why.iter().flat_map(|why| content_set(&why.claim_text)).collect();
        let shared: BTreeSet<String> = content_set(a_said)
            .intersection(&content_set(b_said))
            .filter(|word| !why.contains(*word))
            .cloned()
            .collect();
        if shared.is_empty() {
            continue;
        }
        let at = groups.iter().position(|group| jaccard(&group.key, &shared) >= SAME_SUBJECT);
        let at = at.unwrap_or_else(|| {
            groups.push(Group {
                key: shared.clone(),
                words: BTreeMap::new(),
                pairs: BTreeSet::new(),
                clashes: Vec::new(),
                against: BTreeMap::new(),
                names: BTreeMap::new(),
            });
            groups.len() - 1
        });
        let group = &mut groups[at];
        for word in shared {
            *group.words.entry(word).or_default() += 1;
        }
        let (low, high) = (a.source.cluster.to_string(), b.source.cluster.to_string());
        group.pairs.insert(if low <= high { (low, high) } else { (high, low) });
        for (one, other, read) in [(&a_voice, &b_voice, a), (&b_voice, &a_voice, b)] {
            group.against.entry(one.clone()).or_default().insert(other.clone());
            group.names.insert(one.clone(), voice_name(&read.source));
        }
        if group.clashes.len() < SHOWN {
            group.clashes.push(Clash {
                summary: one.summary.clone(),
                strength: one.strength,
                sides: [Place::of(a, a_said), Place::of(b, b_said)],
            });
        }
    }
    let mut all: Vec<Debate> = groups
        .into_iter()
        .map(|group| {
            let mut words: Vec<(String, usize)> = group.words.into_iter().collect();
            words.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            Debate {
                about: words.into_iter().take(6).map(|(word, _)| word).collect(),
                pairs: group.pairs.len(),
                voices: group.against.len(),
                clashes: group.clashes,
                against: group.against,
                names: group.names,
            }
        })
        .collect();
    all.sort_by(|a, b| b.pairs.cmp(&a.pairs).then_with(|| a.about.cmp(&b.about)));
    all
}

fn said(reads: &[ReadPassage], spot: Spot) -> Option<(&ReadPassage, &str)> {
    let read = reads.get(spot.item)?;
    Some((read, char_slice(&read.passage.text, spot.span)?))
}

/// Voices that stand against the majority of the others in at least `least` debates: in a debate of three voices or
/// more, more than half of the others contradict them, and these do not contradict each other.
pub fn contrarians(debates: &[Debate], least: usize) -> Vec<Contrarian> {
    let mut alone: BTreeMap<&str, Contrarian> = BTreeMap::new();
    let mut takes_part: BTreeMap<&str, usize> = BTreeMap::new();
    for debate in debates {
        for voice in debate.against.keys() {
            *takes_part.entry(voice).or_default() += 1;
        }
        if debate.voices < ROUND {
            continue;
        }
        for (voice, opposed) in &debate.against {
            let agree = opposed.iter().all(|one| {
                debate.against.get(one).is_none_or(|others| others.is_disjoint(opposed))
            });
            // Two of two others are a majority; one of two is not.
            if !agree || opposed.len() * 2 < debate.voices || opposed.len() < 2 {
                continue;
            }
            let name = debate.names.get(voice).cloned().unwrap_or_default();
            let one = alone.entry(voice).or_insert_with(|| Contrarian {
                voice: name.clone(),
                debates: 0,
                of: 0,
                clashes: Vec::new(),
            });
            one.debates += 1;
            let own = |clash: &&Clash| clash.sides.iter().any(|side| side.voice == name);
            one.clashes.extend(debate.clashes.iter().find(own).cloned());
        }
    }
    let mut all: Vec<Contrarian> = alone
        .into_iter()
        .filter(|(_, one)| one.debates >= least)
        .map(|(voice, mut one)| {
            one.of = takes_part.get(voice).copied().unwrap_or(one.debates);
            one
        })
        .collect();
    all.sort_by(|a, b| b.debates.cmp(&a.debates).then_with(|| a.voice.cmp(&b.voice)));
    all
}
