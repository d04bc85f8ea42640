//! The best path to every memo, one a polarity.

use super::{Direction, Polarity, Relation};
use crate::id::MemoId;
use std::collections::BTreeMap;

/// Most rival paths to one memo that are kept while searching. A path is dropped without loss when another one is at
/// least as strong, as short, and visits no memo that it does not; beyond that so many are kept.
const RIVALS: usize = 24;

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<'a> {
    /// The relation that is followed.
    pub relation: &'a Relation,
    /// Forward from source to target, or backward.
    pub direction: Direction,
    /// What the relation means on this step.
    pub polarity: Polarity,
}

impl<'a> Step<'a> {
    /// The memo that the step comes from.
    pub fn from(&self) -> &'a MemoId {
        match self.direction {
            Direction::Backward => &self.relation.target,
            _ => &self.relation.source,
        }
    }

    /// The memo that it leads to.
    pub fn to(&self) -> &'a MemoId {
        match self.direction {
            Direction::Backward => &self.relation.source,
            _ => &self.relation.target,
        }
    }
}

/// A path that visits no memo twice.
#[derive(Clone, Debug, PartialEq)]
pub struct Path<'a> {
    /// Its polarity: a path that contains a conflict is a conflict.
    pub polarity: Polarity,
    /// The product of the weights times delta for every step after the first, in `[0, 1]`.
    pub strength: f64,
    /// From the start to the memo; never empty.
    pub steps: Vec<Step<'a>>,
}

impl<'a> Path<'a> {
    /// A path of one step.
    fn of(step: &Step<'a>) -> Self {
        let strength = step.relation.weight.clamp(0.0, 1.0);
        Self { polarity: step.polarity, strength, steps: vec![*step] }
    }

    /// The step that gives the path its polarity: the last conflict of a conflict, the last step of support, the last
    /// relation of another kind otherwise.
    pub fn decisive(&self) -> Option<&Step<'a>> {
        self.steps.iter().rev().find(|step| step.polarity == self.polarity).or(self.steps.last())
    }

    /// The memos that it visits, the start first.
    pub fn memos(&self) -> Vec<&'a MemoId> {
        let first = self.steps.first().map(Step::from);
        first.into_iter().chain(self.steps.iter().map(Step::to)).collect()
    }

    fn order(&self) -> impl Ord + use<'_> {
        let keys: Vec<_> = self.steps.iter().map(|s| (s.to(), s.relation.key())).collect();
        (self.steps.len(), keys)
    }
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Paths<'a> {
    /// The strongest path to each memo for each polarity; the shorter of two that are as strong.
    pub best: BTreeMap<(&'a MemoId, Polarity), Path<'a>>,
    /// Whether so many paths rival each other that a stronger one may have been missed.
    pub cut: bool,
}

/// How a search goes.
pub struct Search<'s> {
    /// The most steps.
    pub depth: u32,
    /// What every step after the first multiplies the strength with, in `(0, 1]`.
    pub delta: f64,
    /// What following a relation means; `None` when it must not be followed.
    pub step: &'s dyn Fn(&Relation, Direction) -> Option<Polarity>,
    /// What a path means with one more relation; `None` when it must not go on so.
    pub join: &'s dyn Fn(Polarity, Polarity) -> Option<Polarity>,
    /// Whether a path may go through a memo, and not only to it.
    pub through: &'s dyn Fn(&MemoId) -> bool,
}

