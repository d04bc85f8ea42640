//! What an index takes, checked before anything is written or asked: all implementations refuse the same.

use super::failure::IndexFailure;
use super::point::{Kind, Lot, NAME_BYTES, Nearest, Point, named};
use super::{MOST_FOUND, MOST_LISTED};
use elenchus_core::bank::Caller;

/// Most pieces of a point.
const PIECES: usize = 64;

/// The dimensions that an index can have: what Qdrant takes.
pub(super) fn dimensions(wanted: usize) -> Result<(), IndexFailure> {
    if (1..=65_535).contains(&wanted) {
        return Ok(());
    }
    Err(IndexFailure::refused(
        "set up an index of vectors",
        format!("vectors cannot have {wanted} numbers"),
        "choose an embedder with 1 to 65535 dimensions",
    ))
}

pub(super) fn points(points: &[Point], dimensions: usize) -> Result<(), IndexFailure> {
    for point in points {
        id(&point.id)?;
        let shared = &point.shared;
        let attempted = || format!("put {} into the index of vectors", short(&point.id));
        let words = [Some(&shared.project), shared.team.as_ref(), shared.org.as_ref()];
        if words.into_iter().flatten().chain([&point.facet]).any(|word| word.len() > NAME_BYTES) {
            let cause =
                "a name of its project, team, organisation or facet is longer than 512 bytes";
            return Err(IndexFailure::refused(attempted(), cause, "use a shorter name"));
        }
        if !(1..=PIECES).contains(&point.vectors.len()) {
            let cause = format!("it has {} vectors", point.vectors.len());
            return Err(IndexFailure::refused(attempted(), cause, "give it 1 to 64"));
        }
        for one in &point.vectors {
            vector(one, dimensions, attempted)?;
        }
    }
    Ok(())
}

pub(super) fn ids(ids: &[String]) -> Result<(), IndexFailure> {
    ids.iter().try_for_each(|one| id(one))
}

/// The caller's lot, and whether what it asks can be asked.
pub(super) fn asked(
    caller: &Caller,
    kind: &Kind,
    asked: &Nearest,
    dimensions: usize,
) -> Result<Lot, IndexFailure> {
    let attempted = || "search the index of vectors".to_owned();
    vector(&asked.vector, dimensions, attempted)?;
    if !(1..=MOST_FOUND).contains(&asked.most) {
        let cause = format!("{} points cannot be asked for", asked.most);
        return Err(IndexFailure::refused(attempted(), cause, "ask for 1 to 1000"));
    }
    seeing(caller, kind)
}

/// The caller's lot.
pub(super) fn seeing(caller: &Caller, kind: &Kind) -> Result<Lot, IndexFailure> {
    Lot::new(&caller.tenant, kind.clone())
}

pub(super) fn listed(most: usize) -> Result<(), IndexFailure> {
    if (1..=MOST_LISTED).contains(&most) {
        return Ok(());
    }
    Err(IndexFailure::refused(
        "list the index of vectors",
        format!("a page cannot have {most} entries"),
        "ask for 1 to 1000",
    ))
}

fn id(id: &str) -> Result<(), IndexFailure> {
    named("point", id)
}

fn vector(
    vector: &[f32],
    dimensions: usize,
    attempted: impl Fn() -> String,
) -> Result<(), IndexFailure> {
    let cause = if vector.len() != dimensions {
        format!("a vector has {} numbers and the index's have {dimensions}", vector.len())
    } else if !vector.iter().all(|x| x.is_finite()) {
        "a vector holds what is no number".to_owned()
    } else if length(vector) <= f64::from(f32::MIN_POSITIVE) || length(vector) > 1e18 {
        "a vector has no direction: it is zero, or beyond all measure".to_owned()
    } else {
        return Ok(());
    };
    Err(IndexFailure::refused(
        attempted(),
        cause,
        "embed the text again, with the index's embedder",
    ))
}

/// A vector of length 1 with the same direction; the vector has one.
pub(super) fn unit(vector: &[f32]) -> Vec<f32> {
    let length = length(vector);
    vector.iter().map(|x| (f64::from(*x) / length) as f32).collect()
}

/// The Euclidean length.
pub(super) fn length(vector: &[f32]) -> f64 {
    vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt()
}

/// An id as messages show it.
fn short(id: &str) -> String {
    id.chars().filter(|c| !c.is_control()).take(60).collect()
}
