//! One place in ten searches for a strategy of which little is known: what is never shown never proves itself.

use super::Scored;
use crate::id::{SearchId, short_hash};
use crate::port::Held;

/// A strategy is tried out only where it fits at least this share as well as the best.
const FITS: f64 = 0.5;
/// Deviations above its mean that a strategy might yet reach: the upper end of nine tenths, roughly.
const HOPE: f64 = 1.64;
/// Draws a search at most; those that fit best come first.
const MOST: usize = 64;

/// A number in `[0, 1)` that is the same for the same texts and looks drawn.
pub(crate) fn draw(seed: &str, salt: &str) -> f64 {
    // 13 hex digits are 52 bits, which an f64 holds exactly.
    let digits = short_hash(format!("{seed}\0{salt}").as_bytes(), 13);
    let bits = u64::from_str_radix(&digits, 16).unwrap_or(0);
    bits as f64 / (1u64 << 52) as f64
}

/// Whether this search is one of the share `often` that try something out.
pub(super) fn due(search: &SearchId, often: f64) -> bool {
    often.is_finite() && draw(search.as_str(), "explore") < often
}

/// Gives the last place to one of `rest`: the one with the greatest draw from its own posterior (Thompson), weighted by its
/// relevance. What is surely below the floor is not tried.
pub(super) fn try_one(
    held: &mut Vec<Held>,
    chosen: &[&Scored<'_>],
    rest: &[&Scored<'_>],
    search: &SearchId,
    floor: f64,
    places: usize,
) {
    let best = chosen.iter().map(|one| one.relevance).fold(0.0, f64::max);
    let hopeful = |one: &&&Scored<'_>| {
        let belief = one.candidate.posterior;
        one.relevance >= FITS * best && belief.mean() + HOPE * belief.deviation() >= floor
    };
    let drawn = |one: &Scored<'_>| {
        let p = draw(search.as_str(), one.candidate.strategy.id.as_str());
        one.relevance * one.candidate.posterior.quantile(p)
    };
    let tried = rest.iter().filter(hopeful).take(MOST).map(|one| (drawn(one), one)).fold(
        None,
        |most: Option<(f64, &&Scored<'_>)>, next| {
            if most.is_none_or(|(had, _)| next.0 > had) { Some(next) } else { most }
        },
    );
    if let Some((_, one)) = tried {
        held.truncate(places.saturating_sub(1));
        held.push(one.held(true));
    }
}
