//! Conflicts that come again and again.

use super::{Memo, Polarity, Relation};
use crate::id::MemoId;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Two statements that were said to conflict more than once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Recurring {
    /// The two memos, in the order of their ids.
    pub memos: [MemoId; 2],
    /// Their titles.
    pub titles: [String; 2],
    /// How often it was said: by several relations, or by one that was saved again.
    pub times: u32,
    /// The tags that were used.
    pub tags: Vec<String>,
    /// The reasons that were given, each once.
    pub reasons: Vec<String>,
}

/// How often two memos were said to conflict, by which tags and for which reasons.
type Said<'a> = (u32, BTreeSet<&'a str>, BTreeSet<&'a str>);

/// Pairs of memos whose conflict was said at least twice, the most often said first. Memos of the same title and text
/// count as one, so that a conflict of copies is the same conflict.
pub fn recurring(relations: &[Relation], memos: &[Memo]) -> Vec<Recurring> {
    let by_id: BTreeMap<&MemoId, &Memo> = memos.iter().map(|memo| (&memo.id, memo)).collect();
    // What is the same in other namespaces and under other ids stands for it.
    let mut first: BTreeMap<(&str, &str), &MemoId> = BTreeMap::new();
    for memo in memos {
        let slot = first.entry((&memo.title, &memo.content)).or_insert(&memo.id);
        *slot = (*slot).min(&memo.id);
    }
    let mut same: BTreeMap<&MemoId, &MemoId> = BTreeMap::new();
    for memo in memos {
        if let Some(one) = first.get(&(memo.title.as_str(), memo.content.as_str())) {
            same.insert(&memo.id, one);
        }
    }
    let mut pairs: BTreeMap<[&MemoId; 2], Said<'_>> = BTreeMap::new();
    for relation in relations {
        if Polarity::of(&relation.tag) != Polarity::Conflicts {
            continue;
        }
        let [a, b] = [&relation.source, &relation.target].map(|id| *same.get(id).unwrap_or(&id));
        if a == b {
            continue;
        }
        let (times, tags, reasons) = pairs.entry([a.min(b), a.max(b)]).or_default();
        *times = times.saturating_add(relation.times.max(1));
        tags.insert(&relation.tag);
        reasons.extend(relation.reason.as_deref());
    }
    let title = |id| by_id.get(id).map_or_else(|| MemoId::to_string(id), |memo| memo.heading());
    let mut found: Vec<Recurring> = pairs
        .into_iter()
        .filter(|(_, (times, ..))| *times > 1)
        .map(|([a, b], (times, tags, reasons))| Recurring {
            memos: [a.clone(), b.clone()],
            titles: [title(a), title(b)],
            times,
            tags: tags.into_iter().map(str::to_owned).collect(),
            reasons: reasons.into_iter().map(str::to_owned).collect(),
        })
        .collect();
    found.sort_by(|a, b| b.times.cmp(&a.times).then_with(|| a.memos.cmp(&b.memos)));
    found
}

#[cfg(test)]
mod tests {
    use super::super::testing::{memo, relation};
    use super::*;

    #[test]
    fn a_conflict_said_twice_recurs_and_copies_count_as_one() {
        let mut copy = memo("z", "A");
        copy.content = memo("a", "A").content;
        let memos = [memo("a", "A"), memo("b", "B"), memo("c", "C"), copy];
        let again = Relation { times: 3, ..relation("b", "a", "refutes", 0.4) };
        let relations = [
            relation("a", "b", "conflicts", 0.5),
            again,
            relation("a", "c", "conflicts", 0.5),
            relation("z", "c", "conflicts", 0.5),
            relation("b", "c", "supports", 1.0),
            relation("b", "c", "supports", 1.0),
        ];
        let found = recurring(&relations, &memos);
        let said: Vec<(u32, [&str; 2])> =
            found.iter().map(|r| (r.times, [r.memos[0].as_str(), r.memos[1].as_str()])).collect();
        assert_eq!(said, [(4, ["a", "b"]), (2, ["a", "c"])]);
        assert_eq!(found[0].tags, ["conflicts", "refutes"]);
        assert!(recurring(&relations[2..3], &memos).is_empty());
    }
}
