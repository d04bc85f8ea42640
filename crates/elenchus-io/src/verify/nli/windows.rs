//! Evidence that is longer than a model reads at once.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A part of the evidence that is read at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Window {
    /// Its pieces.
    pub(super) ids: Vec<i32>,
    /// The sentences that it is made of; the first and the last may be parts of sentences.
    pub(super) sentences: Range<usize>,
}

/// Cuts sentences, given as their pieces, into windows of at most `room` pieces. A window holds as many whole
/// sentences as fit and opens with the last sentences of the one before, up to a quarter of the room; a sentence that
/// is longer than the room is cut.
pub(super) fn windows(sentences: &[Vec<i32>], room: usize) -> Vec<Window> {
    let room = room.max(1);
    let units: Vec<(usize, &[i32])> = sentences
        .iter()
        .enumerate()
        .flat_map(|(at, ids)| ids.chunks(room).map(move |part| (at, part)))
        .collect();
    let mut found = Vec::new();
    let mut start = 0;
    while start < units.len() {
        let mut ids = Vec::new();
        let mut end = start;
        while let Some((_, part)) =
            units.get(end).filter(|(_, part)| ids.len() + part.len() <= room)
        {
            ids.extend_from_slice(part);
            end += 1;
        }
        found.push(Window { ids, sentences: units[start].0..units[end - 1].0 + 1 });
        if end == units.len() {
            break;
        }
        let (mut next, mut repeated) = (end, 0);
        while next > start + 1 && repeated + units[next - 1].1.len() <= room / 4 {
            next -= 1;
            repeated += units[next].1.len();
        }
        start = next;
    }
    found
}

/// The windows that are read when there are more than `most`, in order: those with one of the `near` sentences first,
/// then those that share the most with the claim, pieces that few windows have weighing more.
pub(super) fn chosen(all: Vec<Window>, claim: &[i32], near: &[usize], most: usize) -> Vec<Window> {
    if all.len() <= most {
        return all;
    }
    let wanted: BTreeSet<i32> = claim.iter().copied().collect();
    let shared: Vec<BTreeSet<i32>> = all
        .iter()
        .map(|window| window.ids.iter().copied().filter(|id| wanted.contains(id)).collect())
        .collect();
    let mut having: BTreeMap<i32, f64> = BTreeMap::new();
    for id in shared.iter().flatten() {
        *having.entry(*id).or_default() += 1.0;
    }
    let count = all.len() as f64;
    let rarity = |id: &i32| ((1.0 + count) / (1.0 + having.get(id).copied().unwrap_or(0.0))).ln();
    let mut ranked: Vec<(bool, f64, usize)> = all
        .iter()
        .zip(&shared)
        .enumerate()
        .map(|(at, (window, shared))| {
            let close = near.iter().any(|sentence| window.sentences.contains(sentence));
            (close, shared.iter().map(rarity).sum(), at)
        })
        .collect();
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
    let kept: BTreeSet<usize> = ranked.into_iter().take(most).map(|(.., at)| at).collect();
    all.into_iter().enumerate().filter(|(at, _)| kept.contains(at)).map(|(_, w)| w).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn short_evidence_is_one_window_and_none_is_none() {
        let one = windows(&[vec![1, 2], vec![], vec![3]], 8);
        assert_eq!(one, [Window { ids: vec![1, 2, 3], sentences: 0..3 }]);
        assert!(windows(&[], 8).is_empty());
        assert!(windows(&[vec![]], 8).is_empty());
    }

    #[test]
    fn windows_overlap_by_whole_sentences() {
        let sentences: Vec<Vec<i32>> = (0..6).map(|at| vec![at; 2]).collect();
        let found = windows(&sentences, 8);
        let places: Vec<Range<usize>> = found.iter().map(|w| w.sentences.clone()).collect();
        assert_eq!(places, [0..4, 3..6]);
    }

    #[test]
    fn of_too_many_windows_those_near_the_claim_are_read() {
        let sentences: Vec<Vec<i32>> = (0..40).map(|at| vec![at; 8]).collect();
        let all = windows(&sentences, 8);
        assert_eq!(all.len(), 40);
        let read = chosen(all, &[20, 30], &[5], 3);
        let places: Vec<usize> = read.iter().map(|w| w.sentences.start).collect();
        assert_eq!(places, [5, 20, 30]);
    }

    proptest! {
        #[test]
        fn every_piece_is_read_and_no_window_is_too_long(
            lengths in prop::collection::vec(0usize..30, 0..40),
            room in 1usize..20,
        ) {
            let mut next = 0;
            let sentences: Vec<Vec<i32>> = lengths
                .iter()
                .map(|length| (0..*length).map(|_| { next += 1; next }).collect())
                .collect();
            let found = windows(&sentences, room);
            let read: BTreeSet<i32> = found.iter().flat_map(|w| w.ids.iter().copied()).collect();
            prop_assert_eq!(read.len(), sentences.iter().map(Vec::len).sum::<usize>());
            for window in &found {
                prop_assert!(!window.ids.is_empty() && window.ids.len() <= room);
                prop_assert!(window.sentences.end <= sentences.len());
            }
        }
    }
}
