//! How sure a memo is, from what bears on it. Ranking is another matter: see `score`.

use super::memo::key;
use super::paths::{Path, Search};
use super::polarity::{is_derivation, is_passive, reading};
use super::{Direction, Memo, Polarity, Relation};
use crate::belief::{clusters, counted};
use crate::id::{MemoId, short_hash};
use crate::measure::{Explained, sigmoid};
use crate::text::squeeze;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What each further independent origin of a side counts of the one before it. The weights of relations are somebody's
/// word and were never measured, and people repeat each other; so the second origin counts half.
pub const FURTHER: f64 = 0.5;
/// No origin moves a memo by more than this, in natural log-odds: a weight of 1 is somebody's word and no proof.
pub const BOUND: f64 = 4.0;

/// A memo that bears on the pivot and was not counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SetAside {
    /// The memo.
    #[serde(alias = "memoId")]
    pub memo_id: MemoId,
    /// Its title.
    pub title: String,
    /// Why.
    pub why: String,
}

/// How sure the pivot is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PivotConfidence {
    /// The probability that it holds, 0.5 when nothing independent bears on it. Not calibrated: no labelled graph has been
    /// measured.
    pub confidence: f64,
    /// The same in natural log-odds.
    #[serde(alias = "logOdds")]
    pub log_odds: f64,
    /// What it would be without the strongest origin that speaks for it, and without the strongest that speaks against
    /// it: how much hangs on a single one.
    pub range: (f64, f64),
    /// Independent origins that speak for it.
    #[serde(alias = "originsFor")]
    pub origins_for: usize,
    /// Independent origins that speak against it.
    #[serde(alias = "originsAgainst")]
    pub origins_against: usize,
    /// Memos that were not counted.
    #[serde(alias = "setAside")]
    pub set_aside: Vec<SetAside>,
    /// How it came about.
    pub explained: Explained,
}

/// How far a path of this strength moves the pivot, in natural log-odds: that of `(1 + strength) / 2`, so that 0 moves
/// nothing, at most [`BOUND`].
pub fn moved_by(strength: f64) -> f64 {
    let s = if strength.is_nan() { 0.0 } else { strength.clamp(0.0, 1.0) };
    ((1.0 + s) / (1.0 - s)).ln().min(BOUND)
}