impl Search<'_> {
    /// The best paths from `start`. Relations may be given in any order.
    pub fn run<'a>(&self, start: &'a MemoId, relations: &'a [Relation]) -> Paths<'a> {
        let mut leaving: BTreeMap<&MemoId, Vec<Step<'a>>> = BTreeMap::new();
        for relation in relations.iter().filter(|r| r.source != r.target && r.weight.is_finite()) {
            for direction in [Direction::Forward, Direction::Backward] {
                if let Some(polarity) = (self.step)(relation, direction) {
                    let step = Step { relation, direction, polarity };
                    leaving.entry(step.from()).or_default().push(step);
                }
            }
        }
        let mut paths = Paths::default();
        let mut kept: BTreeMap<(&MemoId, Polarity), Vec<Path<'a>>> = BTreeMap::new();
        let mut level: Vec<Path<'a>> = Vec::new();
        for depth in 0..self.depth {
            let mut longer: Vec<Path<'a>> = if depth == 0 {
                leaving.get(start).into_iter().flatten().map(Path::of).collect()
            } else {
                level.iter().flat_map(|path| self.longer(start, path, &leaving)).collect()
            };
            longer.sort_by(|a, b| {
                b.strength.total_cmp(&a.strength).then_with(|| a.order().cmp(&b.order()))
            });
            level = Vec::new();
            for path in longer {
                let Some(last) = path.steps.last() else { continue };
                let rivals = kept.entry((last.to(), path.polarity)).or_default();
                if rivals.iter().any(|rival| replaces(rival, &path)) {
                    continue;
                }
                if rivals.len() == RIVALS {
                    paths.cut = true;
                    continue;
                }
                rivals.push(path.clone());
                level.push(path);
            }
        }
        for (place, rivals) in kept {
            let best = rivals.into_iter().min_by(|a, b| {
                b.strength.total_cmp(&a.strength).then_with(|| a.order().cmp(&b.order()))
            });
            if let Some(best) = best {
                paths.best.insert(place, best);
            }
        }
        paths
    }

    fn longer<'a>(
        &self,
        start: &MemoId,
        path: &Path<'a>,
        leaving: &BTreeMap<&MemoId, Vec<Step<'a>>>,
    ) -> Vec<Path<'a>> {
        let Some(last) = path.steps.last() else { return Vec::new() };
        if !(self.through)(last.to()) {
            return Vec::new();
        }
        let steps = leaving.get(last.to()).map(Vec::as_slice).unwrap_or_default();
        steps
            .iter()
            .filter(|step| {
                step.to() != start && path.steps.iter().all(|before| before.to() != step.to())
            })
            .filter_map(|step| {
                let polarity = (self.join)(path.polarity, step.polarity)?;
                let mut steps = path.steps.clone();
                steps.push(*step);
                let strength = path.strength * self.delta * step.relation.weight.clamp(0.0, 1.0);
                Some(Path { polarity, strength, steps })
            })
            .collect()
    }
}

/// Whether anything that `path` could become, `rival` can become too, and be no weaker. Both lead to the same memo.
fn replaces(rival: &Path<'_>, path: &Path<'_>) -> bool {
    rival.strength >= path.strength
        && rival.steps.len() <= path.steps.len()
        && rival.steps.iter().all(|step| path.steps.iter().any(|other| other.to() == step.to()))
}

#[cfg(test)]
mod tests {
    use super::super::testing::relation;
    use super::*;
    use proptest::prelude::*;

