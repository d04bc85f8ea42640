//! Tenants, callers and points for tests.

use crate::vector_index::{Kind, Lot, Nearest, Point, Shared};
use elenchus_core::bank::{Caller, Scope};

/// Numbers per vector in tests.
pub(super) const DIMENSIONS: usize = 8;

/// A dice that falls the same way each time: SplitMix64.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Below `n`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(super) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    pub(super) fn vector(&mut self) -> Vec<f32> {
        (0..DIMENSIONS).map(|_| (self.next() >> 40) as f32 / 8_388_608.0 - 1.0).collect()
    }
}

pub(super) fn lot(tenant: &str) -> Lot {
    Lot::new(tenant, Kind::Bank).unwrap()
}

pub(super) fn caller(tenant: &str, project: &str, team: Option<&str>, org: Option<&str>) -> Caller {
    Caller {
        tenant: tenant.to_owned(),
        project: project.to_owned(),
        team: team.map(str::to_owned),
        org: org.map(str::to_owned),
        actor: "ann".to_owned(),
    }
}

pub(super) fn shared(project: &str, scope: Scope) -> Shared {
    Shared {
        project: project.to_owned(),
        team: Some("red".to_owned()),
        org: Some("works".to_owned()),
        scope,
    }
}

pub(super) fn point(id: &str, vectors: Vec<Vec<f32>>) -> Point {
    Point {
        id: id.to_owned(),
        shared: shared("ferry", Scope::Project),
        facet: "success".to_owned(),
        vectors,
    }
}

/// Points `p000` and so on, with one to three pieces each.
pub(super) fn points(n: usize) -> Vec<Point> {
    let mut dice = Dice(n as u64);
    (0..n)
        .map(|at| {
            let pieces = 1 + dice.below(3);
            point(&format!("p{at:03}"), (0..pieces).map(|_| dice.vector()).collect())
        })
        .collect()
}

pub(super) fn nearest(vector: Vec<f32>, most: usize) -> Nearest {
    Nearest { vector, most, scope: None, facet: None }
}

/// The unit vector along an axis, turned towards the next one: the cosine with the axis is `cos`.
pub(super) fn towards(axis: usize, cos: f32) -> Vec<f32> {
    let mut vector = vec![0.0; DIMENSIONS];
    vector[axis] = cos;
    vector[(axis + 1) % DIMENSIONS] = (1.0 - cos * cos).max(0.0).sqrt();
    vector
}

/// The highest cosine of a point's pieces and a vector, by the definition.
pub(super) fn cosine(point: &Point, wanted: &[f32]) -> f64 {
    let of = |a: &[f32], b: &[f32]| -> f64 {
        a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
    };
    point
        .vectors
        .iter()
        .map(|piece| of(piece, wanted) / (of(piece, piece) * of(wanted, wanted)).sqrt())
        .fold(-1.0, f64::max)
}

#[cfg(feature = "qdrant")]
pub(super) fn settings(url: &str) -> crate::vector_index::QdrantSettings {
    use std::time::Duration;
    let mut settings = crate::vector_index::QdrantSettings::new(url, "a test", DIMENSIONS);
    settings.backoff = Duration::from_millis(2);
    settings.exact = true;
    settings
}

#[cfg(feature = "qdrant")]
pub(super) fn index(
    peer: &crate::vector_index::testkit::LoopbackQdrant,
) -> crate::vector_index::QdrantIndex {
    crate::vector_index::QdrantIndex::new(&settings(&peer.url())).unwrap()
}