/// How sure `pivot` is. `memos` are those that `relations` lead to; `depth` and `delta` are those of the walk.
///
/// A memo speaks for the pivot by a chain of support that leads from it to the pivot in the direction of the support, and
/// against it when one relation of the chain is a conflict, which holds both ways. A conflict with what speaks against
/// the pivot counts neither way. Memos of one origin count once; each further origin counts [`FURTHER`] of the one
/// before it. Answers that were saved back and what was made from them or from the pivot count for nothing, and no
/// chain goes through them. So a further conflict never raises the figure, and a copy of a memo never does.
pub fn confidence(
    pivot: &Memo,
    memos: &[Memo],
    relations: &[Relation],
    depth: u32,
    delta: f64,
) -> PivotConfidence {
    let by_id: BTreeMap<&MemoId, &Memo> = memos.iter().map(|memo| (&memo.id, memo)).collect();
    let dependent = dependent(pivot, &by_id, relations);
    let search = Search {
        depth,
        delta,
        step: &toward_start,
        join: &|path, next| match (path, next) {
            (Polarity::Supports, next) => Some(next),
            (Polarity::Conflicts, Polarity::Supports) => Some(Polarity::Conflicts),
            _ => None,
        },
        through: &|memo| !dependent.contains_key(memo),
    };
    let found = search.run(&pivot.id, relations);
    let mut set_aside: BTreeMap<&MemoId, SetAside> = BTreeMap::new();
    let mut counting: Vec<(&Memo, &Path<'_>)> = Vec::new();
    for ((id, _), path) in &found.best {
        let Some(memo) = by_id.get(id) else { continue };
        match dependent.get(id) {
            Some(why) => {
                let aside = SetAside {
                    memo_id: (*id).clone(),
                    title: memo.heading(),
                    why: (*why).to_owned(),
                };
                set_aside.insert(id, aside);
            }
            None => counting.push((memo, path)),
        }
    }
    let supporters: Vec<&Memo> = counting
        .iter()
        .filter(|(_, path)| path.polarity == Polarity::Supports)
        .map(|(memo, _)| *memo)
        .collect();
    let merged = merged_origins(&supporters);
    let origin_of = |memo: &Memo, polarity: Polarity| match polarity {
        Polarity::Supports => merged.get(&memo.id).cloned().unwrap_or_else(|| origin(memo)),
        _ => origin(memo),
    };
    let mut explained = Explained::new(
        "log-odds of what bears on it",
        0.0,
        "for less against: the strongest chain of each independent origin, each further origin at half of the one before",
    );
    let mut log_odds = 0.0;
    let mut sides = [0, 0];
    // What each side loses without its strongest origin.
    let mut falls = [0.0, 0.0];
    for (place, polarity, sign) in [(0, Polarity::Supports, 1.0), (1, Polarity::Conflicts, -1.0)] {
        let side: Vec<(String, &Memo, &Path<'_>)> = counting
            .iter()
            .filter(|(_, path)| path.polarity == polarity && path.strength > 0.0)
            .map(|(memo, path)| (origin_of(memo, polarity), *memo, *path))
            .collect();
        let weights = side.iter().map(|(origin, _, path)| (origin, moved_by(path.strength)));
        let mut all = clusters(weights);
        let parts = counted(&all, FURTHER);
        sides[place] = parts.len();
        if let Some((strongest, ..)) = parts.first() {
            all.remove(strongest);
            let sum = |parts: &[(&String, f64, f64)]| parts.iter().map(|part| part.1).sum::<f64>();
            falls[place] = sum(&parts) - sum(&counted(&all, FURTHER));
        }
        for (origin, part, share) in parts {
            log_odds += sign * part;
            let of_it: Vec<&(String, &Memo, &Path<'_>)> =
                side.iter().filter(|(own, ..)| own == origin).collect();
            explained.children.push(part_of(&of_it, sign * part, share, polarity));
        }
    }
    explained.value = log_odds;
    let confidence = sigmoid(log_odds);
    let tree = Explained::new(
        "confidence",
        confidence,
        "sigmoid(log-odds of what bears on it), from even odds; the weights are those that people gave, not calibrated",
    )
    .and(explained);
    PivotConfidence {
        confidence,
        log_odds,
        range: (sigmoid(log_odds - falls[0]), sigmoid(log_odds + falls[1])),
        origins_for: sides[0],
        origins_against: sides[1],
        set_aside: set_aside.into_values().collect(),
        explained: tree,
    }
}

/// One origin's part, explained by its strongest memo.
fn part_of(
    of_it: &[&(String, &Memo, &Path<'_>)],
    value: f64,
    share: f64,
    polarity: Polarity,
) -> Explained {
    let strongest = of_it
        .iter()
        .max_by(|a, b| a.2.strength.total_cmp(&b.2.strength).then_with(|| b.1.id.cmp(&a.1.id)));
    let Some((_, memo, path)) = strongest else {
        return Explained::new("an origin", value, "nothing of it is known");
    };
    let others: Vec<String> = of_it
        .iter()
        .filter(|(_, other, _)| other.id != memo.id)
        .map(|(_, other, _)| format!("{} ({})", other.heading(), other.id))
        .collect();
    let copies = if others.is_empty() {
        String::new()
    } else {
        format!("; of the same origin and adding nothing: {}", others.join(", "))
    };
    let side = if polarity == Polarity::Supports { "speaks for it" } else { "speaks against it" };
    let mut tree = Explained::new(
        format!("{} ({})", memo.heading(), memo.id),
        value,
        format!("{side}: share x log-odds of (1 + strength) / 2, at most {BOUND}{copies}"),
    )
    .with("share", share);
    let rule = "the product of its weights, and delta for each step after the first";
    let mut strength = Explained::new("strength of the chain", path.strength, rule);
    for step in &path.steps {
        let reads = reading(&step.relation.tag, step.direction);
        strength.inputs.push(crate::measure::Input {
            name: format!("{} {reads} {}", step.from(), step.to()),
            value: step.relation.weight,
        });
    }
    tree.children.push(strength);
    tree
}

/// Steps away from the pivot that carry evidence to it: support that leads the other way, and conflicts, which hold both
/// ways.
fn toward_start(relation: &Relation, direction: Direction) -> Option<Polarity> {
    match Polarity::of(&relation.tag) {
        Polarity::Conflicts => Some(Polarity::Conflicts),
        Polarity::Supports => {
            let from_target = is_passive(&relation.tag);
            let towards = match direction {
                Direction::Backward => !from_target,
                _ => from_target,
            };
            towards.then_some(Polarity::Supports)
        }
        Polarity::Other => None,
    }
}

/// Memos that are no independent evidence for the pivot, each with the reason: answers that were saved back, and what was
/// made from such an answer or from the pivot itself.
fn dependent<'a>(
    pivot: &'a Memo,
    memos: &BTreeMap<&'a MemoId, &'a Memo>,
    relations: &'a [Relation],
) -> BTreeMap<&'a MemoId, &'static str> {
    const ANSWER: &str = "it is an answer that was saved back, not evidence of its own";
    const MADE: &str = "it was made from an answer that was saved back, or from this memo itself";
    let mut made_from: BTreeMap<&str, Vec<&'a MemoId>> = BTreeMap::new();
    for (id, memo) in memos {
        for parent in memo.noted(key::DERIVED_FROM) {
            made_from.entry(parent).or_default().push(id);
        }
    }
    for relation in relations.iter().filter(|relation| is_derivation(&relation.tag)) {
        made_from.entry(relation.target.as_str()).or_default().push(&relation.source);
    }
    let mut found: BTreeMap<&'a MemoId, &'static str> = BTreeMap::new();
    let mut open: Vec<&'a MemoId> = vec![&pivot.id];
    for (id, memo) in memos {
        if memo.is_inference() && **id != pivot.id {
            found.insert(id, ANSWER);
            open.push(id);
        }
    }
    while let Some(parent) = open.pop() {
        for child in made_from.get(parent.as_str()).into_iter().flatten() {
            if **child != pivot.id && !found.contains_key(child) {
                found.insert(child, MADE);
                open.push(child);
            }
        }
    }
    found
}

/// What a memo comes from: the origin that it names, its source, or what it says.
fn origin(memo: &Memo) -> String {
    origins(memo).into_iter().next().unwrap_or_else(|| said(memo))
}

/// Names of metadata that say where a memo comes from, the most telling first.
const ORIGINS: [&str; 6] = [key::ORIGIN, "lineage", "source_id", "source_url", "url", key::SOURCE];

fn origins(memo: &Memo) -> Vec<String> {
    let named = ORIGINS.iter().flat_map(|name| memo.noted(name));
    let plain = named.map(|text| squeeze(text).to_lowercase()).filter(|text| !text.is_empty());
    plain.take(1).map(|text| format!("origin {text}")).collect()
}

/// The words of a memo, as a key: a copy under another id has the same.
fn said(memo: &Memo) -> String {
    let words = squeeze(&memo.content).to_lowercase();
    format!("words {}", short_hash(words.as_bytes(), 16))
}

/// The origins of memos that support, where memos of one named origin or with the same words are one. (On the other side
/// two that say the same for two origins count as two: joining them could make a further conflict raise the figure.)
fn merged_origins(memos: &[&Memo]) -> BTreeMap<MemoId, String> {
    let mut group: Vec<usize> = (0..memos.len()).collect();
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    for (place, memo) in memos.iter().enumerate() {
        for name in origins(memo).into_iter().chain([said(memo)]) {
            let other = *first.entry(name).or_insert(place);
            let (old, new) = (group[place], group[other]);
            for one in &mut group {
                if *one == old {
                    *one = new;
                }
            }
        }
    }
    let mut names: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for (place, memo) in memos.iter().enumerate() {
        names.entry(group[place]).or_default().insert(origin(memo));
    }
    memos
        .iter()
        .enumerate()
        .map(|(place, memo)| {
            let all = names.get(&group[place]).into_iter().flatten();
            (memo.id.clone(), all.cloned().collect::<Vec<_>>().join("\n"))
        })
        .collect()
}