    fn plain(depth: u32, delta: f64, run: impl FnOnce(Search<'_>)) {
        run(Search {
            depth,
            delta,
            step: &|relation, _| Some(Polarity::of(&relation.tag)),
            join: &|path, next| Some(path.and(next)),
            through: &|_| true,
        });
    }

    #[test]
    fn a_chain_is_as_strong_as_the_product_of_its_weights() {
        let all = [
            relation("p", "a", "supports", 0.8),
            relation("a", "b", "supports", 0.5),
            relation("p", "b", "supports", 0.3),
        ];
        let (start, end) = ("p".into(), "b".into());
        plain(2, 1.0, |search| {
            let paths = search.run(&start, &all);
            let best = &paths.best[&(&end, Polarity::Supports)];
            assert!((best.strength - 0.4).abs() < 1e-12 && best.steps.len() == 2);
        });
        plain(2, 0.5, |search| {
            let paths = search.run(&start, &all);
            let best = &paths.best[&(&end, Polarity::Supports)];
            assert!((best.strength - 0.3).abs() < 1e-12 && best.steps.len() == 1);
        });
        plain(1, 1.0, |search| {
            let paths = search.run(&start, &all);
            assert_eq!(paths.best[&(&end, Polarity::Supports)].steps.len(), 1);
        });
    }

    #[test]
    fn the_best_of_each_polarity_stays() {
        let all = [
            relation("p", "m", "supports", 0.65),
            relation("m", "p", "conflicts", 0.6),
            relation("p", "x", "conflicts", 0.9),
            relation("x", "m", "supports", 0.9),
        ];
        let start = "p".into();
        plain(2, 1.0, |search| {
            let paths = search.run(&start, &all);
            let m = "m".into();
            assert!((paths.best[&(&m, Polarity::Supports)].strength - 0.65).abs() < 1e-12);
            let against = &paths.best[&(&m, Polarity::Conflicts)];
            assert!((against.strength - 0.81).abs() < 1e-12);
            assert_eq!(against.decisive().map(|s| s.relation.weight), Some(0.9));
            assert_eq!(against.decisive().map(|s| s.to().as_str()), Some("x"));
            assert_eq!(against.memos().last(), Some(&&m));
        });
    }

    #[test]
    fn no_path_goes_back_over_the_start() {
        // The conflict with c says nothing about a.
        let all = [relation("p", "c", "conflicts", 1.0), relation("p", "a", "supports", 1.0)];
        let start = "p".into();
        plain(5, 1.0, |search| {
            let paths = search.run(&start, &all);
            assert_eq!(paths.best.len(), 2);
        });
    }

    /// Every simple path, by brute force: the strength of the best one a memo and polarity.
    fn brute(all: &[Relation], depth: u32, delta: f64) -> BTreeMap<(String, Polarity), f64> {
        fn go(
            all: &[Relation],
            path: &mut Vec<String>,
            state: Option<(Polarity, f64)>,
            left: u32,
            delta: f64,
            best: &mut BTreeMap<(String, Polarity), f64>,
        ) {
            if left == 0 {
                return;
            }
            let here = path.last().expect("there is a start").clone();
            for relation in all {
                for (a, b) in
                    [(&relation.source, &relation.target), (&relation.target, &relation.source)]
                {
                    if a.as_str() != here || path.iter().any(|seen| seen == b.as_str()) {
                        continue;
                    }
                    let tag = Polarity::of(&relation.tag);
                    let (polarity, strength) = match state {
                        None => (tag, relation.weight),
                        Some((polarity, strength)) => {
                            (polarity.and(tag), strength * delta * relation.weight)
                        }
                    };
                    let slot = best.entry((b.to_string(), polarity)).or_insert(0.0);
                    *slot = slot.max(strength);
                    path.push(b.to_string());
                    go(all, path, Some((polarity, strength)), left - 1, delta, best);
                    path.pop();
                }
            }
        }
        let mut best = BTreeMap::new();
        go(all, &mut vec!["n0".to_owned()], None, depth, delta, &mut best);
        best
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]
        #[test]
        fn it_finds_what_trying_everything_finds(
            edges in proptest::collection::vec((0..6u8, 0..6u8, 0..3usize, 1..=4u8), 0..11),
            depth in 1..5u32, delta in 0.3..=1.0f64)
        {
            let tags = ["supports", "conflicts", "explains"];
            let all: Vec<Relation> = edges
                .iter()
                .filter(|(a, b, ..)| a != b)
                .map(|(a, b, tag, w)| relation(&format!("n{a}"), &format!("n{b}"), tags[*tag], f64::from(*w) / 4.0))
                .collect();
            let wanted = brute(&all, depth, delta);
            let start = "n0".into();
            let search = Search {
                depth, delta,
                step: &|relation, _| Some(Polarity::of(&relation.tag)),
                join: &|path, next| Some(path.and(next)),
                through: &|_| true,
            };
            let paths = search.run(&start, &all);
            prop_assert!(!paths.cut);
            let found: Vec<((String, Polarity), f64)> = paths.best.iter()
                .map(|((memo, polarity), path)| ((memo.to_string(), *polarity), path.strength)).collect();
            prop_assert_eq!(found.len(), wanted.len());
            for (place, strength) in found {
                prop_assert!((strength - wanted[&place]).abs() < 1e-9, "{:?}", place);
            }
        }
    }
}
