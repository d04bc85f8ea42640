//! A bounded walk over relations, breadth first.

use super::{Direction, Polarity, Relation};
use crate::id::MemoId;
use crate::port::Reach;
use std::collections::BTreeSet;

/// A walk that asks for relations level by level, so that a storage reads only what is near.
///
/// ```ignore
/// let mut walk = Walk::new(&reach);
/// while let Some(memos) = walk.next_level() {
///     walk.take(relations_that_touch(&memos));
/// }
/// let relations = walk.finish();
/// ```
#[derive(Debug)]
pub struct Walk<'a> {
    reach: &'a Reach,
    seen: BTreeSet<MemoId>,
    level: Vec<MemoId>,
    depth: u32,
    taken: Vec<Relation>,
    keys: BTreeSet<(MemoId, MemoId, String)>,
}

impl<'a> Walk<'a> {
    /// A walk from the start of `reach`, which was checked.
    pub fn new(reach: &'a Reach) -> Self {
        Self {
            reach,
            seen: BTreeSet::from([reach.start.clone()]),
            level: vec![reach.start.clone()],
            depth: 0,
            taken: Vec::new(),
            keys: BTreeSet::new(),
        }
    }

    /// The memos whose relations are wanted next; `None` when the walk is over.
    pub fn next_level(&self) -> Option<&[MemoId]> {
        let goes_on = !self.level.is_empty()
            && self.depth < self.reach.depth
            && self.taken.len() < self.reach.limit;
        goes_on.then_some(&self.level)
    }

    /// Takes relations that touch the memos of the level; others are passed over. Where the limit cuts a level off,
    /// conflicts come first and then the heaviest, so that no conflict is hidden by a support of the same level.
    pub fn take(&mut self, mut relations: Vec<Relation>) {
        let here: BTreeSet<&MemoId> = self.level.iter().collect();
        let (forward, backward) = match self.reach.direction {
            Direction::Forward => (true, false),
            Direction::Backward => (false, true),
            Direction::Both => (true, true),
        };
        relations.retain(|relation| {
            (forward && here.contains(&relation.source)
                || backward && here.contains(&relation.target))
                && self.reach.tag.as_ref().is_none_or(|tag| *tag == relation.tag)
        });
        relations.sort_by(|a, b| {
            let against = |relation: &Relation| Polarity::of(&relation.tag) != Polarity::Conflicts;
            against(a)
                .cmp(&against(b))
                .then_with(|| b.weight.total_cmp(&a.weight))
                .then_with(|| a.key().cmp(&b.key()))
        });
        let mut next: Vec<MemoId> = Vec::new();
        for relation in relations {
            if self.taken.len() == self.reach.limit {
                break;
            }
            let key = (relation.source.clone(), relation.target.clone(), relation.tag.clone());
            if !self.keys.insert(key) {
                continue;
            }
            let ends = [(forward, &relation.target), (backward, &relation.source)];
            for (_, end) in ends.into_iter().filter(|(follows, _)| *follows) {
                if self.seen.insert(end.clone()) {
                    next.push(end.clone());
                }
            }
            self.taken.push(relation);
        }
        self.level = next;
        self.depth += 1;
    }

    /// The relations, nearest first.
    pub fn finish(self) -> Vec<Relation> {
        self.taken
    }
}

/// The walk over relations that are all at hand.
pub fn walk(relations: &[Relation], reach: &Reach) -> Vec<Relation> {
    let mut walk = Walk::new(reach);
    while walk.next_level().is_some() {
        walk.take(relations.iter().filter(|r| r.namespace == reach.namespace).cloned().collect());
    }
    walk.finish()
}

#[cfg(test)]
mod tests {
    use super::super::testing::relation;
    use super::*;

    fn reach(depth: u32, direction: Direction, tag: Option<&str>, limit: usize) -> Reach {
        Reach {
            namespace: "n".to_owned(),
            start: "p".into(),
            depth,
            direction,
            tag: tag.map(str::to_owned),
            limit,
        }
    }

    fn ends(relations: &[Relation]) -> Vec<String> {
        relations.iter().map(|r| format!("{}>{}", r.source, r.target)).collect()
    }

    #[test]
    fn depth_direction_tag_and_limit_bound_it() {
        let all = [
            relation("p", "a", "supports", 0.5),
            relation("a", "b", "supports", 0.9),
            relation("b", "c", "supports", 0.9),
            relation("x", "p", "explains", 0.4),
            relation("p", "y", "conflicts", 0.1),
        ];
        let of = |r: &Reach| ends(&walk(&all, r));
        let near = of(&reach(1, Direction::Both, None, 80));
        assert_eq!(near, ["p>y", "p>a", "x>p"], "conflicts first, then the heaviest");
        assert_eq!(of(&reach(2, Direction::Forward, None, 80)), ["p>y", "p>a", "a>b"]);
        assert_eq!(of(&reach(9, Direction::Backward, None, 80)), ["x>p"]);
        assert_eq!(of(&reach(9, Direction::Both, Some("supports"), 80)), ["p>a", "a>b", "b>c"]);
        assert_eq!(of(&reach(9, Direction::Both, None, 2)), ["p>y", "p>a"]);
    }

    #[test]
    fn circles_end_and_other_namespaces_are_not_there() {
        let mut all = vec![
            relation("p", "a", "supports", 0.5),
            relation("a", "p", "supports", 0.5),
            relation("a", "b", "x", 0.5),
        ];
        all[2].namespace = "other".to_owned();
        assert_eq!(ends(&walk(&all, &reach(10, Direction::Both, None, 80))).len(), 2);
    }
}
