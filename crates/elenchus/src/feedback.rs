//! What a user said about figures, and the figures corrected by it.
//!
//! Judgements of claims of runs are kept beside the runs in the store; those of files, and those from before there was a place
//! for them in the store, are lines of JSON. The last word on a claim counts. A judgement counts only for figures of the
//! calibration under which it was given: another one means other figures.

use crate::error::{CliError, Kind, Result};
use crate::paths;
use elenchus_core::belief::Judging;
use elenchus_core::id::RunId;
pub(crate) use elenchus_core::port::JudgedFigure as Figure;
use elenchus_core::port::{Basis, LOCAL, Matter, RIGHT, Remark};
use elenchus_io::store::{append_line, read_lines, remove_lines};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One judgement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Said {
    /// When, in milliseconds since 1970.
    pub(crate) at: i64,
    /// The claim's words.
    pub(crate) claim: String,
    /// The file or run that it is in, and its id there.
    pub(crate) from: String,
    /// The version of the calibration.
    pub(crate) calibration: String,
    /// What the figure was made of.
    pub(crate) figure: Figure,
    /// Whether it was right.
    pub(crate) right: bool,
    /// Who said it; empty for the user of this machine.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) actor: String,
    /// What was said along with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    /// Whether what was said of it before is taken back by this line.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) taken_back: bool,
}

/// All that was said.
#[derive(Debug, Default)]
pub(crate) struct Feedback {
    pub(crate) said: Vec<Said>,
    /// Lines that could not be read.
    pub(crate) unread: usize,
}

impl Feedback {
    /// What the file holds, where there is one, with what was said of runs.
    pub(crate) fn load(remarks: &[Remark]) -> Result<Self> {
        let mut feedback = Self::read(&paths::feedback()?)?;
        feedback.take(remarks);
        Ok(feedback)
    }

    /// Takes in what was said of claims of runs. What was said, or taken back, in the store stands against an earlier line of
    /// the file.
    fn take(&mut self, remarks: &[Remark]) {
        for remark in remarks.iter().filter(|one| one.about == Matter::Claim) {
            let from = of_run(&remark.run_id, &remark.target);
            if remark.actor == LOCAL {
                let at = remark.at.0;
                let is_own = |said: &Said| said.actor.is_empty() && said.from == from;
                if self.said.iter().any(|said| is_own(said) && said.at > at) {
                    continue;
                }
                self.said.retain(|said| !is_own(said));
            }
            let basis: Option<Basis> =
                remark.basis.as_deref().and_then(|json| serde_json::from_str(json).ok());
            let (Some(word), Some(basis)) = (&remark.said, basis) else { continue };
            self.said.push(Said {
                at: remark.at.0,
                claim: basis.claim,
                from,
                calibration: basis.calibration,
                figure: basis.figure,
                right: word == RIGHT,
                actor: if remark.actor == LOCAL { String::new() } else { remark.actor.clone() },
                note: remark.note.clone(),
                taken_back: false,
            });
        }
        self.said.sort_by_key(|said| said.at);
    }

    fn read(file: &Path) -> Result<Self> {
        let (lines, unread) = read_lines::<Said>(file)
            .map_err(|error| unkept("read your judgements", file, &error))?;
        let mut last: BTreeMap<(String, String), Said> = BTreeMap::new();
        for said in lines {
            last.insert((said.from.clone(), said.claim.clone()), said);
        }
        let mut said: Vec<Said> = last.into_values().filter(|said| !said.taken_back).collect();
        said.sort_by_key(|said| said.at);
        Ok(Self { said, unread })
    }

    /// Figures that have learnt from what was said under this calibration; how many judgements that were.
    pub(crate) fn correct(&self, judging: &mut Judging) -> usize {
        let mut used = 0;
        let mut bearings = 0;
        for said in &self.said {
            if said.calibration != judging.calibration.version {
                continue;
            }
            match said.figure {
                Figure::Fitted(p) if p.is_finite() => judging.calibration.learn(p, said.right),
                Figure::Fitted(_) => continue,
                Figure::Bearing(bearing) => {
                    judging.bearing.learn(bearing, said.right);
                    bearings += 1;
                }
            }
            used += 1;
        }
        if bearings > 0 {
            let more = format!(", and {bearings} of your own answers");
            judging.bearing.measured_on.push_str(&more);
        }
        used
    }
}

/// Where a claim of a run stands, as judgements name it.
pub(crate) fn of_run(run: &RunId, claim: &str) -> String {
    format!("run {run} {claim}")
}

/// Keeps one more judgement of a file's claim.
pub(crate) fn keep(said: &Said) -> Result<PathBuf> {
    let file = paths::feedback()?;
    append_line(&file, said).map_err(|error| unkept("keep your judgement", &file, &error))?;
    Ok(file)
}

/// Removes everything that was said.
pub(crate) fn forget() -> Result<()> {
    let file = paths::feedback()?;
    remove_lines(&file).map_err(|error| unkept("forget your judgements", &file, &error))
}

/// What a user said could not be kept, read or forgotten.
pub(crate) fn unkept(what: &str, file: &Path, error: &std::io::Error) -> CliError {
    CliError::new(
        Kind::Storage,
        format!("could not {what} in {}", file.display()),
        error.to_string(),
        "check that the file and its folder may be read and written",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::id::Timestamp;

    fn line(at: i64, right: bool) -> Said {
        Said {
            at,
            claim: "It rises.".to_owned(),
            from: "run run_1 c1".to_owned(),
            calibration: "v1".to_owned(),
            figure: Figure::Fitted(0.7),
            right,
            actor: String::new(),
            note: None,
            taken_back: false,
        }
    }

    fn remark(actor: &str, word: Option<&str>, at: i64) -> Remark {
        let basis = Basis {
            claim: "It rises.".to_owned(),
            calibration: "v1".to_owned(),
            figure: Figure::Fitted(0.7),
        };
        Remark::new(&RunId::from("run_1"), Matter::Claim, "c1", actor, word, Timestamp(at))
            .resting_on(word.map(|_| &basis))
    }

    #[test]
    fn what_is_said_in_the_store_stands_against_an_earlier_line_of_the_file() {
        let taken = |remarks: &[Remark]| {
            let mut feedback = Feedback { said: vec![line(10, true)], unread: 0 };
            feedback.take(remarks);
            feedback.said.iter().map(|said| (said.at, said.right)).collect::<Vec<_>>()
        };
        assert_eq!(taken(&[]), [(10, true)]);
        assert_eq!(taken(&[remark(LOCAL, Some("wrong"), 20)]), [(20, false)]);
        assert_eq!(taken(&[remark(LOCAL, None, 20)]), []);
        assert_eq!(taken(&[remark(LOCAL, Some("wrong"), 5)]), [(10, true)]);
        assert_eq!(taken(&[remark("ann", Some("wrong"), 5)]), [(5, false), (10, true)]);
    }
}
