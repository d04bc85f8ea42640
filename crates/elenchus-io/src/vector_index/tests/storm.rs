//! Thousands of random operations of three tenants with three scopes each, against a model that is too simple to be wrong.

use super::world::{Dice, caller, cosine, nearest};
use crate::vector_index::{Kind, Lot, Point, Shared, VectorIndex};
use elenchus_core::bank::{Caller, Scope};
use std::collections::BTreeMap;
use std::fmt;

/// What an implementation may err by in a cosine.
const CLOSE: f64 = 2e-5;
/// Ids that tenants have in common: a point of another tenant would not be told by its id.
const IDS: usize = 40;

/// What a storm did. All of the last four must be 0, and a storm stops at the first that is not.
#[derive(Debug, Default)]
pub(super) struct Said {
    operations: usize,
    searches: usize,
    found: usize,
    foreign: usize,
    wrong_counts: usize,
    wrong_scores: usize,
    lacking: usize,
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} operations, {} searches, {} points found; {} foreign, {} wrong counts, {} wrong scores, {} lacking",
            self.operations,
            self.searches,
            self.found,
            self.foreign,
            self.wrong_counts,
            self.wrong_scores,
            self.lacking
        )
    }
}

/// Does `operations` of them on an index whose tenants' names hold `salt`, and clears them.
pub(super) async fn storm(
    index: &dyn VectorIndex,
    salt: &str,
    seed: u64,
    operations: usize,
) -> Said {
    let mut dice = Dice(seed);
    let tenants = ["north", "south", "west"].map(|name| format!("{name} {salt}"));
    let lots: Vec<Lot> =
        tenants.iter().map(|name| Lot::new(name.clone(), Kind::Bank).unwrap()).collect();
    let mut model: Vec<BTreeMap<String, Point>> = vec![BTreeMap::new(); 3];
    let mut said = Said { operations, ..Said::default() };
    for _ in 0..operations {
        let at = dice.below(3);
        match dice.below(20) {
            0..=5 => {
                let mut points: Vec<Point> = Vec::new();
                for _ in 0..=dice.below(4) {
                    let point = random(&mut dice, at);
                    points.retain(|other| other.id != point.id);
                    points.push(point);
                }
                index.upsert(&lots[at], &points).await.unwrap();
                model[at].extend(points.into_iter().map(|point| (point.id.clone(), point)));
            }
            6..=8 => {
                let ids: Vec<String> =
                    (0..=dice.below(3)).map(|_| format!("p{}", dice.below(IDS))).collect();
                index.remove(&lots[at], &ids).await.unwrap();
                model[at].retain(|id, _| !ids.contains(id));
            }
            9 if dice.below(25) == 0 => {
                index.clear(&lots[at]).await.unwrap();
                model[at].clear();
            }
            9..=15 => {
                let asking = somebody(&mut dice, &tenants[at]);
                look(index, &mut dice, &asking, &model[at], &mut said).await;
            }
            16 | 17 => {
                let asking = somebody(&mut dice, &tenants[at]);
                let seen = model[at].values().filter(|point| point.shared.seen_by(&asking)).count();
                let count = index.count(&asking, &Kind::Bank).await.unwrap();
                said.wrong_counts += usize::from(count != seen as u64);
            }
            _ => {
                let size = index.size(&lots[at]).await.unwrap();
                said.wrong_counts += usize::from(size != model[at].len() as u64);
            }
        }
        let wrong = said.foreign + said.wrong_counts + said.wrong_scores + said.lacking;
        assert_eq!(wrong, 0, "{said}");
    }
    for (lot, points) in lots.iter().zip(&model) {
        let wanted: BTreeMap<String, String> =
            points.iter().map(|(id, point)| (id.clone(), point.print())).collect();
        let drift = crate::vector_index::drift::check(index, lot, &wanted).await.unwrap();
        assert!(drift.is_none() && drift.sound == points.len(), "{drift:?}");
        index.clear(lot).await.unwrap();
    }
    assert!(said.found > operations / 4, "a storm in which little was found shows little: {said}");
    said
}

/// A search, held against the model.
async fn look(
    index: &dyn VectorIndex,
    dice: &mut Dice,
    asking: &Caller,
    model: &BTreeMap<String, Point>,
    said: &mut Said,
) {
    let mut asked = nearest(dice.vector(), 1 + dice.below(30));
    if dice.below(4) == 0 {
        asked.scope = Some(dice.one(&[Scope::Project, Scope::Team, Scope::Org]));
    }
    if dice.below(4) == 0 {
        asked.facet = Some(dice.one(&["success", "failure"]).to_owned());
    }
    let found = index.nearest(asking, &Kind::Bank, &asked).await.unwrap();
    let mut seen: Vec<(f64, &str)> = model
        .values()
        .filter(|point| {
            point.shared.seen_by(asking)
                && asked.scope.is_none_or(|scope| scope == point.shared.scope)
                && asked.facet.as_ref().is_none_or(|facet| *facet == point.facet)
        })
        .map(|point| (cosine(point, &asked.vector), point.id.as_str()))
        .collect();
    seen.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    said.searches += 1;
    said.found += found.len();
    said.lacking += seen.len().min(asked.most).abs_diff(found.len());
    for (at, one) in found.iter().enumerate() {
        match seen.iter().find(|(_, id)| *id == one.id) {
            // An id that the caller may not see, or one of another tenant.
            None => said.foreign += 1,
            // A score that another tenant's point of that id would have.
            Some((cosine, _)) if (f64::from(one.cosine) - cosine).abs() > CLOSE => {
                said.wrong_scores += 1;
            }
            // Something nearer was left out.
            Some((cosine, _)) => said.lacking += usize::from((seen[at].0 - cosine).abs() > CLOSE),
        }
    }
}

/// A caller of a tenant: of one of three projects, with or without team and organisation. Names are the same in all tenants.
fn somebody(dice: &mut Dice, tenant: &str) -> Caller {
    let team = dice.one(&[None, Some("red"), Some("blue")]);
    let org = dice.one(&[None, Some("works"), Some("red")]);
    caller(tenant, dice.one(&["ferry", "tram", "bus"]), team, org)
}

/// A point; those of one tenant lie on another side than those of the next.
fn random(dice: &mut Dice, tenant: usize) -> Point {
    let pieces = 1 + dice.below(3);
    let vectors = (0..pieces)
        .map(|_| {
            let mut vector = dice.vector();
            vector[tenant] += 1.0;
            vector
        })
        .collect();
    let named = |dice: &mut Dice, names: &[Option<&str>]| dice.one(names).map(str::to_owned);
    Point {
        id: format!("p{}", dice.below(IDS)),
        shared: Shared {
            project: dice.one(&["ferry", "tram", "bus"]).to_owned(),
            team: named(dice, &[None, Some("red"), Some("blue")]),
            org: named(dice, &[None, Some("works"), Some("red")]),
            scope: dice.one(&[Scope::Project, Scope::Team, Scope::Org]),
        },
        facet: dice.one(&["success", "failure", ""]).to_owned(),
        vectors,
    }
}
