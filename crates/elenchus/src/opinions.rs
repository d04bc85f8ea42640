//! What a user said about insights: a line of JSON each, in the data folder. The last word on an insight counts.

use crate::error::{CliError, Kind, Result};
use crate::paths;
use elenchus_core::insight::{Insight, InsightFeedback};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// One judgement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Opinion {
    /// When, in milliseconds since 1970.
    pub(crate) at: i64,
    /// The run.
    pub(crate) run: String,
    /// The insight's id there.
    pub(crate) insight: String,
    /// What it says, so that a saved one can be read when its run is gone.
    pub(crate) description: String,
    /// What the user said of it.
    pub(crate) feedback: InsightFeedback,
}

/// All opinions, by run and insight.
#[derive(Debug, Default)]
pub(crate) struct Opinions {
    by_insight: BTreeMap<(String, String), Opinion>,
}

impl Opinions {
    /// What the file holds; nothing when there is none. Lines that cannot be read are left out.
    pub(crate) fn load() -> Result<Self> {
        let file = paths::opinions()?;
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            Err(error) => return Err(storage("read what you said of insights", &file, &error)),
        };
        let mut opinions = Self::default();
        for said in text.lines().filter_map(|line| serde_json::from_str::<Opinion>(line).ok()) {
            opinions.by_insight.insert((said.run.clone(), said.insight.clone()), said);
        }
        Ok(opinions)
    }

    /// The insights of a run with what was said of them.
    pub(crate) fn told(&self, run: &str, insights: &[Insight]) -> Vec<Insight> {
        let mut insights = insights.to_vec();
        for insight in &mut insights {
            let key = (run.to_owned(), insight.id.as_str().to_owned());
            insight.feedback = self.by_insight.get(&key).map(|opinion| opinion.feedback);
        }
        insights
    }
}

/// Keeps one more.
pub(crate) fn keep(opinion: &Opinion) -> Result<PathBuf> {
    let file = paths::opinions()?;
    let attempt = || -> std::io::Result<()> {
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut line = serde_json::to_string(opinion)?;
        line.push('\n');
        // One write, so that two processes do not mix their lines.
        std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&file)?
            .write_all(line.as_bytes())
    };
    attempt().map_err(|error| storage("keep what you said of the insight", &file, &error))?;
    Ok(file)
}

/// Removes all of them.
pub(crate) fn forget() -> Result<()> {
    let file = paths::opinions()?;
    match std::fs::remove_file(&file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(storage("forget what you said of insights", &file, &error))
        }
        _ => Ok(()),
    }
}

fn storage(what: &str, file: &Path, error: &std::io::Error) -> CliError {
    CliError::new(
        Kind::Storage,
        format!("could not {what} in {}", file.display()),
        error.to_string(),
        "check that the file and its folder may be read and written",
    )
}
