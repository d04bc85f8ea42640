//! Belief: claims, what bears on them, and a confidence that was measured.

mod assess;
mod calibration;
mod claim;
mod clusters;
mod confidence;
mod entailment;
pub mod hypothesis;
mod judging;
mod nearest;
mod operating;
mod su_score;
mod vintage;

pub use assess::{Assessed, CheckedClaim};
pub use calibration::{
    Bin, Calibrated, Calibration, CalibrationMap, FEEDBACK_PRIOR, FeedbackBin, FittedOn, fit_platt,
    isotonic, wilson,
};
pub use claim::{Claim, ClaimDefect, ClaimType, Extraction, SubstantiveWord, WordType};
pub(crate) use clusters::{clusters, counted};
pub(crate) use confidence::recommendations;
pub use confidence::{
    Assessment, ClaimConfidence, ConfidenceResult, Coverage, ENTAILMENT_WEIGHT, Level, Methodology,
    SOURCE_COUNT_WEIGHT, SU_SCORE_WEIGHT, Weighed, log_odds, pooled,
};
pub(crate) use entailment::BIBLE;
pub use entailment::{
    EntailmentResult, FIGURES, JudgedPassage, NO_PASSAGE, SourceEvidence, Thresholds, Verdict,
};
pub use hypothesis::{Hypothesis, HypothesisEvidence, HypothesisStatus, HypothesisTest, Judged};
pub use judging::{BearingTable, Judging, Measured};
pub use operating::OperatingPoint;
pub use su_score::{ClaimSuScore, NO_WORDS, SuScore, WordScore};
pub(crate) use vintage::settle;
