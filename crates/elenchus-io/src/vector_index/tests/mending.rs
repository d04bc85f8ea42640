//! Drift is found and mended.

use super::world::{DIMENSIONS, lot, points};
use crate::vector_index::drift::{Drift, check, mend};
use crate::vector_index::{EmbeddedIndex, IndexFailure, Point, VectorIndex};
use elenchus_core::bank::Scope;
use elenchus_core::testkit::block_on;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn prints(points: &BTreeMap<String, Point>) -> BTreeMap<String, String> {
    points.iter().map(|(id, point)| (id.clone(), point.print())).collect()
}

fn some(store: &BTreeMap<String, Point>, ids: &[String]) -> Vec<Point> {
    ids.iter().filter_map(|id| store.get(id).cloned()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whatever the index holds: after mending it holds what the store holds, and each difference was told in the right place.
    #[test]
    fn what_differs_is_told_and_mended(fates in prop::collection::vec(0_u8..6, 0..60)) {
        let index = EmbeddedIndex::in_memory(DIMENSIONS).unwrap();
        let lot = lot("a");
        let mut store = BTreeMap::new();
        let mut wanted = Drift::default();
        for (point, fate) in points(60).into_iter().zip(fates) {
            let id = point.id.clone();
            let mut other = point.clone();
            match fate {
                0 => wanted.missing.push(id.clone()),
                1 => wanted.extra.push(id.clone()),
                2 => { other.vectors[0][0] += 0.25; wanted.stale.push(id.clone()); }
                3 => { other.shared.scope = Scope::Org; wanted.stale.push(id.clone()); }
                _ => wanted.sound += 1,
            }
            if fate != 0 {
                block_on(index.upsert(&lot, &[other])).unwrap();
            }
            if fate != 1 {
                store.insert(id, point);
            }
        }
        let drift = block_on(check(&index, &lot, &prints(&store))).unwrap();
        prop_assert_eq!(&drift, &wanted);
        let done = block_on(mend(&index, &lot, &drift, async |ids: &[String]| Ok::<_, IndexFailure>(some(&store, ids)))).unwrap();
        prop_assert_eq!(done, (wanted.missing.len() + wanted.stale.len(), wanted.extra.len()));
        let drift = block_on(check(&index, &lot, &prints(&store))).unwrap();
        prop_assert!(drift.is_none() && drift.sound == store.len());
    }
}

#[test]
fn what_left_the_store_meanwhile_leaves_the_index() {
    let index = EmbeddedIndex::in_memory(DIMENSIONS).unwrap();
    let lot = lot("a");
    let mut store: BTreeMap<String, Point> =
        points(300).into_iter().map(|point| (point.id.clone(), point)).collect();
    let mut stale = store["p007"].clone();
    stale.facet = "older".to_owned();
    block_on(index.upsert(&lot, &[stale])).unwrap();
    let drift = block_on(check(&index, &lot, &prints(&store))).unwrap();
    assert_eq!((drift.missing.len(), drift.stale.len()), (299, 1));
    store.remove("p007");
    let done = block_on(mend(&index, &lot, &drift, async |ids: &[String]| {
        Ok::<_, IndexFailure>(some(&store, ids))
    }))
    .unwrap();
    assert_eq!(done, (299, 1));
    let drift = block_on(check(&index, &lot, &prints(&store))).unwrap();
    assert!(drift.is_none());
}
