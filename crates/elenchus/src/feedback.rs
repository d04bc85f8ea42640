//! What a user said about figures, and the figures corrected by it.
//!
//! A line of JSON for each judgement. The last word on a claim counts. A judgement counts only for figures of the
//! calibration under which it was given: another one means other figures.

use crate::error::{CliError, Kind, Result};
use crate::paths;
use elenchus_core::belief::Judging;
use elenchus_core::prompt::Bearing;
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
}

/// What a judgement tells about.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Figure {
    /// The probability that sources bear a claim out, before any feedback.
    Fitted(f64),
    /// How firmly an answer bore on its question.
    Bearing(Bearing),
}

/// All that was said.
#[derive(Debug, Default)]
pub(crate) struct Feedback {
    pub(crate) said: Vec<Said>,
    /// Lines that could not be read.
    pub(crate) unread: usize,
}

impl Feedback {
    /// What the file holds; nothing when there is none.
    pub(crate) fn load() -> Result<Self> {
        Self::read(&paths::feedback()?)
    }

    fn read(file: &Path) -> Result<Self> {
        let (lines, unread) = read_lines::<Said>(file)
            .map_err(|error| unkept("read your judgements", file, &error))?;
        let mut last: BTreeMap<(String, String), Said> = BTreeMap::new();
        for said in lines {
            last.insert((said.from.clone(), said.claim.clone()), said);
        }
        let mut said: Vec<Said> = last.into_values().collect();
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

/// Keeps one more judgement.
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
