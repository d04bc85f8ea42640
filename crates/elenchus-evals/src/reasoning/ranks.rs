//! How well a board of explanations ranks the right one.

use super::observed::Explanation;
use elenchus_core::belief::HypothesisStatus;

/// Credences closer than this tie.
const TIE: f64 = 1e-9;
/// At or beyond these a credence is nearly sure, with the sources behind it or without.
const SURE: (f64, f64) = (0.15, 0.85);

/// 1 when the right explanation stands alone at the top by this measure, 1/n when n tie there, else 0.
pub(crate) fn first(board: &[Explanation], right: usize, by: fn(&Explanation) -> f64) -> f64 {
    let Some(own) = board.get(right).map(by) else { return 0.0 };
    if board.iter().any(|one| by(one) > own + TIE) {
        return 0.0;
    }
    let ties = board.iter().filter(|one| (by(one) - own).abs() <= TIE).count();
    1.0 / ties.max(1) as f64
}

/// The squared distance of each explanation from the truth.
pub(crate) fn brier(board: &[Explanation], right: usize, by: fn(&Explanation) -> f64) -> Vec<f64> {
    let truth = |at: usize| if at == right { 1.0 } else { 0.0 };
    board.iter().enumerate().map(|(at, one)| (by(one) - truth(at)).powi(2)).collect()
}

/// Of each explanation that the run confirms or refutes, whether that is right.
pub(crate) fn settled(board: &[Explanation], right: usize) -> Vec<bool> {
    let verdict = |(at, one): (usize, &Explanation)| match one.status {
        HypothesisStatus::Confirmed => Some(at == right),
        HypothesisStatus::Refuted => Some(at != right),
        HypothesisStatus::Active | HypothesisStatus::Dropped => None,
    };
    board.iter().enumerate().filter_map(verdict).collect()
}

/// Of each credence that is nearly sure, whether it is on the right side.
pub(crate) fn sure(board: &[Explanation], right: usize) -> Vec<bool> {
    let side = |(at, one): (usize, &Explanation)| {
        if one.credence >= SURE.1 {
            Some(at == right)
        } else if one.credence <= SURE.0 {
            Some(at != right)
        } else {
            None
        }
    };
    board.iter().enumerate().filter_map(side).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(credences: &[f64]) -> Vec<Explanation> {
        let one = |credence: &f64| Explanation {
            claim: String::new(),
            credence: *credence,
            prior: 0.35,
            status: HypothesisStatus::Active,
            independent: 0,
            warned: false,
        };
        credences.iter().map(one).collect()
    }

    #[test]
    fn the_right_one_is_first_alone_or_by_its_share() {
        let credence = |one: &Explanation| one.credence;
        let of = |credences: &[f64], right| first(&board(credences), right, credence);
        assert!((of(&[0.9, 0.2], 0) - 1.0).abs() < 1e-12);
        assert!(of(&[0.9, 0.2], 1).abs() < 1e-12);
        assert!((of(&[0.5, 0.5, 0.2], 1) - 0.5).abs() < 1e-12);
        assert!((first(&board(&[0.9, 0.1, 0.1]), 2, |one| one.prior) - 1.0 / 3.0).abs() < 1e-12);
        assert!(of(&[0.9], 7).abs() < 1e-12);
    }

    #[test]
    fn the_brier_score_is_the_squared_distance() {
        let all = brier(&board(&[0.9, 0.2]), 0, |one| one.credence);
        assert!((all[0] - 0.01).abs() < 1e-12 && (all[1] - 0.04).abs() < 1e-12);
    }

    #[test]
    fn only_what_is_sure_or_settled_is_right_or_wrong() {
        assert_eq!(sure(&board(&[0.9, 0.1, 0.5, 0.85]), 0), [true, true, false]);
        assert_eq!(sure(&board(&[0.1]), 0), [false]);
        let mut all = board(&[0.9, 0.1, 0.1, 0.9]);
        assert_eq!(settled(&all, 0), [false; 0], "no credence is a verdict");
        all[0].status = HypothesisStatus::Confirmed;
        all[1].status = HypothesisStatus::Refuted;
        all[3].status = HypothesisStatus::Dropped;
        assert_eq!(settled(&all, 0), [true, true]);
        assert_eq!(settled(&all, 1), [false, false]);
    }
}
